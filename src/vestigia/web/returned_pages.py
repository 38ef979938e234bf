"""A list that was edited elsewhere comes back into a curation: first it is looked at, then recorded.

Nothing is kept between the two: what would be recorded stands in the form that records it, as acts of who sends it, and
is held against the set once more.
"""

import json
from typing import Annotated, Any

from fastapi import Form, UploadFile
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import curating, works
from vestigia.app.people.roles import Role
from vestigia.app.reimporting import Proposed, proposed
from vestigia.app.returned import read_rows
from vestigia.domain.acts import Act, Curated
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import Curation
from vestigia.web import attachments
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect

pages = Pages()
Plain = dict[str, Any]
LISTED = ("", "accept", "reject", "flag")
"""What is decided about a source that is listed and of which the file says nothing."""
_TOLD = 200
"""Rows that the page names; the form has them all."""


class _Told(BaseModel):
    """An act as the form has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    document: str
    act: Act
    reason: str = ""
    note: str = ""
    tag: str = ""


_ACTS: TypeAdapter[tuple[_Told, ...]] = TypeAdapter(tuple[_Told, ...])


@pages.page("/archives/{archive}/curate/{run}/returned", Role.CURATOR)
def returning(request: Request, run: str) -> Response:
    """The form for the file."""
    return _page(request, run)


@pages.action("/archives/{archive}/curate/{run}/returned", Role.CURATOR)
def look(request: Request, run: str, file: UploadFile, listed: Annotated[str, Form(max_length=20)] = "") -> Response:
    """Read the file and say what would be recorded."""
    held: Holding = request.state.archive
    name = request.state.visitor.name
    with unknown():
        curating.read(works.read(held.workspace, run))
    try:
        with attachments.kept(file) as path:
            found = proposed(held.workspace, run, read_rows(path), name, listed if listed in LISTED else "")
            problems = [one.replace(str(path), "the file") for one in found.problems]
    except VestigiaError as error:
        told = said(error)
        return _page(request, run, error={**told, "status": min(told["status"], 400)})
    return _page(request, run, found, problems)


@pages.action("/archives/{archive}/curate/{run}/returned/record", Role.CURATOR)
def record(request: Request, run: str, acts: Annotated[str, Form()] = "") -> Response:
    """Record what was looked at."""
    held: Holding = request.state.archive
    name = request.state.visitor.name
    with unknown():
        work = works.read(held.workspace, run)
        curating.read(work)
    try:
        told = _read(acts)
        done = [Curated(DocumentId(one.document), one.act, name, one.reason, one.note, one.tag) for one in told]
        curating.act(held.workspace, work.run, done)
    except VestigiaError as error:
        return _page(request, run, error=said(error))
    return redirect(f"/archives/{held.slug}/curate/{work.run}", "curate.taken_in", n=len(done))


def _read(acts: str) -> tuple[_Told, ...]:
    try:
        found = _ACTS.validate_json(acts)
    except ValidationError as error:
        raise UsageError("the form is not whole.", remedy="Send the file once more.") from error
    if not found:
        raise UsageError("there is nothing to be recorded.", remedy="Choose a file that says something new.")
    return found


def _page(
    request: Request,
    run: str,
    found: Proposed | None = None,
    problems: list[str] | None = None,
    error: Plain | None = None,
) -> Response:
    held: Holding = request.state.archive
    with unknown():
        work = works.read(held.workspace, run)
        curation = curating.read(work)
    request.state.permalink = f"/archives/{held.slug}/curate/{work.run}/returned"
    acts = [act for act in found.acts if isinstance(act, Curated)] if found else []
    view = {
        "run": work.run,
        "description": work.first.question.text,
        "rows": found.rows if found else None,
        "known": found.known if found else None,
        "before": found.before if found else None,
        "acts": [_plain(act, curation) for act in acts],
        "problems": problems or [],
    }
    written = json.dumps([
        {"document": act.document, "act": act.act, "reason": act.reason, "note": act.note, "tag": act.tag}
        for act in acts
    ], ensure_ascii=False)  # fmt: skip
    status = error["status"] if error else 200
    return page(
        request, "returned.html", view, status, error=error, looked=found is not None, written=written, most=_TOLD,
        decisions=LISTED, ours=curating.REASONS,
    )  # fmt: skip


def _plain(act: Curated, curation: Curation) -> Plain:
    """An act beside how its source stands now."""
    source = next(one for one in curation.sources if one.item.document == act.document)
    return {
        "document": act.document,
        "title": source.card.title if source.card else "",
        "standing": source.standing,
        "act": act.act,
        "reason": act.reason or None,
        "note": act.note or None,
        "tag": act.tag or None,
    }
