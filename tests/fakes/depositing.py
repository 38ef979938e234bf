"""An archive of letters with all kinds of rights, and a model that repeats what it reads wherever it may write."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fakes.runs import RUN, golden_run
from vestigia.app.archive import add
from vestigia.app.depositing.derived import derived
from vestigia.app.depositing.record import DepositedRun, Record, as_json, read
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import Passage
from vestigia.domain.effects import Usage
from vestigia.domain.entries import Entry
from vestigia.domain.ids import Digest, PassageId, digest
from vestigia.domain.requests import (
    BriefRequest,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    StepRequest,
    SynthesisRequest,
)
from vestigia.ledger import deposit
from vestigia.ledger.codec import encode, seal
from vestigia.models.scripted import ScriptedModel

SECRET = "Quitten liegen heimlich unter siebzehn Dielen des Amtshauses."
"""Words of each text that may not leave; nothing else in the archive has them."""
RIGHTS = {"O": "public domain", "P": "all rights reserved", "C": "closed", "T": "no AI", "U": ""}
"""Open, personal use, closed, not to models of others, and nothing said."""
MAY_LEAVE = frozenset("OU")


def letters() -> list[dict[str, str]]:
    """Three letters of each kind of rights, all of them on the bridge; those that may not leave hold the secret."""
    made = []
    for kind, rights in RIGHTS.items():
        for number in (1, 2, 3):
            aside = "" if kind in MAY_LEAVE else f" {SECRET}"
            made.append(
                {
                    "id": f"{kind}{number}",
                    "title": f"Brief {kind}{number}",
                    "text": f"Die neue Brücke über die Alzette, Brief {kind}{number}, wird im Mai gebaut.{aside}",
                    "date": f"188{number}-05-0{number}",
                    "rights": rights,
                    "sub_corpus": "Rat" if number == 3 else "Briefe",
                }
            )
    return made


def an_archive(folder: Path, kinds: str = "OPCTU") -> Workspace:
    """An archive of the letters of these kinds; the encoders must be made small before."""
    made = init(folder / "archive", "Brücken")
    source = folder / "letters.jsonl"
    kept = [one for one in letters() if one["id"][0] in kinds]
    source.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in kept), encoding="utf-8")
    add(made, [source], ImportOptions())
    return made


def parrot(name: str = "parrot", *, own: bool = True, stutters: bool = False) -> ScriptedModel:
    """A model that repeats every passage it was ever shown in every text it writes.

    One that `stutters` searches twice for the same words, put otherwise.
    """
    heard: list[str] = []

    def script(request: Request, passages: Mapping[PassageId, Passage]) -> str:
        heard.extend(passage.text for passage in passages.values())
        if stutters and isinstance(request, StepRequest) and heard:
            turn = len(request.desk.actions)
            query = "Dielen heimlich" if turn % 2 else "dielen, heimlich!"
            return json.dumps({"action": "words" if turn < 6 else "finish", "args": {"query": query}})
        return json.dumps(_reply(request, passages, " ".join(heard)[-400:]), ensure_ascii=False)

    model = ScriptedModel(script, name, Usage(100, 10, 0, 0.001))
    return _Own(model) if own else model  # type: ignore[return-value]


class _Own:
    """The same, run by nobody else: it may read what others' models may not."""

    own = True

    def __init__(self, model: ScriptedModel) -> None:
        self.model, self.name, self.fingerprint = model, model.name, model.fingerprint

    async def complete(self, *arguments: Any) -> Any:
        return await self.model.complete(*arguments)


def _reply(request: Request, passages: Mapping[PassageId, Passage], heard: str) -> dict[str, Any]:  # noqa: PLR0911
    memory = {"findings": heard, "gaps": f"after {heard}"}
    match request:
        case PlanRequest():
            return {"sub_questions": [{"text": "Was steht in den Briefen zur Brücke?", "sub_corpus": "Briefe"}]}
        case StepRequest():
            turns = len(request.desk.actions)
            query = {"query": heard[:60] or "Brücke"}
            return {"thought": heard, "action": "words" if turns < 2 else "finish", "args": query,
                    "memory_update": memory}  # fmt: skip
        case ReviewRequest():
            verdicts = [_verdict(shown.passage, passages[shown.passage].text) for shown in request.passages]
            return {"thought": heard, "action": "review", "args": {"verdicts": verdicts}, "memory_update": memory}
        case ReevaluateRequest():
            held = [{"passage": one.passage, "reason": f"because {heard}", "quote": heard} for one in request.held[:1]]
            return {"promote": held}
        case BriefRequest():
            return {"facts": [heard], "dates": ["1881"], "entities": [heard[:30]], "gaps": [heard], "hints": [heard]}
        case ReplanRequest():
            kept = [{"text": one.text, "sub_corpus": one.sub_corpus} for one in request.remaining]
            more = {"text": f"Und im Rat? {heard}", "sub_corpus": "Rat"}
            return {"sub_questions": [*kept, *([] if len(request.finished) > 1 else [more])]}
        case RankRequest():
            return {"thought": heard, "order": sorted((one.document for one in request.group), reverse=True)}
        case JudgeRequest():
            text = passages[request.passage.passage].text
            return {"argument": f"It says {text}", "quote": text[:40], "score": 1 + len(text) % 9}
        case QuoteRequest():
            return {"quotes": [{"passage": one, "quote": passages[one].text} for one in passages]
                    + [{"passage": heard[:50], "quote": heard}]}  # fmt: skip
        case InterpretRequest():
            first = request.quotes[0]
            return {"claims": [{"text": f"“{first.text}” says it all", "quotes": [first.number]}], "silence": heard}
        case SynthesisRequest():
            return {"claims": [{"text": heard or "nothing", "quotes": [request.quotes[0].number]}]}


def _verdict(passage: PassageId, text: str) -> dict[str, str]:
    number = int(passage.partition("#")[0][1:])
    verdict = {1: "accept", 2: "hold", 3: "reject"}[number]
    return {"passage": passage, "verdict": verdict, "reason": f"it says {text}", "quote": text[:50]}


def words_of(text: str, length: int = 5) -> list[str]:
    """Every run of so many words in a text, as a leak would hold it."""
    told = text.split()
    return [" ".join(told[at : at + length]) for at in range(len(told) - length + 1)]


SOURCE = {
    "document": "L1",
    "title": "Die <Brücke> & mehr",
    "date": "2 May 1887",
    "date_as_written": "2. Mai 1887",
    "sub_corpus": "Landbote",
    "language": "de",
    "file": "a.csv",
    "record": "line 3",
    "link": "https://example.org/1",
    "listed": True,
    "text": None,
    "text_digest": None,
}
STATEMENT = {
    "format": 1,
    "vestigia": "0.1.0",
    "deposited": RUN,
    "by": ["Bo"],
    "licence": "",
    "missing": [],
    "runs": [],
    "kept_back": [],
}


def a_record(**changes: Any) -> Record:
    """The golden run: scripted, paused, with a decision of Ada's."""
    run = DepositedRun(RUN, golden_run().entries, (), frozenset())
    return replace(Record((run,), STATEMENT, (SOURCE,), {}, {}), **changes)


def golden_deposit() -> bytes:
    """A deposit of the golden run, as `tests/golden/deposit-v1.zip` has it."""
    return a_deposit(golden_run().entries)


def a_deposit(entries: Sequence[Entry], /, **said: Any) -> bytes:
    """A deposit of a run with these entries; `said` is what the statement says of it otherwise."""
    about = {"run": RUN, "entries": len(entries), "head": entries[-1].digest, "incomplete": [],
             "prompts_kept_back": [], "decided_again": True, "torn": ""}  # fmt: skip
    given = {
        "deposit.json": as_json({**STATEMENT, "runs": [{**about, **said}]}),
        "sources.json": as_json([SOURCE]),
        "settings.json": as_json({}),
        "environment.json": as_json({"vestigia": "0.1.0"}),
        f"runs/{RUN}/ledger.jsonl": b"".join(encode(entry) for entry in entries),
    }
    record, problems = read(given)
    if record is None:
        raise ValueError(problems)
    return deposit.pack({**given, **derived(record, given)})


def written_anew(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The same entries in a chain of their own: what somebody makes who writes a whole record himself."""
    found: list[Entry] = []
    for number, entry in enumerate(entries):
        previous = found[-1].digest if found else digest(RUN)
        found.append(seal(replace(entry, number=number, previous=previous, digest=Digest("")))[0])
    return tuple(found)
