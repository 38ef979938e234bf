"""hOCR: pages, lines and words, however the file is written or broken."""

import pytest

from fakes.sources import source
from vestigia.corpus.readers.hocr import HocrReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import iso
from vestigia.domain.ports import Refused


def hocr(inside: str, title: str = "image 0001.png; bbox 0 0 900 900; ppageno 7", attributes: str = "") -> str:
    return f"<html><body><div class='ocr_page' {attributes} title='{title}'>{inside}</div></body></html>"


def word(text: str, title: str = "") -> str:
    return f"<span class='ocrx_word' title='{title}'>{text}</span>"


def line(*words: str, title: str = "bbox 1 2 31 12", name: str = "ocr_line") -> str:
    return f"<span class='{name}' title='{title}'>{' '.join(words)}</span>"


def par(*lines: str, attributes: str = "") -> str:
    return f"<p class='ocr_par' {attributes}>{''.join(lines)}</p>"


def read(content: str | bytes, name: str = "folder/0001.hocr") -> tuple[Document, list[str]]:
    document, *rest = HocrReader().read(source(name, content))
    assert isinstance(document, Document)
    assert all(isinstance(one, Refused) and one.kept for one in rest)
    return document, [one.reason for one in rest if isinstance(one, Refused)]


def text(content: str) -> str:
    return read(content)[0].text


# --- which file is one


@pytest.mark.parametrize(
    ("name", "head", "ours"),
    [
        ("a.hocr", b"<html><body>", True),
        ("a.html", b"<!DOCTYPE html>\n<html>", True),
        ("a.HTM", b"\xef\xbb\xbf<?xml version='1.0'?><html>", True),
        ("a.xhtml", b"<div class='ocr_page'>", True),
        ("a.xml", b"<html xmlns='http://www.w3.org/1999/xhtml'>", True),
        ("a", b"<HTML>", True),
        ("a.html", b"Mon cher ami", False),
        ("a.xml", b"<alto>", False),
        ("a.hocr", b"", False),
        ("a.xml", b"<div class='ocr_page'>", False),
    ],
)
def test_it_takes_html_by_content_or_name(name: str, head: bytes, ours: bool):
    assert HocrReader().sniff(name, head) is ours


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<html><body><p class='intro'>Mon cher ami.</p></body></html>", "HTML but not hOCR: no element has a class"),
        ("<html>", "HTML but not hOCR"),
        (hocr(""), r"the hOCR has no text: it has 1 page\(s\) and no words"),
        (hocr(line(word(" "))) * 2, r"it has 2 page\(s\) and no words"),
        (" \n", "the file is empty"),
    ],
)
def test_what_has_no_text_is_refused_with_the_reason(content: str, reason: str):
    with pytest.raises(SourceRefusedError, match=reason) as refused:
        list(HocrReader().read(source("a.html", content)))
    assert refused.value.where == "a.html"


# --- words, lines, regions


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (line(word("Mon"), word("cher")), "Mon cher"),
        (line(word("Mon") + word("cher")), "Mon cher"),
        (f"<span class='ocr_line'>Mon cher{word('ami')}</span>", "Mon cher ami"),
        ("<span class='ocr_line'>Mon cher ami</span>", "Mon cher ami"),
        ("<span class='ocrx_line'>Mon cher ami</span>", "Mon cher ami"),
        (line(word("<strong>Mon</strong> <em>cher</em>")), "Mon cher"),
        (line(word("<span class='ocrx_cinfo'>M</span><span class='ocrx_cinfo'>on</span>")), "Mon"),
        (line(word("Mon")) + line(word("cher")), "Mon\ncher"),
        (line(word("Mon") + "<br>") + line(word("cher")), "Mon\ncher"),
        (par(line(word("Mon"))) + par(line(word("Cher"))), "Mon\n\nCher"),
        (
            f"<div class='ocr_carea'>{line(word('Mon'))}</div><div class='ocrx_block'>{line(word('Cher'))}</div>",
            "Mon\n\nCher",
        ),
        (par(word("Mon"), word("cher"), "<br/>", word("ami")), "Mon cher\nami"),
        (word("Mon") + word("cher"), "Mon cher"),
        ("<h1>Mon cher</h1>", "Mon cher"),
        (line(word("chi-")) + line(word("canes"), word("et")), "chicanes\net"),
        (line(word("chi&shy;")) + line(word("canes")), "chicanes"),
        (par(line(word("chi⸗"))) + par(line(word("canes"), word("et"))), "chicanes\net"),
        ("<div class='ocr_carea'>" + line(word("Mon"), name="ocr_header") + line(word("cher")) + "</div>", "Mon\ncher"),
        ("<div class='ocr_photo'></div>" + line(word("Mon")), "Mon"),
    ],
)
def test_the_text_is_read_line_by_line(inside: str, expected: str):
    assert text(hocr(inside)) == expected


@pytest.mark.parametrize(
    "broken",
    [
        "<span class='ocr_line'><span class='ocrx_word'>Mon<span class='ocrx_word'>cher</span>",
        "<span class='ocr_line'><span class='ocrx_word'/><span class='ocrx_word'>Mon</span> cher</span>",
        "<span class='ocr_line'><span class='ocrx_word'>Mon</span></b> <span class='ocrx_word'>cher</span></span>",
        "<span class='ocr_line'><span class='ocrx_word' title='bbox 0 0 9 9>Mon</span> <b>cher</span></span>",
        "<span class='ocr_line'><span class=ocrx_word>Mon</span><b><i><span class=ocrx_word>cher",
    ],
)
def test_elements_that_are_not_closed_hide_nothing_and_are_told(broken: str):
    document, _ = read(hocr(broken))
    assert document.text == "Mon cher"


@pytest.mark.parametrize(
    ("inside", "note"),
    [
        (line(word("Mon"), word("")), "words without text: 1"),
        (line(word("Mon"), "<span class='ocrx_word'/>"), "words without text: 1"),
        (line(word("!'<!--,,,>")), "signs < that are no mark-up, kept as characters: 1"),
        (line(word("&72")), "signs & that begin no character reference, kept as characters: 1"),
        (line("<span class='ocrx_word'>Mon", word("cher")), "elements that were not closed: 1"),
        (line(word("Mon") + "</em>"), "end tags without a beginning: 1"),
        (line(word("Mon<!-- x -->")), "comments left out: 1"),
        (
            line(word("Mon")) + "</div><p>seen on a web page</p><div>",
            "text outside the pages was left out: 'seen on a web page' (18 characters)",
        ),
    ],
)
def test_what_was_repaired_or_left_out_is_told(inside: str, note: str):
    assert read(hocr(inside))[1] == [note]


def test_a_sound_file_has_nothing_to_tell():
    assert read(hocr(par(line(word("Mon"), word("cher")))))[1] == []


def test_a_truncated_file_keeps_what_it_has_and_says_so():
    whole = hocr(par(line(word("Mon"), word("cher"))) + par(line(word("ami"))))
    document, notes = read(whole[: whole.index("</span>", whole.index("ami"))])
    assert document.text == "Mon cher\nami"
    assert notes == ["elements still open where the file ends: 3"]


def test_lines_without_a_page_are_read_and_told():
    document, notes = read(f"<html><body>{line(word('Mon'))}{line(word('cher'))}</body></html>")
    assert (document.text, document.anchors[0].page) == ("Mon\ncher", "1")
    assert notes == ["lines outside a page, put on a page of their own: 2"]


# --- pages and places


def test_a_line_knows_its_page_its_image_its_region_and_its_box():
    inside = par(line(word("Mon", "bbox 1 2 11 12; x_wconf 80"), word("cher", "x_wconf 60")), attributes="id='par_1'")
    (anchor,) = read(hocr(inside))[0].anchors
    assert (anchor.page, anchor.image, anchor.region, anchor.box) == ("7", "0001.png", "par_1", (1, 2, 30, 10))
    assert anchor.confidence == pytest.approx(0.7)


def test_boxes_far_above_pixels_stay_as_they_are():
    (anchor,) = read(hocr(line(word("Mon"), title="bbox 1388 4224 16450 44330")))[0].anchors
    assert anchor.box == (1388, 4224, 15062, 40106)


def test_a_line_without_a_box_has_that_of_its_words():
    inside = line(word("Mon", "bbox 10 20 30 40"), word("cher", "bbox 35 18 60 38"), word("", "bbox 0 0 1 1"), title="")
    assert read(hocr(inside))[0].anchors[0].box == (10, 18, 50, 22)


@pytest.mark.parametrize(
    ("title", "box"),
    [
        ("bbox 10 20 5 40", None),
        ("bbox 10 20 30", None),
        ("x_bboxes 1 2 3 4", None),
        ("bbox -19 0 5 5", (-19, 0, 24, 5)),
        ("baseline 0 0; bbox 1.5 2 3.9 4;x_size 30", (1, 2, 2, 2)),
        (f"bbox {'9' * 400} 1 2 3", None),
    ],
)
def test_a_box_that_is_none_is_none(title: str, box: tuple[int, int, int, int] | None):
    assert read(hocr(line(word("Mon"), title=title)))[0].anchors[0].box == box


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("x_wconf 100", 1.0),
        ("x_wconf 55.60000000000001", 0.556),
        ("x_wconf 0", 0.0),
        ("x_conf 74.10", 0.741),
        ("x_wconf 101", None),
        ("x_wconf -1", None),
        ("x_wconf", None),
        ("x_wconf 5000", None),
        ("", None),
    ],
)
def test_confidence_of_a_hundred_is_one(title: str, expected: float | None):
    confidence = read(hocr(line(word("Mon", title))))[0].anchors[0].confidence
    assert confidence == (pytest.approx(expected) if expected is not None else None)


def test_confidence_of_the_line_stands_in_for_that_of_its_words():
    assert read(hocr(line(word("Mon"), title="x_wconf 40")))[0].anchors[0].confidence == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("title", "label", "image"),
    [
        ("ppageno 345;ocrp_lang unknown", "345", ""),
        ("lpageno xiv; ppageno 3", "xiv", ""),
        ('lpageno "12"', "12", ""),
        ('image "/scans/a b.png"; ppageno 0', "a b", "/scans/a b.png"),
        ("bbox 0 0 1 1; ppageno 0", "1", ""),
        ("x_source bsb1_00007;ocrp_lang de", "bsb1_00007", "bsb1_00007"),
        ("image C:\\scans\\0001.tif; bbox 0 0 1 1", "0001", "C:\\scans\\0001.tif"),
        ("imagemd5 abc; bbox 0 0 1 1", "1", ""),
    ],
)
def test_a_page_is_cited_by_its_number_or_its_image(title: str, label: str, image: str):
    (anchor,) = read(hocr(line(word("Mon")), title))[0].anchors
    assert (anchor.page, anchor.image) == (label, image)


def test_pages_that_a_program_counts_from_zero_are_cited_as_people_count_them():
    def page(title: str) -> str:
        return f"<div class='ocr_page' title='{title}'>{line(word('Mon'))}</div>"

    pages = "".join(page(title) for title in ("ppageno 0", "ppageno 1", "lpageno xiv; ppageno 2", "bbox 0 0 1 1"))
    (document, *_) = HocrReader().read(source("a.html", f"<html><body>{pages}</body></html>"))
    assert isinstance(document, Document)
    assert [one.page for one in document.anchors] == ["1", "2", "xiv", "4"]


def test_several_pages_in_one_file_are_one_document_and_empty_ones_are_told():
    def page(number: int, inside: str) -> str:
        return f"<div class='ocr_page' title='ppageno {number}'>{inside}</div>"

    document, notes = read(
        "<html><body><div class='ocr_document'>"
        + page(1, line(word("les"), word("chi-")))
        + "<div class='ocr_page' title='ppageno 2'/>"
        + page(3, line(word("canes"), word("du")))
        + "</div></body></html>"
    )
    assert document.text == "les chicanes\ndu"
    assert [one.page for one in document.anchors] == ["1", "3"]
    assert notes == ["pages without text: 1 of 3 (2)"]


def test_the_kind_of_a_block_is_kept_out_of_the_way_of_broken_words():
    footer = f"<div class='ocr_footer'>{line(word('Seite'), word('2'))}</div>"
    inside = par(line(word("chi-"))) + footer + par(line(word("canes"), word("du")))
    assert text(hocr(inside)) == "chicanes\n\nSeite 2\n\ndu"


# --- the document


def test_the_document_is_named_by_its_file():
    document, _ = read(hocr(line(word("Mon"))), "temps/1887-01-12/seq-1.html")
    assert (document.id, document.title, document.sub_corpus) == ("1887-01-12/seq-1", "seq-1", "1887-01-12")
    assert [iso(one.first) for one in document.dates] == ["1887-01-12"]
    assert read(hocr(line(word("Mon"))), "seq-1.html")[0].dates == ()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (hocr(par(line(word("Mon")), attributes="lang='fra'"), attributes="lang='de'"), "fr"),
        (hocr(line(word("Mon")), attributes="lang='de'"), "de"),
        (hocr(line(word("Mon")), "ocrp_lang deu"), "de"),
        (hocr(line(word("Mon")), attributes="lang='unknown'"), ""),
        (hocr(line(word("Mon"))).replace("<html>", "<html lang='en' xml:lang='en'>"), ""),
    ],
)
def test_the_language_is_that_of_paragraphs_or_pages(content: str, expected: str):
    assert read(content)[0].language == expected


@pytest.mark.parametrize(
    ("encoding", "declaration"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("iso-8859-1", "<meta charset='iso-8859-1'>"),
        ("cp1250", '<?xml version="1.0" encoding="windows-1250"?>'),
        ("koi8-r", "<meta charset=koi8-r>"),
    ],
)
def test_a_file_is_read_in_the_encoding_it_says(encoding: str, declaration: str):
    words = "Привет" if encoding == "koi8-r" else "Müller"
    document, notes = read((declaration + hocr(line(word(words)))).encode(encoding))
    assert (document.text, notes) == (words, [])


def test_an_encoding_that_nothing_says_is_reported_where_it_is_beyond_doubt():
    assert read(hocr(line(word("Müller"))).encode("cp1252"))[1] == ["the file is not UTF-8; it was read as cp1252"]


def test_single_bytes_that_are_not_utf8_are_shown_and_told():
    content = hocr(line(word("Müller"), word("X"))).encode().replace(b"X", b"X\xff")
    document, notes = read(content)
    assert (document.text, notes) == ("Müller X\ufffd", ["bytes that are not UTF-8, shown as \ufffd: 1"])


@pytest.mark.parametrize(
    "declaration",
    [
        "",
        "<meta charset='nonsense'>",
        "<meta charset='hex'>",
        "<meta charset='unicode_escape'>",
        "<meta charset='utf-8'>",
    ],
)
def test_a_file_in_no_encoding_is_refused(declaration: str):
    content = (declaration + hocr(line(word("X")))).encode().replace(b"X", b"\xff\xfe\x81\x8d ab\x90c")
    with pytest.raises(SourceRefusedError, match="its encoding cannot be told"):
        list(HocrReader().read(source("a.html", content)))
