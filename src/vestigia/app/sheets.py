"""Blind sheets: a set as a table that a person judges in, and what comes back (H3, H4).

Rows stand in an order by digest, without scores, places or what found them. Cells that a spreadsheet would take for a
formula are quoted. What comes back is read whole before anything is recorded; every mistake is named by its line.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vestigia.app.cells import guarded, unguarded
from vestigia.app.present import CLOSED
from vestigia.app.sets import SourceSet
from vestigia.domain.archive import Passage
from vestigia.domain.commissions import Item, Rubric
from vestigia.domain.errors import ArchiveError, UsageError
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
    """Write a sheet; a passage that may not be shown has no text. Raises ArchiveError where it cannot be written."""
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(COLUMNS)
    for item in blind(found.items, rubric):
        card, passage = found.cards[item.document], passages[item.passage]
        date = label(card.period) if card.period else ""
        text = passage.text if passage else f"({CLOSED})"
        cells = (item.passage, card.title, date, card.sub_corpus, text, "", "", _version(rubric))
        rows.writerow([guarded(cell) for cell in cells])
    try:
        path.write_text(table.getvalue(), encoding="utf-8-sig")
    except OSError as error:
        raise ArchiveError(f"the sheet cannot be written ({error.strerror}).", where=str(path)) from error


def read(path: Path, items: Sequence[Item], rubric: Rubric, author: str) -> Returned:
    """Read a sheet back. Raises UsageError with every mistake by its line; then nothing is recorded."""
    known = {str(item.passage): item for item in items}
    scores: dict[str, Scored] = {}
    empty, wrong = [], []
    met: set[str] = set()
    for line, row in _rows(path):
        name, written = row["passage"], row["score"]
        if name not in known:
            wrong.append(f"line {line}: the set has no passage {name!r}")
        elif name in met:
            wrong.append(f"line {line}: {name} stands there twice")
        elif row.get("rubric", _version(rubric)) != _version(rubric):
            wrong.append(f"line {line}: it is for the rubric {row['rubric']}, not {_version(rubric)}")
        elif not written:
            empty.append(f"line {line}: {name} was left empty")
        elif (score := _score(written, rubric)) is None:
            wrong.append(f"line {line}: {written!r} is no whole number from {rubric.lowest} to {rubric.highest}")
        else:
            item = known[name]
            argument = row.get("argument", "")
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


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Read the rows with the lines they end on; spreadsheets part cells by commas, semicolons or tabs."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"it cannot be read ({error}).", where=str(path), remedy="Save it as CSV in UTF-8.") from error
    head = text.partition("\n")[0]
    table = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=head.count))
    columns = [(name or "").strip().casefold() for name in table.fieldnames or ()]
    for needed in ("passage", "score"):
        if needed not in columns:
            raise UsageError(
                f"there is no column {needed!r}.", where=str(path), remedy=f"Its columns: {', '.join(COLUMNS)}."
            )
    rows = []
    for row in table:
        cells = {
            column: unguarded(row.get(name) or "") for column, name in zip(columns, table.fieldnames or (), strict=True)
        }
        if any(cells.values()):
            rows.append((table.line_num, cells))
    return rows


def _version(rubric: Rubric) -> str:
    return f"{rubric.name} {rubric.digest.removeprefix('sha256:')[:12]}"
