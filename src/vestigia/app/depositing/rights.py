"""Which sources may leave an archive with a record, and where a record holds the words of those that may not (B11)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vestigia.app.depositing.texts import documents_of, parts_of, texts_of
from vestigia.app.present import REPLACED, WITHDRAWN
from vestigia.app.works import Work
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.rights import strictest
from vestigia.domain.archive import Access, DocumentCard
from vestigia.domain.commissions import Item
from vestigia.domain.effects import AskModel
from vestigia.domain.entries import Asked, Entry, Recorded
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId
from vestigia.domain.text import words

RUN_OF_WORDS = 5
"""So many words in a row that stand in a source are that source's words."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Why a source's text stays where it is, by document; `free` are those whose words may leave.

    `unknown` names those of them of whose rights nothing is known.
    """

    kept_back: Mapping[DocumentId, str]
    free: tuple[DocumentId, ...] = ()
    unknown: tuple[DocumentId, ...] = ()


def rights_of(works: Sequence[Work], catalogue: Catalogue, *, only_open: bool = False) -> Rights:
    """Say of every document that a model was shown or that anything was said of, whether its words may leave.

    The stricter of what the record and the archive say holds. What is gone, or another text now, stays where it is: of
    that nobody can say what it was. With `only_open` so does what nobody has called open.
    """
    recorded = _recorded(works)
    spoken = dict.fromkeys(name for work in works for name in _spoken_of(work.entries))
    named = tuple(name for name in spoken if name in recorded)  # a model may have made a name up
    today = {card.id: card.access for card in catalogue.documents(named)}
    replaced = {
        name for work in works for name in catalogue.changed_texts(work.first.manifest.corpus, named) if name in today
    }
    access = {name: strictest([today.get(name, Access.UNKNOWN), recorded[name]]) for name in named}
    kept_back = {name: why for name in named if (why := _why(name, access[name], today, replaced, only_open=only_open))}
    free = tuple(name for name in named if name not in kept_back)
    return Rights(kept_back, free, tuple(name for name in free if access[name] is Access.UNKNOWN))


def _recorded(works: Sequence[Work]) -> Mapping[DocumentId, Access]:
    """The documents that the record knows, with the strictest access that it has of each."""
    found: dict[DocumentId, Access] = {}
    for work in works:
        for part in parts_of(tuple(entry.body for entry in work.entries)):
            if isinstance(part, DocumentCard):
                found[part.id] = strictest([found.get(part.id, Access.UNKNOWN), part.access])
            elif isinstance(part, Hit | Item):
                found.setdefault(part.document, Access.UNKNOWN)
    return found


def _why(
    name: DocumentId,
    access: Access,
    today: Mapping[DocumentId, Access],
    replaced: Collection[DocumentId],
    *,
    only_open: bool,
) -> str:
    if not access.may_leave:
        return access.value
    if name not in today:
        return WITHDRAWN
    if name in replaced:
        return REPLACED
    return "rights unknown" if only_open and access is Access.UNKNOWN else ""


def _spoken_of(entries: Iterable[Entry]) -> Iterator[DocumentId]:
    """The documents a model was shown, and those that events speak of: not all that a list of a search names."""
    for entry in entries:
        match entry.body:
            case Asked(effects):
                yield from documents_of(tuple(one.request for one in effects if isinstance(one, AskModel)))
            case Recorded(event):
                yield from documents_of((event,))
            case _:
                pass


def first_shown(entries: Iterable[Entry], kept_back: Collection[DocumentId]) -> int | None:
    """The entry at which a model was first shown a text that stays; from there on nothing it wrote may leave."""
    for entry in entries:
        asked = entry.body.effects if isinstance(entry.body, Asked) else ()
        requests = tuple(one.request for one in asked if isinstance(one, AskModel))
        if not set(kept_back).isdisjoint(documents_of(requests)):
            return entry.number
    return None


class Copied:
    """Knows which runs of words in a record stand in sources that stay, and in none that may leave."""

    def __init__(self, works: Sequence[Work], rights: Rights, catalogue: Catalogue, also: Iterable[str] = ()) -> None:
        """Look into all that ledgers say, and into the texts `also` given."""
        self._found: set[str] = set()
        if not rights.kept_back:
            return
        said = {run for work in works for entry in work.entries for text in texts_of(entry.body) for run in _runs(text)}
        said.update(run for text in also for run in _runs(text))
        for name in rights.kept_back:
            self._found.update(_shared(catalogue, name, said))
        for name in rights.free:
            self._found.difference_update(_shared(catalogue, name, self._found))

    def __contains__(self, text: str) -> bool:
        return bool(self._found) and any(run in self._found for run in _runs(text))


def _shared(catalogue: Catalogue, name: DocumentId, said: Collection[str]) -> list[str]:
    """The runs of words of a document that are among those said."""
    document = catalogue.document(name)
    return [run for run in _runs(document.text) if run in said] if document else []


def _runs(text: str) -> Iterator[str]:
    told = words(text)
    return (" ".join(told[at : at + RUN_OF_WORDS]) for at in range(len(told) - RUN_OF_WORDS + 1))
