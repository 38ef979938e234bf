"""H1, H2, H6: a description becomes a set that is balanced over time; nothing is judged."""

from fakes.corpus import a_day, a_document
from fakes.flow import Scene, run
from vestigia.domain.commissions import Item, SurveyOrder
from vestigia.domain.effects import AskModel
from vestigia.domain.events import Closed, Gathered, Opened, QueryExpanded, SearchFailed
from vestigia.domain.ids import DocumentId
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.inquiry.survey import items_of, layers, survey


def years(first, last):
    return DatePeriod(day_number(first), day_number(last, 12, 31), Precision.RANGE)


EIGHTIES, NINETIES = years(1880, 1889), years(1890, 1899)
DOCUMENTS = [
    *(a_document(f"n{n}", f"the harbour wall and the harbour {n}", "Minutes", a_day(1890 + n, 5, 1)) for n in range(6)),
    a_document("e1", "a letter on the harbour", "Letters", a_day(1884, 5, 1)),
    a_document("e2", "Schnee", "Letters", a_day(1885, 5, 1)),
    a_document("u1", "the harbour without a date", "Letters"),
]
ORDER = SurveyOrder((EIGHTIES, NINETIES), quota=2, undated=1)


def surveyed(order=ORDER, question=Question("The harbour and its wall"), rules=Rules(), **scene):
    return run(survey(question, rules, order), Scene(DOCUMENTS, **scene))


def documents(lane):
    return [candidate.document for candidate in lane.candidates]


def test_h2_every_window_keeps_its_quota_and_says_what_it_lacks():
    told = surveyed()
    eighties, nineties, undated = told.only(Gathered).lanes

    assert (eighties.window, documents(eighties), eighties.short) == (EIGHTIES, ["e1"], 1)
    assert (nineties.window, len(nineties.candidates), nineties.short) == (NINETIES, 2, 0)
    assert (undated.window, documents(undated), undated.short) == (None, ["u1"], 0)


def test_h2_the_undated_are_left_out_where_none_are_asked_for():
    assert [lane.window for lane in surveyed(SurveyOrder((NINETIES,), 2)).only(Gathered).lanes] == [NINETIES]


def test_h2_the_price_of_the_balance_is_told_for_each_channel_and_the_fused_list():
    prices = surveyed().only(Gathered).prices

    assert [price.channel for price in prices] == ["characters", "words", "fused"]
    assert all(price.surfaced == price.displaced for price in prices if price.channel == "fused")


def test_h1_a_survey_judges_nothing_and_asks_no_model():
    told = surveyed()

    assert told.kinds()[0] == "Opened"
    assert told.kinds()[-2:] == ["Gathered", "Closed"]
    assert [effect for effect in told.effects if isinstance(effect, AskModel)] == []
    assert told.value.accepted == {}
    assert told.only(Closed).partial is False


def test_h6_each_source_knows_the_layers_that_found_it():
    (found,) = surveyed().only(Gathered).lanes[0].candidates

    assert layers(found) == ("characters", "words")


def test_h6_only_the_channels_of_the_order_are_searched():
    told = surveyed(SurveyOrder((EIGHTIES,), 2, channels=("words",)))

    assert {search.channel for search in told.searches()} == {"words"}
    assert dict(told.only(Gathered).weights).keys() == {"words"}


def test_all_windows_come_of_one_search_a_channel():
    assert [search.windows for search in surveyed().searches()] == [(EIGHTIES, NINETIES)] * 2


def test_the_limits_of_the_researcher_hold():
    told = surveyed(question=Question("The harbour", sub_corpora=("Letters",)))

    assert {d for lane in told.only(Gathered).lanes for d in documents(lane)} == {"e1", "u1"}


def test_h7_words_chosen_are_searched_beside_the_description():
    told = surveyed(rules=Rules(also=("Schnee",)))

    assert told.only(QueryExpanded).chosen == ("Schnee",)
    assert documents(told.only(Gathered).lanes[0]) == ["e1", "e2"]


def test_a_channel_that_fails_is_told_and_the_set_is_partial():
    told = surveyed(failing=["words"])

    assert told.only(SearchFailed).channel == "words"
    assert dict(told.only(Gathered).weights).keys() == {"characters"}
    assert told.only(Closed).partial is True


def test_where_every_channel_fails_there_is_no_set():
    told = surveyed(failing=["words", "characters"])

    assert told.of(Gathered) == []
    assert told.value.gathered is None
    assert told.only(Closed).partial is True


def test_documents_that_are_gone_are_counted_and_take_no_place():
    gathered = surveyed(gone=["e1"]).only(Gathered)

    assert (documents(gathered.lanes[0]), gathered.lanes[0].short) == ([], 2)
    assert gathered.missing == ("1 documents found are no longer in the archive",)


def test_where_nothing_is_found_the_windows_say_so():
    gathered = surveyed(question=Question("zeppelin")).only(Gathered)

    assert [(documents(lane), lane.short) for lane in gathered.lanes] == [([], 2), ([], 2), ([], 1)]


def test_what_lies_in_two_windows_is_one_item():
    across = a_document("x", "the harbour", "Letters", years(1888, 1891))
    told = run(survey(Question("harbour"), Rules(), ORDER), Scene([across]))
    lanes = told.only(Gathered).lanes

    assert [documents(lane) for lane in lanes] == [["x"], ["x"], []]
    (item,) = items_of(lanes)
    assert item == Item(lanes[0].candidates[0].passage, DocumentId("x"))


def test_the_set_is_part_of_the_state():
    told = surveyed()

    assert told.value.gathered == told.only(Gathered)
    assert set(told.value.cards) == {d for lane in told.only(Gathered).lanes for d in documents(lane)}
    assert told.only(Opened).question.text == "The harbour and its wall"
