"""What a run is begun for, where that is not answering a question: the historian's half (HistoRAG 3, H1-H9).

Each kind of work is a run of its own with a ledger of its own. It takes what it works on from earlier runs, named with
the digest of the last entry that was taken over (`Origin`), so that nothing passes from one phase to the next unseen.
"""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.ids import Digest, DocumentId, PassageId, RunId
from vestigia.domain.periods import DatePeriod


@dataclass(frozen=True, slots=True)
class Origin:
    """An earlier run as it was taken over: `head` is the digest of its last entry then."""

    run: RunId
    head: Digest


@dataclass(frozen=True, slots=True)
class Rubric:
    """The historian's criteria (H3), as their file says them; `digest` is that of the whole file and names the version.

    Scores are whole numbers from `lowest` to `highest`. `anchors` say what single scores mean (H4), `keep` and `drop`
    the bands that pre-sort a set for curation (H8): from `keep` up, from `drop` down; None: nothing is pre-sorted.
    """

    name: str
    digest: Digest
    criteria: str
    lowest: int = 1
    highest: int = 10
    anchors: tuple[tuple[int, str], ...] = ()
    keep: int | None = None
    drop: int | None = None
    examples: tuple[str, ...] = ()
    """Arguments given as examples: a judge that copies one has not judged."""


@dataclass(frozen=True, slots=True)
class Item:
    """A passage to be judged or curated."""

    passage: PassageId
    document: DocumentId


@dataclass(frozen=True, slots=True)
class SurveyOrder:
    """Gather a set that is balanced over time (H2): `quota` documents of each window, `undated` of those without date.

    The run's question is the description searched with (H1), its rules say which words are searched beside it (H7). No
    `channels` means all but the exact one.
    """

    windows: tuple[DatePeriod, ...]
    quota: int
    undated: int = 0
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeOrder:
    """Have every item judged by a rubric, on its own (H3). `person` names who judges; without one a model does."""

    origin: Origin
    rubric: Rubric
    items: tuple[Item, ...]
    person: str = ""


class Band(StrEnum):
    """Where a judge's score puts a source before people look (H8): a hint, never a decision."""

    KEEP = "keep"
    LOOK = "look"
    DROP = "drop"
    NONE = ""
    """Of a rubric that names no bands."""


@dataclass(frozen=True, slots=True)
class Presorted:
    """A judge's score of a source, as it was when the set was taken over; `judge` is who judged, by which rubric."""

    document: DocumentId
    judge: str
    band: Band
    score: float


@dataclass(frozen=True, slots=True)
class CurateOrder:
    """Let people decide about the items of a set (H8), pre-sorted by what `judgings` say of them."""

    origin: Origin
    items: tuple[Item, ...]
    judgings: tuple[Origin, ...] = ()
    reasons: tuple[str, ...] = ()
    """Reasons for an exclusion that the project's list offers."""
    presorted: tuple[Presorted, ...] = ()


@dataclass(frozen=True, slots=True)
class InterpretOrder:
    """Write interpretive proposals (*Zwischentexte*, H9) on questions put to a dossier, which alone can be interpreted.

    `dossier` is the curation that a person sealed, as it was when it was sealed; `items` are the sources it holds.
    """

    dossier: Origin
    items: tuple[Item, ...]
    questions: tuple[str, ...]
    rubrics: tuple[Digest, ...] = ()


Commission = SurveyOrder | JudgeOrder | CurateOrder | InterpretOrder
