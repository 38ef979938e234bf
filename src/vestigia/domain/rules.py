"""The numbers of the method. Each is a named setting, recorded with the run (`trace.md`).

`Rules()` are the published numbers. What came later than the first ledgers is off there, so that those are read as
they were made; `preset` has what holds.

Constants marked † there are the published defaults of TRACE's open code; the rest are in the paper or ours.
"""

from dataclasses import dataclass, replace

from vestigia.domain.archive import Access
from vestigia.domain.periods import DatePeriod


@dataclass(frozen=True, slots=True)
class Budget:
    """Hard limits of a run; None means no limit. Reaching one ends the run with what was found so far.

    `cost` is in US dollars, `seconds` the time the run is at work. Looked at before each call of a model: the call that
    crosses a limit is finished and counted.
    """

    calls: int | None = 400
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Switches:
    """The mechanisms that can be turned off, for the paper's ablation (T15), and our own orientation."""

    decomposition: bool = True
    memory: bool = True
    warm_start: bool = True
    holds: bool = True
    orientation: bool = True
    """A fused search of the whole archive with the question itself before the plan is made. Ours."""
    second_look: bool = False
    """Look again, with the holds, at rejected passages of documents that other searches point to. Ours."""
    every_copy: bool = False
    """Count every copy of a text by itself, as the paper does; otherwise copies are one witness (B4)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Every constant of discover."""

    max_sub_questions: int = 4
    channel_hits: int = 50
    candidates: int = 20
    rrf_k: int = 60
    fusion: str = "measured"
    """`measured` (weights by the kind of query, docs/decisions) or `equal` (the paper's)."""
    constrain: str = "before"
    """`before` the cut-off of each channel (T3), or `after` fusion as TRACE's open code does."""
    decay: float = 0.15
    """Per day: the date channel scores exp(-decay * days) (T2)."""
    steps: int = 13
    step_ceiling: int = 15
    review_size: int = 8
    new_per_search: int = 10
    reason_length: int = 120
    parse_retries: int = 5
    repeats_to_stop: int = 2
    empty_to_warn: int = 3
    date_days_max: int = 60
    date_widening: int = 1
    actions_shown: int = 8
    patience: int = 60
    """Model calls one sub-question may use, wasted ones included: two kinds of waste must not alternate for ever."""
    budget: Budget = Budget()
    switches: Switches = Switches()
    expansion: int = 0
    """How many neighbours of each word of a question are searched beside it (H7); 0: none. Ours."""
    also: tuple[str, ...] = ()
    """Words a person chose to be searched beside those of the question (H7). Ours."""
    strict: bool = False
    """Search words only as they are written, not as text recognition or old spelling have them. Ours."""
    windows: tuple[DatePeriod, ...] = ()
    """Windows of time among which the orientation and the warm starts share their candidates out (H2). Ours."""
    excerpt: int = 0
    """Words of a passage that a review shows, its best sentences with those beside them; more on demand. 0: all."""
    sparing: bool = False
    """Lay before the model what a call needs and no more: the sub-corpora are described and the plan is shown to the
    planner only, and a brief that nobody would read is not asked for."""
    concise: bool = False
    """Say in one call what would take several, and number passages: a review also names the next action, and together
    what it rejects for one reason; a re-evaluation also writes the brief, and says whether the plan must change."""
    taken_shown: int = 0
    """How many of the sources accepted so far lie before the model, the last ones, but in a brief; 0: all (T7)."""
    parallel: int = 0
    """How many sub-questions are worked on side by side; with more than 1 the review batches of a search go out
    together, too. 0 or 1: one after another, the paper's order."""
    pause: tuple[str, ...] = ()
    """Checkpoints at which the run waits for a person: plan, holds, briefs, final."""
    withhold: tuple[Access, ...] = ()
    """Kinds of access whose documents the models of the run may not see (B11): they are held, unseen."""

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= self.step_ceiling:
            raise ValueError(f"steps must be between 1 and the ceiling of {self.step_ceiling}, not {self.steps}")


def preset(name: str) -> Rules:
    """Return the rules called `name`: `default`, or `trace-2026` with the paper's constants.

    Raises ValueError for another name.
    """
    if name == "default":
        levers = Switches(second_look=True)
        return replace(
            Rules(),
            parse_retries=1,
            parallel=4,
            review_size=20,
            excerpt=45,
            taken_shown=8,
            sparing=True,
            concise=True,
            switches=levers,
        )
    if name == "trace-2026":
        published = Switches(orientation=False, every_copy=True)
        return replace(Rules(), fusion="equal", constrain="after", parallel=1, switches=published)
    raise ValueError(f"no rules are called {name!r}; there are: default, trace-2026")
