"""Names in a question, by capital letters alone. When in doubt none: a wrong name misleads, a missing one does not.

A capital says nothing at the beginning of a sentence, after a colon or a quotation mark, or where most words have one.
In German, where every noun has one, only two words side by side are taken for a name (`Karl Kraus`, `Kaiser Wilhelm`),
and a word after a French particle (`d’Estournelles`); so it is where the language cannot be told.
"""

import re
from collections.abc import Iterator

from vestigia.domain.text import fold, sentence_spans, word_spans, words

_GERMAN = frozenset(
    words(
        "der die das den dem und ist wie welche welcher welches welchen wer wann warum wurde wurden hat haben im zum"
        " zur zu vom von ein eine einen einem einer über für nach nicht sich auf aus bei mit durch zwischen gegen"
    )
)
_OTHERS = frozenset(
    words(
        "the of and did were is are who what where when how which for with by on to an le la les l de du d et est sont"
        " quel quelle quels quelles que qui dans pour par sur au aux un une en ont été était entre comment pourquoi"
        " quand il lo gli di che del della nel come el los las y por con como cuál"
    )
)
"""Small words that tell German from the other languages; those common to both are in neither."""
_PARTICLES = frozenset(words("de du des d la le von van der den zu of di da del della y"))
"""Small words that may stand inside a name."""
_NOT_NAMES = frozenset(
    words(
        "january february march april may june july august september october november december"
        " januar februar märz mai juni juli oktober dezember anfang mitte ende"
        " monday tuesday wednesday thursday friday saturday sunday"
        " montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"
        " english french british german american russian italian spanish austrian prussian belgian dutch swiss irish"
        " scottish european christian catholic protestant jewish"
        " mr mrs ms dr mm mme mlle prof st"
    )
)
"""Words with a capital that alone are no name: of the calendar, and adjectives of peoples and faiths, titles."""
_ELISION = re.compile(r"(?:[cdjlmnst]|qu)['’](?=\w)")
_POSSESSIVE = re.compile(r"['’]s$")
_NUMERAL = re.compile(r"[IVXLCDM]+(?:er?|es|ème)?")
_BREAK = re.compile(r"[:\"“”„«»‹›]\s*\Z")

Piece = tuple[int, int]


def names(question: str) -> list[str]:
    """Return what can only be a name, as written, once each, in the question's order."""
    strict = not is_known_not_german(question)
    found = [name for span in sentence_spans(question) for name in _of_sentence(question, span, strict=strict)]
    return list(dict.fromkeys(found))


def is_known_not_german(question: str) -> bool:
    """Whether the small words of a question are rather those of a language that gives nouns no capital."""
    spoken = frozenset(words(question))
    return len(spoken & _OTHERS) > len(spoken & _GERMAN)


def _of_sentence(text: str, sentence: Piece, *, strict: bool) -> list[str]:
    pieces = _pieces(text, sentence)
    groups = [group for group in _groups(text, pieces) if _is_name(text, group)]
    if len(groups) > sum(text[start].islower() for start, _ in pieces[1:]):
        return []
    return [text[group[0][0] : group[-1][1]] for group in groups if not strict or _is_sure(text, group)]


def _pieces(text: str, sentence: Piece) -> list[Piece]:
    """Return (start, end) of the words; an elided one (`l’`) is a word of its own, an English `’s` is cut off."""
    found = []
    for a, b in word_spans(text[slice(*sentence)]):
        start, end = sentence[0] + a, sentence[0] + b
        if elided := _ELISION.match(text, start, end):
            found.append((start, elided.end()))
            start = elided.end()
        possessive = _POSSESSIVE.search(text[start:end])
        found.append((start, start + possessive.start() if possessive else end))
    return found


def _groups(text: str, pieces: list[Piece]) -> Iterator[list[Piece]]:
    """Yield the capitalised words that stand together, at most two small words of names between them."""
    group: list[Piece] = []
    end, small = 0, 0
    for piece in pieces[1:]:
        beside = bool(group) and not text[end : piece[0]].strip()
        if text[piece[0]].isupper() and piece[1] - piece[0] > 1 and not _BREAK.search(text[piece[0] - 4 : piece[0]]):
            if group and not beside:
                yield group
                group = []
            group.append(piece)
            end, small = piece[1], 0
        elif beside and small < 2 and fold(text[slice(*piece)]).rstrip("'") in _PARTICLES:
            end, small = piece[1], small + 1
        elif group:
            yield group
            group = []
    if group:
        yield group


def _is_name(text: str, group: list[Piece]) -> bool:
    written = [text[slice(*piece)] for piece in group]
    return not all(fold(word) in _NOT_NAMES or _NUMERAL.fullmatch(word) for word in written)


def _is_sure(text: str, group: list[Piece]) -> bool:
    """Whether a capital means a name where every noun has one: two words, the first no genitive."""
    if fold(text[group[0][0] - 2 : group[0][0]]) == "d'":
        return True
    if len(group) != 2 or text[group[0][1] : group[1][0]].strip():
        return False
    first, second = (text[slice(*piece)] for piece in group)
    return not first.endswith(("s", "’")) and not {fold(first), fold(second)} & _NOT_NAMES
