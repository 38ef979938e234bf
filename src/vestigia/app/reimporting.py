"""Taking back what people decided, noted and tagged elsewhere: as their acts, each once (H8).

A row is known by the document's identifier, its link or its shelf mark. What was recorded before is not recorded again,
so a file may come back as often as one likes; rows that are not known are named by file and line, the rest goes on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from vestigia.app import curating, deciding, works
from vestigia.app.describing import reference
from vestigia.app.questions import legible
from vestigia.app.references import line
from vestigia.app.returned import Row
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.acts import Act, Curated
from vestigia.domain.archive import DocumentCard
from vestigia.domain.commissions import CurateOrder
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId
from vestigia.engine import runs
from vestigia.inquiry.curation import Source, objection

_ACTS = {"accept": Act.ACCEPT, "reject": Act.REJECT, "flag": Act.FLAG, "hold": Act.FLAG}
_DECISIONS = {"accept": Decision.ACCEPT, "reject": Decision.REJECT, "hold": Decision.HOLD, "flag": Decision.HOLD}


@dataclass(frozen=True, slots=True)
class Returned:
    """What became of the rows of a file.

    `known` are of documents of the run, `recorded` counts acts, `before` those that were recorded already; `problems`
    name what could not be taken back, by line.
    """

    run: str
    rows: int
    known: int
    recorded: int
    before: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """What the rows of a file would record: the acts of a person that are not recorded yet; else as `Returned`."""

    run: RunId
    rows: int
    known: int
    acts: tuple[Curated, ...] | tuple[Overruled, ...]
    before: int
    problems: tuple[str, ...]


def take_back(workspace: Workspace, name: str, rows: Sequence[Row], author: str, listed: str = "") -> Returned:
    """Record what the rows of a file say, as acts of a person; `listed` is what is decided where a row says nothing.

    Into a curation, or about the documents of a question. Raises UsageError for a run of another kind, and without a
    person.
    """
    found = proposed(workspace, name, rows, author, listed)
    curated = [act for act in found.acts if isinstance(act, Curated)]
    overruled = [act for act in found.acts if isinstance(act, Overruled)]
    if curated:
        curating.act(workspace, found.run, curated)
    if overruled:
        deciding.decide(workspace, found.run, *overruled)
    return Returned(found.run, found.rows, found.known, len(found.acts), found.before, found.problems)


def proposed(workspace: Workspace, name: str, rows: Sequence[Row], author: str, listed: str = "") -> Proposed:
    """Say what `take_back` would record, and record nothing. Raises what that raises."""
    author = author.strip()
    legible("the name of who decides", author)
    if not author:
        raise UsageError("every decision has an author.", where="--as", remedy="Say who decided: `--as NAME`.")
    if listed not in {"", *_ACTS}:
        raise UsageError(f"{listed!r} is no decision.", where="--listed", remedy="Say accept, reject or hold.")
    work = works.read(workspace, name)
    if not isinstance(work.first.commission, CurateOrder | None):
        raise UsageError(
            "nothing is decided about in it.", where=f"run {work.run}", remedy="Curate it first: `vestigia curate`."
        )
    problems: list[str] = []
    found = _matched(workspace, work, rows, problems)
    decided = [(row, document, _word(row, listed, problems)) for row, document in found.items()]
    told = [_Told(row, to, word, author) for row, to, word in decided]
    acts: tuple[Curated, ...] | tuple[Overruled, ...]
    acts, before = (_in_question if work.first.commission is None else _in_curation)(work, told, problems)
    return Proposed(work.run, len(rows), len(found), acts, before, tuple(problems))


@dataclass(frozen=True, slots=True)
class _Told:
    """A row of a document, the decision it says or nothing, and who says it."""

    row: Row
    document: DocumentId
    decision: str
    author: str


def _word(row: Row, listed: str, problems: list[str]) -> str:
    """What a row decides; a word that is no decision is told."""
    written = row.decision or listed
    if written in {"", *_ACTS}:
        return written
    problems.append(f"{row.where}: {written!r} is no decision; write accept, reject or hold")
    return ""


def _matched(workspace: Workspace, work: Work, rows: Iterable[Row], problems: list[str]) -> dict[Row, DocumentId]:
    """The rows of documents of the run, each document once; the others are told."""
    if isinstance(work.first.commission, CurateOrder):
        cards = [source.card for source in curating.read(work).sources if source.card]
    else:
        cards = list(runs.view_of(work.entries).cards.values())
    known, also = _by_name(cards), {card.id: _also(card) for card in cards}
    found: dict[Row, DocumentId] = {}
    met: set[DocumentId] = set()
    strange: list[Row] = []
    for row in rows:
        document = next((known[name] for name in row.names if name in known), None)
        others = [known[n] for n in row.names if n in known and document and n not in also[document]]
        if document is None:
            strange.append(row)
        elif strays := [other for other in dict.fromkeys(others) if other != document]:
            named = " and ".join([document, *strays])
            problems.append(f"{row.where}: it names {named}; say which, this row was passed over")
        elif document in met:
            problems.append(f"{row.where}: {document} stands there twice; this row was passed over")
        else:
            found[row] = document
            met.add(document)
    elsewhere = _elsewhere(workspace, strange)
    for row in strange:
        called = row.title or ", ".join(row.names) or "a row that names nothing"
        there = next((name for name in row.names if name in elsewhere), "")
        why = f"{there} is in the archive, but not in this run" if there else "the archive does not know it"
        problems.append(f"{row.where}: {called}: {why}")
    return found


def _also(card: DocumentCard) -> set[str]:
    """The link and the shelf mark of a document, which may be the identifier of another."""
    cited = reference(card)
    return {name for name in (cited.link, cited.shelfmark) if name}


def _by_name(cards: Iterable[DocumentCard]) -> dict[str, DocumentId]:
    """Documents by what names them; a link or shelf mark that several share names none."""
    names: dict[str, set[DocumentId]] = {}
    own: dict[str, DocumentId] = {}
    for card in cards:
        own[line(card.id)] = card.id
        for name in _also(card):
            names.setdefault(name, set()).add(card.id)
    return {name: next(iter(found)) for name, found in names.items() if len(found) == 1} | own


def _elsewhere(workspace: Workspace, rows: Iterable[Row]) -> set[str]:
    """Which names of rows are identifiers of documents of the archive."""
    asked = [DocumentId(name) for row in rows for name in row.names]
    catalogue = workspace.catalogue()
    try:
        return {str(card.id) for card in catalogue.documents(asked)}
    finally:
        catalogue.close()


def _in_curation(work: Work, told: Iterable[_Told], problems: list[str]) -> tuple[tuple[Curated, ...], int]:
    """The acts in a curation, and how many were there already."""
    sources = {source.item.document: source for source in curating.read(work).sources}
    acts: list[Curated] = []
    before = 0
    for one in told:
        for act in _acts(one):
            if _stands(act, sources[one.document]) or act in acts:
                before += 1
            elif why := objection(work.entries, act):
                problems.append(f"{one.row.where}: {why}")
            else:
                acts.append(act)
    return tuple(acts), before


def _acts(told: _Told) -> list[Curated]:
    """What a row says as acts: the reason of a rejection is one of the project's list, any other is a note."""
    row, make = told.row, partial(Curated, told.document, author=told.author)
    acts, notes = [], list(row.notes)
    if told.decision:
        done = _ACTS[told.decision]
        acts.append(make(done, reason=row.reason if done is Act.REJECT else ""))
        notes += [row.reason] if row.reason and done is not Act.REJECT else []
    acts += [make(Act.NOTE, note=note) for note in notes]
    return acts + [make(Act.TAG, tag=tag) for tag in row.tags]


def _stands(act: Curated, source: Source) -> bool:
    """Whether this person decided so last, or anybody noted or tagged so."""
    if act.act.decides:
        last = [deed.act for deed in source.decisions if deed.act.author == act.author]
        return any((one.act, one.reason) == (act.act, act.reason) for one in last)
    said = [deed.act for deed in (*source.remarks, *source.decisions)]
    return any(act.tag == one.tag if act.tag else act.note == one.note for one in said)


def _in_question(work: Work, told: Iterable[_Told], problems: list[str]) -> tuple[tuple[Overruled, ...], int]:
    """The decisions about documents of a question, and how many were there already."""
    standing = runs.view_of(work.entries).overruled
    acts = []
    before = 0
    for one in told:
        if one.row.notes or one.row.tags:
            problems.append(f"{one.row.where}: notes and tags are kept by a curation, not by the run of a question")
        if not one.decision:
            continue
        act = Overruled(one.document, _DECISIONS[one.decision], one.row.reason, one.author)
        if standing.get(one.document) == act:
            before += 1
        else:
            acts.append(act)
    return tuple(acts), before
