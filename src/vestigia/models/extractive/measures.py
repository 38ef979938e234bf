"""What can be measured of a passage without understanding it: the question's words, its dates, its best sentence."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from vestigia.domain.archive import Passage
from vestigia.domain.periods import DatePeriod, overlaps
from vestigia.domain.question import Term
from vestigia.domain.text import sentence_spans, word_spans, words

SHARED_BEGINNING = 5
"""Words of at least this many letters that begin alike, and differ in at most three letters after, count as one."""
DAMAGED = 7
"""Words of at least this many letters that differ in one count as one: recognition has misread it. Never figures."""
QUOTE = 300
"""Characters a quote may have: OCR may hold no full stop for pages."""
WHOLE_SENTENCE = 5
_BROKEN = re.compile(r"[-¬⸗=][^\S\n]*\n[^\S\n]*")
"""The end of a line inside a word."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a passage holds of a question. `coverage` is the weight of the words found over that of all, 0 to 1.

    `quote` is a stretch of the passage exactly as written, empty when the passage holds no word at all.
    """

    found: tuple[str, ...]
    coverage: float
    quote: str
    dated: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A word in a text, `text[start:end]`, with the terms that it is a form of."""

    start: int
    end: int
    terms: tuple[Term, ...]


def weigh_passage(
    passage: Passage, title: str, terms: Sequence[Term], periods: Sequence[DatePeriod], period: DatePeriod | None
) -> Evidence:
    """Measure a passage and its title against the words and dates of a question."""
    marks = marked(passage.text, terms)
    in_text = {term.word for mark in marks for term in mark.terms}
    in_title = words(title)
    found = tuple(term for term in terms if term.word in in_text or occurs(term.word, in_title))
    whole = sum(term.weight for term in terms)
    return Evidence(
        tuple(term.word for term in found),
        sum(term.weight for term in found) / whole if whole else 0.0,
        best_quote(passage.text, marks),
        period is not None and any(overlaps(period, asked) for asked in periods),
    )


def marked(text: str, terms: Sequence[Term]) -> list[Mark]:
    """Return every word of a text; a word broken over two lines is one."""
    known: dict[str, tuple[Term, ...]] = {}
    marks = []
    for start, end in _whole_words(text):
        forms = words(_BROKEN.sub("", text[start:end]))
        for form in forms:
            if form not in known:
                known[form] = tuple(filter(partial(_is_form, form), terms))
        marks.append(Mark(start, end, tuple(dict.fromkeys(term for form in forms for term in known[form]))))
    return marks


def best_quote(text: str, marks: Sequence[Mark]) -> str:
    """Return the sentence that holds most of the terms' weight, exactly as it is written; of a long one the part.

    A sentence of less than five words, as a greeting, a signature or a date line, counts by its part of five. Of equals
    the first whole one is taken, also where no word of the question stands. Empty without any word.
    """
    inside = [(span, _within(marks, span)) for span in sentence_spans(text)]
    spoken = [(span, held) for span, held in inside if held]
    if not spoken:
        return ""
    (start, end), held = max(spoken, key=lambda pair: (weight(pair[1]) * spoken_part(pair[1]), *_worth(*pair)))
    if end - start > QUOTE:
        start, end = densest(held, QUOTE)
    return text[start:end]


def _worth(span: tuple[int, int], marks: Sequence[Mark]) -> tuple[int, int]:
    """Of sentences that say as much of the question: a whole one before a scrap, then the first."""
    return min(len(marks), WHOLE_SENTENCE), -span[0]


def spoken_part(marks: Sequence[Mark]) -> float:
    """The part of five words a sentence has, at most 1."""
    return min(len(marks), WHOLE_SENTENCE) / WHOLE_SENTENCE


def densest(marks: Sequence[Mark], length: int) -> tuple[int, int]:
    """Return (start, end) of at most `length` characters that hold most of the terms' weight, the earliest of equals.

    `marks` must hold at least one. What room is left goes to the words around; a single word that is too long is cut.
    """
    first, last, most = 0, 0, 0.0
    end = 0
    for begin, mark in enumerate(marks):
        end = max(end, begin)
        while end + 1 < len(marks) and marks[end + 1].end - mark.start <= length:
            end += 1
        if mark.terms and mark.end - mark.start <= length and (held := weight(marks[begin : end + 1])) > most:
            first, last, most = begin, end, held
    while last > first and not marks[last].terms:
        last -= 1
    third = (length - (marks[last].end - marks[first].start)) // 3
    first = _earlier(marks, first, marks[first].start - third)
    while last + 1 < len(marks) and marks[last + 1].end - marks[first].start <= length:
        last += 1
    first = _earlier(marks, first, marks[last].end - length)
    return marks[first].start, min(marks[last].end, marks[first].start + length)


def _earlier(marks: Sequence[Mark], first: int, bound: int) -> int:
    """The first word before this one that begins at `bound` or later."""
    while first > 0 and marks[first - 1].start >= bound:
        first -= 1
    return first


def weight(marks: Iterable[Mark]) -> float:
    """The weight of the terms that words are forms of, each once."""
    return sum({term.word: term.weight for mark in marks for term in mark.terms}.values())


def occurs(word: str, present: Iterable[str]) -> bool:
    """Whether a word stands among others, in this or in a related form."""
    return any(related(word, other) for other in present)


def related(one: str, other: str) -> bool:
    """Whether two folded words are one in two forms (`kanal`, `kanals`) or one misread (`wasserwerk`, `waslerwerk`)."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter < SHARED_BEGINNING or abs(len(one) - len(other)) > 3 or not (one + other).isalpha():
        return False
    alike = max(SHARED_BEGINNING, shorter - 2)
    return one[:alike] == other[:alike] or (shorter >= DAMAGED and one_misreading(one, other))


def one_misreading(one: str, other: str) -> bool:
    """Whether recognition may have made one word of the other: at most one letter exchanged, lost or added."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    left, right = one[same:], other[same:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:]


def in_brief(quote: str, terms: Sequence[Term], length: int) -> str:
    """Cut a quote around its terms so that it fits on a line of `length` characters, and show where it was cut."""
    if len(whole := flat(quote)) <= length:
        return whole
    marks = marked(quote, terms)
    if not marks or length < 3:
        return ""
    start, end = densest(marks, length - 2)
    return ("…" if start > marks[0].start else "") + flat(quote[start:end]) + ("…" if end < marks[-1].end else "")


def flat(text: str) -> str:
    """Write a text on one line, words broken over two lines whole."""
    joined = "".join(
        _BROKEN.sub("", text[start:end]) if is_word else text[start:end] for start, end, is_word in _pieces(text)
    )
    return " ".join(joined.split())


def _pieces(text: str) -> Iterable[tuple[int, int, bool]]:
    at = 0
    for start, end in _whole_words(text):
        yield at, start, False
        yield start, end, True
        at = end
    yield at, len(text), False


def _whole_words(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the words; one that ends its line with a hyphen and goes on in small letters is one."""
    spans: list[tuple[int, int]] = []
    for start, end in word_spans(text):
        if spans and text[start].islower() and _BROKEN.fullmatch(text, spans[-1][1], start):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _within(marks: Sequence[Mark], span: tuple[int, int]) -> list[Mark]:
    first, last = (bisect_left(marks, bound, key=lambda mark: mark.start) for bound in span)
    return list(marks[first:last])


def _is_form(word: str, term: Term) -> bool:
    return related(term.word, word)
