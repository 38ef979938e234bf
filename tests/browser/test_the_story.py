"""From an import to a contested interpretation in a real browser, once with JavaScript and once without a line of it.

The archive is the demo, the site a process of its own, the model a script on loopback. What is asserted is what a
person sees.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes.browsers import at_work
from fakes.servers import serving
from fakes.stages import demo, narrator
from vestigia.app.workspace import open_workspace

LONG = 60_000
"""Milliseconds a run may take on a machine with other work; waiting ends when it is done."""


@pytest.fixture(scope="module")
def archive(installed, tmp_path_factory):
    return tmp_path_factory.mktemp("story") / "demo"


@pytest.fixture(scope="module")
def site(archive):
    with serving(narrator) as model, ThreadPoolExecutor(1) as thread:
        thread.submit(demo, archive, model.address()).result()
        with at_work(archive) as address:
            yield address


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def visit(request, chromium, site):
    context = chromium.new_context(base_url=site, java_script_enabled=request.param, locale="en", accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield Visit(page, request.param)
    context.close()


class Visit:
    """A person at a browser."""

    def __init__(self, page, scripted):
        self.page, self.scripted = page, scripted

    def follow(self, words):
        self.page.get_by_role("link", name=words, exact=True).first.click()

    def press(self, words):
        self.page.get_by_role("button", name=words).first.click()

    def fill(self, label, words):
        self.page.get_by_label(label, exact=True).first.fill(words)

    def sees(self, words, timeout=20_000):
        self.page.get_by_text(words).first.wait_for(timeout=timeout)

    def heading(self):
        return self.page.locator("h1").inner_text()

    def finished(self):
        self.page.locator(".badge.finished").first.wait_for(timeout=LONG)

    def fetched(self, words):
        with self.page.expect_download() as begun:
            self.follow(words)
        return begun.value.path().read_text(encoding="utf-8")

    def shown(self):
        return self.page.locator("main").inner_text()


def test_the_whole_story(visit, archive):
    _imports(visit)
    _searches(visit)
    run = _asks_with_another_plan(visit)
    _overrides(visit)
    _surveys(visit)
    _judges_blind(visit)
    _triages(visit)
    _seals_and_takes_along(visit)
    _interprets_and_contests(visit)
    workspace = open_workspace(archive)
    record = (workspace.runs / run / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["number"] for line in record] == list(range(len(record)))


def _imports(visit):
    name = "kirmes" if visit.scripted else "turnfest"
    line = {"id": name, "title": f"Vom {name}", "date": "1889-08-04", "text": f"Der {name} begann mit Musik."}
    visit.page.goto("/")
    visit.follow("Lorvange / Lörwingen (fictional)")
    visit.follow("Take sources in")
    sent = {"name": f"{name}.jsonl", "mimeType": "application/jsonl", "buffer": json.dumps(line).encode()}
    visit.page.get_by_label("Files", exact=True).set_input_files([sent])
    visit.press("Look at them")
    visit.sees("Nothing has gone in yet.", LONG)
    visit.sees(f"Vom {name}")
    visit.press("Take them in")
    visit.page.get_by_role("status").get_by_text("taken in", exact=True).wait_for(timeout=LONG)
    assert "1 document ·" in visit.shown()
    visit.page.locator("main").get_by_role("link", name="Search").click()
    visit.page.locator("main input[type=search], main input[name=q]").first.fill(name)
    visit.press("Search")
    assert visit.page.locator(".hits h3 a").first.inner_text() == f"Vom {name}"


def _searches(visit):
    visit.page.goto("/")
    visit.follow("Lorvange / Lörwingen (fictional)")
    visit.sees(re.compile("8[89] documents"))
    visit.page.locator("#quick").fill("Hochwasser")
    visit.press("Search")
    assert visit.page.locator(".hits > li").count() > 3
    assert "Hochwasser" in visit.page.locator(".hits mark").first.inner_text()
    visit.page.locator(".hits h3 a").first.click()
    visit.sees("How it is cited")


def _asks_with_another_plan(visit):
    visit.follow("Ask")
    visit.fill("Question", "Wer bezahlte die neue Brücke über die Lör?")
    visit.press("Begin")
    visit.sees("The plan is made. Read it, change it, then let it go on.", LONG)
    visit.page.locator("#text-q1").fill("Was kostete der Gerbersteg?")
    visit.page.get_by_label("leave out").last.check()
    visit.press("Keep and let it go on")
    visit.finished()
    plan = visit.page.locator("#plan-of-run").inner_text()
    assert "Was kostete der Gerbersteg?" in plan
    assert visit.page.locator("#sources .hits > li").count() > 0
    return visit.page.url.rpartition("/")[2]


def _overrides(visit):
    first = visit.page.locator("#sources .hits > li").first
    title = first.locator("h3 a").inner_text()
    first.get_by_text("Decide otherwise").click()
    first.locator("select").select_option("reject")
    first.get_by_label("Reason").fill("von einer anderen Brücke")
    first.get_by_role("button").first.click()
    visit.sees("Recorded. Your verdict outranks the machine")
    assert title not in visit.page.locator("#sources").inner_text()
    visit.page.reload()
    assert title not in visit.page.locator("#sources").inner_text()
    visit.follow("Verify")
    visit.sees("The record is whole")


def _surveys(visit):
    visit.follow("Sets")
    visit.follow("New survey")
    visit.fill("What the sources are about", "Hochwasser und Schäden an der Brücke")
    visit.fill("Windows of time", "20y")
    visit.fill("Documents of each window", "2")
    visit.press("Gather")
    visit.finished()
    visit.sees("gathered. Asked for: 2 of each window.")


def _judges_blind(visit):
    visit.page.get_by_label("Rubric").first.select_option("testimony")
    visit.press("Judge myself, blind")
    amount = int(re.search(r"0 of (\d+)", visit.shown())[1])
    for number in range(amount):
        assert "found by" not in visit.shown()
        visit.page.wait_for_load_state()
        if visit.scripted:
            visit.page.keyboard.press(str(3 + number % 7))
            visit.page.keyboard.press("Enter")
        else:
            visit.page.locator(f"#s-{3 + number % 7}").check()
            visit.press("Keep")
        visit.sees(f"{number + 1} of {amount}")
    visit.page.get_by_text("Finish the judging").first.click()
    visit.page.locator(".confirm button").click()
    visit.page.get_by_role("button", name="Curate the set, sorted by this judge").click()


def _triages(visit):
    visit.page.wait_for_load_state()
    assert visit.heading() == "Hochwasser und Schäden an der Brücke"
    standing = visit.page.locator("nav.standings")
    for key, word, seen in (("a", "Accept", "accepted 1"), ("a", "Accept", "accepted 2"), ("f", "Flag", "flagged 1")):
        if visit.scripted:
            visit.page.keyboard.press(key)
        else:
            visit.page.locator("form.decide").get_by_role("button", name=word).first.click()
        standing.get_by_text(seen).wait_for()
    if visit.scripted:
        visit.page.keyboard.press("r")
        visit.page.keyboard.press("1")
    else:
        visit.page.get_by_role("button", name="off topic").first.click()
    standing.get_by_text("rejected 1").wait_for()
    if visit.scripted:
        visit.page.keyboard.press("u")
    else:
        visit.page.locator("#u").click()
    standing.get_by_text("rejected 1").wait_for(state="detached")
    assert "accepted 2" in standing.inner_text()


def _seals_and_takes_along(visit):
    visit.follow("Seal a dossier")
    visit.sees("A seal closes the heuristic phase in your name.")
    visit.page.get_by_role("textbox").last.fill("Was vom Hochwasser erzählt wird.")
    visit.press("Seal 2 sources as")
    visit.sees("Sealed: a dossier of 2 sources.")
    visit.sees("Was vom Hochwasser erzählt wird.")
    assert visit.page.locator(".lane article").count() == 2
    assert visit.fetched("Zotero (RIS)").count("TY  - ") == 2


def _interprets_and_contests(visit):
    visit.fill("Questions", "Was wurde zerstört?")
    visit.page.get_by_label("pen").check()
    visit.press("Have it interpreted")
    visit.finished()
    visit.sees("Machine-made proposal, not a finding")
    claim = visit.page.locator(".assertion").first
    claim.get_by_text("Say something of it").click()
    claim.get_by_label("Why, or what you note").fill("Das steht dort nicht.")
    claim.get_by_role("button", name="Contest").click()
    visit.page.locator(".assertion.contested").wait_for()
    assert "Das steht dort nicht." in visit.page.locator(".assertion.contested").inner_text()
