"""The archives of a site, each with what is dear to open: its index stays open until a file of it changes.

A catalogue is opened for each request and closed (SQLite in WAL: a writer hinders no reader); the index can be read by
several threads at once, and an older one stays readable for who still has it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TypeVar

from starlette.requests import Request

from vestigia.app.access import View, view
from vestigia.app.asking import Opening, open_index
from vestigia.app.kept_index import Stamp, stamp
from vestigia.app.settings import FILE
from vestigia.app.workspace import Workspace, open_workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.errors import ArchiveError, VestigiaError
from vestigia.index.snapshot import Snapshot
from vestigia.web.visitor import unknown_archive

Value = TypeVar("Value")
_REMEMBERED = 16
CLOSED = "vestigia-closed"
"""A cookie, with the archive's name behind it, or a header: `1` asks for the texts of closed documents."""


class Holding:
    """One archive of the site, under its short name in addresses."""

    def __init__(self, slug: str, workspace: Workspace) -> None:
        self.slug = slug
        self._workspace = workspace
        self._settings = stamp(workspace.root / FILE)
        self._index: tuple[Stamp, Snapshot] | None = None
        self._remembered: dict[tuple[str, str], object] = {}
        self._lock = Lock()
        self._seen: Holding | None = None

    @property
    def name(self) -> str:
        """What the archive is called; by the last settings that could be read: a page that says so needs it."""
        with suppress(VestigiaError):
            return self.workspace.settings.archive.name or self.slug
        return self._workspace.settings.archive.name or self.slug

    @property
    def workspace(self) -> Workspace:
        """The archive with its settings as they are now. Raises ArchiveError where it is gone, SettingsError."""
        now = stamp(self._workspace.root / FILE)
        if now != self._settings:
            if not now:
                raise ArchiveError(
                    "the archive is gone.",
                    where=str(self._workspace.root),
                    remedy="Put its folder back: it is found again by itself.",
                )
            self._workspace = replace(self._workspace, settings=open_workspace(self._workspace.root).settings)
            self._settings, self._index = now, None
        return self._workspace

    def through(self, view: View) -> "Holding":
        """The archive as a visitor meets it: the whole, or its open part with what was opened of that before."""
        part = view.workspace
        if part.part is None:
            return self
        with self._lock:
            kept = self._seen
            if kept is None or (kept._workspace.part, kept._workspace.hidden) != (part.part, part.hidden):
                kept = self._seen = Holding(self.slug, part)
            return kept

    @property
    def folders(self) -> tuple[Path, ...]:
        """How the folder of the archive may be named in what goes wrong."""
        return self._workspace.root, self._workspace.root.resolve()

    @contextmanager
    def catalogue(self) -> Iterator[Catalogue]:
        """The catalogue, for as long as it takes to read."""
        opened = self.workspace.catalogue()
        try:
            yield opened
        finally:
            opened.close()

    def index(self, workspace: Workspace, catalogue: Catalogue) -> Snapshot:
        """The index of the catalogue, as `asking.open_index` opens it: hand it over as `opening`."""
        now = stamp(workspace.index)
        with self._lock:
            kept = self._index
        if kept is not None and kept[0] == now:
            return kept[1].require(catalogue.fingerprint)
        opened = open_index(workspace, catalogue)
        with self._lock:
            self._index = (now, opened)
        return opened

    def opening(self) -> Opening:
        """An `opening` for one request, which looks once whether a file of the index changed."""
        found: list[Snapshot] = []

        def opened(workspace: Workspace, catalogue: Catalogue) -> Snapshot:
            if not found:
                found.append(self.index(workspace, catalogue))
            return found[0].require(catalogue.fingerprint)

        return opened

    def remembered(self, name: str, state: str, make: Callable[[], Value]) -> Value:
        """A value that holds for one state of the archive, such as its fingerprint; made once, the oldest forgotten."""
        with self._lock:
            if (name, state) in self._remembered:
                return self._remembered[name, state]  # type: ignore[return-value]
        made = make()
        with self._lock:
            self._remembered[name, state] = made
            while len(self._remembered) > _REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
        return made


class Holdings:
    """All archives of the site by their short names, in the order given."""

    def __init__(self, archives: Mapping[str, Workspace]) -> None:
        self._held = {slug: Holding(slug, workspace) for slug, workspace in archives.items()}

    def __iter__(self) -> Iterator[Holding]:
        return iter(self._held.values())

    def get(self, slug: str) -> Holding:
        """One archive. Raises UnknownError."""
        if slug not in self._held:
            raise unknown_archive()
        return self._held[slug]


def met_by(request: Request, held: Holding) -> tuple[Holding, bool]:
    """An archive as the visitor of a request meets it, and whether they asked for the texts of closed documents.

    Without accounts it is the whole archive, and they are shown when asked for.
    """
    name = f"{CLOSED}-{held.slug}"
    asks = "1" in (request.cookies.get(name, ""), request.headers.get(CLOSED, ""))
    if request.app.state.people is None:
        return held, asks
    seen = view(
        held.workspace, may_see_closed=request.state.visitor.sees_closed(held.slug), asks_for_closed=asks, wait=False
    )
    return held.through(seen), seen.closed
