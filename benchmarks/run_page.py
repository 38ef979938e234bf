"""How long the pages of a long run take: a made record of so many entries, opened in a site without a network.

    uv run python benchmarks/run_page.py [--entries 2000] [--documents 400]

Prints the median of ten openings for each page, with what the site remembers thrown away before, and again. Measured is
processor time: what a page takes where nothing else is at work. The record is made: a question whose searches and
reviews go on for as long as is asked for, on an archive of made letters.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from starlette.testclient import TestClient

from vestigia.app.archive import add
from vestigia.app.asking import ask, later, now
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import Found, Scope, Search
from vestigia.domain.entries import Answered, Asked, Body, Recorded
from vestigia.domain.events import (
    ArchiveSurveyed,
    Closed,
    Consolidated,
    Event,
    Judged,
    Opened,
    Planned,
    Searched,
    SubQuestionOpened,
)
from vestigia.domain.evidence import Candidate, Decision, Hit, Memory, Ranked, Standing, Verdict
from vestigia.domain.ids import PassageId, RunId, SubQuestionId
from vestigia.domain.question import Question, SubQuestion
from vestigia.domain.rules import Rules
from vestigia.ledger.log import FileLedger
from vestigia.web.records import Records
from vestigia.web.site import create_app

WORDS = ("Brücke", "Rat", "Zoll", "Markt", "Fluss", "Hochwasser", "Rechnung", "Bau", "Holz", "Eisen", "Wagen", "Ernte")
BATCH = 10
OPENINGS = 10


def made(root: Path, documents: int) -> Workspace:
    """An archive of made letters."""
    workspace = init(root / "archive", "Made letters")
    lines = []
    for number in range(documents):
        text = " ".join(islice(cycle(WORDS[number % 7 :] + WORDS[: number % 11]), 150))
        lines.append(json.dumps({"id": f"L{number}", "title": f"Brief {number}", "text": text, "date": "1887-03-11"}))
    (root / "letters.jsonl").write_text("\n".join(lines), encoding="utf-8")
    add(workspace, [root / "letters.jsonl"], ImportOptions(sub_corpus="Letters", language="de"))
    return workspace


def record(workspace: Workspace, entries: int) -> RunId:
    """A record of about so many entries: searches, their answers and reviews, then a list of all that was taken."""
    run = ask(workspace, Question("Was geschah mit der Brücke?"), Rules(), later).run
    catalogue = workspace.catalogue()
    cards = list(catalogue.documents(catalogue.ids()))
    first = {card.id: next(iter(catalogue.pairs([card.id])))[0].id for card in cards}
    sub_corpora = catalogue.sub_corpora()
    catalogue.close()
    with FileLedger.open(workspace.runs, run, now) as ledger:
        ledger.append(Recorded(Opened(Question("Was geschah mit der Brücke?"), Rules())), "code")
        ledger.append(Recorded(ArchiveSurveyed(sub_corpora, ("words", "characters"))), "code")
        asked = SubQuestion(SubQuestionId("q1"), "Was stand in den Briefen?", "Letters")
        ledger.append(Recorded(Planned((asked,))), "code")
        ledger.append(Recorded(SubQuestionOpened(asked.id)), "code")
        for body in islice(_steps(cards, first), entries - 7):
            ledger.append(body, "code")
        ranking = tuple(Ranked(card.id, 1) for card in cards)
        ledger.append(Recorded(Consolidated(ranking)), "code")
        ledger.append(Recorded(Closed()), "code")
    return run


def _steps(cards: list[DocumentCard], first: dict[str, PassageId]) -> Iterator[Body]:
    met: set[str] = set()
    for number in cycle(range(0, len(cards), BATCH)):
        batch = cards[number : number + BATCH]
        hits = tuple(Hit(first[card.id], card.id, place, 1 / place) for place, card in enumerate(batch, 1))
        yield Asked((Search("words", f"Brücke {number}", Scope(), 50),))
        yield Answered((Found(hits),))
        candidates = tuple(
            Candidate(card.id, first[card.id], 0.01, (Standing("words", place, 0.5),))
            for place, card in enumerate(batch, 1)
        )
        new = tuple(card for card in batch if card.id not in met)
        met |= {card.id for card in batch}
        event: Event = Searched(f'words "Brücke {number}"', candidates, new, sub_question=SubQuestionId("q1"))
        yield Recorded(event)
        verdicts = tuple(Verdict(first[card.id], card.id, Decision.ACCEPT, "names the bridge") for card in batch)
        yield Recorded(Judged(SubQuestionId("q1"), verdicts, Memory()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--documents", type=int, default=400)
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        workspace = made(Path(folder), wanted.documents)
        run = record(workspace, wanted.entries)
        site = create_app({"letters": workspace})
        browser = TestClient(site, base_url="http://127.0.0.1:8321")
        print(f"{wanted.entries} entries, {wanted.documents} sources")
        print(f"{'page':<20} {'anew':>9} {'again':>9} {'bytes':>9}")
        for path in ("", "/entries", "/entries/1000", ".json", "/silence"):
            address = f"/archives/letters/runs/{run}{path}"
            anew, again = [], []
            for _ in range(OPENINGS):
                site.state.records = Records()
                anew.append(_seconds(browser, address))
                again.append(_seconds(browser, address))
            size = len(browser.get(address).content)
            print(f"{path or '(the run)':<20} {median(anew):>7.2f} s {median(again):>7.2f} s {size:>9}")


def _seconds(browser: TestClient, address: str) -> float:
    began = process_time()
    answer = browser.get(address)
    assert answer.status_code == 200, answer.text  # noqa: S101  a measurement of something else is none
    return process_time() - began


if __name__ == "__main__":
    main()
