"""Everything in a deposit that is made from its record: drawn, counted, told, described. Nothing else goes in."""

from collections.abc import Mapping

from vestigia.app.depositing import citing, crate, methods
from vestigia.app.depositing.drawing import as_csv, as_svg
from vestigia.app.depositing.flow import flows
from vestigia.app.depositing.provenance import prov
from vestigia.app.depositing.record import ENVIRONMENT, SETTINGS, SOURCES, STATEMENT, Record, as_json, folder
from vestigia.domain.rules import Rules
from vestigia.ledger.deposit import MANIFEST
from vestigia.ledger.shapes import shape

README = "README.md"
_ABOUT = f"""\
This is a deposit of research done with Vestigia: sources found in a digital archive, with the whole record of how.

| file | what it is |
|---|---|
| `runs/*/ledger.jsonl` | the record of each run: one entry a line, chained by SHA-256 digests |
| `runs/*/ledger-withheld.jsonl` | the same, without texts that may not be passed on; each entry keeps its digest |
| `runs/*/prompts/` | what language models were sent, each under the digest that the record names |
| `runs/*/rules.json` | the rules and limits of each run |
| `prompts/`, `rubrics/` | the words that prompts are made of, and the criteria sources were judged by |
| `{STATEMENT}` | what was deposited, and what was kept back and why |
| `{SOURCES}` | the sources: where each is found, the digest of its text, offsets of its passages |
| `texts/` | texts of sources, where their rights are open and the depositor chose so |
| `{SETTINGS}`, `{ENVIRONMENT}` | settings without keys and addresses; program and versions |
| `flow.svg`, `flow.csv` | what became of the sources, step by step |
| `methods.en.md`, `methods.de.md`, `methods.fr.md` | a draft of the methods paragraph |
| `CITATION.cff`, `sources.csl.json` | how to cite the deposit and its sources |
| `prov.json`, `{crate.NAME}` | provenance (W3C PROV) and description (RO-Crate 1.1) |
| `{MANIFEST}` | the SHA-256 digest of every other file |

To check every byte: `vestigia verify FILE.zip`, or without Vestigia, after unpacking, `sha256sum -c {MANIFEST}`.
To decide everything again from the record, without archive, index, model or network: `vestigia replay FILE.zip`.
"""


def derived(record: Record, given: Mapping[str, bytes]) -> dict[str, bytes]:
    """Make all that follows from a record; `given` are the members that it was read from."""
    counted = flows(record)
    made: dict[str, bytes] = {
        "prov.json": as_json(prov(record)),
        "flow.svg": as_svg(counted),
        "flow.csv": as_csv(counted),
        "CITATION.cff": citing.citation_file(record),
        "sources.csl.json": citing.sources_file(record),
        README: _readme(record),
        **methods.paragraphs(record),
        **{f"{folder(run.run)}/rules.json": as_json(shape(Rules).write(run.first.rules)) for run in record.runs},
    }
    return {**made, crate.NAME: as_json(crate.crate(record, {**given, **made}))}


def _readme(record: Record) -> bytes:
    title = methods.plain(crate.title_of(record))
    return f"# {title}\n\n{_ABOUT}\nThe last entry of the record has the digest `{record.main.head}`.\n".encode(
        "utf-8", "surrogatepass"
    )
