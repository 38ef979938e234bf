"""`vestigia add --preview` and `--name-pattern`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app.archive import with_settings
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.cli.commands import app
from vestigia.cli.outcome import FAILED, MISUSED
from vestigia.corpus.importing import ImportOptions


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = init(tmp_path / "archive")
    (tmp_path / "a.csv").write_text("Cote;Texte;Datum\nA1;Un pont.;12. März 1887\n", encoding="utf-8-sig")
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "Temps_1887-03-12_7.txt").write_text("Un pont emporté.", encoding="utf-8")
    return made


def run(workspace: Workspace, *arguments: str, code: int = 0) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, ["add", str(workspace.root), *arguments])
    assert ended.exit_code == code, ended.output
    return ended.output


def documents(workspace: Workspace) -> int:
    catalogue = workspace.catalogue()
    try:
        return sum(one.documents for one in catalogue.sub_corpora())
    finally:
        catalogue.close()


def test_the_page_tells_how_each_file_is_understood_and_that_nothing_went_in(workspace: Workspace):
    folder = workspace.root.parent
    page = run(
        workspace,
        "--preview",
        "--language",
        "fr",
        *(str(folder / name) for name in ("a.csv", "b.jpg", "Temps_1887-03-12_7.txt")),
    )
    flat = " ".join(page.split())  # however wide the page is
    assert f"{folder}/a.csv: csv, 1 in utf-8-sig, semicolon" in flat
    assert "columns: Cote → id · Texte → text · Datum → date" in flat
    assert "A1: A1 · 1887-03-12 (from '12. März 1887') · a · fr Un pont." in flat
    assert "b.jpg: not a document: an image" in flat
    assert "Nothing was imported. 2 documents would go in (2 dated, 0 undated), 0 are in already, 0 files and 0" in flat
    assert documents(workspace) == 0
    assert not workspace.index.exists()


def test_the_data_say_the_same(workspace: Workspace):
    found = json.loads(run(workspace, "--preview", "--json", str(workspace.root.parent / "a.csv")))
    (file,) = found["files"]
    assert (found["documents"], found["dated"], file["reader"]) == (1, 1, "csv")
    assert file["layouts"][0]["columns"][1] == {"column": "Texte", "field": "text"}
    assert file["first"][0]["date"]["label"] == "1887-03-12"
    assert file["first"][0]["date"]["written"] == "12. März 1887"
    assert file["first"][0]["details"] == {}


def test_many_files_are_not_all_shown_but_all_counted(workspace: Workspace):
    many = workspace.root.parent / "many"
    many.mkdir()
    for number in range(25):
        (many / f"{number:02}.txt").write_text(f"Texte {number}.", encoding="utf-8")
    page = run(workspace, "--preview", str(many))
    assert "… and 5 more files that can be read (see --json)" in page
    assert "25 documents would go in" in page


def test_where_nothing_can_be_read_it_fails(workspace: Workspace):
    run(workspace, "--preview", str(workspace.root.parent / "b.jpg"), code=FAILED)


def test_name_patterns_are_typed_or_stand_in_the_settings_and_what_is_typed_counts(workspace: Workspace):
    file = str(workspace.root.parent / "Temps_1887-03-12_7.txt")
    typed = json.loads(run(workspace, "--preview", "--json", "--name-pattern", "{title}_{date}_{issue}", file))
    assert (typed["files"][0]["first"][0]["title"], typed["files"][0]["first"][0]["details"]) == (
        "Temps",
        {"issue": "7"},
    )
    with (workspace.root / "vestigia.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[import]\nname_patterns = ["{journal}_{date}_{page}"]\n')
    stated = json.loads(run(workspace, "--preview", "--json", file))
    assert stated["files"][0]["first"][0]["details"] == {"journal": "Temps", "page": "7"}
    told = with_settings(ImportOptions(name_patterns=("{x}",)), open_workspace(workspace.root))
    assert told.name_patterns == ("{x}",)


def test_a_senseless_pattern_is_told_with_an_example(workspace: Workspace):
    page = run(workspace, "--preview", "--name-pattern", "{year", str(workspace.root.parent / "a.csv"), code=MISUSED)
    assert "a brace alone" in page
    assert "{title}_{year}-{month}-{day}_{issue}" in page


def test_the_settings_with_patterns_have_another_digest(workspace: Workspace):
    before = workspace.settings.digest
    with (workspace.root / "vestigia.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[import]\nname_patterns = ["{year}"]\n')
    assert open_workspace(workspace.root).settings.digest != before
