"""What our own program wrote, in the reader's language. What is recorded stays as it is: a ledger is not translated.

The catalogues hold these sentences with their places: in English as they are written, so that one that is met is found
again and said in another language. What no catalogue has stays English, and is marked as English. What a model or a
person wrote is never asked for here, and a name or a text in a place stays as it was written.
"""

import re
from functools import cache
from string import Formatter

from vestigia.web.messages import catalogue, say

PHRASE, STEP, MEASURE = "phrase", "step", "measure"
"""Families of catalogues: sentences, steps of a run in a line, what the model without a language model measured."""
_NUMBERS = frozenset({"n", "of", "found", "rank", "times", "read"})
_WITHIN = {"why": PHRASE, "parts": STEP, "more": STEP, "who": PHRASE}
"""Places that hold sentences of ours again."""
_NAMED = {"channel": "channel", "task": "task", "outcome": "outcome", "verdict": "badge"}
"""Places that hold one of the words that a catalogue has, by its key; a channel may name its encoder."""
_LIST = re.compile(r", (?!waiting$|waiting,)(?=(?:[^“”]|“[^”]*”)*$)")
_SURE = 100
"""What a place with a known word counts for beside the letters of a sentence."""
_COUNTED = re.compile(r"(\d+ × )?(.+)", re.DOTALL)


def said(language: str, words: str, family: str = PHRASE) -> tuple[str, str]:
    """A sentence of ours in a language, and the code of the language it is in if that is another than the page's."""
    if language == "en" or not words:
        return words, ""
    found = _found(language, words, family)
    return (words, "en") if found is None else (found, "")


def measured(language: str, reason: str) -> str:
    """A reason as the model without a language model gives it: measurements of ours, then a quotation that stays.

    A reason of another kind stays as it is.
    """
    head, colon, quote = reason.partition(": “")
    parts = [_found(language, part, MEASURE) for part in head.split("; ")]
    if language != "en" and None not in parts:
        return "; ".join(map(str, parts)) + colon + quote
    whole = said(language, reason)
    return whole[0]


def _found(language: str, words: str, family: str) -> str | None:
    for pattern, key in _patterns(family):
        if met := pattern.fullmatch(words):
            return say(language, key, **{name: _place(language, name, one) for name, one in met.groupdict().items()})
    return None


def _place(language: str, name: str, words: str) -> object:
    if name in _NUMBERS:
        return int(words)
    if name == "parts":
        return ", ".join(_part(language, one) for one in _LIST.split(words))
    if name in _WITHIN:
        return said(language, words, _WITHIN[name])[0]
    if name in _NAMED:
        first, _, encoder = words.partition(":")
        return say(language, f"{_NAMED[name]}.{first.replace(' ', '-')}", encoder=encoder)
    return words


def _part(language: str, words: str) -> str:
    counted = _COUNTED.fullmatch(words)
    number, part = counted.groups() if counted else ("", words)
    return f"{number or ''}{said(language, part, STEP)[0]}"


@cache
def _patterns(family: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences of a family as patterns, the one that says most of what stands there first."""
    made = []
    for key, message in catalogue("en").items():
        if key.startswith(f"{family}."):
            for form in message.values() if isinstance(message, dict) else (message,):
                parts = list(Formatter().parse(form))
                own = sum(len(text) + _SURE * (name in _NAMED) for text, name, *_ in parts)
                pattern = "".join(re.escape(text) + _pattern(name) for text, name, *_ in parts)
                made.append((own, re.compile(pattern, re.DOTALL), key))
    return tuple((pattern, key) for _, pattern, key in sorted(made, key=lambda one: -one[0]))


def _pattern(name: str | None) -> str:
    if name is None:
        return ""
    if name in _NAMED:
        keys = (key.partition(".") for key in catalogue("en"))
        words = "|".join(re.escape(key.replace("-", " ")) for family, _, key in keys if family == _NAMED[name])
        return f"(?P<{name}>(?:{words}){r'(?::[^ :]+)?' if name == 'channel' else ''})"
    return rf"(?P<{name}>\d+)" if name in _NUMBERS else f"(?P<{name}>.+?)"
