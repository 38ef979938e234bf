"""Files into the catalogue, and an honest report: every file is accounted for, none fails in silence.

Each file is one transaction: a process that is killed loses at most the file in hand, and running it again completes.
"""

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from vestigia.corpus.admission import Admission, is_same_file
from vestigia.corpus.archives import Shelf, Unread
from vestigia.corpus.catalogue import Addition, Catalogue, Outcome
from vestigia.corpus.cleaning import cleaned
from vestigia.corpus.dates import ORDER_UNKNOWN
from vestigia.corpus.folders import Found, find_files, leading, name_of
from vestigia.corpus.languages import language_code
from vestigia.corpus.readers.alto import AltoReader
from vestigia.corpus.readers.hansard import HansardReader
from vestigia.corpus.readers.hocr import HocrReader
from vestigia.corpus.readers.iiif import AnnotationsReader, IiifReader
from vestigia.corpus.readers.mapping import Columns, Mappable
from vestigia.corpus.readers.mets import MetsReader
from vestigia.corpus.readers.naming import Nameable, name_pattern
from vestigia.corpus.readers.page import PageReader
from vestigia.corpus.readers.pages import broken_words
from vestigia.corpus.readers.parquet import ParquetReader
from vestigia.corpus.readers.pdf import PdfReader
from vestigia.corpus.readers.plain import PlainReader
from vestigia.corpus.readers.records import RecordsReader
from vestigia.corpus.readers.spreadsheet import SpreadsheetReader
from vestigia.corpus.readers.tables import TablesReader
from vestigia.corpus.readers.tei import TeiReader
from vestigia.corpus.recognition import NoDocumentError, choose
from vestigia.corpus.sources import Said
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.languages import guess_language
from vestigia.domain.ports import Claimed, Reader, Refused

BUILT_IN: tuple[Reader, ...] = (
    MetsReader(),
    AltoReader(),
    TeiReader(),
    PageReader(),
    HocrReader(),
    HansardReader(),
    PdfReader(),
    IiifReader(),
    AnnotationsReader(),
    RecordsReader(),
    TablesReader(),
    SpreadsheetReader(),
    ParquetReader(),
    PlainReader(),
)
"""The readers that come with Vestigia, in the order they are asked whether a file is theirs."""

_COUNTS = ("documents", "passages", "dated", "undated", "unchanged", "guessed", "updated", "twins", "joined",
           "pages_without_text")  # fmt: skip
_COUNTED = {Outcome.ADDED: "documents", Outcome.UPDATED: "updated", Outcome.TWIN: "twins"}
_NOTHING = "there is no file in it; hidden ones are passed over."


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What the user says of the files: name of the sub-corpus, language, which column is what (column -> field).

    `encoding` is that of the files that are not Unicode.
    With `update` a changed record of the same file replaces the document stored under its id. `name_patterns` say what
    file names mean (see `readers.naming`). With `preview` nothing goes in: it is told of each document that would.
    """

    sub_corpus: str = ""
    language: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)
    update: bool = False
    name_patterns: tuple[str, ...] = ()
    encoding: str = ""
    preview: Callable[[Document], None] | None = None


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file. Counts are of documents; `documents` is how many went in, `passages` theirs.

    `guessed` counts those whose language nobody stated and their function words gave away, `updated` those that took
    the place of an older version, `twins` records that say what a document of another file says and did not go in;
    `joined` counts words that the file breaks at the ends of lines and that are whole in the text,
    `pages_without_text` the pages of which nothing could be searched.

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
    updated: int = 0
    twins: int = 0
    joined: int = 0
    pages_without_text: int = 0
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


def import_path(
    catalogue: Catalogue,
    path: Path,
    options: ImportOptions = ImportOptions(),
    progress: Callable[[Progress], None] | None = None,
    readers: tuple[Reader, ...] = BUILT_IN,
) -> ImportReport:
    """Import a file, or all files of a folder and its folders; hidden files are passed over.

    Running it again changes nothing. Raises UsageError when the path does not exist, the mapping names an unknown field
    or a name pattern makes no sense, ArchiveError when the catalogue cannot be written: what went in before stays.
    """
    told = instructed(readers, options)
    with Shelf() as shelf:
        sources = list(find_files(path, shelf, said_by(options)))
        if not sources:
            return ImportReport((FileReport(name_of(path)[0], failure=_NOTHING),))
        reports: dict[str, FileReport] = {}
        claims: dict[str, str] = {}
        admission = Admission(catalogue, update=options.update)
        for done, source in enumerate([*leading(sources, told), *sources]):
            if source.name in reports:
                continue

            def tell(records: int, done: int = done, name: str = source.name) -> None:
                if progress is not None:
                    progress(Progress(name, min(done, len(sources)), len(sources), records))

            tell(0)
            if isinstance(source, Unread):
                reports[source.name] = FileReport(source.name, failure=source.reason)
            elif claims and source.key in claims:
                reports[source.name] = FileReport(source.name, skipped=f"read as a part of {claims[source.key]}")
            else:
                reports[source.name] = _import_file(_Tally(admission, source, options), tell, told, claims)
            if options.preview is None:
                _keep(catalogue, reports[source.name])
    return ImportReport(tuple(reports[source.name] for source in sources))


def said_by(options: ImportOptions) -> Said:
    """Return what the options say of every file."""
    return Said(options.encoding, language_code(options.language))


def instructed(readers: tuple[Reader, ...], options: ImportOptions) -> tuple[Reader, ...]:
    """Return the readers as the user instructs them. Raises UsageError for an unknown field or a senseless pattern."""
    patterns = [name_pattern(one) for one in options.name_patterns]
    if options.mapping:
        Columns(options.mapping)
        readers = tuple(one.with_mapping(options.mapping) if isinstance(one, Mappable) else one for one in readers)
    if patterns:
        readers = tuple(one.with_name_patterns(patterns) if isinstance(one, Nameable) else one for one in readers)
    return readers


def report_of(report: str, warnings: str) -> FileReport:
    """Read the account of a file as the catalogue keeps it (see `Catalogue.reports`)."""
    told = json.loads(report) | {"warnings": json.loads(warnings)}
    return FileReport(**told | {kind: tuple(Refused(**one) for one in told[kind]) for kind in ("warnings", "refused")})


def _keep(catalogue: Catalogue, report: FileReport) -> None:
    told = asdict(report)
    warnings = told.pop("warnings")
    catalogue.keep_report(report.file, *(json.dumps(one, ensure_ascii=False) for one in (told, warnings)))


def _import_file(
    tally: "_Tally", tell: Callable[[int], None], readers: tuple[Reader, ...], claims: dict[str, str]
) -> FileReport:
    source = tally.source
    report = FileReport(source.name)
    try:
        reader = choose(source, readers)
        with tally.open():
            for records, read in enumerate(reader.read(source), 1):
                if isinstance(read, Claimed):
                    claimed = source.sibling(posixpath.relpath(read.name, posixpath.dirname(source.name) or "."))
                    claims |= {claimed.key: source.name} if claimed else {}
                    continue
                tally.take(read)
                tell(records)
        return tally.report(reader.name)
    except NoDocumentError as error:
        return replace(report, skipped=f"not a document: {error.what}")
    except SourceRefusedError as error:
        told = str(error).removeprefix(source.name).lstrip(":, ")
        return replace(report, failure=told, pages_without_text=error.pages_without_text)
    except OSError as error:
        return replace(
            report,
            failure=f"the file cannot be read ({error.strerror or error}). "
            "Check its permissions, or take the original file again.",
        )


def _either_way(written: Sequence[str]) -> Refused:
    """Say of dates that may have day and month in either order how they went in."""
    many = f"{len(written)} dates such as" if len(written) > 1 else "the date"
    told = f"{many} {written[0]!r} may be read in two ways; each goes in as the span of both"
    return Refused("", f"{told}. --language says which stands first, unless it is English", kept=True)


class _Undone(Exception):  # noqa: N818 - no error: it takes a preview back
    """Takes back what a preview put in."""


class _Tally:
    """The file in hand: puts its documents into the catalogue and keeps account of them."""

    def __init__(self, admission: Admission, source: Found, options: ImportOptions) -> None:
        self._admission, self.source, self._options = admission, source, options
        self.counts: dict[str, Any] = dict.fromkeys(_COUNTS, 0)
        self.warnings = [Refused("file name", source.note, kept=True)] if source.note else []
        self.refused: list[Refused] = []
        self._either_way: list[str] = []

    @contextmanager
    def open(self) -> Iterator[None]:
        """Write what is taken inside, or nothing of it when it is left by an error."""
        with suppress(_Undone), self._admission.catalogue.writing():
            self._admission.begin(self.source)
            yield
            if self._options.preview is not None:
                raise _Undone

    def report(self, reader: str) -> FileReport:
        """Return the account of the file."""
        known = sum(self.counts[count] for count in ("documents", "unchanged", "updated", "twins"))
        failure = "" if known or self.refused else "no document was found in the file."
        if self._either_way:
            self.warnings.append(_either_way(self._either_way))
        return FileReport(
            self.source.name,
            reader,
            warnings=tuple(self.warnings),
            refused=tuple(self.refused),
            failure=failure,
            **self.counts,
        )

    def take(self, read: Document | Refused) -> None:
        """Account for one thing a reader yielded."""
        if isinstance(read, Refused):
            (self.warnings if read.kept else self.refused).append(read)
            self.counts["pages_without_text"] += read.pages_without_text
            return
        document, repairs = cleaned(self._described(read))
        place = document.provenance.record
        self.warnings.extend(Refused(place, repair, kept=True) for repair in repairs)
        if not document.text.strip():
            self.refused.append(Refused(place, "the text is empty."))
            return
        self._either_way += [one.text for one in document.dates if ORDER_UNKNOWN in one.rule]
        self.counts["joined"] += broken_words(document.text, document.anchors)
        addition = self._admission.admit(document, self.source)
        self._count(document, addition)
        if self._options.preview is not None and addition.outcome is not Outcome.CONFLICT:
            self._options.preview(document)

    def _described(self, document: Document) -> Document:
        """Apply the user's word, and name what has no sub-corpus after the folder it lies in."""
        options, folder = self._options, self.source.folder
        stated = language_code(options.language) or document.language
        language = stated or guess_language(document.text)
        self.counts["guessed"] += language != stated
        return replace(
            document, sub_corpus=options.sub_corpus or document.sub_corpus or folder or "archive", language=language
        )

    def _count(self, document: Document, addition: Addition) -> None:
        place, stored = document.provenance.record, addition.stored
        where = f"{stored.file}, {stored.record}" if stored.record else stored.file
        self.counts["passages"] += addition.passages
        if addition.outcome is Outcome.CONFLICT:
            self.refused.append(
                Refused(
                    place,
                    f"the id {document.id!r} is in already with another text, from {where}; "
                    f"that one was kept. {self._way_out(stored)}",
                )
            )
            return
        self.counts[_COUNTED.get(addition.outcome, "unchanged")] += 1
        if addition.outcome is Outcome.ADDED:
            self.counts["dated" if document.dates else "undated"] += 1
        if addition.outcome is Outcome.REDESCRIBED:
            self.warnings.append(
                Refused(
                    place,
                    f"the document {document.id!r} is in already with the same text, "
                    f"described otherwise, from {where}; that description was kept "
                    "(--update takes the new one)",
                    kept=True,
                )
            )

    def _way_out(self, stored: Provenance) -> str:
        if is_same_file(stored.file, self.source.name) and not self._options.update:
            return "Give this one another id; if it is a new version of that record, add it with --update."
        return "Give this one another id."
