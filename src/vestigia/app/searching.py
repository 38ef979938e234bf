"""A plain search: every channel side by side, and the fused list, without a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from vestigia.app.asking import Opening, open_index
from vestigia.app.listing import Query, Said, listed
from vestigia.app.questions import checked
from vestigia.app.settings import rules_of
from vestigia.app.windows import windows_of
from vestigia.app.workspace import Workspace
from vestigia.corpus.dates import Grammar
from vestigia.corpus.duplicates import alike
from vestigia.domain.archive import Anchor, DocumentCard, Passage, SubCorpus
from vestigia.domain.effects import (
    DATE,
    EXACT,
    MEANING,
    SOURCE,
    WORDS,
    Expand,
    Found,
    Matching,
    Neighbour,
    ReadDates,
    Scope,
    Search,
    Variant,
    Weigh,
)
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Candidate, FusedLane, Price
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Question
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import channel_weights
from vestigia.inquiry.searching import sources_named, with_neighbours, without_dates, without_names

QUOTA = 20


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
    variants: tuple[Variant, ...] = ()
    """Forms of the query's words that were searched beside them: misreadings, or what `fuzzy` asked for."""
    lanes: tuple[FusedLane, ...] = ()
    """The list of each window, where windows were asked for; `candidates` are then those of all of them."""
    prices: tuple[Price, ...] = ()
    copies: Mapping[DocumentId, tuple[DocumentCard, ...]] = field(default_factory=dict)
    """The other documents that have the text of one of `candidates`, in the list or not: one witness with it (B4)."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a query is read and its hits are laid out.

    `expand` neighbours of each word are searched beside it, as the rules say where it is None. `matching`, `fuzzy` and
    `strict` are those of `Search`. `windows` are written as `windows_of` reads them, `quota` documents for each; with
    `per_sub_corpus` every sub-corpus has that quota, in every window if there are any. With `grouped` documents that
    say the same take one place.
    """

    expand: int | None = None
    matching: Matching = Matching.PLAIN
    fuzzy: int = 0
    strict: bool = False
    windows: str = ""
    quota: int | None = None
    per_sub_corpus: int | None = None
    grouped: bool = True


def search(
    workspace: Workspace,
    question: Question,
    channel: str,
    limit: int,
    manner: Manner | None = None,
    opening: Opening = open_index,
) -> SearchResult:
    """Search one channel, `meaning` for all encoders, or `fused` for all but exact; see `_speaking`.

    Raises UsageError for an empty query, an unknown channel or sub-corpus, windows that cannot be read.
    """
    manner = manner or Manner()
    channel = _speaking(channel, manner)
    rules = rules_of(workspace.settings)
    catalogue = workspace.catalogue()
    try:
        index = opening(workspace, catalogue)
        question = question if channel == EXACT else checked(question, catalogue)
        periods = Grammar().read(ReadDates(question.text, question.languages)).periods
        searched = [s for s in catalogue.sub_corpora() if not question.sub_corpora or s.name in question.sub_corpora]
        manner = replace(manner, strict=manner.strict or rules.strict)
        named = () if manner.per_sub_corpus else sources_named(question.text, [s.name for s in searched])
        said = Said(periods, named)
        wanted = _channels(index, channel, said)
        near = _neighbours(index, question, wanted, rules.expansion if manner.expand is None else manner.expand)
        asked = _asked(question, manner, max(limit, rules.channel_hits), searched)
        terms = () if manner.matching else index.weigh(Weigh(question.text)).terms
        spoken = tuple(code for sub_corpus in searched for code in sub_corpus.languages)

        def weigh(found: Mapping[str, Found]) -> dict[str, float]:
            lists = {name: one.hits for name, one in found.items()}
            return channel_weights(rules.fusion, question.text, terms, lists, spoken, periods)

        query = Query(index, asked, _texts(question.text, wanted, near, said), said, weigh)
        laid = listed(query, rules.rrf_k, limit, catalogue if manner.grouped else None)
        cards = catalogue.documents([candidate.document for candidate in laid.candidates])
        candidates, gone = _there(laid.candidates, cards)
        passages = catalogue.passages([candidate.passage for candidate in candidates])
        anchors = catalogue.anchors([passage.id for passage in passages])
        clusters = alike(catalogue, [card.cluster for card in cards if card.cluster])
    finally:
        catalogue.close()
    found = laid.found
    return SearchResult(
        candidates,
        cards,
        passages,
        tuple(sorted(laid.weights.items())),
        periods,
        (*dict.fromkeys(f"{name}: {one.missing}" for name, one in found.items() if one.missing), *gone),
        laid.failures,
        tuple(term.word for term in terms if not term.documents),
        anchors,
        near,
        tuple(dict.fromkeys(variant for one in found.values() for variant in one.variants)),
        laid.lanes,
        laid.prices,
        {card.id: tuple(c for c in clusters.get(card.cluster, ()) if c.id != card.id) for card in cards},
    )


def _speaking(channel: str, manner: Manner) -> str:
    """The channel that knows how to read the query: the query language is spoken in the word channel alone, patterns in
    the exact one. `fused` then means that one; any other must be it.
    """
    only = {Matching.SYNTAX: WORDS, Matching.FOLDED: EXACT, Matching.PATTERN: EXACT}.get(manner.matching, channel)
    if channel not in {only, "fused"}:
        raise UsageError(
            f"the channel {channel!r} does not read a query that way.",
            remedy=f"Leave the channel out, or name {only!r}.",
        )
    return only


def _asked(question: Question, manner: Manner, limit: int, searched: Sequence[SubCorpus]) -> Search:
    """The search that every channel is asked, but for its name and text."""
    scope = Scope(question.sub_corpora, question.period, question.languages)
    search = Search("", "", scope, limit, matching=manner.matching, fuzzy=manner.fuzzy, strict=manner.strict)
    if manner.quota and manner.per_sub_corpus:
        raise UsageError(
            "a window has one quota.", where="--quota", remedy="Leave it out: --per-sub-corpus is the quota of each."
        )
    quota = manner.per_sub_corpus or manner.quota or QUOTA
    each = tuple(s.name for s in searched) if manner.per_sub_corpus else ()
    windows = windows_of(manner.windows, question.period, searched) if manner.windows else ()
    if not windows and not each:
        return search
    undated = 0 if question.period or not windows else quota
    places = (quota * max(len(windows), 1) + undated) * max(len(each), 1)
    return replace(search, windows=windows, quota=quota, undated=undated, each=each, limit=max(limit, places))


def _neighbours(index: Snapshot, question: Question, channels: Sequence[str], number: int) -> tuple[Neighbour, ...]:
    if not number or WORDS not in channels:
        return ()
    return index.expand(Expand(question.text, question.languages, number)).neighbours


def _texts(text: str, channels: Sequence[str], near: Sequence[Neighbour], said: Said) -> dict[str, str]:
    """What each channel searches."""
    texts = {
        WORDS: with_neighbours(text, near),
        DATE: without_dates(text, said.periods),
        SOURCE: without_names(text, said.sources),
    }
    return {channel: texts.get(channel, text) for channel in channels}


def _there(fused: Sequence[Candidate], cards: Sequence[DocumentCard]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Part what is in the catalogue from what the index found and was deleted or replaced by now, in words."""
    known = frozenset(card.id for card in cards)
    gone = [
        f"document {one.document} was found by the index but is no longer in the catalogue"
        for one in fused
        if one.document not in known
    ]
    return tuple(one for one in fused if one.document in known), tuple(gone)


def _channels(index: Snapshot, channel: str, said: Said) -> list[str]:
    there = index.channels()
    silent = {name for name, heard in ((DATE, said.periods), (SOURCE, said.sources)) if not heard}
    if channel == "fused":
        return [name for name in there if name != EXACT and name not in silent]
    chosen = [name for name in there if name == channel or (channel == MEANING and name.startswith(f"{MEANING}:"))]
    if not chosen:
        raise UsageError(f"there is no channel {channel!r} now.", remedy=f"There are: fused, {', '.join(there)}.")
    if chosen == [DATE] and DATE in silent:
        raise UsageError("no date can be read in the query.", remedy="Write one, e.g. `mars 1887` or `1887-03-14`.")
    if chosen == [SOURCE] and SOURCE in silent:
        raise UsageError(
            "the query names no sub-corpus, or all that are searched.",
            remedy="Write the name of one in full, as `vestigia status` shows it.",
        )
    return chosen
