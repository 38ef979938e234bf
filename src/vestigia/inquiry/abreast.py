"""Several coroutines of the core side by side: one crossing carries what all of them ask (`design.md`, The core).

Each goes on until it asks the world; when all have asked, it is asked together. Searches go before model calls, so
that the calls of all go out at once: waiting for models is nearly all the time a run takes (T16). Nothing depends on
which answer came first: coroutines go on in their order, and so does the ledger.
"""

from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from vestigia.domain.effects import Answer, AskModel
from vestigia.domain.events import Event
from vestigia.domain.ids import SubQuestionId
from vestigia.inquiry.crossing import Crossing, Fact, LookRound, Missed, Pause, UnderWay
from vestigia.inquiry.fold import fold
from vestigia.inquiry.state import State

Flow = Coroutine[Any, Any, State]


@dataclass
class _Lane:
    """A coroutine, how much of the common log it has heard, and what it waits for; nothing: it has ended."""

    flow: Flow
    heard: int = 0
    wish: Crossing | Pause | None = None

    def missed(self, log: Sequence[Event]) -> Missed:
        """What the others recorded since it heard last."""
        news, self.heard = tuple(log[self.heard :]), len(log)
        return news

    @property
    def asks(self) -> Crossing | None:
        """What it asks of the world, or none."""
        return self.wish if isinstance(self.wish, Crossing) else None


async def abreast(state: State, flows: Iterable[Flow]) -> State:
    """Run coroutines that begin with `state` to their ends; returns the state that they lead to together."""
    log: list[Event] = []
    lanes = [_Lane(flow) for flow in flows]
    try:
        for lane in lanes:
            await _advance(lane, None, lanes, log)
        while going := [lane for lane in lanes if lane.wish]:
            await _turn(going, lanes, log)
    finally:
        for lane in lanes:
            lane.flow.close()
    return fold(log, state)


async def _turn(going: Sequence[_Lane], lanes: Sequence[_Lane], log: list[Event]) -> None:
    """Let those that asked for searches have them; if there are none, all that asked models; else hear people."""
    asking = [(lane, lane.asks) for lane in going if lane.asks]
    quick = [(lane, asked) for lane, asked in asking if not _calls(asked)]
    together = quick or asking
    if not together:  # a person is waited for only when nothing else can be done
        first, pause = next((lane, lane.wish) for lane in going if isinstance(lane.wish, Pause))
        log.extend(await pause)
        await _advance(first, first.missed(log), lanes, log)
        return
    answers = iter(await Crossing(tuple(effect for _, asked in together for effect in asked.effects)))
    shares = [tuple(next(answers) for _ in asked.effects) for _, asked in together]
    for (lane, _), share in zip(together, shares, strict=True):
        await _advance(lane, share, lanes, log)


async def _advance(
    lane: _Lane, sent: tuple[Answer, ...] | Missed | UnderWay | None, lanes: Sequence[_Lane], log: list[Event]
) -> None:
    """Let one go on until it asks the world, must wait for a person, or ends."""
    lane.wish = None
    try:
        while True:
            wish = lane.flow.send(sent)
            match wish:
                case Fact(event):
                    log.extend(await wish)
                    sent = lane.missed(log)
                    log.append(event)
                    lane.heard += 1
                case LookRound():
                    seen = await wish
                    log.extend(seen.missed)
                    calls = [call for other in lanes if other.asks for call in _calls(other.asks)]
                    sent = UnderWay(lane.missed(log), (*seen.calls, *calls))
                case Pause() if not wish.effect.wait:
                    log.extend(await wish)
                    sent = lane.missed(log)
                case Crossing() | Pause():
                    lane.wish = wish
                    return
                case _:
                    raise TypeError(f"the core may await its own crossings only, not {wish!r}")
    except StopIteration:
        return


def _calls(asked: Crossing) -> list[SubQuestionId | None]:
    """The model calls among what is asked, by sub-question."""
    requests = [effect.request for effect in asked.effects if isinstance(effect, AskModel)]
    desks = [getattr(request, "desk", None) for request in requests]
    return [desk.sub_question.id if desk else None for desk in desks]
