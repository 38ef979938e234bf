"""Carrying out a query of the query language: each node of the tree becomes a query of the engine."""

import re
from dataclasses import dataclass, field, replace

from tantivy import Occur, Query

from vestigia.domain.effects import Found, Search, Variant
from vestigia.index.analysis import LONGEST_WORD, function_words, stem_variants
from vestigia.index.forms import MOST_FORMS, forms_of
from vestigia.index.query import And, Near, Node, Not, Or, Part, Phrase, Some, Word, parse
from vestigia.index.ranking import Lexicon, ranked
from vestigia.index.schema import FOLDED, PERSONS, PLACES, SOURCE, TEXT, TITLE, schema
from vestigia.index.terms import phrase, term, variant_queries, weights, word_query

_FIELDS = {"": FOLDED, "text": FOLDED, "title": TITLE, "source": SOURCE, "person": PERSONS, "place": PLACES}
"""The engine's field of each field of the language; phrases and parts of words without one look at the text."""
_STEMMED = {"title": TITLE, "source": SOURCE, "text": TEXT}


@dataclass(slots=True)
class _Reading:
    """A query being translated; `variants` collects the forms that are searched beside its words."""

    lexicon: Lexicon
    search: Search
    variants: list[Variant] = field(default_factory=list)

    def query(self, node: Node) -> Query:
        """The engine's query for a node."""
        match node:
            case Word():
                query = self._word(node)
            case Phrase(found, name):
                query = self._phrase(found, name)
            case Part(pattern, name):
                query = self._part(pattern, name)
            case Near(one, other, apart):
                ways = dict.fromkeys(((one, other), (other, one)))
                query = _any([phrase(FOLDED, way, apart - 1) for way in ways])
            case And(parts):
                query = self._boolean(parts, (), ())
            case Or(parts):
                query = _any([self.query(part) for part in parts])
            case Not():
                query = self._boolean((node,), (), ())
            case Some(must, may, never):
                query = self._boolean(must, may, never)
        return query

    def _boolean(self, must: tuple[Node, ...], may: tuple[Node, ...], never: tuple[Node, ...]) -> Query:
        required = [part for part in must if not isinstance(part, Not)]
        excluded = [*never, *(part.part for part in must if isinstance(part, Not))]
        parts = [(Occur.Must, self.query(part)) for part in required]
        parts += [(Occur.Should, self.query(part)) for part in may]
        if not parts:
            parts = [(Occur.Must, Query.const_score_query(Query.all_query(), 0.0))]
        return Query.boolean_query([*parts, *((Occur.MustNot, self._excluded(part)) for part in excluded)])

    def _excluded(self, node: Node) -> Query:
        """What is left out is left out as written: a misreading of it is not shown, and does not exclude."""
        return _Reading(self.lexicon, replace(self.search, strict=True, fuzzy=0)).query(node)

    def _word(self, node: Word) -> Query:
        languages = self.lexicon.table.languages
        found = []
        for word, weight in weights((word[:LONGEST_WORD] for word in node.words), languages).items():
            search = replace(self.search, fuzzy=node.distance or self.search.fuzzy)
            variants = forms_of(self.lexicon, search, word, function_words(languages)) if _reads_text(node) else ()
            self.variants += variants
            forms = variant_queries(variants, self.lexicon.held(word), self.lexicon.passages, weight)
            if not node.field:
                found.append(word_query(word, weight, languages, forms))
            else:
                stemmed = node.field in _STEMMED
                name = _STEMMED[node.field] if stemmed else _FIELDS[node.field]
                stems = stem_variants(word, languages) if stemmed else (word,)
                found.append(Query.disjunction_max_query([*(term(name, stem, weight) for stem in stems), *forms]))
        return found[0] if len(found) == 1 else Query.boolean_query([(Occur.Must, part) for part in found])

    def _phrase(self, found: tuple[str, ...], name: str) -> Query:
        if name not in {"title", "source"}:
            return phrase(_FIELDS[name], found)
        # These fields are stemmed, each document's in its own language.
        ways = dict.fromkeys(
            tuple(stem_variants(word, (language,))[0] for word in found)
            for language in (*self.lexicon.table.languages, "")
        )
        return _any([phrase(_FIELDS[name], way) for way in ways])

    def _part(self, pattern: str, name: str) -> Query:
        expression = ".*".join(re.escape(piece) for piece in pattern.split("*"))
        kept = self.lexicon.searcher.terms_with_prefix(_FIELDS[name], pattern.partition("*")[0])
        held = [(word, number) for word, number in kept if re.fullmatch(expression, word)]
        held.sort(key=lambda one: (-one[1], one[0]))
        self.variants += [Variant(pattern, word, 0.0, number) for word, number in held[:MOST_FORMS]]
        return Query.const_score_query(Query.regex_query(schema(), _FIELDS[name], expression), 1.0)


def search_syntax(lexicon: Lexicon, search: Search) -> Found:
    """Search by a query of the query language. Raises UsageError where it cannot be read."""
    reading = _Reading(lexicon, search)
    found = ranked(lexicon, search, reading.query(parse(search.text)))
    return replace(found, variants=tuple(dict.fromkeys(reading.variants)))


def _reads_text(node: Word) -> bool:
    return node.field in {"", "text"}


def _any(queries: list[Query]) -> Query:
    return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Should, query) for query in queries])
