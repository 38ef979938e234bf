"""Near-duplicates in the catalogue (B4): which documents say the same, found once and kept as clusters.

Texts equal letter by letter come first, by digest; then near ones, by sketches. What is kept grows with the archive,
but is found anew only for documents that are new: each text is read once for its sketch, and again only to be compared.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.likeness import ALIKE, candidates, letters, shingles, similarity, sketch
from vestigia.corpus.rows import listed
from vestigia.domain.archive import DocumentCard
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import overlaps

_EQUAL = 60
"""Letters an equal text needs before it counts as a copy: `Ich komme morgen` is written twice without copying."""
_BATCH = 500
_NUMBER = np.dtype("<u8")


class Kind(StrEnum):
    """What the documents of a cluster are to each other, as far as their dates tell."""

    TWIN = "twin"
    """One text of one time, kept twice."""
    REPRINT = "reprint"
    """One text at different times."""
    UNDATED = "undated"
    """One text, but not every date is known."""


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a cluster; `similarity` is the part of it that recurs in the member it is most alike (0 to 1)."""

    card: DocumentCard
    similarity: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents that say the same, the oldest first, undated ones last."""

    kind: Kind
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Twin:
    """A record that was not taken in, because the document of its id says the same already."""

    document: DocumentId
    file: str
    record: str
    similarity: float


def find_duplicates(catalogue: Catalogue, tell: Callable[[int, int], None] = lambda _done, _of: None) -> int:
    """Bring the clusters up to date; returns their number. `tell` hears how many texts of how many are read.

    Can be interrupted and goes on where it was. Raises ArchiveError when another process is writing.
    """
    store = catalogue.store
    if int(store.fact("clustered")) != catalogue.batch:
        _sketch_new(catalogue, tell)
        batch = catalogue.batch
        with store.transaction():
            found = [(one, other, 1.0) for one, other in _equal(catalogue)]
            found += [(one, other, alike) for one, other, alike in _near(catalogue) if alike >= ALIKE]
            store.write("INSERT OR REPLACE INTO likenesses VALUES (?, ?, ?)", found)
            store.write("UPDATE sketches SET fresh = 0")
            store.write("DELETE FROM clusters")
            store.write("INSERT INTO clusters VALUES (?, ?, ?, ?)", _clustered(catalogue))
            store.set_fact("clustered", str(batch))
    return int(store.read("SELECT count(DISTINCT cluster) FROM clusters")[0][0])


def clusters(catalogue: Catalogue) -> tuple[Cluster, ...]:
    """The clusters as they were found last, by the date of their oldest document."""
    found: dict[str, tuple[Kind, list[tuple[str, float]]]] = {}
    for document, cluster, kind, alike in catalogue.store.read("SELECT * FROM clusters ORDER BY cluster, document"):
        found.setdefault(cluster, (Kind(kind), []))[1].append((document, alike))
    made = [Cluster(kind, _members(catalogue, members)) for kind, members in found.values()]
    return tuple(sorted(made, key=lambda one: _age(one.members[0].card)))


def cluster_of(catalogue: Catalogue, document: DocumentId) -> Cluster | None:
    """The cluster a document is of, as it was found last, or none."""
    wanted = """SELECT document, kind, similarity FROM clusters
        WHERE cluster = (SELECT cluster FROM clusters WHERE document = ?) ORDER BY document"""
    found = catalogue.store.read(wanted, [document])
    if not found:
        return None
    return Cluster(Kind(found[0][1]), _members(catalogue, [(row[0], row[2]) for row in found]))


def clusters_of(catalogue: Catalogue, documents: Iterable[DocumentId]) -> dict[DocumentId, str]:
    """Return the cluster of each of the documents that is of one."""
    wanted = "SELECT document, cluster FROM clusters WHERE document IN (SELECT value FROM json_each(?))"
    return {DocumentId(row[0]): row[1] for row in catalogue.store.read(wanted, listed(list(documents)))}


def alike(catalogue: Catalogue, names: Iterable[str]) -> dict[str, tuple[DocumentCard, ...]]:
    """Return all documents of the clusters of these names, by `DocumentCard.cluster`, the oldest first."""
    wanted = "SELECT document FROM clusters WHERE cluster IN (SELECT value FROM json_each(?))"
    found: dict[str, list[DocumentCard]] = {}
    ids = [DocumentId(row[0]) for row in catalogue.store.read(wanted, listed(sorted(set(names))))]
    for card in sorted(catalogue.documents(ids), key=_age):
        found.setdefault(card.cluster, []).append(card)
    return {name: tuple(cards) for name, cards in found.items()}


def twins(catalogue: Catalogue, document: DocumentId | None = None) -> tuple[Twin, ...]:
    """The records that were not taken in as twins, of one document or of all, by document, file and record."""
    wanted = "SELECT * FROM twins WHERE document = ifnull(?, document) ORDER BY document, file, record"
    return tuple(Twin(DocumentId(row[0]), *row[1:]) for row in catalogue.store.read(wanted, [document]))


def keep_twin(catalogue: Catalogue, twin: Twin) -> None:
    """Keep that a record says what a document says already."""
    catalogue.store.write(
        "INSERT OR REPLACE INTO twins VALUES (?, ?, ?, ?)", [(twin.document, twin.file, twin.record, twin.similarity)]
    )


def likeness(one: str, other: str) -> float:
    """Return which part of two texts recurs in the other one, 0 to 1; 1 where their letters are the same."""
    first, second = letters(one), letters(other)
    return 1.0 if first == second else similarity(shingles(first), shingles(second))


def _sketch_new(catalogue: Catalogue, tell: Callable[[int, int], None]) -> None:
    store = catalogue.store
    new = [
        row[0]
        for row in store.read("SELECT id FROM documents WHERE id NOT IN (SELECT document FROM sketches) ORDER BY id")
    ]
    for begin in range(0, len(new), _BATCH):
        rows = []
        for name in new[begin : begin + _BATCH]:
            found = _letters_of(catalogue, name)
            key = digest(found) if len(found) >= _EQUAL else ""
            rows.append((name, key, sketch(found).astype(_NUMBER).tobytes(), 1))
        with store.transaction():
            store.write("INSERT OR REPLACE INTO sketches VALUES (?, ?, ?, ?)", rows)
        tell(min(begin + _BATCH, len(new)), len(new))


def _equal(catalogue: Catalogue) -> list[tuple[str, str]]:
    """Pair each document with the first one of the same letters."""
    return [
        (first, other)
        for first, other in catalogue.store.read(
            """SELECT first, document FROM sketches JOIN (SELECT letters, min(document) AS first FROM sketches
           WHERE letters <> '' GROUP BY letters HAVING count(*) > 1) USING (letters)
           WHERE document <> first ORDER BY first, document"""
        )
    ]


def _near(catalogue: Catalogue) -> Iterator[tuple[str, str, float]]:
    """Yield the pairs to be compared of which one is new, with their similarity; of equal texts the first stands in."""
    store = catalogue.store
    if not store.read("SELECT 1 FROM sketches WHERE fresh = 1 AND sketch <> x'' LIMIT 1"):
        return
    names: list[tuple[str, bool]] = []
    sketches, lengths = bytearray(), array("i")
    for name, fresh, blob in store.stream("""SELECT min(document), max(fresh), sketch FROM sketches
                                             WHERE sketch <> x'' GROUP BY letters ORDER BY 1"""):
        names.append((name, bool(fresh)))
        lengths.append(len(blob) // _NUMBER.itemsize)
        sketches += blob
    owners = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    pairs = candidates(np.frombuffer(sketches, _NUMBER), owners)
    numbers = lru_cache(maxsize=256)(lambda name: shingles(_letters_of(catalogue, name)))
    for (one, new), (other, newer) in ((names[first], names[second]) for first, second in pairs):
        if new or newer:
            yield one, other, similarity(numbers(one), numbers(other))


def _letters_of(catalogue: Catalogue, name: str) -> str:
    return letters(catalogue.store.read("SELECT text FROM documents WHERE id = ?", [name])[0][0])


def _clustered(catalogue: Catalogue) -> list[tuple[str, str, str, float]]:
    """Join what is alike, one step after the other, and say what it is."""
    root: dict[str, str] = {}
    best: dict[str, float] = {}

    def top(name: str) -> str:
        while (above := root.setdefault(name, name)) != name:
            root[name] = name = root[above]
        return name

    for one, other, alike in catalogue.store.read("SELECT * FROM likenesses ORDER BY one, other"):
        low, high = sorted((top(one), top(other)))
        root[high] = low
        best[one], best[other] = max(alike, best.get(one, 0.0)), max(alike, best.get(other, 0.0))
    together: dict[str, list[str]] = {}
    for name in sorted(best):
        together.setdefault(top(name), []).append(name)
    rows: list[tuple[str, str, str, float]] = []
    for cluster, names in together.items():
        kind = _kind(catalogue.documents([DocumentId(name) for name in names]))
        rows += [(name, cluster, kind, best[name]) for name in names]
    return rows


def _kind(cards: Iterable[DocumentCard]) -> Kind:
    periods = [card.period for card in cards]
    dated = [period for period in periods if period is not None]
    if any(not overlaps(one, other) for number, one in enumerate(dated) for other in dated[:number]):
        return Kind.REPRINT
    return Kind.TWIN if len(dated) == len(periods) else Kind.UNDATED


def _members(catalogue: Catalogue, found: list[tuple[str, float]]) -> tuple[Member, ...]:
    alike = dict(found)
    cards = catalogue.documents([DocumentId(name) for name in alike])
    return tuple(Member(card, alike[card.id]) for card in sorted(cards, key=_age))


def _age(card: DocumentCard) -> tuple[bool, int, str]:
    return (card.period is None, card.period.first if card.period else 0, card.id)
