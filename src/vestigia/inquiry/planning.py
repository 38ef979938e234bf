"""What a person makes of a plan (B14): what has begun stays, what remains can be changed in every way.

A person may go beyond the number of sub-questions that a model is allowed, but not to a sub-corpus that is not there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from vestigia.domain.errors import UsageError
from vestigia.domain.ids import SubQuestionId
from vestigia.domain.question import SubQuestion
from vestigia.inquiry.state import State


@dataclass(frozen=True, slots=True)
class Change:
    """Changes to what remains: ids to drop, (id, sub-corpus) and (id, text) to set, (text, sub-corpus) to add."""

    drop: tuple[str, ...] = ()
    retarget: tuple[tuple[str, str], ...] = ()
    reword: tuple[tuple[str, str], ...] = ()
    add: tuple[tuple[str, str], ...] = ()


def changed(state: State, change: Change) -> tuple[SubQuestion, ...]:
    """What remains of a plan after a person's changes.

    Raises UsageError for a sub-question that is not there or has begun, and for what could not be asked.
    """
    remaining = {sub_question.id: sub_question for sub_question in state.queue}
    for name, sub_corpus in change.retarget:
        known = _known(state, name)
        remaining[known] = replace(remaining[known], sub_corpus=sub_corpus)
    for name, text in change.reword:
        known = _known(state, name)
        remaining[known] = replace(remaining[known], text=text.strip(), entities=())
    for name in change.drop:
        remaining.pop(_known(state, name), None)
    added = (SubQuestion(SubQuestionId(""), text.strip(), sub_corpus) for text, sub_corpus in change.add)
    return settled(state, (*remaining.values(), *added))


def settled(state: State, proposed: Sequence[SubQuestion]) -> tuple[SubQuestion, ...]:
    """Check what a person wants asked from here on; those without id get one, none waits for what is not there.

    Raises UsageError.
    """
    begun = {sub_question.id for sub_question in state.plan} - {sub_question.id for sub_question in state.queue}
    given = [sub_question.id for sub_question in proposed if sub_question.id]
    for name in given:
        if name in begun:
            raise UsageError(f"{name} has begun: it can no longer be changed.", remedy=_what_remains(state))
        if given.count(name) > 1:
            raise UsageError(f"{name} stands there twice.", remedy="Leave the id of one of them empty.")
    if not proposed and not begun:
        raise UsageError("nothing would be left to ask.", remedy="Keep or add a sub-question.")
    taken = {*begun, *given, *(sub_question.id for sub_question in state.plan)}
    free = (name for number in count(1) if (name := SubQuestionId(f"q{number}")) not in taken)
    named = [_checked(state, one if one.id else replace(one, id=next(free))) for one in proposed]
    here = {one.id for one in named}
    return tuple(replace(one, after=tuple(n for n in one.after if n in here and n != one.id)) for one in named)


def _checked(state: State, proposed: SubQuestion) -> SubQuestion:
    if not proposed.text.strip():
        raise UsageError(f"{proposed.id} has no text.", remedy="Say what is asked, or leave it out.")
    known = [sub_corpus.name for sub_corpus in state.sub_corpora]
    if proposed.sub_corpus not in known:
        raise UsageError(f"there is no sub-corpus {proposed.sub_corpus!r}.", remedy=f"There are: {'; '.join(known)}.")
    return proposed


def _known(state: State, name: str) -> SubQuestionId:
    for sub_question in state.queue:
        if sub_question.id == name:
            return sub_question.id
    begun = any(sub_question.id == name for sub_question in state.plan)
    what = f"{name} has begun: it can no longer be changed." if begun else f"there is no sub-question {name!r}."
    raise UsageError(what, remedy=_what_remains(state))


def _what_remains(state: State) -> str:
    names = ", ".join(sub_question.id for sub_question in state.queue)
    return f"What remains: {names}." if names else "Nothing remains; you may add."
