"""While a run is at work its page is read again, opened twice and closed: nothing is lost, nothing asked twice."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes.browsers import at_work
from fakes.servers import serving
from fakes.stages import QUESTION, demo, narrator
from vestigia.app.workspace import open_workspace


@pytest.fixture
def held_back():
    """Until it is set the model gives no answer."""
    return threading.Event()


@pytest.fixture
def site(installed, tmp_path, held_back):
    def slow(call):
        assert held_back.wait(120)
        return narrator(call)

    with serving(slow) as model, ThreadPoolExecutor(1) as thread:
        thread.submit(demo, tmp_path / "demo", model.address()).result()
        with at_work(tmp_path / "demo") as address:
            yield address, model


def test_a_reload_a_second_tab_and_a_closed_one_change_nothing(site, tmp_path, held_back, chromium):
    address, model = site
    context = chromium.new_context(base_url=address, locale="en")
    first = context.new_page()
    first.set_default_timeout(60_000)
    first.goto("/archives/demo/ask")
    first.get_by_label("Question", exact=True).fill(QUESTION)
    first.get_by_label("Answered by").select_option("pen")
    first.get_by_label("when the plan is made").uncheck()
    first.get_by_role("button", name="Begin").click()
    first.locator(".badge.running").first.wait_for()
    where = first.url
    first.reload()
    second = context.new_page()
    second.set_default_timeout(120_000)
    second.goto(where)
    for page in (first, second):
        assert page.locator(".badge.running").count() >= 1
    first.close()
    held_back.set()
    second.locator(".badge.finished").first.wait_for()
    assert second.locator("#sources .hits > li").count() > 0, "the list came by itself"
    second.get_by_role("link", name="Judge or curate what it found").wait_for()
    assert second.get_by_role("navigation", name="Parts of this run").get_by_role("link", name="Audit").count() == 1
    context.close()

    workspace = open_workspace(tmp_path / "demo")
    (run,) = workspace.run_names()
    lines = (workspace.runs / run / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(len(lines)))
    asked = [call.words for call in model.calls]
    assert len(asked) == len(set(asked)), "a question was put to the model twice"
