"""What an archive's `vestigia.toml` says: read once, checked, frozen, digested, handed down by the slice."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from vestigia.app.encoder_settings import EncoderSettings, Name
from vestigia.domain.errors import SettingsError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.rules import Budget, Rules, Switches, preset

FILE = "vestigia.toml"
NOT_OPTIONS = ("model", "messages", "contents", "system", "stream", "n", "tools")
"""Fields of a request that are never left to the settings: which model is asked what, and for one whole reply."""
_MOST = 10**9
"""No setting is larger: a ledger records whole numbers up to 2**53 only."""
TEMPLATE = """\
# Settings of this archive. What is left out has its default; `vestigia status` shows what is in force.

[archive]
name = {name}
passage_tokens = {tokens}        # white-space tokens a passage may hold (fixed once documents are in)

[ask]
model = "extractive"          # no language model; every output says so
preset = "default"            # or "trace-2026": the published constants

[rules]                       # any constant of the method, e.g. steps = 13, max_sub_questions = 4
"""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ArchiveSettings(_Part):
    """What the archive is called and how it is cut."""

    name: str = "archive"
    passage_tokens: int = Field(default=1000, ge=1, le=_MOST)


class ImportSettings(_Part):
    """How files are read where they do not say it themselves."""

    name_patterns: tuple[str, ...] = Field(default=(), strict=False)
    folders: tuple[str, ...] = Field(default=(), strict=False, exclude=True)
    """Folders of this machine from which people may take files in through the browser; no run depends on them."""


class ImageSettings(_Part):
    """Where page images may come from: folders on this machine, and hosts a reader's own browser may ask (`https://…`).

    A relative folder is one beside the settings. Images in the folders that the texts came from need nothing.
    """

    folders: tuple[str, ...] = Field(default=(), strict=False)
    hosts: tuple[Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.-]+(:\d+)?$")], ...] = Field(
        default=(), strict=False
    )


class AskSettings(_Part):
    """Which model answers, which preset of rules holds, and which windows of time share the candidates out."""

    model: str = "extractive"
    preset: Literal["default", "trace-2026"] = "default"
    windows: str = ""


class SearchSettings(_Part):
    """What is searched by meaning: all encoders that can run, or those named."""

    encoders: tuple[str, ...] | None = Field(default=None, strict=False)


class ModelSettings(_Part):
    """One language model: `provider/model`, where it is, where its key is, and what it can take."""

    model: str
    base_url: str = ""
    key: str = ""
    window: int | None = Field(default=None, ge=2048, le=_MOST)
    schema_mode: Literal["native", "prompted"] | None = Field(default=None, alias="schema")
    concurrency: int | None = Field(default=None, ge=1, le=64)
    price: tuple[Annotated[float, Field(ge=0, allow_inf_nan=False)], ...] | None = Field(
        default=None, min_length=2, max_length=3
    )
    rights: Literal["own", "third-party"] | None = None
    timeout: float = Field(default=300.0, gt=0, le=86400, strict=False)
    tries: int = Field(default=4, ge=1, le=20)
    max_reply: int = Field(default=4096, ge=256, le=_MOST)
    options: dict[str, Any] = {}

    @field_validator("options")
    @classmethod
    def _can_be_sent(cls, options: dict[str, Any]) -> dict[str, Any]:
        if ours := [name for name in options if name in NOT_OPTIONS]:
            raise ValueError(f"{', '.join(ours)} cannot be set: the record would say otherwise than what was sent")
        try:
            json.dumps(options, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError("dates, times, inf and nan cannot be sent") from error
        return options


class TaskSettings(_Part):
    """Which model answers which task, where it is not `ask.model`."""

    plan: str | None = None
    step: str | None = None
    review: str | None = None
    reevaluate: str | None = None
    brief: str | None = None
    replan: str | None = None
    rank: str | None = None
    judge: str | None = None
    interpret: str | None = None


class CurateSettings(_Part):
    """Reasons for an exclusion that a project has beside the usual ones."""

    reasons: tuple[str, ...] = Field(default=(), strict=False)


class BudgetSettings(_Part):
    """Hard limits of a run."""

    calls: int | None = Field(default=None, ge=0, le=_MOST)
    tokens: int | None = Field(default=None, ge=0, le=10**12)
    cost: float | None = Field(default=None, gt=0, le=_MOST, allow_inf_nan=False)
    seconds: float | None = Field(default=None, gt=0, le=_MOST, allow_inf_nan=False)


class SwitchSettings(_Part):
    """Mechanisms that can be turned off (T15)."""

    decomposition: bool | None = None
    memory: bool | None = None
    warm_start: bool | None = None
    holds: bool | None = None
    orientation: bool | None = None
    second_look: bool | None = None
    every_copy: bool | None = None


class RuleSettings(_Part):
    """Constants that differ from the preset; see `domain/rules.py` for what each means."""

    max_sub_questions: int | None = Field(default=None, ge=1, le=_MOST)
    channel_hits: int | None = Field(default=None, ge=1, le=_MOST)
    candidates: int | None = Field(default=None, ge=1, le=_MOST)
    rrf_k: int | None = Field(default=None, ge=0, le=_MOST)
    fusion: Literal["measured", "equal"] | None = None
    constrain: Literal["before", "after"] | None = None
    decay: float | None = Field(default=None, ge=0, le=_MOST, allow_inf_nan=False)
    steps: int | None = Field(default=None, ge=1, le=_MOST)
    step_ceiling: int | None = Field(default=None, ge=1, le=_MOST)
    review_size: int | None = Field(default=None, ge=1, le=_MOST)
    new_per_search: int | None = Field(default=None, ge=1, le=_MOST)
    reason_length: int | None = Field(default=None, ge=20, le=_MOST)
    parse_retries: int | None = Field(default=None, ge=0, le=_MOST)
    repeats_to_stop: int | None = Field(default=None, ge=1, le=_MOST)
    empty_to_warn: int | None = Field(default=None, ge=1, le=_MOST)
    date_days_max: int | None = Field(default=None, ge=0, le=_MOST)
    date_widening: int | None = Field(default=None, ge=0, le=_MOST)
    actions_shown: int | None = Field(default=None, ge=0, le=_MOST)
    patience: int | None = Field(default=None, ge=1, le=_MOST)
    expansion: int | None = Field(default=None, ge=0, le=_MOST)
    strict: bool | None = None
    excerpt: int | None = Field(default=None, ge=0, le=_MOST)
    sparing: bool | None = None
    concise: bool | None = None
    taken_shown: int | None = Field(default=None, ge=0, le=_MOST)
    parallel: int | None = Field(default=None, ge=1, le=64)
    pause: tuple[Literal["plan", "holds", "briefs", "final"], ...] | None = None
    budget: BudgetSettings = BudgetSettings()
    switches: SwitchSettings = SwitchSettings()


class Settings(_Part):
    """The whole file."""

    archive: ArchiveSettings = ArchiveSettings()
    imports: ImportSettings = Field(default=ImportSettings(), alias="import")
    images: ImageSettings = ImageSettings()
    search: SearchSettings = SearchSettings()
    encoders: dict[Name, EncoderSettings] = {}
    ask: AskSettings = AskSettings()
    models: dict[str, ModelSettings] = {}
    tasks: TaskSettings = TaskSettings()
    curate: CurateSettings = CurateSettings()
    rules: RuleSettings = RuleSettings()

    @property
    def digest(self) -> Digest:
        """Digest of every setting in force that a run can depend on."""
        return digest(json.dumps(self.model_dump(mode="json", by_alias=True, exclude={"images"}), sort_keys=True))


def read(path: Path) -> Settings:
    """Read a settings file. Raises SettingsError with every mistake in it at once."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"it cannot be read ({error.strerror}).", where=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"it is not TOML ({error}).", where=str(path), remedy="Mend the line named.") from error
    if isinstance(rules := found.get("rules"), dict) and isinstance(rules.get("pause"), list):
        rules["pause"] = tuple(rules["pause"])
    for line in found["models"].values() if isinstance(found.get("models"), dict) else ():
        if isinstance(line, dict) and isinstance(line.get("price"), list):
            line["price"] = tuple(line["price"])
    try:
        return Settings.model_validate(found)
    except ValidationError as error:
        mistakes = "; ".join(dict.fromkeys(_mistake(e["loc"], e["type"], e["msg"]) for e in error.errors()))
        raise SettingsError(
            mistakes + ".", where=str(path), remedy="Correct these settings or leave them out."
        ) from error


SAID = {
    "extra_forbidden": "there is no such setting",
    "missing": "it is missing",
    "model_type": "it is a table of settings, no single value",
    "dict_type": "it is a table of settings, no single value",
}
"""Mistakes for which pydantic has only words for programmers."""


def _mistake(place: tuple[int | str, ...], kind: str, message: str) -> str:
    said = SAID.get(kind, message)
    match place:
        case ("models", _) if kind == "model_type":
            said = 'write it as a table, { model = "provider/name" }'
        case ("models", name, "price", *_):
            place = ("models", name, "price")
            said = "it is [input, output] or [input, output, cached]: US dollars for a million tokens, none below 0"
    return f"{'.'.join(map(str, place))}: {said.removeprefix('Value error, ')}"


def rules_of(settings: Settings) -> Rules:
    """Return the rules in force: the preset, changed by what the file sets. Raises SettingsError if they clash."""
    base = preset(settings.ask.preset)
    changed = settings.rules.model_dump(exclude_none=True, exclude={"budget", "switches"})
    budget = replace(base.budget, **settings.rules.budget.model_dump(exclude_none=True))
    switches = replace(base.switches, **settings.rules.switches.model_dump(exclude_none=True))
    return checked(base, budget, switches, changed)


def checked(base: Rules, budget: Budget, switches: Switches, changed: dict[str, object]) -> Rules:
    """Put rules together. Raises SettingsError where they contradict each other."""
    try:
        return replace(base, budget=budget, switches=switches, **changed)  # type: ignore[arg-type]
    except ValueError as error:
        raise SettingsError(f"{error}.", where="[rules]", remedy="Change one of them.") from error


def template(name: str, tokens: int) -> str:
    """Return a settings file for a new archive."""
    written = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML escapes one character more
    return TEMPLATE.format(name=written, tokens=tokens)
