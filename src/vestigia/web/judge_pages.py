"""Judging a set: by a model, by oneself at a desk and blind, in a sheet; what came of it, and how judges agree."""

import re
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Form, Query, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import blind, judging, judging_by_hand, trials, works
from vestigia.app.modelling import check_named
from vestigia.app.numbers import whole
from vestigia.app.people.roles import Role
from vestigia.app.questions import signed
from vestigia.app.sets import curations_of
from vestigia.app.works import Work
from vestigia.domain.commissions import JudgeOrder
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import RunId
from vestigia.evaluate.agreement import Interval
from vestigia.evaluate.judges import Dual, Trial
from vestigia.web import attachments, charts, standing
from vestigia.web.faults import UnknownError, said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.sets_pages import set_page
from vestigia.web.templating import redirect
from vestigia.web.visitor import keep_blind, needs, tells_no_score

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]
HAND = "hand"
_WRAPPED = re.compile(r"(?<!\n)\n(?!\s*\n|- )\s*")
"""Where a line of criteria was broken for its length alone."""
_TOLD = 500


@pages.action("/archives/{archive}/judgings", Role.RESEARCHER, once=True)
def begin(request: Request, run: Text, rubric: Text = "", model: Text = "", how: Text = "") -> Response:
    """Have a set judged by a model, or begin to judge it oneself."""
    held: Holding = request.state.archive
    by = request.state.visitor.name
    here = f"/archives/{held.slug}/judgings"
    try:
        if not rubric:
            raise UsageError("no criteria are named.", where="rubric", remedy="Choose a rubric.")
        if how == HAND:
            return redirect(f"{here}/{judging_by_hand.begin(held.workspace, run, rubric, by).run}/desk")
        check_named(held.workspace.settings, [model])
        begun = standing.live_of(request).begin(
            held.workspace, by, lambda watch: judging.judge(held.workspace, run, rubric, model, watch)
        )
    except VestigiaError as error:
        return set_page(request, run, said(error), {"rubric": rubric, "model": model})
    return redirect(f"{here}/{begun}")


@pages.page("/archives/{archive}/judgings/{run}")
@tells_no_score
def judged(request: Request, run: str) -> Response:
    """A judging: the best first, each with argument and quotation, then what has no score."""
    held: Holding = request.state.archive
    work, order = _judging(held, run)
    view = judging.shown(held.workspace, work, closed=request.state.closed)
    mine = order.person == signed(request.state.visitor.name) and judging_by_hand.is_open(work)
    why = blind.kept(held.workspace, work.run, request.state.visitor.name)
    if why:
        view |= {"sources": [], "mean": None, "spread": None, "constant": False, "not_judged": [], "corrected": []}
    return page(
        request,
        "judged.html",
        view,
        mine=mine,
        kept=bool(why),
        by_hand=bool(order.person),
        standing=standing.plain(request, work.run, work.entries),
        chart=_spread(view),
    )


@pages.page("/archives/{archive}/judgings/{run}/desk", Role.RESEARCHER)
@tells_no_score
def desk(request: Request, run: str, at: Annotated[int, Query(ge=0)] = 0) -> Response:
    """One source to be judged: the one named by its place, else the first without a score."""
    return _desk(request, run, at)


@pages.action("/archives/{archive}/judgings/{run}/desk", Role.RESEARCHER)
@tells_no_score
def score(
    request: Request,
    run: str,
    passage: Text,
    at: Annotated[int, Form()] = 0,
    given: Annotated[str, Form(alias="score")] = "",
    argument: Text = "",
) -> Response:
    """Give a source a score."""
    held: Holding = request.state.archive
    here = f"/archives/{held.slug}/judgings/{run}/desk"
    try:
        points = whole(given, 10**9)
        if points is None:
            raise UsageError("no score is given.", where="score", remedy="Choose one of the scale.")
        judging_by_hand.score(held.workspace, run, passage, points, argument, request.state.visitor.name)
    except VestigiaError as error:
        return _desk(request, run, at, said(error), argument)
    return redirect(here, "judge.kept")


@pages.action("/archives/{archive}/judgings/{run}/close", Role.RESEARCHER)
@tells_no_score
def close(request: Request, run: str) -> Response:
    """End one's judging."""
    held: Holding = request.state.archive
    try:
        work = judging_by_hand.close(held.workspace, run, request.state.visitor.name)
    except VestigiaError as error:
        return _desk(request, run, 0, said(error))
    return redirect(f"/archives/{held.slug}/judgings/{work.run}", "judge.closed")


@pages.get("/archives/{archive}/sets/{run}/sheet", include_in_schema=False)
@needs(Role.RESEARCHER)
def sheet(request: Request, run: str, rubric: str = "", ending: Annotated[str, Query(alias="as")] = "xlsx") -> Response:
    """A blind sheet of a set."""
    held: Holding = request.state.archive
    closed = request.state.closed
    with unknown():
        return attachments.sent(
            "sheet", ending, lambda path: judging.write_sheet(held.workspace, run, rubric, path, closed=closed)
        )


@pages.action("/archives/{archive}/sets/{run}/sheet", Role.RESEARCHER)
def sheet_back(request: Request, run: str, file: UploadFile, rubric: Text = "") -> Response:
    """Take a filled-in sheet in, as a judging by who sends it."""
    held: Holding = request.state.archive
    by = request.state.visitor.name
    try:
        with attachments.kept(file) as path:
            work, empty = judging.read_sheet(held.workspace, run, rubric, path, by)
    except VestigiaError as error:
        return set_page(request, run, said(error), {"rubric": rubric, "model": ""})
    to = f"/archives/{held.slug}/judgings/{work.run}"
    if empty:
        return redirect(to, "judge.taken_in_partly", "warn", told="; ".join(empty)[:_TOLD])
    return redirect(to, "judge.taken_in")


@pages.page("/archives/{archive}/sets/{run}/agreement")
def agreement(request: Request, run: str, rubric: str = "") -> Response:
    """All judges of a set by one rubric, side by side."""
    held: Holding = request.state.archive
    with unknown():
        found = trials.trial(held.workspace, run, rubric, closed=request.state.closed)
    keep_blind(blind.kept_of_set(held.workspace, RunId(found.set), request.state.visitor.name))
    view = asdict(found)
    view["passages"] = [
        {**one, "said": [_opinion(found, number, one["id"]) for number in _who(found, one["id"])]}
        for one in view["passages"]
    ]
    for one in view["judgings"]:
        del one["scores"], one["arguments"]
    duals = [(one, _dual(found, one)) for one in found.duals if len({score for _, _, score in one.points}) > 1]
    return page(
        request,
        "agreement.html",
        view,
        alpha=_interval(found.agreement.alpha),
        kappas=[_interval(pair.kappa) for pair in found.agreement.pairs],
        duals=[
            {"judge": one.judge, "spec": spec, "correlation": one.correlation,
             "rows": [[_title(found, passage), near, score] for passage, near, score in one.points]}
            for one, spec in duals
        ],
        curation=next(reversed(curations_of(held.workspace, works.read(held.workspace, found.set))), None),
        titles={one.id: _title(found, one.id) for one in found.passages},
        numbers={one.id: number for number, one in enumerate(found.passages, 1)},
    )  # fmt: skip


def _judging(held: Holding, run: str) -> tuple[Work, JudgeOrder]:
    with unknown():
        work = works.read(held.workspace, run)
    order = work.first.commission
    if not isinstance(order, JudgeOrder):
        raise UnknownError("it is no judging.", where=f"run {work.run}", remedy="Choose one of a set.")
    return work, order


def _desk(request: Request, run: str, at: int, error: Plain | None = None, argument: str = "") -> Response:
    held: Holding = request.state.archive
    work, order = _judging(held, run)
    name = signed(request.state.visitor.name)
    if order.person != name or not judging_by_hand.is_open(work):
        raise UnknownError(
            "there is no desk of yours here.", where=f"run {work.run}", remedy="Begin to judge on the page of the set."
        )
    request.state.permalink = f"/archives/{held.slug}/judgings/{work.run}/desk"
    view = judging_by_hand.sheet(held.workspace, work, closed=request.state.closed)
    rows: list[Plain] = view["sources"]
    waiting = [number for number, row in enumerate(rows, 1) if row["score"] is None]
    place = at if 0 < at <= len(rows) else (waiting[0] if waiting else 0)
    one = rows[place - 1] if place else None
    return page(
        request,
        "desk.html",
        view,
        error["status"] if error else 200,
        error=error,
        place=place,
        one=one,
        argument=argument or (one["argument"] if one else "") or "",
        criteria=_WRAPPED.sub(" ", order.rubric.criteria),
        scale=list(range(order.rubric.lowest, order.rubric.highest + 1)),
    )


def _spread(view: Plain) -> charts.Spec | None:
    """How often each score was given."""
    given = [one["score"] for one in view["sources"] if one["score"] is not None]
    if not given:
        return None
    scale = range(view["rubric"]["lowest"], view["rubric"]["highest"] + 1)
    return charts.bars([str(one) for one in scale], {"": [given.count(one) for one in scale]}, "", "", height=110)


def _dual(found: Trial, one: Dual) -> charts.Spec:
    """A judge's scores against similarity, a point a passage."""
    values = [{"near": near, "score": score, "what": _title(found, passage)} for passage, near, score in one.points]
    low, high = found.scale
    return {
        "width": 620,
        "height": 260,
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "opacity": 0.6, "size": 50, "tooltip": None},
        "encoding": {
            "x": {"field": "near", "type": "quantitative", "scale": {"zero": False}, "title": found.similarity},
            "y": {"field": "score", "type": "quantitative", "scale": {"domain": [low, high]}, "title": one.judge,
                  "axis": {"tickMinStep": 1, "format": "d"}},
        },
    }  # fmt: skip


def _title(found: Trial, passage: str) -> str:
    one = next(one for one in found.passages if one.id == passage)
    return f"{one.title}, {one.date}" if one.date else one.title


def _who(found: Trial, passage: str) -> list[int]:
    return [number for number, one in enumerate(found.judgings) if passage in one.scores]


def _opinion(found: Trial, number: int, passage: str) -> Plain:
    one = found.judgings[number]
    return {"judge": one.judge, "score": one.scores[passage], "argument": one.arguments.get(passage) or None}


def _interval(found: Interval | None) -> str | None:
    """A number with its interval, with signs as they are printed."""
    return None if found is None else f"{found.value:.2f} [{found.low:.2f}; {found.high:.2f}]".replace("-", "−")
