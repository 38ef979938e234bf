"""Where the index stands: one small file, written last, that decides which generation of files counts.

A killed writer leaves files that no state names; the next writer clears them away.
"""

import json
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from vestigia.domain.errors import ArchiveError, StaleIndexError
from vestigia.domain.ids import Digest
from vestigia.index.analysis import ANALYSIS
from vestigia.index.durable import write_text

FORMAT = 6
"""Raise it when the files of an index change their meaning."""
STATE = "state.json"
_SAID = 120


def engine_version() -> str:
    """Return the release line of the search engine: its files may differ from one to the next."""
    return ".".join(version("tantivy").split(".")[:2])


@dataclass(frozen=True, slots=True)
class State:
    """What is committed: up to which batch of the catalogue, with which fingerprint, in which generation of files.

    `next_key` is the number the next new passage gets; numbers are never given twice.
    """

    batch: int
    corpus: Digest
    generation: int
    next_key: int
    format: int = FORMAT
    analysis: str = ANALYSIS
    engine: str = ""

    @property
    def is_current(self) -> bool:
        """Whether this version of Vestigia can use it."""
        return (self.format, self.analysis, self.engine) == (FORMAT, ANALYSIS, engine_version())

    def folder(self, index: Path) -> Path:
        """Return the folder of this generation's files."""
        return generation_folder(index, self.generation)


def generation_folder(index: Path, generation: int) -> Path:
    """Name the folder of a generation of files."""
    return index / f"generation-{generation:06d}"


def read_state(index: Path) -> State | None:
    """Read the state; none when nothing was ever committed. Raises ArchiveError for an unreadable file."""
    path = index / STATE
    try:
        return State(**json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as problem:
        raise ArchiveError(
            f"the state of the index cannot be read ({shortened(problem)}).",
            where=str(path),
            remedy="Run `vestigia add` once more: the index is rebuilt from the catalogue.",
        ) from problem


def shortened(problem: Exception) -> str:
    """Return the beginning of what another program says is wrong: the search engine quotes whole files."""
    said = " ".join(str(problem).split())
    return said if len(said) <= _SAID else f"{said[:_SAID]} …"


def write_state(index: Path, state: State) -> None:
    """Make `state` the one that counts."""
    write_text(index / STATE, json.dumps(asdict(state), indent=1, sort_keys=True) + "\n")


def usable_state(index: Path) -> State:
    """Return the state of an index that can be searched. Raises ArchiveError, StaleIndexError for another format."""
    state = read_state(index)
    if state is None:
        raise ArchiveError("there is no index yet.", where=str(index), remedy="Add documents first.")
    if not state.is_current:
        raise StaleIndexError(
            "the index was written by another version of Vestigia or of its search engine.",
            where=str(index),
            remedy="Add once more: the index is rebuilt from the catalogue.",
        )
    return state
