"""What a query of the query language finds."""

import pytest

from fakes.pairs import document
from vestigia.domain.effects import EXACT, WORDS, Matching, Scope, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

ARCHIVE = [
    document("free", "The free port was closed by the blockade of the harbour."),
    document("port", "A port far from any blockade; the mayor wrote letters about ports."),
    document("mayor", "The mayor of the harbour town has a free afternoon.", title="Session of the port council"),
    document(
        "letter",
        "Nothing but weather.",
        title="To the mayor",
        details=(
            ("sender", "Vautrin, Jeanne de"),
            ("place", "Port-Louis"),
            ("place of receipt", "Wien"),
            ("shelf mark", "B 12"),
        ),
    ),
    document("mill", "Spinnerei, Spinnweben und die Tuchfabrik", sub="Minutes of Spinning", language="de"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    with IndexWriter(folder) as writer:
        for pairs in ARCHIVE:
            writer.add(pairs)
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


def ask(index, query, **how):
    return index.search(Search(WORDS, query, Scope(), 10, matching=Matching.SYNTAX, **how))


def documents(index, query):
    return {hit.document for hit in ask(index, query).hits}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("blockade", "free port"),
        ("blockade mayor", "free port mayor letter"),
        ("blockade AND mayor", "port"),
        ("blockade OR mayor", "free port mayor letter"),
        ("mayor AND NOT blockade", "mayor letter"),
        ("mayor -blockade", "mayor letter"),
        ("+mayor blockade", "port mayor letter"),
        ("+mayor +free", "mayor"),
        ("(blockade OR harbour) AND mayor", "port mayor"),
        ("mayor NOT (harbour OR blockade)", "letter"),
        ("mayor AND (NOT harbour)", "port letter"),
        ("blockade OR (mayor AND NOT port)", "free port"),
        ('"free port"', "free"),
        ('port AND NOT "free port"', "port mayor letter"),
        ('"port free"', ""),
        ("Spinn*", "mill"),
        ("*fabrik", "mill"),
        ("Sp*ei", "mill"),
        ("fabrik*", ""),
        ("block*", "free port"),
        ("free NEAR/1 port", "free"),
        ("port NEAR/1 free", "free"),
        ("port NEAR/5 blockade", "free port"),
        ("port NEAR/4 blockade", "port"),
        ("mayor NEAR/2 letters", "port"),
        ("mayor NEAR/1 letters", ""),
        ("title:port", "mayor"),
        ("title:mayor", "letter"),
        ('title:"port council"', "mayor"),
        ('title:"council port"', ""),
        ("text:mayor", "port mayor"),
        ("text:ports", "free port"),
        ("person:Vautrin", "letter"),
        ("person:vautrins", ""),
        ('person:"jeanne de"', "letter"),
        ("place:Port", "letter"),
        ("place:Wien", "letter"),
        ("place:Vautrin", ""),
        ("source:spinning", "mill"),
        ("source:Minutes", "mill"),
        ("place:Port-Louis", "letter"),
        ("place:Louis-Port", "letter"),
        ("title:(mayor OR council)", "letter mayor"),
        ("person:Vau*", "letter"),
        ("title:sess*", "mayor"),
        ("zeppelin OR person:Vautrin", "letter"),
        ("B 12 AND person:Vautrin", "letter"),
        ("zeppelin", ""),
    ],
)
def test_a_query_finds_exactly(index, query, expected):
    assert documents(index, query) == set(expected.split())


def test_what_is_only_welcome_orders_what_is_found(index):
    assert ask(index, "+mayor blockade").hits[0].document == "port"


def test_parts_of_words_and_letters_that_differ_say_which_words_they_met(index):
    met = [(v.word, v.found, v.distance, v.passages) for v in ask(index, "Spinn* OR blokade~1").variants]
    assert met == [("spinn*", "spinnerei", 0.0, 1), ("spinn*", "spinnweben", 0.0, 1), ("blokade", "blockade", 1.0, 2)]
    assert documents(index, "blokade~") == {"free", "port"}
    assert documents(index, "blokade") == set()


def test_what_is_left_out_is_left_out_only_as_it_is_written(index):
    assert {hit.document for hit in ask(index, "port NOT blokade", fuzzy=1).hits} >= {"free", "port"}


def test_a_mistake_is_refused_with_its_place(index):
    with pytest.raises(UsageError, match="bracket is not closed, at letter 10"):
        ask(index, "port AND (mayor")


@pytest.mark.parametrize("query", ["who wrote to the mayor?", "l'état", "a - b", '5" gun', "title: the mayor (", "AND"])
def test_a_plain_question_knows_no_syntax(index, query):
    index.search(Search(WORDS, query, Scope(), 10))


def test_filters_and_limits_hold_as_for_plain_words(index):
    narrow = Search(WORDS, "mayor OR blockade", Scope(documents=("free", "letter")), 1, matching=Matching.SYNTAX)
    assert len(index.search(narrow).hits) == 1
    assert index.search(narrow).hits[0].document in {"free", "letter"}


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raw")
    with IndexWriter(folder) as writer:
        writer.add(document("a", "L'État, c'est moi. Block-\nade § 12"))
        writer.add(document("b", "l'etat des ÉTATS; straße"))
        writer.add(document("c", "x" * 150 + "Riviere" + "y" * 90, "§"))
        writer.commit(1, digest("catalogue"))
    return Snapshot.open(folder)


def exact(index, text, matching=Matching.PLAIN):
    found = index.search(Search(EXACT, text, Scope(), 10, matching=matching)).hits
    return {hit.document: int(hit.score) for hit in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("état", {"a": 1, "b": 2}),
        ("L'ETAT", {"a": 1, "b": 1}),
        ("'état, c", {"a": 1}),
        ("tat", {"a": 1, "b": 2}),
        ("STRASSE", {"b": 1}),
        ("rivière", {"c": 1}),
        ("block-\nade", {"a": 1}),
        ("lock", {"a": 1}),
        ("blockade", {}),
        ("é", {"a": 3, "b": 4, "c": 2}),
        ("d", {"a": 1, "b": 1}),
        ("§", {"a": 1, "c": 1}),
        (";", {"b": 1}),
        ("etats etat", {}),
    ],
)
def test_whatever_the_case_and_accents_any_stretch_is_found(raw, text, expected):
    assert exact(raw, text, Matching.FOLDED) == expected


@pytest.mark.parametrize("kept", ["l'eau", "l’eau", "lʼeau", "l‘eau"])
@pytest.mark.parametrize("asked", ["L'EAU", "l’eau", "lʼeau"])
def test_an_apostrophe_is_one_whatever_its_sign_and_to_the_letter_it_is_not(tmp_path, kept, asked):
    with IndexWriter(tmp_path) as writer:
        writer.add(document("a", f"Ils cherchent {kept} du puits."))
        writer.commit(1, digest("catalogue"))
    index = Snapshot.open(tmp_path)
    assert exact(index, asked, Matching.FOLDED) == {"a": 1}
    assert exact(index, asked) == ({"a": 1} if asked == kept else {})


@pytest.mark.parametrize("asked", ["die milden Kolonialgeſetze", "milden\nKolonialgeſetze", "milden   Kolonialgeſetze"])
@pytest.mark.parametrize("matching", [Matching.PLAIN, Matching.FOLDED])
def test_white_space_is_no_letter_so_the_end_of_a_line_is_a_space(tmp_path, asked, matching):
    with IndexWriter(tmp_path) as writer:
        writer.add(document("a", "daß die milden\nKolonialgeſetze", "die milden \r\n\tKolonialgeſetze"))
        writer.add(document("b", "die mildenKolonialgeſetze"))
        writer.commit(1, digest("catalogue"))
    assert exact(Snapshot.open(tmp_path), asked, matching).keys() == {"a"}


def test_a_text_of_which_nothing_is_left_is_refused(raw):
    with pytest.raises(UsageError, match="nothing is left"):
        exact(raw, "\u00ad", Matching.FOLDED)


@pytest.mark.parametrize(
    ("text", "expected"), [("§", {"a": 1, "c": 1}), ("§ ", {"a": 1}), ("xx", {"c": 75}), ("q", {})]
)
def test_one_or_two_characters_are_found_to_the_letter(raw, text, expected):
    assert exact(raw, text) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"[Éé]tat", {"a": 1}),
        (r"(?i)état|ÉTATS", {"a": 1, "b": 1}),
        (r"\d+", {"a": 1}),
        (r"^§$", {"c": 1}),
        (r"Block-?\s*ade", {"a": 1}),
        (r"c'est.*moi\.", {"a": 1}),
        (r"z*", {}),
        (r"Riviere{1}", {"c": 1}),
        ("nowhere", {}),
    ],
)
def test_a_pattern_is_searched_in_the_raw_text(raw, pattern, expected):
    assert exact(raw, pattern, Matching.PATTERN) == expected
