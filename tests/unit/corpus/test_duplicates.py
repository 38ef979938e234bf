"""Near-duplicates: found once, kept as clusters, told apart by date, found anew only where documents are new."""

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from vestigia.corpus import duplicates
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import (
    Kind,
    Twin,
    alike,
    clusters,
    clusters_of,
    find_duplicates,
    keep_twin,
    likeness,
    twins,
)
from vestigia.corpus.importing import import_path
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import DatePeriod, Precision, day_number

STORY = (
    "Gestern gegen sechs Uhr abends ist die hölzerne Brücke am unteren Tor von dem Hochwasser fortgerissen worden. "
    "Menschen sind nicht zu Schaden gekommen, doch steht der Verkehr mit dem rechten Ufer bis auf weiteres still. "
    "Der Gemeinderat wird am Samstag zusammentreten und über eine Fähre beraten, deren Kosten die Gemeinde trägt."
)
MISREAD = (
    STORY.replace("Brücke", "Brückc")
    .replace("Verkehr", "Yerkehr")
    .replace("Samstag", "Sarnstag")
    .replace("worden", "wor-\nden")
    .replace("Kosten", "Kostcn")
)
OTHER = (
    "Die Abrechnung des Schulhauses liegt vor. Die Kosten belaufen sich auf vierzigtausend Mark, wovon der Staat ein "
    "Drittel übernimmt. Herr Perrin fragt an, warum das Dach erst im Herbst gedeckt wurde; der Bürgermeister erwidert, "
    "der Schiefer sei nicht früher geliefert worden."
)


def document(name: str, text: str, year: int | None = 1887) -> Document:
    dates = () if year is None else (DatePeriod(day_number(year, 3, 1), day_number(year, 3, 1), Precision.DAY),)
    place = Provenance("a.jsonl", name, digest(text), "jsonl")
    return Document(DocumentId(name), "Grenzbote", f"Title of {name}", text, "de", place, dates)


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite")
    yield opened
    opened.close()


def add(catalogue: Catalogue, *documents: Document) -> None:
    with catalogue.writing():
        for one in documents:
            catalogue.replace(one)


def found(catalogue: Catalogue) -> list[tuple[Kind, list[str]]]:
    find_duplicates(catalogue)
    return [(one.kind, [member.card.id for member in one.members]) for one in clusters(catalogue)]


@pytest.mark.parametrize(
    ("years", "kind"),
    [
        ((1887, 1887), Kind.TWIN),
        ((1887, 1888), Kind.REPRINT),
        ((1887, None), Kind.UNDATED),
        ((None, None), Kind.UNDATED),
    ],
)
@pytest.mark.parametrize("copy", [STORY, STORY.upper().replace(" ", "\n"), MISREAD])
def test_two_documents_that_say_the_same_are_a_cluster_whose_kind_the_dates_tell(
    catalogue: Catalogue, copy: str, years: tuple[int | None, int | None], kind: Kind
):
    add(catalogue, document("a", STORY, years[0]), document("b", copy, years[1]), document("c", OTHER))
    assert [(one, sorted(names)) for one, names in found(catalogue)] == [(kind, ["a", "b"])]


def test_the_oldest_stands_first_and_the_undated_last_with_their_similarity(catalogue: Catalogue):
    add(catalogue, document("a", STORY, None), document("b", STORY, 1890), document("c", MISREAD, 1880))
    find_duplicates(catalogue)
    (cluster,) = clusters(catalogue)
    assert [member.card.id for member in cluster.members] == ["c", "b", "a"]
    assert [member.similarity for member in cluster.members][1:] == [1, 1]
    assert 0.8 <= cluster.members[0].similarity <= 1
    assert cluster.kind is Kind.REPRINT


def test_what_is_like_one_is_in_the_cluster_of_the_other(catalogue: Catalogue):
    add(
        catalogue,
        document("a", STORY),
        document("b", MISREAD),
        document("c", STORY.lower()),
        document("d", OTHER),
        document("e", OTHER, 1890),
    )
    assert found(catalogue) == [(Kind.TWIN, ["a", "b", "c"]), (Kind.REPRINT, ["d", "e"])]


@pytest.mark.parametrize(("text", "copies"), [("Ich komme morgen.", 0), (STORY[:80], 1)])
def test_a_few_words_written_twice_are_no_copy_and_a_sentence_is(catalogue: Catalogue, text: str, copies: int):
    add(catalogue, document("a", text), document("b", text))
    assert len(found(catalogue)) == copies


def test_cards_tell_what_cluster_a_document_is_of_and_all_of_it_can_be_asked_for(catalogue: Catalogue):
    add(catalogue, document("a", STORY, 1890), document("b", MISREAD, 1880), document("c", OTHER))
    find_duplicates(catalogue)
    cards = catalogue.documents([DocumentId(name) for name in "abc"])
    one, other, none = (card.cluster for card in cards)
    assert (one == other, none) == (True, "")
    assert clusters_of(catalogue, [card.id for card in cards]) == {"a": one, "b": one}
    assert alike(catalogue, [one, "nothing"]) == {one: (cards[1], cards[0])}
    with catalogue.writing():
        catalogue.delete([DocumentId("a")])
    assert [card.cluster for card in catalogue.documents([DocumentId("c")])] == [""]
    assert clusters_of(catalogue, [DocumentId("a")]) == {}


def test_an_empty_catalogue_and_one_without_copies_have_none(catalogue: Catalogue):
    assert find_duplicates(catalogue) == 0
    add(catalogue, document("a", STORY), document("b", OTHER))
    assert find_duplicates(catalogue) == 0
    assert clusters(catalogue) == ()


def test_only_new_texts_are_read_and_nothing_is_done_twice(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch):
    read: list[str] = []
    honest = duplicates._letters_of
    monkeypatch.setattr(duplicates, "_letters_of", lambda c, name: read.append(name) or honest(c, name))
    told: list[tuple[int, int]] = []
    add(catalogue, document("a", STORY), document("b", OTHER))
    find_duplicates(catalogue, lambda done, of: told.append((done, of)))
    assert (read, told) == (["a", "b"], [(2, 2)])
    find_duplicates(catalogue)
    assert read == ["a", "b"]
    add(catalogue, document("c", MISREAD))
    find_duplicates(catalogue)
    assert read[2] == "c"
    assert sorted(read[3:]) == ["a", "c"]
    assert find_duplicates(catalogue) == 1
    assert len(read) == 5


def test_the_order_of_import_does_not_matter(tmp_path: Path):
    documents = [
        document("a", STORY),
        document("b", MISREAD, 1888),
        document("c", STORY.lower(), 1889),
        document("d", OTHER),
        document("e", OTHER, None),
    ]
    ways = []
    for number, order in enumerate((documents, documents[::-1])):
        one = Catalogue(tmp_path / f"{number}.sqlite")
        for each in order:
            add(one, each)
            find_duplicates(one)
        ways.append(clusters(one))
        one.close()
    assert ways[0] == ways[1]


def test_a_deleted_document_leaves_its_cluster_and_its_equals_stay_with_each_other(catalogue: Catalogue):
    add(catalogue, document("a", STORY), document("b", STORY, 1888), document("c", MISREAD, 1889))
    assert len(found(catalogue)[0][1]) == 3
    with catalogue.writing():
        catalogue.delete([DocumentId("a")])
    assert found(catalogue) == [(Kind.REPRINT, ["b", "c"])]
    with catalogue.writing():
        catalogue.delete([DocumentId("b")])
    assert found(catalogue) == []
    rows = catalogue.store.read("SELECT document FROM sketches")
    assert rows == [("c",)]


def test_a_replaced_text_is_compared_anew_and_a_new_date_changes_the_kind(catalogue: Catalogue):
    add(catalogue, document("a", STORY), document("b", MISREAD))
    assert found(catalogue) == [(Kind.TWIN, ["a", "b"])]
    add(catalogue, document("b", MISREAD, 1888))
    assert found(catalogue) == [(Kind.REPRINT, ["a", "b"])]
    add(catalogue, document("b", OTHER, 1888))
    assert found(catalogue) == []


def test_what_was_cut_short_after_the_sketches_is_completed(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch):
    add(catalogue, document("a", STORY), document("b", MISREAD))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(duplicates, "candidates", killed)
        with pytest.raises(KeyboardInterrupt):
            find_duplicates(catalogue)
    assert clusters(catalogue) == ()
    assert found(catalogue) == [(Kind.TWIN, ["a", "b"])]


def test_the_three_reprints_of_the_demo_are_found_and_nothing_else_is_claimed(catalogue: Catalogue):
    with as_file(files("vestigia.app") / "demo") as demo:
        for part in ("council.jsonl", "Grenzbote", "Correspondance_Vautrin"):
            import_path(catalogue, demo / part)
    assert [(kind, [name[10:20] for name in names]) for kind, names in found(catalogue)] == [
        (Kind.REPRINT, [f"{one}", f"{other}"])
        for one, other in (("1887-03-14", "1887-03-17"), ("1893-08-21", "1893-08-24"), ("1897-11-18", "1897-11-22"))
    ]


@pytest.mark.shared
def test_letters_of_one_letterhead_are_not_taken_for_copies(shared_data: Path, catalogue: Catalogue):
    import_path(catalogue, shared_data / "schnitzler-letters-de" / "docs.jsonl")
    assert found(catalogue) == []


def test_twins_are_kept_once_each_and_come_by_document(catalogue: Catalogue):
    one, other = Twin(DocumentId("b"), "x.xml", "", 0.9), Twin(DocumentId("a"), "y.xml", "p. 1", 1.0)
    for twin in (one, other, Twin(DocumentId("b"), "x.xml", "", 0.95)):
        keep_twin(catalogue, twin)
    assert twins(catalogue) == (other, Twin(DocumentId("b"), "x.xml", "", 0.95))


def test_likeness_is_one_for_equal_letters_however_few_and_small_for_other_texts():
    assert likeness("Ja!", "ja") == 1
    assert likeness(STORY, MISREAD) >= 0.8
    assert likeness(STORY, OTHER) < 0.2
    assert likeness("Ja", "Nein") == 0
