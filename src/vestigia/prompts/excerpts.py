"""The sentences of a passage that speak to the question: hold re-evaluation shows them and not a mere title (T11)."""

from collections.abc import Mapping

from vestigia.domain.question import SubQuestion
from vestigia.domain.requests import Reading
from vestigia.domain.text import sentence_spans, words

_STRETCH = 320
_SENTENCES = 3
_STEM = 5


def weights(reading: Reading, sub_question: SubQuestion) -> dict[str, float]:
    """Return what is looked for: the question's words by their weight in the archive, and the names sought.

    Keys are folded words. A name weighs as much as the rarest word. Where the archive's vocabulary was not asked,
    the question's words of more than three letters count alike.
    """
    weighed = {word: term.weight for term in reading.terms for word in words(term.word)}
    weighed = weighed or {word: 1.0 for word in words(reading.question.text) if len(word) > 3}
    most = max(weighed.values(), default=1.0)
    names = (word for entity in sub_question.entities for word in words(entity.text) if len(word) > 2)
    return {**dict.fromkeys(names, most), **weighed}


def best_sentences(text: str, sought: Mapping[str, float]) -> str:
    """Return at most three sentences, in the text's order, that hold most of the words sought; `[…]` marks gaps.

    Each is an exact stretch of `text`, a very long one cut at a space (scanned text may have no full stops). When
    nothing matches, the beginning is shown.
    """
    spans = _stretches(text)
    scores = [_score(text[start:end], sought) for start, end in spans]
    ordered = sorted(range(len(spans)), key=lambda place: (-scores[place], place))
    best = sorted(place for place in ordered[:_SENTENCES] if scores[place] > 0) or ordered[:_SENTENCES]
    parts: list[str] = []
    following = 0
    for place in best:
        start, end = spans[place]
        parts += ([] if place == following else ["[…]"]) + [text[start:end]]
        following = place + 1
    return " ".join(parts + (["[…]"] if best and following < len(spans) else []))


def excerpt(text: str, sought: Mapping[str, float], words_shown: int) -> str:
    """Return about so many words of a text: its best sentences, each with the one before and the one after.

    A text that is not much longer is returned whole. `[…]` marks gaps; when nothing matches the beginning is shown.
    """
    if len(text.split()) * 2 <= words_shown * 3:
        return text
    spans = _stretches(text)
    lengths = [len(text[start:end].split()) for start, end in spans]
    scores = [_score(text[start:end], sought) for start, end in spans]
    ordered = sorted(range(len(spans)), key=lambda place: (-scores[place], place))
    room, chosen = words_shown, set[int]()
    for best in ordered:
        for place in (best, best + 1, best - 1) if scores[best] > 0 else (best,):
            if 0 <= place < len(spans) and place not in chosen and (lengths[place] <= room or not chosen):
                chosen.add(place)
                room -= lengths[place]
    return _joined(text, [spans[place] for place in sorted(chosen)])


def _joined(text: str, spans: list[tuple[int, int]]) -> str:
    """The stretches in the text's order, `[…]` for what is left out."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (["[…]"] if text[at:start].strip() else []) + [text[start:end]]
        at = end
    return " ".join(parts + (["[…]"] if text[at:].strip() else []))


def _stretches(text: str) -> list[tuple[int, int]]:
    found = []
    for first, end in sentence_spans(text):
        start = first
        while end - start > _STRETCH:
            space = text.rfind(" ", start + 1, start + _STRETCH)
            cut = space if space > 0 else start + _STRETCH
            found.append((start, cut))
            start = cut + (space > 0)
        found.append((start, end))
    return found


def _score(sentence: str, sought: Mapping[str, float]) -> float:
    present = set(words(sentence))
    stems = {word[:_STEM] for word in present if len(word) >= _STEM}
    return sum(
        weight for word, weight in sought.items() if word in present or (len(word) >= _STEM and word[:_STEM] in stems)
    )
