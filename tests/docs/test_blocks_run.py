"""Every block of the documents does what it says: commands are carried out in order, shown output is really printed."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, Block, blocks, headings, section
from docs.terminal import COLLECTIONS, ENDING, NOT_RUN, SAVED, Terminal, prepared
from fakes.servers import KEY
from vestigia.app import encoders

CONSOLE = "console"
WITH_COMMANDS = [page for page in PAGES if any(b.commands() for b in blocks(page) if b.language == CONSOLE)]
SERVED = "docs/notebook.md"
"""Its Python speaks with a server: `tests/unit/test_client.py` runs it."""
PYTHON = [b for page in PAGES for b in blocks(page) if b.language == "python" and b.page != SERVED]


@pytest.fixture
def terminal(tmp_path, monkeypatch):
    """A folder with the files the documents speak of; the encoders load their weights once for all commands."""
    folder = tmp_path / "checkout"
    prepared(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MISTRAL_API_KEY", KEY)
    for name in ("UniversalEncoder", "MultilingualE5"):
        monkeypatch.setattr(encoders, name, cache(getattr(encoders, name)))
    return Terminal()


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_work_in_their_order_and_print_what_it_shows(page, terminal):
    printed = ""
    for block in blocks(page):
        where = f"{block.page}, line {block.line}"
        if block.language == "json":
            assert not differences(json.loads(block.text), json.loads(printed)), where
        if name := block.named(SAVED):
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(block.text, encoding="utf-8")
        if block.language == CONSOLE:
            printed = carry_out(block, where, terminal)


def carry_out(block: Block, where: str, terminal: Terminal) -> str:
    """Carry out the commands of a block; returns what the last one printed."""
    printed = ""
    for typed, shown in block.commands():
        if typed in NOT_RUN:
            continue
        ended = terminal.type(typed)
        printed = ended.stdout
        assert ended.code == ENDING.get(typed, 0), f"{where}: {typed}: {ended.stderr}"
        assert is_shown(shown, printed), (
            f"{where}: {typed} does not print what the page shows. It prints:\n{printed}\n"
            "For the README: uv run python scripts/approve_readme.py"
        )
        if "benchmarks/" in typed:
            assert re.search(r"^\| .*\d.* \|$", printed, re.MULTILINE), f"{where}: {typed}: no row of numbers"
        if typed.startswith("vestigia evaluate ../shared"):
            shown_below = headings("".join(section(block.page, name) for name in COLLECTIONS))
            assert len(shown_below) == 4
            assert shown_below <= headings(printed), f"{where}: the tables of the page are not those printed"
    return printed


def is_shown(shown: str, printed: str) -> bool:
    """Whether the words shown are printed in that order; `…` stands for anything, line breaks do not count."""
    parts = [r"\s+".join(re.escape(word) for word in part.split()) for part in shown.split("…")]
    return re.search(r".*?".join(parts), printed, re.DOTALL) is not None


def differences(documented: object, printed: object, place: str = "$") -> list[str]:
    """Where the shape of documented data is not that of printed data: names of fields, kinds of values.

    Elements of a list are all held against its first one; an empty list and null fit anything of their kind.
    """
    if isinstance(documented, dict) and isinstance(printed, dict):
        if documented.keys() != printed.keys():
            return [f"{place}: {sorted(documented.keys() ^ printed.keys())}"]
        return [found for key in documented for found in differences(documented[key], printed[key], f"{place}.{key}")]
    if isinstance(documented, list) and isinstance(printed, list):
        pairs = [(element, printed[0]) for element in documented] if printed else []
        return [found for element, first in pairs for found in differences(element, first, f"{place}[]")]
    if documented is None or printed is None or type(documented) is type(printed):
        return []
    return [f"{place}: {type(documented).__name__} is documented, {type(printed).__name__} printed"]


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"{block.page}:{block.line}")
def test_python_in_the_documents_runs(block):
    exec(compile(block.text, block.page, "exec"), {"__name__": "__page__"})


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        ("", "anything", True),
        ("one two", "one\n  two", True),
        ("one … three", "one two three", True),
        ("three … one", "one two three", False),
        ("one four", "one two three", False),
    ],
)
def test_shown_output_is_compared_by_words_and_order(shown, printed, fits):
    assert is_shown(shown, printed) is fits


@pytest.mark.parametrize(
    ("documented", "printed", "found"),
    [
        ({"a": 1}, {"a": 7}, []),
        ({"a": 1}, {"a": 7, "b": 1}, ["$: ['b']"]),
        ({"a": [{"b": 1}]}, {"a": [{"c": 1}]}, ["$.a[]: ['b', 'c']"]),
        ({"a": 1}, {"a": "1"}, ["$.a: int is documented, str printed"]),
        ({"a": None}, {"a": 2}, []),
    ],
)
def test_documented_data_are_compared_by_shape(documented, printed, found):
    assert differences(documented, printed) == found


def test_the_pages_have_commands_data_and_python_to_test():
    assert [page.name for page in WITH_COMMANDS][:1] == ["README.md"]
    assert (ROOT / "docs" / "cli.md") in WITH_COMMANDS
    assert PYTHON
    assert all(isinstance(page, Path) and page.is_file() for page in PAGES)
