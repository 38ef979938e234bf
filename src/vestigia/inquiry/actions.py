"""The actions of the loop (TRACE 3.4; T4): what a model's step means, checked before anything is searched."""

from dataclasses import dataclass

from vestigia.domain.effects import CHARACTERS, DATE, EXACT, WORDS
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, day_number, label, overlaps, widened
from vestigia.domain.text import words
from vestigia.inquiry.replies import ArgumentsReply, StepReply, UnreadableError
from vestigia.inquiry.searching import Quest, meaning_channels, scope
from vestigia.inquiry.state import State

FINISH = "finish"
REVIEW = "review"
MEANING_ACTION = "meaning"
ACTIONS = (WORDS, MEANING_ACTION, DATE, EXACT, REVIEW, FINISH)


@dataclass(frozen=True, slots=True)
class Action:
    """An action as it will be carried out. `name` writes it in full: two searches are the same if their names are.

    `quest` is what to search; `margin` the same over a widened range (T10). Neither for finish and review.
    """

    kind: str
    name: str
    quest: Quest | None = None
    margin: Quest | None = None
    empty: bool = False
    """A search without anything to search for (T9)."""


def read_action(state: State, reply: StepReply) -> Action:
    """Make an action of a step; raises UnreadableError where the step names no action or impossible arguments."""
    kind, args = reply.action, reply.args
    if kind not in ACTIONS:
        raise UnreadableError(f"there is no action {kind!r}; there are: {', '.join(ACTIONS)}")
    if kind in {FINISH, REVIEW}:
        return Action(kind, kind)
    known = {sub_corpus.name for sub_corpus in state.sub_corpora}
    for name in args.sub_corpora:
        if name not in known:
            raise UnreadableError(f"there is no sub-corpus {name!r}")
    if kind == DATE:
        return _date_action(state, args)
    return _text_action(state, kind, args)


def _text_action(state: State, kind: str, args: ArgumentsReply) -> Action:
    query = (args.query or "").strip()
    channels = {WORDS: (WORDS, CHARACTERS), EXACT: (EXACT,), MEANING_ACTION: meaning_channels(state)}[kind]
    searched = tuple(channel for channel in channels if channel in state.channels)
    if not searched:
        raise UnreadableError(f"this archive cannot be searched by {kind} now")
    where = _where(args)
    same = query if kind == EXACT else " ".join(words(query))
    quest = Quest(
        f"{kind} “{query}”{where}", query, searched, scope(state, tuple(args.sub_corpora)), state.rules.new_per_search
    )
    return Action(kind, f"{kind} “{same}”{where}", quest, empty=not same)


def _date_action(state: State, args: ArgumentsReply) -> Action:
    """A range, or a centre and a number of days at most 60 (T4), searched exactly and widened by a day (T10).

    The widened search ranks by nearness to the edge days, so that a full range does not crowd them out.
    """
    if DATE not in state.channels:
        raise UnreadableError("this archive cannot be searched by date now")
    period = _range(state, args)
    if period is None:
        return Action(DATE, "date", empty=True)
    limit = state.question.period
    if limit is not None and not overlaps(period, limit):
        raise UnreadableError(f"the researcher keeps to {label(limit)}: {label(period)} lies outside")
    query, where = (args.query or "").strip(), _where(args)
    name = f"date {label(period)}" + (f" “{query}”" if query else "") + where

    def over(within: DatePeriod, *near: DatePeriod) -> Quest:
        channels = (DATE, WORDS) if query and WORDS in state.channels else (DATE,)
        limits = scope(state, tuple(args.sub_corpora), within)
        return Quest(name, query, channels, limits, state.rules.new_per_search, near)

    wide = widened(period, state.rules.date_widening)
    edges = tuple(
        DatePeriod(day, day, Precision.DAY)
        for day, exact in ((wide.first, period.first), (wide.last, period.last))
        if day != exact
    )
    return Action(DATE, name, over(period, period), over(wide, *edges) if edges else None)


def _range(state: State, args: ArgumentsReply) -> DatePeriod | None:
    if args.centre is not None:
        days = min(args.days or 0, state.rules.date_days_max)
        if days < 0:
            raise UnreadableError("days must not be negative")
        centre = _day(args.centre)
        return DatePeriod(centre - days, centre + days, Precision.RANGE)
    if args.start is None and args.end is None:
        return None
    first = FAR_PAST if args.start is None else _day(args.start)
    last = FAR_FUTURE if args.end is None else _day(args.end)
    if first > last:
        raise UnreadableError("the range ends before it begins")
    return DatePeriod(first, last, Precision.DAY if first == last else Precision.RANGE)


def _day(text: str) -> int:
    parts = text.split("-")
    if len(text) > len("YYYY-MM-DD") or len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        raise UnreadableError(f"{text!r} is not a date of the form YYYY-MM-DD")
    try:
        return day_number(int(parts[0]), int(parts[1]), int(parts[2]))
    except ValueError as error:
        raise UnreadableError(str(error)) from error


def _where(args: ArgumentsReply) -> str:
    return f" in {', '.join(sorted(set(args.sub_corpora)))}" if args.sub_corpora else ""
