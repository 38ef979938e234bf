"""A JSON array of any size, an element at a time: no more is held than the element in hand."""

import json
from collections.abc import Iterator
from typing import TextIO

from vestigia.corpus.readers.doubled import paired
from vestigia.corpus.sources import MEGABYTE

LONGEST_ELEMENT = 64 * MEGABYTE
"""An element longer than this many characters is refused; nothing after it is read."""

_OF_NUMBERS = "0123456789.eE+-"
_CUT = 16
"""A mistake this near to the end of what was read may be none: a number, a word or an escape that goes on."""


def elements(
    text: TextIO, longest: int = LONGEST_ELEMENT, portion: int = MEGABYTE
) -> Iterator[tuple[str, object | ValueError | RecursionError]]:
    """Yield (its characters, value) of the elements of the outermost array of a text.

    The last value is the error where the text stops being JSON. `portion` is how many characters are read at a time.
    """
    window = _Window(text, longest, portion)
    window.next_sign()
    window.at += 1
    while (sign := window.next_sign()) != "]":
        if not sign:
            yield "", ValueError(f"a closing bracket is missing in line {window.line}")
            return
        characters, value = window.value()
        yield characters, value
        if isinstance(value, ValueError | RecursionError):
            return
        sign = window.next_sign()
        if sign == ",":
            window.at += 1
        elif sign != "]":
            yield "", ValueError(f"a comma or a closing bracket is missing in line {window.line}")
            return


class _Window:
    """The part of a text that is being looked at; `at` is a position in it."""

    def __init__(self, text: TextIO, longest: int, portion: int) -> None:
        self._stream, self._longest, self._portion = text, longest, portion
        self._lines = 1
        self.text, self.at = "", 0

    @property
    def line(self) -> int:
        """The number of the line in which `at` is."""
        return self._lines + self.text.count("\n", 0, self.at)

    def _fill(self) -> bool:
        """Read on, forgetting what is behind `at`; as much again as is held, so that a long element is not slow."""
        self._lines = self.line
        rest = self.text[self.at :]
        more = self._stream.read(max(self._portion, len(rest)))
        self.text, self.at = rest + more, 0
        return bool(more)

    def next_sign(self) -> str:
        """Go to the next character that is not blank and return it; empty at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\r\n\ufeff":
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if not self._fill():
                return ""

    def value(self) -> tuple[str, object]:
        """Return (its characters, value) of what begins at `at` and go behind it; the error where it is no JSON."""
        decoder = json.JSONDecoder(object_pairs_hook=paired)
        ended = False
        while True:
            try:
                value, end = decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _CUT
                if len(self.text) - self.at > self._longest:
                    return "", ValueError(f"a record is longer than {self._longest // MEGABYTE} MB in line {self.line}")
                if ended or not cut:
                    line = self._lines + self.text.count("\n", 0, error.pos)
                    return "", ValueError(f"{error.msg} in line {line}")
            except (ValueError, RecursionError) as error:
                return "", error
            else:
                goes_on = end >= len(self.text) - _CUT and self.text[end : end + 1] in _OF_NUMBERS
                if ended or not goes_on:
                    characters = self.text[self.at : end]
                    self.at = end
                    return characters, value
            ended = not self._fill()
