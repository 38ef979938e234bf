"""The quote seal (B8, H9): four outcomes, exact places, and in words what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.quotations import Outcome
from vestigia.inquiry.quotes.negations import negation
from vestigia.inquiry.quotes.seal import WIDEST_GAP, seal

LETTER = (
    "Le ministre n'a pas voulu répondre à la queſtion de M. Perrin, qui deman-\ndoit, le 12 janvier 1887, si l'on "
    "allait « ouvrir la gare » de la rive gauche. Il a dit que la dépense (120,000 francs) était trop forte. Elle est "
    "trop forte, en effet. La ville attend; le maire répond que la ville payera."
)
SPEECH = (
    "We shall not abandon the harbour. The mayor, who had come from London, spoke for an hour. "
    "He said it couldn't be saved. The council agreed with him, and the bridge was rebuilt."
)


def quoted(found, source=LETTER):
    return [source[start:end] for start, end in found.spans]


@pytest.mark.parametrize(
    "quotation",
    [
        "Il a dit que la dépense (120,000 francs) était trop forte.",
        "« Il a dit que la dépense »",
        "le maire répond que la ville payera",
        "La ville attend, ",
        "queſtion",
        "… trop forte, en effet …",
    ],
)
def test_letter_for_letter_is_exact(quotation):
    found = seal(quotation, LETTER)

    assert found.outcome is Outcome.EXACT
    assert found.sealed
    assert found.why == ""
    assert quoted(found)[0] in LETTER


@pytest.mark.parametrize(
    ("quotation", "there"),
    [
        ("n’a pas voulu répondre à la question", "n'a pas voulu répondre à la queſtion"),
        ("qui demandoit, le 12 janvier", "qui deman-\ndoit, le 12 janvier"),
        ("allait “ouvrir la gare” de la rive", "allait « ouvrir la gare » de la rive"),
        ("la depense", "la dépense"),
        ("IL A DIT", "Il a dit"),
        ("[L]a dépense", "la dépense"),
    ],
)
def test_the_same_in_another_spelling_is_sealed_as_that(quotation, there):
    found = seal(quotation, LETTER)

    assert found.outcome is Outcome.FOLDED
    assert quoted(found) == [there]


def test_of_several_places_the_one_written_so_is_taken():
    assert seal("trop forte", "Trop forte! Elle est trop forte.").spans == ((21, 31),)


@pytest.mark.parametrize(
    ("quotation", "why"),
    [
        ("qui demandait, le 12 janvier", "the source has “deman- doit”, not “demandait”"),
        ("la dépense (130,000 francs)", "the source has “120”, not “130”"),
        ("n'a voulu répondre à la question", "“pas” of the source is left out"),
        ("la ville attend encore; le maire", "“encore” is not in the source"),
        ("était trop forte!", "its signs are not those of the source"),
        ("par ordre du roi de France", "nothing like it stands in the source"),
    ],
)
def test_what_the_source_does_not_say_is_altered_and_told(quotation, why):
    found = seal(quotation, LETTER)

    assert found.outcome is Outcome.ALTERED
    assert not found.sealed
    assert why in found.why


def test_the_nearest_words_are_shown():
    assert quoted(seal("la dépense (130,000 francs) était", LETTER)) == ["la dépense (120,000 francs) était"]
    assert seal("par ordre du roi de France", LETTER).spans == ()


def test_at_most_three_differences_are_told():
    found = seal("we shall never leave our harbour, my mayor, who came from Paris", SPEECH)

    assert found.why.count(";") == 2


class TestEllipsis:
    def test_words_may_be_left_out_in_the_order_of_the_source(self):
        found = seal("The mayor […] spoke for an hour", SPEECH)

        assert found.outcome is Outcome.EXACT
        assert quoted(found, SPEECH) == ["The mayor", "spoke for an hour"]

    @pytest.mark.parametrize("sign", ["…", "...", ". . .", "[...]", "[…]", "(...)", " [ … ] "])
    def test_whatever_sign_says_so(self, sign):
        assert seal(f"The mayor {sign} spoke for an hour", SPEECH).sealed

    def test_an_ellipsis_of_the_source_itself_is_a_sign_like_others(self):
        assert seal("Well ... he said", "Well … he said so.").outcome is Outcome.FOLDED

    @pytest.mark.parametrize(
        ("quotation", "source", "word"),
        [
            ("We shall … abandon the harbour", SPEECH, "not"),
            ("He said it […] be saved", SPEECH, "couldn't"),
            ("Le ministre … répondre à la question", LETTER, "n'a"),
            ("Er … gehen", "Er will nicht gehen.", "nicht"),
            ("Egli … venire", "Egli non vuole venire.", "non"),
            ("El rey … vendrá", "El rey jamás vendrá.", "jamás"),
            ("He came … again", "He came but once. Never was he seen again.", "Never"),
        ],
    )
    def test_it_may_not_swallow_a_negation(self, quotation, source, word):
        found = seal(quotation, source)

        assert found.outcome is Outcome.ALTERED
        assert found.why == f"the ellipsis leaves out “{word}”"

    def test_a_sentence_left_out_whole_may_deny(self):
        assert seal("spoke for an hour. […] The council agreed", SPEECH).sealed

    def test_the_closest_places_are_taken(self):
        source = "He did come. He did not go. He did stay."

        assert seal("He did … stay", source).spans == ((28, 34), (35, 39))

    def test_a_later_place_is_taken_where_the_first_would_swallow(self):
        source = "It did not rain. It did, at last, rain."

        assert seal("It did … rain", source).spans == ((17, 23), (34, 38))

    def test_parts_in_another_order_are_altered(self):
        found = seal("le maire répond … Il a dit que la dépense", LETTER)

        assert found.outcome is Outcome.ALTERED
        assert found.why == "its parts stand in another order in the source"

    def test_what_stands_pages_apart_is_not_one_quotation(self):
        near, far = (f"The first word. {'So it went on. ' * n}The last word." for n in (100, 150))

        assert seal("The first word. … The last word.", near).sealed
        assert seal("The first word. … The last word.", far).why == (
            f"the ellipsis leaves out {len('So it went on. ') * 150 + 2:,} characters, more than {WIDEST_GAP:,}"
        )

    def test_a_part_that_does_not_exist_is_named(self):
        assert "nothing like it" in seal("The mayor … was a great liar and a thief", SPEECH).why


class TestBrackets:
    def test_words_in_brackets_may_be_added(self):
        found = seal("The mayor, who had come from London [by train], spoke", SPEECH)

        assert found.outcome is Outcome.FOLDED
        assert found.why == "“by train” was added"

    def test_at_the_beginning_and_for_a_word_without_content(self):
        assert seal("[Clemenceau] a dit que la dépense", LETTER).sealed
        assert seal("[The ministers] said it couldn't be saved", SPEECH).sealed
        assert seal("The council agreed with [the mayor], and the bridge", SPEECH).sealed

    def test_not_for_what_the_source_says(self):
        found = seal("The council agreed with him, and the [harbour] was rebuilt", SPEECH)

        assert found.outcome is Outcome.ALTERED
        assert found.why == "“harbour” in brackets stands for “bridge”"

    @pytest.mark.parametrize("added", ["not", "never again"])
    def test_nor_to_deny(self, added):
        found = seal(f"the bridge was [{added}] rebuilt", SPEECH)

        assert found.outcome is Outcome.ALTERED
        assert found.why == f"“{added}” in brackets denies what the source says"

    def test_together_with_an_ellipsis(self):
        assert seal("The mayor […] [then] spoke for an hour", SPEECH).why == "“then” was added"

    @pytest.mark.parametrize("remark", ["[sic]", "[sic!]", "[!]", "[recte]"])
    def test_a_remark_is_no_word(self, remark):
        assert seal(f"who had come {remark} from London", SPEECH).outcome is Outcome.EXACT

    def test_brackets_of_the_source_are_its_own(self):
        assert seal("à [Paris] le 3 mai", "Donné à [Paris] le 3 mai.").outcome is Outcome.EXACT


@pytest.mark.parametrize("quotation", ["", " … ", "« »", "?!"])
def test_without_words_there_is_nothing_to_check(quotation):
    assert seal(quotation, LETTER).outcome is Outcome.UNCHECKABLE


def test_without_a_text_nothing_can_be_checked():
    assert seal("la ville", " \n").outcome is Outcome.UNCHECKABLE


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("il n'est rien", "n'est"),
        ("Mann ohne Geld", "ohne"),
        ("the nothing", "nothing"),
        ("le dernier mot", ""),
        ("am 3. Mai 1893", ""),
        ("im Mai", ""),
        ("le 1er mai", ""),
        ("au mois de mai 1893", ""),
        ("dal 1893 mai tornò", "mai"),
        ("Mai lo vidi", "Mai"),
        ("che mai lo disse", "mai"),
        ("", ""),
    ],
)
def test_words_that_deny(text, word):
    assert negation(text) == word


def test_in_a_long_text_only_words_of_its_language_deny():
    french = "Le maire de la ville est venu dans la salle avec les membres du conseil et il a parlé de la gare. " * 3

    assert negation(french + "C'était le 12 mai.") == ""
    assert negation(french + "Il ne viendra plus.") == "ne"


WORDS = st.lists(
    st.sampled_from(["die", "Brücke", "ist", "gebaut", "und", "der", "Fluß", "steigt", "im", "Mai", "1887", "Norden"]),
    min_size=3,
)


@given(WORDS, st.data())
def test_every_stretch_of_whole_words_is_exact(written, data):
    source = " ".join(written)
    first = data.draw(st.integers(0, len(written) - 1))
    last = data.draw(st.integers(first + 1, len(written)))
    found = seal(" ".join(written[first:last]), source)

    assert found.outcome is Outcome.EXACT
    assert quoted(found, source) == [" ".join(written[first:last])]


@given(WORDS, st.data())
def test_a_word_that_the_source_lacks_is_never_sealed(written, data):
    place = data.draw(st.integers(0, len(written)))
    altered = [*written[:place], data.draw(st.sampled_from(["Wasser", "1888", "nicht"])), *written[place:]]

    assert not seal(" ".join(altered), " ".join(written)).sealed
