"""Settings and models as they are in force; a model can be tried out. What is written in the file stays there."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import modelling
from vestigia.app.people.roles import Role
from vestigia.app.settings import rules_of
from vestigia.domain.errors import VestigiaError
from vestigia.web.faults import said
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page

pages = Pages()
Plain = dict[str, Any]
_OF_THE_SERVER = ("address", "key_from", "problem")
"""What of a model says something of the server: where it is, where its key is, what is wrong with its line."""


@pages.page("/archives/{archive}/settings")
def settings(request: Request) -> Response:
    """The settings in force."""
    return _shown(request)


@pages.action("/archives/{archive}/settings/models", Role.ADMIN)
def try_out(request: Request, name: Annotated[str, Form()]) -> Response:
    """Ask a model something small, to see whether it answers and can be read."""
    held: Holding = request.state.archive
    try:
        (found,) = modelling.check(held.workspace.settings, [name])
    except VestigiaError as error:
        return _shown(request, error=said(error))
    return _shown(request, found)


def _shown(request: Request, tried: Plain | None = None, error: Plain | None = None) -> Response:
    held: Holding = request.state.archive
    chosen, may = held.workspace.settings, request.state.visitor.may(Role.ADMIN, held.slug)
    models = [asdict(one) for one in modelling.listed(chosen)]
    for one in models:
        one["answers"] = list(one["answers"])
        one["configured"] = one["name"] in chosen.models
        for name in () if may else _OF_THE_SERVER:
            one[name] = None
    rules = asdict(rules_of(chosen))
    view = {
        "name": chosen.archive.name,
        "passage_tokens": chosen.archive.passage_tokens,
        "model": chosen.ask.model,
        "preset": chosen.ask.preset,
        "windows": chosen.ask.windows or None,
        "encoders": None if chosen.search.encoders is None else list(chosen.search.encoders),
        "image_hosts": list(chosen.images.hosts),
        "reasons": list(chosen.curate.reasons),
        "models": models,
        "budget": rules.pop("budget"),
        "switches": rules.pop("switches"),
        "rules": {name: value for name, value in rules.items() if isinstance(value, str | int | float | bool)},
    }
    return page(request, "settings.html", view, error["status"] if error else 200, tried=tried, error=error, may=may)
