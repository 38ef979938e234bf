"""Dossiers: sealed on purpose by a person, then read window by window; quotations of one's own text checked."""

from typing import Annotated, Any

from fastapi import Form, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import curating, dossiers, interpreting, quoting, reading_room, works
from vestigia.app.modelling import readers
from vestigia.app.people.roles import Role
from vestigia.app.works import Work
from vestigia.domain.commissions import InterpretOrder
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.inquiry.curation import Standing
from vestigia.inquiry.dossier import dossiers as sealed_in
from vestigia.web import attachments
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect
from vestigia.web.visitor import tells_no_score

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]


@pages.page("/archives/{archive}/dossiers")
def all_dossiers(request: Request) -> Response:
    """The dossiers that people sealed, the newest of each curation."""
    held: Holding = request.state.archive
    shown, problems = [], []
    for row in held.workspace.run_rows():
        if row.kind != "curation":
            continue
        try:
            work = works.read(held.workspace, row.run)
        except VestigiaError as error:
            problems.append(str(error))
            continue
        found = sealed_in(work.entries, work.run)
        if found:
            last = found[-1]
            shown.append(
                {"run": work.run, "description": work.first.question.text, "sources": len(last.sources),
                 "statement": last.statement, "sealed_by": last.author, "sealed_at": last.time, "seals": len(found)}
            )  # fmt: skip
    shown.sort(key=lambda one: str(one["sealed_at"]), reverse=True)
    return page(request, "dossiers.html", {"dossiers": shown, "problems": problems})


@pages.page("/archives/{archive}/curate/{run}/seal", Role.CURATOR)
def to_seal(request: Request, run: str) -> Response:
    """What would be sealed, to be looked at before it is."""
    return _to_seal(request, run)


@pages.action("/archives/{archive}/curate/{run}/seal", Role.CURATOR)
def seal(request: Request, run: str, statement: Text = "", sources: Annotated[int, Form()] = -1) -> Response:
    """Seal what is accepted: as many sources as the page said, or it is looked at once more."""
    held: Holding = request.state.archive
    try:
        accepted = len(curating.read(_curation(held, run)).of(Standing.ACCEPTED))
        if accepted != sources:
            raise UsageError(
                f"by now {accepted} sources are accepted, and not {sources}.",
                remedy="Somebody went on deciding. Look at the list below and seal it if it is right.",
            )
        work = dossiers.seal(held.workspace, run, statement, request.state.visitor.name)
    except VestigiaError as error:
        return _to_seal(request, run, said(error), statement)
    return redirect(f"/archives/{held.slug}/dossiers/{work.run}", "dossier.sealed", n=sources)


@pages.page("/archives/{archive}/dossiers/{run}")
@tells_no_score
def reading(request: Request, run: str, windows: str = "") -> Response:
    """The reading room: the sources of a dossier by window, each with sentences chosen by rule."""
    return reading_page(request, run, windows)


def reading_page(
    request: Request, run: str, windows: str = "", error: Plain | None = None, typed: Plain | None = None
) -> Response:
    """The page of a dossier, with what was typed wrongly there."""
    held: Holding = request.state.archive
    with unknown():
        found = dossiers.newest(held.workspace, run).origin.run
    request.state.permalink = f"/archives/{held.slug}/dossiers/{found}"
    closed = request.state.closed
    try:
        view = reading_room.laid_out(held.workspace, run, windows, closed=closed)
    except UsageError as wrong:
        if request.url.path.endswith(".json"):
            raise
        error = error or said(wrong)
        view = reading_room.laid_out(held.workspace, run, "", closed=closed)
    view["interpretations"] = _interpretations(held, view["run"])
    return page(
        request,
        "dossier.html",
        view,
        error["status"] if error else 200,
        error=error,
        typed=typed or {"questions": "", "models": [], "calls": "", "cost": ""},
        windows=windows,
        models=readers(held.workspace.settings),
    )


@pages.page("/archives/{archive}/quotes", Role.RESEARCHER)
def quotes(request: Request) -> Response:
    """A form for a text whose quotations are to be checked."""
    return page(request, "quotes.html", {"counts": {}, "quotations": []}, error=None, text="", checked=False)


@pages.action("/archives/{archive}/quotes", Role.RESEARCHER)
def check(request: Request, text: Text = "", file: Annotated[UploadFile | None, Form()] = None) -> Response:
    """Check every quotation of a text that is pasted, or of a file. Nothing of it is kept."""
    held: Holding = request.state.archive
    closed = request.state.closed
    try:
        if file is not None and file.filename:
            with attachments.kept(file) as path:
                found = quoting.check_quotes(held.workspace, path, closed=closed)
        elif text.strip():
            with attachments.typed(text) as path:
                found = quoting.check_quotes(held.workspace, path, closed=closed)
        else:
            raise UsageError("there is no text.", remedy="Paste one, or choose a file: .md, .txt or .docx.")
    except VestigiaError as error:
        told = said(error)
        status = 400 if told["status"] >= 500 else told["status"]
        empty: Plain = {"counts": {}, "quotations": []}
        return page(request, "quotes.html", empty, status, error=told, text=text, checked=False)
    return page(request, "quotes.html", quoting.plain(found), error=None, text=text, checked=True)


def _curation(held: Holding, run: str) -> Work:
    with unknown():
        work = works.read(held.workspace, run)
        curating.read(work)
    return work


def _to_seal(request: Request, run: str, error: Plain | None = None, statement: str = "") -> Response:
    held: Holding = request.state.archive
    shown = curating.shown(held.workspace, _curation(held, run), closed=request.state.closed)
    accepted = [one for one in shown["sources"] if one["standing"] == Standing.ACCEPTED]
    view = {
        "run": shown["run"],
        "description": shown["description"],
        "counts": shown["counts"],
        "conflicts": shown["conflicts"],
        "accepted": [
            {part: one.get(part) for part in ("document", "title", "date", "sub_corpus", "citation")}
            for one in accepted
        ],
        "dossiers": shown["dossiers"],
    }
    return page(request, "seal.html", view, error["status"] if error else 200, error=error, statement=statement)


def _interpretations(held: Holding, run: str) -> list[Plain]:
    """The interpretations of the dossiers of a curation."""
    shown = []
    for row in held.workspace.run_rows():
        if row.kind != "interpretation":
            continue
        try:
            work = works.read(held.workspace, row.run)
        except VestigiaError:
            continue
        order = work.first.commission
        if isinstance(order, InterpretOrder) and order.dossier.run == run:
            shown.append(
                {"run": row.run, "questions": list(order.questions), "model": row.model, "at": row.opened_at,
                 "finished": interpreting.read(work).finished}
            )  # fmt: skip
    return shown
