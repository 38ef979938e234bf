"""Saved searches of a visitor: save one, find it again, run it anew and see what is new since, delete it."""

from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import saved_searches
from vestigia.app.people.roles import Role
from vestigia.app.saved_searches import Fields, Saved
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.web.archive_pages import coverage_of
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.saved import person, plain
from vestigia.web.search_pages import fields_of, form_of, searched
from vestigia.web.templating import redirect

pages = Pages()
Plain = dict[str, Any]


@pages.page("/archives/{archive}/searches", Role.RESEARCHER)
def searches(request: Request) -> Response:
    """The searches that the visitor saved in this archive."""
    return _listed(request)


@pages.action("/archives/{archive}/searches", Role.RESEARCHER)
def save(
    request: Request, name: Annotated[str, Form()] = "", search: Annotated[str, Form(max_length=8000)] = ""
) -> Response:
    """Save a search under a name, with what it finds now; `search` are its fields as its address has them."""
    held: Holding = request.state.archive
    try:
        fields, documents = _found(held, tuple(parse_qsl(search)))
    except VestigiaError as error:
        return _listed(request, error)
    try:
        made = saved_searches.save(held.workspace, person(request), name, fields, documents)
    except VestigiaError as error:
        told = said(error)
        back = f"/archives/{held.slug}/search?{urlencode(fields)}"
        return redirect(back, "saved.not_kept", "warn", why=f"{told['what']} {told['remedy']}")
    return redirect(_address(held.slug, made), "saved.kept", name=made.name)


@pages.action("/archives/{archive}/searches/{number}/run", Role.RESEARCHER)
def run(request: Request, number: int) -> Response:
    """Run a saved search anew; the page then says what is new since."""
    held: Holding = request.state.archive
    with unknown():
        there = saved_searches.named(held.workspace, person(request), number)
    try:
        _, documents = _found(held, there.fields)
        saved_searches.run_anew(held.workspace, person(request), number, documents)
    except VestigiaError as error:
        return _listed(request, error)
    return redirect(_address(held.slug, there))


@pages.action("/archives/{archive}/searches/{number}/delete", Role.RESEARCHER)
def delete(request: Request, number: int) -> Response:
    """Delete a saved search."""
    held: Holding = request.state.archive
    with unknown():
        gone = saved_searches.delete(held.workspace, person(request), number)
    return redirect(f"/archives/{held.slug}/searches", "saved.deleted", name=gone.name)


def _listed(request: Request, error: VestigiaError | None = None) -> Response:
    held: Holding = request.state.archive
    told = said(error) if error else None
    request.state.permalink = f"/archives/{held.slug}/searches"
    view = {"searches": plain(saved_searches.saved(held.workspace, person(request)))}
    return page(request, "searches.html", view, told["status"] if told else 200, error=told)


def _found(held: Holding, fields: Fields) -> tuple[Fields, list[str]]:
    """The fields of a search that say something, and the documents it finds. Raises VestigiaError."""
    form = form_of(fields)
    if not form.q.strip():
        raise UsageError("nothing is searched.", remedy="Search first; what is found can then be saved.")
    found, _ = searched(held, form, coverage_of(held), held.opening())
    return fields_of(form), [one.document for one in found.candidates]


def _address(slug: str, one: Saved) -> str:
    return f"/archives/{slug}/search?{urlencode([*one.fields, ('saved', one.number)])}"
