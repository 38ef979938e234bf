"""IIIF Presentation 2 and 3 from files: a manifest is a document, its canvases are pages, annotations are its words.

Nothing is ever fetched. Annotation pages that a manifest refers to are taken from the files beside it, by the last
parts of their address; where there are none, the ALTO or text files that a canvas names are read. A page that exists
twice is read once, and the other file is claimed. A manifest without any text and a collection are no documents, and
the report says why.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from vestigia.corpus.readers.iiif_canvases import (
    ANNOTATIONS,
    Reading,
    annotations_of,
    beside,
    few,
    last_part,
    open_json,
)
from vestigia.corpus.readers.iiif_header import describe, label_of, link_of
from vestigia.corpus.readers.iiif_json import Json, identifier, kind, objects, root_type
from vestigia.corpus.readers.iiif_text import Account, Note, notes, to_region
from vestigia.corpus.readers.pages import Page, compose
from vestigia.corpus.sources import named_id, read_whole, stem
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.ports import Claimed, Refused, Source

_CONTEXTS = (b"iiif.io/api", b"shared-canvas.org", b"anno.jsonld")


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
        manifest = open_json(source)
        if kind(manifest) == "Collection":
            yield _collection(manifest, source)
            return
        if kind(manifest) != "Manifest":
            raise SourceRefusedError(
                f"the file is JSON of the type {kind(manifest)!r}, no manifest.",
                where=source.name,
                remedy="Save the manifest itself.",
            )
        reading = Reading(source, manifest)
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
        return root_type(head).split(":")[-1] in ANNOTATIONS and any(one in head for one in _CONTEXTS)

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read it as one document. Raises SourceRefusedError for what is no IIIF or holds no text."""
        page, account = open_json(source), Account()
        found = notes(annotations_of(page), account)
        canvases: dict[str, list[Note]] = {}
        for one in found:
            canvases.setdefault(one.canvas, []).append(one)
        composed = compose(Page(last_part(canvas), (to_region("", these),)) for canvas, these in canvases.items())
        if not composed.text:
            raise SourceRefusedError(
                "the annotations hold no text. " + ". ".join(account.said()),
                where=source.name,
                remedy="If the text is elsewhere, save it here.",
            )
        provenance = Provenance(source.name, "", digest(read_whole(source)), self.name, link_of(page))
        yield Document(
            named_id(source.name, 2),
            "",
            label_of(page) or stem(source.name),
            composed.text,
            _most(found),
            provenance,
            anchors=composed.anchors,
        )
        yield Refused(
            "",
            "annotations without their manifest: the text goes in without title and date. Put the manifest beside it",
            kept=True,
        )
        yield from (Refused("", said, kept=True) for said in account.said())


def _to_document(reading: Reading, pages: tuple[Page, ...]) -> Iterator[Document | Refused]:
    manifest, source = reading.manifest, reading.source
    composed = compose(pages)
    reasons = [*reading.said, *reading.account.said()]
    silence = f"canvases without text: {len(reading.silent)} of {len(pages)} ({few(reading.silent)})"
    silent = [silence] if reading.silent else []
    if not composed.text:
        name = label_of(manifest) or stem(source.name)
        yield Refused(
            "",
            f"the manifest {name!r} of {len(pages)} canvases holds no text, so it is no document: "
            f"{'; '.join([*reading.said, *silent, *reading.account.said()]) or 'it has no annotations'}. "
            "Put its annotation pages or text files here.",
            pages_without_text=len(pages),
        )
        return
    header = describe(manifest, _most(reading.notes))
    address = identifier(manifest)
    own = DocumentId(address) if "://" in address else named_id(source.name, 2)
    provenance = Provenance(source.name, "", digest(b"\n".join(reading.content)), "iiif", header.link, header.rights)
    yield Document(
        own,
        "",
        header.title or stem(source.name),
        composed.text,
        header.language,
        provenance,
        header.dates,
        header.details,
        composed.anchors,
    )
    for told in silent:
        yield Refused("", told, kept=True, pages_without_text=len(reading.silent))
    yield from (Refused("", said, kept=True) for said in (*reasons, *header.problems))


def _collection(collection: Json, source: Source) -> Refused:
    members = list(objects(collection, "items", "manifests", "members", "collections"))
    absent = [identifier(one) for one in members if not any(beside(source, identifier(one)))]
    lacking = f"; not among the files: {len(absent)} ({few([last_part(one) for one in absent])})" if absent else ""
    return Refused(
        "",
        f"the collection {label_of(collection)!r} lists {len(members)} manifests or collections and is "
        f"no document of its own{lacking}; nothing is fetched. Save the manifests you want beside it.",
    )


def _most(found: list[Note]) -> str:
    counted = Counter(one.language for one in found if one.language)
    return counted.most_common(1)[0][0] if counted else ""
