"""Experiments: which years the words of a time find, and what balance over time costs. An address is an experiment."""

from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import experimenting
from vestigia.app.experimenting import Options
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.evaluate import experiment_report
from vestigia.web.faults import said
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page

pages = Pages()
Plain = dict[str, Any]
KINDS = ("windows", "eras")
ERAS = 8
"""Vocabularies compared at once."""


@pages.page("/archives/{archive}/experiments")
def experiments(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    kind: str = "windows",
    subject: Annotated[str, Query(max_length=4000)] = "",
    windows: Annotated[str, Query(max_length=200)] = "10y",
    channel: Annotated[str, Query(max_length=100)] = "words",
    top: Annotated[int, Query(ge=1, le=500)] = 50,
    quota: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """The form, and the tables of the experiment that the address names."""
    held: Holding = request.state.archive
    form = {"kind": kind, "subject": subject, "windows": windows, "channel": channel, "top": top, "quota": quota}
    with held.catalogue() as catalogue:
        there = held.index(held.workspace, catalogue).channels() if catalogue.passage_count else ()
    extras: Plain = {"form": form, "channels": ("fused", *there), "kinds": KINDS, "error": None}
    empty: Plain = {**form, "title": None, "note": None, "tables": []}
    if not subject.strip():
        return page(request, "experiments.html", empty, **extras)
    try:
        result = _carried_out(held, form)
    except VestigiaError as error:
        if request.url.path.endswith(".json"):
            raise
        told = said(error)
        return page(request, "experiments.html", empty, told["status"], **{**extras, "error": told})
    tables = [
        {"title": one.title, "note": one.note, "columns": list(one.columns), "rows": [list(row) for row in one.rows]}
        for one in experiment_report.tables(result)
    ]
    view = {**form, "title": experiment_report.title(result), "note": experiment_report.note(result), "tables": tables}
    return page(request, "experiments.html", view, **extras)


def _carried_out(held: Holding, form: Plain) -> experiment_report.Result:
    lengths = tuple(one.strip() for one in str(form["windows"]).split(",") if one.strip()) or ("10y",)
    options = Options(form["channel"], lengths, form["top"], form["quota"])
    if form["kind"] == "windows":
        return experimenting.windowed(held.workspace, form["subject"], options)
    if form["kind"] != "eras":
        raise UsageError("there is no such experiment.", where="kind", remedy=f"There are: {', '.join(KINDS)}.")
    lines = [line for line in str(form["subject"]).splitlines() if line.strip()]
    if len(lines) > ERAS:
        raise UsageError(f"at most {ERAS} vocabularies are compared.", where="subject", remedy="Take fewer.")
    return experimenting.era_vocabulary(held.workspace, experimenting.eras_of(lines), options)
