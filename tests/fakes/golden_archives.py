"""The golden archive: three letters, a question, a survey and its curation, as `vestigia backup` keeps them."""

import json
from pathlib import Path

from vestigia.app import curating, surveying
from vestigia.app.archive import add
from vestigia.app.asking import ask
from vestigia.app.backups import backup
from vestigia.app.surveying import Plan
from vestigia.app.workspace import init
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.acts import Act, Curated
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question

QUESTION = Question("Wer baute die Brücke über die Alzette?")
LETTERS = (
    {
        "id": "L1",
        "title": "Bau",
        "text": "Die Brücke über die Alzette wurde von der Stadt gebaut.",
        "date": "1887-03-11",
    },
    {"id": "L2", "title": "Zoll", "text": "Der Zoll der Brücke wurde abgeschafft.", "date": "1891-05-02"},
    {"id": "L3", "title": "Eaux", "text": "Le pont de bois fut emporté par les eaux.", "language": "fr"},
)


def golden_archive(folder: Path, out: Path) -> None:
    """Make the archive in `folder` and its copy, the file `out`. The encoders must be made small before."""
    made = init(folder / "archive", "Golden letters")
    (source := folder / "letters.jsonl").write_text(
        "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in LETTERS), encoding="utf-8"
    )
    add(made, [source], ImportOptions(sub_corpus="Letters", language="de"))
    ask(made, QUESTION)
    survey = surveying.survey(made, Question("Brücke"), Plan("10y"))
    curation = curating.begin(made, survey.run)
    acts = [Curated(DocumentId("L1"), Act.ACCEPT, "Ada"), Curated(DocumentId("L2"), Act.REJECT, "Ada", "off topic")]
    curating.act(made, curation.run, acts)
    backup(made.root, out)
