"""Archives to deposit from, built once a module, and a terminal."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fakes.depositing import an_archive, parrot
from fakes.interpreting import interpreter
from fakes.prepared import without_weights
from vestigia.app import models
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app


@pytest.fixture(scope="module")
def small_encoders():
    """An encoder that needs no weights, and the models of the fakes."""
    with without_weights(), pytest.MonkeyPatch.context() as patch:
        made = {"parrot": parrot, "stranger": lambda: parrot("stranger", own=False)}
        made |= {"pen": lambda: interpreter("pen")}
        made |= {"stutterer": lambda: parrot("stutterer", stutters=True)}
        patch.setattr(models, "installed", lambda _kind: made)
        yield


@pytest.fixture(scope="module")
def mixed(small_encoders, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An archive in which some letters may leave and some may not."""
    return an_archive(tmp_path_factory.mktemp("mixed"))


@pytest.fixture(scope="module")
def free(small_encoders, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An archive of open letters."""
    return an_archive(tmp_path_factory.mktemp("free"), "O")


class Typed:
    """A terminal."""

    def __call__(self, *words: object, code: int = 0) -> str:
        ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, [str(word) for word in words])
        assert ended.exit_code == code, ended.output
        return ended.output

    def data(self, *words: object, code: int = 0) -> dict:
        return json.loads(self(*words, "--json", code=code))


@pytest.fixture(scope="session")
def typed() -> Typed:
    return Typed()


def members_of(file: Path) -> dict[str, bytes]:
    """Every member of a zip, read by the library alone."""
    import zipfile

    with zipfile.ZipFile(file) as opened:
        return {name: opened.read(name) for name in opened.namelist()}
