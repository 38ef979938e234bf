"""An order without a language model (T14): that of the recorded places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.domain.requests import Contender, RankRequest, Reading
from vestigia.inquiry.replies import RankReply
from vestigia.models.extractive.rank import rank, weight


def a_contender(name: str, *places: int, sub_corpus: str = "Rat", passages: int = 1) -> Contender:
    return Contender(DocumentId(name), "", "", sub_corpus, (), passages, places)


def order(*group: Contender, question: str = "Was geschah?") -> list[str]:
    reply = rank(RankRequest(Reading(Question(question)), group, 1))
    assert "No language model was used" in str(reply["thought"])
    return RankReply.model_validate(reply).order


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ((a_contender("a", 3), a_contender("b", 1), a_contender("c", 2)), ["b", "c", "a"]),
        ((a_contender("a", 0, 1), a_contender("b", 20, 9)), ["b", "a"]),
        ((a_contender("a", 0, 5), a_contender("b", 0, 2)), ["b", "a"]),
        ((a_contender("a", 2, 1), a_contender("b", 1, 9)), ["b", "a"]),
        ((a_contender("a", 1), a_contender("b", 1, passages=2)), ["b", "a"]),
        ((a_contender("b", 1), a_contender("a", 1)), ["a", "b"]),
        ((a_contender("b"), a_contender("a", 0, 0), a_contender("c", 0, 7)), ["c", "a", "b"]),
        ((a_contender("a", 7),), ["a"]),
        ((), []),
    ],
)
def test_the_orientation_orders_then_the_best_other_place_then_passages_then_the_name(
    group: tuple[Contender, ...], expected: list[str]
) -> None:
    assert order(*group) == expected


def test_in_a_sub_corpus_the_question_names_its_own_places_count_too() -> None:
    mine, other = a_contender("mine", 9, 1), a_contender("other", 5, 1, sub_corpus="Briefe")
    assert order(mine, other) == ["other", "mine"]
    assert order(mine, other, question="Was beschloss der Rat?") == ["mine", "other"]


PLACES = st.lists(st.integers(0, 30), max_size=4)


@given(st.lists(st.tuples(PLACES, st.integers(1, 3)), max_size=8), st.sampled_from(["Was?", "Was sagt der Rat?"]))
def test_an_order_holds_every_document_once_and_depends_on_nothing_but_them(
    rows: list[tuple[list[int], int]], question: str
) -> None:
    group = [a_contender(str(number), *places, passages=n) for number, (places, n) in enumerate(rows)]
    assert sorted(order(*group, question=question)) == sorted(c.document for c in group)
    assert order(*group, question=question) == order(*reversed(group), question=question)


@given(PLACES, st.sampled_from(["Was?", "Was sagt der Rat?"]))
def test_a_better_place_never_weighs_less(places: list[int], question: str) -> None:
    better = [max(place - 1, 1) if place else 0 for place in places]
    assert weight(a_contender("a", *better), question) >= weight(a_contender("a", *places), question)
