"""What every reader of the port `Reader` must do. A plug-in adds its samples to `SAMPLES` and runs this file.

A sample is a sound file, the same with one record damaged, and how many documents each gives.
"""

import contextlib
import importlib.util
from dataclasses import dataclass

import pytest

from fakes.parquet import table
from fakes.pdf import pdf
from fakes.sources import MemorySource, source
from fakes.workbooks import PARTS, workbook
from vestigia.corpus.passages import cut
from vestigia.corpus.readers.alto import AltoReader
from vestigia.corpus.readers.hansard import HansardReader
from vestigia.corpus.readers.hocr import HocrReader
from vestigia.corpus.readers.iiif import AnnotationsReader, IiifReader
from vestigia.corpus.readers.mets import MetsReader
from vestigia.corpus.readers.page import PageReader
from vestigia.corpus.readers.parquet import ParquetReader
from vestigia.corpus.readers.pdf import PdfReader
from vestigia.corpus.readers.plain import PlainReader
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.spreadsheet import SpreadsheetReader
from vestigia.corpus.readers.tables import TablesReader
from vestigia.corpus.readers.tei import TeiReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader, Refused

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"{}><teiHeader/><text><body><p>{}</p></body></text></TEI>'
PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page imageFilename="1.jpg">
<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="{}"/></OrderedGroup></ReadingOrder>
<TextRegion id="r1"><Coords points="1,1 9,9"/><TextLine id="l1"><TextEquiv><Unicode>Mon cher ami.</Unicode></TextEquiv>
</TextLine></TextRegion></Page></PcGts>"""
HOCR = """<html><body><div class="ocr_page" title="bbox 0 0 9 9"><span class="ocr_line" title="bbox 1 1 9 9">
<span class="ocrx_word" title="bbox 1 1 4 4; x_wconf 90">Mon</span> <span class="ocrx_word">{}</span></span></div>
</body></html>"""
ALTO = """<alto><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page ID="P1"><PrintSpace>
<TextBlock ID="B1"><TextLine HPOS="1" VPOS="1" WIDTH="9" HEIGHT="{}"><String CONTENT="Mon"/><SP/>
<String CONTENT="ami."/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>"""
METS = """<mets xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp USE="Text">
<file ID="F1"><FLocat xlink:href="1.xml"/></file><file ID="F2"><FLocat xlink:href="{}"/></file></fileGrp></fileSec>
<structMap TYPE="PHYSICAL"><div><div TYPE="page" ORDER="2"><fptr FILEID="F2"/></div>
<div TYPE="page" ORDER="1"><fptr FILEID="F1"/></div></div></structMap></mets>"""
HANSARD = """<housecommons><col>1</col><title>HOUSE OF COMMONS</title><date format="{}-08-21">Wednesday, 21st August,
1889.</date><debates><section><title>SUPPLY</title><p>Considered.</p></section><section><title>COAL</title><p>Read.</p>
</section></debates></housecommons>"""
ANNOTATIONS = """{{"@context": "http://iiif.io/api/presentation/3/context.json", "type": "AnnotationPage", "items": [
{{"type": "Annotation", "motivation": "{}", "target": "c#xywh=1,2,3,4", "body": {{"value": "Mon ami."}}}},
{{"type": "Annotation", "motivation": "supplementing", "target": "c#xywh=1,9,3,4", "body": {{"value": "Paris."}}}}]}}"""
MANIFEST = """{{"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest", "label": "Lettre",
"navDate": "{}T00:00:00Z", "items": [{{"id": "c", "type": "Canvas", "items": [{{"type": "AnnotationPage", "items": [
{{"type": "Annotation", "motivation": "painting", "body": {{"type": "Image", "id": "1.jpg"}}}}]}}],
"annotations": ["p1.json"]}}]}}"""
SHEET = "xl/worksheets/sheet1.xml"
CORPUS = '<?xml version="1.0"?><!-- ours --><teiCorpus xmlns="http://www.tei-c.org/ns/1.0">{}</teiCorpus>'


@dataclass(frozen=True)
class Sample:
    """A reader with a sound and a damaged file of its kind."""

    reader: Reader
    name: str
    sound: bytes
    documents: int
    damaged: bytes
    left: int
    beside: tuple[MemorySource, ...] = ()

    def opened(self, content: bytes) -> MemorySource:
        """The file with this content, among the files beside it."""
        return MemorySource(self.name, content, self.beside)


def installed(module: str | None) -> bool:
    """Whether a library that a reader needs is there; most need none."""
    return module is None or importlib.util.find_spec(module) is not None


SAMPLES = (
    Sample(
        RecordsReader(),
        "letters.jsonl",
        b'{"id": "a", "text": "Mon cher ami. Paris."}\n{"id": "b", "text": "Mon ami."}\n',
        2,
        b'{"id": "a", "text": "Mon cher ami. Paris."}\n{"id": "b", "te\n{"id": "c", "text": "Oui."}\n',
        2,
    ),
    Sample(
        RecordsReader(),
        "letters.json",
        b'[{"id": "a", "text": "Mon cher ami."}, {"id": "b", "text": "Oui."}]',
        2,
        b'[{"id": "a", "text": "Mon cher ami."}, {"id": "b"}, {"id": "c", "text": "Oui."}]',
        2,
    ),
    Sample(
        TablesReader(),
        "letters.csv",
        b'id,text\na,"Mon cher\nami"\nb,Oui\n',
        2,
        b'id,text\na,"Mon cher\nami"\nb,Oui,non,si\nc,Oui\n',
        2,
    ),
    Sample(
        ParquetReader(),
        "letters.parquet",
        table(id=["a", "b"], text=["Mon cher ami.", "Oui."]),
        2,
        table(id=["a", "b"], text=["Mon cher ami.", " "]),
        1,
    ),
    Sample(
        SpreadsheetReader(),
        "letters.xlsx",
        workbook(),
        2,
        workbook({SHEET: PARTS[SHEET].replace("Oui.", " ").encode()}),
        1,
    ),
    Sample(PlainReader(), "folder/1887-01-12.txt", b"Mon cher ami.\n\nParis.", 1, b"Mon cher ami.\n\nParis.\0", 1),
    Sample(
        TeiReader(),
        "letters.xml",
        CORPUS.format(TEI.format(' xml:id="a"', "Mon cher ami.")).encode(),
        1,
        CORPUS.format(TEI.format("", "") + TEI.format("", "Mon cher ami.")).encode(),
        1,
    ),
    Sample(AltoReader(), "folder/0001.xml", ALTO.format("9").encode(), 1, ALTO.format("-19").encode(), 1),
    Sample(
        MetsReader(),
        "mets.xml",
        METS.format("2.xml").encode(),
        1,
        METS.format("absent.xml").encode(),
        1,
        (source("1.xml", ALTO.format("9")), source("2.xml", ALTO.format("9"))),
    ),
    Sample(PageReader(), "folder/0001.xml", PAGE.format("r1").encode(), 1, PAGE.format("r2").encode(), 1),
    Sample(HocrReader(), "folder/0001.hocr", HOCR.format("ami.").encode(), 1, HOCR.format("a<!--mi.").encode(), 1),
    Sample(HansardReader(), "vol/commons.xml", HANSARD.format("1889").encode(), 2, HANSARD.format("1887").encode(), 2),
    Sample(
        IiifReader(),
        "folder/manifest.json",
        MANIFEST.format("1887-01-12").encode(),
        1,
        MANIFEST.format("1887-13-12").encode(),
        1,
        (source("p1.json", ANNOTATIONS.format("supplementing")),),
    ),
    Sample(
        AnnotationsReader(),
        "folder/p1.json",
        ANNOTATIONS.format("supplementing").encode(),
        1,
        ANNOTATIONS.format("commenting").encode(),
        1,
    ),
    Sample(PdfReader(), "folder/1887-01-12.pdf", pdf(("Mon cher ami.",)), 1, pdf(("Mon cher ami.",), ()), 1),
)
NEEDS = {"xlsx": "openpyxl", "parquet": "pyarrow"}
each_sample = pytest.mark.parametrize(
    "sample",
    [
        pytest.param(
            sample,
            id=sample.name,
            marks=pytest.mark.skipif(not installed(NEEDS.get(sample.reader.name)), reason="an extra"),
        )
        for sample in SAMPLES
    ],
)


def documents(sample: Sample, content: bytes) -> list[Document]:
    return [read for read in sample.reader.read(sample.opened(content)) if isinstance(read, Document)]


@each_sample
def test_it_recognises_its_own_files(sample: Sample):
    assert sample.reader.sniff(sample.name, sample.sound)


@each_sample
def test_it_leaves_the_files_of_other_readers_alone(sample: Sample):
    for other in SAMPLES:
        if type(other.reader) is not type(sample.reader):
            assert not sample.reader.sniff(other.name, other.sound)


@each_sample
@pytest.mark.parametrize(
    "head",
    [
        b"\x89PNG\r\n\x1a\n",
        b"<svg xmlns='http://www.w3.org/2000/svg'>",
        b"<?xml version='1.0'?><m:collection>",
        b"\x1f\x8b\x08",
        b"PK\x03\x04",
    ],
)
def test_it_leaves_files_of_unknown_kinds_alone(sample: Sample, head: bytes):
    assert not sample.reader.sniff("unknown.bin", head)


@each_sample
def test_it_has_a_short_name(sample: Sample):
    assert sample.reader.name.isidentifier()


@each_sample
def test_it_yields_a_document_for_each_record(sample: Sample):
    assert len(documents(sample, sample.sound)) == sample.documents


@each_sample
def test_documents_have_distinct_ids_and_are_the_same_every_time(sample: Sample):
    once, again = documents(sample, sample.sound), documents(sample, sample.sound)
    assert once == again
    assert len({document.id for document in once}) == len(once)


@each_sample
def test_the_passages_of_its_documents_cover_their_texts(sample: Sample):
    for document in documents(sample, sample.sound):
        passages = cut(document.id, document.text, 2)
        assert " ".join(passage.text for passage in passages).split() == document.text.split()


@each_sample
def test_a_document_says_where_it_came_from(sample: Sample):
    for document in documents(sample, sample.sound):
        assert document.provenance.file == sample.name
        assert document.provenance.reader == sample.reader.name
        assert document.provenance.digest.startswith("sha256:")


@each_sample
def test_one_bad_record_does_not_stop_the_rest(sample: Sample):
    assert len(documents(sample, sample.damaged)) == sample.left


@each_sample
def test_a_refusal_says_where_and_why(sample: Sample):
    refused = [read for read in sample.reader.read(sample.opened(sample.damaged)) if isinstance(read, Refused)]
    assert refused or sample.reader.name == "text"  # the one-record kind: its damage is repaired by the importer
    assert all(one.reason for one in refused)


@each_sample
def test_a_file_with_nothing_in_it_is_refused_or_yields_no_document(sample: Sample):
    with contextlib.suppress(SourceRefusedError):
        assert documents(sample, b" \n") == []


@each_sample
def test_a_source_is_read_from_its_beginning_each_time(sample: Sample):
    same = sample.opened(sample.sound)
    assert list(sample.reader.read(same)) == list(sample.reader.read(same))
