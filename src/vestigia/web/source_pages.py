"""A source: its text, the page it stands on with the passage outlined, what is known of it, what was done with it."""

import re
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import corrections, curating, page_images, putting_back, works
from vestigia.app.page_images import WIDTHS
from vestigia.app.people.roles import Role
from vestigia.app.source import Place, pages_of, source
from vestigia.app.used import uses
from vestigia.domain.archive import Access, Document
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId, PassageId, RunId
from vestigia.web import attachments
from vestigia.web.addresses import source_at
from vestigia.web.faults import UnknownError, said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect
from vestigia.web.visitor import needs

pages = Pages()
Plain = dict[str, Any]
ZOOMS = (1, 2, 4)
_IIIF = re.compile(r"(https?://.+)/[^/]+/[^/]+/[^/]+/([a-z]+\.[a-z0-9]+)")
"""An address of the IIIF Image API: base, region, size, rotation, quality and format."""


@pages.page("/archives/{archive}/sources/{document:path}/text")
def reading(  # noqa: PLR0913, PLR0917  what can be asked of a source
    request: Request,
    document: str,
    named: Annotated[str, Query(alias="document")] = "",
    passage: str = "",
    part: Annotated[int, Query(ge=1)] = 1,
    sheet: Annotated[int, Query(alias="page", ge=0)] = 0,
    zoom: int = 1,
    closed: bool = False,
) -> Response:
    """A source, at a passage, a part or a page of it."""
    name = named if document == "-" and named else document
    shown = _closed(request, asked=closed)
    with unknown():
        return _page(request, name, Place(passage, part, sheet), closed=shown, zoom=zoom if zoom in ZOOMS else 1)


@pages.get("/archives/{archive}/sources/{document:path}/image", include_in_schema=False)
@needs(Role.READER)
def image(
    request: Request,
    document: str,
    named: Annotated[str, Query(alias="document")] = "",
    sheet: Annotated[int, Query(alias="page", ge=1)] = 1,
    width: Annotated[int, Query(ge=1)] = WIDTHS[1],
    closed: bool = False,
) -> Response:
    """A page of a source as a picture."""
    held: Holding = request.state.archive
    whole, found = _sheet(
        held, named if document == "-" and named else document, sheet, closed=_closed(request, asked=closed)
    )
    with unknown():
        drawn = page_images.scaled(held.workspace, whole.provenance.file, found, width)
    kept = "no-store" if _closed(request, asked=closed) else "private, max-age=3600"
    return Response(drawn, media_type="image/jpeg", headers={"cache-control": kept})


@pages.action("/archives/{archive}/sources/{document:path}/corrections", Role.RESEARCHER)
def correct(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    document: str,
    passage: Annotated[str, Form()],
    was: Annotated[str, Form()] = "",
    now: Annotated[str, Form()] = "",
    note: Annotated[str, Form()] = "",
    hold: Annotated[bool, Form()] = False,
    named: Annotated[str, Query(alias="document")] = "",
) -> Response:
    """Lay a correction over words of a passage; with `hold` the verdicts that rest on them go back to hold."""
    held: Holding = request.state.archive
    name = named if document == "-" and named else document
    _require_shown(held, name, closed=request.state.closed or request.app.state.people is None)
    try:
        if passage.rpartition("#")[0] != name:
            raise UsageError("the passage is of another source.", remedy="Open the source anew.")
        corrections.correct(held.workspace, PassageId(passage), (was, now), request.state.visitor.name, note)
    except VestigiaError as error:
        told, typed = said(error), {"was": was, "now": now, "note": note}
        place, shown = Place(passage if passage.rpartition("#")[0] == name else ""), _closed(request, asked=True)
        with unknown():
            return _page(request, name, place, closed=shown, error=told, typed=typed)
    back = source_at(held.slug, name, passage)
    if not hold:
        return redirect(back, "source.corrected")
    try:
        done = _put_back(request, DocumentId(name))
    except VestigiaError as error:
        return redirect(back, "source.not_held", "warn", why=said(error)["what"])
    return redirect(back, "source.corrected_held", n=done) if done else redirect(back, "source.corrected")


def _put_back(request: Request, document: DocumentId) -> int:
    """Put a source back to hold in the runs that may be seen, as far as the visitor may decide there."""
    held, visitor = request.state.archive, request.state.visitor
    runs = [RunId(one.run) for one in uses(held.workspace, document) if one.state != "broken"]
    curates = visitor.may(Role.CURATOR, held.slug)
    return putting_back.put_back_everywhere(held.workspace, document, runs, visitor.name, curates=curates)


@pages.action("/archives/{archive}/sources/{document:path}/corrections/{number}/back", Role.RESEARCHER)
def take_back(
    request: Request, document: str, number: int, named: Annotated[str, Query(alias="document")] = ""
) -> Response:
    """Take a correction back."""
    held: Holding = request.state.archive
    name = named if document == "-" and named else document
    _require_shown(held, name, closed=request.state.closed or request.app.state.people is None)
    corrections.take_back(held.workspace, DocumentId(name), number, request.state.visitor.name)
    return redirect(source_at(held.slug, name), "source.taken_back")


@pages.action("/archives/{archive}/sources/{document:path}/curate", Role.CURATOR)
def take(
    request: Request,
    document: str,
    run: Annotated[str, Form()] = "",
    passage: Annotated[str, Form()] = "",
    why: Annotated[str, Form(max_length=2000)] = "",
    named: Annotated[str, Query(alias="document")] = "",
) -> Response:
    """Lay the source beside those of a curation; there it is open then."""
    held: Holding = request.state.archive
    name = named if document == "-" and named else document
    with unknown():
        work = works.read(held.workspace, run)
        found = curating.read(work)
    to = f"/archives/{held.slug}/curate/{work.run}?{attachments.address({'at': name})}#reader"
    if any(source.item.document == name for source in found.sources):
        return redirect(to, "source.there", "warn")
    try:
        curating.add(held.workspace, work.run, DocumentId(name), request.state.visitor.name, passage, why)
    except VestigiaError as error:
        with unknown():
            return _page(request, name, Place(), closed=_closed(request, asked=True), error=said(error))
    return redirect(to, "source.taken")


def _page(  # noqa: PLR0913
    request: Request,
    name: str,
    place: Place,
    *,
    closed: bool,
    zoom: int = 1,
    error: Plain | None = None,
    typed: Plain | None = None,
) -> Response:
    held: Holding = request.state.archive
    view = source(held.workspace, name, place, closed=closed)
    picture = _picture(held, view, closed=closed, zoom=zoom)
    if picture and picture["remote"]:
        request.state.image_hosts = (picture["host"],)
    here = {"document": name} if "/-/text?" in source_at(held.slug, name) else {}
    return page(
        request,
        "source.html",
        view,
        error["status"] if error else 200,
        picture=picture,
        zoom=zoom,
        zooms=ZOOMS,
        error=error,
        typed=typed or {"was": "", "now": "", "note": ""},
        here_fields={**here, **({"closed": "true"} if closed and not request.state.closed else {})},
        base=source_at(held.slug, name).partition("?")[0],
        may_correct=request.state.visitor.may(Role.RESEARCHER, held.slug),
        curations=_open_curations(held, view) if request.state.visitor.may(Role.CURATOR, held.slug) else None,
        may_open=view["withheld"] == "closed" and request.app.state.people is None,
    )


def _open_curations(held: Holding, view: Plain) -> list[tuple[str, str]]:
    """The curations that are not closed and lack this source, by run and words, the one begun last first."""
    there = {one["run"] for one in view["used"] if one["in_set"]}
    rows = [row for row in held.workspace.run_rows() if row.kind == "curation" and row.state in {"open", "paused"}]
    return [(row.run, f"{row.question[:80]} ({row.opened_at[:10]})") for row in rows if row.run not in there]


def _picture(held: Holding, view: Plain, *, closed: bool, zoom: int) -> Plain | None:
    """How the page is drawn: a picture of here, one of a host that is allowed, or its lines alone."""
    sheet = view["image"]
    if sheet is None:
        return None
    drawn = {"remote": "", "host": "", "crop": "", "local": False, "width": sheet["width"], "height": sheet["height"]}
    name = sheet["image"] or ""
    whole, _ = _sheet(held, view["document"], sheet["number"], closed=True)
    file = whole.provenance.file
    if not name or not (closed or page_images.is_free(held.workspace, file, name)):
        return drawn
    if page_images.is_remote(name):
        parts = urlsplit(name)
        host = f"{parts.scheme}://{parts.netloc}"
        if host in held.workspace.settings.images.hosts:
            return {**drawn, "remote": name, "host": host, "crop": _crop(name, sheet["outline"])}
        return {**drawn, "host": parts.netloc}
    measured = page_images.size(held.workspace, file, name)
    if measured is not None:
        wide = WIDTHS[min(len(WIDTHS) - 1, 1 + ZOOMS.index(zoom))]
        return {**drawn, "local": True, "width": measured[0], "height": measured[1], "pixels": wide}
    return drawn


def _crop(name: str, box: tuple[int, int, int, int] | None) -> str:
    """The address of the passage's region alone, where the image has an address of the IIIF Image API; else none."""
    found = _IIIF.fullmatch(name)
    if found is None or box is None:
        return ""
    return f"{found[1]}/{','.join(str(max(0, int(side))) for side in box)}/!900,900/0/{found[2]}"


def _sheet(held: Holding, name: str, number: int, *, closed: bool) -> tuple[Document, str]:
    """A source and the image of its page of that number. Raises UnknownError."""
    with held.catalogue() as catalogue:
        whole, cards = catalogue.document(DocumentId(name)), catalogue.documents([DocumentId(name)])
    lines = pages_of(whole)[number - 1 : number] if whole else []
    refused = not closed and bool(cards) and cards[0].access is Access.CLOSED
    if whole is None or not lines or refused:
        raise UnknownError("there is no such page.", remedy="Open the source.")
    found = lines[0][0].image
    if not closed and not page_images.is_free(held.workspace, whole.provenance.file, found):
        raise UnknownError("there is no such page.", remedy="Open the source.")
    return whole, found


def _closed(request: Request, *, asked: bool) -> bool:
    """Whether a closed text is shown: who works alone on this machine need only ask for it each time."""
    return bool(request.state.closed) or (asked and request.app.state.people is None)


def _require_shown(held: Holding, name: str, *, closed: bool) -> None:
    """Raise UnknownError unless the text of the source may be read."""
    with held.catalogue() as catalogue:
        cards = catalogue.documents([DocumentId(name)])
    if not cards or (cards[0].access is Access.CLOSED and not closed):
        raise UnknownError("there is no such source.", remedy="Search for it, or begin at the archive.")
