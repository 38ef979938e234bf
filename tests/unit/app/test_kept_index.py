"""An index is opened once in a process for each of its states, whoever asks."""

import pytest

from vestigia.app import asking, kept_index
from vestigia.app.archive import add
from vestigia.app.workspace import init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import ArchiveError
from vestigia.domain.question import Question
from vestigia.index.snapshot import Snapshot
from vestigia.models.encoders.hashing import HashingEncoder


@pytest.fixture
def workspace(tmp_path):
    made = init(tmp_path / "letters")
    (made.root / "vestigia.toml").write_text("[search]\nencoders = []\n")
    made = open_workspace(made.root)
    (tmp_path / "one.txt").write_text("Die Brücke über die Alzette.", encoding="utf-8")
    add(made, [tmp_path / "one.txt"], ImportOptions(language="de"))
    return made


@pytest.fixture
def openings(monkeypatch):
    found = []
    whole = Snapshot.open
    monkeypatch.setattr(Snapshot, "open", lambda *asked: found.append(asked) or whole(*asked))
    return found


def test_runs_that_follow_one_another_share_it(workspace, openings):
    for _ in range(3):
        asking.ask(workspace, Question("Was geschah mit der Brücke?"))
    assert len(openings) == 1


def test_it_is_opened_anew_when_a_file_of_it_changes(workspace, openings, tmp_path):
    first = kept_index.opened(workspace, ())
    assert kept_index.opened(workspace, ()) is first
    (tmp_path / "two.txt").write_text("Der Rat.", encoding="utf-8")
    add(workspace, [tmp_path / "two.txt"], ImportOptions(language="de"))
    assert kept_index.opened(workspace, ()).documents == 2
    assert first.documents == 1  # who still has it reads on


def test_other_settings_and_other_encoders_open_another(workspace):
    first = kept_index.opened(workspace, ())
    encoded = kept_index.opened(workspace, [HashingEncoder()])
    assert encoded is not first
    assert kept_index.opened(workspace, [HashingEncoder()]) is encoded
    (workspace.root / "vestigia.toml").write_text("[search]\nencoders = []\n[archive]\nname = 'Letters'\n")
    assert kept_index.opened(open_workspace(workspace.root), [HashingEncoder()]) is not encoded


def test_what_cannot_be_opened_any_more_is_said_though_it_was_open(workspace):
    kept_index.opened(workspace, ())
    (workspace.index / "state.json").unlink()
    with pytest.raises(ArchiveError):
        kept_index.opened(workspace, ())


def test_no_more_stay_open_than_are_needed(workspace, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_index, "_MOST", 1)
    first = kept_index.opened(workspace, ())
    other = init(tmp_path / "other")
    add(other, [tmp_path / "one.txt"], ImportOptions(language="de"))
    kept_index.opened(other, ())
    assert kept_index.opened(workspace, ()) is not first
