"""The language a text gives away by its function words: a guess, made only when it is clear."""

import pytest

from vestigia.domain.languages import FUNCTION_WORDS, asked_in, guess_language

SENTENCES = {
    "fr": "Le conseil a décidé que la gare serait construite sur la rive droite, parce que le marché y est et que "
    "les hôtels de la ville ne sont pas de l'autre côté ; il n'a pas été tenu compte de la pétition du faubourg.",
    "de": "Der Rat hat beschlossen, dass der Bahnhof auf dem rechten Ufer gebaut werden soll, weil der Markt dort ist "
    "und die Gasthöfe der Stadt nicht auf der anderen Seite sind; von der Bittschrift war dabei nicht die Rede.",
    "en": "The council has decided that the station should be built on the right bank, because the market is there "
    "and the inns of the town are not on the other side of the river; nothing was said of the petition.",
    "it": "Il consiglio ha deciso che la stazione sia costruita sulla riva destra, perché il mercato è lì e gli "
    "alberghi della città non sono dall'altra parte del fiume; della petizione del borgo non si è detto nulla.",
    "es": "El consejo ha decidido que la estación se construya en la orilla derecha, porque el mercado está allí y "
    "las fondas de la ciudad no están al otro lado del río; de la petición del arrabal no se ha dicho nada.",
}


@pytest.mark.parametrize(("code", "text"), SENTENCES.items())
def test_a_paragraph_tells_its_language(code, text):
    assert guess_language(f"{text} {text}") == code


def test_capitals_and_lost_accents_do_not_matter():
    assert guess_language((SENTENCES["fr"] * 2).upper().replace("É", "E")) == "fr"


@pytest.mark.parametrize("text", ["", "Telegramm aus Wien", "1887 1888 " * 40, "qxv wrt plm zzk " * 40])
def test_what_is_short_or_says_nothing_is_not_guessed(text):
    assert guess_language(text) == ""


def test_two_languages_in_equal_parts_are_not_guessed():
    assert guess_language(SENTENCES["fr"] + " " + SENTENCES["de"]) == ""


def test_function_words_are_folded():
    assert "a" in FUNCTION_WORDS["french"]
    assert "uber" in FUNCTION_WORDS["german"]


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What did the mayor think of the war?", ("en",)),
        ("Qui a emporté le pont de la ville ?", ("fr",)),
        ("Wann ist die Brücke eingestürzt?", ("de",)),
        ("Emma Altmann", ()),
        ("La Haye", ()),
    ],
)
def test_a_question_tells_its_language_by_two_function_words(question, language):
    assert asked_in(question) == language
