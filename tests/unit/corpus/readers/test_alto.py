"""ALTO of every version and vendor: text, broken words, boxes, confidence, dates; and what is odd in real files."""

from pathlib import Path

import pytest
from lxml import etree

from fakes.sources import source
from vestigia.corpus.readers.alto import AltoReader, date_of, image_name, sheets_of, sub_corpus_of
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import iso
from vestigia.domain.ports import Refused

HYPHENS = str.maketrans("", "", "-\u00ad¬=⸗„")


def alto(lines: str, page: str = 'PHYSICAL_IMG_NR="3"', unit: str = "pixel", root: str = "", image: str = "") -> str:
    described = f"<sourceImageInformation><fileName>{image}</fileName></sourceImageInformation>" if image else ""
    measured = f"<MeasurementUnit>{unit}</MeasurementUnit>" if unit else ""
    return (
        f"<alto{root}><Description>{measured}{described}</Description><Layout><Page ID='P1' {page}><PrintSpace>"
        f"<TextBlock ID='B1'>{lines}</TextBlock></PrintSpace></Page></Layout></alto>"
    )


def line(*words: str, box: str = 'HPOS="10" VPOS="20" WIDTH="300" HEIGHT="40"') -> str:
    return f"<TextLine {box}>{'<SP/>'.join(words)}</TextLine>"


def word(content: str, more: str = "") -> str:
    return f'<String CONTENT="{content}" {more}/>'


def part(number: int, content: str, whole: str) -> str:
    return word(content, f'SUBS_TYPE="HypPart{number}" SUBS_CONTENT="{whole}"')


def read(content: str | bytes, name: str = "issue/0001.xml") -> tuple[Document, list[str]]:
    found = list(AltoReader().read(source(name, content)))
    documents = [one for one in found if isinstance(one, Document)]
    assert len(documents) == 1
    return documents[0], [one.reason for one in found if isinstance(one, Refused)]


@pytest.mark.parametrize(
    "root",
    [
        "",
        ' xmlns="http://www.loc.gov/standards/alto/ns-v2#"',
        ' xmlns="http://www.loc.gov/standards/alto/ns-v4#"',
        ' xmlns="http://schema.ccs-gmbh.com/ALTO"',
        ' xmlns="urn:vendor:own"',
    ],
)
def test_it_reads_alto_in_any_namespace_or_none(root: str):
    content = alto(line(word("Mon"), word("ami.")), root=root)
    assert AltoReader().sniff("a.xml", content.encode())
    assert read(content)[0].text == "Mon ami."


def test_it_reads_prefixed_alto_with_a_byte_order_mark_and_windows_line_ends():
    content = (
        '<?xml version="1.0"?>\r\n<a:alto xmlns:a="urn:a">\r\n<a:Layout><a:Page><a:TextBlock><a:TextLine>\r\n'
        '<a:String CONTENT="Été"/></a:TextLine></a:TextBlock></a:Page></a:Layout></a:alto>'
    )
    marked = b"\xef\xbb\xbf" + content.encode()
    assert AltoReader().sniff("a.xml", marked)
    assert read(marked)[0].text == "Été"


def test_a_file_is_a_document_named_by_folder_and_file():
    document, _ = read(alto(line(word("Mon"), word("ami."))), "archive/Le Temps/0007.xml")
    assert (document.id, document.title, document.sub_corpus) == ("Le Temps/0007", "0007", "Le Temps")
    assert document.anchors[0].page == "3"


@pytest.mark.parametrize(
    ("page", "label"), [('PHYSICAL_IMG_NR="3" PRINTED_IMG_NR="xii"', "xii"), ('PHYSICAL_IMG_NR="3"', "3"), ("", "0001")]
)
def test_a_page_is_labelled_as_printed_or_by_its_image_or_file(page: str, label: str):
    assert read(alto(line(word("Mon")), page=page))[0].anchors[0].page == label


def test_a_word_broken_over_lines_is_whole_once_and_the_lines_are_kept():
    document, notes = read(
        alto(
            line(word("la"), part(1, "conso", "consolidation") + '<HYP CONTENT="-"/>')
            + line(part(2, "lidation", "consolidation"), word("du"))
        )
    )
    assert document.text == "la consolidation\ndu"
    assert [one.raw for one in document.anchors] == ["la conso-", "lidation du"]
    assert notes == []


def test_the_second_part_need_not_repeat_the_whole_word_nor_the_first_have_a_hyphen():
    second = word("lidación", 'SUBS_TYPE="HypPart2"')
    document, _ = read(alto(line(part(1, "conso¬", "consolidación")) + line(second, word("de"))))
    assert document.text == "consolidación\nde"


def test_what_is_written_to_a_broken_word_stays_with_it():
    document, _ = read(
        alto(
            line(word("er"), word("«") + part(1, "lie", "lief") + '<HYP CONTENT="-"/>')
            + line(part(2, "f", "lief") + word("."), word("Dann"))
        )
    )
    assert document.text == "er «lief.\nDann"


def test_a_soft_hyphen_joins_where_the_file_names_no_whole_word():
    assert read(alto(line(word("Her") + '<HYP CONTENT="\u00ad"/>') + line(word("zog"), word("Karl"))))[0].text == (
        "Herzog\nKarl"
    )


def test_a_hyphen_element_without_content_is_a_hyphen():
    assert read(alto(line(word("Her") + "<HYP/>") + line(word("Zog"))))[0].text == "Her-\nZog"


def test_a_dash_between_two_words_joins_nothing_whatever_the_file_says():
    document, notes = read(alto(line(part(1, "House—", "Housenot")) + line(part(2, "not", "Housenot"))))
    assert document.text == "House—\nnot"
    assert notes == ["words that the file joins over a dash are left apart: House—"]


def test_half_a_word_at_the_edge_of_the_page_stays_and_is_told():
    document, notes = read(alto(line(part(2, "lidation", "consolidation"), word("du"))))
    assert document.text == "lidation du"
    assert notes == ["broken words of which the page names only one part: lidation"]


def test_words_without_space_between_them_are_one_where_the_file_marks_spaces():
    assert read(alto(line(word("Pfd") + word("."), word("fst"))))[0].text == "Pfd. fst"


def test_words_are_set_apart_where_the_file_marks_no_spaces():
    document, notes = read(alto(line(word("Die") + word("Zahl") + '<HYP CONTENT="-"/>')))
    assert document.text == "Die Zahl-"
    assert notes == ["the file marks no spaces; its words are set apart by one"]


def test_reading_order_is_that_of_the_file_through_nested_blocks():
    nested = (
        "<alto><Layout><Page><TopMargin><ComposedBlock ID='C' TYPE='container'><TextBlock ID='T1'>"
        f"{line(word('Eins'))}</TextBlock><TextBlock ID='T2' TYPE='heading'>{line(word('Zwei'))}</TextBlock>"
        f"</ComposedBlock></TopMargin><PrintSpace><TextBlock ID='T3'>{line(word('Drei'))}</TextBlock>"
        "</PrintSpace></Page></Layout></alto>"
    )
    assert [(one.region, one.start) for one in read(nested)[0].anchors] == [("T1", 0), ("T2", 6), ("T3", 12)]


@pytest.mark.parametrize(
    ("written", "confidence"),
    [(("0.5", "1"), 0.75), (("0.5", "7"), 0.5), (("1.2", "-1"), None), (("", "x"), None), (("nan", "inf"), None)],
)
def test_the_confidence_of_a_line_is_the_mean_of_its_words_without_impossible_ones(
    written: tuple[str, str], confidence: float | None
):
    document, _ = read(alto(line(*(word("ami", f'WC="{one}"') for one in written))))
    assert document.anchors[0].confidence == confidence


def test_impossible_confidences_are_counted():
    assert "1 word confidences are not between 0 and 1 and were left out" in read(alto(line(word("a", 'WC="9"'))))[1]


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ('HPOS="10" VPOS="20" WIDTH="300" HEIGHT="40"', (10, 20, 300, 40)),
        ('HPOS="10.4" VPOS="20.6" WIDTH="300.0" HEIGHT="40"', (10, 21, 300, 40)),
        ('HPOS="-19" VPOS="20" WIDTH="300" HEIGHT="40"', (0, 20, 281, 40)),
        ('HPOS="10" VPOS="20" WIDTH="300" HEIGHT="-19"', (1, 2, 3, 4)),
        ("", (1, 2, 3, 4)),
        ('HPOS="nan" VPOS="20" WIDTH="1e99" HEIGHT="4"', (1, 2, 3, 4)),
    ],
)
def test_a_line_has_its_box_or_that_round_its_words(box: str, expected: tuple[int, int, int, int]):
    placed = word("Mon", 'HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4"')
    assert read(alto(line(placed, box=box)))[0].anchors[0].box == expected


def test_an_impossible_box_is_told_and_a_line_may_have_none():
    document, notes = read(alto(line(word("Mon"), box='HPOS="1" VPOS="2" WIDTH="3" HEIGHT="-4"')))
    assert document.anchors[0].box is None
    assert notes == ["1 lines have an impossible box; that round their words is taken"]


def test_boxes_in_other_units_are_kept_where_the_size_of_the_image_is_unknown():
    document, _ = read(alto(line(word("Mon")), page='WIDTH="1000" HEIGHT="2000"', unit="mm10"))
    assert document.anchors[0].box == (10, 20, 300, 40)
    assert document.details == (("unit of boxes", "mm10"),)


@pytest.mark.parametrize(
    ("unit", "pixels", "box", "after"),
    [
        ("mm10", (2000.0, 4000.0), (20, 40, 600, 80), "pixel"),
        ("inch1200", (500.0, 1000.0), (5, 10, 150, 20), "pixel"),
        ("mm10", (2000.0, 2000.0), (10, 20, 300, 40), "mm10"),
        ("pixel", (2000.0, 4000.0), (10, 20, 300, 40), "pixel"),
    ],
)
def test_boxes_become_pixels_where_the_image_is_known_to_be_of_the_same_page(
    unit: str, pixels: tuple[float, float], box: tuple[int, int, int, int], after: str
):
    root = etree.fromstring(alto(line(word("Mon")), page='WIDTH="1000" HEIGHT="2000"', unit=unit))
    sheet = sheets_of(root, "a.xml", pixels)[0]
    assert (sheet.placed()[0][1].box, sheet.unit) == (box, after)


def test_a_file_without_unit_says_so():
    assert read(alto(line(word("Mon")), unit=""))[1] == [
        "the file states no unit of measurement; boxes are kept as it has them"
    ]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("//Dss2/d/Images/BNL 2013/IMAGE001164.TIF", "IMAGE001164.TIF"),
        ("././0002.tif", "0002.tif"),
        ("id53153\\jpeg\\0001.jpg", "id53153/jpeg/0001.jpg"),
        ("C:\\scans\\1.tif", "1.tif"),
        ("", ""),
        ("../../1.tif", "1.tif"),
    ],
)
def test_an_image_is_named_relative_or_by_its_file(written: str, name: str):
    assert image_name(written) == name


def test_the_image_is_that_of_the_description():
    assert read(alto(line(word("Mon")), image="images/3.tif"))[0].anchors[0].image == "images/3.tif"


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("a/1860-11-30_01-00001.xml", "1860-11-30"),
        ("0002647_18240217_0001.xml", "1824-02-17"),
        ("bl/0002647/1824/0217/0001.xml", "1824-02-17"),
        ("bl/1824/02/17/0001.xml", "1824-02-17"),
        ("PPN750717092-00000780.ocr.xml", None),
        ("a/1887/0001.xml", None),
        ("0001.xml", None),
    ],
)
def test_only_a_full_date_in_name_or_folders_dates_a_page(name: str, day: str | None):
    date, doubt = date_of(name)
    assert (date and iso(date.first)) == day
    assert date is None or date.is_one_day
    assert doubt == ""


@pytest.mark.parametrize("name", ["bl/1824/9917/0001.xml", "0002647_18241350_0001.xml", "a/1860-02-31_01.xml"])
def test_what_only_looks_like_a_date_is_none_and_is_told(name: str):
    document, notes = read(alto(line(word("Mon"))), name)
    assert document.dates == ()
    assert "looks like a date and is none; the document goes in undated" in notes[-1]


@pytest.mark.parametrize(
    ("name", "folder"),
    [("bl-1824/0002647/1824/0217/1.xml", "bl-1824"), ("Le Temps/1.xml", "Le Temps"), ("1.xml", ""), ("1824/1.xml", "")],
)
def test_the_sub_corpus_is_the_nearest_folder_with_a_name(name: str, folder: str):
    assert sub_corpus_of(name) == folder


def test_the_language_is_that_of_most_blocks():
    blocks = "".join(
        f"<TextBlock {said}>{line(word('ami'))}</TextBlock>"
        for said in ('language="de"', 'LANG="fr"', 'language="fre"', "")
    )
    assert read(f"<alto><Layout><Page>{blocks}</Page></Layout></alto>")[0].language == "fr"


@pytest.mark.parametrize("lines", ["", "<TextLine/>", line(word("")), line(word(" "))])
def test_a_page_without_text_is_refused_with_that_reason(lines: str):
    with pytest.raises(SourceRefusedError, match="no text on the page"):
        read(alto(lines))


def test_of_several_pages_in_a_file_the_empty_ones_are_named():
    pages = "".join(
        f"<Page PHYSICAL_IMG_NR='{number}'>{lines}</Page>"
        for number, lines in ((1, line(word("Un"))), (2, ""), (3, line(word("Trois"))))
    )
    found = list(AltoReader().read(source("a.xml", f"<alto><MeasurementUnit>pixel</MeasurementUnit>{pages}</alto>")))
    assert [one.page for one in found[0].anchors] == ["1", "3"]
    assert found[1:] == [Refused("page 2", "no text on the page", kept=True, pages_without_text=1)]


def test_words_outside_lines_and_pages_are_not_lost_in_silence():
    inside = f"<Page><TextBlock>{word('Un')}</TextBlock>{word('deux')}</Page>"
    document, notes = read(f"<alto><Layout>{inside}{word('trois')}</Layout></alto>")
    assert document.text.split() == ["Un", "deux"]
    assert "1 words stand outside any page and were left out" in notes


@pytest.mark.parametrize("content", ["<mets/>", "<alto><Layout>", "<!DOCTYPE alto [<!ENTITY x 'y'>]><alto/>", ""])
def test_what_is_not_sound_alto_is_refused(content: str):
    with pytest.raises(SourceRefusedError):
        read(content)


def of_file(path: Path) -> tuple[Document, list[Refused]]:
    found = list(AltoReader().read(FileSource(path, path.as_posix())))
    assert isinstance(found[0], Document)
    return found[0], [one for one in found if isinstance(one, Refused)]


def expected(path: Path) -> list[str]:
    """The words of a file with broken ones whole where they begin; those over a dash as they stand."""
    words, dashed = [], False
    for one in etree.parse(path).iter("{*}String"):
        content, kind = one.get("CONTENT"), one.get("SUBS_TYPE")
        dashed = content.endswith("—") if kind == "HypPart1" else dashed
        words += {
            "HypPart1": [content if dashed else one.get("SUBS_CONTENT")],
            "HypPart2": [content] if dashed else [],
        }.get(kind or "", [content])
    return words


def bare(text: str) -> str:
    """Text without white space and hyphens: the rule of words the file says nothing about may join further ones."""
    return "".join(text.split()).translate(HYPHENS)


REAL = [
    ("lunion-1860-alto-fr/1860-11-30_01-00001.xml", 2270),
    ("lunion-1860-alto-fr/1860-11-30_01-00002.xml", 2611),
    ("luxzeit-1858-mets-alto-de/text/1858-12-07_01-00002.xml", 2109),
    ("chronicling-america-en/ndnp/ocr.xml", 5122),
    *(
        (f"bl-1824-mets-alto-en/0002647/1824/0217/0002647_18240217_000{number}.xml", count)
        for number, count in ((1, 5140), (2, 6362), (3, 5010), (4, 5580))
    ),
    ("iiif-newspaper-de/newspaper_issue_1-alto_p1.xml", 2532),
    ("broken-markup/ocr/alto_nospace.xml", 117),
    ("broken-markup/ocr/altobadcoords.xml", 3073),
    ("broken-markup/ocr/alto_namespaced.xml", 1924),
]


@pytest.mark.shared
@pytest.mark.parametrize(("file", "count"), REAL)
def test_no_word_of_a_real_page_is_lost_and_broken_ones_are_whole_once(shared_data: Path, file: str, count: int):
    path = shared_data / file
    assert sum(1 for _ in etree.parse(path).iter("{*}String")) == count
    document, _ = of_file(path)
    assert bare(document.text) == bare("".join(expected(path)))


@pytest.mark.shared
@pytest.mark.parametrize(("file", "count"), REAL)
def test_every_character_of_a_real_page_is_in_an_anchor_with_page_and_box(shared_data: Path, file: str, count: int):
    document, _ = of_file(shared_data / file)
    covered = "".join(document.text[one.start : one.end] for one in document.anchors)
    assert bare(covered) == bare(document.text)
    assert all(one.page and one.box and min(one.box) >= 0 for one in document.anchors)


@pytest.mark.shared
@pytest.mark.parametrize(("file", "pairs"), [("1860-11-30_01-00001.xml", 64), ("1860-11-30_01-00002.xml", 79)])
def test_a_broken_word_of_lunion_that_stands_nowhere_else_is_found_once(shared_data: Path, file: str, pairs: int):
    path = shared_data / "lunion-1860-alto-fr" / file
    document, _ = of_file(path)
    wholes = [
        one.get("SUBS_CONTENT") for one in etree.parse(path).iter("{*}String") if one.get("SUBS_TYPE") == "HypPart1"
    ]
    other = " ".join(one.get("CONTENT") for one in etree.parse(path).iter("{*}String"))
    single = [whole for whole in wholes if whole not in other and wholes.count(whole) == 1]
    assert len(wholes) == pairs
    assert len(single) > pairs / 2
    assert [document.text.count(whole) for whole in single] == [1] * len(single)
    assert [iso(one.first) for one in document.dates] == ["1860-11-30"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("ocr/alto_nospace.xml", "marks no spaces"),
        ("ocr/altobadcoords.xml", "impossible box"),
        ("ocr/PPN750717092-00000780.ocr.xml", "only one part: Her"),
        ("dinglehopper/test.alto3.xml", "no unit"),
        ("alto2txt-no_dir_tree/0002647_18240217_0001.xml", "only one part"),
    ],
)
def test_a_broken_file_goes_in_with_its_repair_told(shared_data: Path, file: str, reason: str):
    document, notes = of_file(shared_data / "broken-markup" / file)
    assert document.text
    assert any(reason in one.reason and one.kept for one in notes)
