"""`vestigia models`: which models can answer, and whether they do."""

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from vestigia.app import modelling
from vestigia.app.workspace import open_workspace
from vestigia.cli import printing
from vestigia.cli.arguments import ArchiveArgument, JsonOption
from vestigia.cli.outcome import FAILED, ending


class Action(StrEnum):
    """What to do with the models."""

    LIST = "list"
    CHECK = "check"


def models(
    archive: ArchiveArgument,
    action: Annotated[Action, typer.Argument(help="List them, or ask each one small question.")] = Action.LIST,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Check this one only.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List the models that can answer here, or check what they can do."""
    with ending():
        settings = open_workspace(archive).settings
        rows = [asdict(row) for row in modelling.listed(settings)] if action is Action.LIST else []
        found = modelling.check(settings, [name] if name else ()) if action is Action.CHECK else ()
    if action is Action.LIST:
        printing.data(rows) if as_json else _list_page(rows)
        return
    printing.data(list(found)) if as_json else _check_page(found)
    if any(row["problem"] for row in found):
        raise typer.Exit(FAILED)


def _list_page(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        answers = f" · answers {', '.join(row['answers'])}" if row["answers"] else ""
        printing.out.print(f"[bold]{printing.clean(row['name'])}[/bold]: {printing.clean(row['model'] + answers)}")
        if row["problem"]:
            printing.out.print(f"  [yellow]{printing.clean(row['problem'])}[/yellow]", soft_wrap=True)
        elif row["address"]:
            printing.out.print(f"  {printing.clean(', '.join(_facts(row)))}", soft_wrap=True)


def _facts(row: dict[str, Any]) -> list[str]:
    price = "unknown" if row["price"] is None else f"{row['price']:.4f} USD"
    return [
        row["address"],
        f"key from {row['key_from']}" if row["key_from"] else "no key",
        f"window {row['window'] or 'not said'}",
        f"schema {row['schema']}",
        "run by you" if row["rights"] == "own" else "run by others: never sees what its rights keep from them",
        f"{row['concurrency']} call(s) at a time",
        f"price of a usual call {price}",
    ]


def _check_page(found: tuple[dict[str, Any], ...]) -> None:
    if not found:
        printing.out.print("No language model is configured: see docs/models.md.", markup=False)
    for row in found:
        printing.out.print(f"[bold]{printing.clean(row['name'])}[/bold]: {printing.clean(row['model'])}")
        lines = [row["problem"]] if row["problem"] else _abilities(row)
        for line in lines:
            printing.out.print(f"  {printing.clean(line)}", soft_wrap=True)


def _abilities(row: dict[str, Any]) -> list[str]:
    holds = {True: "holds replies to a schema", False: "holds no reply to a schema"}[row["native"]]
    asked = {None: "", True: ", answers in JSON when asked in words", False: ", and gave no JSON when asked in words"}
    cost = "cost unknown" if row["cost"] is None else f"cost {row['cost']:.6f} USD"
    speed = "speed unknown" if row["speed"] is None else f"{row['speed']} tokens a second"
    window = f"takes {row['window']} tokens" if row["window"] else "does not say how many tokens it takes"
    served = [f"says it is {row['served']}"] if row["served"] else []
    return [holds + asked[row["prompted"]], window, f"{row['seconds']} s, {speed}, {cost}", *served, *row["notes"]]
