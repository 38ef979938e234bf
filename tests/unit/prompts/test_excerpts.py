"""Hold re-evaluation shows the sentences that speak to the question (T11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.ids import SubQuestionId
from vestigia.domain.question import Entity, Question, SubQuestion, Term
from vestigia.domain.requests import Reading
from vestigia.prompts.excerpts import best_sentences, excerpt, weights

TEXT = "Il pleut. Le pont est rompu. On attend. On espère. Le maire visite le pont. Rien ne va. Le maire parle."


def sought(question: str, *terms: Term, names: tuple[str, ...] = ()) -> dict[str, float]:
    sub_question = SubQuestion(SubQuestionId("q1"), question, "", tuple(Entity(name) for name in names))
    return weights(Reading(Question(question), terms=terms), sub_question)


def test_the_questions_words_weigh_as_in_the_archive():
    assert sought("le pont", Term("Pont", 3, 4.0)) == {"pont": 4.0}


def test_a_name_weighs_as_much_as_the_rarest_word():
    found = sought("le pont", Term("pont", 3, 4.0), Term("ville", 90, 1.0), names=("Léon de Sorbier",))

    assert found == {"leon": 4.0, "sorbier": 4.0, "pont": 4.0, "ville": 1.0}


def test_a_name_that_is_also_a_term_keeps_its_own_weight():
    assert sought("", Term("sorbier", 3, 2.0), Term("pont", 1, 5.0), names=("Sorbier",))["sorbier"] == 2.0


def test_without_a_vocabulary_the_longer_words_of_the_question_count_alike():
    assert sought("Qui a payé le pont ?") == {"paye": 1.0, "pont": 1.0}


def test_nothing_sought_is_nothing_weighed():
    assert sought("?") == {}


def test_the_sentences_with_most_of_the_words_come_in_the_texts_order():
    assert best_sentences(TEXT, {"pont": 2.0, "maire": 1.0}) == (
        "[…] Le pont est rompu. […] Le maire visite le pont. […] Le maire parle."
    )


def test_neighbouring_sentences_stand_without_a_gap():
    assert best_sentences("Un pont. Un pont neuf. Fin.", {"pont": 1.0}) == "Un pont. Un pont neuf. […]"


def test_sentences_without_any_of_the_words_are_left_out():
    assert best_sentences(TEXT, {"rompu": 1.0}) == "[…] Le pont est rompu. […]"


def test_accents_case_and_endings_do_not_hide_a_word():
    assert best_sentences("Rien. Les Députés télégraphièrent. Rien.", {"depute": 1.0}) == (
        "[…] Les Députés télégraphièrent. […]"
    )


def test_a_short_word_must_be_there_whole():
    assert best_sentences("Rien. Les pontons. Rien là.", {"pont": 1.0}) == "Rien. Les pontons. Rien là."


def test_where_nothing_matches_the_beginning_is_shown():
    assert best_sentences(TEXT, {"zeppelin": 1.0}) == "Il pleut. Le pont est rompu. On attend. […]"


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_passage_shows_nothing(text):
    assert best_sentences(text, {"pont": 1.0}) == ""


def test_a_text_without_full_stops_is_cut_at_spaces():
    text = "mot " * 300 + "pont " + "mot " * 300

    shown = best_sentences(text, {"pont": 1.0})

    assert " pont " in shown
    assert len(shown) < 400
    assert set(shown.split()) == {"[…]", "mot", "pont"}


def test_a_text_without_spaces_is_cut_all_the_same():
    assert best_sentences("x" * 1000, {}) == "x" * 320 + " " + "x" * 320 + " " + "x" * 320 + " […]"


@given(st.text(alphabet="ab. \n\t", max_size=900), st.sampled_from([{}, {"ab": 1.0}, {"a": 1.0, "ba": 2.0}]))
def test_what_is_shown_is_in_the_passage(text, words):
    for stretch in best_sentences(text, words).split("[…]"):
        assert "".join(stretch.split()) in "".join(text.split())


class TestExcerpt:
    LONG = "Il pleut fort. Le pont est rompu. On attend ici. On espère encore. Le maire visite le pont. Rien ne va."

    def test_a_text_not_much_longer_is_shown_whole(self):
        assert excerpt(self.LONG, {"pont": 1.0}, 14) == self.LONG

    def test_best_sentences_come_with_those_beside_them(self):
        assert excerpt(self.LONG, {"pont": 1.0, "rompu": 1.0}, 10) == (
            "Il pleut fort. Le pont est rompu. On attend ici. […]"
        )

    @pytest.mark.parametrize(
        ("room", "shown"),
        [
            (5, "[…] Le maire visite le pont. […]"),
            (8, "[…] Le maire visite le pont. Rien ne va."),
            (13, "[…] On espère encore. Le maire visite le pont. Rien ne va."),
        ],
    )
    def test_those_beside_the_best_take_the_room_left_and_gaps_are_marked(self, room, shown):
        assert excerpt(self.LONG, {"maire": 2.0, "pleut": 1.0}, room) == shown

    def test_the_next_best_takes_what_is_left_after_them(self):
        text = "Il pleut. Rien du tout ici. Encore rien du tout ici non plus. Le maire parle. Fin."
        assert excerpt(text, {"maire": 2.0, "pleut": 1.0}, 6) == "Il pleut. […] Le maire parle. Fin."

    def test_without_any_word_of_the_question_the_beginning_is_shown(self):
        assert excerpt(self.LONG, {"xyz": 1.0}, 8) == "Il pleut fort. Le pont est rompu. […]"

    def test_one_sentence_longer_than_the_room_is_shown_all_the_same(self):
        assert excerpt("un deux trois quatre cinq six. sept.", {"six": 1.0}, 2) == "un deux trois quatre cinq six. […]"

    @given(st.text(alphabet="ab .\n", max_size=300), st.integers(1, 20))
    def test_every_stretch_stands_in_the_text(self, text, room):
        for stretch in excerpt(text, {"a": 1.0}, room).split("[…]"):
            assert all(part in text for part in stretch.strip().split(" ") if part)
