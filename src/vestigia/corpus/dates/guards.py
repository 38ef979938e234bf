"""When a naked number in running text is a year, and when it is a page, a count, a title or a price.

The rule, for a four-digit number from 1000 to 2100 that no month, season or word for *year* accompanies:

1. never after *page*, *no.*, *Nr.*, *vol.* and their like, `§`, `#` or a currency; never within a longer number
   (`1,200`, `12-1887`), between quotation marks of its own, or before a unit, a currency or a counted noun;
2. otherwise yes after a preposition of time (*en*, *im*, *since*, *del*) or within *between ... and*, *c.*, *before*;
3. otherwise yes if a mark, the end, or a function word follows (`la grève de 1893 à Carmaux`, `1893, ...`), or in
   English if it stands as an adjective before one thing (`the 1887 strike`), in German before a participle that ends
   the clause (`Was wurde 1887 gebaut?`), which counts nothing;
4. otherwise no: a missed year costs a reader one word, a false one misleads the search.
"""

import re

from vestigia.corpus.dates.scan import Scan
from vestigia.corpus.dates.spans import Reading

_MONEY = frozenset("$£€¥%‰#§№")
_QUOTES = tuple("\"“”„«»‹›‘’'‚")
_PARTICIPLE = re.compile(
    r"[a-zäöü]{0,6}ge[a-zäöüß]{2,}(?:t|en)|[a-zäöü]{2,}iert|(?:be|ver|er|ent|zer)[a-zäöüß]{2,}(?:t|en)"
)
_PASSED_OVER = frozenset(".°º:")


def admitted(scan: Scan, reading: Reading) -> bool:
    """Whether the context allows a reading that begins or ends with a naked year."""
    if not (reading.bare_start or reading.bare_end):
        return True
    if follows_number_word(scan, reading.begin) or _is_quoted(scan, reading):
        return False
    if reading.bare_end and _is_counted(scan, reading.end):
        return False
    if not (reading.bare_start and reading.bare_end) or reading.period.rule != "year":
        return True
    if scan.word(reading.begin - 1, "support") and not _is_quantity(scan, reading.begin):
        return True
    return _may_stand_alone(scan, reading)


def follows_number_word(scan: Scan, at: int) -> bool:
    """Whether a token comes after *page*, *Nr.*, a currency, or is the tail of a longer number."""
    place = at - 1
    while place > at - 4 and scan.form(place) in _PASSED_OVER:
        place -= 1
    if scan.form(at - 1) in _MONEY:
        return True
    if scan.form(at - 1) in {".", ",", "-", "–", "/"} and scan.touches(at) and scan.digits(at - 2):
        return True
    word = scan.word(place, "not a year") if scan.form(place) else None
    return (word is not None and word[0] == 1) or bool(scan.touches(at) and scan.form(at - 1).isalnum())


def _is_quantity(scan: Scan, at: int) -> bool:
    word = scan.word(at - 1, "not a year")
    return word is not None and word[0] == 2


def _is_quoted(scan: Scan, reading: Reading) -> bool:
    start, end = scan.tokens[reading.begin].start, scan.tokens[reading.end - 1].end
    before, after = scan.text[max(0, start - 2) : start].strip(), scan.text[end : end + 2].strip()
    return before[-1:] in _QUOTES and after[:1] in _QUOTES


def _is_counted(scan: Scan, at: int) -> bool:
    if scan.form(at) in _MONEY or scan.word(at, "counted"):
        return True
    joined = scan.form(at) in {".", ",", "-", "/", ":"} and scan.touches(at) and scan.touches(at + 1)
    return (joined and bool(scan.digits(at + 1))) or (scan.touches(at) and scan.form(at).isalnum())


def _may_stand_alone(scan: Scan, reading: Reading) -> bool:
    following = scan.form(reading.end)
    if not following or not scan.tokens[reading.end].is_word or scan.word(reading.end, "closed"):
        return not scan.digits(reading.end)
    if _ends_clause(scan, reading.end):
        return True
    article = scan.form(reading.begin - 1) in {"the", "a", "an"} and "en" in scan.lexicon.languages
    return article and not following.endswith("s")


def _ends_clause(scan: Scan, at: int) -> bool:
    """Whether a German participle stands there with which the clause ends: a thing that is counted has a capital."""
    token = scan.tokens[at]
    written = scan.text[token.start : token.end]
    last = not scan.form(at + 1) or not scan.tokens[at + 1].is_word
    return last and "de" in scan.lexicon.languages and _PARTICIPLE.fullmatch(written) is not None
