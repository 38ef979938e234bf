"""What people do to the sources of a set and to the claims of a text, each act with its author (H1, H8, H9).

The time of an act is that of its entry in the ledger; an act is named by the number of that entry.
"""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.archive import DocumentCard
from vestigia.domain.ids import DocumentId, PassageId


class Act(StrEnum):
    """What a person does to a source. A note and a tag decide nothing."""

    ACCEPT = "accept"
    REJECT = "reject"
    FLAG = "flag"
    """To be looked at again, alone or together."""
    NOTE = "note"
    TAG = "tag"

    @property
    def decides(self) -> bool:
        """Whether it says what becomes of the source."""
        return self in {Act.ACCEPT, Act.REJECT, Act.FLAG}


@dataclass(frozen=True, slots=True)
class Curated:
    """A person acted on a source of a set (H8). `reason` is that of an exclusion, out of the project's list.

    The last decision of each person stands. One that `resolves` stands for all who decided before it.
    """

    document: DocumentId
    act: Act
    author: str
    reason: str = ""
    note: str = ""
    tag: str = ""
    resolves: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """A person took back an act of their own: what they had decided before it stands again."""

    entry: int
    author: str


@dataclass(frozen=True, slots=True)
class Added:
    """A person laid a source beside those of a set: one that its searches did not bring, or that was not taken over.

    It is a source of the set like the others from then on, and decided about like them. The card is as it was then.
    """

    card: DocumentCard
    passage: PassageId
    author: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A person closed the heuristic phase: these sources, and no other, may be interpreted (H1)."""

    sources: tuple[DocumentId, ...]
    statement: str
    author: str


class Remark(StrEnum):
    """What a person says of a claim."""

    CONTEST = "contest"
    SIGN = "sign"
    """To answer for a quotation that is not sealed."""
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Remarked:
    """A person said something of a claim of an interpretation (H9); the claim stays as it was written."""

    claim: str
    remark: Remark
    reason: str
    author: str
