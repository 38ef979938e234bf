"""MODS: whose title, whose date, and how sure."""

import pytest
from lxml import etree

from vestigia.corpus.readers.mods import Description, describe, merged
from vestigia.domain.periods import Certainty, label


def mods(content: str) -> Description:
    return describe(etree.fromstring(f'<m:mods xmlns:m="http://www.loc.gov/mods/v3">{content}</m:mods>'))


def issued(content: str) -> list[str]:
    return [label(one) for one in mods(f"<m:originInfo>{content}</m:originInfo>").dates]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('<m:dateIssued encoding="w3cdtf" keyDate="yes">1824-02-17</m:dateIssued>', "1824-02-17"),
        ('<m:dateIssued encoding="iso8601">1749</m:dateIssued>', "1749"),
        ('<m:dateIssued encoding="iso8601">18240217</m:dateIssued>', "1824-02-17"),
        ("<m:dateIssued>1887</m:dateIssued>", "1887"),
        ("<m:dateIssued>[1887?]</m:dateIssued>", "1887?"),
        ('<m:dateIssued encoding="w3cdtf" point="start">1858-12-07</m:dateIssued>', "1858-12-07"),
        (
            "".join(
                f'<m:dateIssued encoding="edtf" point="{point}">{year}</m:dateIssued>'
                for point, year in (("start", 1858), ("end", 1861))
            ),
            "1858-01-01/1861-12-31",
        ),
        (
            '<m:dateIssued point="start">1858</m:dateIssued><m:dateIssued point="end">1861</m:dateIssued>',
            "1858-01-01/1861-12-31",
        ),
        (
            (
                '<m:dateIssued encoding="marc">1900</m:dateIssued>'
                '<m:dateIssued keyDate="yes" encoding="marc">1887</m:dateIssued>'
            ),
            "1887",
        ),
        ("<m:dateCreated>1887</m:dateCreated>", "1887"),
    ],
)
def test_the_date_is_that_of_issue_as_finely_as_it_is_written(written: str, read: str):
    assert issued(written)[0] == read


@pytest.mark.parametrize(
    ("qualifier", "certainty"),
    [
        ("approximate", Certainty.APPROXIMATE),
        ("inferred", Certainty.CONJECTURE),
        ("questionable", Certainty.UNCERTAIN),
        ("other", Certainty.EXACT),
    ],
)
def test_a_qualifier_is_doubt(qualifier: str, certainty: Certainty):
    found = mods(f'<m:originInfo><m:dateIssued qualifier="{qualifier}">1887</m:dateIssued></m:originInfo>')
    assert found.dates[0].certainty is certainty
    assert found.dates[0].rule.startswith("MODS: ")


@pytest.mark.parametrize(
    "origin",
    [
        '<m:originInfo eventType="digitization"><m:dateIssued>2012</m:dateIssued></m:originInfo>',
        "<m:originInfo><m:dateIssued>2012</m:dateIssued><m:edition>[Electronic ed.]</m:edition></m:originInfo>",
        "<m:originInfo><m:dateCaptured>2012</m:dateCaptured></m:originInfo>",
        "",
    ],
)
def test_the_date_of_digitisation_is_no_date_of_the_text(origin: str):
    assert mods(origin).dates == ()


def test_a_date_that_cannot_be_read_is_a_problem():
    found = mods('<m:originInfo><m:dateIssued encoding="w3cdtf">1824-02-31</m:dateIssued></m:originInfo>')
    assert found.dates == ()
    assert "1824-02-31" in found.problems[0]


def test_the_title_is_the_record_s_own_with_article_and_subtitle():
    found = mods(
        "<m:relatedItem type='host'><m:titleInfo><m:title>Serie</m:title></m:titleInfo></m:relatedItem>"
        "<m:titleInfo type='alternative'><m:title>Anders</m:title></m:titleInfo><m:titleInfo><m:nonSort>Der"
        "</m:nonSort><m:title>Verl&#228;uff</m:title><m:subTitle>Worinnen</m:subTitle></m:titleInfo>"
    )
    assert found.title == "Der Verläuff: Worinnen"
    assert mods("<m:titleInfo type='uniform'><m:title>Nur so</m:title></m:titleInfo>").title == "Nur so"


def test_people_places_rights_and_links_are_read_and_those_of_digitisation_left_out():
    found = mods(
        "<m:name><m:namePart type='family'>Michel</m:namePart><m:namePart type='given'>Louise</m:namePart>"
        "<m:namePart type='date'>1830-1905</m:namePart></m:name><m:name><m:role><m:roleTerm>fnd</m:roleTerm>"
        "</m:role><m:namePart>DFG</m:namePart></m:name><m:originInfo eventType='digitization'><m:publisher>SBB"
        "</m:publisher></m:originInfo><m:originInfo><m:place><m:placeTerm>Hanau</m:placeTerm></m:place>"
        "<m:publisher>Vlg</m:publisher></m:originInfo><m:accessCondition>CC0</m:accessCondition>"
        "<m:identifier>PPN1</m:identifier><m:identifier>https://example.org/1</m:identifier>"
    )
    assert dict(found.details) == {"author": "Michel, Louise", "place": "Hanau", "publisher": "Vlg"}
    assert (found.rights, found.link) == ("CC0", "https://example.org/1")


@pytest.mark.parametrize(("terms", "language"), [(("ger",), "de"), (("fr", "fre"), "fr"), (("fr", "de"), ""), ((), "")])
def test_a_text_in_two_languages_has_no_single_one(terms: tuple[str, ...], language: str):
    written = "".join(f"<m:languageTerm>{one}</m:languageTerm>" for one in terms)
    assert mods(f"<m:language>{written}</m:language>").language == language


def test_of_several_records_the_first_that_says_something_counts():
    one, other = (
        Description(title="A", details=(("place", "Paris"),)),
        Description("B", ("fr",), link="l", details=(("place", "Lyon"), ("number", "7")), problems=("p",)),
    )
    both = merged([one, other])
    assert (both.title, both.languages, both.link, both.problems) == ("A", ("fr",), "l", ("p",))
    assert dict(both.details) == {"place": "Paris", "number": "7"}
    assert merged([]) == Description()
