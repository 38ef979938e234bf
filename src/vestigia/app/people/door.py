"""The door of a server: who comes in by name and password, who is inside by a session, who asks with a token."""

from dataclasses import dataclass
from pathlib import Path
from time import time

from vestigia.app.people.access_log import AccessLog
from vestigia.app.people.accounts import Accounts, Person, name_of
from vestigia.app.people.openid import OpenId, provider_of
from vestigia.app.people.passwords import Passwords
from vestigia.app.people.sessions import Session, Sessions
from vestigia.app.people.store import Clock, Store
from vestigia.app.people.throttle import Throttle
from vestigia.app.people.tokens import Tokens
from vestigia.domain.errors import UsageError


@dataclass(frozen=True, slots=True)
class Entered:
    """A person has come in; `secret` is that of the new session."""

    person: Person
    secret: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nobody has come in; `wait` is in seconds, 0 where the name or the password is wrong. It says not which."""

    wait: int = 0


class People:
    """Everything a server keeps of people, in one folder that is no archive's."""

    def __init__(self, folder: Path, clock: Clock = time, passwords: Passwords | None = None) -> None:
        self.folder = folder
        store = Store(folder)
        self.accounts = Accounts(store, passwords or Passwords(), clock)
        self.sessions = Sessions(store, clock)
        self.tokens = Tokens(store, clock)
        self.throttle = Throttle(store, clock)
        self.log = AccessLog(folder)
        provider = provider_of(folder)
        self.openid = OpenId(provider, store, clock) if provider else None

    def enter(self, name: str, password: str, address: str) -> Entered | Refused:
        """Let a person in, or nobody; many wrong tries have to wait."""
        proven = self.prove(name, password, address)
        return proven if isinstance(proven, Refused) else Entered(proven, self.sessions.begin(proven.id))

    def enter_as(self, issuer: str, subject: str, name: str) -> Entered | Refused:
        """Let the person in whom a provider knows by a subject. Raises UsageError where the name is another's."""
        person = self.accounts.known_as(issuer, subject, name)
        return Entered(person, self.sessions.begin(person.id)) if person else Refused()

    def prove(self, name: str, password: str, address: str) -> Person | Refused:
        """The person of a name and password, without letting them in; many wrong tries have to wait."""
        try:
            called = name_of(name)
        except UsageError:
            called = ""
        attempt = self.throttle.attempt(called, address)
        if attempt.wait:
            return Refused(attempt.wait)
        person = self.accounts.proven(called, password)
        if person is None:
            return Refused()
        self.throttle.forgive(called, attempt)
        return person

    def inside(self, secret: str, *, used: bool = True) -> tuple[Person, Session] | None:
        """The person of a session's secret, as the account stands now; None where there is none."""
        session = self.sessions.find(secret, used=used) if secret else None
        person = self.accounts.numbered(session.person) if session else None
        return (person, session) if person and session else None
