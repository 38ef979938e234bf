"""Characters that are taken out, and said so."""

from dataclasses import replace

from vestigia.corpus.cleaning import cleaned
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.ids import Digest, DocumentId
from vestigia.domain.periods import DatePeriod, Precision

PERIOD = DatePeriod(0, 0, Precision.DAY)


def document(text: str, title: str = "Lettre") -> Document:
    place = Provenance("a.jsonl", "line 1", Digest("sha256:0"), "jsonl")
    return Document(DocumentId("a"), "lettres", title, text, "fr", place, details=(("lieu", "Paris"),))


def test_a_sound_text_is_left_as_it_is():
    assert cleaned(document("Où êtes-vous? 𝔄\t\n"))[1] == ()
    assert cleaned(document("Où êtes-vous? 𝔄\t\n"))[0].text == "Où êtes-vous? 𝔄\t\n"


def test_nul_characters_are_removed_and_counted():
    clean, repairs = cleaned(document("Pa\0ris\0"))
    assert clean.text == "Paris"
    assert repairs == ("2 NUL characters were removed from the text",)


def test_half_a_surrogate_pair_is_shown_as_a_replacement_character():
    clean, repairs = cleaned(document("Par\ud800is"))
    assert clean.text == "Par\ufffdis"
    assert "half a surrogate pair" in repairs[0]


def test_control_characters_are_kept_and_told_and_page_breaks_are_none():
    clean, repairs = cleaned(document("Le pont\x07 fut\x1b emporté.\x0cPage 2\x0b\t\n"))
    assert clean.text == "Le pont\x07 fut\x1b emporté.\x0cPage 2\x0b\t\n"
    assert repairs == (r"2 control characters, e.g. '\x07', are in the text and kept",)


def test_a_text_that_was_encoded_twice_is_kept_with_a_warning():
    twice = "L’été à Besançon, où l’élève rêve.".encode().decode("cp1252", "replace")
    clean, repairs = cleaned(document(twice))
    assert clean.text == twice
    assert "encoded twice" in repairs[0]
    assert "'Lâ€™Ã©tÃ©'" in repairs[0]


def test_the_example_of_a_text_encoded_twice_is_one_word_and_short():
    _, repairs = cleaned(document("Au\n" + "x" * 99 + "Ã©\n" + "Ã© Ã©"))
    assert f"'{'x' * 20}Ã©'" in repairs[0]


def test_a_capital_with_a_tilde_is_no_sign_of_it():
    assert cleaned(document("São João, MANHÃ, CORAÇÃO."))[1] == ()


def test_the_description_is_cleaned_as_well_so_that_it_can_be_stored():
    clean, _ = cleaned(document("Paris", title="Le\0t\udfff"))
    assert (clean.title, clean.details) == ("Let\ufffd", (("lieu", "Paris"),))
    assert clean.title.encode()


def test_what_is_mended_in_the_description_is_named():
    broken = replace(
        document("Sound."),
        id=DocumentId("a\0"),
        title="L\ud800",
        details=(("lieu", "Pa\0ris"),),
        dates=(replace(PERIOD, text="\0"),),
    )
    clean, repairs = cleaned(broken)
    assert repairs == ("NUL or broken characters were taken out of 'id', 'title', 'date', 'lieu'",)
    assert (clean.id, clean.title, clean.details) == ("a", "L\ufffd", (("lieu", "Paris"),))
