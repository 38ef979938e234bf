"""Filling an archive and saying what is in it: add, encode, status."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vestigia.app import kept_index
from vestigia.app.ahead import encoding_ahead
from vestigia.app.encoders import AT_ONCE, DEFAULT, available, configured, encoder, on_all_cores, with_configured
from vestigia.app.guards import guarded_reader
from vestigia.app.plugins import READERS, installed
from vestigia.app.workspace import OPEN_PART, Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import find_duplicates
from vestigia.corpus.importing import BUILT_IN, ImportOptions, ImportReport, Progress, import_path
from vestigia.domain.archive import SubCorpus
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.ports import Encoder, Reader, server_of
from vestigia.index.build import IndexWriter
from vestigia.index.durable import only_writer
from vestigia.index.encode import encode as encode_passages
from vestigia.index.encode import missing, sweep_vectors
from vestigia.index.wordvectors import sweep_vocabulary
from vestigia.models.encoders.endpoint import is_here

Tell = Callable[[str, int, int], None]
"""Told of progress: what is done, how many of how many (0: unknown)."""


def quiet(_what: str, _done: int, _of: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Added:
    """What `add` did: a report per path, and what could not be encoded for meaning."""

    reports: tuple[ImportReport, ...]
    indexed: int
    encoded: int
    unencoded: str = ""


@dataclass(frozen=True, slots=True)
class Encoded:
    """What an encoder did: how many texts, and how many passages were held back because their rights forbid it."""

    texts: int
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """What an archive holds. `encoders` gives for each encoder the passages it has encoded.

    `withheld` gives for encoders elsewhere the passages that may not be sent there, `unusable` says of encoders of the
    settings why they cannot be used.
    """

    name: str
    documents: int
    passages: int
    dated: int
    sub_corpora: tuple[SubCorpus, ...]
    encoders: dict[str, int]
    channels: tuple[str, ...]
    stale: bool
    model: str
    withheld: dict[str, int] = field(default_factory=dict)
    unusable: dict[str, str] = field(default_factory=dict)


def add(workspace: Workspace, paths: Sequence[Path], options: ImportOptions, tell: Tell = quiet) -> Added:
    """Import files, index what changed, encode it with the fast encoder, as far as it can be while the rest goes on.

    What was stored before stays whatever happens; running it again changes nothing and completes what was cut short.
    """
    workspace = workspace.whole
    readers, options = available_readers(), with_settings(options, workspace)
    catalogue = workspace.catalogue()
    try:
        fast, searched = encoder(DEFAULT), workspace.settings.search.encoders
        wanted = searched is None or DEFAULT in searched
        with encoding_ahead(workspace, catalogue, fast, lambda done, of: tell(_encoding(fast), done, of)) as ahead:
            if not wanted:
                ahead.stop()
            reports = tuple(import_path(catalogue, path, options, telling(tell), readers) for path in paths)
            if catalogue.unswept:
                ahead.stop()  # sweeping wants the vectors for itself
            indexed = bring_up_to_date(workspace, catalogue, tell)
            compare(catalogue, tell)
        try:
            encoded = ahead.encoded + (_encode(workspace, catalogue, fast, tell).texts if wanted else 0)
            unencoded = ""
        except ModelUnavailableError as error:
            encoded, unencoded = ahead.encoded, str(error)
    finally:
        catalogue.close()
    return Added(reports, indexed, encoded, unencoded)


def available_readers() -> tuple[Reader, ...]:
    """The readers that come with Vestigia and those that plug-ins bring. Raises SettingsError for a broken plug-in."""
    return (*BUILT_IN, *(guarded_reader(name, reader) for name, reader in installed(READERS).items()))


def with_settings(options: ImportOptions, workspace: Workspace) -> ImportOptions:
    """Return the options with what the archive's settings say where nothing was typed."""
    patterns = options.name_patterns or workspace.settings.imports.name_patterns
    return replace(options, name_patterns=patterns)


def bring_up_to_date(workspace: Workspace, catalogue: Catalogue, tell: Tell = quiet) -> int:
    """Index what changed in the catalogue since the index was written; returns the number of documents.

    Where something was deleted the index is begun anew and vectors and catalogue are swept, so that no file keeps it;
    it is begun anew, too, where it is not of this catalogue's past, as after a copy was restored.
    """
    with IndexWriter(workspace.index) as writer, catalogue.reading():
        state, swept, there = writer.state, not catalogue.unswept, catalogue.ids()
        batch, fingerprint = catalogue.batch, catalogue.fingerprint
        if state is None or not swept or not catalogue.had(state.batch, state.corpus):
            writer.begin_anew()
            changed = there
        else:
            kept, known = frozenset(there), frozenset(writer.documents)
            newer = frozenset(catalogue.changed_since(state.batch))
            changed = tuple(one for one in there if one in newer or one not in known)
            if state.corpus == fingerprint and not changed and kept == known:
                return 0
            writer.remove(one for one in writer.documents if one not in kept)
        tell("indexing", 0, len(changed))
        writer.add(catalogue.pairs(changed))
        writer.commit(batch, fingerprint)
        tell("indexing", len(changed), len(changed))
    if not swept:
        _forget_open_part(workspace)
        sweep_vectors(workspace.index)
        sweep_vocabulary(workspace.index, fingerprint)
        if catalogue.fingerprint == fingerprint:  # else somebody deleted or added meanwhile: it stays due
            catalogue.sweep()
    return len(changed)


def _forget_open_part(workspace: Workspace) -> None:
    """Remove what was taken out of the archive for everybody to see: it may hold what was deleted. It is made anew."""
    home = workspace.root / OPEN_PART
    if workspace.part is None and home.is_dir():
        with only_writer(home, "preparing what everybody may see"):
            for path in home.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.suffix == ".json":
                    path.unlink()


def compare(catalogue: Catalogue, tell: Tell = quiet) -> int:
    """Find which documents say the same; returns the number of clusters."""
    return find_duplicates(catalogue, lambda done, of: tell("comparing texts", done, of))


def encode(workspace: Workspace, name: str, tell: Tell = quiet) -> Encoded:
    """Encode every passage that an encoder has not seen; resumable.

    Raises UsageError for an unknown encoder, SettingsError or ModelUnavailableError for one that cannot be used.
    """
    workspace = workspace.whole
    catalogue = workspace.catalogue()
    try:
        chosen = configured(workspace, name) if name in workspace.settings.encoders else encoder(name)
        bring_up_to_date(workspace, catalogue, tell)
        return _encode(workspace, catalogue, chosen, tell)
    finally:
        catalogue.close()


def status(workspace: Workspace) -> Status:
    """Say what an archive holds and what of it can be searched."""
    catalogue = workspace.catalogue()
    try:
        sub_corpora = catalogue.sub_corpora()
        passages = sum(s.passages for s in sub_corpora)
        encoded, withheld = dict[str, int](), dict[str, int]()
        channels: tuple[str, ...] = ()
        usable, problems = with_configured(workspace, available())
        stale = bool(sub_corpora)
        if (workspace.index / "state.json").exists():
            snapshot = kept_index.opened(workspace, usable)
            documents = sum(s.documents for s in sub_corpora)
            stale = (snapshot.corpus, snapshot.documents) != (catalogue.fingerprint, documents)
            channels, encoded = snapshot.channels(), snapshot.encoded()
            elsewhere = [one for one in usable if leaves_this_machine(one)]
            absent = {one.name: missing(workspace.index, one) for one in elsewhere}
            withheld = {name: len(held_back(catalogue, passages_of)) for name, passages_of in absent.items()}
    finally:
        catalogue.close()
    return Status(
        workspace.settings.archive.name,
        sum(s.documents for s in sub_corpora),
        passages,
        sum(s.dated for s in sub_corpora),
        sub_corpora,
        encoded,
        channels,
        stale,
        workspace.settings.ask.model,
        withheld,
        {name: str(problem) for name, problem in problems.items()},
    )


def _encode(workspace: Workspace, catalogue: Catalogue, one: Encoder, tell: Tell) -> Encoded:
    absent = frozenset(missing(workspace.index, one))
    withheld = held_back(catalogue, absent) if leaves_this_machine(one) else frozenset()
    absent -= withheld
    if not absent and server_of(one):  # it is not asked for nothing
        return Encoded(0, len(withheld))
    documents = sorted({DocumentId(passage.rpartition("#")[0]) for passage in absent})
    pairs = (pair for pair in catalogue.pairs(documents) if pair[0].id in absent)
    with on_all_cores(one, len(absent)) as several:
        at_once = 1 if several is one else AT_ONCE
        texts = encode_passages(
            workspace.index, several, pairs, lambda done: tell(_encoding(one), done, len(absent)), at_once
        )
    return Encoded(texts, len(withheld))


def leaves_this_machine(one: Encoder) -> bool:
    """Whether what is encoded is sent to another machine."""
    server = server_of(one)
    return bool(server) and not is_here(server)


def held_back(catalogue: Catalogue, passages: Iterable[PassageId]) -> frozenset[PassageId]:
    """Return those of the passages whose rights forbid that they are sent to another machine (B11)."""
    documents = {passage: DocumentId(passage.rpartition("#")[0]) for passage in passages}
    cards = catalogue.documents(sorted(set(documents.values())))
    closed = {card.id for card in cards if not card.access.may_leave}
    return frozenset(passage for passage, document in documents.items() if document in closed)


def _encoding(one: Encoder) -> str:
    return f"encoding with {one.name}"


def telling(tell: Tell) -> Callable[[Progress], None]:
    """Tell of an import's progress: in files, or of a single file in records, of which nobody knows how many come."""

    def told(progress: Progress) -> None:
        single = progress.files == 1
        tell(f"reading {progress.file}", progress.records if single else progress.done, 0 if single else progress.files)

    return told
