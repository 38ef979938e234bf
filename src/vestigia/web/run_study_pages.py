"""Looking into a run: what was searched in vain, how much it missed, what another found; and going another way."""

from typing import Annotated

from fastapi import Form, Query
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import auditing, comparing
from vestigia.app.asking import replay, verify_run
from vestigia.app.auditing import NO, YES
from vestigia.app.forking import fork as forked
from vestigia.app.limits import Limits, bounded
from vestigia.app.people.roles import Role
from vestigia.app.present import Plain
from vestigia.app.silence import silence_of
from vestigia.app.works import replay as replay_work
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.domain.rules import Rules
from vestigia.web import run_views
from vestigia.web.ask_pages import whole
from vestigia.web.faults import said
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.runs_pages import Named, headed
from vestigia.web.standing import live_of
from vestigia.web.templating import redirect

pages = Pages()
SAMPLE, LARGEST = 20, 500


@pages.page("/archives/{archive}/runs/{run}/silence")
def silence(request: Request, run: Named) -> Response:
    """What was searched, with what, and what was not there to be found."""
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    return page(request, "silence.html", {**run_views.head(record, stands), "silence": silence_of(held.workspace, run)})


@pages.page("/archives/{archive}/runs/{run}/audit")
def audit(request: Request, run: Named, size: Annotated[int, Query(ge=1, le=LARGEST)] = SAMPLE) -> Response:
    """A blind sample to be judged, and what those judged so far say of how much the run missed."""
    return _audit(request, run, size)


def _audit(request: Request, run: Named, size: int, error: VestigiaError | None = None) -> Response:
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    view = {**run_views.head(record, stands), "report": None, "question": record.first.question.text, "sample": []}
    try:
        view["report"] = auditing.report(held.workspace, run)
        view["sample"] = auditing.drawn(held.workspace, run, size, closed=request.state.closed)[1]
    except UsageError as refused:
        if request.url.path.endswith(".json"):
            raise
        error = error or refused
    told = said(error) if error else None
    return page(request, "audit.html", view, told["status"] if told else 200, error=told, size=size)


@pages.action("/archives/{archive}/runs/{run}/audit", Role.RESEARCHER)
def judge(
    request: Request,
    run: Named,
    document: Annotated[list[str], Form()],
    relevant: Annotated[list[str], Form()],
    size: Annotated[int, Form(ge=1, le=LARGEST)] = SAMPLE,
) -> Response:
    """Record what a person said of each document of a sample."""
    held: Holding = request.state.archive
    words = dict(zip(document, relevant, strict=False))
    judged = {DocumentId(name): word in YES if word in YES | NO else None for name, word in words.items()}
    try:
        auditing.judged(held.workspace, run, judged, request.state.visitor.name)
    except VestigiaError as error:
        return _audit(request, run, size, error)
    return redirect(f"/archives/{held.slug}/runs/{run}/audit", "runs.judged")


@pages.page("/archives/{archive}/runs/{run}/compare")
def compare(
    request: Request,
    run: Named,
    other: Annotated[str, Query(alias="with")] = "",
    top: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """A run beside another: the sources of both, of one only, and the rules that differ."""
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    other = other or record.first.manifest.parent or ""
    view: Plain = {**run_views.head(record, stands), "comparison": None, "with": other or None}
    told = None
    if other:
        try:
            view["comparison"] = comparing.compare(held.workspace, other, run, top, closed=request.state.closed)
        except UsageError as error:
            if request.url.path.endswith(".json"):
                raise
            told = said(error)
    others = [(row.run, f"{row.question} ({row.opened_at[:10]})") for row in held.workspace.run_rows()
              if row.run != run]  # fmt: skip
    return page(
        request, "compare.html", view, told["status"] if told else 200, error=told, others=others, other=other, top=top
    )


@pages.page("/archives/{archive}/runs/{run}/verify")
def verify(request: Request, run: Named) -> Response:
    """Whether the record is whole, and whether this version decides again what it says."""
    held: Holding = request.state.archive
    record, stands = headed(request, run)
    report = verify_run(held.workspace, run)
    again: Plain = {"same": None, "finished": None, "problem": None}
    if report.sound:
        try:
            if record.first.commission is None:
                finished = replay(held.workspace, run).finished
            else:
                finished = replay_work(held.workspace, run)
            again = {"same": True, "finished": finished, "problem": None}
        except VestigiaError as error:
            again = {"same": False, "finished": None, "problem": said(error)}
    view = {
        **run_views.head(record, stands),
        "sound": report.sound,
        "entries": report.entries,
        "head": report.head,
        "texts": report.blobs,
        "torn": report.torn or None,
        "problem": report.problem or None,
        "replay": again,
    }
    return page(request, "verify.html", view)


class ForkForm(BaseModel):
    """Where a run is forked, and what is other from there on; nothing in a field leaves it as it was."""

    model_config = ConfigDict(frozen=True)
    at: int
    model: str = ""
    calls: str = ""
    pause: str = ""


@pages.action("/archives/{archive}/runs/{run}/fork", Role.RESEARCHER, once=True)
def fork(request: Request, run: Named, form: Annotated[ForkForm, Form()]) -> Response:
    """Go another way from an entry of a run, in a new run."""
    held: Holding = request.state.archive
    limits = Limits(calls=whole("model calls", form.calls))

    def changed(rules: Rules) -> Rules:
        return bounded(rules, limits, form.pause)

    new = live_of(request).begin(
        held.workspace,
        request.state.visitor.name,
        lambda watch: forked(held.workspace, run, form.at, changed, form.model, watch),
    )
    return redirect(f"/archives/{held.slug}/runs/{new}", "runs.forked")
