"""The query language of the word channel: how a query is read, and what is said of one that cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.errors import UsageError
from vestigia.index.query import And, Near, Not, Or, Part, Phrase, Some, Word, parse


def word(text, field="", distance=0):
    return Word((text,), field, distance)


PORT, PONT, MAIRE = word("port"), word("pont"), word("maire")


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("port", PORT),
        ("PORT", PORT),
        ("état", word("etat")),
        ("  port  ", PORT),
        ("port pont", Some((), (PORT, PONT), ())),
        ("port AND pont", And((PORT, PONT))),
        ("port OR pont OR maire", Or((PORT, PONT, MAIRE))),
        ("port OR pont AND maire", Or((PORT, And((PONT, MAIRE))))),
        ("(port OR pont) AND maire", And((Or((PORT, PONT)), MAIRE))),
        ("port AND NOT pont", And((PORT, Not(PONT)))),
        ("port NOT pont", Some((), (PORT,), (PONT,))),
        ("+port pont -maire", Some((PORT,), (PONT,), (MAIRE,))),
        ("+port", Some((PORT,), (), ())),
        ('"free port"', Phrase(("free", "port"))),
        ("Aix-la-Chapelle", Word(("aix", "la", "chapelle"))),
        ("Spinn*", Part("spinn*")),
        ("*fabrik", Part("*fabrik")),
        ("Sp*er", Part("sp*er")),
        ("port NEAR/5 pont", Near("port", "pont", 5, "text")),
        ("port NEAR pont", Near("port", "pont", 10, "text")),
        ("port NEAR/2 pont NEAR/3 maire", And((Near("port", "pont", 2, "text"), Near("pont", "maire", 3, "text")))),
        ("port~", word("port", "", 1)),
        ("port~2", word("port", "", 2)),
        ("title:port", word("port", "title")),
        ("Title:port", word("port", "title")),
        ('person:"de Vautrin"', Phrase(("de", "vautrin"), "person")),
        ("place:Wi*", Part("wi*", "place")),
        ("title:(port pont)", Some((), (word("port", "title"), word("pont", "title")), ())),
        ("-(port pont) maire", Some((), (MAIRE,), (Some((), (PORT, PONT), ()),))),
    ],
)
def test_a_query_is_read_as_it_is_written(query, tree):
    assert parse(query) == tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("and or not", Some((), (word("and"), word("or"), word("not")), ())),
        ("port: pont", Some((), (PORT, PONT), ())),
        ("l'état", Word(("l", "etat"))),
        ("3-4", Word(("3", "4"))),
    ],
)
def test_only_capitals_and_signs_before_a_word_are_operators(query, tree):
    assert parse(query) == tree


def mistake(query):
    with pytest.raises(UsageError) as caught:
        parse(query)
    _, line, caret, *_ = str(caught.value).split("\n")
    assert line[4:] == query
    assert caught.value.remedy
    return caret.index("^") - 4, caught.value.what.partition("\n")[0]


@pytest.mark.parametrize(
    ("query", "place", "says"),
    [
        ("", 0, "something to look for is missing"),
        ("(port", 0, "a bracket is not closed"),
        ("port)", 4, "nothing is open"),
        ('pont "free port', 5, "the quotation is not closed"),
        ("port AND", 8, "the query ends where a word must be"),
        ("AND port", 0, "'AND' stands where a word must be"),
        ("port OR OR pont", 8, "'OR' stands where a word must be"),
        ("port ()", 6, "something to look for is missing"),
        ("author:port", 0, "there is no field 'author'"),
        ("title:place:port", 6, "a field stands inside another"),
        ("NOT port", 0, "only what must not be there"),
        ("-port -pont", 0, "only what must not be there"),
        ("port OR NOT pont", 0, "only what must not be there"),
        ("S*", 0, "beside * stand at least 2 letters"),
        ("*", 0, "beside * stand at least 2 letters"),
        ("a-b*", 0, "beside * stand at least 2 letters of one word"),
        ("port ??", 5, "'??' holds no letter or digit"),
        ('port ""', 5, "the quotation holds no word"),
        ("port~9", 4, "after ~ stands how many letters may differ"),
        ('port NEAR/3 "a b"', 0, "NEAR stands between two single words"),
        ("port NEAR/0 pont", 0, "0 words apart"),
        ("title:port NEAR pont", 0, "NEAR stands between two single words of the text"),
    ],
)
def test_a_mistake_is_shown_under_the_line_with_what_to_do(query, place, says):
    at, what = mistake(query)
    assert says in what
    assert at == place
    assert f"at letter {place + 1}." in what


def test_brackets_and_signs_nested_without_end_are_refused_not_followed():
    assert "nested too deeply" in mistake("(" * 1000 + "port" + ")" * 1000)[1]
    assert "nested too deeply" in mistake("NOT " * 1000 + "port")[1]


def test_the_remedy_for_an_unknown_field_names_those_there_are():
    with pytest.raises(UsageError, match="title, person, place, source, text"):
        parse("author:port")


@given(st.text(alphabet='ab "()+-*~:ANDORTE/1é', max_size=30))
def test_whatever_is_typed_is_read_or_refused_at_a_place_inside_the_line(query):
    try:
        parse(query)
    except UsageError as error:
        caret = str(error).split("\n")[2]
        assert 4 <= caret.index("^") <= 4 + len(query)
