"""The report of an import on the page: a line for each file that has something to say, and not for thousands."""

import pytest

from vestigia.app.archive import Added
from vestigia.cli.importing import FILES, page, plain
from vestigia.corpus.importing import FileReport, ImportReport
from vestigia.domain.ports import Refused


def said(capsys: pytest.CaptureFixture[str], *files: FileReport) -> str:
    page(Added((ImportReport(files),), 0, 0))
    return " ".join(capsys.readouterr().out.split())


def test_a_file_with_nothing_to_say_is_only_counted(capsys):
    told = said(capsys, FileReport("a.xml", "alto", documents=1), FileReport("b.xml", "alto", documents=2))
    assert "a.xml" not in told
    assert told.startswith("3 documents in")


def test_a_single_file_has_its_line_always(capsys):
    assert said(capsys, FileReport("a.xml", "alto", documents=1)).startswith("a.xml: 1 in, 0 unchanged (alto) ")


def test_words_joined_over_line_ends_are_told_by_file_and_in_sum(capsys):
    files = [FileReport("a.xml", "alto", documents=1, joined=28), FileReport("b.xml", "hocr", documents=1, joined=1)]
    told = said(capsys, *files)
    assert "a.xml: 1 in, 0 unchanged (alto); 28 broken words joined" in told
    assert "b.xml: 1 in, 0 unchanged (hocr); 1 broken words joined" in told
    assert "29 words broken at the ends of lines are whole in the texts" in told
    data = plain(Added((ImportReport(tuple(files)),), 0, 0))
    assert (data["joined"], data["files"][0]["joined"]) == (29, 28)


def test_of_many_files_with_notes_the_first_are_told_and_every_refusal(capsys):
    note = (Refused("", "no unit", kept=True),)
    healthy = [FileReport(f"n{at}.xml", "alto", documents=1, warnings=note) for at in range(FILES + 7)]
    told = said(capsys, *healthy, FileReport("bad.xml", failure="it is cut short."),
                FileReport("half.csv", "csv", documents=1, refused=(Refused("line 4", "no text."),)))
    assert f"n{FILES - 1}.xml:" in told
    assert f"n{FILES}.xml:" not in told
    assert "… and 7 more files with notes or passed over (see --json)" in told
    assert "refused bad.xml: it is cut short." in told
    assert "refused line 4: no text." in told
