"""An archive that tests of the wiring may use."""

import json
from pathlib import Path

import pytest

from vestigia.app import archive, asking, encoders
from vestigia.app.archive import add
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.models.encoders.hashing import HashingEncoder

LETTERS = [
    {"id": "V1", "text": "Die Brücke über die Alzette wurde gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An archive of two letters, with an encoder that needs no weights."""
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    made = init(tmp_path / "archive")
    letters = tmp_path / "letters.jsonl"
    letters.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in LETTERS), encoding="utf-8")
    add(made, [letters], ImportOptions(sub_corpus="Letters"))
    return made
