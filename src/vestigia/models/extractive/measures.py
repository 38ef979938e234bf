"""What can be measured of a passage without understanding it: the question's words, its dates, its best sentence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vestigia.domain.archive import Passage
from vestigia.domain.periods import DatePeriod, overlaps
from vestigia.domain.question import Term
from vestigia.domain.text import sentence_spans, words

SHARED_BEGINNING = 5
"""Words of at least this many letters that begin alike, and differ in at most three letters after, count as one."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a passage holds of a question. `coverage` is the weight of the words found over that of all, 0 to 1."""

    found: tuple[str, ...]
    coverage: float
    sentence: str
    dated: bool


def weigh_passage(
    passage: Passage, title: str, terms: Sequence[Term], periods: Sequence[DatePeriod], period: DatePeriod | None
) -> Evidence:
    """Measure a passage and its title against the words and dates of a question."""
    present = frozenset(words(f"{title} {passage.text}"))
    found = tuple(term for term in terms if occurs(term.word, present))
    whole = sum(term.weight for term in terms)
    return Evidence(
        tuple(term.word for term in found),
        sum(term.weight for term in found) / whole if whole else 0.0,
        best_sentence(passage.text, terms),
        period is not None and any(overlaps(period, asked) for asked in periods),
    )


def best_sentence(text: str, terms: Sequence[Term]) -> str:
    """Return the sentence that holds most of the terms' weight, the first of equals, exactly as it is written."""
    spans = sentence_spans(text)
    if not spans:
        return ""
    start, end = max(spans, key=lambda span: (sentence_weight(text[span[0] : span[1]], terms), -span[0]))
    return text[start:end]


def sentence_weight(sentence: str, terms: Sequence[Term]) -> float:
    """The weight of the terms a sentence holds."""
    present = frozenset(words(sentence))
    return sum(term.weight for term in terms if occurs(term.word, present))


def occurs(word: str, present: Iterable[str]) -> bool:
    """Whether a word stands among others, in this or in a related form."""
    return any(related(word, other) for other in present)


def related(one: str, other: str) -> bool:
    """Whether two folded words are one word in two forms: `blocus`, or `kanal` and `kanals`."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter < SHARED_BEGINNING or abs(len(one) - len(other)) > 3:
        return False
    return one[: max(SHARED_BEGINNING, shorter - 2)] == other[: max(SHARED_BEGINNING, shorter - 2)]


def shortened(text: str, length: int) -> str:
    """Cut a text at a word so that it fits, and show that it was cut."""
    flat = " ".join(text.split())
    if len(flat) <= length:
        return flat
    return flat[: max(0, length - 1)].rsplit(" ", 1)[0] + "…"
