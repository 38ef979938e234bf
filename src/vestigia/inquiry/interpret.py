"""Interpret: quotations first, each checked; then claims from the checked ones and from nothing else (H9, B8).

Only a dossier that a person sealed is interpreted, and the archive answers for it (H1). What the model writes is a
proposal: nothing of it is dropped or mended, what has no sealed quotation stays and is shown as unproven.
"""

from collections.abc import Sequence

from vestigia.domain.commissions import InterpretOrder, Item
from vestigia.domain.effects import CheckQuotes, Describe, Described, DossierRead, Excerpt, QuotesChecked, ReadDossier
from vestigia.domain.events import Closed, DossierOpened, Interpreted, Opened, Quoted
from vestigia.domain.ids import PassageId
from vestigia.domain.question import Question
from vestigia.domain.quotations import Claim, Outcome, Quote, Seal
from vestigia.domain.requests import Cited, InterpretRequest, QuoteRequest, Shown, SynthesisRequest
from vestigia.domain.rules import Rules
from vestigia.inquiry.consult import consult, too_long, why_silent
from vestigia.inquiry.crossing import ask_one, record
from vestigia.inquiry.desk import date_of, is_withheld
from vestigia.inquiry.replies import ClaimsReply, QuoteReply, QuotesReply, read_reply
from vestigia.inquiry.state import State

NO_QUOTE = "no quotation that stands in the sources bears on it: nothing is written"
NOT_SHOWN = Seal(Outcome.UNCHECKABLE, why="this passage was not shown to the model")
_ALL = 0
"""The number of what is said on all questions together."""


async def interpret(question: Question, rules: Rules, order: InterpretOrder) -> State:
    """Quote and write for each question, then on all of them together."""
    state = await record(State(), Opened(question, rules))
    dossier = await ask_one(ReadDossier(order.dossier), DossierRead)
    state, items = await _opened(state, dossier)
    quotes: tuple[Quote, ...] = ()
    claims: tuple[Claim, ...] = ()
    for number, asked in enumerate(order.questions, 1):
        state, found = await _quote(state, number, asked, items, len(quotes))
        request = InterpretRequest(asked, _cited(state, found))
        state, written = await _write(state, number, request)
        quotes, claims = quotes + found, claims + written
    if len(order.questions) > 1:
        request_all = SynthesisRequest(order.questions, claims, _cited(state, quotes))
        state, _ = await _write(state, _ALL, request_all)
    return await record(state, Closed(partial=bool(state.limit)))


async def _opened(state: State, dossier: DossierRead) -> tuple[State, tuple[Item, ...]]:
    """Open the dossier; what is gone, or what its rights keep from the model, is named and not shown (B11)."""
    wanted = tuple(item.document for item in dossier.sources)
    cards = (await ask_one(Describe(wanted, if_there=True), Described)).cards
    here = {card.id: card for card in cards}
    withheld = tuple(card.id for card in cards if card.access in state.rules.withhold)
    gone = tuple(document for document in wanted if document not in here)
    opened = DossierOpened(cards, dossier.statement, dossier.author, dossier.time, withheld, gone)
    state = await record(state, opened)
    items = (item for item in dossier.sources if item.document in here)
    return state, tuple(item for item in items if not is_withheld(state, item.document))


async def _quote(
    state: State, number: int, asked: str, items: Sequence[Item], before: int
) -> tuple[State, tuple[Quote, ...]]:
    """Have every passage read, a few at a time, and each quotation checked; those of one question are one event."""
    found: list[Quote] = []
    unread: list[PassageId] = []
    whys: dict[str, None] = {}
    size = state.rules.review_size
    batches = [tuple(items[start : start + size]) for start in range(0, len(items), size)]
    while batches:
        batch = batches.pop(0)
        request = QuoteRequest(asked, tuple(_shown(state, item) for item in batch))
        state, reply = await consult(state, request, lambda text: read_reply(text, QuotesReply))
        if reply is not None:
            found += await _checked(reply.quotes, batch, before + len(found))
        elif too_long(state) and not state.limit and len(batch) > 1:
            half = len(batch) // 2
            batches[:0] = [batch[:half], batch[half:]]
        else:
            unread += [item.passage for item in batch]
            whys[_why(state)] = None
    return await record(state, Quoted(number, tuple(found), tuple(unread), "; ".join(whys))), tuple(found)


async def _checked(said: Sequence[QuoteReply], batch: Sequence[Item], before: int) -> list[Quote]:
    """Check what was copied, each once, where it is said to stand; a passage that was not shown cannot be checked."""
    shown = {item.passage: item.document for item in batch}
    once = tuple(dict.fromkeys(Excerpt(PassageId(one.passage), one.quote) for one in said))
    there = tuple(one for one in once if one.passage in shown)
    seals = (await ask_one(CheckQuotes(there), QuotesChecked)).seals if there else ()
    sealed = dict(zip(there, seals, strict=True))
    return [
        Quote(number, one.passage, shown.get(one.passage), one.text, sealed.get(one, NOT_SHOWN))
        for number, one in enumerate(once, before + 1)
    ]


async def _write(
    state: State, number: int, request: InterpretRequest | SynthesisRequest
) -> tuple[State, tuple[Claim, ...]]:
    """Have claims written from quotations that are sealed; where there is none, nothing is written."""
    if not request.quotes:
        return await record(state, Interpreted(number, (), why=NO_QUOTE)), ()
    state, reply = await consult(state, request, lambda text: read_reply(text, ClaimsReply))
    if reply is None:
        return await record(state, Interpreted(number, (), why=_why(state))), ()
    offered = {quote.number for quote in request.quotes}
    lead = number or "all"
    claims = tuple(
        Claim(
            f"{lead}.{place}",
            one.text,
            tuple(dict.fromkeys(quote for quote in one.quotes if quote in offered)),
            tuple(dict.fromkeys(quote for quote in one.quotes if quote not in offered)),
        )
        for place, one in enumerate(reply.claims, 1)
    )
    model = state.consultations[-1].model
    return await record(state, Interpreted(number, claims, reply.silence, model)), claims


def _why(state: State) -> str:
    return f"the budget of {state.limit} was reached" if state.limit else why_silent(state)


def _shown(state: State, item: Item) -> Shown:
    card = state.cards[item.document]
    return Shown(item.passage, item.document, card.title, date_of(state, card.id), card.sub_corpus, "the dossier")


def _cited(state: State, quotes: Sequence[Quote]) -> tuple[Cited, ...]:
    """The quotations that stand in their sources, and no other."""
    return tuple(
        Cited(
            quote.number,
            quote.text,
            quote.passage,
            state.cards[quote.document].title,
            date_of(state, quote.document),
            state.cards[quote.document].sub_corpus,
        )
        for quote in quotes
        if quote.seal.sealed and quote.document is not None
    )
