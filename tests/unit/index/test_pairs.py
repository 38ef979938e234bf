"""Words side by side where much is misread: a name is found by what became of its two words."""

import math

import pytest

from fakes.pairs import document
from vestigia.domain.effects import WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index import pairs
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

RIGHT = "Minister Register Historie"
WRONG = " ".join(RIGHT.replace(*pair) for pair in (("st", "sl"), ("st", "ft"), ("is", "js")))
BESIDE, APART = "a sea Gazetfe Rcview", "Gazetfe a sea Rcview"
"""`Gazette Review`, each word misread in one letter; the second has them apart."""


@pytest.fixture
def indexed(tmp_path):
    def indexed(*documents, damaged=True):
        with IndexWriter(tmp_path) as writer:
            for number in range(20):
                writer.add(document(f"r{number:02}", RIGHT, language="la"))
            for number in range(2):
                writer.add(document(f"w{number}", WRONG if damaged else RIGHT, language="la"))
            for name, text in documents:
                writer.add(document(name, text, language="la"))
            writer.commit(1, digest("catalogue"))
        return Snapshot.open(tmp_path)

    return indexed


def scores(index, text, **how):
    return {hit.document: hit.score for hit in index.search(Search(WORDS, text, Scope(), 50, **how)).hits}


def rarity(held, of):
    return math.log(1 + (of - held + 0.5) / (held + 0.5))


def test_two_forms_side_by_side_count_twice_what_the_words_do_less_with_their_distance(indexed):
    index = indexed(("beside", BESIDE), ("apart", APART))
    found = scores(index, "Gazette Review")
    near = {v.word: 1 - 0.2 * v.distance for v in index.search(Search(WORDS, "Gazette Review", Scope(), 9)).variants}
    # The two words are equally rare. Apart: near + near; beside: also 2 x near x near x both rarities.
    both, product = sum(near.values()), math.prod(near.values())
    assert set(near) == {"gazette", "review"}
    assert found["beside"] / found["apart"] == pytest.approx((both + 2 * 2 * product) / both, abs=2e-3)


def test_in_a_well_read_archive_and_strictly_they_do_not(indexed):
    damaged = indexed(("beside", BESIDE), ("apart", APART))
    assert scores(damaged, "Gazette Review", strict=True) == {}


def test_a_function_word_halves_a_pair_and_two_make_none(indexed):
    index = indexed(("of", "sea of Rcview"), ("off", "of sea Rcview"), ("both", "of the sea"), ("others", "the sea of"))
    found = scores(index, "of Review")
    near = next(1 - 0.2 * v.distance for v in index.search(Search(WORDS, "of Review", Scope(), 9)).variants)
    of, review = rarity(4, 26), rarity(2, 26)
    apart = 0.5 * of + near * review
    assert found["of"] / found["off"] == pytest.approx((apart + 0.5 * 2 * near * (of + review)) / apart, abs=2e-3)
    assert scores(index, "of the")["both"] == pytest.approx(scores(index, "of the")["others"])


def test_a_pair_as_it_is_written_counts_too_and_the_best_form_alone(indexed):
    index = indexed(
        ("written", "sea Gazette Review"), ("apart", "Gazette sea Review"), ("twice", "Gazette Review Gazetfe Rcview")
    )
    found = scores(index, "Gazette Review")
    assert found["written"] / found["apart"] == pytest.approx(3, abs=2e-3)
    assert found["twice"] < found["written"]


def test_what_many_passages_hold_is_not_looked_up_one_by_one_and_counts_the_same(indexed, monkeypatch):
    texts = ("beside", BESIDE), ("apart", APART), ("written", "sea Gazette Review")
    index = indexed(*texts)
    before = scores(index, "Gazette Review")
    monkeypatch.setattr(pairs, "_FEW", 0)
    assert scores(index, "Gazette Review") == before


def test_a_word_counts_as_rare_as_it_is_in_all_its_forms(indexed):
    forms = [(f"f{n}", text) for n, text in enumerate(["Harbourmafter", "Harbourmasler", "Harbcurmaster"])]
    index = indexed(("long", "Harbourmaster"), ("short", "Zeppelins"), *forms)
    long, short = scores(index, "Harbourmaster")["long"], scores(index, "Zeppelins")["short"]
    assert long / short == pytest.approx(rarity(4, 27) / rarity(1, 27), abs=2e-3)
