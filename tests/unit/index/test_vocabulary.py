"""H7, B5: what the archive attests of a word, and which of its words are near it."""

import pytest

from fakes.pairs import day, document, year
from vestigia.domain.effects import Expand
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import digest
from vestigia.domain.periods import FAR_PAST, DatePeriod, Precision, day_number, in_years, windows_of_years
from vestigia.index.attestation import Attested
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

FIFTIES, SIXTIES, SEVENTIES = windows_of_years(year(1950, 1979), 10)
ARCHIVE = [
    *document("a", "Das Elektronenhirn rechnet.", "Ein Elektronenhirn denkt nicht.", language="de", period=year(1955)),
    *document("b", "Elektronenhirne und Elektronengehirn.", language="de", period=day(1957, 4, 3)),
    *document("c", "Die Lochkarte. Elektronische Datenverarbeitung!", language="de", period=year(1964)),
    *document("d", "Der Computer. Die Datenverarbeitung, elektronische.", language="de", period=year(1968, 1972)),
    *document("e", "Computer überall", language="de", title="Elektronenhirn", period=year(1975)),
    *document("f", "Noch ein Computer", language="de"),
]


def opened(folder, pairs):
    with IndexWriter(folder) as writer:
        writer.add(pairs)
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("index"), ARCHIVE)


@pytest.fixture(scope="module")
def vocabulary(snapshot):
    return snapshot.vocabulary


def test_b5_a_term_is_counted_in_passages_and_documents_by_window(vocabulary):
    assert vocabulary.attested("Elektronenhirn", (FIFTIES, SIXTIES, SEVENTIES)) == Attested(
        "Elektronenhirn", passages=2, documents=1, first=1955, last=1955, undated=0, counts=(1, 0, 0)
    )


def test_b5_a_document_that_may_be_of_two_windows_counts_in_both_and_an_undated_one_in_none(vocabulary):
    assert vocabulary.attested("computer", (FIFTIES, SIXTIES, SEVENTIES)) == Attested(
        "computer", passages=3, documents=3, first=1968, last=1975, undated=1, counts=(0, 1, 2)
    )


def test_b5_a_term_of_several_words_is_a_phrase(vocabulary):
    assert vocabulary.attested("elektronische Datenverarbeitung").documents == 1
    assert vocabulary.attested("Datenverarbeitung elektronische").documents == 1
    assert vocabulary.attested("Datenverarbeitung").documents == 2


def test_b5_what_is_nowhere_has_no_first_year(vocabulary):
    assert vocabulary.attested("Internet", (FIFTIES,)) == Attested("Internet", 0, 0, None, None, 0, (0,))


def test_b5_only_what_stands_in_the_text_is_attested_not_what_a_title_says(vocabulary):
    assert vocabulary.attested("Elektronenhirn", (SEVENTIES,)).counts == (0,)


def test_b5_what_only_undated_documents_hold_has_no_year(tmp_path):
    word = opened(tmp_path, document("x", "Telegraph")).vocabulary.attested("telegraph")
    assert (word.documents, word.undated, word.first, word.last) == (1, 1, None, None)


def test_b5_an_open_beginning_says_nothing_of_a_first_year(tmp_path):
    before = DatePeriod(FAR_PAST, day_number(1850, 12, 31), Precision.RANGE)
    vocabulary = opened(tmp_path, document("x", "Telegraph", period=before)).vocabulary
    assert vocabulary.attested("telegraph").first == 1850
    assert in_years(vocabulary.extent) == "1850"


def test_a_term_without_a_word_is_refused(vocabulary):
    with pytest.raises(UsageError, match="holds no word"):
        vocabulary.attested("?!")


def test_the_documents_that_hold_a_term_are_named_once_each(vocabulary):
    assert vocabulary.holding("elektronenhirn") == ("a",)
    assert vocabulary.holding("computer") == ("d", "e", "f")


def test_all_documents_are_counted_by_window(vocabulary):
    assert vocabulary.documents((FIFTIES, SIXTIES, SEVENTIES)) == (2, 2, 2)
    assert in_years(vocabulary.extent) == "1955–1975"


@pytest.mark.parametrize("reach", [(1955, 1955), (1954, 1957), (1950, 1990), (1956, 1963), (1976, 1980), (1969, 1971)])
def test_b5_what_overlaps_a_window_is_what_comparing_every_date_finds(vocabulary, reach):
    window = year(*reach)
    periods = [period for period in (card.period for _, card in ARCHIVE) if period]
    documents = {card.id: card.period for _, card in ARCHIVE if card.period in periods}
    there = sum(one.first <= window.last and one.last >= window.first for one in documents.values())
    assert vocabulary.documents((window,)) == (there,)


def test_an_archive_without_a_date_has_no_extent(tmp_path):
    vocabulary = opened(tmp_path, document("x", "Telegraph")).vocabulary
    assert vocabulary.extent is None
    assert vocabulary.documents((FIFTIES,)) == (0,)
    assert vocabulary.documents(()) == ()


def test_h7_neighbours_by_spelling_are_the_words_that_share_most_trigrams(vocabulary):
    near = vocabulary.neighbours("Elektronenhirn", 3)
    assert [(n.found, n.by) for n in near] == [
        ("elektronenhirne", "spelling"),
        ("elektronengehirn", "spelling"),
        ("elektronische", "spelling"),
    ]
    # elektronenhirn has 14 trigrams with its ends marked, elektronenhirne 15; all but the last of each are shared
    assert near[0].similarity == round(2 * 13 / (14 + 15), 3)
    assert near[0].passages == 1


def test_h7_a_word_that_is_nowhere_has_neighbours_all_the_same(vocabulary):
    assert [n.found for n in vocabulary.neighbours("Elektronengehirne", 2)] == ["elektronengehirn", "elektronenhirne"]


@pytest.mark.parametrize("term", ["elektronische Datenverarbeitung", "xyz", "Walzwerk", "?"])
def test_h7_phrases_short_words_and_words_like_no_other_have_no_neighbour(vocabulary, term):
    assert vocabulary.neighbours(term, 5) == ()


def test_a_rare_form_learnt_to_be_a_misreading_is_called_one(tmp_path):
    read = [document(f"r{n}-{word}", word) for word in ("ministre", "histoire", "registre") for n in range(20)]
    wrong = [document(word, word) for word in ("minislre", "hisloire", "regislre")]
    near = opened(tmp_path, [pair for one in (*read, *wrong) for pair in one]).vocabulary.neighbours("ministre", 3)
    assert (near[0].found, near[0].by) == ("minislre", "misreading")
    assert [n.found for n in near].count("minislre") == 1


def test_h7_an_expansion_chooses_what_is_near_enough_and_not_found_anyway(snapshot):
    (near,) = snapshot.expand(Expand("Was ist ein Elektronenhirn?", ("de",), 3)).neighbours
    assert (near.word, near.found, near.by) == ("elektronenhirn", "elektronengehirn", "spelling")


def test_h7_an_expansion_keeps_to_its_limit_for_each_word(tmp_path):
    words = "bridgework bridgeward bridgehead harbourage harboured harbouring"
    snapshot = opened(tmp_path, document("x", f"bridgewort harbourer {words}", language="xx"))
    near = snapshot.expand(Expand("the bridgewort and the harbourer", ("xx",), 2)).neighbours
    assert [n.word for n in near] == ["bridgewort", "bridgewort", "harbourer"]
    assert near[-1].found == "harbourage"  # harboured and harbouring have the stem of the word itself


def test_h7_function_words_have_no_expansion(snapshot):
    assert snapshot.expand(Expand("der die das", ("de",), 3)).neighbours == ()
