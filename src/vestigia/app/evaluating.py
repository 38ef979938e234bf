"""Measuring how well sources are found: collections, systems and archives brought together, a report made of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

from vestigia.app.archive import Tell, add, quiet
from vestigia.app.archive import encode as encode_archive
from vestigia.app.asking import manifest_of, opened
from vestigia.app.models import Answering, answering
from vestigia.app.settings import FILE, Settings, rules_of
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.entries import Manifest
from vestigia.domain.errors import ArchiveError, ModelUnavailableError, UsageError
from vestigia.domain.ids import RunId
from vestigia.domain.question import Question
from vestigia.engine import runs
from vestigia.engine.journal import Journal, drive
from vestigia.engine.world import Archive, LiveWorld
from vestigia.evaluate import flows, report
from vestigia.evaluate.collection import Collection, Query, read_collection
from vestigia.evaluate.extras import NEEDED, extra
from vestigia.evaluate.outcomes import Outcome, outcome
from vestigia.evaluate.report import Report, Trial, examine
from vestigia.evaluate.runfiles import write_qrels, write_run
from vestigia.evaluate.systems import DEFAULT, PRESETS, SIMULATED, Flow, System, ablations, narrowed, systems_of
from vestigia.ledger.memory import PassingLedger
from vestigia.models.simulated import Simulated

CACHE = "vestigia-evaluation"
"""Where the archives of collections are built when nothing else is said."""
OWN = "ask"
"""The system that asks as the archive's own settings say."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is measured, and how.

    `archive` is an archive to search, or the folder in which the collections' own are built. Every n-th question of
    one half (0, 1; none: of both) is asked `repeat` times; `encode` names a further encoder for the archives built.
    With `ablate` each run is also measured without its mechanisms, as in the paper's table (T15).
    The first system that is called `against` is the reference, else `hybrid`, else the first. `runs` is a folder.
    """

    systems: tuple[str, ...] = DEFAULT
    archive: Path = Path(CACHE)
    every: int = 1
    half: int | None = None
    repeat: int = 1
    encode: str = ""
    against: str = ""
    runs: Path | None = None
    ablate: bool = False


def evaluate(paths: Sequence[Path], options: Options, tell: Tell = quiet) -> Report:
    """Measure systems on test collections.

    Archives that are not given are built first and kept. Raises UsageError for what is no collection or system.
    """
    for library in NEEDED:
        extra(library)
    collections = [read_collection(path).chosen(options.every, options.half) for path in paths]
    if len({collection.name for collection in collections}) < len(collections):
        raise UsageError("two collections have the same name.", remedy="Rename one of the folders.")
    if options.ablate:
        own = {**PRESETS, OWN: System(OWN, "", Flow.ASK)}
        options = replace(options, systems=ablations(options.systems, own))
    _systems(options.systems, Settings())  # a name that is none is told before anything is built
    against = reference(options)
    examined: list[report.Examined] = []
    described: dict[str, str] = {}
    for collection in collections:
        workspace = _workspace(collection, options, tell)
        with opened(workspace) as archive:
            systems = _systems(options.systems, workspace.settings)
            described |= {system.name: system.what for system in systems}
            trials = {s.name: _trials(workspace, archive, s, collection, options.repeat, tell) for s in systems}
            facts = _facts(archive, collection)
        if options.runs:
            _write(options.runs, collection, trials)
        examined.append(examine(collection, facts, trials, against, options.half))
    return Report(
        version("vestigia"),
        described,
        against,
        options.every,
        options.half,
        options.repeat,
        tuple(examined),
    )


def reference(options: Options) -> str:
    """Name the system that the others are held against. Raises UsageError when it is not among them."""
    against = options.against or ("hybrid" if "hybrid" in options.systems else options.systems[0])
    if against not in options.systems:
        raise UsageError(
            f"the system {against!r} is not measured.", where="--against", remedy="Name it among the systems."
        )
    return against


def _systems(names: Sequence[str], settings: Settings) -> tuple[System, ...]:
    """The systems of these names; `ask` is what the settings of an archive make it."""
    answerer = settings.ask.model
    what = f"a run by the archive's settings, answered by {answerer}"
    return systems_of(names, {**PRESETS, OWN: System(OWN, what, Flow.ASK, rules_of(settings), model=answerer)})


def _workspace(collection: Collection, options: Options, tell: Tell) -> Workspace:
    """Open the archive given, or build the collection's own and bring it up to date."""
    if (options.archive / FILE).is_file():
        return open_workspace(options.archive)
    if not collection.documents:
        raise UsageError(
            "the collection has no documents of its own.",
            where=collection.name,
            remedy="Name the archive that holds them: --archive ARCHIVE.",
        )
    root = options.archive / collection.name
    workspace = open_workspace(root) if (root / FILE).is_file() else init(root)
    add(workspace, collection.documents, ImportOptions(), tell)
    if options.encode:
        encode_archive(workspace, options.encode, tell)
    return workspace


def _facts(archive: Archive, collection: Collection) -> report.Archive:
    sub_corpora = archive.corpus.sub_corpora()
    gold = list(dict.fromkeys(document for query in collection.queries for document in query.relevant))
    return report.Archive(
        sum(s.documents for s in sub_corpora),
        sum(s.passages for s in sub_corpora),
        sum(s.dated for s in sub_corpora),
        archive.index.channels(),
        len(gold) - len(archive.corpus.documents(gold)),
    )


def _trials(
    workspace: Workspace, archive: Archive, system: System, collection: Collection, repeat: int, tell: Tell
) -> list[Trial]:
    by = _answering(workspace.settings, system, simulated(collection, archive))
    system = replace(system, rules=replace(system.rules, withhold=by.withhold))
    part = replace(
        archive, index=narrowed(archive.index, system), model=by.model, models=by.tasks, withhold=by.withhold
    )
    manifest = manifest_of(workspace, part, by)
    asked = (*collection.queries, *collection.unjudged)
    put(part, manifest, system, asked[0])  # loads what the first question would pay for
    trials: list[Trial] = []
    for _ in range(repeat):
        trial: dict[str, Outcome] = {}
        for done, query in enumerate(asked, 1):
            trial[query.id] = put(part, manifest, system, query)
            tell(f"{collection.name} {system.name}", done, len(asked))
        trials.append(trial)
    return trials


def _answering(settings: Settings, system: System, reviewer: Simulated) -> Answering:
    """The models of a system; the simulated reviewer knows the judgments."""
    if system.model == SIMULATED:
        return Answering(reviewer)
    return answering(settings, None if system.name == OWN else {"": system.model})


def simulated(collection: Collection, archive: Archive) -> Simulated:
    """The simulated reviewer of a collection."""
    gold = sorted({document for query in collection.queries for document in query.relevant})
    homes = {card.id: card.sub_corpus for card in archive.corpus.documents(gold)}
    return Simulated({query.text: frozenset(query.relevant) for query in collection.queries}, homes)


def put(archive: Archive, manifest: Manifest, system: System, query: Query) -> Outcome:
    """Put one question to a system, keep nothing, and return what came of it; a model that gives no answer is told."""
    ledger = PassingLedger(RunId("evaluated"))
    question = Question(query.text)
    world = LiveWorld(archive, ledger)
    began = perf_counter()
    try:
        runs.begin(ledger, manifest, question, system.rules)
        if system.flow is Flow.ASK:
            state = runs.resume(ledger, world)
        else:
            flow = flows.windowed if system.flow is Flow.WINDOWS else flows.searched
            state = asyncio.run(drive(flow(question, system.rules), Journal((), ledger), world))
    except ModelUnavailableError as error:
        return Outcome(judged=system.flow is Flow.ASK, seconds=perf_counter() - began, failure=str(error))
    return outcome(system.flow, ledger.entries(), state, perf_counter() - began)


def _write(folder: Path, collection: Collection, trials: Mapping[str, Sequence[Trial]]) -> None:
    """Write TREC run files, one for each system and repeat, and the judgments beside them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_qrels(folder, collection)
        for system, repeats in trials.items():
            for number, trial in enumerate(repeats, 1):
                write_run(folder, collection, system if number == 1 else f"{system}.{number}", trial)
    except OSError as error:
        raise ArchiveError(
            f"the run files cannot be written ({error.strerror}).", where=str(folder), remedy="Choose another folder."
        ) from error
