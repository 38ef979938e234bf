"""Small runs from end to end: an archive in memory, a script that uses every stage, a ledger with a fixed clock."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from fakes.corpus import MemoryCorpus, YearReader, a_day, a_document
from fakes.index import MemoryIndex
from fakes.ledger import MemoryLedger
from fakes.samples import ticking
from vestigia.domain.archive import Passage
from vestigia.domain.effects import Answer, Effect, Usage
from vestigia.domain.entries import Entry, Manifest
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, PassageId, RunId, digest
from vestigia.domain.ports import Index, Model
from vestigia.domain.question import Question
from vestigia.domain.requests import (
    BriefRequest,
    Desk,
    JudgeRequest,
    PlanRequest,
    RankRequest,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    StepRequest,
)
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.engine.journal import WaitingError
from vestigia.engine.world import Archive, LiveWorld
from vestigia.inquiry.state import State
from vestigia.ledger.codec import encode
from vestigia.models.extractive.model import ExtractiveModel
from vestigia.models.scripted import ScriptedModel
from vestigia.prompts.library import INPUTS, Library

RUN = RunId("2026-01-02-die-bruecke-abcdef")
QUESTION = Question("Was schrieb der Landbote 1887 über die Brücke?")
MANIFEST = Manifest("0", digest("corpus"), digest("index"), digest("prompts"), digest("settings"), "m", digest("m"))
DOCUMENTS = (
    a_document(
        "L1",
        "Die Brücke ist am Montag eröffnet worden.\nDer Bürgermeister hielt eine Rede.",
        "Landbote",
        a_day(1887, 5, 2),
    ),
    a_document("L2", "Über die Brücke fahren nun die Wagen.\nDer Zoll bleibt.", "Landbote", a_day(1887, 6, 1)),
    a_document("L3", "Das Hochwasser bedroht die alte Brücke.", "Landbote", a_day(1886, 12, 31)),
    a_document("L4", "Die Ernte war gut.\nEin Markt fand statt.", "Landbote", a_day(1887, 9, 9)),
    a_document("L5", "Der Winter war streng.\nDer Fluss fror zu.", "Landbote", a_day(1886, 12, 31)),
    a_document("R1", "Beschluss: Die Brücke wird gebaut.\nKosten 40 000 Mark.", "Rat", a_day(1887, 1, 8)),
    a_document("R2", "Der Rat vertagt die Brücke.", "Rat"),
    a_document("R3", "Antrag auf ein Schulhaus.", "Rat", a_day(1887, 2, 2)),
    a_document("B1", "Liebe Marie, die Brücke macht mir Angst.", "Briefe", a_day(1887, 5, 3)),
)


@dataclass(frozen=True)
class Finished:
    """A run that came to an end."""

    state: State
    entries: tuple[Entry, ...]

    @property
    def lines(self) -> bytes:
        return lines(self.entries)


class Faltering:
    """A world that gives no answer at its n-th call (from 1), and the same as another one otherwise."""

    def __init__(self, world: LiveWorld, at: int) -> None:
        self.world, self.at, self.calls = world, at, 0

    async def perform(self, effects: tuple[Effect, ...]) -> tuple[Answer, ...]:
        self.calls += 1
        if self.calls == self.at:
            raise ModelUnavailableError("no answer", remedy="Resume later.")
        return await self.world.perform(effects)

    def actor(self, effects: tuple[Effect, ...]) -> str:
        return self.world.actor(effects)


def lines(entries: Iterable[Entry]) -> bytes:
    """The ledger file that holds these entries."""
    return b"".join(encode(entry) for entry in entries)


def a_ledger(entries: Iterable[Entry] = ()) -> MemoryLedger:
    """A ledger whose entry n is always of the same second, however often the run was interrupted before."""
    kept = tuple(entries)
    return MemoryLedger(RUN, ticking(len(kept)), kept)


def a_world(ledger: MemoryLedger, model: Model, index: Index | None = None) -> LiveWorld:
    corpus = MemoryCorpus(DOCUMENTS)
    archive = Archive(corpus, index or MemoryIndex(corpus.pairs()), YearReader(), model, library())
    return LiveWorld(archive, ledger)


def library() -> Library:
    """The prompts as shipped."""
    folder = files("vestigia.prompts")
    return Library.parse({name: (folder / f"{name}.md").read_text("utf-8") for name in INPUTS})


def started(rules: Rules = Rules(), question: Question = QUESTION) -> MemoryLedger:
    """A ledger with nothing but its first entry."""
    ledger = a_ledger()
    runs.begin(ledger, MANIFEST, question, rules)
    return ledger


def carry_on(ledger: MemoryLedger, model: Model, index: Index | None = None) -> Finished:
    """Resume with a stopwatch that stands still."""
    state = runs.resume(ledger, a_world(ledger, model, index), stopwatch=lambda: 0.0)
    return Finished(state, ledger.entries())


def finished(model: Model, rules: Rules = Rules(), index: Index | None = None) -> Finished:
    """A run from its first entry to its last."""
    return carry_on(started(rules), model, index)


def scripted() -> ScriptedModel:
    """A model that plans, reviews, searches, briefs and ranks by what it is shown: it can be resumed anywhere."""
    return ScriptedModel(_script, usage=Usage(100, 10, 0, 0.001))


def spread() -> ScriptedModel:
    """The same with a plan of four, three of them free to go side by side and one that waits for the first."""

    def script(request: Request, passages: Mapping[PassageId, Passage]) -> str:
        if not isinstance(request, PlanRequest):
            return _script(request, passages)
        free = [_sub_question(f"Was stand {where} über die Brücke?", where) for where in ("Landbote", "Rat", "Briefe")]
        waits = {**_sub_question("Was schrieb man im Landboten danach?", "Landbote"), "after": [1]}
        return json.dumps({"sub_questions": [free[0], waits, *free[1:]]}, ensure_ascii=False)

    return ScriptedModel(script, usage=Usage(100, 10, 0, 0.001))


WAVES = Rules(parallel=4, review_size=2)
"""Sub-questions side by side, and several review batches of each search."""


CONCISE = Rules(parallel=4, review_size=20, excerpt=5, sparing=True, concise=True, taken_shown=8)
"""Several things in one call, passages by numbers."""


def both() -> tuple[Model, Model]:
    return scripted(), ExtractiveModel()


def _script(request: Request, passages: Mapping[PassageId, Passage]) -> str:
    return json.dumps(_reply(request, passages), ensure_ascii=False)


def _reply(request: Request, passages: Mapping[PassageId, Passage]) -> dict[str, Any]:  # noqa: PLR0911
    match request:
        case PlanRequest():
            return {
                "sub_questions": [
                    _sub_question("Was stand 1887 im Landboten über die Brücke?", "Landbote"),
                    _sub_question("Was beschloss der Rat?", "Rat"),
                ]
            }
        case StepRequest():
            return _step(request.desk)
        case ReviewRequest(numbered=True):
            said = [_verdict(s.passage, passages) for s in request.passages]
            numbered = [{**one, "passage": number} for number, one in enumerate(said, 1)]
            memory = {"findings": f"{len(request.desk.taken)} taken before"}
            following = {"next": _step(request.desk)} if request.ahead else {}
            return {"verdicts": numbered, "memory_update": memory, **following}
        case ReviewRequest():
            return {
                "action": "review",
                "args": {"verdicts": [_verdict(s.passage, passages) for s in request.passages]},
                "memory_update": {"findings": f"{len(request.desk.taken)} taken before"},
            }
        case ReevaluateRequest(numbered=True):
            brief = {"brief": {"facts": ["one"], "hints": ["Zoll"]}, "replan": len(request.held) > 1}
            return {"promote": [{"passage": 1, "reason": "fits the others"}], **(brief if request.brief else {})}
        case ReevaluateRequest():
            return {"promote": [{"passage": request.held[0].passage, "reason": "fits the others"}]}
        case BriefRequest():
            return {"facts": [taken.reason for taken in request.desk.taken], "hints": ["Zoll"]}
        case ReplanRequest():
            kept = [_sub_question(s.text, s.sub_corpus) for s in request.remaining]
            letters = _sub_question("Was fühlte man?", "Briefe")
            return {"sub_questions": [*kept, *([] if len(request.finished) > 1 else [letters])]}
        case JudgeRequest():
            text = passages[request.passage.passage].text
            return {"argument": f"It says “{text}”", "quote": text[:12], "score": 1 + len(text) % 10}
        case RankRequest():
            return {"order": sorted((c.document for c in request.group), reverse=True)}


def _sub_question(text: str, sub_corpus: str) -> dict[str, Any]:
    return {"text": text, "sub_corpus": sub_corpus}


def _step(desk: Desk) -> dict[str, Any]:
    """The first sub-question: by words, by date, by the same words, finish. Later ones: by date, finish."""
    turns = sum(not action.startswith("review") for action in desk.actions)
    words = {"action": "words", "args": {"query": "Zoll Markt"}}
    date = {"action": "date", "args": {"from": "1887-01-01", "to": "1887-05-02"}}
    steps = [words, date, words] if desk.sub_question.id == "q1" else [date]
    return [*steps, {"action": "finish"}][min(turns, len(steps))]


def _verdict(passage: PassageId, passages: Mapping[PassageId, Passage]) -> dict[str, str]:
    text = passages[passage].text
    if "Brücke" in text:
        return {"passage": passage, "verdict": "accept", "reason": "names the bridge", "quote": text[:12]}
    return {"passage": passage, "verdict": "hold" if "Rede" in text or "Zoll" in text else "reject", "reason": "no"}


def golden_run() -> Finished:
    """The run that `tests/golden/run-v1.jsonl` records: scripted, paused once, with a person's decision in it.

    Its model reads the requests, so that the words of a prompt may be bettered without changing it.
    """
    model, ledger = replace(scripted(), reads_prompts=False), started(Rules(pause=("final",)))
    with suppress(WaitingError):
        carry_on(ledger, model)
    runs.decide(ledger, Overruled(DocumentId("L3"), Decision.REJECT, "of the year before", "Ada"))
    runs.release(ledger, "Ada")
    return carry_on(ledger, model)
