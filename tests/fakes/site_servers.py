"""A site with accounts, and browsers of its people. The clock is the test's, the hashes cost nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Mount

from fakes.sites import ADDRESS, Site
from vestigia.app.people.door import People
from vestigia.app.people.passwords import Passwords
from vestigia.app.people.roles import EVERYWHERE, Role, Scope
from vestigia.app.workspace import Workspace
from vestigia.web.security import Limits
from vestigia.web.site import Options, create_app

PASSWORD = "ein langer Satz von mir"


@dataclass
class Clock:
    """Seconds since 1970, as the test says."""

    now: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Server:
    """A site of archives with accounts in `folder`."""

    archives: Mapping[str, Workspace]
    folder: Path
    limits: Limits = field(default_factory=Limits)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        cheap = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        self.people = People(self.folder, self.clock, cheap)
        self.app = create_app(self.archives, Options(self.limits, people=self.people))

    def person(self, name: str, **roles: Role) -> str:
        """Make an account with a role in each archive named; `everywhere` stands for all of them."""
        self.people.accounts.add(name, PASSWORD)
        for archive, role in roles.items():
            self.people.accounts.give(name, EVERYWHERE if archive == "everywhere" else archive, role)
        return name

    def browser(self, name: str = "", **more: Any) -> Site:
        """A new browser, signed in as a person or as nobody."""
        site = Site(self.app, base_url=more.pop("base_url", ADDRESS), headers={"accept-language": "en"}, **more)
        if name:
            answer = site.submit("/login", {"name": name, "password": PASSWORD}, follow_redirects=False)
            assert answer.status_code == 303, answer.text
            site.get("/")  # where one is welcomed, once
        return site

    def program(self, name: str, *scopes: Scope, archive: str = EVERYWHERE) -> Site:
        """A program that asks with a token of a person."""
        person = self.people.accounts.named(name)
        secret = self.people.tokens.make(person.id, "test", frozenset(scopes), archive)
        headers = {"authorization": f"Bearer {secret}"}
        return Site(self.app, base_url=ADDRESS, headers=headers, follow_redirects=False)


def routes_of(app: FastAPI) -> Iterator[APIRoute]:
    """Every route of an app, however it came in. One of a kind that is not known here is an error."""
    yield from _routes(app.routes)


def _routes(routes: list[BaseRoute]) -> Iterator[APIRoute]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _routes(inner.routes)
        elif isinstance(route, Mount):
            assert route.path == "/static", f"{route.path}: nothing but styles is mounted"
        else:
            assert isinstance(route, APIRoute), f"{route}: of a kind that asks nobody who they are"
            yield route
