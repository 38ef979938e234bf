"""Commissioned runs on the page: each kind by the module of its command."""

from vestigia.app import judging, surveying
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.cli import curating as curation_page
from vestigia.cli import interpreting as interpretation_page
from vestigia.cli import judging as judging_page
from vestigia.cli import printing
from vestigia.cli import surveying as survey_page
from vestigia.domain.commissions import CurateOrder, InterpretOrder, JudgeOrder, SurveyOrder
from vestigia.domain.ids import RunId


def show_work(workspace: Workspace, work: Work, *, as_json: bool, closed: bool = False) -> None:
    """Print a commissioned run."""
    match work.commission:
        case SurveyOrder():
            found = surveying.shown(workspace, work, closed=closed)
            printing.data(found) if as_json else survey_page.page(found)
        case CurateOrder():
            curation_page.show(workspace, work, as_json=as_json, closed=closed)
        case JudgeOrder():
            found = judging.shown(workspace, work, closed=closed)
            printing.data(found) if as_json else judging_page.page(found)
        case InterpretOrder():
            interpretation_page.show(workspace, work, as_json=as_json, closed=closed)


def print_replay(run: RunId, *, finished: bool, as_json: bool) -> None:
    """Say that a run was decided again as it was recorded."""
    if as_json:
        printing.data({"run": run, "finished": finished, "same": True})
        return
    state = "reproduced" if finished else "reproduced as far as the record goes; the run is not finished"
    printing.out.print(f"{run}: {state}.", markup=False)
