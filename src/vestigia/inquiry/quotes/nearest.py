"""What stands in the source instead: the words nearest to a quotation that is not there, and in what they differ."""

import re
from difflib import SequenceMatcher

from vestigia.inquiry.quotes.folding import Folded, folded

_WORD = re.compile(r"[^\W_]+")
_LEAST_ALIKE = 0.5
"""Below this share of common words nothing in the source is called near."""
_DIFFERENCES_TOLD = 3


def nearest(quotation: str, hay: Folded, source: str) -> tuple[tuple[tuple[int, int], ...], str]:
    """Return where the nearest words of a source stand, nowhere when nothing is near, and in words how they differ."""
    there, wanted = _Words(hay, source), _Words(folded(quotation), quotation)
    size = len(wanted.words)
    match = SequenceMatcher(None, there.words, wanted.words, autojunk=False).find_longest_match()
    first = max(0, match.a - match.b - size // 2)
    window = there.words[first : match.a - match.b + size + size // 2]
    common = SequenceMatcher(None, window, wanted.words, autojunk=False).get_matching_blocks()[:-1]
    if sum(block.size for block in common) < _LEAST_ALIKE * size:
        return (), "nothing like it stands in the source"
    start = first + max(0, common[0].a - common[0].b)
    end = first + min(len(window), common[-1].a + size - common[-1].b)
    span = (there.spans[start][0], there.spans[end - 1][1])
    return (span,), _differences(there, start, end, wanted) or "its signs are not those of the source"


class _Words:
    """The words of a folded text, and where they stand in it as it was written."""

    def __init__(self, text: Folded, written: str) -> None:
        found = list(_WORD.finditer(text.text))
        self.words = [word.group() for word in found]
        self.spans = [text.span(*word.span()) for word in found]
        self._written = written

    def written(self, first: int, last: int) -> str:
        """Return words as they were written, white space aside."""
        return " ".join(self._written[self.spans[first][0] : self.spans[last - 1][1]].split())


def _differences(there: _Words, start: int, end: int, wanted: _Words) -> str:
    """Say where a quotation differs from words of the source, the first few times."""
    told = []
    for kind, a, b, c, d in SequenceMatcher(None, there.words[start:end], wanted.words, autojunk=False).get_opcodes():
        if kind == "replace":
            told.append(f"the source has “{there.written(start + a, start + b)}”, not “{wanted.written(c, d)}”")
        elif kind == "delete":
            told.append(f"“{there.written(start + a, start + b)}” of the source is left out")
        elif kind == "insert":
            told.append(f"“{wanted.written(c, d)}” is not in the source")
    return "; ".join(told[:_DIFFERENCES_TOLD])
