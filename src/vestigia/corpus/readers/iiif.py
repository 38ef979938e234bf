"""IIIF Presentation 2 and 3 from files: a manifest is a document, its canvases are pages, annotations are its words.

Nothing is ever fetched. Annotation pages that a manifest refers to are taken from the files beside it, by the last
parts of their address; a page that also exists as ALTO is read once, and the other file is claimed. A manifest without
any text and a collection are no documents, and the report says why.
"""

import posixpath
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from vestigia.corpus.encodings import decode
from vestigia.corpus.readers.iiif_header import describe, label_of, link_of
from vestigia.corpus.readers.iiif_json import Json, canvas_size, identifier, kind, listed, load, objects, root_type
from vestigia.corpus.readers.iiif_text import Account, Note, notes, to_region
from vestigia.corpus.readers.pages import Page, Region, compose
from vestigia.corpus.sources import named_id, read_whole, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.ports import Claimed, Refused, Source

_ANNOTATIONS = {"AnnotationPage", "AnnotationList", "AnnotationCollection", "Annotation"}
_CONTEXTS = (b"iiif.io/api", b"shared-canvas.org", b"anno.jsonld")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class IiifReader:
    """Reads manifests and collections; it is asked first, since it claims the annotation pages it reads."""

    leads: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """`iiif`."""
        return "iiif"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the content is a manifest or a collection by its type; the name may end in anything."""
        found = root_type(head).split(":")[-1]
        return found in {"Manifest", "Collection"} and (b'"@context"' in head or b'"sc:' in head)

    def read(self, source: Source) -> Iterator[Document | Refused | Claimed]:
        """Read it with the annotation pages beside it. Raises SourceRefusedError for what is no IIIF."""
        manifest = _open(source)
        if kind(manifest) == "Collection":
            yield _collection(manifest, source)
            return
        if kind(manifest) != "Manifest":
            raise SourceRefusedError(f"the file is JSON of the type {kind(manifest)!r}, no manifest.",
                                     where=source.name, remedy="Save the manifest itself.")
        reading = _Reading(source, manifest)
        pages = tuple(reading.pages())
        yield from (Claimed(name) for name in reading.claimed)
        yield from _to_document(reading, pages)


@dataclass(frozen=True, slots=True)
class AnnotationsReader:
    """Reads annotation pages and lists that no manifest among the files refers to: text without title and date."""

    @property
    def name(self) -> str:
        """`iiif_annotations`."""
        return "iiif_annotations"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the content is a page or list of annotations."""
        return root_type(head).split(":")[-1] in _ANNOTATIONS and any(one in head for one in _CONTEXTS)

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it as one document. Raises SourceRefusedError for what is no IIIF or holds no text."""
        page, account = _open(source), Account()
        found = notes(_annotations(page), account)
        canvases: dict[str, list[Note]] = {}
        for one in found:
            canvases.setdefault(one.canvas, []).append(one)
        composed = compose(Page(_last(canvas), (to_region("", these),)) for canvas, these in canvases.items())
        if not composed.text:
            raise SourceRefusedError("the annotations hold no text. " + ". ".join(account.said()), where=source.name,
                                     remedy="If the text is elsewhere, save it here.")
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name, link_of(page))
        yield Document(named_id(source.name, 2), "", label_of(page) or stem(source.name), composed.text,
                       _most(found), provenance, anchors=composed.anchors)
        yield Refused("", "annotations without their manifest: the text goes in without title and date. Put the "
                      "manifest beside it", kept=True)
        yield from (Refused("", said, kept=True) for said in account.said())


@dataclass(slots=True)
class _Reading:
    """A manifest in hand: which files were read with it, and what there is to say about it."""

    source: Source
    manifest: Json
    account: Account = field(default_factory=Account)
    notes: list[Note] = field(default_factory=list)
    claimed: dict[str, None] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    content: list[bytes] = field(default_factory=list)

    def canvases(self) -> list[dict[str, Json]]:
        """Return the canvases of the first sequence, or of the manifest."""
        sequences = list(objects(self.manifest, "sequences"))
        if len(sequences) > 1:
            self.said.append(f"the manifest has {len(sequences)} sequences; the first was read")
        return [one for one in objects(sequences[0] if sequences else self.manifest, "canvases", "items")
                if kind(one) in {"Canvas", ""}]

    def pages(self) -> Iterator[Page]:
        """Yield a page for each canvas; what is amiss is noted."""
        self.content.append(read_whole(self.source))
        canvases = self.canvases()
        loose = self._loose()
        bare: list[str] = []
        silent: list[str] = []
        for number, canvas in enumerate(canvases, 1):
            label = label_of(canvas) or str(number)
            regions = tuple(self._regions(canvas))
            more = loose.pop(identifier(canvas), [])
            regions += (to_region("", more),) if more else ()
            image = _image(canvas)
            if not image:
                bare.append(label)
            if not any(region.lines for region in regions):
                silent.append(label)
            self._claim_twins(canvas, bool(regions))
            yield Page(label, regions, image)
        self.said.extend(f"canvases without {lack}: {len(some)} of {len(canvases)} ({_few(some)})"
                         for some, lack in ((bare, "image"), (silent, "text")) if some)
        if loose:
            self.said.append(f"annotations on no canvas of the manifest, left out: {sum(map(len, loose.values()))} "
                             f"({_few(list(loose))})")
        if self.absent:
            self.said.append(f"annotation pages that are not among the files, and nothing is fetched: "
                             f"{len(self.absent)} ({_few(self.absent)})")

    def _regions(self, canvas: Json) -> Iterator[Region]:
        """Yield a region for each page of annotations on a canvas."""
        size = canvas_size(canvas)
        for reference in (*listed(canvas.get("annotations")), *listed(canvas.get("otherContent")),
                          *listed(canvas.get("items"))):
            page = self._page(reference)
            if page is None:
                continue
            found = notes(_annotations(page), self.account, size)
            self.notes.extend(found)
            if found:
                yield to_region(label_of(page), found)

    def _loose(self) -> dict[str, list[Note]]:
        """Return the texts annotated on the manifest itself, by canvas."""
        by_canvas: dict[str, list[Note]] = {}
        for reference in (*listed(self.manifest.get("annotations")), *listed(self.manifest.get("otherContent"))):
            for one in notes(_annotations(self._page(reference)), self.account):
                by_canvas.setdefault(one.canvas, []).append(one)
                self.notes.append(one)
        return by_canvas

    def _page(self, reference: Json) -> Json | None:
        """Return a page of annotations: itself where it is written out, else the file beside that it names."""
        if isinstance(reference, dict) and _annotations(reference):
            return reference
        address = identifier(reference)
        if not address or (isinstance(reference, dict) and kind(reference) not in {*_ANNOTATIONS, ""}):
            return None
        for found in _beside(self.source, address):
            try:
                page = _open(found)
            except (SourceRefusedError, OSError) as error:
                self.said.append(f"{posixpath.basename(found.name)}: {getattr(error, 'what', error)}")
                continue
            named = identifier(page)
            if found.name not in self.claimed and kind(page) in _ANNOTATIONS and named in {address, *_unplaced(named)}:
                self.claimed[found.name] = None
                self.content.append(read_whole(found))
                return page
        if not isinstance(reference, dict) or not {"items", "resources"} & reference.keys():
            self.absent.append(_last(address))
        return None

    def _claim_twins(self, canvas: Json, has_text: bool) -> None:
        """Claim the files beside that a canvas names as its text in another form, when its text was read."""
        for one in objects(canvas, "rendering", "seeAlso"):
            address = identifier(one)
            for found in _beside(self.source, address) if has_text and address else ():
                if found.name != self.source.name:
                    self.claimed[found.name] = None


def _to_document(reading: _Reading, pages: tuple[Page, ...]) -> Iterator[Document | Refused]:
    manifest, source = reading.manifest, reading.source
    composed = compose(pages)
    reasons = [*reading.said, *reading.account.said()]
    if not composed.text:
        name = label_of(manifest) or stem(source.name)
        yield Refused("", f"the manifest {name!r} of {len(pages)} canvases holds no text, so it is no document: "
                      f"{'; '.join(reasons) or 'it has no annotations'}. Put its annotation pages or text files here.")
        return
    header = describe(manifest, _most(reading.notes))
    address = identifier(manifest)
    own = DocumentId(address) if "://" in address else named_id(source.name, 2)
    provenance = Provenance(source.name, "", digest(b"\n".join(reading.content)), "iiif", header.link, header.rights)
    yield Document(own, "", header.title or stem(source.name), composed.text, header.language, provenance,
                   header.dates, header.details, composed.anchors)
    yield from (Refused("", said, kept=True) for said in (*reasons, *header.problems))


def _collection(collection: Json, source: Source) -> Refused:
    members = list(objects(collection, "items", "manifests", "members", "collections"))
    absent = [identifier(one) for one in members if not any(_beside(source, identifier(one)))]
    lacking = f"; not among the files: {len(absent)} ({_few([_last(one) for one in absent])})" if absent else ""
    return Refused("", f"the collection {label_of(collection)!r} lists {len(members)} manifests or collections and is "
                   f"no document of its own{lacking}; nothing is fetched. Save the manifests you want beside it.")


def _open(source: Source) -> Json:
    text, _ = decode(source)
    try:
        found = load(text)
    except ValueError as error:
        raise SourceRefusedError(f"the file is not JSON ({error}).", where=source.name,
                                 remedy="Save it again from where it came.") from error
    if not isinstance(found, dict):
        raise SourceRefusedError("the file is JSON but no object, so no IIIF.", where=source.name,
                                 remedy="Save the manifest itself.")
    return found


def _annotations(page: Json) -> list[Json]:
    """Return the annotations of a page or list, or the one annotation that it is."""
    if not isinstance(page, dict) or kind(page) not in {*_ANNOTATIONS, ""}:
        return []
    if kind(page) == "Annotation":
        return [page]
    found: list[Json] = []
    for one in (*listed(page.get("items")), *listed(page.get("resources"))):
        found.extend(listed(one.get("items")) if kind(one) == "AnnotationPage" else [one])
    return found


def _image(canvas: Json) -> str:
    """Return the address of the image painted on a canvas; it is kept, never fetched."""
    for page in (canvas, *objects(canvas, "items")):
        for annotation in objects(page, "items", "images"):
            for body in objects(annotation, "body", "resource"):
                for one in (body, *objects(body, "items", "default")):
                    if kind(one) in {"Image", "dctypes:Image"}:
                        return identifier(one)
    return ""


def _beside(source: Source, address: str) -> Iterator[Source]:
    """Yield the files beside that an address may mean: the last three, two and one parts of it, with or without .json.

    Servers name what is saved as `list/p1.json` by an address that ends in `list/p1`.
    """
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


def _last(address: str) -> str:
    return unquote(address.rstrip("/").rpartition("/")[2])


def _few(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _most(found: list[Note]) -> str:
    counted = Counter(one.language for one in found if one.language)
    return counted.most_common(1)[0][0] if counted else ""
