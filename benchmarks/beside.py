"""The engines beside which search is measured, over the same passages: tantivy alone, numpy, SQLite, ChromaDB."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import tantivy
from made_archive import Pair

CHROMA_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Yardsticks:
    """The engines, open, and at which rate each was built: passages a second of processor time."""

    searcher: tantivy.Searcher
    index: tantivy.Index
    database: sqlite3.Connection
    vectors: np.ndarray
    rates: dict[str, float]
    chroma: Any = None


def yardsticks(folder: Path, archive: list[Pair], vectors: np.ndarray, chroma: bool) -> Yardsticks:
    """Build all; ChromaDB only where it was asked for and is installed."""
    rates: dict[str, float] = {}
    index = _rated("raw tantivy, one field", rates, archive, lambda: _tantivy(folder / "raw", archive))
    database = _rated("SQLite FTS5", rates, archive, lambda: _fts(folder / "fts.sqlite", archive))
    collection = None
    if chroma:
        name = "ChromaDB with LangChain's splitter"
        collection = _rated(name, rates, archive, lambda: _chroma(folder / "chroma", archive, vectors))
    return Yardsticks(index.searcher(), index, database, vectors, rates, collection)


def _rated(name: str, rates: dict[str, float], archive: list[Pair], build: Callable[[], Any]) -> Any:  # noqa: ANN401
    began = time.process_time()
    built = build()
    rates[name] = len(archive) / (time.process_time() - began)
    return built


def _tantivy(folder: Path, archive: list[Pair]) -> tantivy.Index:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="default", index_option="freq")
    builder.add_integer_field("key", indexed=True, fast=True)
    folder.mkdir()
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(200_000_000, 1)
    for key, (passage, _) in enumerate(archive):
        writer.add_document(tantivy.Document(text=passage.text, key=key))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def _fts(file: Path, archive: list[Pair]) -> sqlite3.Connection:
    database = sqlite3.connect(file)
    with closing(database.cursor()) as cursor:
        cursor.execute("CREATE VIRTUAL TABLE fts USING fts5(text)")
        cursor.executemany("INSERT INTO fts(text) VALUES (?)", ((passage.text,) for passage, _ in archive))
    database.commit()
    return database


def _chroma(folder: Path, archive: list[Pair], vectors: np.ndarray) -> Any:  # noqa: ANN401
    """As HistoRAG has it: each document cut by LangChain, the parts with their vectors and descriptions in ChromaDB."""
    import chromadb  # noqa: PLC0415  (optional: see the documentation)
    from langchain_text_splitters import RecursiveCharacterTextSplitter  # noqa: PLC0415

    splitter = RecursiveCharacterTextSplitter(chunk_size=600, chunk_overlap=0)
    client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("made", embedding_function=None, metadata={"hnsw:space": "cosine"})
    parts = (
        (f"{passage.id}.{n}", part, {"sub_corpus": card.sub_corpus, "document": card.id}, row)
        for row, (passage, card) in enumerate(archive)
        for n, part in enumerate(splitter.split_text(passage.text))
    )
    for batch in _batches(parts):
        names, texts, described, rows = (list(column) for column in zip(*batch, strict=True))
        collection.add(ids=names, documents=texts, metadatas=described, embeddings=vectors[rows])
    return collection


def _batches(parts: Iterator[tuple[str, str, dict[str, str], int]]) -> Iterator[list[Any]]:
    while batch := list(islice(parts, CHROMA_BATCH)):
        yield batch
