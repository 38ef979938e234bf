"""The access log: appended, put away when full, without what a person searched or read."""

import json
import subprocess
import sys

import pytest

from vestigia.app.people.access_log import AccessLog, Visit
from vestigia.domain.errors import ArchiveError


def visit(number=0, path="/a/vautrin/search"):
    return Visit("2026-11-30T18:00:00Z", "odile", "192.0.2.1", "GET", path, "vautrin", 200, 0.0123456 + number)


def test_a_visit_is_a_line_and_comes_back(tmp_path):
    log = AccessLog(tmp_path)
    log.write(visit(1))
    log.write(visit(2))
    assert [round(one.seconds) for one in log.newest()] == [2, 1]
    assert len(log.path.read_text().splitlines()) == 2
    assert log.path.stat().st_mode & 0o777 == 0o600


def test_the_words_of_a_search_are_not_kept(tmp_path):
    log = AccessLog(tmp_path)
    log.write(visit(path="/a/vautrin/search?q=Zyklotrimethylen"))
    assert "Zyklo" not in log.path.read_text()
    assert log.newest()[0].path == "/a/vautrin/search"


def test_a_path_that_would_be_several_lines_or_endless_is_one_short_line(tmp_path):
    log = AccessLog(tmp_path)
    log.write(visit(path='/a\n{"who": "somebody else"}\r\u2028' + "x" * 10_000))
    assert len(log.path.read_bytes().splitlines()) == 1
    assert len(log.newest()) == 1
    assert len(log.newest()[0].path) == 300


def test_a_full_file_is_put_away_and_only_so_many_are_kept(tmp_path):
    log = AccessLog(tmp_path, largest=1000, files=2)
    for number in range(60):
        log.write(visit(number))
    assert {path.name for path in tmp_path.iterdir()} - {"access.log"} == {"access.1", "access.2", "access.lock"}
    shown = [int(one.seconds) for one in log.newest(1000)]
    assert shown == sorted(shown, reverse=True)
    assert shown[0] == 59
    assert [int(one.seconds) for one in log.newest(3)] == [59, 58, 57]


def test_a_line_that_was_cut_short_hides_no_other(tmp_path):
    log = AccessLog(tmp_path)
    log.write(visit(1))
    with log.path.open("a") as file:
        file.write('{"time": "2026\n')
        file.write(json.dumps({"another": "shape"}) + "\n")
    log.write(visit(2))
    assert [int(one.seconds) for one in log.newest()] == [2, 1]


WRITER = """
import sys
from pathlib import Path
from vestigia.app.people.access_log import AccessLog, Visit
log = AccessLog(Path(sys.argv[1]), largest=2000, files=1000)
for _ in range(50):
    log.write(Visit("", "", "", "", "", "", 200, float(sys.argv[2])))
"""


def test_processes_that_write_side_by_side_lose_and_mix_nothing(tmp_path):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(number)]) for number in range(2)]
    assert [one.wait() for one in writers] == [0, 0]
    found = [int(one.seconds) for one in AccessLog(tmp_path).newest(1000)]
    assert (found.count(0), found.count(1)) == (50, 50)


def test_where_nothing_can_be_written_nothing_is_done_unrecorded(tmp_path):
    (tmp_path / "access.log").mkdir()
    with pytest.raises(ArchiveError, match="access log"):
        AccessLog(tmp_path).write(visit())
