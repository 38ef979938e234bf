"""The catalogue: what is stored, in which order it comes out, and what cannot harm it."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from vestigia.corpus import catalogue as corpus_catalogue
from vestigia.corpus import rows
from vestigia.corpus.catalogue import Addition, Catalogue, Outcome
from vestigia.corpus.rows import Description
from vestigia.domain.archive import Anchor, Document, Provenance
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId, PassageId, digest
from vestigia.domain.periods import Certainty, DatePeriod, Precision, day_number
from vestigia.domain.ports import Corpus


def document(
    name: str,
    text: str = "Un. Deux. Trois.",
    sub_corpus: str = "Le Temps",
    year: int | None = 1887,
    language: str = "fr",
) -> Document:
    dates = (
        ()
        if year is None
        else (
            DatePeriod(
                day_number(year),
                day_number(year, 12, 31),
                Precision.YEAR,
                Certainty.UNCERTAIN,
                f"{year}?",
                f"{year}?",
                "year",
            ),
        )
    )
    place = Provenance("a.jsonl", f"line {name}", digest(text), "jsonl", "https://example.org", "CC BY")
    details = (("sender", "Jaurès"),)
    return Document(DocumentId(name), sub_corpus, f"Title of {name}", text, language, place, dates, details)


def add(catalogue: Catalogue, *documents: Document) -> list[Addition]:
    with catalogue.writing():
        return [catalogue.add(one) for one in documents]


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite", max_tokens=2)
    yield opened
    opened.close()


def test_it_is_a_corpus(catalogue: Catalogue):
    port: Corpus = catalogue
    assert port.sub_corpora() == ()


def test_a_document_comes_back_as_it_was(catalogue: Catalogue):
    one = document("a", text="Où? 𝔄 l’été.")
    add(catalogue, one)
    assert catalogue.document(one.id) == one
    assert catalogue.document(DocumentId("b")) is None


def test_it_is_all_still_there_after_closing(tmp_path: Path):
    first = Catalogue(tmp_path / "c.sqlite", max_tokens=7)
    add(first, document("a"))
    fingerprint = first.fingerprint
    first.close()
    again = Catalogue(tmp_path / "c.sqlite")
    assert (again.max_tokens, again.batch, again.fingerprint) == (7, 1, fingerprint)
    assert again.document(DocumentId("a")) == document("a")
    again.close()


def test_the_card_is_the_document_without_its_text(catalogue: Catalogue):
    one = document("a")
    add(catalogue, one)
    (card,) = catalogue.documents([one.id])
    assert (card.id, card.title, card.period, card.provenance) == (one.id, one.title, one.period, one.provenance)
    assert card.details == one.details


def test_cards_and_passages_come_in_the_order_asked_and_unknown_ones_are_left_out(catalogue: Catalogue):
    add(catalogue, document("a"), document("b"))
    assert [card.id for card in catalogue.documents([DocumentId(i) for i in ("b", "x", "a", "b")])] == ["b", "a", "b"]
    wanted = [PassageId("b#10-16"), PassageId("b#3-5"), PassageId("a#0-9")]
    found = [(one.id, one.text) for one in catalogue.passages(wanted)]
    assert found == [("b#10-16", "Trois."), ("a#0-9", "Un. Deux.")]


def test_more_ids_can_be_asked_for_than_a_statement_has_parameters(catalogue: Catalogue):
    add(catalogue, document("a"))
    assert len(catalogue.documents([DocumentId(str(number)) for number in range(50_000)] + [DocumentId("a")])) == 1


def test_a_passage_is_a_stretch_of_its_document_beyond_the_basic_plane_too(catalogue: Catalogue):
    one = document("a", text="𝔄𝔅 été. Où? Là. Ici.")
    add(catalogue, one)
    for passage, _ in catalogue.pairs():
        assert one.text[passage.start : passage.end] == passage.text
        assert catalogue.passages([passage.id]) == (passage,)


def test_passages_come_by_sub_corpus_first_day_document_and_start_and_undated_documents_last(catalogue: Catalogue):
    add(
        catalogue,
        document("d", sub_corpus="B", year=None),
        document("c", sub_corpus="B", year=1900),
        document("b", sub_corpus="B", year=1899),
        document("a", sub_corpus="B", year=1900),
        document("z", sub_corpus="A"),
    )
    assert [passage.id for passage, _ in catalogue.pairs()] == [
        f"{name}#{span}" for name in ("z", "b", "a", "c", "d") for span in ("0-9", "10-16")
    ]
    assert all(passage.document == card.id for passage, card in catalogue.pairs())


def test_the_passages_of_some_documents_come_in_the_same_order(catalogue: Catalogue):
    add(catalogue, document("a", year=1900), document("b", year=1899), document("c", year=1898))
    wanted = [DocumentId("a"), DocumentId("b"), DocumentId("x")]
    assert [card.id for _, card in catalogue.pairs(wanted)] == ["b", "b", "a", "a"]
    assert list(catalogue.pairs([])) == []


def test_sub_corpora_are_counted_and_come_by_name(catalogue: Catalogue):
    add(
        catalogue,
        document("a", sub_corpus="B"),
        document("b", sub_corpus="B", year=None, language=""),
        document("c", sub_corpus="B", year=1890, language="de"),
        document("d", sub_corpus="A", year=None),
    )
    one, other = catalogue.sub_corpora()
    assert (one.name, one.documents, one.passages, one.dated, one.period) == ("A", 1, 2, 0, None)
    assert (other.name, other.documents, other.passages, other.dated) == ("B", 3, 6, 2)
    assert other.languages == ("de", "fr")
    assert other.period is not None
    assert (other.period.first, other.period.last) == (day_number(1887), day_number(1890, 12, 31))


def test_adding_the_same_document_again_changes_nothing(catalogue: Catalogue):
    add(catalogue, document("a"))
    before = (catalogue.fingerprint, catalogue.batch)
    (again,) = add(catalogue, document("a"))
    assert again == Addition(Outcome.UNCHANGED, 0, document("a").provenance)
    assert (catalogue.fingerprint, catalogue.batch) == before


def test_the_same_document_from_another_file_is_the_same(catalogue: Catalogue):
    add(catalogue, document("a"))
    moved = replace(document("a"), provenance=replace(document("a").provenance, file="b.jsonl", record="line 9"))
    assert add(catalogue, moved)[0].outcome is Outcome.UNCHANGED
    assert catalogue.document(DocumentId("a")) == document("a")


def test_another_text_under_a_known_id_is_a_conflict_that_names_where_the_stored_one_came_from(catalogue: Catalogue):
    add(catalogue, document("a"))
    (conflict,) = add(catalogue, document("a", text="Autre chose."))
    assert conflict == Addition(Outcome.CONFLICT, 0, document("a").provenance)
    assert catalogue.document(DocumentId("a")) == document("a")


def test_another_description_of_the_same_text_leaves_the_stored_one_unharmed(catalogue: Catalogue):
    add(catalogue, document("a"))
    (redescribed,) = add(catalogue, document("a", year=1888))
    assert redescribed.outcome is Outcome.REDESCRIBED
    assert catalogue.document(DocumentId("a")) == document("a")


def test_the_fingerprint_depends_on_content_and_not_on_the_order_of_import(tmp_path: Path):
    ways = [[document("a"), document("b")], [document("b"), document("a")], [document("a"), document("b", text="Non.")]]
    fingerprints = []
    for number, documents in enumerate(ways):
        one = Catalogue(tmp_path / f"{number}.sqlite")
        for each in documents:
            add(one, each)
        fingerprints.append(one.fingerprint)
        one.close()
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]


def test_the_fingerprint_depends_on_the_passage_rule(tmp_path: Path):
    one, other = Catalogue(tmp_path / "1.sqlite", max_tokens=5), Catalogue(tmp_path / "2.sqlite", max_tokens=6)
    assert one.fingerprint != other.fingerprint
    one.close()
    other.close()


def test_each_writing_that_changes_something_is_a_batch(catalogue: Catalogue):
    assert catalogue.batch == 0
    add(catalogue, document("a"), document("b"))
    add(catalogue, document("a"))
    add(catalogue, document("c"))
    assert catalogue.batch == 2
    assert catalogue.passage_count == sum(one.passages for one in catalogue.sub_corpora()) > 3
    assert catalogue.changed_since(0) == ("a", "b", "c")
    assert catalogue.changed_since(1) == ("c",)
    assert catalogue.changed_since(2) == ()


def test_a_writing_left_by_an_error_leaves_nothing_behind(catalogue: Catalogue):
    add(catalogue, document("a"))
    before = (catalogue.fingerprint, catalogue.batch)

    def interrupted() -> None:
        with catalogue.writing():
            catalogue.add(document("b"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert catalogue.document(DocumentId("b")) is None
    assert (catalogue.fingerprint, catalogue.batch) == before
    assert add(catalogue, document("b"))[0].outcome is Outcome.ADDED


def test_another_passage_rule_for_an_archive_that_exists_is_refused(tmp_path: Path):
    Catalogue(tmp_path / "c.sqlite", max_tokens=5).close()
    with pytest.raises(ArchiveError, match="at most 5 tokens, not 6") as caught:
        Catalogue(tmp_path / "c.sqlite", max_tokens=6)
    assert caught.value.remedy


def test_a_passage_rule_below_one_token_is_refused_before_anything_is_made(tmp_path: Path):
    with pytest.raises(UsageError, match="at least one token"):
        Catalogue(tmp_path / "c.sqlite", max_tokens=0)
    assert not (tmp_path / "c.sqlite").exists()


def test_a_folder_that_does_not_exist_is_an_archive_error(tmp_path: Path):
    with pytest.raises(ArchiveError, match="cannot be opened") as caught:
        Catalogue(tmp_path / "absent" / "c.sqlite")
    assert str(tmp_path) in caught.value.where


@pytest.mark.parametrize("content", [b"This is no database at all. " * 200])
def test_a_file_that_is_no_catalogue_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes):
    (tmp_path / "c.sqlite").write_bytes(content)
    with pytest.raises(ArchiveError, match="no catalogue"):
        Catalogue(tmp_path / "c.sqlite")
    assert (tmp_path / "c.sqlite").read_bytes() == content


def test_a_database_of_another_program_or_version_is_refused(tmp_path: Path):
    for number, statement in enumerate(["CREATE TABLE other (a)", "PRAGMA user_version = 99"]):
        other = sqlite3.connect(tmp_path / f"{number}.sqlite")
        other.execute(statement)
        other.commit()
        other.close()
        with pytest.raises(ArchiveError, match="no catalogue of this version"):
            Catalogue(tmp_path / f"{number}.sqlite")


def test_when_another_process_is_writing_it_says_so_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("vestigia.corpus.store._WAIT", 0.05)
    one, other = Catalogue(tmp_path / "c.sqlite"), Catalogue(tmp_path / "c.sqlite")
    with one.writing():
        one.add(document("a"))
        with pytest.raises(ArchiveError, match="another process is writing"), other.writing():
            pass
        assert other.document(DocumentId("a")) is None
    assert other.document(DocumentId("a")) == document("a")
    one.close()
    other.close()


def test_a_full_disk_is_said_and_what_was_stored_is_unharmed(catalogue: Catalogue):
    add(catalogue, document("a"))
    pages = catalogue.store.connection.execute("PRAGMA page_count").fetchone()[0]
    catalogue.store.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ArchiveError, match="disk is full") as caught:
        add(catalogue, document("b", text="Paris est grand. " * 20_000))
    assert caught.value.remedy == "Make room and run it again."
    assert [card.id for card in catalogue.documents([DocumentId("a"), DocumentId("b")])] == ["a"]
    assert len(list(catalogue.pairs())) == 2


def test_a_passage_knows_its_lines_on_the_page(catalogue: Catalogue):
    lines = tuple(
        Anchor(start, end, "3", "r1", (1, start, 9, 9), "3.tif", 0.5, "U-\nn.")
        for start, end in ((0, 3), (4, 9), (10, 16))
    )
    add(catalogue, replace(document("a", "Un. Deux. Trois."), anchors=lines))
    assert catalogue.anchors_of(PassageId("a#0-9")) == lines[:2]
    assert catalogue.anchors_of(PassageId("a#10-16")) == lines[2:]


def test_a_line_that_reaches_beyond_a_passage_is_among_its_lines(catalogue: Catalogue):
    line = Anchor(0, 16, "3")
    add(catalogue, replace(document("a", "Un. Deux. Trois."), anchors=(line,)))
    assert catalogue.anchors_of(PassageId("a#10-16")) == (line,)


def test_a_text_without_pages_and_a_passage_that_is_not_there_have_no_anchors(catalogue: Catalogue):
    add(catalogue, document("a"))
    assert catalogue.anchors_of(PassageId("a#0-9")) == ()
    assert catalogue.anchors_of(PassageId("b#0-9")) == ()


def test_anchors_of_many_passages_are_read_at_once_each_its_own(catalogue: Catalogue):
    lines = Anchor(0, 9, "3"), Anchor(10, 16, "4")
    add(catalogue, replace(document("a", "Un. Deux. Trois."), anchors=lines), document("b"))
    asked = [PassageId(name) for name in ("a#10-16", "b#0-9", "a#0-9", "c#0-9")]
    found = catalogue.anchors(asked)
    assert list(found) == asked
    assert found == {asked[0]: lines[1:], asked[1]: (), asked[2]: lines[:1], asked[3]: ()}
    assert catalogue.anchors([]) == {}


def _counting(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    read, statements = catalogue.store.read, list[str]()
    monkeypatch.setattr(catalogue.store, "read", lambda *asked: statements.append(asked[0]) or read(*asked))
    return statements


def test_the_documents_of_a_state_are_counted_once(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch):
    add(catalogue, document("a"))
    first = catalogue.sub_corpora()
    statements = _counting(catalogue, monkeypatch)
    assert catalogue.sub_corpora() == first
    assert rows.SUB_CORPORA not in statements


def test_what_comes_in_is_said_or_is_taken_back_is_counted_anew(catalogue: Catalogue, tmp_path: Path):
    other = Catalogue(tmp_path / "catalogue.sqlite")
    add(catalogue, document("a"))
    assert [one.documents for one in catalogue.sub_corpora()] == [1]
    add(other, document("b"))
    assert [one.documents for one in catalogue.sub_corpora()] == [2]
    with other.writing():
        other.describe("Le Temps", Description(genre="newspaper"))
    assert [one.genre for one in catalogue.sub_corpora()] == ["newspaper"]
    with suppress(KeyError), other.writing():
        other.delete([DocumentId("a")])
        assert [one.documents for one in other.sub_corpora()] == [1]
        raise KeyError
    assert [one.documents for one in other.sub_corpora()] == [2]
    other.close()


def test_catalogues_of_the_same_documents_are_counted_each_for_itself(catalogue: Catalogue, tmp_path: Path):
    add(catalogue, document("a"))
    catalogue.sub_corpora()
    other = Catalogue(tmp_path / "other.sqlite", max_tokens=2)
    add(other, document("a"))
    other.store.write("UPDATE documents SET passages = 7")  # as another version might have cut it
    assert other.fingerprint == catalogue.fingerprint
    assert [one.passages for one in other.sub_corpora()] == [7]
    other.close()


def test_no_more_states_are_remembered_than_are_needed(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("vestigia.corpus.catalogue._STATES", 2)
    for number in range(4):
        add(catalogue, document(str(number)))
        assert [one.documents for one in catalogue.sub_corpora()] == [number + 1]
    assert len(corpus_catalogue._KNOWN) <= 2


@pytest.mark.parametrize("statement", rows.BESIDE.values())
def test_what_stands_beside_a_document_is_looked_up_and_not_searched_for(catalogue: Catalogue, statement: str):
    asked = ["Le Temps", *["x"] * (statement.count("?") - 2), 2]
    plan = [row[3] for row in catalogue.store.read(f"EXPLAIN QUERY PLAN {statement}", asked)]
    assert [step.startswith("SEARCH documents USING COVERING INDEX in_order") for step in plan] == [True]
    assert "<expr>=?" in plan[0]
