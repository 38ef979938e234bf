"""Real scans: every page goes in whole, in reading order, and each odd one says what is odd about it."""

from pathlib import Path

import pytest

from vestigia.corpus.readers.hocr import HocrReader
from vestigia.corpus.readers.page import PageReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.periods import iso
from vestigia.domain.ports import Reader, Refused

pytestmark = pytest.mark.shared

MOVED = "its regions stand in the file in another order than the reading order it states; the text follows that"


def read(reader: Reader, path: Path) -> tuple[Document, list[str]]:
    document, *rest = reader.read(FileSource(path, f"{path.parent.name}/{path.name}"))
    assert isinstance(document, Document)
    return document, [one.reason for one in rest if isinstance(one, Refused)]


def raw_words(document: Document) -> int:
    """How many words the source has: its lines as they were before broken words were joined."""
    return sum(len((one.raw or document.text[one.start : one.end]).split()) for one in document.anchors)


@pytest.mark.parametrize(
    ("name", "phrase", "regions"),
    [
        ("1820_84_0220", "aber die milden Kolonialgeſetze\nveranſchlagen", 2),
        ("1829_73_0295", "der Carneval (wie bereits\ngemeldet) nach", 2),
        ("1870_245_0433", "Zur Feier des Sieges\nwurde mit ſämmtlichen Glocken", 2),
        ("1871_59_0469", "Dahin gehört zunächſt der Antrag Germain's,", 1),
        ("1871_59_0469", "der pariſer Bevölkerung den Abſchluß der Friedenspräliminarien\nund die Verlängerung", 2),
        ("1891_1_0001", "beſtellt hat,\nangeordnet werden, daß", 2),
    ],
)
def test_a_phrase_across_a_region_boundary_is_there_in_reading_order(
    shared_data: Path, name: str, phrase: str, regions: int
):
    document, _ = read(PageReader(), shared_data / "reichsanzeiger-page-de" / f"{name}.xml")
    start = document.text.index(phrase)
    hits = [one for one in document.anchors if one.start < start + len(phrase) and one.end > start]
    assert all(one.page == name and one.box and one.image == f"{name}.jpg" for one in hits)
    assert len({one.region for one in hits}) == regions


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("1820_84_0220", 260),
        ("1829_73_0295", 329),
        ("1857_132_0507", 349),
        ("1870_244_0431", 197),
        ("1870_245_0433", 328),
        ("1871_59_0469", 334),
        ("1871_65_0045", 291),
        ("1871_65_0046", 269),
        ("1891_1_0001", 264),
        ("1904_263_0459", 429),
    ],
)
def test_every_line_of_the_gazette_is_there_with_its_box_and_the_year_of_its_name(
    shared_data: Path, name: str, lines: int
):
    document, notes = read(PageReader(), shared_data / "reichsanzeiger-page-de" / f"{name}.xml")
    held = sum(1 + one.raw.count("\n") for one in document.anchors)
    assert held == lines
    assert all(one.box for one in document.anchors)
    (date,) = document.dates
    assert (iso(date.first), iso(date.last)) == (f"{name[:4]}-01-01", f"{name[:4]}-12-31")
    empty_cells = name in {"1857_132_0507", "1904_263_0459"}
    assert [note[:45] for note in notes] == ["regions in the reading order that have no text"[:45]] * empty_cells


def test_a_print_is_read_in_its_order_with_its_furniture_in_place(shared_data: Path):
    folder = shared_data / "actevedef-mets-page-gt-ocr-de"
    document, notes = read(PageReader(), folder / "OCR-D-GT-PAGE" / "00000024.page.xml")
    assert len(document.anchors) == 68
    assert document.text.startswith("20\n\nrath mit einer Pœna")
    assert document.text.endswith("Die")
    assert document.language == "de"
    assert document.dates == ()
    assert notes == [MOVED, "regions state another text than their lines, and the lines count: r9"]


@pytest.mark.parametrize("run", ["CALAMARI", "TESS"])
def test_lines_that_recognition_left_empty_are_counted(shared_data: Path, run: str):
    name = f"OCR-D-OCR-{run}"
    document, notes = read(PageReader(), shared_data / "actevedef-mets-page-gt-ocr-de" / name / f"{name}_0001.xml")
    assert len(document.anchors) == 69
    assert all(one.confidence is not None for one in document.anchors)
    assert notes == ["regions in the reading order that have no text: r10, r3, r0, r2", "2 of 71 lines have no text"]


@pytest.mark.parametrize(
    ("name", "words", "notes"),
    [
        ("table-order/table-order-0001", "1 2 3 4 5 6 7 8 9", [MOVED]),
        ("table-order/table-order-0002", "1 4 7 2 5 8 3 6 9", [MOVED]),
        ("table-order/table-region", "1 2 3 4 5 6 7 8 9", [MOVED]),
        (
            "table-order/table-unordered",
            "1 2 3 4 5 6 7 8 9",
            ["the file says that 9 regions have no order; they are read as it lists them"],
        ),
        (
            "table-order/table-no-reading-order",
            "5 6 7 8 9 1 2 3 4",
            ["the file gives no reading order; its 9 regions are read as they stand in it"],
        ),
        (
            "mixed-regions.page",
            "",
            ["regions in the reading order that have no text: region0000, region0002, region0003"],
        ),
        ("levels-are-different.page", "", ["regions state another text than their lines, and the lines count: r1070"]),
    ],
)
def test_pages_that_importers_choke_on(shared_data: Path, name: str, words: str, notes: list[str]):
    document, told = read(PageReader(), shared_data / "broken-markup" / "dinglehopper" / f"{name}.xml")
    assert not words or document.text.split() == words.split()
    assert document.text
    assert told == notes


@pytest.mark.parametrize(("name", "words"), [("seq-1", 3586), ("seq-2", 3451)])
def test_every_word_of_a_newspaper_page_is_there(shared_data: Path, name: str, words: int):
    document, notes = read(HocrReader(), shared_data / "chronicling-america-en" / "hocr" / f"{name}.html")
    assert raw_words(document) == words
    assert all(one.box and one.image for one in document.anchors)
    assert max(one.box[1] for one in document.anchors if one.box) > 20_000
    assert document.language == "en"
    assert notes == []


SIGNS = "signs < that are no mark-up, kept as characters"


@pytest.mark.parametrize(
    ("name", "words", "phrase", "notes"),
    [
        ("hocr_broken_comment.html", 898, "!'<!--,,,> N..>k,iv!", [f"{SIGNS}: 1"]),
        ("hocr_broken_pis.html", 644, "<?«»«?>i<5t»<?».", [f"{SIGNS}: 11"]),
        (
            "hocr_broken_entities.html",
            1576,
            "&HiFi-i?c",
            ["words without text: 60", "signs & that begin no character reference, kept as characters: 2"],
        ),
        ("hyphen_match.html", 1996, "Fletcher's", []),
        (
            "empty_words_bug.html",
            7,
            "Rhein-u. Moſelzeitung.",
            ["words without text: 10", "pages without text: 3 of 5 (1, 3, 4)"],
        ),
        ("multicolumn.hocr", 811, "erſchei\nnenden", []),
    ],
)
def test_broken_hocr_goes_in_whole_and_says_what_was_repaired(
    shared_data: Path, name: str, words: int, phrase: str, notes: list[str]
):
    document, told = read(HocrReader(), shared_data / "broken-markup" / "ocr" / name)
    assert len(document.text.split()) == words
    assert phrase in document.text
    assert told == notes


@pytest.mark.parametrize("name", ["hocr_broken_comment.html", "hocr_broken_pis.html"])
def test_what_stands_after_the_broken_place_is_not_swallowed(shared_data: Path, name: str):
    path = shared_data / "broken-markup" / "ocr" / name
    document, _ = read(HocrReader(), path)
    boxes = {one.box for one in document.anchors}
    assert len(boxes) == len(document.anchors) == path.read_text("utf-8").count("class='ocr_line'")
