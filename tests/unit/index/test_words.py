"""The channels of the search engine: what is found by which words, and in which order."""

import math

import pytest

from fakes.pairs import document, year
from vestigia.domain.effects import CHARACTERS, EXACT, WORDS, Scope, Search, Weigh
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot


@pytest.fixture
def indexed(tmp_path):
    def indexed(*documents):
        with IndexWriter(tmp_path) as writer:
            for pairs in documents:
                writer.add(pairs)
            writer.commit(1, digest("catalogue"))
        return Snapshot.open(tmp_path)

    return indexed


def documents(index, text, channel=WORDS, scope=None, limit=10):
    return [hit.document for hit in index.search(Search(channel, text, scope or Scope(), limit)).hits]


def test_each_language_is_stemmed_by_its_own_rules(indexed):
    index = indexed(
        document("de", "Die Häuser am Fluss", language="de"),
        document("fr", "Les états généraux", language="fr"),
        document("la", "epistulae ad familiares", language="la"),
    )
    assert documents(index, "Haus") == documents(index, "hausern") == ["de"]
    assert documents(index, "état général") == ["fr"]
    assert documents(index, "epistula") == []
    assert documents(index, "EPISTULAE") == ["la"]


@pytest.mark.parametrize(
    ("field", "query"),
    [("title", "session"), ("sub-corpus", "minutes"), ("sender", "herzl"), ("date", "1887"), ("date", "3.4.1887")],
)
def test_a_document_is_found_by_its_description_as_by_its_text(indexed, field, query):
    index = indexed(
        document("other", "nothing of the kind", sub="Papers"),
        document(
            "wanted",
            "a bridge",
            sub="Minutes",
            title="Session of May",
            period=year(1887),
            details=(("sender", "Herzl, Theodor"),),
        ),
    )
    assert documents(index, query)[0] == "wanted"


def test_of_the_fields_that_hold_a_word_the_best_counts_not_their_sum(indexed):
    index = indexed(
        document("title", "z", title="harbour"),
        document("text", "harbour", title="z"),
        document("both", "harbour", title="harbour"),
    )
    scores = {hit.document: hit.score for hit in index.search(Search(WORDS, "harbour", Scope(), 5)).hits}
    assert scores["both"] == scores["title"] == scores["text"] > 0


def test_a_function_word_counts_half_and_a_query_of_nothing_else_still_finds(indexed):
    index = indexed(*(document(f"d{n}", "water" if n else "to be or not to be") for n in range(5)))
    assert documents(index, "to be or not to be") == ["d0"]
    twice = index.search(Search(WORDS, "be be", Scope(), 5)).hits[0].score
    assert twice == pytest.approx(2 * index.search(Search(WORDS, "be", Scope(), 5)).hits[0].score, abs=2e-3)


def test_words_side_by_side_in_the_query_count_more_where_a_text_has_them_so(indexed):
    index = indexed(
        document("apart", "the gallery was new and the review hung in it"),
        document("name", "and in it hung the new gallery was the review"),
        *(document(f"other{n}", "the sea") for n in range(6)),
    )
    assert documents(index, "New Gallery") == ["name", "apart"]
    assert documents(index, "Gallery New") == ["apart", "name"]  # no pair: equal scores stand by id
    plain = index.search(Search(WORDS, "New Gallery", Scope(), 9, strict=True)).hits
    assert len({hit.score for hit in plain}) == 1


def test_a_pair_with_a_function_word_counts_half_and_of_two_function_words_nothing(indexed):
    index = indexed(
        *(
            document(f"d{n}", text, language="en")
            for n, text in enumerate(["red tram stop", "red of stop", "of the x"])
        ),
        *(document(f"other{n}", "sea sand wind", language="en") for n in range(6)),
    )

    def more(query, name):
        plain = index.search(Search(WORDS, query, Scope(documents=(name,)), 9, strict=True)).hits[0].score
        return index.search(Search(WORDS, query, Scope(documents=(name,)), 9)).hits[0].score - plain

    of_one, of_two = more("tram stop", "d0"), more("of stop", "d1")
    idf_of_one = _idf(1, 9) + _idf(2, 9)
    idf_of_two = _idf(2, 9) + _idf(2, 9)
    assert of_one / idf_of_one == pytest.approx(2 * of_two / idf_of_two, abs=5e-3)
    assert more("of the", "d2") == pytest.approx(0)


def _idf(held, of):
    return math.log(1 + (of - held + 0.5) / (held + 0.5))


def test_a_pair_finds_nothing_that_its_words_do_not_find_and_counts_once(indexed):
    index = indexed(document("a", "free port free port free port"), document("b", "sea"))
    assert documents(index, "free port") == ["a"]
    once, words = (
        index.search(Search(WORDS, "free port", Scope(), 9, strict=strict)).hits[0].score for strict in (False, True)
    )
    # `free port` twice is two words each twice, the pair `free port` once and the pair `port free` once.
    twice = index.search(Search(WORDS, "free port free port", Scope(), 9)).hits[0].score
    assert 2 * words < twice < 2 * once + 1e-3


def test_a_phrase_in_quotation_marks_must_stand_there_in_that_order_and_form(indexed):
    index = indexed(
        document("order", "the port of Call was closed"),
        document("plural", "many ports of calls"),
        document("apart", "call at the port"),
        document("title", "x", title="port of call"),
    )
    assert documents(index, '"port of call"') == ["order"]
    assert documents(index, "„PORT of CALL“ ports") == ["order"]
    assert documents(index, '"calls"') == ["plural"]
    assert set(documents(index, "port of call")) == {"order", "plural", "apart", "title"}


def test_words_beside_a_phrase_order_what_holds_it(indexed):
    index = indexed(
        document("a", "free port and nothing more to say"),
        document("b", "free port and the mayor"),
        document("c", "only the mayor"),
    )
    assert documents(index, '"free port" mayor') == ["b", "a"]


def test_a_phrase_over_a_broken_line_is_found(indexed):
    assert documents(indexed(document("a", "the naval block-\nade of 1914")), '"naval blockade"') == ["a"]


def test_equal_scores_stand_in_the_order_of_ids(indexed):
    names = ["b", "a", "d", "c", "e"]
    index = indexed(*(document(name, "the same words") for name in names))
    assert documents(index, "same words") == sorted(names)
    assert documents(index, "same words", limit=2) == ["a", "b"]
    assert documents(index, "same words", CHARACTERS) == sorted(names)
    assert documents(index, "same", EXACT, limit=3) == ["a", "b", "c"]


def test_a_long_document_holds_one_place_and_does_not_crowd_out_the_others(indexed):
    index = indexed(document("long", *["bridge bridge bridge"] * 400), document("short", "a bridge far away"))
    assert documents(index, "bridge", limit=2) == ["long", "short"]
    assert index.search(Search(WORDS, "bridge", Scope(), 2)).hits[0].passage == "long#0-20"


def test_the_best_passage_of_a_document_is_its_hit(indexed):
    index = indexed(document("a", "water and stone", "bridge bridge", "a bridge far away from here"))
    assert index.search(Search(WORDS, "bridge", Scope(), 5)).hits[0].passage == "a#16-29"


def test_characters_forgive_misreading_and_reach_the_description(indexed):
    index = indexed(
        document("ocr", "lc minislre a declaré la guerre", language="fr"),
        document("other", "un navire"),
        document("named", "rien", title="Le ministre"),
    )
    assert set(documents(index, "ministre", CHARACTERS)[:2]) == {"ocr", "named"}
    assert documents(index, "ministre declare guerre", CHARACTERS)[0] == "ocr"


@pytest.mark.parametrize(
    "needle", ["a", "ß", "\n", "e,", "e, w", "Straße, w", "naïve 🙂", '"quoted"', "end.", "  two", "The", "\tTab"]
)
def test_exact_finds_any_stretch_of_the_raw_text(indexed, needle):
    text = 'The Straße, where\n"quoted" naïve 🙂 people  two \tTab end.'
    assert needle in text
    assert documents(indexed(document("a", text), document("b", "....")), needle, EXACT)[0] == "a"


@pytest.mark.parametrize("needle", ["the", "Strasse", "naive", "peopletwo", "end..", "people-two"])
def test_exact_finds_nothing_that_is_not_there_to_the_letter(indexed, needle):
    assert documents(indexed(document("a", "The Straße, naïve people  two end.")), needle, EXACT) == []


def test_exact_needs_the_trigrams_in_their_order(indexed):
    assert documents(indexed(document("a", "abcd bcde"), document("b", "abcde")), "abcde", EXACT) == ["b"]


def test_exact_scores_the_number_of_times(indexed):
    index = indexed(document("once", "a bridge"), document("thrice", "bridge, bridge; bridge"))
    assert [(hit.document, hit.score) for hit in index.search(Search(EXACT, "bridge", Scope(), 5)).hits] == [
        ("thrice", 3.0),
        ("once", 1.0),
    ]


def test_exact_may_look_for_a_blank(indexed):
    assert documents(indexed(document("a", "two words"), document("b", "one")), " ", EXACT) == ["a"]


def test_texts_no_encoding_can_write_are_indexed_and_found(indexed):
    index = indexed(document("a", "lone \ud800 surrogate \0 and NUL"))
    assert documents(index, "surrogate") == documents(index, "\0 and", EXACT) == ["a"]
    assert documents(index, "\ud800 surr", EXACT) == ["a"]


def test_names_of_any_length_and_script_filter(indexed):
    index = indexed(
        document("x" * 300, "a bridge", sub="S" * 5000), document("日本#1-2", "a bridge", sub="Minutes / 1887")
    )
    assert documents(index, "bridge", scope=Scope(sub_corpora=("S" * 5000,))) == ["x" * 300]
    assert documents(index, "bridge", scope=Scope(documents=("日本#1-2",))) == ["日本#1-2"]
    hit = index.search(Search(WORDS, "bridge", Scope(sub_corpora=("Minutes / 1887",)), 1)).hits[0]
    assert documents(index, "bridge", scope=Scope(documents=("日本#1-2",), without=(hit.passage,))) == []


def test_a_page_read_as_one_word_is_found_by_its_beginning_and_harms_nothing(indexed):
    index = indexed(document("a", "x" * 200_000), document("b", "a bridge"))
    assert documents(index, "x" * 150) == ["a"]
    assert documents(index, "x" * 50_000, EXACT) == ["a"]


def test_hundreds_of_query_words_are_no_trouble(indexed):
    index = indexed(document("a", "a bridge"), document("b", "a river"))
    assert documents(index, "bridge " + " ".join(f"w{n}" for n in range(3000))) == ["a"]
    assert documents(index, " ".join(f"word{n}" for n in range(1000)) + " river", CHARACTERS) == ["b"]


@pytest.mark.parametrize("text", ["a OR b AND NOT (", "title:bridge", "+bridge -river", "bridge~2 ^5 *", "[1 TO 5]"])
def test_signs_of_query_languages_mean_nothing(indexed, text):
    index = indexed(document("a", "a bridge over a river 1 5"))
    assert documents(index, text) in (["a"], [])


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(indexed, limit):
    with pytest.raises(UsageError, match="at least 1"):
        indexed(document("a", "x")).search(Search(WORDS, "x", Scope(), limit))


def test_an_unknown_channel_is_refused_with_those_there_are(indexed):
    with pytest.raises(UsageError, match="words, characters, source, exact, date"):
        indexed(document("a", "x")).search(Search("meaning:none", "x", Scope(), 1))


def test_words_are_weighed_by_documents_not_passages_whatever_the_form(indexed):
    index = indexed(
        document("a", "a bridge", "two bridges", "the bridge's end"),
        document("b", "a BRIDGE"),
        document("c", "nothing", title="Bridges"),
        document("d", "water"),
    )
    assert [(t.word, t.documents) for t in index.weigh(Weigh("bridges")).terms] == [("bridges", 3)]


def test_a_word_with_two_stems_counts_a_document_once(indexed):
    index = indexed(document("a", "bridges", language="en"), document("b", "bridges", "bridg", language="la"))
    assert [t.documents for t in index.weigh(Weigh("bridges")).terms] == [2]


def test_function_words_of_the_language_asked_are_left_out(indexed):
    index = indexed(document("a", "die Brücke", language="de"))
    assert [t.word for t in index.weigh(Weigh("die Brücke der Stadt", ("de",))).terms] == ["brucke", "stadt"]
    assert [t.word for t in index.weigh(Weigh("die hard", ("en",))).terms] == ["die", "hard"]
