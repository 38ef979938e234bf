"""Questions as typed, and their answers on the page."""

from pathlib import Path

from vestigia.app import present, rested, works
from vestigia.app.asking import Answer
from vestigia.app.present import Plain
from vestigia.app.search_view import search_plain
from vestigia.app.searching import SearchResult
from vestigia.app.workspace import Workspace
from vestigia.cli import printing


def print_answer(
    workspace: Workspace, answer: Answer, *, as_json: bool, full: bool = False, limit: int = 20, closed: bool = False
) -> bool:
    """Print a run; with `closed` the texts of closed documents, too. Says whether a reply of its models was of use."""
    catalogue = workspace.catalogue()
    try:
        found = present.answer(answer, catalogue, closed=closed)
    finally:
        catalogue.close()
    found["corrected"] = rested.shown(workspace, works.read(workspace, answer.run).entries, closed=closed)
    if as_json:
        printing.data(found)
    else:
        printing.answer(found, str(workspace.root), full=full, limit=limit)
    return not printing.is_unusable(found)


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
