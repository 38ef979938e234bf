"""Lines into running text: what is joined, what is left apart, and where each line stands."""

import pytest

from vestigia.corpus.readers.pages import Broken, Composed, Line, Page, Region, broken_words, compose


def composed(*regions: tuple[str, ...]) -> Composed:
    return compose(
        [
            Page(
                "1",
                tuple(
                    Region(f"r{number}", tuple(Line(text) for text in texts)) for number, texts in enumerate(regions)
                ),
            )
        ]
    )


def told(first: str, part: str, whole: str, second: str, rest: str, whole_again: str | None = None) -> str:
    lines = (Line(first, ends=Broken(part, whole)), Line(second, begins=Broken(rest, whole_again or whole)))
    return compose([Page("1", (Region("r", lines),))]).text


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("ein gro-", "ßes Haus"), "ein großes\nHaus"),
        (("ein gro⸗", "ßes Haus"), "ein großes\nHaus"),
        (("ein gro\u00ad", "ßes"), "ein großes"),
        (("ein gro¬", "ßes Haus"), "ein großes\nHaus"),
        (("Kaiser-", "Wilhelm"), "Kaiser-\nWilhelm"),
        (("1887-", "acht"), "1887-\nacht"),
        (("Vor-", "und Nachteile"), "Vor-\nund Nachteile"),
        (("ein Wort -", "das"), "ein Wort -\ndas"),
        (("un-", "ver-", "gessen"), "unvergessen"),
        (("peut-être.", "peut-", "être"), "peut-être.\npeut-être"),
        (("peut-être, peutêtre", "peut-", "être"), "peut-être, peutêtre\npeutêtre"),
        (("ein gro-", "", "ßes"), "ein großes"),
        (("ein gro-",), "ein gro-"),
    ],
)
def test_words_broken_at_line_ends_are_joined_on_their_first_line(lines: tuple[str, ...], text: str):
    assert composed(lines).text == text


def test_a_word_that_the_source_says_is_broken_is_whole_once_whatever_its_parts_look_like():
    assert told("le conso-", "conso-", "consolidation", "lidation du", "lidation") == "le consolidation\ndu"
    assert told("situ", "situ", "situation", "ation- of", "ation-") == "situation\nof"


def test_what_is_written_to_the_parts_stays_with_the_whole_word():
    assert told("«conso-", "conso-", "consolidation", "lidation, du", "lidation") == "«consolidation,\ndu"


def test_a_first_part_whose_second_part_is_elsewhere_is_whole_and_takes_nothing_from_the_next_line():
    assert told("le conso-", "conso-", "consolidation", "lidaire du", "lidaire", "solidaire") == (
        "le consolidation\nlidaire du"
    )


def test_the_last_line_of_a_text_may_end_in_a_broken_word():
    page = Page("1", (Region("r", (Line("le conso-", ends=Broken("conso-", "consolidation")),)),))
    assert compose([page]).text == "le consolidation"


def test_what_the_source_says_is_ignored_where_it_does_not_fit_the_line():
    assert told("le conso-", "vent-", "venture", "lidation du", "lidation") == "le conso-\nlidation du"


def test_the_original_of_a_line_is_kept_where_the_text_differs():
    found = composed(("ein gro-", "ßes  Haus", "dort"))
    assert [anchor.raw for anchor in found.anchors] == ["ein gro-", "ßes  Haus", ""]


def test_a_line_of_which_nothing_is_left_is_kept_with_the_line_before():
    found = composed(("gro-", "ßes", "Haus"))
    assert [(anchor.raw, found.text[anchor.start : anchor.end]) for anchor in found.anchors] == [
        ("gro-\nßes", "großes"),
        ("", "Haus"),
    ]


def test_every_anchor_gives_the_line_its_page_region_box_image_and_confidence():
    page = Page("12", (Region("r1", (Line("Ein"),)), Region("r2", (Line("Wort", (1, 2, 3, 4), 0.5),))), "12.tif")
    found = compose([page])
    anchor = found.anchors[1]
    assert found.text == "Ein\n\nWort"
    assert found.text[anchor.start : anchor.end] == "Wort"
    assert (anchor.page, anchor.region, anchor.box, anchor.image, anchor.confidence) == (
        "12",
        "r2",
        (1, 2, 3, 4),
        "12.tif",
        0.5,
    )


def test_a_word_broken_over_two_pages_is_joined():
    first, second = (Page(label, (Region("r", (Line(text),)),)) for label, text in (("1", "gro-"), ("2", "ßes haus")))
    assert compose([first, second]).text == "großes\nhaus"


def test_the_text_is_in_nfc_with_white_space_collapsed():
    assert composed(("e\u0301te\u0301   à\tParis",)).text == "été à Paris"


def test_pages_without_lines_give_no_text():
    assert compose([]) == Composed("", ())
    assert composed(("", " "), ()) == Composed("", ())


def test_the_words_joined_are_counted_by_what_the_lines_had():
    text = composed(("eine Bru\u0308-", "cke und", "keine-", "Spur"))
    assert text.text == "eine Brücke\nund\nkeine-\nSpur"
    assert broken_words(text.text, text.anchors) == 1
    spaced = composed(("eine  Bru\u0308cke", "und"))
    assert spaced.anchors[0].raw
    assert broken_words(spaced.text, spaced.anchors) == 0
