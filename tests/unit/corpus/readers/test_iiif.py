"""IIIF Presentation 2 and 3 from files: labels, dates, annotations as text, what belongs together, what is absent."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.sources import MemorySource
from vestigia.corpus.readers.iiif import AnnotationsReader, IiifReader
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.periods import Precision, label
from vestigia.domain.ports import Claimed, Refused

PLACE = "https://a.example/1"


def v3(*canvases: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "@context": "http://iiif.io/api/presentation/3/context.json",
        "id": f"{PLACE}/manifest",
        "type": "Manifest",
        "label": {"fr": ["Le Temps"]},
        "items": list(canvases),
        **more,
    }


def canvas(number: int, *lines: str, image: bool = True, **more: Any) -> dict[str, Any]:
    name = f"{PLACE}/canvas/{number}"
    painting = {
        "type": "AnnotationPage",
        "items": [
            {
                "type": "Annotation",
                "motivation": "painting",
                "target": name,
                "body": {"id": f"{PLACE}/{number}.jpg", "type": "Image"},
            }
        ],
    }
    written = {"type": "AnnotationPage", "items": [line(words, name, at) for at, words in enumerate(lines)]}
    return {
        "id": name,
        "type": "Canvas",
        "label": {"none": [f"p. {number}"]},
        "width": 1000,
        "height": 2000,
        "items": [painting] if image else [],
        "annotations": [written] if lines else [],
        **more,
    }


def line(words: str, target: str, at: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "type": "Annotation",
        "motivation": "supplementing",
        "target": f"{target}#xywh=10,{at * 20},300,18",
        "body": {"type": "TextualBody", "value": words, "format": "text/plain", "language": "fr"},
        **more,
    }


def v2(*resources: dict[str, Any], **more: Any) -> dict[str, Any]:
    leaf = {
        "@id": f"{PLACE}/c1",
        "@type": "sc:Canvas",
        "label": "f. 1r",
        "images": [
            {
                "@type": "oa:Annotation",
                "motivation": "sc:painting",
                "resource": {"@id": f"{PLACE}/1.jpg", "@type": "dctypes:Image"},
                "on": f"{PLACE}/c1",
            }
        ],
        "otherContent": [{"@id": f"{PLACE}/list/p1", "@type": "sc:AnnotationList", "resources": list(resources)}],
    }
    return {
        "@context": "http://iiif.io/api/presentation/2/context.json",
        "@id": f"{PLACE}/manifest",
        "@type": "sc:Manifest",
        "label": "Codex",
        "sequences": [{"@type": "sc:Sequence", "canvases": [leaf]}],
        **more,
    }


def chars(words: str, **more: Any) -> dict[str, Any]:
    return {
        "@type": "oa:Annotation",
        "motivation": "sc:painting",
        "on": f"{PLACE}/c1#xywh=1,2,3,4",
        "resource": {"@type": "cnt:ContentAsText", "chars": words, "format": "text/plain"},
        **more,
    }


def read(manifest: Any, *beside: MemorySource) -> tuple[list[Document], list[Refused], list[str]]:
    content = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
    found = list(IiifReader().read(MemorySource("box/manifest.json", content, beside)))
    return (
        [one for one in found if isinstance(one, Document)],
        [one for one in found if isinstance(one, Refused)],
        [one.name for one in found if isinstance(one, Claimed)],
    )


def beside(name: str, content: Any) -> MemorySource:
    return MemorySource(name, json.dumps(content).encode())


def only(manifest: Any, *more: MemorySource) -> Document:
    [document], _, _ = read(manifest, *more)
    return document


def test_a_manifest_is_a_document_and_its_annotations_are_the_lines_of_its_pages():
    document = only(v3(canvas(1, "Où êtes-", "vous?"), canvas(2, "Ici.")))
    assert document.title == "Le Temps"
    assert document.language == "fr"
    assert document.id == f"{PLACE}/manifest"
    assert document.text == "Où êtesvous?\n\nIci."  # joined as every page reader joins
    assert [one.page for one in document.anchors] == ["p. 1", "p. 2"]


def test_each_line_knows_its_box_and_the_image_of_its_page():
    first, second = only(v3(canvas(1, "Un.", "Deux."))).anchors
    assert (first.box, second.box) == ((10, 0, 300, 18), (10, 20, 300, 18))
    assert first.image == f"{PLACE}/1.jpg"


def test_presentation_2_says_the_same_in_other_words():
    document = only(v2(chars("Primum."), chars("Deinde.")))
    assert (document.title, document.text) == ("Codex", "Primum.\nDeinde.")
    assert (document.anchors[0].page, document.anchors[0].box) == ("f. 1r", (1, 2, 3, 4))
    assert document.anchors[0].image == f"{PLACE}/1.jpg"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Le Temps", "Le Temps"),
        (["Le Temps", "Paris"], "Le Temps; Paris"),
        ({"fr": ["Le Temps"]}, "Le Temps"),
        ({"@value": "Le Temps", "@language": "fr"}, "Le Temps"),
        ({"de": ["Die Zeit"], "fr": ["Le Temps"]}, "Le Temps"),
        ([{"@value": "Time", "@language": "en"}, {"@value": "Le Temps", "@language": "fr"}], "Le Temps"),
        ({"en": ["Time"], "none": ["Tempus"]}, "Tempus"),
        ({"en": "Time"}, "Time"),
        (1887, "1887"),
        ("<b>Le</b> Temps &amp; Paris", "Le Temps & Paris"),
        (None, "manifest"),
        ({}, "manifest"),
        ([[[[[[["x"]]]]]]], "manifest"),
    ],
)
def test_a_label_is_read_in_every_shape(written: Any, title: str):
    assert only(v3(canvas(1, "Un."), label=written)).title == title


def test_metadata_rights_statement_home_page_and_provider_are_kept():
    document = only(
        v3(
            canvas(1, "Un."),
            rights="http://rights.example/pd",
            homepage=[{"id": "https://a.example/see"}],
            requiredStatement={"label": "Credit", "value": "<p>Bibliothèque</p>"},
            provider=[{"label": {"en": ["BnF"]}}],
            metadata=[{"label": {"fr": ["Lieu"]}, "value": {"fr": ["Paris"]}}, {"label": "empty", "value": ""}, "odd"],
        )
    )
    assert document.provenance.rights == "http://rights.example/pd; Bibliothèque"
    assert document.provenance.link == "https://a.example/see"
    assert document.details == (("Lieu", "Paris"), ("provider", "BnF"))


def test_licence_and_attribution_of_presentation_2_are_its_rights():
    document = only(v2(chars("Primum."), license="http://l.example", attribution={"@value": "Abbey"}))
    assert document.provenance.rights == "http://l.example; Abbey"
    assert document.provenance.link == f"{PLACE}/manifest"


def test_the_language_is_that_of_the_texts_else_of_the_metadata():
    plain = canvas(1, "Un.")
    del plain["annotations"][0]["items"][0]["body"]["language"]
    said = [{"label": {"en": ["Language"]}, "value": {"none": ["de"], "en": ["German"]}}]
    assert only(v3(plain, metadata=said)).language == "de"
    assert only(v3(canvas(1, "Un."), metadata=said)).language == "fr"


@pytest.mark.parametrize(
    ("more", "dates"),
    [
        ({"navDate": "1925-02-16T00:00:00Z"}, ["1925-02-16"]),
        ({"navDate": "1925-02-16T00:00:00+01:00"}, ["1925-02-16"]),
        ({"navDate": "1925"}, ["1925"]),
        ({"navDate": 1925}, ["1925"]),
        ({"navDate": "1925-02"}, ["1925-02"]),
        ({"metadata": [{"label": "Date", "value": "c. 1890"}]}, ["c. 1890"]),
        ({"metadata": [{"label": "Data Provider", "value": "1890"}]}, []),
        ({"label": "Le Temps, 12 janvier 1887"}, ["1887-01-12"]),
        ({"navDate": "1887-01-01T00:00:00Z", "metadata": [{"label": "Date", "value": "1887"}]}, ["1887"]),
        ({"navDate": "1887-01-01T00:00:00Z", "label": "Le Temps, 1 janvier 1887"}, ["1887-01-01"]),
        ({"navDate": "1887-03-01T00:00:00Z", "label": "Le Temps, 4 avril 1887"}, ["1887-03-01", "1887-04-04"]),
    ],
)
def test_dates_are_read_no_finer_than_they_are_known(more: dict[str, Any], dates: list[str]):
    assert [label(one) for one in only(v3(canvas(1, "Un."), **more)).dates] == dates


def test_a_bare_first_of_january_is_its_year_and_told():
    [document], [said], _ = read(v3(canvas(1, "Un."), navDate="1887-01-01T00:00:00Z"))
    assert document.dates[0].precision is Precision.YEAR
    assert "may stand for its year" in said.reason


@pytest.mark.parametrize("given", ["soon", "1887-13-45T00:00:00Z", "9" * 400])
def test_a_date_that_cannot_be_read_is_told(given: str):
    [document], said, _ = read(v3(canvas(1, "Un."), navDate=given))
    assert document.dates == ()
    assert "the document goes in undated" in [one.reason for one in said]


@pytest.mark.parametrize(
    ("address", "file"),
    [
        (f"{PLACE}/p1.json", "p1.json"),
        (f"{PLACE}/list/p1", "p1.json"),
        (f"{PLACE}/list/p1", "list/p1.json"),
        ("p1.json?x=1", "p1.json"),
        (f"{PLACE}/Seite%201.json", "Seite 1.json"),
    ],
)
def test_annotation_pages_are_taken_from_the_files_beside_and_claimed(address: str, file: str):
    page = {"id": address, "type": "AnnotationPage", "items": [line("Un.", f"{PLACE}/canvas/1")]}
    documents, said, claimed = read(
        v3(canvas(1, annotations=[{"id": address, "type": "AnnotationPage"}])), beside(file, page)
    )
    assert [one.text for one in documents] == ["Un."]
    assert (said, claimed) == ([], [file])


def test_a_list_of_presentation_2_is_taken_from_the_files_beside_too():
    manifest = v2()
    manifest["sequences"][0]["canvases"][0]["otherContent"] = [f"{PLACE}/list/p1"]
    page = {"@id": f"{PLACE}/list/p1", "@type": "sc:AnnotationList", "resources": [chars("Primum.")]}
    documents, _, claimed = read(manifest, beside("p1.json", page))
    assert (documents[0].text, claimed) == ("Primum.", ["p1.json"])


def test_a_file_of_that_name_that_says_it_is_another_page_is_left_alone():
    page = {"id": "https://b.example/9/p1", "type": "AnnotationPage", "items": [line("Un.", "x")]}
    documents, [said], claimed = read(v3(canvas(1, annotations=[f"{PLACE}/p1"])), beside("p1.json", page))
    assert (documents, claimed) == ([], [])
    assert "p1" in said.reason


def test_a_file_is_read_once_though_every_canvas_names_it():
    page = {"id": "here", "type": "AnnotationPage", "items": [line("Un.", f"{PLACE}/canvas/1")]}
    reference = [{"id": f"{PLACE}/all.json", "type": "AnnotationPage"}]
    documents, _, _ = read(
        v3(canvas(1, annotations=reference), canvas(2, annotations=reference)), beside("all.json", page)
    )
    assert documents[0].text == "Un."


def test_absent_annotation_pages_are_told_and_nothing_is_fetched():
    [_], said, _ = read(v3(canvas(1, "Un."), canvas(2, annotations=[{"id": f"{PLACE}/p2", "type": "AnnotationPage"}])))
    assert [one.reason for one in said] == [
        "canvases without text: 1 of 2 (p. 2)",
        "annotation pages that are not among the files, and nothing is fetched: 1 (p2)",
    ]
    assert all(one.kept for one in said)


ALTO = b"""<alto><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page><PrintSpace>
<TextBlock><TextLine HPOS="1" VPOS="2" WIDTH="30" HEIGHT="4"><String CONTENT="Ici." WC="0.5"/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>"""


@pytest.mark.parametrize("key", ["rendering", "seeAlso"])
def test_the_same_page_as_alto_is_claimed_when_the_manifest_names_it_and_annotations_were_read(key: str):
    named = {key: [{"id": f"{PLACE}/p1.xml", "type": "Text", "label": "ALTO"}]}
    documents, said, claimed = read(v3(canvas(1, "Un.", **named)), MemorySource("p1.xml", ALTO))
    assert (documents[0].text, said, claimed) == ("Un.", [], ["p1.xml"])


def test_without_annotations_the_alto_of_the_page_is_its_text():
    documents, _, claimed = read(v3(canvas(1, seeAlso={"id": f"{PLACE}/p1.xml"})), MemorySource("p1.xml", ALTO))
    assert (documents[0].text, claimed) == ("Ici.", ["p1.xml"])
    [anchor] = documents[0].anchors
    assert (anchor.page, anchor.box, anchor.confidence) == ("p. 1", (1, 2, 30, 4), 0.5)
    assert anchor.image == f"{PLACE}/1.jpg"


def test_without_annotations_the_text_file_of_the_page_is_its_text():
    documents, _, claimed = read(
        v3(canvas(1, rendering=[{"id": f"{PLACE}/p1.txt"}])), MemorySource("p1.txt", "Où\n\nIci.\n".encode())
    )
    assert (documents[0].text, claimed) == ("Où\nIci.", ["p1.txt"])
    assert documents[0].anchors[0].box is None


@pytest.mark.parametrize(
    ("name", "content"),
    [("p1.xml", b"<alto><Layout>"), ("p1.txt", b"freedom\xa1Xand"), ("p1.jpg", b"\xff\xd8"), ("p1.txt", b"")],
)
def test_a_text_of_the_page_that_cannot_be_read_is_not_claimed(name: str, content: bytes):
    documents, [said], claimed = read(v3(canvas(1, rendering=[{"id": f"{PLACE}/{name}"}])), MemorySource(name, content))
    assert (documents, claimed, said.kept) == ([], [], False)


def test_a_manifest_without_any_text_is_no_document_and_says_why():
    documents, [said], _ = read(v3(canvas(1), canvas(2, image=False)))
    assert documents == []
    assert not said.kept
    assert said.reason.startswith(
        "the manifest 'Le Temps' of 2 canvases holds no text, so it is no document: canvases "
        "without image: 1 of 2 (p. 2); canvases without text: 2 of 2 (p. 1, p. 2)"
    )


def test_a_collection_is_no_document_but_listed():
    collection = v3(
        type="Collection",
        items=[{"id": f"{PLACE}/a.json", "type": "Manifest"}, {"id": f"{PLACE}/b.json", "type": "Manifest"}],
    )
    documents, [said], claimed = read(collection, beside("a.json", v3()))
    assert (documents, claimed, said.kept) == ([], [], False)
    assert (
        "lists 2 manifests or collections and is no document of its own; not among the files: 1 (b.json)" in said.reason
    )


def test_comments_tags_and_linked_texts_are_left_out_and_counted():
    comment = line("Nice!", "x", motivation="commenting")
    linked = line("", "x", body={"id": "https://a.example/text#char=0,9", "type": "Text"})
    one = canvas(1, "Un.")
    one["annotations"][0]["items"] += [comment, linked]
    [document], said, _ = read(v3(one))
    assert document.text == "Un."
    assert [told.reason for told in said] == [
        "annotations of the kind 'commenting', not the text of the page and left out: 1",
        "annotations whose text is only linked, and nothing is fetched: 1",
    ]


def test_of_words_lines_and_blocks_the_lines_are_taken_once():
    one = canvas(1)
    name = one["id"]
    one["annotations"] = [
        {
            "type": "AnnotationPage",
            "items": [
                line("Un deux trois", name, dcType="Block"),
                line("Un deux", name, textGranularity="line"),
                line("trois", name, textGranularity="line"),
                line("Un", name, dcType="Word"),
                line("deux", name, dcType="Word"),
            ],
        }
    ]
    assert only(v3(one)).text == "Un deux\ntrois"


def test_words_alone_are_put_into_lines_by_their_boxes():
    one = canvas(1)
    words = [("Un", 0, 0), ("deux", 50, 2), ("trois", 0, 40)]
    one["annotations"] = [
        {
            "type": "AnnotationPage",
            "items": [
                {
                    "type": "Annotation",
                    "motivation": "transcribing",
                    "textGranularity": "word",
                    "body": [{"type": "TextualBody", "value": word}],
                    "target": f"{one['id']}#xywh={left},{top},40,20",
                }
                for word, left, top in words
            ],
        }
    ]
    document = only(v3(one))
    assert document.text == "Un deux\ntrois"
    assert document.anchors[0].box == (0, 0, 90, 22)


@pytest.mark.parametrize(
    ("target", "box"),
    [
        (
            {
                "type": "SpecificResource",
                "source": "c",
                "selector": {"type": "FragmentSelector", "value": "xywh=1,2,3,4"},
            },
            (1, 2, 3, 4),
        ),
        (
            {
                "@type": "oa:SpecificResource",
                "full": "c",
                "selector": {
                    "@type": "oa:Choice",
                    "default": {"@type": "oa:FragmentSelector", "value": "xywh=1,2,3,4"},
                },
            },
            (1, 2, 3, 4),
        ),
        ("c#xywh=percent:10,50,1,2", (100, 1000, 10, 40)),
        (["c#xywh=1.4,2,3,4"], (1, 2, 3, 4)),
        ("c#xywh=1,2,3", None),
        ("c#xywh=1.2.3,2,3,4", None),
        ("c", None),
        (None, None),
        (7, None),
        ("c#xywh=" + "9" * 40 + ",1,1,1", None),
    ],
)
def test_the_box_is_found_in_every_kind_of_target(target: Any, box: Any):
    one = canvas(1, "Un.")
    one["annotations"][0]["items"][0]["target"] = target
    assert only(v3(one)).anchors[0].box == box


def test_markup_in_a_body_is_not_text():
    one = canvas(1, "x")
    one["annotations"][0]["items"][0]["body"] = {
        "type": "TextualBody",
        "format": "text/html",
        "value": "<p>Où &amp; quand<br>Ici</p>",
    }
    assert only(v3(one)).text == "Où & quand\nIci"


def test_annotations_on_the_manifest_go_to_their_canvas_or_are_told():
    page = {"type": "AnnotationPage", "items": [line("Un.", f"{PLACE}/canvas/1"), line("Quoi?", f"{PLACE}/canvas/9")]}
    [document], said, _ = read(v3(canvas(1), annotations=[page]))
    assert document.text == "Un."
    assert [one.reason for one in said] == [f"annotations on no canvas of the manifest, left out: 1 ({PLACE}/canvas/9)"]


def test_an_id_that_is_no_address_is_not_the_documents():
    assert only(v3(canvas(1, "Un."), id="{{ id.url }}")).id == "box/manifest"


def test_several_sequences_are_told_and_the_first_is_read():
    manifest = v2(chars("Primum."))
    manifest["sequences"] *= 2
    [document], [said], _ = read(manifest)
    assert document.text == "Primum."
    assert said.reason == "the manifest has 2 sequences; the first was read"


def test_an_annotation_page_beside_that_is_no_json_is_told():
    reference = [{"id": f"{PLACE}/p1.json", "type": "AnnotationPage"}]
    [_], said, claimed = read(v3(canvas(1, "Un."), canvas(2, annotations=reference)), MemorySource("p1.json", b"{"))
    assert any(one.reason.startswith("p1.json: the file is not JSON") for one in said)
    assert claimed == []


def test_a_choice_of_bodies_and_of_images_is_their_first():
    one = canvas(1, "x")
    one["annotations"][0]["items"][0]["body"] = {"type": "Choice", "items": [{"type": "TextualBody", "value": "Un."}]}
    one["items"][0]["items"][0]["body"] = {"type": "Choice", "items": [{"type": "Image", "id": "a.jpg"}]}
    document = only(v3(one))
    assert (document.text, document.anchors[0].image) == ("Un.", "a.jpg")


def test_words_without_boxes_are_one_line():
    one = canvas(1)
    one["annotations"] = [
        {
            "type": "AnnotationPage",
            "items": [{"type": "Annotation", "textGranularity": "word", "bodyValue": word} for word in ("Un", "deux")],
        }
    ]
    assert only(v3(one)).text == "Un deux"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"nonsense",
        b'{"type": "Manifest"',
        b'{"type":"Manifest","a":' + b"[" * 100_000,
        b'{"type":"Manifest","a":' + b"9" * 5000 + b"}",
        b'{"type": "Range"}',
        b'"Manifest"',
    ],
)
def test_what_is_no_manifest_is_refused_with_its_name(content: bytes):
    with pytest.raises(SourceRefusedError) as refused:
        read(content)
    assert refused.value.where == "box/manifest.json"


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [1, None, "x", [], {}], {"items": 3, "type": 4}])
@pytest.mark.parametrize(
    "key",
    [
        "label",
        "metadata",
        "items",
        "annotations",
        "rights",
        "provider",
        "homepage",
        "navDate",
        "requiredStatement",
        "partOf",
        "sequences",
        "id",
        "seeAlso",
    ],
)
def test_a_value_of_the_wrong_shape_is_passed_over(key: str, odd: Any):
    documents, said, _ = read(v3(canvas(1, "Un.")) | {key: odd})
    assert documents or said
    documents, said, _ = read(v3(canvas(1, "Un.") | {key: odd}))
    assert documents or said


def test_annotations_that_no_manifest_claims_are_a_document_without_title_and_date():
    page = {
        "@context": "http://iiif.io/api/presentation/3/context.json",
        "id": f"{PLACE}/p1",
        "type": "AnnotationPage",
        "items": [line("Un.", f"{PLACE}/canvas/1"), line("Deux.", f"{PLACE}/canvas/2")],
    }
    document, said = AnnotationsReader().read(beside("box/p1.json", page))
    assert isinstance(document, Document)
    assert (document.id, document.title, document.language, document.dates) == ("box/p1", "p1", "fr", ())
    assert [one.page for one in document.anchors] == ["1", "2"]
    assert isinstance(said, Refused)
    assert "without their manifest" in said.reason


def test_annotations_without_text_are_refused():
    page = {"type": "AnnotationPage", "items": [line("Nice!", "x", motivation="tagging")]}
    with pytest.raises(SourceRefusedError, match="'tagging'"):
        list(AnnotationsReader().read(beside("p1.json", page)))


@pytest.mark.parametrize(
    ("head", "manifest", "annotations"),
    [
        (b'{"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest"}', True, False),
        (b'\xef\xbb\xbf{"@type": "sc:Manifest", "label": "\\"x"', True, False),
        (b'{"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:AnnotationList"', False, True),
        (
            (
                b'{"@context": "http://www.w3.org/ns/anno.jsonld", "partOf": {"type": "Manifest"}, '
                b'"type": "AnnotationPage"'
            ),
            False,
            True,
        ),
        (b'{"type": "Manifest", "name": "webmanifest"}', False, False),
        (b'[{"type": "Manifest"}]', False, False),
        (b'{"id": "1", "text": "iiif.io/api"}', False, False),
        (b'{"' + b'\\"' * 32_000, False, False),
        (b"", False, False),
    ],
)
def test_its_files_are_told_by_the_type_of_the_outermost_object(head: bytes, manifest: bool, annotations: bool):
    assert IiifReader().sniff("a", head) is manifest
    assert AnnotationsReader().sniff("a", head) is annotations


@pytest.mark.shared
def test_the_berliner_tageblatt_is_one_document_of_304_lines(shared_data: Path):
    folder = shared_data / "iiif-newspaper-de"
    name = "newspaper_issue_1-manifest.json"
    found = list(IiifReader().read(FileSource(folder / name, f"iiif-newspaper-de/{name}", folder)))
    [document] = [one for one in found if isinstance(one, Document)]
    assert [
        one.name.removeprefix("iiif-newspaper-de/newspaper_issue_1-") for one in found if isinstance(one, Claimed)
    ] == ["anno_p1.json", "alto_p1.xml"]
    assert [label(one) for one in document.dates] == ["1925-02-16"]
    assert document.language == "de"
    assert len(document.anchors) > 290
    assert document.text.endswith("Angaben ſtehe ich unbedingt ein.")
    assert document.provenance.rights.startswith("http://creativecommons.org/publicdomain/mark/1.0/")
