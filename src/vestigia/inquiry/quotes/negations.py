"""Words that deny, in five languages: what an ellipsis may not swallow. The lists are ours."""

import re

from vestigia.domain.languages import guess_language
from vestigia.domain.text import fold, word_spans, words

_DENIALS = {
    "en": """not no never none nor neither nobody nothing nowhere cannot without hardly scarcely barely unless except
        don't doesn't didn't won't wouldn't can't couldn't shan't shouldn't mustn't needn't isn't aren't wasn't weren't
        hasn't haven't hadn't ain't mightn't daren't oughtn't""",
    "fr": """ne n' pas non jamais rien aucun aucune aucuns aucunes nul nulle nullement guère ni sans sauf personne""",
    "de": """nicht nichts kein keine keinen keinem keiner keines keinerlei nie niemals niemand niemanden niemandem
        nirgends nirgendwo ohne kaum weder mitnichten keineswegs keinesfalls schwerlich außer""",
    "it": """non no né mai nessun nessuno nessuna niente nulla senza neppure nemmeno neanche tranne""",
    "es": """no nunca jamás ni ningún ninguno ninguna nada nadie sin tampoco apenas salvo""",
}
_LISTED = {code: frozenset(fold(word).strip("'") for word in listed.split()) for code, listed in _DENIALS.items()}
_ALL = frozenset[str]().union(*_LISTED.values())
_MONTH = "mai"
"""May in German and French; in Italian it means never."""
_AFTER_DAY, _BEFORE_YEAR = re.compile(r"(?<!\d)\d{1,2}(?:er)?\.?\s*$"), re.compile(r"[\s,.]{1,3}\d{4}\b")
_INSIDE = re.compile(r"[\w,]\s+$")


def negation(text: str) -> str:
    """Return the first word of a text that denies, as it is written; empty when there is none.

    A text too short to tell its language is measured by the words of all five: rather a quotation too few is sealed.
    """
    language = guess_language(text)
    listed = _LISTED.get(language, _ALL)
    for start, end in word_spans(text):
        word = fold(text[start:end])
        if word == _MONTH and language != "it" and _is_month(text, start, end):
            continue
        if word in listed or any(part in listed for part in words(word)):
            return text[start:end]
    return ""


def _is_month(text: str, start: int, end: int) -> bool:
    """Whether May is meant: after a day, before a year, or with a capital inside a sentence."""
    before = text[:start]
    dated = _AFTER_DAY.search(before) or _BEFORE_YEAR.match(text, end)
    return bool(dated or (text[start].isupper() and _INSIDE.search(before)))
