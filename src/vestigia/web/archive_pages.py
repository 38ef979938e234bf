"""The list of archives, and an archive: what it covers, its parts, what became of its files."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import report
from vestigia.app.archive import status
from vestigia.app.report import Coverage
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import FileReport
from vestigia.domain.errors import VestigiaError
from vestigia.web import charts
from vestigia.web.faults import said
from vestigia.web.holdings import Holding, met_by
from vestigia.web.pages import Pages, page
from vestigia.web.visitor import SIGNED_IN

pages = Pages()
Plain = dict[str, Any]
LISTED = 100
"""Files shown on the page; the twin has them all."""


@pages.page("/", SIGNED_IN)
def archives(request: Request) -> Response:
    """The archives of the site in which the visitor has a role; one that cannot be opened says why."""
    there = [one for one in request.app.state.holdings if request.state.visitor.role_in(one.slug)]
    return page(request, "archives.html", {"archives": [_listed(request, one) for one in there]})


@pages.page("/archives/{archive}")
def archive(request: Request) -> Response:
    """One archive."""
    held: Holding = request.state.archive
    found = coverage_of(held)
    accounts = [_account(one) for one in found.refused]
    view = report.plain(found) | {"status": _status(held.workspace)}
    spec = by_time(found) if found.windows else None
    return page(request, "archive.html", view, chart=spec, refused=accounts[:LISTED], unlisted=len(accounts[LISTED:]))


def coverage_of(held: Holding) -> Coverage:
    """What the archive covers, counted once for each of its states."""
    with held.catalogue() as catalogue:
        state = f"{catalogue.fingerprint} {catalogue.batch}"
    return held.remembered("coverage", state, lambda: report.coverage(held.workspace))


def by_time(found: Coverage, height: int = 220) -> charts.Spec:
    """Documents by window and sub-corpus, the eight largest apart."""
    parts = sorted(found.parts, key=lambda part: -part.described.documents)
    shown = {part.described.name: list(part.counts) for part in parts[: len(charts.COLOURS) - 1]}
    rest = [part.counts for part in parts[len(charts.COLOURS) - 1 :]]
    if rest:
        shown["…"] = [sum(numbers) for numbers in zip(*rest, strict=True)]
    return charts.bars(found.windows, shown, "", "", height=height)


def _listed(request: Request, held: Holding) -> Plain:
    try:
        with met_by(request, held)[0].catalogue() as catalogue:
            parts: Sequence[Any] = catalogue.sub_corpora()
        shown = {"documents": sum(part.documents for part in parts), "sub_corpora": [part.name for part in parts]}
    except VestigiaError as error:
        shown = {"problem": said(error)}
    return {"archive": held.slug, "name": held.name, "documents": None, "sub_corpora": [], "problem": None, **shown}


def _status(workspace: Workspace) -> Plain:
    found = status(workspace)
    return {
        "passages": found.passages,
        "dated": found.dated,
        "channels": list(found.channels),
        "encoders": found.encoders,
        "stale": found.stale,
        "model": found.model,
        "unusable": found.unusable,
    }


def _account(one: FileReport) -> Plain:
    """A file of which something was refused: the reason for it all, or each record with its reason."""
    records = [{"record": record.place, "reason": record.reason} for record in one.refused]
    return {"file": one.file, "documents": one.documents, "failure": one.failure or None, "refused": records}
