"""How a command ends: one message and one exit code, whatever the disk, the terminal or the reader of a pipe does."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from rich.console import Console

from vestigia.app import present
from vestigia.app.models import BY_RULE
from vestigia.app.workspace import init
from vestigia.cli import printing
from vestigia.cli.outcome import INTERRUPTED, MISUSED, UNUSABLE, ending
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.inquiry.view import StageCost

NAME = "Délibérations “1887”"


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (UsageError("no.", where="there", remedy="Do it."), MISUSED, "there: no. Do it."),
        (ArchiveError("gone."), UNUSABLE, "gone."),
        (UsageError("no.", where="a\udcff\x1b[31m"), MISUSED, "a\\udcff[31m: no."),
        (OSError(28, "No space left on device", "a/b"), UNUSABLE, "a/b: No space left on device. Check rights"),
        (PermissionError(13, "Permission denied"), UNUSABLE, "Permission denied. Check rights and free space"),
        (KeyboardInterrupt(), INTERRUPTED, "interrupted. Go on so."),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_an_error_is_one_message_and_one_code(capsys, raised: BaseException, code: int, said: str):
    with pytest.raises(typer.Exit) as end, ending("Go on so."):
        raise raised
    assert end.value.exit_code == code
    assert " ".join(capsys.readouterr().err.split()).startswith(said)


def test_an_error_of_our_own_is_not_hidden():
    with pytest.raises(ZeroDivisionError), ending():
        raise ZeroDivisionError


def command(*arguments: str, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "vestigia.cli", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"} | environment,
    )  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> str:
    init(tmp_path / "a", NAME)
    return str(tmp_path / "a")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
    ],
)
def test_on_a_terminal_that_is_not_utf8_nothing_fails_and_data_loses_nothing(archive: str, environment: dict[str, str]):
    out, errors = command("status", archive, "--json", **environment).communicate(timeout=60)
    assert (json.loads(out.decode("ascii"))["name"], errors) == (NAME, b"")
    out, errors = command("status", archive, **environment).communicate(timeout=60)
    assert b"\\u201c1887\\u201d" in out
    assert errors == b""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that close and /dev/full are POSIX's")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_has_read_enough_is_no_failure_and_a_full_disk_is_one(archive: str, options: tuple[str, ...]):
    run = command("status", archive, *options)
    run.stdout.close()
    assert (run.wait(timeout=60), run.stderr.read()) == (0, b"")
    run.stderr.close()
    if not Path("/dev/full").exists():
        return
    with open("/dev/full", "wb") as full:  # noqa: PTH123  a device
        ended = subprocess.run(
            [sys.executable, "-m", "vestigia.cli", "status", archive, *options],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert ended.returncode == UNUSABLE
    assert ended.stderr.startswith(b"No space left on device")
    assert b"Traceback" not in ended.stderr


def test_data_is_printed_as_it_is_where_the_output_is_utf8(capsys):
    printing.data({"name": NAME})
    assert NAME in capsys.readouterr().out


def test_a_date_or_a_digest_in_a_table_is_never_broken_in_two(monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(printing, "out", Console(file=shown, width=60))
    period, name = "1893-05-02/1898-11-30", "Korrespondenz Hofmannsthal, Hugo von"
    printing.table(("sub-corpus", "documents", "languages", "period"), [[name, 416, "de, fr, en", period]])

    assert period in shown.getvalue()
    assert set(name.split()) <= set(shown.getvalue().split())


def test_one_source_is_no_sources():
    assert [printing.sources_of(number) for number in (0, 1, 2)] == ["0 sources", "1 source", "2 sources"]


def test_a_run_is_named_by_the_end_of_its_name():
    assert printing.mark("2026-11-30-wer-bleibt-23fd49") == "23fd49"


def stage(model, *, calls=4, unreadable=0, refused=0, tokens=0):
    return StageCost("review", calls, unreadable, tokens, tokens, 0.0, model, 0, 1.0, refused)


def page_of(capsys, *stages):
    """The page of a finished run without a source."""
    empty = ("ranking", "held", "removed", "failures", "missing", "notes", "plan", "corrected")
    found = {
        **{part: [] for part in empty}, "changes": {"plan": [], "decisions": []}, "question": "Who?", "run": "r1",
        "model": stages[0].model, "finished": True, "waits_at": None, "partial": None, "paused": None,
        "searched": [{"search": "orientation", "candidates": 5}],
        "budget": {**present.budget(stages, ""), "time": {"models": 1.0, "own": 1.0}},
    }  # fmt: skip
    printing.answer(found, "archive")
    return " ".join(capsys.readouterr().out.split())


def test_a_run_whose_model_gave_nothing_usable_is_no_run_that_found_nothing(capsys):
    for broken in (
        stage("a/m", unreadable=4, tokens=9),
        stage("a/m", refused=4),
        stage("a/m", unreadable=1, refused=3),
    ):
        page = page_of(capsys, broken)
        assert "Nothing was judged: no reply of a/m could be used. What was found is on hold." in page
        assert "No source was accepted" not in page
        assert "No language model was used" not in page
        assert "4 model calls" in page


def test_a_run_that_judged_and_took_nothing_says_so(capsys):
    assert "No source was accepted." in page_of(capsys, stage("a/m", unreadable=3, tokens=9))
    ruled = page_of(capsys, stage(BY_RULE))
    assert "No source was accepted." in ruled
    assert "No language model was used; 4 decisions by rule." in ruled


def test_a_stage_whose_requests_were_all_too_long_is_listed_among_the_calls():
    listed = printing.stages(present.budget([stage("a/m", refused=4), stage(BY_RULE)], "")["stages"])
    assert [line.partition(",")[0] for line in listed] == [
        "review by a/m: 4 calls (4 without a reply that could be used)"
    ]
