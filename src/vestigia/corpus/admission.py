"""Whether a document goes in: new, known, a twin of a known one, a new version of it, or another under a taken id."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from vestigia.corpus.catalogue import Addition, Catalogue, Outcome
from vestigia.corpus.duplicates import Twin, keep_twin, likeness
from vestigia.corpus.likeness import ALIKE
from vestigia.corpus.sources import longer_ids
from vestigia.domain.archive import Document
from vestigia.domain.ids import DocumentId
from vestigia.domain.ports import Source


class Admission:
    """Admits the documents of one import. With `update` a changed record takes the place of the one stored.

    Only a record of the same file replaces a document, and only once in an import: two records of one id stay a
    conflict, and the record of another file a twin of what is stored or a conflict.
    """

    def __init__(self, catalogue: Catalogue, *, update: bool = False) -> None:
        self.catalogue = catalogue
        self._update = update
        self._seen: set[DocumentId] = set()

    def begin(self, source: Source) -> None:
        """Forget which records of the file were twins, inside `writing`: it is read again."""
        self.catalogue.store.write("DELETE FROM twins WHERE file = ?", [(source.name,)])

    def admit(self, document: Document, source: Source) -> Addition:
        """Add a document, inside `writing`, and say what became of it.

        A document named by its file takes a longer part of the path where another file has its name.
        """
        addition = self.catalogue.add(document)
        for longer in longer_ids(document.id, source.name):
            if addition.outcome is not Outcome.CONFLICT or addition.stored.file == source.name:
                break
            document = replace(document, id=longer)
            addition = self.catalogue.add(document)
        if addition.outcome is not Outcome.ADDED:
            addition = self._compared(document, source, addition)
        if self._update:
            self._seen.add(document.id)
        return addition

    def _compared(self, document: Document, source: Source, addition: Addition) -> Addition:
        stored = addition.stored
        if is_same_file(stored.file, source.name):
            changed = addition.outcome in {Outcome.CONFLICT, Outcome.REDESCRIBED}
            replaced = self._update and changed and document.id not in self._seen
            return self.catalogue.replace(document) if replaced else addition
        if stored.digest == document.provenance.digest:
            return addition  # a copy of the file, or the file moved: there is nothing to tell
        alike = 1.0 if addition.outcome is not Outcome.CONFLICT else self._likeness(document)
        if alike < ALIKE:
            return addition
        keep_twin(self.catalogue, Twin(document.id, source.name, document.provenance.record, alike))
        return replace(addition, outcome=Outcome.TWIN)

    def _likeness(self, document: Document) -> float:
        stored = self.catalogue.document(document.id)
        return likeness(document.text, stored.text) if stored else 0.0


def is_same_file(stored: str, name: str) -> bool:
    """Whether a file is the one a stored document came from: by path, or by name where that one is no longer there."""
    if stored == name:
        return True
    before, now = Path(stored), Path(name)
    if any(path.is_file() for path in (before, *before.parents)):  # a file, or a zip archive that holds it
        return before.exists() and now.exists() and before.samefile(now)
    return PurePosixPath(stored).name == PurePosixPath(name).name
