"""Words that deny, in five languages: what an ellipsis may not swallow. The lists are ours."""

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


def negation(text: str) -> str:
    """Return the first word of a text that denies, as it is written; empty when there is none.

    A text too short to tell its language is measured by the words of all five: rather a quotation too few is sealed.
    """
    listed = _LISTED.get(guess_language(text), _ALL)
    for start, end in word_spans(text):
        word = fold(text[start:end])
        if word in listed or any(part in listed for part in words(word)):
            return text[start:end]
    return ""
