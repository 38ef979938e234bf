"""What only looks different folds alike; what is different does not; and every folded character knows its place."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.inquiry.quotes.folding import folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("daſs die Preſſe", "dass die Presse"),
        ("ﬁn de l’oﬃce", "fin de l'office"),
        ("LA GARE", "la gare"),
        ("député", "depute"),
        ("naïve", "naive"),
        ("vniuersal iustice", "universal justice"),
        ("Mu\u0364ller", "Müller"),
        ("Mueller", "Müller"),
        ("Mu\u0308ller", "Müller"),
        ("Straße", "Strasse"),
        ("demo-\ncratie", "démocratie"),
        ("Zei¬\r\n  tung", "Zeitung"),
        ("Zei⸗\ntung", "Zeitung"),
        ("Zei\u00adtung", "Zeitung"),
        ("co-operation", "cooperation"),
        ("Freyci-- net", "Freycinet"),
        ("Zei- tung", "Zeitung"),
        ("« ouvrir »", "„ouvrir“"),
        ("il dit : « oui »!", "il dit: “oui”!"),
        ("1914–18", "1914-18"),
        ("vint — enfin — la paix", "vint – enfin – la paix"),
        ("vint -- enfin", "vint – enfin"),
        ("and . . . so", "and … so"),
        ("l' été", "l’été"),
        ("dogs' days", "dogs’ days"),
        ("le\n\n maire\t", "le maire"),
        ("[le] maire", "le maire"),
        ("le maire ; il", "le maire; il"),
        ("( enfin )", "(enfin)"),
    ],
)
def test_the_same_words_in_another_dress_fold_alike(one, other):
    assert folded(one).text == folded(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("konnte", "könnte"),
        ("Mütter", "Mutter"),
        ("1887", "1881"),
        ("1 887", "1887"),
        ("rn", "m"),
        ("its", "it's"),
        ("oui!", "oui?"),
        ("vint, enfin", "vint enfin"),
        ("vint -- enfin", "vintenfin"),
        ("1914-\n18", "191418"),
        ("un homme — femme", "un homme femme"),
    ],
)
def test_what_is_different_stays_different(one, other):
    assert folded(one).text != folded(other).text


def test_a_folded_character_knows_where_it_stood():
    text = "« Die\nZei-\ntung ﬁel »"
    found = folded(text)

    assert found.text == "die zeitung fiel"
    assert [text[slice(*found.span(at, at + 1))] for at in (0, 4, 7, 12)] == ["D", "Z", "t", "ﬁ"]
    assert text[slice(*found.span(4, 11))] == "Zei-\ntung"


def test_parts_stand_as_whole_words_only():
    found = folded("Die unbekannte, bekannte; 1915 nicht 19.")

    assert [found.text[at:] for at in found.occurrences("bekannte")] == ["bekannte; 1915 nicht 19."]
    assert len(list(found.occurrences("19"))) == 1
    assert list(found.occurrences("")) == []


LETTERS = st.text(st.sampled_from("aäuü eſﬁß-\n'’«»….,[]—1 \u00ad\u0308\u0364É"), max_size=40) | st.text(max_size=60)


@given(LETTERS)
def test_offsets_never_go_back_and_stay_inside(text):
    found = folded(text)

    assert len(found.text) == len(found.starts) == len(found.ends)
    assert list(found.starts) == sorted(found.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(found.starts, found.ends, strict=True))


@given(LETTERS)
def test_composed_and_decomposed_letters_fold_alike(text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert folded(composed).text == folded(decomposed).text
