"""TEI: text, header and dates of letters."""

import json
from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.readers.tei import TeiReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import Certainty, iso
from vestigia.domain.ports import Refused

NAMESPACE = 'xmlns="http://www.tei-c.org/ns/1.0"'


def tei(body: str, header: str = "", attributes: str = "") -> str:
    return f"<TEI {NAMESPACE} {attributes}><teiHeader>{header}</teiHeader><text><body>{body}</body></text></TEI>"


def read(content: str, name: str = "tei/L1.xml") -> tuple[Document, list[str]]:
    document, *warnings = TeiReader().read(source(name, content))
    assert isinstance(document, Document)
    return document, [one.reason for one in warnings if isinstance(one, Refused) and one.kept]


def text(body: str) -> str:
    return read(tei(body))[0].text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>les chica-<lb break='no'/>nes</p>", "les chicanes"),
        ("<p>les chica-<lb\n break='no'/>\n  nes</p>", "les chicanes"),
        ("<p>les chica-<lb/>nes</p>", "les chicanes"),
        ("<p>les chica¬<lb/>nes</p>", "les chicanes"),
        ("<p>les chica\u00adnes</p>", "les chicanes"),
        ("<p>ver-<lb break='no'/><pb n='2'/>ständigt</p>", "verständigt"),
        ("<p>Re<pb n='2'/>paratur</p>", "Reparatur"),
        ("<p>Jean-<lb/>Paul</p>", "Jean- Paul"),
        ("<p>est détestable<lb/> qu'ils</p>", "est détestable qu'ils"),
        ("<p>Herzlichst<lb/>Ihr</p>", "Herzlichst Ihr"),
        ("<p>votre<lb/>\n  <pb n='2'/> pays</p>", "votre pays"),
        ("<p>pages 3-<pb n='2'/>5</p>", "pages 3- 5"),
    ],
)
def test_words_broken_over_lines_and_pages_are_whole_again_and_others_stay_apart(body: str, expected: str):
    assert text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>heute<note>Das <date>Datum</date> ist unklar.</note> Nachmittag</p>", "heute Nachmittag"),
        ("<p><del>r</del><add>t</add>ous cas</p>", "tous cas"),
        ("<p>\n<subst>\n <del>r</del>\n <add>t</add>\n</subst>ous cas</p>", "tous cas"),
        ("<p><fw>SÉNAT</fw>Mon cher</p>", "Mon cher"),
        ("<p>un <gap reason='illegible'/> mot</p>", "un mot"),
        ("<p>ein <unclear>Wort</unclear> <supplied>mehr</supplied></p>", "ein Wort mehr"),
        ("<p><choice><sic>mesage</sic><corr>message</corr></choice></p>", "mesage"),
        ("<p>\n<choice>\n<abbr>M.</abbr>\n<expan>Monsieur</expan>\n</choice> Roux</p>", "M. Roux"),
        ("<p>le <corr>message</corr></p>", "le message"),
        ("<p><app><lem>wir</lem><rdg>mir</rdg></app> gehen</p>", "wir gehen"),
        ("<p><persName ref='#p1'>Le Président <hi>Wilson</hi></persName>,</p>", "Le Président Wilson,"),
        ("<p>a<!-- ours --><?pi x?>b</p>", "ab"),
    ],
)
def test_the_text_is_what_the_source_has(body: str, expected: str):
    assert text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>Hau<c rendition='#langesS'>s</c>e</p>", "Hause"),
        ("<p>We<c rendition='#gemination-n'>nn</c></p>", "Wenn"),
        ("<p>ko<c rendition='#gemination-m'/>en</p>", "kommen"),
        ("<p>Hau<g ref='#longs'/>e</p>", "Hause"),
        ("<p>Fischer <c rendition='#kaufmannsund'/> Co<c rendition='#dots' n='3'/></p>", "Fischer & Co…"),
        ("<p>a<c rendition='#unknown'/>b</p>", "ab"),
        ("<p>6<space unit='chars' quantity='1'/>Uhr</p>", "6 Uhr"),
    ],
)
def test_special_characters_are_characters(body: str, expected: str):
    assert text(body) == expected


def test_paragraphs_are_apart_by_a_blank_line_and_verses_by_a_line_end():
    body = """
        <opener><dateline>Paris</dateline><salute>Mon  cher
           ami,</salute></opener>
        <p>Un.</p> <p>Deux.</p>
        <lg><l>Ein Vers</l><l>und noch einer</l></lg>
        <closer>Herzlich<lb/><signed>Arthur</signed></closer>"""
    assert text(body) == ("Paris\n\nMon cher ami,\n\nUn.\n\nDeux.\n\nEin Vers\nund noch einer\n\nHerzlich\nArthur")


def test_cells_of_a_table_are_words_apart():
    assert text("<table><row><cell>a</cell><cell>b</cell></row><row><cell>c</cell></row></table>") == "a b\nc"


def test_back_matter_is_left_out():
    content = f"<TEI {NAMESPACE}><teiHeader/><text><body><p>Ja.</p></body><back><p>Register</p></back></text></TEI>"
    assert read(content)[0].text == "Ja."


HEADER = """
<fileDesc><titleStmt><title level="s">Briefwechsel</title><title type="iso-date">1891-10-07</title>
  <title level="a" xml:lang="en">Letter</title><title level="a" xml:lang="de">Brief an
  Herzl</title></titleStmt>
  <publicationStmt><availability><licence target="https://creativecommons.org/licenses/by/4.0/"/></availability>
  <idno type="handle">https://hdl.handle.net/1</idno></publicationStmt>
  <sourceDesc><msDesc><msIdentifier><repository>Yale</repository></msIdentifier></msDesc></sourceDesc></fileDesc>
<profileDesc><langUsage><language ident="de-AT"/></langUsage><correspDesc>
  <correspAction type="sent"><persName>Schnitzler, Arthur</persName>{date}<placeName>Wien</placeName></correspAction>
  <correspAction type="received"><persName>Herzl, Theodor</persName><placeName>Paris</placeName></correspAction>
  {context}</correspDesc></profileDesc>"""


def described(date: str = "", context: str = "") -> tuple[Document, list[str]]:
    return read(tei("<p>Ja.</p>", HEADER.format(date=date, context=context), 'xml:id="L00043"'))


def test_the_header_describes_the_letter():
    document, _ = described("<date when='1891-10-07'/>")
    assert (document.id, document.title, document.language) == ("L00043", "Brief an Herzl", "de")
    assert document.details == (
        ("sender", "Schnitzler, Arthur"),
        ("recipient", "Herzl, Theodor"),
        ("place", "Wien"),
        ("place of receipt", "Paris"),
        ("repository", "Yale"),
    )
    assert document.provenance.rights == "https://creativecommons.org/licenses/by/4.0/"
    assert document.provenance.link == "https://hdl.handle.net/1"
    assert document.provenance.record == "L00043"


def test_the_archive_its_town_fonds_and_shelf_mark_are_told():
    place = "<location><address><settlement>New Haven</settlement></address></location><institution>Yale</institution>"
    kept = f"<msIdentifier>{place}<collection>German Literature</collection><idno>MSS 31</idno></msIdentifier>"
    header = f"<fileDesc><titleStmt/><sourceDesc><msDesc>{kept}</msDesc></sourceDesc></fileDesc>"
    assert read(tei("<p>Ja.</p>", header))[0].details == (
        ("institution", "Yale"),
        ("settlement", "New Haven"),
        ("fonds", "German Literature"),
        ("shelf mark", "MSS 31"),
    )


def test_the_correspondence_is_the_sub_corpus():
    reference = "<ref type='belongsToCorrespondence'>Herzl, Theodor</ref>"
    document, _ = described(context=f"<correspContext>{reference}</correspContext>")
    assert document.sub_corpus == "Herzl, Theodor"


def test_without_a_correspondence_the_series_is_and_without_that_the_importer_takes_the_folder():
    series = "<fileDesc><titleStmt/><seriesStmt><title>Letters to Butler</title></seriesStmt></fileDesc>"
    assert read(tei("<p>Ja.</p>", series))[0].sub_corpus == "Letters to Butler"
    assert read(tei("<p>Ja.</p>"))[0].sub_corpus == ""


def test_without_an_id_the_file_gives_one_and_the_title():
    document, _ = read(tei("<p>Ja.</p>"), "tei/Lettre0037_23avril1915.xml")
    assert (document.id, document.title) == ("Lettre0037_23avril1915", "Lettre0037_23avril1915")


@pytest.mark.parametrize(
    ("date", "first", "last", "certainty"),
    [
        ("<date when='1891-10-07'>7. 10. 1891</date>", "1891-10-07", "1891-10-07", Certainty.EXACT),
        ("<date when-iso='1891-10'/>", "1891-10-01", "1891-10-31", Certainty.EXACT),
        ("<date when='1891'/>", "1891-01-01", "1891-12-31", Certainty.EXACT),
        (
            "<date from='1892-11-12' to='1892-11-14'>12.–14. 11. 1892</date>",
            "1892-11-12",
            "1892-11-14",
            Certainty.EXACT,
        ),
        (
            "<date notBefore='1891-10-07' notAfter='1892-04-30'>[zwischen 7. 10. 1891 und 30. 4. 1892]</date>",
            "1891-10-07",
            "1892-04-30",
            Certainty.CONJECTURE,
        ),
        ("<date when='1892-04-04'>[4. 4. 1892?]</date>", "1892-04-04", "1892-04-04", Certainty.UNCERTAIN),
        ("<date when='1892-04-04' cert='low'/>", "1892-04-04", "1892-04-04", Certainty.UNCERTAIN),
        ("<date when='1892-04-04' evidence='conjecture'/>", "1892-04-04", "1892-04-04", Certainty.CONJECTURE),
        ("<date when='1899-05-01'>[Mai 1899]</date>", "1899-05-01", "1899-05-31", Certainty.CONJECTURE),
        ("<date when-iso='1918-12-16/31'/>", "1918-12-16", "1918-12-31", Certainty.EXACT),
        ("<date when-iso='1918-12-16/1919-01-02'/>", "1918-12-16", "1919-01-02", Certainty.EXACT),
        ("<date when='1918-12-16'/><date when='1918-12-31'/>", "1918-12-16", "1918-12-31", Certainty.EXACT),
        ("<date notBefore='1891-10-07'/>", "1891-10-07", "..", Certainty.EXACT),
    ],
)
def test_the_date_of_sending_is_never_falsely_exact(date: str, first: str, last: str, certainty: Certainty):
    document, _ = described(date)
    period = document.dates[0]
    assert (iso(period.first), iso(period.last), period.certainty) == (first, last, certainty)


def test_the_printed_date_is_kept_on_one_line():
    document, _ = described("<date when='1891-10-07'>[7. 10.\n   1891]</date>")
    assert document.dates[0].text == "[7. 10. 1891]"


def test_a_header_that_contradicts_itself_is_reported_and_both_dates_are_kept():
    header = """<fileDesc><titleStmt/><sourceDesc><docDate when="1915-11-19"/></sourceDesc></fileDesc><profileDesc>
        <correspDesc><correspAction type="sent"><date when="1915-11-16"/></correspAction></correspDesc></profileDesc>"""
    document, warnings = read(tei("<p>Ja.</p>", header))
    assert [iso(period.first) for period in document.dates] == ["1915-11-16", "1915-11-19"]
    assert warnings == ["the header contradicts itself: 1915-11-16 and 1915-11-19"]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("<fileDesc><titleStmt/><sourceDesc><origDate when='1887-01-12'/></sourceDesc></fileDesc>", ""),
        ("<profileDesc><creation><date when='1887-01-12'/></creation></profileDesc>", ""),
        ("", "<opener><dateline><date when='1887-01-12'>le 12 janvier</date></dateline></opener>"),
    ],
)
def test_without_a_date_of_sending_other_places_are_looked_at(header: str, body: str):
    document, _ = read(tei(body + "<p>Ja.</p>", header))
    assert iso(document.dates[0].first) == "1887-01-12"


def test_an_impossible_date_is_a_warning_and_the_document_goes_in_undated():
    document, warnings = described("<date when='1887-02-30'/>")
    assert document.dates == ()
    assert "impossible" in warnings[0]
    assert warnings[0].endswith("the document goes in undated")


def test_a_text_without_header_goes_in_with_a_warning():
    document, warnings = read(f"<TEI {NAMESPACE}><text><body><p>Ja.</p></body></text></TEI>")
    assert document.dates == ()
    assert "no header" in warnings[0]


def test_tei_of_the_older_kind_and_of_several_texts_is_read():
    old = "<TEI.2><teiHeader/><text><body><p>Ja.</p></body></text></TEI.2>"
    assert read(old)[0].text == "Ja."
    texts = tei("<p>Ja.</p>") + tei("<p>Nein.</p>", attributes="xml:id='b'")
    both = f"<teiCorpus {NAMESPACE}>{texts}</teiCorpus>"
    found = [one for one in TeiReader().read(source("letters.xml", both)) if isinstance(one, Document)]
    assert [(one.id, one.text) for one in found] == [("letters-1", "Ja."), ("b", "Nein.")]


@pytest.mark.parametrize("body", ["", "<p/>", "<p><note>Nur eine Anmerkung.</note></p>"])
def test_a_tei_without_text_is_refused_with_the_reason(body: str):
    (refused,) = TeiReader().read(source("a.xml", tei(body)))
    assert isinstance(refused, Refused)
    assert "no text" in refused.reason


def test_a_corpus_without_texts_is_refused():
    with pytest.raises(SourceRefusedError, match="no TEI element"):
        list(TeiReader().read(source("a.xml", f"<teiCorpus {NAMESPACE}/>")))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<alto xmlns='http://www.loc.gov/standards/alto/ns-v3#'/>", "root element <alto>, not TEI"),
        ("<TEI><text><body><p>Ja.</p>", "not well-formed"),
        ("<TEI>&undefined;</TEI>", "not well-formed"),
        (
            '<!DOCTYPE TEI [<!ENTITY x SYSTEM "file:///etc/passwd">]><TEI><text><body><p>&x;</p></body></text></TEI>',
            "entities",
        ),
        (
            '<!DOCTYPE TEI [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><TEI><text><body><p>&b;</p></body></text></TEI>',
            "entities",
        ),
        ("<TEI>" + "<p>" * 5000 + "</p>" * 5000 + "</TEI>", "not well-formed"),
        (f"<TEI n='{'x' * 11_000_000}'/>", "not well-formed"),
    ],
)
def test_xml_that_is_foreign_broken_or_dangerous_is_refused_with_file_and_reason(content: str, reason: str):
    with pytest.raises(SourceRefusedError, match=reason) as caught:
        list(TeiReader().read(source("folder/a.xml", content)))
    assert caught.value.where.startswith("folder/a.xml")
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<TEI>", True),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <alto> -->\n<tei:TEI xmlns:tei='x'>", True),
        (b"<!DOCTYPE TEI.2 SYSTEM 'x'><TEI.2>", True),
        (b"<teiCorpus\n", True),
        (b"<teiHeader>", False),
        (b"<alto>", False),
        (b"<!-- unfinished <TEI>", False),
        (b"The <TEI> element", False),
        (b"", False),
        (b"<", False),
    ],
)
def test_its_files_are_told_by_their_root(head: bytes, expected: bool):
    assert TeiReader().sniff("a.xml", head) is expected


@pytest.mark.shared
@pytest.mark.parametrize(("folder", "count"), [("schnitzler-letters-de", 55), ("pec-letters-fr", 31)])
def test_real_letters_agree_with_what_others_took_out_of_them(shared_data: Path, folder: str, count: int):
    known = [json.loads(line) for line in (shared_data / folder / "docs.jsonl").read_text("utf-8").splitlines()]
    twins = {record["id"]: record for record in known}
    paths = sorted((shared_data / folder / "tei").glob("*.xml"))
    assert len(paths) == count
    for path in paths:
        document = next(one for one in TeiReader().read(FileSource(path, path.name)) if isinstance(one, Document))
        twin = twins[document.id]
        assert document.title.replace("\xa0", " ") == twin["title"].replace("\xa0", " ")
        assert dict(document.details)["sender"] == twin["sender"]
        words, theirs = set(document.text.split()), set(twin["text"].split())
        assert len(words & theirs) >= 0.8 * len(theirs)
        first, last = twin.get("date_from") or twin["date"], twin.get("date_to") or twin["date"]
        assert iso(document.dates[0].first) <= first <= last <= iso(document.dates[0].last)
