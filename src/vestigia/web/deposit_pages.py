"""A deposit in the browser: made of a run or a dossier, checked, looked at, and downloaded.

Nothing is kept here: the same choices make the same deposit, which its seal shows, so it is made anew to be sent.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app.depositing.checking import check
from vestigia.app.depositing.making import Choices, deposit, summary
from vestigia.app.people.roles import Role
from vestigia.app.present import Plain
from vestigia.domain.errors import VestigiaError
from vestigia.domain.ids import RunId
from vestigia.web import attachments, run_views
from vestigia.web.faults import said
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.runs_pages import Named, headed

pages = Pages()
Text = Annotated[str, Form(max_length=500)]
SEND = "send"


@pages.page("/archives/{archive}/runs/{run}/deposit", Role.RESEARCHER)
def depositing(request: Request, run: Named) -> Response:
    """What a depositor chooses."""
    return _page(request, run, Choices((request.state.visitor.name,)))


@pages.action("/archives/{archive}/runs/{run}/deposit", Role.RESEARCHER)
def make(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    run: Named,
    by: Text = "",
    licence: Text = "",
    with_text: Annotated[bool, Form()] = False,
    only_open: Annotated[bool, Form()] = False,
    then: Annotated[str, Form()] = "",
) -> Response:
    """Make the deposit and say what is in it and whether it is sound, or send it."""
    held: Holding = request.state.archive
    choices = Choices(tuple(name for one in by.split(";") if (name := one.strip())), licence, with_text, only_open)
    try:
        with TemporaryDirectory() as folder:
            made = deposit(held.workspace, run, Path(folder) / "deposit.zip", choices)
            if then == SEND:
                return attachments.attached(f"deposit-{run.rpartition('-')[2]}.zip", made.file.read_bytes())
            checked = check(made.file)
    except VestigiaError as error:
        return _page(request, run, choices, error=said(error))
    found = {
        "files": checked.members,
        "sound": checked.sound,
        "problems": list(checked.problems),
        "unchecked": list(checked.unchecked),
    }
    return _page(request, run, choices, {**summary(made), **found})


def _page(
    request: Request, run: RunId, choices: Choices, made: Plain | None = None, error: Plain | None = None
) -> Response:
    record, stands = headed(request, run)
    view = {**run_views.head(record, stands), "deposit": made}
    status = error["status"] if error else 200
    return page(request, "deposit.html", view, status, error=error, choices=choices, send=SEND)
