"""Characters that no text holds, taken out before they do harm, and said so."""

import re
from dataclasses import replace

from vestigia.domain.archive import Document
from vestigia.domain.ids import DocumentId

_TWICE_ENCODED = re.compile("Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ\u009d“”¦]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def cleaned(document: Document) -> tuple[Document, tuple[str, ...]]:
    """Return (document, repairs): NUL characters removed and halves of surrogate pairs shown as U+FFFD.

    `repairs` says in words what was done to the text, and what looks wrong but is not ours to correct.
    """
    place = document.provenance
    nulls, halves = document.text.count("\0"), len(_SURROGATE.findall(document.text))
    twice = len(_TWICE_ENCODED.findall(document.text))
    repairs = tuple(words for count, words in (
        (nulls, f"{nulls} NUL characters were removed from the text"),
        (halves, f"{halves} broken characters (half a surrogate pair) are shown as �"),
        (twice > 2, f"the text looks encoded twice (as Ã© for é, {twice} times); it is kept as it is")) if count)
    source = replace(place, file=_clean(place.file), link=_clean(place.link), rights=_clean(place.rights))
    return replace(document, id=DocumentId(_clean(document.id)), sub_corpus=_clean(document.sub_corpus),
                   title=_clean(document.title), text=_clean(document.text), language=_clean(document.language),
                   provenance=source,
                   dates=tuple(replace(one, text=_clean(one.text)) for one in document.dates),
                   details=tuple((_clean(name), _clean(value)) for name, value in document.details)), repairs


def _clean(text: str) -> str:
    return _SURROGATE.sub("�", text.replace("\0", ""))
