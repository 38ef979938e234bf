"""The word channel against BM25 written out in full, over random small archives."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.pairs import document
from vestigia.domain.effects import WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

K1, B = 1.2, 0.75
WORD = st.sampled_from(["bridge", "river", "harbour", "mayor", "stone", "zeppelin"])
TEXTS = st.lists(
    st.tuples(st.lists(WORD, min_size=1, max_size=30).map(" ".join), st.lists(WORD, max_size=4).map(" ".join)),
    min_size=1,
    max_size=12,
)


class Reference:
    """BM25 (Robertson and Zaragoza 2009) in double precision; of two fields the better one counts for each word.

    A pair of words side by side is a word of the text whose rarity is that of both; it counts half.
    """

    def __init__(self, documents):
        self.fields = [[text.split() for text, _ in documents], [title.split() for _, title in documents]]

    def score(self, number, query):
        return sum(
            times * max(self.field(field, number, word) for field in self.fields)
            for word, times in Counter(query.split()).items()
        )

    def paired(self, number, query):
        words = query.split()
        return 0.5 * sum(self.pair(self.fields[0], number, pair) for pair in set(pairwise(words)))

    @staticmethod
    def pair(field, number, pair):
        times, mean = list(pairwise(field[number])).count(pair), sum(map(len, field)) / len(field)
        if not times:
            return 0.0
        weight = sum(
            math.log(1 + (len(field) - holding + 0.5) / (holding + 0.5))
            for holding in (sum(word in words for words in field) for word in pair)
        )
        return weight * (K1 + 1) * times / (times + K1 * (1 - B + B * len(field[number]) / mean))

    @staticmethod
    def field(field, number, word):
        holding = sum(word in words for words in field)
        times, mean = field[number].count(word), sum(map(len, field)) / len(field)
        if not times:
            return 0.0
        weight = math.log(1 + (len(field) - holding + 0.5) / (holding + 0.5))
        return weight * (K1 + 1) * times / (times + K1 * (1 - B + B * len(field[number]) / mean))


@settings(max_examples=25, deadline=None)
@given(TEXTS, st.lists(WORD, min_size=1, max_size=5).map(" ".join), st.booleans())
def test_scores_and_order_are_those_of_bm25_and_of_pairs_unless_strict(tmp_path_factory, documents, query, strict):
    folder = tmp_path_factory.mktemp("bm25")
    with IndexWriter(folder) as writer:
        for number, (text, title) in enumerate(documents):
            writer.add(document(f"d{number:02}", text, title=title, sub="", language=""))
        writer.commit(1, digest("catalogue"))
    hits = Snapshot.open(folder).search(Search(WORDS, query, Scope(), 100, strict=strict)).hits
    reference = Reference(documents)
    expected = {
        f"d{n:02}": score + (0 if strict else reference.paired(n, query))
        for n in range(len(documents))
        if (score := reference.score(n, query)) > 0
    }
    assert {hit.document: hit.score for hit in hits} == pytest.approx(expected, abs=2e-3)
    order = [expected[hit.document] for hit in hits]
    assert all(before >= after - 2e-3 for before, after in pairwise(order))
