"""The description of the REST interface as a page: every address, what it takes and gives."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from vestigia.web.pages import Pages, page
from vestigia.web.visitor import SIGNED_IN

pages = Pages()
Plain = dict[str, Any]


@pages.page("/api", SIGNED_IN)
def described(request: Request) -> Response:
    """What programs can ask for."""
    whole = request.app.openapi()
    shapes = whole.get("components", {}).get("schemas", {})
    told = [
        {
            "method": method.upper(),
            "path": path,
            "tag": (one.get("tags") or [""])[0],
            "what": one.get("description", ""),
            "fields": [*map(_field, one.get("parameters", [])), *_body(one, shapes)],
        }
        for path, methods in whole["paths"].items()
        for method, one in methods.items()
    ]
    return page(request, "api.html", {"openapi": "/api/v1/openapi.json", "routes": told})


def _field(one: Plain) -> Plain:
    return {
        "name": one["name"],
        "in": one["in"],
        "kind": _kind(one.get("schema", {})),
        "required": one.get("required", False),
    }


def _body(one: Plain, shapes: Plain) -> list[Plain]:
    """The fields of the JSON that a route takes."""
    shape = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    found = shapes.get(shape.get("$ref", "").rpartition("/")[2], {})
    needed = found.get("required", [])
    fields = found.get("properties", {}).items()
    return [{"name": name, "in": "body", "kind": _kind(said), "required": name in needed} for name, said in fields]


def _kind(shape: Plain) -> str:
    """What a field holds, in a few words."""
    if "anyOf" in shape:
        return " | ".join(dict.fromkeys(_kind(one) for one in shape["anyOf"] if one.get("type") != "null"))
    if "enum" in shape:
        return " | ".join(map(str, shape["enum"]))
    if shape.get("type") == "array":
        return f"{_kind(shape.get('items', {}))}[]"
    return str(shape.get("type", "any"))
