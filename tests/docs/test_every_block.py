"""No block of any page is left out: it is typed, run, compared with what is printed, or held by a test named here.

Commands that cannot be typed here (`terminal.NOT_RUN`) are tested in the nearest way.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.utils import parse_wheel_filename

from docs.pages import ROOT, Block, blocks
from docs.terminal import ENDING, NOT_RUN, SAVED, smaller, understood
from docs.test_blocks_run import CONSOLE

NO_PAGES = {".venv", "dist"}
EVERY_PAGE = sorted(one for one in ROOT.rglob("*.md") if not NO_PAGES & set(one.relative_to(ROOT).parts))
EVERY_BLOCK = [block for one in EVERY_PAGE for block in blocks(one)]
USE = "test_blocks_of_use.py"
HELD = {
    ("docs/cli.md", '{\n  "pages": ['): USE,
    ("docs/cli.md", "[oidc]"): USE,
    ("docs/decisions/0014-workbench.md", "@pages.page("): USE,
    ("docs/decisions/0014-workbench.md", "@pages.action("): USE,
    ("docs/importing.md", "[import]"): USE,
    ("docs/importing.md", "[project.entry-points."): USE,
    ("docs/models.md", "[models]"): "test_models_page.py",
    ("docs/settings.md", "[encoders.nomic]"): USE,
    ("docs/settings.md", "[archive]"): "test_pages_are_complete.py",
}
"""By page and beginning: the test that a block which is no command, no Python and no output is put to use in."""


@pytest.mark.parametrize("block", EVERY_BLOCK, ids=lambda block: f"{block.page}:{block.line}")
def test_a_block_is_typed_run_compared_or_held_by_a_named_test(block):
    match block.language:
        case "console":
            assert block.commands()
            for typed, _ in block.commands():
                assert typed in NOT_RUN or understood(typed)
        case "json":  # compared with what the command before it prints
            before = [one for one in EVERY_BLOCK if one.page == block.page and one.line < block.line]
            assert before[-1].language == CONSOLE
        case "python":  # executed, those of every page
            ast.parse(block.text)
        case _:
            assert block.named(HELD) or block.named(SAVED), "use it in a test, and name the test in HELD"


@pytest.mark.parametrize("path", EVERY_PAGE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_fence_escapes(path):
    fences = re.findall(r"^\s*(?:`{3,}|~{3,})", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(path)), "a block is fenced by ``` and a language, and is closed alike"


def test_the_lists_name_what_is_there_and_tests_that_speak_of_the_page():
    named = {**HELD, **SAVED}
    assert {one.named(named) for one in EVERY_BLOCK} >= set(named.values())
    assert sum(bool(one.named(named)) for one in EVERY_BLOCK) == len(named) + 1, "the two blocks [models] are alike"
    typed = {one for block in EVERY_BLOCK if block.language == CONSOLE for one, _ in block.commands()}
    assert {*NOT_RUN, *ENDING} <= typed
    for (page, _), test in HELD.items():
        assert page.rpartition("/")[2] in (ROOT / "tests" / "docs" / test).read_text(encoding="utf-8")


@pytest.mark.parametrize("typed", ["make it", "python setup.py", "curl localhost | sh", "uv run pytest -x"])
def test_a_new_command_that_nothing_types_is_found(typed):
    with pytest.raises(ValueError, match="no test types it"):
        test_a_block_is_typed_run_compared_or_held_by_a_named_test(Block(CONSOLE, f"$ {typed}\n", "docs/new.md", 1))


@pytest.mark.parametrize("language", ["text", "", "toml", "bash", "yaml"])
def test_a_new_block_that_no_test_holds_is_found(language):
    with pytest.raises(AssertionError, match="name the test in HELD"):
        test_a_block_is_typed_run_compared_or_held_by_a_named_test(Block(language, "vestigia x\n", "docs/new.md", 1))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("vestigia demo town", ("vestigia", ["demo", "town"], "")),
        ("vestigia/bin/vestigia demo", ("vestigia", ["demo"], "")),
        ("uv run vestigia demo", ("vestigia", ["demo"], "")),
        ("vestigia people add jean < password.txt", ("vestigia", ["people", "add", "jean"], "password.txt")),
        ("uv run --with a --with b python benchmarks/x.py 9", ("python", ["benchmarks/x.py", "9"], "")),
    ],
)
def test_a_command_is_understood(typed, meant):
    assert understood(typed) == meant


def test_a_command_goes_on_in_the_next_line_and_several_are_joined():
    text = "$ vestigia search a \\\n  word\nfound\n$ one && vestigia demo\nshown\n"
    assert Block("console", text, "x.md", 1).commands() == [
        ("vestigia search a   word", "found\n"),
        ("one", ""),
        ("vestigia demo", "shown\n"),
    ]


def test_numbers_of_a_measurement_are_made_smaller_by_their_option():
    given = ["benchmarks/x.py", "10000", "--megabytes", "100", "400", "--every", "20", "20"]
    assert smaller(given) == ["benchmarks/x.py", "100", "--megabytes", ".1", ".2", "--every", "20", "20"]


class TestCommandsThatCannotBeTypedHere:
    """The list is tested as a whole: what stands in it and in no pattern here fails the first test."""

    PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    IN_CI = frozenset({"python3 -m pip install uv", "uv run pytest"})
    VENV = "python3 -m venv vestigia"
    WHEEL = r'vestigia/bin/pip install "dist/([^\[]+)\[(.+)\]"'
    BUILD = "uv build --wheel --out-dir dist"
    COMPOSED = r"(?:(VESTIGIA_NAME)=\S+ )?docker compose (?:--profile (\w+) )?up -d"

    LOAD = tuple(typed for typed in NOT_RUN if "serve_load.py" in typed)

    def test_each_has_a_test_below(self):
        rest = set(NOT_RUN) - self.IN_CI - {self.VENV, self.BUILD, *self.LOAD}
        assert [one for one in rest if not re.fullmatch(f"{self.WHEEL}|{self.COMPOSED}", one)] == []
        assert self.IN_CI | {self.VENV, self.BUILD} <= set(NOT_RUN)

    def test_ci_begins_with_installing_uv_and_runs_pytest(self):
        script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
        assert "python3 -m pip install --quiet uv" in script
        assert "gate tests pytest" in script

    def test_the_wheel_that_is_installed_is_the_one_that_is_built_and_has_the_extra(self):
        ((wheel, extra),) = [found.groups() for one in NOT_RUN if (found := re.fullmatch(self.WHEEL, one))]
        name, version, *_ = parse_wheel_filename(wheel)
        assert (str(name), str(version)) == (self.PROJECT["name"], self.PROJECT["version"])
        assert extra in self.PROJECT["optional-dependencies"]
        assert self.VENV.endswith(f" {self.PROJECT['name']}"), "the folder whose pip is called"

    def test_the_load_of_a_server_is_measured_by_a_script_that_has_the_options_named(self):
        script = ROOT / "benchmarks" / "serve_load.py"
        told = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=True).stdout
        assert len(self.LOAD) == 2
        for typed in self.LOAD:
            _, (_, passages, *more), _ = understood(typed)
            assert passages.isdigit()
            assert [one for one in more if one.startswith("--") and f"{one} " not in told] == []

    def test_uv_takes_the_options_that_put_a_wheel_where_the_recipe_of_the_container_looks_for_it(self):
        uv = os.environ.get("UV") or shutil.which("uv")
        if uv is None:
            pytest.skip("uv is not here")
        _, *arguments = self.BUILD.split()
        told = subprocess.run([uv, *arguments, "--help"], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stderr
        assert "COPY requirements-server.lock dist/vestigia-*.whl" in (ROOT / "Dockerfile").read_text(encoding="utf-8")

    def test_compose_has_the_server_alone_and_the_proxy_under_the_profile_and_the_variable_named(self):
        services = self.COMPOSE["services"]
        found = [one.groups() for typed in NOT_RUN if (one := re.fullmatch(self.COMPOSED, typed))]
        assert found == [(None, None), ("VESTIGIA_NAME", "proxy")]
        assert [name for name, one in services.items() if not one.get("profiles")] == ["vestigia"]
        assert [name for name, one in services.items() if "proxy" in one.get("profiles", [])] == ["proxy"]
        assert "${VESTIGIA_NAME:" in (ROOT / "compose.yaml").read_text(encoding="utf-8")
