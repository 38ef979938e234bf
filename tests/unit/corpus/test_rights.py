"""Words on rights: read by a table, strictest first, and unknown where the table does not know them."""

import pytest

from vestigia.corpus.rights import access_of, strictest
from vestigia.domain.archive import Access


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
