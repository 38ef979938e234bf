"""Interpretations: questions put to a sealed dossier, models side by side, claims with quotations, what is said."""

from typing import Annotated, Any

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import dossiers, interpreting, works
from vestigia.app.interpretation_text import markdown
from vestigia.app.limits import Limits, limited
from vestigia.app.modelling import check_named
from vestigia.app.numbers import whole
from vestigia.app.people.roles import Role
from vestigia.app.works import Work
from vestigia.domain.acts import Remark, Remarked
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.web import attachments, standing
from vestigia.web.dossier_pages import reading_page
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect
from vestigia.web.visitor import needs

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]
BESIDE = 4
"""Interpretations that stand side by side at most."""


@pages.page("/archives/{archive}/interpret")
def interpretations(request: Request) -> Response:
    """The interpretations there are."""
    held: Holding = request.state.archive
    rows = [row for row in held.workspace.run_rows() if row.kind == "interpretation"]
    shown = [
        {"run": row.run, "questions": row.question, "model": row.model, "begun": row.opened_at, "state": row.state,
         "problem": row.problem or None}
        for row in rows
    ]  # fmt: skip
    return page(request, "interpretations.html", {"interpretations": shown})


@pages.action("/archives/{archive}/dossiers/{run}/interpret", Role.RESEARCHER, once=True)
def interpret(
    request: Request,
    run: str,
    questions: Text = "",
    model: Annotated[list[str] | None, Form()] = None,
    calls: Text = "",
    cost: Text = "",
) -> Response:
    """Put questions to a dossier, a line each; every model writes on its own."""
    held: Holding = request.state.archive
    try:
        asked = [line.strip() for line in questions.splitlines() if line.strip()]
        rules = limited(held.workspace.settings, Limits(calls=_number("calls", calls), cost=_price(cost)))
        curated = dossiers.newest(held.workspace, run).origin.run
        if len(model or ()) > BESIDE:
            raise UsageError(f"{BESIDE} models can write side by side at most.", remedy="Choose fewer.")
        check_named(held.workspace.settings, model or ())
        writers = interpreting.interpreters(held.workspace, model or ())
        begun = [
            standing.live_of(request).begin(
                held.workspace,
                request.state.visitor.name,
                lambda watch, by=by: interpreting.interpret(held.workspace, curated, asked, by, rules, watch),  # type: ignore[misc]
            )
            for by in writers
        ]
    except VestigiaError as error:
        typed = {"questions": questions, "models": model or [], "calls": calls, "cost": cost}
        return reading_page(request, run, "", said(error), typed)
    beside = "&".join(f"beside={one}" for one in begun[1:])
    return redirect(f"/archives/{held.slug}/interpret/{begun[0]}" + (f"?{beside}" if beside else ""))


@pages.page("/archives/{archive}/interpret/{run}")
def interpretation(request: Request, run: str, beside: Annotated[list[str] | None, Query()] = None) -> Response:
    """An interpretation, and others beside it."""
    return _shown(request, run, beside or [])


@pages.action("/archives/{archive}/interpret/{run}/remarks", Role.RESEARCHER)
def remark(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    run: str,
    claim: Text = "",
    done: Annotated[str, Form(alias="remark")] = "",
    reason: Text = "",
    main: Text = "",
    beside: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Contest a claim, sign for a quotation that is not sealed, or note something on it."""
    held: Holding = request.state.archive
    try:
        if done not in set(Remark):
            raise UsageError("it is not said what is done.", remedy=f"There are: {', '.join(Remark)}.")
        act = Remarked(claim, Remark(done), reason.strip(), request.state.visitor.name)
        interpreting.remark(held.workspace, run, act)
    except VestigiaError as error:
        return _shown(request, main or run, beside or [], said(error), {"run": run, "claim": claim, "reason": reason})
    query = "&".join(attachments.address({"beside": one}) for one in beside or [])
    to = f"/archives/{held.slug}/interpret/{main or run}" + (f"?{query}" if query else "")
    return redirect(to, _SAID[Remark(done)], claim=claim)


@pages.get("/archives/{archive}/interpret/{run}/file", include_in_schema=False)
@needs(Role.READER)
def text(request: Request, run: str, beside: Annotated[list[str] | None, Query()] = None) -> Response:
    """Interpretations as a Markdown file; none leaves with a quotation that is not sealed and nobody signed for."""
    held: Holding = request.state.archive
    found = _works(held, [run, *(beside or [])])
    written = markdown(held.workspace, found, closed=request.state.closed)
    return attachments.attached("interpretation.md", written.encode())


_SAID = {
    Remark.CONTEST: "interpret.contested",
    Remark.SIGN: "interpret.signed",
    Remark.NOTE: "interpret.noted",
}


def _works(held: Holding, names: list[str]) -> list[Work]:
    """Interpretations by their names. Raises UnknownError."""
    with unknown():
        found = [works.read(held.workspace, name) for name in dict.fromkeys(names[:BESIDE])]
        for work in found:
            interpreting.read(work)
    return found


def _shown(
    request: Request, run: str, beside: list[str], error: Plain | None = None, typed: Plain | None = None
) -> Response:
    held: Holding = request.state.archive
    found = _works(held, [run, *beside])
    request.state.permalink = f"/archives/{held.slug}/interpret/{found[0].run}"
    shown = [interpreting.shown(held.workspace, work, closed=request.state.closed) for work in found]
    stands = [standing.plain(request, work.run, work.entries) for work in found]
    return page(
        request,
        "interpretation.html",
        {**shown[0], "beside": shown[1:]},
        error["status"] if error else 200,
        error=error,
        typed=typed or {"run": "", "claim": "", "reason": ""},
        columns=list(zip(shown, stands, strict=True)),
        standing=next((one for one in stands if one["moving"]), stands[0]),
        beside=[work.run for work in found[1:]],
    )


def _number(name: str, typed: str) -> int | None:
    if not typed.strip():
        return None
    found = whole(typed, 1_000_000)
    if found is None:
        raise UsageError(f"{typed!r} is no number of calls.", where=name, remedy="Write one, or leave it out.")
    return found


def _price(typed: str) -> float | None:
    if not typed.strip():
        return None
    try:
        found = float(typed.replace(",", "."))
    except ValueError:
        found = 0.0
    if not 0 < found <= 1_000_000:
        raise UsageError(f"{typed!r} is no price.", where="cost", remedy="Write dollars, like 0.50, or leave it out.")
    return found
