"""Fixed requests, one or two a prompt, on a small invented archive; the golden files hold what they render to.

`python scripts/approve_prompts.py` writes the golden files anew after a wanted change; the difference is reviewed
with the change.
"""

from dataclasses import replace
from importlib import resources
from pathlib import Path

from vestigia.domain.archive import Passage, SubCorpus
from vestigia.domain.commissions import Rubric
from vestigia.domain.evidence import Brief, Memory, Standing
from vestigia.domain.ids import DocumentId, PassageId, SubQuestionId, digest
from vestigia.domain.periods import Certainty, DatePeriod, Precision, day_number
from vestigia.domain.question import Entity, Question, SubQuestion, Term
from vestigia.domain.quotations import Claim
from vestigia.domain.requests import (
    Ahead,
    BriefRequest,
    Cited,
    Contender,
    Desk,
    InterpretRequest,
    JudgeRequest,
    PlanRequest,
    QuoteRequest,
    RankRequest,
    Reading,
    ReevaluateRequest,
    ReplanRequest,
    Request,
    ReviewRequest,
    Share,
    Shown,
    StepRequest,
    SynthesisRequest,
    Taken,
)
from vestigia.prompts.library import INPUTS, Library
from vestigia.prompts.render import render

FOLDER = Path(__file__).parent


def shipped() -> dict[str, str]:
    """The prompts' texts as they are shipped."""
    folder = resources.files("vestigia.prompts")
    return {name: folder.joinpath(f"{name}.md").read_text(encoding="utf-8") for name in INPUTS}


LIBRARY = Library.parse(shipped())

MINUTES = SubCorpus(
    "conseil",
    120,
    310,
    118,
    ("fr",),
    "council minutes",
    "Minutes of the town council",
    DatePeriod(day_number(1880), day_number(1914, 12, 31), Precision.RANGE),
)
PAPER = SubCorpus("Der Bote", 2400, 9100, 2400, ("de", "fr"), "newspaper")
LETTERS = SubCorpus("letters", 7, 7, 0)

MARCH = DatePeriod(day_number(1887, 3), day_number(1887, 3, 31), Precision.MONTH, Certainty.EXACT, "mars 1887")
READING = Reading(
    Question("Comment le conseil et la presse ont-ils jugé le pont de Sorbier en mars 1887 ?"),
    (MARCH,),
    (Term("pont", 34, 2.1), Term("sorbier", 3, 4.6), Term("telegraphique", 0, 7.0)),
)
LIMITED = Reading(Question("Who paid for the bridge?", ("letters",), MARCH, ("en",)))

FIRST = SubQuestion(
    SubQuestionId("q1"),
    "Que décide le conseil sur le pont de Sorbier en mars 1887 ?",
    "conseil",
    (Entity("Sorbier"), Entity("Lachaume", added=True)),
)
SECOND = SubQuestion(SubQuestionId("q2"), "Wie urteilt die Zeitung über die Brücke?", "Der Bote")

MINUTE = Shown(
    PassageId("conseil/1887-03-02#0-161"),
    DocumentId("conseil/1887-03-02"),
    "Séance du 2 mars",
    "1887-03-02",
    "conseil",
    "warm start",
    0.03,
    (Standing("words", 1, 9.5), Standing("meaning:tiny", 4, 0.71)),
    MARCH,
)
NOTE = Shown(PassageId("bote-9#40-300"), DocumentId("bote-9"), "", "", "Der Bote", "date 1887-03-01/1887-03-05")

TEXTS = {
    MINUTE.passage: Passage(
        MINUTE.passage,
        MINUTE.document,
        0,
        161,
        "M. Lachaume rend compte des travaux du pont. Le conseil, à l'unanimité, vote 4,000 francs\n"
        "pour le pont de Sorbicr.\n\nLa séance est levée à six heures du soir.",
    ),
    NOTE.passage: Passage(
        NOTE.passage,
        NOTE.document,
        40,
        300,
        "Das Wetter war heiter. Der Markt war gut besucht. Herr Lachaume aus Sorbier sprach über den pont. "
        "Die Preise blieben fest. Ein Hund wurde gefunden. Die neue Brücke von Sorbier gefällt nicht jedem.",
    ),
}

DESK = Desk(
    READING,
    FIRST,
    Memory(
        "Le conseil a voté 4,000 francs.", "Deux jugements sont demandés.", "séance du 2 mars", "", "chercher Lachaume"
    ),
    (Taken(MINUTE.document, "Séance du 2 mars", "1887-03-02", "conseil", "vote le crédit du pont"),),
    ("warm start: 12 candidates", 'words "pont de Sorbier": 3 new'),
    "3 new passages of 3 documents wait for review.",
    (
        Brief(
            SubQuestionId("q0"),
            ("Le pont est voté.",),
            ("1887-03-02",),
            ("Sorbier", "Sorbicr"),
            (),
            ("essayer «viaduc»",),
        ),
    ),
    (FIRST, SECOND),
)
BARE = Desk(LIMITED, SECOND, Memory())

RUBRIC = Rubric(
    "pride",
    digest("pride"),
    "Is somebody proud of the bridge?\n- of its cost, too?",
    anchors=((1, "Nobody is."), (10, "The pride is the subject.")),
    examples=("The mayor calls it “our work”: pride, and its object.",),
)
BARE_RUBRIC = Rubric("pride", digest("pride"), "Is somebody proud?", 0, 4)

CITED = (
    Cited(1, "vote 4,000 francs\npour le pont", MINUTE.passage, "Séance du 2 mars", "1887-03-02", "conseil"),
    Cited(4, "gefällt nicht ]]] jedem", NOTE.passage, "", "", "Der Bote"),
)
CLAIMS = (Claim("1.1", "Le conseil paie.", (1,)), Claim("1.2", "Pas à tous.", (1, 4)))

CASES: dict[str, Request] = {
    "plan": PlanRequest(READING, (MINUTES, PAPER, LETTERS), (Share("conseil", 12, 1), Share("Der Bote", 8, 3)), 4),
    "plan-again": PlanRequest(LIMITED, (LETTERS,), (), 2, "the plan has one sub-question, the question two sides"),
    "step": StepRequest(
        DESK, ("words", "characters", "date", "exact", "meaning:tiny"), 9, 60, sub_corpora=(MINUTES, PAPER, LETTERS)
    ),
    "step-bare": StepRequest(BARE, ("words",), 1, 30, "three searches found nothing", "the reply was not JSON"),
    "review": ReviewRequest(DESK, (MINUTE, NOTE), 120),
    "turn": ReviewRequest(
        DESK,
        (MINUTE, replace(NOTE, words=20)),
        120,
        numbered=True,
        ahead=Ahead(("words", "date", "meaning:tiny"), 9, 60, (MINUTES, PAPER), 7),
    ),
    "turn-bare": ReviewRequest(BARE, (NOTE,), 120, "the reply was not JSON", numbered=True),
    "close": ReevaluateRequest(DESK, (NOTE,), 120, rejected=(replace(MINUTE, words=10),), numbered=True, brief=True),
    "close-bare": ReevaluateRequest(BARE, (), 120, rejected=(NOTE,), numbered=True),
    "reevaluate": ReevaluateRequest(DESK, (NOTE,), 120),
    "brief": BriefRequest(DESK),
    "replan": ReplanRequest(READING, (MINUTES, PAPER), DESK.briefs, (FIRST,), (SECOND,), 2),
    "rank": RankRequest(
        READING,
        (
            Contender(
                MINUTE.document,
                "Séance du 2 mars",
                "1887-03-02",
                "conseil",
                ("vote le crédit", "nomme Lachaume"),
                2,
                (1, 0),
            ),
            Contender(NOTE.document, "", "", "Der Bote", ("critique la laideur du pont",), 1),
        ),
        2,
    ),
    "judge": JudgeRequest(RUBRIC, "Pride in the bridge of Sorbier", replace(MINUTE, found_by="", standings=())),
    "judge-again": JudgeRequest(
        BARE_RUBRIC, "Pride in the bridge", replace(NOTE, found_by=""), "11 is no score from 0 to 4"
    ),
    "quote": QuoteRequest("Who paid for the bridge?", (MINUTE, NOTE)),
    "interpret": InterpretRequest("Who paid for the bridge?", CITED, "the reply was not JSON"),
    "synthesis": SynthesisRequest(("Who paid?", "Who was against it?"), CLAIMS, CITED),
    "synthesis-bare": SynthesisRequest(("Who paid?",), (), CITED[:1]),
}


def rendered(name: str) -> str:
    """What the case renders to."""
    return render(CASES[name], TEXTS, LIBRARY)
