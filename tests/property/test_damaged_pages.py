"""Damaged ALTO and METS: no crash, no hang, and every word is in a document or accounted for."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from fakes.mets import area, files, mets, page
from fakes.sources import MemorySource, source
from vestigia.corpus.readers.alto import AltoReader
from vestigia.corpus.readers.mets import MetsReader
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Claimed, Reader, Refused

BROKEN = (
    '<TextLine><String CONTENT="Besan" SUBS_TYPE="HypPart1" SUBS_CONTENT="Besançon"/><HYP CONTENT="-"/>'
    "</TextLine><TextLine>"
    '<String CONTENT="çon" SUBS_TYPE="HypPart2" SUBS_CONTENT="Besançon" WC="0.5"/></TextLine>'
)
ALTO = page("Un deux\ntrois", "quatre", "cinq six").replace("</TextBlock>", BROKEN + "</TextBlock>", 1)
SECOND = page("sept huit", "neuf", first=4)
ARTICLES = "".join(
    f'<div TYPE="{kind}" ID="A{number}"><div TYPE="HEADING">{area(file, begin)}</div>{area(file, begin, end)}</div>'
    for number, (kind, file, begin, end) in enumerate(
        (("ARTICLE", "F1", "B1", "B2"), ("SECTION", "F1", "B3", "B3"), ("ARTICLE", "F2", "B5", ""))
    )
)
METS = mets(
    files(F1="p1.xml", F2="p2.xml"),
    "".join(f'<div TYPE="page" ORDER="{number}"><fptr FILEID="F{number}"/></div>' for number in (2, 1)),
    ARTICLES,
)

places = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=4)


def moved(content: str, moves: list[tuple[int, int]]) -> bytes:
    """Move elements into others, where they are not inside themselves."""
    root = etree.fromstring(content)
    every = list(root.iter())
    for what, where in moves:
        element, holder = every[what % len(every)], every[where % len(every)]
        if element is not root and element not in {holder, *holder.iterancestors()}:
            holder.insert(where % (len(holder) + 1), element)
    return bytes(etree.tostring(root))


def damaged(content: bytes, data: st.DataObject) -> bytes:
    """Flip bytes, then cut."""
    broken = bytearray(content)
    for place in data.draw(st.lists(st.integers(0, len(broken) - 1), max_size=6)):
        broken[place] = data.draw(st.integers(0, 255))
    return bytes(broken[: data.draw(st.integers(0, len(broken)))])


def read(reader: Reader, file: MemorySource) -> list[Document | Refused | Claimed] | None:
    """What a reader gave; none where it refused the file with its name and a reason."""
    try:
        return list(reader.read(file))
    except SourceRefusedError as error:
        refusal = error
    assert refusal.what
    assert refusal.where.startswith(file.name)
    return None


def words(found: list[Document | Refused | Claimed]) -> Counter[str]:
    """The words of the documents as the files have them."""
    return Counter(
        word
        for one in found
        if isinstance(one, Document)
        for anchor in one.anchors
        for word in (anchor.raw or one.text[anchor.start : anchor.end]).replace("-", "").split()
    )


@given(st.data())
def test_damaged_alto_is_read_or_refused(data: st.DataObject):
    found = read(AltoReader(), source("a.xml", damaged(ALTO.encode(), data)))
    assert found is None or isinstance(found[0], Document)


@given(places)
def test_alto_in_disorder_keeps_every_word_or_says_how_many_it_left_out(moves: list[tuple[int, int]]):
    content = moved(ALTO, moves)
    found = read(AltoReader(), source("a.xml", content))
    strings = [one.get("CONTENT") for one in etree.fromstring(content).iter("String")]
    if found is None:
        assert not any(True for _ in etree.fromstring(content).find(".//Page").iter("String"))
        return
    left_out = [int(one.reason.split()[0]) for one in found if isinstance(one, Refused) and "left out" in one.reason]
    kept = "".join(words(found).elements())
    assert len("".join(strings)) - len(kept) <= 6 * sum(left_out)
    assert not Counter(kept) - Counter("".join(strings))


@given(st.data())
def test_a_damaged_page_leaves_the_other_pages_of_its_issue_whole(data: st.DataObject):
    beside = (source("p1.xml", damaged(ALTO.encode(), data)), source("p2.xml", SECOND))
    found = read(MetsReader(), MemorySource("issue/mets.xml", METS.encode(), beside))
    assert found is not None
    assert Counter(["sept", "huit", "neuf"]) <= words(found)


@given(st.data())
def test_damaged_mets_loses_no_word_of_the_pages_it_claims(data: st.DataObject):
    check_claims(damaged(METS.encode(), data))


@given(places)
def test_mets_in_disorder_loses_no_word_of_the_pages_it_claims(moves: list[tuple[int, int]]):
    check_claims(moved(METS, moves))


def check_claims(content: bytes) -> None:
    """A page that METS claims is in its documents, each word once; one that it does not claim is read by itself."""
    beside = (source("p1.xml", ALTO), source("p2.xml", SECOND))
    found = read(MetsReader(), MemorySource("issue/mets.xml", content, beside))
    if found is None:
        return
    claimed = {one.name for one in found if isinstance(one, Claimed)}
    alone = {file.name: words(list(AltoReader().read(file))) for file in beside}
    assert words(found) == sum((alone[name] for name in claimed), Counter())
    ids = [one.id for one in found if isinstance(one, Document)]
    assert len(set(ids)) == len(ids)
