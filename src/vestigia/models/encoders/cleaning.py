"""Making text safe and alike for an encoder: what scanning and typesetting left in it is not what it says."""

import re
import unicodedata

CLEANING = "1"
"""Raise it when a rule changes: it is part of every encoder's fingerprint."""

LONGEST = 8_000
"""Characters of a text that are encoded, after normalising. Passages are far shorter; a page without a space must not
hold up everything."""

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-¬‐⸗][ \t]*\r?\n[ \t]*(?=[a-zß-öø-ÿ])")
_BLANK = re.compile(r"\s+")
_NOT_TEXT = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Unicode's classes of characters without a glyph: controls, formatting such as soft hyphens, halves of characters."""


def clean(text: str) -> str:
    """Return the text normalised (NFKC), on one line, words broken at line ends joined; empty if nothing is left.

    Runs of capitals become small letters line by line: an encoder that knows case takes them for names.
    """
    joined = _BROKEN_WORD.sub("", text.replace("\u00ad", ""))
    # Before normalising, one character may stand for up to 18; nothing longer than this is needed for the rest.
    normal = unicodedata.normalize("NFKC", joined[:LONGEST])
    visible = "".join(c if unicodedata.category(c) not in _NOT_TEXT or c.isspace() else "" for c in normal)
    lines = [_small(line) for line in visible.splitlines()]
    return _BLANK.sub(" ", " ".join(lines)).strip()[:LONGEST].rstrip()


def _small(line: str) -> str:
    return line.lower() if line.isupper() and sum(map(str.isalpha, line)) > 3 else line
