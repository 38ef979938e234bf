"""The archive's texts in one SQLite file: documents, passages, and what was imported when.

A passage is kept as a span of its document, so its text cannot drift from it. The fingerprint is a sum of digests: it
does not depend on the order of import, and adding a document costs one addition.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import Lock

from vestigia.corpus import rows
from vestigia.corpus.passages import MAX_TOKENS, cut
from vestigia.corpus.rows import Description
from vestigia.corpus.store import Store
from vestigia.domain.archive import Access, Anchor, Document, DocumentCard, Passage, Provenance, SubCorpus
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import Digest, DocumentId, PassageId, digest, passage_id

_STATES = 16
_KNOWN: dict[tuple[Path, Digest], tuple[SubCorpus, ...]] = {}
"""The sub-corpora of the states of catalogues counted last: to count them takes a look at every document."""
_GUARD = Lock()


class Outcome(StrEnum):
    """What became of a document that was handed to the catalogue."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    REDESCRIBED = "redescribed"
    """The same text is in already under this id, described otherwise; what is stored was kept."""
    CONFLICT = "conflict"
    """Another text is in already under this id; what is stored was kept."""
    TWIN = "twin"
    """The record of another file says what the document of this id says; what is stored was kept."""
    UPDATED = "updated"
    """What is stored under this id was replaced, text or description."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What became of a document: `passages` is how many went in, `stored` where the one came from that is kept."""

    outcome: Outcome
    passages: int
    stored: Provenance


class Catalogue:
    """The catalogue at `path`; made when absent.

    `max_tokens` is the passage rule, fixed when the catalogue is made (default 1000 tokens). `today` is a day number,
    by which it is known what is closed no longer. Raises ArchiveError when the file cannot be used, belongs to
    another version, or was made with another rule.
    """

    def __init__(self, path: Path, max_tokens: int | None = None, today: int | None = None) -> None:
        self.path = path
        self.today = today
        self._is_writing = False
        if max_tokens is not None and max_tokens < 1:
            raise UsageError(f"a passage needs at least one token, not {max_tokens}.", remedy="The default is 1000.")
        self.store = Store(path)
        try:
            self.store.prepare(rows.VERSION, rows.schema(MAX_TOKENS if max_tokens is None else max_tokens))
            self._require_rule(max_tokens)
        except ArchiveError:
            self.close()
            raise

    def _require_rule(self, max_tokens: int | None) -> None:
        if max_tokens not in {None, self.max_tokens}:
            raise ArchiveError(
                f"the archive was cut into passages of at most {self.max_tokens} tokens, not {max_tokens}.",
                where=str(self.path),
                remedy="Make a new archive for the other rule.",
            )

    def close(self) -> None:
        """Close the file."""
        self.store.close()

    @property
    def max_tokens(self) -> int:
        """The passage rule: at most this many tokens a passage."""
        return self.store.decoded(int, self.store.fact("max_tokens"))

    @property
    def batch(self) -> int:
        """The number of the last batch that changed anything; an index that has seen a lower one is stale."""
        return self.store.decoded(int, self.store.fact("batch"))

    @property
    def passage_count(self) -> int:
        """The number of all passages."""
        return int(self.store.read("SELECT count(*) FROM passages")[0][0])

    @property
    def fingerprint(self) -> Digest:
        """Digest over the passage rule, every document and every description, whatever the order of import."""
        return _fingerprint(self.max_tokens, self.store.fact("sum"))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write what is changed inside as one batch, or nothing of it when it is left by an error or the process dies.

        Raises ArchiveError when the disk is full or another process is writing.
        """
        with self.store.transaction():
            self._sum, self._number = int(self.store.fact("sum"), 16), self.batch + 1
            before = self._sum
            self._is_writing = True
            try:
                yield
            finally:
                self._is_writing = False
            if self._sum != before:
                self.store.set_fact("sum", f"{self._sum:x}")
                self.store.set_fact("batch", str(self._number))
                self.store.write("INSERT INTO fingerprints VALUES (?, ?)", [(self._number, self.fingerprint)])

    def reading(self) -> AbstractContextManager[None]:
        """Read what is read inside as it stood at one moment, whatever other processes write meanwhile."""
        return self.store.snapshot()

    def had(self, batch: int, fingerprint: Digest) -> bool:
        """Whether this catalogue had that fingerprint after that batch; a copy restored since may number them anew."""
        if batch == 0:
            return fingerprint == _fingerprint(self.max_tokens, "0")
        return (
            self.store.read("SELECT 1 FROM fingerprints WHERE batch = ? AND fingerprint = ?", [batch, fingerprint])
            != []
        )

    def add(self, document: Document) -> Addition:
        """Add a document and its passages, inside `writing`; one that is in already is left as it is."""
        document = self._under_its_name(document)
        content = rows.content_digest(document)
        known = self.store.read(rows.KNOWN, [document.id])
        if not known:
            return self._put(document, content, Outcome.ADDED)
        outcome = (
            Outcome.UNCHANGED
            if known[0][0] == content
            else (Outcome.REDESCRIBED if known[0][1] == digest(document.text) else Outcome.CONFLICT)
        )
        return Addition(outcome, 0, Provenance(*known[0][3:]))

    def replace(self, document: Document) -> Addition:
        """Put a document in the place of the one stored under its id, inside `writing`; the same one changes nothing.

        Another text is another version: its passages are cut anew, and `changed_texts` knows of it.
        """
        document = self._under_its_name(document)
        content = rows.content_digest(document)
        known = self.store.read(rows.KNOWN, [document.id])
        if not known or known[0][0] == content:
            return self.add(document)
        old, text, passages = known[0][:3]
        self._weigh(document.id, old, -1)
        if text != digest(document.text):
            self._forget(document.id, text)
            return self._put(document, content, Outcome.UPDATED)
        self._weigh(document.id, content)
        self.store.write(rows.INSERT_DOCUMENT, [rows.document_row(document, content, passages, self._number)])
        return Addition(Outcome.UPDATED, 0, document.provenance)

    def delete(self, ids: Sequence[DocumentId]) -> int:
        """Delete documents with all that was made of their texts, inside `writing`; returns how many there were.

        Their traces in the file go with `sweep`, which is due from now on; so are those in an index.
        """
        count = 0
        for one in ids:
            for content, text, _, file, *_ in self.store.read(rows.KNOWN, [one]):
                self._weigh(one, content, -1)
                self._forget(one, text)
                self.store.write("DELETE FROM documents WHERE id = ?", [(one,)])
                self.store.write("DELETE FROM twins WHERE document = ?", [(one,)])
                # What was said of the records of the file may quote them.
                self.store.write("UPDATE files SET warnings = '[]' WHERE file = ?", [(file,)])
                count += 1
        if count:
            self.require_sweep()
        return count

    def require_sweep(self) -> None:
        """Say that files of the archive may hold what it no longer has."""
        self.store.set_fact("unswept", "due")

    def rename(self, old: str, new: str) -> int:
        """Rename a sub-corpus, inside `writing`, for its documents and all that come in later; returns how many it has.

        Raises UsageError where there is no such sub-corpus, or one of the new name already.
        """
        self._require(old)
        if not new.strip() or new in self._names():
            raise UsageError(
                f"there is a sub-corpus {new!r} already." if new.strip() else "the new name is empty.",
                remedy="Choose another name.",
            )
        said = self.description(old)
        self.describe(old, Description())
        documents = self.find(sub_corpora=[old])
        self.store.write("DELETE FROM renamed WHERE old = ?", [(new,)])
        self.store.write("UPDATE renamed SET new = ? WHERE new = ?", [(new, old)])
        self.store.write("INSERT OR REPLACE INTO renamed VALUES (?, ?)", [(old, new)])
        for one in documents:
            stored = self.document(one)
            if stored is not None:
                self.replace(stored)
        self.describe(new, said)
        return len(documents)

    def describe(self, name: str, said: Description) -> None:
        """Keep what a person says of a sub-corpus, inside `writing`. Raises UsageError where there is none."""
        self._require(name)
        before = self.description(name)
        if before == said:
            return
        for one, sign in ((before, -1), (said, 1)):
            if one != Description():
                self._weigh(DocumentId(f"sub-corpus\n{name}"), one.content, sign)
        self.store.write("DELETE FROM descriptions WHERE name = ?", [(name,)])
        if said != Description():
            self.store.write(
                "INSERT INTO descriptions VALUES (?, ?, ?, ?, ?, ?, ?)", [rows.description_row(name, said)]
            )

    def description(self, name: str) -> Description:
        """Return what was said of a sub-corpus; an empty description for nothing."""
        return self._said().get(name, Description())

    def sub_corpora(self) -> tuple[SubCorpus, ...]:
        """All sub-corpora by name, with the counts of what was imported; a state is counted once in a process."""
        if self._is_writing:  # the fingerprint is still that of before
            return self._counted()
        state = (self.path, self.fingerprint)
        with _GUARD:
            known = _KNOWN.get(state)
        if known is None:
            known = self._counted()
            if self.fingerprint == state[1]:  # else another process wrote meanwhile
                with _GUARD:
                    _KNOWN[state] = known
                    while len(_KNOWN) > _STATES:
                        del _KNOWN[next(iter(_KNOWN))]
        return known

    def _counted(self) -> tuple[SubCorpus, ...]:
        languages: dict[str, tuple[str, ...]] = {}
        for name, language in self.store.read(rows.LANGUAGES):
            languages[name] = (*languages.get(name, ()), language)
        said = self._said()
        return tuple(
            rows.sub_corpus(row, languages.get(row[0], ()), said.get(row[0], Description()))
            for row in self.store.read(rows.SUB_CORPORA)
        )

    def documents(self, ids: Sequence[DocumentId]) -> tuple[DocumentCard, ...]:
        """The cards of the documents that exist, in the order asked."""
        said = self._said()
        cards = (self.store.decoded(rows.card, row) for row in self.store.read(rows.CARDS, rows.listed(ids)))
        found = {card.id: self._opened(card, said) for card in cards}
        return tuple(found[wanted] for wanted in ids if wanted in found)

    def spans(self, sub_corpus: str) -> tuple[tuple[int, int, int], ...]:
        """First day, last day and number of the dated documents of a sub-corpus, in order of time."""
        return tuple((row[0], row[1], row[2]) for row in self.store.read(rows.SPANS_OF, [sub_corpus]))

    def legibility(self, sub_corpus: str) -> tuple[int, float | None]:
        """Pages with text in a sub-corpus, and the mean confidence (0 to 1) of documents that state it, by length."""
        pages, confidence = self.store.read(rows.LEGIBILITY, [sub_corpus])[0]
        return pages or 0, confidence

    def accesses(self, sub_corpus: str) -> tuple[tuple[Access, int], ...]:
        """What may be done with the documents of a sub-corpus, and with how many."""
        said, found = self.description(sub_corpus), dict.fromkeys(Access, 0)
        for rights, details, number in self.store.read(rows.RIGHTS, [sub_corpus]):
            found[rows.access(rights, self.store.decoded(rows.details, details), said, self.today)] += number
        return tuple((one, number) for one, number in found.items() if number)

    def document(self, wanted: DocumentId) -> Document | None:
        """One document with its text, or none."""
        found = self.store.read(rows.DOCUMENTS, rows.listed([wanted]))
        return self.store.decoded(rows.document, found[0]) if found else None

    def passages(self, ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        """The passages that exist, in the order asked."""
        found = {PassageId(row[0]): Passage(*row) for row in self.store.read(rows.PASSAGES, rows.listed(ids))}
        return tuple(found[wanted] for wanted in ids if wanted in found)

    def anchors_of(self, passage: PassageId) -> tuple[Anchor, ...]:
        """Where a passage stands on pages, as `anchors` has it."""
        return self.anchors([passage])[passage]

    def anchors(self, passages: Sequence[PassageId]) -> dict[PassageId, tuple[Anchor, ...]]:
        """Where passages stand on pages, each in its order; none for a text without pages and for no such passage.

        An anchor may reach beyond the passage on both sides; offsets are those of the document's text.
        """
        found: dict[PassageId, tuple[Anchor, ...]] = dict.fromkeys(passages, ())
        of_documents: dict[str, tuple[Anchor, ...]] = {}
        for name, document, start, end, blob in self.store.read(rows.PASSAGE_ANCHORS, rows.listed(passages)):
            if document not in of_documents:
                of_documents[document] = self.store.decoded(rows.anchors, blob)
            found[name] = tuple(one for one in of_documents[document] if one.start < end and start < one.end)
        return found

    def spans_of(self, document: DocumentId) -> tuple[tuple[int, int], ...]:
        """Start and end of the passages of a document, in its order."""
        return tuple((start, end) for start, end in self.store.read(rows.SPANS, rows.listed([document])))

    def beside(self, card: DocumentCard, limit: int = 2) -> tuple[tuple[DocumentCard, ...], tuple[DocumentCard, ...]]:
        """The documents just before and just after one in its sub-corpus, by date and id; undated ones by id."""
        place = [card.period.first, card.id] if card.period else [card.id]
        found = []
        for after in (False, True):
            statement = rows.BESIDE[card.period is not None, after]
            ids = [DocumentId(row[0]) for row in self.store.read(statement, [card.sub_corpus, *place, limit])]
            found.append(self.documents(ids if after else ids[::-1]))
        return found[0], found[1]

    def pairs(self, documents: Sequence[DocumentId] | None = None) -> Iterator[tuple[Passage, DocumentCard]]:
        """All passages, or those of some documents, each with its document's card.

        In the order of sub-corpus, first day (undated last), document id, start: a filter of an index laid out so
        is a slice. Texts are read one document at a time.
        """
        said = self._said()
        for (wanted,) in self.store.read(rows.ORDER if documents is None else rows.ORDER_OF, rows.listed(documents)):
            whole = self.document(wanted)
            if whole is not None:
                card = self._opened(rows.card_of(whole), said)
                for start, end in self.store.read(rows.SPANS, rows.listed([wanted])):
                    name = passage_id(whole.id, start, end)
                    yield Passage(name, whole.id, start, end, whole.text[start:end]), card

    def changed_since(self, batch: int) -> tuple[DocumentId, ...]:
        """The documents that came in or were replaced after a batch, by id; those deleted are no longer in `ids`."""
        return tuple(DocumentId(row[0]) for row in self.store.read(rows.CHANGED, [batch]))

    def ids(self) -> tuple[DocumentId, ...]:
        """All documents, by id."""
        return self.changed_since(-1)

    def find(self, files: Sequence[str] = (), sub_corpora: Sequence[str] = ()) -> tuple[DocumentId, ...]:
        """The documents of files (as given to `add`), of folders of files, and of sub-corpora, by id."""
        found = {
            row[0]
            for statement, names in ((rows.OF_FILES, files), (rows.OF_SUB_CORPORA, sub_corpora))
            for row in self.store.read(statement, rows.listed(names))
        }
        return tuple(DocumentId(one) for one in sorted(found))

    def changed_texts(self, fingerprint: Digest, documents: Sequence[DocumentId]) -> tuple[DocumentId, ...]:
        """Those of the documents whose text is no longer the one of the catalogue with that fingerprint, by id.

        A fingerprint this catalogue never had tells nothing: none is returned.
        """
        then = self.store.read("SELECT max(batch) FROM fingerprints WHERE fingerprint = ?", [fingerprint])[0][0]
        if then is None:
            return ()
        first: dict[str, bool] = {}
        for name, before, now in self.store.read(rows.FIRST_CHANGES, [then, *rows.listed(documents)]):
            first.setdefault(name, before != now)
        return tuple(DocumentId(name) for name, changed in first.items() if changed)

    def keep_report(self, file: str, report: str, warnings: str) -> None:
        """Keep the account of a file's last import, as JSON; `warnings` apart, as they may quote its texts."""
        self.store.write("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", [(file, report, warnings)])

    def reports(self) -> tuple[tuple[str, str, str], ...]:
        """The account of each file's last import, by name: (file, report, warnings)."""
        return tuple((row[0], row[1], row[2]) for row in self.store.read("SELECT * FROM files ORDER BY file"))

    @property
    def unswept(self) -> bool:
        """Whether something was deleted whose traces may still be in files of the archive."""
        return self.store.fact("unswept") != ""

    def sweep(self) -> None:
        """Write the file anew, without a trace of what was deleted; call it when the index is rid of it.

        Raises ArchiveError while another process reads the catalogue: the sweep stays due.
        """
        if not self.store.rewrite():
            raise ArchiveError(
                "another process is reading the catalogue, so its file still holds what was deleted.",
                where=str(self.path),
                remedy="Close the other process and run `vestigia delete` again without naming a document.",
            )
        with self.store.transaction():
            self.store.set_fact("unswept", "")

    def _put(self, document: Document, content: Digest, outcome: Outcome) -> Addition:
        passages = cut(document.id, document.text, self.max_tokens)
        self.store.write(rows.INSERT_DOCUMENT, [rows.document_row(document, content, len(passages), self._number)])
        self.store.write(
            "INSERT INTO passages VALUES (?, ?, ?, ?)",
            [(passage.id, document.id, passage.start, passage.end) for passage in passages],
        )
        self._weigh(document.id, content)
        return Addition(outcome, len(passages), document.provenance)

    def _forget(self, document: DocumentId, text: Digest) -> None:
        for statement in rows.FORGET:
            self.store.write(statement, [(document,)])
        self.store.write("INSERT INTO versions VALUES (?, ?, ?)", [(document, self._number, text)])

    def _weigh(self, name: DocumentId, content: Digest, sign: int = 1) -> None:
        self._sum = (self._sum + sign * rows.weight(name, content)) % (1 << 256)

    def _under_its_name(self, document: Document) -> Document:
        """Return the document under the name its sub-corpus was given since."""
        found = self.store.read("SELECT new FROM renamed WHERE old = ?", [document.sub_corpus])
        return replace(document, sub_corpus=found[0][0]) if found else document

    def _said(self) -> dict[str, Description]:
        found = self.store.read("SELECT * FROM descriptions")
        return {row[0]: self.store.decoded(rows.description, row) for row in found}

    def _opened(self, card: DocumentCard, said: dict[str, Description]) -> DocumentCard:
        """Say what may be done with the document."""
        described = said.get(card.sub_corpus, Description())
        return replace(card, access=rows.access(card.provenance.rights, card.details, described, self.today))

    def _names(self) -> list[str]:
        return [row[0] for row in self.store.read("SELECT DISTINCT sub_corpus FROM documents ORDER BY sub_corpus")]

    def _require(self, name: str) -> None:
        if name not in self._names():
            raise UsageError(f"there is no sub-corpus {name!r}.", remedy=f"There are: {'; '.join(self._names())}.")


def _fingerprint(max_tokens: int, total: str) -> Digest:
    return digest(f"{max_tokens} {total}")
