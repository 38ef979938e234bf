"""The folder of an archive: settings, catalogue, index, runs. Everything but catalogue and runs can be made again."""

from dataclasses import dataclass, replace
from datetime import date
from importlib.resources import files
from pathlib import Path

from vestigia.app import settings as settings_file
from vestigia.app.questions import legible
from vestigia.app.settings import Settings
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.errors import ArchiveError, SettingsError, UsageError
from vestigia.domain.ids import DocumentId, RunId
from vestigia.ledger.mentions import names_any
from vestigia.ledger.naming import find
from vestigia.ledger.naming import runs as runs_in
from vestigia.ledger.projection import RunRow, list_runs
from vestigia.prompts.library import INPUTS, Library

OPEN_PART = "open-part"
"""The folder of the part of an archive that everybody may see; it can be made again."""
_EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class Workspace:
    """An archive's folder and its settings.

    `part` is the folder of a part of the archive that stands in for the whole: its catalogue and its index. No run is
    known here whose record names one of the `hidden` documents (B11).
    """

    root: Path
    settings: Settings
    part: Path | None = None
    hidden: frozenset[DocumentId] = frozenset()

    @property
    def whole(self) -> "Workspace":
        """The archive itself, where something is written: what comes into a part would be lost with it."""
        return self if self.part is None and not self.hidden else replace(self, part=None, hidden=frozenset())

    @property
    def index(self) -> Path:
        """Where the index lies."""
        return (self.part or self.root) / "index"

    @property
    def runs(self) -> Path:
        """Where the ledgers lie."""
        return self.root / "runs"

    def run(self, name: str) -> RunId:
        """Return the run of that name, or beginning of one, or the `last`; one that is not to be seen here is none.

        Raises UsageError with the runs that could be meant.
        """
        return find(self.runs, name, self.shows)

    def run_names(self) -> list[RunId]:
        """The runs that may be seen here, by name."""
        return [run for run in runs_in(self.runs) if self.shows(run)]

    def run_rows(self) -> tuple[RunRow, ...]:
        """The runs that may be seen here as a list shows them, the one opened last first."""
        return tuple(row for row in list_runs(self.runs) if self.shows(row.run))

    def shows(self, run: RunId) -> bool:
        """Whether a run may be seen here."""
        return not self.hidden or not names_any(self.runs, run, self.hidden)

    def catalogue(self) -> Catalogue:
        """Open the catalogue.

        Raises ArchiveError where it is gone or empty while an index or runs are there: it was not always so.
        """
        path = (self.part or self.root) / "catalogue.sqlite"
        gone = not path.exists() or (path.is_file() and not path.stat().st_size)
        if gone and any(part.is_dir() and any(part.iterdir()) for part in (self.index, self.runs)):
            raise ArchiveError(
                "the catalogue is gone or empty, but not what was made of it.",
                where=str(path),
                remedy="Restore it from a copy. Without one, make a new archive with `vestigia init`, add the sources "
                "there, and copy the folder `runs` into it.",
            )
        return Catalogue(path, self.settings.archive.passage_tokens, date.today().toordinal() - _EPOCH)  # noqa: DTZ011  the day here

    def library(self) -> Library:
        """Read the prompts; a file of the same name in the archive's `prompts` folder stands before ours."""
        return Library.parse(self.prompts())

    def prompts(self) -> dict[str, str]:
        """Return the files of the prompts in force, by name."""
        return {name: self._prompt(name) for name in INPUTS}

    def _prompt(self, name: str) -> str:
        own = self.root / "prompts" / f"{name}.md"
        try:
            if own.exists():
                return own.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"the prompt cannot be read ({error}).", where=str(own), remedy="Save it as a text file in UTF-8."
            ) from error
        return (files("vestigia.prompts") / f"{name}.md").read_text(encoding="utf-8")


def init(root: Path, name: str = "", passage_tokens: int = 1000) -> Workspace:
    """Make an empty archive, wholly or not at all.

    Raises UsageError when the folder holds something already, or for a name or path of broken characters.
    """
    legible("the name", name)
    legible("the path", str(root))
    try:
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            what = "an archive is there already." if _is_archive(root) else "it exists and is not empty."
            raise UsageError(what, where=str(root), remedy="Choose another folder for the new archive.")
        root.mkdir(parents=True, exist_ok=True)
        written = settings_file.template(name or root.name or root.resolve().name, passage_tokens)
        (root / settings_file.FILE).write_text(written, encoding="utf-8")
    except OSError as error:
        raise ArchiveError(
            f"the folder cannot be made ({error.strerror}).", where=str(root), remedy="Check rights and free space."
        ) from error
    workspace = open_workspace(root)
    workspace.catalogue().close()
    return workspace


def open_workspace(root: Path) -> Workspace:
    """Open an archive. Raises UsageError when there is none, SettingsError when its settings are wrong."""
    if not _is_archive(root):
        raise UsageError("there is no archive.", where=str(root), remedy=f"Make one: `vestigia init {root}`.")
    return Workspace(root, settings_file.read(root / settings_file.FILE))


def _is_archive(root: Path) -> bool:
    try:
        return (root / settings_file.FILE).is_file()
    except (OSError, ValueError):  # a name that no folder can have
        return False
