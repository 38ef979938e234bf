"""Sets of sources: the list of them, gathering one balanced over time, and what was gathered, window by window."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import judging, rubrics, set_view, surveying, works
from vestigia.app.modelling import readers
from vestigia.app.numbers import whole
from vestigia.app.people.roles import Role
from vestigia.app.search_view import question_of
from vestigia.app.sets import set_of, taken_over
from vestigia.app.surveying import Plan
from vestigia.app.works import Work
from vestigia.domain.commissions import JudgeOrder, SurveyOrder
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.engine import runs
from vestigia.web import charts, messages, standing
from vestigia.web.archive_pages import coverage_of
from vestigia.web.faults import UnknownError, said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import language_of, redirect, years

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]
Many = Annotated[list[str] | None, Form()]


@dataclass(frozen=True, slots=True)
class Typed:
    """A survey as it was typed."""

    description: str = ""
    windows: str = "10y"
    quota: str = "20"
    undated: str = ""
    sub_corpus: tuple[str, ...] = ()
    between: str = ""
    language: str = ""
    channel: tuple[str, ...] = ()
    also: str = ""
    expand: str = ""
    genre: str = ""


@pages.page("/archives/{archive}/sets")
def sets(request: Request) -> Response:
    """The surveys and questions whose sources can be judged and curated."""
    held: Holding = request.state.archive
    rows = [row for row in held.workspace.run_rows() if row.kind in {"survey", "question"}]
    shown = [
        {"run": row.run, "kind": row.kind, "description": row.question, "begun": row.opened_at, "state": row.state,
         "problem": row.problem or None}
        for row in rows
    ]  # fmt: skip
    return page(request, "sets.html", {"sets": shown})


@pages.page("/archives/{archive}/survey", Role.RESEARCHER)
def survey(request: Request) -> Response:
    """The form of a survey."""
    return _form(request, Typed())


@pages.action("/archives/{archive}/survey", Role.RESEARCHER, once=True)
def gather(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    description: Text = "",
    windows: Text = "",
    quota: Text = "",
    undated: Text = "",
    sub_corpus: Many = None,
    between: Text = "",
    language: Text = "",
    channel: Many = None,
    also: Text = "",
    expand: Text = "",
    genre: Text = "",
) -> Response:
    """Gather a set for a description."""
    held: Holding = request.state.archive
    typed = Typed(description, windows, quota, undated, tuple(sub_corpus or ()), between, language,
                  tuple(channel or ()), also, expand, genre)  # fmt: skip
    try:
        question = question_of(description, typed.sub_corpus, between, [language] if language else [])
        plan = _plan(typed)
        run = standing.live_of(request).begin(
            held.workspace,
            request.state.visitor.name,
            lambda watch: surveying.survey(held.workspace, question, plan, watch),
        )
    except VestigiaError as error:
        return _form(request, typed, said(error))
    return redirect(f"/archives/{held.slug}/sets/{run}")


@pages.page("/archives/{archive}/sets/{run}")
def gathered(request: Request, run: str) -> Response:
    """A set, and who judged and curated it."""
    return set_page(request, run)


def set_page(request: Request, run: str, error: Plain | None = None, typed: Plain | None = None) -> Response:
    """The page of a set, with what was typed wrongly there."""
    held: Holding = request.state.archive
    with unknown():
        work = works.read(held.workspace, run)
    if not isinstance(work.first.commission, SurveyOrder | None):
        raise UnknownError(
            "it is no set of sources.", where=f"run {work.run}", remedy="Choose one of the list of sets."
        )
    request.state.permalink = f"/archives/{held.slug}/sets/{work.run}"
    view = _survey(request, work) if work.first.commission else _of_question(request, work)
    taken, problems = taken_over(held.workspace, work.run)
    view["judgings"] = [
        {"run": one.run, "judge": judging.judge_of(one), "rubric": one.first.commission.rubric.name,
         "finished": runs.view_of(one.entries).closed}
        for one in taken if isinstance(one.first.commission, JudgeOrder)
    ]  # fmt: skip
    curated = [one for one in taken if not isinstance(one.first.commission, JudgeOrder)]
    view["curations"] = [{"run": one.run, "begun": one.entries[0].time} for one in curated]
    view["notes"] = [*view["notes"], *problems]
    return page(
        request,
        "set.html",
        view,
        error["status"] if error else 200,
        error=error,
        typed=typed or {"rubric": "", "model": ""},
        standing=standing.plain(request, work.run, work.entries),
        chart=_chart(request, view),
        rubrics=rubrics.names(held.workspace),
        models=readers(held.workspace.settings),
    )


def _survey(request: Request, work: Work) -> Plain:
    held: Holding = request.state.archive
    view = surveying.shown(held.workspace, work, closed=request.state.closed)
    order = work.first.commission
    if isinstance(order, SurveyOrder):
        view |= {"quota": order.quota, "undated": order.undated}
    return view


def _of_question(request: Request, work: Work) -> Plain:
    """The sources and holds of a question, in one list; an unfinished one has none yet."""
    held: Holding = request.state.archive
    finished = runs.view_of(work.entries).closed
    found = set_of(held.workspace, work.run) if finished else None
    sources = set_view.sources(held.workspace, found, closed=request.state.closed) if found else []
    return {
        "run": work.run,
        "kind": "question",
        "description": work.first.question.text,
        "finished": finished,
        "sources": len(sources),
        "windows": [{"window": None, "short": 0, "sources": sources}] if finished else [],
        "layers": [],
        "prices": [],
        "weights": [],
        "missing": [],
        "failures": [],
        "notes": [],
        "quota": None,
        "undated": None,
    }


def _plan(typed: Typed) -> Plan:
    """What was typed as a plan. Raises UsageError for a number that is none."""
    quota = _number("quota", typed.quota)
    plan = Plan(
        typed.windows or "10y",
        20 if quota is None else quota,
        _number("undated", typed.undated),
        typed.channel,
        tuple(word.strip() for word in typed.also.split(",") if word.strip()),
        _number("expand", typed.expand),
        typed.genre.strip(),
    )
    return replace(plan, quota=max(plan.quota, 1))


def _number(name: str, typed: str) -> int | None:
    if not typed.strip():
        return None
    found = whole(typed, 1000)
    if found is None:
        raise UsageError(f"{typed!r} is no number from 0 to 1000.", where=name, remedy="Write one, or leave it out.")
    return found


def _form(request: Request, typed: Typed, error: Plain | None = None) -> Response:
    held: Holding = request.state.archive
    covered = coverage_of(held)
    parts = [part.described for part in covered.parts]
    with held.catalogue() as catalogue:
        channels = held.index(held.workspace, catalogue).channels() if covered.documents else ()
    choices = {
        "sub_corpora": [{"name": one.name, "documents": one.documents} for one in parts],
        "channels": [one for one in channels if one != "exact"],
        "genres": sorted({one.genre for one in parts if one.genre}),
        "languages": sorted({code for one in parts for code in one.languages}),
    }
    status = error["status"] if error else 200
    return page(request, "survey.html", choices, status, form=typed, error=error)


def _chart(request: Request, view: Plain) -> charts.Spec | None:
    """How many each window has, and how many it lacks of its quota."""
    windows = [one for one in view["windows"] if one["window"]]
    if not windows:
        return None
    say = partial(messages.say, language_of(request))
    found = {say("sets.gathered"): [len(one["sources"]) for one in windows]}
    if any(one["short"] for one in windows):
        found[say("sets.lacking")] = [one["short"] for one in windows]
    return charts.bars([years(one["window"]) for one in windows], found, "", "", height=140)
