"""The silence report of a run as data: its record beside what the archive holds today."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from vestigia.app.present import Plain
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import report_of
from vestigia.domain.archive import SubCorpus
from vestigia.domain.effects import Found, Search
from vestigia.domain.entries import Answered, Asked, Entry
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import FAR_FUTURE, FAR_PAST, DatePeriod, Precision, label, usual_years, windows_of_years
from vestigia.engine import runs
from vestigia.engine.journal import begun
from vestigia.inquiry.silence import Cell, Holding, Silence, silence
from vestigia.inquiry.state import State
from vestigia.ledger.log import FileLedger


def silence_of(workspace: Workspace, name: str) -> Plain:
    """Report where a run searched, with what, and what was not there to be found.

    Windows are those of the run, or else as many years as the archive's report counts by. Raises UsageError for a run
    that answers no question.
    """
    run = workspace.run(name)
    entries = FileLedger.read(workspace.runs, run).entries()
    first = begun(entries, run)
    if first.commission is not None:
        raise UsageError("it answers no question.", where=f"run {run}", remedy="Choose a run of `vestigia ask`.")
    state = runs.view_of(entries)
    catalogue = workspace.catalogue()
    try:
        limits = first.question.sub_corpora
        described = [one for one in catalogue.sub_corpora() if not limits or one.name in limits]
        holdings = [_holding(catalogue, one) for one in described]
        silent = sum(report_of(report, told).pages_without_text for _, report, told in catalogue.reports())
        found = silence(state, searched(entries), holdings, windows_for(state, described), silent)
        return {
            "run": run,
            "question": first.question.text,
            **_plain(found, first.manifest.corpus == catalogue.fingerprint),
        }
    finally:
        catalogue.close()


def searched(entries: Sequence[Entry]) -> Iterator[tuple[Search, Found]]:
    """Every search of a record with its answer."""
    asked: tuple[object, ...] = ()
    for entry in entries:
        if isinstance(entry.body, Asked):
            asked = entry.body.effects
        elif isinstance(entry.body, Answered):
            for effect, answer in zip(asked, entry.body.answers, strict=False):
                if isinstance(effect, Search) and isinstance(answer, Found):
                    yield effect, answer


def windows_for(state: State, described: Sequence[SubCorpus]) -> tuple[DatePeriod, ...]:
    """The windows of a run; where it had none, those of the calendar over what is dated, by its span."""
    if state.rules.windows:
        return state.rules.windows
    days = [day for one in described if one.period for day in (one.period.first, one.period.last)]
    dated = [day for day in days if day not in {FAR_PAST, FAR_FUTURE}]
    if not dated:
        return ()
    extent = DatePeriod(min(dated), max(dated), Precision.RANGE)
    return windows_of_years(extent, usual_years(extent))


def _holding(catalogue: Catalogue, one: SubCorpus) -> Holding:
    pages, _ = catalogue.legibility(one.name)
    return Holding(one.name, catalogue.spans(one.name), one.documents - one.dated, pages)


def _plain(found: Silence, unchanged: bool) -> Plain:
    pages = found.pages + found.silent_pages
    return {
        "nothing_found": found.nothing,
        "against": [*found.against, *([] if unchanged else ["the archive has changed since the run"])],
        "documents": {
            "found": found.found,
            "accepted": found.accepted,
            "rejected": found.rejected,
            "held": found.held,
        },
        "words": [{**asdict(one), "beside": one.beside or None} for one in found.tried],
        "dates": [{"text": one.text or None, "period": label(one)} for one in found.dates],
        "searches": [
            {
                "channel": one.channel,
                "text": one.text,
                "sub_corpora": list(one.sub_corpora),
                "period": label(one.period) if one.period else None,
                "hits": None if one.failure else one.hits,
                "failure": one.failure or None,
            }
            for one in found.searches
        ],
        "windows": [_cell(one) for one in found.cells],
        "gaps": [_cell(one) for one in found.gaps],
        "unsearched": [_cell(one) for one in found.unsearched],
        "undated": found.undated,
        "pages_without_text": found.silent_pages,
        "share_without_text": round(found.silent_pages / pages, 4) if pages else None,
    }


def _cell(cell: Cell) -> Plain:
    return {
        "window": label(cell.window) if cell.window else None,
        "sub_corpus": cell.sub_corpus,
        "holds": cell.holds,
        "searches": cell.searches,
        "found": cell.found,
        "accepted": cell.accepted,
    }
