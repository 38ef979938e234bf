"""TEI letters and other texts: one document for each `TEI` element."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from vestigia.corpus.readers.tei_header import describe
from vestigia.corpus.readers.tei_names import names_in
from vestigia.corpus.readers.tei_text import reading_text
from vestigia.corpus.readers.xml import Node, local, open_xml, root_name
from vestigia.corpus.sources import named_id
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.ports import Refused, Source

_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_ROOTS = {"TEI", "TEI.2", "teiCorpus", "teiCorpus.2"}


@dataclass(frozen=True, slots=True)
class TeiReader:
    """Reads TEI P5 and P4, single or several in a `teiCorpus`."""

    @property
    def name(self) -> str:
        """`tei`."""
        return "tei"

    def sniff(self, name: str, head: bytes) -> bool:  # noqa: ARG002 - the port hands it
        """Whether the content has a TEI root; the name may end in anything."""
        return root_name(head) in _ROOTS

    def read(self, source: Source) -> Iterator[Document | Refused]:
        """Read every TEI element. Raises SourceRefusedError for broken XML and for XML that is not TEI."""
        root = open_xml(source)
        if local(root) not in _ROOTS:
            raise SourceRefusedError(
                f"the file is XML with the root element <{local(root)}>, not TEI.",
                where=source.name,
                remedy="Convert it to TEI, or add its text as .txt.",
            )
        texts = list(root.iter("{*}TEI", "{*}TEI.2"))
        for number, element in enumerate(texts, 1):
            yield from self._read_one(element, source.name, number if len(texts) > 1 else 0)
        if not texts:
            raise SourceRefusedError("the teiCorpus holds no TEI element.", where=source.name)

    def _read_one(self, element: Node, file: str, number: int) -> Iterator[Document | Refused]:
        own = element.get(_XML_ID, "").strip()
        place = own or (f"TEI {number}" if number else "")
        body = element.find("{*}text")
        text = "" if body is None else reading_text(body)
        if not text:
            yield Refused(place, "the TEI has no text: its <text> is absent or holds only notes and deletions.")
            return
        header = describe(element.find("{*}teiHeader"), body)
        unnamed = named_id(file, 1) + (f"-{number}" if number else "")
        provenance = Provenance(
            file, place, digest(etree.tostring(element, with_tail=False)), self.name, header.link, header.rights
        )
        yield Document(
            DocumentId(own or unnamed),
            header.sub_corpus,
            header.title or own or unnamed,
            text,
            header.language,
            provenance,
            header.dates,
            (*header.details, *names_in(body)),
        )
        for problem in header.problems:
            rest = "" if header.dates else "; the document goes in undated"
            yield Refused(place, f"{problem}{rest}", kept=True)
