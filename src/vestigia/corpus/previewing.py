"""What an import would do, shown before it is done: how each file is understood, and its first documents.

It is the import itself, taken back file by file: what it says of encodings, columns, dates, twins and refusals is true.
Only that two files of the same preview use one id is not seen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vestigia.corpus.archives import Shelf, Unread
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.folders import find_files
from vestigia.corpus.importing import BUILT_IN, FileReport, ImportOptions, Progress, import_path, instructed, said_by
from vestigia.corpus.readers.layout import Explains, Layout
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Reader

SHOWN = 3
"""How many documents of a file are shown."""


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What would become of one file: its report, how it is understood (empty where that is the format's), documents."""

    report: FileReport
    layouts: tuple[Layout, ...] = ()
    first: tuple[Document, ...] = ()


def preview_path(
    catalogue: Catalogue,
    path: Path,
    options: ImportOptions,
    progress: Callable[[Progress], None] | None = None,
    readers: tuple[Reader, ...] = BUILT_IN,
) -> tuple[FilePreview, ...]:
    """Return what `import_path` would report, in the order of the files; the catalogue stays as it was.

    Raises what `import_path` raises.
    """
    first: dict[str, list[Document]] = {}

    def keep(document: Document) -> None:
        shown = first.setdefault(document.provenance.file, [])
        if len(shown) < SHOWN:
            shown.append(replace(document, text=document.text[:1000], anchors=()))

    report = import_path(catalogue, path, replace(options, preview=keep), progress, readers)
    read_by = {one.file: one.reader for one in report.files}
    layouts = dict(_layouts(path, read_by, options, instructed(readers, options)))
    return tuple(FilePreview(one, layouts.get(one.file, ()), tuple(first.get(one.file, ()))) for one in report.files)


def _layouts(
    path: Path, read_by: dict[str, str], options: ImportOptions, readers: tuple[Reader, ...]
) -> Iterator[tuple[str, tuple[Layout, ...]]]:
    explaining = {reader.name: reader for reader in readers if isinstance(reader, Explains)}
    with Shelf() as shelf:
        for source in find_files(path, shelf, said_by(options)):
            reader = explaining.get(read_by.get(source.name, ""))
            if reader is None or isinstance(source, Unread):
                continue
            try:
                yield source.name, reader.layouts(source)
            except (SourceRefusedError, OSError):
                continue  # its report says so
