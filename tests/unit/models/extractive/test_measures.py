"""What can be measured of a passage: words in their forms, misread and broken ones, the best stretch to quote."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.corpus import a_day
from vestigia.domain.archive import Passage
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import DatePeriod
from vestigia.domain.question import Term
from vestigia.models.extractive.measures import (
    QUOTE,
    best_quote,
    densest,
    flat,
    in_brief,
    marked,
    one_misreading,
    related,
    weigh_passage,
    weight,
)

BLOCUS, PAIX, TRAITE = Term("blocus", 3, 4.0), Term("paix", 40, 1.0), Term("traite", 20, 2.0)
TERMS = (BLOCUS, PAIX, TRAITE)


def a_passage(text: str) -> Passage:
    return Passage(PassageId("p"), DocumentId("d"), 0, len(text), text)


def found(text: str, title: str = "", terms: tuple[Term, ...] = TERMS) -> tuple[str, ...]:
    return weigh_passage(a_passage(text), title, terms, (), None).found


def quote(text: str, terms: tuple[Term, ...] = TERMS) -> str:
    return best_quote(text, marked(text, terms))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("blocus", "blocus"),
        ("kanal", "kanals"),
        ("kanal", "kanale"),
        ("brucke", "brucken"),
        ("traite", "traites"),
        ("ministre", "ministere"),
        ("estournelles", "estournellos"),
        ("wasserwerk", "waslerwerk"),
        ("gouvernement", "gouvernoment"),
        ("bahnhof", "bahnhot"),
        ("hauptbahnhof", "auptbahnhof"),
        ("bahnhof", "bbahnhof"),
    ],
)
def test_forms_of_a_word_and_words_misread_in_one_letter_are_one(one: str, other: str) -> None:
    assert related(one, other)
    assert related(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paix", "pair"),
        ("paix", "paixs"),
        ("rat", "rad"),
        ("maison", "saison"),
        ("berlin", "merlin"),
        ("bahnhof", "bauhofe"),
        ("kanal", "kanalisation"),
        ("1887000", "1888000"),
        ("18870112", "18870113"),
        ("", "a"),
        ("krieg", "krause"),
        ("400000", "400001"),
    ],
)
def test_other_words_and_other_figures_are_not(one: str, other: str) -> None:
    assert not related(one, other)
    assert not related(other, one)


@given(st.text("abc1", max_size=8), st.text("abc1", max_size=8))
def test_relation_is_mutual(one: str, other: str) -> None:
    assert related(one, other) == related(other, one)
    assert one_misreading(one, other) == one_misreading(other, one)


@given(st.text("abcdef", min_size=7, max_size=12), st.data())
def test_any_letter_may_be_misread_lost_or_doubled(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    for other in (word[:at] + "x" + word[at + 1 :], word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]):
        assert one_misreading(word, other)


@pytest.mark.parametrize(
    ("text", "title", "words"),
    [
        ("Le blocus continue.", "", ("blocus",)),
        ("Les Traités de PAIX", "", ("paix", "traite")),
        ("Rien ici.", "Le blocus", ("blocus",)),
        ("Le blo-\ncus continue.", "", ("blocus",)),
        ("Le blo¬\n   cus continue.", "", ("blocus",)),
        ("Le blo⸗\r\ncus continue.", "", ("blocus",)),
        ("Le blo\u00adcus continue.", "", ("blocus",)),
        ("Le blo-\n\ncus continue.", "", ()),
        ("Jean-\nBlocus", "", ("blocus",)),
        ("l'après-blocus", "", ("blocus",)),
        ("l’état de paix", "", ("paix",)),
        ("…—!?", "", ()),
        ("", "", ()),
    ],
)
def test_words_are_found_in_text_and_title_also_where_a_line_breaks_them(
    text: str, title: str, words: tuple[str, ...]
) -> None:
    assert found(text, title) == words


def test_coverage_is_the_weight_found_over_the_weight_of_all() -> None:
    evidence = weigh_passage(a_passage("Le blocus, le traité."), "", TERMS, (), None)
    assert evidence.coverage == 6.0 / 7.0


def test_a_question_without_words_covers_nothing() -> None:
    assert weigh_passage(a_passage("Le blocus."), "", (), (), None).coverage == 0.0


JANUARY = DatePeriod(a_day(1887, 1, 1).first, a_day(1887, 1, 31).last, a_day(1887, 1, 1).precision)


@pytest.mark.parametrize(
    ("asked", "date", "dated"),
    [
        ((JANUARY,), a_day(1887, 1, 31), True),
        ((JANUARY,), a_day(1887, 2, 1), False),
        ((a_day(1890, 1, 1), JANUARY), a_day(1887, 1, 1), True),
        ((JANUARY,), None, False),
        ((), a_day(1887, 1, 1), False),
    ],
)
def test_a_date_fits_when_it_shares_a_day_with_one_that_was_asked(
    asked: tuple[DatePeriod, ...], date: DatePeriod | None, dated: bool
) -> None:
    assert weigh_passage(a_passage("x"), "", (), asked, date).dated is dated


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("Un mot. Le blocus dure encore ici. La paix viendra.", "Le blocus dure encore ici."),
        ("La paix et le traité, enfin. Le blocus dure encore ici.", "Le blocus dure encore ici."),
        ("Cher blocus ! La paix et le traité, enfin.", "La paix et le traité, enfin."),
        ("Le blocus dure. Un mot de plus ici encore.", "Le blocus dure."),
        ("Paix, paix, paix, paix, paix. Un traité fut signé là.", "Un traité fut signé là."),
        ("Le blocus. Mais le blocus dure encore ici.", "Mais le blocus dure encore ici."),
        ("Mais le blocus dure encore ici. Or le blocus dure encore là.", "Mais le blocus dure encore ici."),
        ("N° 12. Paris. Le conseil se réunit ce soir. Il vote.", "Le conseil se réunit ce soir."),
        ("Oui. Non.", "Oui."),
        ("— — —\n\nLe conseil.", "Le conseil."),
        ("?!… —", ""),
        ("", ""),
    ],
)
def test_the_best_sentence_is_quoted_as_it_is_written(text: str, best: str) -> None:
    assert quote(text) == best


def test_a_sentence_broken_over_lines_is_quoted_with_its_breaks() -> None:
    assert quote("Rien. Le blo-\ncus dure encore\nici. Rien.") == "Le blo-\ncus dure encore\nici."


def test_of_a_text_without_full_stops_the_part_around_the_words_is_quoted() -> None:
    text = "mot " * 400 + "le blocus puis la paix " + "mot " * 400
    found = quote(text)
    assert len(found) <= QUOTE
    assert "le blocus puis la paix" in found
    assert 50 < found.index("blocus") < 200, "with words before it"
    assert found in text


def test_a_long_text_without_any_of_the_words_is_quoted_from_its_beginning() -> None:
    assert quote("Premier " + "mot " * 400).startswith("Premier mot mot")


def test_a_word_as_long_as_a_page_is_cut() -> None:
    assert quote("x" * 5000) == "x" * QUOTE


@pytest.mark.parametrize(
    ("text", "length", "held"),
    [
        ("a b blocus c d", 6, "blocus"),
        ("a b blocus c d", 8, "blocus c"),
        ("a b blocus c d", 14, "a b blocus c d"),
        ("paix x x x x x x blocus paix", 11, "blocus paix"),
        ("paix x x x x x x blocus", 4, "paix"),
        ("blocus", 3, "blo"),
    ],
)
def test_the_densest_part_of_a_length(text: str, length: int, held: str) -> None:
    start, end = densest(marked(text, TERMS), length)
    assert text[start:end] == held


@given(
    st.lists(st.sampled_from(["blocus", "paix", "mot", "x", "traité", "un"]), min_size=1, max_size=30),
    st.integers(1, 80),
)
def test_no_part_of_that_length_holds_more(tokens: list[str], length: int) -> None:
    text = " ".join(tokens)
    marks = marked(text, TERMS)
    start, end = densest(marks, length)
    assert 0 < end - start <= length
    held = weight(m for m in marks if start <= m.start and m.end <= end)
    best = max(weight(m for m in marks if one.start <= m.start and m.end <= one.start + length) for one in marks)
    assert held == best


@pytest.mark.parametrize(
    ("text", "length", "brief"),
    [
        ("Le blocus dure.", 40, "Le blocus dure."),
        ("Le  blo-\ncus\ndure.", 40, "Le blocus dure."),
        ("Le gouverne-\nment a déclaré que le blocus durera encore.", 24, "…que le blocus durera…"),
        ("Le blocus durera encore longtemps selon lui.", 22, "Le blocus durera…"),
        ("Selon lui, il faut craindre le blocus.", 20, "…craindre le blocus"),
        ("Le blocus", 2, ""),
        ("", 20, ""),
        ("…" * 30, 20, ""),
    ],
)
def test_a_quote_is_cut_around_its_words_to_fit_a_line(text: str, length: int, brief: str) -> None:
    assert in_brief(text, TERMS, length) == brief


@given(st.text(st.sampled_from("ab -\n.…blocuspaix¬é"), max_size=200) | st.text(max_size=200), st.integers(0, 120))
def test_a_brief_quote_is_one_line_never_longer_and_made_of_the_quote(text: str, length: int) -> None:
    brief = in_brief(text, TERMS, length)
    assert len(brief) <= length
    assert brief == " ".join(brief.split())
    assert brief.removeprefix("…").removesuffix("…") in flat(text) or brief.startswith("…") or brief.endswith("…")


@given(st.text(st.sampled_from("ab -\n.…blocuspaix¬éß\u00ad"), max_size=300) | st.text(max_size=300))
def test_a_quote_stands_in_the_text_and_holds_a_word(text: str) -> None:
    found = quote(text)
    assert found in text
    assert bool(found) == bool(marked(text, TERMS))
    assert len(found) <= max(QUOTE, 0)


@given(st.text(st.sampled_from("ab -\nc¬é"), max_size=60))
def test_every_word_of_a_text_is_marked_once_in_order(text: str) -> None:
    marks = marked(text, TERMS)
    assert all(one.end <= two.start for one, two in pairwise(marks))
    assert all(mark.end > mark.start for mark in marks)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 60_000,
        "a. " * 20_000,
        "a-\n" * 20_000,
        " " * 60_000,
        "-\n" * 30_000,
        "blocus " * 8_000,
        "." * 60_000,
        "a-" + " " * 60_000 + "\nb",
    ],
)
def test_no_text_takes_long(text: str) -> None:
    began = time.perf_counter()
    evidence = weigh_passage(a_passage(text), "", TERMS, (), None)
    in_brief(evidence.quote, TERMS, 60)
    assert time.perf_counter() - began < 5
