"""H3, H4, B6: each passage judged on its own by the rubric; what is no judgement is counted, never mended."""

from dataclasses import replace

import pytest

from fakes.corpus import a_day, a_document
from fakes.flow import Scene, run
from vestigia.domain.archive import Access
from vestigia.domain.commissions import Item, JudgeOrder, Origin, Rubric
from vestigia.domain.effects import AskModel, Attend, Replied, Stop, Usage
from vestigia.domain.events import BudgetReached, Closed, Consulted, NotJudged, Outcome, Scored, Unjudged
from vestigia.domain.ids import DocumentId, RunId, digest, passage_id
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.judge import PLACEHOLDER, SHEET, judge, tally

EXAMPLE = "The weaver calls the loom a thief of bread, and says why."
RUBRIC = Rubric("fear", digest("fear"), "Is somebody afraid?", 1, 10, ((1, "no"), (10, "yes")), 7, 2, (EXAMPLE,))
TEXTS = {"a": "The loom takes our bread.", "b": "The loom has forty spindles.", "c": "We dread the engine."}
DOCUMENTS = [a_document(name, text, "Letters", a_day(1844, 6, 4)) for name, text in TEXTS.items()]
ITEMS = tuple(Item(passage_id(DocumentId(n), 0, len(text)), DocumentId(n)) for n, text in TEXTS.items())
FROM = Origin(RunId("set"), digest("set"))
ORDER = JudgeOrder(FROM, RUBRIC, ITEMS)
SCORES = {"a": 8, "b": 2, "c": 9}


def reply(name, score=None, argument=""):
    return {"argument": argument or f"In {name} it says so.", "quote": TEXTS[name][:8], "score": score or SCORES[name]}


def by_name(request):
    return reply(request.passage.document)


def judged(replies=by_name, order=ORDER, rules=Rules(), **scene):
    return run(judge(Question("Fear of machines"), rules, order), Scene(DOCUMENTS, {"judge": replies}, **scene))


def only(name, replies, rules=Rules(parse_retries=0), **scene):
    """What is recorded of one item."""
    item = next(item for item in ITEMS if item.document == name)
    told = judged(replies, replace(ORDER, items=(item,)), rules, **scene)
    return told.value.judgements[item.passage]


def test_h3_every_passage_is_judged_argument_and_score():
    told = judged()

    assert [(s.document, s.score) for s in told.of(Scored)] == [("a", 8), ("b", 2), ("c", 9)]
    assert told.of(Scored)[0] == Scored(ITEMS[0].passage, DocumentId("a"), 8, "In a it says so.", "The loom")
    assert told.kinds()[0] == "Opened"
    assert told.facts[-1] == Closed(partial=False)


def test_h3_one_passage_a_request_with_the_rubric_and_nothing_of_how_it_was_found():
    requests = judged().requests("judge")

    assert [request.passage.passage for request in requests] == [item.passage for item in ITEMS]
    assert {(request.rubric, request.description) for request in requests} == {(RUBRIC, "Fear of machines")}
    first = requests[0].passage
    assert (first.title, first.date, first.sub_corpus) == ("Title of a", "1844-06-04", "Letters")
    assert (first.found_by, first.score, first.standings, first.place, first.orientation) == ("", 0.0, (), 0, 0)


def test_a_passage_without_a_date_is_not_given_one():
    item = Item(passage_id(DocumentId("u"), 0, 4), DocumentId("u"))
    told = run(
        judge(Question("Fear"), Rules(), replace(ORDER, items=(item,))),
        Scene([a_document("u", "Fear", "Letters")], {"judge": [{"argument": "Fear.", "score": 3}]}),
    )
    assert told.requests()[0].passage.date == ""
    assert told.only(Scored).quote == ""


def crossings(rules):
    """How many requests went out together."""
    sizes, scene, sent = [], Scene(DOCUMENTS, {"judge": by_name}), None
    flow = judge(Question("Fear"), rules, ORDER)
    try:
        while True:
            wish = flow.send(sent)
            effects = getattr(wish, "effects", ())
            sizes += [len(effects)] if effects and isinstance(effects[0], AskModel) else []
            sent = tuple(scene.answer(e) for e in effects) if effects else _nothing(wish)
    except StopIteration as end:
        return sizes, end.value


def _nothing(wish):
    from vestigia.inquiry.crossing import LookRound, UnderWay

    return UnderWay() if isinstance(wish, LookRound) else ()


@pytest.mark.parametrize(("parallel", "sizes"), [(0, [1, 1, 1]), (1, [1, 1, 1]), (2, [2, 1]), (4, [3])])
def test_requests_go_out_side_by_side_and_judge_the_same(parallel, sizes):
    found, state = crossings(Rules(parallel=parallel))

    assert found == sizes
    assert [one.score for one in state.judgements.values()] == [8, 2, 9]


@pytest.mark.parametrize(
    ("said", "reason", "why"),
    [
        ('{"argument": "Yes.", "quote": ""}', Unjudged.NO_SCORE, "there is no score"),
        ('{"argument": "Yes.", "score": 11}', Unjudged.OUT_OF_RANGE, "11 is no score from 1 to 10"),
        ('{"argument": "Yes.", "score": 0}', Unjudged.OUT_OF_RANGE, "0 is no score from 1 to 10"),
        ('{"score": 7, "argument": "Yes."}', Unjudged.SCORE_FIRST, "the score stands before the argument"),
        ('{"score": 7}', Unjudged.NO_ARGUMENT, "there is no argument"),
        ('{"argument": " … ", "score": 7}', Unjudged.NO_ARGUMENT, "there is no argument"),
        ('{"argument": "Yes.", "score": "7"}', Unjudged.UNREADABLE, "score: Input should be a valid integer"),
        ('{"argument": "Yes.", "score": 7.5}', Unjudged.UNREADABLE, "score: Input should be a valid integer"),
        ("seven", Unjudged.UNREADABLE, "the reply holds no complete JSON object"),
        ("", Unjudged.UNREADABLE, "it was empty"),
    ],
)
def test_h4_what_is_no_judgement_is_not_judged_and_says_why(said, reason, why):
    found = only("a", [said])

    assert (type(found), found.reason) == (NotJudged, reason)
    assert why in found.why


@pytest.mark.parametrize(
    "argument",
    [PLACEHOLDER, EXAMPLE, EXAMPLE.upper(), f"I think: {EXAMPLE}", "the weaver calls the loom a thief of bread"],
)
def test_b6_an_argument_copied_from_an_example_of_the_rubric_is_no_judgement(argument):
    assert only("a", [reply("a", argument=argument)]).reason is Unjudged.COPIED_EXAMPLE


def test_b6_few_words_in_common_with_an_example_are_no_copy():
    assert only("a", [reply("a", argument="The weaver says why.")]).score == 8


def test_b6_an_argument_copied_from_another_passage_is_asked_for_again_and_then_no_judgement():
    same = "Nothing of fear is said here."
    told = judged([reply("a", argument=same), *[reply("b", argument=f"{same.upper()}")] * 2, reply("c")])

    assert [one.document for one in told.of(Scored)] == ["a", "c"]
    assert told.only(NotJudged).reason is Unjudged.COPIED
    assert told.only(NotJudged).why == f"the argument given for {ITEMS[0].passage}"
    assert told.requests()[2].concern == "The argument was the one you gave for another passage: argue from this one"


def test_b6_side_by_side_copies_are_found_too_and_a_better_argument_is_taken():
    same = "Nothing of fear is said here."
    replies = [reply("a", argument=same), reply("b", argument=same), reply("c"), reply("b")]
    told = judged(replies, rules=Rules(parallel=3))

    assert {one.document: one.score for one in told.of(Scored)} == SCORES
    assert len(told.requests()) == 4


def test_b4_of_two_copies_of_one_text_the_same_may_be_said():
    scene = Scene(DOCUMENTS, {"judge": lambda request: reply(request.passage.document, argument="They dread it.")})
    cards = {"a": "twins", "b": "twins", "c": ""}
    described = scene.corpus.documents
    scene.corpus.documents = lambda ids: tuple(replace(card, cluster=cards[card.id]) for card in described(ids))

    told = run(judge(Question("Fear"), Rules(), ORDER), scene)

    assert [one.document for one in told.of(Scored)] == ["a", "b"]
    assert told.only(NotJudged).document == "c"


def test_h3_a_judge_may_say_that_a_text_cannot_be_judged():
    found = only("a", ['{"argument": "The scan cannot be read.", "score": null}'])

    assert (found.reason, found.why) == (Unjudged.NO_SCORE, "The scan cannot be read.")


def test_t8_a_reply_that_cannot_be_read_is_asked_for_again_with_what_was_wrong():
    told = judged(['{"score": 7, "argument": "Yes."}', reply("a")], replace(ORDER, items=ITEMS[:1]))

    assert told.only(Scored).score == 8
    assert told.value.unreadable == 1
    assert "the score stands before the argument: argue first, then score" in told.requests()[1].concern


@pytest.mark.parametrize(("stop", "reason"), [(Stop.REFUSED, Unjudged.REFUSED), (Stop.TOO_LONG, Unjudged.TOO_LONG)])
def test_refusing_and_not_fitting_are_two_reasons_and_never_a_low_score(stop, reason):
    found = only("a", (), answers={"judge": lambda _: Replied("no", "m", None, Usage(), stop)})

    assert (found.reason, found.why) == (reason, "no")


def test_b11_what_its_rights_withhold_is_not_shown_to_the_judge():
    told = judged(rules=Rules(withhold=(Access.CLOSED,)), access={"b": Access.CLOSED})

    assert [request.passage.document for request in told.requests()] == ["a", "c"]
    assert told.only(NotJudged).reason is Unjudged.WITHHELD
    assert told.only(NotJudged).why == "its rights: closed"


def test_what_is_no_longer_in_the_archive_is_counted():
    told = judged(gone=["b"])

    assert told.only(NotJudged).reason is Unjudged.GONE
    assert len(told.of(Scored)) == 2


@pytest.mark.parametrize("parallel", [1, 2])
def test_t16_a_budget_ends_it_and_what_is_left_is_not_judged(parallel):
    told = judged(rules=Rules(budget=Budget(calls=2), parallel=parallel))

    assert [one.document for one in told.of(Scored)] == ["a", "b"]
    assert told.only(BudgetReached).limit == "2 model calls"
    assert told.only(NotJudged).reason is Unjudged.LIMIT
    assert told.only(NotJudged).why == "the limit was reached: 2 model calls"
    assert told.only(Closed).partial is True


def test_every_call_is_accounted_for_under_its_task():
    consulted = judged(usage=Usage(10, 2, 0, 0.5)).of(Consulted)

    assert [(one.task, one.outcome) for one in consulted] == [("judge", Outcome.READ)] * 3


def test_an_empty_set_asks_nobody():
    told = judged(order=replace(ORDER, items=()))

    assert told.kinds() == ["Opened", "Closed"]
    assert told.effects == []


def a_person(*acts):
    order = replace(ORDER, person="Ada")
    return run(judge(Question("Fear"), Rules(), order), Scene(DOCUMENTS, acts={SHEET: acts}))


def scored(at, score, author="Ada"):
    return Scored(ITEMS[at].passage, ITEMS[at].document, score, author=author)


def test_h3_a_person_judges_at_a_checkpoint_and_no_model_is_asked():
    told = a_person(scored(2, 4), scored(0, 9), scored(1, 1))

    assert told.effects == [Attend(SHEET, wait=True)]
    assert [told.value.judgements[item.passage].score for item in ITEMS] == [9, 1, 4]
    assert told.of(NotJudged) == []


def test_h4_what_a_person_leaves_empty_or_scores_beside_the_scale_is_not_judged():
    told = a_person(scored(0, 9), scored(1, 11))

    assert [(one.document, one.reason, one.author) for one in told.of(NotJudged)] == [
        ("b", Unjudged.OUT_OF_RANGE, "Ada"),
        ("c", Unjudged.EMPTY, "Ada"),
    ]
    assert tally(ITEMS, told.value).scores == (9,)


def test_h4_counts_add_up_and_a_constant_judge_is_told():
    told = judged(lambda request: reply(request.passage.document, 5), rules=Rules(budget=Budget(calls=2)))
    counted = tally((*ITEMS, Item(passage_id(DocumentId("z"), 0, 1), DocumentId("z"))), told.value)

    assert counted.scores == (5, 5)
    assert counted.constant is True
    assert counted.unjudged == {Unjudged.LIMIT: 1}
    assert counted.waiting == 1
    assert tally(ITEMS, judged().value).constant is False
    assert tally(ITEMS[:1], judged().value).constant is False
