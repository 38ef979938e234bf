"""The log as lines of JSON: words of our code, templates of routes, kinds of errors; nothing of what was asked."""

import io
import json
import logging

import pytest
from starlette.requests import Request

from fakes.sites import Site
from unit.web.conftest import EVIL
from vestigia.app.people.roles import Role
from vestigia.web import logs
from vestigia.web import site as sites
from vestigia.web.pages import Pages
from vestigia.web.site import create_app

SECRET = "Zyklotrimethylen"
BROKEN = Pages()


@BROKEN.page("/archives/{archive}/broken/{document}/now", Role.READER)
def _broken(request: Request, document: str):
    raise ValueError(f"the text of {document} is {SECRET}")


@pytest.fixture
def lines():
    """What is logged while the test runs, as data."""
    root, visits = logging.getLogger(), logs.VISITS
    before = (root.handlers[:], root.level, visits.level)
    stream = io.StringIO()
    logs.as_lines(stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], root.level = before[:2]
    root.setLevel(before[1])
    visits.setLevel(before[2])
    logging.captureWarnings(capture=False)


def test_a_request_is_a_line_with_the_template_of_its_route(workspace, lines):
    site = Site(create_app({"letters": workspace}), base_url="http://127.0.0.1:8321")
    site.get(f"/archives/letters/search?q={SECRET}&token=abc")
    (line,) = lines()
    assert line.keys() == {"time", "level", "logger", "event", "method", "route", "status", "seconds"}
    assert line["time"].endswith("Z")
    said = (line["level"], line["logger"], line["event"], line["method"], line["route"], line["status"])
    assert said == ("info", "vestigia.visits", "request", "GET", "/archives/{archive}/search", 200)
    assert 0 < line["seconds"] < 60


def test_no_words_of_a_request_are_in_it(workspace, lines):
    site = Site(create_app({"letters": workspace}), base_url="http://127.0.0.1:8321")
    for path in (f"/archives/{SECRET}", f"/{SECRET}?{SECRET}", f"/archives/letters/runs/{SECRET}/entries"):
        site.get(path, headers={"authorization": f"Bearer {SECRET}", "x-csrf-token": SECRET})
    site.submit("/login", {"password": SECRET})
    assert len(lines()) >= 4
    assert SECRET not in json.dumps(lines())


def test_what_nobody_foresaw_is_said_by_its_kind_and_place_without_its_words(workspace, lines, monkeypatch):
    monkeypatch.setattr(sites, "FAMILIES", (*sites.FAMILIES, BROKEN))
    site = Site(create_app({"letters": workspace}), base_url="http://127.0.0.1:8321")
    assert site.get(f"/archives/letters/broken/{SECRET}/now").status_code == 500
    failed, visit = lines()
    assert (failed["level"], failed["event"], failed["error"]) == ("error", "%s %s failed", "builtins.ValueError")
    assert any("_broken" in one and "test_logs.py" in one for one in failed["at"])
    assert (visit["route"], visit["status"]) == ("/archives/{archive}/broken/{document}/now", 500)
    assert SECRET not in json.dumps(lines())


def test_values_stay_out_of_the_words_and_the_end_of_a_run_s_name_says_which(lines):
    logging.getLogger("vestigia.live").error("run %s failed", f"2026-11-30-{SECRET}-abcdef", extra={"mark": "abcdef"})
    (line,) = lines()
    assert (line["event"], line["mark"]) == ("run %s failed", "abcdef")


def test_what_other_packages_say_is_named_by_its_place_alone(lines):
    logging.getLogger("asyncio").error(f"task failed: {SECRET}")
    logging.getLogger("asyncio").info("not worth a line")
    (line,) = lines()
    assert line["event"].startswith("said at test_logs:")
    assert SECRET not in json.dumps(line)


def test_a_line_is_a_line_whatever_is_in_it(lines):
    logging.getLogger("vestigia.web").warning(f"a\nb {EVIL}")
    (line,) = lines()
    assert line["event"].startswith("a\nb")
