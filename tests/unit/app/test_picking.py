"""Picking sources of a curation: each field narrows, an empty one asks nothing; choices count what they would leave."""

import pytest

from vestigia.app.picking import Pick, choices, tags_of


def source(name, standing, **more):
    return {
        "document": name,
        "title": more.get("title"),
        "sub_corpus": more.get("sub_corpus", "Letters"),
        "standing": standing,
        "passage": {"text": more.get("text")},
        "presorted": [{"band": band} for band in more.get("bands", ())],
        "decisions": [],
        "remarks": [{"tag": tag, "note": None} for tag in more.get("tags", ())]
        + [{"tag": None, "note": note} for note in more.get("notes", ())],
    }


SOURCES = [
    source("V1", "accepted", title="Brief an den Rat", text="Die Brücke ist fort.", tags=["rat", "rat", "flut"]),
    source("V2", "undecided", text=None, bands=["keep", None], sub_corpus="Minutes", notes=["Siehe V1"]),
    source("V3", "undecided", text="Der Zoll.", bands=["drop", "keep"]),
]


@pytest.mark.parametrize(
    ("pick", "found"),
    [
        (Pick(), ["V1", "V2", "V3"]),
        (Pick(standing="undecided"), ["V2", "V3"]),
        (Pick(tag="flut"), ["V1"]),
        (Pick(band="drop"), ["V3"]),
        (Pick(sub_corpus="Minutes"), ["V2"]),
        (Pick(words="BRÜCKE rat"), ["V1"]),
        (Pick(words="siehe"), ["V2"]),
        (Pick(words="v3"), ["V3"]),
        (Pick(standing="accepted", band="keep"), []),
    ],
)
def test_a_pick_leaves_what_has_all_that_is_asked_in_the_order_of_the_set(pick, found):
    assert [one["document"] for one in pick.of(SOURCES)] == found


def test_a_pick_is_an_address_of_what_it_asks():
    assert Pick(standing="undecided", words="Zoll").fields() == {"standing": "undecided", "words": "Zoll"}


def test_a_tag_given_twice_is_one():
    assert tags_of(SOURCES[0]) == ["rat", "flut"]


def test_a_choice_says_how_many_sources_it_leaves():
    there = choices(SOURCES)
    assert there["standing"] == {"accepted": 1, "undecided": 2}
    assert there["tag"] == {"flut": 1, "rat": 1}
    assert there["band"] == {"keep": 2, "drop": 1}
    assert there["sub_corpus"] == {"Letters": 2, "Minutes": 1}
    for field, counts in there.items():
        for value, number in counts.items():
            assert len(Pick(**{field: value}).of(SOURCES)) == number
