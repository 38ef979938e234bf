"""The REST interface: what the pages do, for programs; over the same functions of the app, for the same people.

Errors are problem+json. Lists come in portions with cursors. A change by a browser needs the token of its session in a
header; a program sends `Authorization: Bearer …` and needs none. Who may is said at each route, as for pages.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Security
from fastapi.security import HTTPBearer
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import JSONResponse

from vestigia.app import (
    asking,
    curating,
    deciding,
    entries,
    interpreting,
    judging,
    present,
    reading_room,
    report,
    rested,
    surveying,
    vocabulary,
    works,
)
from vestigia.app.limits import Limits, limited
from vestigia.app.models import answering
from vestigia.app.people.roles import Role
from vestigia.app.search_view import matching_of, period_of, question_of, search_plain
from vestigia.app.searching import Manner, search
from vestigia.app.source import Place, source
from vestigia.app.surveying import Plan
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act, Curated
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, SurveyOrder
from vestigia.domain.errors import VestigiaError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId
from vestigia.domain.text import word_spans
from vestigia.inquiry.dossier import dossiers as sealed_in
from vestigia.ledger.projection import RunRow
from vestigia.web import streams
from vestigia.web.api_shapes import Acting, Asking, Begun, Deciding, Found, Gathering, Plain, Portion, Problem, Run
from vestigia.web.api_shapes import Source as SourceShape
from vestigia.web.archive_pages import coverage_of
from vestigia.web.cursors import portion
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding, met_by
from vestigia.web.runs_pages import Named
from vestigia.web.standing import live_of, standing_of
from vestigia.web.visitor import SIGNED_IN, Need, needs, tells_no_score

PREFIX = "/api/v1"
DEEP, MOST, TERMS = 100, 200, 20
_PROBLEM = {"model": Problem, "content": {"application/problem+json": {}}, "description": "What went wrong"}
router = APIRouter(
    prefix=PREFIX,
    responses=dict.fromkeys((400, 401, 403, 404, 409, 413, 422, 429), _PROBLEM),
    dependencies=[Security(HTTPBearer(auto_error=False, description="A token of your account."))],
)
Cursor = Annotated[str, Query(max_length=4000)]
Limit = Annotated[int, Query(ge=1, le=MOST)]
Texts = Annotated[list[str] | None, Query()]
Endpoint = Callable[..., Any]


def _get(path: str, shape: type, tag: str, need: Need | Role = Role.READER) -> Callable[[Endpoint], Endpoint]:
    return _route("GET", path, shape, tag, need)


def _post(path: str, shape: type, tag: str, need: Role, status: int = 200) -> Callable[[Endpoint], Endpoint]:
    return _route("POST", path, shape, tag, need, status)


def _route(
    method: str, path: str, shape: type, tag: str, need: Need | Role, status: int = 200
) -> Callable[[Endpoint], Endpoint]:
    def served(endpoint: Endpoint) -> Endpoint:
        router.add_api_route(
            path,
            needs(need)(endpoint),
            methods=[method],
            tags=[tag],
            status_code=status,
            response_model=None,
            responses={status: {"model": shape}},
            operation_id=endpoint.__name__,
        )
        return endpoint

    return served


@_get("/session", Plain, "archives", SIGNED_IN)
def session(request: Request) -> JSONResponse:
    """Who you are, and for a browser the token that its changes carry in the header `x-csrf-token`."""
    visitor = request.state.visitor
    roles = {where: role.value for where, role in visitor.roles}
    return JSONResponse({"name": visitor.name, "roles": roles, "csrf": request.state.csrf})


@_get("/archives", Portion, "archives", SIGNED_IN)
def archives(request: Request, cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The archives in which you have a role."""
    there = [one for one in request.app.state.holdings if request.state.visitor.role_in(one.slug)]
    taken, after = portion(there, lambda one: one.slug, cursor, limit)
    return JSONResponse({"items": [_archive(request, one) for one in taken], "next": after})


@_get("/archives/{archive}", Plain, "archives")
def archive(request: Request) -> JSONResponse:
    """What an archive covers: sub-corpora, time, files."""
    return JSONResponse(report.plain(coverage_of(_held(request))))


@_get("/archives/{archive}/search", Found, "search")
def searching(  # noqa: PLR0913, PLR0917  a search has as many fields as it has
    request: Request,
    q: Annotated[str, Query(min_length=1, max_length=2000)],
    channel: str = "fused",
    sub_corpus: Texts = None,
    between: str = "",
    language: Texts = None,
    fuzzy: Annotated[int, Query(ge=0, le=2)] = 0,
    strict: bool = False,
    expand: Annotated[int | None, Query(ge=0, le=20)] = None,
    syntax: bool = False,
    any_case: bool = False,
    regex: bool = False,
    windows: str = "",
    quota: Annotated[int | None, Query(ge=1, le=1000)] = None,
    each: Annotated[int | None, Query(ge=1, le=1000)] = None,
    cursor: Cursor = "",
    limit: Limit = 20,
) -> JSONResponse:
    """Search without a run; the hundred best are listed, more where windows or sub-corpora have quotas."""
    held = _held(request)
    question = question_of(q, sub_corpus, between, language)
    matching = matching_of(syntax=syntax, any_case=any_case, regex=regex)
    manner = Manner(expand, matching, fuzzy, strict, windows, quota, each)
    found = search(held.workspace, question, channel, DEEP, manner, held.index)
    view = search_plain(q, found, closed=request.state.closed)
    terms = [] if regex else [q[a:b] for a, b in word_spans(q) if b - a > 3 and q[a:b].isalpha()][:TERMS]
    passport = vocabulary.passport(held.workspace, terms, "", question.period, held.index) if terms else None
    taken, after = portion(view.pop("hits"), lambda hit: str(hit["document"]), cursor, limit)
    told = vocabulary.plain(passport)["terms"] if passport else []
    return JSONResponse({**view, "items": taken, "next": after, "passport": told})


@_get("/archives/{archive}/vocabulary", Plain, "search")
def vocabulary_of(
    request: Request,
    term: Annotated[list[str], Query(min_length=1, max_length=TERMS)],
    window: str = "",
    between: str = "",
) -> JSONResponse:
    """When a word is attested, how often, and what stands near it."""
    held = _held(request)
    found = vocabulary.passport(held.workspace, term, window, period_of(between), held.index)
    return JSONResponse(vocabulary.plain(found))


@_get("/archives/{archive}/sources", Portion, "sources")
def sources(request: Request, sub_corpus: Texts = None, cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The sources, by their identifiers, without their texts."""
    with _held(request).catalogue() as catalogue:
        ids = catalogue.find(sub_corpora=sub_corpus) if sub_corpus else catalogue.ids()
        taken, after = portion(ids, str, cursor, limit)
        cards = catalogue.documents(taken)
    return JSONResponse({"items": [_card(request, one) for one in cards], "next": after})


@_get("/archives/{archive}/source", SourceShape, "sources")
def one_source(
    request: Request, document: str, passage: str = "", part: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> JSONResponse:
    """A source with its text, a part at a time, or the part in which a passage stands."""
    held = _held(request)
    with unknown():
        return JSONResponse(source(held.workspace, document, Place(passage, part), closed=request.state.closed))


@_get("/archives/{archive}/runs", Portion, "runs")
def runs(request: Request, kind: str = "", cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The runs, the one opened last first; `kind`: question, survey, judging, curation, interpretation."""
    return _runs(request, (kind,) if kind else (), cursor, limit)


@_post("/archives/{archive}/runs", Begun, "runs", Role.RESEARCHER, 201)
def ask(request: Request, asked: Asking) -> JSONResponse:
    """Put a question: a run is begun and carried out by the server."""
    held = _held(request)
    settings = held.workspace.settings
    question = question_of(asked.question, asked.sub_corpora, asked.between, asked.languages)
    rules = limited(settings, Limits(asked.calls, asked.tokens, asked.steps, asked.cost, asked.minutes), asked.pause)
    by = answering(settings, {"": asked.model} if asked.model else None)

    def begin(watch: asking.Watch) -> asking.Answer:
        return asking.ask(held.workspace, question, rules, watch, asked.windows, by)

    return _begun(request, live_of(request).begin(held.workspace, request.state.visitor.name, begin))


@_get("/archives/{archive}/runs/{run}", Run, "runs")
@tells_no_score
def run_of(request: Request, run: Named) -> JSONResponse:
    """A run and how it stands."""
    held = _held(request)
    work = works.read(held.workspace, run)
    row = next((_row(one) for one in held.workspace.run_rows() if one.run == run), {"run": run})
    standing = standing_of(live_of(request), held.workspace, run, work.entries)
    return JSONResponse({**row, "standing": standing})


@_get("/archives/{archive}/runs/{run}/result", Plain, "runs")
def result(request: Request, run: Named) -> JSONResponse:
    """What a run has come to, as far as it is: a ranking, a set, scores, decisions, or an interpretation."""
    return JSONResponse(_result(_held(request).workspace, run, closed=request.state.closed))


@_get("/archives/{archive}/runs/{run}/entries", Portion, "runs")
@tells_no_score
def entries_of(request: Request, run: Named, cursor: Cursor = "", limit: Limit = 100) -> JSONResponse:
    """The entries of the record of a run, in words."""
    rows = entries.listed(_held(request).workspace, run)
    taken, after = portion(rows, lambda row: str(row["entry"]), cursor, limit)
    return JSONResponse({"items": taken, "next": after})


@_get("/archives/{archive}/runs/{run}/entries/{number}", Portion, "runs")
def calls(request: Request, run: Named, number: int) -> JSONResponse:
    """What models were sent at an entry, and their replies."""
    with unknown():
        found = entries.calls(_held(request).workspace, run, number, closed=request.state.closed)
    return JSONResponse({"items": [entries.plain(one) for one in found], "next": None})


@router.get(
    "/archives/{archive}/runs/{run}/stream",
    response_class=EventSourceResponse,
    tags=["runs"],
    operation_id="stream",
)
@tells_no_score
@needs(Role.READER)
async def stream(
    request: Request,
    run: Named,
    after: Annotated[int, Query(ge=-1)] = -1,
    last: Annotated[int | None, Header(alias="last-event-id", ge=-1)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The entries of a run as they are written, as server-sent events; the last one is called `end`."""
    held = _held(request)
    async for event in streams.events(live_of(request), held.workspace, run, after if last is None else last):
        yield event


@_post("/archives/{archive}/runs/{run}/stop", Begun, "runs", Role.RESEARCHER)
@tells_no_score
def stop(request: Request, run: Named) -> JSONResponse:
    """Stop a run between two steps; it can go on later."""
    return _begun(request, live_of(request).stop(_held(request).workspace, run, request.state.visitor.name), 200)


@_post("/archives/{archive}/runs/{run}/go-on", Begun, "runs", Role.RESEARCHER)
@tells_no_score
def go_on(request: Request, run: Named) -> JSONResponse:
    """Let a run go on that waits, was stopped or was interrupted."""
    return _begun(request, live_of(request).go_on(_held(request).workspace, run, request.state.visitor.name), 200)


@_post("/archives/{archive}/runs/{run}/decisions", Plain, "runs", Role.RESEARCHER)
def decide(request: Request, run: Named, decided: Deciding) -> JSONResponse:
    """Decide about a document of a run; `left` says how many decisions wait for the writer of the run."""
    act = Overruled(
        DocumentId(decided.document), Decision(decided.decision), decided.reason, request.state.visitor.name
    )
    found = deciding.decide(_held(request).workspace, run, act)
    return JSONResponse({"run": run, "document": decided.document, "decision": decided.decision, "left": found.left})


@_get("/archives/{archive}/sets", Portion, "sets")
def sets(request: Request, cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The sets that were gathered, and what judged them."""
    return _runs(request, ("survey", "judging"), cursor, limit)


@_post("/archives/{archive}/sets", Begun, "sets", Role.RESEARCHER, 201)
def gather(request: Request, asked: Gathering) -> JSONResponse:
    """Gather a set: a run is begun and carried out by the server."""
    held = _held(request)
    question = question_of(asked.description, asked.sub_corpora, asked.between, asked.languages)
    plan = Plan(asked.windows, asked.quota, asked.undated)

    def begin(watch: asking.Watch) -> works.Work:
        return surveying.survey(held.workspace, question, plan, watch)

    return _begun(request, live_of(request).begin(held.workspace, request.state.visitor.name, begin))


@_get("/archives/{archive}/curations", Portion, "sets")
def curations(request: Request, cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The sets that are curated."""
    return _runs(request, ("curation",), cursor, limit)


@_post("/archives/{archive}/curations/{run}/acts", Plain, "sets", Role.CURATOR)
def act(request: Request, run: Named, acted: Acting) -> JSONResponse:
    """Act on a source of a curation."""
    done = Curated(
        DocumentId(acted.document), Act(acted.act), request.state.visitor.name, acted.reason, acted.note, acted.tag,
        acted.resolves,
    )  # fmt: skip
    work = curating.act(_held(request).workspace, run, [done])
    return JSONResponse({"run": run, "entry": work.entries[-1].number})


@_get("/archives/{archive}/dossiers", Portion, "dossiers")
def dossiers(request: Request, cursor: Cursor = "", limit: Limit = 50) -> JSONResponse:
    """The curations of which a person sealed a dossier."""
    held = _held(request)
    rows = [row for row in held.workspace.run_rows() if row.kind == "curation" and _is_sealed(held.workspace, row.run)]
    taken, after = portion(rows, lambda row: str(row.run), cursor, limit)
    return JSONResponse({"items": [_row(one) for one in taken], "next": after})


@_get("/archives/{archive}/dossiers/{run}", Plain, "dossiers")
def dossier(request: Request, run: Named, windows: str = "") -> JSONResponse:
    """The newest dossier of a curation, window by window, with key sentences."""
    return JSONResponse(reading_room.laid_out(_held(request).workspace, run, windows, closed=request.state.closed))


def _held(request: Request) -> Holding:
    held: Holding = request.state.archive
    return held


def _archive(request: Request, held: Holding) -> dict[str, Any]:
    shown: dict[str, Any] = {"archive": held.slug, "name": held.name, "documents": None, "sub_corpora": []}
    try:
        with met_by(request, held)[0].catalogue() as catalogue:
            parts = catalogue.sub_corpora()
    except VestigiaError as error:
        return {**shown, "problem": said(error)["what"]}
    return {**shown, "documents": sum(part.documents for part in parts), "sub_corpora": [part.name for part in parts]}


def _card(request: Request, card: DocumentCard) -> dict[str, Any]:
    """A source without its text; `withheld` where that may not be read."""
    held = present.Holdings({card.id: card}, {}, closed=request.state.closed)
    return {**present.document(card, held.withheld(card)), "language": card.language or None}


def _row(row: RunRow) -> dict[str, Any]:
    return asdict(row)


def _runs(request: Request, kinds: Sequence[str], cursor: str, limit: int) -> JSONResponse:
    rows = [row for row in _held(request).workspace.run_rows() if not kinds or row.kind in kinds]
    taken, after = portion(rows, lambda row: str(row.run), cursor, limit)
    return JSONResponse({"items": [_row(one) for one in taken], "next": after})


def _begun(request: Request, run: RunId, status: int = 201) -> JSONResponse:
    href = f"{PREFIX}/archives/{_held(request).slug}/runs/{run}"
    return JSONResponse({"run": run, "href": href}, status, {"location": href} if status == 201 else None)


def _is_sealed(workspace: Workspace, run: RunId) -> bool:
    try:
        return bool(sealed_in(works.read(workspace, run).entries, run))
    except VestigiaError:  # a record that is broken; the list of runs says so
        return False


def _result(workspace: Workspace, run: RunId, *, closed: bool) -> dict[str, Any]:
    work = works.read(workspace, run)
    match work.first.commission:
        case SurveyOrder():
            return surveying.shown(workspace, work, closed=closed)
        case JudgeOrder():
            return judging.shown(workspace, work, closed=closed)
        case CurateOrder():
            return curating.shown(workspace, work, closed=closed)
        case InterpretOrder():
            return interpreting.shown(workspace, work, closed=closed)
    catalogue = workspace.catalogue()
    try:
        found = present.answer(asking.show(workspace, run), catalogue, closed=closed)
        return {**found, "corrected": rested.shown(workspace, work.entries, closed=closed)}
    finally:
        catalogue.close()
