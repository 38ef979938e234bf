"""`check-quotes` as typed: what it prints, and that it fails where the archive does not say so."""

import json
from pathlib import Path

from typer.testing import CliRunner

from vestigia.cli.commands import app
from vestigia.cli.outcome import FAILED, MISUSED

TERMINAL = CliRunner(env={"COLUMNS": "200"})


def typed(archive: Path, essay: Path, *options: str, code: int = 0) -> str:
    ended = TERMINAL.invoke(app, ["check-quotes", str(essay), "--in", str(archive), *options])
    assert ended.exit_code == code, ended.output
    return ended.output


def test_each_quotation_with_outcome_place_and_difference(workspace, tmp_path):
    essay = tmp_path / "essay.md"
    essay.write_text("„Die Brücke über die Alzette“\n\n„wurde nicht gesprengt worden“ (V1) “open [b]", encoding="utf-8")
    printed = typed(workspace.root, essay, code=FAILED)

    assert "line 1 exact “Die Brücke über die Alzette”" in printed
    assert "line 3 altered “wurde nicht gesprengt worden”" in printed
    assert "“nicht” is not in the source" in printed
    assert "source: " in printed
    assert "line 3 cannot be checked “open [b]”" in printed
    assert "the mark that ends it is missing" in printed
    assert "3 quotations: 1 exact, 1 altered, 1 cannot be checked." in printed


def test_as_data(workspace, tmp_path):
    essay = tmp_path / "essay.txt"
    essay.write_text(f"„Die BRÜCKE über die {'Alzette'}“", encoding="utf-8")
    data = json.loads(typed(workspace.root, essay, "--json"))

    assert data["counts"] == {"exact": 0, "same after folding": 1, "altered": 0, "cannot be checked": 0}
    (one,) = data["quotations"]
    assert (one["document"], one["spans"], one["why"]) == ("V1", [[0, 27]], None)
    assert one["source"] == ["Die Brücke über die Alzette"]


def test_without_quotations_it_says_so(workspace, tmp_path):
    essay = tmp_path / "essay.md"
    essay.write_text("Nothing is quoted.", encoding="utf-8")

    assert "There are no quotations in the text." in typed(workspace.root, essay)


def test_a_long_quotation_is_shortened_on_the_page(workspace, tmp_path):
    essay = tmp_path / "essay.md"
    essay.write_text(f"„{'Wasser und Wind ' * 20}“", encoding="utf-8")

    assert " … " in typed(workspace.root, essay, code=FAILED)


def test_a_missing_file_is_named(workspace, tmp_path):
    assert "no such file" in typed(workspace.root, tmp_path / "gone.md", code=MISUSED)
