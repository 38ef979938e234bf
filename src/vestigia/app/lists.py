"""The lists that can leave an archive: of a run, a curation, a dossier, a survey, a judging, a search (H10).

What may leave is decided here, once, for every form (B11). Of a closed source nothing leaves, or its description where
that is asked for; of one for personal use only, no longer in the archive or there in another version its description,
which says why its words do not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from vestigia.app import present, works
from vestigia.app.corrections import Correction, corrections_of, standing
from vestigia.app.curating import read as read_curation
from vestigia.app.describing import reference
from vestigia.app.interpreting import read as read_interpretation
from vestigia.app.judging import judge_of
from vestigia.app.present import Holdings
from vestigia.app.references import Extract, Kind, Listing, Reference, Said, line, lines
from vestigia.app.searching import SearchResult
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act
from vestigia.domain.archive import Access, DocumentCard, SubCorpus
from vestigia.domain.commissions import CurateOrder, InterpretOrder, Item, JudgeOrder, SurveyOrder
from vestigia.domain.errors import UsageError
from vestigia.domain.events import NotJudged, Scored
from vestigia.domain.evidence import Candidate
from vestigia.domain.ids import Digest, DocumentId, PassageId
from vestigia.domain.quotations import Outcome
from vestigia.engine import runs
from vestigia.inquiry import view
from vestigia.inquiry.curation import Source, Standing
from vestigia.inquiry.dossier import read_dossier

ACCEPTED, HELD, REJECTED = "accepted", "held", "rejected"
PERSONAL = "for personal use"


@dataclass(frozen=True, slots=True)
class _Row:
    """A source of a list as its record has it; of each passage what is quoted from it."""

    document: DocumentId
    card: DocumentCard | None
    passages: tuple[tuple[PassageId, str], ...]
    standing: str = ""
    said: tuple[Said, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _List:
    """A list before it is looked up what the archive has of it; `corpus` is the catalogue the run was begun with."""

    kind: str
    run: str
    question: str
    rows: tuple[_Row, ...]
    notes: tuple[str, ...] = ()
    corpus: Digest | None = None


def of_run(
    workspace: Workspace, name: str, *, everything: bool = False, sealed: bool = False, closed: bool = False
) -> Listing:
    """The list of a run: what was accepted, or with `everything` what was held, rejected or left open, too.

    With `sealed` the newest dossier of a curation, with `closed` the descriptions of closed sources, too. Raises
    UsageError where nothing is in the list.
    """
    work = works.read(workspace, name)
    if sealed:
        found = _dossier(work)
    else:
        read = _KINDS[type(work.first.commission)]
        found = replace(read(work), corpus=work.first.manifest.corpus)
    chosen = found.rows if everything else tuple(row for row in found.rows if row.standing in {ACCEPTED, ""})
    if not chosen:
        none = "there is nothing in it" if everything or not found.rows else "no source of it is accepted"
        remedy = "`--all` takes what is held, rejected or undecided, too; `vestigia silence` says what was searched."
        raise UsageError(f"{none}: the export would be empty.", where=f"run {work.run}", remedy=remedy)
    return _looked_up(workspace, replace(found, rows=chosen), closed=closed)


def of_search(workspace: Workspace, query: str, found: SearchResult, *, closed: bool = False) -> Listing:
    """The list of a search. Raises UsageError where nothing was found."""
    if not found.candidates:
        raise UsageError("nothing was found: the export would be empty.", where=f"search {query!r}")
    cards = {card.id: card for card in found.cards}
    rows = tuple(_found(one, cards[one.document], "search") for one in found.candidates)
    missing = tuple(f"Could not be searched: {gap}" for gap in (*found.missing, *found.failures))
    return _looked_up(workspace, _List("search", "", query, rows, missing), closed=closed)


def _answer(work: Work) -> _List:
    state = runs.view_of(work.entries)
    seen, people = view.result(state), state.overruled
    held: dict[DocumentId, _Row] = {}
    for one in seen.held:
        here = held.get(one.card.id, _Row(one.card.id, one.card, (), HELD))
        by = people[one.card.id].author if one.card.id in people else seen.model
        said = (*here.said, Said("hold", one.why, by or "code"))
        held[one.card.id] = replace(here, passages=(*here.passages, (one.passage, "")), said=said)
    rows = [*(_taken(row, ACCEPTED) for row in seen.sources), *held.values()]
    rows += [_taken(row, REJECTED) for row in seen.removed]
    notes = [f"Decided by {seen.model}." if seen.model else "", "" if seen.finished else "The run is not finished."]
    notes += [f"Partial: the budget of {seen.limit} was reached." if seen.limit else ""]
    return _List("sources", work.run, seen.question, tuple(rows), tuple(filter(None, notes)))


def _taken(row: view.Source, standing: str) -> _Row:
    quotes = {step.passage: step.quote for step in reversed(row.steps) if step.passage}
    said = tuple(Said(step.decision, step.reason, step.author) for step in row.steps)
    repeats = (Said("repeats", f"the text of {row.repeats}", "code"),) if row.repeats else ()
    return _Row(row.card.id, row.card, tuple(reversed(quotes.items())), standing, (*said, *repeats))


def _curated(work: Work) -> _List:
    found = read_curation(work)
    rows = tuple(_row_of(source) for source in found.sources)
    conflicts = len(found.of(Standing.CONFLICT))
    notes = (f"People do not agree about {conflicts} sources.",) if conflicts else ()
    return _List("curation", work.run, work.first.question.text, rows, notes)


def _row_of(source: Source) -> _Row:
    deeds = (*source.decisions, *source.remarks)
    said = [
        Said(d.act.act, d.act.reason or d.act.note, d.act.author, d.time) for d in deeds if d.act.act is not Act.TAG
    ]
    said += [Said(f"sorted {one.band or 'by score'}", f"{one.score:g}", one.judge) for one in source.presorted]
    tags = tuple(dict.fromkeys(deed.act.tag for deed in source.remarks if deed.act.act is Act.TAG))
    return _Row(source.item.document, source.card, ((source.item.passage, ""),), source.standing, tuple(said), tags)


def _dossier(work: Work) -> _List:
    """The newest dossier, with what had been said of its sources when it was sealed."""
    dossier = read_dossier(work.entries, work.run)
    sealed = next(place for place, entry in enumerate(work.entries, 1) if entry.digest == dossier.origin.head)
    found = read_curation(replace(work, entries=work.entries[:sealed]))
    rows = {source.item.document: _row_of(source) for source in found.sources}
    chosen = tuple(replace(rows[item.document], standing=ACCEPTED) for item in dossier.sources)
    seal = f"Sealed by {dossier.author} on {dossier.time[:10]}: {dossier.statement}"
    return _List("dossier", work.run, work.first.question.text, chosen, (seal,), work.first.manifest.corpus)


def _surveyed(work: Work) -> _List:
    state = runs.view_of(work.entries)
    lanes = state.gathered.lanes if state.gathered else ()
    once = {one.document: one for lane in lanes for one in lane.candidates}
    rows = tuple(_found(one, state.cards.get(one.document), "survey") for one in once.values())
    return _List("survey", work.run, state.question.text, rows)


def _found(one: Candidate, card: DocumentCard | None, by: str) -> _Row:
    said = Said("found", present.places(one.standings), by)
    return _Row(one.document, card, ((one.passage, ""),), said=(said,))


def _judged(work: Work) -> _List:
    order = work.first.commission
    items = order.items if isinstance(order, JudgeOrder) else ()
    said, judge = runs.view_of(work.entries).judgements, judge_of(work)
    rows = tuple(_scored(item, said.get(item.passage), judge) for item in items)
    return _List("judging", work.run, work.first.question.text, rows)


def _scored(item: Item, judged: Scored | NotJudged | None, judge: str) -> _Row:
    if isinstance(judged, Scored):
        told = Said(f"scored {judged.score}", judged.argument, judged.author or judge)
        return _Row(item.document, None, ((item.passage, judged.quote),), said=(told,))
    why = f"{judged.reason}{f': {judged.why}' if judged.why else ''}" if judged else "waiting"
    return _Row(item.document, None, ((item.passage, ""),), said=(Said("not judged", why, judge),))


def _interpreted(work: Work) -> _List:
    found = read_interpretation(work)
    cards = {card.id: card for card in found.dossier.cards} if found.dossier else {}
    rows = tuple(_Row(i.document, cards.get(i.document), ((i.passage, ""),), ACCEPTED) for i in found.order.items)
    seal = f"Sealed by {found.dossier.author}: {found.dossier.statement}" if found.dossier else ""
    return _List("dossier", found.order.dossier.run, work.first.question.text, rows, (seal,) if seal else ())


_KINDS: dict[type, Callable[[Work], _List]] = {
    type(None): _answer,
    CurateOrder: _curated,
    SurveyOrder: _surveyed,
    JudgeOrder: _judged,
    InterpretOrder: _interpreted,
}


def _looked_up(workspace: Workspace, found: _List, *, closed: bool) -> Listing:
    """Describe the sources by what the archive has of them today, and take away what may not leave."""
    documents = [row.document for row in found.rows]
    passages = [name for row in found.rows for name, _ in row.passages]
    catalogue = workspace.catalogue()
    try:
        parts = {part.name: part for part in catalogue.sub_corpora()}
        held = Holdings(
            {card.id: card for card in catalogue.documents(documents)},
            {passage.id: passage for passage in catalogue.passages(passages)},
            catalogue.changed_texts(found.corpus, documents) if found.corpus else (),
            anchors=catalogue.anchors(passages),
        )
    finally:
        catalogue.close()
    rows = [row for row in found.rows if closed or not _is_closed(row, held)]
    sources = tuple(_corrected(workspace, _filled(row, held, parts), row, held) for row in rows)
    left_out = len(found.rows) - len(rows)
    if not rows:
        remedy = "`--closed` describes them; their texts stay."
        raise UsageError("all its sources are closed: the export would be empty.", where=found.run, remedy=remedy)
    return Listing(found.kind, found.run, line(found.question), sources, tuple(map(line, found.notes)), left_out)


def _is_closed(row: _Row, held: Holdings) -> bool:
    card = held.cards.get(row.document, row.card)
    return card is not None and card.access is Access.CLOSED


def _filled(row: _Row, held: Holdings, parts: Mapping[str, SubCorpus]) -> Reference:
    card = held.cards.get(row.document, row.card)
    one = (
        reference(card, parts) if card else Reference(DocumentId(line(row.document)), Kind.DOCUMENT, line(row.document))
    )
    why = withheld(row.document, held)
    extracts = tuple(_extract(name, quote, held, why) for name, quote in row.passages)
    said = tuple(_told(one, hide=bool(why)) for one in row.said)
    return replace(
        one, standing=row.standing, said=said, tags=tuple(map(line, row.tags)), extracts=extracts, withheld=why
    )


def _corrected(workspace: Workspace, one: Reference, row: _Row, held: Holdings) -> Reference:
    """Say beside a source how readers correct the words of its passages (B7); the words stay as they came."""
    made = () if one.withheld else corrections_of(workspace, row.document)
    told: dict[Correction, None] = {}
    for passage in [held.passages[name] for name, _ in row.passages if name in held.passages] if made else ():
        inside = [
            replace(found, start=found.start - passage.start, end=found.end - passage.start)
            for found in made
            if passage.start <= found.start and found.end <= passage.end
        ]
        told |= dict.fromkeys(standing(passage.text, inside))
    said = tuple(
        Said("correct", line(f"“{c.was}” is to be read “{c.now}”{c.note and f' ({c.note})'}"), line(c.author), c.time)
        for c in told
    )
    return replace(one, said=(*one.said, *said))


def withheld(document: DocumentId, held: Holdings) -> str:
    """Say why the words of a document may not leave the archive; empty where they may."""
    today = held.cards.get(document)
    if today is None:
        return present.WITHDRAWN
    return PERSONAL if today.access is Access.PERSONAL else held.withheld(today)


def _extract(name: PassageId, quote: str, held: Holdings, why: str) -> Extract:
    """A passage with its words; a quotation only where it stands in them."""
    found = held.passage(name, quote, why)
    places = [line(place["page"] or "") for place in found["quote_lines"] or found["pages"] or ()]
    sealed = found["quote"] if found["quote_check"] in {Outcome.EXACT, Outcome.FOLDED} else None
    text = found["text"]
    return Extract(
        PassageId(line(name)),
        found["start"],
        found["end"],
        lines(text) if text else None,
        line(sealed) if sealed else None,
        tuple(dict.fromkeys(filter(None, places))),
    )


def _told(said: Said, *, hide: bool) -> Said:
    reason = present.without_quotes(said.reason) if hide else said.reason
    return replace(said, reason=line(reason), author=line(said.author))
