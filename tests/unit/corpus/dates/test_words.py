"""How a text is cut into tokens and looked up in the tables."""

import pytest

from vestigia.corpus.dates.lexicon import LANGUAGES, build, lexicon, phrase
from vestigia.corpus.dates.scan import roman
from vestigia.corpus.dates.tokens import fold, tokenize


def forms(text: str) -> list[str]:
    return [token.form for token in tokenize(text)]


class TestTokens:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("l'an VIII", ["l", "an", "viii"]),
            ("1er août", ["1", "er", "aout"]),
            ("12Novembre1917", ["12", "novembre", "1917"]),
            ("1914—1918", ["1914", "–", "1918"]),
            ("mi-mai", ["mi", "-", "mai"]),
            ("XIXᵉ", ["xixe"]),
            ("März ſieben Straße", ["marz", "sieben", "strasse"]),
            ("", []),
            ("  \n", []),
        ],
    )
    def test_words_numbers_and_marks_are_cut_and_folded(self, text: str, expected: list[str]) -> None:
        assert forms(text) == expected

    def test_tokens_know_their_place_in_the_text(self) -> None:
        text = "le 1ᵉʳ août 1914"
        assert "".join(text[one.start : one.end] for one in tokenize(text)) == text.replace(" ", "")

    def test_folding_an_accented_letter_is_the_same_composed_or_not(self) -> None:
        assert fold("août") == fold("aou\u0302t") == "aout"


class TestRoman:
    @pytest.mark.parametrize(
        ("form", "value"), [("i", 1), ("iv", 4), ("viii", 8), ("xiv", 14), ("xix", 19), ("xxi", 21)]
    )
    def test_numerals(self, form: str, value: int) -> None:
        assert roman(form) == value

    @pytest.mark.parametrize("form", ["", "iiii", "vx", "ic", "mil", "xx1", "civil", "x" * 1000, "l"])
    def test_what_is_no_numeral(self, form: str) -> None:
        assert roman(form) == 0


class TestLexicon:
    def test_all_five_languages_know_months_seasons_and_the_rest(self) -> None:
        for code in LANGUAGES:
            one = lexicon((code,))
            known = {category for group in one.phrases.values() for _, meanings in group for category in meanings}
            assert known >= {
                "month",
                "weekday",
                "season",
                "portion",
                "part",
                "circa",
                "before",
                "after",
                "since",
                "until",
                "between",
                "from",
                "to",
                "and",
                "filler",
                "century",
                "bce",
                "feast",
                "closed",
                "not a year",
                "counted",
                "onward",
            }, code

    def test_every_month_of_every_language_is_there(self) -> None:
        for code in LANGUAGES:
            months = {
                meanings["month"]
                for group in lexicon((code,)).phrases.values()
                for _, meanings in group
                if "month" in meanings
            }
            assert months == set(range(1, 13)), code

    def test_the_longest_phrase_is_found_first(self) -> None:
        words = build(("xx",), [{"circa": {"um": 1, "um die": 2}}])
        assert words.find(tokenize("um die Mitte"), 0, "circa") == (2, 2)
        assert words.find(tokenize("um Mitte"), 0, "circa") == (1, 1)
        assert words.find(tokenize("Mitte"), 0, "circa") is None
        assert words.find(tokenize("um"), 1, "circa") is None

    def test_dots_and_apostrophes_inside_a_phrase_are_passed_over(self) -> None:
        words = build(("xx",), [{"bce": {"av. J.-C.": 1}}])
        assert phrase("av. J.-C.") == ("av", "j", "-", "c")
        assert words.find(tokenize("av. J.-C."), 0, "bce") == (1, 6)
        assert words.find(tokenize("av J-C"), 0, "bce") == (1, 4)

    def test_the_first_language_wins_where_two_differ(self) -> None:
        words = build(("a", "b"), [{"month": {"mar": 3}}, {"month": {"mar": 4}}])
        assert words.find(tokenize("mar"), 0, "month") == (3, 1)

    def test_an_unknown_language_means_all(self) -> None:
        assert lexicon(("xx",)).languages == lexicon(()).languages == LANGUAGES
        assert lexicon(("de-AT", "FRA")).languages == ("de", "fr")
