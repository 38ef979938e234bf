"""Carrying out effects through the ports. The only place where the program waits for anything."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from vestigia.domain.archive import Access, Passage
from vestigia.domain.commissions import Origin
from vestigia.domain.effects import (
    Answer,
    AskModel,
    Attend,
    CheckQuotes,
    Describe,
    Described,
    DossierRead,
    Effect,
    Expand,
    Found,
    Mark,
    QuotesChecked,
    ReadDates,
    ReadDossier,
    Replied,
    Search,
    Survey,
    Surveyed,
    Weigh,
)
from vestigia.domain.errors import StaleIndexError, UsageError, VestigiaError
from vestigia.domain.ports import AT_ONCE, Corpus, DateReader, Index, Ledger, Model
from vestigia.domain.quotations import Outcome, Seal
from vestigia.domain.requests import Request, passages_of
from vestigia.inquiry.consult import TASKS
from vestigia.inquiry.dossier import Dossier
from vestigia.inquiry.quotes.seal import checked
from vestigia.prompts.library import Library
from vestigia.prompts.render import render
from vestigia.prompts.suspicion import suspicion


def no_dossier(origin: Origin) -> Dossier:
    """Say that dossiers are kept nowhere. Raises UsageError."""
    raise UsageError("no person has sealed that dossier.", where=f"run {origin.run}", remedy="`vestigia seal` does it.")


@dataclass(frozen=True, slots=True)
class Archive:
    """The parts a run works with, each behind its port.

    `models` are those of tasks that `model` does not answer, `withhold` what none of them may see (B11).
    """

    corpus: Corpus
    index: Index
    dates: DateReader
    model: Model
    library: Library
    models: Mapping[str, Model] = field(default_factory=dict)
    withhold: tuple[Access, ...] = ()
    chosen: tuple[tuple[str, str], ...] = ()
    """Which configured model answers which task, as the manifest has it."""
    dossier: Callable[[Origin], Dossier] = no_dossier
    """Reads a dossier off the ledger it was sealed in."""

    def model_for(self, request: Request) -> Model:
        """The model that answers a request."""
        return self.models.get(TASKS[type(request).__name__], self.model)


@dataclass(frozen=True, slots=True)
class LiveWorld:
    """The world of one run: its archive, and its ledger to keep prompts in.

    `clock` says how many seconds the run has been at work, where its rules limit them.
    """

    archive: Archive
    ledger: Ledger
    clock: Callable[[], float] | None = None
    gates: dict[str, asyncio.Semaphore] = field(default_factory=dict)
    """By model: how many of its calls may be under way."""

    async def perform(self, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
        """Carry out effects together; the answers stand in the order asked, whatever order they came in."""
        return tuple(await asyncio.gather(*(self._answer(effect) for effect in effects)))

    def actor(self, effects: tuple[Effect, ...]) -> str:
        """A model's answers are its own; everything else is the code's."""
        asked = [self.archive.model_for(effect.request).name for effect in effects if isinstance(effect, AskModel)]
        return f"model:{', '.join(dict.fromkeys(asked))}" if asked else "code"

    async def _answer(self, effect: Effect) -> Answer:  # noqa: PLR0911  one branch an effect
        match effect:
            case Search():
                return await asyncio.to_thread(self._search, effect)
            case AskModel():
                return await self._ask(effect)
            case Survey():
                return Surveyed(self.archive.corpus.sub_corpora(), self.archive.index.channels())
            case ReadDates():
                return self.archive.dates.read(effect)
            case Weigh():
                return self.archive.index.weigh(effect)
            case Expand():
                return await asyncio.to_thread(self.archive.index.expand, effect)
            case Describe():
                return self._describe(effect)
            case ReadDossier():
                read = self.archive.dossier(effect.origin)
                return DossierRead(read.sources, read.statement, read.author, read.time)
            case CheckQuotes():
                return self._check(effect)
            case Attend():
                raise TypeError("people are heard by the journal, not by the world")

    def _search(self, search: Search) -> Found:
        """A search that fails is an answer of its own, never an empty list."""
        try:
            return self.archive.index.search(search)
        except VestigiaError as error:
            return Found(failure=str(error))

    def _describe(self, effect: Describe) -> Described:
        cards = self.archive.corpus.documents(effect.documents)
        if len(cards) < len(effect.documents) and not effect.if_there:
            known = {card.id for card in cards}
            raise _gone(f"document {next(d for d in effect.documents if d not in known)}")
        return Described(cards)

    def _check(self, effect: CheckQuotes) -> QuotesChecked:
        """Check each quotation in the passage it names; spans count from the beginning of the document."""
        wanted = tuple(dict.fromkeys(quote.passage for quote in effect.quotes))
        passages = {passage.id: passage for passage in self.archive.corpus.passages(wanted)}
        gone = Seal(Outcome.UNCHECKABLE, why="its passage is no longer in the archive")
        return QuotesChecked(
            tuple(
                checked(quote.text, passages[quote.passage]) if quote.passage in passages else gone
                for quote in effect.quotes
            )
        )

    async def _ask(self, effect: AskModel) -> Replied:
        request = effect.request
        wanted = passages_of(request)
        passages = {passage.id: passage for passage in self.archive.corpus.passages(wanted)}
        for passage in wanted:
            if passage not in passages:
                raise _gone(f"passage {passage}")
        self._refuse_withheld(tuple(passages.values()))
        marks: list[Mark] = []

        def prompt() -> str:
            words = render(request, passages, self.archive.library)
            self.ledger.keep(words)
            marks[:] = [Mark(name, why) for name, passage in passages.items() if (why := suspicion(passage.text))]
            return words

        model = self.archive.model_for(request)
        async with self._gate(model):
            replied = await model.complete(request, passages, prompt)
        return replace(replied, marks=tuple(marks), worked=self.clock() if self.clock else None)

    def _refuse_withheld(self, passages: tuple[Passage, ...]) -> None:
        """The core holds what its rights keep from the models; rights that changed since then are met here."""
        if not self.archive.withhold:
            return
        for card in self.archive.corpus.documents(tuple(dict.fromkeys(passage.document for passage in passages))):
            if card.access in self.archive.withhold:
                raise StaleIndexError(
                    f"the rights of {card.id} keep it from the model now; they did not when the run began.",
                    remedy="Ask the question anew.",
                )

    def _gate(self, model: Model) -> asyncio.Semaphore:
        return self.gates.setdefault(model.name, asyncio.Semaphore(getattr(model, "at_once", AT_ONCE)))


def _gone(what: str) -> StaleIndexError:
    return StaleIndexError(
        f"{what} was found by the index but is not in the catalogue.",
        remedy="Run `vestigia add` on the archive's sources again, then ask anew.",
    )
