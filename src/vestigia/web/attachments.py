"""Files at the door: a table that is sent or taken in lies in a folder of its own for as long as it is read."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from fastapi import UploadFile
from starlette.responses import Response

from vestigia.domain.errors import UsageError, VestigiaError

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "md": "text/markdown; charset=utf-8",
    "ris": "application/x-research-info-systems",
    "bib": "application/x-bibtex",
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "zip": "application/zip",
}
"""By the ending of a name; any other is bytes."""
TAKEN = {".csv", ".tsv", ".xlsx", ".txt", ".md", ".markdown", ".text", ".docx", ".ris"}


def address(fields: Mapping[str, str]) -> str:
    """The fields of an address that say something."""
    return urlencode({name: said for name, said in fields.items() if said})


def sent(name: str, ending: str, write: Callable[[Path], object]) -> Response:
    """What `write` puts into a file, to be downloaded. Raises UsageError for another kind of table."""
    if ending not in {"csv", "xlsx"}:
        raise UsageError("there is no table of this kind.", where="as", remedy="There are: csv, xlsx.")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.{ending}"
        write(path)
        return attached(path.name, path.read_bytes())


def attached(name: str, content: bytes) -> Response:
    """Bytes to be kept as a file of this name, which is one of ours and not typed by anybody."""
    kind = KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@contextmanager
def kept(file: UploadFile) -> Iterator[Path]:
    """A file that somebody sent, under a name of ours; what is wrong with it is told without where it lay."""
    ending = Path(file.filename or "").suffix.casefold()
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"file{ending if ending in TAKEN else '.unknown'}"
        path.write_bytes(file.file.read())
        try:
            yield path
        except VestigiaError as error:
            for part in ("what", "where", "remedy"):
                setattr(error, part, getattr(error, part).replace(str(path), "the file").replace(folder, ""))
            raise


@contextmanager
def typed(text: str) -> Iterator[Path]:
    """A text that somebody pasted, as a file of Markdown."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "text.md"
        path.write_text(text, encoding="utf-8")
        yield path
