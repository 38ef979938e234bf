"""What MODS says of an issue, a book or an article: title, date, language, people, place, rights."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.dating import Stated, less_sure, read_stated
from vestigia.corpus.readers.xml import Node, inner_text
from vestigia.domain.periods import Certainty, DatePeriod

_QUALIFIERS = {
    "approximate": Certainty.APPROXIMATE,
    "inferred": Certainty.CONJECTURE,
    "questionable": Certainty.UNCERTAIN,
}
_NEW_YEAR = re.compile(r"(\d{4})-01-01(?:T.*)?")
_CODED = {"w3cdtf", "iso8601", "edtf", "marc", "temper"}


@dataclass(frozen=True, slots=True)
class Description:
    """What one or several MODS records say; empty where they say nothing. `problems` are dates that cannot be read."""

    title: str = ""
    languages: tuple[str, ...] = ()
    dates: tuple[DatePeriod, ...] = ()
    link: str = ""
    rights: str = ""
    details: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def language(self) -> str:
        """The language, where there is but one."""
        return self.languages[0] if len(self.languages) == 1 else ""


def describe(mods: Node) -> Description:
    """Read one `mods` element. Titles of series and hosts (relatedItem) are not its own and are left out."""
    dates, problems = _dates(mods)
    languages = [language_code(inner_text(one)) for one in mods.iterfind("{*}language/{*}languageTerm")]
    origins = _origins(mods)
    details = [
        ("author", "; ".join(_names(mods))),
        ("place", next((place for one in origins if (place := _first(one, "{*}place/{*}placeTerm"))), "")),
        ("publisher", next((name for one in origins if (name := _first(one, "{*}publisher"))), "")),
        ("number", _first(mods, "{*}part/{*}detail/{*}number") or _first(mods, "{*}titleInfo/{*}partNumber")),
        ("repository", _first(mods, "{*}location/{*}physicalLocation")),
        ("shelf mark", _first(mods, "{*}location/{*}shelfLocator")),
    ]
    link = next((inner_text(one) for one in mods.iterfind("{*}identifier") if inner_text(one).startswith("http")), "")
    return Description(
        _title(mods),
        tuple(dict.fromkeys(one for one in languages if one)),
        dates,
        link,
        _first(mods, "{*}accessCondition"),
        tuple(one for one in details if one[1]),
        problems,
    )


def describe_export(said: Node) -> Description:
    """Read what Transkribus writes of a document (`trpDocMetadata`)."""
    begin, end = _first(said, "{*}createdFromDate"), _first(said, "{*}createdToDate")
    if not end and (year := _NEW_YEAR.fullmatch(begin)):
        begin = year[1]  # its form knows only days: a lone 1 January stands for the year
    dates, problems = read_stated(Stated(begin) if not end or end == begin else Stated(begin=begin, end=end))
    language = language_code(_first(said, "{*}language"))
    details = (("author", _first(said, "{*}author")), ("genre", _first(said, "{*}genre")))
    return Description(
        _first(said, "{*}title"),
        (language,) if language else (),
        tuple(replace(one, rule=f"Transkribus: {one.rule}") for one in dates),
        details=tuple(one for one in details if one[1]),
        problems=problems,
    )


def merged(found: Sequence[Description]) -> Description:
    """Return what the records say together: of each kind of statement, and of each detail, what the first says."""
    details: dict[str, str] = {}
    for one in found:
        details = dict(one.details) | details
    whole = Description(details=tuple(details.items()))
    for one in found:
        whole = Description(
            whole.title or one.title,
            whole.languages or one.languages,
            whole.dates or one.dates,
            whole.link or one.link,
            whole.rights or one.rights,
            whole.details,
            whole.problems + one.problems,
        )
    return whole


def _first(mods: Node, path: str) -> str:
    return next((inner_text(one) for one in mods.iterfind(path) if inner_text(one)), "")


def _origins(mods: Node) -> list[Node]:
    """Return the statements of origin; where and when it was digitised is another matter."""
    return [
        one
        for one in mods.iterfind("{*}originInfo")
        if not (one.get("eventType") or "").casefold().startswith(("digiti", "captur"))
        and "electronic" not in inner_text(one.find("{*}edition")).casefold()
    ]


def _title(mods: Node) -> str:
    """Return the main title, with its article and, after a colon, its subtitle."""
    for info in mods.iterfind("{*}titleInfo"):
        title = " ".join(part for part in (_first(info, "{*}nonSort"), _first(info, "{*}title")) if part)
        if title and info.get("type") is None:
            subtitle = _first(info, "{*}subTitle")
            return f"{title}: {subtitle}" if subtitle else title
    return _first(mods, "{*}titleInfo/{*}title")


def _names(mods: Node) -> Iterator[str]:
    """Yield the persons that are named as authors or, where no role is said, named at all."""
    for name in mods.iterfind("{*}name"):
        roles = [inner_text(one).casefold() for one in name.iterfind("{*}role/{*}roleTerm")]
        if not roles or any(role in {"aut", "author", "cre", "creator"} for role in roles):
            shown = _first(name, "{*}displayForm") or ", ".join(
                inner_text(one) for one in name.iterfind("{*}namePart") if one.get("type") != "date"
            )
            if shown:
                yield shown


def _dates(mods: Node) -> tuple[tuple[DatePeriod, ...], tuple[str, ...]]:
    """Read the date of issue or, where there is none, of making."""
    origins = _origins(mods)
    for tag in ("{*}dateIssued", "{*}dateCreated"):
        elements = [one for origin in origins for one in origin.iterfind(tag) if inner_text(one)]
        if elements:
            keyed = [one for one in elements if one.get("keyDate") == "yes"]
            return _read(keyed + [one for one in elements if one not in keyed])
    return (), ()


def _read(elements: list[Node]) -> tuple[tuple[DatePeriod, ...], tuple[str, ...]]:
    def of(point: str, *, coded: bool) -> str:
        return next(
            (
                inner_text(one)
                for one in elements
                if (one.get("point") or "") == point and ((one.get("encoding") or "").casefold() in _CODED) is coded
            ),
            "",
        )

    begin, end, single = (of(point, coded=True) for point in ("start", "end", ""))
    printed = of("", coded=False)
    if begin and not end:  # an issue of one day, as libraries write it; an open end would be another claim
        begin, single = "", single or begin
    if not (begin or end or single) and not printed:
        begin, end = of("start", coded=False), of("end", coded=False)
        begin, single = (begin, "") if end else ("", begin)
    dates, problems = read_stated(Stated(single, begin, end, printed))
    for one in elements:
        doubt = _QUALIFIERS.get(one.get("qualifier") or "")
        dates = tuple(less_sure(date, doubt) for date in dates) if doubt else dates
    return tuple(replace(one, rule=f"MODS: {one.rule}") for one in dates), problems
