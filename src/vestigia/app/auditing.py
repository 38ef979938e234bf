"""The recall audit (B2): a blind table for a person, and what it says of how much a run missed."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from vestigia.app import tables
from vestigia.app.asking import now
from vestigia.app.present import Plain
from vestigia.app.questions import legible
from vestigia.app.silence import searched
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.archive import Access
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Audited, Paused
from vestigia.domain.evidence import Assessment
from vestigia.domain.ids import Digest, DocumentId, PassageId, RunId, digest
from vestigia.domain.periods import label, overlaps
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.engine.journal import begun
from vestigia.inquiry.audit import LEVEL, Strata, Stratum, Unit, audit, sample
from vestigia.inquiry.state import State
from vestigia.inquiry.view import result
from vestigia.ledger.log import FileLedger

COLUMNS = ("row", "document", "title", "date", "sub_corpus", "text", "relevant")
"""Of the blind table: nothing in it says how far a document came. The last one is to be filled in."""
YES, NO = frozenset({"yes", "y", "1", "true"}), frozenset({"no", "n", "0", "false"})


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where a sample was written, how many documents it has, and what they are to be judged by."""

    file: str
    documents: int
    question: str


def draw(workspace: Workspace, name: str, size: int, file: Path, *, closed: bool = False) -> Drawn:
    """Write a blind sample of a finished run to a table; of closed documents the text only with `closed`.

    Raises UsageError where the run is not finished, the archive has changed since, or the file exists.
    """
    tables.fresh(file)
    question, rows = drawn(workspace, name, size, closed=closed)
    tables.write(file, COLUMNS, rows)
    return Drawn(str(file), len(rows), question.text)


def drawn(workspace: Workspace, name: str, size: int, *, closed: bool = False) -> tuple[Question, list[dict[str, str]]]:
    """A blind sample of a finished run, row by row, the same whenever it is drawn, and the question to judge it by.

    Raises UsageError where the run is not finished or the archive has changed since.
    """
    run, entries = _finished(workspace, name)
    catalogue = workspace.catalogue()
    try:
        seed = seed_of(entries)
        units = _with_passages(catalogue, sample(strata_of(catalogue, entries, run), size, seed), seed)
        return begun(entries, run).question, list(_rows(catalogue, units, closed=closed))
    finally:
        catalogue.close()


def _rows(catalogue: Catalogue, units: Mapping[DocumentId, PassageId], *, closed: bool) -> Iterable[dict[str, str]]:
    for number, (document, name) in enumerate(units.items(), 1):
        (card,) = catalogue.documents([document])
        (passage,) = catalogue.passages([name])
        hidden = card.access is Access.CLOSED and not closed
        yield {
            "row": str(number),
            "document": card.id,
            "title": card.title,
            "date": label(card.period) if card.period else "",
            "sub_corpus": card.sub_corpus,
            "text": "(closed: --closed writes its text)" if hidden else " ".join(passage.text.split()),
            "relevant": "",
        }


def judge(workspace: Workspace, name: str, file: Path, author: str) -> Plain:
    """Record what a person judged in a table that `draw` wrote, and return the report.

    Raises UsageError where a row is none of the sample, is judged in no words that are known, or nothing is judged.
    """
    return judged(workspace, name, _said(file), author, str(file))


def judged(
    workspace: Workspace, name: str, said: Mapping[DocumentId, bool | None], author: str, where: str = ""
) -> Plain:
    """Record what a person said of each document of a sample (None: nothing), and return the report; see `judge`."""
    legible("the name of who judges", author)
    run, entries = _finished(workspace, name)
    seed = seed_of(entries)
    catalogue = workspace.catalogue()
    try:
        strata = strata_of(catalogue, entries, run)
        shown = _with_passages(catalogue, sample(strata, len(said), seed), seed)
    finally:
        catalogue.close()
    if said.keys() != shown.keys():
        other = next(iter([*(said.keys() - shown.keys()), *(shown.keys() - said.keys())]))
        raise UsageError(
            f"it is not the sample that was drawn: see {other!r}.",
            where=where,
            remedy="Leave rows you do not judge empty, delete and add none.",
        )
    stands = {unit.document: stratum for stratum, units in strata.items() for unit in units}
    judgements = tuple(
        Assessment(document, shown[document], stands[document], relevant)
        for document, relevant in said.items()
        if relevant is not None
    )
    if not judgements:
        raise UsageError("no row is judged.", where=where, remedy="Say yes or no of some.")
    sizes = tuple((stratum.value, len(units)) for stratum, units in strata.items())
    with FileLedger.open(workspace.runs, run, now) as ledger:
        runs.decide(ledger, Audited(judgements, sizes, seed, author.strip()))
    return report(workspace, run)


def _said(file: Path) -> dict[DocumentId, bool | None]:
    """What a person wrote beside each document; None where nothing."""
    said: dict[DocumentId, bool | None] = {}
    for line in tables.read(file, ("document", "relevant"), COLUMNS):
        word, document, place = (
            line["relevant"].casefold(),
            DocumentId(line["document"]),
            f"{file}, {line.place}",
        )
        if word and word not in YES | NO:
            raise UsageError(f"{word!r} is neither yes nor no.", where=place, remedy="Leave it empty if unsure.")
        if document in said:
            raise UsageError(f"{document!r} stands there twice.", where=place, remedy="Delete one of the rows.")
        said[document] = word in YES if word else None
    return said


def report(workspace: Workspace, name: str) -> Plain:
    """What the audits of a run say of how much it missed; no number without its interval."""
    run, entries = _finished(workspace, name)
    seed = seed_of(entries)
    audits = [one for one in runs.view_of(entries).audits if one.seed == seed]
    sizes: Mapping[str, int] = dict(audits[-1].strata) if audits else {}
    found = audit(sizes, [said for one in audits for said in one.judgements])
    return {
        "run": run,
        "judged": sum(layer.judged for layer in found.layers),
        "by": list(dict.fromkeys(one.author for one in audits)),
        "level": LEVEL,
        "recall": asdict(found.recall) if found.recall else None,
        "missed": asdict(found.missed) if found.missed else None,
        "lacking": found.lacking or None,
        "hint": found.hint or None,
        "strata": [
            {
                "stratum": layer.stratum,
                "documents": layer.size,
                "judged": layer.judged,
                "relevant": layer.relevant,
                "relevant_in_all": asdict(layer.relevant_in_all) if layer.relevant_in_all else None,
            }
            for layer in found.layers
        ],
    }


def _finished(workspace: Workspace, name: str) -> tuple[RunId, tuple[Entry, ...]]:
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    if begun(entries, run).commission is not None:
        raise UsageError("it answers no question.", where=f"run {run}", remedy="Choose a run of `vestigia ask`.")
    if not runs.view_of(entries).closed:
        raise UsageError("the run is not finished.", where=f"run {run}", remedy="Resume it first.")
    return run, entries


def _machine(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that people did not make, without notes on pauses."""
    return [
        entry
        for entry in entries
        if not entry.actor.startswith("person:")
        and not (isinstance(entry.body, Recorded) and isinstance(entry.body.event, Paused))
    ]


def seed_of(entries: Iterable[Entry]) -> Digest:
    """What decides the draw: the digest of the run's last entry, whatever people decided after it."""
    return _machine(entries)[-1].digest


def strata_of(catalogue: Catalogue, entries: tuple[Entry, ...], run: RunId) -> Strata:
    """Every document the run could have listed, by the furthest it came when it ended.

    Raises UsageError where the archive has changed since.
    """
    first = begun(entries, run)
    if first.manifest.corpus != catalogue.fingerprint:
        raise UsageError(
            "documents came in or went since: a sample would not be of what the run searched.",
            where=f"run {run}",
            remedy="Ask the question anew, then audit that run.",
        )
    last = _machine(entries)[-1].number
    came = _furthest(runs.view_of(entries[: last + 1]), entries)
    strata: dict[Stratum, list[Unit]] = {stratum: [] for stratum in Stratum}
    for document in _in_scope(catalogue, first.question):
        stratum, passage = came.get(document, (Stratum.UNFOUND, None))
        strata[stratum].append(Unit(document, passage))
    return {stratum: units for stratum, units in strata.items() if units}


def _furthest(state: State, entries: tuple[Entry, ...]) -> dict[DocumentId, tuple[Stratum, PassageId | None]]:
    """How far every document came that a search found, and the passage that carried it; the later steps win."""
    came: dict[DocumentId, tuple[Stratum, PassageId | None]] = {}
    for _, found in searched(entries):
        for hit in (*found.hits, *(hit for lane in found.lanes for hit in lane.hits)):
            came.setdefault(hit.document, (Stratum.UNSHOWN, hit.passage))
    shown = result(state)
    for verdict in state.rejected.values():
        came[verdict.document] = (Stratum.REJECTED, verdict.passage)
    for held in shown.held:
        came[held.card.id] = (Stratum.HELD, held.passage)
    for stratum, rows in ((Stratum.REJECTED, shown.removed), (Stratum.LISTED, shown.sources)):
        for row in rows:
            passage = next((step.passage for step in row.steps if step.passage), None)
            came[row.card.id] = (stratum, passage or came.get(row.card.id, (stratum, None))[1])
    return came


def _in_scope(catalogue: Catalogue, question: Question) -> Iterable[DocumentId]:
    """The documents within the researcher's own limits."""
    ids = catalogue.find(sub_corpora=question.sub_corpora) if question.sub_corpora else catalogue.ids()
    for card in catalogue.documents(ids):
        dated = question.period is None or (card.period is not None and overlaps(card.period, question.period))
        if dated and (not question.languages or card.language in question.languages):
            yield card.id


def _with_passages(catalogue: Catalogue, units: Iterable[Unit], seed: Digest) -> dict[DocumentId, PassageId]:
    """The passages that stand for documents; where nothing pointed to one, one of its own by lot."""

    def by_lot(document: DocumentId) -> PassageId:
        names = [passage.id for passage, _ in catalogue.pairs([document])]
        return min(names, key=lambda name: digest(f"{seed} {name}"))

    return {unit.document: unit.passage or by_lot(unit.document) for unit in units}
