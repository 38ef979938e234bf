"""Rubrics as typed: listed, shown, checked; the archive's own stand before ours."""

import json

import pytest
from typer.testing import CliRunner

from vestigia.cli.commands import app
from vestigia.cli.outcome import FAILED, MISUSED, UNUSABLE

TERMINAL = CliRunner(env={"COLUMNS": "200"})
OWN = "---\nname: attitudes\nscale: 1-5\n---\n## Criteria\nIs the bridge loved?\n"


@pytest.fixture
def typed(workspace):
    def run(*arguments: str, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, ["rubric", str(workspace.root), *arguments])
        assert ended.exit_code == code, ended.output
        return ended.output

    return run


@pytest.fixture
def own(workspace):
    folder = workspace.root / "rubrics"
    folder.mkdir()
    return folder


def test_h3_three_are_there_from_the_start(typed):
    page = typed()

    assert [line.split()[0] for line in page.splitlines()[1:]] == ["attitudes", "engagement", "testimony"]
    assert "keep from 7, drop to 2" in page
    assert "Vestigia's" in page


def test_h3_a_file_of_the_archive_stands_before_ours(typed, own):
    (own / "attitudes.md").write_text(OWN, encoding="utf-8")

    assert typed("attitudes") == OWN
    assert json.loads(typed("attitudes", "--json"))["highest"] == 5
    assert "the archive's" in typed()


def test_a_wrong_file_is_said_by_line_and_the_others_listed(typed, own):
    (own / "fear.md").write_text(OWN, encoding="utf-8")

    page = typed(code=FAILED)
    assert "rubrics/fear.md, line 2: the header calls it 'attitudes'. Write `name: fear`." in page
    assert "testimony" in page
    assert "line 2" in typed("fear", code=UNUSABLE)
    problems = {row["name"]: row["problem"] for row in json.loads(typed("--json", code=FAILED))}
    assert problems["testimony"] is None
    assert "line 2" in problems["fear"]


def test_a_file_that_is_no_text_is_said(typed, own):
    (own / "fear.md").write_bytes(b"\xff\xfe\xff")

    assert "the rubric cannot be read" in typed("fear", code=UNUSABLE)


@pytest.mark.parametrize("name", ["hope", "../attitudes"])
def test_a_rubric_that_is_not_there_is_said_with_those_that_are(typed, name):
    assert f"there is no rubric '{name}'. There are: attitudes, engagement, testimony." in typed(name, code=MISUSED)
