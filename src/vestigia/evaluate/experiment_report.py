"""Experiments as words: the same tables at the terminal and on the page, which adds the drawings (H14)."""

from collections.abc import Sequence

from vestigia.evaluate.experiments import Drift, DualScore, Layers, Placed, Price, Stratum, Timeline
from vestigia.evaluate.page import document, figure, table
from vestigia.evaluate.tables import Table, written
from vestigia.evaluate.timelines import STYLE, Rising, scatter, shares

Result = Drift | Price | DualScore | Layers
ALONE, IN_WINDOWS = "", " in windows"
"""What is put to the name of a vocabulary that was searched as it is, and in windows."""


def markdown(result: Result) -> str:
    """Write an experiment in Markdown."""
    return "\n".join((f"{note(result)}\n", *(written(one, 3) for one in tables(result))))


def page(result: Result) -> str:
    """Write an experiment as a page that needs nothing else."""
    return document(title(result), note(result), [*drawings(result), *(table(one) for one in tables(result))], STYLE)


def title(result: Result) -> str:
    """Name the experiment."""
    match result:
        case Drift():
            return "Which years the words of a time find"
        case Price():
            return f"With windows and without: {result.question}"
        case DualScore():
            return "Similarity and the judge's score"
        case Layers():
            return f"Keywords and meaning: {result.question}"


def note(result: Result) -> str:
    """Say what was done, in a sentence or two."""
    match result:
        case Drift():
            return f"The first {result.top} documents by {result.channel} for each vocabulary, by date."
        case Price():
            return (
                f"The first documents by {result.channel}, once as they come and once {result.quota} for each window; "
                "as many of both."
            )
        case DualScore():
            return f"{len(result.points)} judged, {result.unjudged} without a score from 1 to 10."
        case Layers():
            return (
                f"Documents that hold one of {', '.join(result.keywords)}, against the first by {result.channel}: "
                f"{result.total.both} of {result.union} are in both."
            )


def tables(result: Result) -> tuple[Table, ...]:
    """Return the tables of an experiment."""
    match result:
        case Drift():
            asked = Table("Vocabularies", "", ("name", "searched"), result.queries)
            return (asked, *(one for line in result.timelines for one in _over_time(line)))
        case Price():
            return (_price(result), *_over_time(result.timeline), *_exchanged(result))
        case DualScore():
            rows = (("Spearman", _number(result.spearman)), ("Pearson", _number(result.pearson)))
            return (Table("Correlation", "Rank and linear correlation of the two scores.", ("", "r"), rows),)
        case Layers():
            return _layers(result)


def drawings(result: Result) -> tuple[str, ...]:
    """Return the drawings of an experiment as HTML."""
    match result:
        case Drift():
            return tuple(_drawn(line, way) for line in result.timelines for way in (ALONE, IN_WINDOWS))
        case Price():
            return (_drawn(result.timeline, None),)
        case DualScore():
            points = [(point.name, point.similarity, point.score) for point in result.points]
            caption = f"Each point a passage; Spearman {_number(result.spearman)}, Pearson {_number(result.pearson)}"
            return (figure(scatter(points, "similarity", Rising("judge's score"), caption), caption),)
        case Layers():
            return ()


def _drawn(line: Timeline, way: str | None) -> str:
    """Draw the sets of a timeline; of a drift those that were searched one way."""
    sets = [one for one in line.sets if way is None or one.name.endswith(IN_WINDOWS) == (way == IN_WINDOWS)]
    said = "" if way is None else ", searched in windows with equal quotas" if way else ", searched as they are"
    caption = f"Share of the documents found that is dated in each window{said}; bars: the archive itself"
    own = (line.corpus.name, line.corpus.shares)
    series = [(one.name.removesuffix(IN_WINDOWS), one.shares) for one in sets]
    return figure(shares(line.windows, own, series, caption), caption)


def _over_time(line: Timeline) -> tuple[Table, ...]:
    names = ("", line.corpus.name, *(one.name for one in line.sets))
    counts = [
        (window, *(f"{round(one.counts[at], 1):g} ({one.shares[at]:.0%})" for one in (line.corpus, *line.sets)))
        for at, window in enumerate(line.windows)
        if line.corpus.counts[at] or any(one.counts[at] for one in line.sets)
    ]
    if any(one.undated for one in (line.corpus, *line.sets)):
        counts.append(("undated", *(str(one.undated) for one in (line.corpus, *line.sets))))
    ratios = [
        (window, *(_number(one.ratios(line.corpus)[at], 2) for one in line.sets))
        for at, window in enumerate(line.windows)
        if line.corpus.counts[at]
    ]
    scale = f"by windows from {line.windows[0]}" if line.windows else "without a date"
    said = "A document whose date may lie in several windows is parted among them by days."
    return (
        Table(f"Documents {scale}", said, names, tuple(counts)),
        Table(f"Retrieval-to-corpus ratios {scale}", "Share of what was found by share of the archive: 1 is even.",
              ("", *(one.name for one in line.sets)), tuple(ratios)),
    )  # fmt: skip


def _price(result: Price) -> Table:
    traded = result.exchange
    rows = (
        ("in both lists", str(traded.kept), ""),
        ("surfaced by windows", str(len(traded.surfaced)), _number(traded.mean_surfaced)),
        ("displaced by windows", str(len(traded.displaced)), _number(traded.mean_displaced)),
        ("places windows could not fill", str(sum(result.short)), ""),
    )
    return Table("The price of windows", "Mean similarity is the channel's own measure.",
                 ("", "documents", "mean similarity"), rows)  # fmt: skip


def _exchanged(result: Price) -> tuple[Table, ...]:
    return tuple(
        Table(name, "", ("document", "similarity"), tuple((one.document, _number(one.score)) for one in _best(found)))
        for name, found in (("Surfaced", result.exchange.surfaced), ("Displaced", result.exchange.displaced))
        if found
    )


def _best(found: Sequence[Placed]) -> list[Placed]:
    return sorted(found, key=lambda one: (-one.score, one.document))


def _layers(result: Layers) -> tuple[Table, ...]:
    columns = ("", "in both", "keywords only", "meaning only")
    whole = Table("Overlap of the layers", f"Jaccard index {result.jaccard:.3f}.", columns, (_row(result.total),))
    parts = (("By time", result.by_time), ("By the judge's score", result.by_score))
    strata = (Table(name, "", columns, tuple(_row(one) for one in of if _is_there(one))) for name, of in parts)
    return (whole, *(one for one in strata if one.rows))


def _row(one: Stratum) -> tuple[str, ...]:
    return (one.name, str(one.both), str(one.keyword), str(one.semantic))


def _is_there(one: Stratum) -> bool:
    return bool(one.both + one.keyword + one.semantic)


def _number(value: float | None, places: int = 3) -> str:
    return "-" if value is None else f"{value:.{places}f}"
