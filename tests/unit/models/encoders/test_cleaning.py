import time

import pytest

from vestigia.models.encoders.cleaning import LONGEST, clean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a plain text", "a plain text"),
        ("", ""),
        (" \t\n ", ""),
        ("foo\0bar", "foobar"),
        ("bell\x07 and delete\x7f", "bell and delete"),
        ("Wasser\u00adstand", "Wasserstand"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("lone \ud800\udfff halves", "lone halves"),
        ("private \ue000 use", "private use"),
        ("e\u0301te\u0301", "été"),
        ("ﬁn de ſiècle", "fin de siècle"),
        ("two\n lines\r\nand  gaps", "two lines and gaps"),
        ("no\u00a0break", "no break"),
    ],
)
def test_a_text_is_normalised_and_on_one_line(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("block-\nade", "blockade"),
        ("block-  \r\n  ade", "blockade"),
        ("Block¬\nade", "Blockade"),
        ("Alsace-\nLorraine", "Alsace- Lorraine"),
        ("1914-\n1918", "1914- 1918"),
        ("well - known", "well - known"),
    ],
)
def test_a_word_broken_at_a_line_end_is_joined_unless_it_goes_on_with_a_capital(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LA SÉANCE EST OUVERTE", "la séance est ouverte"),
        ("GRÈVE À LYON\nLes ouvriers de la SNCF", "grève à lyon Les ouvriers de la SNCF"),
        ("UNO", "UNO"),
        ("M. Herzl", "M. Herzl"),
        ("1914", "1914"),
    ],
)
def test_a_line_of_capitals_is_written_small(text, expected):
    assert clean(text) == expected


def test_length_is_capped_also_for_a_character_that_stands_for_eighteen():
    assert len(clean("\ufdfa" * 100_000)) <= LONGEST
    assert len(clean("x" * 100_000)) == LONGEST


def test_a_page_without_a_space_is_cleaned_quickly():
    started = time.perf_counter()
    clean("x-" * 1_000_000)
    assert time.perf_counter() - started < 5


def test_cleaning_twice_is_cleaning_once():
    for text in ("LA SÉANCE\nest ou-\nverte", "ﬁn\u00ad de\0 ſiècle", "A-\nb-\nc"):
        assert clean(clean(text)) == clean(text)
