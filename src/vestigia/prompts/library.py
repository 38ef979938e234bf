"""The prompts as checked values: a header that says what goes in and what comes back, and text with `$names`.

A prompt is a file `<name>.md`; the app reads the files (a workspace may shadow one) and hands the texts over, so that
a prompt that cannot be filled is refused when it is loaded and not in the middle of a run.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from vestigia.domain.errors import SettingsError
from vestigia.domain.ids import Digest, digest

_DESK = (
    "accepted",
    "actions",
    "briefs",
    "concern",
    "memory",
    "observation",
    "plan",
    "question",
    "reply",
    "sub_question",
)
_SHORT = (
    "accepted",
    "actions",
    "briefs",
    "concern",
    "memory",
    "question",
    "reason_length",
    "reply",
    "sub_question",
)
INPUTS: Mapping[str, tuple[str, ...]] = {
    "plan": ("archive", "concern", "max_sub_questions", "question", "reply", "shares"),
    "turn": (*_SHORT, "ahead", "archive", "channels", "days_max", "passages", "reading", "steps_left"),
    "close": (*_SHORT, "brief", "held", "rejected"),
    "step": (*_DESK, "archive", "channels", "days_max", "steps_left", "warning"),
    "review": (*_DESK, "passages", "reading", "reason_length"),
    "reevaluate": (*_DESK, "held", "reason_length", "rejected"),
    "brief": _DESK,
    "replan": ("archive", "briefs", "concern", "finished", "question", "remaining", "reply", "room"),
    "rank": ("concern", "confirmations", "group", "question", "reply"),
    "judge": ("anchors", "concern", "criteria", "examples", "highest", "lowest", "passage", "question", "reply"),
    "quote": ("concern", "passages", "question", "reply"),
    "interpret": ("concern", "question", "quotes", "reply"),
    "synthesis": ("claims", "concern", "questions", "quotes", "reply"),
}
"""The prompts, and for each the `$names` its request fills: all of them must stand in its text (T7)."""

_FIELDS = ("name", "version", "inputs", "reply")
_HEADER = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. `reply` is a JSON example of the one object expected, `text` the words with `$names`."""

    name: str
    version: str
    inputs: tuple[str, ...]
    reply: str
    text: str

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the words with every `$name` replaced once; a paragraph whose names are all empty is left out.

        A `$name` inside a value stays as it is: what a document says is never filled in.
        """
        values = {**values, "reply": self.reply}
        parts = [(Template(part), part) for part in self.text.split("\n\n")]
        kept = [
            template.substitute(values).strip("\n")
            for template, part in parts
            if part.strip() and (not (names := template.get_identifiers()) or any(values[name] for name in names))
        ]
        return "\n\n".join(kept) + "\n"


@dataclass(frozen=True, slots=True)
class Library:
    """The prompts of a run, by name, and the digest of their files' texts for the manifest."""

    prompts: tuple[Prompt, ...]
    digest: Digest

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> "Library":
        """Check the files' texts, given by prompt name without `.md`.

        Raises SettingsError, naming file and `$name`, for a prompt that is unknown or absent, a header field that is
        absent, unknown or wrong, and a `$name` that is unknown, absent or not declared.
        """
        for name in sorted(set(texts) ^ set(INPUTS)):
            what = "this prompt is missing." if name in INPUTS else "no prompt has this name."
            raise SettingsError(what, where=_file(name), remedy=f"The prompts are: {', '.join(INPUTS)}.")
        plain = as_kept(texts)
        prompts = tuple(_prompt(name, text) for name, text in plain.items())
        return cls(prompts, digest_of(plain))

    def named(self, name: str) -> Prompt:
        """Return the prompt called `name`, one of `INPUTS`."""
        return next(prompt for prompt in self.prompts if prompt.name == name)


def as_kept(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the files' texts as they count, by name: neither a byte order mark nor the kind of line ends does."""
    return {name: texts[name].removeprefix("\ufeff").replace("\r\n", "\n") for name in sorted(texts)}


def digest_of(texts: Mapping[str, str]) -> Digest:
    """Return the digest of the files' texts, whatever prompts they are: what a manifest has."""
    return digest(json.dumps(as_kept(texts), ensure_ascii=False))


def _file(name: str) -> str:
    return f"prompts/{name}.md"


def _prompt(name: str, source: str) -> Prompt:
    match = _HEADER.match(source)
    if match is None:
        raise SettingsError(
            "the header is missing.",
            where=_file(name),
            remedy=f"Begin with a line ---, the fields {', '.join(_FIELDS)}, and a line ---.",
        )
    header, text = _fields(name, match[1]), match[2].strip()
    if header["name"] != name:
        raise SettingsError(
            f"the header calls this prompt {header['name']!r}.", where=_file(name), remedy=f"Write `name: {name}`."
        )
    _check_reply(name, header["reply"])
    inputs = tuple(part.strip() for part in header["inputs"].split(","))
    _check_names(name, inputs, text)
    return Prompt(name, header["version"], inputs, header["reply"], text)


def _fields(name: str, header: str) -> dict[str, str]:
    """Read `field: value` lines; an indented line continues the one before."""
    found: dict[str, str] = {}
    for line in re.sub(r"\n[ \t]+", " ", header).split("\n"):
        field, colon, value = line.partition(":")
        if field not in _FIELDS or not colon or field in found:
            raise SettingsError(
                f"the header line {line!r} is not understood.",
                where=_file(name),
                remedy=f"Its fields, once each: {', '.join(_FIELDS)}.",
            )
        found[field] = value.strip()
    for field in _FIELDS:
        if not found.get(field):
            raise SettingsError(
                f"the header has no `{field}`.", where=_file(name), remedy=f"Add a line `{field}: ...`."
            )
    return found


def _check_reply(name: str, reply: str) -> None:
    try:
        example = json.loads(reply)
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"`reply` is not JSON: {error}.", where=_file(name), remedy="Give an example of the one object expected."
        ) from error
    if not isinstance(example, dict):
        raise SettingsError(
            "`reply` is not a JSON object.", where=_file(name), remedy="Give an example of the one object expected."
        )


def _check_names(name: str, inputs: tuple[str, ...], text: str) -> None:
    template = Template(text)
    if not template.is_valid():
        raise SettingsError("a $ stands without a name.", where=_file(name), remedy="Write $$ for a dollar sign.")
    used, offered = set(template.get_identifiers()), set(INPUTS[name])
    complaints = {
        "is unknown to this prompt": (used | set(inputs)) - offered,
        "is missing from the text": offered - used,
        "is missing from the header's `inputs`": used - set(inputs),
    }
    for complaint, names in complaints.items():
        for wrong in sorted(names):
            raise SettingsError(
                f"${wrong} {complaint}.", where=_file(name), remedy=f"Its inputs: {', '.join(sorted(offered))}."
            )
