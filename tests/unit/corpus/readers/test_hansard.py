"""Parliamentary XML: sections, headings, speakers, dates that contradict, columns, files cut short."""

from pathlib import Path

import pytest

from fakes.sources import source
from vestigia.corpus.readers.hansard import HansardReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import label
from vestigia.domain.ports import Refused

DAY = '<date format="1889-08-21">Wednesday, 21st August, 1889.</date>'


def commons(debates: str, date: str = DAY, before: str = "") -> str:
    return (
        f'<housecommons><image src="I3"/><col>1</col><title>HOUSE OF COMMONS,</title>{date}{before}'
        f"<debates>{debates}</debates></housecommons>"
    )


def section(title: str, *paragraphs: str) -> str:
    return f"<section><title>{title}</title>{''.join(f'<p>{words}</p>' for words in paragraphs)}</section>"


def speech(name: str, words: str) -> str:
    return f"<member>{name}</member><membercontribution>{words}</membercontribution>"


def read(xml: str, name: str = "vol/commons.xml") -> tuple[list[Document], list[Refused]]:
    found = list(HansardReader().read(source(name, xml)))
    return [one for one in found if isinstance(one, Document)], [one for one in found if isinstance(one, Refused)]


def dates(document: Document) -> list[str]:
    return [label(period) for period in document.dates]


def test_every_section_with_words_is_a_document_named_by_its_heading():
    documents, said = read(commons(section("PRAYERS", "Prayers.") + section("SUPPLY", "Considered.")))
    assert [one.title for one in documents] == ["PRAYERS", "SUPPLY"]
    assert [one.id for one in documents] == ["vol/commons-2", "vol/commons-3"]
    assert {one.sub_corpus for one in documents} == {"House of Commons"}
    assert said == []


def test_speakers_stay_in_the_text_as_they_are_printed():
    [document], _ = read(commons(section("COAL", f"1. {speech('Mr. Hunt', ': The <i>reinstatement</i> varies.')}")))
    assert document.text.endswith("COAL\n\n1. Mr. Hunt: The reinstatement varies.")
    assert ("speakers", "Mr. Hunt") in document.details


def test_a_speakers_constituency_is_text_but_not_the_name():
    member = "Mr. Bennett <memberconstituency>(Denton)</memberconstituency>"
    [document], _ = read(commons(section("COAL", speech(member, ": I beg."))))
    assert document.text.endswith("Mr. Bennett (Denton): I beg.")
    assert ("speakers", "Mr. Bennett") in document.details


def test_headings_above_a_section_open_the_text_of_the_first_one_below_them():
    questions = (
        "<oralquestions><title>Oral Answers</title><section><title>ENERGY</title>"
        + section("Pits", "A.")
        + section("Gas", "B.")
        + "</section></oralquestions>"
    )
    [pits, gas], _ = read(commons(questions))
    assert pits.text == ("HOUSE OF COMMONS,\n\nWednesday, 21st August, 1889.\n\nOral Answers\n\nENERGY\n\nPits\n\nA.")
    assert gas.text == "Gas\n\nB."
    assert ("part of", "HOUSE OF COMMONS, / Oral Answers / ENERGY") in gas.details


def test_words_outside_sections_are_a_document_of_the_sitting():
    documents, _ = read(
        commons(section("SUPPLY", "Considered."), before="<p>The House met.</p>").replace(
            "</debates>", "</debates><p>Adjourned.</p>"
        )
    )
    assert documents[0].title == "HOUSE OF COMMONS,"
    assert documents[0].text.endswith("The House met.\n\nAdjourned.")


def test_columns_are_anchors_and_a_sentence_runs_on_over_them():
    [document], _ = read(commons(section("COAL", 'It varies\n<image src="I4"/>\n<col>2</col>\nbetween cases.')))
    assert document.text.endswith("It varies between cases.")
    first, second = document.anchors
    assert (first.page, first.image, first.box) == ("1", "I3", None)
    assert (second.page, second.image) == ("2", "I4")
    assert document.text[second.start : second.end] == "between cases."
    assert ("columns", "1-2") in document.details


def test_without_columns_the_image_is_the_page():
    [document], _ = read(f'<houselords>{DAY}<image src="I7"/>{section("BILL", "Read.")}</houselords>')
    assert document.anchors[-1].page == "I7"
    assert document.sub_corpus == "House of Lords"


def test_a_division_table_is_lines_of_cells_and_runs_on_over_pages():
    table = "<table><tr><td>Acland, Sir</td><td>Briscoe</td></tr><tr><td>Adams</td><td/></tr></table>"
    [document], _ = read(
        commons(
            "<section><title>DIVISION</title><division>"
            + table
            + "<col>2</col><table><tr><td>Kirkwood</td></tr></table></division></section>"
        )
    )
    assert document.text.endswith("DIVISION\n\nAcland, Sir\tBriscoe\nAdams\n\nKirkwood")
    assert document.anchors[-1].page == "2"


def test_a_line_break_is_a_new_line_in_a_speech_and_a_space_in_a_heading():
    [document], _ = read(commons(section("BLIND<lb/>NESS", "One.<lb/>Two.")))
    assert document.title == "BLIND NESS"
    assert document.text.endswith("One.\nTwo.")


def test_agreeing_dates_are_one_date():
    [document], said = read(commons(section("SUPPLY", "Considered.")))
    assert dates(document) == ["1889-08-21"]
    assert said == []


def test_where_attribute_and_print_disagree_both_are_kept_and_the_printed_one_counts():
    wrong = DAY.replace("1889-08-21", "1887-08-21")
    [first, second], said = read(commons(section("A", "A.") + section("B", "B."), wrong))
    assert dates(first) == dates(second) == ["1889-08-21", "1887-08-21"]
    [told] = said  # once, not with every document
    assert told.reason == (
        "the date is printed 'Wednesday, 21st August, 1889.' but encoded as 1887-08-21; both are "
        "kept, 1889-08-21 counts, whose weekday is the one printed"
    )


def test_the_attribute_counts_where_only_it_fits_the_printed_weekday():
    [document], [said] = read(commons(section("A", "A."), '<date format="1889-08-21">Wednesday, 24 August 1889</date>'))
    assert dates(document) == ["1889-08-21", "1889-08-24?"]
    assert said.kept


def test_a_printed_date_without_a_year_takes_that_of_the_attribute():
    [document], [said] = read(commons(section("A", "A."), '<date format="1805-06-05">Friday, July 5.</date>'))
    assert dates(document) == ["1805-07-05", "1805-06-05"]
    assert document.dates[0].text == "Friday, July 5."
    assert "encoded as 1805-06-05" in said.reason


def test_a_date_that_cannot_be_read_is_told_and_leaves_the_document_undated():
    [document], said = read(commons(section("A", "A."), '<date format="1889-02-31">Mardi gras</date>'))
    assert document.dates == ()
    assert said
    assert all(one.kept for one in said)


def test_a_sitting_without_a_date_is_undated_and_told():
    [document], said = read(commons(section("A", "A."), ""))
    assert document.dates == ()
    assert said == [Refused("section 2, column 1", "no date is given; the document goes in undated", kept=True)]


RUNS_ON = '<date format="1985-12-16">Tuesday 17 December 1985</date>'
MONDAY = '<date format="1985-12-16">Monday 16 December 1985</date>'


def test_after_midnight_the_second_date_counts_and_its_repeated_attribute_is_told():
    evening, night = read(commons(section("A", "A.") + RUNS_ON + section("B", "B."), MONDAY))[0]
    assert dates(evening) == ["1985-12-16"]
    assert dates(night) == ["1985-12-17", "1985-12-16"]


def test_a_debate_that_runs_on_over_midnight_keeps_both_days():
    [document], said = read(commons(f"<section><title>A</title><p>One.</p>{RUNS_ON}<p>Two.</p></section>", MONDAY))
    assert dates(document) == ["1985-12-16", "1985-12-17"]
    assert "Tuesday 17 December 1985" in document.text
    assert "it runs on into 'Tuesday 17 December 1985'; both dates are kept" in [one.reason for one in said]


def test_a_date_that_heads_several_sittings_is_told():
    documents, [said] = read(f"<hansard>{commons(section('A', 'A.'))}{commons(section('B', 'B.'))}</hansard>")
    assert len(documents) == 2
    assert said.reason.startswith("the date 'Wednesday, 21st August, 1889.' stands over 2 sittings")
    assert said.kept


def test_the_date_of_one_sitting_does_not_reach_the_next():
    _, undated = read(f"<hansard>{commons(section('A', 'A.'))}{commons(section('B', 'B.'), '')}</hansard>")[0]
    assert undated.dates == ()


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        ("<housecommons>\n</housecommons>", "the sitting 'House of Commons' has no text."),
        (
            commons("<section><title/><p/></section>"),
            "the sitting 'HOUSE OF COMMONS,' of 'Wednesday, 21st August, 1889.' has no text.",
        ),
    ],
)
def test_an_empty_sitting_is_refused_in_one_line(xml: str, reason: str):
    documents, [said] = read(xml)
    assert (documents, said.reason, said.kept) == ([], reason, False)


def test_an_empty_sitting_tells_of_its_contradictory_dates_too():
    _, [said] = read(commons("", DAY.replace("1889-08", "1887-08")))
    assert "encoded as 1887-08-21" in said.reason


def test_a_heading_without_words_is_refused_with_what_stands_over_it():
    documents, [said] = read(commons(section("A", "A.") + f"<section><title>Orders</title>{section('Bill')}</section>"))
    assert len(documents) == 1
    assert said.reason == "the section 'Bill', in 'Orders' has no text but its heading."
    assert not said.kept


def test_of_a_broken_file_the_complete_sections_go_in_and_the_rest_is_named():
    whole = commons(section("A", "Amen.") + section("B", "Begun and never", "ended."))
    documents, said = read(whole[: whole.index("ended")])
    assert [one.title for one in documents] == ["A"]
    assert "cut short and left out: 'B' (16 characters read)" in said[-1].reason
    assert said[-1].kept
    assert said[-1].place.startswith("line ")


def test_a_paragraph_cut_short_is_left_out():
    whole = commons(section("A", "Amen."), before="<p>The House met.</p>").replace("</debates>", "</debates><p>Ad")
    documents, _ = read(whole[: whole.index("Ad") + 2])
    assert documents[0].text.endswith("The House met.")


@pytest.mark.parametrize(
    "xml",
    [
        "<housecommons><section><title>A</title><section></section></housecommons>",
        "<!DOCTYPE housecommons><housecommons><section><title>A</title><p>B.</p></section><section></housecommons>",
        '<!DOCTYPE a [<!ENTITY b "c">]><housecommons><section><title>A</title><p>&b;</p></section></housecommons>',
        commons(section("A", "<:>Amen.</:>")),
        "<housecommons>" + "<section>" * 300 + "<p>A</p>" + "</section>" * 300 + "</housecommons>",
    ],
)
def test_what_cannot_be_saved_honestly_is_refused(xml: str):
    with pytest.raises(SourceRefusedError) as refused:
        read(xml)
    assert "vol/commons.xml" in refused.value.where


def test_elements_of_a_namespace_are_read_too():
    xml = commons(section("A", "Amen.")).replace("<housecommons>", '<housecommons xmlns="urn:hansard">')
    [document], _ = read(xml)
    assert document.text.endswith("A\n\nAmen.")


def test_its_files_are_told_by_their_first_element():
    sniff = HansardReader().sniff
    assert sniff("a.xml", b"<?xml version='1.0'?>\n<hansard>")
    assert sniff("a", b"<writtenanswers>")
    assert not sniff("a.xml", b"<TEI>")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "documents", "refused"),
    [
        ("housecommons_example.xml", 50, 1),
        ("writtenanswers_example.xml", 42, 0),
        ("houselords_example.xml", 1, 0),
        ("housecommons_split_division_table.xml", 2, 0),
        ("preprocessing/debates_some_sections.xml", 2, 0),
        ("housecommons_1889_08_21.xml", 0, 1),
        ("housecommons_empty.xml", 0, 1),
        ("splitter_date_repeated/xml/commons_with_date_repeated.xml", 0, 3),
    ],
)
def test_the_fixtures_of_historic_hansard(shared_data: Path, name: str, documents: int, refused: int):
    found, said = read((shared_data / "hansard-xml-en" / name).read_text("utf-8"), name)
    assert len(found) == documents
    assert len([one for one in said if not one.kept]) == refused


@pytest.mark.shared
def test_no_word_of_the_real_day_is_lost(shared_data: Path):
    xml = (shared_data / "hansard-xml-en" / "housecommons_example.xml").read_text("utf-8")
    documents, _ = read(xml)
    text = " ".join(document.text for document in documents)
    for words in (
        "pleasure to respond to such a positive question",
        "Hogg, Hon Douglas (Gr'th'm)",
        'leave out "two years" and insert "one year"',
        "report to try to offset the range",
    ):
        assert words in text
    assert all(dates(document) == ["1985-12-16"] for document in documents)


@pytest.mark.shared
def test_the_broken_fixture_says_where(shared_data: Path):
    xml = (shared_data / "hansard-xml-en" / "commons_written_answers_1889_08_21.xml").read_text("utf-8")
    with pytest.raises(SourceRefusedError, match="No complete section"):
        read(xml)
