"""A person judges a set at a desk: one source at a time, blind, and may go away and come back (H3, H4)."""

from vestigia.app import set_view, works
from vestigia.app.asking import opened
from vestigia.app.models import EXTRACTIVE, answering
from vestigia.app.patience import held
from vestigia.app.present import Plain
from vestigia.app.questions import legible, signed
from vestigia.app.rubrics import rubric as rubric_of
from vestigia.app.sets import set_of, taken_over
from vestigia.app.settings import rules_of
from vestigia.app.sheets import blind
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.commissions import JudgeOrder
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Scored
from vestigia.engine import runs
from vestigia.engine.journal import begun
from vestigia.inquiry.judge import SHEET, by_rubric


def begin(workspace: Workspace, name: str, rubric: str, author: str) -> Work:
    """Lay a set out for a person to judge, or find what they began. Raises UsageError for what is no set or rubric."""
    author = _named(author)
    found, criteria = set_of(workspace, name), rubric_of(workspace, rubric)
    order = JudgeOrder(found.work.origin, criteria, found.items, author)
    for work in taken_over(workspace, found.work.run)[0]:
        if work.first.commission == order and is_open(work):
            return work
    with opened(workspace, answering(workspace.settings, {"": EXTRACTIVE})) as archive:
        return works.begin(workspace, archive, found.work.first.question, rules_of(workspace.settings), order)


def is_open(work: Work) -> bool:
    """Whether a person is still judging there."""
    return runs.waiting_at(work.entries) == SHEET and not runs.view_of(work.entries).closed


def score(workspace: Workspace, name: str, passage: str, given: int, argument: str, author: str) -> Work:
    """Record what the person gives a source; given once more, the last counts.

    Raises UsageError for somebody else, another source, and a score that the rubric does not have.
    """
    legible("an argument", argument)
    run = workspace.run(name)
    with held(workspace, run) as ledger:
        order = _order(Work(run, begun(ledger.entries(), run), ledger.entries()), _named(author))
        item = next((item for item in order.items if item.passage == passage), None)
        if item is None:
            raise UsageError(f"the set has no passage {passage!r}.", where=f"run {run}")
        if not by_rubric(given, order.rubric):
            remedy = f"Give a whole number from {order.rubric.lowest} to {order.rubric.highest}."
            raise UsageError(f"{given} is no score of the rubric.", where=f"run {run}", remedy=remedy)
        runs.decide(ledger, Scored(item.passage, item.document, given, argument.strip(), author=order.person))
    return works.read(workspace, run)


def close(workspace: Workspace, name: str, author: str) -> Work:
    """End the judging; what has no score is left so. Raises UsageError where nothing was judged."""
    run = workspace.run(name)
    with held(workspace, run) as ledger:
        work = Work(run, begun(ledger.entries(), run), ledger.entries())
        _order(work, _named(author))
        if not runs.view_of(work.entries).judgements:
            raise UsageError("nothing is judged yet.", where=f"run {run}", remedy="Judge at least one source first.")
        runs.release(ledger, author)
    return works.resume(workspace, run)


def sheet(workspace: Workspace, work: Work, *, closed: bool = False) -> Plain:
    """What lies on the desk: the criteria, and the sources in an order that says nothing of them.

    Each has what this person gave it, and nothing of what found it or of what others gave.
    """
    order, given = _order(work, ""), runs.view_of(work.entries).judgements
    shown = {one["passage"]: one for one in set_view.sources(workspace, set_of(workspace, work.run), closed=closed)}
    rows = []
    for item in blind(order.items, order.rubric):
        said = given.get(item.passage)
        mine = said if isinstance(said, Scored) else None
        rows.append(
            {
                **{part: shown[item.passage][part] for part in _SEEN},
                "score": mine.score if mine else None,
                "argument": mine.argument if mine else None,
            }
        )
    rubric = order.rubric
    return {
        "run": work.run,
        "kind": "judging by hand",
        "description": work.first.question.text,
        "set": order.origin.run,
        "judge": order.person,
        "rubric": {
            "name": rubric.name,
            "lowest": rubric.lowest,
            "highest": rubric.highest,
            "criteria": rubric.criteria,
            "anchors": [{"score": number, "means": means} for number, means in rubric.anchors],
            "examples": list(rubric.examples),
        },
        "judged": sum(row["score"] is not None for row in rows),
        "sources": rows,
    }


_SEEN = ("passage", "document", "title", "date", "sub_corpus", "access", "withheld", "text")


def _order(work: Work, author: str) -> JudgeOrder:
    """The judging of a person, that of `author` if one is named. Raises UsageError for another run, or a closed one."""
    order = work.first.commission
    if not isinstance(order, JudgeOrder) or not order.person:
        raise UsageError("it is no judging by a person.", where=f"run {work.run}")
    if author and order.person != author:
        raise UsageError(f"it is the judging of {order.person}.", where=f"run {work.run}", remedy="Begin your own.")
    if author and not is_open(work):
        raise UsageError("it is finished.", where=f"run {work.run}", remedy="To judge once more, begin another.")
    return order


def _named(author: str) -> str:
    name = signed(author)
    if not name:
        raise UsageError("every judgement has an author.", remedy="Say who judges.")
    return name
