"""The accounts of a server at the terminal: a password comes from a prompt or a pipe and is printed nowhere."""

import json

import pytest
from argon2 import PasswordHasher
from typer.testing import CliRunner

from vestigia.app.people import door
from vestigia.app.people.door import Entered, People
from vestigia.app.people.passwords import Passwords
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED

GOOD = "ein langer Satz von mir"


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    monkeypatch.setattr(door, "Passwords", lambda: Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)))


@pytest.fixture
def run(tmp_path):
    """Carry out `vestigia people …` on a folder; returns what it printed as data, or how it failed."""

    def people(*arguments, given="", code=0):
        ended = CliRunner().invoke(app, ["people", *arguments, "--data", str(tmp_path), "--json"], input=given)
        assert ended.exit_code == code, ended.output
        assert not given.strip() or given.strip() not in ended.output
        return json.loads(ended.stdout) if code == 0 else ended.stderr

    return people


def test_an_account_is_made_with_a_password_from_a_pipe(run, tmp_path):
    made = run("add", "Odile", "--role", "curator", "--archive", "vautrin", given=f"{GOOD}\n")
    assert made[0] | {"made": ""} == {
        "name": "odile",
        "roles": {"vautrin": "curator"},
        "disabled": False,
        "made": "",
    }
    assert isinstance(People(tmp_path).enter("odile", GOOD, ""), Entered)


def test_a_wrong_role_makes_no_account(run):
    assert "no role" in run("add", "odile", "--role", "king", given=f"{GOOD}\n", code=MISUSED)
    assert run("list") == []


def test_no_password_is_no_account(run):
    assert "12 to 1024" in run("add", "odile", given="", code=MISUSED)
    assert run("list") == []


def test_a_role_is_given_and_taken_away(run):
    run("add", "odile", given=f"{GOOD}\n")
    assert run("role", "odile", "--role", "reader")[0]["roles"] == {"*": "reader"}
    assert run("role", "odile", "--role", "none")[0]["roles"] == {}


def test_a_password_is_changed(run, tmp_path):
    run("add", "odile", given=f"{GOOD}\n")
    run("password", "odile", given="ein ganz anderer Satz\n")
    assert isinstance(People(tmp_path).enter("odile", "ein ganz anderer Satz", ""), Entered)
    assert "no account" in run("password", "nobody", given=f"{GOOD}\n", code=MISUSED)


def test_an_account_is_locked_and_unlocked(run):
    run("add", "odile", given=f"{GOOD}\n")
    assert run("disable", "odile")[0]["disabled"] is True
    assert run("enable", "odile")[0]["disabled"] is False


def test_a_token_is_printed_when_it_is_made_and_never_again(run, tmp_path):
    run("add", "odile", "--role", "reader", given=f"{GOOD}\n")
    made = run("token", "odile", "--label", "notebook", "--scopes", "read,act", "--days", "3")
    assert People(tmp_path).tokens.visitor(made["token"]).name == "odile"
    listed = run("tokens", "odile")
    assert made["token"] not in json.dumps(listed)
    assert (listed[0]["label"], listed[0]["scopes"], listed[0]["archive"]) == ("notebook", ["act", "read"], "*")
    assert run("revoke", "odile", "--number", str(made["number"]))[0]["revoked"]
    assert People(tmp_path).tokens.visitor(made["token"]) is None


def test_whose_account_must_be_said(run):
    assert "whose account" in run("role", "--role", "reader", code=MISUSED)


def test_the_pages_show_names_roles_and_state(tmp_path):
    def page(*arguments, given=""):
        return CliRunner().invoke(app, ["people", *arguments, "--data", str(tmp_path)], input=given).stdout

    assert "no account yet" in page("list")
    page("add", "odile", "--role", "admin", given=f"{GOOD}\n")
    page("disable", "odile")
    row = next(line for line in page("list").splitlines() if "odile" in line)
    assert ("*: admin" in row, "disabled" in row) == (True, True)
    assert "shown this once" in page("token", "odile", "--label", "notebook")
    assert "notebook" in page("tokens", "odile")
