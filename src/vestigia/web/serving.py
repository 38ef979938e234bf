"""Serving a site from this machine: the address is taken first, so that one that is taken is said in our words."""

import socket
import webbrowser
from collections.abc import Callable, Mapping
from threading import Timer

import uvicorn

from vestigia.app.workspace import Workspace
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.web.security import is_loopback
from vestigia.web.site import Options, create_app

PORT = 8321


def bound(host: str, port: int) -> socket.socket:
    """Take an address; port 0 is any free one. Raises UsageError for a host others can reach, ArchiveError if taken."""
    if not is_loopback(host):
        raise UsageError(
            f"{host} can be reached from other machines, and this archive has no accounts.",
            where="--host",
            remedy="Leave it out: the site is then for this machine alone.",
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


def serve(archives: Mapping[str, Workspace], taken: socket.socket, opened: Callable[[str], object] | None) -> None:
    """Serve until it is interrupted; `opened` is told the address once requests are answered."""
    app = create_app(archives, Options(warm=True))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", server_header=False, proxy_headers=False))
    if opened is not None:
        soon = Timer(0.5, opened, [address(taken)])
        soon.daemon = True
        soon.start()
    server.run(sockets=[taken])


def open_browser(where: str) -> None:
    """Show the site; a machine without a browser just has the address."""
    webbrowser.open(where)
