import pytest

from vestigia.index.analysis import (
    LONGEST_WORD,
    function_words,
    grams,
    quoted,
    searchable_words,
    stem_variants,
    stemmed_as,
    stems,
    without_surrogates,
)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "german"),
        ("de-AT", "german"),
        ("DE_at", "german"),
        ("ger", "german"),
        ("deu", "german"),
        ("German", "german"),
        ("fr", "french"),
        ("fre", "french"),
        ("en", "english"),
        ("la", ""),
        ("", ""),
        ("xx", ""),
        ("mul", ""),
    ],
)
def test_a_language_is_known_by_its_usual_codes(code, name):
    assert stemmed_as(code) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Straſse und Straße", ["strasse", "und", "strasse"]),
        ("l'Œuvre d’été", ["l", "oeuvre", "d", "ete"]),
        ("Wasser\u00adstand", ["wasserstand"]),
        ("block-\nade", ["blockade"]),
        ("block¬\n ade", ["blockade"]),
        ("Double hyphen Zei⸗\ntung", ["double", "hyphen", "zeitung"]),
        ("Alsace-\nLorraine", ["alsace", "lorraine"]),
        ("1914-\n18", ["1914", "18"]),
        ("ends with a dash-\n", ["ends", "with", "a", "dash"]),
        ("d'Estournelles-Constant", ["d", "estournelles", "constant"]),
        ("?! --", []),
    ],
)
def test_words_are_folded_and_broken_ones_joined(text, expected):
    assert searchable_words(text) == expected


def test_a_page_read_as_one_word_is_cut():
    assert searchable_words("x" * 100_000) == ["x" * LONGEST_WORD]


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [("Häuser", "Hauses", "de"), ("états", "etat", "fr"), ("bridges", "bridge", "en"), ("trattati", "trattato", "it")],
)
def test_forms_of_a_word_meet_in_its_language(one, other, language):
    assert stems(searchable_words(one), language) == stems(searchable_words(other), language)


def test_a_language_without_stemming_keeps_its_words():
    assert stems(["bridges", "epistulae"], "la") == ["bridges", "epistulae"]


def test_a_query_word_has_the_stems_of_every_language_of_the_archive_once_each():
    assert stem_variants("bridges", ("en", "la", "en-GB")) == ("bridg", "bridges")
    assert stem_variants("bridges", ()) == ("bridges",)


def test_ngrams_stay_inside_the_word_and_know_its_ends():
    assert grams("pont") == ["_po", "pon", "ont", "nt_", "_pon", "pont", "ont_", "_pont", "pont_"]
    assert grams("a") == ["_a_"]
    assert len(set(grams("harbour")) & set(grams("harb0ur"))) >= 5


@pytest.mark.parametrize(
    ("query", "phrases", "rest"),
    [
        ('"port of call" 1887', ("port of call",), "1887"),
        ("„Jugend in Wien“ Brief", ("Jugend in Wien",), "Brief"),
        ("« droit des gens »", ("droit des gens",), ""),
        ("»Die Zeit« und “The Age”", ("Die Zeit", "The Age"), "und"),
        ('an open "quotation', (), 'an open "quotation'),
        ('"?!" x', (), "x"),
        ("no marks, the town's", (), "no marks, the town's"),
    ],
)
def test_what_stands_in_quotation_marks_is_a_phrase(query, phrases, rest):
    found, others = quoted(query)
    assert (found, others.strip()) == (phrases, rest)


def test_function_words_are_those_of_the_languages_given():
    assert {"the", "of"} <= function_words(("en",))
    assert "die" not in function_words(("en",))
    assert {"the", "die", "les", "gli", "los"} <= function_words(())
    assert function_words(("la",)) == function_words(())
    assert "ete" in function_words(("fr",))


def test_halves_of_characters_are_replaced_one_for_one():
    assert without_surrogates("a\ud800b\udfff") == "a\ufffdb\ufffd"
    whole = "naïve 🙂"
    assert without_surrogates(whole) is whole
