"""Encodings: read without doubt, or refused."""

from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.encodings import begin_of, decode, detect
from vestigia.corpus.sources import FileSource, Said
from vestigia.domain.errors import SourceRefusedError

FRENCH = "« L'été à Besançon », dit-il ; où est-ce ? Près de l'hôtel, n° 12, cœur ouvert… 20 °C\n"
GERMAN = "Die Brücke über die Straße „Am Fluß“ – schöne Grüße, Ärger und Öl.\n"
ENGLISH = "It’s the council’s “minutes” — they don’t say.\n"
SPANISH = "¿Dónde está el niño? ¡Aquí! El año próximo.\n"


@pytest.mark.parametrize("text", [FRENCH, GERMAN, ENGLISH, SPANISH])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_a_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str):
    assert decode(source("a.txt", text.encode(encoding))) == (text, encoding)


@pytest.mark.parametrize("text", [FRENCH, GERMAN])
def test_old_macintosh_text_is_read(text: str):
    assert decode(source("a.txt", text.encode("mac_roman"))) == (text, "mac_roman")


@pytest.mark.parametrize("text", ["Où sont les élèves de l'école ? À côté.\n", "Die Brücke, schöne Grüße.\n"])
def test_old_dos_text_is_read(text: str):
    assert decode(source("a.txt", text.encode("cp850"))) == (text, "cp850")


def test_ascii_is_utf8():
    assert detect(source("a.txt", b"Paris")) == "utf-8"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"freedom\xa1Xand liberty", id="Big5 dashes"),
        pytest.param("Привет, мир".encode("cp1251"), id="Russian"),
        pytest.param("Ελληνικά κείμενα".encode("iso8859-7"), id="Greek"),
        pytest.param(b"caf\xe9 \xff\xfe\x9d\x81", id="undefined bytes"),
        pytest.param("日本語の文書".encode("shift_jis"), id="Japanese"),
    ],
)
def test_what_could_be_read_wrongly_is_refused_with_line_and_remedy(content: bytes):
    with pytest.raises(SourceRefusedError, match="without doubt") as caught:
        decode(source("letters/a.txt", b"first line\n" + content))
    assert caught.value.where == "letters/a.txt"
    assert "in line 2" in caught.value.what
    assert "save it as UTF-8" in caught.value.remedy


@pytest.mark.parametrize(
    ("content", "byte"),
    [
        ("Paris, 1887 – où".encode()[:-1], 17),
        ("Paris – 𝔄".encode()[:-2], 10),
        (b"\xff\xfea\0b", 4),
        ("é".encode() * 700_000 + b"\xc3", 1_400_000),
    ],
)
def test_a_file_that_breaks_off_inside_a_character_is_refused(content: bytes, byte: int):
    with pytest.raises(SourceRefusedError, match=rf"breaks off inside a character \(byte {byte}\)") as caught:
        decode(source("a.txt", content))
    assert "Take the original file again" in caught.value.remedy


def test_a_last_letter_of_an_old_encoding_is_no_broken_character():
    assert decode(source("a.txt", "Mon cher ami, au café".encode("cp1252"))) == ("Mon cher ami, au café", "cp1252")


@pytest.mark.parametrize("content", [b"\xff\xfea\0\x00\xd8b\0", b"\xff\xfe\0\0abcd", b"\xef\xbb\xbfcaf\xe9 noir"])
def test_a_byte_order_mark_that_lies_is_refused(content: bytes):
    with pytest.raises(SourceRefusedError, match="says it is utf-"):
        decode(source("a.txt", content))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_known_by_its_zeros(encoding: str):
    assert decode(source("a.txt", FRENCH.encode(encoding))) == (FRENCH, encoding)


def test_the_beginning_of_a_file_is_shown_whatever_its_encoding():
    assert begin_of("id\tété".encode("utf-16")) == "\ufeffid\tété".removeprefix("\ufeff")
    assert begin_of("id\tété".encode("utf-16-le")) == "id\tété"
    assert begin_of("id\tété".encode("utf-8-sig")) == "id\tété"
    assert begin_of(b"id\t\xe9") == "id\t\ufffd"


def test_binary_content_is_not_taken_for_text():
    with pytest.raises(SourceRefusedError, match="not text"):
        decode(source("a.txt", bytes(range(32)) * 20))


def test_line_ends_of_every_system_become_one():
    assert decode(source("a.txt", b"a\r\nb\rc\nd"))[0] == "a\nb\nc\nd"


def test_a_large_file_of_utf8_is_told_in_portions():
    assert detect(source("a.txt", "é".encode() * 1_500_000)) == "utf-8"


@pytest.mark.parametrize("content", [b"", b" \r\n\t"])
def test_an_empty_file_is_refused(content: bytes):
    with pytest.raises(SourceRefusedError, match="empty"):
        decode(source("a.txt", content))


@pytest.mark.shared
def test_of_the_inaugural_addresses_only_the_tainted_one_is_refused(shared_data: Path):
    refused = []
    for path in sorted((shared_data / "inaugural-txt-en").glob("*.txt")):
        try:
            decode(FileSource(path, path.name))
        except SourceRefusedError as error:
            refused.append(error.where)
    assert refused == ["2005-Bush.txt"]


def said(path: Path, content: bytes, encoding: str) -> FileSource:
    path.write_bytes(content)
    return FileSource(path, path.name, said=Said(encoding))


def test_the_encoding_the_user_names_is_that_of_files_that_are_not_unicode(tmp_path: Path):
    russian = "Привет, мир"
    assert decode(said(tmp_path / "a.txt", russian.encode("cp1251"), "cp1251")) == (russian, "cp1251")
    assert decode(said(tmp_path / "b.txt", russian.encode(), "cp1251")) == (russian, "utf-8")
    assert decode(said(tmp_path / "c.txt", russian.encode("utf-16"), "cp1251")) == (russian, "utf-16")
    assert decode(said(tmp_path / "d.txt", b"Paris", "cp1251")) == ("Paris", "utf-8")


def test_a_file_that_is_not_in_the_encoding_the_user_names_is_refused(tmp_path: Path):
    with pytest.raises(
        SourceRefusedError, match="neither UTF-8 nor ascii, as --encoding says: byte 3 is not"
    ) as caught:
        decode(said(tmp_path / "a.txt", "café".encode("cp1252"), "ascii"))
    assert caught.value.where == "a.txt"
    assert "another encoding" in caught.value.remedy
