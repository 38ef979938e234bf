"""The report of an import on the page: a line for each file that has something to say, and not for thousands."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app.archive import Added
from vestigia.app.import_options import options_of
from vestigia.cli.commands import app
from vestigia.cli.importing import FILES, page, plain
from vestigia.cli.outcome import MISUSED
from vestigia.corpus.importing import FileReport, ImportReport
from vestigia.domain.errors import UsageError
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
    told = said(
        capsys,
        *healthy,
        FileReport("bad.xml", failure="it is cut short."),
        FileReport("half.csv", "csv", documents=1, refused=(Refused("line 4", "no text."),)),
    )
    assert f"n{FILES - 1}.xml:" in told
    assert f"n{FILES}.xml:" not in told
    assert "… and 7 more files with notes or passed over (see --json)" in told
    assert "refused bad.xml: it is cut short." in told
    assert "refused line 4: no text." in told


@pytest.mark.parametrize("language", ["klingon", "d", "12", "français moderne", "日本"])
def test_a_language_that_is_none_is_refused(language: str):
    with pytest.raises(UsageError, match=f"--language: '{language}' is no language that is known. Give its code"):
        options_of("", language, [])


@pytest.mark.parametrize("language", ["", "de", "gsw", "German", "de-AT", "français", "LAT"])
def test_a_language_is_given_by_code_or_name(language: str):
    assert options_of("", language, []).language == language


@pytest.mark.parametrize(
    ("typed", "known"), [("", ""), ("Windows-1252", "cp1252"), ("latin-1", "iso8859-1"), ("Big5", "big5")]
)
def test_an_encoding_is_known_by_its_usual_names(typed: str, known: str):
    assert options_of("", "", [], typed).encoding == known


@pytest.mark.parametrize("typed", ["klingon", "hex", "a\0b", "é"])
def test_an_encoding_that_is_none_is_refused(typed: str):
    with pytest.raises(UsageError, match="no encoding that is known"):
        options_of("", "", [], typed)


@pytest.mark.parametrize("arguments", [["add", "a", ""], ["add", "", "b"], ["init", " "], ["status", ""]])
def test_an_empty_path_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]):
    monkeypatch.chdir(tmp_path)
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(app, arguments)
    assert ended.exit_code == MISUSED
    assert "the path is empty; the folder you are in is called `.`" in ended.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--max-steps=99", "--max-steps=0", "--max-calls=99999999999999999999"])
def test_a_number_beyond_what_is_possible_is_a_misuse(tmp_path: Path, option: str):
    ended = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["ask", str(tmp_path), "Wer?", option])
    assert ended.exit_code == MISUSED
    assert option.partition("=")[0] in ended.output


def test_a_sub_corpus_of_broken_characters_is_refused():
    with pytest.raises(UsageError, match="the name of the sub-corpus holds broken characters"):
        options_of("x\udcff", "", [])
