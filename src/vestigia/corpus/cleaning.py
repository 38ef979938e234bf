"""Characters that no text holds, taken out before they do harm, and said so."""

import re
from dataclasses import replace

from vestigia.domain.archive import Document
from vestigia.domain.ids import DocumentId

_TWICE_ENCODED = re.compile("Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ\u009d“”¦]")
# Tabs, line and page breaks are text; NUL is taken out.
_CONTROL = re.compile("[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def cleaned(document: Document) -> tuple[Document, tuple[str, ...]]:
    """Return (document, repairs): NUL characters removed and halves of surrogate pairs shown as U+FFFD.

    `repairs` says in words what was done to the text, and what looks wrong but is not ours to correct.
    """
    place = document.provenance
    nulls, halves = document.text.count("\0"), len(_SURROGATE.findall(document.text))
    twice = len(_TWICE_ENCODED.findall(document.text))
    controls = _CONTROL.findall(document.text)
    repairs = tuple(
        words
        for count, words in (
            (nulls, f"{nulls} NUL characters were removed from the text"),
            (halves, f"{halves} broken characters (half a surrogate pair) are shown as �"),
            (controls, f"{len(controls)} control characters, e.g. {''.join(controls[:1])!r}, are in the text and kept"),
            (
                twice > 2,
                f"the text looks encoded twice, e.g. {_example(document.text)!r} ({twice} times); it is kept so",
            ),
        )
        if count
    )
    named = {
        "id": document.id,
        "title": document.title,
        "sub-corpus": document.sub_corpus,
        "date": "".join(one.text for one in document.dates),
        "link": place.link,
        "rights": place.rights,
        **{name: name + value for name, value in document.details},
    }
    mended = [repr(_clean(name)) for name, value in named.items() if _clean(value) != value]
    repairs += (f"NUL or broken characters were taken out of {', '.join(mended)}",) if mended else ()
    source = replace(place, file=_clean(place.file), link=_clean(place.link), rights=_clean(place.rights))
    return replace(
        document,
        id=DocumentId(_clean(document.id)),
        sub_corpus=_clean(document.sub_corpus),
        title=_clean(document.title),
        text=_clean(document.text),
        language=_clean(document.language),
        provenance=source,
        dates=tuple(replace(one, text=_clean(one.text)) for one in document.dates),
        details=tuple((_clean(name), _clean(value)) for name, value in document.details),
    ), repairs


def _example(text: str) -> str:
    """Return a word that looks encoded twice, at most 20 characters of it on each side of the place."""
    found = _TWICE_ENCODED.search(text)
    if found is None:
        return ""
    word = re.compile(r"\S*")
    before = word.match(text[max(0, found.start() - 20) : found.start()][::-1])
    after = word.match(text, found.end(), found.end() + 20)
    return f"{before.group()[::-1] if before else ''}{found.group()}{after.group() if after else ''}"


def _clean(text: str) -> str:
    return _SURROGATE.sub("�", text.replace("\0", ""))
