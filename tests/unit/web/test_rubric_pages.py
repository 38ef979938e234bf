"""Rubrics in the browser: listed, checked before they are saved, versions kept, nobody's change overwritten."""

import re

import pytest

from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import rubrics
from vestigia.app.workspace import init
from vestigia.domain.ids import digest

HERE = "/archives/a/rubrics"
FEAR = """---
name: fear
scale: 1-10
---

## Criteria

Is somebody afraid?
"""


@pytest.fixture
def workspace(tmp_path):
    return init(tmp_path / "a")


@pytest.fixture
def site(workspace):
    return visiting({"a": workspace})


def base_of(page):
    return re.findall(r'name="base" value="([^"]*)"', page)[0]


def test_those_that_come_with_us_and_the_archive_s_own_are_listed(site, workspace):
    rubrics.save(workspace, "fear", FEAR)
    listed = {one["name"]: one["own"] for one in site.get(f"{HERE}.json").json()["rubrics"]}
    assert listed == {"attitudes": False, "engagement": False, "fear": True, "testimony": False}


def test_a_new_rubric_is_saved_and_read(site, workspace):
    page = site.submit(f"{HERE}/new", {"name": "fear", "text": FEAR.replace("\n", "\r\n")})
    assert page.url.path == f"{HERE}/fear/text"
    is_well_made(page.text)
    assert rubrics.source(workspace, "fear") == FEAR


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FEAR.replace("scale: 1-10", "scale: some"), "rubrics/fear.md, line 3"),
        (FEAR.replace("## Criteria", "## Kriterien"), "rubrics/fear.md, line 6"),
        (FEAR.replace("name: fear", "name: hope"), "rubrics/fear.md, line 2"),
        ("nothing", "rubrics/fear.md, line 1"),
    ],
)
@pytest.mark.parametrize("only_check", ["", "true"])
def test_an_error_is_told_by_its_line_and_nothing_is_saved_or_lost(site, workspace, text, told, only_check):
    fields = {"name": "fear", "text": text} | ({"only_check": only_check} if only_check else {})
    page = site.submit(f"{HERE}/new", fields)
    assert page.status_code == 400
    assert told in words_of(page.text)
    assert text.splitlines()[-1] in page.text
    is_well_made(page.text)
    assert "fear" not in rubrics.names(workspace)


def test_a_check_says_it_is_fine_and_saves_nothing(site, workspace):
    page = site.submit(f"{HERE}/new", {"name": "fear", "text": FEAR, "only_check": "true"})
    assert "not saved yet" in words_of(page.text)
    assert "fear" not in rubrics.names(workspace)


def test_h3_a_new_version_never_overwrites_the_one_before(site, workspace):
    rubrics.save(workspace, "fear", FEAR)
    base = base_of(site.get(f"{HERE}/fear/text").text)
    changed = FEAR.replace("afraid", "afraid, and why")
    page = site.submit(f"{HERE}/fear/text", {"text": changed, "base": base})
    assert "Earlier versions are kept." in words_of(page.text)
    assert rubrics.source(workspace, "fear") == changed
    assert rubrics.versions(workspace, "fear") == ((digest(FEAR), FEAR),)
    assert base[7:19] in words_of(page.text)
    assert rubrics.names(workspace) == ("attitudes", "engagement", "fear", "testimony")


def test_what_another_saved_meanwhile_is_not_overwritten(site, workspace):
    rubrics.save(workspace, "fear", FEAR)
    base = digest(FEAR)
    theirs = rubrics.save(workspace, "fear", FEAR.replace("afraid", "anxious"), base)
    mine = FEAR.replace("afraid", "frightened")
    page = site.submit(f"{HERE}/fear/text", {"text": mine, "base": base})
    assert page.status_code == 409
    assert "Another version was saved meanwhile." in words_of(page.text)
    assert "frightened" in page.text
    assert rubrics.rubric(workspace, "fear").digest == theirs.digest


def test_a_new_rubric_does_not_take_a_name_that_is_taken(site, workspace):
    rubrics.save(workspace, "fear", FEAR)
    page = site.submit(f"{HERE}/new", {"name": "fear", "text": FEAR.replace("afraid", "angry")})
    assert page.status_code == 409
    assert rubrics.source(workspace, "fear") == FEAR


def test_ours_are_changed_into_the_archive_s_own(site, workspace):
    ours = rubrics.source(workspace, "attitudes")
    base = base_of(site.get(f"{HERE}/attitudes/text").text)
    site.submit(f"{HERE}/attitudes/text", {"text": f"{ours}\n- An example of mine.\n", "base": base})
    assert rubrics.is_own(workspace, "attitudes")
    assert "An example of mine." in rubrics.source(workspace, "attitudes")


@pytest.mark.parametrize("name", ["../fear", ".fear", "a/b", "fear\\x", "", "x" * 61, "fear\n", "con:"])
def test_a_name_that_no_file_should_have_is_refused(site, workspace, name):
    text = FEAR.replace("name: fear", f"name: {name}")
    assert site.submit(f"{HERE}/new", {"name": name, "text": text}).status_code in {400, 422}
    assert not (workspace.root / "fear.md").exists()
    assert rubrics.names(workspace) == ("attitudes", "engagement", "testimony")


def test_a_script_in_a_rubric_is_text(site, workspace):
    rubrics.save(workspace, "fear", FEAR.replace("afraid", "</textarea><script>alert(1)</script>"))
    page = site.get(f"{HERE}/fear/text").text
    assert "<script>" not in page
    is_well_made(page)


def test_one_that_cannot_be_read_is_told_in_the_list_and_can_be_mended(site, workspace):
    (workspace.root / "rubrics").mkdir()
    (workspace.root / "rubrics" / "fear.md").write_text("broken", encoding="utf-8")
    assert "rubrics/fear.md, line 1" in words_of(site.get(HERE).text)
    page = site.get(f"{HERE}/fear/text")
    assert page.status_code == 200
    assert site.submit(f"{HERE}/fear/text", {"text": FEAR, "base": base_of(page.text)}).status_code == 200


def test_a_rubric_there_is_not_is_not_found(site):
    assert site.get(f"{HERE}/nothing/text").status_code == 404
