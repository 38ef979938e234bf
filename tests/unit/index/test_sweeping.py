"""What is deleted leaves no trace in the files of an index, and what is kept stays as it was."""

import pytest

from fakes.pairs import document
from vestigia.domain.effects import EXACT, WORDS, Scope, Search
from vestigia.domain.errors import ArchiveError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.durable import only_writer
from vestigia.index.encode import encode, missing, sweep_vectors
from vestigia.index.snapshot import Snapshot
from vestigia.index.vectors import open_parts, vectors_folder
from vestigia.models.encoders.hashing import HashingEncoder

CATALOGUE = digest("catalogue")
SECRET = document("a", "a xylophone in the harbour", "and another day")
KEPT = document("b", "the bridge over the river") + document("c", "the mayor spoke")


@pytest.fixture
def folder(tmp_path):
    with IndexWriter(tmp_path) as writer:
        writer.add(SECRET + KEPT)
        writer.commit(1, CATALOGUE)
    return tmp_path


def rebuilt(folder, pairs):
    with IndexWriter(folder) as writer:
        writer.begin_anew()
        writer.add(pairs)
        return writer.commit(2, CATALOGUE)


def holding(folder, word):
    return [path.name for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def found(folder, text, channel=WORDS):
    return [hit.document for hit in Snapshot.open(folder).search(Search(channel, text, Scope(), 10)).hits]


def test_a_document_only_removed_is_not_found_but_its_words_are_still_in_files(folder):
    with IndexWriter(folder) as writer:
        writer.remove(["a"])
        writer.commit(2, CATALOGUE)
    assert found(folder, "xylophone") == []
    assert holding(folder, "xylophone")


def test_an_index_begun_anew_holds_only_what_was_added_since_and_no_file_holds_more(folder):
    state = rebuilt(folder, KEPT)
    assert found(folder, "xylophone") == found(folder, "xylophone", EXACT) == []
    assert found(folder, "bridge") == ["b"]
    assert holding(folder, "xylophone") == []
    assert [path.name for path in folder.glob("generation-*")] == [state.folder(folder).name]


def test_it_answers_as_one_that_never_held_more(folder, tmp_path_factory):
    rebuilt(folder, KEPT)
    fresh = tmp_path_factory.mktemp("fresh")
    rebuilt(fresh, KEPT)
    assert Snapshot.open(folder).fingerprint == Snapshot.open(fresh).fingerprint


def test_begun_anew_with_nothing_added_it_is_empty(folder):
    rebuilt(folder, [])
    assert found(folder, "bridge") == []
    with IndexWriter(folder) as writer:
        assert writer.documents == ()


def test_what_was_begun_anew_and_not_committed_leaves_the_old_index(folder):
    with IndexWriter(folder) as writer:
        writer.add(document("d", "a telegram"))
        writer.begin_anew()
        writer.add(KEPT)
    assert found(folder, "xylophone") == ["a"]
    assert found(folder, "telegram") == []


def test_the_committed_documents_are_named_by_id(folder, tmp_path_factory):
    with IndexWriter(folder) as writer:
        writer.add(document("0", "a telegram"))
        assert writer.documents == ("a", "b", "c")
    with IndexWriter(tmp_path_factory.mktemp("empty")) as writer:
        assert writer.documents == ()


def test_a_sweep_keeps_the_vectors_of_what_is_there_and_no_others(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, SECRET + KEPT)
    rebuilt(folder, KEPT)
    sweep_vectors(folder)
    (part,) = open_parts(folder, encoder)
    assert len(part.texts) == 2
    assert missing(folder, encoder) == ()
    assert [path.name for path in vectors_folder(folder, encoder).glob("part-*")] == [part.path.name]


def test_a_sweep_with_nothing_to_sweep_leaves_the_files_alone(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, SECRET + KEPT)
    before = [part.path for part in open_parts(folder, encoder)]
    sweep_vectors(folder)
    assert [part.path for part in open_parts(folder, encoder)] == before


def test_a_sweep_of_everything_leaves_no_vector_and_encoding_begins_again(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, SECRET + KEPT)
    rebuilt(folder, [])
    sweep_vectors(folder)
    assert open_parts(folder, encoder) == []
    rebuilt(folder, KEPT)
    assert encode(folder, encoder, KEPT) == 2


def test_a_file_of_vectors_that_was_never_finished_goes_too(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, SECRET + KEPT)
    left = vectors_folder(folder, encoder) / "part-000009.npy.unfinished"
    left.write_bytes(b"half")
    sweep_vectors(folder)
    assert not left.exists()


def test_vectors_of_several_files_are_swept_in_each(folder, monkeypatch):
    encoder = HashingEncoder()
    monkeypatch.setattr("vestigia.index.encode.BATCH", 1)
    monkeypatch.setattr("vestigia.index.encode.merge_parts", lambda *_: None)
    encode(folder, encoder, SECRET + KEPT)
    assert len(open_parts(folder, encoder)) > 1
    rebuilt(folder, KEPT)
    sweep_vectors(folder)
    assert sum(len(part.texts) for part in open_parts(folder, encoder)) == 2
    assert missing(folder, encoder) == ()


def test_a_sweep_while_an_encoder_is_at_work_is_refused(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, SECRET + KEPT)
    with only_writer(vectors_folder(folder, encoder), "encoding"), pytest.raises(ArchiveError, match="encoding"):
        sweep_vectors(folder)
