"""The house rules that no linter checks: sizes, names, how broad an `except` may be (`design.md`)."""

import ast
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))
NAMES = [path.relative_to(Path(__file__).parents[2]).as_posix() for path in SOURCES]
FORBIDDEN = {"utils", "common", "helpers", "base", "manager", "misc"}


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_file_has_one_idea_and_at_most_500_lines(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 500
    assert path.stem not in FORBIDDEN
    assert ast.get_docstring(ast.parse(text)), "a module says its idea"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_function_has_at_most_60_lines(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{path.name}: {node.name}"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_nothing_is_imported_from_the_package_root(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.ImportFrom) and node.module == "vestigia")
