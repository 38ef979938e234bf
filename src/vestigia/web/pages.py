"""Pages: each has a permalink and a JSON twin at the same path with `.json`, made from the same value."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from vestigia.app.people.roles import Role
from vestigia.web.once import Once
from vestigia.web.templating import Plain, rendered
from vestigia.web.visitor import Need, needs

Endpoint = TypeVar("Endpoint", bound=Callable[..., object])


class Pages(APIRouter):
    """A family of pages. What each asks of its visitor is said where it is declared (`visitor.Need`)."""

    def page(self, path: str, need: Need | Role | None = None) -> Callable[[Endpoint], Endpoint]:
        """Serve a page at `path` and its twin at `path.json`; the function is called for both and returns `page(...)`.

        A page of an archive is for its readers unless another role is named. Let no path end in a name that may itself
        end in `.json`, such as a document's: add a word after it.
        """
        twin = "/index.json" if path == "/" else f"{path}.json"
        if need is None and "{archive}" not in path:
            raise ValueError(f"{path}: say who may see it; it is of no archive")

        def served(endpoint: Endpoint) -> Endpoint:
            needs(need or Role.READER)(endpoint)
            for each in (twin, path):
                self.add_api_route(each, endpoint, methods=["GET"], include_in_schema=False, response_model=None)
            return endpoint

        return served

    def action(self, path: str, need: Need | Role, *, once: bool = False) -> Callable[[Endpoint], Endpoint]:
        """Take a form sent to `path`. What asks for it proved already that it comes from a page of ours.

        What begins something is carried out `once` for a form that is sent twice; its function has a `request`.
        """

        def served(endpoint: Endpoint) -> Endpoint:
            needs(need)(endpoint)
            taken = _once(endpoint) if once else endpoint
            self.add_api_route(path, taken, methods=["POST"], include_in_schema=False, response_model=None)
            return endpoint

        return served


def _once(endpoint: Callable[..., object]) -> Callable[..., Response]:
    @wraps(endpoint)
    def taken(request: Request, **fields: object) -> Response:
        def begin() -> Response:
            answered = endpoint(request=request, **fields)
            assert isinstance(answered, Response)  # noqa: S101  every action returns one
            return answered

        sent: Once = request.app.state.once
        return sent.answer(request.state.sent, begin) if request.state.sent else begin()

    return taken


def page(request: Request, template: str, view: Plain, status: int = 200, **extras: object) -> Response:
    """A view as a page, or as JSON where the twin was asked for.

    `view` is plain data and all that the twin has; `extras` are for the page alone: charts, forms, choices.
    """
    if request.url.path.endswith(".json"):
        return JSONResponse(view, status)
    return rendered(request, template, {"view": view, **extras}, status)
