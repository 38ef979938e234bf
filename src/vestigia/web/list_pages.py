"""Lists leave: what a run has of sources, in the forms that other programs read, cited in the style asked for."""

from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import exporting, lists, works
from vestigia.app.citations import Style
from vestigia.app.people.roles import Role
from vestigia.domain.errors import UsageError
from vestigia.web import attachments
from vestigia.web.faults import unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages
from vestigia.web.visitor import needs

pages = Pages()


@pages.get("/archives/{archive}/lists/{run}/file", include_in_schema=False)
@needs(Role.RESEARCHER)
def export(
    request: Request,
    run: str,
    form: str = "ris",
    style: str = "chicago",
    sealed: bool = False,
    everything: bool = False,
) -> Response:
    """The sources of a run as a file: those accepted, with `everything` all, with `sealed` those of its dossier."""
    held: Holding = request.state.archive
    with unknown():
        work = works.read(held.workspace, run)
    if form not in exporting.FORMS:
        raise UsageError("there is no such form.", where="form", remedy=f"There are: {', '.join(exporting.FORMS)}.")
    if style not in set(Style):
        raise UsageError("there is no such style.", where="style", remedy=f"There are: {', '.join(Style)}.")
    chosen = exporting.FORMS[form]
    listing = lists.of_run(
        held.workspace,
        work.run,
        everything=everything or chosen.everything,
        sealed=sealed,
        closed=request.state.closed,
    )
    return attachments.attached(f"sources{chosen.endings[0]}", chosen.render(listing, Style(style)))
