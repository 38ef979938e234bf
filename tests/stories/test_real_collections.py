"""The archive door, tried on real collections as a person would: each folder as it came, by a bare `vestigia add`.

The counts are those of the collections' own SOURCE.md, put down by hand.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import archive, asking, encoders
from vestigia.cli.commands import app
from vestigia.models.encoders.hashing import HashingEncoder

pytestmark = pytest.mark.shared
PART, NONE = "read as a part of ", "not a document: "


@dataclass(frozen=True)
class Collection:
    """What a folder holds: documents, dated ones, records beside them that say the same, pages that have no text.

    `told` gives for each file of which something must be said words of it; no other file has anything said of it.
    """

    folder: str
    documents: int
    dated: int
    twins: int = 0
    pages_without_text: int = 0
    told: dict[str, str] = field(default_factory=dict)


COLLECTIONS = (
    Collection(  # one page three times: one document, of the ground truth, dated by the METS's year
        "actevedef-mets-page-gt-ocr-de", 1, 1,
        told={"mets.xml": "is there 3 times; OCR-D-GT-PAGE was read", "00000024.page.xml": PART,
              "OCR-D-OCR-CALAMARI_0001.xml": PART, "OCR-D-OCR-TESS_0001.xml": PART}),
    Collection(  # one issue: 26 articles, an advertisement, and what belongs to none
        "bl-1824-mets-alto-en", 28, 28,
        told={"0002647_18240217_mets.xml": "belong to no article",
              **{f"0002647_18240217_{page:04d}.xml": PART for page in (1, 2, 3, 4)}}),
    Collection(  # 2 hOCR pages, an ALTO page and its text; 2 library records
        "chronicling-america-en", 4, 0,
        told={"bib-with-vague-dates.xml": "records (MARCXML)", "title.xml": "records (MARCXML)"}),
    Collection("date-strings", 0, 0, told={"dates.tsv": "no column holds a text; the columns are: source, file, lang"}),
    Collection("debats-1881-txt-fr", 1, 1, told={"1881-11-10.txt": "both dates are kept, the day of the sitting"}),
    Collection(  # 9 fixtures: 50 + 42 + 2 + 2 + 1 sections with text
        "hansard-xml-en", 97, 97,
        told={"commons_written_answers_1889_08_21.xml": "not well-formed", "housecommons_1889_08_21.xml": "1887-08-21",
              "housecommons_empty.xml": "no text", "commons_with_date_repeated.xml": "3 sittings",
              "housecommons_example.xml": "Motor Vehicle Emissions"}),
    Collection("historiqa-sample-fr", 50, 50, told={"questions.jsonl": f"{NONE}questions"}),
    Collection(  # an issue of two pages, one of which is in the folder
        "iiif-newspaper-de", 1, 1, pages_without_text=1,
        told={"newspaper_issue_1-manifest.json": "canvases without text: 1 of 2",
              "newspaper_issue_1-anno_p1.json": PART, "newspaper_issue_1-alto_p1.xml": PART,
              "newspaper_title-collection.json": "no document of its own"}),
    Collection(  # 59 addresses, one of them not UTF-8
        "inaugural-txt-en", 58, 58,
        told={"2005-Bush.txt": "the file is not UTF-8 (byte 0xa1 in line 3)", "README": f"{NONE}a description"}),
    Collection("lunion-1860-alto-fr", 2, 2),
    Collection(  # 12 articles, 5 advertisements, the one section with a text of its own, and what belongs to none
        "luxzeit-1858-mets-alto-de", 19, 19,
        told={"2385348_newspaper_luxzeit1858_1858-12-07_01-mets.xml": "belong to no article",
              **{f"1858-12-07_01-{page:05d}.xml": PART for page in (1, 2, 3, 4)}}),
    Collection(
        "multihop-rag-500-en", 438, 438, told={"queries.jsonl": f"{NONE}questions", "qrels.tsv": f"{NONE}judgments"}),
    Collection(  # 453 letters, 31 of them as TEI, too; the six with odd dates and what those say
        "pec-letters-fr", 453, 453, twins=31,
        told={"docs.jsonl": "'6 Aout 1914' contradicts 1914-08-15", "queries.jsonl": f"{NONE}questions",
              "qrels.tsv": f"{NONE}judgments", "Lettre0102_16novembre1915.xml": "1915-11-16 and 1915-11-19",
              "Lettre0401_10juillet1918.xml": "1918-07-10 and 1918-07-06"}),
    Collection(  # 10 pages; two have cells without text
        "reichsanzeiger-page-de", 10, 10,
        told={"1857_132_0507.xml": "that have no text", "1904_263_0459.xml": "that have no text"}),
    Collection(  # 1,677 letters, 55 of them as TEI, too
        "schnitzler-letters-de", 1677, 1677, twins=55,
        told={"docs.jsonl": "'2. 5. 1895' contradicts 1893-05-02", "queries.jsonl": f"{NONE}questions",
              "qrels.tsv": f"{NONE}judgments"}),
)  # fmt: skip
MISSING = "which is not there"
BROKEN = {
    "alto2txt-bad_directory/0002647_18240217_mets.xml": MISSING,
    "alto2txt-bad_directory/0002647_18240217_0001.xml": PART,
    "alto2txt-missing_page/0002647_18240217_mets.xml": MISSING,
    "alto2txt-missing_page/0002647_18240217_0001.xml": PART,
    "alto2txt-no_dir_tree/0002647_18240217_mets.xml": MISSING,
    "alto2txt-no_dir_tree/0002647_18240217_0001.xml": PART,
    "dinglehopper/levels-are-different.page.xml": "regions state another text than their lines",
    "dinglehopper/mixed-regions.page.xml": "regions in the reading order that have no text",
    "dinglehopper/table-order/table-no-reading-order.xml": "gives no reading order",
    "dinglehopper/table-order/table-order-0001.xml": "in another order than the reading order",
    "dinglehopper/table-order/table-order-0002.xml": "in another order than the reading order",
    "dinglehopper/table-order/table-region.xml": "in another order than the reading order",
    "dinglehopper/table-order/table-unordered.xml": "9 regions have no order",
    "dinglehopper/test.alto3.xml": "no unit of measurement",
    "ocr/PPN750717092-00000780.ocr.xml": "broken words of which the page names only one part",
    "ocr/alto_namespaced.xml": "encoded twice, e.g. 'estÃ¡'",
    "ocr/alto_nospace.xml": "marks no spaces",
    "ocr/altobadcoords.xml": "1 lines have an impossible box",
    "ocr/empty_words_bug.html": "pages without text: 3 of 5",
    "ocr/hocr_broken_comment.html": "no mark-up, kept as characters: 1",
    "ocr/hocr_broken_entities.html": "begin no character reference, kept as characters: 2",
    "ocr/hocr_broken_pis.html": "no mark-up, kept as characters: 11",
    "ocr/hyphen_match.html": "28 broken words joined",
    "ocr/multicolumn.hocr": "1 broken words joined",
}
"""The reason or the repair of each of the 24 files."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encode with an encoder that needs no weights: what is tried here is the door."""
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))


def vestigia(*words: object, code: int = 0) -> str:
    result = CliRunner(env={"COLUMNS": "1000"}).invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result.stdout


def said(file: dict) -> str:
    """What is said of a file, as one line."""
    records = [one["reason"] for one in (*file["refused"], *file["warnings"])]
    joined = f"{file['joined']} broken words joined" if file["joined"] else ""
    return " ".join(one for one in (file["failure"], file["skipped"], *records, joined) if one)


def odd(files: list[dict], folder: Path) -> dict[str, str]:
    """The files of which more is said than how many broken words were joined, by their path, and SOURCE.md left out."""
    told = {
        one["file"].removeprefix(f"{folder.as_posix()}/"): said(one)
        for one in files
        if one["failure"] or one["skipped"] or one["refused"] or one["warnings"]
    }
    assert told.pop("SOURCE.md") == f"{NONE}a description of the folder"
    return told


@pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda one: one.folder)
def test_a_folder_goes_in_as_it_is_and_the_second_time_changes_nothing(
    shared_data: Path, tmp_path: Path, collection: Collection
):
    home, folder = tmp_path / "archive", shared_data / collection.folder
    vestigia("init", home)
    code = 0 if collection.documents else 1
    first = json.loads(vestigia("add", home, folder, "--json", code=code))
    counts = {name: sum(one[name] for one in first["files"]) for name in ("dated", "undated", "pages_without_text")}
    assert (first["documents"], first["twins"], first["updated"]) == (collection.documents, collection.twins, 0)
    assert counts == {
        "dated": collection.dated,
        "undated": collection.documents - collection.dated,
        "pages_without_text": collection.pages_without_text,
    }
    told = {path.rpartition("/")[2]: words for path, words in odd(first["files"], folder).items()}
    assert told.keys() == collection.told.keys()
    assert [name for name, words in collection.told.items() if words not in told[name]] == []
    before = json.loads(vestigia("report", home, "--json"))
    page = vestigia("add", home, folder, code=code).replace("\n", "")
    assert f"0 documents in (0 passages; 0 dated, 0 undated), {collection.documents} unchanged" in page
    assert [name for name in told if name not in page] == []
    assert json.loads(vestigia("report", home, "--json"))["fingerprint"] == before["fingerprint"]
    assert len(json.loads(vestigia("duplicates", home, "--json"))["twins"]) == collection.twins


def test_every_broken_file_has_its_reason_or_its_repair_and_none_is_silently_empty(shared_data: Path, tmp_path: Path):
    home, folder = tmp_path / "archive", shared_data / "broken-markup"
    vestigia("init", home)
    files = json.loads(vestigia("add", home, folder, "--json"))["files"]
    told = odd(files, folder) | {one["file"].removeprefix(f"{folder.as_posix()}/"): said(one) for one in files}
    del told["SOURCE.md"]
    assert told.keys() == BROKEN.keys()
    assert len(BROKEN) == 24
    assert [name for name, words in BROKEN.items() if words not in told[name]] == []
    assert [one["file"] for one in files if not one["skipped"] and not one["documents"]] == []
    assert sum(one["documents"] for one in files) == 18 + 3 * 3  # a page each; of each issue two articles and the rest


@pytest.mark.parametrize(
    ("folder", "word", "page", "first_line"),
    [
        ("luxzeit-1858-mets-alto-de", "consolidation", "2", [2094, 1416, 874, 46]),  # 1/10 mm in the file, 300 dpi
        ("luxzeit-1858-mets-alto-de", "correspondants", "3", [112, 1363, 876, 44]),
        ("lunion-1860-alto-fr", "rechercheront", "1", [1554, 1665, 663, 36]),
        ("lunion-1860-alto-fr", "inquiétudes", "2", [966, 1703, 627, 37]),
        ("bl-1824-mets-alto-en", "countervailing", "1", [1000, 3040, 915, 45]),
        ("bl-1824-mets-alto-en", "misunderstood", "2", [2216, 5502, 911, 41]),
    ],
)
def test_a_word_split_over_lines_is_found_once_and_whole_with_its_page_and_lines(
    shared_data: Path, tmp_path: Path, folder: str, word: str, page: str, first_line: list[int]
):
    home = tmp_path / "archive"
    vestigia("init", home)
    vestigia("add", home, shared_data / folder)
    for manner in (["--channel", "exact"], ["--channel", "words", "--strict", "--limit", "50"]):
        hits = json.loads(vestigia("search", home, word, *manner, "--json"))["hits"]
        (hit,) = [one for one in hits if word in one["passage"]["text"]]
        assert (hit["passage"]["text"].count(word), hit["passage"]["quote"]) == (1, word)
        lines = hit["passage"]["quote_lines"]
        assert [line["page"] for line in lines] == [page, page]
        assert lines[0]["box"] == first_line
        assert lines[1]["box"][1] > first_line[1]
        assert page in [one["page"] for one in hit["passage"]["pages"]]
        assert f"p. {page}" in hit["citation"]


@pytest.mark.parametrize(
    ("phrase", "file", "regions", "boxes"),
    [
        ("milden Kolonialgesetze veranschlagen", "1820_84_0220", ["r8", "r9"],
         [[703, 5980, 1585, 102], [2403, 3708, 1596, 87]]),
        ("Sieges wurde mit sämmtlichen Glocken", "1870_245_0433", ["r13", "r14"],
         [[4871, 6158, 1840, 80], [6864, 632, 1872, 77]]),
        ("Friedenspräliminarien und die Verlängerung", "1871_59_0469", ["r12", "r13"],
         [[5768, 6917, 1905, 101], [7699, 1278, 1889, 81]]),
        ("bestellt hat, angeordnet werden", "1891_1_0001", ["r9", "r10"],
         [[300, 4805, 1092, 52], [1420, 1140, 1087, 60]]),
    ],
)  # fmt: skip
def test_a_phrase_over_the_foot_of_a_column_is_found_in_reading_order_with_both_places(
    shared_data: Path, tmp_path: Path, phrase: str, file: str, regions: list[str], boxes: list[list[int]]
):
    home = tmp_path / "archive"
    vestigia("init", home)
    vestigia("add", home, shared_data / "reichsanzeiger-page-de" / f"{file}.xml")
    (hit,) = json.loads(vestigia("search", home, f'"{phrase}"', "--syntax", "--json"))["hits"]
    lines = hit["passage"]["quote_lines"]
    assert hit["passage"]["quote_check"] == "exact"
    assert [(line["page"], line["image"]) for line in lines] == [(file, f"{file}.jpg")] * 2
    assert [line["region"] for line in lines] == regions
    assert [line["box"] for line in lines] == boxes
