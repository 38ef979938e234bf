"""Folding a text so that what only looks different becomes the same, each character traced back to where it stood (B8).

The same: long s and ligatures, capitals, accents, u and v, i and j, ä and ae, ß and ss, hyphens at line ends and inside
words, quotation marks of any kind, apostrophes, dashes of any length, white space, brackets. Not the same: letters,
digits, any other sign, and a vowel with and without umlaut: "konnte" is not "könnte". A misread letter stays one.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from vestigia.domain.text import fold

_AFTER_LETTER = r"(?<=[^\W\d_]|[\u0300-\u036f])"
_BEFORE_LETTER = r"(?=[^\W\d_])"
ELLIPSIS = r"…|\.(?:[ \u00a0\u202f]?\.){2,}"
_PIECES = re.compile(
    rf"(?P<joined>{_AFTER_LETTER}[-\u2010\u2011¬⸗=\u00ad][ \t\u00ad]*\r?\n\s*{_BEFORE_LETTER}"
    rf"|{_AFTER_LETTER}[-\u2010\u2011]{_BEFORE_LETTER}"
    rf"|{_AFTER_LETTER}-{{1,2}} (?=[a-zß-ÿ]))"
    rf"|(?P<ellipsis>\s*(?:{ELLIPSIS})\s*)"
    r"|(?P<dash>\s*(?:[-\u2010\u2011‒–—―−]+)\s*)"
    rf"|(?P<apart>{_AFTER_LETTER}['’ʼ`´′]\s?{_BEFORE_LETTER}|\s+)"
    r"|(?P<nothing>[\[\]«»‹›“”„‟‚‛‘’ʼ'\"`´′″\u00ad\u200b-\u200d\u2060\ufeff])"
    r"|(?P<letter>.)",
    re.DOTALL,
)
_TIGHT_AFTER = frozenset(" -(…")
_TIGHT_BEFORE = frozenset(",.;:!?)-…")
_UMLAUT = "\u0308\u0364"
"""The two dots, and the small e that was written before them."""
_ALIKE = str.maketrans("vj", "ui")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; its character `i` stands for `source[starts[i]:ends[i]]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the source of a stretch of at least one folded character."""
        return self.starts[start], self.ends[end - 1]

    def occurrences(self, part: str) -> Iterator[int]:
        """Yield where a folded part stands as whole words; an empty part stands nowhere."""
        at = self.text.find(part) if part else -1
        while at >= 0:
            if not (_inside(self.text, at) or _inside(self.text, at + len(part))):
                yield at
            at = self.text.find(part, at + 1)


def folded(source: str) -> Folded:
    """Fold a text. White space at its ends vanishes, and before and after signs that stand close."""
    out: list[tuple[str, int, int]] = []
    for piece in _PIECES.finditer(source):
        for sign in _signs(piece):
            if sign == "e" and piece.group() in _UMLAUT and (not out or out[-1][0] not in "aou"):
                continue
            if sign in _TIGHT_BEFORE and out and out[-1][0] == " ":
                out.pop()
            if sign != " " or (out and out[-1][0] not in _TIGHT_AFTER):
                out.append((sign, piece.start(), piece.end()))
    if out and out[-1][0] == " ":
        out.pop()
    return Folded("".join(sign for sign, _, _ in out), tuple(s for _, s, _ in out), tuple(e for _, _, e in out))


def _signs(piece: re.Match[str]) -> str:
    match piece.lastgroup:
        case "joined" | "nothing":
            return ""
        case "ellipsis":
            return "…"
        case "dash":
            return "-"
        case "apart":
            return " "
        case _:
            return _letter(piece.group())


@cache
def _letter(letter: str) -> str:
    return "".join("e" if part in _UMLAUT else fold(part) for part in _decomposed(letter)).translate(_ALIKE)


def _decomposed(letter: str) -> str:
    """Take a letter apart; two dots elsewhere than on a, o and u are an accent like others."""
    parts = unicodedata.normalize("NFKD", letter)
    return parts if parts[0] in "aouAOU\u0308\u0364" else parts.replace("\u0308", "")


def _inside(text: str, at: int) -> bool:
    """Whether a place is inside a word or a number."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
