"""Serving a site from this machine: the address is taken first, so that one that is taken is said in our words."""

import ctypes
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from types import FrameType

import uvicorn

from vestigia.app.archive import Tell
from vestigia.app.live import Live
from vestigia.app.open_part import open_part
from vestigia.app.people.door import People
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.web import logs
from vestigia.web.security import LOOPBACK, Limits, is_loopback
from vestigia.web.site import Options, create_app

PORT = 8321
TURN = 0.0005
"""Seconds a thread computes before another gets its turn. A page reads many small things and gives its turn away at
each: with Python's own 5 ms it took .9 s beside two runs that compute, with this .2 s."""
_KEPT_BACK = ((-3, 2**23), (-8, 2))
"""How glibc hands out memory (`mallopt`: M_MMAP_THRESHOLD, M_ARENA_MAX): pieces of 8 MiB and more go back to the system
as soon as they are free, and the threads share two stores. By itself it keeps such pieces in a store for each thread:
sixteen threads that had made and freed one of 18 MiB a few times kept 411 MB in all, with this 46. (With 1 MiB instead
of 8 a search page took 28 ms of processor time more.)"""
PATIENCE = 5
"""Seconds that requests in hand are waited for at the end."""


class _Server(uvicorn.Server):
    """A server whose runs and streams hear at once that it is to end."""

    def __init__(self, config: uvicorn.Config, live: Live) -> None:
        super().__init__(config)
        self._live = live

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Hear of a signal that ends the process."""
        self._live.leave()
        super().handle_exit(sig, frame)


@dataclass(frozen=True, slots=True)
class Server:
    """A site for others: the folder of its people, the names it answers under, the proxies that stand before it."""

    data: Path
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()


def options_of(server: Server | None, host: str) -> Options:
    """What the site is made with. Raises UsageError for a server nobody can sign in to, or that answers to no name."""
    if server is None:
        return Options(warm=True)
    people = People(server.data)
    if all(one.disabled for one in people.accounts.all()):
        raise UsageError(
            "there is no account yet.",
            where=str(server.data),
            remedy=f"Make one: `vestigia people add NAME --role admin --data {server.data}`.",
        )
    own = () if host.strip("[]") in {"0.0.0.0", "::"} else (host,)  # noqa: S104  compared, not bound
    if not server.names and not own:
        raise UsageError(
            "it is not said under which name others reach the site.", where="--name", remedy="Say it: --name HOST."
        )
    hosts = tuple(name.lower() for name in (*LOOPBACK, *own, *server.names))
    return Options(Limits(hosts=hosts), warm=True, people=people, proxies=server.proxies)


def prepare(archives: Mapping[str, Workspace], tell: Tell) -> None:
    """Make ready what everybody may see of each archive, so that no visitor waits for it."""
    for workspace in archives.values():
        open_part(workspace, tell)


def bound(host: str, port: int, *, accounts: bool = False) -> socket.socket:
    """Take an address; port 0 is any free one.

    Raises UsageError for a host others can reach where there are no accounts, ArchiveError if it is taken.
    """
    if not is_loopback(host) and not accounts:
        raise UsageError(
            f"{host} can be reached from other machines, and there are no accounts.",
            where="--host",
            remedy="Leave it out: the site is then for this machine alone. Or keep accounts: --data FOLDER.",
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host.strip("[]"), port))
        taken.listen()  # who comes before the first answer waits
    except OSError as error:
        taken.close()
        raise ArchiveError(
            f"the address cannot be taken ({error.strerror}).",
            where=f"{host}:{port}",
            remedy="Choose another port: `--port 0` takes any that is free.",
        ) from error
    return taken


def address(taken: socket.socket) -> str:
    """The address of a site as a browser wants it."""
    host, port = taken.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(
    archives: Mapping[str, Workspace],
    taken: socket.socket,
    opened: Callable[[str], object] | None,
    options: Options,
    *,
    lines: bool = False,
) -> None:
    """Serve until it is interrupted; `opened` is told the address once requests are answered.

    Who asks, and whether by https, is believed of the proxies named and of nobody else. What is logged is in words, or
    `lines` of JSON.
    """
    if lines:
        logs.as_lines()
    app = create_app(archives, options)
    proxies = ",".join(options.proxies)
    settings = uvicorn.Config(
        app,
        log_config=None if lines else uvicorn.config.LOGGING_CONFIG,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=PATIENCE,
    )
    sys.setswitchinterval(TURN)
    _give_memory_back()
    server = _Server(settings, app.state.live)
    if opened is not None:
        soon = Timer(0.5, opened, [address(taken)])
        soon.daemon = True
        soon.start()
    with suppress(KeyboardInterrupt):  # that is how one ends it
        server.run(sockets=[taken])


def _give_memory_back() -> None:
    """Let freed memory go back to the system where glibc is what hands it out; elsewhere nothing is changed."""
    with suppress(OSError, AttributeError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        for parameter, value in _KEPT_BACK:
            mallopt(parameter, value)


def open_browser(where: str) -> None:
    """Show the site; a machine without a browser just has the address."""
    webbrowser.open(where)
