"""The paper's experiments on an archive (H14): what is searched for them; what is counted stands in `evaluate`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path

from vestigia.app import tables
from vestigia.app.asking import open_index
from vestigia.app.settings import rules_of
from vestigia.app.vocabulary import windows_of
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.effects import DATE, EXACT, MEANING, SOURCE, Found, Scope, Search, Weigh
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod, in_years, overlaps
from vestigia.evaluate.experiment_report import ALONE, IN_WINDOWS
from vestigia.evaluate.experiments import (
    Drift,
    DualScore,
    Layers,
    Placed,
    Price,
    by_band,
    dual_score,
    exchange,
    stratum,
    timeline,
)
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import channel_weights, fuse

FUSED = "fused"
TOGETHER = "all together"
_DOCUMENT = ("document", "id", "passage", "name")
_SIMILARITY = ("similarity", "cosine")
_SCORE = ("score", "judge", "judgement")


@dataclass(frozen=True, slots=True)
class Options:
    """How an experiment searches: `channel` is one of the index's, `meaning` for the fullest encoder, or `fused`.

    `windows` are lengths such as `10y`; the first is that of the quotas. `top` is the length of a plain list, `quota`
    that of a window's; `sub_corpora` limit everything, the archive's own distribution too (empty: all).
    """

    channel: str = MEANING
    windows: tuple[str, ...] = ("10y", "5y")
    top: int = 50
    quota: int = 20
    sub_corpora: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Bench:
    """What an experiment works on: the index, its channels, the dates of all documents, the windows of each scale."""

    index: Snapshot
    channels: tuple[str, ...]
    dates: Mapping[DocumentId, DatePeriod | None]
    scales: tuple[tuple[DatePeriod, ...], ...]
    scope: Scope
    rule: tuple[str, int]

    @property
    def name(self) -> str:
        """What searched, in words."""
        return self.channels[0] if len(self.channels) == 1 else f"fusion of {', '.join(self.channels)}"


def era_vocabulary(workspace: Workspace, eras: Mapping[str, str], options: Options) -> Drift:
    """H14(a): search vocabularies by era and all together, as they are and in windows; lay what is found over time.

    `eras` are words by name. Raises UsageError where nothing is dated, or for an unknown channel.
    """
    queries = {**eras, **({TOGETHER: " ".join(eras.values())} if len(eras) > 1 else {})}
    with _bench(workspace, options) as bench:
        windows = bench.scales[0]
        quota = -(-options.top // len(windows))
        sets: dict[str, list[Placed]] = {}
        for name, words in queries.items():
            ranked, lanes = _searched(bench, words, options.top, quota)
            sets[f"{name}{ALONE}"] = ranked
            sets[f"{name}{IN_WINDOWS}"] = list({one.document: one for lane in lanes for one in lane}.values())
        lines = tuple(timeline(scale, list(bench.dates.values()), sets) for scale in bench.scales)
        return Drift(tuple(queries.items()), bench.name, options.top, lines)


def eras_of(subject: Sequence[str]) -> dict[str, str]:
    """Read vocabularies as typed, `1950s: Elektronenhirn, Roboter`. Raises UsageError for what is none."""
    eras = {}
    for one in subject:
        name, colon, words = one.partition(":")
        if not colon or not name.strip() or not words.strip():
            raise UsageError(
                f"{one!r} is no vocabulary.",
                where="era-vocabulary",
                remedy='Write it like "1950s: Elektronenhirn, Roboter".',
            )
        eras[name.strip()] = " ".join(part.strip() for part in words.split(",") if part.strip())
    return eras


def windowed(workspace: Workspace, question: str, options: Options) -> Price:
    """H14(b), H2: search with windows and without; say what the windows brought in and what they pushed out."""
    with _bench(workspace, options) as bench:
        windows = bench.scales[0]
        ranked, lanes = _searched(bench, question, options.quota * len(windows), options.quota)
        traded = exchange(ranked, lanes)
        held = list({one.document: one for lane in lanes for one in lane}.values())
        sets = {"without windows": ranked[: len(held)], "with windows": held}
        line = timeline(windows, list(bench.dates.values()), sets)
        short = tuple(options.quota - len(lane) for lane in lanes)
        return Price(question, bench.name, options.quota, short, traded, line)


def layers(
    workspace: Workspace, question: str, keywords: Sequence[str], options: Options, scores: Path | None = None
) -> Layers:
    """H6, H14(e): hold the documents that have one of the keywords in their text against the first by meaning.

    `scores` is a table of documents and judges' scores. Raises UsageError for a keyword without a word.
    """
    with _bench(workspace, options) as bench:
        words = bench.index.vocabulary
        held = dict.fromkeys(one for word in keywords for one in words.holding(word) if one in bench.dates)
        ranked, _ = _searched(bench, question, options.top, 0)
        found = [one.document for one in ranked]
        by_time = [
            stratum(in_years(window), _within(held, bench.dates, window), _within(found, bench.dates, window))
            for window in bench.scales[0]
        ]
        undated = stratum("undated", _undated(held, bench.dates), _undated(found, bench.dates))
        whole = stratum("all", list(held), found)
        judged = {} if scores is None else _scores(scores)
        bands = by_band(list(held), found, judged) if judged else ()
        return Layers(tuple(keywords), question, bench.name, whole, (*by_time, undated), bands)


def dual_scores(path: Path) -> DualScore:
    """H5, H14(c): correlate the columns `similarity` and `score` of a table. Raises UsageError for what is none."""
    rows = []
    for place, row in _table(path, _SIMILARITY, _SCORE):
        similarity = _number(place, row, _SIMILARITY)
        if similarity is None:
            raise UsageError("the similarity is missing.", where=place, remedy="Give it, or leave the row out.")
        rows.append((_cell(row, _DOCUMENT) or place, similarity, _number(place, row, _SCORE)))
    return dual_score(rows)


@contextmanager
def _bench(workspace: Workspace, options: Options) -> Iterator[_Bench]:
    catalogue = workspace.catalogue()
    try:
        index = open_index(workspace, catalogue)
        dates = _dates(catalogue, options.sub_corpora)
        scales = tuple(windows_of(index.vocabulary.extent, window) for window in options.windows)
        if not all(scales):
            raise UsageError("no document is dated.", where=str(workspace.root), remedy="Give dates when adding.")
        rules = rules_of(workspace.settings)
        scope = Scope(options.sub_corpora)
        yield _Bench(index, _channels(index, options.channel), dates, scales, scope, (rules.fusion, rules.rrf_k))
    finally:
        catalogue.close()


def _dates(catalogue: Catalogue, sub_corpora: Sequence[str]) -> dict[DocumentId, DatePeriod | None]:
    known = {one.name for one in catalogue.sub_corpora()}
    for name in sub_corpora:
        if name not in known:
            raise UsageError(f"there is no sub-corpus {name!r}.", remedy=f"There are: {'; '.join(sorted(known))}.")
    wanted = catalogue.find(sub_corpora=sub_corpora) if sub_corpora else catalogue.ids()
    return {card.id: card.period for card in catalogue.documents(wanted)}


def _channels(index: Snapshot, channel: str) -> tuple[str, ...]:
    there = [name for name in index.channels() if name not in {DATE, SOURCE}]
    if channel == FUSED:
        return tuple(name for name in there if name != EXACT)
    if channel == MEANING:
        encoded = [(number, name) for name, number in index.encoded().items() if number]
        there = [*there, *([MEANING] if encoded else [])]
        channel = f"{MEANING}:{max(encoded)[1]}" if encoded else channel
    if channel not in there:
        raise UsageError(f"there is no channel {channel!r} now.", remedy=f"There are: {FUSED}, {', '.join(there)}.")
    return (channel,)


def _searched(bench: _Bench, text: str, top: int, quota: int) -> tuple[list[Placed], list[list[Placed]]]:
    """The plain list and, with a quota, that of each window of the first scale; several channels are fused."""
    windows = bench.scales[0] if quota else ()
    found = {
        channel: bench.index.search(Search(channel, text, bench.scope, top, windows=windows, quota=quota))
        for channel in bench.channels
    }
    ranked = _fused(bench, text, {channel: one.hits for channel, one in found.items()}, top)
    lanes = [_fused(bench, text, _lane(found, at), quota) for at in range(len(windows))]
    return ranked, lanes


def _lane(found: Mapping[str, Found], at: int) -> dict[str, Sequence[Hit]]:
    return {channel: one.lanes[at].hits if one.lanes else () for channel, one in found.items()}


def _fused(bench: _Bench, text: str, lists: Mapping[str, Sequence[Hit]], limit: int) -> list[Placed]:
    if len(lists) == 1:
        (hits,) = lists.values()
        return [Placed(hit.document, bench.dates.get(hit.document), hit.score) for hit in hits[:limit]]
    fusion, k = bench.rule
    weights = channel_weights(fusion, text, bench.index.weigh(Weigh(text)).terms, lists)
    fused = fuse(lists, weights, k, limit)
    return [Placed(one.document, bench.dates.get(one.document), one.score) for one in fused]


def _within(
    documents: Sequence[DocumentId] | Mapping[DocumentId, None],
    dates: Mapping[DocumentId, DatePeriod | None],
    window: DatePeriod,
) -> list[DocumentId]:
    return [one for one in documents if (date := dates.get(one)) is not None and overlaps(date, window)]


def _undated(
    documents: Sequence[DocumentId] | Mapping[DocumentId, None], dates: Mapping[DocumentId, DatePeriod | None]
) -> list[DocumentId]:
    return [one for one in documents if dates.get(one) is None]


def _scores(path: Path) -> dict[DocumentId, float]:
    """The best score of each document, as the paper takes it."""
    scores: dict[DocumentId, float] = {}
    for place, row in _table(path, _DOCUMENT, _SCORE):
        name, score = DocumentId(_cell(row, _DOCUMENT)), _number(place, row, _SCORE)
        if name and score is not None:
            scores[name] = max(score, scores.get(name, score))
    return scores


def _table(path: Path, *needed: Sequence[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The rows of a table with their places; one of each group of names must be a column."""
    for line in tables.read(path, needed):
        yield f"{path}, {line.place}", line.cells


def _cell(row: Mapping[str, str], names: Sequence[str]) -> str:
    return next((row[name] for name in names if name in row), "")


def _number(place: str, row: Mapping[str, str], names: Sequence[str]) -> float | None:
    written = _cell(row, names).replace(",", ".")
    if not written:
        return None
    try:
        number = float(written)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise UsageError(f"{written!r} is no number.", where=place, remedy="Write one, or nothing.")
    return number
