"""The words of a Word file: paragraphs, notes, tracked changes; what is none is refused in words."""

import io
import zipfile

import pytest

from vestigia.corpus.readers.docx import read_docx
from vestigia.corpus.sources import FileSource
from vestigia.domain.errors import SourceRefusedError

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def part(body):
    return f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'.encode()


@pytest.fixture
def written(tmp_path):
    """Write a zip file of these parts; returns it as a source."""

    def write(**parts):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(f"word/{name}.xml", content)
        path = tmp_path / "essay.docx"
        path.write_bytes(packed.getvalue())
        return FileSource(path, "essay.docx")

    return write


def test_paragraphs_runs_and_signs(written):
    body = (
        "<w:p><w:r><w:t>Il dit </w:t></w:r><w:r><w:t>« oui »</w:t>"
        "<w:tab/><w:t>puis</w:t><w:br/><w:t>non.</w:t></w:r></w:p>"
        "<w:p/><w:p><w:r><w:t>Un arc</w:t><w:noBreakHyphen/><w:t>en</w:t></w:r></w:p>"
    )

    assert read_docx(written(document=part(body))) == "Il dit « oui »\tpuis\nnon.\n\nUn arc-en"


def test_notes_follow_and_deleted_text_is_gone(written):
    body = "<w:p><w:ins><w:r><w:t>neu</w:t></w:r></w:ins><w:del><w:r><w:delText>alt</w:delText></w:r></w:del></w:p>"
    note = part("<w:footnote><w:p><w:r><w:t>Vgl. „hier“.</w:t></w:r></w:p></w:footnote>")

    assert read_docx(written(document=part(body), footnotes=note)) == "neu\n\nVgl. „hier“."


def test_no_zip_file_is_refused(tmp_path):
    path = tmp_path / "essay.docx"
    path.write_bytes(b"Dear all")
    with pytest.raises(SourceRefusedError, match=r"essay\.docx: .*cannot be unpacked as a Word file"):
        read_docx(FileSource(path, "essay.docx"))


def test_a_zip_file_without_a_text_is_refused(written):
    with pytest.raises(SourceRefusedError, match="no Word text"):
        read_docx(written(settings=b"<a/>"))


def test_broken_mark_up_is_refused(written):
    with pytest.raises(SourceRefusedError, match=r"essay\.docx, word/document\.xml.*not well-formed"):
        read_docx(written(document=b"<w:p>"))


def test_a_part_that_unpacks_without_end_is_refused(written):
    with pytest.raises(SourceRefusedError, match="more than 64 MB"):
        read_docx(written(document=b" " * (64 * 1024 * 1024 + 1)))


def test_entities_are_not_resolved(written):
    content = b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + part("<w:p><w:r><w:t>&e;</w:t></w:r></w:p>")
    with pytest.raises(SourceRefusedError, match="entities"):
        read_docx(written(document=content))
