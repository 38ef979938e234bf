"""A request names the passages whose text it needs, and no other."""

import pytest

from fakes.samples import full
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.requests import (
    BriefRequest,
    Desk,
    JudgeRequest,
    PlanRequest,
    RankRequest,
    ReevaluateRequest,
    ReplanRequest,
    ReviewRequest,
    Shown,
    StepRequest,
    passages_of,
)

SHOWN = tuple(Shown(PassageId(p), DocumentId(p[0]), "", "", "", "") for p in ("b#0-9", "a#0-9"))


def test_a_review_and_a_re_evaluation_need_the_passages_they_show_in_their_order():
    desk = full(Desk)
    assert passages_of(ReviewRequest(desk, SHOWN, 120)) == ("b#0-9", "a#0-9")
    assert passages_of(ReevaluateRequest(desk, SHOWN, 120)) == ("b#0-9", "a#0-9")


def test_h3_a_judge_is_shown_one_passage():
    request = full(JudgeRequest)
    assert passages_of(request) == (request.passage.passage,)


@pytest.mark.parametrize("kind", [PlanRequest, StepRequest, BriefRequest, ReplanRequest, RankRequest])
def test_other_requests_need_none(kind):
    assert passages_of(full(kind)) == ()
