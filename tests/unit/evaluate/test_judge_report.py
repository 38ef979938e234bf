"""The page and the tables of judges on trial: everything is told, nothing runs, every point leads to its passage."""

import re
from dataclasses import replace

from vestigia.evaluate.judge_plots import heat
from vestigia.evaluate.judge_report import markdown, page, tables
from vestigia.evaluate.judges import Judging, Override, Passage, Trial, banded, compared, dual, gaps, spread

PASSAGES = tuple(
    Passage(f"d{at}#0-9", f"d{at}", f"Letter {at} <b>", "1887" if at else "", "Letters", 0.7 + at / 100)
    for at in range(4)
)


def judging(judge, scores, *, person=False, **more):
    given = {one.id: score for one, score in zip(PASSAGES, scores, strict=True) if score}
    return Judging(judge, person, given, dict.fromkeys(given, f"Why {judge} & co."), **more)


def a_trial(*judgings, **more):
    similarity = {one.id: one.similarity for one in PASSAGES}
    return Trial(
        "a-run", "Fear of machines", "fear (1-10, sha256:0)", (1, 10), "meaning:e5", PASSAGES, judgings,
        tuple(spread(one) for one in judgings), compared(judgings), gaps(judgings),
        tuple(dual(one, similarity) for one in judgings), tuple(banded(one, 7, 2) for one in judgings), (), **more,
    )  # fmt: skip


STRICT = judging("strict", (1, 2, 8, 9))
MILD = judging("mild", (6, 5, 9, 0), unjudged={"refused": 1})
ADA = judging("Ada", (9, 1, 5, 7), person=True, waiting=0)
TRIAL = a_trial(STRICT, MILD, ADA)


def test_the_tables_say_who_judged_and_what_was_not_judged():
    judges, bands, agreement, disagreements, dual_scores = tables(TRIAL)

    assert [row[0] for row in judges.rows] == ["strict", "mild", "Ada (a person)"]
    assert judges.rows[1] == ("mild", "3", "6.67", "1.70", "5", "9", "1 refused")
    assert bands.rows[0] == ("strict", "2", "0", "2")
    assert [row[0] for row in agreement.rows] == ["strict, mild", "strict, Ada", "mild, Ada"]
    assert "alpha (ordinal) of all judges: " in agreement.note
    assert disagreements.rows[0][0] == "Letter 0 <b>, undated [d0]"
    assert "strict 12 (1)" in disagreements.rows[0][2]
    assert dual_scores.rows[0][1:3] == ("4", "1.000 (p < 0.001)")


def test_a_constant_and_a_mute_judge_are_told_and_nothing_is_made_up():
    trial = a_trial(judging("flat", (5, 5, 5, 5)), judging("mute", (0, 0, 0, 0), waiting=4))
    judges, _, agreement, dual_scores = tables(trial)

    assert judges.rows[0][0] == "flat (constant)"
    assert judges.rows[1][1:] == ("0", "-", "-", "-", "-", "4 waiting")
    assert agreement.rows[0][1:] == ("0", "-", "-", "-", "-")
    assert "is not defined here" in agreement.note
    assert dual_scores.rows[0][2:] == ("-", "-", "0")
    assert "All scores the same, so that they tell nothing: flat." in markdown(trial)


def test_overrides_are_told_by_judge_and_sub_corpus():
    trial = replace(TRIAL, overrides=(Override("strict", "Letters", 4, 1),), notes=("One was left out.",))

    assert tables(trial)[-1].rows == (("strict", "Letters", "4", "1 (25%)"),)
    assert "One was left out." in markdown(trial)


def test_the_page_needs_nothing_else_and_escapes_what_files_say():
    written = page(TRIAL)

    assert "<script" not in written
    assert "http" not in written.replace("http-equiv", "")
    assert "Letter 0 <b>" not in written
    assert "Letter 0 &lt;b&gt;" in written
    assert "strict: <b>1</b> (percentile 12) Why strict &amp; co." in written


def test_h5_each_point_leads_to_its_passage_and_the_argument():
    written = page(TRIAL)
    targets = set(re.findall(r'<h3 id="(p\d+)">', written))

    assert targets == {"p1", "p2", "p3", "p4"}
    assert set(re.findall(r'<a href="#(p\d+)"><circle', written)) == targets
    assert written.count('<a href="#p1"><circle') == 3


def test_h4_the_heat_map_has_rank_correlation_below_and_nearness_above():
    drawn = heat(["a", "b" * 40], {("a", "b" * 40): 1.0, ("b" * 40, "a"): -0.5}, "Agreement")

    assert drawn.count('class="none"') == 2
    assert 'fill-opacity="0.60"' in drawn
    assert 'fill-opacity="0.00"' in drawn
    assert ">-0.50<" in drawn
    assert f"2. {'b' * 27}…" in drawn


def test_h4_the_plot_has_the_whole_scale_of_the_rubric():
    ticks = re.findall(r'text-anchor="end">(\d+\.\d)<', page(a_trial(MILD)))

    assert (ticks[0], ticks[-1]) == ("1.0", "10.0")


def test_a_single_judge_has_no_heat_map():
    assert "Below the diagonal" not in page(a_trial(STRICT))
    assert "Below the diagonal" in page(TRIAL)


def test_a_trial_without_bands_or_points_draws_neither():
    written = page(replace(TRIAL, bands=(), duals=(replace(TRIAL.duals[0], points=()),)))

    assert "would do with each" not in written
    assert "against the score of" not in written


def test_a_constant_judge_has_no_plot_and_few_points_no_correlation():
    written = page(a_trial(judging("flat", (5, 5, 5, 5)), judging("few", (2, 9, 0, 0))))

    assert "against the score of flat" not in written
    assert "against the score of few, a point a passage<" in written
