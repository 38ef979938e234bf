"""What a TEI header says of a letter: title, correspondence, sender, recipient, place, rights, and its dates.

A date is read from its attributes and from what is printed; the wider of the two counts, with the doubt that the marks
of the printed text or the editors' attributes state. Dates elsewhere in the header that contradict it are kept.
"""

from dataclasses import dataclass, replace

from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.dating import Stated, less_sure, printed_certainty, read_stated
from vestigia.corpus.readers.xml import Node, inner_text
from vestigia.domain.periods import DatePeriod, Precision, iso, overlaps

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_NAMES = "{*}persName|{*}orgName|{*}name"


@dataclass(frozen=True, slots=True)
class Header:
    """The description of one TEI text; `problems` are contradictions and dates that cannot be read."""

    title: str = ""
    sub_corpus: str = ""
    language: str = ""
    link: str = ""
    rights: str = ""
    dates: tuple[DatePeriod, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()


def describe(header: Node, text: Node) -> Header:
    """Read a `teiHeader` element and, for language and date where it has none, the `text` element."""
    if header is None:
        return Header(problems=("the TEI has no header",))
    language = _language(header, text)
    sent = header.find(".//{*}correspDesc/{*}correspAction[@type='sent']")
    received = header.find(".//{*}correspDesc/{*}correspAction[@type='received']")
    dates, problems = _dates(header, sent, text, language)
    details = [
        ("sender", _people(sent)),
        ("recipient", _people(received)),
        ("place", _place(sent)),
        ("place of receipt", _place(received)),
        ("author", _author(header) if sent is None else ""),
        *_kept_at(header.find(".//{*}msIdentifier")),
    ]
    licence = header.find(".//{*}availability/{*}licence")
    rights = "" if licence is None else licence.get("target", "") or inner_text(licence)
    handle = next(
        (
            inner_text(one)
            for one in header.iterfind(".//{*}publicationStmt/{*}idno")
            if inner_text(one).startswith("http")
        ),
        "",
    )
    return Header(
        _title(header, language),
        _correspondence(header),
        language,
        handle,
        rights,
        dates,
        tuple((name, value) for name, value in details if value),
        problems,
    )


def _language(header: Node, text: Node) -> str:
    stated = header.find(".//{*}langUsage/{*}language[@ident]")
    if stated is not None:
        return language_code(stated.get("ident"))
    root = header.getparent()
    written = (text.get(_LANG) if text is not None else None) or (root.get(_LANG) if root is not None else None)
    return language_code(written or "")


def _title(header: Node, language: str) -> str:
    """Return the title of the text itself (level a), in its own language; never the series or a date."""
    titles = [
        one
        for one in header.iterfind("./{*}fileDesc/{*}titleStmt/{*}title")
        if inner_text(one) and "date" not in one.get("type", "") and one.get("level") not in {"s", "j", "m"}
    ]
    titles = titles or [one for one in header.iterfind("./{*}fileDesc/{*}titleStmt/{*}title") if inner_text(one)]
    preferred = [one for one in titles if one.get("level") == "a"] or titles
    own = [one for one in preferred if language_code(one.get(_LANG, "")) == language]
    return inner_text((own or preferred)[0]) if preferred else ""


def _correspondence(header: Node) -> str:
    for path in (
        ".//{*}correspContext/{*}ref[@type='belongsToCorrespondence']",
        "./{*}fileDesc/{*}seriesStmt/{*}title",
    ):
        found = inner_text(header.find(path))
        if found:
            return found
    return ""


def _people(action: Node) -> str:
    if action is None:
        return ""
    return "; ".join(inner_text(one) for one in action.iter("{*}persName", "{*}orgName", "{*}name") if inner_text(one))


def _place(action: Node) -> str:
    return "" if action is None else inner_text(action.find("{*}placeName"))


def _kept_at(described: Node) -> list[tuple[str, str]]:
    """Return the archive, its town, and by what it keeps the piece: fonds and shelf mark."""
    if described is None:
        return []
    paths = {
        "repository": "./{*}repository",
        "institution": "./{*}institution",
        "settlement": ".//{*}settlement",
        "fonds": "./{*}collection",
        "shelf mark": "./{*}idno",
    }
    return [(name, inner_text(described.find(path))) for name, path in paths.items()]


def _author(header: Node) -> str:
    return inner_text(header.find("./{*}fileDesc/{*}titleStmt/{*}author"))


def _dates(header: Node, sent: Node, text: Node, language: str) -> tuple[tuple[DatePeriod, ...], tuple[str, ...]]:
    """Return the dates of the first place that has any as one period, then those elsewhere that contradict it."""
    groups = [
        list(sent.iterfind(".//{*}date")) if sent is not None else [],
        list(header.iterfind(".//{*}origDate")),
        list(header.iterfind(".//{*}docDate")),
        list(header.iterfind(".//{*}creation/{*}date")),
    ]
    if not any(groups) and text is not None:
        groups.append(list(text.iterfind(".//{*}dateline//{*}date"))[:1])
    problems: list[str] = []
    read = [_read_group(group, language, problems) for group in groups]
    found = [period for group in read for period in group[:1]]
    if not found:
        return (), tuple(problems)
    counts = found[0]
    others: list[DatePeriod] = [period for group in read[:1] for period in group[1:]]
    for other in found[1:]:
        if not overlaps(counts, other):
            problems.append(f"the header contradicts itself: {_span(counts)} and {_span(other)}")
        if all((other.first, other.last) != (known.first, known.last) for known in [counts, *others]):
            others.append(other)
    return (counts, *others), tuple(problems)


def _read_group(elements: list[Node], language: str, problems: list[str]) -> list[DatePeriod]:
    """Read dates that state the same thing, or the first and last day of a letter written over several."""
    periods: list[DatePeriod] = []
    for element in elements:
        stated = _stated(element)
        dates, found = read_stated(stated, language_code(element.get(_LANG, "")) or language)
        problems.extend(problem for problem in found if problem not in problems)
        periods.extend(less_sure(period, printed_certainty(stated.printed)) for period in dates)
    if len(elements) < 2 or not periods:
        return periods
    first, last = min(one.first for one in periods), max(one.last for one in periods)
    widest = next((one for one in periods if (one.first, one.last) == (first, last)), None)
    if widest is None:
        text = " / ".join(dict.fromkeys(one.text for one in periods if one.text))
        widest = replace(
            periods[0],
            first=first,
            last=last,
            precision=Precision.RANGE,
            text=text,
            edtf=f"{iso(first)}/{iso(last)}",
            rule="widest of the stated dates",
        )
    return [widest]


def _stated(element: Node) -> Stated:
    """Read the attributes of a date, in the forms @when, @when-iso and @when-custom."""

    def value(name: str) -> str:
        given = (element.get(name + form, "").strip() for form in ("", "-iso", "-custom"))
        return next((one for one in given if one), "")

    date, begin, end = value("when"), value("notBefore") or value("from"), value("notAfter") or value("to")
    if "/" in date and not (begin or end):
        begin, end = _spelled_out(*date.split("/", 1))
        date = ""
    return Stated(date, begin, end, inner_text(element), element.get("cert") or element.get("evidence") or "")


def _spelled_out(begin: str, end: str) -> tuple[str, str]:
    """Write the end of `1918-12-16/31` in full, as ISO 8601 lets it be shortened."""
    return begin, begin[: len(begin) - len(end)] + end if len(end) < len(begin) else end


def _span(period: DatePeriod) -> str:
    return iso(period.first) if period.is_one_day else f"{iso(period.first)}/{iso(period.last)}"
