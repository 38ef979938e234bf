"""Templates: Jinja2, everything escaped, nothing undefined; what every template may use."""

import base64
import json
import re
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from vestigia.web import charts, messages, phrases
from vestigia.web.addresses import source_at

Plain = dict[str, Any]
FLASH, LANGUAGE = "vestigia-said", "vestigia-language"
_YEAR = 365 * 24 * 3600
_WHOLE_YEARS = re.compile(r"(\d{4})-01-01/(\d{4})-12-31")


@dataclass(frozen=True, slots=True)
class Section:
    """A place in the navigation: message key `nav.<name>`, path below the archive, group."""

    name: str
    path: str
    group: str = ""


SECTIONS = (
    Section("archive", ""),
    Section("search", "/search", "heuristik"),
    Section("ask", "/ask", "heuristik"),
    Section("runs", "/runs", "heuristik"),
    Section("sets", "/sets", "heuristik"),
    Section("curate", "/curate", "heuristik"),
    Section("dossiers", "/dossiers", "analyse"),
    Section("interpret", "/interpret", "analyse"),
    Section("experiments", "/experiments", "analyse"),
    Section("settings", "/settings"),
)
"""A section is shown as soon as the site has a page at its path."""


@cache
def environment() -> Environment:
    """The one Jinja environment."""
    made = Environment(
        loader=PackageLoader("vestigia.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # a server that runs is not changed by files of another version
    )
    made.globals["languages"] = messages.LANGUAGES
    made.globals["chart_svg"] = charts.markup
    made.globals["source_at"] = source_at
    made.globals["written"] = written
    made.filters["pretty"] = lambda value: json.dumps(value, ensure_ascii=False, indent=2)
    made.filters["pair"] = lambda one: (one, one)
    made.filters["query"] = lambda values: urlencode(values, doseq=True)
    made.filters["years"] = years
    return made


def written(value: object) -> str | None:
    """A value of a record or of the settings as a settings file has it; none is none.

    Pairs of a task and what it is given to are told as `task: model`, that of every task by the model alone.
    """
    match value:
        case None | "" | () | []:
            return None
        case bool():
            return str(value).lower()
        case list() | tuple():
            pairs = (": ".join(filter(None, map(str, one))) if isinstance(one, list | tuple) else one for one in value)
            return ", ".join(map(str, pairs))
        case dict():
            return ", ".join(f"{name} = {written(one)}" for name, one in value.items()) or None
    return str(value)


def years(window: str) -> str:
    """A window of whole years by its years: `1887–1890`, `1887`; any other as it is."""
    whole = _WHOLE_YEARS.fullmatch(window)
    if not whole:
        return window
    return whole[1] if whole[1] == whole[2] else f"{whole[1]}–{whole[2]}"


def language_of(request: Request) -> str:
    """The language of a request: `?lang=`, else the cookie, else what the browser prefers."""
    for asked in (request.query_params.get("lang", ""), request.cookies.get(LANGUAGE, "")):
        if asked in messages.LANGUAGES:
            return asked
    return messages.preferred(request.headers.get("accept-language", ""))


def rendered(
    request: Request, template: str, view: Plain, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """A page. What was to be said once (`redirect`) is said and forgotten; a language chosen is kept."""
    language = language_of(request)
    path = request.scope.get("path_params", {}).get("archive", "")
    shown = (
        environment()
        .get_template(template)
        .render(
            **view,
            _=partial(messages.say, language),
            number=partial(messages.number, language),
            phrase=partial(phrases.said, language),
            measured=partial(phrases.measured, language),
            language=language,
            request=request,
            here=_permalink(request),
            twin=_twin(request),
            archive=getattr(request.state, "archive", None),
            slug=path,
            sections=getattr(request.state, "sections", ()),
            csrf=getattr(request.state, "csrf", ""),
            visitor=getattr(request.state, "visitor", None),
            accounts=getattr(request.app.state, "people", None) is not None,
            closed=getattr(request.state, "closed", False),
            flashes=_flashes(request, language),
            switch=partial(_switched, request),
        )
    )
    response = HTMLResponse(shown, status, headers)
    response.headers["content-language"] = language
    if request.query_params.get("lang", "") in messages.LANGUAGES:
        response.set_cookie(LANGUAGE, language, max_age=_YEAR, httponly=True, samesite="lax")
    if FLASH in request.cookies:
        response.delete_cookie(FLASH, httponly=True, samesite="lax")
    return response


def redirect(to: str, key: str = "", kind: str = "done", **values: str | int) -> Response:
    """Go to a page of ours after an action (303), where the message `key` is then said once. `kind`: done or warn."""
    if not to.startswith("/") or to.startswith(("//", "/\\")):
        to = "/"
    response = RedirectResponse(to, 303)
    if key:
        packed = base64.urlsafe_b64encode(json.dumps([kind, key, values]).encode()).decode()
        response.set_cookie(FLASH, packed, max_age=60, httponly=True, samesite="lax")
    return response


def _flashes(request: Request, language: str) -> list[tuple[str, str]]:
    try:
        kind, key, values = json.loads(base64.urlsafe_b64decode(request.cookies.get(FLASH, "")))
        return [("warn" if kind == "warn" else "done", messages.say(language, key, **values))]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):  # no cookie, or not one of ours
        return []


def _permalink(request: Request) -> str:
    """Where a page is found again: that of a form's answer is said by who answers (`request.state.permalink`)."""
    return str(getattr(request.state, "permalink", request.url.path))


def _twin(request: Request) -> str:
    where = _permalink(request)
    path = "/index" if where == "/" else where.rstrip("/")
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{path}.json{query}"


def _switched(request: Request, language: str) -> str:
    """The same page in another language; of a form's answer the page that it stands on."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    where = "" if _permalink(request) == request.url.path else _permalink(request)
    return f"{where}?{urlencode([*kept, ('lang', language)])}"
