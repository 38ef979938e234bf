"""What every index does, whatever is behind it. A plug-in's author runs these with their own `open_index`."""

import math

import pytest

from fakes.index import MemoryIndex
from fakes.pairs import day, document, year
from vestigia.domain.effects import CHARACTERS, DATE, EXACT, SOURCE, WORDS, Scope, Search, Weigh
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

EVERYWHERE = Scope()
ARCHIVE = [
    *document(
        "council-1",
        "The council debated the new bridge over the river.",
        "The mayor spoke of the harbour.",
        sub="Minutes",
        period=day(1890, 5, 3),
        title="Session of May",
    ),
    *document("council-2", "The bridge was paid for by the harbour company.", sub="Minutes", period=year(1891)),
    *document(
        "paper-1",
        "Le pont sur la rivière est ouvert; le maire a parlé.",
        sub="Journal",
        language="fr",
        period=day(1890, 5, 4),
        title="Le pont",
    ),
    *document(
        "paper-2", "Un navire est entré au port hier soir.", sub="Journal", language="fr", period=year(1880, 1885)
    ),
    *document("letter-1", "My dear friend, the bridge is a bridge too many.", "Yours ever, A. Harbour"),
]


def on_disk(pairs, folder):
    with IndexWriter(folder) as writer:
        writer.add(pairs)
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


@pytest.fixture(params=["in memory", "on disk"])
def open_index(request, tmp_path):
    return MemoryIndex if request.param == "in memory" else lambda pairs: on_disk(pairs, tmp_path)


@pytest.fixture
def index(open_index):
    return open_index(ARCHIVE)


def documents(index, channel, text="", scope=EVERYWHERE, period=None):
    return [hit.document for hit in index.search(Search(channel, text, scope, 10, period)).hits]


QUERIES = [
    (WORDS, "bridge harbour", None),
    (CHARACTERS, "bridges", None),
    (EXACT, "bridge", None),
    (DATE, "", day(1890, 5, 3)),
    (SOURCE, "bridges", None),
]


def test_it_names_the_channels_that_can_be_searched(index):
    assert {WORDS, CHARACTERS, DATE, SOURCE, EXACT} <= set(index.channels())


def test_every_named_channel_answers(index):
    for channel in index.channels():
        assert index.search(Search(channel, "bridge", Scope(), 5, day(1890, 5, 3))).hits


@pytest.mark.parametrize(("channel", "text", "period"), QUERIES)
def test_a_document_holds_one_place_and_ranks_count_from_one(index, channel, text, period):
    hits = index.search(Search(channel, text, Scope(), 10, period)).hits
    assert hits
    assert len({hit.document for hit in hits}) == len(hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.passage.startswith(f"{hit.document}#") for hit in hits)


@pytest.mark.parametrize(("channel", "text", "period"), QUERIES)
def test_the_limit_counts_documents_and_cuts_the_same_list(index, channel, text, period):
    everything = index.search(Search(channel, text, Scope(), 10, period)).hits
    for limit in (1, 2, 3):
        assert index.search(Search(channel, text, Scope(), limit, period)).hits == everything[:limit]


@pytest.mark.parametrize(("channel", "text", "period"), QUERIES)
@pytest.mark.parametrize(
    "scope",
    [
        Scope(sub_corpora=("Minutes",)),
        Scope(sub_corpora=("Minutes", "Letters")),
        Scope(languages=("fr",)),
        Scope(documents=("paper-1", "council-2")),
        Scope(period=year(1890)),
        Scope(period=year(1881, 1890)),
        Scope(sub_corpora=("Minutes",), period=year(1891)),
    ],
)
def test_a_filter_keeps_exactly_the_hits_that_pass_it_in_their_order(index, channel, text, period, scope):
    cards = {card.id: card for _, card in ARCHIVE}

    def passes(card):
        return (
            (not scope.sub_corpora or card.sub_corpus in scope.sub_corpora)
            and (not scope.languages or card.language in scope.languages)
            and (not scope.documents or card.id in scope.documents)
            and (
                scope.period is None
                or (
                    card.period is not None
                    and card.period.first <= scope.period.last
                    and scope.period.first <= card.period.last
                )
            )
        )

    everything = documents(index, channel, text, period=period)
    assert documents(index, channel, text, scope, period=period) == [d for d in everything if passes(cards[d])]


def test_an_undated_document_never_passes_a_date_filter(index):
    assert "letter-1" in documents(index, WORDS, "bridge")
    assert "letter-1" not in documents(index, WORDS, "bridge", Scope(period=year(1000, 2000)))


def test_leaving_out_a_passage_lets_another_of_its_document_come(index):
    best = index.search(Search(WORDS, "council mayor", Scope(documents=("council-1",)), 1)).hits[0]
    rest = Scope(documents=("council-1",), without=(best.passage,))
    again = index.search(Search(WORDS, "council mayor", rest, 1)).hits
    assert [hit.document for hit in again] == ["council-1"]
    assert again[0].passage != best.passage


def test_an_unknown_filter_value_finds_nothing_and_is_no_error(index):
    for scope in (Scope(sub_corpora=("Maps",)), Scope(languages=("xx",)), Scope(documents=("nobody",))):
        assert documents(index, WORDS, "bridge", scope) == []
    assert documents(index, WORDS, "bridge", Scope(without=("nobody#0-3",))) == documents(index, WORDS, "bridge")


def test_words_meet_across_case_and_accents(index):
    assert documents(index, WORDS, "RIVIERE") == ["paper-1"]


def test_exact_does_not(index):
    assert documents(index, EXACT, "rivière") == ["paper-1"]
    assert documents(index, EXACT, "riviere") == []
    assert documents(index, EXACT, "The bridge") == ["council-2"]
    assert documents(index, EXACT, "the bridge") == ["letter-1"]


def test_characters_find_a_misread_word(index):
    assert documents(index, CHARACTERS, "harb0ur company")[0] == "council-2"


def test_dates_score_by_distance_and_overlap_scores_one(index):
    hits = index.search(Search(DATE, "", Scope(), 10, day(1890, 5, 3), decay=0.15)).hits
    assert [(hit.document, hit.score) for hit in hits[:2]] == [("council-1", 1.0), ("paper-1", math.exp(-0.15))]
    assert "letter-1" not in [hit.document for hit in hits]


@pytest.mark.parametrize(
    "search",
    [
        Search("smell", "bridge", Scope(), 5),
        Search(WORDS, "", Scope(), 5),
        Search(CHARACTERS, "  ", Scope(), 5),
        Search(EXACT, "", Scope(), 5),
        Search(DATE, "bridge", Scope(), 5),
    ],
)
def test_a_request_that_cannot_be_carried_out_is_refused(index, search):
    with pytest.raises(UsageError):
        index.search(search)


def test_a_query_without_a_searchable_word_says_so(index):
    for channel in (WORDS, CHARACTERS):
        found = index.search(Search(channel, "?! --", Scope(), 5))
        assert not found.hits
        assert "?! --" in found.missing


def test_words_are_weighed_in_their_order_with_the_documents_that_hold_them(index):
    terms = index.weigh(Weigh("The bridge and the zeppelin of the mayor, the bridge", ("en",))).terms
    assert [(term.word, term.documents) for term in terms] == [("bridge", 3), ("zeppelin", 0), ("mayor", 1)]
    for term in terms:
        assert term.weight == pytest.approx(math.log(1 + (5 - term.documents + 0.5) / (term.documents + 0.5)))


def test_the_fingerprint_follows_the_content(open_index):
    assert open_index(ARCHIVE).fingerprint == open_index(ARCHIVE).fingerprint


def test_an_empty_archive_can_be_searched(open_index):
    index = open_index([])
    assert documents(index, WORDS, "bridge") == []
    assert documents(index, DATE, "", period=year(1890)) == []
    assert [term.documents for term in index.weigh(Weigh("bridge")).terms] == [0]
