"""Large texts beside the log, each in a file named by its digest."""

from pathlib import Path

from vestigia.domain.errors import LedgerError
from vestigia.domain.ids import Digest, digest
from vestigia.ledger.durable import replace, unwritten

FOLDER = "blobs"


def keep(run_folder: Path, content: str) -> Digest:
    """Keep a text durably and return its digest; a text kept before is not written again.

    Raises ArchiveError when the disk does not take it.
    """
    key = digest(content)
    path = _path(run_folder, key)
    encoded = content.encode("utf-8", "surrogatepass")  # as `digest` does: a model may reply with half a character
    if not path.is_file() or path.read_bytes() != encoded:
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise unwritten(error, path.parent) from error
        replace(path, encoded)
    return key


def kept(run_folder: Path, key: Digest) -> str:
    """Return a kept text. Raises LedgerError when it is gone, unreadable or not the text that was kept."""
    path = _path(run_folder, key)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LedgerError(
            f"the text {key} cannot be read: {error.strerror}.",
            where=str(path),
            remedy="Restore it from a copy of the run; the ledger itself is not harmed.",
        ) from error
    if digest(content) != key:
        raise LedgerError(
            f"the text {key} was altered.",
            where=str(path),
            remedy="Restore it from a copy of the run; the ledger itself is not harmed.",
        )
    return content.decode("utf-8", "surrogatepass")


def stored(run_folder: Path) -> list[Digest]:
    """Return the digests that the names of the kept files claim, in order."""
    folder = run_folder / FOLDER
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [Digest(f"sha256:{name}") for name in names if not name.endswith(".part")]


def _path(run_folder: Path, key: Digest) -> Path:
    return run_folder / FOLDER / key.removeprefix("sha256:")
