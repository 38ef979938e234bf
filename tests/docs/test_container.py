"""The container, as far as it can be checked without a machine that builds one: files, extras, entry point, its check.

No image was built here; what is checked is that each thing the recipe names is there and does what it is named for.
"""

import json
import re
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from docs.pages import ROOT
from vestigia.app.people.door import People
from vestigia.app.workspace import init
from vestigia.cli.commands import app

RECIPE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements-server.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
EXTRAS = ("web", "models", "office", "oidc")
PINNED = [Requirement(line.rstrip(" \\")) for line in LOCK.splitlines() if line and not line.startswith(" ")]


def said(instruction: str, number: int = -1) -> list[str]:
    """The list that an instruction of the recipe has."""
    return json.loads(re.findall(rf"^{instruction}.*?(\[.*\])$", RECIPE, re.MULTILINE)[number])


def test_what_is_copied_into_it_is_there_or_built_and_nothing_else_may_be():
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", RECIPE, re.MULTILINE)
    assert copied == ["requirements-server.lock dist/vestigia-*.whl"]
    assert (ROOT / "requirements-server.lock").is_file()
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = [line for line in lines if not line.startswith("#")]
    assert allowed == ["*", "!requirements-server.lock", "!dist", "dist/*", "!dist/*.whl"]


def test_everything_is_installed_by_its_hash_and_as_a_wheel():
    installs = [line for line in RECIPE.splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert {"--require-hashes", "--only-binary"} <= set(installs[0].split())
    assert "--no-deps" in installs[1]
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) == len(PINNED)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)
    assert not re.search(
        r"://|--index-url|--extra-index-url|--find-links", LOCK + RECIPE.replace("http://127.0.0.1", "")
    )


@pytest.mark.parametrize(
    "declared",
    [*PROJECT["dependencies"], *(one for extra in EXTRAS for one in PROJECT["optional-dependencies"][extra])],
)
def test_the_lock_has_what_the_extras_of_a_server_declare(declared):
    wanted = Requirement(declared)
    locked = [one for one in PINNED if canonicalize_name(one.name) == canonicalize_name(wanted.name)]
    assert locked, "run scripts/export_lock.sh"
    for one in locked:
        assert wanted.specifier.contains(str(one.specifier).removeprefix("==")), "run scripts/export_lock.sh"


def test_it_does_not_run_as_root_and_keeps_archives_and_accounts_outside():
    after = RECIPE.rpartition("FROM ")[2]
    assert re.search(r"^USER (?!root|0)\w+$", after, re.MULTILINE)
    assert after.index("USER ") < after.index("ENTRYPOINT")
    assert said("VOLUME") == ["/archives", "/data"]
    assert re.search(r"^FROM python:3\.\d+-slim$", after.join(["FROM ", ""]), re.MULTILINE)


def test_the_entry_point_is_the_command_of_the_package():
    assert said("ENTRYPOINT") == ["vestigia"]
    assert PROJECT["scripts"]["vestigia"] == "vestigia.cli.__main__:main"


@pytest.mark.parametrize("command", [said("CMD"), COMPOSE["services"]["vestigia"]["command"]], ids=["image", "compose"])
def test_what_it_starts_is_a_server_of_the_folders_that_are_mounted(command, tmp_path, monkeypatch):
    served = []
    monkeypatch.setattr("vestigia.web.serving.serve", lambda *given, **more: served.append((*given, more)))
    init(tmp_path / "archives" / "archive")
    People(tmp_path / "data").accounts.add("odile", "ein langer Satz von mir")
    here = [str(tmp_path) + one if one.startswith("/") else one.replace("${VESTIGIA_NAME:-localhost}", "localhost")
            for one in command]  # fmt: skip
    ended = CliRunner().invoke(app, [*here, "--port", "0"])
    assert ended.exit_code == 0, ended.stderr
    ((archives, taken, opened, options, more),) = served
    taken.close()
    assert list(archives) == ["archive"]
    assert (opened, more) == (None, {"lines": True})
    assert options.people is not None
    assert "localhost" in options.limits.hosts


def test_the_port_it_opens_is_the_one_it_serves():
    from vestigia.web.serving import PORT

    assert f"EXPOSE {PORT}\n" in RECIPE
    assert f"127.0.0.1:{PORT}/ready" in RECIPE
    assert COMPOSE["services"]["vestigia"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False)])
def test_its_check_tells_a_server_that_is_ready_from_one_that_is_not(status, well):
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status if self.path == "/ready" else 404)
            self.end_headers()

        def log_message(self, *_):
            """Say nothing."""

    python, dash_c, code = said("HEALTHCHECK")
    assert (python, dash_c) == ("python", "-c")
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        here = code.replace("127.0.0.1:8321", f"127.0.0.1:{server.server_port}")
        ended = subprocess.run([sys.executable, "-c", here], capture_output=True, check=False)
    assert (ended.returncode == 0) is well


class TestCompose:
    def test_the_server_is_reached_from_this_machine_or_through_the_proxy_it_believes(self):
        app_, proxy = COMPOSE["services"]["vestigia"], COMPOSE["services"]["proxy"]
        assert all(port.startswith("127.0.0.1:") for port in app_["ports"])
        believed = app_["command"][app_["command"].index("--proxy") + 1]
        assert believed == proxy["networks"]["inside"]["ipv4_address"]
        assert proxy["profiles"] == ["proxy"], "only where it is asked for"

    def test_the_proxy_keeps_the_counts_to_itself(self):
        written = COMPOSE["configs"]["caddy"]["content"]
        assert "respond /metrics 404" in written
        assert "reverse_proxy vestigia:8321" in written

    def test_it_may_do_no_more_than_it_must(self):
        app_ = COMPOSE["services"]["vestigia"]
        assert app_["read_only"] is True
        assert app_["cap_drop"] == ["ALL"]
        assert [one.split(":")[1] for one in app_["volumes"]] == said("VOLUME")
