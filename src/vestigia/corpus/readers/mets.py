"""METS: the issue or book that page files make up, a document for each article, nothing lost between them.

The files it names are claimed, so that they do not go in a second time by themselves. What no article claims goes into
a document of its own; pages that are not there are named one by one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vestigia.corpus.readers.alto import NO_TEXT, sub_corpus_of
from vestigia.corpus.readers.mets_articles import Issue, articles_of
from vestigia.corpus.readers.mets_pages import ReadPage, read_pages, sibling_of
from vestigia.corpus.readers.mets_structure import Structure, structure_of
from vestigia.corpus.readers.xml import local, open_xml, root_name
from vestigia.corpus.sources import read_whole
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import digest
from vestigia.domain.ports import Claimed, Refused, Source

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class MetsReader:
    """Reads METS files whose pages are ALTO or PAGE files beside them."""

    leads = True

    @property
    def name(self) -> str:
        """`mets`."""
        return "mets"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the root element is mets, in any namespace or none."""
        return root_name(head) == "mets"

    def read(self, source: Source) -> Iterator[Document | Refused | Claimed]:
        """Read the articles, or the whole. Raises SourceRefusedError for broken XML and when no page can be read."""
        root = open_xml(source)
        if local(root) != "mets":
            raise SourceRefusedError(
                f"the file is XML with the root element <{local(root)}>, not METS.", where=source.name
            )
        structure = structure_of(root)
        pages = read_pages(source, structure)
        read = [page for page in pages if page.sheets]
        if not read:
            raise SourceRefusedError(
                _nothing(pages),
                where=source.name,
                remedy="Put the page files where the METS says they are, and add it again.",
            )
        issue = Issue(source.name, structure, pages, digest(_together(source, read)), sub_corpus_of(source.name))
        yield from articles_of(issue, self.name)
        yield from _page_by_page(pages)
        yield from _claims(source, structure, pages)


def _together(source: Source, read: Iterable[ReadPage]) -> str:
    """Return the digests of all that a document is made from, so that a change in a page is noticed."""
    return "\n".join([digest(read_whole(source)), *(page.digest or "" for page in read)])


def _nothing(pages: tuple[ReadPage, ...]) -> str:
    if not any(page.reason for page in pages):
        return "the METS names no page."
    reasons = list(dict.fromkeys(page.reason for page in pages))
    more = f" (and {len(reasons) - _SHOWN} more)" if len(reasons) > _SHOWN else ""
    return f"none of the {len(pages)} pages it names can be read: {'; '.join(reasons[:_SHOWN])}{more}."


def _page_by_page(pages: tuple[ReadPage, ...]) -> Iterator[Refused]:
    """Say which pages are not in, which files of a page were left out, and what was odd, pages alike together."""
    notes: dict[str, list[str]] = {}
    for page in pages:
        if not page.sheets:
            place = f"page {page.label}" if page.label else ""
            yield Refused(place, page.reason, kept=bool(page.silent), pages_without_text=int(bool(page.silent)))
        elif page.left and page.entry:
            others = " and ".join(one.group or one.link for one in page.left)
            told = (
                f"is there {len(page.left) + 1} times; {page.entry.group or page.entry.link} was read, "
                f"{others} left out"
            )
            notes.setdefault(told, []).append(page.label)
        for sheet in page.sheets:
            for note in sheet.notes if sheet.has_text else (NO_TEXT,):
                notes.setdefault(note, []).append(sheet.page.label)
    for note, labels in notes.items():
        place = f"page{'s' * (len(labels) > 1)} {', '.join(labels)}"
        yield Refused(place, note, kept=True, pages_without_text=len(labels) if note == NO_TEXT else 0)


def _claims(source: Source, structure: Structure, pages: Iterable[ReadPage]) -> Iterator[Claimed]:
    """Claim what was read and whatever else shows the same pages; not XML that is no page, which others may read."""
    names = [page.source.name for page in pages if page.source is not None]
    names += [one.name for page in pages for one in page.silent]
    others = [one.link for page in pages for one in page.left]
    others += [entry.link for entry in structure.files.values() if not entry.is_xml]
    found = (sibling_of(source, link) for link in others)
    for name in dict.fromkeys([*names, *(one.name for one in found if one is not None)]):
        yield Claimed(name)
