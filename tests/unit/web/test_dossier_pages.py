"""Sealing on purpose, reading a dossier, quotations checked, interpretations contested and signed for, lists."""

import re

import pytest

from fakes.interpreting import interpreter
from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import curating, dossiers, models, surveying, works
from vestigia.app.asking import ask
from vestigia.app.people.roles import Role, Visitor
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan
from vestigia.domain.acts import Act
from vestigia.domain.question import Question
from vestigia.inquiry.dossier import dossiers as sealed_in
from vestigia.web.site import Options

BASE = "/archives/letters"
READERS = {name: (lambda name=name: interpreter(name)) for name in ("reader", "other")}
STATEMENT = "All letters on the bridge <b>."


def person(workspace, name, role=Role.CURATOR):
    return visiting({"letters": workspace}, Options(visitor=lambda _request: Visitor(name, (("*", role),))))


@pytest.fixture
def ada(workspace, monkeypatch):
    monkeypatch.setattr(models, "installed", lambda _kind: READERS)
    monkeypatch.setattr("vestigia.app.modelling.installed", lambda _kind: READERS)
    return person(workspace, "Ada")


@pytest.fixture
def run(workspace):
    """A curation in which three letters are accepted, and the closed one is left."""
    found = surveying.survey(workspace, question_of("Die neue Brücke", [], "", []), Plan("1887/1888, 1889/1892", 5, 5))
    begun = curating.begin(workspace, found.run).run
    curating.act(workspace, begun, curating.decisions(((Act.ACCEPT, ["V1", "V2"]),), "Ada", "", "", resolves=False))
    return begun


@pytest.fixture
def sealed(workspace, run):
    return dossiers.seal(workspace, run, STATEMENT, "Ada").run


class TestSealing:
    def test_h1_what_would_be_sealed_is_looked_at_first_and_nothing_happens_by_looking(self, ada, workspace, run):
        page = ada.get(f"{BASE}/curate/{run}/seal")
        is_well_made(page.text)
        said = words_of(page.text)
        assert "These 2 sources" in said
        assert "2 sources are undecided or flagged and will not be in the dossier." in said
        assert "Seal 2 sources as Ada" in said
        assert sealed_in(works.read(workspace, run).entries, run) == ()

    def test_h1_a_seal_has_a_statement_and_an_author(self, ada, workspace, run):
        page = ada.submit(f"{BASE}/curate/{run}/seal", {"sources": "2", "statement": STATEMENT})
        assert page.url.path == f"{BASE}/dossiers/{run}"
        assert "Sealed: a dossier of 2 sources." in words_of(page.text)
        (dossier,) = sealed_in(works.read(workspace, run).entries, run)
        assert (dossier.author, dossier.statement) == ("Ada", STATEMENT)

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"sources": "2", "statement": " "}, "a dossier is sealed with a statement"),
            ({"sources": "3", "statement": "s"}, "By now 2 sources are accepted, and not 3"),
            ({"statement": "s"}, "By now 2 sources are accepted"),
        ],
    )
    def test_what_cannot_be_sealed_is_said_and_what_was_typed_stays(self, ada, workspace, run, fields, told):
        page = ada.submit(f"{BASE}/curate/{run}/seal", fields)
        assert page.status_code == 400
        assert told.casefold() in words_of(page.text).casefold()
        assert f">{fields['statement']}</textarea>" in page.text
        assert sealed_in(works.read(workspace, run).entries, run) == ()

    def test_people_who_do_not_agree_come_before_the_seal(self, ada, workspace, run):
        reject = curating.decisions(((Act.REJECT, ["V1"]),), "Bo", "", "", resolves=False)
        curating.act(workspace, run, reject)
        page = words_of(ada.get(f"{BASE}/curate/{run}/seal").text)
        assert "People do not agree about 1 source. Resolve it first" in page
        assert "Seal 1" not in page

    def test_who_may_not_curate_does_not_seal(self, workspace, run):
        site = person(workspace, "Rea", Role.RESEARCHER)
        assert site.get(f"{BASE}/curate/{run}/seal").status_code == 403
        assert site.submit(f"{BASE}/curate/{run}/seal", {"sources": "2", "statement": "s"}).status_code == 403


class TestReading:
    def test_b13_a_dossier_is_read_by_window_with_sentences_of_its_sources(self, ada, sealed):
        view = ada.get(f"{BASE}/dossiers/{sealed}.json").json()
        assert [(one["window"], [s["document"] for s in one["sources"]]) for one in view["windows"]] == [
            ("1887-01-01/1888-12-31", ["V1"]),
            ("1889-01-01/1892-12-31", ["V2"]),
        ]
        page = ada.get(f"{BASE}/dossiers/{sealed}").text
        is_well_made(page)
        said = words_of(page)
        assert STATEMENT in said
        assert "1887–1888 1 source" in said
        assert "Die Brücke über die Alzette wurde gesprengt." in said
        assert "<script>" not in page

    def test_a_dossier_of_no_windows_speaks_of_none_until_some_are_asked_for(self, ada, workspace):
        begun = curating.begin(workspace, ask(workspace, Question("Was geschah mit der Brücke?")).run).run
        curating.act(workspace, begun, curating.decisions(((Act.ACCEPT, ["V1"]),), "Ada", "", "", resolves=False))
        page = f"{BASE}/dossiers/{dossiers.seal(workspace, begun, STATEMENT, 'Ada').run}"
        assert "In no window" not in words_of(ada.get(page).text)
        assert '<h2 id="w1">1 source</h2>' in ada.get(page).text
        assert "In no window 1 source" in words_of(ada.get(f"{page}?windows=1900/1901").text)

    def test_other_windows_are_an_address_and_a_wrong_one_is_said(self, ada, sealed):
        view = ada.get(f"{BASE}/dossiers/{sealed}.json?windows=1887/1892").json()
        assert [len(one["sources"]) for one in view["windows"]] == [2]
        page = ada.get(f"{BASE}/dossiers/{sealed}?windows=soon")
        assert page.status_code == 400
        assert "cannot be read as a period" in words_of(page.text)
        assert ada.get(f"{BASE}/dossiers/{sealed}.json?windows=soon").status_code == 400

    def test_dossiers_are_listed_and_a_curation_without_a_seal_is_none(self, ada, run):
        assert ada.get(f"{BASE}/dossiers/{run}").status_code == 404
        assert run not in ada.get(f"{BASE}/dossiers.json").text

    def test_a_sealed_one_is_listed(self, ada, sealed):
        assert sealed in [one["run"] for one in ada.get(f"{BASE}/dossiers.json").json()["dossiers"]]


class TestQuotes:
    TEXT = "He writes “Die Brücke über die Alzette wurde gesprengt.” and “Die Brücke über die Mosel wurde gesprengt.”"

    @pytest.mark.parametrize("way", ["pasted", "file"])
    def test_b8_quotations_are_held_against_the_archive(self, ada, way):
        if way == "pasted":
            page = ada.submit(f"{BASE}/quotes", {"text": self.TEXT})
        else:
            page = ada.submit(f"{BASE}/quotes", {"text": ""}, files={"file": ("a.txt", self.TEXT.encode())})
        assert page.status_code == 200
        is_well_made(page.text)
        said = words_of(page.text)
        assert "2 quotations" in said
        assert "word for word 1" in said
        assert "altered 1" in said
        assert "The source has: Die Brücke über die Alzette wurde gesprengt" in said

    @pytest.mark.parametrize(
        ("fields", "files", "told"),
        [
            ({"text": " "}, None, "There is no text"),
            ({}, {"file": ("../<b>.exe", b"x")}, "Save the text as .md, .txt or .docx"),
            ({}, {"file": ("a.docx", b"no word")}, "cannot be"),
        ],
    )
    def test_what_is_no_text_is_said_so(self, ada, fields, files, told):
        page = ada.submit(f"{BASE}/quotes", fields, **({"files": files} if files else {}))
        assert page.status_code == 400
        assert told.casefold() in words_of(page.text).casefold()
        assert "/tmp" not in page.text

    def test_what_is_found_nowhere_is_said_so(self, ada):
        page = ada.submit(f"{BASE}/quotes", {"text": "“Nobody ever wrote this in any letter at all”"})
        assert page.status_code == 200
        assert "not checkable 1" in words_of(page.text)

    def test_a_script_that_is_quoted_is_text(self, ada):
        page = ada.submit(f"{BASE}/quotes", {"text": "“</textarea><script>alert(1)</script> and more words”"}).text
        assert "<script>" not in page


class TestInterpreting:
    def begun(self, site, run, **fields):
        asked = {"questions": "What became of the bridge?\r\n\r\n", "model": ["reader"], **fields}
        answer = site.submit(f"{BASE}/dossiers/{run}/interpret", asked)
        assert answer.status_code == 200, words_of(answer.text)
        for name in (answer.url.path.rpartition("/")[2], *answer.url.params.get_list("beside")):
            site.get(f"{BASE}/runs/{name}/stream")
        return answer.url.path, site.get(str(answer.url))

    def test_h9_claims_with_their_quotations_and_seals_under_a_label(self, ada, sealed):
        address, page = self.begun(ada, sealed)
        is_well_made(page.text)
        said = words_of(page.text)
        assert "Machine-made proposal, not a finding: by reader" in said
        assert "1.1 A source of 1887-03-11 speaks of it. q1" in said
        assert "word for word" in said
        assert "altered" in said
        assert "Not sealed: “nobody ever wrote this down”" in said
        assert "unproven" in said
        assert STATEMENT in said
        assert ada.get(f"{address}.json").json()["questions"] == ["What became of the bridge?"]
        for target in re.findall(r'<a class="q" href="#([^"]+)"', page.text):
            assert f'id="{target}"' in page.text

    def test_h9_models_write_side_by_side(self, ada, sealed):
        address, page = self.begun(ada, sealed, model=["reader", "other"])
        is_well_made(page.text)
        assert page.text.count('class="proposal"') == 2
        assert words_of(page.text).count("Machine-made proposal") == 2
        (beside,) = ada.get(f"{address}.json?{page.url.query.decode()}").json()["beside"]
        assert beside["model"] == "other"
        assert address in ada.get(f"{BASE}/interpret").text

    def test_b8_nothing_leaves_before_somebody_signs_and_a_claim_can_be_contested(self, ada, sealed):
        address, _ = self.begun(ada, sealed)
        refused = ada.get(f"{address}/file")
        assert refused.status_code == 400
        assert "claim 1.3" in words_of(refused.text)
        page = ada.submit(f"{address}/remarks", {"claim": "1.3", "remark": "sign", "reason": "seen <i>elsewhere"})
        assert "signed for by Ada : seen <i>elsewhere" in words_of(page.text)
        page = ada.submit(f"{address}/remarks", {"claim": "1.1", "remark": "contest", "reason": "it was in May"})
        assert "contested by Ada : it was in May" in words_of(page.text)
        sent = ada.get(f"{address}/file")
        assert sent.headers["content-disposition"] == 'attachment; filename="interpretation.md"'
        assert "contested by Ada" in sent.text

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"claim": "9.9", "remark": "contest", "reason": "my words"}, "9.9"),
            ({"claim": "1.1", "remark": "applaud", "reason": "my words"}, "It is not said what is done"),
            ({"claim": "1.1", "remark": "contest", "reason": ""}, ""),
        ],
    )
    def test_a_remark_that_cannot_be_is_said(self, ada, sealed, fields, told):
        address, _ = self.begun(ada, sealed)
        page = ada.submit(f"{address}/remarks", fields)
        assert page.status_code == 400
        assert told in words_of(page.text)
        if fields["claim"] == "1.1":
            assert f">{fields['reason']}</textarea>" in page.text

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"questions": " ", "model": ["reader"]}, "No question is put to the dossier"),
            ({"questions": "q?", "model": ["nobody"]}, "There is no model"),
            ({"questions": "q?", "model": []}, "no language model is set"),
            ({"questions": "q?", "model": ["reader"], "cost": "much"}, "is no price"),
            ({"questions": "q?", "model": ["reader"], "calls": "many"}, "is no number"),
            ({"questions": "q?", "model": ["reader"], "calls": "1" * 5000}, "is no number"),
        ],
    )
    def test_what_cannot_be_asked_is_said_and_nothing_is_begun(self, ada, workspace, sealed, fields, told):
        before = len(workspace.run_names())
        page = ada.submit(f"{BASE}/dossiers/{sealed}/interpret", fields)
        assert page.status_code == 400
        assert f'href="{BASE}/dossiers/{sealed}.json"' in page.text
        assert f'href="{BASE}/dossiers/{sealed}?lang=de"' in page.text
        assert told.casefold() in words_of(page.text).casefold()
        assert len(workspace.run_names()) == before

    def test_h1_only_a_sealed_dossier_is_interpreted(self, ada, run):
        answer = ada.submit(f"{BASE}/dossiers/{run}/interpret", {"questions": "q?", "model": ["reader"]})
        assert answer.status_code == 404

    def test_who_may_only_read_says_nothing_of_it(self, ada, workspace, sealed):
        address, _ = self.begun(ada, sealed)
        rea = person(workspace, "Rea", Role.READER)
        assert "Say something of it" not in rea.get(address).text
        assert rea.submit(f"{address}/remarks", {"claim": "1.1", "remark": "note", "reason": "x"}).status_code == 403
        assert ada.get(f"{BASE}/interpret/{sealed}").status_code == 404


class TestLists:
    @pytest.mark.parametrize(
        ("form", "name", "kind"),
        [
            ("ris", "sources.ris", "application/x-research-info-systems"),
            ("csl-json", "sources.csl.json", "application/json"),
            ("bibtex", "sources.bib", "application/x-bibtex"),
            ("trec-run", "sources.run", "application/octet-stream"),
        ],
    )
    def test_a_list_leaves_as_other_programs_read_it(self, ada, run, form, name, kind):
        sent = ada.get(f"{BASE}/lists/{run}/file?form={form}")
        assert sent.status_code == 200
        assert sent.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert sent.headers["content-type"].partition(";")[0] == kind

    def test_what_was_accepted_goes_to_zotero_and_no_other(self, ada, run, sealed):
        for query in ("", "&sealed=true"):
            sent = ada.get(f"{BASE}/lists/{run}/file?form=ris{query}").text
            assert len(re.findall(r"(?m)^TY  - ", sent)) == 2

    @pytest.mark.parametrize(("query", "status"), [("form=exe", 400), ("style=mine", 400), ("sealed=true", 400)])
    def test_a_form_or_style_there_is_not_is_said(self, ada, run, query, status):
        assert ada.get(f"{BASE}/lists/{run}/file?{query}").status_code == status
        assert ada.get(f"{BASE}/lists/nothing/file").status_code == 404
