"""Runs: their list, what each did and found, its record; deciding about it, letting it go on."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import Depends, Form, Header, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import deciding, putting_back
from vestigia.app.limits import CHECKPOINTS
from vestigia.app.models import EXTRACTIVE
from vestigia.app.people.roles import Role
from vestigia.app.present import Plain
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId
from vestigia.inquiry.planning import Change
from vestigia.web import run_views, standing, streams
from vestigia.web.excerpts import around, excerpt
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.records import Record, Records
from vestigia.web.standing import live_of
from vestigia.web.templating import redirect
from vestigia.web.visitor import needs, tells_no_score

pages = Pages()
SHOWN, LISTED, LINES = 25, 20, 100
"""Sources, runs and entries on a page."""


def found(request: Request, run: str) -> RunId:
    """The run that an address names, where the visitor may see it. Raises UnknownError."""
    held: Holding = request.state.archive
    with unknown():
        return held.workspace.run(run)


Named = Annotated[RunId, Depends(found)]
PageNumber = Annotated[int, Query(alias="page", ge=1, le=100_000)]


def record_of(request: Request, run: str) -> Record:
    """The record of a run."""
    records: Records = request.app.state.records
    return records.read(request.state.archive.workspace, run)


def headed(request: Request, run: RunId) -> tuple[Record, Plain]:
    """The record of a run and how it stands."""
    record = record_of(request, run)
    return record, standing.plain(request, run, record.entries)


@pages.page("/archives/{archive}/runs")
def runs(
    request: Request,
    q: str = "",
    state: str = "",
    kind: str = "",
    number: Annotated[int, Query(alias="page", ge=1)] = 1,
) -> Response:
    """All runs that may be seen, the one opened last first."""
    held: Holding = request.state.archive
    records: Records = request.app.state.records
    rows = held.workspace.run_rows()
    if state or kind:
        every = [run_views.listed(records, live_of(request), held.workspace, row) for row in rows]
        wanted = [row for row in every if run_views.belongs(row, state, kind, q)]
        shown = wanted[(number - 1) * LISTED : number * LISTED]
        total = len(wanted)
    else:
        some = [row for row in rows if q.strip().casefold() in f"{row.question} {row.run} {row.model}".casefold()]
        total = len(some)
        cut = some[(number - 1) * LISTED : number * LISTED]
        shown = [run_views.listed(records, live_of(request), held.workspace, row) for row in cut]
    view = {"runs": shown, "found": total, "all": len(rows), "page": number}
    form = {"q": q, "state": state, "kind": kind}
    last = max(1, -(-total // LISTED))
    return page(
        request,
        "runs.html",
        view,
        form=form,
        last=last,
        address={name: value for name, value in form.items() if value},
        states=run_views.STATES,
        kinds=run_views.KINDS,
    )


@pages.page("/archives/{archive}/runs/{run}")
@tells_no_score
def run_page(request: Request, run: Named, number: PageNumber = 1) -> Response:
    """A run: how it stands, what it found, and how it came there."""
    return _run(request, run, number)


def _run(request: Request, run: RunId, number: int = 1, error: VestigiaError | None = None) -> Response:
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    view = run_views.run_view(held, record, stands, closed=request.state.closed)
    rows = view.get("ranking", [])
    first = (number - 1) * SHOWN
    sources = [
        {**row, "number": place, "excerpt": _excerpt(row, view["question"])}
        for place, row in enumerate(rows[first : first + SHOWN], first + 1)
    ]
    told = said(error) if error else None
    return page(
        request,
        "run.html",
        view,
        told["status"] if told else 200,
        error=told,
        sources=sources,
        number_of=number,
        last=max(1, -(-len(rows) // SHOWN)),
    )


def _excerpt(row: Plain, question: str) -> list[tuple[str, bool]] | None:
    """The stretch that says why a source was taken: where its quotation stands, else the best for the question."""
    one = next((one for one in row["passages"] if one["text"]), None)
    if one is None:
        return None
    quote = one["quote"] or ""
    if quote and quote in one["text"]:
        return around(one["text"], quote)
    return excerpt(one["text"], [question])


class PlanForm(BaseModel):
    """A plan as its form has it: for each sub-question that has not begun its words and where it is asked."""

    model_config = ConfigDict(frozen=True)
    id: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    sub_corpus: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    new_text: str = ""
    new_sub_corpus: str = ""
    then: Literal["keep", "go-on"] = "keep"


@pages.action("/archives/{archive}/runs/{run}/plan", Role.RESEARCHER)
def plan(request: Request, run: Named, form: Annotated[PlanForm, Form()]) -> Response:
    """Record what a person makes of the plan, and let the run go on if they say so."""
    held: Holding = request.state.archive
    visitor = request.state.visitor
    try:
        change = _change(deciding.plan_of(held.workspace, run), form)
        if change != Change():
            deciding.edit_plan(held.workspace, run, change, visitor.name)
        if form.then == "go-on":
            live_of(request).go_on(held.workspace, run, visitor.name)
    except VestigiaError as error:
        return _run(request, run, error=error)
    key = "live.went_on" if form.then == "go-on" else "runs.plan_kept"
    return redirect(f"/archives/{held.slug}/runs/{run}", key)


def _change(standing_plan: deciding.StandingPlan, form: PlanForm) -> Change:
    """What differs from the plan as it stands. Raises UsageError for a form that is not whole."""
    if not len(form.id) == len(form.text) == len(form.sub_corpus):
        raise UsageError("the form is not whole.", remedy="Read the page again and send it once more.")
    before = {str(one.id): one for one in standing_plan.remaining}
    typed = list(zip(form.id, form.text, form.sub_corpus, strict=True))
    changed = [one for one in typed if one[0] not in form.drop]
    return Change(
        drop=form.drop,
        retarget=tuple((i, where) for i, _, where in changed if i not in before or before[i].sub_corpus != where),
        reword=tuple((i, text) for i, text, _ in changed if i not in before or before[i].text != _lines(text)),
        add=((_lines(form.new_text), form.new_sub_corpus),) if form.new_text.strip() else (),
    )


def _lines(text: str) -> str:
    """A text as it was before a form sent its line ends as a form does."""
    return text.replace("\r\n", "\n").strip()


@pages.action("/archives/{archive}/runs/{run}/decide", Role.RESEARCHER)
def decide(
    request: Request,
    run: Named,
    document: Annotated[str, Form()],
    decision: Annotated[Decision, Form()],
    reason: Annotated[str, Form(max_length=4000)] = "",
    number: Annotated[int, Form(alias="page", ge=1)] = 1,
) -> Response:
    """Record what a person decides about a document; it outranks the machine."""
    held: Holding = request.state.archive
    act = Overruled(DocumentId(document), decision, _lines(reason), request.state.visitor.name)
    try:
        decided = deciding.decide(held.workspace, run, act)
    except VestigiaError as error:
        return _run(request, run, number, error)
    back = f"/archives/{held.slug}/runs/{run}" + (f"?page={number}" if number > 1 else "")
    return redirect(back, "runs.left" if decided.left else "runs.decided", "warn" if decided.left else "done")


@pages.action("/archives/{archive}/runs/{run}/hold", Role.RESEARCHER)
def hold(request: Request, run: Named, document: Annotated[list[str] | None, Form()] = None) -> Response:
    """Put back to hold what rests on text corrected since, of the sources that are chosen."""
    held: Holding = request.state.archive
    chosen = [DocumentId(name) for name in document or ()]
    try:
        done, left = putting_back.put_back(held.workspace, run, request.state.visitor.name, chosen)
    except VestigiaError as error:
        return _run(request, run, error=error)
    back = f"/archives/{held.slug}/runs/{run}"
    return redirect(back, "runs.left") if left else redirect(back, "corrected.held", n=len(done))


@pages.page("/archives/{archive}/runs/{run}/entries")
@tells_no_score
def entries(request: Request, run: Named, number: Annotated[int | None, Query(alias="page", ge=1)] = None) -> Response:
    """The record, entry by entry, the last ones first to be seen."""
    record, stands = headed(request, run)
    last = max(1, -(-len(record.entries) // LINES))
    number = min(number or last, last)
    some = record.entries[(number - 1) * LINES : number * LINES]
    view = {
        **run_views.head(record, stands),
        "made": run_views.made_of(record),
        "entries": [run_views.step(entry) for entry in some],
        "found": len(record.entries),
        "page": number,
    }
    return page(request, "entries.html", view, last=last)


@pages.page("/archives/{archive}/runs/{run}/entries/{number}")
def entry(request: Request, run: Named, number: int) -> Response:
    """One entry in full: what it says, what a model was sent, what it replied."""
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    with unknown():
        shown = run_views.entry_view(held, record, number, closed=request.state.closed)
    settings = held.workspace.settings
    return page(
        request,
        "entry.html",
        {**run_views.head(record, stands), "entry": shown},
        models=list(dict.fromkeys([EXTRACTIVE, *settings.models])),
        checkpoints=CHECKPOINTS,
    )


@pages.get("/archives/{archive}/runs/{run}/stream", response_class=EventSourceResponse, include_in_schema=False)
@tells_no_score
@needs(Role.READER)
async def stream(
    request: Request,
    run: Named,
    after: Annotated[int, Query(ge=-1)] = -1,
    last: Annotated[int | None, Header(alias="last-event-id", ge=-1)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The entries of a run as they are written."""
    held: Holding = request.state.archive
    async for event in streams.events(live_of(request), held.workspace, run, after if last is None else last):
        yield event


@pages.action("/archives/{archive}/runs/{run}/stop", Role.RESEARCHER)
@tells_no_score
def stop(request: Request, run: Named, to: Annotated[str, Form()] = "") -> Response:
    """Stop a run between two steps."""
    held: Holding = request.state.archive
    back = to or f"/archives/{held.slug}/runs/{run}"
    try:
        live_of(request).stop(held.workspace, run, request.state.visitor.name)
    except UsageError:  # it ended, or stands still, since the page was read
        return redirect(back, "live.not_in_hand", "warn")
    return redirect(back, "live.stopped")


@pages.action("/archives/{archive}/runs/{run}/go-on", Role.RESEARCHER)
@tells_no_score
def go_on(request: Request, run: Named, to: Annotated[str, Form()] = "") -> Response:
    """Let a run go on that waits, was stopped or was interrupted."""
    held: Holding = request.state.archive
    live_of(request).go_on(held.workspace, run, request.state.visitor.name)
    return redirect(to or f"/archives/{held.slug}/runs/{run}", "live.went_on")
