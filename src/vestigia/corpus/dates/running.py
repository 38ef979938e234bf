"""Dates and periods in running text, such as a question (T2): in text order, the longest reading wins."""

from dataclasses import dataclass, replace

from vestigia.corpus.dates.catalogue import read_date
from vestigia.corpus.dates.grammar import read_moment
from vestigia.corpus.dates.guards import admitted
from vestigia.corpus.dates.lexicon import lexicon
from vestigia.corpus.dates.named import NamedPeriod, built_in, names_lexicon
from vestigia.corpus.dates.scan import Scan
from vestigia.corpus.dates.spans import Reading, read_span
from vestigia.corpus.dates.tokens import tokenize
from vestigia.domain.effects import DatesRead, ReadDates
from vestigia.domain.periods import DatePeriod, Precision


@dataclass(frozen=True, slots=True)
class Grammar:
    """Reads dates in running text with the built-in named periods and the user's own, which win."""

    periods: tuple[NamedPeriod, ...] = ()

    def read(self, effect: ReadDates) -> DatesRead:
        """The periods in the text, in its order; none is an answer."""
        return DatesRead(read_dates(effect.text, effect.languages, periods=self.periods))


def read_dates(
    text: str, languages: tuple[str, ...] = (), *, periods: tuple[NamedPeriod, ...] = ()
) -> tuple[DatePeriod, ...]:
    """Return the dates and periods in running text, in text order and not overlapping; the longest reading wins.

    `languages` are two-letter codes; none means French, German, English, Italian and Spanish together. `periods` are
    named periods of the user. When a naked number counts as a year, `guards` says. A date without a year (*le
    12 janvier*) is not a date; a day that does not exist is passed over. Each period's `text` is the words it was read
    from.
    """
    named = (*periods, *built_in())
    scan = Scan(text, tokenize(text), lexicon(languages), names_lexicon(named), named)
    found, at = [], 0
    while at < len(scan.tokens):
        if not scan.may_begin(at):
            at += 1
            continue
        reading = _bracketed(scan, at) if scan.form(at) == "[" else read_span(scan, at)
        if reading is None:
            at = _after_impossible(scan, at)
            continue
        at = reading.end
        if not admitted(scan, reading):
            continue
        start, end = scan.tokens[reading.begin].start, scan.tokens[reading.end - 1].end
        found.append(replace(reading.period, text=text[start:end]))
    return tuple(found)


def _after_impossible(scan: Scan, at: int) -> int:
    """Pass over a whole day that does not exist, so that *31 février 1887* does not become *février 1887*."""
    found = read_moment(scan, at)
    return found[1] if found is not None and found[0].whole and found[0].precision is Precision.DAY else at + 1


def _bracketed(scan: Scan, at: int) -> Reading | None:
    """Read an editor's bracket in running text: `[1912?]`."""
    end = next((place for place in range(at + 1, min(at + 20, len(scan.tokens))) if scan.form(place) == "]"), None)
    if end is None:
        return None
    inside = scan.text[scan.tokens[at].start : scan.tokens[end].end]
    language = scan.lexicon.languages[0] if len(scan.lexicon.languages) == 1 else ""
    period = read_date(inside, language)
    return Reading(period, at, end + 1) if period else None
