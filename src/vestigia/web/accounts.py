"""The pages of a server's people: coming in and leaving, one's own account, who may do what, who asked for what.

They are there only where a site has accounts (`site.Options.people`).
"""

import secrets
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from vestigia.app.people.accounts import Person
from vestigia.app.people.door import Entered, People, Refused
from vestigia.app.people.openid import OpenId
from vestigia.app.people.roles import EVERYWHERE, NOBODY, Role, Scope, Visitor, role_named, scopes_named
from vestigia.app.people.tokens import DAYS, MOST_DAYS, Token
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.web.faults import ForbiddenError, TooManyError, UnauthorisedError, UnknownError, said
from vestigia.web.holdings import CLOSED
from vestigia.web.pages import Pages, page
from vestigia.web.security import address_of, give_session
from vestigia.web.templating import redirect
from vestigia.web.visitor import ANYONE, PERSON, Recognise, needs

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form()]
SHOWN = 300
"""Requests shown of the access log."""
NONE = "none"


def recognise(people: People) -> Recognise:
    """Who asks: by the token in the header, else by the session of the cookie, else nobody."""

    def who(request: Request) -> Visitor:
        request.state.session_key = ""
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            visitor = people.tokens.visitor(secret.strip())
            if visitor is None:
                raise UnauthorisedError("the token opens nothing, or no longer.", remedy="Make a new one.")
            return visitor
        inside = people.inside(request.state.session, used=not getattr(request.state, "listens", False))
        if inside is None:
            return NOBODY
        request.state.session_key = inside[1].key
        return inside[0].visitor

    return who


@pages.page("/login", ANYONE)
def coming_in(request: Request, next: str = "/") -> Response:  # noqa: A002  the name in the address
    """The form to sign in with."""
    return _door(request, next)


@pages.action("/login", ANYONE)
def come_in(request: Request, name: Text, password: Text, next: Text = "/") -> Response:  # noqa: A002  likewise
    """Sign in: the browser gets a new session, and the one it came with is left behind."""
    came = _people(request).enter(name, password, address_of(request))
    if isinstance(came, Refused):
        error = said(_refusal(came))
        answer = _door(request, next, error["status"], error=error, name=name)
        if came.wait:
            answer.headers["retry-after"] = str(came.wait)
        return answer
    _leave(request)
    _welcome(request, came)
    return redirect(next if not next.startswith("/login") else "/", "people.welcome", name=came.person.name)


@needs(ANYONE)
def to_provider(request: Request, next: str = "/") -> Response:  # noqa: A002  likewise
    """Go to the institution's own door."""
    url = _openid(request).begin(request.state.session, _back(request), next)
    return RedirectResponse(url, 303)


@needs(ANYONE)
def from_provider(request: Request, state: str = "", code: str = "") -> Response:
    """Come back from there: the browser gets a new session."""
    try:
        if not code:
            raise UnauthorisedError("the provider did not let you in.", remedy="Begin again.")
        identity = _openid(request).finish(request.state.session, state, code, _back(request))
        came = _people(request).enter_as(identity.issuer, identity.subject, identity.name)
        if isinstance(came, Refused):
            raise UnauthorisedError("the account is locked.", remedy="Ask whoever administers the server.")
    except UsageError as error:
        told = said(error)
        return _door(request, "/", told["status"], error=told)
    _leave(request)
    _welcome(request, came)
    to = identity.next if not identity.next.startswith("/login") else "/"
    return redirect(to, "people.welcome", name=came.person.name)


pages.add_api_route("/login/oidc", to_provider, include_in_schema=False)
pages.add_api_route("/login/oidc/back", from_provider, include_in_schema=False)


@pages.action("/logout", PERSON)
def leave(request: Request) -> Response:
    """Sign out: the session is over at once."""
    _leave(request)
    give_session(request, secrets.token_urlsafe(32))
    answer = redirect("/login", "people.left")
    for name in request.cookies:
        if name.startswith(CLOSED):  # whoever comes next asks for themselves
            answer.delete_cookie(name, httponly=True, samesite="lax")
    return answer


@pages.page("/account", PERSON)
def account(request: Request) -> Response:
    """One's own account."""
    return _account(request)


@pages.action("/account/password", PERSON)
def change_password(request: Request, old: Text, new: Text) -> Response:
    """Set a new password; every other session is ended."""
    people, name = _people(request), request.state.visitor.name
    proven = people.prove(name, old, address_of(request))
    if isinstance(proven, Refused):
        return _account(request, _refusal(proven))
    try:
        people.accounts.change_password(name, new, keep=request.state.session_key)
    except UsageError as error:
        return _account(request, error)
    return redirect("/account", "people.password_changed")


@pages.action("/account/sessions", PERSON)
def end_sessions(request: Request) -> Response:
    """End every session but this one."""
    _people(request).sessions.end_all(request.state.visitor.person, but=request.state.session_key)
    return redirect("/account", "people.sessions_ended")


@pages.action("/account/tokens", PERSON)
def make_token(
    request: Request,
    label: Text = "",
    scope: Annotated[list[str] | None, Form()] = None,
    days: Annotated[int, Form()] = DAYS,
    archive: Text = EVERYWHERE,
) -> Response:
    """Make a token; the page that answers is the only one that ever shows it."""
    try:
        scopes = scopes_named(",".join(scope or ()))
        secret = _people(request).tokens.make(request.state.visitor.person, label, scopes, archive, days)
    except UsageError as error:
        return _account(request, error)
    return _account(request, secret=secret)


@pages.action("/account/tokens/{number}/revoke", PERSON)
def revoke_token(request: Request, number: int) -> Response:
    """Revoke a token of one's own."""
    _people(request).tokens.revoke(request.state.visitor.person, number)
    return redirect("/account", "people.token_revoked", n=number)


@pages.page("/people", Role.ADMIN)
def everybody(request: Request) -> Response:
    """All accounts of the server, for who administers all of it."""
    return _everybody(request)


@pages.action("/people", Role.ADMIN)
def add(request: Request, name: Text, password: Text, role: Text = NONE, archive: Text = EVERYWHERE) -> Response:
    """Make an account."""
    accounts = _people(request).accounts
    try:
        given = None if role == NONE else role_named(role)
        made = accounts.add(name, password)
        if given:
            accounts.give(made.name, archive, given)
    except UsageError as error:
        return _everybody(request, error)
    return redirect("/people", "people.made", name=made.name)


@pages.action("/people/{number}/role", Role.ADMIN)
def give(request: Request, number: int, role: Text, archive: Text = EVERYWHERE) -> Response:
    """Give a person a role in an archive, or take it away."""
    person = _other(request, number)
    _people(request).accounts.give(person.name, archive, None if role == NONE else role_named(role))
    return redirect("/people", "people.role_given", name=person.name)


@pages.action("/people/{number}/password", Role.ADMIN)
def set_password(request: Request, number: int, password: Text) -> Response:
    """Give a person a new password, which ends their sessions."""
    person = _other(request, number)
    try:
        _people(request).accounts.change_password(person.name, password)
    except UsageError as error:
        return _everybody(request, error)
    return redirect("/people", "people.password_set", name=person.name)


@pages.action("/people/{number}/lock", Role.ADMIN)
def lock(request: Request, number: int, locked: Annotated[bool, Form()]) -> Response:
    """Lock an account, or unlock it."""
    person = _other(request, number)
    _people(request).accounts.disable(person.name, disabled=locked)
    return redirect("/people", "people.locked" if locked else "people.unlocked", name=person.name)


@pages.page("/people/visits", Role.ADMIN)
def visits(request: Request) -> Response:
    """The newest requests of the access log."""
    rows = [
        {"time": one.time, "who": one.who or None, "address": one.address, "method": one.method, "path": one.path,
         "status": one.status, "seconds": one.seconds, "by_token": one.by_token}
        for one in _people(request).log.newest(SHOWN)
    ]  # fmt: skip
    return page(request, "visits.html", {"visits": rows})


@pages.page("/archives/{archive}/people", Role.ADMIN)
def members(request: Request) -> Response:
    """Who has a role in an archive, for who administers it."""
    return _members(request)


@pages.action("/archives/{archive}/people", Role.ADMIN)
def give_here(request: Request, archive: str, name: Text, role: Text) -> Response:
    """Give a person who has an account a role in this archive, or take it away."""
    accounts = _people(request).accounts
    try:
        person = accounts.named(name)
        _refuse_oneself(request, person)
        accounts.give(person.name, archive, None if role == NONE else role_named(role))
    except UsageError as error:
        return _members(request, error)
    return redirect(f"/archives/{archive}/people", "people.role_given", name=person.name)


@pages.action("/archives/{archive}/closed", Role.CURATOR)
def show_closed(request: Request, archive: str, show: Annotated[bool, Form()]) -> Response:
    """Ask for the texts of closed documents until the browser is closed, or no longer."""
    if not request.state.visitor.sees_closed(archive):
        raise ForbiddenError("the token is not made for this.", remedy="Make one with the scope it takes.")
    answer = redirect(f"/archives/{archive}", "people.closed_shown" if show else "people.closed_hidden")
    name = f"{CLOSED}-{archive}"
    answer.set_cookie(name, "1" if show else "", httponly=True, samesite="lax", secure=request.url.scheme == "https")
    return answer


def _people(request: Request) -> People:
    found: People = request.app.state.people
    return found


def _door(request: Request, going: str, status: int = 200, error: Plain | None = None, name: str = "") -> Response:
    openid = _people(request).openid
    view = {"next": going, "provider": openid.provider.name if openid else None}
    return page(request, "login.html", view, status, error=error, name=name)


def _openid(request: Request) -> OpenId:
    found = _people(request).openid
    if found is None:
        raise UnknownError("there is no such page.", remedy="Sign in with name and password.")
    return found


def _back(request: Request) -> str:
    """The address to which the provider leads back; the host is one that the site answers under."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}/login/oidc/back"


def _welcome(request: Request, came: Entered) -> None:
    """The browser has the new session, and the access log says who it was."""
    request.state.visitor = came.person.visitor
    give_session(request, came.secret)


def _leave(request: Request) -> None:
    if request.state.session_key:
        _people(request).sessions.end(request.state.session_key)


def _refusal(refused: Refused) -> VestigiaError:
    if refused.wait:
        return TooManyError(refused.wait)
    return UnauthorisedError("the name or the password is wrong.", remedy="Type both once more.")


def _other(request: Request, number: int) -> Person:
    """The person of a number, who is not oneself. Raises UnknownError, ForbiddenError."""
    found = next((one for one in _people(request).accounts.all() if one.id == number), None)
    if found is None:
        raise UnknownError("there is no such account.", remedy="Choose one of the list.")
    _refuse_oneself(request, found)
    return found


def _refuse_oneself(request: Request, person: Person) -> None:
    """Nobody locks themselves out by mistake, and nobody raises themselves."""
    if person.id == request.state.visitor.person:
        raise ForbiddenError("this is your own account.", remedy="Let another admin do it, or `vestigia people`.")


def _account(request: Request, error: VestigiaError | None = None, secret: str = "") -> Response:
    people, person = _people(request), request.state.visitor.person
    sessions = people.sessions.of(person)
    view = {
        "name": request.state.visitor.name,
        "roles": _roles(request.state.visitor.roles),
        "sessions": [{"begun": _moment(one.begun), "used": _moment(one.seen)} for one in sessions],
        "tokens": [_token(one) for one in people.tokens.of(person)],
    }
    status = 200 if error is None else said(error)["status"]
    told = said(error) if error else None
    return page(
        request, "account.html", view, status, error=told, secret=secret, scopes=list(Scope), days=DAYS, most=MOST_DAYS,
        places=_places(request),
    )  # fmt: skip


def _everybody(request: Request, error: VestigiaError | None = None) -> Response:
    rows = [
        {"number": one.id, "name": one.name, "roles": _roles(one.roles), "locked": one.disabled,
         "made": _moment(one.made)[:10]}
        for one in _people(request).accounts.all()
    ]  # fmt: skip
    status, told = (200, None) if error is None else (said(error)["status"], said(error))
    return page(
        request, "people.html", {"people": rows}, status, error=told, roles=[NONE, *Role], places=_places(request)
    )


def _members(request: Request, error: VestigiaError | None = None) -> Response:
    slug = request.state.archive.slug
    rows = [
        {"name": one.name, "role": str(role), "locked": one.disabled}
        for one in _people(request).accounts.all()
        if (role := one.visitor.role_in(slug))
    ]
    status, told = (200, None) if error is None else (said(error)["status"], said(error))
    return page(request, "members.html", {"people": rows}, status, error=told, roles=[NONE, *Role])


def _places(request: Request) -> list[tuple[str, str]]:
    """The archives of the site in which the visitor has a role, by short name and name."""
    visitor = request.state.visitor
    return [(one.slug, one.name) for one in request.app.state.holdings if visitor.role_in(one.slug)]


def _roles(given: tuple[tuple[str, Role], ...]) -> list[Plain]:
    return [{"archive": archive, "role": str(role)} for archive, role in given]


def _token(token: Token) -> Plain:
    return {
        "number": token.id,
        "label": token.label,
        "scopes": sorted(token.scopes),
        "archive": token.archive,
        "expires": _moment(token.expires)[:10],
        "used": _moment(token.used) if token.used else None,
        "revoked": _moment(token.revoked) if token.revoked else None,
    }


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="minutes").replace("+00:00", "Z")
