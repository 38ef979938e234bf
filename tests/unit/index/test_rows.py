"""The table of passages: order, filters and names."""

import numpy as np
import pytest

from fakes.pairs import day, document, year
from vestigia.domain.effects import Scope
from vestigia.domain.errors import ArchiveError
from vestigia.index.pooling import best_by_document, last_that_fits
from vestigia.index.rows import RowTable, entry
from vestigia.index.vectors import spread


def table(*documents):
    pairs = [pair for pairs in documents for pair in pairs]
    return RowTable.empty().changed((), [entry(key, *pair) for key, pair in enumerate(pairs)])


DOCUMENTS = (
    document("z", "one", "two", sub="B", period=year(1890)),
    document("y", "three", sub="A", period=year(1895)),
    document("x", "four", sub="A", period=day(1880, 1, 1)),
    document("w", "five", sub="A"),
)


def test_rows_stand_by_sub_corpus_then_first_day_so_that_a_filter_is_a_slice():
    made = table(*DOCUMENTS)
    assert [made.passage(row) for row in range(5)] == ["x#0-4", "y#0-5", "w#0-4", "z#0-3", "z#4-7"]
    dated = Scope(sub_corpora=("A",), period=year(1880, 1896))
    for scope in (Scope(sub_corpora=("A",)), dated, Scope(sub_corpora=("B",))):
        rows = made.in_scope(scope)
        assert np.array_equal(rows, np.arange(rows[0], rows[-1] + 1))


def test_keys_lead_to_rows_in_the_order_asked():
    made = table(*DOCUMENTS)
    assert [made.passage(row) for row in made.with_keys(np.array([4, 0, 2]))] == ["w#0-4", "z#0-3", "y#0-5"]


def test_what_is_changed_is_as_if_built_anew(tmp_path):
    whole = table(*DOCUMENTS)
    new = [entry(key + 5, *pair) for key, pair in enumerate(document("v", "six", sub="C", language="fr"))]
    changed = whole.changed(["z", "nobody"], new)
    assert changed.documents == ("v", "w", "x", "y")
    assert changed.sub_corpora == ("A", "C")
    assert changed.languages == ("en", "fr")
    back = changed.changed(["v"], [entry(key, *pair) for key, pair in enumerate(DOCUMENTS[0])])
    assert np.array_equal(back.data, whole.data)
    back.save(tmp_path)
    assert np.array_equal(RowTable.load(tmp_path).data, whole.data)
    assert RowTable.load(tmp_path).documents == whole.documents


@pytest.mark.parametrize("name", ["z#0-4", "z#0", "z", "", "nobody#0-3", "z#a-b", "z#-3"])
def test_a_passage_that_is_not_there_has_no_row(name):
    assert table(*DOCUMENTS).of_passages([name]) == []


def test_a_document_may_have_a_hash_in_its_name():
    made = table(document("vol#1#2", "one", "two"))
    assert [made.passage(row) for row in made.of_passages(["vol#1#2#4-7"])] == ["vol#1#2#4-7"]


def test_the_best_of_each_document_is_kept_with_ties_by_name_and_place():
    made = table(document("b", "one", "two"), document("a", "three", "four"), document("c", "five"))
    rows, scores = np.arange(5), np.array([0.5] * 5)
    kept, best = best_by_document(made, rows, scores, 2)
    assert [made.passage(row) for row in kept] == ["a#0-5", "b#0-3"]
    assert best.tolist() == [0.5, 0.5]
    scores[made.of_passages(["b#4-7", "c#0-4"])] = 0.9
    kept, _ = best_by_document(made, rows, scores, 2)
    assert [made.passage(row) for row in kept] == ["b#4-7", "c#0-4"]


def test_what_is_put_aside_unsorted_could_not_have_been_kept():
    made = table(*(document(f"d{n:02}", "one", "two", "three") for n in range(20)))
    scores = np.array([(n * 7919) % 10 for n in range(60)], float)
    for limit in (1, 3, 19, 20, 50):
        good = scores >= last_that_fits(made, np.arange(60), scores, limit)
        kept, _ = best_by_document(made, np.arange(60), scores, limit)
        assert good[kept].all()
    assert not best_by_document(made, np.arange(0), np.zeros(0), 5)[0].size


def test_runs_of_numbers_are_spread_out():
    assert spread(np.array([5, 0, 9]), np.array([2, 3, 1])).tolist() == [5, 6, 0, 1, 2, 9]
    assert spread(np.zeros(0, int), np.zeros(0, int)).tolist() == []


@pytest.mark.parametrize(("column", "value"), [("document", 7), ("document", -1), ("sub_corpus", 1), ("language", 99)])
def test_a_table_that_names_what_is_not_listed_is_damaged(tmp_path, column, value):
    made = RowTable.empty().changed((), [entry(1, *pair) for pair in document("a", "a bridge", "a river")])
    made.data[column][1] = value
    made.save(tmp_path)
    with pytest.raises(ValueError, match=f"a {column} that is not listed"):
        RowTable.load(tmp_path)


def test_a_file_that_is_no_table_is_damaged(tmp_path):
    RowTable.empty().save(tmp_path)
    np.save(tmp_path / "rows.npy", np.zeros(3))
    with pytest.raises(ValueError, match="is none"):
        RowTable.load(tmp_path)


@pytest.mark.parametrize("keys", [[2], [1, 99], [-1]])
def test_a_key_without_a_row_is_told_as_damage(keys):
    made = RowTable.empty().changed((), [entry(1, *pair) for pair in document("a", "a bridge")])
    assert made.with_keys(np.array([1, 1])).tolist() == [0, 0]
    with pytest.raises(ArchiveError, match=r"names passages that are not in its table\. Delete the folder `index`"):
        made.with_keys(np.array(keys))
    assert RowTable.empty().with_keys(np.zeros(0, np.int64)).tolist() == []
    with pytest.raises(ArchiveError):
        RowTable.empty().with_keys(np.array(keys))
