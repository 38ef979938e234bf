"""Verdicts without a language model, from what can be measured; each says what was measured and quotes the passage."""

from collections.abc import Mapping

from vestigia.domain.archive import Passage
from vestigia.domain.ids import PassageId
from vestigia.domain.question import Term
from vestigia.domain.requests import ReevaluateRequest, ReviewRequest, Shown
from vestigia.domain.text import mentions
from vestigia.models.extractive.measures import Evidence, in_brief, weigh_passage

TAKEN_PLACES = 10
"""A document among the first ten of the orientation is taken whatever its words: search found it, nobody read it."""
NAMED_PLACES = 5
"""The first five of a sub-corpus are taken when the question names that sub-corpus."""
MUCH = 0.5
SOME = 0.25
"""Shares of the weight of the question's words: much is taken, some is held, less is left."""
NEAR = 3
"""A passage among the first three of a channel of its sub-corpus is at least held."""
LEAST_QUOTE = 20
"""Characters below which a quote in a reason says nothing."""


def review(request: ReviewRequest, passages: Mapping[PassageId, Passage]) -> dict[str, object]:
    """Give a verdict on each passage (T6)."""
    reading, length = request.desk.reading, request.reason_length
    verdicts = []
    for shown in request.passages:
        evidence = weigh_passage(passages[shown.passage], shown.title, reading.terms, reading.periods, shown.period)
        reason = reason_for(shown, evidence, reading.terms, length)
        verdicts.append(
            _verdict(shown.passage, decision(shown, evidence, reading.question.text), reason, evidence.quote)
        )
    return {
        "thought": "No language model was used: nobody has read these passages; verdicts follow from measurements.",
        "action": "review",
        "args": {"verdicts": verdicts},
    }


def decision(shown: Shown, evidence: Evidence, question: str) -> str:
    """Take what was placed high or what holds much of the question; hold what may matter; leave the rest."""
    best = min((standing.rank for standing in shown.standings), default=0)
    if 0 < shown.orientation <= TAKEN_PLACES or evidence.coverage >= MUCH:
        return "accept"
    if 0 < shown.place <= NAMED_PLACES and mentions(question, shown.sub_corpus):
        return "accept"
    if evidence.coverage >= SOME or evidence.dated or 0 < best <= NEAR:
        return "hold"
    return "reject"


def reason_for(shown: Shown, evidence: Evidence, terms: tuple[Term, ...], length: int) -> str:
    """Say in at most `length` characters what was measured, then quote the passage around the words found."""
    measured = [f"{len(evidence.found)} of {len(terms)} words" if terms else "no words to look for"]
    if evidence.dated:
        measured.append("date fits")
    if shown.standings:
        first = min(shown.standings, key=lambda standing: (standing.rank, standing.channel))
        measured.append(f"{first.channel} #{first.rank}")
    said = "; ".join(measured)
    room = length - len(said) - len(": “”")
    quoted = in_brief(evidence.quote, terms, room) if room >= LEAST_QUOTE else ""
    return f"{said}: “{quoted}”" if quoted else said[:length]


def reevaluate(request: ReevaluateRequest, passages: Mapping[PassageId, Passage]) -> dict[str, object]:
    """Promote a held passage that holds some of the question's words and whose date fits (T11)."""
    reading = request.desk.reading
    promoted = []
    for shown in request.held:
        evidence = weigh_passage(passages[shown.passage], shown.title, reading.terms, reading.periods, shown.period)
        if evidence.coverage >= SOME and evidence.dated:
            reason = reason_for(shown, evidence, reading.terms, request.reason_length)
            promoted.append({"passage": shown.passage, "reason": reason, "quote": evidence.quote})
    return {
        "thought": "No language model was used: promoted are passages with the date asked for.",
        "promote": promoted,
    }


def _verdict(passage: PassageId, verdict: str, reason: str, quote: str) -> dict[str, str]:
    return {"passage": passage, "verdict": verdict, "reason": reason, "quote": "" if verdict == "reject" else quote}
