"""Rubrics: the criteria that judges go by, read, written and checked; a new version replaces none."""

from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import rubrics
from vestigia.app.people.roles import Role
from vestigia.domain.errors import SettingsError, VestigiaError
from vestigia.domain.ids import digest
from vestigia.inquiry.rubrics import parse
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]
NEW = """---
name: NAME
scale: 1-10
bands: keep 7, drop 2
---

## Criteria

What is judged, and how.

## Anchors

- 1: What the lowest score means.
- 10: What the highest score means.
"""


@pages.page("/archives/{archive}/rubrics")
def listed(request: Request) -> Response:
    """The rubrics there are, and what is wrong with one that cannot be read."""
    held: Holding = request.state.archive
    return page(request, "rubrics.html", {"rubrics": [_row(held, name) for name in rubrics.names(held.workspace)]})


@pages.page("/archives/{archive}/rubrics/new", Role.RESEARCHER)
def new(request: Request) -> Response:
    """An empty rubric."""
    return _editor(request, "", NEW, "")


@pages.action("/archives/{archive}/rubrics/new", Role.RESEARCHER)
def save_new(
    request: Request, name: Text = "", text: Text = "", only_check: Annotated[bool, Form()] = False
) -> Response:
    """Save a rubric under a name that is not taken, or check it only."""
    return _saved(request, name, text, "", new=True, only_check=only_check)


@pages.page("/archives/{archive}/rubrics/{name}/text")
def shown(request: Request, name: str) -> Response:
    """A rubric, its earlier versions, and the form to write the next one."""
    held: Holding = request.state.archive
    with unknown():
        text = rubrics.source(held.workspace, name)
    return _editor(request, name, text, digest(text))


@pages.action("/archives/{archive}/rubrics/{name}/text", Role.RESEARCHER)
def save(
    request: Request, name: str, text: Text = "", base: Text = "", only_check: Annotated[bool, Form()] = False
) -> Response:
    """Save a new version, or check it only."""
    return _saved(request, name, text, base, new=False, only_check=only_check)


def _saved(request: Request, name: str, text: str, base: str, *, new: bool, only_check: bool) -> Response:
    held: Holding = request.state.archive
    plain = "\n".join(text.splitlines())
    try:
        if only_check:
            parse(name.strip(), plain)
            return _editor(request, name, plain, base, new=new, checked=True)
        saved = rubrics.save(held.workspace, name, plain, base)
    except VestigiaError as error:
        return _editor(request, name, plain, base, said(error) | {"status": _status(error)}, new=new)
    return redirect(f"/archives/{held.slug}/rubrics/{saved.name}/text", "rubric.saved", version=saved.digest[7:19])


def _status(error: VestigiaError) -> int:
    """A text that is wrong is what was sent, and no fault of the server."""
    return 400 if isinstance(error, SettingsError) else int(said(error)["status"])


def _editor(  # noqa: PLR0913  what was sent, and what became of it
    request: Request,
    name: str,
    text: str,
    base: str,
    error: Plain | None = None,
    *,
    new: bool | None = None,
    checked: bool = False,
) -> Response:
    held: Holding = request.state.archive
    is_new = not base if new is None else new
    view: Plain = {
        "name": name,
        "text": text,
        "digest": base or None,
        "own": bool(name) and rubrics.is_own(held.workspace, name),
        "problem": None,
        "versions": [{"digest": one, "text": old} for one, old in rubrics.versions(held.workspace, name)]
        if base
        else [],
    }
    if base and error is None:
        try:
            parse(name, text)
        except SettingsError as problem:
            view["problem"] = str(problem)
    return page(
        request, "rubric.html", view, error["status"] if error else 200, error=error, new=is_new, checked=checked
    )


def _row(held: Holding, name: str) -> Plain:
    own = rubrics.is_own(held.workspace, name)
    try:
        read = rubrics.rubric(held.workspace, name)
    except SettingsError as error:
        return {"name": name, "own": own, "scale": None, "anchors": None, "bands": None, "digest": None,
                "problem": said(error)}  # fmt: skip
    bands = None if read.keep is None else {"keep": read.keep, "drop": read.drop}
    return {
        "name": name,
        "own": own,
        "scale": [read.lowest, read.highest],
        "anchors": len(read.anchors),
        "bands": bands,
        "digest": read.digest,
        "problem": None,
    }
