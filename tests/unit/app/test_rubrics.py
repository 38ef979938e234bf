"""Rubrics as typed: listed, shown, checked; the archive's own stand before ours."""

import json
from unicodedata import normalize

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


@pytest.mark.parametrize("name", ["fear of machines", "v1.2", "f\u00fcr"])
def test_a_rubric_has_the_name_of_its_file_whatever_it_is(typed, own, name):
    text = OWN.replace("attitudes", name)
    (own / f"{normalize('NFD', name)}.md").write_text(text, encoding="utf-8")

    assert typed(name) == text
    assert json.loads(typed(normalize("NFD", name), "--json"))["name"] == name
    assert name in typed()


def test_files_that_an_operating_system_leaves_are_none(typed, own):
    (own / "._attitudes.md").write_bytes(b"\x00\x05\x16\x07")
    assert "testimony" in typed()


def test_a_link_to_nothing_is_said_and_the_others_are_listed(typed, own):
    (own / "gone.md").symlink_to(own / "nowhere")
    page = typed(code=FAILED)

    assert "gone.md: the rubric cannot be read" in page
    assert "testimony" in page
    (own / "attitudes.md").symlink_to(own / "nowhere")
    assert "attitudes.md: the rubric cannot be read" in typed("attitudes", code=UNUSABLE)


def test_what_steers_a_terminal_is_not_printed(typed, own):
    (own / "attitudes.md").write_text(OWN.replace("bridge", "bri\x1b[2Jdge"), encoding="utf-8")
    assert "\x1b" not in typed("attitudes")


def test_there_is_no_way_out_of_the_folder(typed):
    for name in ("../vestigia", "/etc/passwd", "rubrics/fear", "attitudes.md"):
        assert "there is no rubric" in typed(name, code=MISUSED)
