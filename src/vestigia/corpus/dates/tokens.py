"""Words, numbers and marks of a text, with their places: what the date grammar reads.

One regular expression without nested repetition cuts the text, so a hostile text costs what its length costs.
"""

import re
import unicodedata
from dataclasses import dataclass

_PIECE = re.compile(r"\d+|[^\W\d_]+|\S")
_DROPPED = frozenset("'’ʼ`´")
_DASHES = {"‐": "-", "‑": "-", "−": "–", "—": "–", "―": "–"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or one mark. `form` is folded (small, unaccented); `start` and `end` are character offsets."""

    form: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """Whether it consists of the digits 0 to 9."""
        return self.form.isascii() and self.form.isdigit()

    @property
    def is_word(self) -> bool:
        """Whether it consists of letters."""
        return self.form.isalpha()


def fold(word: str) -> str:
    """Return the word in small letters without accents, long s and sharp s resolved."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens; spaces and apostrophes are passed over (`l'an` is `l`, `an`)."""
    tokens = []
    for found in _PIECE.finditer(text):
        piece = found.group()
        if piece not in _DROPPED:
            form = _DASHES.get(piece, piece)
            tokens.append(Token(fold(form) or form, found.start(), found.end()))
    return tuple(tokens)
