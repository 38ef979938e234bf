"""The life of a run: begun, resumed, waited for, decided about, replayed, forked."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fakes.corpus import MemoryCorpus
from fakes.index import MemoryIndex
from fakes.ledger import MemoryLedger
from fakes.runs import (
    DOCUMENTS,
    MANIFEST,
    QUESTION,
    RUN,
    Finished,
    a_ledger,
    a_world,
    carry_on,
    finished,
    lines,
    scripted,
    spread,
    started,
)
from fakes.samples import ticking
from vestigia.domain.effects import Attended, Found, Replied, Search
from vestigia.domain.entries import Answered, Begun, Entry, Recorded
from vestigia.domain.errors import DivergedError, StoppedError, UsageError
from vestigia.domain.events import Closed, Consolidated, Event, Opened, Overruled, Paused, PlanEdited, Planned
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId, RunId, SubQuestionId
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.rules import Budget, Rules
from vestigia.engine import runs
from vestigia.engine.journal import WaitingError
from vestigia.inquiry.view import result

PAUSED = Rules(pause=("plan", "holds", "final"))
L1, B1, L4 = (DocumentId(name) for name in ("L1", "B1", "L4"))
OUT = Overruled(L1, Decision.REJECT, "a later copy", "Ada")
IN = Overruled(L4, Decision.ACCEPT, "the market is what I look for", "Ada")
LATER = SubQuestion(SubQuestionId("q9"), "Was stand da?", "Briefe")
MINE = PlanEdited((SubQuestion(SubQuestionId("q1"), "Die Brücke in Briefen", "Briefe"),), "Ada")


def events(ledger: MemoryLedger) -> Iterator[Event]:
    return (entry.body.event for entry in ledger.entries() if isinstance(entry.body, Recorded))


def sources(run: Finished) -> list[str]:
    return [source.card.id for source in result(run.state).sources]


def sleeps_at(ledger: MemoryLedger) -> str:
    """Where a resumed run goes to sleep."""
    with pytest.raises(WaitingError) as caught:
        carry_on(ledger, scripted())
    assert runs.waiting_at(ledger.entries()) == caught.value.checkpoint
    return caught.value.checkpoint


# Beginning


def test_the_first_entry_says_what_made_the_run() -> None:
    ledger = started(PAUSED)
    (entry,) = ledger.entries()
    assert entry.body == Begun(MANIFEST, QUESTION, PAUSED)
    assert entry.actor == "code"


@pytest.mark.parametrize("text", ["", "  ", "\n\t"])
def test_an_empty_question_begins_nothing(text: str) -> None:
    ledger = a_ledger()
    with pytest.raises(UsageError, match="the question is empty"):
        runs.begin(ledger, MANIFEST, Question(text), Rules())
    assert ledger.entries() == ()


def test_resuming_a_finished_run_changes_nothing() -> None:
    run = finished(scripted())
    again = carry_on(a_ledger(run.entries), scripted())
    assert again == run


def test_a_budget_of_no_calls_ends_the_run_with_a_partial_result() -> None:
    run = finished(scripted(), Rules(budget=Budget(calls=0)))
    assert run.state.limit == "0 model calls"
    assert run.entries[-1].body == Recorded(Closed(partial=True))


# Waiting for people


def test_a_run_sleeps_at_every_checkpoint_of_its_rules_and_goes_on_when_let() -> None:
    ledger, stops = started(PAUSED), []
    for _ in range(5):
        stops.append(sleeps_at(ledger))
        runs.release(ledger, "Ada")
    run = carry_on(ledger, scripted())
    assert stops == ["plan", "holds", "holds", "holds", "final"]
    assert run.state.closed
    assert run.state.ranking == finished(scripted()).state.ranking
    assert runs.waiting_at(run.entries) is None


def test_who_let_it_go_on_stands_in_the_record() -> None:
    ledger = started(PAUSED)
    sleeps_at(ledger)
    runs.release(ledger, "Ada")
    assert ledger.entries()[-1].body == Answered((Attended("Ada"),))


def test_a_sleeping_run_stays_asleep_however_often_it_is_resumed() -> None:
    ledger = started(PAUSED)
    sleeps_at(ledger)
    before = ledger.entries()
    assert [sleeps_at(ledger) for _ in range(3)] == ["plan"] * 3
    assert ledger.entries() == before


def test_a_run_that_does_not_wait_cannot_be_let_go_on() -> None:
    for ledger in (started(PAUSED), a_ledger(finished(scripted()).entries)):
        with pytest.raises(UsageError, match="does not wait for anybody"):
            runs.release(ledger, "Ada")


def test_a_decision_does_not_let_a_run_go_on_by_itself() -> None:
    ledger = started(PAUSED)
    sleeps_at(ledger)
    runs.decide(ledger, OUT)
    assert sleeps_at(ledger) == "plan"


def paused_run(at_plan: tuple[PlanEdited | Overruled, ...] = (), at_final: tuple[Overruled, ...] = ()) -> Finished:
    """A run in which people act at two checkpoints."""
    ledger = started(Rules(pause=("plan", "final")))
    assert sleeps_at(ledger) == "plan"
    for act in at_plan:
        runs.decide(ledger, act)
    runs.release(ledger, "Ada")
    assert sleeps_at(ledger) == "final"
    for act in at_final:
        runs.decide(ledger, act)
    runs.release(ledger, "Ada")
    return carry_on(ledger, scripted())


def test_a_persons_plan_replaces_the_machines() -> None:
    run = paused_run(at_plan=(MINE,))
    assert run.state.finished[0].text == "Die Brücke in Briefen"
    assert run.state.accepted[B1][0].sub_question == "q1"
    assert "Landbote" not in {s.sub_corpus for s in run.state.plan}
    assert "the plan is Ada's" in run.state.notes
    assert runs.replay(run.entries, RUN) == (run.state, True)
    assert runs.view_of(run.entries) == run.state


def test_what_a_person_rejected_before_the_end_is_not_ranked_and_is_shown_as_taken_out() -> None:
    run = paused_run(at_final=(OUT,))
    assert L1 in finished(scripted()).state.accepted
    assert L1 not in [row.document for row in run.state.ranking]
    assert [(s.card.id, s.steps[-1].author) for s in result(run.state).removed] == [(L1, "Ada")]


def test_a_decision_at_the_first_checkpoint_outranks_what_the_machine_decides_after() -> None:
    run = paused_run(at_plan=(OUT,))
    assert L1 in run.state.accepted, "the machine took it"
    assert L1 not in sources(run)


def test_of_two_decisions_on_a_document_the_later_one_counts() -> None:
    back = replace(OUT, decision=Decision.ACCEPT, reason="the original after all")
    run = paused_run(at_plan=(OUT,), at_final=(back,))
    assert L1 in sources(run)


def test_a_document_a_person_took_is_listed_though_no_machine_took_it() -> None:
    run = paused_run(at_final=(IN,))
    assert L4 not in run.state.accepted
    assert sources(run)[0] == L4
    assert result(run.state).sources[0].steps[-1].reason == IN.reason


@pytest.mark.parametrize("acts", [((), ()), ((MINE,), ()), ((OUT, MINE), (IN,)), ((), (OUT, IN))])
def test_a_run_with_people_in_it_replays_to_the_same_and_resumes_after_any_entry(
    acts: tuple[tuple[PlanEdited | Overruled, ...], tuple[Overruled, ...]],
) -> None:
    run = paused_run(*acts)
    state, closed = runs.replay(run.entries, RUN)
    assert closed
    assert state == run.state
    assert runs.view_of(run.entries).ranking == state.ranking
    last_human = max(entry.number for entry in run.entries if "Ada" in str(entry.body))
    for length in range(last_human + 1, len(run.entries)):
        assert lines(carry_on(a_ledger(run.entries[:length]), scripted()).entries) == run.lines


# Deciding


def test_a_decision_is_recorded_under_the_name_of_its_author() -> None:
    ledger = a_ledger(finished(scripted()).entries)
    entry = runs.decide(ledger, OUT)
    assert entry.actor == "person:Ada"
    assert entry.body == Recorded(OUT)
    assert ledger.entries()[-1] == entry


@pytest.mark.parametrize("author", ["", "  "])
def test_a_decision_without_an_author_is_refused(author: str) -> None:
    ledger = a_ledger(finished(scripted()).entries)
    with pytest.raises(UsageError, match="every decision has an author"):
        runs.decide(ledger, replace(OUT, author=author))


def test_a_decision_after_the_end_changes_every_view_and_no_replay_calls_it_a_divergence() -> None:
    run = finished(scripted())
    ledger = a_ledger(run.entries)
    runs.decide(ledger, OUT)
    runs.decide(ledger, IN)
    state, closed = runs.replay(ledger.entries(), RUN)
    assert closed
    assert state.ranking == run.state.ranking, "what was ranked then stays on record"
    assert runs.view_of(ledger.entries()) == state
    shown = [source.card.id for source in result(state).sources]
    assert shown == [L4, *(d for d in sources(run) if d != L1)]


def test_resuming_a_finished_run_shows_what_people_decided_since() -> None:
    ledger = a_ledger(finished(scripted()).entries)
    runs.decide(ledger, OUT)
    assert carry_on(ledger, scripted()).state == runs.view_of(ledger.entries())


def test_a_decision_on_a_document_the_run_never_met_is_kept_and_harms_nothing() -> None:
    ledger = a_ledger(finished(scripted()).entries)
    runs.decide(ledger, Overruled(DocumentId("unknown"), Decision.ACCEPT, "I know it", "Ada"))
    again = carry_on(ledger, scripted())
    assert DocumentId("unknown") in again.state.overruled
    assert "unknown" not in sources(again)


def test_a_plan_can_be_replaced_only_where_the_run_waits_for_it() -> None:
    at_holds = started(Rules(pause=("holds",)))
    assert sleeps_at(at_holds) == "holds"
    for ledger in (started(PAUSED), at_holds, a_ledger(finished(scripted()).entries)):
        before = ledger.entries()
        with pytest.raises(UsageError, match="a plan can be replaced only while the run waits for it"):
            runs.decide(ledger, MINE)
        assert ledger.entries() == before


# Replaying


def test_a_record_that_goes_on_after_its_end_is_a_divergence() -> None:
    ledger = a_ledger(finished(scripted()).entries)
    extra = ledger.append(Recorded(Closed()), "code")
    with pytest.raises(DivergedError, match=rf"^entry {extra.number}: the record goes on after the run ended"):
        runs.replay(ledger.entries(), RUN)
    with pytest.raises(DivergedError, match="goes on after the run ended"):
        carry_on(ledger, scripted())


def test_a_ranking_changed_in_the_record_is_a_divergence_that_names_the_entry() -> None:
    entries = list(finished(scripted()).entries)
    number = next(e.number for e in entries if isinstance(e.body, Recorded) and isinstance(e.body.event, Consolidated))
    entries[number] = replace(entries[number], body=Recorded(Consolidated(())))
    with pytest.raises(DivergedError, match=rf"^entry {number}: the record has Consolidated, .*, with another ranking"):
        runs.replay(entries, RUN)


def test_a_sleeping_run_replays_as_far_as_it_got() -> None:
    ledger = started(PAUSED)
    sleeps_at(ledger)
    runs.decide(ledger, OUT)
    state, closed = runs.replay(ledger.entries(), RUN)
    assert not closed
    assert state.overruled == {L1: OUT}
    assert [s.id for s in state.plan] == ["q1", "q2"]


# Forking


def a_new_ledger() -> MemoryLedger:
    return MemoryLedger(RunId("2026-01-03-die-bruecke-fedcba"), ticking(600))


def planned_at(run: Finished) -> int:
    return next(e.number for e in run.entries if isinstance(e.body, Recorded) and isinstance(e.body.event, Planned))


def test_a_fork_names_its_parent_and_copies_what_came_before() -> None:
    run, child = finished(scripted()), a_new_ledger()
    runs.fork(a_parent(run), 40, child)
    first = child.entries()[0].body
    assert isinstance(first, Begun)
    assert (first.manifest.parent, first.manifest.forked_at) == (RUN, 40)
    assert [(e.body, e.actor, e.took) for e in child.entries()[1:]] == [
        (e.body, e.actor, e.took) for e in run.entries[1:40]
    ]


def a_parent(run: Finished) -> MemoryLedger:
    """The ledger of a run with the texts it kept."""
    ledger = a_ledger(run.entries[:1])
    carry_on(ledger, scripted())
    return ledger


@pytest.mark.parametrize("back", [1, 2, 3, 10, 60])
def test_a_fork_without_another_decision_comes_to_the_same_ranking(back: int) -> None:
    run, child = finished(scripted()), a_new_ledger()
    runs.fork(a_parent(run), len(run.entries) - back, child)
    state = runs.resume(child, a_world(child, scripted()), stopwatch=lambda: 0.0)
    assert state == run.state


def test_a_fork_with_another_decision_goes_another_way_and_leaves_its_parent_as_it_was() -> None:
    run, child = finished(scripted()), a_new_ledger()
    parent = a_parent(run)
    runs.fork(parent, planned_at(run) + 1, child)
    runs.decide(child, OUT)
    state = runs.resume(child, a_world(child, scripted()), stopwatch=lambda: 0.0)
    assert [row.document for row in state.ranking] == [r.document for r in run.state.ranking if r.document != L1]
    assert runs.replay(child.entries(), child.run) == (state, True)
    assert lines(parent.entries()) == run.lines


def test_a_fork_may_have_other_rules_from_where_they_matter() -> None:
    """Pausing at the end matters only at the end: everything before may be kept."""
    run, child = finished(scripted()), a_new_ledger()
    end = next(e.number for e in run.entries if e.body.__class__.__name__ == "Asked" and "final" in str(e.body))
    runs.fork(a_parent(run), end, child, Rules(pause=("final",)))
    assert next(e.rules for e in events(child) if isinstance(e, Opened)).pause == ("final",)
    assert sleeps_at(child) == "final"


def test_a_fork_under_rules_that_would_have_decided_otherwise_before_is_a_divergence() -> None:
    run, child = finished(scripted()), a_new_ledger()
    runs.fork(a_parent(run), len(run.entries) - 1, child, Rules(rrf_k=61))
    with pytest.raises(DivergedError, match=r"^entry 14: the record has Searched"):
        runs.resume(child, a_world(child, scripted()))


def test_a_fork_keeps_the_texts_its_entries_name_so_that_it_can_be_verified_alone() -> None:
    run, child = finished(scripted()), a_new_ledger()
    runs.fork(a_parent(run), len(run.entries), child)
    named = [
        a.prompt
        for e in child.entries()
        if isinstance(e.body, Answered)
        for a in e.body.answers
        if isinstance(a, Replied) and a.prompt
    ]
    assert len(named) > 10
    assert all(child.kept(key) for key in named)


@pytest.mark.parametrize("at", [-1, 0, 10_000])
def test_there_is_nothing_to_fork_outside_the_record(at: int) -> None:
    run, child = finished(scripted()), a_new_ledger()
    with pytest.raises(UsageError, match=rf"no entry {at} to fork at\. Choose one from 1 to {len(run.entries)}\."):
        runs.fork(a_ledger(run.entries), at, child)
    assert child.entries() == ()


# Other archives


class Other(MemoryIndex):
    """An index that holds the same documents and ranks them the other way round."""

    def search(self, search: Search) -> Found:
        found = super().search(search)
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(reversed(found.hits), 1))
        return replace(found, hits=hits)


def test_a_run_carried_on_with_another_index_keeps_what_is_recorded() -> None:
    """The record is not searched again; only what was not asked yet is answered by the new index."""
    run = finished(scripted())
    length = planned_at(run) + 1
    again = carry_on(a_ledger(run.entries[:length]), scripted(), Other(MemoryCorpus(DOCUMENTS).pairs()))
    assert again.entries[:length] == run.entries[:length]
    assert again.state.orientation == run.state.orientation
    assert again.state.closed


# Changing what remains (B14)


@pytest.mark.parametrize("parallel", [1, 4])
def test_b14_a_person_is_heard_at_every_checkpoint_also_where_sub_questions_go_side_by_side(parallel: int) -> None:
    ledger, stops = started(Rules(pause=("plan", "holds", "briefs", "final"), parallel=parallel)), []
    while True:
        try:
            run = carry_on(ledger, spread())
            break
        except WaitingError as waiting:
            stops.append(waiting.checkpoint)
        if stops == ["plan"]:
            runs.decide(ledger, PlanEdited((*runs.view_of(ledger.entries()).queue[1:3], LATER), "Ada"))
        if stops[-1] == "holds" and stops.count("holds") == 1:
            runs.decide(ledger, OUT)
        runs.release(ledger, "Ada")
    assert stops.count("holds") == 3
    assert stops.count("briefs") == (3 if parallel == 1 else 1)
    assert [stops[0], stops[-1]] == ["plan", "final"]
    assert "Was stand da?" in [asked.text for asked in run.state.finished]
    assert L1 not in [row.document for row in run.state.ranking]
    assert runs.replay(run.entries, RUN) == (run.state, True)
    assert runs.view_of(run.entries) == run.state


# Stopping


def test_a_stop_between_two_steps_is_recorded_and_the_run_that_goes_on_is_the_undisturbed_one() -> None:
    whole = finished(scripted()).entries
    for last in range(1, len(whole) - 1, 19):
        ledger = started()

        def stop(entry: Entry, at: int = last) -> None:
            if entry.number == at:
                raise StoppedError("stopped by Ada.")

        with pytest.raises(StoppedError):
            runs.resume(ledger, a_world(ledger, scripted()), stop, stopwatch=lambda: 0.0)
        assert ledger.entries()[-1].body == Recorded(Paused("stopped by Ada."))
        run = carry_on(ledger, scripted())
        bodies = [entry.body for entry in run.entries if entry.body != Recorded(Paused("stopped by Ada."))]
        assert bodies == [entry.body for entry in whole], last
