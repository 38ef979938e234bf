"""What models want written before a text, as their own cards say."""

import pytest

from vestigia.models.encoders.prefixes import Prefixes, prefixes_of

REPRESENT = "Represent this sentence for searching relevant passages: "
WEB = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("E5_base_v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-large-instruct", f"{WEB} ", ""),
        ("e5-mistral-7b-instruct", f"{WEB} ", ""),
        ("qwen3-embedding:0.6b", WEB, ""),
        ("Qwen/Qwen3-Embedding-4B", WEB, ""),
        ("BAAI/bge-large-en-v1.5", REPRESENT, ""),
        ("bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("bge-m3:latest", "", ""),
        ("mxbai-embed-large", REPRESENT, ""),
        ("mixedbread-ai/deepset-mxbai-embed-de-large-v1", "query: ", "passage: "),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("nomic-ai/nomic-embed-text-v2-moe", "search_query: ", "search_document: "),
        ("snowflake-arctic-embed:110m", REPRESENT, ""),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
        ("jinaai/jina-embeddings-v2-base-de", "", ""),
        (
            "jina-embeddings-v3",
            "Represent the query for retrieving evidence documents: ",
            "Represent the document for retrieval: ",
        ),
        ("jina-embeddings-v4", "Query: ", "Passage: "),
        ("text-embedding-3-large", "", ""),
        ("all-minilm", "", ""),
        ("safe5gard", "", ""),
    ],
)
def test_the_family_of_a_model_says_what_stands_before_a_text(model, query, passage):
    prefixes = prefixes_of(model)
    assert (prefixes.query, prefixes.passage) == (query, passage)
    assert (prefixes.before("query"), prefixes.before("passage")) == (query, passage)


def test_nothing_said_is_nothing_written():
    assert Prefixes().before("query") == Prefixes().before("passage") == ""
