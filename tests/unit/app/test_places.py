"""Where hits and quotations stand on pages: page, image, regions, boxes, confidence, and the lines of a quotation."""

from pathlib import Path

import pytest

from vestigia.app import archive, asking, encoders, places
from vestigia.app.archive import add
from vestigia.app.present import Plain, answer, cited_pages
from vestigia.app.search_view import search_plain
from vestigia.app.searching import search
from vestigia.app.workspace import Workspace, init
from vestigia.cli import printing
from vestigia.cli.questions import search_page
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import Anchor, Passage
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import Question
from vestigia.models.encoders.hashing import HashingEncoder

ALTO = """<alto><Description><MeasurementUnit>pixel</MeasurementUnit>
<sourceImageInformation><fileName>scan-{number}.tif</fileName></sourceImageInformation></Description>
<Layout><Page PHYSICAL_IMG_NR="{number}" WIDTH="1000" HEIGHT="1500"><PrintSpace>{blocks}</PrintSpace></Page></Layout>
</alto>"""
METS = """<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">
<fileSec><fileGrp USE="ALTO">
<file ID="f1" MIMETYPE="text/xml"><FLocat LOCTYPE="URL" xlink:href="text/1.xml"/></file>
<file ID="f2" MIMETYPE="text/xml"><FLocat LOCTYPE="URL" xlink:href="text/2.xml"/></file></fileGrp></fileSec>
<structMap TYPE="PHYSICAL"><div TYPE="issue">
<div TYPE="page" ORDER="1" ORDERLABEL="7"><fptr FILEID="f1"/></div>
<div TYPE="page" ORDER="2" ORDERLABEL="8"><fptr FILEID="f2"/></div></div></structMap></mets>"""
PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15">
<Page imageFilename="band-3.jpg" imageWidth="900" imageHeight="1200">
<ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="links"/>
<RegionRefIndexed index="1" regionRef="rechts"/></OrderedGroup></ReadingOrder>
<TextRegion id="rechts"><Coords points="500,10 900,10 900,60 500,60"/>
<TextLine id="l2"><Coords points="500,20 880,20 880,50 500,50"/><TextEquiv conf="0.9"><Unicode>veranschlagen etwas
 die Ernte.</Unicode></TextEquiv></TextLine></TextRegion>
<TextRegion id="links"><Coords points="10,900 400,900 400,960 10,960"/>
<TextLine id="l1"><Coords points="10,910 390,910 390,950 10,950"/><TextEquiv conf="0.5"><Unicode>aber die milden
 Gesetze</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"""


def block(name: str, *lines: str) -> str:
    return f'<TextBlock ID="{name}">{"".join(lines)}</TextBlock>'


def line(top: int, words: str, wc: float = 0.8) -> str:
    strings = "<SP/>".join(
        f'<String CONTENT="{word}" WC="{wc}" HPOS="100" VPOS="{top}" WIDTH="300" HEIGHT="20"/>'
        for word in words.split()
    )
    return f'<TextLine HPOS="100" VPOS="{top}" WIDTH="300" HEIGHT="20">{strings}</TextLine>'


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    issue, edition = tmp_path / "zeitung", tmp_path / "edition"
    (issue / "text").mkdir(parents=True)
    edition.mkdir()
    blocks = (
        block("b1", line(10, "Der Gemeinderath hat", 0.6), line(40, "beschlossen, eine neue Brü-", 0.8)),
        block("b2", line(300, "cke zu bauen und den Platz", 0.9)),
    )
    (issue / "text/1.xml").write_text(ALTO.format(number=1, blocks="".join(blocks)), encoding="utf-8")
    (issue / "text/2.xml").write_text(
        ALTO.format(number=2, blocks=block("b3", line(20, "zu pflastern.", 0.5))), encoding="utf-8"
    )
    (issue / "mets.xml").write_text(METS, encoding="utf-8")
    (edition / "0312.xml").write_text(PAGE, encoding="utf-8")
    (tmp_path / "letter.txt").write_text("Ein Brief ohne Seiten über die Alzette.", encoding="utf-8")
    made = init(tmp_path / "archive")
    added = add(made, [issue, edition, tmp_path / "letter.txt"], ImportOptions(language="de"))
    assert [report.total("documents") for report in added.reports] == [1, 1, 1]
    return made


def hit(workspace: Workspace, query: str) -> Plain:
    found: Plain = search_plain(query, search(workspace, Question(query), "words", 1))["hits"][0]
    return found


def test_a_hit_names_its_pages_with_image_regions_box_and_confidence(workspace: Workspace):
    found = hit(workspace, "Gemeinderath")
    first, second = found["passage"]["pages"]
    assert (first["page"], first["image"], first["box"]) == ("7", "scan-1.tif", (100, 10, 300, 310))
    assert [(one["region"], one["box"]) for one in first["regions"]] == [
        ("b1", (100, 10, 300, 50)),
        ("b2", (100, 300, 300, 20)),
    ]
    assert 0.6 < first["confidence"] < 0.9
    assert (second["page"], second["image"], second["box"], second["confidence"]) == (
        "8",
        "scan-2.tif",
        (100, 20, 300, 20),
        0.5,
    )


def test_the_words_of_the_query_in_a_row_are_found_on_their_line(workspace: Workspace):
    lines = hit(workspace, "zu pflastern")["passage"]["quote_lines"]
    assert [(one["page"], one["region"], one["box"]) for one in lines] == [("8", "b3", (100, 20, 300, 20))]


def test_a_word_split_over_two_lines_is_found_whole_and_stands_on_both(workspace: Workspace):
    found = hit(workspace, "neue Brücke")
    assert found["passage"]["quote"] == "neue Brücke"
    assert [(one["region"], one["box"][1]) for one in found["passage"]["quote_lines"]] == [("b1", 40), ("b2", 300)]
    assert [one["box"][1] for one in hit(workspace, "beschlossen eine")["passage"]["quote_lines"]] == [40]


def test_a_phrase_across_regions_and_pages_stands_on_the_lines_of_both(workspace: Workspace):
    found = hit(workspace, "den Platz zu pflastern")
    assert [(one["page"], one["region"]) for one in found["passage"]["quote_lines"]] == [("7", "b2"), ("8", "b3")]
    page = hit(workspace, "milden Gesetze veranschlagen")
    assert [(one["region"], one["box"], one["confidence"]) for one in page["passage"]["quote_lines"]] == [
        ("links", (10, 910, 380, 40), 0.5),
        ("rechts", (500, 20, 380, 30), 0.9),
    ]
    assert page["passage"]["pages"][0]["image"] == "band-3.jpg"


def test_a_citation_names_the_page_of_the_quotation_else_those_of_the_passage(workspace: Workspace):
    assert ", p. 8 [" in hit(workspace, "zu pflastern")["citation"]
    assert ", pp. 7, 8 [" in hit(workspace, "pflastern Gemeinderath")["citation"]


def test_of_a_text_without_pages_none_is_made_up(workspace: Workspace):
    found = hit(workspace, "Brief ohne Seiten")
    assert (found["passage"]["pages"], found["passage"]["quote_lines"]) == (None, None)
    assert found["citation"].split(" [")[0] == f"{found['title']}, undated, {found['sub_corpus']}"


def test_a_run_gives_pages_of_what_it_ranks_and_holds(workspace: Workspace):
    asked = asking.ask(workspace, Question("Hat der Gemeinderath eine neue Brücke beschlossen?"))
    catalogue = workspace.catalogue()
    shown = answer(asked, catalogue)
    catalogue.close()
    rows = {row["document"]: row for row in (*shown["ranking"], *shown["held"])}
    issue = next(row for name, row in rows.items() if name.startswith("zeitung"))
    assert [one["page"] for one in issue["passages"][0]["pages"]] == ["7", "8"]
    assert ", p. 7" in issue["citation"] or ", pp. 7, 8" in issue["citation"]


def test_the_page_says_where_a_hit_stands(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    query = "neue Brücke"
    search_page(query, search(workspace, Question(query), "words", 1))
    said = " ".join(capsys.readouterr().out.split())
    assert "on p. 7 · image scan-1.tif · regions b1, b2 · box 300 × 310 at 100, 10 · confidence 0.7" in said
    assert "on p. 8 · image scan-2.tif · region b3 · box 300 × 20 at 100, 20 · confidence 0.50" in said
    assert "quoted: p. 7 box 300 × 20 at 100, 40 quoted: p. 7 box 300 × 20 at 100, 300" in said


def test_of_many_regions_and_lines_the_page_names_a_few(capsys: pytest.CaptureFixture[str]):
    anchors = [Anchor(n, n + 1, "3", f"r{n}") for n in range(6)]
    printing.places({"pages": places.pages(anchors), "quote_lines": [places.line(one) for one in anchors]})
    said = " ".join(capsys.readouterr().out.split())
    assert "on p. 3 · regions r0, r1, r2 and 3 more" in said
    assert "… and 2 more lines (see --json)" in said


def a_passage(text: str, start: int = 0) -> Passage:
    return Passage(PassageId(f"d#{start}-{start + len(text)}"), DocumentId("d"), start, start + len(text), text)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("ſchöne Brücke", "ſchöne Brücke"),
        ("SCHONE, brucke", "ſchöne Brücke"),
        ("Brücke.", "Brücke."),
        ("schone", "ſchöne"),
        ("Brück", "Brück"),
        ("eine Straße", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_quotation_is_found_as_it_stands_or_word_by_word(quote: str, found: str | None):
    text = "Eine ſchöne Brücke."
    span = places.find_quote(quote, text)
    assert (text[slice(*span)] if span else None) == found


def test_lines_are_counted_in_the_document_not_in_the_passage():
    anchors = (Anchor(0, 4, "1"), Anchor(5, 9, "2"), Anchor(10, 14, "3"))
    assert places.lines_of("drei", a_passage("zwei drei", 5), anchors[1:]) == anchors[2:]


@pytest.mark.parametrize("raw", ["", "eine  Bru\u0308cke"])
def test_a_last_word_that_the_source_has_whole_stands_on_one_line(raw: str):
    anchors = (Anchor(0, 11, "1", raw=raw), Anchor(12, 16, "1"))
    assert places.lines_of("Brücke", a_passage("eine Brücke bau"), anchors) == anchors[:1]


def test_boxes_go_round_what_has_one_and_confidence_counts_by_length():
    anchors = [
        Anchor(0, 10, "1", box=(10, 20, 5, 5), confidence=0.5),
        Anchor(11, 41, "1", confidence=0.9),
        Anchor(42, 43, "1", box=(0, 40, 10, 10)),
    ]
    assert places.around(anchors) == (0, 20, 15, 30)
    assert places.confidence(anchors) == 0.8
    assert (places.around(anchors[1:2]), places.confidence(anchors[2:])) == (None, None)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([], ""),
        ([""], ""),
        (["3"], "p. 3"),
        (["3", "3", "4"], "pp. 3, 4"),
        (["12v", "xiv"], "pp. 12v, xiv"),
        (["1858-12-07_1"], "page 1858-12-07_1"),
        (["1", "Beilage"], "pages 1, Beilage"),
    ],
)
def test_pages_are_cited_as_people_cite_them(labels: list[str], words: str):
    assert places.cited(labels) == words


def test_a_withheld_passage_cites_no_page():
    assert cited_pages([{"pages": None, "quote_lines": None}]) == ""
