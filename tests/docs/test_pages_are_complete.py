"""Everything a user can say or meet is documented: commands, options, exit codes, settings, events, dependencies."""

import json
import re
import tomllib
from dataclasses import asdict
from typing import get_args, get_origin

import pytest
import typer
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from docs import walk
from docs.pages import PAGES, ROOT, rows, section
from vestigia.app.encoder_settings import EncoderSettings
from vestigia.app.settings import Settings, rules_of
from vestigia.app.settings import read as read_settings
from vestigia.cli import outcome
from vestigia.cli.commands import app
from vestigia.corpus.readers.mapping import FIELDS
from vestigia.domain import events
from vestigia.domain.rules import preset

COMMANDS = typer.main.get_command(app).commands
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_command_has_a_section_that_names_each_of_its_options_and_an_example(name):
    text = section("docs/cli.md", name)
    options = [option for parameter in COMMANDS[name].params for option in parameter.opts if option.startswith("-")]
    assert not [option for option in options if f"`{option}" not in text]
    assert f"\n$ vestigia {name} " in text


def test_no_section_describes_a_command_that_does_not_exist():
    headings = re.findall(r"^## ([\w-]+)$", (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(headings) == sorted(COMMANDS)


def test_the_options_named_in_a_section_exist():
    for name, command in COMMANDS.items():
        known = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"`(--?[a-z][a-z-]*)", section("docs/cli.md", name))) <= known, name


def test_every_exit_code_is_documented_and_no_other():
    codes = {0, outcome.FAILED, outcome.MISUSED, outcome.UNUSABLE, outcome.NO_MODEL, outcome.INTERRUPTED}
    assert [int(row[0]) for row in rows("docs/cli.md") if row[0].isdigit()] == sorted(codes)


def test_every_field_a_column_can_be_is_documented():
    assert f"fields: {', '.join(FIELDS)})" in " ".join(section("docs/cli.md", "add").split())


def keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    """Every key of a settings file, with dots."""
    found = []
    for python_name, field in model.model_fields.items():
        name, inner = field.alias or python_name, field.annotation
        if get_origin(inner) is dict and issubclass(get_args(inner)[1], BaseModel):
            found += keys(get_args(inner)[1], f"{prefix}{name}.NAME.")
            continue
        nested = isinstance(inner, type) and issubclass(inner, BaseModel)
        found += keys(inner, f"{prefix}{name}.") if nested else [f"{prefix}{name}"]
    return found


DOCUMENTED = {key.strip("` "): row[1] for row in rows("docs/settings.md") for key in row[0].split(",")}
FIXED = [key for key in keys(Settings) if not key.startswith(("models.", "tasks."))]


def test_every_setting_is_documented_and_no_other():
    assert sorted(DOCUMENTED) == sorted(keys(Settings))


def in_force() -> dict[str, object]:
    """What an archive without any setting goes by, by key."""
    flat: dict[str, object] = {}

    def add(values: dict[str, object], prefix: str) -> None:
        for name, value in values.items():
            if isinstance(value, dict):
                add(value, f"{prefix}{name}.")
            else:
                flat[f"{prefix}{name}"] = value

    brought = {name: field.default for name, field in EncoderSettings.model_fields.items()}
    add({**Settings().model_dump(exclude={"rules"}, by_alias=True), "rules": asdict(rules_of(Settings()))}, "")
    add({"folders": list(Settings().imports.folders)}, "import.")  # no run depends on it: it is in no dump
    add({name: "" if field is PydanticUndefined else field for name, field in brought.items()}, "encoders.NAME.")
    return flat


@pytest.mark.parametrize("name", ["timeout", "tries", "max_reply", "options"])
def test_the_documented_default_of_a_model_s_setting_is_the_one_in_force(name):
    said = Settings.model_validate({"models": {"NAME": {"model": "openai/x"}}}).models["NAME"]
    assert json.loads(DOCUMENTED[f"models.NAME.{name}"]) == getattr(said, name)


@pytest.mark.parametrize("key", FIXED)
def test_the_documented_default_of_a_setting_is_the_one_in_force(key):
    value = in_force()[key]
    if DOCUMENTED[key] in {"no limit", "all", "none", "needed", "known"}:
        assert value in {None, ""}
    else:
        assert DOCUMENTED[key] == (value if isinstance(value, str) else json.dumps(value))


def test_what_the_paper_s_preset_changes_is_documented():
    default, paper = asdict(preset("default")), asdict(preset("trace-2026"))
    written = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").partition("The preset `trace-2026`")[2]
    stated = dict(re.findall(r"`([\w.]+) = ([^`]+)`", written.partition("## ")[0]))
    inner = {
        f"switches.{name}": value for name, value in paper["switches"].items() if default["switches"][name] != value
    }
    changed = {name: paper[name] for name in default if default[name] != paper[name] and name != "switches"} | inner
    assert {name: json.loads(value) for name, value in stated.items()} == changed


def test_the_example_of_a_settings_file_is_one(tmp_path):
    example = section("docs/settings.md", "Example").split("```toml\n")[1].split("```")[0]
    (tmp_path / "vestigia.toml").write_text(example, encoding="utf-8")
    found = read_settings(tmp_path / "vestigia.toml")
    assert rules_of(found).steps == 10
    assert rules_of(found).fusion == "equal"
    assert rules_of(found).switches.orientation


def test_every_event_is_documented_in_a_line_and_no_other():
    assert [row[0] for row in rows("docs/events.md")] == [event.__name__ for event in get_args(events.Event)]


def test_every_dependency_is_documented_with_its_licence_and_no_other():
    declared = [
        *PYPROJECT["project"]["dependencies"],
        *PYPROJECT["dependency-groups"]["dev"],
        *PYPROJECT["build-system"]["requires"],
    ]
    names = sorted(re.split(r"[<>=\s;\[]", one)[0] for one in declared)
    documented = rows("docs/dependencies.md")
    assert sorted(row[0] for row in documented) == names
    assert all(len(row) == 3 and row[1] and row[2] for row in documented)


def test_every_folder_of_the_package_has_a_line_in_the_architecture():
    folders = [path.name for path in (ROOT / "src" / "vestigia").iterdir() if (path / "__init__.py").exists()]
    named = re.findall(r"\| `(\w+)/` \|", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(folders)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_between_pages_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert not [link for link in links if not (page.parent / link).exists()]


def test_every_file_named_in_the_architecture_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    files = re.findall(r"`((?:\w+/)+[\w-]+\.(?:py|md))`", text)
    assert len(files) > 10
    assert not [file for file in files if not (ROOT / "src/vestigia" / file).exists() and not (ROOT / file).exists()]


def test_every_script_is_described():
    scripts = {path.name for path in (ROOT / "scripts").iterdir() if path.suffix in {".py", ".sh"}}
    assert scripts - {row[0] for row in rows("CONTRIBUTING.md")} == set()


def test_decision_notes_are_numbered_once_each():
    numbers = [path.name[:4] for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
    assert len(set(numbers)) == len(numbers)
    assert all(number.isdigit() for number in numbers)


def test_the_readme_has_at_most_600_words():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 600


@pytest.mark.parametrize("page", ["docs/trace.md", "docs/historag.md"])
def test_the_tests_that_a_row_names_are_there(page):
    named = set(re.findall(r"`(test_\w+\.py)`", (ROOT / page).read_text(encoding="utf-8")))
    assert named - {path.name for path in (ROOT / "tests").rglob("test_*.py")} == set()


def test_every_step_of_trace_has_its_row_and_every_module_of_it_is_there():
    steps = [row for row in rows("docs/trace.md") if re.match(r"T\d", row[0])]
    assert [row[0].split()[0] for row in steps] == ["T1", "T1b", *(f"T{number}" for number in range(2, 20))]
    inquiry = ROOT / "src" / "vestigia" / "inquiry"
    assert [
        name for row in steps for name in row[2].replace("`", "").split(", ") if not (inquiry / name).exists()
    ] == []


def test_the_walk_is_what_the_golden_run_tells():
    assert walk.PAGE.read_text(encoding="utf-8") == walk.page(), "uv run python scripts/approve_walk.py"
    assert walk.page().count("\n| ") > 40
