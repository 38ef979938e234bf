"""What every reader of the port `Reader` must do. A plug-in adds its samples to `SAMPLES` and runs this file.

A sample is a sound file, the same with one record damaged, and how many documents each gives.
"""

import contextlib
from dataclasses import dataclass

import pytest

from fakes.sources import source
from vestigia.corpus.passages import cut
from vestigia.corpus.readers.plain import PlainReader
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.tables import TablesReader
from vestigia.corpus.readers.tei import TeiReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader, Refused

TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"{}><teiHeader/><text><body><p>{}</p></body></text></TEI>'
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


SAMPLES = (
    Sample(RecordsReader(), "letters.jsonl",
           b'{"id": "a", "text": "Mon cher ami. Paris."}\n{"id": "b", "text": "Mon ami."}\n', 2,
           b'{"id": "a", "text": "Mon cher ami. Paris."}\n{"id": "b", "te\n{"id": "c", "text": "Oui."}\n', 2),
    Sample(RecordsReader(), "letters.json", b'[{"id": "a", "text": "Mon cher ami."}, {"id": "b", "text": "Oui."}]', 2,
           b'[{"id": "a", "text": "Mon cher ami."}, {"id": "b"}, {"id": "c", "text": "Oui."}]', 2),
    Sample(TablesReader(), "letters.csv", b'id,text\na,"Mon cher\nami"\nb,Oui\n', 2,
           b'id,text\na,"Mon cher\nami"\nb,Oui,non,si\nc,Oui\n', 2),
    Sample(PlainReader(), "folder/1887-01-12.txt", b"Mon cher ami.\n\nParis.", 1,
           b"Mon cher ami.\n\nParis.\0", 1),
    Sample(TeiReader(), "letters.xml", CORPUS.format(TEI.format(' xml:id="a"', "Mon cher ami.")).encode(), 1,
           CORPUS.format(TEI.format("", "") + TEI.format("", "Mon cher ami.")).encode(), 1),
)
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


def documents(sample: Sample, content: bytes) -> list[Document]:
    return [read for read in sample.reader.read(source(sample.name, content)) if isinstance(read, Document)]


@each_sample
def test_it_recognises_its_own_files(sample: Sample):
    assert sample.reader.sniff(sample.name, sample.sound)


@each_sample
def test_it_leaves_the_files_of_other_readers_alone(sample: Sample):
    for other in SAMPLES:
        if type(other.reader) is not type(sample.reader):
            assert not sample.reader.sniff(other.name, other.sound)


@each_sample
@pytest.mark.parametrize("head", [b"\x89PNG\r\n\x1a\n", b"<alto xmlns='http://www.loc.gov/standards/alto/ns-v3#'>",
                                  b"<?xml version='1.0'?><mets:mets>", b"%PDF-1.7", b"PK\x03\x04"])
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
    refused = [read for read in sample.reader.read(source(sample.name, sample.damaged)) if isinstance(read, Refused)]
    assert refused or sample.reader.name == "text"  # the one-record kind: its damage is repaired by the importer
    assert all(one.reason for one in refused)


@each_sample
def test_a_file_with_nothing_in_it_is_refused_or_yields_no_document(sample: Sample):
    with contextlib.suppress(SourceRefusedError):
        assert documents(sample, b" \n") == []


@each_sample
def test_a_source_is_read_from_its_beginning_each_time(sample: Sample):
    same = source(sample.name, sample.sound)
    assert list(sample.reader.read(same)) == list(sample.reader.read(same))
