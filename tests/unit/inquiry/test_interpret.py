"""H9, B8: quotations first, each checked; claims from checked ones alone, and nothing of them dropped or mended."""

import json

import pytest

from fakes.corpus import a_day, a_document
from fakes.curating import ORIGIN, QUESTION
from fakes.flow import Scene, run
from vestigia.domain.archive import Access
from vestigia.domain.commissions import InterpretOrder, Item
from vestigia.domain.effects import CheckQuotes, DossierRead, QuotesChecked, ReadDossier, Replied, Stop
from vestigia.domain.events import Closed, Consulted, DossierOpened, Interpreted, Quoted
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.quotations import Outcome
from vestigia.domain.requests import InterpretRequest, SynthesisRequest
from vestigia.domain.rules import Budget, Rules
from vestigia.inquiry.interpret import NO_QUOTE, interpret
from vestigia.inquiry.quotes.seal import checked

DOCUMENTS = (
    a_document("a", "Die Brücke ist am Montag eröffnet worden.", "Landbote", a_day(1887, 5, 2)),
    a_document("b", "Der Zoll bleibt, nicht aber die Mauth.", "Landbote"),
    a_document("c", "Der Winter war streng.", "Briefe"),
)
ITEMS = tuple(Item(PassageId(f"{d.id}#0-{len(d.text)}"), d.id) for d in DOCUMENTS)
BRIDGE, TOLL = "Die Brücke ist am Montag eröffnet worden.", "Der Zoll bleibt"


class Room(Scene):
    """A scene whose archive has a sealed dossier and checks quotations."""

    def answer(self, effect):
        match effect:
            case ReadDossier():
                return DossierRead(ITEMS, "All letters.", "Ada", "2026-01-01T00:00:00Z")
            case CheckQuotes(quotes):
                there = {p.id: p for p in self.corpus.passages([quote.passage for quote in quotes])}
                return QuotesChecked(tuple(checked(quote.text, there[quote.passage]) for quote in quotes))
            case _:
                return super().answer(effect)


def quote(name, text):
    item = next(item for item in ITEMS if item.document == name)
    return {"passage": item.passage, "quote": text}


QUOTES = {"quotes": [quote("a", BRIDGE), quote("b", TOLL), quote("b", "Der Zoll fällt")]}
CLAIMS = {
    "claims": [{"text": "The bridge was opened.", "quotes": [1]}, {"text": "Nobody paid.", "quotes": [3, 9, 9]}],
    "silence": "who paid",
}
TOGETHER = {"claims": [{"text": "Both.", "quotes": [1]}]}
REPLIES = {"quote": lambda _: QUOTES, "interpret": lambda _: CLAIMS, "synthesis": lambda _: TOGETHER}


def told(questions=("What became of the bridge?",), rules=Rules(), **scene):
    order = InterpretOrder(ORIGIN, ITEMS, questions)
    return run(interpret(QUESTION, rules, order), Room(DOCUMENTS, **{"replies": REPLIES, **scene}))


def test_h1_the_dossier_is_asked_for_before_anything_else():
    found = told()

    assert found.effects[0] == ReadDossier(ORIGIN)
    opened = found.only(DossierOpened)
    assert (opened.author, opened.statement, opened.sealed_at) == ("Ada", "All letters.", "2026-01-01T00:00:00Z")
    assert [card.id for card in opened.cards] == ["a", "b", "c"]


def test_h9_every_quotation_is_checked_where_it_is_said_to_stand_and_none_is_left_out():
    quotes = told().only(Quoted).quotes

    assert [(q.number, q.document, q.seal.outcome) for q in quotes] == [
        (1, "a", Outcome.EXACT),
        (2, "b", Outcome.EXACT),
        (3, "b", Outcome.ALTERED),
    ]
    assert quotes[1].seal.spans == ((0, 15),)


def test_h9_it_writes_only_from_quotations_that_are_sealed():
    (request,) = told().requests("interpret")

    assert isinstance(request, InterpretRequest)
    cited = [(one.number, one.text, one.date) for one in request.quotes]
    assert cited == [(1, BRIDGE, "1887-05-02"), (2, TOLL, "")]


def test_h9_a_claim_is_kept_as_it_was_written_and_what_it_names_in_vain_is_told():
    written = told().only(Interpreted)

    assert [(c.id, c.text, c.quotes, c.unknown) for c in written.claims] == [
        ("1.1", "The bridge was opened.", (1,), ()),
        ("1.2", "Nobody paid.", (), (3, 9)),
    ]
    assert (written.silence, written.model, written.why) == ("who paid", "scripted", "")


def test_h9_several_questions_are_answered_each_and_then_together():
    found = told(("What became of the bridge?", "And of the toll?"))
    (request,) = found.requests("synthesis")

    assert [event.question for event in found.of(Interpreted)] == [1, 2, 0]
    assert [q.number for event in found.of(Quoted) for q in event.quotes] == [1, 2, 3, 4, 5, 6]
    assert isinstance(request, SynthesisRequest)
    assert [claim.id for claim in request.claims] == ["1.1", "1.2", "2.1", "2.2"]
    assert [cited.number for cited in request.quotes] == [1, 2, 4, 5]
    assert found.of(Interpreted)[-1].claims[0].id == "all.1"
    assert found.only(Closed).partial is False


def test_a_quotation_of_a_passage_that_was_not_shown_cannot_be_checked():
    stranger = {"quotes": [{"passage": "z#0-9", "quote": "Die Brücke"}, quote("a", BRIDGE), quote("a", BRIDGE)]}
    found = told(replies={"quote": [stranger], "interpret": lambda _: CLAIMS})
    first, second = found.only(Quoted).quotes

    assert (first.document, first.seal.outcome, first.seal.why) == (
        None,
        Outcome.UNCHECKABLE,
        "this passage was not shown to the model",
    )
    assert second.seal.outcome is Outcome.EXACT


def test_where_no_quotation_is_sealed_nothing_is_written():
    found = told(("One?", "Two?"), replies={"quote": lambda _: {"quotes": []}})

    assert [event.why for event in found.of(Interpreted)] == [NO_QUOTE] * 3
    assert found.requests("interpret") == []


def test_passages_are_read_a_few_at_a_time():
    found = told(rules=Rules(review_size=2), replies={"quote": lambda _: {"quotes": []}})

    assert [len(request.passages) for request in found.requests("quote")] == [2, 1]


def test_b11_what_its_rights_keep_from_the_model_is_not_shown_to_it_and_named():
    found = told(rules=Rules(withhold=(Access.CLOSED,)), access={"b": Access.CLOSED})

    assert found.only(DossierOpened).withheld == (DocumentId("b"),)
    assert [shown.document for request in found.requests("quote") for shown in request.passages] == ["a", "c"]


def test_a_source_that_is_gone_is_named_and_not_read():
    found = told(gone=["c"])

    assert found.only(DossierOpened).gone == (DocumentId("c"),)
    assert [shown.document for request in found.requests("quote") for shown in request.passages] == ["a", "b"]


def test_a_batch_that_is_too_long_is_halved_and_what_cannot_be_read_is_named():
    def too_long(request):
        if len(request.passages) > 1 or request.passages[0].document == "c":
            return Replied("the request does not fit", "scripted", stop=Stop.TOO_LONG)
        return Replied(json.dumps({"quotes": [quote("a", BRIDGE)]}), "scripted")

    quoted = told(answers={"quote": too_long}).only(Quoted)

    assert [q.document for q in quoted.quotes] == ["a", None]
    assert (quoted.unread, quoted.why) == ((ITEMS[2].passage,), "not judged: scripted: the request does not fit")


def test_an_unreadable_interpretation_is_no_interpretation():
    found = told(rules=Rules(parse_retries=1), replies={"quote": lambda _: QUOTES, "interpret": lambda _: "well"})

    assert [c.outcome for c in found.of(Consulted) if c.task == "interpret"] == ["unreadable", "unreadable"]
    assert found.only(Interpreted).why == "not judged: no reply of scripted could be read"


@pytest.mark.parametrize(("calls", "unread", "why"), [(0, 3, "0 model calls"), (1, 0, "1 model calls")])
def test_a_budget_ends_it_with_a_partial_result(calls, unread, why):
    found = told(rules=Rules(budget=Budget(calls=calls)))

    assert len(found.only(Quoted).unread) == unread
    assert found.only(Closed).partial is True
    assert found.value.limit == why
    assert found.only(Interpreted).why == (NO_QUOTE if unread else f"the budget of {why} was reached")
