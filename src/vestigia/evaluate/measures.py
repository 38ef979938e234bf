"""The measures of T18, per query. Those that the field has a library for come from ir_measures.

Two different numbers are called MRR. `RR` is the usual one: 1/rank of the first relevant document. `RR-all` is that of
the TRACE paper: the mean of 1/rank over ALL relevant documents of the query, 0 for each that is not found. With one
relevant document they are the same; with more, the second is lower, since only one document can be first.
"""

from collections.abc import Mapping, Sequence

from vestigia.domain.ids import DocumentId
from vestigia.evaluate.collection import Query
from vestigia.evaluate.extras import extra
from vestigia.evaluate.outcomes import Outcome

RANKED = ("R@3", "R@5", "R@10", "nDCG@10", "RR", "RR-all")
ACCEPTED = ("set P", "set R")
LIBRARY = {
    "R@3": "R@3",
    "R@5": "R@5",
    "R@10": "R@10",
    "nDCG@10": "nDCG@10",
    "RR": "RR",
    "set P": "SetP",
    "set R": "SetR",
}
"""Our names of what ir_measures computes, and its own."""
MEANINGS = {
    "R@3": "share of the relevant documents among the first 3",
    "R@5": "share of the relevant documents among the first 5",
    "R@10": "share of the relevant documents among the first 10",
    "nDCG@10": "order of the first 10, graded where the judgments are, against the best possible order",
    "RR": "mean reciprocal rank as usual: 1/rank of the FIRST relevant document, 0 without one",
    "RR-all": "mean reciprocal rank as in TRACE: the mean of 1/rank over ALL relevant documents, 0 for those not found",
    "set P": "precision of the accepted set: share of the accepted documents that are relevant, 0 for an empty set",
    "set R": "recall of the accepted set: share of the relevant documents that were accepted",
}
Scores = dict[str, dict[str, float]]
"""Measure, then query: a number from 0 to 1."""


def scores(queries: Sequence[Query], outcomes: Mapping[str, Outcome]) -> Scores:
    """Measure the outcome of every query that has one; `outcomes` is by query id.

    The measures of the accepted set are there only for systems that accept and reject. A query whose outcome is a
    failure has no score: it was not measured.
    """
    answered = [q for q in queries if q.gold and q.id in outcomes and not outcomes[q.id].failure]
    judging = bool(answered) and all(outcomes[query.id].judged for query in answered)
    names = (*RANKED, *ACCEPTED) if judging else RANKED
    found: Scores = {name: {} for name in names}
    library = extra("ir_measures")
    wanted = {library.parse_measure(LIBRARY[name]): name for name in names if name in LIBRARY}
    gold = {query.id: dict(query.gold) for query in answered}
    runs = {query.id: _run(outcomes[query.id].ranking) for query in answered}
    for measured in library.iter_calc(list(wanted), gold, runs):
        found[wanted[measured.measure]][measured.query_id] = float(measured.value)
    for query in answered:
        found["RR-all"][query.id] = reciprocal_rank_of_all(outcomes[query.id].ranking, query.relevant)
    return found


def _run(ranking: Sequence[DocumentId]) -> dict[str, float]:
    """Scores that fall from place to place: the library orders by them."""
    return {document: -float(place) for place, document in enumerate(ranking)}


def reciprocal_rank_of_all(ranking: Sequence[DocumentId], relevant: Sequence[DocumentId]) -> float:
    """Return the mean of 1/rank over all relevant documents, 0 for each not found (the MRR of TRACE, table 1).

    `relevant` holds at least one document, none twice; `ranking` is best first, places count from 1.
    """
    places = {document: place for place, document in reversed(list(enumerate(ranking, 1)))}
    return sum(1 / places[document] for document in relevant if document in places) / len(relevant)
