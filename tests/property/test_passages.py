"""Passages: what must hold of any text and any limit."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.corpus.passages import cut
from vestigia.domain.ids import DocumentId
from vestigia.domain.text import sentence_spans

DOCUMENT = DocumentId("d")
WORDS = [
    "Le",
    "roi",
    "M.",
    "12.",
    "Paris.",
    "\n\n",
    "Où?",
    "«Oui!»",
    "a-t-il",
    "\u2003",
    "\t",
    "x" * 40,
    "fin…",
    "É",
    "1887.",
]
PROSE = st.lists(st.sampled_from(WORDS), max_size=80).map(" ".join)
TEXTS = st.one_of(PROSE, st.text(max_size=300))
LIMITS = st.integers(min_value=1, max_value=30)


@given(TEXTS, LIMITS)
def test_a_passage_is_the_stretch_of_the_text_that_its_span_names(text: str, limit: int):
    for passage in cut(DOCUMENT, text, limit):
        assert text[passage.start : passage.end] == passage.text
        assert passage.id == f"d#{passage.start}-{passage.end}"


@given(TEXTS, LIMITS)
def test_nothing_but_white_space_is_lost_before_between_and_after_passages(text: str, limit: int):
    at = 0
    for passage in cut(DOCUMENT, text, limit):
        assert not text[at : passage.start].strip()
        assert passage.start >= at
        at = passage.end
    assert not text[at:].strip()


@given(TEXTS, LIMITS)
def test_no_passage_is_empty_or_longer_than_the_limit(text: str, limit: int):
    assert all(1 <= len(passage.text.split()) <= limit for passage in cut(DOCUMENT, text, limit))


@given(TEXTS, LIMITS)
def test_a_passage_ends_inside_a_sentence_only_when_that_sentence_is_longer_than_the_limit(text: str, limit: int):
    sentences = sentence_spans(text)
    ends = {end for _, end in sentences}
    for passage in cut(DOCUMENT, text, limit):
        if passage.end not in ends:
            start, end = next(span for span in sentences if span[0] < passage.end < span[1])
            assert len(text[start:end].split()) > limit


@given(TEXTS, LIMITS)
def test_passages_are_as_full_as_whole_sentences_allow(text: str, limit: int):
    passages = cut(DOCUMENT, text, limit)
    for one, following in pairwise(passages):
        piece_end = next(end for start, end in sentence_spans(text) if start <= following.start < end)
        piece = text[following.start : min(piece_end, following.end)].split()
        assert len(one.text.split()) + len(piece) > limit


@given(st.integers(max_value=0))
def test_a_limit_below_one_token_is_refused(limit: int):
    with pytest.raises(ValueError, match="at least one token"):
        cut(DOCUMENT, "Paris.", limit)
