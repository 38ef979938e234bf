"""Describing a document for a citation, by its card and what was said of its sub-corpus (H10).

The archive's own words stay as they are. A name is taken apart only where a comma parts it, a date is a date only where
it is written as one: "c. 1890" and "[1912?]" are cited as written, with their reading in EDTF beside them (rule 11).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vestigia.app.references import Kind, Name, Reference, When, line
from vestigia.corpus.sources import named_id
from vestigia.domain.archive import DocumentCard, SubCorpus
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import Certainty, DatePeriod, Precision, label
from vestigia.domain.text import words

_AUTHORS = "author|authors|creator|verfasser|verfasserin|autor|autorin|auteur|autrice|urheber|author in the pdf"
_SENDERS = "sender|absender|absenderin|expediteur|expeditrice|from"
_RECIPIENTS = "recipient|recipients|addressee|empfanger|empfangerin|adressat|adressatin|destinataire|to"
_ARCHIVES = "repository|archive|archiv|archives|library|bibliothek|bibliotheque|holding institution"
_SHELFMARKS = "shelf mark|shelfmark|call number|signatur|signature|cote|archivsignatur|reference code"
_TYPES = "genre|type|document type|kind|gattung|dokumenttyp|typ"
_KINDS = {
    Kind.LETTER: "letter letters brief briefe lettre lettres correspondence korrespondenz correspondance postcard "
    "postkarte telegram telegramm",
    Kind.NEWSPAPER: "newspaper newspapers zeitung zeitungen zeitungsartikel press presse zeitungsausschnitt",
    Kind.DEBATE: "debate debates debatte debatten debats hansard plenarprotokoll plenarprotokolle parliament",
    Kind.MANUSCRIPT: "manuscript manuscripts handschrift handschriften manuscrit manuscrits diary tagebuch",
    Kind.BOOK: "book books buch bucher livre livres monograph monographie",
}
_PLACES = "place|ort|lieu|published in|place of publication"
_PARTS = range(2, 6)
"""Of so many parts of a file's path a reader makes an identifier."""
_PLAIN = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def reference(card: DocumentCard, parts: Mapping[str, SubCorpus] | None = None) -> Reference:
    """Describe a document by its card; `parts` are the sub-corpora by name, with what was said of them."""
    part = (parts or {}).get(card.sub_corpus)
    said: dict[str, str] = {}
    for name, value in card.details:
        said.setdefault(" ".join(words(name)), line(value))

    def told(names: str) -> str:
        return next((said[name] for name in names.split("|") if said.get(name)), "")

    recipients = names_of(told(_RECIPIENTS))
    return Reference(
        document=DocumentId(line(card.id)),
        kind=_kind(card, (told(_TYPES), part.genre if part else ""), is_sent=bool(recipients or told(_SENDERS))),
        title=line(card.title) or line(card.id),
        date=when(card.period),
        authors=names_of(told(_SENDERS) or told(_AUTHORS)),
        recipients=recipients,
        container=line(card.sub_corpus),
        archive=joined(told(_ARCHIVES), told("institution"), told("settlement")) or (line(part.source) if part else ""),
        shelfmark=joined(told("fonds|bestand"), told(_SHELFMARKS)),
        mark=joined(told("fonds|bestand"), told(_SHELFMARKS)) or _own_mark(card),
        place=told(_PLACES),
        publisher=told("publisher|verlag|editeur"),
        issue=told("number|nummer|numero|issue number"),
        language=line(card.language),
        link=line(card.provenance.link),
        rights=line(card.provenance.rights) or (line(part.rights) if part else ""),
        access=card.access.value,
    )


def joined(*parts: str) -> str:
    """Parts that are known, none that another holds already, with commas between them."""
    kept = [part for place, part in enumerate(parts) if part and not any(part in one for one in parts[:place])]
    return ", ".join(kept)


def _own_mark(card: DocumentCard) -> str:
    """The identifier where it is the archive's own: no digest, no title, and not made of the name of the file."""
    made = [named_id(card.provenance.file, parts) for parts in _PARTS]
    of_file = any(card.id == name or card.id.startswith((f"{name}/", f"{name}-")) for name in made)
    ours = of_file or card.id == card.title or re.fullmatch(r"[0-9a-f]{16}", card.id)
    return "" if ours else line(card.id)


def _kind(card: DocumentCard, told: Sequence[str], *, is_sent: bool) -> Kind:
    """What its own words say it is, then those on its sub-corpus; else what its record shows."""
    for one in told:
        spoken = set(words(one))
        for kind, names in _KINDS.items():
            if spoken & set(names.split()):
                return kind
    if is_sent:
        return Kind.LETTER
    if card.provenance.reader == "hansard":
        return Kind.DEBATE
    return Kind.NEWSPAPER if any(name == "issue" for name, _ in card.details) else Kind.DOCUMENT


def when(period: DatePeriod | None) -> When:
    """Say how a date is cited: by its parts only where it is sure, written as a date, and of our calendar."""
    if period is None:
        return When()
    written = line(period.text) or label(period).replace("/", "–")
    return When(written, _edtf(period), _parts(period))


def _edtf(period: DatePeriod) -> str:
    """Its reading in EDTF; of a period that came without one, its days and how sure they are."""
    sign = {Certainty.EXACT: "", Certainty.APPROXIMATE: "~"}.get(period.certainty, "?")
    days = label(replace(period, certainty=Certainty.EXACT)).split("/")
    return period.edtf or "/".join(day if day == ".." else f"{day}{sign}" for day in days)


def _parts(period: DatePeriod) -> tuple[tuple[int, ...], ...]:
    if period.certainty is not Certainty.EXACT or "calendar" in period.rule:
        return ()
    told = period.precision in {Precision.DAY, Precision.MONTH} or not re.search(r"[^\d\s.,/:TZ-]", period.text)
    sides = _edtf(period).split("/")
    found = [_PLAIN.fullmatch(side) for side in sides]
    if not told or len(sides) > 2:
        return ()
    parts = tuple(tuple(int(part) for part in one.groups() if part) for one in found if one)
    sound = len(parts) == len(sides) and all(part[0] > 0 and (len(part) == 1 or 1 <= part[1] <= 12) for part in parts)
    return parts if sound else ()


def names_of(written: str) -> tuple[Name, ...]:
    """Read names as readers of the archive have joined them, by semicolons."""
    return tuple(_name(one) for part in written.split(";") if (one := part.strip()))


def _name(written: str) -> Name:
    """Take a name apart at its comma; years of life are left out, and what has no comma stays whole."""
    sides = [side.strip() for side in written.split(",")]
    if len(sides) > 2 and all(re.fullmatch(r"[\d\s()?*†–-]+", side) for side in sides[2:]):
        sides = sides[:2]
    if len(sides) != 2 or not all(sides) or re.search(r"[\[\]()\d]", "".join(sides)):
        return Name(written)
    before, family = _lower(sides[0].split())
    given, after = sides[1].split(), list[str]()
    while given and given[-1][:1].islower():
        after.insert(0, given.pop())
    if not family or len(family) > 2 or (before and after):
        return Name(written)
    return Name(written, " ".join(family), " ".join(given), " ".join(before or after), bool(after and given))


def _lower(parts: list[str]) -> tuple[list[str], list[str]]:
    """Part the particles before a family name from it."""
    first = next((place for place, part in enumerate(parts) if not part[:1].islower()), len(parts))
    return parts[:first], parts[first:]
