"""Cutting a document into passages (TRACE 3.1): whole sentences, at most so many tokens, exact spans."""

import re
from collections.abc import Iterator

from vestigia.domain.archive import Passage
from vestigia.domain.ids import DocumentId, passage_id
from vestigia.domain.text import sentence_spans

MAX_TOKENS = 1000
"""TRACE's limit: at most this many tokens a passage, a token being what white space separates."""

_TOKEN = re.compile(r"\S+")


def cut(document: DocumentId, text: str, max_tokens: int = MAX_TOKENS) -> tuple[Passage, ...]:
    """Return the passages of a document in the order of its text; they do not overlap.

    Each holds at most `max_tokens` tokens and ends with a sentence; only a sentence that is itself longer is cut at
    white space. Nothing but white space lies between passages. Raises ValueError when `max_tokens` is below 1.
    """
    if max_tokens < 1:
        raise ValueError(f"a passage needs at least one token, not {max_tokens}")
    return tuple(
        Passage(passage_id(document, start, end), document, start, end, text[start:end])
        for start, end in _filled(text, max_tokens)
    )


def _filled(text: str, max_tokens: int) -> Iterator[tuple[int, int]]:
    """Join neighbouring pieces while they fit."""
    start = end = held = 0
    for piece_start, piece_end, tokens in _pieces(text, max_tokens):
        if held and held + tokens > max_tokens:
            yield start, end
            held = 0
        if not held:
            start = piece_start
        end, held = piece_end, held + tokens
    if held:
        yield start, end


def _pieces(text: str, max_tokens: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, tokens): a sentence, or the parts of one that is too long."""
    for start, end in sentence_spans(text):
        tokens = [match.span() for match in _TOKEN.finditer(text, start, end)]
        for first in range(0, len(tokens), max_tokens):
            part = tokens[first : first + max_tokens]
            yield part[0][0], part[-1][1], len(part)
