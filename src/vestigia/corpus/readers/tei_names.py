"""The names that are marked up in a TEI text, so that they can be searched as names: persons and places.

An editor's register at the back counts, too: where the text has a pseudonym, the person is found under either name.
"""

from collections.abc import Iterator

from vestigia.corpus.readers.tei_text import reading_text, shown_elements
from vestigia.corpus.readers.xml import Node, inner_text, local
from vestigia.domain.text import words

PERSON, PLACE = "person mentioned", "place mentioned"
_KINDS = {"persName": PERSON, "placeName": PLACE, "geogName": PLACE}
_TYPES = {"person": PERSON, "pers": PERSON, "place": PLACE, "geog": PLACE}
_REGISTERED = {PERSON: "{*}persName", PLACE: "{*}placeName"}
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def names_in(text: Node) -> tuple[tuple[str, str], ...]:
    """Return what a TEI `text` element names as (kind, name), each once, in the order of the text.

    A name is that of the register the text refers to, with what the text has in brackets where that says more:
    `Hugo von Hofmannsthal (Loris)`. Without a register it is the first form in the text, with others in brackets.
    """
    register = dict(_registered(text.getparent()))
    forms: dict[tuple[str, str], dict[str, None]] = {}
    for element in shown_elements(text):
        kind, written = _kind(element), reading_text(element)
        if not kind or not words(written):
            continue
        for reference in (element.get("ref") or element.get("key") or "").split() or [""]:
            name = reference.removeprefix("#")
            known = register.get((kind, name))
            found = forms.setdefault((kind, name or " ".join(words(written))), {known: None} if known else {})
            found.setdefault(" ".join(written.split()))
    return tuple((kind, _said(list(found))) for (kind, _), found in forms.items())


def _kind(element: Node) -> str:
    name = local(element)
    return _TYPES.get(element.get("type", ""), "") if name in {"rs", "name"} else _KINDS.get(name, "")


def _registered(root: Node) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what the registers of the file call a person or a place, by kind and id."""
    for kind, tag in (("person", PERSON), ("place", PLACE)):
        for entry in root.iter(f"{{*}}{kind}"):
            name = inner_text(entry.find(_REGISTERED[tag]))
            if entry.get(_ID) and name:
                yield (tag, entry.get(_ID)), name


def _said(forms: list[str]) -> str:
    """The first form, and in brackets those with a word that none before them has."""
    first, *others = forms
    heard = set(words(first))
    more = []
    for other in others:
        if not heard.issuperset(words(other)):
            more.append(other)
            heard.update(words(other))
    return f"{first} ({'; '.join(more)})" if more else first
