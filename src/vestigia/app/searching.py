"""A plain search: every channel side by side, and the fused list, without a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vestigia.app.asking import open_index
from vestigia.app.questions import checked
from vestigia.app.settings import rules_of
from vestigia.app.workspace import Workspace
from vestigia.corpus.dates import Grammar
from vestigia.domain.archive import Anchor, DocumentCard, Passage
from vestigia.domain.effects import DATE, EXACT, MEANING, WORDS, Expand, Neighbour, ReadDates, Scope, Search, Weigh
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.evidence import Candidate, Hit
from vestigia.domain.ids import PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import channel_weights, fuse
from vestigia.inquiry.searching import merged, with_neighbours


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The fused list with its passages and cards, the weights, what dates were read, and what could not be searched."""

    candidates: tuple[Candidate, ...]
    cards: tuple[DocumentCard, ...]
    passages: tuple[Passage, ...]
    weights: tuple[tuple[str, float], ...]
    periods: tuple[DatePeriod, ...]
    missing: tuple[str, ...]
    failures: tuple[str, ...]
    unattested: tuple[str, ...] = ()
    """Words of the query that occur nowhere in the archive (B5)."""
    anchors: Mapping[PassageId, Sequence[Anchor]] = field(default_factory=dict)
    """Where the passages stand on pages; empty for a text that came without pages."""
    neighbours: tuple[Neighbour, ...] = ()
    """Words of the archive that were searched beside those of the query, because that was asked for (H7)."""


def search(
    workspace: Workspace, question: Question, channel: str, limit: int, expand: int | None = None
) -> SearchResult:
    """Search one channel, `meaning` for all encoders, or `fused` for all but exact.

    With `expand` so many neighbours of each word are searched beside it in the word channel; else as the rules say.
    Raises UsageError for an empty query, an unknown channel or sub-corpus.
    """
    rules = rules_of(workspace.settings)
    catalogue = workspace.catalogue()
    try:
        index = open_index(workspace, catalogue)
        question = question if channel == EXACT else checked(question, catalogue)
        periods = Grammar().read(ReadDates(question.text, question.languages)).periods
        wanted = _channels(index, channel, periods)
        near = _neighbours(index, question, wanted, rules.expansion if expand is None else expand)
        lists, missing, failures = _lists(
            index, question, _texts(question.text, wanted, near), periods, max(limit, rules.channel_hits))
        terms = index.weigh(Weigh(question.text)).terms
        searched = [s for s in catalogue.sub_corpora() if not question.sub_corpora or s.name in question.sub_corpora]
        spoken = [code for sub_corpus in searched for code in sub_corpus.languages]
        weights = channel_weights(rules.fusion, question.text, terms, lists, spoken, periods)
        fused = fuse(lists, weights, rules.rrf_k, limit)
        cards = catalogue.documents([candidate.document for candidate in fused])
        passages = catalogue.passages([candidate.passage for candidate in fused])
        anchors = {passage.id: catalogue.anchors_of(passage.id) for passage in passages}
        fused, gone = _there(fused, cards)
    finally:
        catalogue.close()
    unattested = tuple(term.word for term in terms if not term.documents)
    missing += gone
    return SearchResult(fused, cards, passages, tuple(sorted(weights.items())), periods, missing, failures, unattested,
                        anchors, near)


def _neighbours(index: Snapshot, question: Question, channels: Sequence[str], number: int) -> tuple[Neighbour, ...]:
    if not number or WORDS not in channels:
        return ()
    return index.expand(Expand(question.text, question.languages, number)).neighbours


def _texts(text: str, channels: Sequence[str], near: Sequence[Neighbour]) -> dict[str, str]:
    """What each channel searches."""
    return {channel: with_neighbours(text, near) if channel == WORDS else text for channel in channels}


def _there(fused: Sequence[Candidate], cards: Sequence[DocumentCard]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Part what is in the catalogue from what the index found and was deleted or replaced by now, in words."""
    known = frozenset(card.id for card in cards)
    gone = [f"document {one.document} was found by the index but is no longer in the catalogue"
            for one in fused if one.document not in known]
    return tuple(one for one in fused if one.document in known), tuple(gone)


def _channels(index: Snapshot, channel: str, periods: tuple[DatePeriod, ...]) -> list[str]:
    there = index.channels()
    if channel == "fused":
        return [name for name in there if name != EXACT and (name != DATE or periods)]
    chosen = [name for name in there if name == channel or (channel == MEANING and name.startswith(f"{MEANING}:"))]
    if not chosen:
        raise UsageError(f"there is no channel {channel!r} now.", remedy=f"There are: fused, {', '.join(there)}.")
    if chosen == [DATE] and not periods:
        raise UsageError("no date can be read in the query.", remedy="Write one, e.g. `mars 1887` or `1887-03-14`.")
    return chosen


def _lists(
    index: Snapshot, question: Question, channels: Mapping[str, str], periods: tuple[DatePeriod, ...], limit: int
) -> tuple[dict[str, tuple[Hit, ...]], tuple[str, ...], tuple[str, ...]]:
    scope = Scope(question.sub_corpora, question.period, question.languages)
    lists: dict[str, tuple[Hit, ...]] = {}
    missing, failures = [], []
    for channel, text in channels.items():
        try:
            found = [
                index.search(Search(channel, text, scope, limit, period))
                for period in (periods if channel == DATE else (None,))
            ]
        except VestigiaError as error:
            if len(channels) == 1:
                raise
            failures.append(f"{channel}: {error}")
            continue
        lists[channel] = merged([hit for one in found for hit in one.hits])
        missing += [f"{channel}: {one.missing}" for one in found if one.missing]
    return lists, tuple(dict.fromkeys(missing)), tuple(failures)
