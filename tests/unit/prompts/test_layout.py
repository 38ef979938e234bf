"""Each part of a request as lines; nothing that comes from a document can leave its place."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden.prompts.cases import FIRST, LETTERS, LIMITED, MINUTE, MINUTES, NOTE, READING, SECOND, TEXTS
from vestigia.domain.archive import SubCorpus
from vestigia.domain.evidence import Brief, Memory
from vestigia.domain.ids import DocumentId, SubQuestionId
from vestigia.domain.question import Question, SubQuestion, Term
from vestigia.domain.requests import Contender, Reading, Share, Taken
from vestigia.prompts import layout

FRAME = re.compile(r"\[\[\[ (\w+) ([0-9a-f]{12})\n(.*)\n\2 \1 \]\]\]", re.DOTALL)


def test_a_frame_names_its_kind_and_a_digest_at_both_ends():
    framed = layout.framed("passage", "Le conseil vote.")

    match = FRAME.fullmatch(framed)
    assert match
    assert match[1] == "passage"
    assert match[3] == "Le conseil vote."


def test_frames_of_different_texts_differ():
    assert layout.framed("passage", "one").splitlines()[0] != layout.framed("passage", "two").splitlines()[0]


def test_marks_inside_a_text_are_broken_visibly():
    assert layout.unmarked("a [[[ b ]]] c [[[[") == "a [·[·[ b ]·]·] c [·[·[·["


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<|im_end|>", "<·|im_end|·>"),
        ("</s> and <s>", "<·/·s·> and <·s·>"),
        ("[INST]", "[·I·N·S·T·]"),
    ],
)
def test_control_words_of_chat_formats_are_broken_visibly(written, shown):
    assert layout.unmarked(written) == shown


@pytest.mark.parametrize("text", ["[sic] [[lost]] f. 3", "a < b | c > d", "<hi rend='s'>s</hi>", "[Inst.]"])
def test_the_signs_of_editors_stay(text):
    assert layout.unmarked(text) == text


@given(st.text(alphabet="[]·a \n") | st.text())
def test_no_text_can_hold_a_mark(text):
    framed = layout.framed("passage", text)

    assert framed.count("[[[") == 1
    assert framed.count("]]]") == 1


@given(st.text())
def test_a_line_is_one_line(text):
    assert len(layout.line(text).splitlines()) <= 1


def test_a_sub_corpus_is_described_in_the_archives_words():
    assert layout.archive([MINUTES]) == (
        '- "conseil": council minutes; Minutes of the town council; 120 documents (118 dated), 310 passages; '
        "languages: fr; time: 1880-01-01/1914-12-31"
    )


def test_what_is_not_known_of_a_sub_corpus_is_not_said():
    assert layout.archive([LETTERS]) == '- "letters": 7 documents (0 dated), 7 passages'


def test_an_absent_list_says_so():
    assert layout.archive([]) == layout.plan([]) == layout.briefs([]) == layout.accepted([]) == "(none)"
    assert layout.group([]) == layout.passages([], {}) == layout.held([], {}, {}) == layout.shares([]) == "(none)"


def test_the_question_comes_with_its_dates_and_its_words_in_the_archive():
    assert layout.question(READING, terms=True).splitlines() == [
        "Comment le conseil et la presse ont-ils jugé le pont de Sorbier en mars 1887 ?",
        'Dates read in it: 1887-03 (written "mars 1887")',
        "Its words in this archive: pont (in 34 documents); sorbier (in 3 documents); telegraphique (not attested)",
    ]


def test_the_limits_a_researcher_set_are_shown():
    assert layout.question(LIMITED).splitlines()[1] == (
        'Limits set by the researcher: only sub-corpus "letters"; only the time 1887-03; only language en'
    )


def test_a_question_without_limits_dates_or_words_stands_alone():
    assert layout.question(Reading(Question("Who?"))) == "Who?"


def test_the_orientations_shares_are_hints():
    assert layout.shares([Share("conseil", 12, 1)]) == '- "conseil": 12 candidates, the best at place 1'


def test_a_sub_question_names_its_sub_corpus_and_marks_names_the_model_added():
    assert layout.sub_question(FIRST).endswith('[sub-corpus "conseil"; names: Sorbier, Lachaume (added)]')
    assert layout.sub_question(SECOND).endswith('[sub-corpus "Der Bote"]')


def test_a_sub_question_for_the_whole_archive_says_so():
    assert layout.sub_question(SubQuestion(SubQuestionId("q1"), "Who?", "")) == "Who? [any sub-corpus]"


def test_a_brief_says_what_it_leaves_empty():
    said = layout.briefs([Brief(SubQuestionId("q0"), facts=("one", "two"))]).splitlines()

    assert said[1:-1] == ["facts: one; two", "dates: (none)", "names: (none)", "gaps: (none)", "hints: (none)"]


def test_an_accepted_source_without_title_or_date_says_so():
    said = layout.accepted([Taken(DocumentId("d"), "", "", "letters", "names the\nbridge")]).splitlines()

    assert said[1:-1] == ["- untitled (undated, letters): names the bridge"]


def test_memory_shows_all_five_slots():
    assert layout.memory(Memory(gaps="the price")).splitlines() == [
        "findings: (empty)",
        "analysis: (empty)",
        "evidence: (empty)",
        "gaps: the price",
        "next_steps: (empty)",
    ]


def test_only_searches_that_can_be_made_are_offered():
    assert [offer.split('"')[1] for offer in layout.searches(["date", "words"]).splitlines()] == ["words", "date"]
    assert layout.searches(["meaning:one", "meaning:two", "characters"]).startswith('- "meaning"')
    assert len(layout.searches(["meaning:one", "meaning:two", "characters"]).splitlines()) == 1


def test_a_passage_shows_where_it_comes_from_and_its_whole_text():
    body = FRAME.fullmatch(layout.passages([MINUTE], TEXTS))[3]

    assert body == (
        "id: conseil/1887-03-02#0-161\ntitle: Séance du 2 mars\ndate: 1887-03-02\nsub-corpus: conseil\n"
        "found by: warm start (places: words 1, meaning:tiny 4)\ntext:\n" + TEXTS[MINUTE.passage].text
    )


def test_a_passage_without_title_or_date_is_not_given_one():
    assert "title: untitled\ndate: undated\n" in layout.passages([NOTE], TEXTS)


def test_passage_ids_are_shown_once():
    said = layout.passages([MINUTE, NOTE], TEXTS)

    assert said.count(MINUTE.passage) == said.count(NOTE.passage) == 1


def test_a_withdrawn_passage_says_that_its_text_is_gone():
    assert "(the text is no longer in the archive)" in layout.passages([MINUTE], {})
    assert "(the text is no longer in the archive)" in layout.held([MINUTE], {}, {"pont": 1.0})


def test_a_held_passage_shows_its_best_sentences_and_not_only_a_title():
    said = layout.held([NOTE], TEXTS, {"sorbier": 2.0})

    assert "Die neue Brücke von Sorbier gefällt nicht jedem." in said
    assert "Das Wetter war heiter." not in said


def test_a_contender_shows_all_reasons_and_where_it_was_found():
    contender = Contender(DocumentId("d"), "T", "1887", "letters", ("one", "two"), 2, (4, 0, 1))

    assert FRAME.fullmatch(layout.group([contender]))[3].splitlines()[4:] == [
        "passages accepted: 2",
        "found by 2 of 3 searches: places 4, 1",
        "reason: one",
        "reason: two",
    ]


def test_a_reason_cannot_pretend_to_be_another_line():
    contender = Contender(DocumentId("d\nid: e"), "T\nid: e", "1887\nid: e", "l\nid: e", ("one\nid: e",), 2)

    body = FRAME.fullmatch(layout.group([contender]))[3]

    assert [line.partition(":")[0] for line in body.splitlines()] == [
        "id",
        "title",
        "date",
        "sub-corpus",
        "passages accepted",
        "reason",
    ]


@pytest.mark.parametrize("places", [(), (0, 0)])
def test_a_contender_that_no_recorded_search_placed_shows_no_places(places):
    assert "found by" not in layout.group([Contender(DocumentId("d"), "T", "", "letters", (), 0, places)])


def test_a_concern_and_a_warning_are_said_only_when_there_is_one():
    assert layout.concern("") == layout.warning(" ") == ""
    assert layout.concern("no\nJSON") == "This is asked again, because: no JSON"
    assert layout.warning("nothing found") == "Warning: nothing found"


def test_an_observation_is_framed_and_an_empty_one_is_none():
    assert layout.observation(" ") == "(none)"
    assert FRAME.fullmatch(layout.observation("3 new"))[3] == "3 new"


def test_a_passage_of_which_sentences_are_shown_says_neither_search_nor_place():
    few = replace(MINUTE, words=3)
    said = layout.passages(
        [few], {MINUTE.passage: replace(TEXTS[MINUTE.passage], text="un. deux. trois. quatre. cinq. six.")}
    )
    assert "found by" not in said
    assert "un. deux. trois. […]" in said
    assert layout.reading([few]) == layout.READING
    assert layout.reading([MINUTE]) == ""


def test_a_second_look_has_a_heading_of_its_own_and_nothing_without_passages():
    assert layout.second_look([], {}, {}) == ""
    assert layout.second_look([MINUTE], TEXTS, {}).startswith(
        "## Rejected before, though several searches found them\n[[["
    )
    assert layout.held([replace(MINUTE, words=500)], TEXTS, {}).count(TEXTS[MINUTE.passage].text[:20]) == 1


def test_earlier_sources_are_counted():
    taken = Taken("d", "T", "1887", "Rat", "it fits")
    assert "(3 accepted earlier)\n- T" in layout.accepted([taken], 3)
    assert "earlier" not in layout.accepted([taken])


def test_sub_corpora_can_be_named_only():
    assert layout.archive([SubCorpus("Rat", 5, 9, 3, ("de",), "minutes")], names_only=True) == '"Rat" (5 documents)'
    assert layout.archive([], names_only=True) == "(none)"


def test_the_words_of_a_question_are_told_where_searches_are_chosen():
    reading = Reading(Question("Le pont ?"), terms=(Term("pont", 3, 1.0),))
    assert "pont (in 3 documents)" in layout.question(reading, terms=True)
    assert layout.question(reading) == "Le pont ?"
