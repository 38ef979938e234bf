"""Search without a run: the channels and their fusion, over time, by sub-corpus, with the passport of its words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Query
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from vestigia.app import numbers, vocabulary
from vestigia.app.asking import Opening
from vestigia.app.report import Coverage
from vestigia.app.saved_searches import Fields
from vestigia.app.search_view import matching_of, question_of, search_plain
from vestigia.app.searching import Manner, SearchResult, search
from vestigia.corpus.dates import read_whole
from vestigia.domain.errors import UsageError, VestigiaError
from vestigia.domain.periods import civil, in_years
from vestigia.domain.question import Question
from vestigia.domain.text import word_spans, words
from vestigia.web.archive_pages import coverage_of
from vestigia.web.excerpts import excerpt
from vestigia.web.faults import said
from vestigia.web.histogram import histogram
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.saved import of_visitor, whats_new

pages = Pages()
Plain = dict[str, Any]
DEEP, SHOWN, TERMS = 100, 20, 6
"""Documents searched for, documents on a page, words that have a passport line."""
SHORT = 3
WAYS = ("plain", "syntax", "any-case", "regex")


@dataclass(frozen=True, slots=True)
class Form:
    """A search as its address has it: every field has a name there, so that an address is a search."""

    q: str = ""
    channel: str = "fused"
    sub_corpus: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    language: str = ""
    way: str = "plain"
    fuzzy: int = 0
    strict: bool = False
    expand: int | None = None
    windows: str = ""
    quota: int | None = None
    each: int | None = None
    page: int = 1


@pages.page("/archives/{archive}/search")
def searching(  # noqa: PLR0913, PLR0917  a form has as many fields as it has
    request: Request,
    q: str = "",
    channel: str = "fused",
    sub_corpus: Annotated[list[str] | None, Query()] = None,
    since: Annotated[str, Query(alias="from")] = "",
    until: Annotated[str, Query(alias="to")] = "",
    language: str = "",
    way: str = "plain",
    fuzzy: Annotated[int, Query(ge=0, le=2)] = 0,
    strict: bool = False,
    expand: str = "",
    windows: str = "",
    quota: str = "",
    each: str = "",
    number: Annotated[int, Query(alias="page", ge=1, le=DEEP)] = 1,
    saved: Annotated[int | None, Query(ge=1)] = None,
) -> Response:
    """The search page, with results when something is searched."""
    held: Holding = request.state.archive
    form = Form(q, channel, tuple(sub_corpus or ()), since, until, language, way, fuzzy, strict, page=number,
                windows=windows)  # fmt: skip
    covered, opening = coverage_of(held), held.opening()
    choices = {**_choices(held, covered, opening), "kept": of_visitor(request)}
    empty = {"query": q, "hits": []}
    if not q.strip():
        return page(request, "search.html", empty, form=form, error=None, chart=None, **choices)
    try:
        form = replace(form, quota=_count("quota", quota), each=_count("each", each), expand=_count("expand", expand))
        view, extras = _found(held, form, covered, opening, whole=request.url.path.endswith(".json"))
        again = whats_new(request, saved, fields_of(form), extras.pop("documents"))
    except VestigiaError as error:
        if request.url.path.endswith(".json"):
            raise
        told = said(error)
        return page(request, "search.html", empty, told["status"], form=form, error=told, chart=None, **choices)
    extras["turning"] = extras["address"] | ({"saved": saved} if again else {})
    view |= {"saved": again} if again else {}
    extras["again"] = again
    return page(request, "search.html", view, form=form, error=None, **choices, **extras)


def form_of(fields: Fields) -> Form:
    """The search that fields of an address are. Raises UsageError for a number that is none."""
    one = dict(fields)
    numbers = {name: _count(name, one.get(name, "")) for name in ("fuzzy", "expand", "quota", "each")}
    return Form(
        one.get("q", ""), one.get("channel", "fused"), tuple(value for name, value in fields if name == "sub_corpus"),
        one.get("from", ""), one.get("to", ""), one.get("language", ""), one.get("way", "plain"),
        min(numbers["fuzzy"] or 0, 2), one.get("strict", "").casefold() in {"true", "1", "on"}, numbers["expand"],
        one.get("windows", ""), numbers["quota"], numbers["each"],
    )  # fmt: skip


def fields_of(form: Form) -> Fields:
    """The fields of a search as its address has them, one by one."""
    told = {name: one if isinstance(one, list) else [one] for name, one in _address(form).items()}
    return tuple((name, str(one)) for name, values in told.items() for one in values)


def _choices(held: Holding, covered: Coverage, opening: Opening) -> Plain:
    """What the form offers: what the archive has."""
    with held.catalogue() as catalogue:
        channels = opening(held.workspace, catalogue).channels() if covered.documents else ()
    return {
        "parts_there": [{"name": part.described.name, "documents": part.described.documents} for part in covered.parts],
        "spoken": [(code, code) for code in sorted({c for part in covered.parts for c in part.described.languages})],
        "ways": WAYS,
        "channels": ("fused", *channels),
    }


def _count(name: str, typed: str) -> int | None:
    """A number as typed, none where nothing was. Raises UsageError."""
    if not typed.strip():
        return None
    found = numbers.whole(typed, 1000)
    if found is None:
        raise UsageError(f"{typed!r} is no number from 0 to 1000.", where=name, remedy="Write one, or leave it out.")
    return found


def searched(held: Holding, form: Form, covered: Coverage, opening: Opening) -> tuple[SearchResult, Question]:
    """Search, as a form asks for it. Raises VestigiaError."""
    ways = {"syntax": form.way == "syntax", "any_case": form.way == "any-case", "regex": form.way == "regex"}
    period = between(form.since, form.until, covered)
    question = question_of(form.q, form.sub_corpus, period, [form.language] if form.language else [])
    manner = Manner(form.expand, matching_of(**ways), form.fuzzy, form.strict, form.windows, form.quota, form.each)
    return search(held.workspace, question, form.channel, DEEP, manner, opening), question


def _found(held: Holding, form: Form, covered: Coverage, opening: Opening, *, whole: bool) -> tuple[Plain, Plain]:
    """Search: the view, and what the page alone needs. Of a list not asked for `whole` one page is described."""
    found, question = searched(held, form, covered, opening)
    passport = vocabulary.passport(held.workspace, _terms(form), "", question.period, opening)
    first = (form.page - 1) * SHOWN
    on_page = found.candidates[first : first + SHOWN]
    view = search_plain(form.q, found if whole else replace(found, candidates=on_page)) | {
        "passport": vocabulary.plain(passport)["terms"],
        "over_time": _over_time(found, passport),
        "by_sub_corpus": dict(Counter(card.sub_corpus for card in found.cards)),
    }
    marked = [*words(form.q), *(one.found for one in found.variants), *(one.found for one in found.neighbours)]
    shown = [
        {**hit, "number": place, "excerpt": excerpt(hit["passage"]["text"] or "", marked)}
        for place, hit in enumerate([] if whole else view["hits"], first + 1)
    ]
    return view, {
        "shown": shown,
        "chart": _chart(view["over_time"]),
        "total": len(found.candidates),
        "documents": [one.document for one in found.candidates],
        "pages": -(-len(found.candidates) // SHOWN),
        "address": _address(form),
        "deep": DEEP,
    }


def between(since: str, until: str, covered: Coverage) -> str:
    """The two fields as one period; an end left open is that of the archive. Raises UsageError for what is no date."""
    since, until = since.strip(), until.strip()
    if not (since or until):
        return ""
    dated = [part.described.period for part in covered.parts if part.described.period]
    if dated:
        since = since or f"{civil(min(one.first for one in dated))[0]:04d}"
        until = until or f"{civil(max(one.last for one in dated))[0]:04d}"
    for name, end in (("from", since), ("to", until)):
        if end and read_whole(end) is None:
            raise UsageError(f"{end!r} is no date.", where=name, remedy="Write a year, 1887-03 or 1887-03-14.")
    return f"{since}/{until}" if since and until else since or until


def _terms(form: Form) -> list[str]:
    """The words of a query that have a passport: not the short ones, no numbers, none of a pattern."""
    if form.way == "regex":
        return []
    operators = {"AND", "OR", "NOT"} if form.way == "syntax" else set()
    written = [form.q[first:last] for first, last in word_spans(form.q)]
    kept = [one for one in written if len(one) > SHORT and one.isalpha() and one not in operators]
    return list(dict.fromkeys(kept))[:TERMS]


def _over_time(found: SearchResult, passport: vocabulary.Passport) -> list[Plain]:
    """For each window: documents of this list whose date lies in it, and all documents of the archive there."""
    dated = [card.period for card in found.cards if card.period]
    return [
        {
            "window": in_years(window),
            "from": civil(window.first)[0],
            "to": civil(window.last)[0],
            "found": sum(window.first <= one.first and one.last <= window.last for one in dated),
            "there": number,
        }
        for window, number in zip(passport.windows, passport.documents, strict=True)
    ]


def _chart(over_time: Sequence[Plain]) -> Markup | None:
    if not any(one["found"] for one in over_time):
        return None
    return histogram([one["window"] for one in over_time], [one["found"] for one in over_time])


def _address(form: Form) -> Mapping[str, Any]:
    """The fields of a search as its address has them, without the page."""
    fields = {
        "q": form.q, "channel": form.channel, "sub_corpus": list(form.sub_corpus), "from": form.since, "to": form.until,
        "language": form.language, "way": form.way, "fuzzy": form.fuzzy or "", "strict": form.strict or "",
        "expand": form.expand, "windows": form.windows, "quota": form.quota, "each": form.each,
    }  # fmt: skip
    usual = {"channel": "fused", "way": "plain"}
    return {name: one for name, one in fields.items() if one not in ("", None, []) and usual.get(name) != one}
