"""The catalogues agree: the same keys, the same places, and every key a template or a page uses."""

import re
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from vestigia.web import messages
from vestigia.web.messages import LANGUAGES, catalogue, number, preferred, say
from vestigia.web.phrases import MEASURE, PHRASE, STEP
from vestigia.web.templating import SECTIONS, written

WEB = Path(str(files("vestigia.web")))
SOURCES = {path: path.read_text(encoding="utf-8") for path in [*WEB.glob("templates/**/*.html"), *WEB.glob("**/*.py")]}
USED = [
    (path.name, key)
    for path, text in SOURCES.items()
    for key in re.findall(r"""(?:_\(|redirect\([^()]*?, )['"]([a-z_]+\.[\w-]+)['"]""", text)
    if not re.search(rf"""['"]{re.escape(key)}['"]\s*~""", text)
]


def places(message: messages.Message) -> set[str]:
    forms = message.values() if isinstance(message, dict) else [message]
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_a_catalogue_has_the_keys_and_places_of_the_english_one(language):
    english, other = catalogue("en"), catalogue(language)
    assert sorted(other) == sorted(english)
    assert {key: places(message) for key, message in other.items()} == {k: places(m) for k, m in english.items()}
    assert [k for k in english if isinstance(english[k], dict) != isinstance(other[k], dict)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_has_words_and_both_numbers_where_it_has_one(language):
    for key, message in catalogue(language).items():
        forms = message if isinstance(message, dict) else {"one": message, "other": message}
        assert set(forms) == {"one", "other"}, key
        assert all(form.strip() for form in forms.values()), key


def test_every_key_that_is_used_exists():
    assert len(USED) > 50
    assert [(where, key) for where, key in USED if key not in catalogue("en")] == []
    assert [one.name for one in SECTIONS if f"nav.{one.name}" not in catalogue("en")] == []
    assert [one.group for one in SECTIONS if one.group and f"nav.{one.group}" not in catalogue("en")] == []


def test_every_key_that_exists_is_used():
    text = "".join(SOURCES.values())
    families = {match + "." for match in re.findall(r"""_\(['"]([a-z_]+)\.[\w-]*['"] ~""", text)}
    families |= {f"{family}." for family in (PHRASE, STEP, MEASURE, "task", "outcome")}  # found by what is written
    built = {key for key in catalogue("en") if key.partition(".")[0] + "." in families}
    assert [
        key for key in catalogue("en") if f"'{key}'" not in text and f'"{key}"' not in text and key not in built
    ] == []


def test_numbers_choose_words_and_are_written_as_the_language_does():
    assert say("en", "archive.documents", n=1) == "1 document"
    assert say("en", "archive.documents", n=0) == "0 documents"
    assert say("fr", "archive.documents", n=0) == "0 document"
    assert say("de", "archive.documents", n=12345) == "12.345 Dokumente"
    assert say("fr", "archive.documents", n=12345) == "12\u202f345 documents"


def test_a_number_keeps_what_it_is_and_anything_else_stays():
    assert number("de", 0.25) == "0,25"
    assert number("en", 1234.5) == "1,234"
    assert number("en", True) is True
    assert number("en", "1887") == "1887"
    assert number("en", None) is None


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("de-LU,en;q=0.5", "de"),
        ("en;q=0.2, fr;q=0.7", "fr"),
        ("de;q=0, pt", "en"),
        ("x;q=y", "en"),
    ],
)
def test_the_browser_says_which_language_it_prefers(accepted, language):
    assert preferred(accepted) == language


def test_a_key_there_is_not_is_an_error_here_and_not_on_a_page():
    with pytest.raises(KeyError):
        say("en", "site.nothing")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        ((), None),
        (True, "true"),
        (7, "7"),
        (0.5, "0.5"),
        ((("", "pen"), ("judge", "wise")), "pen, judge: wise"),
        (["1887", "1891"], "1887, 1891"),
        ({"a": False, "b": 2}, "a = false, b = 2"),
        ({}, None),
    ],
)
def test_values_are_shown_as_a_settings_file_has_them(value, shown):
    assert written(value) == shown
