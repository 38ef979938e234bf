"""The demo archive with a whole story in it, and a model on loopback that judges and interprets when asked."""

import json
import re
from dataclasses import replace
from pathlib import Path
from time import sleep

from fakes.servers import Call, Said, answer, task_of
from vestigia.app import asking, curating, demonstration, dossiers, interpreting, judging, judging_by_hand, surveying
from vestigia.app.deciding import decide
from vestigia.app.import_jobs import UPLOADS, Jobs
from vestigia.app.models import answering
from vestigia.app.settings import FILE, rules_of
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.acts import Act, Curated, Remark, Remarked
from vestigia.domain.events import Overruled
from vestigia.domain.question import Question
from vestigia.web.visitor import local_name

QUESTION = "Wer bezahlte die neue Brücke über die Lör?"
DESCRIPTION = "Hochwasser und Schäden an der Brücke"


def narrator(call: Call) -> Said:
    """Quotes the first words of every passage, claims something of each quotation, and answers the rest as asked."""
    shape = call.words.rpartition("Reply now")[2]
    if '"passage": "the id of a passage", "quote"' in shape:
        found = re.findall(r"^id: (.+)\n(?:.+\n)*?text:\n(.+)$", call.words, re.MULTILINE)
        return _said({"thought": "", "quotes": [{"passage": name, "quote": text[:80]} for name, text in found]})
    if '"claims"' in shape:
        numbers = [int(one) for one in re.findall(r"^number: (\d+)$", call.words, re.MULTILINE)]
        claims = [{"text": f"Eine Quelle sagt es, die Nummer {number}.", "quotes": [number]} for number in numbers]
        return _said({"claims": claims, "silence": "was die Leute davon hielten"})
    if task_of(call.words) == "judge":
        name = re.findall(r"^id: (.+)$", call.words, re.MULTILINE)
        return _said(
            {
                "argument": f"{'; '.join(name)} spricht davon auf eigene Weise.",
                "quote": "",
                "score": 1 + len("".join(name)) % 10,
            }
        )
    return _said(answer(call.words))


def _said(reply: object) -> Said:
    return Said(json.dumps(reply, ensure_ascii=False))


def demo(root: Path, model: str = "") -> Workspace:
    """The demo archive; with the address of a server it has a model `pen`."""
    demonstration.build(root)
    if model:
        line = f'[models]\npen = {{ model = "compatible/pen", base_url = "{model}", price = [1, 2] }}\n'
        with (root / FILE).open("a", encoding="utf-8") as settings:
            settings.write(line)
    return open_workspace(root)


def played(root: Path, model: str) -> Workspace:
    """The demo archive after a day's work: a page of every kind has something to show."""
    workspace = demo(root, model)
    rules = rules_of(workspace.settings)
    asked = asking.ask(workspace, Question(QUESTION))
    asking.ask(workspace, Question("Comment la gare fut-elle inaugurée ?"), replace(rules, pause=("plan",)))
    asking.ask(workspace, Question(QUESTION), by=answering(workspace.settings, {"": "pen"}))
    first = asked.result.sources[0].card.id
    decide(workspace, asked.run, Overruled(first, "reject", "it is of another bridge", "Ada"))
    found = surveying.survey(workspace, Question(DESCRIPTION), surveying.Plan("20y", 4)).run
    machine = judging.judge(workspace, found, "testimony", "pen").run
    desk = judging_by_hand.begin(workspace, found, "testimony", "Ada").run
    another = surveying.survey(workspace, Question("Handwerk und Arbeit"), surveying.Plan("50y", 2)).run
    judging_by_hand.begin(workspace, another, "testimony", local_name())
    for number, row in enumerate(judging_by_hand.sheet(workspace, judging.works.read(workspace, desk))["sources"]):
        judging_by_hand.score(workspace, desk, row["passage"], 1 + number % 10, "", "Ada")
    judging_by_hand.close(workspace, desk, "Ada")
    curated = curating.begin(workspace, found, [machine]).run
    taken = [
        source["document"] for source in curating.shown(workspace, curating.works.read(workspace, curated))["sources"]
    ]
    acts = [Curated(name, Act.ACCEPT, "Ada") for name in taken[:5]]
    acts += [Curated(name, Act.REJECT, "Ada", curating.REASONS[0]) for name in taken[5:7]]
    curating.act(workspace, curated, acts)
    dossiers.seal(workspace, curated, "Was vom Hochwasser erzählt wird.", "Ada")
    curating.act(workspace, curated, [Curated(taken[5], Act.ACCEPT, "Bo"), Curated(taken[8], Act.FLAG, "Bo")])
    curating.begin(workspace, asked.run)
    pen = interpreting.interpreters(workspace, ("pen",))[0]
    work = interpreting.interpret(workspace, curated, ["Was wurde zerstört?", "Wer half?"], pen)
    claim = interpreting.shown(workspace, work)["chapters"][0]["claims"][0]["id"]
    interpreting.remark(workspace, work.run, Remarked(claim, Remark.CONTEST, "Das sagt die Quelle nicht.", "Ada"))
    _sent(workspace)
    return workspace


def _sent(workspace: Workspace) -> None:
    """Files that were sent and looked at, one of them broken; nothing of them went in."""
    (workspace.root / UPLOADS).mkdir()
    letter = '{"id": "L1", "title": "Vom Turnfest", "date": "1889-08-04", "text": "Das Turnfest begann mit Musik."}\n'
    for name, text in (("briefe.jsonl", letter), ("rest.jsonl", "{broken\n")):
        (workspace.root / UPLOADS / name).write_text(text, encoding="utf-8")
    jobs = Jobs()
    paths = [workspace.root / UPLOADS / name for name in ("briefe.jsonl", "rest.jsonl")]
    jobs.look(workspace, paths, ImportOptions(), "Ada")
    while jobs.all(workspace)[0].moving:
        sleep(0.05)
