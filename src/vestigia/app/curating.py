"""Curating a set: begun from a survey or a question, decided about by people, counted at every step (H1, H8)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path

from vestigia.app import present, rested, works
from vestigia.app.asking import Watch, opened
from vestigia.app.judging_by_hand import is_open
from vestigia.app.patience import held
from vestigia.app.present import Holdings, Plain
from vestigia.app.questions import legible, signed
from vestigia.app.sets import curations_of
from vestigia.app.settings import Settings, rules_of
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act, Added, Curated, Undone
from vestigia.domain.commissions import Band, CurateOrder, Item, JudgeOrder, Origin, Presorted, SurveyOrder
from vestigia.domain.entries import Entry
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Scored
from vestigia.domain.ids import DocumentId, PassageId, passage_id
from vestigia.engine import runs
from vestigia.inquiry.curation import Curation, Deed, Source, Standing, band, curation, objection
from vestigia.inquiry.dossier import dossiers
from vestigia.inquiry.handing_over import handed_over
from vestigia.inquiry.tally import Tally, tally
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.log import FileLedger

REASONS = (
    "off topic",
    "outside the period",
    "outside the region",
    "mentioned in passing",
    "text cannot be read",
    "the same as another source",
)
"""Why sources are excluded; `curate.reasons` of the settings adds to them."""
_BANDS = (Band.KEEP, Band.LOOK, Band.NONE, Band.DROP)


def reasons_of(settings: Settings) -> tuple[str, ...]:
    """The reasons for an exclusion that a project offers."""
    return tuple(dict.fromkeys((*REASONS, *settings.curate.reasons)))


def begin(workspace: Workspace, name: str, judgings: Sequence[str] = (), watch: Watch | None = None) -> Work:
    """Lay the set of a finished survey, or the sources and holds of a question, open to be curated.

    What `judgings` of it say sorts it before people look, by the bands of their rubrics. Raises UsageError for a run of
    another kind, one that is not finished, and one that found nothing.
    """
    work = works.read(workspace, name)
    items = _to_curate(workspace, work)
    judged = [works.read(workspace, judging) for judging in judgings]
    sorted_by = tuple(one for judging in judged for one in _presorted(judging))
    origins = tuple(judging.origin for judging in judged)
    order = CurateOrder(work.origin, items, origins, reasons_of(workspace.settings), sorted_by)
    with opened(workspace) as archive:
        return works.begin(workspace, archive, work.first.question, rules_of(workspace.settings), order, watch)


def _to_curate(workspace: Workspace, work: Work) -> tuple[Item, ...]:
    where = f"run {work.run}"
    if isinstance(work.first.commission, JudgeOrder):
        curations = curations_of(workspace, work)
        named = f"vestigia curate ARCHIVE {work.first.commission.origin.run} --judging {work.run}"
        remedy = f"Curate the set that it judged, sorted by it: `{named}`."
        if curations:
            remedy = f"Its set is curated in {curations[-1]}: name that."
        raise UsageError("it is a judging.", where=where, remedy=remedy)
    if not isinstance(work.first.commission, SurveyOrder | None):
        raise UsageError("its set cannot be curated.", where=where, remedy="Name a survey or a question.")
    state = runs.view_of(work.entries)
    if not state.closed:
        raise UsageError("the run is not finished.", where=where, remedy="Go on with it: `vestigia resume`.")
    items = handed_over(state)
    if not items:
        raise UsageError("it found nothing that could be curated.", where=where)
    return items


def _presorted(judging: Work) -> tuple[Presorted, ...]:
    """What a judging says of its sources, by the bands of its rubric. Raises UsageError for a run of another kind."""
    order = judging.first.commission
    if not isinstance(order, JudgeOrder):
        raise UsageError("it is not a judging.", where=f"run {judging.run}", remedy="Name one of `vestigia judge`.")
    if is_open(judging):
        raise UsageError("the judging is not finished.", where=f"run {judging.run}", remedy=f"{order.person} ends it.")
    judge = f"{order.person or judging.first.manifest.model} (rubric {order.rubric.name})"
    said = runs.view_of(judging.entries).judgements.values()
    return tuple(
        Presorted(one.document, judge, band(order.rubric, one.score), one.score)
        for one in said
        if isinstance(one, Scored)
    )


def act(workspace: Workspace, name: str, acts: Sequence[Curated | Undone]) -> Work:
    """Record what a person does to sources of a set: nothing, unless all of it can be.

    Raises UsageError naming every act that cannot be, and every source that is decided about in two ways at once.
    """
    for one in acts:
        legible("the note", f"{one.note}{one.tag}" if isinstance(one, Curated) else "")
    acts = tuple(dict.fromkeys(replace(one, author=signed(one.author)) for one in acts))
    run = workspace.run(name)
    with held(workspace, run) as ledger:
        entries = ledger.entries()
        wrong = dict.fromkeys((*_twofold(acts), *(why for one in acts if (why := objection(entries, one)))))
        if wrong:
            raise UsageError(f"{'; '.join(wrong)}.", where=f"run {run}", remedy="Nothing was recorded.")
        for one in acts:
            runs.decide(ledger, one)
    return works.read(workspace, run)


def add(workspace: Workspace, name: str, document: DocumentId, author: str, passage: str = "", note: str = "") -> Work:
    """Lay a source of the archive beside those of a set, at a passage of it, the first where none is named.

    Raises UsageError where there is no such source or passage, or the set has it already.
    """
    legible("the note", note)
    run = workspace.run(name)
    catalogue = workspace.catalogue()
    try:
        cards, spans = catalogue.documents([document]), catalogue.spans_of(document)
    finally:
        catalogue.close()
    passages = [passage_id(document, start, end) for start, end in spans]
    chosen = next((one for one in passages if passage in {"", one}), None)
    if not cards or chosen is None:
        raise UsageError(
            "there is no such source.", where=str(document), remedy="Open it anew; its text may have changed."
        )
    act = Added(cards[0], PassageId(chosen), signed(author), note.strip())
    with held(workspace, run) as ledger:
        runs.decide(ledger, act)
    return works.read(workspace, run)


def _twofold(acts: Iterable[Curated | Undone]) -> Iterator[str]:
    """Name the sources that one person decides about in two ways at once: which was meant cannot be told."""
    said: dict[tuple[str, str], Curated] = {}
    for one in acts:
        if isinstance(one, Curated) and one.act.decides:
            first = said.setdefault((one.document, one.author), one)
            if first.act != one.act:
                yield f"the document {one.document!r} is to be both {first.act} and {one.act}"
            elif first.reason != one.reason:
                yield f"the document {one.document!r} has two reasons, {first.reason!r} and {one.reason!r}"


def offered(workspace: Workspace, work: Work) -> tuple[DocumentId, ...]:
    """The documents of a set: of a curation, or of the survey or question that one can begin with.

    Raises UsageError where none can.
    """
    order = work.first.commission
    items = read(work).order.items if isinstance(order, CurateOrder) else _to_curate(workspace, work)
    return tuple(item.document for item in items)


def could_act(work: Work, documents: Sequence[DocumentId], acts: Sequence[Curated | Undone]) -> None:
    """Raise UsageError for acts that no curation of a set could take, before one is begun for them."""
    known = set(documents)
    wrong = [
        f"the document {one.document!r} is not in the set"
        for one in acts
        if isinstance(one, Curated) and one.document not in known
    ]
    wrong += ["there is no act yet that could be taken back"] * any(isinstance(one, Undone) for one in acts)
    wrong += ["every decision has an author: `--as NAME`"] * any(not signed(one.author) for one in acts)
    if wrong:
        told = "; ".join(dict.fromkeys(wrong))
        raise UsageError(f"{told}.", where=f"run {work.run}", remedy="Nothing was recorded.")


def read(work: Work) -> Curation:
    """Read the curation of a run. Raises UsageError for a run of another kind."""
    found = curation(work.entries)
    if found is None:
        raise UsageError("it is not a set that is being curated.", where=f"run {work.run}")
    return found


def named(documents: Sequence[DocumentId], written: str) -> tuple[DocumentId, str]:
    """Take `DOCUMENT=TEXT` apart; an identifier may hold the sign itself. Raises UsageError."""
    fitting = [name for name in documents if written.startswith(f"{name}=")]
    if not fitting:
        raise UsageError(f"{written!r} names no document of the set.", remedy="Write it DOCUMENT=TEXT.")
    document = max(fitting, key=len)
    return document, written[len(document) + 1 :].strip()


def counts(workspace: Workspace, found: Curation) -> tuple[Tally, str]:
    """Count what came in and what became of it, and say where the run it was taken from cannot be read any more."""
    now = tally((), found)
    try:
        ledger = (workspace.runs / workspace.run(found.order.origin.run) / LEDGER).stat()
    except (UsageError, OSError):
        return now, origin_entries(workspace, found.order.origin)[1]
    then, why = _came_in(workspace.runs, (ledger.st_mtime_ns, ledger.st_size), found.order, found.added)
    return replace(now, found=then.found, gone=then.gone, reprints=then.reprints, left=then.left, added=then.added), why


@lru_cache(maxsize=64)
def _came_in(
    folder: Path, _stamp: tuple[int, int], order: CurateOrder, added: tuple[tuple[Entry, Added], ...]
) -> tuple[Tally, str]:
    """What the run met that a set was taken from, which no act changes: read once for each state of its ledger."""
    entries, why = _up_to(order.origin, FileLedger.read(folder, order.origin.run).entries())
    return tally(entries, Curation(order, added=added)), why


def origin_entries(workspace: Workspace, origin: Origin) -> tuple[tuple[Entry, ...], str]:
    """The entries of a run up to where it was taken over; or none, and why."""
    try:
        entries = works.read(workspace, origin.run).entries
    except UsageError:
        return (), f"the run it was taken from, {origin.run}, is no longer here"
    return _up_to(origin, entries)


def _up_to(origin: Origin, entries: tuple[Entry, ...]) -> tuple[tuple[Entry, ...], str]:
    taken = next((n for n, entry in enumerate(entries, 1) if entry.digest == origin.head), 0)
    return entries[:taken], "" if taken else f"the run it was taken from, {origin.run}, is no longer as it was"


def shown(workspace: Workspace, work: Work, *, closed: bool = False) -> Plain:
    """A curation as data: counts at every step, conflicts first to be seen, each source with all that was done."""
    found = read(work)
    counted, missing = counts(workspace, found)
    shelf = _holdings(workspace, found, closed=closed)
    added = {act.card.id: {"by": act.author, "at": entry.time, "note": act.note or None} for entry, act in found.added}
    return {
        "run": work.run,
        "kind": "curation",
        "description": work.first.question.text,
        "taken_from": found.order.origin.run,
        "finished": runs.view_of(work.entries).closed,
        "counts": {**asdict(counted), "rejected": [{"reason": r, "sources": n} for r, n in counted.rejected]},
        "conflicts": [source.item.document for source in found.of(Standing.CONFLICT)],
        "sources": [_source(source, shelf, added) for source in sorted(found.sources, key=_place)],
        "corrected": rested.shown(workspace, work.entries, closed=closed),
        "reasons": list(found.order.reasons),
        "dossiers": [
            {"sealed_by": one.author, "at": one.time, "sources": len(one.sources), "statement": one.statement}
            for one in dossiers(work.entries, work.run)
        ],
        "notes": [missing] if missing else [],
    }


def _place(source: Source) -> int:
    """What judges would keep first, what they would drop last; else as the set has it."""
    return min((_BANDS.index(one.band) for one in source.presorted), default=_BANDS.index(Band.NONE))


def _holdings(workspace: Workspace, found: Curation, *, closed: bool) -> Holdings:
    catalogue = workspace.catalogue()
    passages = [source.item.passage for source in found.sources]
    try:
        return Holdings(
            {card.id: card for card in catalogue.documents([source.item.document for source in found.sources])},
            {passage.id: passage for passage in catalogue.passages(passages)},
            closed=closed,
            anchors=catalogue.anchors(passages),
        )
    finally:
        catalogue.close()


def _source(source: Source, held: Holdings, added: Mapping[DocumentId, Plain]) -> Plain:
    why = held.withheld_of(source.item.document, source.item.passage)
    shown_passage = held.passage(source.item.passage, "", why)
    described = present.document(source.card, why, present.cited_pages([shown_passage])) if source.card else {}
    return {
        "document": source.item.document,
        **described,
        "passage": shown_passage,
        "standing": source.standing,
        "reason": source.reason or None,
        "repeats": source.repeats,
        "added": added.get(source.item.document),
        "presorted": [{"judge": one.judge, "band": one.band or None, "score": one.score} for one in source.presorted],
        "decisions": [_deed(deed) for deed in source.decisions],
        "remarks": [_deed(deed) for deed in source.remarks],
    }


def _deed(deed: Deed) -> Plain:
    done = deed.act
    return {
        "entry": deed.entry,
        "at": deed.time,
        "by": done.author,
        "act": done.act,
        "reason": done.reason or None,
        "note": done.note or None,
        "tag": done.tag or None,
        "resolves": done.resolves,
    }


def decisions(
    chosen: Iterable[tuple[Act, Iterable[str]]], author: str, reason: str, note: str, *, resolves: bool
) -> list[Curated]:
    """Make acts of what was chosen; the reason is that of the rejections."""
    make = partial(Curated, author=author.strip(), note=note, resolves=resolves)
    return [
        make(DocumentId(name), done, reason=reason if done is Act.REJECT else "")
        for done, names in chosen
        for name in names
    ]
