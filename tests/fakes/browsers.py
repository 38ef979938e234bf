"""A real browser, Debian's Chromium, at a real `vestigia serve` process. Nothing is downloaded."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2

from fakes.site_servers import routes_of
from vestigia.web.site import create_app

CHROMIUM = Path("/usr/bin/chromium")
NO_PAGE = re.compile(
    r"\.json($|\?)|/(file|sheet|table|image|stream)($|\?)|[?&]lang=|^/static/|^/api($|/)|^/(health|ready|metrics)$"
)
"""What a link may lead to that is no page of its own: a twin, a file, another language."""


@contextmanager
def at_work(*archives: Path) -> Iterator[str]:
    """Serve archives in a process of its own, and give the address."""
    command = [sys.executable, "-m", "vestigia.cli", "serve", *map(str, archives), "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        (found,) = re.findall(r"(http://\S+)/ ", line)
        yield found
    finally:
        process.terminate()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


def pages_of(address: str, each: int = 1) -> dict[str, list[str]]:
    """Follow every link of a site; by route the first addresses met, of a run's page those of each kind and state."""
    patterns, runs = routes(), {}
    met: dict[str, list[str]] = {}
    waiting, seen, kept = ["/"], {"/"}, Counter[tuple[str, str]]()
    with httpx2.Client(base_url=address, timeout=60) as client:
        for archive in client.get("/index.json").json()["archives"]:
            listed = client.get(f"/archives/{archive['archive']}/runs.json").json()["runs"]
            runs |= {row["run"]: f"{row['kind']} {row['state']}" for row in listed}
        while waiting:
            to = waiting.pop(0)
            path = urlsplit(to).path
            route = next((name for name, pattern in patterns.items() if re.fullmatch(pattern, path)), "")
            kind = next((kind for run, kind in runs.items() if path.endswith(run)), "")
            sort = (route, kind)
            if not route or kept[sort] >= each:
                continue
            kept[sort] += 1
            answer = client.get(to)
            assert answer.status_code == 200, f"{to}: {answer.status_code}"
            met.setdefault(route, []).append(to)
            for link in re.findall(r'<a [^>]*href="([^"#]+)', answer.text):
                there = urlsplit(urljoin(address + to, unescape(link)))
                inside = there.path + (f"?{there.query}" if there.query else "")
                if f"{there.scheme}://{there.netloc}" == address and not NO_PAGE.search(inside) and inside not in seen:
                    seen.add(inside)
                    waiting.append(inside)
    return met


def routes() -> dict[str, str]:
    """Every page of a site by its route, as a pattern of its addresses; those with no variable part first."""
    paths = {
        route.path for route in routes_of(create_app({})) if "GET" in route.methods and not NO_PAGE.search(route.path)
    }
    ordered = sorted(paths, key=lambda path: (path.count("{"), path))
    return {path: re.sub(r"{\w+(:path)?}", lambda found: ".+" if found[1] else "[^/]+", path) for path in ordered}
