"""T2: max pooling per document, weighted reciprocal rank fusion, and the weights by the kind of query."""

import pytest

from vestigia.domain.evidence import Hit, Standing
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.languages import asks
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Term
from vestigia.inquiry.fusion import channel_weights, fuse, is_foreign


def hit(document: str, rank: int, passage: str = "", score: float = 1.0) -> Hit:
    return Hit(PassageId(passage or f"{document}#0-9"), DocumentId(document), rank, score)


def documents(candidates) -> list[str]:
    return [c.document for c in candidates]


def test_t2_a_document_scores_the_sum_of_its_reciprocal_ranks():
    lists = {"words": [hit("a", 1), hit("b", 2)], "characters": [hit("b", 1)]}
    fused = fuse(lists, {"words": 1.0, "characters": 1.0}, 60, 10)
    assert documents(fused) == ["b", "a"]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
    assert fused[1].score == pytest.approx(1 / 61)


def test_t2_weights_multiply_a_channels_share():
    lists = {"words": [hit("a", 1)], "meaning:use": [hit("b", 1)]}
    assert documents(fuse(lists, {"words": 1.0, "meaning:use": 2.0}, 60, 10)) == ["b", "a"]
    assert fuse(lists, {"words": 1.0, "meaning:use": 2.0}, 60, 10)[0].score == pytest.approx(2 / 61)


def test_t2_a_long_document_holds_one_place_the_best_of_its_passages():
    lists = {"words": [hit("a", 3, "a#20-30"), hit("a", 2, "a#10-20"), hit("a", 4, "a#30-40"), hit("b", 1)]}
    fused = fuse(lists, {"words": 1.0}, 60, 10)
    assert documents(fused) == ["b", "a"]
    assert fused[1].passage == "a#10-20"
    assert fused[1].standings == (Standing("words", 2, 1.0),)


def test_the_passage_is_that_of_the_channel_that_gave_most():
    lists = {"words": [hit("a", 1, "a#0-5")], "meaning:use": [hit("a", 3, "a#5-9")]}
    assert fuse(lists, {"words": 1.0, "meaning:use": 1.0}, 60, 10)[0].passage == "a#0-5"
    assert fuse(lists, {"words": 1.0, "meaning:use": 2.0}, 60, 10)[0].passage == "a#5-9"


def test_the_passage_of_equal_shares_is_that_of_the_first_channel_by_name():
    lists = {"words": [hit("a", 1, "a#0-5")], "characters": [hit("a", 1, "a#5-9")]}
    assert fuse(lists, {"words": 1.0, "characters": 1.0}, 60, 10)[0].passage == "a#5-9"


def test_standings_tell_every_channel_that_found_the_document_by_name():
    lists = {"words": [hit("a", 2, score=7.5)], "date": [hit("a", 1, score=1.0)], "characters": [hit("b", 1)]}
    fused = fuse(lists, dict.fromkeys(lists, 1.0), 60, 10)
    assert fused[0].standings == (Standing("date", 1, 1.0), Standing("words", 2, 7.5))


def test_a_channel_of_weight_zero_shows_its_rank_but_neither_scores_nor_proposes():
    lists = {"words": [hit("a", 2)], "meaning:use": [hit("a", 1, "a#5-9"), hit("b", 2)]}
    (only,) = fuse(lists, {"words": 1.0, "meaning:use": 0.0}, 60, 10)
    assert only.document == "a"
    assert only.score == pytest.approx(1 / 62)
    assert only.passage == "a#0-9"
    assert [s.channel for s in only.standings] == ["meaning:use", "words"]


def test_ties_are_broken_by_the_best_single_rank_then_by_the_documents_id():
    # With k = 0: c has 1/1; a and b have 1/2 + 1/2 each. All score 1.
    lists = {
        "words": [hit("c", 1), hit("b", 2), hit("a", 2)],
        "characters": [hit("a", 2), hit("b", 2)],
    }
    assert documents(fuse(lists, {"words": 1.0, "characters": 1.0}, 0, 10)) == ["c", "a", "b"]


@pytest.mark.parametrize(("limit", "expected"), [(0, []), (-1, []), (1, ["a"]), (2, ["a", "b"]), (9, ["a", "b"])])
def test_no_more_than_the_limit_are_returned(limit, expected):
    lists = {"words": [hit("a", 1), hit("b", 2)]}
    assert documents(fuse(lists, {"words": 1.0}, 60, limit)) == expected


def test_nothing_found_is_nothing_returned():
    assert fuse({}, {}, 60, 10) == ()
    assert fuse({"words": []}, {"words": 1.0}, 60, 10) == ()


@pytest.mark.parametrize(
    ("weights", "k", "message"),
    [
        ({}, 60, "'words' has hits but no weight"),
        ({"words": -0.5}, 60, "'words' must be 0 or more, not -0.5"),
        ({"words": float("nan")}, 60, "'words' must be 0 or more, not nan"),
        ({"words": 1.0}, -1, "k must be 0 or more, not -1"),
    ],
)
def test_what_cannot_be_fused_is_refused(weights, k, message):
    with pytest.raises(ValueError, match=message):
        fuse({"words": [hit("a", 1)]}, weights, k, 10)


def test_the_equal_rule_is_the_papers():
    lists = {"words": [], "date": [], "meaning:use": []}
    assert channel_weights("equal", "Rome", (), lists) == {"words": 1.0, "date": 1.0, "meaning:use": 1.0}


def test_another_rule_is_refused_by_name():
    with pytest.raises(ValueError, match="no fusion rule is called 'loudest'; there are: equal, measured"):
        channel_weights("loudest", "Rome", (), {})


def of(*channels: str) -> dict[str, list]:
    return {channel: [] for channel in channels}


def content_words(number: int) -> list[Term]:
    return [Term(f"word{i}", 1, 1.0) for i in range(number)]


USE, E5 = "meaning:universal", "meaning:e5"
LONG = content_words(24)


@pytest.mark.parametrize(
    "text",
    [
        "Was the harvest poor in 1887?",
        "Que dit-il de la grève ?",
        "« Qui est là ? »",
        "¿Quién escribió la carta?",
        "Wer war Bürgermeister",
        "In which year the mill burnt down",
        "En quelle année le moulin brûla",
        "Qu'a décidé le conseil",
        "Wie kam es zum Streik",
        "Perché scioperarono",
        "Dónde estaba el puerto",
    ],
)
def test_a_question_is_known_by_its_mark_or_by_its_first_words(text):
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rome",
        "Théophile Delcassé en 1915",
        "Der Judenstaat. Versuch einer modernen Lösung der Judenfrage",
        "LA FIN de l'ANNÉE 1916",
        "letters to the mayor about who may fish",
        "Ist das alles? Ein Schauspiel",
    ],
)
def test_a_name_or_a_title_does_not_ask(text):
    assert not asks(text)


def test_a_name_leaves_the_encoders_just_enough_to_fill_a_short_list():
    weights = channel_weights("measured", "Théophile Delcassé", content_words(2), of("words", "characters", USE))
    assert weights == {"words": 1.0, "characters": 1.0, USE: 0.1}


def test_two_encoders_share_what_a_name_leaves_them():
    weights = channel_weights("measured", "Théophile Delcassé", content_words(2), of("words", USE, E5))
    assert (weights[USE], weights[E5]) == (0.05, 0.05)


def test_a_long_title_is_still_not_a_question():
    weights = channel_weights("measured", "An Account of the Harbour", LONG, of("words", USE))
    assert weights[USE] == pytest.approx(0.1)


@pytest.mark.parametrize(("number", "weight"), [(0, 0.1), (2, 0.1), (4, 0.1), (8, 0.2), (12, 0.3), (40, 0.3)])
def test_in_a_question_meaning_weighs_more_with_every_content_word_up_to_twelve(number, weight):
    weights = channel_weights("measured", "Why was it so?", content_words(number), of("words", USE))
    assert weights == {"words": 1.0, USE: pytest.approx(weight)}


def test_in_a_long_question_each_encoder_has_its_whole_weight():
    weights = channel_weights("measured", "Why was it so?", LONG, of("words", "characters", USE, E5))
    assert weights == {"words": 1.0, "characters": 1.0, USE: 0.3, E5: 0.3}


def test_a_date_weighs_half_of_the_words():
    assert channel_weights("measured", "Rome en 1915", (), of("words", "date")) == {"words": 1.0, "date": 0.5}


def test_every_channel_that_searched_gets_a_weight_and_no_other():
    assert channel_weights("measured", "Rome", (), of("words", "exact")) == {"words": 1.0, "exact": 1.0}
    assert channel_weights("measured", "Rome", (), {}) == {}


def test_t2_on_a_bare_name_the_encoder_cannot_outvote_the_words():
    # The encoder's favourite b is far down the words' list: under equal weights of these two it comes first.
    lists = {
        "words": [hit("a", 1), hit("b", 30)],
        "characters": [hit("a", 1)],
        USE: [hit("b", 1), hit("c", 2), hit("d", 3)],
    }
    measured = fuse(lists, channel_weights("measured", "Delcassé", content_words(1), lists), 60, 10)
    assert documents(measured) == ["a", "b", "c", "d"]
    only_words = {name: lists[name] for name in ("words", USE)}
    assert documents(fuse(only_words, {"words": 1.0, USE: 1.0}, 60, 10))[0] == "b"


FOREIGN = "Welche Rolle spielte die Blockade für den Frieden?"


@pytest.mark.parametrize(
    ("text", "languages", "foreign"),
    [
        (FOREIGN, ("fr",), True),
        (FOREIGN, ("fr", "de"), False),
        (FOREIGN, (), False),
        ("Emma Altmann", ("fr",), False),
    ],
)
def test_a_query_is_foreign_in_a_language_nothing_searched_is_written_in(text, languages, foreign):
    assert is_foreign(text, languages) is foreign


def test_a_foreign_query_is_carried_by_meaning():
    lists = {"words": (), "characters": (), "date": (), "source": (), "meaning:universal": (), "meaning:e5": ()}
    assert channel_weights("measured", FOREIGN, (), lists, ("fr",)) == {
        "characters": 0.5,
        "date": 0.5,
        "meaning:e5": 1.0,
        "meaning:universal": 1.0,
        "source": 0.5,
        "words": 0.25,
    }
    assert channel_weights("equal", FOREIGN, (), lists, ("fr",)) == dict.fromkeys(lists, 1.0)


IN_1887 = DatePeriod(day_number(1887), day_number(1887, 12, 31), Precision.YEAR, text="en 1887")
MARCH_4 = DatePeriod(day_number(1887, 3, 4), day_number(1887, 3, 4), Precision.DAY, text="le 4 mars 1887")


@pytest.mark.parametrize(("periods", "date"), [((IN_1887,), 2.0), ((MARCH_4,), 0.5), ((), 0.5)])
def test_where_a_question_keeps_to_a_period_its_date_weighs_most(periods, date):
    weights = channel_weights("measured", "Que dit-on ?", (), {"words": (), "date": ()}, (), periods)
    assert weights == {"words": 1.0, "date": date}


@pytest.mark.parametrize("text", ["Que dit le Temps ?", "Le Temps"])
def test_what_named_sources_hold_weighs_half_as_much_as_words(text):
    assert channel_weights("measured", text, (), {"words": (), "source": ()}) == {"words": 1.0, "source": 0.5}


def test_without_a_date_channel_there_is_no_weight_for_it():
    assert channel_weights("measured", "x", (), {"words": ()}, (), (IN_1887,)) == {"words": 1.0}
