"""A text under reading: its tokens, its lexicon, and the questions the grammar asks of them."""

from dataclasses import dataclass, field

from vestigia.corpus.dates.lexicon import Lexicon, Value
from vestigia.corpus.dates.moments import Moment
from vestigia.corpus.dates.named import NamedPeriod
from vestigia.corpus.dates.tokens import Token

_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
Found = tuple[Moment, int]


@dataclass(slots=True)
class Scan:
    """Tokens and lexicon; `catalogue` is true where the whole text is one date, so that less context is asked for."""

    text: str
    tokens: tuple[Token, ...]
    lexicon: Lexicon
    names: Lexicon
    periods: tuple[NamedPeriod, ...]
    catalogue: bool = False
    moments: dict[int, Found | None] = field(default_factory=dict)

    def word(self, at: int, category: str) -> tuple[Value, int] | None:
        """Return the meaning of the longest phrase of a category at a token, and the token after it."""
        return self.lexicon.find(self.tokens, at, category)

    def after(self, at: int, *categories: str, most: int = 1) -> int:
        """Return the token after up to `most` phrases of these categories."""
        for _ in range(most):
            found = next((one for one in (self.word(at, category) for category in categories) if one), None)
            if found is None:
                break
            at = found[1]
        return at

    def may_begin(self, at: int) -> bool:
        """Whether a reading can begin at a token: a number, a bracket, a Roman numeral or an opening word."""
        form = self.tokens[at].form
        return (
            form in self.lexicon.openers
            or form in self.names.phrases
            or form[0].isdigit()
            or form == "["
            or (form[0] in "ivx" and any(roman(form.removesuffix(end)) for end in ("", "e", "eme", "ieme")))
        )

    def era(self, at: int, category: str) -> tuple[Value, int] | None:
        """Return an era or style of calendar as `word` does; a short one is in capitals (`CE`, not French `Ce`)."""
        found = self.word(at, category)
        return found if found and (found[1] > at + 1 or self.written(at).isupper() or len(self.form(at)) > 3) else None

    def form(self, at: int) -> str:
        """Return the folded form of a token, empty beyond both ends."""
        return self.tokens[at].form if 0 <= at < len(self.tokens) else ""

    def digits(self, at: int) -> str:
        """Return the digits of a number token, or nothing."""
        return self.form(at) if 0 <= at < len(self.tokens) and self.tokens[at].is_number else ""

    def past(self, at: int, signs: str) -> int:
        """Return the token after one mark of `signs`, or the same token."""
        return at + 1 if self.form(at) and self.form(at) in signs else at

    def written(self, at: int) -> str:
        """Return a token as it stands in the text."""
        return self.text[self.tokens[at].start : self.tokens[at].end] if 0 <= at < len(self.tokens) else ""

    def touches(self, at: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < at < len(self.tokens) and self.tokens[at].start == self.tokens[at - 1].end


def roman(form: str) -> int:
    """Return the value of a Roman numeral up to 39 in folded letters, or 0."""
    if not form or len(form) > 7 or any(letter not in _ROMAN for letter in form):
        return 0
    values = [_ROMAN[letter] for letter in form]
    pairs = zip(values, [*values[1:], 0], strict=True)
    total = sum(-value if value < following else value for value, following in pairs)
    return total if 0 < total < 40 and _as_roman(total) == form else 0


def _as_roman(number: int) -> str:
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]
