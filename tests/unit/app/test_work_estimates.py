"""T16: what a judging or an interpretation will take is said before it begins, by its prompts as they will be sent."""

import pytest
from typer.testing import CliRunner

from fakes.servers import KEY, diligent, serving
from vestigia.app import interpreting, judging
from vestigia.app.accounts import INPUT, OUTPUT, Estimate
from vestigia.app.models import answering_one
from vestigia.app.work_estimates import BYTES_A_TOKEN, JUDGEMENT
from vestigia.app.workspace import open_workspace
from vestigia.cli.commands import app
from vestigia.cli.estimates import words

TERMINAL = CliRunner(env={"COLUMNS": "200"})


class StoppedError(Exception):
    """What was to be done is not begun."""


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("FAKE_KEY", KEY)
    with serving(diligent) as running:
        yield running


@pytest.fixture
def gathered(workspace, server):
    """The two letters as a set, and a model with a price."""
    line = (
        f'fake = {{ model = "compatible/m1", base_url = "{server.address()}", key = "FAKE_KEY", price = [1.0, 2.0] }}'
    )
    (workspace.root / "vestigia.toml").write_text(f"[models]\n{line}\n\n[rules]\nreview_size = 1\n", encoding="utf-8")
    typed(workspace, "survey", "Die neue Brücke", "--windows", "1887-01/1887-12", "--quota", "5")
    return open_workspace(workspace.root)


def typed(workspace, command, *arguments):
    ended = TERMINAL.invoke(app, [command, str(workspace.root), *arguments])
    assert ended.exit_code == 0, ended.output
    return ended


def told(work):
    """What is said before a work begins, which then does not begin."""
    said = []

    def say(estimate):
        said.append(estimate)
        raise StoppedError

    with pytest.raises(StoppedError):
        work(say)
    (one,) = said
    return one


def counted(calls):
    return sum(len(call.words.encode()) // BYTES_A_TOKEN + 1 for call in calls)


def test_a_judging_is_estimated_by_the_prompts_that_are_then_sent(gathered, server):
    runs = len(gathered.run_names())
    found = told(lambda say: judging.judge(gathered, "last", "attitudes", "fake", say=say))
    assert (server.calls, len(gathered.run_names())) == ([], runs)

    typed(gathered, "judge", "--rubric", "attitudes", "--model", "fake")

    assert (found.sub_questions, found.calls, found.output_tokens) == (0, len(server.calls), 2 * JUDGEMENT)
    assert found.input_tokens == counted(server.calls)
    assert found.cost == pytest.approx((found.input_tokens + 2 * found.output_tokens) / 1e6, rel=0.01)


def test_an_interpretation_is_estimated_by_its_passages_for_each_question_and_a_call_to_write(gathered, server):
    typed(gathered, "curate", "--accept", "V1", "--accept", "V2", "--as", "Ada")
    typed(gathered, "seal", "--statement", "All letters on the bridge.", "--as", "Ada")
    by = answering_one(gathered.settings, "interpret", "fake")
    one = told(lambda say: interpreting.interpret(gathered, "last", ["Who built it?"], by, say=say))
    two = told(lambda say: interpreting.interpret(gathered, "last", ["Who built it?", "Who paid?"], by, say=say))

    # two passages, one a call, and one text; with a second question the same again and what they say together
    assert (one.calls, one.output_tokens) == (3, 3 * OUTPUT)
    assert (two.calls, two.output_tokens) == (7, 7 * OUTPUT)
    typed(gathered, "interpret", "--question", "Who built it?", "--model", "fake", "--max-calls", "1")
    assert one.input_tokens - INPUT == pytest.approx(2 * counted(server.calls), rel=0.02)


def test_it_stands_on_standard_error_before_the_judging(gathered):
    ended = typed(gathered, "judge", "--rubric", "attitudes", "--model", "fake", "--json")
    assert ended.stderr.startswith("Estimate: about 2 calls, ")
    assert ended.stdout.startswith("{")


def test_an_unknown_price_is_said_and_never_nothing():
    assert words(Estimate(0, 2, 900, 500, None)) == (
        "Estimate: about 2 calls, 900 tokens in, 500 out, at a price that is not known."
    )
