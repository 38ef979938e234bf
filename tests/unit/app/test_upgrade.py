"""From one version to the next: the archive of an earlier version opens, is searched, shown, verified and served.

It is never made anew after a release (`scripts/approve_archive.py`). The index is no part of it: it is made again.
"""

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from fakes.golden_archives import LETTERS, QUESTION
from fakes.sites import visiting, words_of
from unit.web.conftest import _without_weights
from vestigia.app import archive, asking, curating, works
from vestigia.app.archive import status
from vestigia.app.asking import ask
from vestigia.app.backups import restore
from vestigia.app.people.store import Store
from vestigia.app.searching import search
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.domain.errors import ArchiveError, LedgerError, StaleIndexError
from vestigia.domain.ids import RunId, digest
from vestigia.domain.question import Question
from vestigia.index.state import STATE
from vestigia.models.encoders.hashing import HashingEncoder

GOLDEN = Path(__file__).parents[2] / "golden" / "archive-v1.zip"


@pytest.fixture(scope="module", autouse=True)
def _light():
    with pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, HashingEncoder())
        yield


@pytest.fixture(scope="module")
def old(tmp_path_factory) -> Workspace:
    """The archive as the earlier version left it, its index made by this one."""
    root = tmp_path_factory.mktemp("golden") / "letters"
    restore(GOLDEN, root)
    workspace = open_workspace(root)
    archive.encode(workspace, "hashing")
    return workspace


@pytest.fixture
def harmed(old: Workspace, tmp_path: Path) -> Workspace:
    """A copy that a test may change."""
    shutil.copytree(old.root, tmp_path / "letters")
    return open_workspace(tmp_path / "letters")


def kinds(workspace: Workspace) -> dict[str, RunId]:
    """The runs of the archive by what they are."""
    found = {}
    for run in workspace.run_names():
        known = works.is_commissioned(workspace, run)
        kind = type(works.read(workspace, run).first.commission).__name__ if known else "question"
        found[kind] = run
    return found


def test_it_opens_and_says_what_it_holds(old: Workspace):
    said = status(old)
    assert (said.name, said.documents, said.dated, said.stale) == ("Golden letters", 3, 2, False)
    assert [part.name for part in said.sub_corpora] == ["Letters"]


def test_it_is_searched_once_its_index_is_made_again(old: Workspace):
    found = search(old, Question("Brücke"), "words", 10)
    assert {one.document for one in found.candidates} == {"L1", "L2"}
    assert [one.document for one in search(old, Question("emporté"), "words", 10).candidates] == ["L3"]


def test_every_run_verifies_and_replays_to_what_it_found(old: Workspace):
    assert kinds(old).keys() == {"question", "SurveyOrder", "CurateOrder"}
    for run in old.run_names():
        report = asking.verify_run(old, run)
        assert report.problem == "", f"{run}: {report}"
    assert asking.replay(old, kinds(old)["question"]).finished
    assert works.replay(old, kinds(old)["SurveyOrder"])
    assert not works.replay(old, kinds(old)["CurateOrder"]), "a curation stays open"


def test_what_a_person_decided_stands(old: Workspace):
    view = curating.shown(old, works.read(old, kinds(old)["CurateOrder"]))
    said = json.dumps(view, ensure_ascii=False)
    assert '"Ada"' in said
    assert "off topic" in said


def test_it_is_served(old: Workspace):
    site = visiting({"letters": old})
    assert site.get("/ready").status_code == 200
    assert "Golden letters" in words_of(site.get("/archives/letters").text)
    assert QUESTION.text in words_of(site.get(f"/archives/letters/runs/{kinds(old)['question']}").text)
    found = site.get("/archives/letters/search?q=Br%C3%BCcke")
    assert all(letter["title"] in found.text for letter in LETTERS[:2])


def test_work_goes_on_in_it(harmed: Workspace):
    answered = ask(harmed, Question("Was wurde abgeschafft?"))
    assert answered.run in harmed.run_names()
    assert len(harmed.run_names()) == 4


# What a version later than this one wrote is not guessed at: it is said, with what to do, and nothing is changed.


def test_a_catalogue_of_a_later_version_is_refused_and_left_as_it_is(harmed: Workspace):
    path = harmed.root / "catalogue.sqlite"
    with sqlite3.connect(path) as database:
        later = database.execute("PRAGMA user_version").fetchone()[0] + 1
        database.execute(f"PRAGMA user_version = {later}")
    database.close()
    with pytest.raises(ArchiveError, match="no catalogue of this version") as refused:
        harmed.catalogue()
    assert "the version of Vestigia that made it" in str(refused.value)
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA user_version").fetchone()[0] == later
    database.close()


def test_an_index_of_another_version_is_made_anew_by_the_next_add(harmed: Workspace):
    state = json.loads((harmed.index / STATE).read_text(encoding="utf-8"))
    (harmed.index / STATE).write_text(json.dumps({**state, "format": state["format"] + 1}), encoding="utf-8")
    with pytest.raises(StaleIndexError):
        search(harmed, Question("Brücke"), "words", 10)
    archive.encode(harmed, "hashing")
    assert search(harmed, Question("Brücke"), "words", 10).candidates


def test_a_record_with_an_entry_of_a_later_version_is_said_where(harmed: Workspace):
    run = kinds(harmed)["question"]
    path = harmed.runs / run / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    bare = re.sub(
        rb'"digest":"sha256:[0-9a-f]{64}",', b"", lines[2].replace(b'"type":"survey"', b'"type":"foresee"')[:-1]
    )
    sealed = bare.replace(b',"number":2,', b',"digest":"' + digest(bare).encode() + b'","number":2,')
    path.write_bytes(b"".join([*lines[:2], sealed + b"\n"]))
    with pytest.raises(LedgerError, match=r"line 3, entry 2") as refused:
        asking.replay(harmed, run)
    assert "Another version of Vestigia wrote it" in str(refused.value)
    assert "foresee" in str(refused.value)


def test_accounts_of_a_later_version_are_refused(tmp_path: Path):
    store = Store(tmp_path)
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(ArchiveError, match="another version"):
        Store(tmp_path)
