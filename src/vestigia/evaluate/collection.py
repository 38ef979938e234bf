"""Test collections: questions whose sources are known (T18, B15).

Four shapes are read: a folder with `docs.jsonl`, `queries.jsonl` and `qrels.tsv`; a folder with TREC topics and qrels;
HistoriQA's two files (a corpus and questions with `gold_ids`); a table (CSV) of one's own judged questions.
"""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId

Gold = dict[str, dict[DocumentId, int]]
"""The grade (1 or more) of each relevant document of each query."""

_CORPUS = ("docs.jsonl", "corpus.jsonl", "corpus_dataset.jsonl", "docs")
_QUESTIONS = ("questions.jsonl", "question_dataset.jsonl")
_COLUMNS = {
    "id": ("id", "query_id", "question_id", "qid"),
    "query": ("query", "question", "frage", "text"),
    "documents": ("document", "documents", "gold_ids", "doc", "dokument", "sources"),
    "kind": ("kind", "type", "question_type", "art"),
    "grade": ("grade", "relevance"),
}
_SHAPES = "a folder with docs.jsonl, queries.jsonl, qrels.tsv; with TREC topics and qrels; with questions.jsonl; a CSV"


@dataclass(frozen=True, slots=True)
class Query:
    """A question and its known sources. Without one its answer is absent from the collection, or nobody judged it."""

    id: str
    text: str
    kind: str = ""
    gold: tuple[tuple[DocumentId, int], ...] = ()
    half: int = 0
    """0 or 1: every other judged query of its collection by id."""

    @property
    def relevant(self) -> tuple[DocumentId, ...]:
        """The documents that answer it."""
        return tuple(document for document, _ in self.gold)


@dataclass(frozen=True, slots=True)
class Collection:
    """Judged queries, those without a known source apart, and the files of its documents (none: an archive is given).

    Queries stand in the order of their ids, so that halves and samples are the same whatever the file's order.
    """

    name: str
    queries: tuple[Query, ...]
    unjudged: tuple[Query, ...] = ()
    documents: tuple[Path, ...] = ()

    def chosen(self, every: int = 1, half: int | None = None) -> "Collection":
        """Return it with one half of the judged queries, of those every n-th.

        With a half chosen the queries without a known source are left out.
        """
        queries = tuple(query for query in self.queries if half is None or query.half == half)
        return replace(self, queries=queries[::every], unjudged=() if half is not None else self.unjudged[::every])


def read_collection(path: Path) -> Collection:
    """Read a test collection. Raises UsageError where it is none, naming file and line of what cannot be read."""
    if path.is_file():
        return _collected(path.stem, *_table(path), ())
    if not path.is_dir():
        raise UsageError("there is no such file or folder.", where=str(path), remedy=f"A collection is {_SHAPES}.")
    documents = tuple(path / name for name in _CORPUS if (path / name).exists())[:1]
    name = path.resolve().name
    for file in _QUESTIONS:
        if (path / file).is_file():
            return _collected(name, *_historiqa(path / file), documents)
    topics = _first(path, "queries.jsonl", "topics*", "*.topics", "queries.tsv")
    judgments = _first(path, "qrels.tsv", "qrels*", "*.qrels")
    if topics is None or judgments is None:
        raise UsageError("it is no test collection.", where=str(path), remedy=f"A collection is {_SHAPES}.")
    queries = _queries(topics) if topics.suffix == ".jsonl" else _topics(topics)
    return _collected(name, queries, _judgments(judgments), documents)


def _first(folder: Path, *patterns: str) -> Path | None:
    return next((found for pattern in patterns for found in sorted(folder.glob(pattern)) if found.is_file()), None)


def _collected(name: str, queries: list[Query], gold: Gold, documents: tuple[Path, ...]) -> Collection:
    known = {query.id for query in queries}
    if strange := sorted(set(gold) - known):
        raise UsageError(
            f"{len(strange)} judged queries have no text, {strange[0]!r} for one.",
            where=name,
            remedy="Give the file of the queries that the judgments are for.",
        )
    judged = [replace(query, gold=tuple(sorted(gold.get(query.id, {}).items()))) for query in queries]
    judged.sort(key=lambda query: query.id)
    found = tuple(replace(query, half=at % 2) for at, query in enumerate(q for q in judged if q.gold))
    if not found:
        raise UsageError("no query has a known source.", where=name, remedy="Judge some: a query, its documents.")
    return Collection(name, found, tuple(query for query in judged if not query.gold), documents)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines that hold something, each with its place."""
    try:
        written = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"it cannot be read ({error}).", where=str(path), remedy="It must be UTF-8.") from error
    for number, line in enumerate(written.split("\n"), 1):
        if line.strip():
            yield f"{path}, line {number}", line.rstrip("\r")


def _records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, line in _lines(path):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"it is not JSON ({error}).", where=place) from error
        if not isinstance(record, dict):
            raise UsageError("it is no JSON object.", where=place)
        yield place, record


def _queries(path: Path) -> list[Query]:
    found = []
    for place, record in _records(path):
        if not record.get("id") or not isinstance(record.get("query"), str):
            raise UsageError("a query needs `id` and `query`.", where=place)
        found.append(Query(str(record["id"]), record["query"], str(record.get("kind") or "")))
    return _once(found, path)


def _topics(path: Path) -> list[Query]:
    """TREC topics: `<top>` with `<num>` and `<title>`, or a line with a number, a tab and the text."""
    written = "\n".join(line for _, line in _lines(path))
    if "<top>" in written:
        tops = [_tagged(top) for top in written.split("<top>")[1:]]
    else:
        tops = [(line.partition("\t")[0].strip(), line.partition("\t")[2].strip()) for _, line in _lines(path)]
    if not tops or not all(number and text for number, text in tops):
        raise UsageError(
            "a topic has no number or no text.",
            where=str(path),
            remedy="Write <top> with <num> and <title>, or a number, a tab, the text.",
        )
    return _once([Query(number, text) for number, text in tops], path)


def _tagged(top: str) -> tuple[str, str]:
    number = re.search(r"<num>\s*(?:Number:)?\s*([^\s<]+)", top)
    title = re.search(r"<title>\s*(?:Topic:)?\s*([^<]+)", top)
    return number[1] if number else "", " ".join(title[1].split()) if title else ""


def _judgments(path: Path) -> Gold:
    """TREC qrels: query, iteration, document, grade. Grades of 0 or less are not relevant."""
    gold: Gold = {}
    for place, line in _lines(path):
        cells = line.split("\t") if line.count("\t") == 3 else line.split()
        if len(cells) != 4 or not re.fullmatch(r"-?\d+", cells[3].strip()):
            raise UsageError("a judgment is: query, 0, document, grade (a whole number).", where=place)
        if int(cells[3]) > 0:
            gold.setdefault(cells[0].strip(), {})[DocumentId(cells[2].strip())] = int(cells[3])
    return gold


def _historiqa(path: Path) -> tuple[list[Query], Gold]:
    """HistoriQA: `question`, `question_type`, `gold_ids`; null means that the sources are not published."""
    queries, gold = [], Gold()
    for number, (place, record) in enumerate(_records(path), 1):
        if not isinstance(record.get("question"), str):
            raise UsageError("it holds no `question`.", where=place)
        query = Query(f"q{number:05d}", record["question"], str(record.get("question_type") or ""))
        queries.append(query)
        if record.get("gold_ids"):
            gold[query.id] = {DocumentId(str(document)): 1 for document in record["gold_ids"]}
    return queries, gold


def _table(path: Path) -> tuple[list[Query], Gold]:
    """A table of judged questions: rows of the same question add up; several ids in a cell are parted by `;` or `|`."""
    rows = [line for _, line in _lines(path)]
    separator = max("\t;,", key=rows[0].count) if rows else ","
    table = csv.DictReader(rows, delimiter=separator)
    columns = _columns(table.fieldnames or (), path)
    queries: dict[str, Query] = {}
    gold: Gold = {}
    for number, row in enumerate(table, 2):
        cells = {field: (row.get(column) or "").strip() for field, column in columns.items()}
        if not cells["query"]:
            raise UsageError("the question is empty.", where=f"{path}, record {number}")
        name = cells.get("id") or next((q.id for q in queries.values() if q.text == cells["query"]), "")
        name = name or f"q{len(queries) + 1:05d}"
        queries.setdefault(name, Query(name, cells["query"], cells.get("kind", "")))
        grade = cells.get("grade") or "1"
        if not grade.isdecimal():
            raise UsageError(f"the grade {grade!r} is no whole number.", where=f"{path}, record {number}")
        for document in filter(None, (part.strip() for part in re.split(r"[;|\n]", cells["documents"]))):
            if int(grade):
                gold.setdefault(name, {})[DocumentId(document)] = int(grade)
    return list(queries.values()), gold


def _columns(names: Sequence[str], path: Path) -> dict[str, str]:
    there = {name.strip().lower(): name for name in names}
    found = {field: next((there[n] for n in known if n in there), "") for field, known in _COLUMNS.items()}
    if not found["query"] or not found["documents"]:
        raise UsageError(
            "it needs a column `question` and a column `document`.",
            where=str(path),
            remedy=f"Its columns are: {', '.join(there) or 'none'}.",
        )
    return {field: column for field, column in found.items() if column}


def _once(queries: list[Query], path: Path) -> list[Query]:
    seen: set[str] = set()
    for query in queries:
        if query.id in seen:
            raise UsageError(f"the query {query.id!r} stands there twice.", where=str(path), remedy="Keep one of them.")
        seen.add(query.id)
    return queries
