"""A manifest in hand: its canvases as pages, with the files beside it that hold their text.

An address is taken for a file by its last parts, since servers name what is saved as `list/p1.json` by an address that
ends in `list/p1`. A page of annotations that says it has another address is left alone.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from vestigia.corpus.encodings import decode
from vestigia.corpus.readers.alto import AltoReader, sheets_of
from vestigia.corpus.readers.iiif_header import label_of
from vestigia.corpus.readers.iiif_json import Json, canvas_size, identifier, kind, listed, load, objects
from vestigia.corpus.readers.iiif_text import Account, Note, notes, to_region
from vestigia.corpus.readers.pages import Line, Page, Region
from vestigia.corpus.readers.xml import open_xml
from vestigia.corpus.sources import read_whole
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

ANNOTATIONS = frozenset({"AnnotationPage", "AnnotationList", "AnnotationCollection", "Annotation"})
"""Types of what holds annotations."""

_SHOWN = 5
_HEAD = 64 * 1024


def open_json(source: Source) -> Json:
    """Return the object a file of JSON holds. Raises SourceRefusedError for anything else."""
    text, _ = decode(source)
    try:
        found = load(text)
    except ValueError as error:
        raise SourceRefusedError(
            f"the file is not JSON ({error}).", where=source.name, remedy="Save it again from where it came."
        ) from error
    if not isinstance(found, dict):
        raise SourceRefusedError(
            "the file is JSON but no object, so no IIIF.", where=source.name, remedy="Save the manifest itself."
        )
    return found


def annotations_of(page: Json) -> list[Json]:
    """Return the annotations of a page or list, or the one annotation that it is."""
    if not isinstance(page, dict) or kind(page) not in {*ANNOTATIONS, ""}:
        return []
    if kind(page) == "Annotation":
        return [page]
    found: list[Json] = []
    for one in (*listed(page.get("items")), *listed(page.get("resources"))):
        found.extend(listed(one.get("items")) if kind(one) == "AnnotationPage" else [one])
    return found


@dataclass(slots=True)
class Reading:
    """What is found on the way: `claimed` files by name, `content` the bytes read, `said` what the report must tell.

    `silent` are the labels of the canvases without text.
    """

    source: Source
    manifest: Json
    account: Account = field(default_factory=Account)
    notes: list[Note] = field(default_factory=list)
    claimed: dict[str, None] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    content: list[bytes] = field(default_factory=list)

    def canvases(self) -> list[dict[str, Json]]:
        """Return the canvases of the first sequence, or of the manifest."""
        sequences = list(objects(self.manifest, "sequences"))
        if len(sequences) > 1:
            self.said.append(f"the manifest has {len(sequences)} sequences; the first was read")
        return [
            one
            for one in objects(sequences[0] if sequences else self.manifest, "canvases", "items")
            if kind(one) in {"Canvas", ""}
        ]

    def pages(self) -> Iterator[Page]:
        """Yield a page for each canvas; what is amiss is noted."""
        self.content.append(read_whole(self.source))
        canvases = self.canvases()
        loose = self._loose()
        bare: list[str] = []
        for number, canvas in enumerate(canvases, 1):
            label = label_of(canvas) or str(number)
            regions = tuple(self._regions(canvas))
            more = loose.pop(identifier(canvas), [])
            regions += (to_region("", more),) if more else ()
            regions = self._twins(canvas, label, regions)
            image = _image(canvas)
            if not image:
                bare.append(label)
            if not any(region.lines for region in regions):
                self.silent.append(label)
            yield Page(label, regions, image)
        if bare:
            self.said.append(f"canvases without image: {len(bare)} of {len(canvases)} ({few(bare)})")
        if loose:
            self.said.append(
                f"annotations on no canvas of the manifest, left out: {sum(map(len, loose.values()))} "
                f"({few(list(loose))})"
            )
        if self.absent:
            self.said.append(
                f"annotation pages that are not among the files, and nothing is fetched: "
                f"{len(self.absent)} ({few(self.absent)})"
            )

    def _regions(self, canvas: Json) -> Iterator[Region]:
        """Yield a region for each page of annotations on a canvas."""
        size = canvas_size(canvas)
        for reference in (
            *listed(canvas.get("annotations")),
            *listed(canvas.get("otherContent")),
            *listed(canvas.get("items")),
        ):
            page = self._page(reference)
            if page is None:
                continue
            found = notes(annotations_of(page), self.account, size)
            self.notes.extend(found)
            if found:
                yield to_region(label_of(page), found)

    def _loose(self) -> dict[str, list[Note]]:
        """Return the texts annotated on the manifest itself, by canvas."""
        by_canvas: dict[str, list[Note]] = {}
        for reference in (*listed(self.manifest.get("annotations")), *listed(self.manifest.get("otherContent"))):
            for one in notes(annotations_of(self._page(reference)), self.account):
                by_canvas.setdefault(one.canvas, []).append(one)
                self.notes.append(one)
        return by_canvas

    def _page(self, reference: Json) -> Json | None:
        """Return a page of annotations: itself where it is written out, else the file beside that it names."""
        if isinstance(reference, dict) and annotations_of(reference):
            return reference
        address = identifier(reference)
        if not address or (isinstance(reference, dict) and kind(reference) not in {*ANNOTATIONS, ""}):
            return None
        for found in beside(self.source, address):
            try:
                page = open_json(found)
            except (SourceRefusedError, OSError) as error:
                self.said.append(f"{posixpath.basename(found.name)}: {getattr(error, 'what', error)}")
                continue
            named = identifier(page)
            if found.name not in self.claimed and kind(page) in ANNOTATIONS and named in {address, *_unplaced(named)}:
                self.claimed[found.name] = None
                self.content.append(read_whole(found))
                return page
        if not isinstance(reference, dict) or not {"items", "resources"} & reference.keys():
            self.absent.append(last_part(address))
        return None

    def _twins(self, canvas: Json, label: str, regions: tuple[Region, ...]) -> tuple[Region, ...]:
        """Claim the files beside that a canvas names as its text in another form; read them if it has none yet."""
        for one in objects(canvas, "rendering", "seeAlso"):
            for found in beside(self.source, identifier(one)):
                if found.name == self.source.name or found.name in self.claimed:
                    continue
                if not regions:
                    try:
                        regions, notes = _other_text(found, canvas)
                    except (SourceRefusedError, OSError) as error:
                        self.said.append(f"{label}: {getattr(error, 'what', error)}")
                        continue
                    self.said.extend(f"{label}: {note}" for note in notes)
                    self.content.append(read_whole(found) if regions else b"")
                if regions:
                    self.claimed[found.name] = None
        return regions


def _other_text(found: Source, canvas: Json) -> tuple[tuple[Region, ...], tuple[str, ...]]:
    """Return (regions, notes) of a page as ALTO or as plain text; none of another kind of file."""
    with found.open() as stream:
        head = stream.read(_HEAD)
    if AltoReader().sniff(found.name, head):
        sheets = sheets_of(open_xml(found), found.name, canvas_size(canvas))
        return (
            tuple(region for sheet in sheets for region in sheet.page.regions),
            tuple(note for sheet in sheets for note in sheet.notes),
        )
    if PurePosixPath(found.name).suffix.casefold() == ".txt":
        text, _ = decode(found)
        return (Region("", tuple(Line(line) for line in text.split("\n") if line.strip())),), ()
    return (), ()


def _image(canvas: Json) -> str:
    """Return the address of the image painted on a canvas; it is kept, never fetched."""
    for page in (canvas, *objects(canvas, "items")):
        for annotation in objects(page, "items", "images"):
            for body in objects(annotation, "body", "resource"):
                for one in (body, *objects(body, "items", "default")):
                    if kind(one) in {"Image", "dctypes:Image"}:
                        return identifier(one)
    return ""


def beside(source: Source, address: str) -> Iterator[Source]:
    """Yield the files beside that an address may mean: its last three, two and one parts, with or without .json."""
    parts = [part for part in unquote(urlsplit(address).path if _sound(address) else "").split("/") if part]
    for count in range(min(3, len(parts)), 0, -1):
        path = "/".join(parts[-count:])
        for name in (path, f"{path}.json"):
            if found := source.sibling(name):
                yield found


def _sound(address: str) -> bool:
    try:
        urlsplit(address)
    except ValueError:
        return False
    return True


def _unplaced(named: str) -> set[str]:
    """Return the id a page of annotations gives itself if it is no address: then its file's name tells what it is."""
    return set() if "://" in named else {named}


def last_part(address: str) -> str:
    """Return the last part of an address, by which people know the file."""
    return unquote(address.rstrip("/").rpartition("/")[2])


def few(names: list[str]) -> str:
    """Return the first five names and how many more there are."""
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
