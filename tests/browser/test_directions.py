"""A title that turns the direction of writing, by its script or by a sign that forces it, turns nothing beside it."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes.browsers import at_work
from vestigia.app import curating, surveying
from vestigia.app.archive import add
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan
from vestigia.app.workspace import init
from vestigia.corpus.importing import ImportOptions

FORCED = "\u202eגדול"
TURNED = """() => {
  const found = [], texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const place = (text, at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect();
  };
  while (texts.nextNode()) {
    const text = texts.currentNode, word = text.data.match(/[a-z]{3,}|[0-9]{2,}/i);
    if (!word || text.data.includes('\\u202e')) continue;
    const first = place(text, word.index), last = place(text, word.index + word[0].length - 1);
    if (last.width && last.left < first.left && Math.abs(last.top - first.top) < 2) found.push(text.data.trim());
  }
  return found;
}"""
"""The texts of a page whose first word of Latin letters or number is written from right to left."""


@pytest.fixture
def curation(tmp_path):
    """Made in a thread of its own: while a browser is open no other event loop can run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_curated, tmp_path).result()


def _curated(tmp_path):
    made = init(tmp_path / "letters")
    lines = [
        {"id": f"B{n}", "title": f"Brief {FORCED} {n}", "text": "Die neue Brücke wird gebaut.", "date": f"188{n}-03-11"}
        for n in range(4)
    ]
    (tmp_path / "letters.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    add(made, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters", language="de"))
    found = surveying.survey(made, question_of("Die neue Brücke", [], "", []), Plan("1880/1889", 5, 5))
    return curating.begin(made, found.run).run


def test_dates_and_verdicts_are_read_from_left_to_right_beside_any_title(installed, curation, tmp_path, chromium):
    with at_work(tmp_path / "letters") as address:
        page = chromium.new_page()
        page.set_default_timeout(60_000)
        for where in (f"curate/{curation}", "sources/B1/text"):
            page.goto(f"{address}/archives/letters/{where}")
            assert FORCED in page.content()
            assert page.evaluate(TURNED) == [], where
        page.close()
