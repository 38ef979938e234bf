"""The systems under test as values: a flow, its rules, the channels it may use, and who answers (T15, T18).

A name is a preset, a channel (`words`, `meaning:e5`), or a run by a model: `ask:MODEL`,
`trace-2026:MODEL`. A run's name may end in one or more of the paper's mechanisms turned off: `extractive-holds`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from vestigia.domain.effects import (
    CHARACTERS,
    DATE,
    EXACT,
    MEANING,
    SOURCE,
    WORDS,
    Expand,
    Expanded,
    Found,
    Search,
    Weigh,
    Weighed,
)
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import Digest, digest
from vestigia.domain.ports import Index
from vestigia.domain.rules import Rules, Switches, preset

EXTRACTIVE = "extractive"
SIMULATED = "simulated"
WINDOWS, QUOTA = 6, 20
"""HistoRAG's six windows of twenty sources each (H2)."""
_DEPTH = 50
"""How long the list of a search is: what each channel may bring."""


class Flow(StrEnum):
    """How a question is worked on: one fused search, one search in each window of time, or a whole run."""

    SEARCH = "search"
    WINDOWS = "windows"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class System:
    """A way to find sources. `channels` are those it may use (`meaning`: all encoders); none means all there are.

    A `strict` one takes words only as they are written, without the misreadings that the index knows.
    """

    name: str
    what: str
    flow: Flow = Flow.SEARCH
    rules: Rules = preset("default")
    channels: tuple[str, ...] = ()
    model: str = EXTRACTIVE
    strict: bool = False


_SEARCH = replace(Rules(), candidates=_DEPTH)
_EQUAL = replace(_SEARCH, fusion="equal")
_WINDOWED = replace(Rules(), candidates=WINDOWS * QUOTA)
PRESETS = {
    system.name: system
    for system in (
        System(
            "bm25",
            "plain BM25: stemmed words as they are written, the best passage of a document",
            rules=_SEARCH,
            channels=(WORDS,),
            strict=True,
        ),
        System("dense", "the encoders alone; several are fused as equals", rules=_EQUAL, channels=(MEANING,)),
        System(
            "hybrid",
            "words, characters and meaning, weighed by the kind of query, and the sources that it names",
            rules=_SEARCH,
            channels=(WORDS, CHARACTERS, MEANING, SOURCE),
        ),
        System(
            "hybrid+date",
            "the same with the dates read in the question: the search of `vestigia search`",
            rules=_SEARCH,
            channels=(WORDS, CHARACTERS, MEANING, SOURCE, DATE),
        ),
        System(
            "hybrid+windows",
            f"hybrid in {WINDOWS} windows of time, {QUOTA} sources from each, ordered by their fused scores",
            Flow.WINDOWS,
            _WINDOWED,
            (WORDS, CHARACTERS, MEANING),
        ),
        System(
            "equal",
            "words, characters, meaning and date with the same weight",
            rules=_EQUAL,
            channels=(WORDS, CHARACTERS, MEANING, DATE),
        ),
        System(EXTRACTIVE, "a whole run by our rules, without a language model", Flow.ASK),
        System(
            SIMULATED,
            "a whole run by our rules, its reviewer simulated: it knows the judgments and errs as often as published",
            Flow.ASK,
            model=SIMULATED,
        ),
        System(
            "trace-2026",
            "a whole run by TRACE's published constants: words, meaning and date with equal weights, the sub-corpus "
            "applied after fusion, no orientation; its language model replaced by ours without one",
            Flow.ASK,
            preset("trace-2026"),
            (WORDS, MEANING, DATE, EXACT),
            strict=True,
        ),
        System(
            "historag-2026",
            f"HistoRAG's search: meaning alone, {QUOTA} sources from each of {WINDOWS} windows of time, by similarity; "
            "no judge",
            Flow.WINDOWS,
            _WINDOWED,
            (MEANING,),
        ),
    )
}
DEFAULT = ("bm25", "dense", "hybrid", "hybrid+date", "extractive", "trace-2026", "historag-2026")


def systems_of(names: Sequence[str], own: Mapping[str, System] = PRESETS) -> tuple[System, ...]:
    """Return the systems of these names, in their order; `own` are the presets.

    Raises UsageError for a name twice or one that is no preset, channel or run, and when there is none.
    """
    if not names:
        raise UsageError("no system is named.", remedy=f"There are: {', '.join(own)}.")
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise UsageError(f"the system {twice[0]!r} is named twice.", remedy="Name it once.")
    return tuple(_system(name, own) for name in names)


ABLATED = ("holds", "warm_start", "memory", "decomposition")
"""The mechanisms of the paper's table (T15), the last one added first."""
LEVERS = ("second_look", "orientation", "witnesses")
"""What is ours, each measured without it alone."""
_OFF: Mapping[str, Mapping[str, bool]] = {
    **{field.name: {field.name: False} for field in fields(Switches) if field.name != "every_copy"},
    "witnesses": {"every_copy": True},
}
"""The switches that turn each mechanism off."""


def ablations(names: Sequence[str], own: Mapping[str, System] = PRESETS) -> tuple[str, ...]:
    """Put before the name of every run those of the paper's table: without all its mechanisms, then one more each; and
    the run without each lever of ours that it has.
    """
    found: list[str] = []
    for name in names:
        system = _system(name, own)
        if system.flow is Flow.ASK:
            found += [f"{name}-{'-'.join(ABLATED[:number])}" for number in range(len(ABLATED), 0, -1)]
            found += [
                f"{name}-{lever}"
                for lever in LEVERS
                if _turned_off(system.rules.switches, lever) != system.rules.switches
            ]
        found.append(name)
    return tuple(found)


def _system(name: str, own: Mapping[str, System]) -> System:
    if name in own:
        return own[name]
    if name in {WORDS, CHARACTERS, DATE, EXACT} or name.startswith(f"{MEANING}:"):
        return System(name, f"the channel {name} alone", rules=_EQUAL, channels=(name,))
    for switch in _OFF:
        if name.endswith(f"-{switch}"):
            return _without(_system(name.removesuffix(f"-{switch}"), own), switch, name)
    run, _, model = name.partition(":")
    if model and run in {"ask", "trace-2026"}:
        same = PRESETS["trace-2026" if run == "trace-2026" else EXTRACTIVE]
        return replace(same, name=name, what=f"{_whole(run)}, answered by {model}", model=model)
    raise UsageError(
        f"there is no system {name!r}.",
        remedy=f"There are: {', '.join(own)}; a channel, e.g. meaning:e5; ask:MODEL; trace-2026:MODEL; and a run "
        "without one of its mechanisms, e.g. extractive-holds.",
    )


def _turned_off(switches: Switches, mechanism: str) -> Switches:
    return replace(switches, **_OFF[mechanism])


def _whole(run: str) -> str:
    return "a whole run by TRACE's published constants" if run == "trace-2026" else "a whole run by our rules"


def _without(system: System, switch: str, name: str) -> System:
    if system.flow is not Flow.ASK:
        raise UsageError(f"{system.name} is no run: it has no {switch} to turn off.", where=name)
    rules = replace(system.rules, switches=_turned_off(system.rules.switches, switch))
    return replace(system, name=name, what=f"{system.what}; without {switch.replace('_', ' ')}", rules=rules)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """An index with only some of its channels: what a system that lacks the others would have."""

    index: Index
    allowed: tuple[str, ...]
    strict: bool = False

    @property
    def fingerprint(self) -> Digest:
        """Digest of the index and of what is left of it."""
        return digest(f"{self.index.fingerprint} {' '.join(self.channels())} {self.strict}")

    def channels(self) -> tuple[str, ...]:
        """The channels left."""
        return tuple(channel for channel in self.index.channels() if self._is_allowed(channel))

    def search(self, search: Search) -> Found:
        """Search one of them."""
        return self.index.search(replace(search, strict=search.strict or self.strict))

    def weigh(self, weigh: Weigh) -> Weighed:
        """How often the words of a text occur."""
        return self.index.weigh(weigh)

    def expand(self, expand: Expand) -> Expanded:
        """Which words of the archive are near those of a text."""
        return self.index.expand(expand)

    def _is_allowed(self, channel: str) -> bool:
        return not self.allowed or any(channel == one or channel.startswith(f"{one}:") for one in self.allowed)


def narrowed(index: Index, system: System) -> Narrowed:
    """Return the index as a system sees it. Raises UsageError when the archive has none of its channels."""
    left = Narrowed(index, system.channels, system.strict)
    if not left.channels():
        raise UsageError(
            f"the archive has no channel for the system {system.name!r}; it has {', '.join(index.channels())}.",
            remedy="Leave the system out, or encode the archive: `vestigia encode ARCHIVE`.",
        )
    return left
