"""A search as it is typed and as it is shown: what `search --json` prints and the search page draws."""

from collections.abc import Sequence
from dataclasses import asdict

from vestigia.app import present
from vestigia.app.places import find_quote
from vestigia.app.present import Plain
from vestigia.app.searching import SearchResult
from vestigia.corpus.dates import read_whole
from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import Matching
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Candidate, FusedLane
from vestigia.domain.periods import DatePeriod, label
from vestigia.domain.question import Question


def question_of(
    text: str, sub_corpora: Sequence[str] | None, between: str, languages: Sequence[str] | None
) -> Question:
    """Make a question of what was typed. Raises UsageError for a period that cannot be read."""
    return Question(text, tuple(sub_corpora or ()), period_of(between), tuple(languages or ()))


def period_of(between: str) -> DatePeriod | None:
    """Read a period as typed, none where nothing was. Raises UsageError."""
    if not between.strip():
        return None
    period = read_whole(between)
    if period is None:
        raise UsageError(
            f"{between!r} cannot be read whole as a period.",
            where="--between",
            remedy='Write it like "1887", "1887-03" or "1887-01-01/1887-06-30".',
        )
    return period


def matching_of(*, syntax: bool, any_case: bool, regex: bool) -> Matching:
    """How the query is read. Raises UsageError when two ways were asked for."""
    chosen = [
        way
        for way, wanted in ((Matching.SYNTAX, syntax), (Matching.FOLDED, any_case), (Matching.PATTERN, regex))
        if wanted
    ]
    if len(chosen) > 1:
        raise UsageError("a query is read in one way only.", remedy="Choose one of --syntax, --any-case, --regex.")
    return chosen[0] if chosen else Matching.PLAIN


def search_plain(query: str, found: SearchResult, *, closed: bool = False) -> Plain:
    """A search as data; with `closed` the texts of closed documents, too."""
    cards = {card.id: card for card in found.cards}
    passages = {passage.id: passage for passage in found.passages}
    held = present.Holdings(cards, passages, closed=closed, anchors=found.anchors)
    return {
        "query": query,
        "dates": [{"text": period.text, "period": label(period), "rule": period.rule} for period in found.periods],
        "weights": dict(found.weights),
        "hits": [
            {
                **_hit(candidate, held, query),
                "copies": [_copy(card) for card in found.copies.get(candidate.document, ())],
            }
            for candidate in found.candidates
        ],
        "windows": [_lane(lane, found) for lane in found.lanes],
        "prices": [asdict(price) for price in found.prices],
        "expanded": [asdict(near) for near in found.neighbours],
        "variants": [asdict(variant) for variant in found.variants],
        "unattested": list(found.unattested),
        "missing": list(found.missing),
        "failures": list(found.failures),
    }


def _copy(card: DocumentCard) -> Plain:
    """A document that has the text of another: a reprint or a copy."""
    date = label(card.period) if card.period else None
    return {"document": card.id, "title": card.title, "date": date, "sub_corpus": card.sub_corpus}


def _lane(lane: FusedLane, found: SearchResult) -> Plain:
    """The list of a window, of a sub-corpus, or of both."""
    windowed = any(other.window for other in found.lanes)
    return {
        "window": label(lane.window) if lane.window else ("undated" if windowed else None),
        "sub_corpus": lane.sub_corpus or None,
        "documents": [candidate.document for candidate in lane.candidates],
        "short": lane.short,
    }


def _hit(candidate: Candidate, held: present.Holdings, query: str) -> Plain:
    """A document that was found and the passage that carried it; the query is quoted where it stands there in a row."""
    card, there = held.cards[candidate.document], held.passages.get(candidate.passage)
    why = held.withheld(card)
    span = find_quote(query, there.text) if there else None
    passage = held.passage(candidate.passage, there.text[slice(*span)] if there and span else "", why)
    return {
        **present.document(card, why, present.cited_pages([passage])),
        "score": candidate.score,
        "found_by": [{"channel": s.channel, "rank": s.rank, "score": s.score} for s in candidate.standings],
        "passage": passage,
    }
