"""The pages of a METS file: one file for each, the best there is, and an account of those that are not there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import unquote

from vestigia.corpus.readers.alto import NO_TEXT, image_name, sheets_of
from vestigia.corpus.readers.mets_structure import FileEntry, PhysicalPage, Structure
from vestigia.corpus.readers.page import page_of
from vestigia.corpus.readers.sheets import Sheet, by_region
from vestigia.corpus.readers.xml import local, open_xml
from vestigia.corpus.sources import read_whole
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.ports import Source

_GROUND_TRUTH = re.compile(r"(?<![a-z])gt(?![a-z])|ground.?truth", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What became of a page: its sheets (none: `reason` says why), the file they are of, and the files left out.

    `silent` are the files of a page that were read and hold no text.
    """

    label: str
    sheets: tuple[Sheet, ...] = ()
    entry: FileEntry | None = None
    source: Source | None = None
    digest: Digest | None = None
    left: tuple[FileEntry, ...] = ()
    reason: str = ""
    silent: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tried:
    sheets: tuple[Sheet, ...] = ()
    source: Source | None = None
    digest: Digest | None = None
    reason: str = ""


def read_pages(source: Source, structure: Structure) -> tuple[ReadPage, ...]:
    """Read the pages in order, each file once; those of files that no page names come last."""
    desk = _Desk(source, structure)
    pages: list[ReadPage] = []
    seen: set[str] = set()
    for page in _planned(structure):
        candidates = desk.candidates(page)
        fresh = [one for one in candidates if one.link not in seen]
        if fresh or not candidates:
            seen.update(one.link for one in fresh)
            pages += desk.read(page, fresh)
    return tuple(pages)


def sibling_of(source: Source, link: str) -> Source | None:
    """Return the file a link leads to: relative, with `file:` before it, with backslashes or percent signs; or none."""
    path = _path(link)
    found = source.sibling(path) if path else None
    return found or (source.sibling(unquote(path)) if "%" in path and "\0" not in unquote(path) else None)


def _path(link: str) -> str:
    path = re.sub(r"^file:(?://(?=[^/]))?", "", link.strip().replace("\\", "/"), flags=re.IGNORECASE)
    return re.sub(r"^(?:\./+)+", "", path)


def _planned(structure: Structure) -> Iterator[PhysicalPage]:
    """Yield the pages as stated, then each file that no page names, of the groups that hold pages (all, if none do)."""
    yield from structure.pages
    named = {name for page in structure.pages for name in page.files}
    texts = [entry for entry in structure.files.values() if entry.is_xml]
    groups = {entry.group for entry in texts if entry.id in named}
    for entry in texts:
        if entry.id not in named and (entry.group in groups or not groups):
            yield PhysicalPage("", (entry.id,))


class _Desk:
    """Opens the files of one METS file."""

    def __init__(self, source: Source, structure: Structure) -> None:
        self._source, self._files = source, structure.files

    def candidates(self, page: PhysicalPage) -> list[FileEntry]:
        """Return the text files of a page, ground truth before recognised text, else in the order of the file."""
        texts = [one for one in self._of(page) if one.is_xml]
        groups = list(dict.fromkeys(one.group for one in texts))
        return sorted(texts, key=lambda one: (not _GROUND_TRUTH.search(one.group), groups.index(one.group)))

    def read(self, page: PhysicalPage, candidates: list[FileEntry]) -> list[ReadPage]:
        """Read the first group of the files that has text: further groups hold the same page again."""
        entries = self._of(page)
        image = next((image_name(_path(one.link)) for one in entries if one.is_image), "")
        pixels = next((one.pixels for one in entries if one.pixels), None)
        failed: list[ReadPage] = []
        for _, together in groupby(candidates, key=lambda one: one.group):
            group = [self._read_one(page.label, entry, image, pixels) for entry in together]
            if any(one.sheets for one in group):
                names = {one.entry.id for one in group if one.entry}
                left = tuple(one for one in candidates if one.id not in names)
                first = next(at for at, one in enumerate(group) if one.sheets)
                group[first] = replace(group[first], left=left)
                return group
            failed += group
        reason = "; ".join(dict.fromkeys(one.reason for one in failed)) or "the METS names no ALTO or PAGE file for it"
        silent = tuple(found for one in failed for found in one.silent)
        return [ReadPage(page.label or (candidates[0].link if candidates else ""), reason=reason, silent=silent)]

    def _read_one(self, label: str, entry: FileEntry, image: str, pixels: tuple[float, float] | None) -> ReadPage:
        result = _try(self._source, entry, pixels)
        if not any(sheet.has_text for sheet in result.sheets):
            silent = (result.source,) if result.source else ()
            return ReadPage(label or entry.link, entry=entry, reason=result.reason, silent=silent)
        return ReadPage(
            label or result.sheets[0].page.label,
            _labelled(result.sheets, label, image),
            entry,
            result.source,
            result.digest,
        )

    def _of(self, page: PhysicalPage) -> list[FileEntry]:
        return [self._files[name] for name in page.files if name in self._files]


def _labelled(sheets: tuple[Sheet, ...], label: str, image: str) -> tuple[Sheet, ...]:
    """Label a page and name its image as the METS does; of a file with several pages, each keeps its own label."""
    alone = label if len(sheets) == 1 else ""
    return tuple(
        replace(one, page=replace(one.page, label=alone or one.page.label, image=image or one.page.image))
        for one in sheets
    )


def _try(source: Source, entry: FileEntry, pixels: tuple[float, float] | None) -> _Tried:
    found = sibling_of(source, entry.link)
    if found is None:
        return _Tried(reason=f"the METS names {entry.link}, which is not there")
    try:
        root = open_xml(found)
        if local(root).casefold() == "alto":
            sheets = sheets_of(root, found.name, pixels)
        elif local(root) == "PcGts":
            sheets = (by_region(*page_of(root, found.name)),)
        else:
            return _Tried(reason=f"{entry.link} is XML that begins with <{local(root)}>, no page")
        content = digest(read_whole(found))
    except SourceRefusedError as error:
        return _Tried(reason=f"{entry.link}: {error.what}")
    except OSError as error:
        return _Tried(reason=f"{entry.link} cannot be read ({error.strerror or error})")
    reason = "" if any(sheet.has_text for sheet in sheets) else f"{entry.link}: {NO_TEXT}"
    return _Tried(sheets, found, content, reason)
