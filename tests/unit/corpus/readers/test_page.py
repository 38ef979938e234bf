"""PAGE XML: which text counts, in which order it is read, and where it stands."""

import pytest
from lxml import etree

from fakes.sources import source
from vestigia.corpus.readers.page import PageReader, page_of
from vestigia.corpus.readers.pages import Page, compose
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import Precision, iso
from vestigia.domain.ports import Refused

MOVED = "its regions stand in the file in another order than the reading order it states; the text follows that"
NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def page_xml(inside: str, attributes: str = 'imageFilename="0001.jpg"', namespace: str = NAMESPACE) -> str:
    return f'<PcGts xmlns="{namespace}"><Metadata/><Page {attributes}>{inside}</Page></PcGts>'


def equiv(text: str, attributes: str = "") -> str:
    return f"<TextEquiv {attributes}><Unicode>{text}</Unicode></TextEquiv>"


def line(text: str, attributes: str = "", inside: str = "") -> str:
    return f"<TextLine {attributes}>{inside}{equiv(text)}</TextLine>"


def region(name: str, *lines: str, attributes: str = "", tag: str = "TextRegion") -> str:
    return f'<{tag} id="{name}" {attributes}>{"".join(lines)}</{tag}>'


def regions(*names: str) -> str:
    return "".join(region(name, line(name.upper())) for name in names)


def order(*entries: str, tag: str = "OrderedGroup") -> str:
    return f'<ReadingOrder><{tag} id="g">{"".join(entries)}</{tag}></ReadingOrder>'


def at(index: object, name: str) -> str:
    return f'<RegionRefIndexed index="{index}" regionRef="{name}"/>'


def understood(content: str, name: str = "0001.xml") -> tuple[Page, tuple[str, ...]]:
    return page_of(etree.fromstring(content), name)


def lines_of(content: str) -> list[str]:
    return [one.text for part in understood(content)[0].regions for one in part.lines]


def notes_of(content: str) -> tuple[str, ...]:
    return understood(content)[1]


def read(content: str, name: str = "folder/0001.xml") -> tuple[Document, list[str]]:
    document, *rest = PageReader().read(source(name, content))
    assert isinstance(document, Document)
    assert all(isinstance(one, Refused) and one.kept for one in rest)
    return document, [one.reason for one in rest if isinstance(one, Refused)]


# --- which file is one


@pytest.mark.parametrize(
    "namespace",
    [
        "http://schema.primaresearch.org/PAGE/gts/pagecontent/2010-03-19",
        "http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15",
        NAMESPACE,
        "urn:of-somebody-else",
    ],
)
def test_it_reads_page_of_any_year_and_namespace(namespace: str):
    content = page_xml(regions("r1"), namespace=namespace)
    assert PageReader().sniff("a.xml", content.encode())
    assert read(content)[0].text == "R1"


def test_prefixes_and_no_namespace_make_no_difference():
    bare = "<PcGts><Page>" + regions("r1") + "</Page></PcGts>"
    text = "<pc:TextEquiv><pc:Unicode>R1</pc:Unicode></pc:TextEquiv>"
    prefixed = f'<pc:PcGts xmlns:pc="{NAMESPACE}"><pc:Page><pc:TextRegion>{text}</pc:TextRegion></pc:Page></pc:PcGts>'
    assert PageReader().sniff("a.xml", prefixed.encode())
    assert read(bare)[0].text == read(prefixed)[0].text == "R1"


def test_other_xml_is_not_taken_and_is_refused_by_name():
    assert not PageReader().sniff("a.xml", b"<alto><Page/></alto>")
    with pytest.raises(SourceRefusedError, match="root element <alto>, not PAGE") as refused:
        list(PageReader().read(source("a.xml", "<alto/>")))
    assert refused.value.where == "a.xml"


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("", "it has 0 regions and 0 lines"),
        (region("r1", "<TextLine/><TextLine/>"), "it has 1 regions and 2 lines"),
        (region("r1", line("  ")), "it has 1 regions and 1 lines"),
        (region("r1", tag="ImageRegion") + region("r2", tag="ImageRegion"), "it has 2 regions and 0 lines"),
    ],
)
def test_a_page_without_text_is_refused_with_what_it_holds(inside: str, reason: str):
    with pytest.raises(SourceRefusedError, match=f"the page has no text: {reason}"):
        list(PageReader().read(source("a.xml", page_xml(inside))))


def test_a_truncated_file_is_refused_with_its_line():
    with pytest.raises(SourceRefusedError, match="not well-formed") as refused:
        list(PageReader().read(source("a.xml", page_xml(regions("r1"))[:-20])))
    assert refused.value.where == "a.xml, line 1"


# --- reading order


@pytest.mark.parametrize(
    ("reading_order", "expected"),
    [
        (order(at(0, "c"), at(1, "a"), at(2, "b")), "C A B"),
        (order(at(2, "c"), at(10, "a"), at(1, "b")), "B C A"),
        (
            order(
                '<RegionRef regionRef="b"/>',
                '<RegionRef regionRef="c"/>',
                '<RegionRef regionRef="a"/>',
                tag="UnorderedGroup",
            ),
            "B C A",
        ),
        (
            order(at(1, "a"), f'<OrderedGroupIndexed id="h" index="0">{at(1, "b")}{at(0, "c")}</OrderedGroupIndexed>'),
            "C B A",
        ),
        (
            order(
                at(1, "a"),
                '<UnorderedGroupIndexed id="h" index="0"><RegionRef regionRef="c"/><RegionRef regionRef="b"/>'
                "</UnorderedGroupIndexed>",
            ),
            "C B A",
        ),
        (
            order(
                f'<OrderedGroup id="h">{at(1, "b")}{at(0, "c")}</OrderedGroup>',
                '<RegionRef regionRef="a"/>',
                tag="UnorderedGroup",
            ),
            "C B A",
        ),
        (
            order(
                '<OrderedGroupIndexed id="h" index="0" regionRef="b"><RegionRefIndexed index="0" regionRef="c"/>'
                "</OrderedGroupIndexed>",
                at(1, "a"),
            ),
            "B C A",
        ),
        (order(at("first", "c"), at(0, "b"), at("", "a")), "B C A"),
        ("<ReadingOrder/>", "A B C"),
        ("", "A B C"),
    ],
)
def test_regions_are_read_in_the_order_the_file_states(reading_order: str, expected: str):
    assert lines_of(page_xml(reading_order + regions("a", "b", "c"))) == expected.split()


def test_regions_it_leaves_out_come_last_and_are_reported():
    content = page_xml(order(at(0, "c")) + regions("a", "b", "c"))
    assert lines_of(content) == ["C", "A", "B"]
    assert notes_of(content) == ("regions with text that are not in the reading order are read last: a, b",)


def test_only_a_few_of_many_are_named():
    content = page_xml(order(at(0, "z")) + regions(*"abcdefgz"))
    assert notes_of(content) == (
        "regions with text that are not in the reading order are read last: a, b, c, d, e ... (7 in all)",
    )


def test_regions_without_text_need_no_place():
    content = page_xml(order(at(0, "a")) + regions("a") + region("b", tag="SeparatorRegion") + region("c"))
    assert notes_of(content) == ()


def test_regions_that_have_a_place_but_no_text_are_told():
    table = region("t", region("c", line("C")), tag="TableRegion")
    content = page_xml(order(at(0, "i"), at(1, "t"), at(2, "e")) + region("i", tag="ImageRegion") + table + region("e"))
    assert notes_of(content) == ("regions in the reading order that have no text: i, e",)


@pytest.mark.parametrize(
    ("reading_order", "expected", "note"),
    [
        (order(at(0, "b"), at(1, "x"), at(2, "a")), "B A", "the reading order names regions that are not there: x"),
        (
            order(at(0, "b"), at(1, "a"), at(2, "b")),
            "B A",
            "the reading order names regions more than once, and the first place counts: b",
        ),
        (
            order('<RegionRef regionRef="b"/>', '<RegionRef regionRef="a"/>', tag="UnorderedGroup"),
            "B A",
            "the file says that 2 regions have no order; they are read as it lists them",
        ),
        ("", "A B", "the file gives no reading order; its 2 regions are read as they stand in it"),
    ],
)
def test_what_is_odd_about_the_order_is_told(reading_order: str, expected: str, note: str):
    content = page_xml(reading_order + regions("a", "b"))
    assert lines_of(content) == expected.split()
    assert notes_of(content) == (note,)


def test_without_reading_order_the_numbers_in_custom_count():
    def numbered(name: str, index: int) -> str:
        custom = f'custom="readingOrder {{index:{index};}} structure {{type:paragraph;}}"'
        return region(name, line(name.upper()), attributes=custom)

    content = page_xml(numbered("a", 2) + numbered("b", 0) + numbered("c", 1))
    assert lines_of(content) == ["B", "C", "A"]
    assert notes_of(content) == ()


def test_one_missing_number_leaves_the_order_of_the_file():
    content = page_xml(region("a", line("A"), attributes='custom="readingOrder {index:1;}"') + regions("b"))
    assert lines_of(content) == ["A", "B"]


@pytest.mark.parametrize("attribute", ['custom="readingOrder {{index:{};}}"', 'index="{}"'])
def test_lines_go_by_their_numbers_too(attribute: str):
    content = page_xml(
        region(
            "r", line("drei", attribute.format(2)), line("eins", attribute.format(0)), line("zwei", attribute.format(1))
        )
    )
    assert lines_of(content) == ["eins", "zwei", "drei"]


def test_of_two_regions_with_one_name_neither_is_lost():
    content = page_xml(order(at(0, "a")) + region("a", line("eins")) + region("a", line("zwei")))
    assert lines_of(content) == ["eins", "zwei"]
    assert "are read last: a" in notes_of(content)[0]


# --- nested regions and tables


def test_nested_regions_follow_the_one_that_holds_them():
    inner = region("b", line("B"))
    content = page_xml(order(at(1, "a"), at(0, "c")) + region("a", line("A"), inner) + regions("c"))
    assert lines_of(content) == ["C", "A", "B"]
    assert notes_of(content) == (MOVED,)


def test_nested_regions_with_a_place_of_their_own_take_it():
    content = page_xml(order(at(0, "b"), at(1, "a")) + region("a", line("A"), region("b", line("B"))))
    assert lines_of(content) == ["B", "A"]


def test_cells_of_a_table_go_by_row_and_column():
    def cell(row: int, column: int) -> str:
        return (
            f'<TableCell row="{row}" col="{column}" id="c{row}{column}"><Coords points="0,0 1,1"/>'
            f"{line(f'{row}.{column}')}</TableCell>"
        )

    content = page_xml(region("t", cell(1, 0), cell(0, 1), cell(1, 1), cell(0, 0), tag="TableRegion"))
    assert lines_of(content) == ["0.0", "0.1", "1.0", "1.1"]
    assert {one.kind for one in understood(content)[0].regions} == {"table-cell"}


def test_cells_of_page_2019_have_roles():
    def cell(row: int, column: int) -> str:
        role = f'<Roles><TableCellRole rowIndex="{row}" columnIndex="{column}"/></Roles>'
        return region(f"c{row}{column}", role, line(f"{row}.{column}"))

    content = page_xml(region("t", cell(1, 0), cell(0, 0), cell(0, 1), tag="TableRegion"))
    assert lines_of(content) == ["0.0", "0.1", "1.0"]


def test_groups_within_groups_and_regions_within_regions_may_be_as_deep_as_xml_allows():
    groups = "<OrderedGroupIndexed index='0'>" * 90 + at(0, "b") + "</OrderedGroupIndexed>" * 90
    nested = "".join(f'<TextRegion id="n{i}">' for i in range(200)) + line("tief") + "</TextRegion>" * 200
    content = page_xml(order(groups, at(1, "a")) + regions("a", "b") + nested)
    assert lines_of(content) == ["B", "A", "tief"]


# --- which text counts


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (equiv("eins") + equiv("zwei"), "eins"),
        (equiv("eins", 'index="1"') + equiv("zwei", 'index="0"'), "zwei"),
        (equiv("eins", 'index="2"') + equiv("zwei", 'index="1"'), "zwei"),
        (equiv("eins", 'index="1"') + equiv("zwei"), "zwei"),
        (equiv("", 'index="0"') + equiv("zwei", 'index="1"'), "zwei"),
        (equiv("eins", 'index="x"') + equiv("zwei", 'index="0"'), "eins"),
        ("<TextEquiv><PlainText>eins</PlainText></TextEquiv>", "eins"),
        ("<TextEquiv><PlainText>plain</PlainText><Unicode>eins</Unicode></TextEquiv>", "eins"),
        ("<TextEquiv><Unicode/></TextEquiv><TextEquiv/>", None),
    ],
)
def test_of_several_readings_the_first_by_index_counts(inside: str, expected: str | None):
    assert lines_of(page_xml(region("r", f"<TextLine>{inside}</TextLine>"))) == ([expected] if expected else [])


def test_text_that_only_words_or_glyphs_have_is_read_from_them():
    glyphs = f"<Word><Glyph>{equiv('d')}</Glyph><Glyph>{equiv('u')}</Glyph></Word>"
    words = f"<Word>{equiv('ich')}</Word><Word>{equiv('und')}</Word>{glyphs}"
    content = page_xml(region("r", f"<TextLine>{words}</TextLine>"))
    assert lines_of(content) == ["ich und du"]


def test_the_line_counts_before_its_words():
    assert lines_of(page_xml(region("r", line("ganz", inside=f"<Word>{equiv('halb')}</Word>")))) == ["ganz"]


def test_empty_text_of_a_region_with_full_lines_is_normal():
    content = page_xml(region("r", line("eins"), line("zwei"), "<TextEquiv><Unicode></Unicode></TextEquiv>"))
    assert lines_of(content) == ["eins", "zwei"]
    assert notes_of(content) == ()


def test_text_of_a_region_that_says_the_same_as_its_lines_is_normal():
    assert notes_of(page_xml(region("r", line("eins"), line("zwei "), equiv("eins\nzwei")))) == ()


def test_where_a_region_and_its_lines_differ_the_lines_count_and_it_is_reported():
    content = page_xml(region("r", line("eins"), equiv("zwei")))
    assert lines_of(content) == ["eins"]
    assert notes_of(content) == ("regions state another text than their lines, and the lines count: r",)


def test_text_of_a_region_without_lines_is_read_line_by_line_with_the_place_of_the_region():
    content = page_xml(region("r", '<Coords points="10,20 30,60"/>', equiv("eins\n\nzwei", 'conf="0.5"')))
    (only,) = understood(content)[0].regions
    assert [(one.text, one.box, one.confidence) for one in only.lines] == [
        ("eins", (10, 20, 20, 40), 0.5),
        ("zwei", (10, 20, 20, 40), 0.5),
    ]


def test_lines_without_text_are_counted():
    assert notes_of(page_xml(region("r", line("eins"), line(""), "<TextLine/>"))) == ("2 of 3 lines have no text",)


def test_furniture_of_the_page_keeps_its_place_and_says_what_it_is():
    content = page_xml(
        region("n", line("20"), attributes='type="page-number"')
        + region("p", line("Text"), attributes='custom="structure {type:heading;}"')
        + region("c", line("Die"), attributes='type="catch-word"')
    )
    assert [one.kind for one in understood(content)[0].regions] == ["page-number", "heading", "catch-word"]


def test_two_page_elements_are_one_page_and_reported():
    content = f'<PcGts xmlns="{NAMESPACE}"><Page>{regions("a")}</Page><Page>{regions("b")}</Page></PcGts>'
    assert lines_of(content) == ["A", "B"]
    assert notes_of(content) == ("the file has 2 Page elements; they are read as one page",)


# --- places, confidence


@pytest.mark.parametrize(
    ("coords", "box"),
    [
        ('<Coords points="10,20 110,25 110,70 10,65"/>', (10, 20, 100, 50)),
        ('<Coords><Point x="10" y="20"/><Point x="110" y="70"/></Coords>', (10, 20, 100, 50)),
        ('<Coords points="10.0,20.5 110.9,70"/>', (10, 20, 100, 50)),
        ('<Coords points="-19,20 110,70"/>', (-19, 20, 129, 50)),
        ('<Coords points="10,20"/>', (10, 20, 0, 0)),
        ('<Coords points="10,20 110"/>', None),
        ('<Coords points="links oben"/>', None),
        (f'<Coords points="{"9" * 400},1 2,2"/>', None),
        ("<Coords/>", None),
        ('<Baseline points="1,2 3,4"/>', None),
    ],
)
def test_a_line_knows_its_box(coords: str, box: tuple[int, int, int, int] | None):
    (only,) = understood(page_xml(region("r", line("Text", inside=coords))))[0].regions
    assert only.lines[0].box == box


HALF_SURE = "<Word><TextEquiv conf='0.5'><Unicode>a</Unicode></TextEquiv></Word>"


@pytest.mark.parametrize(
    ("own", "of_words", "expected"),
    [
        ('conf="0.75"', "", 0.75),
        ('conf="1"', "", 1.0),
        ('conf="75"', "", None),
        ('conf="sure"', "", None),
        ('conf="-1"', "", None),
        ('conf="nan"', "", None),
        ("", "", None),
        ("", HALF_SURE + "<Word><TextEquiv conf='1'><Unicode>b</Unicode></TextEquiv></Word>", 0.75),
        ('conf="0.9"', HALF_SURE, 0.9),
    ],
)
def test_confidence_is_that_of_the_line_or_the_mean_of_its_words(own: str, of_words: str, expected: float | None):
    content = page_xml(region("r", f"<TextLine>{of_words}{equiv('a b', own)}</TextLine>"))
    assert understood(content)[0].regions[0].lines[0].confidence == expected


# --- the document


def test_the_document_is_named_by_its_file_and_says_where_each_line_stands():
    content = page_xml(region("r1", line("Mon cher", inside='<Coords points="1,2 31,12"/>'), line("ami.")))
    document, notes = read(content, "lettres/0007.page.xml")
    assert (document.id, document.title, document.sub_corpus) == ("lettres/0007.page", "0007", "lettres")
    assert document.text == "Mon cher\nami."
    assert [document.text[one.start : one.end] for one in document.anchors] == ["Mon cher", "ami."]
    assert [(one.page, one.region, one.image, one.box) for one in document.anchors] == [
        ("0007", "r1", "0001.jpg", (1, 2, 30, 10)),
        ("0007", "r1", "0001.jpg", None),
    ]
    assert notes == []


def test_a_label_that_is_no_file_name_stays_as_it_is():
    assert understood(page_xml(regions("a")), "p. 12")[0].label == "p. 12"


@pytest.mark.parametrize(
    ("attributes", "inside", "expected"),
    [
        ('primaryLanguage="German" secondaryLanguage="Latin"', regions("a"), "de"),
        ("", region("a", line("A"), attributes='primaryLanguage="French"'), "fr"),
        ("", regions("a"), ""),
    ],
)
def test_the_language_is_the_one_the_file_states(attributes: str, inside: str, expected: str):
    assert read(page_xml(inside, attributes))[0].language == expected


@pytest.mark.parametrize(
    ("last", "first", "text"),
    [
        ("die milden Kolo⸗", "nialgeſetze", "die milden Kolonialgeſetze"),
        ("Zur Feier des Sie-", "ges wurde geläutet", "Zur Feier des Sieges\nwurde geläutet"),
        ("die höhe¬", "ꝛen", "die höheꝛen"),
        ("bereits auf dem Wege", "der Auswechſelung", "bereits auf dem Wege\nder Auswechſelung"),
        ("wird hier", "Wien, den 3.", "wird hier\n\nWien, den 3."),
        ("Ende.", "neu", "Ende.\n\nneu"),
    ],
)
def test_text_runs_on_from_region_to_region(last: str, first: str, text: str):
    assert read(page_xml(region("a", line(last)) + region("b", line(first))))[0].text == text


def test_a_word_is_whole_across_a_page_number():
    content = page_xml(
        region("a", line("der Antrag Ger⸗"))
        + region("n", line("859"), attributes='type="page-number"')
        + region("b", line("main's, der"))
    )
    document, _ = read(content)
    assert document.text == "der Antrag Germain's,\n\n859\n\nder"
    assert document.anchors[0].raw == "der Antrag Ger⸗"
    assert compose([understood(content)[0]]).text == document.text


@pytest.mark.parametrize(
    ("name", "expected", "rule"),
    [
        ("z/1871_65_0045.xml", ("1871-01-01", "1871-12-31"), "file name: year, issue and image"),
        ("z/1891_1_0001.xml", ("1891-01-01", "1891-12-31"), "file name: year, issue and image"),
        ("z/0002647_18240217_0001.xml", ("1824-02-17", "1824-02-17"), "file name: "),
        ("z/1887-01-12.xml", ("1887-01-12", "1887-01-12"), "file name: "),
        ("temps/1887-01-12/0001.xml", ("1887-01-12", "1887-01-12"), "folder: "),
        ("temps/1887/01/12/0001.xml", ("1887-01-12", "1887-01-12"), "folder: "),
    ],
)
def test_a_date_is_taken_from_the_path_where_it_is_whole(name: str, expected: tuple[str, str], rule: str):
    (date,) = read(page_xml(regions("a")), name)[0].dates
    assert (iso(date.first), iso(date.last)) == expected
    assert date.rule.startswith(rule)
    assert (date.precision is Precision.YEAR) == ("issue" in rule)


@pytest.mark.parametrize(
    "name",
    [
        "00000024.page.xml",
        "1871_0045.xml",
        "bsb11010101_00007.xml",
        "1887-13-01.xml",
        "1887-02-30.xml",
        "718448162/0001.xml",
        "1887/0001.xml",
        "18870112334.xml",
    ],
)
def test_numbers_that_are_no_full_date_leave_it_undated(name: str):
    assert read(page_xml(regions("a")), name)[0].dates == ()


def test_regions_that_stand_in_another_order_than_the_one_stated_are_told_and_follow_it():
    stated = order('<RegionRefIndexed index="1" regionRef="a"/>', '<RegionRefIndexed index="0" regionRef="b"/>')
    page, notes = page_of(etree.fromstring(page_xml(stated + regions("a", "b"))), "1.xml")
    assert [one.name for one in page.regions] == ["b", "a"]
    assert notes == (MOVED,)
    same = order('<RegionRefIndexed index="0" regionRef="a"/>', '<RegionRefIndexed index="1" regionRef="b"/>')
    assert page_of(etree.fromstring(page_xml(same + regions("a", "b"))), "1.xml")[1] == ()
