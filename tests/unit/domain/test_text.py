"""Words and sentences are read the same way everywhere, and every span can be proven on the text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.text import fold, mentions, sentence_spans, without, word_spans, words

PIECES = st.sampled_from([".", "!", "…", "»", "« ", "”", "'", " ", "\n", "\n\n", "\r\n", "\t", "M.", "12.", "Le", "é"])
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


class TestFold:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Député", "depute"),
            ("DÉPUTÉ", "député"),
            ("Straße", "STRASSE"),
            ("daſs", "dass"),
            ("Œuvre", "oeuvre"),
            ("ŒUVRE", "œuvre"),
            ("Ærø", "AERO"),
            ("Łódź", "lodz"),
            ("Đorđe", "dorde"),
            ("ﬁn", "fin"),
            *((f"l{sign}été", "l'été") for sign in "’‘‛ʼʹ′＇"),
            ("e\u0301te\u0301", "été"),
            ("Zei\u00adtung", "Zeitung"),
            ("\ufeffLe\u200bttre", "lettre"),
        ],
    )
    def test_two_spellings_of_a_word_fold_alike(self, one, other):
        assert fold(one) == fold(other)

    @pytest.mark.parametrize(("one", "other"), [("cote", "core"), ("1887", "1881"), ("rn", "m")])
    def test_different_words_stay_different(self, one, other):
        assert fold(one) != fold(other)

    def test_other_scripts_are_lowered_and_kept(self):
        assert fold("Афины ΑΘΉΝΑ 北京") == "афины αθηνα 北京"

    def test_more_different_letters_than_are_remembered_fold_all_the_same(self):
        scripts = "".join(map(chr, range(0x4E00, 0xD7A4)))

        assert fold(scripts + "É") == fold(scripts) + "e"
        assert fold("\u0301\u1ab0Straße") == "strasse"

    @given(st.text())
    def test_folding_what_is_folded_changes_nothing(self, text):
        assert fold(fold(text)) == fold(text)


class TestWords:
    def test_words_come_folded_and_in_order(self):
        assert words("Le Député parle.") == ["le", "depute", "parle"]

    def test_hyphens_apostrophes_and_underscores_separate(self):
        assert words("l’arc-en-ciel dʼEstournelles, n_1") == ["l", "arc", "en", "ciel", "d", "estournelles", "n", "1"]

    def test_a_text_of_signs_has_no_words(self):
        assert words(" —… !? « » ") == []

    @given(st.text())
    def test_no_word_is_empty_or_changed_by_folding_again(self, text):
        assert all(word and fold(word) == word for word in words(text))


class TestMentions:
    def test_a_name_is_found_whatever_its_accents(self):
        assert mentions("La séance du Conseil général", "conseil general")

    def test_only_whole_words_count(self):
        assert not mentions("Les conseillers", "conseil")

    def test_the_words_must_follow_each_other(self):
        assert not mentions("le conseil municipal et général", "conseil général")

    def test_a_leading_article_of_the_name_may_be_missing(self):
        assert mentions("ce que dit Temps du lundi", "Le Temps")
        assert mentions("der Bote schreibt", "Der Bote")

    @pytest.mark.parametrize("name", ["", " … ", "Le"])
    def test_a_name_without_words_is_nowhere(self, name):
        assert not mentions("Le Temps", name)


class TestWithout:
    @pytest.mark.parametrize(
        ("text", "names", "left"),
        [
            ("Was schrieb der Landbote im Jahr 1894?", ["Jahr 1894"], "was schrieb der landbote im"),
            ("What do The Verge and the Age say of Apple?", ["The Verge", "Age"], "what do the and the say of apple"),
            ("Verge of war, in The Vergecast", ["Verge"], "of war in the vergecast"),
            ("Conseil général, puis conseil", ["Conseil", "Conseil général"], "puis"),
            ("Le Temps", ["Le Temps"], "le"),
            ("1894", ["1894"], ""),
        ],
    )
    def test_the_words_of_names_are_taken_out_the_longest_name_first(self, text, names, left):
        assert without(text, names) == left

    @pytest.mark.parametrize("names", [[], ["Landbote"], ["", " … ", "Le"]])
    def test_a_text_that_holds_none_of_them_stays_as_it_is(self, names):
        assert without("Que dit « Le Temps » ?", names) == "Que dit « Le Temps » ?"

    @given(st.text(), st.lists(st.text(min_size=1)))
    def test_what_is_left_is_of_the_text_and_in_its_order(self, text, names):
        left, there = words(without(text, names)), iter(words(text))

        assert all(word in there for word in left)


class TestWordSpans:
    def test_hyphens_and_apostrophes_stay_inside_a_word(self):
        text = "L’arc-en-ciel, d'été — fin-"

        assert [text[start:end] for start, end in word_spans(text)] == ["L’arc-en-ciel", "d'été", "fin"]

    def test_accents_written_apart_and_soft_hyphens_do_not_cut_a_word(self):
        text = "e\u0301te\u0301 Zei\u00adtung"

        assert [text[start:end] for start, end in word_spans(text)] == text.split()

    @given(st.text())
    def test_spans_are_ordered_and_do_not_overlap(self, text):
        flat = [offset for span in word_spans(text) for offset in span]

        assert flat == sorted(flat)
        assert all(start < end for start, end in word_spans(text))


class TestSentenceSpans:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Il pleut. Il vente.", ["Il pleut.", "Il vente."]),
            ("Quoi ? Oui ! Bien…  Fin", ["Quoi ?", "Oui !", "Bien…", "Fin"]),
            ("Wait... what?! Yes", ["Wait...", "what?!", "Yes"]),
            ("sans point", ["sans point"]),
            ("Il sort.Il rentre.", ["Il sort.Il rentre."]),
            ("4.000 francs. Fin.", ["4.000 francs.", "Fin."]),
            ("", []),
            (" \n\t ", []),
        ],
    )
    def test_a_sentence_ends_with_its_sign_before_white_space(self, text, expected):
        assert sentences(text) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "M. Durand parle.",
            "MM. Durand et Dupont.",
            "Mme. Curie vint.",
            "le Dr. Müller kam.",
            "Mr. Smith left.",
            "Art. 3. Le conseil vote.",
            "cf. p. 12. et suivantes",
            "am 3. März 1887",
            "le 2 janv. 1887",
            "on 5 Jan. 1900",
            "z. B. Nr. 7",
            "i.J. 1887",
            "the U.S. Army",
            "(M. Durand)",
            "l’art. 5",
            "«M. Durand»",
        ],
    )
    def test_an_abbreviation_an_initial_or_a_day_does_not_end_one(self, text):
        assert sentences(text) == [text]

    @pytest.mark.parametrize("text", ["en 1887. Puis", "le roi. Puis", "le mat. Puis", "a (etc.) Puis"])
    def test_a_year_or_a_word_that_merely_ends_like_an_abbreviation_does(self, text):
        assert len(sentences(text)) == 2

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Er sagte: „Nein.“ Dann ging er.", ["Er sagte: „Nein.“", "Dann ging er."]),
            ("»Ja.« Gut.", ["»Ja.«", "Gut."]),
            ("« Non ! » Il part.", ["« Non ! »", "Il part."]),
            ("Il dit : « Oui.\u00a0» Puis rien. « Où ? »", ["Il dit : « Oui.\u00a0»", "Puis rien.", "« Où ? »"]),
            ("Il part. « Non »", ["Il part.", "« Non »"]),
            ('He said "no." Then ‘yes!’ Fine.', ['He said "no."', "Then ‘yes!’", "Fine."]),
            ("(Il rit.) Bien.", ["(Il rit.)", "Bien."]),
        ],
    )
    def test_closing_marks_belong_to_the_sentence_they_close(self, text, expected):
        assert sentences(text) == expected

    @pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \t\n", "\n\n\n"])
    def test_an_empty_line_ends_a_sentence(self, gap):
        assert sentences(f"TITRE{gap}Le texte") == ["TITRE", "Le texte"]

    def test_a_line_end_alone_does_not(self):
        assert sentences("Le conseil\nvote.") == ["Le conseil\nvote."]

    @given(TEXTS)
    def test_only_white_space_lies_between_sentences(self, text):
        spans = sentence_spans(text)

        edges = [0, *(offset for span in spans for offset in span), len(text)]
        assert edges == sorted(edges)
        gaps = [text[end:start] for end, start in zip(edges[::2], edges[1::2], strict=True)]
        assert not "".join(gaps).strip()

    @given(TEXTS)
    def test_no_sentence_is_empty_or_begins_or_ends_with_white_space(self, text):
        assert all(sentence and sentence == sentence.strip() for sentence in sentences(text))

    @pytest.mark.parametrize("damage", ["." * 50_000 + "x", "\n" + "\t" * 50_000, ".'" * 25_000, "M. " * 17_000])
    def test_damaged_text_takes_no_more_than_its_share_of_time(self, damage):
        began = time.perf_counter()

        sentence_spans(damage)

        assert time.perf_counter() - began < 5
