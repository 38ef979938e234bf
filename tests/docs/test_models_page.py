"""The settings shown in `docs/models.md` are settings, and every provider in them can be asked."""

import asyncio
import re

import pytest

from docs.pages import ROOT, blocks
from fakes.servers import KEY, Said, serving
from vestigia.app.models import KEPT_BACK, answering, connected, connection_of
from vestigia.app.settings import read
from vestigia.models.connected.connection import PROVIDERS

PAGE = ROOT / "docs" / "models.md"
SETTINGS = [block.text for block in blocks(PAGE) if block.language == "toml"]
VARIABLES = [f"{name.upper()}_API_KEY" for name, provider in PROVIDERS.items() if provider.hosted]


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """The settings of the page, each as a file; keys are where it says."""
    for name in (*VARIABLES, "MY_ROUTER_KEY", "LIBRARY_KEY"):
        monkeypatch.setenv(name, KEY)
    found = []
    for number, text in enumerate(SETTINGS):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        found.append(read(path))
    return found


def test_the_first_one_lets_two_models_share_a_question(shown):
    by = answering(shown[0])
    assert by.name == "deepseek/deepseek-v4-flash, llama.cpp/qwen3-8b"
    assert by.withhold == KEPT_BACK


def test_every_provider_has_its_line(shown):
    lines = shown[1].models
    assert {connection_of(name, line).provider for name, line in lines.items()} == set(PROVIDERS)


@pytest.mark.parametrize("name", re.findall(r"^(\w+) = \{ model", SETTINGS[1], re.MULTILINE))
def test_every_line_can_be_asked(shown, name):
    line = shown[1].models[name]
    with serving(lambda _call: Said("{}")) as server:
        here = line.model_copy(update={"base_url": server.address(PROVIDERS[line.model.partition("/")[0]].wire)})
        made = connected(name, here)
        replied = asyncio.run(made.answer("hello", {"type": "object", "properties": {}, "additionalProperties": False}))
    assert (replied.text, replied.notes) == ("{}", ())
    sent = server.calls[0].body
    assert sent.get("reasoning_effort") == line.options.get("reasoning_effort")


def test_the_page_names_every_task_and_every_key_of_a_line():
    text = PAGE.read_text(encoding="utf-8")
    for task in ("plan", "step", "review", "reevaluate", "brief", "replan", "rank", "judge", "interpret"):
        assert f"`{task}`" in text
    for key in ("model", "base_url", "key", "window", "schema", "concurrency", "price", "rights", "timeout", "tries"):
        assert re.search(rf"[`{{ ]{key}(`| = )", text), key
