"""Every text and every document that a value of the ledger holds, at whatever depth, read off the types themselves.

A new event or effect is met here from its first day: what is typed as plain text counts as text unless it is known to
name a part of the archive, so that nothing leaves because somebody forgot to list it.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeAlias, get_args, get_type_hints

from vestigia.domain.archive import Provenance, SubCorpus
from vestigia.domain.commissions import CurateOrder, InterpretOrder, Rubric
from vestigia.domain.entries import Manifest
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules

Value: TypeAlias = Any
"""A value whose type is known only at run time, from the field it stands in."""
Change = Callable[[type, str, str], str]
"""Returns what is to stand in place of a text: of which class, in which field, and the text."""

_NO_TEXTS = {DatePeriod, Manifest, Provenance, Rules, SubCorpus}
"""Written by the code or by who described the archive: never by a model, and never out of a source."""
BY_PEOPLE = frozenset({CurateOrder, InterpretOrder, Question, Rubric})
"""What people asked for and by which criteria: no model writes any of it."""
_NAMES = frozenset({"author", "by_window", "channel", "channels", "checkpoint", "claim", "cluster", "date", "each",
    "id", "judge", "language", "languages", "limit", "missing", "model", "name", "person", "sealed_at", "served",
    "strata", "stratum", "sub_corpora", "sub_corpus", "task", "time", "title", "version", "weights"})  # fmt: skip
"""Fields that name parts of the archive, people or programs. A title is shown whatever the rights of its document."""


def changed(value: Value, change: Change) -> Value:
    """Return a value with each of its texts as `change` has it; the same value where nothing changes."""
    if isinstance(value, tuple):
        parts = tuple(changed(part, change) for part in value)
        return value if all(new is old for new, old in zip(parts, value, strict=True)) else parts
    if not is_dataclass(value) or isinstance(value, type) or type(value) in _NO_TEXTS:
        return value
    kind = type(value)
    before = {field.name: getattr(value, field.name) for field in fields(value)}
    texts = _text_fields(kind)
    after = {
        name: _each(kind, name, held, change) if name in texts else changed(held, change)
        for name, held in before.items()
    }
    new = {name: held for name, held in after.items() if held is not before[name]}
    return replace(value, **new) if new else value


def texts_of(value: Value) -> Iterator[str]:
    """Yield every text of a value that is not empty."""
    found: list[str] = []

    def take(_kind: type, _name: str, text: str) -> str:
        found.append(text)
        return text

    changed(value, take)
    yield from (text for text in found if text)


def parts_of(value: Value) -> Iterator[Value]:
    """Yield every value of a class inside a value, at whatever depth, itself first."""
    if isinstance(value, tuple):
        for one in value:
            yield from parts_of(one)
    elif is_dataclass(value):
        yield value
        for one in fields(value):
            yield from parts_of(getattr(value, one.name))


def documents_of(value: Value) -> Iterator[DocumentId]:
    """Yield every document that a value names, itself or by a passage; a model may have made a name up."""
    for part in parts_of(value):
        made: type = type(part)
        for name, kind in _id_fields(made).items():
            for one in _flat(getattr(part, name)):
                yield DocumentId(one) if kind is DocumentId else document_of(PassageId(one))


def document_of(passage: PassageId) -> DocumentId:
    """The document of a passage."""
    return DocumentId(passage.rpartition("#")[0])


def _each(kind: type, name: str, held: Value, change: Change) -> Value:
    if isinstance(held, str):
        return change(kind, name, held)
    if isinstance(held, tuple):
        parts = tuple(_each(kind, name, part, change) for part in held)
        return held if all(new is old for new, old in zip(parts, held, strict=True)) else parts
    return held


def _flat(held: Value) -> Iterator[str]:
    if isinstance(held, tuple):
        for part in held:
            yield from _flat(part)
    elif isinstance(held, str):
        yield held


@cache
def _text_fields(kind: type) -> frozenset[str]:
    return frozenset(name for name, hint in get_type_hints(kind).items() if name not in _NAMES and str in _leaves(hint))


@cache
def _id_fields(kind: type) -> dict[str, Value]:
    found = {}
    for name, hint in get_type_hints(kind).items():
        for wanted in (DocumentId, PassageId):
            if wanted in _leaves(hint):
                found[name] = wanted
    return found


def _leaves(hint: Value) -> list[Value]:
    parts = get_args(hint)
    return [leaf for part in parts for leaf in _leaves(part)] if parts else [hint]
