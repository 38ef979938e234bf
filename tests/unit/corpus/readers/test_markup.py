"""Broken HTML taken apart: nothing that was recognised on the page is taken for mark-up, and repairs are counted."""

from collections import Counter

import pytest

from vestigia.corpus.readers.markup import Tag, pieces

NOISE = "signs < that are no mark-up, kept as characters"
AMPERSANDS = "signs & that begin no character reference, kept as characters"


def taken(source: str) -> tuple[list[Tag | str], Counter[str]]:
    found: Counter[str] = Counter()
    return [piece for piece in pieces(source, found) if piece], found


def text_of(source: str) -> str:
    return "".join(piece for piece in taken(source)[0] if isinstance(piece, str))


def tags_of(source: str) -> list[Tag]:
    return [piece for piece in taken(source)[0] if isinstance(piece, Tag)]


def test_tags_and_text_come_in_order():
    assert taken("<p class='a'>b</p>c") == ([Tag("p", {"class": "a"}), "b", Tag("p", closing=True), "c"], Counter())


@pytest.mark.parametrize(
    ("source", "tag"),
    [
        ("<br>", Tag("br", empty=True)),
        ("<br/>", Tag("br", empty=True)),
        ("<SPAN CLASS=ocrx_word>", Tag("span", {"class": "ocrx_word"})),
        (
            '<span class="ocrx_word" title="bbox 0 0 2 2" />',
            Tag("span", {"class": "ocrx_word", "title": "bbox 0 0 2 2"}, empty=True),
        ),
        ("<span\n   title = 'x'\n>", Tag("span", {"title": "x"})),
        ("<html:span lang='de'>", Tag("span", {"lang": "de"})),
        ("""<div title='image "/a>b.png"; bbox 0 0 1 1'>""", Tag("div", {"title": 'image "/a>b.png"; bbox 0 0 1 1'})),
        ("<div title='image &quot;a.png&quot;'>", Tag("div", {"title": 'image "a.png"'})),
        ("<ocr class='ocrx_word'>", Tag("ocr", {"class": "ocrx_word"})),
    ],
)
def test_a_tag_is_read_as_programs_write_it(source: str, tag: Tag):
    assert tags_of(source) == [tag]


def test_a_lost_quotation_mark_swallows_no_words():
    start, text, end = taken("<span class='ocrx_word' title='bbox 0 0 1 1>Mon</span>")[0]
    assert isinstance(start, Tag)
    assert start.attributes["class"] == "ocrx_word"
    assert (text, end) == ("Mon", Tag("span", closing=True))


@pytest.mark.parametrize(
    ("word", "signs"),
    [
        ("!'<!--,,,>", 1),
        ("<?«»«?>i<5t»<?».", 3),
        ("s<5<a</<e", 4),
        ("6eöi>A»kan<KcKa/Ze»).", 1),
        ("a < b", 1),
        ("<xmp>", 1),
        ("<plaintext>", 1),
        ("</e>", 1),
        ("<!x>", 1),
        ("<", 1),
        ("<title>", 1),
        ("<script>", 1),
        ("<![CDATA[x", 1),
        ("<a<b>", 1),
        (">>", 0),
    ],
)
def test_noise_of_the_recognition_is_text_and_counted(word: str, signs: int):
    pieces_read, found = taken(f"<span class='ocrx_word'>{word}</span>")
    kept = word.replace("<b>", "") if word == "<a<b>" else word
    assert "".join(piece for piece in pieces_read if isinstance(piece, str)) == kept
    assert pieces_read[-1] == Tag("span", closing=True)
    assert found == (Counter({NOISE: signs}) if signs else Counter())


@pytest.mark.parametrize(
    ("written", "read", "ampersands"),
    [
        ("con&shy;", "con\xad", 0),
        ("a &amp; b", "a & b", 0),
        ("Fletcher&#x27;s", "Fletcher's", 0),
        ("&#38;", "&", 0),
        ("&HiFi-i?c", "&HiFi-i?c", 1),
        ("&72", "&72", 1),
        ("&nosuchname;", "&nosuchname;", 1),
        ("AT&T", "AT&T", 1),
        ("&notit", "&notit", 1),
        ("&copyright", "&copyright", 1),
        ("&#xZZ;", "&#xZZ;", 1),
        ("&#0;", "�", 0),
        (f"&#{'9' * 5000};", f"&#{'9' * 5000};", 1),
        ("&#9999999;", "�", 0),
    ],
)
def test_references_are_written_out_and_broken_ones_kept(written: str, read: str, ampersands: int):
    pieces_read, found = taken(f"<b>{written}</b>")
    assert pieces_read[1] == read
    assert found[AMPERSANDS] == ampersands


def test_a_comment_in_the_text_is_left_out_and_counted_and_one_before_it_is_nothing_to_tell():
    assert taken("<!-- made by us --><body>a<!-- <b>x</b> -->b")[1] == Counter({"comments left out": 1})
    assert text_of("<!-- made by us --><body>a<!-- <b>x</b> -->b") == "ab"


def test_a_comment_that_would_swallow_the_end_of_its_element_is_none():
    assert text_of("<b>a<!--b</b> <b>c--></b>") == "a<!--b c-->"


def test_sections_of_characters_are_text():
    assert text_of("<b><![CDATA[a<b>]]></b>") == "a<b>"


@pytest.mark.parametrize(
    "source",
    [
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD" "http://www.w3.org/x.dtd">a',
        "<title>A < B & C</title>a",
        "<style>p > b { color: red }</style>a",
        "<script>if (a < b && c) x('<b>')</script>a",
    ],
)
def test_what_is_no_text_is_left_out_without_a_word(source: str):
    assert taken(source) == (["a"], Counter())


@pytest.mark.parametrize("end", ["<span class='ocrx_wo", "</spa", "<"])
def test_a_tag_cut_off_at_the_end_of_the_file_is_counted(end: str):
    assert taken("a" + end) == (["a"], Counter({"tags cut off at the end of the file": 1}))


@pytest.mark.parametrize(
    "noise",
    [
        "<",
        "<!--",
        "<![CDATA[",
        "<title>",
        '<a "',
        "<a '",
        "&",
        "<?xml",
        "</",
        "-->",
        "<!DOCTYPE",
        "<!--</b>",
        "<b x='",
        "<script",
    ],
)
def test_noise_may_be_as_long_as_it_likes(noise: str):
    many = noise * (200_000 // len(noise))
    assert text_of(f"<b>{many}</b>-->") == many.replace("</b>", "") + "-->"
