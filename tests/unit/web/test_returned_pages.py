"""A list comes back into a curation: looked at first, recorded once, as acts of who sends it."""

import html
import json
import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app import curating, surveying, works
from vestigia.app.access import view
from vestigia.app.people.roles import Role, Visitor
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan
from vestigia.web.site import Options

HERE = "/archives/letters/curate"


@pytest.fixture
def run(workspace):
    """A curation of the open letters."""
    question = question_of("Die neue Brücke", [], "", [])
    found = surveying.survey(view(workspace).workspace, question, Plan("1887/1891", 5, 5))
    return curating.begin(workspace, found.run).run


@pytest.fixture
def ada(workspace):
    return visiting({"letters": workspace}, Options(visitor=lambda _request: Visitor("Ada", (("*", Role.CURATOR),))))


def sends(site, run, content, name="list.csv", **fields):
    file = (name, content if isinstance(content, bytes) else content.encode(), "text/csv")
    return site.submit(f"{HERE}/{run}/returned", fields, files={"file": file})


def confirms(site, run, page):
    (written,) = re.findall(r'name="acts" value="([^"]*)"', page.text)
    return site.submit(f"{HERE}/{run}/returned/record", {"acts": html.unescape(written)})


def deeds(workspace, run):
    return [(str(d.act.document), d.act.act.value, d.act.author, d.act.reason or d.act.note or d.act.tag)
            for d in curating.read(works.read(workspace, run)).deeds]  # fmt: skip


LIST = "document,decision,reason,notes,tags\nV1,accept,,look at it,bridge\nV2,reject,off topic,,\nV7,accept,,,\n"


def test_what_would_be_recorded_is_said_and_nothing_is(ada, workspace, run):
    is_well_made(ada.get(f"{HERE}/{run}/returned").text)
    assert f'href="{HERE}/{run}/returned"' in ada.get(f"{HERE}/{run}").text
    page = sends(ada, run, LIST)
    is_well_made(page.text)
    said = words_of(page.text)
    assert "4 acts would be recorded" in said
    assert "3 rows, 2 of sources of this set" in said
    assert "the file, line 4: V7: the archive does not know it" in said
    assert "off topic" in said
    assert deeds(workspace, run) == []


def test_it_is_recorded_once_as_acts_of_who_sends_it(ada, workspace, run):
    after = confirms(ada, run, sends(ada, run, LIST))
    assert after.url.path == f"{HERE}/{run}"
    assert deeds(workspace, run) == [
        ("V1", "accept", "Ada", ""), ("V1", "note", "Ada", "look at it"), ("V1", "tag", "Ada", "bridge"),
        ("V2", "reject", "Ada", "off topic"),
    ]  # fmt: skip
    again = sends(ada, run, LIST)
    assert "0 acts would be recorded" in words_of(again.text)
    assert "4 acts are recorded already" in words_of(again.text)
    assert 'name="acts"' not in again.text


def test_what_the_site_sent_comes_back_from_zotero(ada, workspace, run):
    curating.act(workspace, run, curating.decisions([(curating.Act.ACCEPT, ["V1"])], "Bo", "", "", resolves=False))
    sent = ada.get(f"/archives/letters/lists/{run}/file?form=ris").content.decode("utf-8-sig")
    edited = sent.replace("ER  -", "KW  - vestigia:reject=off topic\r\nER  -")
    confirms(ada, run, sends(ada, run, edited, "zotero.ris"))
    assert deeds(workspace, run)[-1] == ("V1", "reject", "Ada", "off topic")


def test_a_source_that_is_only_listed_is_decided_about_where_that_is_asked(ada, workspace, run):
    assert "0 acts" in words_of(sends(ada, run, "document\nV1\n").text)
    confirms(ada, run, sends(ada, run, "document\nV1\n", listed="accept"))
    assert deeds(workspace, run) == [("V1", "accept", "Ada", "")]


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (b"", "list.csv", "the file is empty"),
        (b"\x00\xff", "list.xlsx", ""),
        ("document\nV1", "list.exe", "it is none of CSV, TSV, XLSX and RIS"),
        ("what,ever\n1,2\n", "../../list.csv", "names no column"),
    ],
)
def test_a_file_that_cannot_be_read_says_what_is_wrong_without_where_it_lay(ada, workspace, run, content, name, why):
    page = sends(ada, run, content, name)
    assert page.status_code == 400
    assert why.casefold() in words_of(page.text).casefold()
    assert "/tmp" not in page.text
    assert name not in page.text
    assert deeds(workspace, run) == []


@pytest.mark.parametrize(
    "acts",
    ["", "[]", "{", '[{"document": "V1"}]', '[{"document": "V1", "act": "burn"}]',
     '[{"document": "V1", "act": "accept", "author": "Bo"}]', '[{"document": "V7", "act": "accept"}]',
     '[{"document": "V1", "act": "reject", "reason": "because"}]'],
)  # fmt: skip
def test_a_form_that_was_tampered_with_records_nothing(ada, workspace, run, acts):
    answer = ada.submit(f"{HERE}/{run}/returned/record", {"acts": acts})
    assert answer.status_code == 400
    assert deeds(workspace, run) == []


def test_a_script_in_a_file_is_text(ada, run):
    evil = EVIL.replace('"', "'")
    page = sends(ada, run, f"document,decision,notes\nV1,accept,{evil}\n{evil},accept,\nV2,{evil},\n").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_the_twin_has_the_form_s_run_and_it_is_for_curators_and_curations(workspace, ada, run):
    assert ada.get(f"{HERE}/{run}/returned.json").json()["acts"] == []
    survey = curating.read(works.read(workspace, run)).order.origin.run
    assert ada.get(f"{HERE}/{survey}/returned").status_code == 404
    assert sends(ada, survey, LIST).status_code == 404
    assert ada.submit(f"{HERE}/{survey}/returned/record", {"acts": json.dumps([])}).status_code == 404
    reader = visiting({"letters": workspace}, Options(visitor=lambda _r: Visitor("Cy", (("*", Role.RESEARCHER),))))
    assert reader.get(f"{HERE}/{run}/returned").status_code == 403
    assert sends(reader, run, LIST).status_code == 403
    assert f"{HERE}/{run}/returned" not in reader.get(f"{HERE}/{run}").text
