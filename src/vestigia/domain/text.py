"""Reading text as words and sentences, the same way everywhere: spans are character offsets into the given text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LETTERS_KEPT = 20_000
"""No text, however odd, fills the memory with letters."""


class _Letters(dict[int, str | int | None]):
    """What becomes of a letter when it is folded, looked up once each: marks vanish, a few letters are resolved."""

    def __missing__(self, letter: int) -> int | None:
        kept = None if unicodedata.combining(chr(letter)) else letter
        if len(self) < _LETTERS_KEPT:
            self[letter] = kept
        return kept


_LETTERS = _Letters(
    str.maketrans(
        {"ꝛ": "r", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"}
        | dict.fromkeys("’‘‛ʼʹ′", "'")  # an apostrophe as one typesetter or another has it
        | dict.fromkeys(_INVISIBLE)
    )
)
_ARTICLES = frozenset({"the", "le", "la", "les", "l", "der", "die", "das", "il", "lo", "el", "los"})
_LETTER = rf"[^\W_][\u0300-\u036f{_INVISIBLE}]*"
_FOLDED_WORD = re.compile(r"[^\W_]+")
_PLAIN = bytes(
    byte if byte > 127 else ord(chr(byte).lower()) if chr(byte).isalnum() else ord(" ") for byte in range(256)
)
"""What becomes of a byte of UTF-8: small letters, blanks between words; what is not ASCII stays as it is."""
_WORD = re.compile(rf"(?:{_LETTER})+(?:[-'’](?:{_LETTER})+)*")
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++(?:[ \u00a0\u202f]?»(?!\S)|[\"'»«›‹”“’‘)\]]*+(?!\S))|\n[ \t\r]*+\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[«'’.])(?:[^\W\d_]|\d{1,2}|MM|Mme|Mlle|Mr|Mrs|Dr|St|Ste|Nr|No|Bd|[Aa]rt|cf|vgl|bzw|usw|etc"
    r"|janv|févr|avr|juil|sept|oct|nov|déc|Jan|Feb|Aug|Sept|Oct|Okt|Nov|Dec|Dez)\.$"
)


def fold(text: str) -> str:
    """Lower-case, without accents, long s and ligatures resolved: what two spellings of a word have in common.

    Soft hyphens and other invisible characters vanish. Folding what is folded changes nothing.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(_LETTERS)


def words(text: str) -> list[str]:
    """Return the folded words of a text in order; hyphens and apostrophes inside a word separate."""
    parts = text.encode("utf-8", "surrogatepass").translate(_PLAIN).decode("utf-8", "surrogatepass").split()
    if text.isascii():
        return parts
    return [word for part in parts for word in ((part,) if part.isascii() else _words_of(part))]


@lru_cache(maxsize=50_000)
def _words_of(part: str) -> tuple[str, ...]:
    """Folding looks at no letter's neighbours across a blank, so parts can be folded one by one, and remembered."""
    return tuple(_FOLDED_WORD.findall(fold(part)))


def mentions(text: str, name: str) -> bool:
    """Whether a text holds a name as whole words; a leading article of the name may be missing."""
    named = _bare(name)
    return bool(named) and named in _spaced(words(text))


def without(text: str, names: Iterable[str]) -> str:
    """Return the folded words of a text that are none of these names, or the text itself where it holds none of them.

    A leading article of a name may be missing.
    """
    held = _spaced(words(text))
    rest = held
    for named in sorted(filter(None, map(_bare, names)), key=len, reverse=True):
        rest = rest.replace(named, " ")
    return text if rest == held else rest.strip()


def _bare(name: str) -> str:
    """The folded words of a name without its article, between spaces; empty when there are none."""
    named = words(name)
    return _spaced(named[1:] if named and named[0] in _ARTICLES else named)


def _spaced(listed: Sequence[str]) -> str:
    return f" {' '.join(listed)} " if listed else ""


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of every word, hyphens and apostrophes kept inside."""
    return [match.span() for match in _WORD.finditer(text)]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences; together they cover all but white space between them.

    A full stop after a single letter, a day number or a common abbreviation does not end a sentence.
    """
    return list(_sentences(text))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        before = text[max(start, match.end() - 12) : match.end()]
        if match.group().startswith(".") and _ABBREVIATION.search(before):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
