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


def test_text_that_was_moved_is_read_where_it_stands_now(written):
    run = "<w:r><w:t>Wien</w:t></w:r>"
    body = f"<w:p><w:moveFrom>{run}</w:moveFrom></w:p><w:p>In <w:moveTo>{run}</w:moveTo></w:p>"
    assert read_docx(written(document=part(body))) == "Wien"


def test_a_paragraph_that_was_deleted_whole_is_gone(written):
    body = "<w:del><w:p><w:r><w:t>alt</w:t></w:r></w:p></w:del><w:p><w:r><w:t>neu</w:t></w:r></w:p>"
    assert read_docx(written(document=part(body))) == "neu"


def test_a_text_box_is_read_once_beside_the_paragraph_it_hangs_on(written):
    box = "<w:txbxContent><w:p><w:r><w:t>„Hoch!“</w:t></w:r></w:p></w:txbxContent>"
    both = f"<w:AlternateContent><w:Choice>{box}</w:Choice><w:Fallback>{box}</w:Fallback></w:AlternateContent>"
    body = f"<w:p><w:r><w:t>Man rief </w:t>{both}<w:t>überall.</w:t></w:r></w:p>"
    assert read_docx(written(document=part(body))) == "Man rief überall.\n\n„Hoch!“"


def test_cells_of_a_table_are_paragraphs_of_their_own(written):
    cells = "".join(f"<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>" for text in ("„eins", "zwei“"))
    assert read_docx(written(document=part(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"))) == "„eins\n\nzwei“"


@pytest.mark.parametrize("name", ["Quote", "Intense Quote", "Block Text", "Quotations"])
def test_a_paragraph_in_a_style_for_quotations_is_set_off(written, name):
    styles = f'<w:styles xmlns:w="{W}"><w:style w:styleId="Zitat1"><w:name w:val="{name}"/></w:style></w:styles>'
    words = "<w:r><w:t>Ich war</w:t><w:br/><w:t>in Wien.</w:t></w:r>"
    body = f'<w:p><w:pPr><w:pStyle w:val="Zitat1"/></w:pPr>{words}</w:p>'
    assert read_docx(written(document=part(body), styles=styles.encode())) == "> Ich war\n> in Wien."


def test_another_style_sets_nothing_off(written):
    styles = f'<w:styles xmlns:w="{W}"><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style/></w:styles>'
    body = '<w:p><w:pPr><w:pStyle w:val="T"/></w:pPr><w:r><w:t>Wien</w:t></w:r></w:p>'
    assert read_docx(written(document=part(body), styles=styles.encode())) == "Wien"


def test_whatever_byte_is_damaged_it_is_read_or_refused(written):
    source = written(document=part("<w:p><w:r><w:t>Ich war in Wien und in Prag.</w:t></w:r></w:p>"))
    path, whole, refused = source.path, source.path.read_bytes(), 0
    for at in range(len(whole)):
        for byte in (0x00, 0xFF, whole[at] ^ 0x10):
            path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
            try:
                read_docx(source)
            except SourceRefusedError:
                refused += 1

    assert refused > len(whole)
