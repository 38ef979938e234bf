"""Blocks that are no command are put to the use that their page describes: settings, a package, a page of the site."""

import json
import tomllib
from contextlib import closing
from importlib.metadata import entry_points
from typing import Annotated

import pytest
from fastapi import Form, Request, Response
from typer.testing import CliRunner

from docs.pages import ROOT, SAMPLE, blocks
from docs.test_blocks_run import differences
from unit.app.test_places import hit, workspace  # noqa: F401  the fixture
from vestigia.app import surveying
from vestigia.app.encoders import configured
from vestigia.app.people.openid import provider_of
from vestigia.app.people.roles import Role
from vestigia.app.plugins import READERS
from vestigia.app.surveying import Plan
from vestigia.app.workspace import init, open_workspace
from vestigia.cli.commands import app
from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.question import Question
from vestigia.web.faults import unknown
from vestigia.web.holdings import Holding
from vestigia.web.pages import Pages, page
from vestigia.web.standing import live_of
from vestigia.web.templating import redirect


def written(name: str, beginning: str) -> str:
    """The text of the block of a page that begins so."""
    (found,) = [one.text for one in blocks(ROOT / "docs" / name) if one.text.startswith(beginning)]
    return found


def added(folder, settings, *arguments):
    """Make an archive with these settings, add to it, and return it with what was told."""
    made = init(folder)
    with (made.root / "vestigia.toml").open("a", encoding="utf-8") as file:
        file.write(settings)
    ended = CliRunner().invoke(app, ["add", str(made.root), *map(str, arguments), "--json"])
    assert ended.exit_code == 0, ended.stderr
    return open_workspace(made.root), json.loads(ended.stdout)


def test_encoders_of_the_settings_are_made_or_say_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("ARCHIVE_MODEL_KEY", "a-key")
    root = init(tmp_path / "archive").root
    with (root / "vestigia.toml").open("a", encoding="utf-8") as file:
        file.write(written("settings.md", "[encoders.nomic]"))
    found = open_workspace(root)
    assert set(found.settings.search.encoders) == {"e5", "nomic"}
    nomic, library, potion = found.settings.encoders
    assert [configured(found, name).name for name in (nomic, library)] == ["nomic", "archive_model"]
    with pytest.raises(ModelUnavailableError, match="potion-multilingual-128M"):
        configured(found, potion)


def test_name_patterns_in_the_settings_read_files_as_the_option_does(tmp_path):
    pattern = ("--name-pattern", "{title}_{year}-{month}-{day}_{issue}")
    cards = []
    for name, settings, told in (("a", "", pattern), ("b", written("importing.md", "[import]"), ())):
        made, _ = added(tmp_path / name, settings, SAMPLE / "temps", "--language", "fr", *told)
        with closing(made.catalogue()) as catalogue:
            cards.append([(card.title, card.period) for _, card in catalogue.pairs()])
    assert cards[0] == cards[1]
    assert all(period for _, period in cards[0])


def test_a_package_with_the_reader_and_its_entry_point_reads_files_of_that_ending(tmp_path, monkeypatch):
    site = tmp_path / "site"
    told = site / "my_package-1.dist-info"
    told.mkdir(parents=True)
    (site / "my_package.py").write_text(written("importing.md", "from collections.abc"), encoding="utf-8")
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1\n", encoding="utf-8")
    named = tomllib.loads(written("importing.md", "[project.entry-points."))["project"]["entry-points"][READERS]
    lines = (f"{name} = {value}\n" for name, value in named.items())
    (told / "entry_points.txt").write_text(f"[{READERS}]\n{''.join(lines)}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    assert [point.name for point in entry_points(group=READERS)] == ["letters"]
    (tmp_path / "a.letters").write_text("Paris, 12 janvier 1887\nMon cher ami.\n", encoding="utf-8")
    (file,) = added(tmp_path / "archive", "", tmp_path / "a.letters")[1]["files"]
    assert (file["reader"], file["documents"], file["dated"]) == ("letters", 1, 1)


def test_the_door_of_an_institution_is_read_as_it_is_written(tmp_path):
    (tmp_path / "server.toml").write_text(written("cli.md", "[oidc]"), encoding="utf-8")
    found = provider_of(tmp_path)
    assert (found.client, found.key, found.claim) == ("vestigia", "OIDC_SECRET", "preferred_username")


def test_pages_and_lines_of_a_passage_have_the_shape_that_is_shown(workspace):  # noqa: F811
    shown = json.loads(written("cli.md", '{\n  "pages": ['))
    printed = json.loads(json.dumps(hit(workspace, "zu pflastern")["passage"]))
    assert not differences(shown, {name: printed[name] for name in shown})


@pytest.mark.parametrize(("beginning", "routes"), [("@pages.page(", 2), ("@pages.action(", 1)])
def test_how_0014_workbench_says_that_pages_are_declared_declares_them(beginning, routes):
    known = (Request, Response, Holding, Role, Question, Plan, unknown, page, live_of, redirect)
    names = {**{one.__name__: one for one in known}, "Annotated": Annotated, "Form": Form, "surveying": surveying}
    pages = Pages()
    exec(compile(written("decisions/0014-workbench.md", beginning), beginning, "exec"), {**names, "pages": pages})
    assert len(pages.routes) == routes
