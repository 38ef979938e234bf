"""Encoding while the rest of an import goes on: the same in the end, whatever becomes of it."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from vestigia.app import ahead, archive, encoders
from vestigia.app.archive import add
from vestigia.app.care import Selection, delete, selected
from vestigia.app.encoders import AT_ONCE
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import ModelUnavailableError
from vestigia.index import encode
from vestigia.index.encode import missing
from vestigia.index.vectors import open_parts
from vestigia.models.encoders.hashing import HashingEncoder

PATIENCE = 60
"""Seconds after which what was to happen counts as not happening."""


class Several(HashingEncoder):
    """An encoder that can be shared out; `encoded` is set with its first text, `failures` are raised one by one."""

    encoded = threading.Event()
    failures: tuple[Exception, ...] = ()
    calls: list[int]

    def __init__(self, workers: int = 0):
        super().__init__()
        self.workers = workers

    def encode(self, texts, kind):
        Several.calls.append(self.workers)
        if Several.failures:
            error, *Several.failures = Several.failures
            raise error
        Several.encoded.set()
        return super().encode(texts, kind)

    def close(self):
        pass


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    Several.encoded, Several.failures, Several.calls = threading.Event(), (), []
    monkeypatch.setattr(encoders, "cores", lambda: 2)
    monkeypatch.setattr(encoders, "_SHARED_OUT", {Several: Several})
    monkeypatch.setattr(archive, "encoder", lambda _name: Several())
    monkeypatch.setattr(encode, "BATCH", 2)
    for module in (encoders, ahead):
        monkeypatch.setattr(module, "MANY", 3)


@pytest.fixture
def made(tmp_path: Path, two_cores: None) -> Workspace:
    return init(tmp_path / "archive")


def letters(folder: Path, *numbers: int) -> list[Path]:
    """A file for each letter."""
    paths = [folder / f"L{number}.jsonl" for number in numbers]
    for number, path in zip(numbers, paths, strict=True):
        path.write_text(json.dumps({"id": f"L{number}", "text": f"Der {number}. Brief aus Wien."}), encoding="utf-8")
    return paths


def vectors(workspace: Workspace) -> list[tuple[bytes, list[float]]]:
    (part,) = open_parts(workspace.index, Several())
    return [(bytes(text), vector.tolist()) for text, vector in zip(part.texts, part.vectors, strict=True)]


def test_texts_are_encoded_before_the_import_is_indexed(made: Workspace, monkeypatch: pytest.MonkeyPatch):
    index = archive.bring_up_to_date

    def after_encoding(workspace, catalogue, tell):
        assert Several.encoded.wait(PATIENCE)
        return index(workspace, catalogue, tell)

    monkeypatch.setattr(archive, "bring_up_to_date", after_encoding)
    added = add(made, letters(made.root.parent, *range(7)), ImportOptions())
    assert (added.encoded, added.unencoded) == (7, "")
    assert set(Several.calls) == {2}
    assert missing(made.index, Several()) == ()


def test_catalogue_and_vectors_are_those_of_one_process(made: Workspace, monkeypatch: pytest.MonkeyPatch):
    paths = letters(made.root.parent, *range(9, 0, -1))
    add(made, paths, ImportOptions())
    monkeypatch.setattr(encoders, "cores", lambda: 1)
    alone = init(made.root.parent / "alone")
    assert add(alone, paths, ImportOptions()).encoded == 9
    assert set(Several.calls) == {0, 2}
    assert vectors(alone) == vectors(made)
    rows = []
    for workspace in (alone, made):
        catalogue = workspace.catalogue()
        rows.append((catalogue.fingerprint, catalogue.store.read("SELECT rowid, * FROM documents")))
        catalogue.close()
    assert rows[0] == rows[1]


def test_how_far_it_is_is_told_to_the_end(made: Workspace):
    told = []
    add(made, letters(made.root.parent, *range(7)), ImportOptions(), lambda *said: told.append(said))
    mine = [(done, of) for what, done, of in told if what == "encoding with hashing"]
    assert (7, 7) in mine
    assert all(done <= of for done, of in mine)


def test_a_worker_that_dies_costs_nothing(made: Workspace):
    Several.failures = (ModelUnavailableError("its process was killed"),)
    added = add(made, letters(made.root.parent, *range(7)), ImportOptions())
    assert added.unencoded == ""
    assert added.encoded == len(vectors(made)) == 7


def test_an_encoder_that_fails_again_is_told_and_the_next_add_completes(made: Workspace):
    Several.failures = (ModelUnavailableError("killed"),) * (2 * AT_ONCE + 2)
    paths = letters(made.root.parent, *range(7))
    added = add(made, paths, ImportOptions())
    assert added.unencoded == "killed"
    assert len(missing(made.index, Several())) == 7 - added.encoded > 0
    Several.failures = ()
    assert add(made, paths, ImportOptions()).encoded == 7 - added.encoded
    assert missing(made.index, Several()) == ()


def test_an_interrupted_import_ends_the_encoding_and_can_be_gone_on_with(
    made: Workspace, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(*_):
        raise KeyboardInterrupt

    paths, before = letters(made.root.parent, *range(7)), threading.active_count()
    index = archive.bring_up_to_date
    monkeypatch.setattr(archive, "bring_up_to_date", interrupted)
    with pytest.raises(KeyboardInterrupt):
        add(made, paths, ImportOptions())
    assert threading.active_count() == before
    monkeypatch.setattr(archive, "bring_up_to_date", index)
    add(made, paths, ImportOptions())
    assert len(vectors(made)) == 7


def test_few_texts_are_left_to_the_end(made: Workspace, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ahead, "encode_ahead", lambda *_: pytest.fail("it is not worth it"))
    assert add(made, letters(made.root.parent, 1, 2), ImportOptions()).encoded == 2
    assert set(Several.calls) == {0}


def test_what_was_there_is_not_encoded_again(made: Workspace):
    add(made, letters(made.root.parent, *range(7)), ImportOptions())
    Several.calls.clear()
    assert add(made, letters(made.root.parent, *range(7)), ImportOptions()).encoded == 0
    assert Several.calls == []
    told = []
    added = add(made, letters(made.root.parent, *range(8)), ImportOptions(), lambda *said: told.append(said))
    assert added.encoded == 1
    assert told[-1] == ("encoding with hashing", 1, 1)


def test_where_traces_are_to_be_swept_nothing_runs_beside_it(made: Workspace, monkeypatch: pytest.MonkeyPatch):
    paths = letters(made.root.parent, *range(7))
    add(made, paths, ImportOptions())
    sweep = Catalogue.sweep
    monkeypatch.setattr(Catalogue, "sweep", lambda _: None)
    delete(made, [card.id for card in selected(made, Selection(documents=("L1",)))])
    monkeypatch.setattr(Catalogue, "sweep", sweep)
    monkeypatch.setattr(ahead, "encode_ahead", lambda *_: pytest.fail("the sweep wants the vectors for itself"))
    assert add(made, paths, ImportOptions()).encoded == 1
    assert len(vectors(made)) == 7


def test_a_deletion_by_another_program_meanwhile_is_swept_too(made: Workspace, monkeypatch: pytest.MonkeyPatch):
    read = archive.import_path
    paths = letters(made.root.parent, *range(7))
    add(made, paths, ImportOptions())

    def and_deleted(catalogue, *rest):
        report = read(catalogue, *rest)
        assert Several.encoded.wait(PATIENCE)
        with catalogue.writing():
            catalogue.delete(["L1"])
        return report

    Several.encoded.clear()
    monkeypatch.setattr(archive, "import_path", and_deleted)
    new = made.root.parent / "new"
    new.mkdir()
    letters(new, *range(10, 20))
    add(made, [new], ImportOptions())
    assert len(vectors(made)) == 16
    gone = HashingEncoder().encode(["Der 1. Brief aus Wien."], "passage")[0]
    assert not any(np.array_equal(gone, vector) for _, vector in vectors(made))
