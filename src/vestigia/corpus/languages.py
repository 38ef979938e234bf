"""Language names as archives write them, brought to the two letters of ISO 639-1."""

import re

_KNOWN = {
    "fr": "fre fra french francais français französisch francese francés",
    "de": "ger deu german deutsch allemand tedesco alemán",
    "en": "eng english anglais englisch inglese inglés",
    "it": "ita italian italiano italien italienisch",
    "es": "spa spanish español espanol espagnol spanisch spagnolo castellano",
    "la": "lat latin latein lateinisch latino latín",
    "nl": "dut nld dutch nederlands néerlandais niederländisch",
    "pt": "por portuguese português portugais portugiesisch",
    "ru": "rus russian russe russisch",
}
_CODES = {name: code for code, names in _KNOWN.items() for name in names.split()}


def language_code(written: str) -> str:
    """Return the language of `written` as two letters (`de-AT`, `ger`, `Deutsch`: `de`); others as written."""
    word = written.strip().casefold()
    primary = re.split(r"[-_]", word, maxsplit=1)[0]
    if len(primary) == 2:
        return primary
    return _CODES.get(word) or _CODES.get(primary) or word
