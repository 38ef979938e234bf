"""All judgings of a set side by side: read off their runs, compared in `evaluate` (H4, H5, B6)."""

from collections.abc import Sequence

from vestigia.app import judging
from vestigia.app.judging_by_hand import is_open
from vestigia.app.sets import SourceSet, set_of, taken_over
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import JudgeOrder, Rubric
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import label
from vestigia.evaluate.judges import Judging, Override, Passage, Trial, banded, compared, dual, gaps, overrides, spread
from vestigia.inquiry.curation import Standing, curation

_DECIDED = {Standing.ACCEPTED: True, Standing.REJECTED: False}


def trial(workspace: Workspace, name: str, rubric: str = "", *, closed: bool = False) -> Trial:
    """Compare all judges of a set by one rubric: the one named, else the one by which most judged.

    Raises UsageError where nobody has judged it.
    """
    found = set_of(workspace, name)
    taken, problems = taken_over(workspace, found.work.run)
    begun = [work for work in taken if isinstance(work.first.commission, JudgeOrder)]
    judged = [work for work in begun if not is_open(work)]
    chosen, by = _by_one_rubric(judged, rubric, found)
    judgings = _judgings(workspace, chosen, closed=closed)
    similarity = {str(passage): score for passage, score in found.similarity.items()}
    notes = [*problems]
    if len(judged) < len(begun):
        notes.append(f"Judgings that are not finished, and are not compared: {len(begun) - len(judged)}.")
    if len(chosen) < len(judged):
        others = len(judged) - len(chosen)
        notes.append(f"Judgings by other rubrics, or other versions of it, that are not compared here: {others}.")
    bands = None if by.keep is None or by.drop is None else (by.keep, by.drop)
    return Trial(
        found.work.run,
        found.work.first.question.text,
        f"{by.name} ({by.lowest}-{by.highest}, {by.digest[:19]})",
        (by.lowest, by.highest),
        found.by or "fused search",
        _passages(found),
        judgings,
        tuple(spread(one) for one in judgings),
        compared(judgings),
        gaps(judgings),
        tuple(dual(one, similarity) for one in judgings),
        tuple(banded(one, *bands) for one in judgings) if bands else (),
        _overrides(found, taken, judgings, bands) if bands else (),
        tuple(notes),
    )


def _by_one_rubric(judged: Sequence[Work], rubric: str, found: SourceSet) -> tuple[list[Work], Rubric]:
    """Keep to one version of one rubric; of several the one by which most judged, and of those the latest."""
    rubrics = [_rubric(work) for work in judged]
    named = [one for one in rubrics if one.name == rubric or not rubric]
    if not named:
        said = f"by the rubric {rubric!r}" if rubric else "yet"
        raise UsageError(
            f"nobody has judged the set {said}.", where=f"run {found.work.run}", remedy="`vestigia judge` does it."
        )
    digests = [one.digest for one in named]
    _, _, chosen = max((digests.count(one.digest), at, one.digest) for at, one in enumerate(named))
    kept = [work for work in judged if _rubric(work).digest == chosen]
    return kept, _rubric(kept[-1])


def _rubric(work: Work) -> Rubric:
    order = work.first.commission
    if not isinstance(order, JudgeOrder):
        raise TypeError(f"{work.run} is no judging")
    return order.rubric


def _judgings(workspace: Workspace, chosen: Sequence[Work], *, closed: bool) -> tuple[Judging, ...]:
    """Read judgings; a judge who judged more than once is numbered."""
    judgings: list[Judging] = []
    times: dict[str, int] = {}
    for work in chosen:
        shown = judging.shown(workspace, work, closed=closed)
        name = shown["judge"]
        times[name] = times.get(name, 0) + 1
        scored = [one for one in shown["sources"] if one["score"] is not None]
        judgings.append(
            Judging(
                f"{name} ({times[name]})" if times[name] > 1 else name,
                shown["person"],
                {one["passage"]: one["score"] for one in scored},
                {one["passage"]: one["argument"] or "" for one in scored},
                {str(one["reason"]): one["passages"] for one in shown["not_judged"]},
                shown["waiting"],
            )
        )
    return tuple(judgings)


def _passages(found: SourceSet) -> tuple[Passage, ...]:
    rows = []
    for item in found.items:
        card = found.cards[item.document]
        date = label(card.period) if card.period else ""
        near = found.similarity.get(item.passage)
        rows.append(Passage(item.passage, item.document, card.title, date, card.sub_corpus, near))
    return tuple(rows)


def _overrides(
    found: SourceSet, taken: Sequence[Work], judgings: Sequence[Judging], bands: tuple[int, int]
) -> tuple[Override, ...]:
    """Hold what people decided in curating the set against the judges' bands; a later curation stands before."""
    passages = {item.document: str(item.passage) for item in found.items}
    decided: dict[str, bool] = {}
    for work in taken:
        curated = curation(work.entries)
        for source in curated.sources if curated else ():
            if source.standing in _DECIDED and source.item.document in passages:
                decided[passages[source.item.document]] = _DECIDED[source.standing]
    homes = {str(item.passage): found.cards[item.document].sub_corpus for item in found.items}
    return tuple(row for one in judgings for row in overrides(one, bands, decided, homes))
