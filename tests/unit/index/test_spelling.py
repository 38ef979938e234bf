"""Misreadings: learnt from the archive itself, used where they are rare, shown wherever they were used."""

import pytest

from fakes.pairs import document
from vestigia.domain.effects import WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot
from vestigia.index.spelling import LOOK_ALIKES, MUCH, Confusion, Spelling, learn

FREQUENT = [(word, 90) for word in ("ministre", "maintenant", "histoire", "commerce", "gouvernement")]


def learnt(*rare):
    """What is learnt from rare words, beyond what is known of all print."""
    known = {(c.meant, c.seen): c.times for c in LOOK_ALIKES}
    found = learn([*FREQUENT, *((word, 1) for word in rare)], 100).confusions
    return [(c.meant, c.seen, times) for c in found if (times := c.times - known.get((c.meant, c.seen), 0))]


def test_a_confusion_is_learnt_from_three_rare_words_each_beside_a_frequent_one():
    assert learnt("miniszre", "mainzenant") == []
    assert learnt("miniszre", "mainzenant", "hiszoire") == [("t", "z", 3)]


def test_a_letter_may_become_two_or_two_one_or_one_be_lost():
    assert learnt("comrnerce", "cornmerce", "gouvernernent") == [("m", "rn", 3)]
    assert learnt("maitenant", "gouverement", "mainteant") == [("n", "", 3)]
    assert learnt("minixtre", "hixtoire", "mainttenant", "maintenaant") == []


def test_a_word_with_two_mistakes_teaches_nothing():
    assert learnt("miniszrc", "mainzenaut", "hiszoirc", "hifzoire") == []


@pytest.mark.parametrize("rare", ["ninistre", "ministrc", "ministres", "ministrie"])
def test_the_first_letter_and_the_end_of_a_word_teach_nothing(rare):
    assert learnt(*[rare] * 9) == []


def test_a_word_that_is_not_rare_beside_the_other_is_no_misreading():
    words = [("ministre", 9), ("minizlre", 2), ("commerce", 9), ("commezce", 1), ("blessure", 9), ("blessuze", 1)]
    assert {c.seen for c in learn(words, 100).confusions}.isdisjoint({"z"})


def test_the_more_often_a_confusion_is_met_the_less_it_parts():
    distances = [Confusion("e", "c", times).distance for times in (3, 6, 12, 100)]
    assert distances[0] == 1
    assert distances == sorted(distances, reverse=True)
    assert 0 < distances[-1] < 0.2


def test_forms_have_one_misreading_anywhere():
    spelling = Spelling([Confusion("e", "c", 12), Confusion("m", "rn", 6)])
    assert spelling.forms("mele") == {"rnele": 0.5, "mcle": 0.333, "melc": 0.333} | {
        form: pytest.approx(distance) for form, distance in spelling.forms("mele").items()
    }
    assert set(spelling.forms("commerce")) == {"cornmerce", "comrnerce", "commcrce", "commercc"}
    assert spelling.forms("mer") == {}
    assert set(Spelling([Confusion("rn", "m", 3), Confusion("", "i", 3)]).forms("corn")) == {
        "com",
        "icorn",
        "ciorn",
        "coirn",
        "corin",
        "corni",
    }


def test_they_are_kept_and_read_again_and_tell_when_they_are_due(tmp_path):
    spelling = Spelling([Confusion("ſ", "f", 4)], 100, 0.25)
    spelling.save(tmp_path)
    again = Spelling.load(tmp_path)
    assert (again.confusions, again.passages, again.misread) == (spelling.confusions, 100, 0.25)
    assert again.fingerprint == spelling.fingerprint != Spelling().fingerprint
    assert [again.is_due(passages) for passages in (91, 100, 109, 110, 90)] == [False, False, False, True, True]
    assert Spelling().is_due(0)


def test_look_alikes_are_known_before_anything_is_learnt():
    assert learn([], 0).confusions == tuple(sorted(LOOK_ALIKES, key=lambda c: (c.meant, c.seen)))
    assert {("s", "f"), ("m", "rn"), ("u", "v"), ("i", "j"), ("e", "c")} <= {(c.meant, c.seen) for c in LOOK_ALIKES}
    assert {c.distance for c in LOOK_ALIKES} == {1}


def test_the_share_of_misread_words_is_what_look_alikes_tell_of_the_frequent_ones():
    clean = [("ministre", 90), ("maintenant", 50), ("menstruel", 30)]
    rare = [("minislre", 1), ("mainlenant", 1), ("menslruel", 2), ("minislrc", 1), ("autre", 1)]
    spelling = learn([*clean, *rare], 100)
    assert spelling.confusions[0] == Confusion("t", "l", 6)
    assert spelling.misread == pytest.approx(4 / (90 + 50 + 30 + 4), abs=1e-4)
    assert learn(clean, 100).misread == learn([], 0).misread == 0


READ = ["Der Minister sprach", "Die Stadt im Norden", "das Theater am Abend", "die Weltausstellung dauert"]
MISREAD = ["Der Minisler sprach", "Die Weltaussteliung dauert", "das Thealer am Abend", "die Weltausslellung dauert"]


@pytest.fixture
def indexed(tmp_path):
    def indexed(*documents):
        with IndexWriter(tmp_path) as writer:
            for pairs in documents:
                writer.add(pairs)
            writer.commit(1, digest("catalogue"))
        return Snapshot.open(tmp_path)

    return indexed


def newspaper(indexed, *more):
    """Forty well-read documents, and four with a t read as l."""
    read = [document(f"r{n:02}", READ[n % 4], language="de") for n in range(40)]
    return indexed(*read, *(document(f"m{n}", text, language="de") for n, text in enumerate(MISREAD)), *more)


def found(index, text, **how):
    return index.search(Search(WORDS, text, Scope(), 50, **how))


def test_a_word_is_found_where_it_is_misread_after_all_that_is_read_well(indexed):
    answer = found(newspaper(indexed), "Minister")
    names = [hit.document for hit in answer.hits]
    assert names[-1] == "m0"
    assert len(names) == 11
    assert [(v.word, v.found, v.passages) for v in answer.variants] == [("minister", "minisler", 1)]
    assert 0 < answer.variants[0].distance < 1


def test_strictly_it_is_not(indexed):
    answer = found(newspaper(indexed), "Minister", strict=True)
    assert [hit.document for hit in answer.hits if hit.document.startswith("m")] == []
    assert answer.variants == ()


def test_a_word_nobody_can_read_is_found_by_its_misreading(indexed):
    answer = found(newspaper(indexed, document("lost", "Das Konzerl begann", language="de")), "Konzert")
    assert [hit.document for hit in answer.hits] == ["lost"]
    assert [v.found for v in answer.variants] == ["konzerl"]


def test_a_word_that_is_as_frequent_is_another_word(indexed):
    others = [document(f"o{n}", "Konzert" if n % 2 else "Konzerl", language="de") for n in range(8)]
    answer = found(newspaper(indexed, *others), "Konzert")
    assert answer.variants == ()


def test_a_filter_does_not_change_which_forms_are_searched_nor_a_score(indexed):
    index = newspaper(indexed)
    everywhere = {hit.document: hit.score for hit in found(index, "Minister Theater").hits}
    narrow = index.search(Search(WORDS, "Minister Theater", Scope(documents=("m0", "m2", "r00")), 50))
    assert {hit.document: hit.score for hit in narrow.hits} == {name: everywhere[name] for name in ("m0", "m2", "r00")}
    assert narrow.variants == found(index, "Minister Theater").variants


def test_what_is_searched_beside_the_words_is_part_of_the_fingerprint(tmp_path):
    prints = []
    for name, texts in (("a", READ * 11), ("b", READ * 10 + MISREAD)):
        with IndexWriter(tmp_path / name) as writer:
            for n, text in enumerate(texts):
                writer.add(document(f"d{n:02}", text, language="de"))
            writer.commit(1, digest("catalogue"))
        prints.append(Snapshot.open(tmp_path / name).fingerprint)
    assert prints[0] != prints[1]


RIGHT = "Minister Register Historie"
WRONG = " ".join(RIGHT.replace(*pair) for pair in (("st", "sl"), ("st", "ft"), ("is", "js")))


@pytest.mark.parametrize(("damaged", "forms"), [(0, []), (2, ["minifter", "minisler", "minjster", "mimister"])])
def test_where_much_is_misread_every_rare_word_within_a_quarter_of_its_letters_is_searched(indexed, damaged, forms):
    index = indexed(
        *(document(f"r{n:02}", RIGHT, language="la") for n in range(20)),
        *(document(f"w{n}", WRONG, language="la") for n in range(damaged)),
        document("odd", "Mimister", language="la"),
        document("far", "Mimifter", language="xx"),
    )
    answer = found(index, "Minister")
    assert sorted(v.found for v in answer.variants if v.found != "mimifter") == sorted(forms)
    assert ("odd" in [hit.document for hit in answer.hits]) == bool(damaged)
    assert (index._lexicon.spelling.misread >= MUCH) == bool(damaged)


@pytest.mark.parametrize(
    ("misread", "is_searched"),
    [
        ("Reglfter", True),  # i as l and s as f are alike: half a letter each, of the two that eight letters allow
        ("Repifkar", False),  # three letters changed, one of them alike: two and a half
        ("Zeqister", True),  # two letters changed that are not alike
        ("Zeqiskar", False),
    ],
)
def test_where_much_is_misread_what_is_confused_counts_half_a_letter(indexed, misread, is_searched):
    index = indexed(
        *(document(f"r{n:02}", RIGHT, language="la") for n in range(20)),
        *(document(f"w{n}", WRONG, language="la") for n in range(2)),
        document("odd", misread, language="la"),
    )
    assert (misread.casefold() in [v.found for v in found(index, "Register").variants]) == is_searched


@pytest.mark.parametrize("letters", [1, 2])
def test_a_short_word_may_differ_in_one_letter_only(indexed, letters):
    index = indexed(document("a", "Hafen"), document("b", "Hafer"), document("c", "Haken"), document("d", "Kafer"))
    answer = found(index, "Hafen", fuzzy=letters)
    assert [v.found for v in answer.variants] == ["hafer", "haken"]
    assert {hit.document for hit in answer.hits} == {"a", "b", "c"}


def test_fuzzy_words_say_how_far_they_are_and_the_nearest_stand_first(indexed):
    index = indexed(document("a", "blockade"), document("b", "blokade"), document("c", "blokad"), document("d", "x"))
    answer = found(index, "Blockade", fuzzy=2)
    assert [(v.found, v.distance) for v in answer.variants] == [("blokade", 1.0), ("blokad", 2.0)]
    assert [hit.document for hit in answer.hits] == ["a", "b", "c"]
    assert [hit.document for hit in found(index, "Blockade", fuzzy=1).hits] == ["a", "b"]


def test_function_words_and_the_shortest_words_have_no_other_forms(indexed):
    index = indexed(document("a", "with the cat"), document("b", "wish thy car"))
    assert found(index, "with cat", fuzzy=2).variants == ()
