"""How a passage lies in the search engine: one field for each way of finding it."""

from functools import cache
from typing import Any

import tantivy

from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.periods import label
from vestigia.domain.text import words
from vestigia.index.analysis import (
    GRAM_SIZES,
    LONG_WORD,
    LONGEST_WORD,
    marked,
    searchable_words,
    stems,
    without_surrogates,
)

TEXT = "text"
TITLE = "title"
SOURCE = "source"
PERSONS = "persons"
PLACES = "places"
"""The folded words of the details that name persons, and those that name places; they keep positions."""
FOLDED = "folded"
GRAMS = "grams"
"""The character n-grams of the text and, as for the words, of title, sub-corpus and details (measured)."""
RAW_TRIGRAMS = "raw_trigrams"
"""Every three characters of the raw text in a row, small and capital; the text itself is stored beside them."""
ATTESTED = "attested"
"""Stems a document has not had in an earlier passage: so the passages that hold one count documents."""
EVERY = "every"
"""Holds the same word for every passage, to count those deleted but not yet swept out."""

FIELDS = {TEXT: 1.0, TITLE: 1.0, SOURCE: 1.0, "details": 1.0, "date": 1.0}
"""The stemmed fields of the word channel and how much each counts. Of the fields that hold a word the best one
counts, each with its own frequencies (measured: their sum finds less, and uneven weights find no more)."""

PERSON_DETAILS = frozenset(
    words("""
    person persons people sender recipient author authors writer addressee correspondent speaker speakers
    creator editor translator signatory witness personne personnes expéditeur destinataire auteur auteurs correspondant
    orateur rédacteur person personen absender empfänger verfasser autor autoren schreiber redner herausgeber persname
    mittente destinatario autore autor remitente persona personas persone
""")
)
PLACE_DETAILS = frozenset(
    words("""
    place places location locality town city country region lieu lieux ville pays ort orte land stadt schreibort
    erscheinungsort placename luogo luoghi lugar lugares ciudad città settlement
""")
)
"""Words of a detail's name, folded, that tell that it names persons, or places: `sender`, `place of receipt`."""

WORDS_FOLDER = "words"
"""Where the engine's files lie in a generation's folder."""
ANALYSED = "analysed"
IN_WORDS = "in_words"
TRIGRAMS = "trigrams"


@cache
def schema() -> tantivy.Schema:
    """Return the fields of the engine."""
    builder = tantivy.SchemaBuilder()
    positions = (FOLDED, TITLE, SOURCE, PERSONS, PLACES)
    for field in (*FIELDS, GRAMS, FOLDED, PERSONS, PLACES):
        kept = "position" if field in positions else "freq"
        builder.add_text_field(field, tokenizer_name=IN_WORDS if field == GRAMS else ANALYSED, index_option=kept)
    builder.add_text_field(ATTESTED, tokenizer_name=ANALYSED, index_option="basic")
    builder.add_text_field(RAW_TRIGRAMS, stored=True, tokenizer_name=TRIGRAMS, index_option="basic")
    for field in ("document", "sub_corpus", "language", EVERY):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    # The engine's own dates end in 1677; a day is a whole number here.
    for field in ("key", "first", "last"):
        builder.add_integer_field(field, indexed=True, fast=True)
    return builder.build()


def register_analysers(index: tantivy.Index) -> None:
    """Tell the engine how prepared text is cut: our own analysis has been at it, so at spaces only.

    Of n-grams it gets the words one by one, so that none reaches from one into the next.
    """
    for name, tokenizer in (
        (ANALYSED, tantivy.Tokenizer.whitespace()),
        (IN_WORDS, tantivy.Tokenizer.ngram(min(GRAM_SIZES), max(GRAM_SIZES))),
        (TRIGRAMS, tantivy.Tokenizer.ngram(3, 3)),
    ):
        index.register_tokenizer(name, tantivy.TextAnalyzerBuilder(tokenizer).build())


class Description:
    """What is searched of a document beside its passages, and which of its stems have been seen so far."""

    def __init__(self, card: DocumentCard) -> None:
        dated = f"{card.period.text} {label(card.period)}" if card.period else ""
        described = {
            "title": card.title,
            "source": card.sub_corpus,
            "date": dated,
            "details": "\n".join(value for _, value in card.details),
        }
        folded = {field: searchable_words(text) for field, text in described.items()}
        stemmed = {field: stems(found, card.language) for field, found in folded.items()}
        names = {
            field: searchable_words(
                " \n".join(value for name, value in card.details if not kinds.isdisjoint(words(name)))
            )
            for field, kinds in ((PERSONS, PERSON_DETAILS), (PLACES, PLACE_DETAILS))
        }
        self.fields: dict[str, Any] = {
            **{field: " ".join(found) for field, found in (stemmed | names).items()},
            "document": without_surrogates(card.id),
            "sub_corpus": without_surrogates(card.sub_corpus),
            "language": without_surrogates(card.language),
            EVERY: EVERY,
        }
        if card.period is not None:
            self.fields |= {"first": card.period.first, "last": card.period.last}
        self.marked = [marked(word) for field in ("title", "source", "details") for word in folded[field]]
        self._new = [stem for found in stemmed.values() for stem in found]
        self._seen: set[str] = set()

    def unseen(self, stemmed: list[str]) -> list[str]:
        """Return the stems of a passage that no earlier passage had, those of the description with the first."""
        new = dict.fromkeys(stem for stem in (*self._new, *stemmed) if stem not in self._seen)
        self._new = []
        self._seen.update(new)
        return list(new)


def engine_document(key: int, passage: Passage, card: DocumentCard, description: Description) -> tantivy.Document:
    """Return a passage as the engine takes it, under its number."""
    folded = searchable_words(passage.text)
    stemmed = stems(folded, card.language)
    long = [LONG_WORD] if max(map(len, folded), default=0) == LONGEST_WORD else []
    return tantivy.Document(
        **description.fields,
        key=key,
        text=" ".join(stemmed),
        folded=" ".join(folded),
        grams=[*map(marked, folded), *description.marked, *long],
        attested=" ".join(description.unseen(stemmed)),
        raw_trigrams=without_surrogates(passage.text),
    )
