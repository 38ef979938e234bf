"""The report: counts that add up, windows that invent nothing, files with their reasons, a page that is safe."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fakes.pdf import pdf
from vestigia.app import care, report_page
from vestigia.app.report import coverage, plain
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import FileReport, import_path
from vestigia.domain.archive import Anchor, Document, Provenance
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.periods import FAR_FUTURE, DatePeriod, Precision, day_number
from vestigia.domain.ports import Refused


def years(first: int, last: int | None = None) -> DatePeriod:
    return DatePeriod(day_number(first), day_number(last or first, 12, 31), Precision.YEAR)


def document(
    name: str, period: DatePeriod | None, sub_corpus: str = "A", anchors: tuple[Anchor, ...] = (), rights: str = ""
) -> Document:
    place = Provenance("a.jsonl", name, digest(name), "jsonl", rights=rights)
    return Document(
        DocumentId(name), sub_corpus, name, f"Text of {name}.", "en", place, (period,) if period else (), (), anchors
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return init(tmp_path / "archive", "Papiers")


def fill(workspace: Workspace, *documents: Document) -> None:
    catalogue = workspace.catalogue()
    with catalogue.writing():
        for one in documents:
            catalogue.add(one)
    catalogue.close()


@pytest.mark.parametrize(
    ("first", "last", "windows"),
    [
        (1887, 1887, ("1887",)),
        (1887, 1889, ("1887", "1888", "1889")),
        (1885, 1920, ("1880-1889", "1890-1899", "1900-1909", "1910-1919", "1920-1929")),
        (1650, 1960, ("1600-1699", "1700-1799", "1800-1899", "1900-1999")),
    ],
)
def test_windows_are_years_decades_or_centuries_by_the_span_and_none_is_left_out(
    workspace: Workspace, first: int, last: int, windows: tuple[str, ...]
):
    fill(workspace, document("a", years(first)), document("b", years(last)))
    assert coverage(workspace).windows == windows


def test_years_before_the_common_era_have_windows_too(workspace: Workspace):
    fill(workspace, document("a", years(-43)), document("b", years(14)))
    found = coverage(workspace)
    assert len(found.windows) == 7
    assert sum(found.parts[0].counts) == 2


def test_a_document_counts_in_the_window_that_holds_its_whole_date_and_nowhere_else(workspace: Workspace):
    fill(
        workspace,
        document("a", years(1887)),
        document("b", years(1888)),
        document("c", years(1887, 1888)),
        document("d", None),
        document("e", years(1888), "B"),
        document("f", DatePeriod(day_number(1887), FAR_FUTURE, Precision.RANGE), "B"),
    )
    found = coverage(workspace)
    one, other = found.parts
    assert (one.counts, one.wider, one.undated) == ((1, 1), 1, 1)
    assert (other.counts, other.wider, other.undated) == ((0, 1), 1, 0)
    for part in found.parts:
        assert sum(part.counts) + part.wider + part.undated == part.described.documents
    assert (found.documents, found.undated) == (6, 1)


def test_an_empty_archive_and_one_without_dates_have_no_windows(workspace: Workspace):
    assert (coverage(workspace).windows, coverage(workspace).documents) == ((), 0)
    fill(workspace, document("a", None))
    found = coverage(workspace)
    assert (found.windows, found.parts[0].counts, found.parts[0].undated) == ((), (), 1)
    assert "<table>" in report_page.page(found)


def test_pages_confidence_and_access_are_those_of_the_sub_corpus(workspace: Workspace):
    fill(
        workspace,
        document("a", None, anchors=(Anchor(0, 5, "1", confidence=0.8), Anchor(5, 9, "2")), rights="CC BY"),
        document("b", None, rights="gesperrt"),
        document("c", None, "B"),
    )
    one, other = coverage(workspace).parts
    assert (one.pages, one.confidence, one.access) == (2, pytest.approx(0.8), (("open", 1), ("closed", 1)))
    assert (other.pages, other.confidence, other.access) == (0, None, (("unknown", 1),))


def keep(workspace: Workspace, *reports: FileReport) -> None:
    catalogue = workspace.catalogue()
    for one in reports:
        data = {
            "file": one.file,
            "documents": one.documents,
            "failure": one.failure,
            "skipped": one.skipped,
            "refused": [{"place": r.place, "reason": r.reason, "kept": r.kept} for r in one.refused],
        }
        warnings = [{"place": r.place, "reason": r.reason, "kept": r.kept} for r in one.warnings]
        catalogue.keep_report(one.file, json.dumps(data), json.dumps(warnings))
    catalogue.close()


PAGE = '<Page ID="P{}"><PrintSpace>{}</PrintSpace></Page>'
WORD = '<TextBlock ID="B"><TextLine><String CONTENT="Mot"/></TextLine></TextBlock>'
HOCR = '<div class="ocr_page">{}</div>'
LINE = '<span class="ocr_line"><span class="ocrx_word">Mot</span></span>'
CANVAS = {
    "type": "Canvas",
    "annotations": [{"type": "AnnotationPage", "items": [{"type": "Annotation", "body": "Mot"}]}],
}
MANIFEST = {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest"}
EMPTY = "<PcGts><Page/></PcGts>"
METS = """<mets xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp><file ID="F1"><FLocat xlink:href="1.xml"/>
</file><file ID="F2"><FLocat xlink:href="2.xml"/></file></fileGrp></fileSec></mets>"""


@pytest.mark.parametrize(
    ("files", "pages"),
    [
        ({"a.xml": f"<alto><Layout>{PAGE.format(1, WORD)}{PAGE.format(2, '')}</Layout></alto>"}, 1),
        ({"a.xml": f"<alto><Layout>{PAGE.format(1, '')}{PAGE.format(2, '')}</Layout></alto>"}, 2),
        ({"a.xml": EMPTY}, 1),
        ({"a.html": f"<html>{HOCR.format(LINE)}{HOCR.format('') * 2}</html>"}, 2),
        ({"a.html": f"<html>{HOCR.format('') * 3}</html>"}, 3),
        ({"a.json": json.dumps(MANIFEST | {"items": [CANVAS, {"type": "Canvas"}, {"type": "Canvas"}]})}, 2),
        ({"a.json": json.dumps(MANIFEST | {"items": [{"type": "Canvas"}] * 4})}, 4),
        ({"a.pdf": pdf(("Eine Rede",), (), ("Ende",), ())}, 2),
        ({"a.pdf": pdf((), (), ())}, 3),
        ({"mets.xml": METS, "1.xml": f"<alto><Layout>{PAGE.format(1, WORD)}</Layout></alto>", "2.xml": EMPTY}, 1),
        ({"mets.xml": METS, "1.xml": EMPTY, "2.xml": EMPTY}, 2),
        ({"a.txt": "Mot.", "b.txt": ""}, 0),
    ],
)
def test_pages_without_text_are_counted_whatever_the_format_and_whether_others_have_text(
    workspace: Workspace, tmp_path: Path, files: dict[str, str | bytes], pages: int
):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    catalogue = workspace.catalogue()
    for _ in ("first", "again"):
        report = import_path(catalogue, folder)
        assert report.total("pages_without_text") == pages
    catalogue.close()
    found = coverage(workspace)
    assert found.silent_pages == plain(found)["pages_without_text"] == pages
    assert f"Pages without text: {pages}." in report_page.page(found)


def test_files_that_have_nothing_to_say_are_counted_only(workspace: Workspace):
    keep(
        workspace,
        FileReport("a.txt", documents=1),
        FileReport("b.txt", failure="the file is empty."),
        FileReport("c.txt", skipped="not a document"),
        FileReport("d.csv", documents=3, refused=(Refused("line 2", "the text is empty."),)),
    )
    found = coverage(workspace)
    assert found.files == 4
    assert found.accounts == found.refused
    assert [one.file for one in found.accounts] == ["b.txt", "d.csv"]


def test_copies_are_counted_by_kind(workspace: Workspace, tmp_path: Path):
    text = "The bridge of wood was carried away by the flood in the night, and nobody has crossed the river since then."
    records = [{"id": f"{n}", "text": text, "date": f"{1880 + n // 2}"} for n in range(3)]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    catalogue = workspace.catalogue()
    import_path(catalogue, path)
    catalogue.close()
    copies = coverage(workspace).copies
    assert (copies.clusters, copies.documents, copies.twins) == ((("reprint", 1),), 3, 0)


def test_the_fingerprint_is_that_of_the_catalogue(workspace: Workspace):
    fill(workspace, document("a", None))
    catalogue = workspace.catalogue()
    assert coverage(workspace).fingerprint == catalogue.fingerprint
    catalogue.close()


def test_as_data_it_is_json_and_what_nobody_stated_is_null(workspace: Workspace):
    fill(workspace, document("a", years(1887)))
    data = json.loads(json.dumps(plain(coverage(workspace))))
    (part,) = data["sub_corpora"]
    assert (part["confidence"], part["genre"], part["access"], part["by_window"]) == (None, None, {"unknown": 1}, [1])
    assert data["duplicates"] == {"clusters": {}, "documents": 0, "twins": 0}


class Outline(HTMLParser):
    """Collects tags, addresses and text, and sees that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href", "action"}]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_fetches_nothing_and_holds_archive_text_as_text_only(workspace: Workspace):
    evil = '<script>alert(1)</script> & "quotes" \''
    fill(workspace, document("a", years(1887), evil), document("b", None, "B"))
    care.describe(workspace, evil, {"genre": evil, "source": evil, "rights": evil, "description": evil})
    keep(
        workspace,
        FileReport(f"{evil}.csv", refused=(Refused(evil, evil), *[Refused("x", "y")] * 60)),
        FileReport("b.csv", failure=evil),
    )
    page = report_page.page(coverage(workspace))
    outline = Outline()
    outline.feed(page)
    outline.close()
    assert outline.open == []
    assert "script" not in outline.tags
    assert outline.addresses == []
    assert "url(" not in page
    assert "@import" not in page
    assert outline.text.count("<script>alert(1)</script>") >= 6
    assert "… and 11 more" in outline.text
    for words in ("Documents by time", "Fingerprint", "Held twice", "refused"):
        assert words in outline.text


def test_the_page_is_for_light_and_dark_and_for_paper(workspace: Workspace):
    page = report_page.page(coverage(workspace))
    assert "color-scheme: light dark" in page
    assert "@media print" in page
    assert '<html lang="en">' in page
    assert "Every file went in whole" in page
