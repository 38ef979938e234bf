"""The deposit described as an RO-Crate 1.1 (`ro-crate-metadata.json`): each file, each run, each person and program."""

from collections.abc import Mapping, Sequence
from typing import Any

from vestigia.app.depositing.flow import KINDS
from vestigia.app.depositing.record import DepositedRun, Record, folder
from vestigia.domain.ids import digest

NAME = "ro-crate-metadata.json"
_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_VERSION = "https://w3id.org/ro/crate/1.1"
_PROGRAM = "#vestigia"
NO_LICENCE = "No licence was stated. Ask whoever deposited it before you use it; sources have rights of their own."
_KINDS = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".cff": "text/yaml",
}
_ABOUT = {
    "README.md": "What is in this deposit and how to check it",
    "deposit.json": "What was deposited, with what its rights keep back",
    "sources.json": "The sources that the runs came to: where each is found, and digests of its text",
    "settings.json": "Settings of the archive, without keys and addresses",
    "environment.json": "The program and what it ran on",
    "prov.json": "Provenance of the runs (W3C PROV, PROV-JSON)",
    "flow.svg": "What became of the sources, step by step",
    "flow.csv": "The numbers of flow.svg",
    "sources.csl.json": "The sources, to be cited (CSL-JSON)",
    "CITATION.cff": "How to cite this deposit",
}


def crate(record: Record, members: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the metadata of a crate that holds these members."""
    statement, main = record.statement, record.main
    people = people_of(record)
    licence = _licence(str(statement["licence"]))
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": title_of(record),
        "description": f"A {kind_of(main)} recorded by Vestigia, with all runs it came from.",
        "datePublished": main.entries[-1].time[:10],
        "license": {"@id": licence["@id"]},
        "identifier": main.head,
        "hasPart": [{"@id": name} for name in sorted(members)],
        "mentions": _one([{"@id": f"#{run.run}"} for run in record.runs]),
    }
    if people:
        root["author"] = _one([{"@id": f"#person-{number}"} for number in range(1, len(people) + 1)])
    described = {"@id": NAME, "@type": "CreativeWork", "conformsTo": {"@id": _VERSION}, "about": {"@id": "./"}}
    graph = [
        described,
        root,
        licence,
        *(_file(name, members[name]) for name in sorted(members)),
        *(_run(run, members) for run in record.runs),
        *({"@id": f"#person-{n}", "@type": "Person", "name": name} for n, name in enumerate(people, 1)),
        {
            "@id": _PROGRAM,
            "@type": "SoftwareApplication",
            "name": "Vestigia",
            "softwareVersion": statement["vestigia"],
        },
    ]
    return {"@context": _CONTEXT, "@graph": graph}


def _one(values: list[dict[str, str]]) -> dict[str, str] | list[dict[str, str]]:
    """A single value stands alone, as the specification recommends."""
    return values[0] if len(values) == 1 else values


def _licence(said: str) -> dict[str, str]:
    """The licence; that none was stated is said, not left open."""
    if not said:
        return {"@id": "#licence", "@type": "CreativeWork", "name": "No licence", "description": NO_LICENCE}
    return {"@id": said if "://" in said else "#licence", "@type": "CreativeWork", "name": said}


def title_of(record: Record) -> str:
    """What a deposit is called."""
    asked = record.main.first.question.text
    return f"{kind_of(record.main).capitalize()}: {asked}" if asked else record.main.run


def kind_of(run: DepositedRun) -> str:
    """What a run is: question, survey, judging, curation or interpretation."""
    order = run.first.commission
    return KINDS[type(order)] if order else "question"


def people_of(record: Record) -> Sequence[str]:
    """Who deposits, then who took part."""
    taking_part = (name for run in record.runs for name in run.people)
    return tuple(dict.fromkeys((*record.statement["by"], *taking_part)))


def _file(name: str, content: bytes) -> dict[str, Any]:
    ending = name[name.rfind(".") :]
    return {
        "@id": name,
        "@type": "File",
        "name": _ABOUT.get(name, name),
        "contentSize": str(len(content)),
        "encodingFormat": _KINDS.get(ending, "application/octet-stream"),
        "sha256": digest(content).removeprefix("sha256:"),
    }


def _run(run: DepositedRun, members: Mapping[str, bytes]) -> dict[str, Any]:
    ledger = next(name for name in sorted(members) if name.startswith(f"{folder(run.run)}/ledger"))
    return {
        "@id": f"#{run.run}",
        "@type": "CreateAction",
        "name": run.first.question.text or run.run,
        "description": kind_of(run),
        "startTime": run.entries[0].time,
        "endTime": run.entries[-1].time,
        "instrument": {"@id": _PROGRAM},
        "result": {"@id": ledger},
    }
