"""TEI whose elements lie in any order, one in another: every word of the text is in a document, once."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from fakes.sources import source
from vestigia.corpus.readers.tei import TeiReader
from vestigia.domain.archive import Document

TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Kopf</title></titleStmt>
</fileDesc></teiHeader><text><body><div><head>Alpha</head><p>Beta <lb/>Gamma <hi>Delta</hi> Epsilon</p></div>
<pb n="2"/><div><lg><l>Zeta</l><l>Eta <persName>Theta</persName></l></lg><p>Iota
<choice><sic>falfch</sic><corr>Kappa</corr></choice></p><list><item>Lambda</item></list><table><row><cell>My</cell>
<cell>Ny</cell></row></table></div></body></text></TEI>"""
WORDS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "falfch", "Lambda", "My", "Ny")
moves = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=5)


def disordered(given_moves: list[tuple[int, int]]) -> bytes:
    """Move elements of the body into others of it, where they are not inside themselves."""
    root = etree.fromstring(TEI)
    (body,) = root.iter("{*}body")
    kept = [one for one in body.iter("{*}*") if not {"choice", "sic", "corr"} & {etree.QName(one).localname}]
    for what, where in given_moves:
        element, holder = kept[what % len(kept)], kept[where % len(kept)]
        if element is not body and element not in {holder, *holder.iterancestors()}:
            tail, element.tail = element.tail, None
            before = element.getprevious()
            if before is None:
                element.getparent().text = f"{element.getparent().text or ''} {tail or ''}"
            else:
                before.tail = f"{before.tail or ''} {tail or ''}"
            holder.insert(where % (len(holder) + 1), element)
            element.tail = " "
    return bytes(etree.tostring(root))


@given(moves)
def test_every_word_is_read_once_however_the_elements_lie(given_moves: list[tuple[int, int]]):
    found = [one for one in TeiReader().read(source("a.xml", disordered(given_moves))) if isinstance(one, Document)]
    letters = "".join(word for one in found for word in one.text.split())  # what is moved into a word is glued to it
    assert Counter({word: letters.count(word) for word in WORDS}) == Counter(WORDS)
    assert "Kappa" not in letters
