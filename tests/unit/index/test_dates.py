"""The date channel: nearness between periods."""

import math

import pytest

from fakes.pairs import day, document, year
from vestigia.domain.effects import DATE, Scope, Search
from vestigia.domain.ids import digest
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    with IndexWriter(folder) as writer:
        for pairs in (
            document("century", "x", period=year(1801, 1900)),
            document("year", "x", period=year(1887)),
            document("eve", "x", period=day(1887, 3, 3)),
            document("day", "one", "two", period=day(1887, 3, 4)),
            document("later", "x", period=day(1887, 3, 14)),
            document("far", "x", period=year(1700)),
            document("bc", "x", period=year(-43)),
            document("undated", "x"),
        ):
            writer.add(pairs)
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


def opened(folder, pairs):
    with IndexWriter(folder) as writer:
        writer.add(pairs)
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


def near(index, period, decay=0.15, scope=None, limit=10):
    search = Search(DATE, "", scope or Scope(), limit, period, decay)
    return [(hit.document, hit.score) for hit in index.search(search).hits]


def test_of_those_that_overlap_the_more_precise_comes_first(index):
    assert near(index, day(1887, 3, 4))[:3] == [("day", 1.0), ("year", 1.0), ("century", 1.0)]


def test_the_rest_falls_off_by_the_day(index):
    found = dict(near(index, day(1887, 3, 4), decay=0.2))
    assert found["eve"] == math.exp(-0.2)
    assert found["later"] == math.exp(-0.2 * 10)


def test_distance_is_between_the_nearest_days_of_two_periods(index):
    found = dict(near(index, year(1888), decay=0.01))
    assert found["year"] == math.exp(-0.01)
    assert "century" in found


def test_a_document_without_date_is_never_found_and_one_too_far_neither(index):
    found = dict(near(index, day(1887, 3, 4)))
    assert "undated" not in found
    assert "far" not in found
    assert "far" in dict(near(index, day(1887, 3, 4), decay=0.0001))


def test_without_decay_all_dated_documents_are_equal_but_in_order_of_distance(index):
    found = near(index, day(1887, 3, 4), decay=0.0)
    assert {score for _, score in found} == {1.0}
    assert [name for name, _ in found] == ["day", "year", "century", "eve", "later", "far", "bc"]


def test_years_before_the_common_era_count_like_others(index):
    assert near(index, year(-44, -44), decay=0.1)[0] == ("bc", math.exp(-0.1))


def test_a_document_stands_once_with_its_first_passage(index):
    hits = index.search(Search(DATE, "ignored text", Scope(), 10, day(1887, 3, 4))).hits
    assert [hit.passage for hit in hits if hit.document == "day"] == ["day#0-3"]


def test_the_scope_is_another_matter_than_the_period_asked_near_to(index):
    only = Scope(period=day(1887, 3, 14))
    assert [name for name, _ in near(index, day(1887, 3, 4), scope=only)] == ["year", "century", "later"]
    assert [name for name, _ in near(index, day(1887, 3, 4), scope=Scope(documents=("later",)))] == ["later"]
    assert len(near(index, day(1887, 3, 4), limit=2)) == 2


def test_the_words_of_the_query_order_the_documents_of_the_period(tmp_path):
    pairs = (
        document("a", "a ball at the prefecture", period=year(1887))
        + document("b", "the strike at the mill", period=year(1887))
        + document("c", "the strike at the mill", period=year(1889))
    )
    index = opened(tmp_path, pairs)
    asked = Search(DATE, "strike", Scope(), 10, year(1887))
    assert [hit.document for hit in index.search(asked).hits] == ["b", "a", "c"]
    assert [hit.rank for hit in index.search(asked).hits] == [1, 2, 3]


def test_within_the_period_misread_words_count_by_their_characters_and_in_each_window_too(tmp_path):
    pairs = (
        document("a", "a ball at the prefecture", period=year(1887))
        + document("b", "the strjke at the mill", period=year(1887))
        + document("c", "the strike at the mill", period=year(1889))
    )
    asked = Search(DATE, "strike", Scope(), 10, year(1887), windows=(year(1887), year(1889)), quota=2)
    found = opened(tmp_path, pairs).search(asked)
    assert [hit.document for hit in found.hits] == ["b", "a", "c"]
    assert [[hit.document for hit in lane.hits] for lane in found.lanes] == [["b", "a"], ["c"]]


def test_words_never_let_a_document_pass_the_researchers_own_period(tmp_path):
    pairs = document("a", "the strike", period=day(1887, 2, 1)) + document("b", "the strike", period=day(1887, 9, 1))
    index = opened(tmp_path, pairs)
    scope = Scope(period=DatePeriod(day_number(1887, 1, 1), day_number(1887, 6, 30), Precision.RANGE))
    assert [hit.document for hit in index.search(Search(DATE, "strike", scope, 10, year(1887))).hits] == ["a"]
