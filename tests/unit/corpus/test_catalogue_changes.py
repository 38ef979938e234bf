"""The catalogue under change: replaced, deleted, renamed, described, and what an old run can still rely on."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue, Outcome
from vestigia.corpus.rows import Description
from vestigia.domain.archive import Access, Anchor, Document, Provenance
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId, PassageId, digest
from vestigia.domain.periods import DatePeriod, Precision, day_number

UNIQUE = "Zyklotrimethylen"


def document(name: str, text: str = "Un. Deux.", sub_corpus: str = "Le Temps", rights: str = "") -> Document:
    period = DatePeriod(day_number(1887), day_number(1887, 12, 31), Precision.YEAR, text="1887")
    place = Provenance("a.jsonl", f"line {name}", digest(text), "jsonl", rights=rights)
    return Document(DocumentId(name), sub_corpus, f"Title of {name}", text, "fr", place, (period,))


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite", max_tokens=1)
    with opened.writing():
        for name in ("a", "b"):
            opened.add(document(name))
    yield opened
    opened.close()


def put(catalogue: Catalogue, changed: Document) -> Outcome:
    with catalogue.writing():
        return catalogue.replace(changed).outcome


def delete(catalogue: Catalogue, *names: str) -> int:
    with catalogue.writing():
        return catalogue.delete([DocumentId(name) for name in names])


def describe(catalogue: Catalogue, name: str, said: Description) -> None:
    with catalogue.writing():
        catalogue.describe(name, said)


def bytes_of(catalogue: Catalogue) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(catalogue.path.parent.glob("catalogue.sqlite*")))


# --- replace ---


def test_another_text_takes_the_place_of_the_stored_one_with_its_own_passages(catalogue: Catalogue):
    assert put(catalogue, document("a", "Trois.")) is Outcome.UPDATED
    assert catalogue.document(DocumentId("a")) == document("a", "Trois.")
    assert [one.id for one, _ in catalogue.pairs([DocumentId("a")])] == ["a#0-6"]
    assert catalogue.passages([PassageId("a#4-9")]) == ()


def test_another_description_is_taken_and_the_passages_stay(catalogue: Catalogue):
    before = list(catalogue.pairs([DocumentId("a")]))
    assert put(catalogue, replace(document("a"), title="Lettre")) is Outcome.UPDATED
    after = list(catalogue.pairs([DocumentId("a")]))
    assert [one for one, _ in after] == [one for one, _ in before]
    assert [card.title for _, card in after] == ["Lettre", "Lettre"]


def test_the_same_document_is_unchanged_and_a_new_one_is_added(catalogue: Catalogue):
    before = (catalogue.fingerprint, catalogue.batch)
    assert put(catalogue, document("a")) is Outcome.UNCHANGED
    assert (catalogue.fingerprint, catalogue.batch) == before
    assert put(catalogue, document("c")) is Outcome.ADDED


def test_a_replaced_document_belongs_to_a_new_batch_and_the_fingerprint_is_that_of_the_content(
    catalogue: Catalogue, tmp_path: Path
):
    put(catalogue, document("a", "Trois."))
    assert catalogue.changed_since(1) == ("a",)
    other = Catalogue(tmp_path / "other.sqlite", max_tokens=1)
    with other.writing():
        other.add(document("b"))
        other.add(document("a", "Trois."))
    assert other.fingerprint == catalogue.fingerprint
    other.close()


def test_replacing_and_replacing_back_leaves_the_fingerprint_as_it_was(catalogue: Catalogue):
    before = catalogue.fingerprint
    put(catalogue, document("a", "Trois."))
    put(catalogue, document("a"))
    assert catalogue.fingerprint == before


# --- what an old run can still rely on ---


def test_a_text_that_was_replaced_since_is_told_and_one_only_described_anew_is_not(catalogue: Catalogue):
    then = catalogue.fingerprint
    names = [DocumentId("a"), DocumentId("b")]
    assert catalogue.changed_texts(then, names) == ()
    put(catalogue, replace(document("b"), title="Lettre"))
    put(catalogue, document("a", "Trois."))
    assert catalogue.changed_texts(then, names) == ("a",)
    assert catalogue.changed_texts(catalogue.fingerprint, names) == ()
    assert catalogue.changed_texts(then, [DocumentId("b")]) == ()


def test_a_text_that_came_back_as_it_was_is_not_told(catalogue: Catalogue):
    then = catalogue.fingerprint
    put(catalogue, document("a", "Trois."))
    put(catalogue, document("a", "Quatre."))
    between = catalogue.fingerprint
    put(catalogue, document("a"))
    assert catalogue.changed_texts(then, [DocumentId("a")]) == ()
    assert catalogue.changed_texts(between, [DocumentId("a")]) == ("a",)


def test_a_text_that_was_deleted_and_added_again_is_told_only_if_it_is_another(catalogue: Catalogue):
    then = catalogue.fingerprint
    delete(catalogue, "a", "b")
    put(catalogue, document("a"))
    put(catalogue, document("b", "Trois."))
    assert catalogue.changed_texts(then, [DocumentId("a"), DocumentId("b")]) == ("b",)


def test_of_a_catalogue_it_never_was_nothing_can_be_told(catalogue: Catalogue):
    put(catalogue, document("a", "Trois."))
    assert catalogue.changed_texts(digest("another archive"), [DocumentId("a")]) == ()


# --- delete ---


def test_a_deleted_document_is_gone_with_its_passages_and_no_longer_counts(catalogue: Catalogue):
    assert delete(catalogue, "a", "unknown") == 1
    assert catalogue.documents([DocumentId("a")]) == ()
    assert catalogue.passages([PassageId("a#0-3")]) == ()
    assert catalogue.ids() == ("b",)
    assert catalogue.sub_corpora()[0].documents == 1


def test_deleting_and_adding_again_leaves_the_fingerprint_as_it_was(catalogue: Catalogue):
    before = catalogue.fingerprint
    delete(catalogue, "a")
    assert catalogue.fingerprint != before
    put(catalogue, document("a"))
    assert catalogue.fingerprint == before
    assert catalogue.changed_since(1) == ("a",)


def test_after_a_sweep_no_byte_of_a_deleted_or_replaced_text_is_left(catalogue: Catalogue):
    with catalogue.writing():
        for number in range(300):
            catalogue.add(document(f"d{number}", f"{UNIQUE} {number} " + "mot " * (number * 7 % 900)))
    put(catalogue, document("d0", "Autre chose."))
    delete(catalogue, *(f"d{number}" for number in range(1, 300)))
    assert catalogue.unswept
    catalogue.sweep()
    assert not catalogue.unswept
    assert UNIQUE.encode() not in bytes_of(catalogue)
    assert catalogue.document(DocumentId("d0")) == document("d0", "Autre chose.")


def test_a_sweep_while_another_process_reads_stays_due(catalogue: Catalogue):
    delete(catalogue, "a")
    reader = Catalogue(catalogue.path)
    reader.store.connection.execute("BEGIN")
    reader.store.read("SELECT * FROM documents")
    with pytest.raises(ArchiveError, match="still holds what was deleted") as caught:
        catalogue.sweep()
    assert "vestigia delete" in caught.value.remedy
    assert catalogue.unswept
    reader.close()
    catalogue.sweep()
    assert not catalogue.unswept


def test_a_deletion_left_by_an_error_deletes_nothing(catalogue: Catalogue):
    def interrupted() -> None:
        with catalogue.writing():
            catalogue.delete([DocumentId("a")])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert catalogue.ids() == ("a", "b")
    assert not catalogue.unswept


def test_what_the_report_of_a_file_quotes_of_its_records_goes_with_a_document(catalogue: Catalogue):
    catalogue.keep_report("a.jsonl", '{"documents": 2}', f'["{UNIQUE}"]')
    catalogue.keep_report("b.jsonl", "{}", '["kept"]')
    delete(catalogue, "a")
    assert catalogue.reports() == (("a.jsonl", '{"documents": 2}', "[]"), ("b.jsonl", "{}", '["kept"]'))


def test_documents_are_found_by_file_folder_and_sub_corpus(catalogue: Catalogue):
    for name, file in (("c", "x/1.txt"), ("d", "x/y/2.txt"), ("e", "xy/3.txt"), ("f", "x%/4.txt")):
        one = document(name, sub_corpus=file[0])
        put(catalogue, replace(one, provenance=replace(one.provenance, file=file)))
    assert catalogue.find(files=["x/1.txt"]) == ("c",)
    assert catalogue.find(files=["x"]) == ("c", "d")
    assert catalogue.find(files=["x%"]) == ("f",)
    assert catalogue.find(files=["x/1"]) == ()
    assert catalogue.find(["x/y"], ["Le Temps"]) == ("a", "b", "d")
    assert catalogue.find() == ()


# --- describe and rename ---

SAID = Description("newspaper", ("fr", "de"), "CC BY", "BnF", "A daily.", Access.PERSONAL)


def test_what_is_said_of_a_sub_corpus_is_shown_with_it(catalogue: Catalogue):
    describe(catalogue, "Le Temps", SAID)
    (found,) = catalogue.sub_corpora()
    assert (found.genre, found.languages, found.rights, found.source, found.description, found.access) == (
        "newspaper",
        ("fr", "de"),
        "CC BY",
        "BnF",
        "A daily.",
        Access.PERSONAL,
    )
    assert catalogue.description("Le Temps") == SAID
    assert catalogue.description("unknown") == Description()


def test_without_languages_said_those_counted_are_shown(catalogue: Catalogue):
    describe(catalogue, "Le Temps", Description("newspaper"))
    assert catalogue.sub_corpora()[0].languages == ("fr",)


def test_a_description_is_part_of_the_fingerprint_and_taking_it_back_undoes_that(catalogue: Catalogue):
    before = catalogue.fingerprint
    describe(catalogue, "Le Temps", SAID)
    described = catalogue.fingerprint
    assert described != before
    describe(catalogue, "Le Temps", SAID)
    assert catalogue.fingerprint == described
    assert catalogue.changed_since(1) == ()
    describe(catalogue, "Le Temps", Description())
    assert catalogue.fingerprint == before


def test_only_a_sub_corpus_that_is_there_can_be_described_or_renamed(catalogue: Catalogue):
    for act in (lambda: catalogue.describe("Temps", SAID), lambda: catalogue.rename("Temps", "Le Monde")):
        with pytest.raises(UsageError, match="no sub-corpus 'Temps'") as caught, catalogue.writing():
            act()
        assert "Le Temps" in caught.value.remedy


def rename(catalogue: Catalogue, old: str, new: str) -> int:
    with catalogue.writing():
        return catalogue.rename(old, new)


def test_a_renamed_sub_corpus_keeps_documents_and_description(catalogue: Catalogue):
    describe(catalogue, "Le Temps", SAID)
    assert rename(catalogue, "Le Temps", "Temps") == 2
    (found,) = catalogue.sub_corpora()
    assert (found.name, found.documents, found.genre) == ("Temps", 2, "newspaper")
    assert {card.sub_corpus for _, card in catalogue.pairs()} == {"Temps"}
    assert catalogue.changed_since(2) == ("a", "b")


def test_documents_that_come_in_later_under_the_old_name_get_the_new_one(catalogue: Catalogue):
    rename(catalogue, "Le Temps", "Temps")
    with catalogue.writing():
        assert catalogue.add(document("a")).outcome is Outcome.UNCHANGED
        assert catalogue.add(document("c")).outcome is Outcome.ADDED
    assert [one.name for one in catalogue.sub_corpora()] == ["Temps"]


def test_names_given_one_after_the_other_lead_to_the_last_and_can_go_back(catalogue: Catalogue):
    before = catalogue.fingerprint
    rename(catalogue, "Le Temps", "Temps")
    rename(catalogue, "Temps", "T")
    assert put(catalogue, document("c")) is Outcome.ADDED
    assert [one.name for one in catalogue.sub_corpora()] == ["T"]
    delete(catalogue, "c")
    rename(catalogue, "T", "Le Temps")
    assert catalogue.fingerprint == before
    assert put(catalogue, document("a", sub_corpus="Temps")) is Outcome.UNCHANGED
    assert put(catalogue, document("a")) is Outcome.UNCHANGED


@pytest.mark.parametrize("new", ["Le Temps", "Figaro", " "])
def test_a_name_that_is_taken_or_empty_is_refused_and_nothing_is_changed(catalogue: Catalogue, new: str):
    put(catalogue, document("c", sub_corpus="Figaro"))
    before = catalogue.fingerprint
    with pytest.raises(UsageError, match=r"already|empty"):
        rename(catalogue, "Le Temps", new)
    assert catalogue.fingerprint == before


# --- what may be done with a document, and what can be read of it ---


@pytest.mark.parametrize(
    ("own", "said", "access"),
    [
        ("", Description(), Access.UNKNOWN),
        ("CC BY", Description(), Access.OPEN),
        ("", Description(rights="gesperrt"), Access.CLOSED),
        ("CC BY", Description(rights="gesperrt"), Access.OPEN),
        ("gesperrt", Description(access=Access.OPEN), Access.OPEN),
        ("CC BY", Description(access=Access.NO_THIRD_PARTY), Access.NO_THIRD_PARTY),
    ],
)
def test_a_person_s_word_stands_before_the_document_s_and_that_before_the_sub_corpus_s(
    catalogue: Catalogue, own: str, said: Description, access: Access
):
    put(catalogue, document("c", sub_corpus="Figaro", rights=own))
    describe(catalogue, "Figaro", said)
    assert catalogue.documents([DocumentId("c")])[0].access is access
    assert [card.access for _, card in catalogue.pairs([DocumentId("c")])] == [access, access]
    assert catalogue.accesses("Figaro") == ((access, 1),)
    assert catalogue.accesses("Le Temps") == ((Access.UNKNOWN, 2),)


def test_pages_are_counted_and_their_confidence_is_weighed_by_length(catalogue: Catalogue):
    assert catalogue.legibility("Le Temps") == (0, None)
    anchors = (Anchor(0, 3, "1", confidence=0.9), Anchor(3, 4, "1", confidence=0.5), Anchor(4, 9, "2"))
    put(catalogue, replace(document("c", sub_corpus="Figaro"), anchors=anchors))
    put(catalogue, replace(document("d", sub_corpus="Figaro"), anchors=(Anchor(0, 9, "3"),)))
    pages, confidence = catalogue.legibility("Figaro")
    assert pages == 3
    assert confidence == pytest.approx(0.8)


def test_the_spans_of_dated_documents_are_counted(catalogue: Catalogue):
    put(catalogue, replace(document("c"), dates=()))
    assert catalogue.spans("Le Temps") == ((day_number(1887), day_number(1887, 12, 31), 2),)
    assert catalogue.spans("Figaro") == ()
