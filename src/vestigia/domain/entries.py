"""The lines of a ledger (`design.md`, Ledger)."""

from dataclasses import dataclass

from vestigia.domain.commissions import Commission
from vestigia.domain.effects import Answer, Effect
from vestigia.domain.events import Event
from vestigia.domain.ids import Digest, RunId
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules


@dataclass(frozen=True, slots=True)
class Manifest:
    """Digests of everything that made a run: the run is named by it."""

    version: str
    corpus: Digest
    index: Digest
    prompts: Digest
    settings: Digest
    model: str
    model_digest: Digest
    parent: RunId | None = None
    """The run this one was forked from, at entry `forked_at`."""
    forked_at: int | None = None
    models: tuple[tuple[str, str], ...] = ()
    """Which configured model answers which task, where they differ or were chosen for this run; "" is all others."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The first entry: what made this run, what was asked, and by which rules.

    A run without a `commission` answers the question (TRACE); with one it does that, and the question is its text.
    """

    manifest: Manifest
    question: Question
    rules: Rules
    commission: Commission | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The core crossed to the world with these effects; they are carried out together."""

    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers, in the order asked whatever order they came in."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The core, or a person, stated a fact."""

    event: Event


Body = Begun | Asked | Answered | Recorded


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `digest` is over everything else in the line; `previous` chains it to the line before.

    `time` is UTC in ISO 8601; `took` the seconds the answer took, of entries that carry answers.
    """

    number: int
    previous: Digest
    digest: Digest
    time: str
    actor: str
    body: Body
    took: float | None = None
