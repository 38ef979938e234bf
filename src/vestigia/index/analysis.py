"""How a text becomes searchable words: folded, stemmed in the language of its document, cut into character n-grams.

Folding comes before stemming because scanned texts lose accents; so `état`, `etat` and `états` meet. Character
3-5-grams inside words find what misread letters hide from the word channel (measured: research on OCR noise).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

from vestigia.domain.languages import FUNCTION_WORDS
from vestigia.domain.text import words

ANALYSIS = "2"
"""Raise it when any rule of this module changes: an index analysed otherwise is rebuilt."""

LONGEST_WORD = 100
"""Letters of a word that count; a page read as one word must not become a million n-grams."""
GRAM_SIZES = (3, 4, 5)
LONG_WORD = "___"
"""Stands among the n-grams of a text with a word longer than that; no word has it."""

_SOFT_HYPHEN = "\u00ad"
_BROKEN = re.compile(r"(?<=[^\W\d_])[-¬‐⸗=][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_QUOTED = re.compile(r"[\"„“”»«]([^\"„“”»«]+)[\"„“”»«]")

_LANGUAGES = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "it": "italian",
    "lt": "lithuanian",
    "nl": "dutch",
    "no": "norwegian",
    "nb": "norwegian",
    "nn": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "tr": "turkish",
    "yi": "yiddish",
    "ger": "german",
    "deu": "german",
    "eng": "english",
    "fre": "french",
    "fra": "french",
    "ita": "italian",
    "spa": "spanish",
    "dut": "dutch",
    "nld": "dutch",
    "por": "portuguese",
    "dan": "danish",
    "swe": "swedish",
    "nor": "norwegian",
    "fin": "finnish",
    "hun": "hungarian",
    "pol": "polish",
    "rus": "russian",
    "tur": "turkish",
}
_NAMES = {name: name for name in _LANGUAGES.values()}


@lru_cache(maxsize=1_000)
def stemmed_as(language: str) -> str:
    """Name the stemming of a language code (`de`, `de-AT`, `ger`, `German`); empty when the language has none."""
    code = re.split(r"[-_ ]", language.strip().casefold(), maxsplit=1)[0]
    return _LANGUAGES.get(code) or _NAMES.get(code, "")


def searchable_words(text: str) -> list[str]:
    """Return the folded words in order, those broken at a line end joined, soft hyphens taken out.

    Only a break followed by a small letter is joined: `Alsace-` over `Lorraine` stays two words.
    """
    whole = text.replace(_SOFT_HYPHEN, "")
    found = words(_BROKEN.sub(_join, whole) if "\n" in whole else whole)
    return [word[:LONGEST_WORD] for word in found] if max(map(len, found), default=0) > LONGEST_WORD else found


def stems(folded: Iterable[str], language: str) -> list[str]:
    """Stem folded words of one language; a language without stemming leaves them as they are."""
    name = stemmed_as(language)
    return list(map(_STEMS[name].__getitem__, folded)) if name else list(folded)


def stem_variants(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    """Return the stems a folded word has in any of the languages, each once: a question may be in another language."""
    return tuple(dict.fromkeys(stem for language in languages for stem in stems([word], language))) or (word,)


def marked(word: str) -> str:
    """Put a folded word between two marks, so that its beginning and its end tell more than its middle (measured)."""
    return f"_{word}_"


def grams(word: str) -> list[str]:
    """Return the character n-grams of a folded word between its marks; the engine cuts those of passages alike."""
    whole = marked(word)
    return [whole[i : i + size] for size in GRAM_SIZES for i in range(len(whole) - size + 1)]


def quoted(query: str) -> tuple[tuple[str, ...], str]:
    """Part a query into the phrases in quotation marks (of any European kind) and the rest."""
    phrases = tuple(match.group(1).strip() for match in _QUOTED.finditer(query))
    return tuple(phrase for phrase in phrases if words(phrase)), _QUOTED.sub(" ", query)


def without_surrogates(text: str) -> str:
    """Replace halves of characters, which no encoding can write, by the mark for an unreadable one: same length."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text) if _half(text) else text


def function_words(languages: Iterable[str]) -> frozenset[str]:
    """Return the folded function words of the languages; of all five lists when none of them has a list."""
    known = {name for language in languages if (name := stemmed_as(language)) in FUNCTION_WORDS}
    return frozenset().union(*(FUNCTION_WORDS[name] for name in (known or FUNCTION_WORDS)))


class _Stems(dict[str, str]):
    """The stems of the words of a language met so far."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __missing__(self, word: str) -> str:
        # The library's objects are not safe to share between threads, but cheap to make.
        stemmed: str = Stemmer.Stemmer(self._name, 0).stemWord(word)
        if len(self) < _STEMS_KEPT:
            self[word] = stemmed
        return stemmed


_STEMS = {name: _Stems(name) for name in _NAMES}
_STEMS_KEPT = 200_000
"""Of each language."""


def _half(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _join(broken: re.Match[str]) -> str:
    return "" if broken.string[broken.end()].islower() else broken.group()
