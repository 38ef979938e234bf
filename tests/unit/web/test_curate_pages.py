"""Curating in the browser: one by one, in bulk, undone, in conflict, from a table; by several people at once."""

import io
import re
from concurrent.futures import ThreadPoolExecutor

import openpyxl
import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import curating, patience, surveying, works
from vestigia.app.asking import now
from vestigia.app.people.roles import Role, Visitor
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan
from vestigia.inquiry.tally import NO_REASON
from vestigia.ledger.log import FileLedger
from vestigia.web.messages import say
from vestigia.web.site import Options

HERE = "/archives/letters/curate"


@pytest.fixture(scope="module")
def survey(workspace, encoder):
    from vestigia.app import asking, encoders

    with pytest.MonkeyPatch.context() as patch:
        for module in (asking, encoders):
            patch.setattr(module, "available", lambda: (encoder,))
        patch.setattr(encoders, "encoder", lambda _name: encoder)
        found = surveying.survey(workspace, question_of("Die neue Brücke", [], "", []), Plan("1887/1891", 5, 5))
    return found.run


@pytest.fixture
def run(workspace, survey):
    """A curation of the four letters."""
    return curating.begin(workspace, survey).run


def person(name):
    return Options(visitor=lambda _request: Visitor(name, (("*", Role.CURATOR),)))


@pytest.fixture
def ada(workspace):
    return visiting({"letters": workspace}, person("Ada"))


@pytest.fixture
def bo(workspace):
    return visiting({"letters": workspace}, person("Bo"))


def standings(site, run):
    return {one["document"]: one["standing"] for one in site.get(f"{HERE}/{run}.json").json()["sources"]}


def do(site, run, **fields):
    return site.submit(f"{HERE}/{run}", fields)


def deed(site, run, document="V1", part="decisions"):
    (one,) = [one for one in site.get(f"{HERE}/{run}.json").json()["sources"] if one["document"] == document]
    return one[part]


def test_a_set_is_laid_open_once_and_found_again(ada, survey):
    first = ada.submit(HERE, {"run": survey, "anew": "true"})
    again = ada.submit(HERE, {"run": survey})
    assert first.url.path.startswith(f"{HERE}/")
    assert again.url.path.startswith(f"{HERE}/")
    assert "The set is curated here already." in words_of(again.text)
    assert again.url.path.rpartition("/")[2] in ada.get(HERE).text


def test_h8_a_source_is_read_and_decided_about_and_the_next_one_is_open(ada, run):
    first = ada.get(f"{HERE}/{run}.json").json()["at"]
    assert first == ada.get(f"{HERE}/{run}.json").json()["sources"][0]["document"]
    page = ada.get(f"{HERE}/{run}?at=V1")
    is_well_made(page.text)
    assert "Die Brücke über die Alzette wurde gesprengt." in words_of(page.text)
    (following,) = re.findall(r'<a id="j" rel="next" href="\?at=([^"#]+)#reader">', page.text)
    after = do(ada, run, document="V1", act="accept", at="V1", next=following)
    assert after.url.params["at"] == following
    assert "1 source accepted." in words_of(after.text)
    assert standings(ada, run)["V1"] == "accepted"
    (said,) = deed(ada, run)
    assert (said["by"], said["act"]) == ("Ada", "accept")


def test_h8_a_rejection_has_a_reason_of_the_list_each_with_a_button_of_its_own(ada, run):
    page = ada.get(f"{HERE}/{run}").text
    assert re.findall(r'<button name="reject" value="([^"]+)"', page) == list(curating.REASONS)
    do(ada, run, document="V1", reject="off topic")
    do(ada, run, document="V2", act="reject")
    assert deed(ada, run)[0]["reason"] == "off topic"
    assert ada.get(f"{HERE}/{run}.json").json()["counts"]["rejected"] == [
        {"reason": "no reason given", "sources": 1},
        {"reason": "off topic", "sources": 1},
    ]


def test_a_reason_of_ours_is_shown_in_the_reader_s_language_and_recorded_as_the_list_has_it(ada, run):
    page = ada.get(f"{HERE}/{run}?lang=de").text
    assert re.search(r'name="reject" value="off topic"[^>]*>am Thema vorbei', page)
    do(ada, run, document="V1", at="V1", reject="off topic")
    assert "abgelehnt von Ada · am Thema vorbei" in words_of(ada.get(f"{HERE}/{run}?at=V1").text)
    assert deed(ada, run)[0]["reason"] == "off topic"
    for language in ("en", "de", "fr"):
        for reason in (*curating.REASONS, NO_REASON):
            assert say(language, f"reason.{reason.replace(' ', '-')}")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"document": "V1", "reject": "because"}, "is no reason of the project"),
        ({"document": "V1", "act": "burn"}, "It is not said what is done"),
        ({"document": "V9", "act": "accept"}, "is not in the set"),
        ({"act": "accept"}, "No source is chosen"),
        ({"document": "V1", "act": "note", "note": " "}, "The note is empty"),
    ],
)
def test_what_cannot_be_is_said_beside_what_was_typed_and_nothing_is_recorded(ada, run, fields, told):
    before = len(works.read(ada_workspace(ada), run).entries)
    page = do(ada, run, at="V1", **fields)
    assert page.status_code == 400
    assert told in words_of(page.text)
    is_well_made(page.text)
    assert len(works.read(ada_workspace(ada), run).entries) == before


def ada_workspace(site):
    return site.app.state.holdings.get("letters").workspace


def test_a_note_that_was_refused_is_still_in_its_field(ada, run):
    page = do(ada, run, at="V1", document="V9", act="note", note="seen in Bonn")
    assert page.status_code == 400
    assert ">seen in Bonn</textarea>" in page.text


def test_notes_and_tags_decide_nothing_and_are_found_again(ada, run):
    do(ada, run, document="V2", at="V2", act="note", note="compare V1")
    page = do(ada, run, document="V2", at="V2", act="tag", tag="council")
    assert page.url.params["at"] == "V2"
    assert standings(ada, run)["V2"] == "undecided"
    assert "noted by Ada · compare V1" in words_of(page.text)
    assert ada.get(f"{HERE}/{run}.json?tag=council").json()["picked"] == ["V2"]
    assert ada.get(f"{HERE}/{run}.json?words=COMPARE").json()["picked"] == ["V2"]


def test_h8_an_act_is_taken_back_by_its_author_and_by_nobody_else(ada, bo, run):
    do(ada, run, document="V1", act="accept")
    (entry,) = [one["entry"] for one in deed(ada, run)]
    assert "take back" not in bo.get(f"{HERE}/{run}?at=V1").text
    refused = bo.submit(f"{HERE}/{run}/undo", {"entries": entry})
    assert refused.status_code == 400
    assert "Bo has no act" in words_of(refused.text)
    page = ada.get(f"{HERE}/{run}").text
    assert re.search(rf'name="entries" value="{entry}"><button id="u"', page)
    assert ada.submit(f"{HERE}/{run}/undo", {"entries": entry}).url.params["at"] == "V1"
    assert standings(ada, run)["V1"] == "undecided"


def test_h8_people_who_differ_are_shown_until_one_resolves_it(ada, bo, run):
    do(ada, run, document="V1", act="accept")
    do(bo, run, document="V1", act="reject")
    page = ada.get(f"{HERE}/{run}?standing=conflict")
    assert "People do not agree about 1 source." in words_of(page.text)
    assert "accepted by Ada" in words_of(page.text)
    assert "rejected by Bo" in words_of(page.text)
    assert 'name="resolves"' in page.text
    do(bo, run, document="V1", act="accept", resolves="true", standing="conflict")
    assert standings(ada, run)["V1"] == "accepted"


def test_h8_many_are_decided_about_at_once_or_all_that_a_filter_shows(ada, run):
    page = do(ada, run, document=["V1", "V2"], act="reject", reason="off topic", at="V1")
    assert "2 sources rejected." in words_of(page.text)
    do(ada, run, all="true", act="flag", standing="undecided")
    assert standings(ada, run) == {"V1": "rejected", "V2": "rejected", "V3": "flagged", "V4": "flagged"}


def test_h8_many_acts_done_at_once_are_taken_back_at_once_and_no_other(ada, bo, run):
    do(ada, run, document="V3", act="accept")
    do(bo, run, document="V1", act="accept")
    page = do(ada, run, document=["V1", "V2"], act="accept", at="V1")
    (did,) = re.findall(r'name="entries" value="(\d+-\d+)"', page.text)
    assert "Take all 2 acts back" in words_of(page.text)
    assert bo.submit(f"{HERE}/{run}/undo", {"entries": did}).status_code == 400
    back = ada.submit(f"{HERE}/{run}/undo", {"entries": did})
    assert "2 acts taken back." in words_of(back.text)
    assert standings(ada, run) == {"V1": "accepted", "V2": "undecided", "V3": "accepted", "V4": "undecided"}
    assert "Take all" not in ada.get(f"{HERE}/{run}?did={did}").text
    assert ada.submit(f"{HERE}/{run}/undo", {"entries": "all"}).status_code == 400


def test_a_filter_is_an_address_and_its_counts_are_those_of_the_set(ada, run):
    do(ada, run, document="V1", act="accept")
    view = ada.get(f"{HERE}/{run}.json?standing=undecided").json()
    assert set(view["picked"]) == {"V2", "V3", "V4"}
    assert view["counts"]["accepted"] == 1
    page = ada.get(f"{HERE}/{run}?standing=flagged").text
    assert "No source here" in words_of(page)
    is_well_made(page)


def test_b11_a_closed_text_is_not_read_here(ada, run):
    page = ada.get(f"{HERE}/{run}?at=V4").text
    assert "The text is closed and not shown." in words_of(page)
    assert "geheimen" not in page
    assert "geheimen" not in ada.get(f"{HERE}/{run}.json").text
    assert b"geheimen" not in ada.get(f"{HERE}/{run}/table?as=csv").content


def test_a_script_in_title_text_note_tag_or_name_is_text(workspace, run):
    evil = '<script>alert("x")</script>'
    mallory = visiting({"letters": workspace}, person(evil))
    do(mallory, run, document="V1", at="V1", act="note", note=evil)
    do(mallory, run, document="V1", at="V1", act="tag", tag=evil)
    for document in ("V1", "V2"):
        page = mallory.get(f"{HERE}/{run}?at={document}").text
        assert "<script>" not in page
        assert "&lt;script&gt;" in page
        is_well_made(page)


def test_a_set_goes_out_as_a_table_and_comes_back_with_acts(ada, run):
    sent = ada.get(f"{HERE}/{run}/table?as=xlsx")
    assert sent.headers["content-disposition"] == 'attachment; filename="curation.xlsx"'
    book = openpyxl.load_workbook(io.BytesIO(sent.content))
    names = [cell.value for cell in book.active[1]]
    for row in book.active.iter_rows(min_row=2):
        if row[names.index("document")].value == "V2":
            row[names.index("act")].value = "accept"
    filled = io.BytesIO()
    book.save(filled)
    page = ada.submit(f"{HERE}/{run}/table", files={"file": ("../../<b>.xlsx", filled.getvalue())})
    assert "1 act taken in from the table." in words_of(page.text)
    assert standings(ada, run)["V2"] == "accepted"


def test_a_column_of_a_table_that_is_not_read_is_named(ada, run):
    table = b"document,act,remark\nV2,accept,why not\n"
    page = ada.submit(f"{HERE}/{run}/table", files={"file": ("t.csv", table)})
    assert "1 act taken in from the table." in words_of(page.text)
    assert "remark" in words_of(re.findall(r'(?s)<p class="flash warn".*?</p>', page.text)[0])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("t.csv", b"document,act\nV1,burn\n", "The file, line 2"),
        ("t.csv", b"document,act\nV1,\n", "No row says an act"),
        ("t.xlsx", b"no workbook", "It cannot be read"),
        ("t.csv", b"source,act\n", "There is no column"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_by_its_line_and_not_by_a_folder(ada, run, name, content, told):
    page = ada.submit(f"{HERE}/{run}/table", files={"file": (name, content)})
    assert page.status_code == 400
    assert told.casefold() in words_of(page.text).casefold()
    (problem,) = re.findall(r'(?s)<div class="problem".*?</div>', page.text)
    assert "/tmp" not in problem


def test_two_people_at_once_lose_nothing(workspace, run):
    people = [visiting({"letters": workspace}, person(name)) for name in ("Ada", "Bo", "Cy", "Di")]
    for site in people:
        do(site, run, document="V9", act="accept")  # refused; every route is made ready

    def works_through(site):
        return [do(site, run, document=name, act="accept").status_code for name in ("V1", "V2", "V3")]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(works_through, people))
    assert answers == [[200] * 3] * 4
    found = curating.read(works.read(workspace, run))
    decided = {(d.act.author, d.act.document) for d in found.deeds}
    assert len(decided) == len(found.deeds) == 12


def test_a_record_that_another_program_keeps_is_said_to_be_busy(ada, run, monkeypatch):
    monkeypatch.setattr(patience, "WAIT", 0)
    workspace = ada_workspace(ada)
    with FileLedger.open(workspace.runs, run, now):
        page = do(ada, run, at="V1", document="V1", act="note", note="kept?")
        assert page.status_code == 409
        assert "Another program is writing this run." in words_of(page.text)
        assert ">kept?</textarea>" in page.text
    assert do(ada, run, at="V1", document="V1", act="note", note="kept?").status_code == 200


@pytest.mark.parametrize("name", ["nothing", "survey"])
def test_a_run_that_is_no_curation_is_not_found_here(ada, survey, name):
    address = f"{HERE}/{survey if name == 'survey' else name}"
    assert ada.get(address).status_code == 404
    assert ada.get(f"{address}.json").status_code == 404
    assert ada.get(f"{address}/table").status_code == 404
    assert do(ada, address.rpartition("/")[2], document="V1", act="accept").status_code == 404


def test_readers_look_and_curators_decide(workspace, run):
    options = Options(visitor=lambda _request: Visitor("Rea", (("*", Role.RESEARCHER),)))
    site = visiting({"letters": workspace}, options)
    assert site.get(f"{HERE}/{run}").status_code == 200
    assert do(site, run, document="V1", act="accept").status_code == 403


def test_its_record_says_that_it_waits_for_people_and_offers_no_way_past_them(site, run):
    page = site.get(f"/archives/letters/runs/{run}")
    assert page.status_code == 200
    assert "People are curating: decide on its own page." in words_of(page.text)
    assert 'id="go-on"' not in page.text
    assert f'href="/archives/letters/curate/{run}"' in page.text
