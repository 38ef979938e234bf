"""METS: articles of blocks over pages, nothing lost between them, one text of a page, absent pages named."""

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from fakes.mets import area, files, issue, mets, page
from fakes.sources import MemorySource
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import import_path
from vestigia.corpus.readers.mets import MetsReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Claimed, Refused

PAGES = {"p1": page("Kopf", "Titel", "Eins zwei", label="1"), "p2": page("Drei", "Rest", first=4, label="2")}
TWO = files(F1="p1.xml", F2="p2.xml")
DATED = (
    '<dmdSec ID="D1"><mdWrap><xmlData><m:mods xmlns:m="urn:m"><m:titleInfo><m:title>Le Temps.</m:title>'
    "</m:titleInfo><m:originInfo><m:dateIssued>1887-01-12</m:dateIssued></m:originInfo></m:mods></xmlData></mdWrap>"
    "</dmdSec>"
)


def sheet(file: str, order: str = "", named: str = "") -> str:
    return f'<div TYPE="page" ORDER="{order}" ORDERLABEL="{named}"><fptr FILEID="{file}"/></div>'


def article(name: str, *pointers: str, label: str = "", kind: str = "ARTICLE", more: str = "") -> str:
    body = "".join(f'<div TYPE="TEXT">{one}</div>' for one in pointers)
    return f'<div TYPE="{kind}" ID="{name}" LABEL="{label}" {more}>{body}</div>'


class Read:
    """What a METS file gave."""

    def __init__(self, source: MemorySource | FileSource) -> None:
        found = list(MetsReader().read(source))
        self.documents = [one for one in found if isinstance(one, Document)]
        self.notes = [(one.place, one.reason) for one in found if isinstance(one, Refused) and one.kept]
        self.refused = [(one.place, one.reason) for one in found if isinstance(one, Refused) and not one.kept]
        self.claimed = [one.name for one in found if isinstance(one, Claimed)]

    @property
    def texts(self) -> dict[str, str]:
        """The words of each document by its record."""
        return {one.provenance.record: " ".join(one.text.split()) for one in self.documents}


def test_it_is_asked_before_the_readers_of_its_pages():
    assert MetsReader().leads


def test_an_article_is_a_document_of_its_blocks_over_pages_and_the_rest_is_one_too():
    read = Read(issue(mets(TWO, logical=article("A1", area("F1", "B2"), area("F1", "B3"), area("F2", "B4"))), **PAGES))
    assert read.texts == {"A1": "Titel Eins zwei Drei", "rest": "Kopf Rest"}
    assert [one.id for one in read.documents] == ["issue/mets/A1", "issue/mets/rest"]
    assert [anchor.page for anchor in read.documents[0].anchors] == ["1", "1", "2"]
    assert read.notes == [("rest", "2 regions belong to no article; they are the document 'mets: unassigned text'")]


def test_without_articles_the_issue_is_one_document():
    read = Read(issue(mets(TWO), **PAGES))
    assert read.texts == {"": "Kopf Titel Eins zwei Drei Rest"}
    assert read.documents[0].id == "issue/mets"


@pytest.mark.parametrize(
    "logical",
    [
        article("A1"),
        article("A1", '<fptr FILEID="F1"/>'),
        article("A1", area("F1", "absent")),
        '<div TYPE="COVER"><fptr><area FILEID="F1" BEGIN="B1"/></fptr></div>',
    ],
)
def test_divisions_that_claim_no_blocks_leave_the_issue_whole(logical: str):
    assert Read(issue(mets(TWO, logical=logical), **PAGES)).texts == {"": "Kopf Titel Eins zwei Drei Rest"}


def test_an_article_in_a_section_is_its_own_document_and_the_heading_of_the_section_stays_with_the_rest():
    heading = f'<div TYPE="HEADING">{area("F1", "B1")}</div>'
    inner = article("A1", area("F1", "B3"), label="Kurse")
    logical = f'<div TYPE="SECTION" ID="S1" LABEL="Börse">{heading}{inner}</div>'
    read = Read(issue(mets(TWO, logical=logical), **PAGES))
    assert read.texts == {"A1": "Eins zwei", "rest": "Kopf Titel Drei Rest"}
    assert ("section", "Börse") in read.documents[0].details


def test_a_section_with_text_of_its_own_keeps_its_heading():
    logical = (
        f'<div TYPE="SECTION" ID="S1"><div TYPE="TITLE">{area("F1", "B2")}</div>{area("F1", "B3")}'
        f"{article('A1', area('F2', 'B4'))}</div>"
    )
    assert Read(issue(mets(TWO, logical=logical), **PAGES)).texts == {
        "S1": "Eins zwei Titel",
        "A1": "Drei",
        "rest": "Kopf Rest",
    }


def test_a_line_belongs_to_the_first_article_that_claims_it():
    logical = article("A1", area("F1", "B2")) + article("A2", area("F1", "B2", "B3"))
    read = Read(issue(mets(TWO, logical=logical), **PAGES))
    assert read.texts == {"A1": "Titel", "A2": "Eins zwei", "rest": "Kopf Drei Rest"}
    assert ("A2", "1 of its lines belong to an article before it; they stay with that") in read.notes


def test_words_may_bound_a_claim():
    one = page("Eins\nzwei drei\nvier fünf", "sechs")
    read = Read(issue(mets(files(F1="p1.xml"), logical=article("A1", area("F1", "B1L1W0", "B1L2W1"))), p1=one))
    assert read.texts == {"A1": "zwei drei vier fünf", "rest": "Eins sechs"}


def test_where_the_end_of_a_claim_is_absent_its_block_is_meant_and_the_report_says_so():
    one = page("Eins\nzwei", "drei")
    read = Read(issue(mets(files(F1="p1.xml"), logical=article("A1", area("F1", "B1L0W0", "gone"))), p1=one))
    assert read.texts == {"A1": "Eins zwei", "rest": "drei"}
    assert ("A1", "what it names is on no page that was read: gone") in read.notes


def test_parts_that_are_nowhere_are_named_five_of_them():
    pointers = [area("F1", f"X{number}") for number in range(7)]
    read = Read(issue(mets(TWO, logical=article("A1", area("F1", "B1"), *pointers)), **PAGES))
    assert ("A1", "what it names is on no page that was read: X0, X1, X2, X3, X4 ... (7 in all)") in read.notes


LOCATORS = '<smLocatorLink xlink:href="#A1" xlink:label="a"/><smLocatorLink xlink:href="#PA1" xlink:label="b"/>'


@pytest.mark.parametrize(
    "links",
    [
        '<smLink xlink:from="A1" xlink:to="#PA1"/>',
        f'<smLinkGrp>{LOCATORS}<smArcLink xlink:from="a" xlink:to="b"/></smLinkGrp>',
    ],
)
def test_links_between_the_structures_claim_areas_of_pages(links: str):
    inside = f'<div ID="PA1" TYPE="pagearea">{area("F1", "B2", "B3")}</div>'
    physical = f'<div TYPE="page"><fptr FILEID="F1"/>{inside}</div>{sheet("F2")}'
    read = Read(issue(mets(TWO, physical, article("A1"), more=f"<structLink>{links}</structLink>"), **PAGES))
    assert read.texts == {"A1": "Titel Eins zwei", "rest": "Kopf Drei Rest"}


def test_pages_stand_by_their_order_and_are_labelled_by_it():
    read = Read(issue(mets(TWO, sheet("F1", "10", "II") + sheet("F2", "9", "I")), **PAGES))
    assert read.texts == {"": "Drei Rest Kopf Titel Eins zwei"}
    assert [anchor.page for anchor in read.documents[0].anchors] == ["I", "I", "II", "II", "II"]


def test_a_file_of_the_same_group_that_no_page_names_comes_last():
    assert Read(issue(mets(TWO, sheet("F2")), **PAGES)).texts == {"": "Drei Rest Kopf Titel Eins zwei"}


@pytest.mark.parametrize(
    "link",
    [
        "text/p1.xml",
        "./text/p1.xml",
        "file://./text/p1.xml",
        "file:text/p1.xml",
        "text\\p1.xml",
        "text/p%31.xml",
        "././text/p1.xml",
    ],
)
def test_links_are_relative_however_they_are_written(link: str):
    read = Read(issue(mets(files(F1=link)), **{"text/p1": PAGES["p1"]}))
    assert read.texts == {"": "Kopf Titel Eins zwei"}
    assert read.claimed == ["text/p1.xml"]


@pytest.mark.parametrize(
    "link", ["../outside.xml", "/etc/passwd", "https://example.org/p1.xml", "%00.xml", "file:", ""]
)
def test_links_that_lead_nowhere_name_absent_pages(link: str, tmp_path: Path):
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "outside.xml").write_text(PAGES["p1"], encoding="utf-8")
    (inside / "p2.xml").write_text(PAGES["p2"], encoding="utf-8")
    path = inside / "mets.xml"
    path.write_text(mets(files(F1=link, F2="p2.xml")), encoding="utf-8")
    read = Read(FileSource(path, path.as_posix(), inside))
    assert read.texts == {"": "Drei Rest"}
    assert [reason for _, reason in read.refused] == ([f"the METS names {link}, which is not there"] if link else [])


def test_absent_empty_and_broken_pages_are_named_one_by_one_and_the_rest_goes_in():
    four = files(F1="p1.xml", F2="absent.xml", F3="empty.xml", F4="broken.xml")
    pages = "".join(sheet(f"F{number}", str(number), str(number)) for number in range(1, 5))
    read = Read(issue(mets(four, pages), p1=PAGES["p1"], empty=page(""), broken="<alto><Layout>"))
    assert read.texts == {"": "Kopf Titel Eins zwei"}
    assert [place for place, _ in read.refused] == ["page 2", "page 4"]
    assert [reason.split(":")[0] for _, reason in read.refused] == [
        "the METS names absent.xml, which is not there",
        "broken.xml",
    ]
    assert read.notes == [("page 3", "empty.xml: no text on the page")]
    assert read.claimed == ["p1.xml", "empty.xml"]


EXPORT = """<mets xmlns:xlink="http://www.w3.org/1999/xlink" LABEL="TRP_DOC_MD"><amdSec><sourceMD ID="TRP_DOC_MD">
<mdWrap><xmlData><trpDocMetadata><title>Protokolle 1850</title><author>Gemeinde Lech</author><language>ger</language>
{}</trpDocMetadata></xmlData></mdWrap></sourceMD></amdSec><fileSec><fileGrp ID="MASTER"><fileGrp ID="IMG">
<file ID="IMG_1" MIMETYPE="image/jpeg"><FLocat xlink:href="0001.jpg"/></file></fileGrp><fileGrp ID="PAGEXML">
<file ID="P2" MIMETYPE="application/xml"><FLocat xlink:href="p2.xml"/></file>
<file ID="P1" MIMETYPE="application/xml"><FLocat xlink:href="p1.xml"/></file></fileGrp></fileGrp></fileSec>
<structMap TYPE="MANUSCRIPT"><div><div ORDER="2" TYPE="SINGLE_PAGE"><fptr><area FILEID="P2"/></fptr></div>
<div ORDER="1" TYPE="SINGLE_PAGE"><fptr><area FILEID="IMG_1"/></fptr><fptr><area FILEID="P1"/></fptr></div></div>
</structMap></mets>"""


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("<createdFromDate>1850-02-03</createdFromDate>", ["1850-02-03"]),
        ("<createdFromDate>1850-01-01</createdFromDate>", ["1850"]),
        (
            "<createdFromDate>1850-01-01</createdFromDate><createdToDate>1852-12-31</createdToDate>",
            ["1850-01-01/1852-12-31"],
        ),
        ("", []),
    ],
)
def test_an_export_of_transkribus_is_one_document_by_the_title_and_date_it_states(stated: str, expected: list[str]):
    read = Read(issue(EXPORT.format(stated), **PAGES))
    (document,) = read.documents
    assert document.text.split() == ["Kopf", "Titel", "Eins", "zwei", "Drei", "Rest"]
    assert (document.title, document.language) == ("Protokolle 1850", "de")
    assert [label(one) for one in document.dates] == expected
    assert dict(document.details)["author"] == "Gemeinde Lech"
    assert [(one.page, one.image) for one in document.anchors][::3] == [("1", "0001.jpg"), ("2", "")]


def test_a_page_without_a_text_file_is_named():
    images = '<file ID="I2" MIMETYPE="image/jp2"><FLocat xlink:href="2.jp2"/></file>'
    read = Read(issue(mets(files(F1="p1.xml") + images, sheet("F1", "1", "1") + sheet("I2", "2", "2")), **PAGES))
    assert read.refused == [("page 2", "the METS names no ALTO or PAGE file for it")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (mets(files(F1="absent.xml")), "none of the 1 pages it names can be read: the METS names absent.xml"),
        (mets(""), "the METS names no page"),
        (mets(files(F1="p9.xml")), "no text on the page"),
        (mets(files(**{f"F{number}": f"{number}.xml" for number in range(5)})), "(and 2 more)"),
        ("<alto/>", "not METS"),
        ("<mets>", "not well-formed"),
    ],
)
def test_a_file_without_any_readable_page_is_refused_with_the_reason(content: str, reason: str):
    with pytest.raises(SourceRefusedError) as refusal:
        Read(issue(content, p9=page("")))
    assert reason in str(refusal.value)


@pytest.mark.parametrize("groups", [("OCR-A", "OCR-D-GT-PAGE", "OCR-B"), ("Ground Truth", "OCR", "TESS")])
def test_of_several_texts_of_a_page_ground_truth_goes_in_and_the_others_are_claimed_too(groups: tuple[str, ...]):
    grouped = "".join(
        f'<fileGrp USE="{use}">{files(**{f"F{number}": f"{number}.xml"})}</fileGrp>'
        for number, use in enumerate(groups)
    )
    pointers = "".join(f'<fptr FILEID="F{number}"/>' for number in range(3))
    both = f'<div TYPE="page" ORDERLABEL="7">{pointers}</div>'
    texts = {
        str(number): page("wahr" if use in {"OCR-D-GT-PAGE", "Ground Truth"} else "falfch")
        for number, use in enumerate(groups)
    }
    read = Read(issue(mets(grouped, both), **texts))
    best, *others = sorted(groups, key=lambda use: use not in {"OCR-D-GT-PAGE", "Ground Truth"})
    assert read.texts == {"": "wahr"}
    assert read.notes == [("page 7", f"is there 3 times; {best} was read, {others[0]} and {others[1]} left out")]
    assert sorted(read.claimed) == ["0.xml", "1.xml", "2.xml"]


def test_two_files_of_one_group_are_two_halves_of_a_page_and_both_go_in():
    both = '<div TYPE="page" ORDERLABEL="7"><fptr FILEID="F1"/><fptr FILEID="F2"/></div>'
    read = Read(issue(mets(TWO, both), **PAGES))
    assert read.texts == {"": "Kopf Titel Eins zwei Drei Rest"}
    assert read.notes == []


def test_a_file_that_two_pages_name_goes_in_once():
    assert Read(issue(mets(TWO, sheet("F1") + sheet("F1") + sheet("F2")), **PAGES)).texts == {
        "": "Kopf Titel Eins zwei Drei Rest"
    }


def test_where_the_best_text_of_a_page_is_empty_the_next_is_taken():
    grouped = f'<fileGrp USE="GT">{files(F1="1.xml")}</fileGrp><fileGrp USE="OCR">{files(F2="2.xml")}</fileGrp>'
    both = '<div TYPE="page"><fptr FILEID="F1"/><fptr FILEID="F2"/></div>'
    assert Read(issue(mets(grouped, both), **{"1": page(""), "2": page("falfch")})).texts == {"": "falfch"}


def test_images_and_pdfs_of_the_same_pages_are_claimed_but_other_xml_is_not():
    more = "".join(
        f'<file ID="{name}"><FLocat xlink:href="{link}"/></file>'
        for name, link in (("I", "1.tif"), ("P", "1.pdf"), ("X", "tei.xml"))
    )
    beside = ("p1.xml", "1.tif", "1.pdf", "tei.xml")
    content = mets(files(F1="p1.xml") + more, sheet("F1", "1"))
    sources = tuple(MemorySource(name, PAGES["p1"].encode() if name == "p1.xml" else b"<TEI/>") for name in beside)
    read = Read(MemorySource("issue/mets.xml", content.encode(), sources))
    assert read.claimed == ["p1.xml", "1.tif", "1.pdf"]
    assert read.refused == [("page tei.xml", "tei.xml is XML that begins with <TEI>, no page")]


def test_title_and_date_of_an_issue_are_those_of_its_record_and_its_articles_have_them():
    articles = article("A1", area("F1", "B1"), label="Kurse") + article("A2", area("F1", "B3"))
    logical = f'<div TYPE="ISSUE" DMDID="D1">{articles}</div>'
    read = Read(issue(mets(TWO, logical=logical, records=DATED), **PAGES))
    assert [one.title for one in read.documents] == [
        "Kurse",
        "Le Temps, 1887-01-12, article 2",
        "Le Temps, 1887-01-12: unassigned text",
    ]
    assert {one.sub_corpus for one in read.documents} == {"Le Temps."}
    assert [[label(date) for date in one.dates] for one in read.documents] == [["1887-01-12"]] * 3
    assert ("issue", "Le Temps, 1887-01-12") in read.documents[0].details


def test_an_article_without_label_is_titled_by_its_heading():
    logical = f'<div TYPE="ARTICLE" ID="A1"><div TYPE="TITLE">{area("F1", "B2", "B3")}</div>{area("F2", "B4")}</div>'
    assert Read(issue(mets(TWO, logical=logical), **PAGES)).documents[0].title == "Titel Eins zwei"


def test_a_long_heading_is_cut_at_a_word():
    one = page(" ".join(["Wörter"] * 60))
    logical = f'<div TYPE="ARTICLE" ID="A1"><div TYPE="TITLE">{area("F1", "B1")}</div></div>'
    title = Read(issue(mets(files(F1="p1.xml"), logical=logical), p1=one)).documents[0].title
    assert title.endswith("Wörter …")
    assert len(title) < 155


def test_the_record_of_an_article_counts_before_that_of_the_issue():
    own = DATED.replace("D1", "D2").replace("Le Temps.", "Brief").replace("1887-01-12", "1887-01-03")
    inner = article("A1", area("F1", "B1"), more='DMDID="D2"')
    logical = f'<div DMDID="D1">{inner}</div>'
    one = Read(issue(mets(TWO, logical=logical, records=DATED + own), **PAGES)).documents[0]
    assert (one.title, label(one.dates[0])) == ("Brief", "1887-01-03")


@pytest.mark.parametrize(
    ("name", "dates", "told"),
    [
        ("issue/1887-01-12-mets.xml", ["1887-01-12"], False),
        ("issue/mets.xml", ["1887-01-12"], False),
        ("issue/1887-02-12-mets.xml", ["1887-01-12", "1887-02-12"], True),
    ],
)
def test_a_date_in_the_file_name_that_contradicts_the_record_is_kept_and_told(name: str, dates: list[str], told: bool):
    content = mets(TWO, logical='<div DMDID="D1"/>', records=DATED).encode()
    read = Read(MemorySource(name, content, issue("", **PAGES).siblings))
    assert [label(one) for one in read.documents[0].dates] == dates
    assert bool(read.notes) is told


def test_the_file_name_dates_an_issue_without_record_and_nothing_else_does():
    content = mets(TWO).encode()
    beside = issue("", **PAGES).siblings
    dated, undated = (
        Read(MemorySource(name, content, beside)).documents[0].dates
        for name in ("issue/1887-01-12-mets.xml", "issue/mets.xml")
    )
    assert [label(one) for one in dated] == ["1887-01-12"]
    assert undated == ()


def test_divisions_without_id_or_with_the_same_have_documents_of_their_own():
    logical = article("", area("F1", "B1")) + article("X", area("F1", "B2")) + article("X", area("F1", "B3"))
    ids = [one.id for one in Read(issue(mets(TWO, logical=logical), **PAGES)).documents]
    assert ids == ["issue/mets/1", "issue/mets/X", "issue/mets/X+2", "issue/mets/rest"]


def test_boxes_become_pixels_where_the_mets_knows_the_image():
    tech = (
        '<amdSec><techMD ID="T1"><x:mix xmlns:x="urn:mix"><x:imageWidth>2000</x:imageWidth><x:imageHeight>4000'
        "</x:imageHeight></x:mix></techMD></amdSec>"
    )
    group = (
        '<file ID="I1" ADMID="T1" MIMETYPE="image/tiff"><FLocat xlink:href="file://./images/1.tif"/></file>'
        + files(F1="p1.xml")
    )
    metric = PAGES["p1"].replace("pixel", "mm10").replace("<Page ", "<Page WIDTH='1000' HEIGHT='2000' ")
    both = '<div TYPE="page"><fptr><par><area FILEID="I1"/><area FILEID="F1"/></par></fptr></div>'
    one = Read(issue(mets(group, both, records=tech), p1=metric)).documents[0]
    assert (one.anchors[0].box, one.anchors[0].image, one.details) == ((2, 0, 18, 18), "images/1.tif", ())


def test_two_issues_with_the_same_file_name_both_go_in_and_twice_changes_nothing(tmp_path: Path):
    for year, word in (("1887", "Eins"), ("1888", "Zwei")):
        place = tmp_path / "in" / year / "issue"
        place.mkdir(parents=True)
        (place / "p1.xml").write_text(page(word), encoding="utf-8")
        (place / "mets.xml").write_text(
            mets(files(F1="p1.xml"), logical=article("A1", area("F1", "B1"))), encoding="utf-8"
        )
    catalogue = Catalogue(tmp_path / "c.sqlite")
    first, before = import_path(catalogue, tmp_path / "in"), catalogue.fingerprint
    again = import_path(catalogue, tmp_path / "in")
    assert (first.total("documents"), again.total("documents"), again.total("unchanged")) == (2, 0, 2)
    assert [one.skipped.startswith("read as a part of") for one in first.files] == [False, True] * 2
    assert catalogue.fingerprint == before
    catalogue.close()


def real(path: Path) -> Read:
    return Read(FileSource(path, path.as_posix(), path.parent))


def broken_words(folder: Path) -> Counter[str]:
    """The whole words that pages name once as broken, and that stand nowhere else in them."""
    strings = [
        one
        for path in sorted(folder.rglob("*.xml"))
        if not path.name.endswith("mets.xml")
        for one in etree.parse(path).iter("{*}String")
    ]
    other = " ".join(one.get("CONTENT") for one in strings)
    wholes = Counter(
        one.get("SUBS_CONTENT")
        for one in strings
        if one.get("SUBS_TYPE") == "HypPart1" and not one.get("CONTENT").endswith("—")
    )
    return Counter({whole: count for whole, count in wholes.items() if count == 1 and whole not in other})


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "documents", "pages", "words", "at_least"),
    [
        ("luxzeit-1858-mets-alto-de/2385348_newspaper_luxzeit1858_1858-12-07_01-mets.xml", 19, 4, 8036, 60),
        ("bl-1824-mets-alto-en/0002647/1824/0217/0002647_18240217_mets.xml", 28, 4, 22092, 120),
    ],
)
def test_a_real_issue_is_whole_and_its_broken_words_are_found_once(
    shared_data: Path, file: str, documents: int, pages: int, words: int, at_least: int
):
    path = shared_data / file
    read = real(path)
    strings = [
        one.get("CONTENT")
        for page in path.parent.rglob("*.xml")
        if page != path
        for one in etree.parse(page).iter("{*}String")
    ]
    kept = "".join(
        (one.raw or document.text[one.start : one.end]) for document in read.documents for one in document.anchors
    )
    wholes = broken_words(path.parent)
    # Names of words may end one and begin the next: each is looked for as a word, not as a stretch of letters.
    text = " ".join(document.text for document in read.documents)
    assert (len(read.documents), len(strings)) == (documents, words)
    assert {one.page for document in read.documents for one in document.anchors} == {str(n + 1) for n in range(pages)}
    assert Counter("".join(kept.split())) - Counter("".join(strings)) <= Counter({"-": 500})
    assert Counter("".join(strings)) - Counter("".join(kept.split())) == Counter()
    assert len(wholes) > at_least
    assert {whole: text.split().count(whole) for whole in wholes} == dict(wholes)


@pytest.mark.shared
def test_every_line_of_a_real_issue_is_on_its_page_in_pixels_of_its_image(shared_data: Path):
    read = real(shared_data / "luxzeit-1858-mets-alto-de/2385348_newspaper_luxzeit1858_1858-12-07_01-mets.xml")
    anchors = [one for document in read.documents for one in document.anchors]
    assert all(one.box and one.box[0] + one.box[2] <= 3070 and one.box[1] + one.box[3] <= 4790 for one in anchors)
    assert max(one.box[1] + one.box[3] for one in anchors if one.box) > 4300
    assert {one.image for one in anchors} == {f"images/1858-12-07_01-0000{number}.tif" for number in range(1, 5)}


@pytest.mark.shared
def test_a_real_issue_goes_in_once_and_each_passage_knows_its_page_and_box(shared_data: Path, tmp_path: Path):
    catalogue = Catalogue(tmp_path / "c.sqlite")
    first, before = import_path(catalogue, shared_data / "luxzeit-1858-mets-alto-de"), catalogue.fingerprint
    again = import_path(catalogue, shared_data / "luxzeit-1858-mets-alto-de")
    assert (first.total("documents"), again.total("documents"), again.total("unchanged")) == (19, 0, 19)
    assert catalogue.fingerprint == before
    for passage, _ in catalogue.pairs():
        anchors = catalogue.anchors_of(passage.id)
        assert anchors
        assert all(one.page in {"1", "2", "3", "4"} and one.box for one in anchors)
    catalogue.close()


@pytest.mark.shared
def test_a_page_with_ground_truth_and_two_recognitions_goes_in_once(shared_data: Path):
    read = real(shared_data / "actevedef-mets-page-gt-ocr-de/mets.xml")
    (document,) = read.documents
    assert document.title.startswith("Acten-mäßiger Verlauff, Des Fameusen Processus")
    assert ([label(one) for one in document.dates], document.language) == (["1749"], "de")
    assert "OCR-D-GT-PAGE was read, OCR-D-OCR-CALAMARI and OCR-D-OCR-TESS left out" in read.notes[0][1]
    assert len(read.claimed) == 3


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["alto2txt-bad_directory", "alto2txt-missing_page", "alto2txt-no_dir_tree"])
def test_an_issue_that_names_absent_pages_goes_in_with_each_of_them_named(shared_data: Path, folder: str):
    read = real(shared_data / "broken-markup" / folder / "0002647_18240217_mets.xml")
    assert [reason for _, reason in read.refused] == [
        f"the METS names 0002647_18240217_000{number}.xml, which is not there" for number in (2, 3, 4)
    ]
    assert sum(len(one.text.split()) for one in read.documents) == 27
    assert [label(one) for one in read.documents[0].dates] == ["1824-02-17"]
