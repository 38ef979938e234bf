"""JSON Lines and JSON arrays."""

import tracemalloc
from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Refused

READER = RecordsReader()


def read(name: str, content: str | bytes, reader: RecordsReader = READER) -> list[Document | Refused]:
    return list(reader.read(source(name, content)))


def texts(name: str, content: str | bytes) -> list[str]:
    return [one.text if isinstance(one, Document) else f"refused: {one.place}" for one in read(name, content)]


def test_each_line_is_a_document_with_its_line_number():
    one, other = read("a.jsonl", '{"id": "1", "text": "Oui."}\n\n{"id": "2", "text": "Non."}\n')
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (one.id, one.provenance.record) == ("1", "line 1")
    assert (other.id, other.provenance.record) == ("2", "line 3")


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm():
    assert texts("a.jsonl", b'\xef\xbb\xbf{"text": "Oui."}\r\n{"text": "Non."}\r\n') == ["Oui.", "Non."]


def test_a_last_line_without_line_end_is_read():
    assert texts("a.jsonl", '{"text": "Oui."}') == ["Oui."]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"text": "Ou', "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"7", "a number"),
        (b'"a"', "a text"),
        (b"null", "empty"),
        (b"[1]", "a list"),
        (b"true", "true or false"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": ' + b"1" * 5000 + b"}", "not JSON"),
    ],
)
def test_a_broken_line_is_refused_and_the_rest_goes_in(line: bytes, reason: str):
    before, refused, after = read("a.jsonl", b'{"text": "Oui."}\n' + line + b'\n{"text": "Non."}\n')
    assert isinstance(before, Document)
    assert isinstance(after, Document)
    assert isinstance(refused, Refused)
    assert refused.place == "line 2"
    assert reason in refused.reason


def test_a_line_beyond_the_limit_is_refused_without_being_held_and_the_rest_goes_in():
    long = '{"text": "' + "x" * 3_000_000 + '"}'
    content = f'{{"text": "Oui."}}\n{long}\n{{"text": "Non."}}\n'
    read_all = read("a.jsonl", content, RecordsReader(longest_line=1 << 20))
    assert [type(one) for one in read_all] == [Document, Refused, Document]
    assert isinstance(read_all[1], Refused)
    assert "line 2" in read_all[1].place
    assert "longer than 1 MB" in read_all[1].reason


def test_half_a_surrogate_pair_is_left_to_the_importer():
    assert texts("a.jsonl", '{"text": "Par\\ud800is"}') == ["Par\ud800is"]


def test_the_elements_of_an_array_are_documents():
    one, other = read("a.json", '[\n  {"id": "1", "text": "Oui."},\n  {"id": "2", "text": "Non."}\n]\n')
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert [one.provenance.record, other.provenance.record] == ["record 1", "record 2"]


def test_an_array_in_a_file_named_as_lines_is_read_as_an_array():
    assert texts("a.jsonl", '[{"text": "Oui."}]') == ["Oui."]


def test_lines_in_a_file_named_json_are_read_as_lines():
    assert texts("a.json", '{"text": "Oui."}\n{"text": "Non."}\n') == ["Oui.", "Non."]


@pytest.mark.parametrize("content", ['{"text": "Oui."}', '{\n  "text": "Oui."\n}', '{"documents": [{"text": "Oui."}]}'])
def test_one_object_or_an_object_around_the_list_is_read(content: str):
    assert texts("a.json", content) == ["Oui."]


@pytest.mark.parametrize(
    "content",
    [
        '[{"text": "Oui."}, {"te',
        '[{"text": "Oui."} {"text": "Non."}]',
        '[{"text": "Oui."}, ',
        '[{"text": "Oui."}',
    ],
)
def test_an_array_is_read_up_to_where_it_breaks_and_the_break_is_reported(content: str):
    one, refused = read("a.json", content)
    assert isinstance(one, Document)
    assert isinstance(refused, Refused)
    assert refused.place == "record 2"
    assert "nothing after this place was read" in refused.reason


def test_a_broken_object_is_refused():
    assert texts("a.json", '{\n"text": "Oui') == ["refused: record 1"]


def test_a_comma_after_the_last_element_does_no_harm():
    assert texts("a.json", '[{"text": "Oui."},]') == ["Oui."]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_an_array_is_read_in_every_encoding_and_a_guess_is_told(encoding: str):
    found = read("a.json", '[{"text": "Où êtes-vous, là-bas ?"}]'.encode(encoding))
    assert [one.text for one in found if isinstance(one, Document)] == ["Où êtes-vous, là-bas ?"]
    notes = [one.reason for one in found if isinstance(one, Refused)]
    assert notes == (
        [f"the file is not UTF-8; it was read as {encoding}"] if encoding in {"cp1252", "utf-16-le"} else []
    )


def test_an_object_in_utf16_is_read():
    assert texts("a.json", '{"documents": [{"text": "Où ?"}]}'.encode("utf-16")) == ["Où ?"]


def test_lines_in_utf16_are_refused_with_what_to_do():
    with pytest.raises(SourceRefusedError, match="JSON Lines are UTF-8") as caught:
        read("a.jsonl", '{"text": "Où ?"}\n'.encode("utf-16"))
    assert "Save the file as UTF-8" in caught.value.remedy


def test_an_array_beyond_what_fits_into_memory_is_read_an_element_at_a_time(tmp_path: Path):
    path = tmp_path / "a.json"
    with path.open("w") as stream:
        stream.write("[\n")
        for number in range(3000):
            stream.write(f'{{"id": "{number}", "text": "{"mot " * 2500}"}},\n')
        stream.write('{"id": "last", "text": "Fin."}\n]')
    tracemalloc.start()
    count = sum(isinstance(one, Document) for one in READER.read(FileSource(path, "a.json")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, path.stat().st_size > 30_000_000) == (3001, True)
    assert peak < 16_000_000


def test_an_object_beyond_the_limit_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("vestigia.corpus.sources.read_whole.__defaults__", (100,))
    with pytest.raises(SourceRefusedError, match="larger than") as caught:
        read("a.json", '{"documents": [{"text": "' + "x" * 200 + '"}]}')
    assert "JSON Lines" in caught.value.remedy


def test_it_says_how_it_understands_the_first_record():
    content = 'oops\n{"id": "1", "volltext": "Oui.", "lieu": "Metz"}\n'
    (layout,) = READER.layouts(source("a.jsonl", content))
    assert (layout.encoding, layout.delimiter) == ("utf-8", "")
    assert layout.columns == (("id", "id"), ("volltext", "text"), ("lieu", "details"))
    assert READER.layouts(source("a.jsonl", "oops\n")) == ()


def test_an_empty_array_yields_nothing():
    assert read("a.json", "[]") == []


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(content: bytes):
    with pytest.raises(SourceRefusedError, match="empty"):
        read("a.jsonl", content)


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.jsonl", b"{}", True),
        ("A.NDJSON", b"", True),
        ("a.json", b" [", True),
        ("a.json", b"hello", False),
        ("a.txt", b"{}", False),
        ("manifest.json", b'{"@context": "http://iiif.io/api/presentation/2/context.json"}', False),
    ],
)
def test_its_files_are_told_by_name_and_content(name: str, head: bytes, expected: bool):
    assert RecordsReader().sniff(name, head) is expected


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"id": "1", "text": "Oui.", "text": "Non.", "id": "1"}'),
        ("a.json", '[{"id": "1", "text": "Oui.", "text": "Non.", "id": "1"}]'),
        ("a.json", '{"id": "1",\n "text": "Oui.", "text": "Non.", "id": "1"}'),
    ],
)
def test_a_name_that_comes_twice_is_told_and_the_last_value_counts(name: str, content: str):
    note, one = read(name, content)
    assert note.kept
    assert note.reason == "the record gives 'id', 'text' more than once; the last one counts"
    assert one.text == "Non."


def test_a_name_that_comes_again_deeper_down_is_its_own():
    (one,) = read("a.jsonl", '{"id": "1", "text": "Oui.", "place": {"id": "x", "text": "y"}}')
    assert isinstance(one, Document)
