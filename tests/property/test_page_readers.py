"""Pages that are damaged, cut or put in another order: every line that is whole is read, or the report says why not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.sources import source
from vestigia.corpus.readers.hocr import HocrReader
from vestigia.corpus.readers.page import PageReader
from vestigia.corpus.readers.pages import Line, Page, Region, compose
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader, Refused

WORDS = ["Kolonial", "geſetze", "Glocken", "Frieden", "Anzeiger", "Berlin", "Montag", "Thaler"]


def read(reader: Reader, content: bytes) -> tuple[str, list[str]]:
    """Return (text, reasons) of a file of one document, whatever became of it."""
    try:
        found = list(reader.read(source("a.html", content)))
    except SourceRefusedError as error:
        return "", [str(error)]
    texts = [one.text for one in found if isinstance(one, Document)]
    return "\n".join(texts), [one.reason for one in found if isinstance(one, Refused)]


def hocr(words: list[str]) -> str:
    start = """<p class='ocr_par'><span class='ocr_line' title='bbox 1 1 9 9'>"""
    start += """<span class='ocrx_word' title="bbox 1 1 2 2; x_wconf 90">"""
    lines = "".join(f'{start}{word}</span> <span class="ocrx_word">Ende.</span><br></span></p>' for word in words)
    return f"<html><head><title>x</title></head><body><div class='ocr_page'>{lines}</div></body></html>"


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5)))
def test_whatever_the_reading_order_says_each_region_is_read_once(
    order: list[int], left_out: set[int], twice: set[int]
):
    listed = [number for number in order if number not in left_out]
    refs = "".join(
        f'<RegionRefIndexed index="{place}" regionRef="r{number}"/>'
        for place, number in enumerate([*listed, *sorted(twice)])
    )
    regions = "".join(
        f'<TextRegion id="r{number}"><TextLine><TextEquiv><Unicode>{WORDS[number]}.</Unicode></TextEquiv>'
        "</TextLine></TextRegion>"
        for number in range(6)
    )
    text, notes = read(
        PageReader(),
        f"<PcGts><Page><ReadingOrder><OrderedGroup>{refs}</OrderedGroup></ReadingOrder>"
        f"{regions}</Page></PcGts>".encode(),
    )
    known = list(dict.fromkeys([*listed, *sorted(twice)]))
    expected = [*known, *(number for number in range(6) if number not in known)]
    assert text.split() == [f"{WORDS[number]}." for number in expected]
    assert any("read last" in note for note in notes) is (0 < len(known) < 6)


@given(st.integers(0, len(hocr(WORDS))))
def test_of_a_cut_hocr_file_every_whole_word_is_read_and_the_cut_is_told(cut: int):
    whole = hocr(WORDS)
    text, notes = read(HocrReader(), whole[:cut].encode())
    complete = [word for word in WORDS if 0 <= whole.find(f">{word}</span") < cut - len(word) - 1]
    assert all(word in text for word in complete)
    assert notes or cut >= whole.index("</div>") + len("</div>")


@given(st.lists(st.tuples(st.integers(0, len(hocr(WORDS).encode()) - 1), st.integers(1, 127)), max_size=4))
@example([(hocr(WORDS).index("</title>"), ord("x"))])
def test_of_a_damaged_hocr_file_every_word_that_is_not_hit_is_read_or_the_loss_is_told(flips: list[tuple[int, int]]):
    content = bytearray(hocr(WORDS).encode())
    for place, byte in flips:
        content[place] = byte
    text, notes = read(HocrReader(), bytes(content))
    lost = [word for word in WORDS if word.encode() in content and word not in text]
    assert not lost or any("left out" in note or "not hOCR" in note or "cut off" in note for note in notes)


@given(st.text(alphabet="<>!-?/&;xz #'\"=[]", min_size=1, max_size=12))
@example("<!--xx")
@example("<![CDATA[")
@example("&lt;")
def test_noise_in_a_word_swallows_nothing_that_follows(noise: str):
    text, _ = read(HocrReader(), hocr(["Vorher.", noise, "Nachher."]).encode())
    assert text.startswith("Vorher. Ende.")
    assert text.endswith("Nachher. Ende.")
    assert text.count("Ende.") == 3


@given(st.permutations(WORDS), st.integers(0, 7))
def test_parts_of_a_file_in_another_order_are_read_in_that_order(words: list[str], at: int):
    text, notes = read(HocrReader(), hocr([*words[:at], "Zeile.", *words[at:]]).encode())
    assert text.split() == [part for word in [*words[:at], "Zeile.", *words[at:]] for part in (word, "Ende.")]
    assert notes == []


@pytest.mark.parametrize("kind", ["paragraph", "page-number"])
@given(st.lists(st.tuples(st.booleans(), st.lists(st.text(alphabet="aB-⸗. ", max_size=6), max_size=3)), max_size=6))
def test_composed_pages_keep_every_letter_and_anchor_every_line(kind: str, parts: list[tuple[bool, list[str]]]):
    regions = tuple(
        Region(str(number), tuple(Line(line) for line in lines), kind if aside else "")
        for number, (aside, lines) in enumerate(parts)
    )
    composed = compose([Page("1", regions)])
    letters = [letter for letter in composed.text if letter.isalpha()]
    assert sorted(letters) == sorted(
        letter for one in regions for line in one.lines for letter in line.text if letter.isalpha()
    )
    told = [part for one in composed.anchors for part in (one.raw or composed.text[one.start : one.end]).split("\n")]
    assert sorted(told) == sorted(line.text for one in regions for line in one.lines if line.text.strip())
    assert all(one.start < one.end and "\n" not in composed.text[one.start : one.end] for one in composed.anchors)
