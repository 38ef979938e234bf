"""Taking sources in: files that are sent or a folder that the settings allow, looked at first, then imported."""

from typing import Annotated, Any

from fastapi import File, Form, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import import_jobs, numbers, taking_in
from vestigia.app.import_jobs import Jobs
from vestigia.app.import_options import options_of
from vestigia.app.people.roles import Role
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect

pages = Pages()
Plain = dict[str, Any]
Text = Annotated[str, Form(max_length=500)]


def jobs_of(request: Request) -> Jobs:
    """The imports of this site."""
    found: Jobs = request.app.state.jobs
    return found


@pages.page("/archives/{archive}/import", Role.CURATOR)
def importing(request: Request) -> Response:
    """The form, and the imports there were."""
    return _form(request)


@pages.action("/archives/{archive}/import", Role.CURATOR)
def look(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    file: Annotated[list[UploadFile] | None, File()] = None,
    folder: Text = "",
    sub_corpus: Text = "",
    language: Text = "",
    encoding: Text = "",
    update: Annotated[bool, Form()] = False,
) -> Response:
    """Keep what was sent, or take a folder that is allowed, and look at it."""
    held: Holding = request.state.archive
    sent = [one for one in file or () if one.filename]
    try:
        options = options_of(sub_corpus, language, [], encoding)
        options = ImportOptions(options.sub_corpus, options.language, update=update, encoding=options.encoding)
        if len(sent) > taking_in.MOST or bool(sent) == bool(folder):
            raise UsageError("choose files, or one folder.", remedy=f"At most {taking_in.MOST} files at once.")
        whole = held.workspace.whole
        if folder:
            number = numbers.whole(folder, taking_in.MOST) if folder.isascii() else None
            paths = [taking_in.folder_of(whole, -1 if number is None else number)]
        else:
            paths = [taking_in.lay_down(whole, one.filename or "", one.file, replace=update) for one in sent]
        job = jobs_of(request).look(whole, list(dict.fromkeys(paths)), options, request.state.visitor.name)
    except VestigiaError as error:
        typed = {"sub_corpus": sub_corpus, "language": language, "encoding": encoding, "update": update}
        return _form(request, said(error), typed)
    return redirect(f"/archives/{held.slug}/import/{job.number}")


@pages.page("/archives/{archive}/import/{number}", Role.CURATOR)
def job(request: Request, number: int) -> Response:
    """An import: what would become of each file, how far it is, or what became of it."""
    held: Holding = request.state.archive
    with unknown():
        found = jobs_of(request).job(held.workspace, number)
    return page(request, "import_job.html", import_jobs.plain(found))


@pages.action("/archives/{archive}/import/{number}", Role.CURATOR)
def take(request: Request, number: int) -> Response:
    """Take in what was looked at, or look where nobody could yet."""
    held: Holding = request.state.archive
    jobs_of(request).go_on(held.workspace.whole, number)
    return redirect(f"/archives/{held.slug}/import/{number}")


def _form(request: Request, error: Plain | None = None, typed: Plain | None = None) -> Response:
    held: Holding = request.state.archive
    listed = [import_jobs.plain(one) for one in jobs_of(request).all(held.workspace)]
    view = {"imports": listed, "folders": taking_in.folders(held.workspace)}
    typed = typed or {"sub_corpus": "", "language": "", "encoding": "", "update": False}
    return page(request, "import.html", view, error["status"] if error else 200, error=error, typed=typed)
