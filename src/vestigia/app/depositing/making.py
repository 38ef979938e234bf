"""Making a deposit of a run: with all runs it came from, and without any text whose rights forbid it (B9, B11)."""

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from vestigia.app import rubrics, works
from vestigia.app.depositing import record as records
from vestigia.app.depositing.again import decided_again
from vestigia.app.depositing.crate import kind_of, title_of
from vestigia.app.depositing.derived import derived
from vestigia.app.depositing.locating import located
from vestigia.app.depositing.record import FORMAT, DepositedRun, Record, as_json, folder, origins_of, prompt_name
from vestigia.app.depositing.rights import Copied, Rights, rights_of
from vestigia.app.depositing.withholding import Released, prompts_of, released, sent_before
from vestigia.app.questions import legible
from vestigia.app.settings import Settings
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import JudgeOrder
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.ledger import deposit as bundle
from vestigia.ledger.blobs import kept
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.durable import replace as written
from vestigia.ledger.log import FileLedger
from vestigia.ledger.withheld import LEDGER_WITHHELD
from vestigia.prompts.library import as_kept, digest_of

_SETTINGS = ("archive", "import", "search", "ask", "tasks", "curate", "rules")
_OF_MODELS = ("model", "window", "schema", "concurrency", "price", "rights", "timeout", "tries", "max_reply")
_OF_ENCODERS = ("kind", "model", "query_prefix", "passage_prefix", "window", "batch", "dimensions", "pooling", "tokens")
_OF_EACH = {"models": _OF_MODELS, "encoders": _OF_ENCODERS}
"""What leaves of the settings; one to come stays until it is named here. No key, address, folder or header does."""
PROMPTS = "prompts/"
_NAME = re.compile(r"[\w.-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a depositor chooses: who deposits, under which licence, whether open texts go in, whether only open ones."""

    by: tuple[str, ...] = ()
    licence: str = ""
    with_text: bool = False
    only_open: bool = False


@dataclass(frozen=True, slots=True)
class Deposited:
    """What was deposited: its seal, and the record it holds."""

    file: Path
    seal: Digest
    size: int
    record: Record


def deposit(workspace: Workspace, name: str, file: Path, choices: Choices | None = None) -> Deposited:
    """Write the deposit of a run, or of a dossier named by the curation it was sealed in.

    Raises UsageError where the file exists or its folder does not, LedgerError where a record was altered.
    """
    choices = choices or Choices()
    for said in (*choices.by, choices.licence):
        legible("what is said of the deposit", said)
    if file.exists():
        raise UsageError("there is a file already.", where=str(file), remedy="Name another, or move it.")
    if not file.parent.is_dir():
        raise UsageError("there is no such folder.", where=str(file.parent), remedy="Make it, or name another place.")
    given = members(workspace, name, choices)
    record, problems = records.read(given)
    if record is None or problems:
        raise UsageError(f"the record cannot be deposited: {'; '.join(problems)}.", where=name)
    packed = {**given, **derived(record, given)}
    content = bundle.pack(packed)
    written(file, content)
    return Deposited(file, bundle.seal_of(packed), len(content), record)


def summary(made: Deposited) -> dict[str, Any]:
    """What was deposited as data, and what was kept back of it."""
    said = made.record.statement
    return {
        "seal": made.seal,
        "bytes": made.size,
        "title": title_of(made.record),
        "run": made.record.main.run,
        "runs": [{"run": run.run, "kind": kind_of(run), "entries": len(run.entries), "head": run.head}
                 for run in made.record.runs],
        "kept_back": said["kept_back"],
        "incomplete": sum(len(run.incomplete) for run in made.record.runs),
        "prompts_kept_back": sum(len(one["prompts_kept_back"]) for one in said["runs"]),
        "rights_unknown": said["rights_unknown"],
        "missing": said["missing"],
        "licence": said["licence"] or None,
    }  # fmt: skip


def members(workspace: Workspace, name: str, choices: Choices) -> dict[str, bytes]:
    """Return what a deposit rests on: ledgers, prompts, sources, settings, and the statement."""
    chain, missing = _chain(workspace, workspace.run(name))
    catalogue = workspace.catalogue()
    try:
        rights = rights_of(chain, catalogue, only_open=choices.only_open)
        sent = {work.run: _sent(workspace, work, rights) for work in chain}
        words = dict(_words(workspace, chain))
        also = (*(text for texts in sent.values() for text in texts.values()), *words.values())
        copied = Copied(chain, rights, catalogue, also)
        ledgers = {work.run: released(work, rights, copied, sent[work.run]) for work in chain}
        found = {name: content for work in chain for name, content in _run(workspace, work, ledgers[work.run])}
        some = [DepositedRun(work.run, work.entries, (), frozenset()) for work in chain]
        sources, texts = located(some, catalogue, rights, with_text=choices.with_text)
        fingerprint = catalogue.fingerprint
    finally:
        catalogue.close()
    main = chain[-1].first.manifest
    found |= {**texts, **{name: text.encode() for name, text in _free(words, copied)}}
    statement = {
        "format": FORMAT,
        "vestigia": version("vestigia"),
        "deposited": chain[-1].run,
        "kind": kind_of(some[-1]),
        "by": [name.strip() for name in choices.by if name.strip()],
        "licence": choices.licence.strip(),
        "runs": [_stated(workspace, work, ledgers[work.run]) for work in chain],
        "missing": missing,
        "archive": {
            "name": workspace.settings.archive.name,
            "fingerprint": fingerprint,
            "as_it_was": fingerprint == main.corpus,
        },
        "settings_as_they_were": workspace.settings.digest == main.settings,
        "kept_back": [{"document": one, "why": why} for one, why in rights.kept_back.items()],
        "rights_unknown": len(rights.unknown),
    }
    return found | {
        records.STATEMENT: as_json(statement),
        records.SOURCES: as_json(sources),
        records.SETTINGS: as_json(settings_without_secrets(workspace.settings)),
        records.ENVIRONMENT: as_json(environment()),
    }


def _chain(workspace: Workspace, main: RunId) -> tuple[list[Work], list[str]]:
    """The runs that a run came from, each after its own origins, itself the last; and those that are gone."""
    there, found, missing = set(workspace.run_names()), dict[RunId, Work](), dict[str, None]()

    def take(run: RunId) -> None:
        if run in found or run in missing:
            return
        if run not in there:
            missing[run] = None
            return
        work = works.read(workspace, run)
        parent = work.first.manifest.parent
        for before in (*(one.run for one in origins_of(work.first)), *((parent,) if parent else ())):
            take(before)
        found[run] = work

    take(main)
    return list(found.values()), list(missing)


def _run(workspace: Workspace, work: Work, ledger: Released) -> Iterator[tuple[str, bytes]]:
    """The members of a run: its ledger, and the prompts that may leave."""
    name = LEDGER_WITHHELD if ledger.incomplete else LEDGER
    yield f"{folder(work.run)}/{name}", b"".join(ledger.lines)
    for key in _texts(work):
        if key not in ledger.prompts:
            yield prompt_name(work.run, key), kept(workspace.runs / work.run, key).encode("utf-8", "surrogatepass")


def _texts(work: Work) -> Sequence[Digest]:
    return tuple(dict.fromkeys(key for _, key in prompts_of(work.entries)))


def _stated(workspace: Workspace, work: Work, ledger: Released) -> dict[str, Any]:
    """What the statement says of a run: what was left out of it, and whether the core decides it again as it is."""
    place = workspace.runs / work.run
    back = [(key, len(kept(place, key).encode("utf-8", "surrogatepass"))) for key in _texts(work)
            if key in ledger.prompts]  # fmt: skip
    content = {f"{folder(work.run)}/{LEDGER_WITHHELD if ledger.incomplete else LEDGER}": b"".join(ledger.lines)}
    return {
        "run": work.run,
        "entries": len(work.entries),
        "head": work.entries[-1].digest,
        "incomplete": list(ledger.incomplete),
        "prompts_kept_back": [{"digest": key, "bytes": size} for key, size in back],
        "decided_again": decided_again(records.run_of(content, work.run)).decided,
        "torn": FileLedger.read(workspace.runs, work.run).torn,
    }


def _sent(workspace: Workspace, work: Work, rights: Rights) -> dict[Digest, str]:
    """The words of the prompts that may leave, if they hold none of a source that stays."""
    return {key: kept(workspace.runs / work.run, key) for key in sent_before(work, rights)}


def _words(workspace: Workspace, chain: Sequence[Work]) -> Iterator[tuple[str, str]]:
    """The words prompts are made of and the rubrics, where they are still those of the record."""
    try:
        texts = as_kept(workspace.prompts())
        if digest_of(texts) == chain[-1].first.manifest.prompts:
            yield from ((f"{PROMPTS}{name}.md", text) for name, text in texts.items())
    except VestigiaError:
        pass  # a prompt that is broken today says nothing of the record
    for work in chain:
        order = work.first.commission
        if isinstance(order, JudgeOrder) and _NAME.fullmatch(order.rubric.name):
            try:
                text = rubrics.source(workspace, order.rubric.name)
            except VestigiaError:
                continue  # its criteria stand in the ledger
            if digest(text) == order.rubric.digest:
                yield f"rubrics/{order.rubric.name}.md", text


def _free(words: Mapping[str, str], copied: Copied) -> Iterator[tuple[str, str]]:
    """Those that hold no words of a source that stays; the words of prompts all of them or none, as one digest has."""
    stay = {name for name, text in words.items() if text in copied}
    whole = not any(name.startswith(PROMPTS) for name in stay)
    yield from ((n, text) for n, text in words.items() if n not in stay and (whole or not n.startswith(PROMPTS)))


def settings_without_secrets(settings: Settings) -> dict[str, Any]:
    """The settings in force, without keys, addresses, folders and whatever is handed to a server as it is."""
    said: dict[str, Any] = settings.model_dump(mode="json", by_alias=True)
    kept_ones = {part: said[part] for part in _SETTINGS}
    for part, fields in _OF_EACH.items():
        kept_ones[part] = {name: {field: one[field] for field in fields} for name, one in said[part].items()}
    return kept_ones


def environment() -> dict[str, Any]:
    """The program and what it runs on; nothing of whose machine it is."""
    names = sorted({re.split(r"[^\w.-]", one)[0] for one in requires("vestigia") or ()})
    return {
        "vestigia": version("vestigia"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "machine": platform.machine(),
        "packages": dict(_installed(names)),
    }


def _installed(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue
