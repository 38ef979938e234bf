"""Asking where something is amiss: what was not recorded leaves no run, and what was stays readable."""

from dataclasses import replace
from pathlib import Path

import pytest

from vestigia.app.archive import add
from vestigia.app.asking import ask, resume, show, verify_run
from vestigia.app.deciding import decide
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import ArchiveError, LedgerError, UsageError
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules
from vestigia.engine import runs
from vestigia.ledger import durable
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.projection import list_runs

QUESTION = Question("Wer hat die Brücke gesprengt?")


def test_a_question_that_cannot_be_recorded_leaves_no_run(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    first = ask(workspace, QUESTION).run

    def unfit(*_: object) -> None:
        raise LedgerError("it cannot be recorded.")

    monkeypatch.setattr(runs, "begin", unfit)
    with pytest.raises(LedgerError):
        ask(workspace, Question("Warum?"))
    assert [row.run for row in list_runs(workspace.runs)] == [first]
    assert show(workspace, "last").run == first


def test_on_a_full_disk_a_question_leaves_no_run_and_is_asked_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    def full(_descriptor: int, _content: bytes, where: Path) -> None:
        raise durable.unwritten(OSError(28, "No space left on device"), where)

    monkeypatch.setattr(durable, "append", full)
    with pytest.raises(ArchiveError, match=r"No space left on device\. Nothing was recorded\. Make room .* ask again"):
        ask(workspace, QUESTION)
    assert list_runs(workspace.runs) == ()
    monkeypatch.undo()
    with pytest.raises(UsageError, match="there is no run yet"):
        show(workspace, "last")


def test_a_run_that_lost_its_entries_is_unsound_and_shows_nothing(workspace: Workspace):
    run = ask(workspace, QUESTION).run
    (workspace.runs / run / LEDGER).write_bytes(b"")
    assert not verify_run(workspace, run).sound
    with pytest.raises(UsageError, match="ended before anything was recorded") as error:
        show(workspace, run)
    assert "resume" not in str(error.value)


def test_an_archive_is_asked_while_documents_come_in(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    begin = runs.begin
    other = workspace.root.parent / "other.jsonl"
    other.write_text('{"id": "V3", "text": "Die Brücke steht wieder."}', encoding="utf-8")

    def meanwhile(*given: object) -> None:
        add(workspace, [other], ImportOptions())
        begin(*given)

    monkeypatch.setattr(runs, "begin", meanwhile)
    answer = ask(workspace, QUESTION)
    assert answer.result.finished
    assert "V3" not in [row.card.id for row in answer.result.sources]


@pytest.mark.parametrize(("reason", "author"), [("pont \udcff", "me"), ("", "M\udcff")])
def test_broken_characters_in_a_decision_are_refused_and_nothing_is_recorded(
    workspace: Workspace, reason: str, author: str
):
    answer = ask(workspace, QUESTION)
    document = answer.result.sources[0].card.id
    with pytest.raises(UsageError, match=r"holds broken characters\. Type it in a terminal that is set to UTF-8"):
        decide(workspace, "last", Overruled(document, Decision.REJECT, reason, author))
    assert show(workspace, "last") == answer


def test_broken_characters_in_the_name_of_who_lets_a_run_go_on_are_refused(workspace: Workspace):
    waiting = ask(workspace, QUESTION, replace(Rules(), pause=("plan",)))
    assert waiting.waits_at == "plan"
    with pytest.raises(UsageError, match="broken characters"):
        resume(workspace, "last", "M\udcff")
    assert show(workspace, "last").waits_at == "plan"
