"""What a manifest says about itself: title, date, language, rights and where it can be seen.

`navDate` must be a whole time stamp even where only the year is known: what the label or the metadata print counts
where it is wider, and a bare 1 January is a year until something printed says that it is a day.
"""

import re
from dataclasses import dataclass, replace

from vestigia.corpus.dates import from_parts, read_date, read_dates
from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.dating import Stated, read_stated
from vestigia.corpus.readers.iiif_json import Json, identifier, languages, listed, objects, wording
from vestigia.domain.periods import DatePeriod, civil

_DATE = re.compile(
    r"(?:\w+:)?(?:(?:issue |publication |published )?dates?(?: (?:of |de )?\w+)?|datum|fecha|data|"
    r"issued|published|erschienen|erscheinungs(?:datum|jahr|tag)|année|anno|jahr|year)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(r"(?:^|:)(?:languages?|sprachen?|langues?|lingua|idioma|lengua)$", re.IGNORECASE)
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Header:
    """A manifest described; `problems` in words."""

    title: str
    language: str
    dates: tuple[DatePeriod, ...]
    details: tuple[tuple[str, str], ...]
    link: str
    rights: str
    problems: tuple[str, ...]


def label_of(value: Json, language: str = "") -> str:
    """Return the label of an object in any shape; empty for none."""
    return wording(value.get("label"), language) if isinstance(value, dict) else ""


def link_of(value: Json) -> str:
    """Return where people see it: the home page, else what it is related to, else its own address."""
    places = [identifier(one) for key in ("homepage", "related") for one in listed(value.get(key))]
    return next((one for one in (*places, identifier(value)) if "://" in one), "")


def describe(manifest: Json, spoken: str) -> Header:
    """Return what a manifest says; `spoken` is the language of most of its texts, which wins over the metadata."""
    pairs = [(wording(one.get("label")), one.get("value")) for one in objects(manifest, "metadata")]
    written = [language_code(word) for label, value in pairs if _LANGUAGE.search(label) for word in languages(value)]
    language = spoken or next((one for one in written if len(one) == 2), "")
    title = label_of(manifest, language)
    dates, problems = _dates(manifest, title, pairs, language)
    details = [(label, wording(value, language)[:_LONGEST]) for label, value in pairs]
    details += [
        (name, wording(manifest.get(key), language)[:_LONGEST])
        for key, name in (("summary", "summary"), ("description", "summary"))
    ]
    details += [
        (name, label_of(one, language))
        for key, name in (("partOf", "collection"), ("within", "collection"), ("provider", "provider"))
        for one in objects(manifest, key)
    ]
    return Header(
        title,
        language,
        dates,
        tuple(pair for pair in details if all(pair)),
        link_of(manifest),
        _rights(manifest, language),
        problems,
    )


def _rights(manifest: Json, language: str) -> str:
    """Return the rights, licence and required statement in the archive's own words."""
    addresses = [identifier(one) for key in ("rights", "license") for one in listed(manifest.get(key))]
    statements = [wording(one.get("value"), language) for one in objects(manifest, "requiredStatement")]
    statements.append(wording(manifest.get("attribution"), language))
    return "; ".join(dict.fromkeys(one for one in (*addresses, *statements) if one))


def _dates(
    manifest: Json, title: str, pairs: list[tuple[str, Json]], language: str
) -> tuple[tuple[DatePeriod, ...], tuple[str, ...]]:
    given = manifest.get("navDate")
    nav = str(given).strip() if isinstance(given, str | int) and not isinstance(given, bool) else ""
    printed = [wording(value, language) for label, value in pairs if _DATE.fullmatch(label)]
    known = (language,) if language else ()
    titled = [period.text for period in read_dates(title[:_LONGEST], known)]
    readable = [one for one in printed if read_date(one, language)] or titled or printed
    chosen = next((one for one in readable if one), "")
    dates, problems = read_stated(Stated(date=nav, printed=chosen), language)
    if nav and dates and dates[-1].is_one_day and civil(dates[-1].first)[1:] == (1, 1):
        if len(dates) == 2 and dates[0].first <= dates[1].first <= dates[0].last:
            return dates[:1], problems
        if len(dates) == 1 and not chosen:
            year = from_parts(civil(dates[0].first)[0], None, None)
            told = f"navDate {nav!r} may stand for its year; it is read as the year"
            return (replace(year, text=nav, rule="navDate of 1 January"),), (*problems, told)
    if not dates and not problems:
        return (), ()
    return dates, tuple(problems) if dates else (*problems, "the document goes in undated")
