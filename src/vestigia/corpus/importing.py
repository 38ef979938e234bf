"""Files into the catalogue, and an honest report: every file is accounted for, none fails in silence.

Each file is one transaction: a process that is killed loses at most the file in hand, and running it again completes.
"""

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path

from vestigia.corpus.catalogue import Addition, Catalogue, Outcome
from vestigia.corpus.cleaning import cleaned
from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.alto import AltoReader
from vestigia.corpus.readers.hansard import HansardReader
from vestigia.corpus.readers.hocr import HocrReader
from vestigia.corpus.readers.iiif import AnnotationsReader, IiifReader
from vestigia.corpus.readers.mapping import Mappable
from vestigia.corpus.readers.mets import MetsReader
from vestigia.corpus.readers.page import PageReader
from vestigia.corpus.readers.pdf import PdfReader
from vestigia.corpus.readers.plain import PlainReader
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.spreadsheet import SpreadsheetReader
from vestigia.corpus.readers.tables import TablesReader
from vestigia.corpus.readers.tei import TeiReader
from vestigia.corpus.readers.xml import root_name
from vestigia.corpus.sources import FileSource, longer_ids
from vestigia.domain.archive import Document
from vestigia.domain.errors import SourceRefusedError, UsageError
from vestigia.domain.languages import guess_language
from vestigia.domain.ports import Claimed, Reader, Refused

BUILT_IN: tuple[Reader, ...] = (MetsReader(), AltoReader(), TeiReader(), PageReader(), HocrReader(), HansardReader(),
                                PdfReader(), IiifReader(), AnnotationsReader(), RecordsReader(), TablesReader(),
                                SpreadsheetReader(), PlainReader())
"""The readers that come with Vestigia, in the order they are asked whether a file is theirs."""

_HEAD = 64 * 1024
_NOT_DOCUMENTS = {
    "queries.jsonl": "questions of a test collection", "questions.jsonl": "questions of a test collection",
    "qrels*.tsv": "judgments of a test collection", "qrels*.txt": "judgments of a test collection",
    "source.md": "a description of the folder", "readme*": "a description of the folder", "licen[cs]e*": "a licence",
    "thumbs.db": "a file of the operating system",
}


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the user says of the files: name of the sub-corpus, language, which column is what (column -> field)."""

    sub_corpus: str = ""
    language: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file. Counts are of documents; `documents` is how many went in, `passages` theirs.

    `guessed` counts those whose language nobody stated and their function words gave away.

    `skipped` says why a file is no document, `failure` why nothing of it could be read; both are empty otherwise.
    """

    file: str
    reader: str = ""
    documents: int = 0
    passages: int = 0
    dated: int = 0
    undated: int = 0
    unchanged: int = 0
    guessed: int = 0
    warnings: tuple[Refused, ...] = ()
    refused: tuple[Refused, ...] = ()
    skipped: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of each file, in the order of their names."""

    files: tuple[FileReport, ...]

    def total(self, count: str) -> int:
        """Sum one of the counts of `FileReport` over all files, e.g. `documents`."""
        return sum(int(getattr(one, count)) for one in self.files)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: `done` of `files` files are finished, `records` records of the one in hand are read."""

    file: str
    done: int
    files: int
    records: int


def import_path(catalogue: Catalogue, path: Path, options: ImportOptions = ImportOptions(),
                progress: Callable[[Progress], None] | None = None,
                readers: tuple[Reader, ...] = BUILT_IN) -> ImportReport:
    """Import a file, or all files of a folder and its folders; hidden files are passed over.

    Running it again changes nothing. Raises UsageError when the path does not exist or the mapping names an unknown
    field, ArchiveError when the catalogue cannot be written: what was imported before stays.
    """
    if not path.exists():
        raise UsageError("there is no such file or folder.", where=str(path), remedy="Check the path.")
    told = tuple(reader.with_mapping(options.mapping) if options.mapping and isinstance(reader, Mappable) else reader
                 for reader in readers)
    sources = list(find_files(path))
    reports: dict[str, FileReport] = {}
    claims: dict[Path, str] = {}
    for done, source in enumerate([*_leading(sources, told), *sources]):
        if source.name in reports:
            continue

        def tell(records: int, done: int = done, name: str = source.name) -> None:
            if progress is not None:
                progress(Progress(name, min(done, len(sources)), len(sources), records))

        tell(0)
        claimed = claims.get(source.path.resolve()) if claims else None
        reports[source.name] = (FileReport(source.name, skipped=f"read as a part of {claimed}") if claimed
                                else _import_file(catalogue, source, options, tell, told, claims))
    return ImportReport(tuple(reports[source.name] for source in sources))


def _leading(sources: Sequence[FileSource], readers: tuple[Reader, ...]) -> Iterator[FileSource]:
    """Yield the files of readers that claim others, which must be read first."""
    leaders = [reader for reader in readers if getattr(reader, "leads", False)]
    for source in sources if leaders else ():
        if not source.path.is_file():
            continue  # a pipe would wait for ever
        try:
            with source.open() as stream:
                head = stream.read(_HEAD)
        except OSError:
            continue  # it is reported in its turn
        if any(reader.sniff(source.name, head) for reader in leaders):
            yield source


def find_files(path: Path) -> Iterator[FileSource]:
    """Yield the files under a path by name, hidden ones left out; a folder that links reach twice is read once."""
    if path.is_dir():
        for source in _walk(path, set()):
            yield replace(source, root=path)
    else:
        yield FileSource(path, path.as_posix())


def _walk(folder: Path, seen: set[Path]) -> Iterator[FileSource]:
    seen.add(folder.resolve())
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        yield FileSource(folder, folder.as_posix())  # cannot be opened either, so the report names it
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if not entry.is_dir():
            yield FileSource(entry, entry.as_posix())
        elif entry.resolve() not in seen:
            yield from _walk(entry, seen)


def _import_file(catalogue: Catalogue, source: FileSource, options: ImportOptions, tell: Callable[[int], None],
                 readers: tuple[Reader, ...], claims: dict[Path, str]) -> FileReport:
    report = FileReport(source.name)
    for pattern, kind in _NOT_DOCUMENTS.items():
        if fnmatch(source.path.name.casefold(), pattern):
            return replace(report, skipped=f"not a document: {kind}")
    try:
        reader = _choose(source, readers)
        tally = _Tally(catalogue, source, options)
        with catalogue.writing():
            for records, read in enumerate(reader.read(source), 1):
                if isinstance(read, Claimed):
                    claimed = source.sibling(posixpath.relpath(read.name, posixpath.dirname(source.name) or "."))
                    claims |= {claimed.path: source.name} if claimed else {}
                    continue
                tally.take(read)
                tell(records)
        return tally.report(reader.name)
    except SourceRefusedError as error:
        return replace(report, failure=str(error).removeprefix(source.name).lstrip(":, "))
    except OSError as error:
        return replace(report, failure=f"the file cannot be read ({error.strerror or error}). "
                       "Check its permissions, or take the original file again.")


def _choose(source: FileSource, readers: tuple[Reader, ...]) -> Reader:
    if not source.path.is_file():
        raise SourceRefusedError("this is no regular file, or a link to nothing.", where=source.name,
                                 remedy="Put the file itself here.")
    with source.open() as stream:
        head = stream.read(_HEAD)
    if not head:
        raise SourceRefusedError("the file is empty.", where=source.name, remedy="Replace it with a complete copy.")
    for reader in readers:
        if reader.sniff(source.name, head):
            return reader
    root = root_name(head)
    what = f"no reader takes XML that begins with <{root}>." if root else "no reader takes files of this kind."
    raise SourceRefusedError(what, where=source.name, remedy="Convert it to TEI, CSV, JSON Lines or plain text.")


class _Tally:
    """The file in hand: puts its documents into the catalogue and keeps account of them."""

    def __init__(self, catalogue: Catalogue, source: FileSource, options: ImportOptions) -> None:
        self._catalogue, self._source, self._options = catalogue, source, options
        self.counts = dict.fromkeys(("documents", "passages", "dated", "undated", "unchanged", "guessed"), 0)
        self.warnings: list[Refused] = []
        self.refused: list[Refused] = []

    def report(self, reader: str) -> FileReport:
        """Return the account of the file."""
        counts = self.counts
        nothing = not (counts["documents"] or counts["unchanged"] or self.refused)
        return FileReport(self._source.name, reader, counts["documents"], counts["passages"], counts["dated"],
                          counts["undated"], counts["unchanged"], counts["guessed"], tuple(self.warnings),
                          tuple(self.refused), failure="no document was found in the file." if nothing else "")

    def take(self, read: Document | Refused) -> None:
        """Account for one thing a reader yielded."""
        if isinstance(read, Refused):
            (self.warnings if read.kept else self.refused).append(read)
            return
        document, repairs = cleaned(self._described(read))
        place = document.provenance.record
        self.warnings.extend(Refused(place, repair, kept=True) for repair in repairs)
        if not document.text.strip():
            self.refused.append(Refused(place, "the text is empty."))
            return
        self._count(document, self._add(document))

    def _described(self, document: Document) -> Document:
        """Apply the user's word, and name what has no sub-corpus after the folder it lies in."""
        options, folder = self._options, self._source.path.resolve().parent.name
        stated = language_code(options.language) or document.language
        language = stated or guess_language(document.text)
        self.counts["guessed"] += language != stated
        return replace(document, sub_corpus=options.sub_corpus or document.sub_corpus or folder or "archive",
                       language=language)

    def _add(self, document: Document) -> Addition:
        """Add it; a document named by its file takes a longer part of the path where another file has its name."""
        addition = self._catalogue.add(document)
        for longer in longer_ids(document.id, self._source.name):
            if addition.outcome is not Outcome.CONFLICT or addition.stored.file == self._source.name:
                break
            addition = self._catalogue.add(replace(document, id=longer))
        return addition

    def _count(self, document: Document, addition: Addition) -> None:
        place, stored = document.provenance.record, addition.stored
        where = f"{stored.file}, {stored.record}" if stored.record else stored.file
        if addition.outcome is Outcome.CONFLICT:
            self.refused.append(Refused(place, f"the id {document.id!r} is in already with another text, from {where}; "
                                        "that one was kept. Give this one another id."))
            return
        if addition.outcome is Outcome.ADDED:
            self.counts["documents"] += 1
            self.counts["passages"] += addition.passages
            self.counts["dated" if document.dates else "undated"] += 1
            return
        self.counts["unchanged"] += 1
        if addition.outcome is Outcome.REDESCRIBED:
            self.warnings.append(Refused(place, f"the document {document.id!r} is in already with the same text, "
                                         f"described otherwise, from {where}; that description was kept", kept=True))
