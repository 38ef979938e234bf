"""Asking: a question with its limits, how it is read before anything runs, and what it will take."""

from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Form as Fields
from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import vocabulary
from vestigia.app.accounts import estimate
from vestigia.app.asking import ask
from vestigia.app.limits import CHECKPOINTS, Limits, bounded
from vestigia.app.models import EXTRACTIVE, Answering, answering
from vestigia.app.people.roles import Role
from vestigia.app.present import Plain
from vestigia.app.questions import checked
from vestigia.app.search_view import question_of
from vestigia.app.settings import rules_of
from vestigia.app.windows import windows_of
from vestigia.corpus.dates import Grammar
from vestigia.domain.effects import ReadDates
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.periods import label
from vestigia.domain.question import Question
from vestigia.domain.rules import Rules, preset
from vestigia.domain.text import word_spans
from vestigia.web.archive_pages import coverage_of
from vestigia.web.faults import said
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.search_pages import between
from vestigia.web.security import FIELD
from vestigia.web.standing import live_of
from vestigia.web.templating import redirect

pages = Pages()
PRESETS = ("default", "trace-2026")
SHORT, TERMS = 3, 12
"""Letters of a word that says nothing by itself, and how many words are looked up."""


class Form(BaseModel):
    """A question as its form and its address have it; nothing in a field is the archive's own."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)
    q: str = ""
    sub_corpus: tuple[str, ...] = ()
    since: str = Field("", alias="from")
    until: str = Field("", alias="to")
    language: str = ""
    model: str = ""
    preset: str = ""
    windows: str = ""
    also: str = ""
    strict: bool = False
    calls: str = ""
    tokens: str = ""
    cost: str = ""
    minutes: str = ""
    pause: tuple[str, ...] = ()
    chosen: bool = False
    """Whether the checkpoints were chosen: none ticked is then none."""


@pages.page("/archives/{archive}/ask")
def asking(request: Request, form: Annotated[Form, Query()]) -> Response:
    """The form; with a question, how it is read and what it will take, before anything runs."""
    if FIELD in request.query_params:  # the button stands in the form that begins a run: its token is for no address
        kept = [(name, value) for name, value in request.query_params.multi_items() if name != FIELD]
        return redirect(f"{request.url.path}?{urlencode(kept)}")
    return _shown(request, form)


@pages.action("/archives/{archive}/ask", Role.RESEARCHER, once=True)
def begin(request: Request, form: Annotated[Form, Fields()]) -> Response:
    """Begin a run, and lead to it."""
    held: Holding = request.state.archive
    try:
        question, rules, by = _order(held, form)
        run = live_of(request).begin(
            held.workspace,
            request.state.visitor.name,
            lambda watch: ask(held.workspace, question, rules, watch, form.windows or None, by),
        )
    except VestigiaError as error:
        return _shown(request, form, error)
    return redirect(f"/archives/{held.slug}/runs/{run}")


def _shown(request: Request, form: Form, error: VestigiaError | None = None) -> Response:
    held: Holding = request.state.archive
    read = None
    if form.q.strip() and error is None:
        try:
            read = _reading(held, form)
        except VestigiaError as refused:
            if request.url.path.endswith(".json"):
                raise
            error = refused
    told = said(error) if error else None
    covered = coverage_of(held)
    settings = held.workspace.settings
    view = {"question": form.q, "reading": read}
    return page(
        request,
        "ask.html",
        view,
        told["status"] if told else 200,
        form=form,
        error=told,
        parts_there=[part.described.name for part in covered.parts],
        spoken=sorted({code for part in covered.parts for code in part.described.languages}),
        models=list(dict.fromkeys([settings.ask.model, EXTRACTIVE, *settings.models])),
        own=rules_of(settings),
        presets=PRESETS,
        checkpoints=CHECKPOINTS,
        pauses=form.pause if form.chosen else ("plan",),
    )


def _order(held: Holding, form: Form) -> tuple[Question, Rules, Answering]:
    """The question, its rules and who answers. Raises UsageError, SettingsError."""
    settings = held.workspace.settings
    period = between(form.since, form.until, coverage_of(held))
    question = question_of(form.q, form.sub_corpus, period, [form.language] if form.language else [])
    if form.preset and form.preset not in PRESETS:
        raise UsageError(f"no rules are called {form.preset!r}.", remedy=f"There are: {', '.join(PRESETS)}.")
    limits = Limits(
        calls=whole("model calls", form.calls),
        tokens=whole("tokens", form.tokens),
        cost=_number("dollars", form.cost),
        minutes=_number("minutes", form.minutes),
    )
    pauses = form.pause if form.chosen else ("plan",)
    rules = bounded(preset(form.preset) if form.preset else rules_of(settings), limits, ",".join(pauses) or "none")
    also = tuple(part.strip() for part in form.also.split(",") if part.strip())
    rules = replace(rules, also=also or rules.also, strict=form.strict or rules.strict)
    return question, rules, answering(settings, {"": form.model} if form.model else None)


def _reading(held: Holding, form: Form) -> Plain:
    """What is read in the question, as claims that can be put otherwise, and what a run will take."""
    question, rules, by = _order(held, form)
    with held.catalogue() as catalogue:
        question = checked(question, catalogue)
        parts = [s for s in catalogue.sub_corpora() if not question.sub_corpora or s.name in question.sub_corpora]
    windows = windows_of(form.windows, question.period, parts) if form.windows.strip() else rules.windows
    dates = Grammar().read(ReadDates(question.text, question.languages)).periods
    found = vocabulary.passport(held.workspace, _terms(form.q, rules.also), "", question.period, held.index)
    expected = estimate(by, rules, datetime.now(UTC))
    return {
        "terms": vocabulary.plain(found)["terms"],
        "also": list(rules.also),
        "dates": [{"text": one.text, "period": label(one)} for one in dates],
        "period": label(question.period) if question.period else None,
        "sub_corpora": [{"name": one.name, "documents": one.documents} for one in parts],
        "windows": [label(one) for one in windows],
        "model": by.name,
        "others": list(by.others),
        "withheld": [str(one) for one in by.withhold],
        "limits": asdict(rules.budget),
        "pauses": list(rules.pause),
        "estimate": asdict(expected) if expected else None,
    }


def _terms(text: str, also: tuple[str, ...]) -> list[str]:
    written = [text[first:last] for first, last in word_spans(text)]
    return list(dict.fromkeys([*(one for one in written if len(one) > SHORT and one.isalpha()), *also]))[:TERMS]


def whole(name: str, typed: str) -> int | None:
    """A whole number as typed, none where nothing was. Raises UsageError."""
    found = _number(name, typed)
    if found is not None and found != int(found):
        raise UsageError(f"{typed!r} is no whole number.", where=name, remedy="Write one, or leave it out.")
    return None if found is None else int(found)


def _number(name: str, typed: str) -> float | None:
    if not typed.strip():
        return None
    try:
        found = float(typed.strip().replace(",", "."))
    except ValueError:
        found = -1.0
    if not 0 <= found <= 10**12:
        raise UsageError(f"{typed!r} is no number.", where=name, remedy="Write one, or leave it out.")
    return found
