"""The words of dates, one table per language (`tables/*.json`), and how a text is looked up in them.

A phrase is found by its folded words (`tokens.fold`), dots and apostrophes passed over, the longest first.
Several languages are merged into one lexicon; where two differ on a phrase in one category, the first wins.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TypeAlias

from vestigia.corpus.dates.tokens import Token, tokenize

LANGUAGES = ("fr", "de", "en", "it", "es")
_OTHER_CODES = {"ger": "de", "spa": "es", "esp": "es", "ita": "it", "fre": "fr"}
_NEVER_FIRST = frozenset(
    {
        "to",
        "and",
        "filler",
        "decade suffix",
        "bce",
        "old style",
        "new style",
        "support",
        "not a year",
        "closed",
        "counted",
        "part",
        "onward",
    }
)
Value: TypeAlias = int | str
Phrase: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases by first word, longest first, each with its meaning per category.

    `openers` are the first words of phrases a date can begin with, so that other words cost one look.
    """

    languages: tuple[str, ...]
    phrases: Mapping[str, tuple[tuple[Phrase, Mapping[str, Value]], ...]] = field(repr=False)
    openers: frozenset[str] = field(default=frozenset(), repr=False)

    def find(self, tokens: tuple[Token, ...], at: int, category: str) -> tuple[Value, int] | None:
        """Return the meaning of the longest phrase of a category at a token, and the token after it."""
        if at >= len(tokens):
            return None
        for words, meanings in self.phrases.get(tokens[at].form, ()):
            if category in meanings:
                end = _matched(words, tokens, at)
                if end:
                    return meanings[category], end
        return None


def _matched(words: Phrase, tokens: tuple[Token, ...], at: int) -> int:
    """Return the token after the phrase, or 0. A dot inside the phrase is passed over."""
    place = at
    for count, word in enumerate(words):
        if count and place < len(tokens) and tokens[place].form == ".":
            place += 1
        if place >= len(tokens) or tokens[place].form != word:
            return 0
        place += 1
    return place


def phrase(text: str) -> Phrase:
    """Return a phrase as the words it is looked up by."""
    return tuple(token.form for token in tokenize(text) if token.form != ".")


def build(languages: tuple[str, ...], tables: Iterable[Mapping[str, Mapping[str, Value]]]) -> Lexicon:
    """Merge tables (category, phrase, meaning) into one lexicon."""
    merged: dict[Phrase, dict[str, Value]] = {}
    for table in tables:
        for category, entries in table.items():
            for text, meaning in entries.items():
                merged.setdefault(phrase(text), {}).setdefault(category, meaning)
    grouped: dict[str, list[tuple[Phrase, Mapping[str, Value]]]] = {}
    for words in sorted(merged, key=lambda one: (-len(one), one)):
        grouped.setdefault(words[0], []).append((words, merged[words]))
    openers = frozenset(words[0] for words, meanings in merged.items() if not _NEVER_FIRST.issuperset(meanings))
    return Lexicon(languages, {first: tuple(entries) for first, entries in grouped.items()}, openers)


def lexicon(languages: tuple[str, ...]) -> Lexicon:
    """Return the lexicon of some languages by code; unknown ones are passed over, and none left means all five."""
    known = tuple(code for code in dict.fromkeys(_two_letters(one) for one in languages) if code in LANGUAGES)
    return _merged(known or LANGUAGES)


@cache
def _merged(chosen: tuple[str, ...]) -> Lexicon:
    counted = {"counted": dict.fromkeys(_table("counted"), 1)}
    return build(chosen, [*(_table(code) for code in chosen), counted])


def _two_letters(code: str) -> str:
    small = code.lower()
    return _OTHER_CODES.get(small[:3], small[:2])


def _table(name: str) -> dict[str, dict[str, Value]]:
    text = resources.files("vestigia.corpus.dates").joinpath("tables").joinpath(f"{name}.json").read_text("utf-8")
    table: dict[str, dict[str, Value]] = json.loads(text)
    return table
