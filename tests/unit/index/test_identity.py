"""A server may serve another model under the same name from one day to the next: it is noticed, not mixed."""

import json

import numpy as np
import pytest

from fakes.pairs import document
from vestigia.domain.effects import Scope, Search
from vestigia.domain.errors import ArchiveError, ModelUnavailableError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode
from vestigia.index.snapshot import Snapshot
from vestigia.index.vectors import open_parts, vectors_folder
from vestigia.models.encoders.hashing import HashingEncoder

ARCHIVE = document("a", "the bridge over the river") + document("b", "a ship in the harbour")
LATER = document("c", "a telegram from Vienna")
SEARCH = Search("meaning:far", "the bridge over the river", Scope(), 5)


class Behind:
    """A server's encoder whose model changes without its fingerprint."""

    server = "http://localhost:1"
    name = "far"
    fingerprint = digest("asked of that server")

    def __init__(self, dimension=64, turned=False):
        self.dimension, self.turned = dimension, turned

    def encode(self, texts, kind):
        rows = HashingEncoder(self.dimension).encode(texts, kind)
        return np.roll(rows, 1, axis=1) if self.turned else rows


@pytest.fixture
def folder(tmp_path):
    add(tmp_path, ARCHIVE, 1)
    encode(tmp_path, Behind(), ARCHIVE)
    return tmp_path


def add(folder, pairs, batch):
    with IndexWriter(folder) as writer:
        writer.add(pairs)
        writer.commit(batch, digest("catalogue"))


def header(folder):
    return vectors_folder(folder, Behind()) / "encoder.json"


def test_the_same_model_goes_on_and_is_searched(folder):
    add(folder, LATER, 2)
    assert encode(folder, Behind(), [*ARCHIVE, *LATER]) == 1
    assert Snapshot.open(folder, [Behind()]).search(SEARCH).hits[0].document == "a"


@pytest.mark.parametrize(
    ("other", "how"),
    [
        (Behind(turned=True), "it reads a known sentence otherwise"),
        (Behind(32), "its vectors have 32 numbers, those kept 64"),
    ],
)
def test_another_model_under_the_same_name_neither_adds_vectors_nor_is_searched(folder, other, how):
    before = [np.array(part.vectors) for part in open_parts(folder, Behind())]
    add(folder, LATER, 2)
    remedy = "Give the new model a name of its own"
    with pytest.raises(ArchiveError, match=f"no longer the one whose vectors are kept: {how}.*{remedy}"):
        encode(folder, other, [*ARCHIVE, *LATER])
    with pytest.raises(ArchiveError, match=how):
        Snapshot.open(folder, [other]).search(SEARCH)
    after = [np.array(part.vectors) for part in open_parts(folder, Behind())]
    assert len(before) == len(after) == 1
    assert np.array_equal(before[0], after[0])


def test_the_same_model_in_another_precision_is_the_same(folder):
    class Rounded(Behind):
        def encode(self, texts, kind):
            return super().encode(texts, kind).astype(np.float16).astype(np.float32)

    assert Snapshot.open(folder, [Rounded()]).search(SEARCH).hits[0].document == "a"


@pytest.mark.parametrize("kept", ["", "AAA", "!", "AAAA"])
def test_a_damaged_sentence_is_not_taken_for_the_same(folder, kept):
    header(folder).write_text(json.dumps(json.loads(header(folder).read_text()) | {"known": kept}))
    with pytest.raises(ArchiveError, match=r"[Dd]elete"):
        Snapshot.open(folder, [Behind()]).search(SEARCH)


def test_a_server_that_fails_at_first_leaves_nothing_that_counts(tmp_path):
    class Gone(Behind):
        def encode(self, texts, kind):
            raise ModelUnavailableError("nobody there")

    add(tmp_path, ARCHIVE, 1)
    with pytest.raises(ModelUnavailableError):
        encode(tmp_path, Gone(), ARCHIVE)
    assert not header(tmp_path).exists()
    assert encode(tmp_path, Behind(), ARCHIVE) == 2


def test_encoders_inside_this_program_are_known_by_their_fingerprint_alone(tmp_path):
    add(tmp_path, ARCHIVE, 1)
    encoder = HashingEncoder()
    encode(tmp_path, encoder, ARCHIVE)
    assert "known" not in json.loads((vectors_folder(tmp_path, encoder) / "encoder.json").read_text())
