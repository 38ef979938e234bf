"""Judges on trial as words: the same tables at the terminal and on the page, which adds the drawings (H4, H5)."""

from collections.abc import Mapping
from html import escape

from vestigia.evaluate.agreement import Interval, Pair, percentiles
from vestigia.evaluate.judge_plots import STYLE, heat
from vestigia.evaluate.judges import Dual, Gap, Spread, Trial
from vestigia.evaluate.page import document, figure, table
from vestigia.evaluate.plots import Bar, bars
from vestigia.evaluate.tables import Table, written
from vestigia.evaluate.timelines import STYLE as SCATTER_STYLE
from vestigia.evaluate.timelines import Rising, scatter


def markdown(trial: Trial) -> str:
    """Write a trial in Markdown."""
    return "\n".join((f"{trial.description}\n\n{note(trial)}\n", *(written(one, 3) for one in tables(trial))))


def page(trial: Trial) -> str:
    """Write a trial as a page that needs nothing else; the points of its plots lead to the passages below."""
    parts = [*_drawings(trial), *(table(one) for one in tables(trial)), _passages(trial)]
    return document(f"Judges on trial: {trial.description}", note(trial), parts, STYLE + SCATTER_STYLE)


def note(trial: Trial) -> str:
    """Say what was compared, in words."""
    said = f"{len(trial.passages)} passages of {trial.set}, judged by the rubric {trial.rubric}."
    constant = [one.judge for one in trial.spreads if one.constant]
    if constant:
        said += f" All scores the same, so that they tell nothing: {', '.join(constant)}."
    return " ".join((said, *trial.notes))


def tables(trial: Trial) -> tuple[Table, ...]:
    """Return the tables of a trial that have a row."""
    names = {one.id: f"{one.title}, {one.date or 'undated'} [{one.document}]" for one in trial.passages}
    made = (
        Table("Judges", "Scores are each judge's own; not judged is no low score.",
              ("judge", "judged", "mean", "spread", "lowest", "highest", "not judged"),
              tuple(_spread(one) for one in trial.spreads)),
        Table("Bands", "What the rubric's bands would do: a threshold means something else for every judge.",
              ("judge", "keep", "look at", "drop"),
              tuple((one.judge, str(one.keep), str(one.look), str(one.drop)) for one in trial.bands)),
        Table("Agreement", _alpha(trial.agreement.alpha),
              ("judges", "both judged", "Spearman", "Pearson", "within one", "weighted kappa"),
              tuple(_pair(one) for one in trial.agreement.pairs)),
        Table("Disagreements", "To be adjudicated by a person: where places among each judge's scores differ most; "
              "percentile (score) by judge.", ("passage", "apart", "judges"),
              tuple(_gap(one, names) for one in trial.gaps)),
        Table("Similarity and judges", f"Each judge's scores against similarity by {trial.similarity}.",
              ("judge", "passages", "Spearman", "Pearson", "without similarity"),
              tuple(_dual(one) for one in trial.duals)),
        Table("Overridden by people", "Of the sources that a judge would keep or drop and people decided.",
              ("judge", "sub-corpus", "decided", "overridden"),
              tuple((o.judge, o.sub_corpus, str(o.decided), f"{o.overridden} ({o.overridden / o.decided:.0%})")
                    for o in trial.overrides)),
    )  # fmt: skip
    return tuple(one for one in made if one.rows)


def _spread(one: Spread) -> tuple[str, ...]:
    reasons = [f"{number} {reason}" for reason, number in one.unjudged]
    reasons += [f"{one.waiting} waiting"] if one.waiting else []
    name = f"{one.judge} (a person)" if one.person else one.judge
    name = f"{name} (constant)" if one.constant else name
    ends = (one.lowest, one.highest)
    return (
        name,
        str(one.judged),
        _number(one.mean, 2),
        _number(one.deviation, 2),
        *("-" if end is None else str(end) for end in ends),
        ", ".join(reasons) or "0",
    )


def _pair(one: Pair) -> tuple[str, ...]:
    found = one.correlation
    rho, r = (found.spearman, found.pearson) if found else (None, None)
    within = "-" if one.within_one is None else f"{one.within_one:.0%}"
    return f"{one.one}, {one.other}", str(one.number), _number(rho), _number(r), within, _interval(one.kappa)


def _alpha(found: Interval | None) -> str:
    told = "is not defined here" if found is None else _interval(found)
    return (
        f"Krippendorff's alpha (ordinal) of all judges: {told}. Rank and linear correlation, share of scores at most a "
        "point apart, kappa with quadratic weights and its 95 % interval."
    )


def _gap(one: Gap, names: Mapping[str, str]) -> tuple[str, ...]:
    told = "; ".join(f"{o.judge} {o.percentile:.0f} ({o.score})" for o in one.opinions)
    return names[one.passage], f"{one.apart:.0f}", told


def _dual(one: Dual) -> tuple[str, ...]:
    found = one.correlation
    rho = "-" if found is None else f"{found.spearman:.3f} ({_chance(found.spearman_p)})"
    r = "-" if found is None else f"{found.pearson:.3f} ({_chance(found.pearson_p)})"
    return one.judge, str(len(one.points)), rho, r, str(one.unplaced)


def _chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _interval(found: Interval | None) -> str:
    return "-" if found is None else f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"


def _number(value: float | None, places: int = 3) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def _drawings(trial: Trial) -> list[str]:
    drawn = []
    if trial.agreement.pairs:
        caption = "Below the diagonal rank correlation (Spearman), above it the share of scores at most one point apart"
        drawn.append(figure(heat([one.judge for one in trial.judgings], _squares(trial), caption), caption))
    if trial.bands:
        caption = "What the rubric's bands would do with each judge's scores"
        parts = [
            Bar(o.judge, (("keep", float(o.keep)), ("look at", float(o.look)), ("drop", float(o.drop))))
            for o in trial.bands
        ]
        drawn.append(figure(bars(parts, caption, "passages"), caption))
    names = {one.id: f"{one.title}, {one.date or 'undated'}" for one in trial.passages}
    places = {one.id: f"#p{number}" for number, one in enumerate(trial.passages, 1)}
    constant = {one.judge for one in trial.spreads if one.constant}
    for one in trial.duals:
        if one.points and one.judge not in constant:
            points = [(names[passage], near, float(score)) for passage, near, score in one.points]
            links = [places[passage] for passage, _, _ in one.points]
            found = one.correlation
            told = f"; Spearman {found.spearman:.3f}, Pearson {found.pearson:.3f}" if found else ""
            caption = f"Similarity ({trial.similarity}) against the score of {one.judge}, a point a passage{told}"
            drawn.append(figure(scatter(points, "similarity", Rising("score", trial.scale), caption, links), caption))
    return drawn


def _squares(trial: Trial) -> dict[tuple[str, str], float | None]:
    squares: dict[tuple[str, str], float | None] = {}
    for pair in trial.agreement.pairs:
        squares[pair.other, pair.one] = pair.correlation.spearman if pair.correlation else None
        squares[pair.one, pair.other] = pair.within_one
    return squares


def _passages(trial: Trial) -> str:
    """Every passage with what each judge said of it: where the points of the plots lead."""
    parts = ["<h2>Passages</h2>"]
    places = {judging.judge: percentiles(judging.scores) for judging in trial.judgings}
    for number, one in enumerate(trial.passages, 1):
        near = "" if one.similarity is None else f" · similarity {one.similarity:.3f}"
        said = [
            f"<li>{escape(judging.judge)}: <b>{judging.scores[one.id]}</b> "
            f"(percentile {places[judging.judge][one.id]:.0f}) "
            f"{escape(judging.arguments.get(one.id, ''))}</li>"
            for judging in trial.judgings
            if one.id in judging.scores
        ]
        head = f"{one.title} · {one.date or 'undated'} · {one.sub_corpus}"
        parts.append(
            f'<h3 id="p{number}">{escape(head)}</h3><p class="note">{escape(one.id)}{near}</p>'
            f"<ul>{''.join(said) or '<li>not judged</li>'}</ul>"
        )
    return "\n".join(parts)
