"""Forking a run at an entry, and choosing the entry: what each is, what a model was sent there and replied."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import asking, entries, forking
from vestigia.app.archive import add
from vestigia.app.models import Answering
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.effects import Attended, Found, Replied, Stop
from vestigia.domain.entries import Answered, Asked, Begun, Entry, Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import (
    BudgetReached,
    Closed,
    HeldUnseen,
    Opened,
    Overruled,
    Paused,
    PlanEdited,
    Planned,
    Reevaluated,
    Replanned,
    SearchFailed,
    Waste,
    Wasted,
)
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import Digest
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.rules import preset
from vestigia.ledger.log import FileLedger

QUESTION = Question("Wer hat die Brücke gesprengt?")
Q1 = SubQuestion("q1", "Wer?", "Letters")


def typed(*arguments: str, code: int = 0) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, list(arguments))
    assert ended.exit_code == code, ended.output
    return " ".join(ended.output.split())


def read(workspace: Workspace, run: str) -> tuple[Entry, ...]:
    return FileLedger.read(workspace.runs, run).entries()


def at(workspace: Workspace, run: str, kind: type) -> int:
    return next(
        e.number for e in read(workspace, run) if isinstance(e.body, Recorded) and isinstance(e.body.event, kind)
    )


class TestFork:
    """`vestigia fork`."""

    def test_a_fork_goes_on_in_a_run_of_its_own_that_names_its_parent(self, workspace: Workspace):
        parent = asking.ask(workspace, QUESTION)
        before = read(workspace, parent.run)
        number = at(workspace, parent.run, Planned)
        child = forking.fork(workspace, parent.run, number)
        assert child.run != parent.run
        assert child.result.sources == parent.result.sources
        first = read(workspace, child.run)[0].body
        assert isinstance(first, Begun)
        assert (first.manifest.parent, first.manifest.forked_at) == (parent.run, number)
        assert read(workspace, parent.run) == before
        assert asking.verify_run(workspace, child.run).sound
        assert asking.replay(workspace, child.run).finished

    def test_another_decision_is_taken_where_the_fork_waits_for_it(self, workspace: Workspace):
        parent, root = asking.ask(workspace, QUESTION).run, str(workspace.root)
        number = at(workspace, parent, Planned) + 1
        assert "waits for a person at the checkpoint “plan”" in typed(
            "fork", root, "--at", str(number), "--pause", "plan"
        )
        typed("plan", root, "--reword", "q1=Wer baute?", "--as", "Ada")
        typed("resume", root, "--as", "Ada")
        assert [one.text for one in asking.show(workspace, "last").result.plan] == ["Wer baute?"]
        assert [one.text for one in asking.show(workspace, parent).result.plan] == [QUESTION.text]

    def test_a_rule_changes_from_there_on(self, workspace: Workspace):
        parent = asking.ask(workspace, QUESTION, replace(preset("default"), pause=("final",))).run
        number = at(workspace, parent, Planned) + 1
        child = json.loads(
            CliRunner()
            .invoke(app, ["fork", str(workspace.root), parent, "--at", str(number), "--max-calls", "2", "--json"])
            .output
        )
        assert child["partial"] == "2 model calls"
        assert child["waits_at"] == "final"
        root = str(workspace.root)
        assert json.loads(
            CliRunner().invoke(app, ["fork", root, parent, "--at", str(number), "--pause", "none", "--json"]).output
        )["finished"]

    def test_another_model_answers_from_there_on(self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
        parent = asking.ask(workspace, QUESTION)
        chosen = []

        def other(settings, models):
            chosen.append(models)
            usual = asking.answering(settings)
            return Answering(usual.model, chosen=(("", "other"),))

        monkeypatch.setattr(forking, "answering", other)
        child = forking.fork(workspace, parent.run, 4, model="other")
        assert chosen == [{"": "other"}]
        assert read(workspace, child.run)[0].body.manifest.models == (("", "other"),)

    @pytest.mark.parametrize("number", [0, 10_000])
    def test_there_is_no_such_entry(self, workspace: Workspace, number: int):
        run = asking.ask(workspace, QUESTION, replace(preset("default"), pause=("final",))).run
        with pytest.raises(UsageError, match=rf"there is no entry {number} to fork at\. Choose one from 1 to "):
            forking.fork(workspace, run, number)

    def test_after_its_end_a_run_cannot_be_forked(self, workspace: Workspace):
        run = asking.ask(workspace, QUESTION).run
        end = at(workspace, run, Closed)
        assert forking.fork(workspace, run, end).result.finished
        with pytest.raises(UsageError, match=rf"had ended at entry {end}.*Choose an entry from 1 to {end}"):
            forking.fork(workspace, run, end + 1)

    def test_rules_that_would_have_decided_otherwise_before_are_refused_with_the_entry_to_fork_at(
        self, workspace: Workspace
    ):
        run = asking.ask(workspace, QUESTION).run
        end, listed = at(workspace, run, Closed), len(list(workspace.runs.iterdir()))
        with pytest.raises(
            UsageError, match=r"with these rules.* entry \d+ would already be another.* Fork at that"
        ) as no:
            forking.fork(workspace, run, end, lambda rules: replace(rules, rrf_k=61))
        assert len(list(workspace.runs.iterdir())) == listed
        number = int(str(no.value).split("entry ")[1].split()[0])
        assert forking.fork(workspace, run, number, lambda rules: replace(rules, rrf_k=61)).result.finished

    def test_an_archive_that_changed_since_is_asked_anew(self, workspace: Workspace, tmp_path: Path):
        run = asking.ask(workspace, QUESTION).run
        (tmp_path / "more.jsonl").write_text('{"id": "V3", "text": "Die Brücke steht wieder."}', encoding="utf-8")
        add(workspace, [tmp_path / "more.jsonl"], ImportOptions(sub_corpus="Letters"))
        with pytest.raises(UsageError, match=r"documents came in or went since.*Ask the question anew"):
            forking.fork(workspace, run, 4)

    def test_a_survey_is_not_forked(self, workspace: Workspace):
        typed("survey", str(workspace.root), "Brücken", "--windows", "1y")
        assert "only a run that answers a question can be forked" in typed("fork", str(workspace.root), code=2)


def entry(body, number=3):
    return Entry(number, Digest(""), Digest(""), "2026-01-02T10:00:00Z", "code", body)


class TestEntries:
    """`vestigia show --entries`."""

    def test_every_entry_has_its_number_who_made_it_and_what_it_is(self, workspace: Workspace):
        run = asking.ask(workspace, QUESTION).run
        rows = json.loads(CliRunner().invoke(app, ["show", str(workspace.root), "--entries", "--json"]).output)
        assert [row["entry"] for row in rows] == [e.number for e in read(workspace, run)]
        assert rows[0]["what"] == f"begun: {QUESTION.text}"
        assert rows[-1]["what"] == "ended"
        said = {row["what"] for row in rows}
        assert {"asks for a model: plan", "plan: q1", "q1 opened", "asks for people at plan"} <= said
        assert any(row["by"].startswith("model:extractive") for row in rows)
        assert "answer: a reply of extractive (no language model)" in typed("show", str(workspace.root), "--entries")

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (Answered((Found(failure="it is broken"), Found(), Found())), "answer: failed: it is broken, 2 × 0 hits"),
            (Answered((Replied("", "m", stop=Stop.REFUSED),)), "answer: a reply of m (refused)"),
            (Answered((Attended(),)), "answer: attended"),
            (Recorded(Opened(QUESTION, preset("default"))), "opened"),
            (Recorded(Replanned(())), "plan changed: nothing"),
            (Recorded(PlanEdited((Q1,), "Ada")), "plan by Ada: q1"),
            (Recorded(Paused("no answer")), "paused: no answer"),
            (Recorded(SearchFailed("warm start", "words", "broken")), "warm start: words failed: broken"),
            (Recorded(HeldUnseen(None, (), "left")), "held unseen: 0, left"),
            (Recorded(Wasted("q1", Waste.REPEATED, "words “x”")), "q1: repeated: words “x”"),
            (Recorded(Reevaluated("q1", ())), "q1: 0 held promoted"),
            (Recorded(BudgetReached("2 model calls")), "limit reached: 2 model calls"),
            (Recorded(Overruled("V1", Decision.HOLD, "", "Ada")), "Ada: hold V1"),
            (Recorded(Closed(partial=True)), "ended, partial"),
        ],
    )
    def test_what_a_run_rarely_has_is_said_too(self, body, said: str):
        assert entries.in_words(entry(body)) == said


class TestPrompts:
    """`vestigia prompts`."""

    def test_a_model_that_goes_by_rules_was_sent_no_words(self, workspace: Workspace):
        run, root = asking.ask(workspace, QUESTION).run, str(workspace.root)
        number = at(workspace, run, Planned) - 2
        page = typed("prompts", root, run, str(number))
        assert "plan · extractive (no language model) No words were sent: it goes by rules. reply {" in page
        assert page == typed("prompts", root, run, str(number - 1))

    def test_what_was_sent_is_printed_whole_with_the_raw_reply(self, workspace: Workspace):
        run, root = asking.ask(workspace, QUESTION).run, str(workspace.root)
        sent = "Passage 1: [bold] Die Brücke\n\x1b[31mwurde gesprengt."
        forked = forked_with_prompt(workspace, run, sent)
        number = next(
            e.number for e in read(workspace, forked) if isinstance(e.body, Asked) and "Review" in str(e.body)
        )
        page = typed("prompts", root, forked, str(number))
        assert "review · told Passage 1: [bold] Die Brücke [31mwurde gesprengt. reply (refused) not readable" in page
        describe_closed(workspace)
        hidden = typed("prompts", root, forked, str(number))
        assert "closed sources (V1" in hidden
        assert "wurde gesprengt" not in hidden
        (call, *_) = json.loads(
            CliRunner().invoke(app, ["prompts", root, forked, str(number), "--json", "--closed"]).output
        )
        assert (call["prompt"], call["reply"], call["stop"], call["closed"]) == (sent, "not readable", "refused", [])

    def test_an_entry_where_no_model_was_asked_names_those_near_it(self, workspace: Workspace):
        run, root = asking.ask(workspace, QUESTION).run, str(workspace.root)
        number = at(workspace, run, Planned) - 2
        assert f"no model answered at entry 0. There are calls at {number}, " in typed(
            "prompts", root, run, "0", code=2
        )
        typed("survey", root, "Brücken", "--windows", "1y")
        assert "No model was asked in this run." in typed("prompts", root, "last", "1", code=2)


def forked_with_prompt(workspace: Workspace, run: str, sent: str) -> str:
    """A run whose first review was sent words that are kept, and has no more entries."""
    copied = read(workspace, run)
    end = next(e.number for e in copied if isinstance(e.body, Asked) and "ReviewRequest" in str(e.body))
    with FileLedger.create(workspace.runs, "2026-01-01-told-000000", asking.now) as ledger:
        for one in copied[: end + 1]:
            ledger.append(one.body, one.actor)
        key = ledger.keep(sent)
        effects = copied[end].body.effects
        ledger.append(
            Answered(tuple(Replied("not readable", "told", key, stop=Stop.REFUSED) for _ in effects)), "model:told"
        )
    return "2026-01-01-told-000000"


def describe_closed(workspace: Workspace) -> None:
    typed("describe", str(workspace.root), "Letters", "--access", "closed")
