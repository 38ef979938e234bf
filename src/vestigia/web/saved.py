"""Saved searches as pages show them: those of the visitor, and what is new in the list of one that was run anew."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request

from vestigia.app import saved_searches
from vestigia.app.people.roles import Role
from vestigia.app.saved_searches import Fields, Saved
from vestigia.domain.errors import UsageError
from vestigia.web.holdings import Holding

Plain = dict[str, Any]


def person(request: Request) -> str:
    """Whose searches they are: an account by its number too, since a name may be given anew."""
    visitor = request.state.visitor
    return f"{visitor.person} {visitor.name}"


def of_visitor(request: Request) -> list[Plain]:
    """The searches that the visitor saved in this archive; none where they may not save any."""
    held: Holding = request.state.archive
    if not request.state.visitor.may(Role.RESEARCHER, held.slug):
        return []
    return plain(saved_searches.saved(held.workspace, person(request)))


def plain(searches: Sequence[Saved]) -> list[Plain]:
    """Saved searches as data; of what they found nothing is told but when."""
    return [
        {
            "number": one.number,
            "name": one.name,
            "fields": list(one.fields),
            "saved_at": one.saved_at,
            "run_at": one.run_at,
        }
        for one in searches
    ]


def whats_new(request: Request, number: int | None, fields: Fields, documents: Sequence[str]) -> Plain | None:
    """What is new in the list of a saved search, if it is this search and the visitor's; `since` is when it was run."""
    held: Holding = request.state.archive
    if number is None:
        return None
    try:
        found = saved_searches.named(held.workspace, person(request), number)
    except UsageError:  # deleted since, or somebody else's
        return None
    if found.fields != fields:
        return None
    told = {"number": number, "name": found.name, "since": found.before_at or None}
    return {**told, "new": found.new(documents)}
