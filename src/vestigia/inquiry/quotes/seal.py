"""Sealing a quotation: does the source say so? Four outcomes, exact places, and in words what is wrong (B8, H9).

An ellipsis may leave out words of the source, in its order; it may not swallow a negation of a sentence it cuts, nor
leap over more than a few paragraphs. Words in square brackets are the quoting author's: they may be added, and stand
for words without content ("[Clemenceau] a dit" for "il a dit"), nothing else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from vestigia.domain.archive import Passage
from vestigia.domain.languages import FUNCTION_WORDS
from vestigia.domain.quotations import Outcome, Seal
from vestigia.domain.text import sentence_spans, words
from vestigia.inquiry.quotes.folding import ELLIPSIS, Folded, folded
from vestigia.inquiry.quotes.nearest import nearest
from vestigia.inquiry.quotes.negations import negation

WIDEST_GAP = 2_000
"""Characters an ellipsis may leave out: about a page. Further apart, two passages were quoted as one."""
_MOST_PLACES = 200
"""Places of one part that are tried: in a source that repeats itself more often, the first ones."""
_ENDS = "…,.;: \t\r\n\u00a0\u202f«»‹›“”„‟‚‛‘’'\"*"
_OMITTED = re.compile(rf"\[\s*(?:{ELLIPSIS})\s*\]|\(\s*(?:{ELLIPSIS})\s*\)|{ELLIPSIS}")
_ADDED = re.compile(r"(?<![^\W_])\[([^\[\]]*)\](?![^\W_])")
_REMARK = re.compile(r"\s*\[\s*(?:sic|recte|!|\?)\s*[!.]?\s*\]", re.IGNORECASE)
_FUNCTION_WORDS = frozenset[str]().union(*FUNCTION_WORDS.values())


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of a quotation and what stands before them: an ellipsis, words in brackets, or both."""

    text: str
    folded: str
    omitted: bool = False
    added: str = ""


def seal(quotation: str, source: str) -> Seal:
    """Check a quotation against the text of its source."""
    whole = _part(_REMARK.sub("", quotation))
    if not any(letter.isalnum() for letter in whole.folded):
        return Seal(Outcome.UNCHECKABLE, why="there are no words in the quotation")
    if not source.strip():
        return Seal(Outcome.UNCHECKABLE, why="the source has no text")
    hay = folded(source)
    found = _sealed((whole,), hay, source)
    if found.sealed:
        return found
    parts = tuple(_parts(_REMARK.sub("", quotation)))
    if len(parts) > 1 or (parts and parts[0].added):
        found = _sealed(parts, hay, source)
    return found


def checked(quotation: str, passage: Passage) -> Seal:
    """Check a quotation in a passage; the spans are offsets in the document."""
    found = seal(quotation, passage.text)
    return replace(found, spans=tuple((passage.start + start, passage.start + end) for start, end in found.spans))


def _sealed(parts: tuple[_Part, ...], hay: Folded, source: str) -> Seal:
    for part in parts:
        if next(hay.occurrences(part.folded), None) is None:
            span, why = nearest(part.text, hay, source)
            return Seal(Outcome.ALTERED, span, why)
    chain, objection = _chain(parts, hay, source)
    if not chain:
        return Seal(Outcome.ALTERED, (), objection or "its parts stand in another order in the source")
    added = "; ".join(f"“{part.added}” was added" for part in parts if part.added)
    return Seal(Outcome.EXACT if not added and _is_exact(parts, chain, source) else Outcome.FOLDED, chain, added)


def _chain(parts: tuple[_Part, ...], hay: Folded, source: str) -> tuple[tuple[tuple[int, int], ...], str]:
    """Place every part after the one before: exactly as written if that can be, else closest; or say why not."""
    objection = ""
    chains = []
    for start in _places(hay, parts[0]):
        at = start + len(parts[0].folded)
        chain = [hay.span(start, at)]
        for part in parts[1:]:
            step, why = _next(part, hay, source, at)
            objection = objection or why
            if step is None:
                break
            at = step + len(part.folded)
            chain.append(hay.span(step, at))
        else:
            chains.append(tuple(chain))
    best = min(chains, key=lambda chain: (not _is_exact(parts, chain, source), chain[-1][1] - chain[0][0]), default=())
    return best, objection


def _is_exact(parts: tuple[_Part, ...], chain: tuple[tuple[int, int], ...], source: str) -> bool:
    """Whether the source has every part letter for letter, white space aside."""
    return all(part.text.split() == source[slice(*span)].split() for part, span in zip(parts, chain, strict=True))


def _next(part: _Part, hay: Folded, source: str, at: int) -> tuple[int | None, str]:
    """Find the first place of a part after `at` that what was left out between allows; or say why there is none."""
    objection = ""
    for place in _places(hay, part):
        if place < at:
            continue
        gap = (hay.ends[at - 1], hay.starts[place])
        why = _left_out(source, gap) if part.omitted else _replaced(part.added, source[slice(*gap)])
        if not why:
            return place, ""
        objection = objection or why
    return None, objection


def _left_out(source: str, gap: tuple[int, int]) -> str:
    """Say why an ellipsis may not leave out these words, if so."""
    start, end = gap
    if end - start > WIDEST_GAP:
        return f"the ellipsis leaves out {end - start:,} characters, more than {WIDEST_GAP:,}"
    sentences = [(a, b) for a, b in sentence_spans(source) if a < end and b > start]
    cut = [(max(a, start), min(b, end)) for a, b in sentences if a < start or b > end]
    for a, b in cut:
        if swallowed := negation(source[a:b]):
            return f"the ellipsis leaves out “{swallowed}”"
    return ""


def _replaced(added: str, replaced: str) -> str:
    """Say why words in brackets may not stand there, if so: they may be added, or stand for words without content."""
    lost = words(replaced)
    if negation(added):
        return f"“{added}” in brackets denies what the source says"
    if not lost or (len(lost) <= 2 and not negation(replaced) and all(word in _FUNCTION_WORDS for word in lost)):
        return ""
    return f"“{added}” in brackets stands for “{replaced.strip()}”"


def _places(hay: Folded, part: _Part) -> Iterator[int]:
    return islice(hay.occurrences(part.folded), _MOST_PLACES)


def _parts(quotation: str) -> Iterator[_Part]:
    """Cut a quotation at its ellipses and at words in brackets; what has no words of the source is no part."""
    omitted, added = False, ""
    for number, stretch in enumerate(_OMITTED.split(quotation)):
        omitted = omitted or number > 0
        pieces = _ADDED.split(stretch)
        for place, piece in enumerate(pieces):
            if place % 2:
                added = f"{added} {piece}".strip()
            elif (part := _part(piece)).folded:
                yield _Part(part.text, part.folded, omitted, added)
                omitted, added = False, ""


def _part(text: str) -> _Part:
    text = text.strip(_ENDS)
    return _Part(text, folded(text).text)
