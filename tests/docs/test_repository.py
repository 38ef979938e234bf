"""What must never be in the repository, and the lock file that says what is installed."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement

from docs.pages import ROOT

FORBIDDEN = {
    "a path of somebody's machine": r"(^|[^A-Za-z0-9_.])/(work|farm|root|home|Users)/",
    "the host of a package registry": r"(pypi\.org|pythonhosted\.org|npmjs\.(org|com)|deb\.debian\.org|crates\.io)",
}
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINNED = [Requirement(line.rstrip(" \\")) for line in LOCK.splitlines() if line and not line.startswith(" ")]


def tracked(*arguments: str) -> list[str]:
    """What `git` prints, by line; skips where this is no checkout."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    ended = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode in {0, 1}, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_holds(what):
    assert tracked("grep", "-nIE", FORBIDDEN[what]) == []


@pytest.mark.parametrize("line", ["in /ro" + "ot/x", "see https://py" + "pi.org/simple", "x = '/wo" + "rk/main'"])
def test_what_is_forbidden_is_recognised(line):
    assert any(re.search(pattern, line) for pattern in FORBIDDEN.values())


def test_the_resolver_s_own_lock_stays_out_of_the_repository():
    assert tracked("ls-files", "uv.lock") == []


@pytest.mark.parametrize("script", [".ci/run", "scripts/export_lock.sh"])
def test_a_shell_script_can_be_run_and_is_well_formed(script):
    assert os.access(ROOT / script, os.X_OK)
    checked = subprocess.run(["bash", "-n", str(ROOT / script)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_every_locked_package_has_one_exact_version_and_hashes():
    for pinned in PINNED:
        assert re.fullmatch(r"==[^*,]+", str(pinned.specifier)), pinned
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) == len(PINNED)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)


def test_the_lock_names_no_address():
    assert not re.search(r"://|--index-url|--extra-index-url|--find-links", LOCK)


@pytest.mark.parametrize(
    "declared",
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"],
)
def test_the_lock_is_current_with_a_declared_dependency(declared):
    wanted = Requirement(declared)
    locked = [pinned for pinned in PINNED if pinned.name == wanted.name]
    assert locked, "run scripts/export_lock.sh"
    for pinned in locked:
        version = str(pinned.specifier).removeprefix("==")
        assert wanted.specifier.contains(version), "run scripts/export_lock.sh"
        assert (wanted.marker is None) or (pinned.marker is not None)
