"""What of a text a list shows: the stretch with most of the words, as pieces that are marked or not.

Pieces are plain text; the template escapes each of them.
"""

from collections.abc import Iterable, Sequence

from vestigia.domain.text import word_spans, words

Piece = tuple[str, bool]
LENGTH = 420
"""Characters of an excerpt, about."""
_STEMMED = 5
"""A word is marked, too, that begins like one searched, from so many letters on: Brücke, Brücken."""


def excerpt(text: str, searched: Iterable[str], length: int = LENGTH) -> list[Piece]:
    """The best stretch of a text in pieces: (words, whether they are marked)."""
    wanted = frozenset(one for term in searched for one in words(term) if len(one) > 1)
    stems = tuple(one[: max(_STEMMED, len(one) - 2)] for one in wanted if len(one) >= _STEMMED)
    spans = [
        span
        for span in word_spans(text)
        if any(part in wanted or part.startswith(stems) for part in words(text[slice(*span)]))
    ]
    start = _start(spans, text, length)
    end = min(len(text), start + length)
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + length // 2)
    pieces: list[Piece] = [("… ", False)] if start else []
    at = start
    for first, last in spans:
        if at <= first and last <= end:
            pieces += [(text[at:first], False), (text[first:last], True)]
            at = last
    pieces.append((text[at:end] + (" …" if end < len(text) else ""), False))
    return [piece for piece in pieces if piece[0]]


def around(text: str, quote: str, length: int = 160) -> list[Piece]:
    """A quotation, marked, with what stands before and after it, cut at words. The text has it."""
    start = text.index(quote)
    end = start + len(quote)
    first, last = max(0, start - length), min(len(text), end + length)
    if first:
        first = text.find(" ", first, start) + 1 or start
    if last < len(text):
        last = max(text.rfind(" ", end, last), end)
    before, after = "… " if first else "", " …" if last < len(text) else ""
    pieces = [(before + text[first:start], False), (quote, True), (text[end:last] + after, False)]
    return [piece for piece in pieces if piece[0]]


def _start(spans: Sequence[tuple[int, int]], text: str, length: int) -> int:
    """Where the stretch begins that holds most marked words: a little before the first of them, at a word."""
    if not spans or len(text) <= length:
        return 0
    best = max(spans, key=lambda span: (sum(span[0] <= one[0] < span[0] + length * 3 // 4 for one in spans), -span[0]))
    before = max(0, best[0] - length // 5)
    return before if not before else text.find(" ", before, best[0]) + 1 or best[0]
