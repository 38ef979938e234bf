"""Blind sheets: a set as a table that a person judges in, and what comes back (H3, H4).

Rows stand in an order by digest, without scores, places or what found them. What comes back is read whole before
anything is recorded; every mistake is named by its line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vestigia.app import tables
from vestigia.app.sets import SourceSet
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
_LONG = 80
"""Characters of a cell that are repeated in a message."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a person scored, and in words what was left empty, by line, and what was not read."""

    scores: tuple[Scored, ...]
    empty: tuple[str, ...]


def blind(items: Sequence[Item], rubric: Rubric) -> list[Item]:
    """Put items into an order that says nothing of them."""
    return sorted(items, key=lambda item: digest(f"{rubric.digest} {item.passage}"))


def write(path: Path, found: SourceSet, rubric: Rubric, texts: Mapping[PassageId, str]) -> None:
    """Write a sheet; `texts` has for a passage that may not be shown why. Raises what `tables.write` raises."""
    rows = []
    for item in blind(found.items, rubric):
        card = found.cards[item.document]
        date = label(card.period) if card.period else ""
        cells = (item.passage, card.title, date, card.sub_corpus, texts[item.passage], "", "", _version(rubric))
        rows.append(dict(zip(COLUMNS, cells, strict=True)))
    tables.write(path, COLUMNS, rows)


def read(path: Path, items: Sequence[Item], rubric: Rubric, author: str) -> Returned:
    """Read a sheet back. Raises UsageError with every mistake by its line, or without a score; nothing is recorded."""
    known = {str(item.passage): item for item in items}
    scores: dict[str, Scored] = {}
    empty, wrong = [], []
    met: set[str] = set()
    rows = tables.read(path, ("passage", "score"), COLUMNS)
    for row in rows:
        line, name, written = row.place, row["passage"], row["score"]
        if name not in known:
            wrong.append(f"{line}: the set has no passage {_short(name)}")
        elif name in met:
            wrong.append(f"{line}: {name} stands there twice")
        elif row.cells.get("rubric", _version(rubric)) != _version(rubric):
            wrong.append(f"{line}: it is for the rubric {_short(row['rubric'])}, not {_version(rubric)}")
        elif not written:
            empty.append(f"{line}: {name} was left empty")
        elif (score := _score(written, rubric)) is None:
            wrong.append(f"{line}: {_short(written)} is no whole number from {rubric.lowest} to {rubric.highest}")
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
    if not scores:
        raise UsageError("no row has a score.", where=str(path), remedy="Write them into the column `score`.")
    empty += [f"{name} is not in the sheet" for name in known if name not in met]
    return Returned(tuple(scores[name] for name in known if name in scores), (*empty, *tables.unread(rows, COLUMNS)))


def _score(written: str, rubric: Rubric) -> int | None:
    found = _WHOLE.fullmatch(written)
    score = int(found[1]) if found else None
    return score if score is not None and by_rubric(score, rubric) else None


def _version(rubric: Rubric) -> str:
    return f"{rubric.name} {rubric.digest.removeprefix('sha256:')[:12]}"


def _short(written: str) -> str:
    return repr(written if len(written) <= _LONG else f"{written[:_LONG]}…")
