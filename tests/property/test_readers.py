"""Readers meet damaged files: nothing crashes, and nothing is lost in silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.parquet import table
from fakes.pdf import pdf
from fakes.sources import MemorySource, source
from fakes.workbooks import workbook
from vestigia.corpus.importing import BUILT_IN
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Claimed, Reader, Refused

ALTO = """<alto><Layout><Page ID="P1"><PrintSpace><TextBlock ID="B1"><TextLine ID="L1">
    <String ID="W1" CONTENT="Besan" SUBS_TYPE="HypPart1" SUBS_CONTENT="Besançon"/><HYP CONTENT="-"/></TextLine>
    <TextLine><String CONTENT="çon" SUBS_TYPE="HypPart2" SUBS_CONTENT="Besançon" WC="0.5"/></TextLine></TextBlock>
    </PrintSpace></Page></Layout></alto>"""
SOUND = {
    "alto": ("a.xml", ALTO),
    "mets": (
        "m.xml",
        """<mets xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp USE="Text"><file ID="F1">
        <FLocat xlink:href="a.xml"/></file></fileGrp></fileSec><structMap TYPE="LOGICAL"><div TYPE="ARTICLE" ID="A1">
        <fptr><area FILEID="F1" BEGIN="B1"/></fptr></div></structMap></mets>""",
    ),
    "tei": (
        "a.xml",
        """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Brief</title>
        </titleStmt></fileDesc></teiHeader><text><body><p>Ich <lb/>da &amp; dort.</p></body></text></TEI>""",
    ),
    "page": (
        "a.xml",
        """<PcGts><Page imageFilename="1.jpg"><ReadingOrder><OrderedGroup><RegionRefIndexed index="0"
        regionRef="r1"/></OrderedGroup></ReadingOrder><TextRegion id="r1"><Coords points="1,1 9,9"/><TextLine><TextEquiv
        conf="0.9"><Unicode>Der Antrag Ger⸗</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>""",
    ),
    "hocr": (
        "a.html",
        """<html><head><title>x</title></head><body><div class="ocr_page" title="image 1.png">
        <p class='ocr_par'><span class='ocr_line' title="bbox 1 1 9 9"><span class='ocrx_word' title='x_wconf 90'>Où
        &shy;</span> <span class='ocrx_word'>Paris.</span><br></span></p></div></body></html>""",
    ),
    "jsonl": ("a.jsonl", '{"id": "1", "text": "Où êtes-vous?", "date": "1887-01-12"}\n{"id": "2", "text": "Ici."}\n'),
    "csv": ("a.csv", 'id;text;date\n1;"Où; êtes\nvous?";1887\n2;Ici.;1888\n'),
    "hansard": (
        "a.xml",
        """<housecommons><col>1</col><title>COMMONS</title><date format="1889-08-21">Wednesday, 21st
        August, 1889.</date><debates><section><title>COAL</title><p><member>Mr. Hunt</member>: It <image src="I2"/>
        varies.</p></section></debates></housecommons>""",
    ),
    "iiif": (
        "a.json",
        """{"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest", "label":
        {"fr": ["Le Temps"]}, "navDate": "1887-01-12T00:00:00Z", "items": [{"type": "Canvas", "annotations": [{"type":
        "AnnotationPage", "items": [{"type": "Annotation", "target": "c#xywh=1,2,3,4", "body": "Ici."}]}]}]}""",
    ),
    "iiif_annotations": (
        "a.json",
        """{"@context": "http://iiif.io/api/presentation/2/context.json", "@type":
        "sc:AnnotationList", "resources": [{"@type": "oa:Annotation", "on": {"full": "c", "selector": {"value":
        "xywh=1,2,3,4"}}, "resource": {"chars": "Ici."}}]}""",
    ),
    "pdf": ("a.pdf", pdf(("Eine Rede", "in Weimar."), ("Ende.",)).decode("ascii")),
    "parquet": ("a.parquet", table(id=["1", "2"], text=["Où êtes-vous?", "Ici."], date=["1887-01-12", "1888"])),
    "xlsx": ("a.xlsx", workbook()),
    "text": ("1887-01-12.txt", "Où êtes-vous?\n\nIci, à Paris.\n"),
}


def read_or_refusal(
    reader: Reader, name: str, content: bytes
) -> list[Document | Refused | Claimed] | SourceRefusedError:
    try:
        return list(reader.read(MemorySource(name, content, (source("a.xml", ALTO),))))
    except SourceRefusedError as error:
        return error


@pytest.mark.parametrize("reader", BUILT_IN, ids=lambda reader: reader.name)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_with_its_name_but_never_crashes(reader: Reader, data: st.DataObject):
    name, text = SOUND[reader.name]
    content = bytearray(text.encode() if isinstance(text, str) else text)
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=6)):
        content[place] = data.draw(st.integers(0, 255))
    read = read_or_refusal(reader, name, bytes(content[: data.draw(st.integers(0, len(content)))]))
    if isinstance(read, SourceRefusedError):
        assert read.what
        assert name in read.where
    else:
        told = [one for one in read if not isinstance(one, Claimed)]
        assert all(one.reason if isinstance(one, Refused) else one.text.strip() for one in told)


@given(st.binary(max_size=400))
def test_any_bytes_can_be_sniffed_and_read_by_every_reader(content: bytes):
    for reader in BUILT_IN:
        assert reader.sniff(f"a.{reader.name}", content) in {True, False}
        read = read_or_refusal(reader, "a.json", content)
        assert isinstance(read, list) or "a.json" in read.where
