"""A reviewer with a known error profile, for studying the method without a language model (T17, `vestigia evaluate`).

It knows the judgments of a test collection and errs as often as its profile says, by the content of what it is shown
and never by chance: the same passage gets the same verdict in every run. It puts the question to the sub-corpora that
hold most of what is relevant, whatever the rules, so that all rules are measured on the same plan; it searches and
briefs like the model without a language model and leaves a group as it is laid before it. What it measures is the
method around a reviewer, never how well a language model plans or judges.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vestigia.domain.archive import Passage
from vestigia.domain.effects import Replied, Stop, Usage
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest
from vestigia.domain.requests import (
    BriefRequest,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    ReevaluateRequest,
    Request,
    ReviewRequest,
    Shown,
    StepRequest,
    SynthesisRequest,
    Taken,
)
from vestigia.models.extractive.measures import marked
from vestigia.models.extractive.model import REFUSAL, Answerable, answer
from vestigia.models.extractive.review import verdicts as measured_verdicts

NAME = "simulated"
LETTERS_A_TOKEN = 4
"""Tokens are estimated: no tokenizer is at hand, and only their proportions are of use."""
THOUGHT = "Simulated: weighed by the judgments of a test collection, with errors as a reviewer makes them."
"""As long as what the model without a language model thinks."""
FEW = "nothing that helps"
"""Its reason for a rejection."""
LEAST_SEEN = 0.5
"""Share of the question's weight in a passage that an excerpt must hold, or the passage is asked for whole."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How often it errs. The first two are TRACE's shares of what was missed (T17), the others assumptions.

    `rejects`, `holds`: of the relevant passages; `takes`, `doubts`: of the others; `promotes`: the share
    of relevant passages that a second look takes, of held and of rejected ones alike, `errs` of the others.
    """

    rejects: float = 0.37
    holds: float = 0.09
    takes: float = 0.05
    doubts: float = 0.09
    promotes: float = 0.5
    errs: float = 0.05


@dataclass
class Simulated:
    """The reviewer of one collection: `relevant` are the documents that answer each question, by its text.

    `homes` are their sub-corpora; without them it plans like the model without a language model.
    """

    relevant: Mapping[str, frozenset[DocumentId]]
    homes: Mapping[DocumentId, str] = field(default_factory=dict)
    profile: Profile = Profile()
    name: str = NAME
    sent: dict[str, list[str]] = field(default_factory=dict)
    """The prompts sent, by question: a beginning that was sent before is read from a cache."""

    @property
    def fingerprint(self) -> Digest:
        """Digest of the profile and the judgments."""
        judged = sorted((question, sorted(documents)) for question, documents in self.relevant.items())
        return digest(json.dumps([self.name, repr(self.profile), judged], ensure_ascii=False))

    async def complete(
        self, request: Request, passages: Mapping[PassageId, Passage], prompt: Callable[[], str]
    ) -> Replied:
        """Answer a request."""
        words = prompt()
        match request:
            case PlanRequest():
                reply = self._plan(request, passages)
            case ReviewRequest():
                reply = self._review(request, passages, words)
            case ReevaluateRequest():
                reply = self._reevaluate(request, passages)
            case RankRequest():
                reply = {"order": [contender.document for contender in request.group]}
            case JudgeRequest() | QuoteRequest() | InterpretRequest() | SynthesisRequest():
                return Replied(REFUSAL, self.name, digest(words), stop=Stop.REFUSED)
            case _:
                reply = answer(request, passages)
        written = json.dumps(reply, ensure_ascii=False).replace("<", "\\u003c")
        return Replied(written, self.name, digest(words), self._usage(request, words, written))

    def _plan(self, request: PlanRequest, passages: Mapping[PassageId, Passage]) -> dict[str, object]:
        question = request.reading.question.text
        counted = Counter(self.homes[d] for d in sorted(self.relevant.get(question, ())) if d in self.homes)
        if not counted:
            return answer(request, passages)
        targets = sorted(counted, key=lambda name: (-counted[name], name))[: request.max_sub_questions]
        return {"sub_questions": [{"text": question, "sub_corpus": name} for name in targets]}

    def _review(self, request: ReviewRequest, passages: Mapping[PassageId, Passage], words: str) -> dict[str, object]:
        measured = {shown.passage: shown for shown in request.passages}
        question = request.desk.reading.question.text
        verdicts = []
        for number, verdict in enumerate(measured_verdicts(request, passages), 1):
            shown = measured[PassageId(verdict["passage"])]
            head = f"[[[ {number} " if request.numbered else f"\nid: {shown.passage}\n"
            asked = _too_little(shown, passages[shown.passage], request, words.partition(head)[2])
            said = {**verdict, "verdict": "read" if asked else self.decision(question, shown)}
            verdicts.append(said if said["verdict"] in {"accept", "hold"} else {**said, "quote": "", "reason": FEW})
        if request.numbered:
            return _in_short(request, verdicts)
        return {"thought": THOUGHT, "action": "review", "args": {"verdicts": verdicts}}

    def decision(self, question: str, shown: Shown) -> str:
        """The verdict on a passage: what is right, or one of the errors of the profile."""
        drawn, profile = draw("review", question, shown.passage), self.profile
        if shown.document in self.relevant.get(question, ()):
            return _cut(drawn, ("reject", profile.rejects), ("hold", profile.holds), "accept")
        return _cut(drawn, ("accept", profile.takes), ("hold", profile.doubts), "reject")

    def _reevaluate(self, request: ReevaluateRequest, passages: Mapping[PassageId, Passage]) -> dict[str, object]:
        question = request.desk.reading.question.text
        relevant = self.relevant.get(question, frozenset())
        promoted = []
        for number, shown in enumerate((*request.held, *request.rejected), 1):
            share = self.profile.promotes if shown.document in relevant else self.profile.errs
            if draw("second look", question, shown.passage) < share:
                quote = passages[shown.passage].text[:80]
                name = str(number) if request.numbered else shown.passage
                promoted.append({"passage": name, "reason": f"on a second look: “{quote}”", "quote": quote})
        handed = {"brief": answer(BriefRequest(request.desk), passages), "replan": False} if request.brief else {}
        return {"thought": THOUGHT, "promote": promoted, **handed}

    def _usage(self, request: Answerable, words: str, written: str) -> Usage:
        question = _question(request)
        before = self.sent.setdefault(question, [])
        cached = max((_shared(words, other) for other in before), default=0)
        before.append(words)
        return Usage(_tokens(len(words)), _tokens(len(written)), cached // LETTERS_A_TOKEN, 0.0)


def draw(*parts: str) -> float:
    """A number from 0 to 1 that depends on these words alone, spread evenly."""
    return int(digest("\x1f".join(parts)).removeprefix("sha256:")[:12], 16) / 16**12


def _cut(drawn: float, first: tuple[str, float], second: tuple[str, float], last: str) -> str:
    if drawn < first[1]:
        return first[0]
    return second[0] if drawn < first[1] + second[1] else last


def _in_short(request: ReviewRequest, verdicts: Sequence[dict[str, str]]) -> dict[str, object]:
    """The same review by numbers, what is rejected named together, with the step that would have followed it."""
    numbers = {shown.passage: str(number) for number, shown in enumerate(request.passages, 1)}
    by_number = [{**said, "passage": numbers[PassageId(said["passage"])]} for said in verdicts]
    rejected = [said["passage"] for said in by_number if said["verdict"] == "reject"]
    reply: dict[str, object] = {
        "thought": THOUGHT,
        "verdicts": [said for said in by_number if said["verdict"] != "reject"],
        "rejected": [{"passages": rejected, "reason": FEW}] if rejected else [],
        "memory_update": {},
    }
    ahead = request.ahead
    if ahead is None or any(said["verdict"] == "read" for said in verdicts):
        return reply
    reasons = {PassageId(said["passage"]): said["reason"] for said in verdicts if said["verdict"] == "accept"}
    taken = tuple(
        Taken(s.document, s.title, s.date, s.sub_corpus, reasons[s.passage])
        for s in request.passages
        if s.passage in reasons
    )
    desk = replace(request.desk, taken=(*request.desk.taken, *taken))
    step = dict(answer(StepRequest(desk, ahead.channels, ahead.steps_left, ahead.days_max), {}))
    return {**reply, "memory_update": step.pop("memory_update"), "next": step}


def _too_little(shown: Shown, passage: Passage, request: ReviewRequest, frame: str) -> bool:
    """Whether what its frame in the prompt shows holds too little of what the whole passage has of the question."""
    if not shown.words:
        return False
    terms = request.desk.reading.terms
    frame = frame.partition(" ]]]")[0]
    frame = frame if request.numbered else frame.partition("\ntext:\n")[2]
    whole, seen = ({t for mark in marked(text, terms) for t in mark.terms} for text in (passage.text, frame))
    return sum(term.weight for term in seen) < LEAST_SEEN * sum(term.weight for term in whole)


def _question(request: Answerable) -> str:
    reading = request.desk.reading if hasattr(request, "desk") else request.reading
    return reading.question.text


def _shared(one: str, other: str) -> int:
    """Letters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one.startswith(other[:middle]) else (low, middle - 1)
    return low


def _tokens(letters: int) -> int:
    return -(-letters // LETTERS_A_TOKEN)
