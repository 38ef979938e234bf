"""`vestigia people`: the accounts of a server. A password is asked for or read from standard input, nothing else."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from vestigia.app.people.accounts import Person
from vestigia.app.people.door import People
from vestigia.app.people.roles import EVERYWHERE, role_named, scopes_named
from vestigia.app.people.tokens import DAYS, Token
from vestigia.app.present import Plain
from vestigia.cli import printing
from vestigia.cli.arguments import JsonOption, path_of
from vestigia.cli.outcome import ending
from vestigia.domain.errors import UsageError

Data = Annotated[
    Path, typer.Option("--data", parser=path_of, help="The folder of the server, as given to `vestigia serve`.")
]


class Action(StrEnum):
    """What to do with the accounts."""

    LIST = "list"
    ADD = "add"
    ROLE = "role"
    PASSWORD = "password"  # noqa: S105  the name of an action
    DISABLE = "disable"
    ENABLE = "enable"
    TOKENS = "tokens"
    TOKEN = "token"  # noqa: S105  likewise
    REVOKE = "revoke"


def people(  # noqa: PLR0913  a command has as many parameters as options
    action: Annotated[Action, typer.Argument(help="What to do.")],
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Whose account; `list` needs none.")] = "",
    *,
    data: Data,
    role: Annotated[str, typer.Option(help="reader, researcher, curator, admin; `none` takes it away.")] = "",
    archive: Annotated[str, typer.Option(help="The archive's name on the server; `*` is all of them.")] = EVERYWHERE,
    label: Annotated[str, typer.Option(help="What a token is for.")] = "",
    scopes: Annotated[str, typer.Option(help="read, act, closed, metrics; comma-separated.")] = "read",
    days: Annotated[int, typer.Option(help="Days after which a token is over.")] = DAYS,
    number: Annotated[int, typer.Option(help="The number of a token to revoke.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Make and list accounts, say what role they have in which archive, lock them, make tokens for programs."""
    with ending():
        if action is not Action.LIST and not name:
            raise UsageError("whose account?", where=f"people {action}", remedy="Write the name after it.")
        here = People(data)
        accounts = here.accounts
        match action:
            case Action.LIST:
                _list(accounts.all(), as_json=as_json)
            case Action.ADD:
                given = role_named(role) if role else None
                made = accounts.add(name, _password())
                _list([accounts.give(made.name, archive, given) if given else made], as_json=as_json)
            case Action.ROLE:
                wanted = None if role == "none" else role_named(role)
                _list([accounts.give(name, archive, wanted)], as_json=as_json)
            case Action.PASSWORD:
                accounts.named(name)
                accounts.change_password(name, _password())
                _list([accounts.named(name)], as_json=as_json)
            case Action.DISABLE | Action.ENABLE:
                _list([accounts.disable(name, disabled=action is Action.DISABLE)], as_json=as_json)
            case Action.TOKEN:
                person = accounts.named(name)
                secret = here.tokens.make(person.id, label, scopes_named(scopes), archive, days)
                _made(secret, here.tokens.of(person.id)[0], as_json=as_json)
            case Action.TOKENS | Action.REVOKE:
                person = accounts.named(name)
                if action is Action.REVOKE:
                    here.tokens.revoke(person.id, number)
                _tokens(here.tokens.of(person.id), as_json=as_json)


def _password() -> str:
    """Ask for a password twice, or take the first line of what is piped in."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _list(found: tuple[Person, ...] | list[Person], *, as_json: bool) -> None:
    rows = [plain(person) for person in found]
    if as_json:
        printing.data(rows)
    elif not rows:
        printing.out.print("There is no account yet: vestigia people add NAME --data FOLDER", markup=False)
    else:
        printing.table(
            ("name", "roles", "state"),
            [(row["name"], _roles(row["roles"]), "disabled" if row["disabled"] else "") for row in rows],
        )


def plain(person: Person) -> Plain:
    """An account as data."""
    roles = {archive: str(role) for archive, role in person.roles}
    return {"name": person.name, "roles": roles, "disabled": person.disabled, "made": _day(person.made)}


def _roles(given: dict[str, str]) -> str:
    return ", ".join(f"{archive}: {role}" for archive, role in given.items()) or "none"


def _made(secret: str, token: Token, *, as_json: bool) -> None:
    if as_json:
        printing.data({**_token(token), "token": secret})
        return
    printing.out.print(secret, markup=False, soft_wrap=True)
    printing.out.print(f"It is shown this once. It is number {token.id} and lasts until {_day(token.expires)}.")


def _tokens(found: tuple[Token, ...], *, as_json: bool) -> None:
    rows = [_token(token) for token in found]
    if as_json:
        printing.data(rows)
        return
    columns = ("number", "label", "scopes", "archive", "expires", "used", "revoked")
    printing.table(
        columns, [[", ".join(v) if isinstance(v := row[one], list) else v or "" for one in columns] for row in rows]
    )


def _token(token: Token) -> Plain:
    return {
        "number": token.id,
        "label": token.label,
        "scopes": sorted(token.scopes),
        "archive": token.archive,
        "expires": _day(token.expires),
        "used": _day(token.used) if token.used else None,
        "revoked": _day(token.revoked) if token.revoked else None,
    }


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
