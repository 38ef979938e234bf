"""A site of one small archive: tests of a page take `site` (reads) or make their own with `visiting`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from fakes.sites import Site, visiting
from vestigia.app import archive, asking, encoders
from vestigia.app.archive import add
from vestigia.app.care import describe
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.models.encoders.hashing import HashingEncoder

EVIL = '<script>alert("x")</script>'
LETTERS = [
    {
        "id": "V1",
        "title": f"Brief {EVIL}",
        "text": "Die Brücke über die Alzette wurde gesprengt.",
        "date": "1887-03-11",
    },
    {"id": "V2", "text": f"Der Gemeinderat {EVIL} beschließt den Bau einer neuen Brücke.", "date": "1891-05-02"},
    {"id": "V3", "text": "Le pont de bois fut emporté par les eaux.", "language": "fr"},
    {"id": "V4", "title": "Gesperrt", "text": "Die Brücke der geheimen Akte.", "date": "1890", "rights": "closed"},
]


@pytest.fixture(scope="session")
def encoder() -> HashingEncoder:
    """An encoder that needs no weights."""
    return HashingEncoder()


@pytest.fixture(autouse=True, scope="module")
def _light(encoder: HashingEncoder) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        _without_weights(patch, encoder)
        yield


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, _light: None) -> Workspace:
    """Four letters, one with a script in its title, one in its text, one closed, and a file that was refused."""
    root = tmp_path_factory.mktemp("site")
    made = init(root / "letters", "Letters & Co")
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in LETTERS)
    (root / "letters.jsonl").write_text(lines + "{broken\n", encoding="utf-8")
    add(made, [root / "letters.jsonl"], ImportOptions(sub_corpus="Letters", language="de"))
    describe(made, "Letters", {"description": f"Letters to the council {EVIL}", "genre": "letter"})
    return made


@pytest.fixture
def site(workspace: Workspace) -> TestClient:
    """A browser at a site of that archive, `/archives/letters`."""
    return visiting({"letters": workspace})


@pytest.fixture
def empty(tmp_path: Path) -> Site:
    """A browser at a site of an archive that holds nothing."""
    return visiting({"empty": init(tmp_path / "empty")})


def _without_weights(patch: pytest.MonkeyPatch, encoder: HashingEncoder) -> None:
    for module in (archive, encoders):
        patch.setattr(module, "available", lambda: (encoder,))
        patch.setattr(module, "encoder", lambda _name: encoder)
    patch.setattr(asking, "available", lambda: (encoder,))
