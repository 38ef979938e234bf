"""Settings as they are in force; a model is tried out; what says something of the server is for who administers."""

import pytest

from fakes.site_servers import Server
from fakes.sites import visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app import modelling
from vestigia.app.people.roles import Role
from vestigia.app.workspace import init, open_workspace

PAGE = "/archives/own/settings"
MODEL = """
[models.local]
model = "openai/small"
base_url = "http://127.0.0.1:9/v1"

[rules]
steps = 7
"""


@pytest.fixture
def own(tmp_path):
    made = init(tmp_path / "own", f"Own {EVIL}")
    file = made.root / "vestigia.toml"
    file.write_text(file.read_text().replace("[rules]", "") + MODEL)
    return open_workspace(made.root)


def test_what_is_in_force_is_shown_with_what_nobody_wrote(own):
    site = visiting({"own": own})
    page = site.get(PAGE).text
    assert EVIL not in page
    told = site.get(f"{PAGE}.json").json()
    assert told["rules"]["steps"] == 7
    assert (told["model"], told["preset"]) == ("extractive", "default")
    assert [one["name"] for one in told["models"]] == ["extractive", "local"]
    assert str(own.root) not in page + site.get(f"{PAGE}.json").text


def test_a_model_is_tried_out_and_says_what_is_wrong(own, monkeypatch):
    site = visiting({"own": own})
    monkeypatch.setattr(modelling, "check", lambda _settings, names: ({"name": names[0], "problem": f"no {EVIL}"},))
    page = site.submit(f"{PAGE}/models", {"name": "local"}).text
    assert "local did not answer as it should." in words_of(page)
    assert EVIL not in page
    monkeypatch.setattr(modelling, "check", lambda _settings, names: ({"name": names[0], "problem": None},))
    assert "local answers." in words_of(site.submit(f"{PAGE}/models", {"name": "local"}).text)


def test_a_model_there_is_not(own):
    answer = visiting({"own": own}).submit(f"{PAGE}/models", {"name": "nix"})
    assert answer.status_code == 400
    assert "no model 'nix' is configured." in words_of(answer.text).lower()


def test_where_models_are_is_for_who_administers(own, tmp_path):
    server = Server({"own": own}, tmp_path / "people")
    server.person("reader", own=Role.READER)
    server.person("admin", own=Role.ADMIN)
    assert "127.0.0.1:9" in server.browser("admin").get(PAGE).text
    reader = server.browser("reader")
    assert "127.0.0.1:9" not in reader.get(PAGE).text + reader.get(f"{PAGE}.json").text
    assert "Try it out" not in reader.get(PAGE).text
    assert reader.submit(f"{PAGE}/models", {"name": "local"}).status_code == 403
