"""What a run will take, said on standard error before it starts and again when its plan is made (T16)."""

from datetime import UTC, datetime

from vestigia.app.accounts import Estimate, estimate
from vestigia.app.asking import Watch
from vestigia.app.models import Answering
from vestigia.cli.outcome import errors
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import Planned
from vestigia.domain.rules import Rules


def say_estimate(by: Answering, rules: Rules, sub_questions: int = 0) -> None:
    """Say what a run will take, where a language model answers; without a plan, at most."""
    found = estimate(by, rules, datetime.now(UTC), sub_questions)
    if found is not None:
        tell_estimate(found, planned=bool(sub_questions))


def tell_estimate(found: Estimate, *, planned: bool = False) -> None:
    """Say an estimate."""
    errors.print(words(found, planned=planned), markup=False, soft_wrap=True)


def words(found: Estimate, *, planned: bool = False) -> str:
    """An estimate in a line."""
    by = f" by its plan of {found.sub_questions}" if planned else f" with up to {found.sub_questions}"
    parts = f"{by} sub-question(s)" if found.sub_questions else ""
    cost = "at a price that is not known" if found.cost is None else f"{found.cost:.2f} USD"
    return (
        f"Estimate{parts}: about {found.calls} calls, {found.input_tokens} tokens in, "
        f"{found.output_tokens} out, {cost}."
    )


def with_estimates(watch: Watch | None, by: Answering, rules: Rules) -> Watch:
    """Watch a run and say the estimate anew when its plan is made."""

    def watched(entry: Entry) -> None:
        if watch is not None:
            watch(entry)
        if isinstance(entry.body, Recorded) and isinstance(entry.body.event, Planned):
            say_estimate(by, rules, len(entry.body.event.sub_questions))

    return watched
