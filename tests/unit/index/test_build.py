"""Writing the index: idempotent, one document at a time replaced, refused when the input does not hold together."""

import dataclasses
import json
import shutil

import pytest

from fakes.pairs import document, year
from vestigia.domain.effects import EXACT, WORDS, Scope, Search, Weigh
from vestigia.domain.errors import ArchiveError, StaleIndexError, UsageError
from vestigia.domain.ids import digest
from vestigia.index import build, ranking, state
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

CATALOGUE = digest("catalogue")


def write(folder, *documents, batch=1, remove=(), corpus=CATALOGUE):
    with IndexWriter(folder) as writer:
        writer.remove(remove)
        for pairs in documents:
            writer.add(pairs)
        return writer.commit(batch, corpus)


def found(folder, text, channel=WORDS):
    return [hit.passage for hit in Snapshot.open(folder).search(Search(channel, text, Scope(), 100)).hits]


def test_adding_returns_the_number_of_passages(tmp_path):
    with IndexWriter(tmp_path) as writer:
        assert writer.add(document("a", "one", "two") + document("b", "three")) == 3


def test_the_state_says_what_is_in(tmp_path):
    write(tmp_path, document("a", "a bridge"), batch=7)
    snapshot = Snapshot.open(tmp_path)
    assert (snapshot.batch, snapshot.corpus) == (7, CATALOGUE)
    with IndexWriter(tmp_path) as writer:
        assert writer.state is not None
        assert writer.state.batch == 7


def test_adding_the_same_again_changes_nothing(tmp_path):
    pairs = document("a", "a bridge", "a river") + document("b", "another bridge")
    write(tmp_path, pairs)
    before = found(tmp_path, "bridge")
    write(tmp_path, pairs, batch=2)
    assert found(tmp_path, "bridge") == before
    assert [t.documents for t in Snapshot.open(tmp_path).weigh(Weigh("bridge river")).terms] == [2, 1]


def test_adding_twice_in_one_batch_is_adding_once(tmp_path):
    pairs = document("a", "a bridge", "a river")
    write(tmp_path, pairs, pairs)
    assert found(tmp_path, "a", EXACT) == ["a#0-8"]
    assert [t.documents for t in Snapshot.open(tmp_path).weigh(Weigh("bridge river")).terms] == [1, 1]


def test_a_document_that_comes_again_replaces_itself(tmp_path):
    write(tmp_path, document("a", "a bridge", "a river"), document("b", "a bridge"))
    write(tmp_path, document("a", "a tunnel"), batch=2)
    assert found(tmp_path, "bridge") == ["b#0-8"]
    assert found(tmp_path, "river") == []
    assert found(tmp_path, "tunnel") == ["a#0-8"]


def test_a_document_can_be_removed_and_one_that_is_not_there_too(tmp_path):
    write(tmp_path, document("a", "a bridge"), document("b", "a bridge"))
    write(tmp_path, batch=2, remove=["a", "nobody"])
    assert found(tmp_path, "bridge") == ["b#0-8"]
    assert [t.documents for t in Snapshot.open(tmp_path).weigh(Weigh("bridge")).terms] == [1]


def test_a_document_removed_after_it_was_added_is_gone(tmp_path):
    with IndexWriter(tmp_path) as writer:
        writer.add(document("a", "a bridge"))
        writer.remove(["a"])
        writer.commit(1, CATALOGUE)
    assert found(tmp_path, "bridge") == []


def test_a_document_can_be_continued_by_the_next_call(tmp_path):
    pairs = document("a", "a bridge", "a river", "a bridge again")
    with IndexWriter(tmp_path) as writer:
        for pair in pairs:
            writer.add([pair])
        writer.commit(1, CATALOGUE)
    assert found(tmp_path, "river") == ["a#9-16"]
    assert [t.documents for t in Snapshot.open(tmp_path).weigh(Weigh("bridge river")).terms] == [1, 1]


def test_passages_of_a_document_that_do_not_come_together_are_refused(tmp_path):
    first, second = document("a", "a bridge", "a river")
    with IndexWriter(tmp_path) as writer, pytest.raises(UsageError, match="'a' do not come together"):
        writer.add([first, *document("b", "x"), second])


def test_a_passage_that_is_not_named_after_its_span_is_refused(tmp_path):
    ((passage, card),) = document("a", "a bridge")
    for wrong in (dataclasses.replace(passage, id="a#1-8"), dataclasses.replace(passage, document="b")):
        with IndexWriter(tmp_path) as writer, pytest.raises(UsageError, match=r"archive\.jsonl"):
            writer.add([(wrong, card)])


def test_what_was_not_committed_is_not_there(tmp_path):
    write(tmp_path, document("a", "a bridge"))
    with IndexWriter(tmp_path) as writer:
        writer.add(document("b", "a bridge"))
    assert found(tmp_path, "bridge") == ["a#0-8"]
    write(tmp_path, document("b", "a bridge"), batch=2)
    assert found(tmp_path, "bridge") == ["a#0-8", "b#0-8"]


def test_a_batch_without_changes_moves_the_mark_only(tmp_path):
    first = write(tmp_path, document("a", "a bridge"))
    with IndexWriter(tmp_path) as writer:
        second = writer.commit(5, digest("later"))
    assert (second.batch, second.generation) == (5, first.generation)
    assert found(tmp_path, "bridge") == ["a#0-8"]


def test_an_empty_batch_makes_an_index_that_finds_nothing(tmp_path):
    with IndexWriter(tmp_path) as writer:
        assert writer.state is None
        writer.commit(0, CATALOGUE)
    assert found(tmp_path, "bridge") == []


def test_several_commits_by_one_writer(tmp_path):
    with IndexWriter(tmp_path) as writer:
        for batch in range(1, 5):
            writer.add(document(f"d{batch}", "a bridge"))
            writer.commit(batch, CATALOGUE)
            assert len(found(tmp_path, "bridge")) == batch
    assert len(list(tmp_path.glob("generation-*"))) <= 2


def test_an_open_snapshot_keeps_what_it_saw_while_others_write(tmp_path):
    write(tmp_path, document("a", "a bridge"), document("b", "a bridge"))
    old = Snapshot.open(tmp_path)
    search = Search(WORDS, "bridge", Scope(), 10)
    before, fingerprint = old.search(search), old.fingerprint
    for batch in range(2, 7):
        write(tmp_path, document(f"new-{batch}", "bridge " * batch), batch=batch, remove=["a"])
        assert old.search(search) == before
        assert old.search(Search(EXACT, "bridge", Scope(), 10)).hits[0].document == "a"
    assert old.fingerprint == fingerprint != Snapshot.open(tmp_path).fingerprint


def test_two_builds_of_one_archive_have_one_fingerprint_and_the_same_answers(tmp_path):
    pairs = [pair for n in range(30) for pair in document(f"d{n:02}", f"bridge {n % 3} river " * (n % 4 + 1))]
    write(tmp_path / "one", pairs)
    for batch in range(3):
        write(tmp_path / "two", pairs[batch * 10 : batch * 10 + 10], batch=batch)
    one, two = Snapshot.open(tmp_path / "one"), Snapshot.open(tmp_path / "two")
    assert one.fingerprint == two.fingerprint
    search = Search(WORDS, "bridge river 2", Scope(), 30)
    assert one.search(search) == two.search(search)


def test_another_catalogue_has_another_fingerprint(tmp_path):
    write(tmp_path / "one", document("a", "a bridge"))
    write(tmp_path / "two", document("a", "a bridge"), corpus=digest("another"))
    one, two = Snapshot.open(tmp_path / "one"), Snapshot.open(tmp_path / "two")
    assert one.fingerprint != two.fingerprint
    assert one.require(CATALOGUE) is one
    with pytest.raises(StaleIndexError, match="older than the catalogue"):
        two.require(CATALOGUE)


def test_a_second_writer_is_refused(tmp_path):
    with IndexWriter(tmp_path), pytest.raises(ArchiveError, match="another program"):
        IndexWriter(tmp_path)


def test_an_index_of_another_version_is_not_searched_and_is_rebuilt(tmp_path, monkeypatch):
    write(tmp_path, document("a", "a bridge"), document("b", "a river"))
    monkeypatch.setattr(state, "ANALYSIS", "another")
    with pytest.raises(StaleIndexError) as raised:
        Snapshot.open(tmp_path)
    assert raised.value.remedy
    with IndexWriter(tmp_path) as writer:
        assert writer.state is None
    monkeypatch.undo()
    content = json.loads((tmp_path / "state.json").read_text()) | {"format": 0}
    (tmp_path / "state.json").write_text(json.dumps(content))
    write(tmp_path, document("c", "a bridge"), batch=1)
    assert found(tmp_path, "bridge") == ["c#0-8"]


def test_no_index_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ArchiveError, match=r"no index yet.*Add documents"):
        Snapshot.open(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"batch": 1}'])
def test_a_damaged_state_is_an_error_that_says_where(tmp_path, content):
    (tmp_path / "state.json").write_text(content)
    with pytest.raises(ArchiveError, match=r"state\.json"):
        Snapshot.open(tmp_path)


@pytest.mark.parametrize("damaged", ["rows.npy", "names.json", "words/meta.json"])
def test_a_damaged_file_is_an_error_that_says_where(tmp_path, damaged):
    written = write(tmp_path, document("a", "a bridge"))
    (written.folder(tmp_path) / damaged).write_bytes(b"nonsense")
    with pytest.raises(ArchiveError, match="damaged or gone") as error:
        Snapshot.open(tmp_path)
    assert len(str(error.value).removeprefix(str(tmp_path))) < 300


@pytest.mark.parametrize("damaged", ["rows.npy", "names.json", "words/meta.json", "spelling.json", ""])
def test_a_writer_begins_anew_where_what_is_committed_is_damaged_or_gone(tmp_path, damaged):
    home = write(tmp_path, document("a", "a bridge")).folder(tmp_path)
    if damaged:
        (home / damaged).write_bytes(b"nonsense")
    else:
        shutil.rmtree(home)
    with IndexWriter(tmp_path) as writer:
        assert writer.state is None
        assert writer.documents == ()
        writer.add(document("b", "a bridge"))
        writer.commit(2, CATALOGUE)
    assert found(tmp_path, "bridge") == ["b#0-8"]
    assert [path.is_dir() for path in tmp_path.glob("generation-*")] == [True]


def test_an_index_is_searched_where_the_engine_can_take_no_lock(tmp_path, monkeypatch):
    words = write(tmp_path, document("a", "a bridge"), document("b", "a river")).folder(tmp_path) / "words"
    opened = ranking._opened

    def only_elsewhere(folder):
        if folder == words or list(folder.glob(".*lock")):
            raise ValueError("Failed to acquire Lockfile: Read-only file system")
        return opened(folder)

    monkeypatch.setattr(ranking, "_opened", only_elsewhere)
    assert found(tmp_path, "bridge") == ["a#0-8"]
    assert found(tmp_path, "iver", EXACT) == ["b#0-7"]


def test_a_writer_begins_anew_where_the_state_cannot_be_read(tmp_path):
    write(tmp_path, document("a", "a bridge"))
    (tmp_path / "state.json").write_text("{")
    write(tmp_path, document("b", "a bridge"), batch=2)
    assert found(tmp_path, "bridge") == ["b#0-8"]


def test_an_index_that_lacks_a_document_of_its_catalogue_is_told(tmp_path):
    write(tmp_path, document("a", "a bridge"))
    snapshot = Snapshot.open(tmp_path)
    assert snapshot.require(CATALOGUE, documents=1) is snapshot
    with pytest.raises(StaleIndexError, match="vestigia add"):
        snapshot.require(CATALOGUE, documents=2)


def test_a_full_disk_is_an_error_and_harms_nothing(tmp_path, monkeypatch):
    write(tmp_path, document("a", "a bridge"))

    def disk_full(self, folder):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build.RowTable, "save", disk_full)
    with pytest.raises(ArchiveError, match="No space left") as raised:
        write(tmp_path, document("b", "a bridge"), batch=2)
    assert "unharmed" in raised.value.remedy
    monkeypatch.undo()
    assert found(tmp_path, "bridge") == ["a#0-8"]
    write(tmp_path, document("b", "a bridge"), batch=2)
    assert found(tmp_path, "bridge") == ["a#0-8", "b#0-8"]


def test_a_reader_that_loses_its_generation_to_a_writer_opens_the_next(tmp_path, monkeypatch):
    write(tmp_path, document("a", "a bridge"))
    real, raced = build.RowTable.load, []

    def load(folder):
        if not raced:
            raced.append(folder)
            for batch in (2, 3):
                write(tmp_path, document(f"b{batch}", "a bridge"), batch=batch)
        return real(folder)

    monkeypatch.setattr("vestigia.index.snapshot.RowTable.load", load)
    assert Snapshot.open(tmp_path).batch == 3
    assert raced


def test_dates_before_the_engine_knows_any_are_exact(tmp_path):
    write(tmp_path, document("old", "a charter", period=year(-44)), document("new", "a charter", period=year(1250)))
    search = Search(WORDS, "charter", Scope(period=year(-50, -40)), 10)
    assert [hit.document for hit in Snapshot.open(tmp_path).search(search).hits] == ["old"]


def test_an_engine_that_gives_up_is_told_as_damage_and_anything_else_as_it_is(tmp_path, monkeypatch):
    class PanicException(BaseException):
        __module__ = "pyo3_runtime"

    def gives_up(*_):
        raise PanicException("assertion failed: end >= start")

    def interrupted(*_):
        raise KeyboardInterrupt

    write(tmp_path, document("a", "a bridge"))
    snapshot = Snapshot.open(tmp_path)
    monkeypatch.setattr(ranking, "_fetched", gives_up)
    with pytest.raises(ArchiveError, match="a file of the index is damaged: the search engine gave up"):
        snapshot.search(Search(WORDS, "bridge", Scope(), 10))
    monkeypatch.setattr(ranking, "_fetched", interrupted)
    with pytest.raises(KeyboardInterrupt):
        snapshot.search(Search(WORDS, "bridge", Scope(), 10))
