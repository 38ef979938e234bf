"""Carrying out effects through the ports. The only place where the program waits for anything."""

import asyncio
from dataclasses import dataclass

from vestigia.domain.effects import (
    Answer,
    AskModel,
    Attend,
    Describe,
    Described,
    Effect,
    Expand,
    Found,
    ReadDates,
    Replied,
    Search,
    Survey,
    Surveyed,
    Weigh,
)
from vestigia.domain.errors import StaleIndexError, VestigiaError
from vestigia.domain.ports import Corpus, DateReader, Index, Ledger, Model
from vestigia.domain.requests import passages_of
from vestigia.prompts.library import Library
from vestigia.prompts.render import render


@dataclass(frozen=True, slots=True)
class Archive:
    """The parts a run works with, each behind its port."""

    corpus: Corpus
    index: Index
    dates: DateReader
    model: Model
    library: Library


@dataclass(frozen=True, slots=True)
class LiveWorld:
    """The world of one run: its archive, and its ledger to keep prompts in."""

    archive: Archive
    ledger: Ledger

    async def perform(self, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
        """Carry out effects together; the answers stand in the order asked, whatever order they came in."""
        return tuple(await asyncio.gather(*(self._answer(effect) for effect in effects)))

    def actor(self, effects: tuple[Effect, ...]) -> str:
        """A model's answers are its own; everything else is the code's."""
        asks_model = any(isinstance(effect, AskModel) for effect in effects)
        return f"model:{self.archive.model.name}" if asks_model else "code"

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
        if len(cards) < len(effect.documents):
            known = {card.id for card in cards}
            raise _gone(f"document {next(d for d in effect.documents if d not in known)}")
        return Described(cards)

    async def _ask(self, effect: AskModel) -> Replied:
        request = effect.request
        wanted = passages_of(request)
        passages = {passage.id: passage for passage in self.archive.corpus.passages(wanted)}
        for passage in wanted:
            if passage not in passages:
                raise _gone(f"passage {passage}")

        def prompt() -> str:
            words = render(request, passages, self.archive.library)
            self.ledger.keep(words)
            return words

        return await self.archive.model.complete(request, passages, prompt)


def _gone(what: str) -> StaleIndexError:
    return StaleIndexError(
        f"{what} was found by the index but is not in the catalogue.",
        remedy="Run `vestigia add` on the archive's sources again, then ask anew.",
    )
