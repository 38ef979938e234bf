"""Blind sheets: a set as a table that a person judges in, and what comes back (H3, H4).

Rows stand in an order by digest, without scores, places or what found them. What comes back is read whole before
anything is recorded; every mistake is named by its line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vestigia.app import tables
from vestigia.app.present import CLOSED
from vestigia.app.sets import SourceSet
from vestigia.domain.archive import Passage
from vestigia.domain.commissions import Item, Rubric
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Scored
from vestigia.domain.ids import PassageId, digest
from vestigia.domain.periods import label
from vestigia.inquiry.judge import by_rubric

COLUMNS = ("passage", "title", "date", "sub_corpus", "text", "score", "argument", "rubric")
_WHOLE = re.compile(r"(\d{1,9})(?:[.,]0+)?")
_TOLD = 12
"""Mistakes that are told at once."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a person scored, and in words what was left empty, by line."""

    scores: tuple[Scored, ...]
    empty: tuple[str, ...]


def blind(items: Sequence[Item], rubric: Rubric) -> list[Item]:
    """Put items into an order that says nothing of them."""
    return sorted(items, key=lambda item: digest(f"{rubric.digest} {item.passage}"))


def write(path: Path, found: SourceSet, rubric: Rubric, passages: Mapping[PassageId, Passage | None]) -> None:
    """Write a sheet; a passage that may not be shown has no text. Raises what `tables.write` raises."""
    rows = []
    for item in blind(found.items, rubric):
        card, passage = found.cards[item.document], passages[item.passage]
        date = label(card.period) if card.period else ""
        text = passage.text if passage else f"({CLOSED})"
        cells = (item.passage, card.title, date, card.sub_corpus, text, "", "", _version(rubric))
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    tables.write(path, COLUMNS, rows)


def read(path: Path, items: Sequence[Item], rubric: Rubric, author: str) -> Returned:
    """Read a sheet back. Raises UsageError with every mistake by its line; then nothing is recorded."""
    known = {str(item.passage): item for item in items}
    scores: dict[str, Scored] = {}
    empty, wrong = [], []
    met: set[str] = set()
    for row in tables.read(path, ("passage", "score"), COLUMNS):
        line, name, written = row.place, row["passage"], row["score"]
        if name not in known:
            wrong.append(f"{line}: the set has no passage {name!r}")
        elif name in met:
            wrong.append(f"{line}: {name} stands there twice")
        elif row.cells.get("rubric", _version(rubric)) != _version(rubric):
            wrong.append(f"{line}: it is for the rubric {row['rubric']}, not {_version(rubric)}")
        elif not written:
            empty.append(f"{line}: {name} was left empty")
        elif (score := _score(written, rubric)) is None:
            wrong.append(f"{line}: {written!r} is no whole number from {rubric.lowest} to {rubric.highest}")
        else:
            item = known[name]
            argument = row["argument"]
            scores[name] = Scored(item.passage, item.document, score, argument, author=author)
        met.add(name)
    if wrong:
        more = f"; and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise UsageError(
            f"{'; '.join(wrong[:_TOLD])}{more}.", where=str(path), remedy="Nothing was recorded: mend these lines."
        )
    empty += [f"{name} is not in the sheet" for name in known if name not in met]
    return Returned(tuple(scores[name] for name in known if name in scores), tuple(empty))


def _score(written: str, rubric: Rubric) -> int | None:
    found = _WHOLE.fullmatch(written)
    score = int(found[1]) if found else None
    return score if score is not None and by_rubric(score, rubric) else None


def _version(rubric: Rubric) -> str:
    return f"{rubric.name} {rubric.digest.removeprefix('sha256:')[:12]}"
