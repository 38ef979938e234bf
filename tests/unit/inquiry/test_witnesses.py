"""B4: what says the same is put together, and nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from vestigia.inquiry.witnesses import one_witness


def test_what_is_of_one_cluster_stands_together_where_its_first_stood():
    clusters = {"a": "1", "b": "", "c": "1", "d": "2", "e": "", "f": "1"}
    assert one_witness("abcdef", clusters.__getitem__) == (("a", "c", "f"), ("b",), ("d",), ("e",))


def test_nothing_found_is_no_witness():
    assert one_witness("", str) == ()


@given(st.lists(st.tuples(st.integers(0, 99), st.sampled_from(["", "x", "y"])), unique_by=lambda one: one[0]))
def test_every_document_is_in_one_group_in_the_order_found(found):
    groups = one_witness(found, lambda one: one[1])
    assert sorted(one for group in groups for one in group) == sorted(found)
    assert [group[0] for group in groups] == sorted((group[0] for group in groups), key=found.index)
    for group in groups:
        assert list(group) == [one for one in found if one[1] == group[0][1]] if group[0][1] else len(group) == 1
