"""What a judging or an interpretation will take, before it begins: its prompts as they will be sent, counted (T16).

A token is taken for three bytes, on the safe side. Replies cannot be known: a judgement is taken for 250 tokens, what
is quoted or written for TRACE's average of a call.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from vestigia.app.accounts import INPUT, OUTPUT, Estimate, estimate_calls
from vestigia.app.models import Answering
from vestigia.domain.archive import Passage
from vestigia.domain.commissions import InterpretOrder, Item, JudgeOrder
from vestigia.domain.ids import PassageId
from vestigia.domain.periods import label
from vestigia.domain.requests import JudgeRequest, QuoteRequest, Request, Shown
from vestigia.domain.rules import Rules
from vestigia.engine.world import Archive
from vestigia.prompts.render import render

Say = Callable[[Estimate], None]
"""Told what a work will take, before it begins."""
JUDGEMENT = 250
"""Tokens of an argument, its quotation and its score."""
BYTES_A_TOKEN = 3


def say_judging(say: Say | None, by: Answering, archive: Archive, rules: Rules, order: JudgeOrder, about: str) -> None:
    """Say what it takes to judge a set gathered for what `about` says: a call for each passage the model may see."""
    if say is None:
        return
    seen, texts = _seen(archive, rules, order.items)
    asked = [(_tokens(JudgeRequest(order.rubric, about, one), texts, archive), JUDGEMENT) for one in seen]
    _say(say, by, rules, asked)


def say_interpreting(say: Say | None, by: Answering, archive: Archive, rules: Rules, order: InterpretOrder) -> None:
    """Say what it takes to interpret a dossier: for each question its passages read a few at a time, then a call to
    write, of TRACE's average size; with several questions one more.
    """
    if say is None:
        return
    seen, texts = _seen(archive, rules, order.items)
    batches = [tuple(seen[start : start + rules.review_size]) for start in range(0, len(seen), rules.review_size)]
    asked = [
        (_tokens(QuoteRequest(question, batch), texts, archive), OUTPUT)
        for question in order.questions
        for batch in batches
    ]
    written = len(order.questions) + (len(order.questions) > 1)
    _say(say, by, rules, [*asked, *([(INPUT, OUTPUT)] * written)])


def _say(say: Say, by: Answering, rules: Rules, asked: list[tuple[int, int]]) -> None:
    found = estimate_calls(by, asked, rules.budget.calls, datetime.now(UTC))
    if found is not None:
        say(found)


def _seen(archive: Archive, rules: Rules, items: tuple[Item, ...]) -> tuple[list[Shown], dict[PassageId, Passage]]:
    """The passages that the model may see, and their texts."""
    cards = {card.id: card for card in archive.corpus.documents([item.document for item in items])}
    texts = {one.id: one for one in archive.corpus.passages([item.passage for item in items])}
    found = [(item.passage, cards[item.document]) for item in items if item.document in cards and item.passage in texts]
    seen = [
        Shown(passage, card.id, card.title, label(card.period) if card.period else "", card.sub_corpus, "")
        for passage, card in found
        if card.access not in rules.withhold
    ]
    return seen, texts


def _tokens(request: Request, texts: Mapping[PassageId, Passage], archive: Archive) -> int:
    return len(render(request, texts, archive.library).encode("utf-8", "replace")) // BYTES_A_TOKEN + 1
