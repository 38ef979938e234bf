"""Ledgers of sets being curated, without an engine: the first entry, the set, and what people did."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fakes.flow import a_card
from fakes.runs import MANIFEST
from vestigia.domain.acts import Act, Added, Curated, Sealed, Undone
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder, Item, Origin, Presorted
from vestigia.domain.entries import Begun, Entry, Recorded
from vestigia.domain.events import SetOpened
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId, RunId, digest, passage_id
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.inquiry.curation import repeats_of

ORIGIN = Origin(RunId("survey"), digest("head"))
REASONS = ("off topic", "no text to read")
QUESTION = Question("Die Brücke und der Zoll")


def item(name: str) -> Item:
    return Item(passage_id(DocumentId(name), 0, 9), DocumentId(name))


def order(names: str = "abc", presorted: Sequence[Presorted] = ()) -> CurateOrder:
    return CurateOrder(ORIGIN, tuple(map(item, names)), (), REASONS, tuple(presorted))


def entries(*bodies: Any, actors: Sequence[str] = ()) -> tuple[Entry, ...]:
    """Entries of these bodies or events; those of people are by the person they name, unless `actors` say otherwise."""
    made = []
    for number, one in enumerate(bodies):
        body = one if isinstance(one, Begun) or hasattr(one, "effects") or hasattr(one, "answers") else Recorded(one)
        person = f"person:{one.author}" if isinstance(one, Curated | Undone | Sealed | Added) else "code"
        actor = actors[number] if number < len(actors) else person
        made.append(
            Entry(number, digest("before"), digest(f"entry {number}"), f"2026-01-02T10:00:{number:02d}Z", actor, body)
        )
    return tuple(made)


def a_set(
    *acts: Any, names: str = "abc", presorted: Sequence[Presorted] = (), cards: Sequence[DocumentCard] | None = None
) -> tuple[Entry, ...]:
    """The ledger of a set that was laid open, and acts of people from entry 2 on."""
    there = tuple(a_card(name) for name in names) if cards is None else tuple(cards)
    here = {card.id for card in there}
    gone = tuple(DocumentId(name) for name in names if name not in here)
    first = Begun(MANIFEST, QUESTION, Rules(), order(names, presorted))
    return entries(first, SetOpened(there, repeats_of(there), gone), *acts)


def accept(name: str, author: str = "Ada", **more: Any) -> Curated:
    return Curated(DocumentId(name), Act.ACCEPT, author, **more)


def reject(name: str, author: str = "Ada", reason: str = "off topic", **more: Any) -> Curated:
    return Curated(DocumentId(name), Act.REJECT, author, reason, **more)


def added(name: str, author: str = "Ada", cluster: str = "", **more: Any) -> Added:
    return Added(replace(a_card(name), cluster=cluster), item(name).passage, author, **more)


def flag(name: str, author: str = "Ada") -> Curated:
    return Curated(DocumentId(name), Act.FLAG, author)


def hits(some: Iterable[str]) -> tuple[Hit, ...]:
    """A channel's list of these documents."""
    return tuple(Hit(item(name).passage, DocumentId(name), rank, 1.0) for rank, name in enumerate(some, 1))


def cards_of(some: Iterable[str], clusters: Mapping[str, str]) -> tuple[DocumentCard, ...]:
    """Their cards, each in its cluster."""
    return tuple(replace(a_card(name), cluster=clusters.get(name, "")) for name in some)
