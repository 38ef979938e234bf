"""PDF: text layers, page labels, boxes, dates that are the source's and not the scan's, refusals with their remedy."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes.pdf import pdf
from fakes.sources import source
from vestigia.corpus.readers.pdf import PdfReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused

pytest.importorskip("pypdfium2")
ENCRYPTED = (
    "/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]/Encrypt<</Filter/Standard/V 1"
    f"/R 2/P -4/O<{'5a' * 32}>/U<{'a5' * 32}>>>"
)


def read(content: bytes, name: str = "box/rede.pdf") -> tuple[Document, list[Refused]]:
    document, *said = PdfReader().read(source(name, content))
    assert isinstance(document, Document)
    return document, [one for one in said if isinstance(one, Refused)]


def test_the_text_layer_is_the_text_and_its_lines_know_their_page_and_place():
    document, said = read(pdf(("Eine Rede", "in Weimar."), ("Das Ende.",)))
    assert document.text == "Eine Rede\nin Weimar.\n\nDas Ende."
    assert [one.page for one in document.anchors] == ["1", "1", "2"]
    first, second, _ = document.anchors
    assert first.box is not None
    assert second.box is not None
    left, top, width, height = first.box
    assert 70 <= left <= 75
    assert 60 <= top <= 72  # 792 - 720, less the height of letters: counted from above, in points
    assert 40 <= width <= 70
    assert 8 <= height <= 16
    assert 10 <= second.box[1] - top <= 18
    assert said == []


def test_a_word_broken_at_a_line_end_is_whole_and_the_break_is_kept():
    document, _ = read(
        pdf(
            (
                "Eine Beispiel-",
                "rede ist es.",
            )
        )
    )
    assert "Beispielrede" in document.text
    assert [one.raw for one in document.anchors] == ["Eine Beispiel-", "rede ist es."]


def test_pages_are_cited_by_their_labels():
    document, _ = read(pdf(("Vorwort",), ("Text",), catalogue="/PageLabels<</Nums[0<</S/r>>1<</S/D/St 17>>]>>"))
    assert [one.page for one in document.anchors] == ["i", "17"]


def test_pages_without_text_are_counted_and_named():
    document, said = read(pdf(("Eine Rede",), (), ("Ende",), ()))
    assert document.text == "Eine Rede\n\nEnde"
    assert said == [Refused("page 2", "2 of 4 pages have no text layer: 2, 4", kept=True, pages_without_text=2)]


def test_of_many_pages_without_text_the_first_are_named():
    _, [said] = read(pdf(("Eine Rede",), *[()] * 12))
    assert said.reason == "12 of 13 pages have no text layer: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"


def test_a_scan_without_any_text_is_refused_with_the_remedy():
    with pytest.raises(SourceRefusedError, match=r"none of its 2 pages has a text layer.*OCR"):
        read(pdf((), ()))


@pytest.mark.parametrize(
    ("name", "lines", "dates"),
    [
        ("box/1887-01-12.pdf", ("Eine Rede",), ["1887-01-12"]),
        ("box/rede.pdf", ("Weimar, 12. Januar 1887", "Eine Rede"), ["1887-01-12"]),
        ("box/1881-11-10.pdf", ("Sitzung vom 9. November 1881",), ["1881-11-09", "1881-11-10"]),
        ("box/rede.pdf", ("Eine Rede",), []),
    ],
)
def test_the_date_is_that_of_the_name_or_the_first_lines(name: str, lines: tuple[str, ...], dates: list[str]):
    assert [label(one) for one in read(pdf(lines), name)[0].dates] == dates


def test_dates_in_name_and_first_lines_that_differ_are_told():
    _, [said] = read(pdf(("Sitzung vom 9. November 1881",)), "box/1881-11-10.pdf")
    assert said.kept
    assert "both dates are kept" in said.reason


def test_the_date_of_the_scan_is_a_detail_and_never_the_date():
    written = pdf(("Eine Rede",), info="/Title(scan0001)/CreationDate(D:20190305120000Z)")
    document, _ = read(written)
    assert document.dates == ()
    assert document.title == "Eine Rede"
    assert document.details == (("title in the PDF", "scan0001"), ("PDF made", "D:20190305120000Z"))


def test_a_pdf_that_asks_for_a_password_is_refused():
    with pytest.raises(SourceRefusedError, match="encrypted") as refused:
        read(pdf(("Eine Rede",), trailer=ENCRYPTED))
    assert "without a password" in refused.value.remedy


@pytest.mark.parametrize("content", [b"%PDF-1.7", b"%PDF-1.4\njunk" * 40, pdf(("Eine Rede",))[:150], pdf()])
def test_a_broken_pdf_is_refused_with_its_name(content: bytes):
    with pytest.raises(SourceRefusedError) as refused:
        read(content)
    assert refused.value.where == "box/rede.pdf"


def test_a_page_that_is_not_there_is_told_and_the_others_go_in():
    document, [said] = read(pdf(("Eine Rede",), count=3))
    assert document.text == "Eine Rede"
    assert said.reason == "2 of 3 pages cannot be read: 2, 3"


def test_an_absurd_count_of_pages_is_refused_at_once():
    with pytest.raises(SourceRefusedError):
        read(pdf(count=2_000_000_000))


def test_without_the_package_the_remedy_is_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(SourceRefusedError) as refused:
        read(pdf(("Eine Rede",)))
    assert "vestigia[pdf]" in refused.value.remedy


def test_text_in_a_font_without_a_table_is_told():
    _, said = read(pdf(("Rede " + "\\001\\002\\003\\004" * 8,)))
    assert [one.kept for one in said] == [True]
    assert "stand for no letter" in said[0].reason


def test_threads_wait_for_each_other():
    contents = [pdf(*[(f"Rede {number}",)] * 5) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        texts = [document.text for document, _ in pool.map(read, contents)]
    assert texts == ["\n\n".join([f"Rede {number}"] * 5) for number in range(8)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"%PDF-1.7\n", True),
        (b"\n\n%PDF-1.0", True),
        (b"MZ junk %PDF-1.4", True),
        (b"PDF", False),
        (b'{"text": "%PDF-1.4"}', False),
        (b"<p>%PDF-1.4</p>", False),
        (b" " * 2000 + b"%PDF-", False),
        (b"", False),
    ],
)
def test_its_files_are_told_by_their_first_bytes(head: bytes, expected: bool):
    assert PdfReader().sniff("a.bin", head) is expected
