"""Build what is released and try it as a stranger would: `uv run python scripts/release.py [--sizes]`.

Builds wheel and sdist into `dist/`, installs each into an empty environment of every Python that is here, runs
`vestigia demo` there, and writes beside them what they stand on: an SBOM (CycloneDX) and the licences, of all extras.
`--sizes` prints what each extra installs, in MB. Ends with 1 where anything fails or a licence is not one we may use.
"""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
REFUSED = ("AGPL", "GPL", "GNU GENERAL", "GNU AFFERO", "SSPL", "BUSL")
"""What a licence may not begin with; LGPL is allowed."""
LICENCES = """
import json
from importlib.metadata import distributions
rows = {}
for one in distributions():
    told = one.metadata
    classes = [c.split(" :: ")[-1] for c in told.get_all("Classifier") or () if c.startswith("License ::")]
    short = (told.get("License") or "").strip().split("\\n")[0]
    rows[told["Name"]] = [one.version, told.get("License-Expression") or "; ".join(classes) or short or "not stated"]
print(json.dumps(rows))
"""


def main() -> int:
    """Do all of it; 0 where all is well."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", action="store_true", help="print what each extra installs, in MB")
    asked = parser.parse_args()
    shutil.rmtree(DIST, ignore_errors=True)
    _run("uv", "build", "--quiet", "--out-dir", DIST, ROOT)
    _run("uv", "export", "--quiet", "--project", ROOT, "--format", "cyclonedx1.5", "--no-dev", "--all-extras",
         "--output-file", DIST / "sbom.json")  # fmt: skip
    wheel, sdist = next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))
    well = True
    with tempfile.TemporaryDirectory() as place:
        for version in PYTHONS:
            if (python := _python(version)) is None:
                print(f"Python {version}: not here, not tried")
                continue
            for package in (wheel, sdist):
                well &= _tried(Path(place) / f"{version}-{package.suffix[1:]}", python, package)
        well &= _licences(Path(place) / "all", wheel)
        if asked.sizes:
            _sizes(Path(place), wheel)
    return 0 if well else 1


def _tried(place: Path, python: str, package: Path) -> bool:
    """Install a package into an empty environment and run the demo there; say how long it took."""
    began = time.monotonic()
    inside = _installed(place, python, str(package))
    installed = time.monotonic()
    ended = subprocess.run([place / "bin" / "vestigia", "demo"], cwd=place, capture_output=True, text=True, check=False)
    well = ended.returncode == 0 and "path:" in ended.stdout
    print(f"{package.name} on {inside}: installed in {installed - began:.0f} s, {_megabytes(place)} MB; "
          f"demo {'in' if well else 'FAILED after'} {time.monotonic() - installed:.0f} s")  # fmt: skip
    if not well:
        print(ended.stdout, ended.stderr, sep="\n")
    return well


def _licences(place: Path, wheel: Path) -> bool:
    """Write the licences of all that every extra installs; False where one is refused, or none is stated."""
    _installed(place, sys.executable, f"{wheel}[{','.join(_extras())}]")
    found = json.loads(_run(place / "bin" / "python", "-c", LICENCES))
    with (DIST / "licences.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["package", "version", "licence"])
        table.writerows([name, *row] for name, row in sorted(found.items()))
    wrong = {name: row[1] for name, row in found.items() if _is_refused(row[1])}
    print(f"{len(found)} packages with all extras; licences to be looked at: {wrong or 'none'}")
    return not wrong


def _is_refused(licence: str) -> bool:
    return licence == "not stated" or licence.upper().startswith(REFUSED)


def _sizes(place: Path, wheel: Path) -> None:
    """Print a table of the packages and MB of each extra, beside what is installed without any."""
    alone = 0
    for extra in ("", *_extras()):
        folder = place / f"size-{extra}"
        _installed(folder, sys.executable, f"{wheel}[{extra}]" if extra else str(wheel))
        megabytes = _megabytes(folder)
        alone = alone or megabytes
        print(f"| {f'`{extra}`' if extra else 'without extras'} | {megabytes if not extra else megabytes - alone} |")


def _extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(project["optional-dependencies"])


def _installed(place: Path, python: str, what: str) -> str:
    """Make an environment, install a package with the library's own installer, and name its Python."""
    _run("uv", "venv", "--quiet", "--seed", "--python", python, place)
    _run(place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what)
    return _run(place / "bin" / "python", "--version").strip()


def _megabytes(place: Path) -> int:
    return round(sum(one.stat().st_size for one in place.rglob("*") if one.is_file() and not one.is_symlink()) / 1e6)


def _python(version: str) -> str | None:
    ended = subprocess.run(["uv", "python", "find", "--no-python-downloads", version], capture_output=True, text=True,
                           check=False)  # fmt: skip
    return ended.stdout.strip() or None


def _run(*command: str | Path) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
