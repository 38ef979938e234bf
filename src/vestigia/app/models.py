"""Choosing the models that answer: one for all tasks, or one for each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from vestigia.app.guards import GuardedModel
from vestigia.app.keys import key_of
from vestigia.app.plugins import MODELS, installed, made
from vestigia.app.settings import ModelSettings, Settings
from vestigia.domain.archive import Access
from vestigia.domain.errors import SettingsError, UsageError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.ports import Model
from vestigia.inquiry.consult import OF_CHOSEN, TASKS
from vestigia.models.connected.connection import (
    PROVIDERS,
    Connection,
    Limits,
    Price,
    address_of,
    is_loopback,
    provider_and_model,
)
from vestigia.models.extractive.model import ExtractiveModel

if TYPE_CHECKING:
    from vestigia.models.connected.language import LanguageModel

EXTRACTIVE = "extractive"
ASK = "ask.model"
BY_RULE = ExtractiveModel.name
"""How records name what answered where no language model did."""
KEPT_BACK = (Access.PERSONAL, Access.NO_THIRD_PARTY, Access.CLOSED)
"""What no model may see that others run (B11)."""
OF_A_QUESTION = tuple(task for task in TASKS.values() if task not in OF_CHOSEN)
HOSTED_AT_ONCE = 4
"""Calls at a time to a hosted model; to a server of one's own one, unless the settings say more."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers: `model`, and others for single tasks. `chosen` names them as the settings do, by task.

    `others` are the names of models that are run by others and would see what is in the archive.
    """

    model: Model
    tasks: Mapping[str, Model] = field(default_factory=dict)
    chosen: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()

    @property
    def withhold(self) -> tuple[Access, ...]:
        """Kinds of access whose documents these models may not see."""
        return KEPT_BACK if self.others else ()

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that answer a question, once each."""
        used = {self.tasks.get(task, self.model).name: self.tasks.get(task, self.model) for task in OF_A_QUESTION}
        return tuple(used.values())

    @property
    def name(self) -> str:
        """All their names."""
        return ", ".join(one.name for one in self.models)

    @property
    def fingerprint(self) -> Digest:
        """Digest of all that fixes their replies."""
        if len(self.models) == 1:
            return self.models[0].fingerprint
        each = [(task, self.tasks.get(task, self.model).fingerprint) for task in OF_A_QUESTION]
        return digest(json.dumps(each))


def answering(settings: Settings, chosen: Mapping[str, str] | None = None) -> Answering:
    """Return the models a question is answered by: those of the settings, or those `chosen` by task ("": all others).

    Raises SettingsError for one of the settings that is not there, UsageError for one that is chosen.
    """
    if chosen:
        return _answering(settings, dict(chosen), dict.fromkeys(chosen, ""), chosen=True)
    single = settings.tasks.model_dump(exclude_none=True, exclude=set(OF_CHOSEN))
    wanted = {"": settings.ask.model, **single}
    return _answering(settings, wanted, {task: task or ASK for task in wanted}, chosen=bool(single))


def answering_one(settings: Settings, task: str, name: str = "") -> Answering:
    """Return the model that does one task of chosen sources: the one named, that of the settings, or `ask.model`."""
    of_settings = getattr(settings.tasks, task)
    said_in = "" if name else task if of_settings else ASK
    return _answering(settings, {"": name or of_settings or settings.ask.model}, {"": said_in}, chosen=True)


def _answering(settings: Settings, wanted: dict[str, str], said_in: Mapping[str, str], *, chosen: bool) -> Answering:
    """The models `wanted` by task; `said_in` is the setting that names each."""
    known = {name: model(settings, name, said_in[task]) for task, name in reversed(wanted.items())}
    default = wanted.pop("")
    seeing = {wanted.get(task, default) for task in OF_A_QUESTION if task != "plan"}  # a plan sees no document
    return Answering(
        known[default],
        {task: known[name] for task, name in wanted.items()},
        (("", default), *sorted(wanted.items())) if chosen else (),
        tuple(sorted(name for name in seeing if not is_own(known[name]))),
    )


def model(settings: Settings, name: str, task: str = "") -> Model:
    """Return the model of a name. Raises SettingsError naming those there are, and the setting that names a wrong one.

    `task` is that of the settings, `ASK` for all others, nothing where a person or the record of a run names it: then
    a wrong one is their mistake, a UsageError.
    """
    if name == EXTRACTIVE:
        return ExtractiveModel()
    if name in settings.models:
        return connected(name, settings.models[name])
    found = installed(MODELS)
    if name not in found:
        there = ", ".join([EXTRACTIVE, *settings.models, *found])
        raise (SettingsError if task else UsageError)(
            f"there is no model {name!r}.",
            where={"": "", ASK: "vestigia.toml, ask.model"}.get(task, f"vestigia.toml, tasks.{task}"),
            remedy=f"There are: {there}." if task else f"There are: {there}; [models] in vestigia.toml names them.",
        )
    return GuardedModel(name, cast("Model", made(name, found[name], "model")))


def is_own(one: Model) -> bool:
    """Whether nobody else runs a model; a plug-in's counts as another's unless it says `own = True`."""
    from_server = getattr(one, "connection", None)
    if isinstance(from_server, Connection):
        return from_server.own
    return isinstance(one, ExtractiveModel) or bool(getattr(one, "own", False))


def connected(name: str, said: ModelSettings) -> "LanguageModel":
    """Return the model that a line of the settings describes. Raises SettingsError."""
    connection = connection_of(name, said)
    try:
        from vestigia.models.connected.language import LanguageModel  # noqa: PLC0415  an extra, and slow to import
        from vestigia.models.connected.wires import ready  # noqa: PLC0415

        ready(connection)
    except ImportError as error:
        raise SettingsError(
            f"language models need a package that is not installed ({error.name}).",
            where=f"vestigia.toml, models.{name}",
            remedy="Install it: pip install 'vestigia[models]'.",
        ) from error
    return LanguageModel(connection)


def connection_of(name: str, said: ModelSettings) -> Connection:
    """Read a line of the settings, its key from where the line says. Raises SettingsError."""
    provider, model_name = provider_and_model(name, said.model)
    kind = PROVIDERS[provider]
    address = address_of(name, provider, said.base_url)
    usual = f"{provider.upper()}_API_KEY" if kind.hosted and not is_loopback(address) else ""
    key, key_from = key_of(name, said.key or usual)
    own = is_loopback(address) if said.rights is None else said.rights == "own"
    return Connection(
        name=name,
        provider=provider,
        model=model_name,
        address=address,
        key=key,
        key_from=key_from,
        window=said.window or 0,
        native=kind.native if said.schema_mode is None else said.schema_mode == "native",
        concurrency=said.concurrency or (1 if own else HOSTED_AT_ONCE),
        price=Price(*said.price) if said.price else None,
        own=own,
        limits=Limits(said.timeout, said.tries, said.max_reply),
        options=json.dumps(said.options, sort_keys=True),
    )
