"""What an archive covers and what it lacks, counted and not judged: so that a silence can be told from a gap (B1).

A document stands in a window when its whole date lies in it; one that is dated no finer stands beside the windows, and
an undated one is undated. Nothing is spread over the years it might belong to.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from vestigia.app.archive import compare
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import Kind, clusters, twins
from vestigia.corpus.importing import FileReport, report_of
from vestigia.domain.archive import SubCorpus
from vestigia.domain.ids import Digest
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, civil, label

_STEPS = ((30, 1), (300, 10), (0, 100))
"""Windows are years up to a span of 30, decades up to 300, else centuries."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-corpus: documents by window (in the order of the windows), those dated no finer, those undated.

    `pages` counts the pages that have text, `confidence` (0 to 1) is the mean of their recognition by length, None
    where no page states it. `access` counts the documents by what may be done with them.
    """

    described: SubCorpus
    counts: tuple[int, ...]
    wider: int
    undated: int
    pages: int
    confidence: float | None
    access: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Copies:
    """What is held twice: clusters by kind, the documents in them, and records not taken in as twins."""

    clusters: tuple[tuple[str, int], ...]
    documents: int
    twins: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The whole report. `windows` are named in the order of time; `files` counts all, `accounts` those with notes."""

    name: str
    fingerprint: Digest
    windows: tuple[str, ...]
    parts: tuple[Part, ...]
    copies: Copies
    files: int
    accounts: tuple[FileReport, ...]

    @property
    def documents(self) -> int:
        """All documents."""
        return sum(part.described.documents for part in self.parts)

    @property
    def undated(self) -> int:
        """All documents without a date."""
        return sum(part.undated for part in self.parts)

    @property
    def silent_pages(self) -> int:
        """The pages that the readers found without text."""
        return sum(one.pages_without_text for one in self.accounts)

    @property
    def refused(self) -> tuple[FileReport, ...]:
        """The files that did not go in, or not whole."""
        return tuple(one for one in self.accounts if one.failure or one.refused)


def coverage(workspace: Workspace) -> Coverage:
    """Report what an archive covers."""
    catalogue = workspace.catalogue()
    try:
        compare(catalogue)
        described = catalogue.sub_corpora()
        windows = _windows(described)
        accounts = [report_of(report, warnings) for _, report, warnings in catalogue.reports()]
        found = clusters(catalogue)
        kinds = Counter(one.kind for one in found)
        return Coverage(
            workspace.settings.archive.name,
            catalogue.fingerprint,
            tuple(_label(first, step) for first, step in windows),
            tuple(_part(catalogue, one, windows) for one in described),
            Copies(
                tuple((kind.value, kinds[kind]) for kind in Kind if kinds[kind]),
                sum(len(one.members) for one in found),
                len(twins(catalogue)),
            ),
            len(accounts),
            tuple(one for one in accounts if _speaks(one)),
        )
    finally:
        catalogue.close()


def plain(found: Coverage) -> dict[str, object]:
    """The report as data; a confidence nobody stated is None."""
    return {
        "name": found.name,
        "fingerprint": found.fingerprint,
        "documents": found.documents,
        "undated": found.undated,
        "windows": list(found.windows),
        "sub_corpora": [_plain_part(part) for part in found.parts],
        "pages_without_text": found.silent_pages,
        "duplicates": {
            "clusters": dict(found.copies.clusters),
            "documents": found.copies.documents,
            "twins": found.copies.twins,
        },
        "files": found.files,
        "accounts": [asdict(one) for one in found.accounts],
    }


def _plain_part(part: Part) -> dict[str, object]:
    one = part.described
    return {
        "name": one.name,
        "genre": one.genre or None,
        "description": one.description or None,
        "languages": list(one.languages),
        "source": one.source or None,
        "rights": one.rights or None,
        "access": dict(part.access),
        "period": label(one.period) if one.period else None,
        "documents": one.documents,
        "passages": one.passages,
        "by_window": list(part.counts),
        "wider": part.wider,
        "undated": part.undated,
        "pages": part.pages,
        "confidence": None if part.confidence is None else round(part.confidence, 4),
    }


def _windows(described: Iterable[SubCorpus]) -> tuple[tuple[int, int], ...]:
    """Return (first year, length in years) of each window; an open end is none."""
    years = [civil(day)[0] for one in described if one.period for day in (one.period.first, one.period.last)
             if day not in {FAR_PAST, FAR_FUTURE}]  # fmt: skip
    if not years:
        return ()
    first, last = min(years), max(years)
    step = next(step for most, step in _STEPS if last - first < most or not most)
    return tuple((year, step) for year in range(first - first % step, last + 1, step))


def _label(year: int, step: int) -> str:
    written = f"{year:04d}" if year >= 0 else f"-{-year:04d}"
    return written if step == 1 else f"{written}-{year + step - 1:04d}" if year >= 0 else f"{written}/{step}"


def _part(catalogue: Catalogue, described: SubCorpus, windows: tuple[tuple[int, int], ...]) -> Part:
    counts = dict.fromkeys((year for year, _ in windows), 0)
    step = windows[0][1] if windows else 1
    wider = 0
    for first, last, number in catalogue.spans(described.name):
        begin, end = civil(first)[0], civil(last)[0]
        year = begin - begin % step
        if year == end - end % step and year in counts:
            counts[year] += number
        else:
            wider += number
    pages, confidence = catalogue.legibility(described.name)
    access = tuple((kind or "unknown", number) for kind, number in catalogue.accesses(described.name))
    undated = described.documents - described.dated
    return Part(described, tuple(counts.values()), wider, undated, pages, confidence, access)


def _speaks(report: FileReport) -> bool:
    return bool(report.failure or report.refused or report.warnings)
