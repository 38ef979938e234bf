"""Where much is misread, what the n-grams found comes in the order of how nearly a text has the words themselves."""

import pytest

from fakes.pairs import document, year
from vestigia.domain.effects import CHARACTERS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.resemblance import likeness
from vestigia.index.snapshot import Snapshot

RIGHT = "Minister Register Historie"
WRONG = " ".join(RIGHT.replace(*pair) for pair in (("st", "sl"), ("st", "ft"), ("is", "js")))
SCATTERED = "harms armour arbor rbour bours; harms armour arbor rbour bours"
"""It has more of the n-grams of `harbour` than the text that has the word, misread and torn."""


@pytest.fixture
def indexed(tmp_path):
    def indexed(*documents, damaged=True):
        with IndexWriter(tmp_path) as writer:
            for number in range(20):
                writer.add(document(f"r{number:02}", RIGHT, language="la", sub="Papers"))
            writer.add(document("w", WRONG if damaged else RIGHT, language="la", sub="Papers"))
            writer.add(document("w2", WRONG if damaged else RIGHT, language="la", sub="Papers"))
            for pairs in documents:
                writer.add(pairs)
            writer.commit(1, digest("catalogue"))
        return Snapshot.open(tmp_path)

    return indexed


def hits(index, text, limit=10, **how):
    return index.search(Search(CHARACTERS, text, Scope(), limit, **how)).hits


def names(found):
    return [hit.document for hit in found]


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("the minister spoke", 1.0),
        ("the minisler spoke", 0.75),  # seven of eight letters: 14 / 16, of which the half is chance
        ("the mini ster spoke", 0.75),  # torn: seven of eight letters in a stretch of eight
        ("the miniter spoke", 0.75),  # a letter lost
        ("minisler", 0.75),
        ("a miniter", 13 / 15),  # at the end a stretch may be shorter: 14 / 15
        ("miniter", 13 / 15),
        ("theminister spoke", 1.0),  # run together
        ("the mimisler spoke", 0.5),
        ("xxxxxxxx", 0.0),
        ("m", 0.0),
        ("", 0.0),
    ],
)
def test_likeness_is_that_of_the_stretch_most_like_a_word_beyond_chance(text, like):
    assert likeness("minister", text) == pytest.approx(like)


@pytest.mark.parametrize(("damaged", "first"), [(True, "torn"), (False, "scattered")])
def test_where_much_is_misread_a_text_with_the_word_comes_before_one_with_its_n_grams(indexed, damaged, first):
    index = indexed(
        document("scattered", SCATTERED), document("torn", "we saw the har bour here at last"), damaged=damaged
    )
    assert names(hits(index, "harbour"))[:2] == [first, *({"scattered", "torn"} - {first})]


def test_strictly_the_order_is_that_of_the_n_grams(indexed):
    index = indexed(document("scattered", SCATTERED), document("torn", "we saw the har bour here at last"))
    assert names(hits(index, "harbour", strict=True))[0] == "scattered"


def test_the_order_changes_and_nothing_is_lost_or_added(indexed):
    index = indexed(*(document(f"d{n}", text) for n, text in enumerate(["the harbcur", SCATTERED, "arbor", "harbour"])))
    found = hits(index, "harbour")
    assert {"d0", "d1", "d2", "d3"} <= set(names(found))
    assert set(names(found)) == set(names(hits(index, "harbour", strict=True)))
    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_a_short_list_is_the_beginning_of_a_longer_one(indexed):
    index = indexed(document("scattered", SCATTERED), document("torn", "we saw the har bour here at last"))
    assert hits(index, "harbour", limit=1) == hits(index, "harbour", limit=10)[:1]
    assert names(hits(index, "harbour", limit=1)) == ["torn"]


def test_a_word_in_the_description_is_as_good_as_in_the_text(indexed):
    index = indexed(
        document("scattered", SCATTERED),
        document("titled", "nothing of the kind", title="Harbour"),
        document("sent", "nothing of the kind", details=(("sender", "Harbour, John"),)),
    )
    assert set(names(hits(index, "harbour"))[:2]) == {"titled", "sent"}


def test_a_text_with_all_words_comes_before_one_that_has_one_of_them_often(indexed):
    index = indexed(document("often", "harbour harbour harbour harbour"), document("all", "harbcur and zepqelin"))
    assert names(hits(index, "harbour zeppelin", strict=True))[0] == "often"
    assert names(hits(index, "harbour zeppelin"))[0] == "all"


def test_each_window_is_ordered_by_itself_within_its_quota(indexed):
    index = indexed(
        document("scattered", SCATTERED, period=year(1890)),
        document("torn", "we saw the har bour here at last", period=year(1890)),
        document("later", "the harbour", period=year(1910)),
    )
    search = Search(CHARACTERS, "harbour", Scope(), 10, windows=(year(1880, 1899), year(1900, 1919)), quota=2)
    early, late = index.search(search).lanes[:2]
    assert (names(early.hits), early.short) == (["torn", "scattered"], 0)
    assert (names(late.hits), late.short) == (["later"], 1)


def test_where_nothing_is_found_nothing_is_ordered(indexed):
    assert hits(indexed(), "zzzz") == ()
