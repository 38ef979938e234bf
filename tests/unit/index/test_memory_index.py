from fakes.index import MemoryIndex
from vestigia.domain.archive import DocumentCard, Passage, Provenance
from vestigia.domain.effects import Scope, Search, Weigh
from vestigia.domain.ids import Digest, DocumentId, passage_id


def pair(document, text, sub="A"):
    card = DocumentCard(DocumentId(document), sub, document, "en", None, Provenance("f", "1", Digest("x"), "t"))
    return Passage(passage_id(card.id, 0, len(text)), card.id, 0, len(text), text), card


def test_the_fake_index_ranks_by_shared_words_and_keeps_to_the_scope():
    index = MemoryIndex([pair("a", "the blockade of the port"), pair("b", "the port wine", "B"), pair("c", "nothing")])
    assert [h.document for h in index.search(Search("words", "port blockade", Scope(), 5)).hits] == ["a", "b"]
    assert [h.document for h in index.search(Search("words", "port", Scope(("B",)), 5)).hits] == ["b"]
    weighed = index.weigh(Weigh("the port unheard")).terms
    assert [(term.word, term.documents) for term in weighed] == [("port", 2), ("unheard", 0)]
