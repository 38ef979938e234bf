"""Manifests, debates and PDFs that were cut, reordered, nested or inflated: read or refused, and no word in silence."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.pdf import pdf
from fakes.sources import MemorySource, source
from vestigia.corpus.readers.hansard import HansardReader
from vestigia.corpus.readers.iiif import AnnotationsReader, IiifReader
from vestigia.corpus.readers.pdf import PdfReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Claimed, Reader, Refused

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
INLINE = (
    "<b>{}</b>",
    "{}<lb/>",
    "<col>7</col>{}",
    '<image src="I8"/>{}',
    "<member>{}</member>",
    "<unheard><of>{}</of></unheard>",
    "{}&amp;",
    "<!-- {{}} -->{}",
    "<quote>{}</quote>",
)
AROUND = (
    "<p>{}</p>",
    "<section><title>T</title>{}</section>",
    "<section>{}</section>",
    "<group>{}</group>",
    "{}",
    "<table><tr><td>{}</td><td/></tr></table>",
    "<division>{}</division>",
    "<body>{}</body>",
    "<ul><li>{}</li></ul>",
    "<housecommons>{}</housecommons>",
    '<date format="1887-08-21">Wednesday, 21st August, 1889.</date><p>{}</p>',
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                (
                    "id",
                    "@id",
                    "type",
                    "@type",
                    "label",
                    "@value",
                    "items",
                    "body",
                    "value",
                    "target",
                    "on",
                    "resource",
                    "chars",
                    "annotations",
                    "selector",
                    "motivation",
                    "language",
                )
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def outcome(reader: Reader, given_source: MemorySource) -> list[Document | Refused | Claimed]:
    """Read it; a refusal of the whole file is one refusal."""
    try:
        return list(reader.read(given_source))
    except SourceRefusedError as error:
        return [Refused(error.where, str(error))]


def text_of(found: list[Document | Refused | Claimed]) -> str:
    return " ".join(one.text for one in found if isinstance(one, Document))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(WORDS), st.sampled_from(INLINE), st.lists(st.sampled_from(AROUND), min_size=1, max_size=4)
        ),
        max_size=6,
    )
)
def test_every_word_of_a_debate_is_in_a_document_however_its_elements_lie(given_words: Any):
    parts = []
    for word, inline, around in given_words:
        body = inline.format(word)
        for one in around:
            body = one.format(body)
        parts.append(body)
    found = outcome(HansardReader(), source("a.xml", f"<hansard>{''.join(parts)}</hansard>"))
    assert all(word in text_of(found) for word, _, _ in given_words)


@given(st.integers(0, 400), st.booleans())
def test_a_debate_cut_anywhere_keeps_its_complete_sections_and_says_what_it_left(cut: int, closed: bool):
    whole = (
        "<housecommons>"
        + "".join(f"<section><title>T{at}</title><p>{word}.</p></section>" for at, word in enumerate(WORDS))
        + "</housecommons>"
    )
    found = outcome(HansardReader(), source("a.xml", whole[:cut] + ("</housecommons>" if closed else "")))
    complete = [word for word in WORDS if f"{word}.</p></section>" in whole[:cut]]
    assert all(word in text_of(found) for word in complete)
    assert len(complete) == len(WORDS) or any(isinstance(one, Refused) for one in found)


@given(
    st.lists(st.sampled_from(WORDS), max_size=6),
    json_values,
    st.sampled_from(
        (
            "label",
            "navDate",
            "metadata",
            "partOf",
            "rights",
            "seeAlso",
            "rendering",
            "summary",
            "homepage",
            "structures",
        )
    ),
)
def test_what_a_manifest_says_in_odd_shapes_never_costs_a_word_of_its_text(words: list[str], odd: Any, key: str):
    canvases = [
        {
            "type": "Canvas",
            key: odd,
            "annotations": [{"type": "AnnotationPage", "items": [{"type": "Annotation", "body": {"value": word}}]}],
        }
        for word in words
    ]
    found = outcome(IiifReader(), source("a.json", json.dumps({"type": "Manifest", "items": canvases, key: odd})))
    assert text_of(found).split() == words
    assert words or any(isinstance(one, Refused) and not one.kept for one in found)


@given(json_values)
def test_any_json_that_calls_itself_a_manifest_or_annotations_is_read_or_refused(odd: Any):
    for kind in ("Manifest", "Collection", "AnnotationPage"):
        reader = AnnotationsReader() if kind == "AnnotationPage" else IiifReader()
        content = json.dumps({**(odd if isinstance(odd, dict) else {"items": odd}), "type": kind})
        page = source("p1.json", json.dumps(odd))
        found = outcome(reader, MemorySource("a.json", content.encode(), (page,)))
        assert any(isinstance(one, Document | Refused) for one in found)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=8), st.integers(0, 2000))
def test_a_damaged_pdf_gives_its_text_or_says_what_is_amiss(changes: list[tuple[int, int]], cut: int):
    content = bytearray(pdf(("Eine Rede",), ("Ende.",)))
    for place, byte in changes:
        content[place % len(content)] = byte
    found = outcome(PdfReader(), source("a.pdf", bytes(content[: len(content) - cut // 4])))
    assert any(isinstance(one, Refused) or one.text.strip() for one in found if not isinstance(one, Claimed))


DEEP = 50_000


@pytest.mark.parametrize(
    ("reader", "content"),
    [
        (HansardReader(), "<housecommons>" + "<section>" * DEEP + "<p>a</p>"),
        (
            HansardReader(),
            "<housecommons>" + "<section><title>T</title><p>a</p></section>" * 20_000 + "</housecommons>",
        ),
        (HansardReader(), "<housecommons><section><p>" + "a<col>1</col>" * DEEP + "</p></section></housecommons>"),
        (HansardReader(), f"<housecommons><date format='{'9' * DEEP}'>{'9' * DEEP}</date><p>a</p></housecommons>"),
        (IiifReader(), '{"type": "Manifest", "label": ' + "[" * DEEP + "]" * DEEP + "}"),
        (IiifReader(), '{"type": "Manifest", "navDate": ' + "9" * 4000 + "}"),
        (IiifReader(), '{"type": "Manifest", "label": "' + "<" * DEEP + '", "navDate": "' + "9" * DEEP + '"}'),
        (IiifReader(), json.dumps({"type": "Manifest", "items": [{"type": "Canvas"}] * 20_000})),
        (
            AnnotationsReader(),
            json.dumps(
                {
                    "type": "AnnotationPage",
                    "items": [{"type": "Annotation", "body": "a", "target": "c#xywh=" + "9" * DEEP}] * 20,
                }
            ),
        ),
        (PdfReader(), pdf(("Rede",), count=10**9)),
        (PdfReader(), b"%PDF-1.4\n" + b"1 0 obj <<" * DEEP),
    ],
)
def test_nothing_inflated_holds_up_the_import(reader: Reader, content: str | bytes):
    begun = time.process_time()
    assert outcome(reader, source("a", content))
    assert time.process_time() - begun < 20
