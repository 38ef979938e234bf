"""TREC run files and qrels: what other programs measure with.

White space and per cent signs in identifiers are percent-encoded: the format has white space between its columns.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from vestigia.evaluate.collection import Collection
from vestigia.evaluate.report import Trial


def write_run(folder: Path, collection: Collection, system: str, trial: Trial) -> Path:
    """Write a system's rankings: query, Q0, document, rank from 1, a score that falls by rank, the system."""
    lines = []
    for query in (*collection.queries, *collection.unjudged):
        lines += ranking_lines(query.id, trial[query.id].ranking, system)
    return _write(folder / f"{_name(collection.name)}.{_name(system)}.run", lines)


def write_qrels(folder: Path, collection: Collection) -> Path:
    """Write the judgments: query, 0, document, grade."""
    lines = [line for query in collection.queries for line in judgment_lines(query.id, query.gold)]
    return _write(folder / f"{_name(collection.name)}.qrels", lines)


def ranking_lines(query: str, ranking: Sequence[str], system: str) -> list[str]:
    """A ranking as the lines of a run file."""
    return [
        f"{_word(query)} Q0 {_word(document)} {rank} {len(ranking) + 1 - rank} {_word(system)}"
        for rank, document in enumerate(ranking, 1)
    ]


def judgment_lines(query: str, grades: Iterable[tuple[str, int]]) -> list[str]:
    """Judgments as the lines of qrels."""
    return [f"{_word(query)} 0 {_word(document)} {grade}" for document, grade in grades]


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def _word(text: str) -> str:
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)


def _name(text: str) -> str:
    return re.sub(r"[^\w.+-]", "-", text)
