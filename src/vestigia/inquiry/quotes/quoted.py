"""Finding the quotations in a text that somebody wrote: marks of five languages, and paragraphs set off as quotations.

French « … », German „…“ and »…«, English “…” and ‘…’, Swiss and Italian «…», Spanish «…», Swedish ”…”, straight "…",
and as they are typed: „…", ,,…'' and ``…''. Inner marks belong to the outer quotation. A paragraph of lines that begin
with `>` is one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CLOSED_BY = {
    "«": "»",
    "»": "«",
    "“": "”",
    "„": "“”",
    "‘": "’",
    "‚": "‘’",
    "‹": "›",
    "›": "‹",
    '"': '"',
    "‟": "”",
    "”": "”",
}
_CARELESSLY = {"„": '"'}
"""What closes a quotation whose own mark is missing in its paragraph."""
_ALIKE = "‘»›”\"'"
"""Marks that may as well be the end of something, or an apostrophe: without a second one they begin nothing."""
_TYPED = re.compile(r"(?<!\S)\(?(?P<low>,,)(?=\w)|(?P<high>``)(?=[^\s`][^`]*'')")
_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_SET_OFF = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?!\w)")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]*\]")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation as it stands in a text: without its marks; `text[start:end]` is all of it, `line` counts from 1.

    `closed` is False where the mark that ends it is missing: then it is taken to the end of its paragraph.
    """

    text: str
    start: int
    end: int
    line: int
    closed: bool = True


def quotations(text: str) -> tuple[Quotation, ...]:
    """Return the quotations of a Markdown text in their order; code is not prose."""
    prose = _typeset(_CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), text))
    found = []
    for paragraph in _PARAGRAPH.finditer(prose):
        written = paragraph.group()
        if _SET_OFF.match(written):
            inner = _SET_OFF.sub("", written)
            found.append(_quotation(text, inner, paragraph.start(), paragraph.end()))
        else:
            found.extend(
                _quotation(
                    text, written[a + 1 : b], paragraph.start() + a, paragraph.start() + b + closed, closed=closed
                )
                for a, b, closed in _marked(written)
            )
    return tuple(one for one in found if any(letter.isalnum() for letter in one.text))


def _typeset(text: str) -> str:
    """Put the mark that is meant for one typed of two signs, with a space to keep every place."""
    typeset = _TYPED.sub(lambda typed: typed.group().replace(",,", " „").replace("``", " “"), text)
    return typeset if typeset == text else re.sub(r"''(?!\w)", "” ", typeset)


def _marked(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each outermost quotation opens and closes, and whether it does close."""
    at = 0
    while at < len(text):
        if text[at] in _CLOSED_BY and _opens(text, at):
            end = _end(text, at, _CLOSED_BY[text[at]])
            if end is None and text[at] in _CARELESSLY:
                end = _end(text, at, _CARELESSLY[text[at]])
            if end is not None:
                yield at, end, True
                at = end
            elif text[at] not in _ALIKE:
                yield at, len(text), False
                return
        at += 1


def _opens(text: str, at: int) -> bool:
    """A mark opens where no word is before it and something follows."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (
        not before.isalnum()
        and before not in tuple(".,;!?…")
        and after != ""
        and (after not in " \n" or text[at] == "«")
    )


def _end(text: str, at: int, closing: str) -> int | None:
    """Find the mark that closes the one at `at`; the same kind opened again inside must close first."""
    opening, depth = text[at], 1
    for place in range(at + 1, len(text)):
        sign = text[place]
        if sign in closing and _closes(text, place, opening):
            depth -= 1
            if not depth:
                return place
        elif sign == opening and sign not in closing and _opens(text, place):
            depth += 1
    return None


def _closes(text: str, at: int, opening: str) -> bool:
    """A mark closes where no word goes on after it; an apostrophe inside a word closes nothing."""
    after = text[at + 1 : at + 2]
    if opening in "«‹":
        return True
    return not after.isalnum()


def _quotation(whole: str, inner: str, start: int, end: int, *, closed: bool = True) -> Quotation:
    bare = _EMPHASIS.sub("", _FOOTNOTE.sub("", inner)).strip()
    return Quotation(bare, start, end, whole.count("\n", 0, start) + 1, closed)
