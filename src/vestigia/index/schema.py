"""How a passage lies in the search engine: one field for each way of finding it."""

from functools import cache

import tantivy

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.periods import label
from vestigia.index.analysis import grams, searchable_words, stems, without_surrogates

TEXT = "text"
FOLDED = "folded"
GRAMS = "grams"
"""The character n-grams of the text and, as for the words, of title, sub-corpus and details (measured)."""
RAW_TRIGRAMS = "raw_trigrams"
"""Every three characters of the raw text in a row, small and capital; the text itself is stored beside them."""
ATTESTED = "attested"
"""Stems a document has not had in an earlier passage: so the passages that hold one count documents."""
EVERY = "every"
"""Holds the same word for every passage, to count those deleted but not yet swept out."""

FIELDS = {TEXT: 1.0, "title": 1.0, "source": 1.0, "details": 1.0, "date": 1.0}
"""The stemmed fields of the word channel and how much each counts. Of the fields that hold a word the best one
counts, each with its own frequencies (measured: their sum finds less, and uneven weights find no more)."""

ANALYSED = "analysed"
TRIGRAMS = "trigrams"


@cache
def schema() -> tantivy.Schema:
    """Return the fields of the engine."""
    builder = tantivy.SchemaBuilder()
    for field in (*FIELDS, GRAMS):
        builder.add_text_field(field, tokenizer_name=ANALYSED, index_option="freq")
    builder.add_text_field(FOLDED, tokenizer_name=ANALYSED, index_option="position")
    builder.add_text_field(ATTESTED, tokenizer_name=ANALYSED, index_option="basic")
    builder.add_text_field(RAW_TRIGRAMS, stored=True, tokenizer_name=TRIGRAMS, index_option="basic")
    for field in ("document", "sub_corpus", "language", EVERY):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    # The engine's own dates end in 1677; a day is a whole number here.
    for field in ("key", "first", "last"):
        builder.add_integer_field(field, indexed=True, fast=True)
    return builder.build()


def register_analysers(index: tantivy.Index) -> None:
    """Tell the engine how prepared text is cut: our own analysis has been at it, so at spaces only."""
    spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(ANALYSED, spaces)
    index.register_tokenizer(TRIGRAMS, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(3, 3)).build())


class Description:
    """What is searched of a document beside its passages, and which of its stems have been seen so far."""

    def __init__(self, card: DocumentCard) -> None:
        dated = f"{card.period.text} {label(card.period)}" if card.period else ""
        described = {"title": card.title, "source": card.sub_corpus, "date": dated,
                     "details": "\n".join(value for _, value in card.details)}
        folded = {field: searchable_words(text) for field, text in described.items()}
        self.stems = {field: stems(words, card.language) for field, words in folded.items()}
        self.grams = " ".join(grams(word) for field in ("title", "source", "details") for word in folded[field])
        self._seen: set[str] = set()

    def unseen(self, fields: dict[str, list[str]]) -> list[str]:
        """Return the stems of a passage's fields that no earlier passage of the document had."""
        new = dict.fromkeys(stem for field in fields.values() for stem in field if stem not in self._seen)
        self._seen.update(new)
        return list(new)


def engine_document(passage: Passage, card: DocumentCard, description: Description) -> tantivy.Document:
    """Return a passage as the engine takes it, all but its key."""
    folded = searchable_words(passage.text)
    fields = description.stems | {TEXT: stems(folded, card.language)}
    document = tantivy.Document()
    for field, content in fields.items():
        document.add_text(field, " ".join(content))
    document.add_text(FOLDED, " ".join(folded))
    document.add_text(GRAMS, " ".join((*map(grams, folded), description.grams)))
    document.add_text(ATTESTED, " ".join(description.unseen(fields)))
    document.add_text(RAW_TRIGRAMS, without_surrogates(passage.text))
    document.add_text("document", without_surrogates(card.id))
    document.add_text("sub_corpus", without_surrogates(card.sub_corpus))
    document.add_text("language", without_surrogates(card.language))
    document.add_text(EVERY, EVERY)
    if card.period is not None:
        document.add_integer("first", card.period.first)
        document.add_integer("last", card.period.last)
    return document
