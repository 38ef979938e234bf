"""Steps without a language model: one search by the words of what was accepted, one by the date asked, then finish."""

from collections import Counter

from vestigia.domain.effects import DATE, WORDS
from vestigia.domain.periods import DatePeriod, day_number, iso
from vestigia.domain.requests import BriefRequest, Desk, StepRequest, Taken
from vestigia.domain.text import words

ADDED_WORDS = 4
LONG_PERIOD = 62
"""Days: a longer period is no date to search by."""
_SEARCHED = "Searched by: "


def step(request: StepRequest) -> dict[str, object]:
    """Choose the next action (T4)."""
    desk = request.desk
    target = [desk.sub_question.sub_corpus] if desk.sub_question.sub_corpus else []
    done = searched(desk)
    period = next((p for p in desk.reading.periods if _can_be_searched(p)), None)
    if WORDS not in done and WORDS in request.channels and (query := expansion(desk)):
        return _step("words of what was accepted", WORDS, {"query": query, "sub_corpora": target}, [*done, WORDS])
    if DATE not in done and DATE in request.channels and period is not None:
        return _step("the date in the question", DATE, {**_range(period), "sub_corpora": target}, [*done, DATE])
    return _step("nothing further can be measured", "finish", {}, done)


def searched(desk: Desk) -> list[str]:
    """Name the searches made for this sub-question: the desk shows the last actions, the memory all."""
    shown = [action.removeprefix("repeated: ") for action in desk.actions]
    return [
        kind
        for kind in (WORDS, DATE)
        if kind in desk.memory.analysis.removeprefix(_SEARCHED).split(", ")
        or any(action.startswith(f"{kind} ") for action in shown)
    ]


def expansion(desk: Desk) -> str:
    """The question's words, rarest first, and words that several accepted sources of this sub-corpus share."""
    own = sorted(desk.reading.terms, key=lambda term: (-term.weight, term.word))
    asked = [term.word for term in own if term.documents]
    here = [taken for taken in desk.taken if taken.sub_corpus == desk.sub_question.sub_corpus]
    return " ".join((asked + shared_words(here, frozenset(asked))) if here else [])


def shared_words(sources: list[Taken], known: frozenset[str]) -> list[str]:
    """Words of five letters or more in the titles and quotes of at least two sources, most frequent first."""
    counts = Counter(word for taken in sources for word in dict.fromkeys(words(f"{taken.title} {_quoted(taken)}")))
    common = [(word, n) for word, n in counts.items() if n > 1 and n < len(sources) and len(word) > 4]
    ordered = sorted(common, key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in ordered if word not in known][:ADDED_WORDS]


def brief(request: BriefRequest) -> dict[str, object]:
    """Hand over what was taken (T12): the sources' reasons as facts, their dates, and words nobody found."""
    desk = request.desk
    here = [taken for taken in desk.taken if taken.sub_corpus == desk.sub_question.sub_corpus]
    unattested = [term.word for term in desk.reading.terms if not term.documents]
    return {
        "facts": [f"{taken.title}: {taken.reason}" for taken in here[:5]],
        "dates": list(dict.fromkeys(taken.date for taken in here if taken.date))[:10],
        "entities": [entity.text for entity in desk.sub_question.entities],
        "gaps": [f"“{word}” does not occur in the archive" for word in unattested],
        "hints": shared_words(here, frozenset()),
    }


def _quoted(taken: Taken) -> str:
    """What a reason quotes; what was measured are our words, not the source's."""
    return taken.reason.partition("“")[2]


def _can_be_searched(period: DatePeriod) -> bool:
    """Whether a period is short enough to be a date, and of our era: a step names its days by year, month and day."""
    return period.last - period.first <= LONG_PERIOD and period.first >= day_number(1)


def _range(period: DatePeriod) -> dict[str, str]:
    return {"from": iso(period.first), "to": iso(period.last)}


def _step(why: str, action: str, args: dict[str, object], done: list[str]) -> dict[str, object]:
    return {
        "thought": f"No language model was used. Next: {why}.",
        "action": action,
        "args": args,
        "memory_update": {"analysis": _SEARCHED + ", ".join(done)} if done else {},
    }
