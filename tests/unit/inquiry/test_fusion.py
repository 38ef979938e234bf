"""T2: max pooling per document, weighted reciprocal rank fusion, and the weights by the kind of query."""

import pytest

from vestigia.domain.evidence import Hit, Standing
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.inquiry.fusion import channel_weights, fuse


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


@pytest.mark.parametrize(("weights", "k", "message"), [
    ({}, 60, "'words' has hits but no weight"),
    ({"words": -0.5}, 60, "'words' must be 0 or more, not -0.5"),
    ({"words": float("nan")}, 60, "'words' must be 0 or more, not nan"),
    ({"words": 1.0}, -1, "k must be 0 or more, not -1"),
])
def test_what_cannot_be_fused_is_refused(weights, k, message):
    with pytest.raises(ValueError, match=message):
        fuse({"words": [hit("a", 1)]}, weights, k, 10)


def test_the_equal_rule_is_the_papers():
    lists = {"words": [], "date": [], "meaning:use": []}
    assert channel_weights("equal", "Rome", (), lists) == {"words": 1.0, "date": 1.0, "meaning:use": 1.0}


def test_another_rule_is_refused_by_name():
    with pytest.raises(ValueError, match="no fusion rule is called 'loudest'; there are: equal, measured"):
        channel_weights("loudest", "Rome", (), {})
