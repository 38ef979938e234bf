"""Archives that are built once for a module, each test working on a copy; and commands typed at them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import archive, asking, encoders
from vestigia.app.workspace import Workspace, init
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.models.encoders.hashing import HashingEncoder

LETTERS = (
    {"id": "V1", "text": "Die Brücke über die Alzette wurde gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
)
TERMINAL = CliRunner(env={"COLUMNS": "300"})


@contextmanager
def without_weights() -> Iterator[None]:
    """Search by meaning with an encoder that needs no weights."""
    encoder = HashingEncoder()
    with pytest.MonkeyPatch.context() as patch:
        for module in (archive, encoders):
            patch.setattr(module, "available", lambda: (encoder,))
            patch.setattr(module, "encoder", lambda _name: encoder)
        patch.setattr(asking, "available", lambda: (encoder,))
        yield


def archive_of(folder: Path, parts: Mapping[str, Sequence[Mapping[str, str]]]) -> Workspace:
    """An archive in `archive` of these sub-corpora, each from a file of its name beside it."""
    made = init(folder / "archive")
    for sub_corpus, records in parts.items():
        source = folder / f"{sub_corpus}.jsonl"
        source.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
        archive.add(made, [source], ImportOptions(sub_corpus=sub_corpus))
    return made


def typist(workspace: Workspace) -> Callable[..., str]:
    """Types commands at an archive and returns what is printed; they end with `code`."""

    def run(command: str, *arguments: object, code: int = 0) -> str:
        ended = TERMINAL.invoke(app, [command, str(workspace.root), *map(str, arguments)])
        assert ended.exit_code == code, ended.output
        return ended.output

    return run
