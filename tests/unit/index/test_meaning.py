"""Vectors: encoded once, kept by text, searched exactly, never mixed."""

import json
import threading

import numpy as np
import pytest

from fakes.pairs import document, year
from vestigia.domain.effects import Scope, Search
from vestigia.domain.errors import ArchiveError, ModelUnavailableError
from vestigia.domain.ids import digest
from vestigia.index import encode as encoding
from vestigia.index import vectors
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode, encode_ahead, missing
from vestigia.index.snapshot import Snapshot
from vestigia.index.vectors import open_parts, pieces, vectors_folder
from vestigia.models.encoders.hashing import HashingEncoder

ARCHIVE = (
    document("a", "the bridge over the river", "the mayor spoke", sub="Minutes", period=year(1890))
    + document("b", "a ship in the harbour", sub="Journal", period=year(1880))
    + document("c", "the bridge over the river", sub="Letters")
)


class Counting(HashingEncoder):
    """Counts the texts it encodes, and fails when told to."""

    def __init__(self, fail_after=10**9, **options):
        super().__init__(**options)
        self.texts, self.fail_after = [], fail_after

    def encode(self, texts, kind):
        if len(self.texts) + len(texts) > self.fail_after:
            raise ModelUnavailableError("the encoder is gone")
        self.texts += texts
        return super().encode(texts, kind)


@pytest.fixture
def folder(tmp_path):
    add(tmp_path, ARCHIVE)
    return tmp_path


def add(folder, pairs, batch=1, remove=()):
    with IndexWriter(folder) as writer:
        writer.remove(remove)
        writer.add(pairs)
        writer.commit(batch, digest("catalogue"))


def found(folder, encoder, text, scope=None, limit=10):
    return Snapshot.open(folder, [encoder]).search(Search(f"meaning:{encoder.name}", text, scope or Scope(), limit))


def test_before_encoding_the_channel_is_not_offered_and_says_what_is_missing(folder):
    encoder = HashingEncoder()
    assert missing(folder, encoder) == ("b#0-21", "c#0-25", "a#0-25", "a#26-41")
    assert "meaning:hashing" not in Snapshot.open(folder, [encoder]).channels()
    answer = found(folder, encoder, "bridge")
    assert not answer.hits
    assert answer.missing == "4 of 4 passages are not yet encoded by hashing"


def test_what_is_encoded_is_found_by_nearness(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    assert "meaning:hashing" in Snapshot.open(folder, [encoder]).channels()
    answer = found(folder, encoder, "the river over the bridge")
    assert [hit.document for hit in answer.hits][:2] == ["a", "c"]
    assert answer.hits[0].score == pytest.approx(1)
    assert answer.missing == ""


def test_equal_texts_are_encoded_once_and_both_found(folder):
    encoder = Counting()
    assert encode(folder, encoder, ARCHIVE) == 3
    assert len(encoder.texts) == 3
    assert [hit.document for hit in found(folder, encoder, "bridge over the river").hits][:2] == ["a", "c"]


def test_encoding_again_encodes_only_what_is_new(folder):
    encoder = Counting()
    encode(folder, encoder, ARCHIVE)
    new = document("d", "a telegram from Vienna")
    add(folder, new, batch=2)
    assert missing(folder, encoder) == ("d#0-22",)
    answer = found(folder, encoder, "telegram")
    assert answer.missing == "1 of 5 passages are not yet encoded by hashing"
    encoder.texts.clear()
    assert encode(folder, encoder, [*ARCHIVE, *new]) == 1
    assert encoder.texts == ["a telegram from Vienna"]
    assert missing(folder, encoder) == ()
    assert found(folder, encoder, "telegram from Vienna").hits[0].document == "d"


def test_a_removed_document_is_not_found_and_its_vector_may_be_used_again(folder):
    encoder = Counting()
    encode(folder, encoder, ARCHIVE)
    add(folder, [], batch=2, remove=["b"])
    assert "b" not in [hit.document for hit in found(folder, encoder, "ship harbour").hits]
    add(folder, document("e", "a ship in the harbour"), batch=3)
    encoder.texts.clear()
    assert encode(folder, encoder, document("e", "a ship in the harbour")) == 0
    assert found(folder, encoder, "ship in the harbour").hits[0].document == "e"


def test_the_scope_says_how_much_of_it_is_missing(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE[:2])
    assert found(folder, encoder, "bridge", Scope(sub_corpora=("Minutes",))).missing == ""
    assert found(folder, encoder, "ship", Scope(sub_corpora=("Journal",))).missing.startswith("1 of 1")


def test_progress_counts_the_passages_dealt_with(folder, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", 2)
    told = []
    encode(folder, HashingEncoder(), ARCHIVE, told.append)
    assert told == sorted(told)
    assert told[-1] == len(ARCHIVE)
    assert len(told) > 1


def test_files_are_put_together_while_they_are_many(folder, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", 1)
    monkeypatch.setattr(vectors, "TOGETHER", 3)
    encoder, counts = HashingEncoder(), []
    texts = [f"letter {number}" for number in range(29)]
    pairs = [pair for number, text in enumerate(texts) for pair in document(f"l{number:02}", text)]
    home = vectors_folder(folder, encoder)
    for encoded, seen in encode_ahead(folder, encoder, pairs):
        assert (encoded, seen) == (1, 1)
        counts.append(len(list(home.glob("part-*.npy"))))
    assert counts[:9] == [1, 2, 1, 2, 3, 2, 3, 4, 1]
    assert max(counts) == 6
    assert not list(home.glob("*.unfinished"))
    there = np.concatenate([part.vectors for part in open_parts(folder, encoder)])
    assert np.array_equal(np.nan_to_num(there), encoder.encode(texts, "passage"))


def test_what_was_encoded_ahead_of_the_index_is_put_in_order_by_the_next_encoding(tmp_path):
    encoder = Counting()
    assert list(encode_ahead(tmp_path, encoder, reversed(ARCHIVE))) == [(3, 4)]
    add(tmp_path, ARCHIVE)
    assert missing(tmp_path, encoder) == ()
    encoder.texts.clear()
    assert encode(tmp_path, encoder, []) == 0
    assert encoder.texts == []
    (part,) = open_parts(tmp_path, encoder)
    expected = encoder.encode(["a ship in the harbour", "the bridge over the river", "the mayor spoke"], "passage")
    assert np.array_equal(part.vectors, expected)


def test_several_calls_are_made_together_and_their_answers_kept_in_order(folder, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", 1)
    met = threading.Barrier(2, timeout=60)

    class Meeting(HashingEncoder):
        def encode(self, texts, kind):
            met.wait()
            return super().encode(texts, kind)

    four = [*ARCHIVE, *document("d", "a telegram")]
    assert encode(folder, Meeting(), four, at_once=2) == 4
    assert missing(folder, HashingEncoder()) == ()
    add(folder, document("d", "a telegram"), batch=2)
    assert found(folder, HashingEncoder(), "telegram").hits[0].document == "d"


def test_an_encoder_that_fails_half_way_loses_nothing_before(folder, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", 1)
    with pytest.raises(ModelUnavailableError):
        encode(folder, Counting(fail_after=2), ARCHIVE)
    assert len(missing(folder, HashingEncoder())) == 1
    rest = Counting()
    assert encode(folder, rest, ARCHIVE) == 1
    assert len(rest.texts) == 1
    assert len(open_parts(folder, rest)) == 1


def test_files_are_merged_in_the_order_of_the_index(folder, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", 1)
    encoder = HashingEncoder()
    encode(folder, encoder, reversed(ARCHIVE))
    (part,) = open_parts(folder, encoder)
    expected = encoder.encode(["a ship in the harbour", "the bridge over the river", "the mayor spoke"], "passage")
    assert np.array_equal(part.vectors, expected)


def test_a_merge_that_was_killed_leaves_a_file_too_many_and_the_same_answers(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    before = found(folder, encoder, "bridge over").hits
    (part,) = open_parts(folder, encoder)
    part.path.with_name("part-000099.npy").write_bytes(part.path.read_bytes())
    assert found(folder, encoder, "bridge over").hits == before
    encode(folder, encoder, [])
    assert len(open_parts(folder, encoder)) == 1
    assert found(folder, encoder, "bridge over").hits == before


def test_a_file_not_finished_is_not_read(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (vectors_folder(folder, encoder) / "part-000050.npy.unfinished").write_bytes(b"half a fi")
    assert len(found(folder, encoder, "bridge").hits) == 3


def test_a_damaged_file_is_an_error_that_says_which(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (part,) = open_parts(folder, encoder)
    part.path.write_bytes(part.path.read_bytes()[:200])
    with pytest.raises(ArchiveError, match=r"part-\d+\.npy: the file of vectors is damaged"):
        Snapshot.open(folder, [encoder])


@pytest.mark.parametrize(
    "other",
    [
        lambda rows: np.zeros((4, 4), np.float32),
        lambda rows: rows["vector"],
        lambda rows: rows.astype([("text", "S32"), ("vector", "<f8", rows["vector"].shape[1:])]),
        lambda rows: np.array([(text, 1.0) for text in rows["text"]], [("text", "S32"), ("vector", "<f4")]),
        lambda rows: rows[["text"]],
    ],
)
def test_a_file_that_holds_something_else_is_damaged(folder, other):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (part,) = open_parts(folder, encoder)
    np.save(part.path, other(np.load(part.path)))
    with pytest.raises(ArchiveError, match=r"part-\d+\.npy: .* is damaged \(it holds something else\)"):
        Snapshot.open(folder, [encoder])


def shorter(path):
    rows = np.load(path)
    return np.array([(text, vector[:3]) for text, vector in rows], [("text", "S32"), ("vector", "<f4", (3,))])


def test_vectors_of_another_dimension_are_told_when_they_are_compared(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (part,) = open_parts(folder, encoder)
    np.save(part.path, shorter(part.path))
    with pytest.raises(ArchiveError, match=r"the vectors have 3 numbers, those of .* Delete the file and encode again"):
        found(folder, encoder, "bridge")
    part.path.unlink()
    encode(folder, encoder, ARCHIVE)
    assert found(folder, encoder, "bridge").hits


def test_files_of_different_dimensions_are_not_put_together(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (part,) = open_parts(folder, encoder)
    np.save(part.path.with_name("part-000099.npy"), shorter(part.path))
    with pytest.raises(ArchiveError, match=r"the files have vectors of different lengths\. Delete the folder"):
        encode(folder, encoder, ARCHIVE)


def test_a_damaged_number_is_passed_over(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    (part,) = open_parts(folder, encoder)
    rows = np.load(part.path)
    rows["vector"][0] = np.inf
    np.save(part.path, rows)
    assert len(found(folder, encoder, "bridge").hits) < 3


def test_vectors_of_two_encoders_of_one_name_do_not_mix(folder):
    small, large = HashingEncoder(8), HashingEncoder(64)
    encode(folder, small, ARCHIVE)
    assert len(missing(folder, large)) == 4
    encode(folder, large, ARCHIVE)
    assert found(folder, small, "bridge").hits[0].score != found(folder, large, "bridge").hits[0].score


@pytest.mark.parametrize("change", [{"fingerprint": "sha256:another"}, {"pieces": "of another size"}, None])
def test_a_folder_of_foreign_vectors_is_refused(folder, change):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    header = vectors_folder(folder, encoder) / "encoder.json"
    header.write_text(json.dumps(json.loads(header.read_text()) | change) if change else "nonsense")
    with pytest.raises(ArchiveError, match="encode again"):
        Snapshot.open(folder, [encoder])
    with pytest.raises(ArchiveError, match="encode again"):
        encode(folder, encoder, ARCHIVE)


def test_two_encoders_are_two_channels(folder):
    one, two = HashingEncoder(name="one"), HashingEncoder(128, name="two")
    encode(folder, one, ARCHIVE)
    encode(folder, two, ARCHIVE)
    assert Snapshot.open(folder, [one, two]).channels()[-2:] == ("meaning:one", "meaning:two")


def test_an_open_snapshot_does_not_see_what_is_encoded_later(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE[:2])
    old = Snapshot.open(folder, [encoder])
    search = Search("meaning:hashing", "bridge river ship", Scope(), 10)
    before, fingerprint = old.search(search), old.fingerprint
    encode(folder, encoder, ARCHIVE)
    assert old.search(search) == before
    assert old.fingerprint == fingerprint != Snapshot.open(folder, [encoder]).fingerprint


@pytest.mark.parametrize(("words", "expected"), [(1, 1), (250, 1), (251, 2), (400, 2), (401, 3), (2000, 10)])
def test_a_long_text_is_cut_into_equal_pieces_that_lose_nothing(words, expected):
    text = " ".join(f"w{n}" for n in range(words))
    cut = pieces(text)
    assert len(cut) == expected
    assert " ".join(cut) == text
    assert max(len(piece.split()) for piece in cut) - min(len(piece.split()) for piece in cut) <= 1


def test_of_a_long_passage_the_best_piece_counts(folder):
    encoder = HashingEncoder(256)
    long = document("long", " ".join(["water"] * 600 + ["telegram"] * 200))
    add(folder, long, batch=2)
    encode(folder, encoder, [*ARCHIVE, *long])
    hit = found(folder, encoder, "telegram").hits[0]
    assert (hit.document, hit.score) == ("long", pytest.approx(1))


def test_a_passage_with_nothing_to_encode_is_done_and_never_found(folder):
    encoder = HashingEncoder()
    blank = document("blank", "?!", "a bridge")
    add(folder, blank, batch=2)
    encode(folder, encoder, [*ARCHIVE, *blank])
    assert missing(folder, encoder) == ()
    hits = found(folder, encoder, "bridge").hits
    assert "blank#0-2" not in [hit.passage for hit in hits]
    assert "blank" in [hit.document for hit in hits]


def test_a_query_with_nothing_to_encode_says_so(folder):
    encoder = HashingEncoder()
    encode(folder, encoder, ARCHIVE)
    answer = found(folder, encoder, "?!")
    assert not answer.hits
    assert "nothing that hashing can read" in answer.missing


def test_an_encoder_that_is_gone_is_an_error_not_an_empty_answer(folder):
    encoder = Counting()
    encode(folder, encoder, ARCHIVE)
    encoder.fail_after = 0
    with pytest.raises(ModelUnavailableError):
        found(folder, encoder, "bridge")


def test_encoding_without_an_index_says_what_to_do(tmp_path):
    with pytest.raises(ArchiveError, match="Add documents first"):
        encode(tmp_path, HashingEncoder(), ARCHIVE)


def test_two_encodings_at_once_are_refused(folder):
    encoder = HashingEncoder()

    def pairs():
        with pytest.raises(ArchiveError, match="another program is encoding with hashing"):
            encode(folder, encoder, ARCHIVE)
        yield from ARCHIVE

    assert encode(folder, encoder, pairs()) == 3


def test_documents_can_be_added_while_others_are_encoded(folder):
    encoder = HashingEncoder()

    def pairs():
        add(folder, document("d", "a telegram"), batch=2)
        yield from ARCHIVE

    encode(folder, encoder, pairs())
    assert missing(folder, encoder) == ("d#0-10",)


def test_every_piece_is_encoded_under_its_source_and_title(tmp_path):
    letter = " ".join(f"word{n}" for n in range(300))
    add(tmp_path, pairs := document("a", letter, sub="Letters", title="To her brother"))
    encoder = Counting()
    encode(tmp_path, encoder, pairs)
    assert len(encoder.texts) == 2
    assert all(text.startswith("Letters: To her brother. word") for text in encoder.texts)


def test_the_same_words_under_another_title_are_encoded_anew(tmp_path):
    encoder = Counting()
    pairs = document("a", "the bridge", title="One") + document("b", "the bridge", title="Two")
    add(tmp_path, pairs)
    assert encode(tmp_path, encoder, pairs) == 2
