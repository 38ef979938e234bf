"""Test collections in the shapes they come in (T18, B15: the user's own judged questions)."""

import json

import pytest

from vestigia.domain.errors import UsageError
from vestigia.evaluate.collection import Query, read_collection


def jsonl(path, *records):
    path.write_text("".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    """A folder of three files, its queries not in the order of their ids."""
    folder = tmp_path / "letters"
    folder.mkdir()
    jsonl(folder / "docs.jsonl", {"id": "D1", "text": "Die Brücke"})
    jsonl(
        folder / "queries.jsonl",
        {"id": "b", "kind": "person", "query": "Marie"},
        {"id": "a", "kind": "place", "query": "Brücke"},
        {"id": "c", "kind": "place", "query": "Fluss"},
        {"id": "n", "kind": "null", "query": "Mond"},
    )
    (folder / "qrels.tsv").write_text("a\t0\tD1\t2\nb\t0\tD2\t1\nb\t0\tD3\t0\nc 0 D1 1\n", encoding="utf-8")
    return folder


def test_a_folder_of_documents_queries_and_judgments(folder):
    found = read_collection(folder)
    assert found.name == "letters"
    assert found.documents == (folder / "docs.jsonl",)
    assert found.queries == (
        Query("a", "Brücke", "place", (("D1", 2),), 0),
        Query("b", "Marie", "person", (("D2", 1),), 1),
        Query("c", "Fluss", "place", (("D1", 1),), 0),
    )


def test_a_query_without_a_relevant_document_is_kept_apart(folder):
    assert [query.id for query in read_collection(folder).unjudged] == ["n"]


def test_halves_are_every_other_query_by_id_and_make_up_the_whole(folder):
    whole = read_collection(folder)
    first, second = whole.chosen(half=0), whole.chosen(half=1)
    assert [q.id for q in first.queries] == ["a", "c"]
    assert [q.id for q in second.queries] == ["b"]
    assert first.unjudged == ()


def test_every_nth_query_is_taken_of_both_kinds(folder):
    assert [q.id for q in read_collection(folder).chosen(every=2).queries] == ["a", "c"]
    assert [q.id for q in read_collection(folder).chosen(every=2).unjudged] == ["n"]


def test_trec_topics_with_tags_and_qrels(tmp_path):
    (tmp_path / "topics.301-302.txt").write_text(
        "<top>\n<num> Number: 301\n<title> the old\n bridge\n<desc> Description:\nwhat of it?\n</top>\n"
        "<top>\n<num>302</num>\n<title>Topic: floods</title>\n</top>\n",
        encoding="utf-8",
    )
    (tmp_path / "qrels.301-302.txt").write_text("301 0 AP-1 1\n301 0 AP-2 0\n302 0 AP-3 1\n", encoding="utf-8")
    found = read_collection(tmp_path)
    assert [(q.id, q.text, q.relevant) for q in found.queries] == [
        ("301", "the old bridge", ("AP-1",)),
        ("302", "floods", ("AP-3",)),
    ]
    assert found.documents == ()


def test_trec_topics_as_number_tab_text(tmp_path):
    (tmp_path / "queries.tsv").write_text("7\tLe pont, hier\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("7 0 D 1\n", encoding="utf-8")
    assert read_collection(tmp_path).queries[0].text == "Le pont, hier"


def test_a_document_s_id_may_hold_spaces_where_judgments_have_tabs(folder):
    (folder / "qrels.tsv").write_text("a\t0\tmy letters/1 May.txt\t1\n", encoding="utf-8")
    assert read_collection(folder).queries[0].relevant == ("my letters/1 May.txt",)


def test_historiqa_s_two_files_null_means_not_published(tmp_path):
    jsonl(tmp_path / "corpus_dataset.jsonl", {"id": "18870112", "document": "LA RENTRÉE"})
    jsonl(
        tmp_path / "question_dataset.jsonl",
        {"question": "Quelles réformes ?", "question_type": "SH", "gold_ids": ["18870112", "18870113"]},
        {"question": "Et ensuite ?", "question_type": "MH", "gold_ids": None},
    )
    found = read_collection(tmp_path)
    assert found.documents == (tmp_path / "corpus_dataset.jsonl",)
    assert found.queries == (Query("q00001", "Quelles réformes ?", "SH", (("18870112", 1), ("18870113", 1))),)
    assert [query.text for query in found.unjudged] == ["Et ensuite ?"]


def test_the_published_sample_of_historiqa(shared_data):
    found = read_collection(shared_data / "historiqa-sample-fr")
    assert (len(found.queries), len(found.unjudged)) == (1, 7)
    assert found.queries[0].relevant == ("18870112",)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "judged", "unjudged"),
    [("multihop-rag-500-en", 429, 71), ("pec-letters-fr", 353, 0), ("schnitzler-letters-de", 334, 0)],
)
def test_the_shared_collections_have_the_sizes_their_makers_say(shared_data, name, judged, unjudged):
    found = read_collection(shared_data / name)
    assert (len(found.queries), len(found.unjudged)) == (judged, unjudged)


@pytest.mark.parametrize(
    "table",
    [
        "question,document\nWho?,D1\nWho?,D2\nWhen?,D3\n",
        'Question;Documents\nWho?;"D1;D2"\nWhen?;D3\n',
        "Frage\tDokument\tArt\nWho?\tD1|D2\t\nWhen?\tD3\t\n",
        '\ufeffquestion,document\r\nWho?,"D1; D2"\r\nWhen?,D3\r\n',
    ],
)
def test_a_table_of_one_s_own_judged_questions(tmp_path, table):
    (tmp_path / "mine.csv").write_text(table, encoding="utf-8", newline="")
    found = read_collection(tmp_path / "mine.csv")
    assert found.name == "mine"
    assert [(q.id, q.text, q.relevant) for q in found.queries] == [
        ("q00001", "Who?", ("D1", "D2")),
        ("q00002", "When?", ("D3",)),
    ]


def test_a_table_may_have_ids_kinds_and_grades_and_questions_without_an_answer(tmp_path):
    (tmp_path / "mine.csv").write_text(
        "id,question,document,kind,grade\n7,Who?,D1,person,3\n7,Who?,D2,person,0\n8,Where?,,place,\n", encoding="utf-8"
    )
    found = read_collection(tmp_path / "mine.csv")
    assert found.queries == (Query("7", "Who?", "person", (("D1", 3),)),)
    assert found.unjudged == (Query("8", "Where?", "place"),)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "it is no test collection"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n'}, "it is no test collection"),
        ({"queries.jsonl": "{\n", "qrels.tsv": "a 0 D 1\n"}, "queries.jsonl, line 1: it is not JSON"),
        ({"queries.jsonl": "\n[1]\n", "qrels.tsv": "a 0 D 1\n"}, "queries.jsonl, line 2: it is no JSON object"),
        ({"queries.jsonl": '{"id": "a"}\n', "qrels.tsv": "a 0 D 1\n"}, "line 1: a query needs `id` and `query`"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n' * 2, "qrels.tsv": "a 0 D 1\n"}, "'a' stands there twice"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n', "qrels.tsv": "a D 1\n"}, "qrels.tsv, line 1: a judgment is"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n', "qrels.tsv": "a 0 D yes\n"}, "line 1: a judgment is"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n', "qrels.tsv": "b 0 D 1\n"}, "1 judged queries have no text"),
        ({"queries.jsonl": '{"id": "a", "query": "x"}\n', "qrels.tsv": "a 0 D 0\n"}, "no query has a known source"),
        ({"topics": "nothing here\n", "qrels": "a 0 D 1\n"}, "a topic has no number or no text"),
        ({"questions.jsonl": '{"frage": "x"}\n'}, "line 1: it holds no `question`"),
    ],
)
def test_what_is_no_collection_is_refused_with_its_place(tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_collection(tmp_path)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("query,answer\nWho?,D1\n", "Its columns are: query, answer"),
        ("", "Its columns are: none"),
        ("question,document\n,D1\n", "record 2: the question is empty"),
        ("question,document,grade\nWho?,D1,high\n", "the grade 'high' is no whole number"),
        ("question,document\nWho?,\n", "no query has a known source"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(tmp_path, table, words):
    (tmp_path / "mine.csv").write_text(table, encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        read_collection(tmp_path / "mine.csv")
    assert words in str(refused.value)


def test_a_file_in_another_encoding_and_one_that_is_not_there_are_refused(tmp_path):
    (tmp_path / "mine.csv").write_bytes("question,document\nOù?,D\n".encode("latin-1"))
    with pytest.raises(UsageError, match="must be UTF-8"):
        read_collection(tmp_path / "mine.csv")
    with pytest.raises(UsageError, match="no such file or folder"):
        read_collection(tmp_path / "absent")
