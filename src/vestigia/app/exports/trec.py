"""TREC's two forms: the ranking of a list, and what was decided about it. They hold no word of a text."""

from vestigia.app.references import Listing
from vestigia.evaluate.runfiles import judgment_lines, ranking_lines

GRADES = {"accepted": 1, "rejected": 0}
"""What a decision counts; what nobody decided about has no line."""


def ranking(listing: Listing) -> bytes:
    """Return the list as a run file."""
    query = listing.run or "search"
    return _written(ranking_lines(query, [one.document for one in listing.sources], "vestigia"))


def judgments(listing: Listing) -> bytes:
    """Return what was accepted and what was rejected as qrels."""
    graded = [(one.document, GRADES[one.standing]) for one in listing.sources if one.standing in GRADES]
    return _written(judgment_lines(listing.run or "search", graded))


def _written(lines: list[str]) -> bytes:
    return "".join(f"{one}\n" for one in lines).encode()
