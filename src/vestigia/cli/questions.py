"""Questions as typed, and their answers on the page."""

from dataclasses import asdict, dataclass
from pathlib import Path

from vestigia.app import present
from vestigia.app.asking import Answer
from vestigia.app.places import find_quote
from vestigia.app.present import Plain
from vestigia.app.searching import SearchResult
from vestigia.app.settings import Settings, checked, rules_of
from vestigia.app.workspace import Workspace
from vestigia.cli import printing
from vestigia.corpus.dates import read_whole
from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import Matching
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Candidate, FusedLane
from vestigia.domain.periods import DatePeriod, label
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, Rules

CHECKPOINTS = ("plan", "holds", "briefs", "final")


def question_of(text: str, sub_corpora: list[str] | None, between: str, languages: list[str] | None) -> Question:
    """Make a question of what was typed. Raises UsageError for a period that cannot be read."""
    return Question(text, tuple(sub_corpora or ()), period_of(between), tuple(languages or ()))


def period_of(between: str) -> DatePeriod | None:
    """Read a period as typed, none where nothing was. Raises UsageError."""
    if not between.strip():
        return None
    period = read_whole(between)
    if period is None:
        raise UsageError(
            f"{between!r} cannot be read whole as a period.",
            where="--between",
            remedy='Write it like "1887", "1887-03" or "1887-01-01/1887-06-30".',
        )
    return period


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits typed at the terminal; None is the archive's own."""

    calls: int | None = None
    tokens: int | None = None
    steps: int | None = None
    cost: float | None = None
    minutes: float | None = None


def limited(settings: Settings, typed: Limits = Limits(), pause: str = "") -> Rules:
    """The archive's rules with the limits given at the terminal."""
    return bounded(rules_of(settings), typed, pause)


def bounded(rules: Rules, typed: Limits = Limits(), pause: str = "") -> Rules:
    """Rules with the limits given at the terminal; `pause` names checkpoints, or `none`."""
    stops = tuple(stop.strip() for stop in pause.split(",") if stop.strip())
    never = stops == ("none",)
    for stop in () if never else stops:
        if stop not in CHECKPOINTS:
            raise UsageError(
                f"there is no checkpoint {stop!r}.", where="--pause", remedy=f"There are: {', '.join(CHECKPOINTS)}."
            )
    own = rules.budget
    budget = Budget(
        calls=own.calls if typed.calls is None else typed.calls,
        tokens=own.tokens if typed.tokens is None else typed.tokens,
        cost=own.cost if typed.cost is None else typed.cost,
        seconds=own.seconds if typed.minutes is None else typed.minutes * 60,
    )
    changed: dict[str, object] = {"pause": () if never else stops or rules.pause, "steps": typed.steps or rules.steps}
    return checked(rules, budget, rules.switches, changed)


def print_answer(
    workspace: Workspace, answer: Answer, *, as_json: bool, full: bool = False, limit: int = 20, closed: bool = False
) -> None:
    """Print a run; with `closed` the texts of closed documents, too."""
    catalogue = workspace.catalogue()
    try:
        found = present.answer(answer, catalogue, closed=closed)
    finally:
        catalogue.close()
    if as_json:
        printing.data(found)
    else:
        printing.answer(found, str(workspace.root), full=full, limit=limit)


def matching_of(*, syntax: bool, any_case: bool, regex: bool) -> Matching:
    """How the query is read. Raises UsageError when two ways were asked for."""
    chosen = [
        way
        for way, wanted in ((Matching.SYNTAX, syntax), (Matching.FOLDED, any_case), (Matching.PATTERN, regex))
        if wanted
    ]
    if len(chosen) > 1:
        raise UsageError("a query is read in one way only.", remedy="Choose one of --syntax, --any-case, --regex.")
    return chosen[0] if chosen else Matching.PLAIN


def search_plain(query: str, found: SearchResult, *, closed: bool = False) -> Plain:
    """A search as data; with `closed` the texts of closed documents, too."""
    cards = {card.id: card for card in found.cards}
    passages = {passage.id: passage for passage in found.passages}
    held = present.Holdings(cards, passages, closed=closed, anchors=found.anchors)
    return {
        "query": query,
        "dates": [{"text": period.text, "period": label(period), "rule": period.rule} for period in found.periods],
        "weights": dict(found.weights),
        "hits": [
            {
                **_hit(candidate, held, query),
                "copies": [_copy(card) for card in found.copies.get(candidate.document, ())],
            }
            for candidate in found.candidates
        ],
        "windows": [_lane(lane, found) for lane in found.lanes],
        "prices": [asdict(price) for price in found.prices],
        "expanded": [asdict(near) for near in found.neighbours],
        "variants": [asdict(variant) for variant in found.variants],
        "unattested": list(found.unattested),
        "missing": list(found.missing),
        "failures": list(found.failures),
    }


def _copy(card: DocumentCard) -> Plain:
    """A document that has the text of another: a reprint or a copy."""
    date = label(card.period) if card.period else None
    return {"document": card.id, "title": card.title, "date": date, "sub_corpus": card.sub_corpus}


def _lane(lane: FusedLane, found: SearchResult) -> Plain:
    """The list of a window, of a sub-corpus, or of both."""
    windowed = any(other.window for other in found.lanes)
    return {
        "window": label(lane.window) if lane.window else ("undated" if windowed else None),
        "sub_corpus": lane.sub_corpus or None,
        "documents": [candidate.document for candidate in lane.candidates],
        "short": lane.short,
    }


def _hit(candidate: Candidate, held: present.Holdings, query: str) -> Plain:
    """A document that was found and the passage that carried it; the query is quoted where it stands there in a row."""
    card, there = held.cards[candidate.document], held.passages.get(candidate.passage)
    why = held.withheld(card)
    span = find_quote(query, there.text) if there else None
    passage = held.passage(candidate.passage, there.text[slice(*span)] if there and span else "", why)
    return {
        **present.document(card, why, present.cited_pages([passage])),
        "score": candidate.score,
        "found_by": [{"channel": s.channel, "rank": s.rank, "score": s.score} for s in candidate.standings],
        "passage": passage,
    }


def search_page(query: str, found: SearchResult, *, closed: bool = False) -> None:
    """Print a search."""
    page = search_plain(query, found, closed=closed)
    for read in page["dates"]:
        printing.out.print(f"[dim]read as a date: “{printing.clean(read['text'])}” = {read['period']}[/dim]")
    for near in page["expanded"]:
        printing.out.print(
            f"[dim]searched with “{printing.clean(near['word'])}”: {printing.clean(near['found'])} "
            f"({near['by']} {near['similarity']:.2f}, ×{near['passages']})[/dim]"
        )
    for word, forms in _by_word(page["variants"]).items():
        printing.out.print(f"[dim]searched as “{printing.clean(word)}”: {printing.clean(', '.join(forms))}[/dim]")
    for word in page["unattested"]:
        printing.out.print(f"[yellow]“{printing.clean(word)}” occurs nowhere in the archive.[/yellow]")
    if not page["hits"]:
        printing.out.print("Nothing was found.")
    _windows(page)
    for number, hit in enumerate(page["hits"], 1):
        date = printing.clean(hit["date"] or "undated")
        printing.out.print(
            f"\n[bold]{number:>2}. {printing.clean(hit['title'])}[/bold] · {date} · "
            f"{printing.clean(hit['sub_corpus'])} [dim]{printing.clean(hit['document'])}[/dim]"
        )
        why = hit["passage"]["withheld"]
        words = printing.around(hit["passage"], printing.EXCERPT // 2) if not why else ""
        printing.out.print(f"    {printing.WITHHELD[why] if why else words}")
        printing.places(hit["passage"])
        printing.also(hit["copies"])
        places = ", ".join(f"{place['channel']} #{place['rank']}" for place in hit["found_by"])
        printing.out.print(f"    [dim]{places}[/dim]")
    for gap in (*page["missing"], *page["failures"]):
        printing.out.print(f"[yellow]{printing.clean(gap)}[/yellow]")


def _windows(page: Plain) -> None:
    """The windows with the numbers of their documents, and what they cost."""
    numbered = {hit["document"]: number for number, hit in enumerate(page["hits"], 1)}
    for lane in page["windows"]:
        numbers = ", ".join(str(numbered[name]) for name in lane["documents"] if name in numbered)
        short = f" [yellow]{lane['short']} short of the quota[/yellow]" if lane["short"] else ""
        name = " · ".join(printing.clean(part) for part in (lane["window"], lane["sub_corpus"]) if part)
        printing.out.print(f"[bold]{name}[/bold]: {numbers or 'nothing'}{short}")
    for price in page["prices"]:
        printing.out.print(f"[dim]{_price(price)}[/dim]")


def _by_word(variants: list[Plain]) -> dict[str, list[str]]:
    """The forms of each word, with distance and number of passages."""
    forms: dict[str, list[str]] = {}
    for one in variants:
        apart = f"{one['distance']:.1f} apart, " if one["distance"] else ""
        forms.setdefault(one["word"], []).append(f"{one['found']} ({apart}×{one['passages']})")
    return forms


def _price(price: Plain) -> str:
    """What the windows brought in and pushed out, in a line."""
    came, went = ("-" if mean is None else f"{mean:.3f}" for mean in (price["surfaced_mean"], price["displaced_mean"]))
    return (
        f"{price['channel']}: the windows brought in {price['surfaced']} (mean score {came}) "
        f"and pushed out {price['displaced']} (mean score {went})"
    )


def demo_hints(root: Path) -> None:
    """Say what to try next."""
    printing.out.print(
        f"\nThe archive is fictional. Try:\n  vestigia show {root}\n  vestigia replay {root}\n"
        f'  vestigia search {root} "Hochwasser"\n  vestigia ask {root} "your own question"',
        markup=False,
        soft_wrap=True,
    )
