"""What a METS file says: which files make which page, in which order, and which divisions claim which part of them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vestigia.corpus.readers.sheets import number
from vestigia.corpus.readers.xml import Node, inner_text

XLINK = "{http://www.w3.org/1999/xlink}"
_ARTICLES = {
    "article",
    "contribution",
    "section",
    "chapter",
    "advertisement",
    "advert",
    "ad",
    "classified_ad",
    "death_notice",
    "obituary",
    "letter",
    "poem",
    "serial",
    "feuilleton",
    "review",
    "essay",
    "editorial",
    "news",
    "notice",
    "announcement",
    "interview",
    "speech",
    "report",
    "weather",
    "comic",
}
_WHOLES = {"newspaper", "periodical", "year", "month", "day", "volume", "issue", "monograph"}
_HEADINGS = {"heading", "title", "headline", "overline", "subheadline", "subtitle", "motto"}


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the fileSec: its id, its link as written, the use of its group, its type, its image in pixels."""

    id: str
    link: str
    group: str
    mime: str = ""
    pixels: tuple[float, float] | None = None

    @property
    def is_xml(self) -> bool:
        """Whether it may hold text with places (by type or ending)."""
        return "xml" in self.mime.casefold() or bool(re.search(r"\.(?:xml|alto|page)$", self.link, re.IGNORECASE))

    @property
    def is_image(self) -> bool:
        """Whether it is the image of a page, no small copy of it."""
        ending = re.search(r"\.(?:tiff?|jpe?g|jp2|png|gif|webp)$", self.link, re.IGNORECASE)
        small = "thumb" in f"{self.group} {self.link}".casefold()
        return (self.mime.startswith("image/") or bool(ending)) and not small


@dataclass(frozen=True, slots=True)
class PhysicalPage:
    """A page of the physical structure: label, and the ids of its files in the order of the file."""

    label: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A part of a file, from one id to another, that belongs to a division; `heading` where it is its title."""

    file: str
    begin: str
    end: str
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """An article or what is like one. `within` are the titles of the divisions round it, `records` its MODS ids."""

    id: str
    kind: str
    label: str
    claims: tuple[Claim, ...]
    records: tuple[str, ...]
    within: tuple[str, ...] = ()
    holds_others: bool = False


@dataclass(frozen=True, slots=True)
class Structure:
    """All of it. `records` are MODS elements by id, `of_issue` the ids of those that describe the whole."""

    label: str
    files: Mapping[str, FileEntry]
    pages: tuple[PhysicalPage, ...]
    divisions: tuple[Division, ...]
    records: Mapping[str, Node]
    of_issue: tuple[str, ...]
    export: Node | None
    """What a program that exported the pages (Transkribus) says of them."""
    kinds: tuple[str, ...]
    """The types of the divisions that hold the articles, e.g. `newspaper`, `issue`."""


def structure_of(root: Node) -> Structure:
    """Read a `mets` element."""
    maps = [(one.get("TYPE", "").casefold(), list(one.iterfind("{*}div"))) for one in root.iterfind("{*}structMap")]
    physical = next((tops for kind, tops in maps if kind.startswith("phys")), [])
    if not physical and len(maps) == 1 and not maps[0][0].startswith("logi"):
        physical = maps[0][1]  # Transkribus calls it MANUSCRIPT
    logical = next((tops for kind, tops in maps if kind.startswith("logi")), [])
    placed = [div for top in physical for div in top.iter("{*}div")]
    linked = _linked_areas(root, {div.get("ID", ""): div for div in placed})
    articles, holders = _articles(logical)
    # Articles state their own records; those of the whole stand at the divisions round them, nearest first.
    of_issue = [name for div in (*reversed(holders), *physical) for name in div.get("DMDID", "").split()]
    records = {
        one.get("ID", ""): mods for one in root.iterfind("{*}dmdSec") for mods in one.iterfind(".//{*}xmlData/{*}mods")
    }
    divisions = tuple(_division(div, linked, frozenset(articles)) for div in articles)
    owned = {name for one in divisions for name in one.records}
    free = [name for name in records if name not in owned and name not in of_issue]
    kinds = tuple(
        dict.fromkeys(
            kind
            for kind in (root.get("TYPE", "").casefold(), *(div.get("TYPE", "").casefold() for div in holders))
            if kind
        )
    )
    return Structure(
        root.get("LABEL", "").strip(),
        _files(root),
        _pages(placed),
        divisions,
        records,
        tuple(dict.fromkeys(of_issue)) or tuple(free),
        root.find("{*}amdSec//{*}trpDocMetadata"),
        kinds,
    )


def _files(root: Node) -> dict[str, FileEntry]:
    sizes = {one.get("ID", ""): size for one in root.iter("{*}techMD", "{*}amdSec") if (size := _pixels(one))}
    files: dict[str, FileEntry] = {}
    for file in root.iterfind("{*}fileSec//{*}file"):
        place = file.find("{*}FLocat")
        link = "" if place is None else (place.get(XLINK + "href") or place.get("href") or "").strip()
        groups = (one.get("USE") or one.get("ID") for one in file.iterancestors("{*}fileGrp"))
        group = next((name for name in groups if name), "")
        mark = next((sizes[name] for name in file.get("ADMID", "").split() if name in sizes), None)
        if link:
            files.setdefault(
                file.get("ID", ""),
                FileEntry(file.get("ID", ""), link, file.get("USE", "") or group, file.get("MIMETYPE", ""), mark),
            )
    return files


def _pixels(section: Node) -> tuple[float, float] | None:
    """Return width and height of an image as MIX states them."""
    width, height = (
        number(inner_text(next(section.iter(f"{{*}}{name}"), None))) for name in ("imageWidth", "imageHeight")
    )
    return (width, height) if width and height and width > 0 and height > 0 else None


def _pages(divisions: list[Node]) -> tuple[PhysicalPage, ...]:
    """Return the pages by their ORDER, those without one where they stand in the file."""
    pages = [div for div in divisions if div.get("TYPE", "").casefold() == "page"]
    pages = pages or [div for div in divisions if div.find("{*}fptr") is not None]
    ordered: list[tuple[float, Node]] = []
    for div in pages:
        stated = number(div.get("ORDER"))
        ordered.append((stated if stated is not None else ordered[-1][0] if ordered else 0.0, div))
    return tuple(
        PhysicalPage(
            div.get("ORDERLABEL", "").strip() or div.get("LABEL", "").strip() or div.get("ORDER", ""),
            tuple(dict.fromkeys(name for pointer in div.iterfind("{*}fptr") for name in _pointed(pointer))),
        )
        for _, div in sorted(ordered, key=lambda one: one[0])
    )


def _pointed(pointer: Node) -> Iterator[str]:
    for element in pointer.iter("{*}fptr", "{*}area"):
        if element.get("FILEID"):
            yield element.get("FILEID")


def _articles(logical: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return (divisions like articles, divisions that hold them or, where there are none, are the whole)."""
    every = [div for top in logical for div in top.iter("{*}div")]
    articles = [div for div in every if div.get("TYPE", "").casefold() in _ARTICLES]
    round_them = {one for article in articles for one in article.iterancestors("{*}div")}.difference(articles)
    whole = round_them.union(logical)
    return articles, [div for div in every if div in whole or div.get("TYPE", "").casefold() in _WHOLES]


def _division(div: Node, linked: Mapping[str, list[Node]], articles: frozenset[Node]) -> Division:
    """Read a division; what one inside it claims is not its own."""
    claims: list[Claim] = []
    for one in div.iter("{*}div"):
        if any(each in articles for each in _up_to(one, div)):
            continue
        heading = any(each.get("TYPE", "").casefold() in _HEADINGS for each in _up_to(one, div))
        pointers = [
            *one.iterfind("{*}fptr"),
            *(pointer for area in linked.get(one.get("ID", ""), []) for pointer in area.iterfind("{*}fptr")),
        ]
        claims += [
            Claim(area.get("FILEID"), area.get("BEGIN"), area.get("END") or area.get("BEGIN"), heading)
            for pointer in pointers
            for area in pointer.iter("{*}area")
            if area.get("FILEID") and area.get("BEGIN")
        ]
    within = [one.get("LABEL", "").strip() for one in div.iterancestors("{*}div") if one in articles]
    return Division(
        div.get("ID", ""),
        div.get("TYPE", ""),
        div.get("LABEL", "").strip(),
        tuple(claims),
        tuple(div.get("DMDID", "").split()),
        tuple(one for one in reversed(within) if one),
        any(one in articles for one in div.iter("{*}div") if one is not div),
    )


def _up_to(inner: Node, outer: Node) -> Iterator[Node]:
    """Yield a division and those round it, up to but without `outer`."""
    while inner is not outer:
        yield inner
        inner = inner.getparent()


def _linked_areas(root: Node, physical: Mapping[str, Node]) -> dict[str, list[Node]]:
    """Return for each logical id the physical divisions that structLink ties it to, pages left out."""
    linked: dict[str, list[Node]] = {}
    for source, target in _links(root):
        div = physical.get(target)
        if div is not None and div.get("TYPE", "").casefold() != "page":
            linked.setdefault(source, []).append(div)
    return linked


def _links(root: Node) -> Iterator[tuple[str, str]]:
    """Yield (logical id, physical id) of both ways to write links: smLink, and arcs between labels in a group."""
    for link in root.iterfind("{*}structLink/{*}smLink"):
        yield link.get(XLINK + "from", "").lstrip("#"), link.get(XLINK + "to", "").lstrip("#")
    for group in root.iterfind("{*}structLink/{*}smLinkGrp"):
        places: dict[str, list[str]] = {}
        for one in group.iter("{*}smLocatorLink"):
            places.setdefault(one.get(XLINK + "label", ""), []).append(one.get(XLINK + "href", "").lstrip("#"))
        for arc in group.iter("{*}smArcLink"):
            for source in places.get(arc.get(XLINK + "from", ""), []):
                for target in places.get(arc.get(XLINK + "to", ""), []):
                    yield source, target


def is_periodical(structure: Structure) -> bool:
    """Whether it is an issue of a newspaper or periodical, by the types of its divisions."""
    return any(
        kind in {"newspaper", "periodical", "issue", "journal", "magazine", "serial"} for kind in structure.kinds
    )
