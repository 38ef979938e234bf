"""Language names."""

import pytest

from vestigia.corpus.languages import language_code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE_at", "de"),
        ("ger", "de"),
        ("deu", "de"),
        ("Deutsch", "de"),
        ("German", "de"),
        ("fr-FR", "fr"),
        ("fre", "fr"),
        ("français", "fr"),
        ("Englisch", "en"),
        (" en ", "en"),
        ("ita", "it"),
        ("spa", "es"),
        ("", ""),
        ("volapük", "volapük"),
    ],
)
def test_a_language_is_brought_to_two_letters_and_an_unknown_one_left_as_written(written: str, code: str):
    assert language_code(written) == code
