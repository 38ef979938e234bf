"""Two runs side by side (B10): which sources stand in one list only, and why the other has them not.

A pure reading of two states; nothing is judged anew. What a source lacks to be in the other list is the last stage it
reached there, as in the miss attribution of TRACE (T17).
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from vestigia.domain.archive import DocumentCard
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.rules import Rules
from vestigia.inquiry.contested import machine_said
from vestigia.inquiry.state import State
from vestigia.inquiry.view import Result, result


class Why(StrEnum):
    """Why a source is not in a list."""

    BELOW = "below"
    """It is listed, below the places that are compared."""
    REMOVED = "taken out by a person"
    REJECTED = "rejected"
    HELD = "held"
    UNJUDGED = "found, not judged"
    OTHER_PLAN = "no sub-question for its sub-corpus"
    UNFOUND = "not among its candidates"


@dataclass(frozen=True, slots=True)
class Both:
    """A source of both lists with its places in them."""

    card: DocumentCard
    places: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Only:
    """A source of one list: its place, why the other has it not, in that run's words; `elsewhere` its place there."""

    card: DocumentCard
    place: int
    why: Why
    reason: str = ""
    elsewhere: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two runs have in common and what not. `rules` are those in which they differ, with both values."""

    results: tuple[Result, Result]
    both: tuple[Both, ...]
    only_first: tuple[Only, ...]
    only_second: tuple[Only, ...]
    rules: tuple[tuple[str, object, object], ...]
    same_question: bool


def comparison(first: State, second: State, top: int = 0) -> Comparison:
    """Compare the lists of two runs, or their first `top` places."""
    results = result(first), result(second)
    lists = _places(results[0]), _places(results[1])
    cards = {row.card.id: row.card for one in results for row in one.sources}
    heads = tuple({name for name, place in places.items() if not top or place <= top} for places in lists)
    in_both = sorted(heads[0] & heads[1], key=lambda name: lists[0][name])
    return Comparison(
        results,
        tuple(Both(cards[name], (lists[0][name], lists[1][name])) for name in in_both),
        tuple(_only(cards[name], lists[0][name], second, lists[1]) for name in lists[0] if name in heads[0] - heads[1]),
        tuple(_only(cards[name], lists[1][name], first, lists[0]) for name in lists[1] if name in heads[1] - heads[0]),
        differing(first.rules, second.rules),
        first.question == second.question,
    )


def _places(shown: Result) -> dict[DocumentId, int]:
    return {row.card.id: place for place, row in enumerate(shown.sources, 1)}


def _only(card: DocumentCard, place: int, other: State, places: Mapping[DocumentId, int]) -> Only:
    """Why a source is not in the list of the other run, whose places are given."""
    if card.id in places:
        return Only(card, place, Why.BELOW, elsewhere=places[card.id])
    act = other.overruled.get(card.id)
    if act is not None:
        why = Why.REMOVED if act.decision is Decision.REJECT else Why.HELD
        return Only(card, place, why, f"{act.author}: {act.reason}" if act.reason else act.author)
    said, reason = machine_said(other, card.id)
    if said is not None:
        return Only(card, place, Why.REJECTED if said is Decision.REJECT else Why.HELD, reason)
    if card.id in other.cards:
        return Only(card, place, Why.UNJUDGED)
    targets = {asked.sub_corpus for asked in other.plan}
    aside = bool(targets) and "" not in targets and card.sub_corpus not in targets
    return Only(card, place, Why.OTHER_PLAN if aside else Why.UNFOUND)


def differing(first: Rules, second: Rules) -> tuple[tuple[str, object, object], ...]:
    """The rules in which two runs differ, by name with dots, and both values."""
    before, after = _flat(asdict(first)), _flat(asdict(second))
    return tuple((name, before[name], after[name]) for name in before if before[name] != after[name])


def _flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in values.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat
