"""The documents of an issue: its articles, with what they do not say taken from the issue, and the rest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from vestigia.corpus.readers.alto import commonest, date_of, units_of
from vestigia.corpus.readers.mets_pages import ReadPage
from vestigia.corpus.readers.mets_structure import Claim, Division, Structure, is_periodical
from vestigia.corpus.readers.mods import Description, describe, describe_export, merged
from vestigia.corpus.readers.pages import Page, Region, compose
from vestigia.corpus.sources import named_id, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.ids import Digest, DocumentId
from vestigia.domain.periods import label, overlaps
from vestigia.domain.ports import Refused

_SHOWN = 5
_TITLE = 150
"""The longest title (characters) that is taken from the text of a heading."""

Place = tuple[int, int]
"""A line: the number of its sheet in the issue and its number in the sheet."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A METS file that was read: its name, its structure, its pages, the digest of all its files, its folder."""

    file: str
    structure: Structure
    pages: tuple[ReadPage, ...]
    digest: Digest
    folder: str


def articles_of(issue: Issue, reader: str) -> Iterator[Document | Refused]:
    """Yield a document for each article that claims text, and one of what is left; or one of the whole issue."""
    desk = _Desk(issue, reader)
    yield from desk.documents()
    yield from (Refused(place, reason, kept=True) for place, reason in desk.notes)


class _Desk:
    """The issue in hand: gives each line to the first division that claims it."""

    def __init__(self, issue: Issue, reader: str) -> None:
        self._issue, self._reader = issue, reader
        self._sheets = [sheet for page in issue.pages for sheet in page.sheets]
        self._lines = [sheet.placed() for sheet in self._sheets]
        files = [page.entry.id if page.entry else "" for page in issue.pages for _ in page.sheets]
        self._of_file = {file: [at for at, one in enumerate(files) if one == file] for file in files}
        self._taken: dict[Place, None] = {}
        self._names: Counter[str] = Counter()
        self.notes: list[tuple[str, str]] = []
        records = issue.structure.records
        said = [describe(records[name]) for name in issue.structure.of_issue if name in records]
        export = issue.structure.export
        self._whole = merged([*said, *([describe_export(export)] if export is not None else [])])
        self._dated()
        date = self._whole.dates[0] if self._whole.dates else None
        self._name = self._whole.title or issue.structure.label or stem(issue.file)
        issued = f", {label(date)}" if date and is_periodical(issue.structure) else ""
        self._title = self._name.rstrip(" .,") + issued if issued else self._name

    def documents(self) -> Iterator[Document]:
        """Yield the documents in the order of the logical structure, the rest last."""
        everything = [(at, line) for at, lines in enumerate(self._lines) for line in range(len(lines))]
        articles = [(one, found) for one in self._issue.structure.divisions if (found := self._claimed(one))]
        if not articles:
            yield self._document("", self._title, everything, Description())
            return
        for number, (division, found) in enumerate(articles, 1):
            records = self._issue.structure.records
            own = merged([describe(records[name]) for name in division.records if name in records])
            own = replace(own, details=(*own.details, *(("section", one) for one in division.within[-1:])))
            title = division.label or own.title or self._heading(division)
            yield self._document(
                self._named(division.id or str(number)),
                title or f"{self._title}, {division.kind.casefold()} {number}",
                found,
                own,
            )
        rest = [place for place in everything if place not in self._taken]
        if any(self._lines[at][line][1].text.strip() for at, line in rest):
            regions = len({(at, self._lines[at][line][0].name) for at, line in rest})
            title = f"{self._title}: unassigned text"
            yield self._document(self._named("rest"), title, rest, Description())
            self._note("rest", f"{regions} regions belong to no article; they are the document {title!r}")

    def _dated(self) -> None:
        """Let the name of the file date an issue whose description does not, and say where the two contradict."""
        where = "MODS" if self._issue.structure.export is None else "description"
        self.notes += [(where, problem) for problem in self._whole.problems]
        named, doubt = date_of(self._issue.file)
        dates = self._whole.dates
        if named is not None and not dates:
            self._whole = replace(self._whole, dates=(named,))
        elif named is not None and not any(overlaps(named, one) for one in dates):
            self._whole = replace(self._whole, dates=(*dates, named))
            self._note(
                "", f"the file name says {label(named)}, its description {label(dates[0])}; the description counts"
            )
        elif doubt and not dates:
            self._note("file name", doubt)

    def _note(self, place: str, note: str) -> None:
        self.notes.append((place, note))

    def _named(self, name: str) -> str:
        self._names[name] += 1
        return name if self._names[name] == 1 else f"{name}+{self._names[name]}"

    def _claimed(self, division: Division) -> list[Place]:
        """Return the lines of a division that no other has; a section's mere heading stays with the rest."""
        if division.holds_others and all(claim.heading for claim in division.claims):
            return []
        found: dict[Place, None] = {}
        absent: list[str] = []
        for claim in division.claims:
            places, missing = self._places(claim)
            found.update(dict.fromkeys(places))
            absent += missing if self._is_text(claim) else []
        own = [place for place in found if place not in self._taken]
        if absent:
            more = f" ... ({len(absent)} in all)" if len(absent) > _SHOWN else ""
            self._note(division.id, f"what it names is on no page that was read: {', '.join(absent[:_SHOWN])}{more}")
        if len(own) < len(found):
            self._note(
                division.id, f"{len(found) - len(own)} of its lines belong to an article before it; they stay with that"
            )
        self._taken.update(dict.fromkeys(own))
        return own

    def _is_text(self, claim: Claim) -> bool:
        entry = self._issue.structure.files.get(claim.file)
        return entry is None or entry.is_xml

    def _places(self, claim: Claim) -> tuple[list[Place], list[str]]:
        """Return (lines, ids that are not there); where the end is not there, the block of the beginning is meant."""
        for at in self._of_file.get(claim.file, ()):
            parts = self._sheets[at].parts
            begin, end = parts.get(claim.begin), parts.get(claim.end)
            if begin is not None:
                last = end or parts.get(self._lines[at][begin.start][0].name, begin)
                span = range(min(begin.start, last.start if end else begin.start), max(begin.stop, last.stop))
                return [(at, line) for line in span], [] if end else [claim.end]
        return [], [claim.begin]

    def _heading(self, division: Division) -> str:
        places = [place for claim in division.claims if claim.heading for place in self._places(claim)[0]]
        text = " ".join(compose(self._pages(places)).text.split())
        return text if len(text) <= _TITLE else text[:_TITLE].rsplit(" ", 1)[0] + " …"

    def _pages(self, places: Sequence[Place]) -> list[Page]:
        """Return the lines as pages and regions, in the order given."""
        pages = []
        for at, on_page in groupby(places, key=lambda place: place[0]):
            lines = [self._lines[at][line] for _, line in on_page]
            regions = tuple(
                Region(region.name, tuple(line for _, line in of_region), region.kind)
                for region, of_region in groupby(lines, key=lambda one: one[0])
            )
            pages.append(replace(self._sheets[at].page, regions=regions))
        return pages

    def _document(self, record: str, title: str, places: list[Place], own: Description) -> Document:
        issue, whole = self._issue, self._whole
        composed = compose(self._pages(places))
        sheets = [self._sheets[at] for at in dict.fromkeys(at for at, _ in places)]
        periodical = is_periodical(issue.structure)
        details = dict(whole.details) | ({"issue": self._title} if record and periodical else {}) | dict(own.details)
        issue_id = named_id(issue.file, 2)
        language = own.language or whole.language or commonest([sheet.language for sheet in sheets])
        return Document(
            DocumentId(f"{issue_id}/{record}" if record else issue_id),
            self._name if periodical else issue.folder,
            title,
            composed.text,
            language,
            Provenance(
                issue.file, record, issue.digest, self._reader, own.link or whole.link, own.rights or whole.rights
            ),
            own.dates or whole.dates,
            (*details.items(), *units_of(sheets)),
            composed.anchors,
        )
