"""Verdicts without a language model, from what can be measured; each says what was measured and quotes the passage."""

from collections.abc import Mapping

from vestigia.domain.archive import Passage
from vestigia.domain.effects import MEANING
from vestigia.domain.ids import PassageId
from vestigia.domain.languages import asks
from vestigia.domain.question import Term, keeps_to
from vestigia.domain.requests import Reading, ReevaluateRequest, ReviewRequest, Shown
from vestigia.domain.text import mentions
from vestigia.models.extractive.measures import Evidence, in_brief, weigh_passage

TAKEN_PLACES = 10
"""A document among the first ten of the orientation is taken, as a rule: search found it, nobody read it."""
NAMED_PLACES = 5
"""The first five of a sub-corpus are taken when the question names that sub-corpus."""
MUCH = 0.5
SOME = 0.25
"""Shares of the weight of the question's words: much is taken, some is held, less is left."""
NEAR = 3
"""A passage among the first three of a channel of its sub-corpus is at least held."""
SEVERAL = 4
"""Words of a question from which on a source without any of them is suspect; a bare name may be spelt otherwise."""
LEAST_QUOTE = 20
"""Characters below which a quote in a reason says nothing."""


def review(request: ReviewRequest, passages: Mapping[PassageId, Passage]) -> dict[str, object]:
    """Give a verdict on each passage (T6), by its id also where numbers would do."""
    thought = "No language model was used: nobody has read these passages; verdicts follow from measurements."
    if request.numbered:
        return {"thought": thought, "verdicts": verdicts(request, passages)}
    return {"thought": thought, "action": "review", "args": {"verdicts": verdicts(request, passages)}}


def verdicts(request: ReviewRequest, passages: Mapping[PassageId, Passage]) -> list[dict[str, str]]:
    """The verdict on each passage, in their order."""
    reading, length = request.desk.reading, request.reason_length
    weighed = [
        (s, weigh_passage(passages[s.passage], s.title, reading.terms, reading.periods, s.period))
        for s in request.passages
    ]
    kept_to = keeps_to(reading.periods) is not None and any(evidence.dated for _, evidence in weighed)
    return [
        _verdict(
            shown.passage,
            decision(shown, evidence, reading, dated=kept_to),
            reason_for(shown, evidence, reading.terms, length),
            evidence.quote,
        )
        for shown, evidence in weighed
    ]


def decision(shown: Shown, evidence: Evidence, reading: Reading, *, dated: bool) -> str:
    """Take what was placed high or what holds much of the question; hold what may matter; leave the rest.

    Of what was placed high, two kinds are held: what holds no word of a question of several words and is not near in
    meaning either; and, where the question keeps to a period (`dated`), what is dated outside it.
    """
    best = min((standing.rank for standing in shown.standings), default=0)
    near = any(s.rank <= NEAR for s in shown.standings if s.channel.startswith(MEANING))
    placed = 0 < shown.orientation <= TAKEN_PLACES or (
        0 < shown.place <= NAMED_PLACES and mentions(reading.question.text, shown.sub_corpus)
    )
    wordless = asks(reading.question.text) and len(reading.terms) >= SEVERAL and not evidence.found and not near
    elsewhen = dated and shown.period is not None and not evidence.dated
    if evidence.coverage >= MUCH or (placed and not wordless and not elsewhen):
        return "accept"
    if placed or evidence.coverage >= SOME or evidence.dated or 0 < best <= NEAR:
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
