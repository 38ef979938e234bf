"""Curating a set: one source at a time, by buttons or by keyboard; filters, bulk, undo, disagreements, tables."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from fastapi import Depends, Form, Query, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import blind, curating, works
from vestigia.app.act_tables import read_acts, write_acts
from vestigia.app.people.roles import Role
from vestigia.app.picking import Pick, choices, tags_of
from vestigia.app.putting_back import put_back
from vestigia.app.questions import signed
from vestigia.app.sets import curations_of
from vestigia.app.works import Work
from vestigia.domain.acts import Act, Curated, Undone
from vestigia.domain.commissions import CurateOrder
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.inquiry.curation import Deed
from vestigia.inquiry.tally import NO_REASON
from vestigia.web import attachments
from vestigia.web.faults import said, unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.templating import redirect
from vestigia.web.visitor import keep_blind, needs

pages = Pages()
Plain = dict[str, Any]
LISTED = 500
"""Sources in the list beside the reader; filters reach the others."""
_ENTRIES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_TOLD = 500
"""Characters of what is said once."""
Text = Annotated[str, Form()]
_SAID = {
    Act.ACCEPT: "curate.done_accept",
    Act.REJECT: "curate.done_reject",
    Act.FLAG: "curate.done_flag",
    Act.NOTE: "curate.done_note",
    Act.TAG: "curate.done_tag",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a curation one is: the filter, the source that is open and the one that comes next."""

    pick: Pick
    at: str = ""
    next: str = ""

    def address(self, here: str) -> str:
        """The same place, at another source."""
        return attachments.address({**self.pick.fields(), "at": here})


def place(  # noqa: PLR0913, PLR0917  as many fields as a place has
    standing: Text = "", tag_is: Text = "", band: Text = "", sub_corpus: Text = "", words: Text = "", at: Text = "",
    next_: Annotated[str, Form(alias="next")] = "",
) -> Place:  # fmt: skip
    """Where one was, as the hidden fields of a form say."""
    return Place(Pick(standing, tag_is, band, sub_corpus, words), at, next_)


def asked(
    standing: str = "", tag: str = "", band: str = "", sub_corpus: str = "", words: str = "", at: str = ""
) -> Place:
    """Where one is, as the address says."""
    return Place(Pick(standing, tag, band, sub_corpus, words), at)


@pages.page("/archives/{archive}/curate")
def curations(request: Request) -> Response:
    """The curations there are."""
    held: Holding = request.state.archive
    rows = [row for row in held.workspace.run_rows() if row.kind == "curation"]
    listed = [
        {"run": row.run, "description": row.question, "begun": row.opened_at, "state": row.state,
         "problem": row.problem or None}
        for row in rows
    ]  # fmt: skip
    return page(request, "curations.html", {"curations": listed})


@pages.action("/archives/{archive}/curate", Role.CURATOR, once=True)
def begin(
    request: Request,
    run: Text,
    judging: Annotated[list[str] | None, Form()] = None,
    anew: Annotated[bool, Form()] = False,
) -> Response:
    """Lay a set open to be curated, or go on where it is curated already."""
    held: Holding = request.state.archive
    there = curations_of(held.workspace, works.read(held.workspace, run))
    if there and not anew and not judging:
        return redirect(f"/archives/{held.slug}/curate/{there[-1]}", "curate.there")
    for one in judging or ():
        keep_blind(blind.kept(held.workspace, held.workspace.run(one), request.state.visitor.name))
    work = curating.begin(held.workspace, run, judging or ())
    return redirect(f"/archives/{held.slug}/curate/{work.run}", "curate.begun")


@pages.page("/archives/{archive}/curate/{run}")
def reader(request: Request, run: str, here: Annotated[Place, Depends(asked)], did: str = "") -> Response:
    """A curation, at one of its sources; `did` are the entries of acts that can be taken back together."""
    return _reader(request, run, here, did=did)


@pages.action("/archives/{archive}/curate/{run}", Role.CURATOR)
def act(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    run: str,
    was: Annotated[Place, Depends(place)],
    document: Annotated[list[str] | None, Form()] = None,
    all_: Annotated[bool, Form(alias="all")] = False,
    done: Annotated[str, Form(alias="act")] = "",
    reject: Text = "",
    reason: Text = "",
    note: Text = "",
    tag: Text = "",
    resolves: Annotated[bool, Form()] = False,
) -> Response:
    """Do something to one source or to many; then the next one is open."""
    held: Holding = request.state.archive
    why = reject or (reason if done == Act.REJECT else "")
    try:
        chosen = _kind(Act.REJECT if reject else done)
        names = document or []
        if all_:
            shown = curating.shown(held.workspace, _curation(request, run), closed=request.state.closed)
            names = [source["document"] for source in was.pick.of(shown["sources"])]
        if not names:
            raise UsageError("no source is chosen.", remedy="Tick some of the list first.")
        by = request.state.visitor.name
        kept = {"note": note.strip()} if chosen is Act.NOTE else {"tag": tag.strip()} if chosen is Act.TAG else {}
        acts = [Curated(DocumentId(n), chosen, by, why, resolves=resolves and chosen.decides, **kept) for n in names]
        work = curating.act(held.workspace, run, acts)
    except VestigiaError as error:
        return _reader(request, run, was, said(error), {"note": note, "tag": tag})
    if len(acts) > 1:
        did = _span(work, acts)
        to = f"/archives/{held.slug}/curate/{work.run}?{was.address(was.at)}&did={did}"
        return redirect(to, _SAID[chosen], n=len(acts))
    onward = was.next if chosen.decides and len(names) == 1 and was.next else was.at
    to = f"/archives/{held.slug}/curate/{work.run}?{was.address(onward or was.at)}"
    return redirect(to, _SAID[chosen], n=len(names))


@pages.action("/archives/{archive}/curate/{run}/undo", Role.CURATOR)
def undo(request: Request, run: str, was: Annotated[Place, Depends(place)], entries: Text = "") -> Response:
    """Take back an act of one's own, or many that were done at once; the source of the first is open then."""
    held: Holding = request.state.archive
    name = signed(request.state.visitor.name)
    try:
        deeds = _mine(curating.read(_curation(request, run)).deeds, name, entries)
        if not deeds:
            raise UsageError(f"{name} has no act {entries} that could be taken back.", where=f"run {run}")
        work = curating.act(held.workspace, run, [Undone(deed.entry, name) for deed in deeds])
    except VestigiaError as error:
        return _reader(request, run, was, said(error))
    about = was.address(str(deeds[0].act.document))
    return redirect(f"/archives/{held.slug}/curate/{work.run}?{about}", "curate.undone", n=len(deeds))


@pages.action("/archives/{archive}/curate/{run}/hold", Role.CURATOR)
def hold(
    request: Request,
    run: str,
    was: Annotated[Place, Depends(place)],
    document: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Flag for all, to be looked at again, what was decided on text corrected since, of the sources chosen."""
    held: Holding = request.state.archive
    work = _curation(request, run)
    chosen = [DocumentId(name) for name in document or ()]
    try:
        done, _ = put_back(held.workspace, work.run, request.state.visitor.name, chosen)
    except VestigiaError as error:
        return _reader(request, run, was, said(error))
    return redirect(f"/archives/{held.slug}/curate/{work.run}?{was.address(done[0])}", "corrected.flagged", n=len(done))


@pages.get("/archives/{archive}/curate/{run}/table", include_in_schema=False)
@needs(Role.READER)
def table(request: Request, run: str, ending: Annotated[str, Query(alias="as")] = "xlsx") -> Response:
    """The set as a table to be filled in."""
    held: Holding = request.state.archive
    with unknown():
        found = curating.shown(held.workspace, _curation(request, run), closed=request.state.closed)
    return attachments.sent("curation", ending, lambda path: write_acts(path, found))


@pages.action("/archives/{archive}/curate/{run}/table", Role.CURATOR)
def filled_in(request: Request, run: str, was: Annotated[Place, Depends(place)], file: UploadFile) -> Response:
    """Take in a table with the columns document and act."""
    held: Holding = request.state.archive
    try:
        with attachments.kept(file) as path:
            acts, unread = read_acts(path, request.state.visitor.name)
        work = curating.act(held.workspace, run, acts)
    except VestigiaError as error:
        return _reader(request, run, was, said(error))
    to = f"/archives/{held.slug}/curate/{work.run}?{was.address(was.at)}"
    if unread:
        return redirect(to, "curate.taken_in_partly", "warn", n=len(acts), unread=" ".join(unread)[:_TOLD])
    return redirect(to, "curate.taken_in", n=len(acts))


def _curation(request: Request, run: str) -> Work:
    """A run that is a curation. Raises UnknownError."""
    with unknown():
        record = request.app.state.records.read(request.state.archive.workspace, run)
        work = Work(record.run, record.first, record.entries)
        curating.read(work)
    return work


def _span(work: Work, acts: Sequence[Curated]) -> str:
    """The entries of acts that were recorded just now, all of one person."""
    name, named = signed(acts[0].author), {act.document for act in acts}
    deeds = [d for d in curating.read(work).deeds if d.act.author == name and d.act.document in named]
    return f"{deeds[-len(named)].entry}-{deeds[-1].entry}"


def _mine(deeds: Sequence[Deed], name: str, entries: str) -> list[Deed]:
    """Those of a person among the acts that stand, by one entry or by the first and the last: `12`, `12-40`."""
    found = _ENTRIES.fullmatch(entries)
    if not found:
        return []
    first = int(found[1])
    last = int(found[2] or first)
    return [deed for deed in deeds if deed.act.author == name and first <= deed.entry <= last]


def _kind(done: str) -> Act:
    if done not in set(Act):
        raise UsageError("it is not said what is done.", remedy=f"There are: {', '.join(Act)}.")
    return Act(done)


def _reader(
    request: Request,
    run: str,
    here: Place,
    error: Plain | None = None,
    typed: Plain | None = None,
    did: str = "",
) -> Response:
    held: Holding = request.state.archive
    work = _curation(request, run)
    request.state.permalink = f"/archives/{held.slug}/curate/{work.run}"
    view = curating.shown(held.workspace, work, closed=request.state.closed)
    sources: list[Plain] = view["sources"]
    picked = here.pick.of(sources)
    open_one = next((one for one in sources if one["document"] == here.at), picked[0] if picked else None)
    before, after = _beside(sources, picked, open_one)
    name = signed(request.state.visitor.name)
    mine = [deed for deed in curating.read(work).deeds if deed.act.author == name]
    return page(
        request,
        "curate.html",
        view | {"picked": [one["document"] for one in picked], "at": open_one["document"] if open_one else None},
        error["status"] if error else 200,
        error=error,
        typed=typed or {"note": "", "tag": ""},
        one=open_one,
        tags=tags_of(open_one) if open_one else [],
        number_of=picked.index(open_one) + 1 if open_one in picked else None,
        before=before,
        after=after,
        picked=picked[:LISTED],
        all_picked=len(picked),
        pick=asdict(here.pick),
        kept=here.pick.fields(),
        choices=choices(sources),
        others=sorted({tag for source in sources for tag in tags_of(source)}),
        did=did if len(_mine(mine, name, did)) > 1 else "",
        many=len(_mine(mine, name, did)),
        last=mine[-1].entry if mine else None,
        me=name,
        ours=(*curating.REASONS, NO_REASON),
        sorted_by=_judges(work),
    )


def _beside(sources: Sequence[Plain], picked: Sequence[Plain], one: Plain | None) -> tuple[str, str]:
    """The sources of the filter before and after the one that is open, which need not be among them."""
    if one is None:
        return "", ""
    places = {source["document"]: at for at, source in enumerate(sources)}
    at = places[one["document"]]
    before = [source["document"] for source in picked if places[source["document"]] < at]
    after = [source["document"] for source in picked if places[source["document"]] > at]
    return (before[-1] if before else ""), (after[0] if after else "")


def _judges(work: Work) -> list[str]:
    order = work.first.commission
    return list(dict.fromkeys(one.judge for one in order.presorted)) if isinstance(order, CurateOrder) else []
