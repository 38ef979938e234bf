"""Every form of export, read back by a library that had no part in writing it: a hostile list comes back as it was."""

import csv
import io
import json
import re
import zipfile
from html.parser import HTMLParser

import bibtexparser
import openpyxl
import pypdfium2
import pytest
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from lxml import etree
from pylatexenc import latex2text
from rich.console import Console
from rich.markdown import Markdown

from fakes.exports import DATES, TITLES, filled, hostile, letter, one
from vestigia.app.cells import unguarded
from vestigia.app.citations import Style, citation
from vestigia.app.exporting import FORMS, form_of, write
from vestigia.app.exports import bibtex, extras, markdown, workbook
from vestigia.app.exports.tables import COLUMNS, TO_FILL_IN, TROPY
from vestigia.app.references import Kind, Listing, Name, line
from vestigia.domain.errors import UsageError

LIST = hostile()
SOURCES = {source.document: source for source in LIST.sources}


class _Written(dict[str, bytes]):
    """The list in every form, each written when a test first asks for it."""

    def __missing__(self, form: str) -> bytes:
        return self.setdefault(form, FORMS[form].render(LIST, Style.CHICAGO))


WRITTEN = _Written()
SECRET = "the texts of 1 are withheld (1 closed)"


def rendered(form: str, *sources: object) -> bytes:
    return FORMS[form].render(Listing("sources", "run-1", "?", sources), Style.CHICAGO)


# CSL-JSON


def test_csl_json_holds_every_title_and_date():
    items = {item["id"]: item for item in json.loads(WRITTEN["csl-json"])}
    assert {name: item["title"] for name, item in items.items()} == {n: s.title for n, s in SOURCES.items()}
    for name, (written, parts) in DATES.items():
        assert items[name]["issued"] == ({"date-parts": [list(p) for p in parts]} if parts else {"literal": written})
    assert "Date: [1912?] (EDTF 1912?)\n" in items["conjectured"]["note"]
    assert items["circa"]["author"] == [{"literal": "Foreign & Office"}]


@pytest.mark.filterwarnings("ignore:The following arguments:UserWarning")
def test_a_csl_processor_cites_every_source_with_its_title_and_an_unsure_date_as_written():
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    entries = CitationStylesBibliography(style, CiteProcJSON(json.loads(WRITTEN["csl-json"])), formatter.plain)
    for name in SOURCES:
        entries.register(Citation([CitationItem(name)]))
    cited = dict(zip(SOURCES, map(str, entries.bibliography()), strict=True))
    assert not [name for name, source in SOURCES.items() if source.title.removesuffix("?") not in cited[name]]
    assert cited["circa"] == "Foreign & Office (c. 1890) “Of circa”."
    assert cited["conjectured"] == "Foreign & Office ([1912?]) “Of conjectured”."
    assert cited["year"] == "Foreign & Office (1887) “Of year”."


def test_csl_has_the_fields_zotero_maps():
    item = json.loads(rendered("csl-json", one(link="https://example.org/1", place="Clifton", tags=("a", "b"))))[0]
    assert item["type"] == "personal_communication"
    assert item["author"] == [{"family": "Colby", "given": "Harriet"}]
    assert item["recipient"] == [{"family": "Vautrin", "given": "Élise"}]
    assert (item["archive"], item["archive_location"], item["call-number"]) == (
        "Archives municipales",
        "AM 5/3",
        "V001",
    )
    assert (item["URL"], item["publisher-place"], item["keyword"]) == ("https://example.org/1", "Clifton", "a, b")
    assert (item["archive_collection"], "container-title" in item) == ("Papers of Élise", False)
    assert json.loads(rendered("csl-json", one(kind=Kind.NEWSPAPER)))[0]["container-title"] == "Papers of Élise"


@pytest.mark.parametrize(
    ("name", "csl"),
    [
        (Name("", "Hofmannsthal", "Hugo", "von", follows=True), {"dropping-particle": "von"}),
        (Name("", "Bülow", "Bernhard", "von"), {"non-dropping-particle": "von"}),
    ],
)
def test_csl_knows_on_which_side_a_particle_stands(name, csl):
    author = json.loads(rendered("csl-json", one(authors=(name,))))[0]["author"][0]
    assert author == {"family": name.family, "given": name.given, **csl}


# RIS


def test_ris_is_read_back_record_by_record():
    records = rispy.loads(WRITTEN["ris"].decode())
    assert [record["call_number"] for record in records] == list(SOURCES)
    assert [record["title"] for record in records] == [source.title for source in SOURCES.values()]
    assert all(record["keywords"] == ["bridge", "50 % & more", "vestigia:accepted"] for record in records[:-1])
    assert all(record["notes"][0].startswith("Vestigia document: ") for record in records)
    assert not any("unknown_tag" in record for record in records)


@pytest.mark.parametrize(
    ("name", "date", "year"),
    [
        ("day", "1887/03/14/", "1887"),
        ("month", "1887/03//", "1887"),
        ("year", "1887///", "1887"),
        ("circa", "c. 1890", "c. 1890"),
        ("conjectured", "[1912?]", "[1912?]"),
        ("undated", "undated", "undated"),
        ("range", "1887-01–1887-06", "1887-01–1887-06"),
        ("slashes", "1904-03-12?–1904-12-03?", "1904-03-12?–1904-12-03?"),
    ],
)
def test_ris_parts_a_date_by_slashes_only_where_it_is_sure(name, date, year):
    record = next(one for one in rispy.loads(WRITTEN["ris"].decode()) if one["call_number"] == name)
    assert (record["date"], record["year"]) == (date, year)


def test_ris_has_the_tags_of_zotero_s_translator():
    written = rendered(
        "ris", one(link="https://example.org/1", issue="7", publisher="Müller", place="Clifton")
    ).decode()
    said = dict(line.split("  - ", 1) for line in written.split("\r\n") if "  - " in line)
    assert {tag: said[tag] for tag in ("TY", "AU", "A2", "CN", "AN", "DB", "UR", "IS", "PB", "CY")} == {
        "TY": "PCOMM", "AU": "Colby, Harriet", "A2": "Vautrin, Élise", "CN": "V001", "AN": "AM 5/3",
        "DB": "Archives municipales", "UR": "https://example.org/1", "IS": "7", "PB": "Müller", "CY": "Clifton",
    }  # fmt: skip
    assert written.startswith("TY  - ")
    assert written.endswith("ER  - \r\n\r\n")


# BibTeX


def texts_of_latex() -> latex2text.LatexNodes2Text:
    """LaTeX's own names for signs that the decoder does not know."""
    context = latex2text.get_default_latex_context_db()
    named = {"textbraceleft": "{", "textbraceright": "}", "textasciicircum": "^"}
    macros = [latex2text.MacroTextSpec(name, simplify_repl=sign) for name, sign in named.items()]
    context.add_context_category("signs", prepend=True, macros=macros)
    return latex2text.LatexNodes2Text(latex_context=context, keep_braced_groups=False, math_mode="verbatim")


def test_bibtex_is_read_back_entry_by_entry():
    decoding = LatexDecodingMiddleware(decoder=texts_of_latex())
    library = bibtexparser.parse_string(WRITTEN["bibtex"].decode(), append_middleware=[decoding])
    assert not library.failed_blocks
    entries = {entry["lccn"]: entry for entry in library.entries}
    assert list(entries) == list(SOURCES)
    assert {name: entry["title"] for name, entry in entries.items()} == {n: s.title for n, s in SOURCES.items()}
    for name, (written, parts) in DATES.items():
        sure = len(parts) == 1
        assert entries[name]["year"] == (f"{parts[0][0]}" if sure else written)
        assert ("date" in entries[name].fields_dict) is sure


def test_the_issue_s_signs_need_no_decoder_of_ours():
    title = "A & B < C > D {e} 50 % # \"q\" 'a' $5_6 ~ \\"
    library = bibtexparser.parse_string(
        rendered("bibtex", one(title=title)).decode(), append_middleware=[LatexDecodingMiddleware()]
    )
    assert library.entries[0]["title"] == title


def test_braces_of_bibtex_always_match_as_bibtex_counts_them():
    written = WRITTEN["bibtex"].decode()
    depth, lowest = 0, 0
    for sign in written:
        depth += (sign == "{") - (sign == "}")
        lowest = min(lowest, depth)
    assert (depth, lowest) == (0, 0)


def test_bibtex_keeps_whole_names_whole_and_keys_apart():
    both = [letter("Grenzbote/1 a", author="Meier, Karl and Sons, Ltd; Foreign Office"), letter("Grenzbote/1_A")]
    written = rendered("bibtex", *map(filled, both)).decode()
    assert "@misc{Grenzbote/1_a,\n" in written
    assert "@misc{Grenzbote/1_A-2,\n" in written
    assert "author = {{Meier, Karl and Sons, Ltd} and {Foreign Office}}" in written
    particle = rendered("bibtex", one(authors=(Name("", "Bülow", "Bernhard", "von"),), link="http://e.example/{a}%20b"))
    assert "author = {von Bülow, Bernhard}" in particle.decode()
    assert "url = {http://e.example/%7Ba%7D%20b}" in particle.decode()
    assert (
        "author = {{Smith and Co}, Jane}"
        in rendered("bibtex", one(authors=(Name("", "Smith and Co", "Jane"),))).decode()
    )


def test_bibtex_has_the_fields_of_zotero_and_jabref():
    entry = bibtexparser.parse_string(rendered("bibtex", one(rights="CC-BY")).decode()).entries[0]
    assert entry.entry_type == "misc"
    fields = ("howpublished", "series", "library", "location", "lccn", "copyright", "year")
    assert [entry[name] for name in fields] == [
        "Letter to Élise Vautrin", "Papers of Élise", "Archives municipales", "AM 5/3", "V001", "CC-BY", "c. 1880",
    ]  # fmt: skip
    article = bibtexparser.parse_string(rendered("bibtex", one(kind=Kind.NEWSPAPER)).decode()).entries[0]
    assert (article.entry_type, article["journal"]) == ("article", "Papers of Élise")
    assert bibtex.escaped("a_b & {c} }") == r"a\_b \& \textbraceleft{}c\textbraceright{} \textbraceright{}"


# Tables


def test_csv_has_a_mark_for_excel_and_no_cell_is_a_formula():
    assert WRITTEN["csv"].startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(WRITTEN["csv"].decode("utf-8-sig"), newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert not [cell for row in rows for cell in row.values() if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]
    assert {row["document"]: unguarded(row["title"]) for row in rows} == {n: s.title for n, s in SOURCES.items()}
    assert {
        name: (written, row["edtf"]) for name, (written, _) in DATES.items() for row in rows if row["document"] == name
    }["circa"] == ("c. 1890", "1890~")
    assert rows[0]["text"] == "Erste Zeile\nzweite & <letzte>"
    assert rows[0]["why"] == "accept by Ada, 2026-01-02: on & <topic>"
    assert all(row[name] == "" for row in rows for name in TO_FILL_IN)


def test_a_workbook_holds_text_and_nothing_else():
    book = openpyxl.load_workbook(io.BytesIO(WRITTEN["xlsx"]))
    header, *rows = book["Sources"].iter_rows()
    assert tuple(cell.value for cell in header) == COLUMNS
    assert {cell.data_type for row in rows for cell in row if cell.value is not None} == {"s"}
    assert not [cell for row in rows for cell in row if cell.hyperlink]
    titles = {row[0].value: row[2].value for row in rows}
    assert titles == {name: workbook.fitting(source.title) for name, source in SOURCES.items()}
    assert titles["formula"] == '=HYPERLINK("http://evil.example","click")'
    about = [row[0].value for row in book["About"].iter_rows()]
    assert about == ["Fragen & <Antworten>", LIST.account, "Note # 1 & <2>"]


def test_a_cell_that_excel_cannot_hold_says_that_it_is_cut():
    cut = workbook.fitting("𝕬" * 20_000)
    assert len(cut.encode("utf-16-le")) // 2 <= workbook.LONGEST
    assert cut.endswith("… [cut: 20000 characters in all; CSV has them]")
    assert workbook.fitting("a" * workbook.LONGEST) == "a" * workbook.LONGEST


def test_tropy_s_table_has_its_generic_template_s_fields_and_no_row_it_passes_over():
    rows = list(csv.reader(io.StringIO(WRITTEN["tropy"].decode(), newline="")))
    assert tuple(rows[0]) == TROPY
    assert all(name.startswith(("http://purl.org/dc/elements/1.1/", "https://tropy.org/v1/tropy#")) for name in rows[0])
    assert not [row for row in rows if row[0].startswith("#")]
    named = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert [row["http://purl.org/dc/elements/1.1/title"] for row in named] == [s.title for s in SOURCES.values()]
    dates = {r["http://purl.org/dc/elements/1.1/identifier"]: r["http://purl.org/dc/elements/1.1/date"] for r in named}
    assert (dates["circa"], dates["day"], dates["range"]) == ("c. 1890", "1887-03-14", "1887-01/1887-06")
    assert "Text withheld: closed" in rows[-1][TROPY.index("http://purl.org/dc/elements/1.1/description")]


# Programs


def test_json_lines_hold_everything_a_line_each():
    rows = [json.loads(row) for row in WRITTEN["jsonl"].decode().split("\n")[:-1]]
    assert [row["title"] for row in rows] == [source.title for source in SOURCES.values()]
    assert rows[0]["extracts"][0]["text"] == "Erste Zeile\nzweite & <letzte>"
    assert rows[-1]["extracts"][0]["text"] is None
    assert (rows[-1]["withheld"], rows[-1]["place"], rows[-1]["run"]) == ("closed", len(SOURCES), "run-1")


def test_trec_s_forms_are_read_by_its_rules():
    ranking = [row.split(" ") for row in WRITTEN["trec-run"].decode().splitlines()]
    assert [(row[0], row[1], row[3], row[5]) for row in ranking[:2]] == [
        ("run-1", "Q0", "1", "vestigia"), ("run-1", "Q0", "2", "vestigia"),
    ]  # fmt: skip
    assert [int(row[4]) for row in ranking] == list(range(len(SOURCES), 0, -1))
    judged = [
        filled(letter(name), standing) for name, standing in (("a", "accepted"), ("b c", "rejected"), ("d", "held"))
    ]
    assert rendered("trec-qrels", *judged).decode() == "run-1 0 a 1\nrun-1 0 b%20c 0\n"


# Pages


class _Page(HTMLParser):
    """The words of a page, its elements and what they point to."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.targets: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.targets += [value for name, value in attrs if name in {"href", "src", "onerror", "onload"}]

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_shows_every_title_and_carries_nothing_out():
    page = _Page()
    page.feed(WRITTEN["html"].decode())
    text = "".join(page.words)
    assert not [name for name, source in SOURCES.items() if source.title not in text]
    assert not page.tags & {"script", "img", "b", "book", "label"}
    assert page.targets == []
    assert "default-src 'none'" in WRITTEN["html"].decode()


@pytest.mark.parametrize(
    ("link", "targets"),
    [
        ("https://example.org/?a=1&b=2", ["https://example.org/?a=1&b=2"]),
        ("javascript:alert(1)", []),
        ('https://e.example/" onmouseover="x', ['https://e.example/" onmouseover="x']),
    ],
)
def test_only_an_address_of_the_web_can_be_followed(link, targets):
    page = _Page()
    page.feed(rendered("html", one(link=link)).decode())
    assert page.targets == targets


@pytest.mark.parametrize("name", [name for name in TITLES if name != "long"])
def test_markdown_shows_a_title_as_it_is(name):
    title = SOURCES[name].title
    shown = Console(width=10_000, file=io.StringIO(), color_system=None, legacy_windows=False)
    shown.print(Markdown(markdown.plain(title), hyperlinks=False))
    assert shown.file.getvalue().strip() == title


def test_markdown_has_citations_decisions_and_quotations():
    written = rendered("markdown", filled(letter("V1", "On *bridges*"))).decode()
    assert "“On \\*bridges\\*,” March 14, 1887, Papers of Élise, pp. 3, 4, V1." in written
    assert "- Decision: accept by Ada, 2026-01-02: on \\& \\<topic\\>" in written
    assert "Quotation V1\\#0-9, pages 3, 4:\n\n> zweite \\& \\<letzte\\>\n" in written


def test_a_document_for_a_word_processor_holds_every_title_as_text():
    with zipfile.ZipFile(io.BytesIO(WRITTEN["docx"])) as parts:
        body = etree.fromstring(parts.read("word/document.xml"))
    space = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}
    paragraphs = ["".join(p.itertext()) for p in body.iterfind(".//w:p", space)]
    text = "\n".join(paragraphs)
    assert not [name for name, source in SOURCES.items() if source.title not in text]
    assert not body.findall(".//w:instrText", space)
    assert SECRET in text


def test_the_report_shows_every_title_as_text():
    pages = pypdfium2.PdfDocument(WRITTEN["pdf"])
    text = "".join(re.sub(r"\d+ / \d+\s*$", "", page.get_textpage().get_text_range()) for page in pages)
    flat = "".join(text.split())
    straight = [name for name in SOURCES if name not in {"hebrew", "arabic"}]
    assert not [name for name in straight if "".join(SOURCES[name].title.split()) not in flat]
    turned = re.findall(r"[\u0590-\u06ff״]+", text)
    assert set(re.findall(r"[\u0590-\u06ff״]+", TITLES["hebrew"] + TITLES["arabic"])) <= set(turned)
    assert "".join(SECRET.split()) in flat


# All


@pytest.mark.parametrize(
    "name", [name for name in FORMS if not name.startswith("trec") and name not in {"xlsx", "docx", "pdf"}]
)
def test_a_form_with_words_says_how_much_is_withheld(name):
    text = WRITTEN[name].decode().replace("\\", "")
    assert SECRET in text or name == "tropy"
    assert "closed" in text


def test_the_ending_of_the_file_chooses_the_form(tmp_path):
    for name, form in FORMS.items():
        assert all(form_of(tmp_path / f"list{ending.upper()}") is form for ending in form.endings)
        assert form_of(tmp_path / "list.txt", name) is form
    with pytest.raises(UsageError, match=r"ends as that of no form.*\.ris"):
        form_of(tmp_path / "list.txt")
    with pytest.raises(UsageError, match=r"no form 'endnote'.*bibtex"):
        form_of(tmp_path / "list.ris", "endnote")


def test_a_folder_that_is_not_there_is_named_and_not_made(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere: there is no such folder"):
        write(tmp_path / "nowhere" / "list.md", LIST, FORMS["markdown"])
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_only_when_that_is_said_and_only_by_a_whole_one(tmp_path, monkeypatch):
    path = tmp_path / "list.md"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="a file of that name"):
        write(path, LIST, FORMS["markdown"])
    assert path.read_text("utf-8") == "mine"

    write(path, LIST, FORMS["markdown"], Style.GERMAN, replace=True)
    assert line(citation(SOURCES["day"], Style.GERMAN)) in path.read_text("utf-8").replace("\\", "")
    assert [file.name for file in tmp_path.iterdir()] == ["list.md"]


@pytest.mark.parametrize(
    ("form", "package", "extra"),
    [("xlsx", "xlsxwriter", "office"), ("docx", "docx", "office"), ("pdf", "typst", "report")],
)
def test_a_form_whose_library_is_absent_says_what_to_install(form, package, extra, monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", absent)
    with pytest.raises(UsageError, match=rf"{package}.*not installed.*vestigia\[{extra}\]"):
        FORMS[form].render(LIST, Style.CHICAGO)


def test_an_export_is_the_same_every_time():
    again = {
        name: form.render(LIST, Style.CHICAGO) for name, form in FORMS.items() if name not in {"xlsx", "docx", "pdf"}
    }
    assert again == {name: WRITTEN[name] for name in again}
