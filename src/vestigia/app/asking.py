"""Asking, and everything one can do with a run afterwards."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version

from vestigia.app import kept_index
from vestigia.app.accounts import Estimate, Times, affordable, estimate, times, working_clock
from vestigia.app.encoders import available, chosen
from vestigia.app.models import Answering, answering
from vestigia.app.questions import checked, legible
from vestigia.app.settings import rules_of
from vestigia.app.windows import windows_of
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.dates import Grammar
from vestigia.domain.commissions import Commission
from vestigia.domain.entries import Entry, Manifest
from vestigia.domain.errors import ArchiveError, DivergedError, UsageError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import WaitingError, begun
from vestigia.engine.world import Archive, LiveWorld
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.judge import SHEET
from vestigia.inquiry.state import State
from vestigia.inquiry.view import Result, result
from vestigia.ledger import inbox
from vestigia.ledger.log import FileLedger
from vestigia.ledger.naming import run_id
from vestigia.ledger.verification import Report, verify

Watch = Callable[[Entry], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A run and what it shows; `waits_at` names the checkpoint it sleeps at, or nothing.

    `corpus` is the fingerprint of the catalogue the run was begun with.
    """

    run: RunId
    result: Result
    corpus: Digest
    waits_at: str = ""
    times: Times = Times()
    estimate: Estimate | None = None
    """What its plan was estimated to take, of a run just asked of a language model."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay: whether the run is finished, and whether the record is sound; its ranking is `result`'s."""

    run: RunId
    result: Result
    finished: bool


def now() -> str:
    """The time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


@contextmanager
def opened(workspace: Workspace, by: Answering | None = None) -> Iterator[Archive]:
    """Open the parts of an archive for a run, answered by the models of the settings unless others are given.

    Raises StaleIndexError when the index is older than the catalogue.
    """
    by = by or answering(workspace.settings)
    catalogue = workspace.catalogue()
    try:
        snapshot = open_index(workspace, catalogue)
        yield Archive(catalogue, snapshot, Grammar(), by.model, workspace.library(), by.tasks, by.withhold, by.chosen)
    finally:
        catalogue.close()


def open_index(workspace: Workspace, catalogue: Catalogue) -> Snapshot:
    """Open the index of a catalogue with the encoders to be searched; it stays open until a file of it changes.

    Raises UsageError when the archive is empty, StaleIndexError when the index is older, SettingsError or
    ModelUnavailableError when an encoder of the settings cannot be used.
    """
    sub_corpora = catalogue.sub_corpora()
    if not sub_corpora:
        raise UsageError(
            "the archive holds no document.",
            where=str(workspace.root),
            remedy=f"Add some: `vestigia add {workspace.root} FOLDER`.",
        )
    snapshot = kept_index.opened(workspace, chosen(workspace, available()))
    return snapshot.require(catalogue.fingerprint, sum(s.documents for s in sub_corpora))


Opening = Callable[[Workspace, Catalogue], Snapshot]
"""Opens the index of a catalogue: `open_index`, or what keeps it open between two tasks."""


def ask(
    workspace: Workspace,
    question: Question,
    rules: Rules | None = None,
    watch: Watch | None = None,
    windows: str | None = None,
    by: Answering | None = None,
) -> Answer:
    """Put a question: begins a run and carries it out, answered by the models of the settings unless others are given.

    `windows` stand before those of the settings.

    Raises UsageError for an empty question, an unknown sub-corpus or windows that cannot be read;
    ModelUnavailableError leaves a resumable run.
    """
    by = by or answering(workspace.settings)
    with opened(workspace, by) as archive:
        question = checked(question, archive.corpus)
        rules = rules or rules_of(workspace.settings)
        if written := workspace.settings.ask.windows if windows is None else windows:
            parts = archive.corpus.sub_corpora()
            searched = [s for s in parts if not question.sub_corpora or s.name in question.sub_corpora]
            rules = replace(rules, windows=windows_of(written, question.period, searched))
        rules = affordable(replace(rules, withhold=by.withhold), by, datetime.now(UTC))
        manifest = manifest_of(workspace, archive, by)
        with beginning(workspace, manifest, question, rules) as ledger:
            answer = carry_on(ledger, archive, watch)
    return replace(answer, estimate=estimate(by, rules, datetime.now(UTC), len(answer.result.plan)))


@contextmanager
def beginning(
    workspace: Workspace, manifest: Manifest, question: Question, rules: Rules, commission: Commission | None = None
) -> Iterator[FileLedger]:
    """Write the first entry of a new run and hold its ledger open. Raises ArchiveError where nothing was written."""
    name = run_id(question.text, now(), digest(json.dumps(asdict(manifest), sort_keys=True)))
    with ExitStack() as until_ended:
        try:
            ledger = until_ended.enter_context(FileLedger.create(workspace.runs, name, now))
            runs.begin(ledger, manifest, question, rules, commission)
        except ArchiveError as error:
            again = "do it again" if commission else "ask again"
            remedy = f"Nothing was recorded. Make room or mend access to the disk, then {again}."
            raise ArchiveError(error.what, where=error.where, remedy=remedy) from error
        yield ledger


def resume(workspace: Workspace, name: str, author: str = "", watch: Watch | None = None) -> Answer:
    """Carry an interrupted run on; with an `author` a run that waits for a person is let go on.

    Raises UsageError when archive, index or model are no longer those the run was made with.
    """
    with reopened(workspace, name, author) as (ledger, archive):
        return carry_on(ledger, archive, watch)


@contextmanager
def reopened(workspace: Workspace, name: str, author: str = "") -> Iterator[tuple[FileLedger, Archive]]:
    """Hold a run of any kind open to be carried on, with what it was begun with; an `author` lets it go on.

    Raises UsageError when archive, index or model are no longer those, unless the run is finished.
    """
    legible("the name of who lets it go on", author)
    run = workspace.run(name)
    first = begun(FileLedger.read(workspace.runs, run).entries(), run)
    by = answering(workspace.settings, dict(first.manifest.models))
    with opened(workspace, by) as archive, FileLedger.open(workspace.runs, run, now) as ledger:
        entries = ledger.entries()
        changed = differences(first.manifest, manifest_of(workspace, archive, by))
        changed += ["view of who runs the model"] if set(by.withhold) - set(first.rules.withhold) else []
        if changed and not runs.view_of(entries).closed:
            anew = "Ask the question anew" if first.commission is None else "Begin it anew"
            raise UsageError(
                f"the run was made with another {', '.join(changed)}.",
                where=f"run {run}",
                remedy=f"{anew}; what was recorded so far stays readable with `vestigia show`.",
            )
        if author and (waits := runs.waiting_at(entries)):
            if waits == SHEET:
                raise UsageError(
                    "it waits for a sheet; what is not handed in is not judged.",
                    where=f"run {run}",
                    remedy="Hand it in once more: `vestigia judge --from SHEET --as NAME` completes it.",
                )
            runs.release(ledger, author)
        yield ledger, archive


def carry_on(ledger: FileLedger, archive: Archive, watch: Watch | None) -> Answer:
    """Carry a run on from wherever its ledger ends; what people leave for it meanwhile is taken in."""
    if watch is later:
        return answer_of(ledger.run, ledger.entries())
    rules = begun(ledger.entries(), ledger.run).rules
    clock = working_clock(ledger.entries()) if rules.budget.seconds is not None else None
    world = LiveWorld(replace(archive, withhold=rules.withhold), ledger, clock)

    def hear(entry: Entry) -> None:
        (watch or _unwatched)(entry)
        inbox.take_in(ledger, ledger.folder)

    inbox.take_in(ledger, ledger.folder)
    with suppress(WaitingError):
        runs.resume(ledger, world, hear)
    inbox.take_in(ledger, ledger.folder)
    return answer_of(ledger.run, ledger.entries())


def answer_of(run: RunId, entries: tuple[Entry, ...], state: State | None = None) -> Answer:
    """What a run shows as far as its entries go; `state` is what they come to, where it was made already."""
    made = begun(entries, run).manifest
    state = state or runs.view_of(entries)
    return Answer(run, result(state), made.corpus, runs.waiting_at(entries) or "", times(entries))


def later(_entry: Entry) -> None:
    """As the `watch` of what begins a run: only begin it; `resume` carries it out."""


def _unwatched(_entry: Entry) -> None:
    """Nobody watches."""


def show(workspace: Workspace, name: str) -> Answer:
    """Read a run, finished or not."""
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    return answer_of(run, entries)


def recorded(workspace: Workspace, name: str) -> tuple[RunId, State]:
    """Read what is known of a run that answers a question. Raises UsageError for one that does something else."""
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    if begun(entries, run).commission is not None:
        raise UsageError("it answers no question.", where=f"run {run}", remedy="Choose a run of `vestigia ask`.")
    return run, runs.view_of(entries)


def replay(workspace: Workspace, name: str) -> Replayed:
    """Decide a run again from its ledger alone: no model, no index, no documents.

    Raises DivergedError where this version decides otherwise, or where the ranking is not the recorded one.
    """
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    state, finished = runs.replay(entries, run)
    found: State = runs.view_of(entries)
    if state.ranking != found.ranking:
        raise DivergedError("the replay ranks the sources otherwise than the record.", where=f"run {run}")
    return Replayed(run, result(found), finished)


def verify_run(workspace: Workspace, name: str) -> Report:
    """Check the chain and every kept text of a run."""
    return verify(workspace.runs / workspace.run(name))


def manifest_of(workspace: Workspace, archive: Archive, by: Answering | None = None) -> Manifest:
    """Digest everything that makes a run."""
    by = by or Answering(archive.model, archive.models, archive.chosen)
    return Manifest(
        version("vestigia"),
        archive.corpus.fingerprint,
        archive.index.fingerprint,
        archive.library.digest,
        workspace.settings.digest,
        by.name,
        by.fingerprint,
        models=by.chosen,
    )


def differences(then: Manifest, today: Manifest) -> list[str]:
    """Name what is no longer as it was."""
    same = replace(today, parent=then.parent, forked_at=then.forked_at, settings=then.settings)
    before, after = asdict(then), asdict(same)
    words = {"corpus": "archive", "model_digest": "model"}
    return list(dict.fromkeys(words.get(part, part) for part in before if before[part] != after[part]))
