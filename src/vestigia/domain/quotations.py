"""Quotations with their seals, and claims that cite them (H9, B8)."""

from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.ids import DocumentId, PassageId


class Outcome(StrEnum):
    """What a check of a quotation says."""

    EXACT = "exact"
    """Letter for letter; only white space and quotation marks at its ends may differ."""
    FOLDED = "same after folding"
    """The same words and signs in another spelling or typography."""
    ALTERED = "altered"
    UNCHECKABLE = "cannot be checked"


@dataclass(frozen=True, slots=True)
class Seal:
    """The outcome of a check; `why` says in words what is altered or was added, or why nothing could be checked.

    `spans` are (start, end) offsets in the source: of the parts, or of the nearest words of an altered quotation.
    """

    outcome: Outcome
    spans: tuple[tuple[int, int], ...] = ()
    why: str = ""

    @property
    def sealed(self) -> bool:
        """Whether the source says so."""
        return self.outcome in (Outcome.EXACT, Outcome.FOLDED)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words said to stand in a passage; the spans of its seal are offsets in its document, none if it was not shown."""

    number: int
    passage: PassageId
    document: DocumentId | None
    text: str
    seal: Seal


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an interpretation and the quotes it rests on, by number; `unknown` are others that it names."""

    id: str
    text: str
    quotes: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
