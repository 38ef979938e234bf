"""The words of the interface in three languages: one catalogue per language and family of pages, `family.key`.

A message is a sentence with named places, `"{n} of {all}"`, or one for each number: `{ one = "...", other = "..." }`.
Whole numbers are written the way the language does.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
_THOUSANDS = {"en": ",", "de": ".", "fr": "\u202f"}
_POINT = {"en": ".", "de": ",", "fr": ","}

Message = str | dict[str, str]


@cache
def catalogue(language: str) -> Mapping[str, Message]:
    """All messages of a language by `family.key`."""
    found: dict[str, Message] = {}
    for entry in sorted((files("vestigia.web") / "messages" / language).iterdir(), key=lambda one: one.name):
        if entry.name.endswith(".toml"):
            family = entry.name.removesuffix(".toml")
            read = tomllib.loads(entry.read_text(encoding="utf-8"))
            found |= {f"{family}.{key}": value for key, value in read.items()}
    return found


def say(language: str, key: str, **values: object) -> str:
    """A message; `n` chooses between one and other. Raises KeyError for a key there is not."""
    message = catalogue(language)[key]
    if isinstance(message, dict):
        message = message["one" if _is_one(language, values.get("n")) else "other"]
    return message.format(**{name: number(language, one) for name, one in values.items()}) if values else message


def number(language: str, value: object) -> object:
    """A number as the language writes it; anything else as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    written = f"{value:,}" if isinstance(value, int) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    marks = {",": _THOUSANDS[language], ".": _POINT[language]}
    return "".join(marks.get(sign, sign) for sign in written)


def preferred(accepted: str) -> str:
    """The first of our languages in an Accept-Language header by its weights, else English."""
    weighed = []
    for place, part in enumerate(accepted.split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            weighed.append((-float(weight or 1), place, name.split("-")[0].lower()))
        except ValueError:
            continue
    return next((name for weight, _, name in sorted(weighed) if name in LANGUAGES and weight < 0), "en")


def _is_one(language: str, n: object) -> bool:
    return n == 1 or (language == "fr" and n == 0)
