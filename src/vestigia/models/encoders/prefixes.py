"""What a model wants written before a query and before a passage. No server adds it, and without it the model is worse.

Taken from the models' own cards, by the name of the model; the settings of an archive may say otherwise.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The words before a query and those before a passage; most models want none."""

    query: str = ""
    passage: str = ""

    def before(self, kind: Kind) -> str:
        """Return the words before a text of this kind."""
        return self.query if kind == "query" else self.passage


_RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query"
_REPRESENT = "Represent this sentence for searching relevant passages: "
_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    (r"qwen3-embedding", Prefixes(f"Instruct: {_RETRIEVE}\nQuery:")),
    (r"e5\b.*(instruct|mistral)|gte-qwen", Prefixes(f"Instruct: {_RETRIEVE}\nQuery: ")),
    (r"\be5\b|mxbai-embed-de", Prefixes("query: ", "passage: ")),
    (r"bge-.*-zh", Prefixes("为这个句子生成表示以用于检索相关文章：")),
    (r"bge-(small|base|large)|mxbai-embed", Prefixes(_REPRESENT)),
    (r"arctic-embed(2|.*v2)", Prefixes("query: ")),
    (r"arctic-embed", Prefixes(_REPRESENT)),
    (r"nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
    (r"embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    (
        r"jina-embeddings-v3",
        Prefixes("Represent the query for retrieving evidence documents: ", "Represent the document for retrieval: "),
    ),
    (r"jina-embeddings-v4", Prefixes("Query: ", "Passage: ")),
    (r"jina-embeddings-v5", Prefixes("Query: ", "Document: ")),
)
"""The first pattern that the name fits decides."""


def prefixes_of(model: str) -> Prefixes:
    """Return the prefixes of a model's family by its name, such as `intfloat/multilingual-e5-base` or `bge-m3:latest`.

    None for a model of another family: bge-m3, all-minilm, text-embedding-3 and others want nothing.
    """
    name = model.lower().replace("_", "-")
    return next((prefixes for pattern, prefixes in _FAMILIES if re.search(pattern, name)), Prefixes())
