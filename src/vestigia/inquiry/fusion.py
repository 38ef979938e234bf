"""Fusing the channels of the warm start: weighted reciprocal rank fusion over documents (TRACE 3.2, T2).

Every channel keeps the best passage of each document, so a long document holds one place; a document's score is the
sum of weight / (k + rank) over the channels that found it. TRACE weighs all channels alike. We weigh them by the kind
of query, because a sentence encoder knows nothing of a proper name and rank fusion lets it vote all the same; the rule
and its measurements are in `docs/decisions/0003-fusion-weights.md`.
"""

from collections.abc import Mapping, Sequence

from vestigia.domain.evidence import Candidate, Hit, Standing
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Term


def fuse(lists: Mapping[str, Sequence[Hit]], weights: Mapping[str, float], k: int, limit: int) -> tuple[Candidate, ...]:
    """Return at most `limit` documents, best first, from the lists of the channels.

    `lists` holds each channel's hits by the channel's name, `weights` one number of at least 0 for each of them.
    A channel of weight 0 shows its ranks (standings) but neither scores nor proposes a document. Equal scores are
    ordered by the best single rank, then by the document's id; the passage is that of the channel that gave most.
    Raises ValueError for a channel without a weight, a negative weight or a negative `k`.
    """
    _check(lists, weights, k)
    found: dict[DocumentId, dict[str, Hit]] = {}
    for channel in sorted(lists):
        for hit in lists[channel]:
            places = found.setdefault(hit.document, {})
            if channel not in places or hit.rank < places[channel].rank:
                places[channel] = hit
    proposed = [document for document, places in found.items() if any(weights[channel] > 0 for channel in places)]
    candidates = [_candidate(document, found[document], weights, k) for document in proposed]
    candidates.sort(key=lambda c: (-c.score, min(s.rank for s in c.standings if weights[s.channel] > 0), c.document))
    return tuple(candidates[: max(limit, 0)])


def channel_weights(
    rule: str, text: str, terms: Sequence[Term], lists: Mapping[str, Sequence[Hit]]
) -> dict[str, float]:
    """Return a weight of at least 0 for every channel of `lists`.

    `rule` is `equal` (the paper's: 1 each) or `measured` (by the kind of query: docs/decisions/0003). `text` is the
    query, `terms` its words as the archive's vocabulary has them. Raises ValueError for another rule.
    """
    if rule == "equal":
        return dict.fromkeys(lists, 1.0)
    if rule == "measured":
        asks = len(text.split()) >= 8 or text.rstrip().endswith("?")
        return {channel: 1.0 if asks or not channel.startswith("meaning:") else 0.0 for channel in lists}
    raise ValueError(f"no fusion rule is called {rule!r}; there are: equal, measured")


def _check(lists: Mapping[str, Sequence[Hit]], weights: Mapping[str, float], k: int) -> None:
    for channel in sorted(lists):
        if channel not in weights:
            raise ValueError(f"the channel {channel!r} has hits but no weight; give it 0 to leave it out")
        if not weights[channel] >= 0:
            raise ValueError(f"the weight of the channel {channel!r} must be 0 or more, not {weights[channel]}")
    if k < 0:
        raise ValueError(f"k must be 0 or more, not {k}")


def _candidate(document: DocumentId, places: Mapping[str, Hit], weights: Mapping[str, float], k: int) -> Candidate:
    shares = {channel: weights[channel] / (k + hit.rank) for channel, hit in places.items()}
    giver = max(sorted(places), key=lambda channel: (shares[channel], -places[channel].rank))
    standings = tuple(Standing(channel, places[channel].rank, places[channel].score) for channel in sorted(places))
    return Candidate(document, places[giver].passage, sum(shares[s.channel] for s in standings), standings)
