"""Words on rights: read by a table, strictest first, and unknown where the table does not know them."""

import pytest

from vestigia.corpus.rights import access_of, opens_on, strictest
from vestigia.domain.archive import Access
from vestigia.domain.periods import day_number, iso


@pytest.mark.parametrize(
    ("said", "access"),
    [
        ("CC BY 4.0", Access.OPEN),
        ("CC-BY-SA", Access.OPEN),
        ("CC0", Access.OPEN),
        ("https://creativecommons.org/licenses/by-nc/4.0/", Access.OPEN),
        ("https://creativecommons.org/publicdomain/mark/1.0/", Access.OPEN),
        ("Public Domain", Access.OPEN),
        ("Gemeinfrei.", Access.OPEN),
        ("Domaine public", Access.OPEN),
        ("http://rightsstatements.org/vocab/NoC-US/1.0/", Access.OPEN),
        ("open", Access.OPEN),
        ("Open Access", Access.OPEN),
        ("http://rightsstatements.org/vocab/InC/1.0/", Access.PERSONAL),
        ("personal use only", Access.PERSONAL),
        ("Alle Rechte vorbehalten.", Access.PERSONAL),
        ("Tous droits réservés", Access.PERSONAL),
        ("Nur für den privaten Gebrauch", Access.PERSONAL),
        ("Uso personale", Access.PERSONAL),
        ("no AI", Access.NO_THIRD_PARTY),
        ("Keine KI", Access.NO_THIRD_PARTY),
        ("TDM reserved", Access.NO_THIRD_PARTY),
        ("closed", Access.CLOSED),
        ("Gesperrt bis 2040", Access.CLOSED),
        ("Non communicable avant 2050", Access.CLOSED),
        ("nicht öffentlich zugänglich", Access.CLOSED),
        ("Access restricted.", Access.CLOSED),
        ("RISERVATO", Access.CLOSED),
    ],
)
def test_words_the_table_knows_are_read_in_five_languages(said: str, access: Access):
    assert access_of(said) is access


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Bibliothèque nationale de France",
        "Archives publiques de la ville",
        "The office closed in 1890",
        "Ask the holder about open questions of ownership",
        "Wiener Library",
        "§ 12",
    ],
)
def test_words_it_does_not_know_are_unknown_never_open(said: str):
    assert access_of(said) is Access.UNKNOWN


@pytest.mark.parametrize(
    ("said", "access"),
    [
        ("Public domain; scans under embargo until 2030", Access.CLOSED),
        ("CC BY 4.0, no text and data mining", Access.NO_THIRD_PARTY),
        ("This item is not in the public domain", Access.PERSONAL),
        ("nicht gemeinfrei", Access.PERSONAL),
    ],
)
def test_the_strictest_reading_holds(said: str, access: Access):
    assert access_of(said) is access


def test_details_that_speak_of_access_are_read_and_others_are_not():
    assert access_of("CC BY", [("Zugang", "gesperrt")]) is Access.CLOSED
    assert access_of("", [("accès", "libre")]) is Access.OPEN
    assert access_of("CC BY", [("title", "gesperrt")]) is Access.OPEN


def test_of_no_reading_or_only_unknown_ones_nothing_is_known():
    assert strictest([]) is strictest([Access.UNKNOWN]) is Access.UNKNOWN
    assert strictest([Access.OPEN, Access.UNKNOWN, Access.PERSONAL]) is Access.PERSONAL


NOW = day_number(2026, 11, 30)


@pytest.mark.parametrize(
    ("said", "opens"),
    [
        ("Gesperrt bis 31.12.2029", "2030-01-01"),
        ("Sperrfrist: 2029-12-31", "2030-01-01"),
        ("embargo until 2030", "2031-01-01"),
        ("Non communicable avant 2050", "2051-01-01"),
        ("embargoed until 2027-02", "2027-03-01"),
        ("closed until 30.11.2026", "2026-12-01"),
        ("embargo until 02/03/2027", "2027-03-03"),  # of the second of March and the third of February the later
    ],
)
def test_what_is_closed_until_a_day_opens_the_day_after(said: str, opens: str):
    assert iso(opens_on(said) or 0) == opens
    day = opens_on(said) or 0
    assert access_of(said, (), NOW) is Access.CLOSED
    assert access_of(said, (), day - 1) is Access.CLOSED
    assert access_of(said, (), day) is Access.UNKNOWN, "open only where something says so"


def test_without_a_day_what_was_closed_until_one_is_closed():
    assert access_of("embargo until 1990") is Access.CLOSED


@pytest.mark.parametrize(
    ("said", "access"),
    [
        ("Public domain; scans under embargo until 2010", Access.OPEN),
        ("All rights reserved; embargo until 2010", Access.PERSONAL),
        ("closed until 2010; confidential", Access.CLOSED),
        ("embargo until 2010, embargo until 2040", Access.CLOSED),
        ("embargo until the death of her son", Access.CLOSED),
        ("embargo until May 2010", Access.CLOSED),
        ("gesperrt bis 99.99.2010", Access.CLOSED),
        ("embargo until 2010 or 2040", Access.CLOSED),
        ("closed until 2040", Access.CLOSED),
        ("gesperrt bis 99.99.2010; embargo until 2012", Access.CLOSED),
        ("The office was closed until 1950", Access.UNKNOWN),
        ("gesperrt", Access.CLOSED),
    ],
)
def test_an_embargo_that_is_over_leaves_what_else_was_said_and_one_that_cannot_be_read_stays(said: str, access: Access):
    assert access_of(said, (), NOW) is access


def test_a_field_that_holds_a_day_closes_until_it():
    assert access_of("", [("Embargo", "2030-01-01")], NOW) is Access.CLOSED
    assert access_of("", [("Embargo", "2030-01-01")]) is Access.CLOSED
    assert access_of("CC BY", [("Sperrfrist", "31.12.2020")], NOW) is Access.OPEN
    assert access_of("", [("rights", "2030")], NOW) is Access.UNKNOWN
    assert opens_on("CC BY", [("Schutzfrist", "2030"), ("embargo", "2031")]) == day_number(2032)
    assert opens_on("CC BY") is None
