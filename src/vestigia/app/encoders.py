"""Choosing encoders: ours, those of plug-ins, those under `[encoders]` of the settings.

A channel of meaning exists for each one that can run here, has encoded something, and is to be searched.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from vestigia.app.encoder_settings import EncoderSettings, key_in
from vestigia.app.guards import GuardedEncoder
from vestigia.app.plugins import ENCODERS, installed, made
from vestigia.app.settings import FILE
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ModelUnavailableError, SettingsError, UsageError, VestigiaError
from vestigia.domain.ports import Encoder
from vestigia.models.encoders.endpoint import Endpoint
from vestigia.models.encoders.folder import ModelFolder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.onnx_folder import Choices, OnnxFolderEncoder
from vestigia.models.encoders.served import Dialect, Served, ServedEncoder
from vestigia.models.encoders.static_folder import StaticFolderEncoder
from vestigia.models.encoders.universal import UniversalEncoder

DEFAULT = "universal"
"""The fast one: ready when `add` ends."""
MANY = 300
"""From so many passages on a process for each core is worth the seconds it takes to start."""
AT_ONCE = 2
"""Calls an encoder that is shared out gets at together: no process waits for the last text of another."""
_MOST = 8
"""More processes than these would want more memory (150 MB each) than they bring."""
_SHARED_OUT: dict[type, Callable[[int], UniversalEncoder | MultilingualE5]] = {
    UniversalEncoder: UniversalEncoder,
    MultilingualE5: MultilingualE5,
}
"""Encoders that several processes can be at together, and how they are made for a number of them."""


def available() -> tuple[Encoder, ...]:
    """Return the encoders that can run here, ours first; none loads its weights before it is used."""
    ours: tuple[Encoder, ...] = (UniversalEncoder(), MultilingualE5())
    others = (_guarded(name, factory) for name, factory in installed(ENCODERS).items())
    return tuple(one for one in (*ours, *others) if _runs(one))


def encoder(name: str) -> Encoder:
    """Return one encoder of ours or of a plug-in. Raises UsageError naming those there are."""
    found = {one.name: one for one in available()}
    if name not in found:
        others = f"There are: {', '.join(found)}, and those under [encoders] of {FILE}."
        raise UsageError(f"there is no encoder {name!r}.", remedy=others)
    return found[name]


def configured(workspace: Workspace, name: str) -> Encoder:
    """Return an encoder of the archive's settings; nothing is asked of a server and no model is loaded.

    Raises SettingsError or ModelUnavailableError when it cannot be used: a key, a file, an extra is missing.
    """
    said, where = workspace.settings.encoders[name], f"{FILE}, [encoders.{name}]"
    if name in {one.name for one in available()} | {UniversalEncoder.name, MultilingualE5.name}:
        raise SettingsError(f"the name {name!r} is that of another encoder.", where=where, remedy="Choose another.")
    made_of = _of_a_folder(workspace, name, said) if said.folder else _of_a_server(name, said, where)
    if made_of.fingerprint:  # files and packages are looked for
        return made_of
    raise AssertionError  # pragma: no cover  (a fingerprint is never empty)


def _of_a_server(name: str, said: EncoderSettings, where: str) -> Encoder:
    key = key_in(said.key_variable, where)
    endpoint = Endpoint(said.address, f"the encoder `{name}`", key, said.timeout)
    dialect: Dialect = "ollama" if said.kind == "ollama" else "openai"
    served = Served(dialect, said.model, said.prefixes(), said.window, said.batch, said.dimensions)
    return ServedEncoder(name, endpoint, served)


def _of_a_folder(workspace: Workspace, name: str, said: EncoderSettings) -> Encoder:
    folder = ModelFolder(workspace.root / said.folder, f"the encoder `{name}`", said.kind)
    if said.kind == "model2vec":
        return StaticFolderEncoder(name, folder, said.prefixes())
    choices = Choices(said.prefixes(folder.prefixes()), said.pooling, said.tokens, said.file, cores())
    return OnnxFolderEncoder(name, folder, choices)


def with_configured(
    workspace: Workspace, others: Sequence[Encoder]
) -> tuple[tuple[Encoder, ...], dict[str, VestigiaError]]:
    """Return the encoders with those of the settings that can be used, and why others cannot, by name."""
    found, problems = list(others), dict[str, VestigiaError]()
    for name in workspace.settings.encoders:
        try:
            found.append(configured(workspace, name))
        except (SettingsError, ModelUnavailableError) as problem:
            problems[name] = problem
    return tuple(found), problems


def chosen(workspace: Workspace, others: Sequence[Encoder]) -> tuple[Encoder, ...]:
    """Return the encoders that are searched: those that the settings name, or all.

    Raises SettingsError for an unknown name, and what is wrong with one that is to be searched and cannot be used.
    """
    found, problems = with_configured(workspace, others)
    wanted = workspace.settings.search.encoders
    there = {one.name: one for one in found}
    for name in [*problems] if wanted is None else wanted:
        if name in problems:
            problem = problems[name]
            remedy = f"{problem.remedy} Or leave it out of `search.encoders`.".strip()
            raise type(problem)(problem.what, where=problem.where, remedy=remedy)
        if name not in there:
            raise SettingsError(
                f"there is no encoder {name!r} here.",
                where=f"{FILE}, search.encoders",
                remedy=f"There are: {', '.join([*there, *problems])}.",
            )
    return found if wanted is None else tuple(there[name] for name in dict.fromkeys(wanted))


@contextmanager
def on_all_cores(one: Encoder, passages: int) -> Iterator[Encoder]:
    """Give the encoder in a process for each core where enough passages wait, else as it is.

    Its vectors are the same to the sixth decimal, as they are when texts come in other company.
    The processes end when the work does, or with this program.
    """
    if not is_shared_out(one) or passages < MANY:
        yield one
        return
    several = _SHARED_OUT[type(one)](cores())
    try:
        yield several
    finally:
        several.close()


def is_shared_out(one: Encoder) -> bool:
    """Whether several processes can be at an encoder together here."""
    return type(one) in _SHARED_OUT and cores() > 1


def cores() -> int:
    """Return how many cores this program may use for encoders, 8 at most."""
    mine = getattr(os, "sched_getaffinity", None)
    return min(_MOST, len(mine(0)) if mine else os.cpu_count() or 1)


def _runs(one: Encoder) -> bool:
    """Whether an encoder is installed; its fingerprint needs its weights."""
    try:
        return bool(one.fingerprint)
    except ModelUnavailableError:
        return False


def _guarded(name: str, factory: object) -> Encoder:
    return GuardedEncoder(name, cast("Encoder", made(name, factory, "encoder")))
