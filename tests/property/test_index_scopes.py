"""Completeness: under any scope a channel gives exactly what trying every passage gives (recall 1.0, always)."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.index import in_scope
from fakes.pairs import document
from vestigia.domain.effects import CHARACTERS, DATE, EXACT, WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.domain.periods import DatePeriod, Precision, distance
from vestigia.index import encode as encoding
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode
from vestigia.index.snapshot import Snapshot
from vestigia.models.encoders.hashing import HashingEncoder

VOCABULARY = [
    "bridge",
    "river",
    "harbour",
    "mayor",
    "council",
    "letter",
    "ship",
    "water",
    "stone",
    "night",
    "friend",
    "war",
    "peace",
]
SUBS, LANGUAGES = ("Minutes", "Journal", "Letters"), ("en", "fr", "la")


def archive():
    """120 documents of one to four passages, by arithmetic: uneven sub-corpora, a fifth undated, many ties."""
    pairs = []
    for n in range(120):
        texts = [
            " ".join(VOCABULARY[(n * 7 + p * 3 + w * w * (n % 5 + 1)) % 13] for w in range(3 + (n + p) % 6))
            for p in range(n % 4 + 1)
        ]
        first = -40_000 + n * n * 3 % 2_000
        period = None if n % 5 == 0 else DatePeriod(first, first + (n % 3) * 200, Precision.RANGE)
        pairs += document(
            f"d{n * 37 % 120:03}",
            *texts,
            sub=SUBS[0 if n < 100 else 1 if n < 117 else 2],
            language=LANGUAGES[n % 3],
            period=period,
        )
    return pairs


ARCHIVE = archive()
DOCUMENTS = sorted({card.id for _, card in ARCHIVE})
ENCODER = HashingEncoder(32)


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    with IndexWriter(folder) as writer:
        for batch, begin in enumerate(range(0, len(ARCHIVE), 50)):
            writer.add(ARCHIVE[begin : begin + 50] if batch else ARCHIVE[:50])
        writer.commit(1, digest("catalogue"))
    before, encoding.BATCH = encoding.BATCH, 16
    encode(folder, ENCODER, [pair for pair in ARCHIVE if pair[1].id != "d007"])
    encoding.BATCH = before
    return Snapshot.open(folder, [ENCODER])


@pytest.fixture(scope="module")
def engine_scores(index):
    """The score of every single passage, each asked for alone: what the ranking of many is held against."""
    kept = {}

    def scores(channel, text):
        if (channel, text) not in kept:
            kept[channel, text] = {
                passage.id: hits[0].score
                for passage, card in ARCHIVE
                if (hits := index.search(Search(channel, text, only(passage, card), 1)).hits)
            }
        return kept[channel, text]

    return scores


def only(passage, card):
    """A scope that leaves one passage."""
    others = [other.id for other, _ in ARCHIVE if other.document == card.id and other.id != passage.id]
    return Scope(documents=(card.id,), without=tuple(others))


def periods(size=2_500):
    return st.builds(
        lambda first, days: DatePeriod(first, first + days, Precision.RANGE),
        st.integers(-41_000, -37_000),
        st.integers(0, size),
    )


scopes = st.builds(
    Scope,
    sub_corpora=st.lists(st.sampled_from((*SUBS, "Maps")), max_size=2).map(tuple),
    period=st.none() | periods(),
    languages=st.lists(st.sampled_from((*LANGUAGES, "xx")), max_size=2).map(tuple),
    documents=st.one_of(st.just(()), st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=60).map(tuple)),
    without=st.lists(st.sampled_from([passage.id for passage, _ in ARCHIVE]), max_size=30).map(tuple),
)
limits = st.sampled_from((1, 2, 5, 20, 500))
often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def by_trying_all(scores, scope, limit):
    """Filter, keep each document's best passage, order by score, document, start; cut."""
    best = {}
    for passage, card in ARCHIVE:
        if passage.id in scores and in_scope(scope, passage, card):
            entry = (-scores[passage.id], card.id, passage.start, passage.id)
            best[card.id] = min(best.get(card.id, entry), entry)
    return [(passage, -score) for score, _, _, passage in sorted(best.values())[:limit]]


def answered(index, search):
    return [(hit.passage, hit.score) for hit in index.search(search).hits]


@often
@given(
    st.sampled_from((WORDS, CHARACTERS)),
    st.sampled_from(("bridge", "river stone", "the mayor of war and peace", '"ship water"', "zeppelin")),
    scopes,
    limits,
)
def test_words_and_characters(index, engine_scores, channel, text, scope, limit):
    expected = by_trying_all(engine_scores(channel, text), scope, limit)
    assert answered(index, Search(channel, text, scope, limit)) == expected


@often
@given(st.sampled_from(("bridge", "r", "er", "e s", "water stone", "mayor c", "zz")), scopes, limits)
def test_exact(index, needle, scope, limit):
    counts = {passage.id: float(n) for passage, _ in ARCHIVE if (n := passage.text.count(needle))}
    assert answered(index, Search(EXACT, needle, scope, limit)) == by_trying_all(counts, scope, limit)


@often
@given(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4).map(" ".join), scopes, limits)
def test_meaning(index, text, scope, limit):
    query = ENCODER.encode([text], "query")[0].astype(float)
    vectors = ENCODER.encode([passage.text for passage, _ in ARCHIVE], "passage").astype(float)
    encoded = {passage.text for passage, card in ARCHIVE if card.id != "d007"}
    scores = {
        passage.id: float(np.round(vector @ query, 6))
        for (passage, _), vector in zip(ARCHIVE, vectors, strict=True)
        if passage.text in encoded
    }
    expected = by_trying_all(scores, scope, limit)
    found = answered(index, Search("meaning:hashing", text, scope, limit))
    assert [passage for passage, _ in found] == [passage for passage, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected])


@often
@given(periods(400), scopes, limits, st.sampled_from((0.0, 0.001, 0.15)))
def test_date(index, period, scope, limit, decay):
    best = {}
    for passage, card in ARCHIVE:
        if card.period is not None and in_scope(scope, passage, card):
            days, width = distance(card.period, period), card.period.last - card.period.first
            if math.exp(-decay * days) > 0:
                entry = (days, width, card.id, passage.start, passage.id, math.exp(-decay * days))
                best[card.id] = min(best.get(card.id, entry), entry)
    expected = [(passage, score) for *_, passage, score in sorted(best.values())[:limit]]
    assert answered(index, Search(DATE, "", scope, limit, period, decay)) == expected


def test_a_small_sub_corpus_gets_its_full_quota(index):
    """Three documents of 120: a cut-off before the filter would leave none of them."""
    everywhere = [hit.document for hit in index.search(Search(WORDS, "bridge river", Scope(), 20)).hits]
    small = Scope(sub_corpora=("Letters",))
    for channel in (WORDS, CHARACTERS, "meaning:hashing"):
        held = {hit.document for hit in index.search(Search(channel, " ".join(VOCABULARY), small, 20)).hits}
        assert held == {card.id for _, card in ARCHIVE if card.sub_corpus == "Letters"}
    assert len(everywhere) == 20
