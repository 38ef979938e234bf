"""Lists that try every form of export: signs with a meaning somewhere, right-to-left scripts, dates of every kind."""

from dataclasses import replace

from fakes.flow import a_card
from vestigia.app.describing import reference
from vestigia.app.references import Extract, Listing, Reference, Said, lines
from vestigia.corpus.readers.dating import Stated, read_stated
from vestigia.domain.archive import DocumentCard, Provenance
from vestigia.domain.ids import PassageId, digest
from vestigia.domain.periods import DatePeriod

SIGNS = "Müller & Söhne <b>1</b> {x} } 50 % # \"q\" 'a' $5_6 ^ ~ \\alpha `code` *star* [l](http://e.example)"
TITLES = {
    "signs": SIGNS,
    "hebrew": "מכתב אל ד״ר הרצל (1896)",
    "arabic": "رسالة إلى الوزير",
    "formula": '=HYPERLINK("http://evil.example","click")',
    "plus": "+1 sum",
    "minus": "-2+3",
    "at": "@SUM(A1:A9)",
    "guarded": "'=already guarded",
    "ris": "A title ER  - \nTY  - BOOK\r\nTI  - another",
    "bibtex": "One } \n@book{evil, title={x}} and two",
    "html": "</title><script>alert('x')</script><img src=x onerror=alert(1)>",
    "xml": "]]></w:t><w:p/> &amp; &#x41;",
    "typst": '#set text(red) #eval("1") $x$ *b* _i_ @ref <label> \\u{41}',
    "markdown": "# no heading [no](javascript:alert(1)) ![i](x) ~~s~~ | cell",
    "control": "null\x00byte\x1b[31m red\x07\ttab\nline\u2028break \ud800half \ufffe",
    "long": "Lang " + "und länger " * 4000 + "Ende",
    "dots": "Who goes there?",
}
"""Titles by the identifier of their document."""

DATES = {
    "circa": ("c. 1890", ()),
    "conjectured": ("[1912?]", ()),
    "day": ("1887-03-14", ((1887, 3, 14),)),
    "month": ("1887-03", ((1887, 3),)),
    "year": ("1887", ((1887,),)),
    "range": ("1887-01/1887-06", ((1887, 1), (1887, 6))),
    "between": ("between 1880 and 1890", ()),
    "decade": ("1880s", ()),
    "before": ("before 1900", ()),
    "julian": ("3 March 1700 (O.S.)", ()),
    "slashes": ("12/03/1904", ()),
    "undated": ("undated", ()),
}
"""Dates as written, by the identifier of their document; and the parts of those that are sure."""


def dated(written: str) -> DatePeriod | None:
    found, _ = read_stated(Stated(written), "en")
    return found[0] if found else None


def letter(name: str = "V1", title: str = "A letter", written: str = "1887-03-14", **details: str) -> DocumentCard:
    """A card with details, named with blanks for underscores."""
    given = tuple((key.replace("_", " "), value) for key, value in details.items())
    place = Provenance("letters.csv", "line 2", digest(name), "csv")
    card = a_card(name, "Papers of Élise", dated(written))
    return replace(card, title=title, details=given, provenance=place)


def filled(card: DocumentCard, standing: str = "accepted", text: str = "Erste Zeile\nzweite & <letzte>") -> Reference:
    """Its reference, accepted by Ada because of a passage."""
    passage = Extract(PassageId(f"{card.id}#0-9"), 0, 9, lines(text), "zweite & <letzte>", ("3", "4"))
    said = (Said("accept", "on & <topic>", "Ada", "2026-01-02T10:00:00Z"),)
    return replace(reference(card), standing=standing, said=said, tags=("bridge", "50 % & more"), extracts=(passage,))


def hostile() -> Listing:
    """All titles and dates, and a source whose words are withheld."""
    cards = [letter(name, title, "") for name, title in TITLES.items()]
    cards += [letter(name, f"Of {name}", written, author="Foreign & Office") for name, (written, _) in DATES.items()]
    closed = replace(
        reference(letter("secret", "Closed")), withheld="closed", extracts=(Extract(PassageId("secret#0-9")),)
    )
    return Listing("sources", "run-1", "Fragen & <Antworten>", (*map(filled, cards), closed), ("Note # 1 & <2>",))


def one(**more: object) -> Reference:
    """A letter of Harriet Colby, changed in what is given."""
    people = {"sender": "Colby, Harriet", "recipient": "Vautrin, Élise"}
    place = {"repository": "Archives municipales", "shelf_mark": "AM 5/3"}
    card = letter("V001", "Harriet Colby to Élise Vautrin", "c. 1880", **people, **place)
    return replace(reference(card), **more)
