"""Experiments by address: both kinds, as tables and as data; what cannot be tried is said beside the form."""

import pytest

from fakes.sites import words_of
from unit.web.conftest import EVIL

PAGE = "/archives/letters/experiments"


def test_before_anything_is_tried_there_is_the_form(site):
    page = site.get(PAGE).text
    assert 'name="subject"' in page
    assert site.get(f"{PAGE}.json").json()["tables"] == []


def test_windows_are_compared_with_none(site):
    fields = {"subject": "Brücke", "channel": "words", "windows": "5y", "quota": 2}
    told = site.get(f"{PAGE}.json", params=fields).json()
    assert told["tables"][0]["title"] == "The price of windows"
    assert ["in both lists", "3"] in [row[:2] for row in told["tables"][0]["rows"]]
    page = words_of(site.get(PAGE, params=fields).text)
    assert "With windows and without: Brücke" in page
    assert "surfaced by windows" in page


def test_vocabularies_of_several_times_are_compared(site):
    fields = {"kind": "eras", "subject": f"früh: gesprengt\nspät{EVIL}: Gemeinderat, Bau", "channel": "words"}
    page = site.get(PAGE, params=fields)
    assert page.status_code == 200
    assert EVIL not in page.text
    told = site.get(f"{PAGE}.json", params=fields).json()
    assert told["tables"][0]["rows"][0] == ["früh", "gesprengt"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "eras"}, "'brücke' is no vocabulary."),
        ({"kind": "eras", "subject": "a: b\n" * 9}, "at most 8 vocabularies are compared."),
        ({"kind": "nix"}, "there is no such experiment."),
        ({"channel": "nix"}, "nix"),
        ({"windows": "often"}, "often"),
    ],
)
def test_what_cannot_be_tried_is_said_beside_what_was_typed(site, fields, words):
    answer = site.get(PAGE, params={"subject": "Brücke", "channel": "words", **fields})
    assert answer.status_code == 400
    assert words in words_of(answer.text).lower()
    assert site.get(f"{PAGE}.json", params={"subject": "Brücke", "channel": "words", **fields}).status_code == 400


def test_an_empty_archive_has_nothing_to_try(empty):
    assert empty.get("/archives/empty/experiments").status_code == 200
