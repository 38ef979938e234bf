"""Fusing the channels of the warm start: weighted reciprocal rank fusion over documents (TRACE 3.2, T2).

Every channel keeps the best passage of each document, so a long document holds one place; a document's score is the
sum of weight / (k + rank) over the channels that found it. TRACE weighs all channels alike. We weigh them by the kind
of query, because a sentence encoder knows nothing of a proper name and rank fusion lets it vote all the same; the rule
and its measurements are in `docs/decisions/0003-fusion-weights.md`.
"""

from collections.abc import Mapping, Sequence

from vestigia.domain.effects import CHARACTERS, DATE, MEANING, SOURCE, WORDS
from vestigia.domain.evidence import Candidate, Hit, Standing
from vestigia.domain.ids import DocumentId
from vestigia.domain.languages import asked_in, asks
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Term, keeps_to

_DATE = 0.5
"""A year ties all its documents: the ranks of a date say less than those of words."""
_DATE_KEPT = 2.0
"""Where a question keeps to a period, what is dated in it and holds its words comes first."""
_SOURCE = 0.5
"""Where a question names sources: what they hold. From 0.5 to 2 no difference was measured."""
_MEANING_SHARED = 0.1
"""What the encoders share of a query that does not ask: a name, a title. Enough to fill a short list, no more."""
_MEANING_PER_WORD = 1 / 40
_MEANING_MOST = 0.3
"""In a question each encoder weighs a fortieth for every content word, at most this (from 12 words on)."""
_FOREIGN = {WORDS: 0.25, CHARACTERS: 0.5, DATE: 0.5, SOURCE: _SOURCE, MEANING: 1.0}
"""For a query in another language than everything searched: its words stand nowhere but in names and loan words."""


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


def merged(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Make one list of several of the same channel: each document at its best score, ranks counted anew."""
    best: dict[DocumentId, Hit] = {}
    for hit in hits:
        if hit.document not in best or hit.score > best[hit.document].score:
            best[hit.document] = hit
    ordered = sorted(best.values(), key=lambda hit: (-hit.score, hit.rank, hit.document))
    return tuple(Hit(hit.passage, hit.document, rank, hit.score) for rank, hit in enumerate(ordered, 1))


def channel_weights(
    rule: str,
    text: str,
    terms: Sequence[Term],
    lists: Mapping[str, Sequence[Hit]],
    languages: Sequence[str] = (),
    periods: Sequence[DatePeriod] = (),
) -> dict[str, float]:
    """Return a weight of at least 0 for every channel of `lists`.

    `rule` is `equal` (the paper's: 1 each) or `measured` (by the kind of query: docs/decisions/0003). `text` is the
    query, `terms` its content words as the archive's vocabulary has them, `languages` those of what is searched, as
    codes, `periods` those read in the query. Raises ValueError for another rule.
    """
    if rule == "equal":
        return dict.fromkeys(lists, 1.0)
    if rule == "measured" and is_foreign(text, languages):
        return {channel: _FOREIGN.get(channel.split(":")[0], 1.0) for channel in sorted(lists)}
    if rule == "measured":
        date = {DATE: _DATE_KEPT if keeps_to(periods) else _DATE} if DATE in lists else {}
        return _measured(text, len(terms), sorted(lists)) | date
    raise ValueError(f"no fusion rule is called {rule!r}; there are: equal, measured")


def is_foreign(text: str, languages: Sequence[str]) -> bool:
    """Whether a query is put in a language that nothing searched is written in: only meaning can carry it over."""
    asked = asked_in(text)
    return bool(asked and languages) and not set(asked).intersection(languages)


def _measured(text: str, content_words: int, channels: Sequence[str]) -> dict[str, float]:
    encoders = sum(channel.startswith(f"{MEANING}:") for channel in channels)
    meaning = _MEANING_SHARED / max(encoders, 1)
    if asks(text):
        meaning = max(meaning, min(_MEANING_MOST, content_words * _MEANING_PER_WORD))
    return {c: meaning if c.startswith(f"{MEANING}:") else _SOURCE if c == SOURCE else 1.0 for c in channels}


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
