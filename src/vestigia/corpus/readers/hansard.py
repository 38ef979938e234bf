"""Parliamentary XML (Historic Hansard): a document for each debate, question or other section that has words.

Headings and speakers stay in the text as they are printed. The date of a sitting is both printed and encoded in an
attribute; where they disagree both are kept and reported, and the printed one counts, because the attribute was made
from it, unless the weekday it prints fits only the attribute.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vestigia.corpus.dates import read_date
from vestigia.corpus.readers.dating import Stated, read_stated
from vestigia.corpus.readers.hansard_text import SITTINGS, Part, Piece, Printed, walk, written
from vestigia.corpus.readers.xml import open_xml, root_name
from vestigia.corpus.sources import named_id
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import DatePeriod, civil, label, overlaps
from vestigia.domain.ports import Refused, Source

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMES = {
    "housecommons": "House of Commons",
    "commons": "House of Commons",
    "houselords": "House of Lords",
    "lords": "House of Lords",
    "westminsterhall": "Westminster Hall",
    "grandcommitteereport": "Grand Committee",
    "ministerialcorrections": "Ministerial corrections",
    "petitions": "Petitions",
}
_LONGEST_TITLE = 300
Dated = tuple[tuple[DatePeriod, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class HansardReader:
    """Reads the XML of Historic Hansard, whole volumes (`hansard`) and single sittings."""

    @property
    def name(self) -> str:
        """`hansard`."""
        return "hansard"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the first element is a sitting or a volume of them."""
        return root_name(head) in SITTINGS | {"hansard"}

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read every section. Raises SourceRefusedError where the XML is broken and no section before it is whole."""
        parts, broken = walk(source)
        if broken is None:
            open_xml(source)  # refuses entities, which the other way of parsing passes over
        # What holds sections is never whole in a broken file, but keeps the words it had.
        whole = [part for part in parts if part.complete or part.kind not in {"section", "index"}]
        if broken is not None and not any(part.has_text for part in whole):
            raise SourceRefusedError(
                f"{broken.what} No complete section with text stands before that place.",
                where=broken.where,
                remedy=broken.remedy,
            )
        yield from _documents(whole, source.name)
        yield from _repeated(parts)
        if broken is not None:
            cut = [part for part in parts if not part.complete and part.kind in {"section", "index"}]
            lost = sum(len(piece.text) for part in cut for piece in part.pieces)
            names = ", ".join(repr(_called(part)) for part in cut) or "none"
            yield Refused(
                broken.where.rpartition(", ")[2],
                f"{broken.what} The complete sections before that place "
                f"went in; cut short and left out: {names} ({lost} characters read), and all that follows. "
                f"{broken.remedy}",
                kept=True,
            )


def _documents(parts: list[Part], file: str) -> Iterator[Document | Refused]:
    holders = {id(above) for part in parts for above in part.above()}
    spoken = {id(one) for part in parts if part.has_text for one in (part, *part.above())}
    silent: set[int] = set()
    headings: dict[int, Part] = {}
    told: dict[Printed, None] = {}
    for part in parts:
        if part.has_text:
            before = [piece for one in part.above() if headings.pop(id(one), None) for piece in one.pieces]
            yield from _document(part, before, file, told)
        elif silent.intersection(id(above) for above in part.above()):
            continue  # said of the whole sitting
        elif part.kind in SITTINGS and id(part) not in spoken:
            silent.add(id(part))
            yield Refused(_place(part), _empty(part))
        elif id(part) in holders:
            headings[id(part)] = part
        elif part.title or part.kind == "section":
            under = "".join(f", in {one.title!r}" for one in part.above()[-1:] if one.title)
            yield Refused(_place(part), f"the section {_called(part)!r}{under} has no text but its heading.")


def _document(part: Part, before: list[Piece], file: str, told: dict[Printed, None]) -> Iterator[Document | Refused]:
    text, anchors = written([*before, *part.pieces])
    read = [_read(printed) for printed in part.dates]
    dates: dict[tuple[int, int], DatePeriod] = {}
    for periods, _ in read:
        for period in periods:
            dates.setdefault((period.first, period.last), period)
    columns = list(dict.fromkeys(piece.column for piece in part.pieces if piece.column))
    above = [one.title for one in part.above() if one.title]
    details = (
        ("part of", " / ".join(above)),
        ("speakers", "; ".join(part.speakers)),
        ("columns", "-".join(dict.fromkeys([columns[0], columns[-1]])) if columns else ""),
    )
    place = _place(part)
    yield Document(
        DocumentId(f"{named_id(file, 2)}-{part.number}"),
        _house(part),
        _called(part)[:_LONGEST_TITLE],
        text,
        "en",
        Provenance(file, place, digest(text), "hansard"),
        tuple(dates.values()),
        tuple(pair for pair in details if pair[1]),
        anchors,
    )
    if len(part.dates) > 1:
        yield Refused(place, f"it runs on into {part.dates[-1].printed!r}; both dates are kept", kept=True)
    for printed, (_, problems) in zip(part.dates, read, strict=True):
        if printed not in told:
            told[printed] = None
            yield from (Refused(place, problem, kept=True) for problem in problems)
    if not dates:
        yield Refused(place, "no date is given; the document goes in undated", kept=True)


def _read(date: Printed) -> Dated:
    """Return (dates, problems) of a date element, the one that counts first."""
    encoded = read_date(date.encoded)
    printed = date.printed
    if encoded is not None and read_date(printed, "en") is None:
        with_year = f"{printed.rstrip(' .,;')} {civil(encoded.first)[0]}"  # `Friday, July 5.`
        printed = with_year if read_date(with_year, "en") else printed
    periods, problems = read_stated(Stated(date=date.encoded, printed=printed), "en")
    periods = tuple(replace(one, text=date.printed) if one.text == printed else one for one in periods)
    if encoded is None or len(periods) != 2 or overlaps(*periods):
        return periods, problems
    by_attribute, as_printed = periods
    day = _weekday(date.printed)
    first = by_attribute if day and day == _day_of(by_attribute) != _day_of(as_printed) else as_printed
    other = as_printed if first is by_attribute else by_attribute
    why = "" if not day else ", whose weekday is the one printed" if day == _day_of(first) else ", as it is printed"
    written_as = {id(by_attribute): date.encoded, id(as_printed): date.printed}
    problem = (
        f"the date is printed {date.printed!r} but encoded as {date.encoded}; both are kept, {label(first)} counts{why}"
    )
    return tuple(replace(one, text=written_as[id(one)]) for one in (first, other)), (problem,)


def _weekday(printed: str) -> str:
    words = re.findall(r"[a-z]+", printed.casefold())
    return next((word for word in words if word in _WEEKDAYS), "")


def _day_of(period: DatePeriod) -> str:
    return _WEEKDAYS[(period.first + 3) % 7] if period.is_one_day else ""  # 1 January 1970 was a Thursday


def _repeated(parts: list[Part]) -> Iterator[Refused]:
    """Tell of sittings of one kind that bear the same date: a day printed twice, or a file put together twice."""
    heads = Counter((part.kind, part.dates[0].printed) for part in parts if part.kind in SITTINGS and part.dates)
    for (kind, printed), count in heads.items():
        if count > 1:
            yield Refused(
                "",
                f"the date {printed!r} stands over {count} sittings of the {_name(kind)}; each was read on its own",
                kept=True,
            )


def _empty(part: Part) -> str:
    dated = f" of {part.dates[-1].printed!r}" if part.dates else ""
    said = "; ".join(problem.partition("; both")[0] for printed in part.dates[-1:] for problem in _read(printed)[1])
    return f"the sitting {_called(part)!r}{dated} has no text" + (f"; {said}." if said else ".")


def _called(part: Part) -> str:
    """Return its heading, or that of the part it lies in."""
    above = [one.title for one in part.above() if one.title]
    return part.title or (above[-1] if above else "") or _name(part.kind)


def _house(part: Part) -> str:
    """Return the sub-corpus: the House, or what is printed with it as its own heading names it."""
    for one in (part, *reversed(part.above())):
        if one.kind in SITTINGS:
            return _name(one.kind)
    return ""


def _name(kind: str) -> str:
    """Return the name of a House, or of what is printed beside its debates."""
    if kind in _NAMES:
        return _NAMES[kind]
    return "Written answers" if "answers" in kind else "Written statements" if "statements" in kind else kind


def _place(part: Part) -> str:
    column = next((piece.column for piece in part.pieces if piece.column), "")
    return f"section {part.number}" + (f", column {column}" if column else "")
