"""Questions with known sources and what systems made of them, in few words."""

from vestigia.domain.ids import DocumentId
from vestigia.evaluate.collection import Query
from vestigia.evaluate.outcomes import Outcome


def a_query(name: str, *gold: str, kind: str = "", half: int = 0, grade: int = 1) -> Query:
    return Query(name, f"text of {name}", kind, tuple((DocumentId(document), grade) for document in gold), half)


def ranked(*documents: str, **more) -> Outcome:
    return Outcome(tuple(DocumentId(document) for document in documents), **more)


def places(count: int, **at: int) -> tuple[DocumentId, ...]:
    """A ranking of `count` documents with the named ones at their places (from 1), strangers elsewhere."""
    ranking = [DocumentId(f"stranger {number}") for number in range(1, count + 1)]
    for document, place in at.items():
        ranking[place - 1] = DocumentId(document)
    return tuple(ranking)
