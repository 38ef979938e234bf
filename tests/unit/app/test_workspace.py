"""The folder of an archive: made wholly or not at all, opened with words for what is wrong with it."""

import tomllib
from pathlib import Path

import pytest

from vestigia.app import settings
from vestigia.app.workspace import init, open_workspace
from vestigia.domain.errors import ArchiveError, SettingsError, UsageError

NAMES = ["Fonds d’Estournelles", 'quo"te\\', "line\nfeed", "del\x7f\x01", "{braces}", "[red]\x1b[31m", "é\u202e𝔄"]


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_is_called_what_it_was_called(tmp_path: Path, name: str):
    assert init(tmp_path / "a", name).settings.archive.name == name
    assert open_workspace(tmp_path / "a").settings.archive.name == name


def test_an_archive_without_a_name_is_called_like_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert init(tmp_path / "Nachlass").settings.archive.name == "Nachlass"
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert init(Path()).settings.archive.name == "here"


@pytest.mark.parametrize(("folder", "name"), [("a", "bad\udcff"), ("bad\udcff", ""), ("bad\udcff", "good")])
def test_a_name_or_path_of_broken_characters_is_refused_and_nothing_is_made(tmp_path: Path, folder: str, name: str):
    with pytest.raises(UsageError, match="holds broken characters"):
        init(tmp_path / folder, name)
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_no_folder_can_have_is_told(tmp_path: Path):
    impossible = tmp_path / ("y" * 300)
    with pytest.raises(UsageError, match="there is no archive"):
        open_workspace(impossible)
    with pytest.raises(ArchiveError, match="the folder cannot be made"):
        init(impossible)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match="it exists and is not empty"):
        init(tmp_path)
    init(tmp_path / "a")
    with pytest.raises(UsageError, match="an archive is there already"):
        init(tmp_path / "a")
    with pytest.raises(UsageError, match="not empty"):
        init(tmp_path / "notes.txt")


@pytest.mark.parametrize("shadow", [b"\xff\xfe", None])
def test_a_prompt_of_the_archive_that_cannot_be_read_is_named(tmp_path: Path, shadow: bytes | None):
    workspace = init(tmp_path / "a")
    own = workspace.root / "prompts" / "plan.md"
    own.parent.mkdir()
    own.mkdir() if shadow is None else own.write_bytes(shadow)
    with pytest.raises(SettingsError, match=r"plan\.md: the prompt cannot be read .* in UTF-8"):
        workspace.library()


@pytest.mark.parametrize(
    "written",
    ["rules.rrf_k = 999999999999999999999", "rules.candidates = 9007199254740993", "rules.decay = inf",
     "rules.decay = nan", "rules.budget.tokens = 9007199254740993", "archive.passage_tokens = 9007199254740993"],
)  # fmt: skip
def test_a_number_that_no_ledger_can_hold_is_refused_in_the_settings(tmp_path: Path, written: str):
    workspace = init(tmp_path / "a")
    (workspace.root / settings.FILE).write_text(written, encoding="utf-8")
    with pytest.raises(SettingsError, match=written.partition(" ")[0]):
        open_workspace(workspace.root)


def test_the_template_is_toml_whatever_the_name(tmp_path: Path):
    assert [tomllib.loads(settings.template(name, 7))["archive"]["name"] for name in NAMES] == NAMES
