"""What is cited of a document and what became of it, put together once and handed to every form of export (H10)."""

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from vestigia.domain.ids import DocumentId, PassageId

UNDATED = "undated"
NAMED = "Vestigia document: "
"""What a note says before the identifier of its document."""
OURS = "vestigia:"
"""How tags begin that are no one's own."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What neither XML nor a line of text can hold: control characters, halves of characters, what is no character."""


class Kind(StrEnum):
    """What a document is, as far as bibliographies tell apart."""

    LETTER = "letter"
    NEWSPAPER = "newspaper article"
    DEBATE = "debate"
    MANUSCRIPT = "manuscript"
    BOOK = "book"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, and its parts where a comma parts them: `Hofmannsthal, Hugo von`, `von Bülow, Bernhard`.

    `follows` says that the particle goes with the given name; else it stands before the family name.
    """

    written: str
    family: str = ""
    given: str = ""
    particle: str = ""
    follows: bool = False

    @property
    def natural(self) -> str:
        """As one says it: `Hugo von Hofmannsthal`."""
        return " ".join(filter(None, (self.given, self.particle, self.family))) or self.written

    def inverted(self, given: str = "") -> str:
        """As lists have it: `Hofmannsthal, Hugo von`, with another writing of the given name if there is one."""
        if not self.family:
            return self.written
        first = given or self.given
        before = "" if self.follows else self.particle
        after = self.particle if self.follows else ""
        return ", ".join(filter(None, (f"{before} {self.family}".strip(), f"{first} {after}".strip())))


@dataclass(frozen=True, slots=True)
class When:
    """A date as it is cited. `parts` are (year, month, day), as many as are known, of one date or of first and last.

    Without `parts` it is cited as it was written. `edtf` is empty where there is no date.
    """

    written: str = UNDATED
    edtf: str = ""
    parts: tuple[tuple[int, ...], ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether there is a date at all."""
        return bool(self.parts) or self.written != UNDATED


@dataclass(frozen=True, slots=True)
class Extract:
    """A passage that speaks for a source: its words and the quotation, None where they may not be given.

    `start` and `end` are offsets into the document's text, `pages` the pages it stands on.
    """

    passage: PassageId
    start: int | None = None
    end: int | None = None
    text: str | None = None
    quote: str | None = None
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What was decided or noted about a source, why, by whom (a person or a model), and when if that is known."""

    act: str
    reason: str
    author: str
    at: str = ""

    @property
    def line(self) -> str:
        """In a line: `accept by Ada, 2026-01-02: on topic`."""
        when = f", {self.at[:10]}" if self.at else ""
        return f"{self.act} by {self.author}{when}" + (f": {self.reason}" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Reference:
    """A document as it is cited, and what became of it: `standing` in a word (accepted, held ...), what was said of it.

    `container` is the newspaper, series or fonds it is part of. `mark` is what it is asked for by: its shelf mark, else
    its identifier where that is the archive's own. `withheld` says why its words are not given.
    """

    document: DocumentId
    kind: Kind
    title: str
    date: When = When()
    authors: tuple[Name, ...] = ()
    recipients: tuple[Name, ...] = ()
    container: str = ""
    archive: str = ""
    shelfmark: str = ""
    mark: str = ""
    place: str = ""
    publisher: str = ""
    issue: str = ""
    language: str = ""
    link: str = ""
    rights: str = ""
    access: str = ""
    standing: str = ""
    said: tuple[Said, ...] = ()
    tags: tuple[str, ...] = ()
    extracts: tuple[Extract, ...] = ()
    withheld: str = ""

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages to be cited, each once."""
        return tuple(dict.fromkeys(page for one in self.extracts for page in one.pages))

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its tags, and one of ours for what became of it: so a reference manager can filter by it."""
        return (*self.tags, f"{OURS}{self.standing}") if self.standing else self.tags


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as it leaves the archive: what it is, the run it comes from, its sources, what else is to be known.

    `left_out` counts closed sources of which not even a description leaves.
    """

    kind: str
    run: str
    question: str
    sources: tuple[Reference, ...]
    notes: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def withheld(self) -> Counter[str]:
        """Of how many sources the words are withheld, by the reason."""
        return Counter(one.withheld for one in self.sources if one.withheld)

    @property
    def account(self) -> str:
        """What the list is and how much of it is withheld, in a line that stands in every export."""
        sources = len(self.sources)
        run = f" of run {self.run}" if self.run else ""
        counted = ", ".join(f"{number} {why}" for why, number in sorted(self.withheld.items()))
        kept = f"the texts of {self.withheld.total()} are withheld ({counted})" if counted else "no text is withheld"
        out = f"; closed sources left out: {self.left_out}" if self.left_out else ""
        return f"{self.kind}{run}, {sources} source{'s' * (sources != 1)}; {kept}{out}"


def line(text: str) -> str:
    """Text on one line, without what cannot be written."""
    return " ".join(_UNWRITABLE.sub("", text).split())


def lines(text: str) -> str:
    """Text with its line breaks, without what cannot be written."""
    return _UNWRITABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def note_lines(one: Reference, listing: Listing, place: int) -> list[str]:
    """What the fields of a reference manager have no place for, a line each; the first names the document.

    By it a list that comes back is known again. `place` counts from 1.
    """
    told = [f"{NAMED}{line(one.document)}", f"Date: {one.date.written}"]
    told[1] += f" (EDTF {one.date.edtf})" if one.date.edtf and one.date.edtf != one.date.written else ""
    told += [f"{one.standing.capitalize()}."] if one.standing else []
    told += [said.line for said in one.said]
    for extract in one.extracts:
        where = f", characters {extract.start}-{extract.end}" if extract.start is not None else ""
        told.append(f"Passage: {extract.passage}{where}")
        told += [f"Quotation: “{line(extract.quote)}”"] if extract.quote else []
    told += [f"Part of: {one.container}"] if one.container else []
    told += [f"Rights: {one.rights}"] if one.rights else []
    told += [f"May be used: {one.access}"] if one.access else []
    told += [f"Text withheld: {one.withheld}"] if one.withheld else []
    return [*told, f"List: place {place} in {listing.account}"]
