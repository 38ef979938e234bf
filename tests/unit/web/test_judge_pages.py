"""Judging in the browser: by a model, blind at a desk, in a sheet; and how judges agree."""

import csv
import io
import re

import pytest

from fakes.judging import Judges
from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import judging_by_hand, models, surveying, works
from vestigia.app.people.roles import Role, Visitor
from vestigia.app.search_view import question_of
from vestigia.app.surveying import Plan
from vestigia.domain.errors import UsageError
from vestigia.web.site import Options

HERE, SETS = "/archives/letters/judgings", "/archives/letters/sets"
SCORES = {"V1": 9, "V2": 3, "V3": 2, "V4": 7}


@pytest.fixture
def survey(workspace, encoder, monkeypatch):
    """A set of all four letters, of its own: what one test judges, another does not see."""
    judges = Judges()
    judges.scores = {"wise": SCORES, "flat": dict.fromkeys(SCORES, 5)}
    monkeypatch.setattr(models, "installed", lambda _kind: {name: judges.made(name) for name in judges.scores})
    monkeypatch.setattr("vestigia.app.modelling.installed", lambda _kind: judges.scores)
    return surveying.survey(workspace, question_of("Die neue Brücke", [], "", []), Plan("1887/1891", 5, 5)).run


def person(workspace, name, role=Role.CURATOR):
    return visiting({"letters": workspace}, Options(visitor=lambda _request: Visitor(name, (("*", role),))))


@pytest.fixture
def ada(workspace):
    return person(workspace, "Ada")


def begin(site, survey, **fields):
    return site.submit(HERE, {"run": survey, "rubric": "attitudes", **fields})


def run_of(answer):
    return answer.url.path.removesuffix("/desk").rpartition("/")[2]


def at_desk(site, run, argument="", score="5", **fields):
    """Judge the source that lies on the desk."""
    page = site.get(f"{HERE}/{run}/desk", params=fields).text
    (passage,) = re.findall(r'name="passage" value="([^"]+)"', page)
    typed = {"passage": passage, "score": score, "argument": argument}
    return passage, site.submit(f"{HERE}/{run}/desk", typed)


class TestByAModel:
    def test_h3_a_model_judges_in_the_background_and_the_page_has_argument_score_and_quote(self, ada, survey):
        answer = begin(ada, survey, model="wise", how="model")
        assert answer.status_code == 200
        run = run_of(answer)
        ada.get(f"/archives/letters/runs/{run}/stream")
        view = ada.get(f"{HERE}/{run}.json").json()
        assert (view["finished"], view["judge"], view["person"]) == (True, "wise", False)
        scored = {one["document"]: one["score"] for one in view["sources"]}
        assert scored == {"V1": 9, "V2": 3, "V3": 2, "V4": None}
        assert view["sources"][0]["document"] == "V1"
        page = ada.get(f"{HERE}/{run}").text
        is_well_made(page)
        assert "word for word" in words_of(page)
        assert "geheimen" not in page

    def test_h4_a_judge_whose_scores_are_all_the_same_tells_nothing(self, ada, survey):
        run = run_of(begin(ada, survey, model="flat", how="model"))
        ada.get(f"/archives/letters/runs/{run}/stream")
        assert "all scores are the same and tell nothing" in words_of(ada.get(f"{HERE}/{run}").text)

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"rubric": "", "model": "wise", "how": "model"}, "No criteria are named"),
            ({"rubric": "nothing", "how": "hand"}, "There is no rubric"),
            ({"model": "nobody", "how": "model"}, "There is no model 'nobody'"),
            ({"model": "", "how": "model"}, "what is not read cannot be judged"),
        ],
    )
    def test_what_cannot_be_begun_is_said_on_the_page_of_the_set(self, ada, workspace, survey, fields, told):
        before = len(workspace.run_names())
        page = begin(ada, survey, **fields)
        assert page.status_code == 400
        assert told in words_of(page.text)
        is_well_made(page.text)
        assert len(workspace.run_names()) == before


class TestAtADesk:
    def test_h3_one_source_at_a_time_without_what_others_said(self, ada, workspace, survey):
        bo = person(workspace, "Bo")
        theirs = run_of(begin(bo, survey, how="hand"))
        at_desk(bo, theirs, "the voice of Bo", "9")
        run = run_of(begin(ada, survey, how="hand"))
        page = ada.get(f"{HERE}/{run}/desk").text
        is_well_made(page)
        assert "voice of Bo" not in page
        assert "voice of Bo" not in ada.get(f"{HERE}/{run}/desk.json").text
        assert page.count('name="passage"') == 1
        assert "0 of 4 done" in words_of(page)
        assert "voice of Bo" not in ada.get(f"{HERE}/{theirs}").text
        assert "voice of Bo" not in ada.get(f"{HERE}/{theirs}.json").text

    def test_what_was_judged_is_kept_at_once_and_found_when_one_comes_back(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        first, answer = at_desk(ada, run, "It hopes <b>.", "8")
        assert answer.url.path == f"{HERE}/{run}/desk"
        assert "1 of 4 done" in words_of(answer.text)
        assert f'value="{first}"' not in answer.text
        assert run_of(begin(ada, survey, how="hand")) == run
        again = ada.get(f"{HERE}/{run}/desk?at=1").text
        assert "It hopes &lt;b&gt;.</textarea>" in again
        assert re.search(r'value="8" required checked', again)

    def test_a_score_given_again_counts_and_a_finished_judging_is_not_changed(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        first, _ = at_desk(ada, run, "first", "8")
        assert at_desk(ada, run, "second", "2", at=1)[0] == first
        closed = ada.submit(f"{HERE}/{run}/close")
        assert closed.url.path == f"{HERE}/{run}"
        view = ada.get(f"{HERE}/{run}.json").json()
        assert (view["judged"], view["not_judged"]) == (1, [{"reason": "left empty", "passages": 3}])
        assert view["sources"][0]["argument"] == "second"
        assert ada.submit(f"{HERE}/{run}/desk", {"passage": first, "score": "9"}).status_code == 404
        assert ada.get(f"{HERE}/{run}/desk").status_code == 404

    @pytest.mark.parametrize("score", ["", "11", "-1", "3.5", "viele", "1" * 5000])
    def test_what_is_no_score_is_refused_and_the_argument_stays(self, ada, survey, score):
        run = run_of(begin(ada, survey, how="hand"))
        _, page = at_desk(ada, run, "because it fears", score)
        assert page.status_code == 400
        assert "because it fears</textarea>" in page.text
        assert ada.get(f"{HERE}/{run}/desk.json").json()["judged"] == 0

    def test_nobody_sits_at_the_desk_of_another(self, ada, workspace, survey):
        run = run_of(begin(ada, survey, how="hand"))
        bo = person(workspace, "Bo")
        assert bo.get(f"{HERE}/{run}/desk").status_code == 404
        assert bo.submit(f"{HERE}/{run}/close").status_code == 404
        with pytest.raises(UsageError, match="it is the judging of Ada"):
            judging_by_hand.score(workspace, run, "V1#0-44", 5, "", "Bo")
        with pytest.raises(UsageError, match="every judgement has an author"):
            judging_by_hand.score(workspace, run, "V1#0-44", 5, "", " ")
        with pytest.raises(UsageError, match="has no passage"):
            judging_by_hand.score(workspace, run, "V7#0-44", 5, "", "Ada")
        with pytest.raises(UsageError, match="no judging by a person"):
            judging_by_hand.sheet(workspace, works.read(workspace, survey))

    def test_a_judging_of_nothing_is_not_finished(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        page = ada.submit(f"{HERE}/{run}/close")
        assert page.status_code == 400
        assert "Nothing is judged yet." in words_of(page.text)

    def test_h3_everything_judged_is_said_so(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        for _ in range(4):
            at_desk(ada, run)
        page = ada.get(f"{HERE}/{run}/desk").text
        assert "Every source has a score." in words_of(page)
        is_well_made(page)

    def test_b11_a_closed_text_does_not_lie_on_the_desk(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        for at in range(1, 5):
            assert "geheimen" not in ada.get(f"{HERE}/{run}/desk?at={at}").text

    def test_who_may_only_read_has_no_desk(self, workspace, survey):
        assert begin(person(workspace, "Rea", Role.READER), survey, how="hand").status_code == 403


class TestInASheet:
    def test_h3_a_sheet_goes_out_blind_and_comes_back_as_a_judging(self, ada, survey):
        sent = ada.get(f"{SETS}/{survey}/sheet?rubric=attitudes&as=csv")
        assert sent.headers["content-disposition"] == 'attachment; filename="sheet.csv"'
        rows = list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))
        assert {row["score"] for row in rows} == {""}
        for row in rows[:3]:
            row.update(score="4", argument="so")
        back = io.StringIO()
        table = csv.DictWriter(back, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
        page = ada.submit(
            f"{SETS}/{survey}/sheet", {"rubric": "attitudes"}, files={"file": ("sheet.csv", back.getvalue().encode())}
        )
        assert page.url.path.startswith(HERE)
        assert "The sheet is recorded as your judging. line 5" in words_of(page.text)
        assert ada.get(f"{page.url.path}.json").json()["judge"] == "Ada"

    def test_a_sheet_that_is_wrong_is_told_line_by_line(self, ada, survey):
        sent = {"file": ("sheet.csv", b"passage,score\nV7,4\n")}
        page = ada.submit(f"{SETS}/{survey}/sheet", {"rubric": "attitudes"}, files=sent)
        assert page.status_code == 400
        assert "Line 2: the set has no passage" in words_of(page.text)

    def test_a_sheet_of_another_kind_or_rubric_is_not_found(self, ada, survey):
        assert ada.get(f"{SETS}/{survey}/sheet?rubric=nothing").status_code == 404
        assert ada.get(f"{SETS}/{survey}/sheet?rubric=attitudes&as=pdf").status_code == 404


class TestAgreement:
    def test_h4_h5_judges_side_by_side_with_intervals_disagreements_and_the_dual_plot(self, ada, survey):
        run = run_of(begin(ada, survey, model="wise", how="model"))
        ada.get(f"/archives/letters/runs/{run}/stream")
        mine = run_of(begin(ada, survey, how="hand"))
        for score in ("2", "8", "3", "9"):
            at_desk(ada, mine, "I <i>say</i> so", score)
        ada.submit(f"{HERE}/{mine}/close")
        page = ada.get(f"{SETS}/{survey}/agreement")
        is_well_made(page.text)
        said = words_of(page.text)
        assert "Krippendorff’s alpha (ordinal) of all judges" in said
        assert "To be adjudicated by a person" in said
        assert page.text.count("<svg") == 2
        assert "I &lt;i&gt;say&lt;/i&gt; so" in page.text
        view = ada.get(f"{SETS}/{survey}/agreement.json").json()
        assert {one["judge"] for one in view["judgings"]} == {"wise", "Ada"}
        (pair,) = view["agreement"]["pairs"]
        assert pair["number"] == 3, "the closed letter was kept from a model that is not one's own"
        for gap in view["gaps"]:
            assert re.search(r'<a href="#p\d+">', page.text), gap

    def test_a_set_nobody_judged_has_no_agreement(self, ada, survey):
        assert ada.get(f"{SETS}/{survey}/agreement").status_code == 404


class TestBlind:
    """B6: who judges sees nothing of what others gave, nor others what is not finished, whatever role they have."""

    @pytest.fixture
    def machine(self, ada, survey):
        run = run_of(begin(ada, survey, model="wise", how="model"))
        ada.get(f"/archives/letters/runs/{run}/stream")
        return run

    @pytest.fixture
    def bo(self, workspace):
        return person(workspace, "Bo", Role.ADMIN)

    @pytest.fixture
    def mine(self, ada, survey):
        run = run_of(begin(ada, survey, how="hand"))
        at_desk(ada, run, "von Ada zuerst", "8")
        return run

    def doors(self, survey, run):
        """Every address that says what a judging gave, or could."""
        runs, api = f"/archives/letters/runs/{run}", f"/api/v1/archives/letters/runs/{run}"
        entries = [f"{runs}/entries/{number}{twin}" for number in range(7) for twin in ("", ".json")]
        listed = f"/archives/letters/lists/{run}/file?form=csv&everything=true"
        pages = [f"{HERE}/{run}", f"{runs}", f"{runs}/entries", f"{runs}/verify", f"{runs}/compare"]
        twins = [f"{address}.json" for address in pages]
        agreement = [f"{SETS}/{one}/agreement{twin}" for one in (survey, run) for twin in ("", ".json")]
        calls = [f"{api}/entries/{number}" for number in range(7)]
        return [*entries, listed, *pages, *twins, *agreement, *calls, api, f"{api}/result", f"{api}/entries"]

    def told(self, site, addresses, words):
        return [one for one in addresses if words in (answer := site.get(one)).text and answer.status_code == 200]

    def test_what_is_not_finished_is_seen_by_nobody_else_through_any_door(self, bo, ada, survey, machine, mine):
        addresses = self.doors(survey, mine)
        assert self.told(bo, addresses, "von Ada zuerst") == []
        assert "Ada has not finished judging" in bo.get(f"/archives/letters/runs/{mine}/entries/3").text
        compared = bo.get(f"{SETS}/{survey}/agreement").text
        assert "Judgings that are not finished, and are not compared: 1." in compared
        assert self.told(ada, addresses, "von Ada zuerst"), "her own she sees"
        ada.submit(f"{HERE}/{mine}/close")
        assert len(self.told(bo, addresses, "von Ada zuerst")) > 4, "the doors are those that tell it"

    def test_who_judges_sees_what_others_gave_when_done(self, ada, bo, survey, machine, mine):
        addresses, argument = self.doors(survey, machine), "V1"
        (said,) = [
            one["argument"] for one in bo.get(f"{HERE}/{machine}.json").json()["sources"] if one["document"] == argument
        ]
        assert self.told(ada, addresses, said) == []
        page = ada.get(f"{HERE}/{machine}").text
        assert "You are judging this set yourself, blind" in words_of(page)
        is_well_made(page)
        assert ada.get(f"{SETS}/{survey}/agreement").status_code == 403
        assert ada.submit("/archives/letters/curate", {"run": survey, "judging": machine}).status_code == 403
        assert self.told(bo, addresses, said), "who judges nothing there sees it"
        ada.submit(f"{HERE}/{mine}/close")
        assert self.told(ada, addresses, said)

    def test_a_curation_that_judges_sorted_is_kept_from_who_is_judging(self, ada, bo, survey, machine):
        curated = bo.submit("/archives/letters/curate", {"run": survey, "judging": machine}).url.path
        plain = bo.submit("/archives/letters/curate", {"run": survey, "anew": "true"}).url.path
        assert ada.get(curated).status_code == 200
        begin(ada, survey, how="hand")
        assert ada.get(curated).status_code == 403
        assert ada.get(f"{curated}.json").status_code == 403
        assert ada.get(plain).status_code == 200, "nothing stands there of what judges gave"

    def test_agreement_is_offered_when_somebody_has_finished(self, ada, survey, mine):
        assert f"{SETS}/{survey}/agreement" not in ada.get(f"{SETS}/{survey}").text
        ada.submit(f"{HERE}/{mine}/close")
        assert f"{SETS}/{survey}/agreement" in ada.get(f"{SETS}/{survey}").text

    def test_a_set_is_not_sorted_by_what_is_not_finished(self, ada, survey, mine):
        refused = ada.submit("/archives/letters/curate", {"run": survey, "judging": mine})
        assert refused.status_code == 400
        assert "The judging is not finished." in words_of(refused.text)
