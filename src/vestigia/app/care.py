"""Looking after an archive: describe and rename its parts, delete from it for good, list what it holds twice."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from vestigia.app.archive import Tell, bring_up_to_date, compare, quiet
from vestigia.app.corrections import forget
from vestigia.app.workspace import Workspace
from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.duplicates import Cluster, Twin, clusters, twins
from vestigia.corpus.rows import Description
from vestigia.domain.archive import Access, DocumentCard
from vestigia.domain.errors import UsageError
from vestigia.domain.ids import DocumentId


@dataclass(frozen=True, slots=True)
class Selection:
    """Which documents: by id, by the files they came from, by sub-corpus; all that any of them names."""

    documents: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    sub_corpora: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.documents or self.files or self.sub_corpora)


@dataclass(frozen=True, slots=True)
class Deleted:
    """What a deletion did: how many documents, and the runs whose records still name one of them."""

    documents: int
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What an archive holds twice, and which records were not taken in because it holds them."""

    clusters: tuple[Cluster, ...]
    twins: tuple[Twin, ...]


@contextmanager
def _catalogue(workspace: Workspace) -> Iterator[Catalogue]:
    catalogue = workspace.catalogue()
    try:
        yield catalogue
    finally:
        catalogue.close()


def describe(workspace: Workspace, sub_corpus: str, said: dict[str, object]) -> Description:
    """Keep what a person says of a sub-corpus, `said` naming fields of `Description`; returns all that is said of it.

    Raises UsageError where there is no such sub-corpus or what may be done with it is none of the known answers.
    """
    workspace = workspace.whole
    if "access" in said:
        said = said | {"access": access_named(str(said["access"]))}
    with _catalogue(workspace) as catalogue:
        with catalogue.writing():
            described = replace(catalogue.description(sub_corpus), **said)  # type: ignore[arg-type]
            catalogue.describe(sub_corpus, described)
        bring_up_to_date(workspace, catalogue)
    return described


def access_named(name: str) -> Access:
    """Return what may be done with a source by its name; an empty name takes back what was said. Raises UsageError."""
    if name not in {one.value for one in Access}:
        known = ", ".join(one.value for one in Access if one)
        raise UsageError(
            f"{name!r} does not say what may be done with a source.", where="--access", remedy=f"Say one of: {known}."
        )
    return Access(name)


def rename(workspace: Workspace, old: str, new: str, tell: Tell = quiet) -> int:
    """Rename a sub-corpus; returns the number of its documents. Raises UsageError for a name unknown or taken."""
    workspace = workspace.whole
    with _catalogue(workspace) as catalogue:
        with catalogue.writing():
            count = catalogue.rename(old, new)
        bring_up_to_date(workspace, catalogue, tell)
    return count


def selected(workspace: Workspace, selection: Selection) -> tuple[DocumentCard, ...]:
    """Return the cards of the documents selected, by id. Raises UsageError for what is named and not there."""
    with _catalogue(workspace) as catalogue:
        there = catalogue.documents([DocumentId(one) for one in selection.documents])
        unknown = [f"document {one!r}" for one in selection.documents if one not in {card.id for card in there}]
        unknown += [f"document from a file {one!r}" for one in selection.files if not catalogue.find(files=[one])]
        unknown += [f"sub-corpus {one!r}" for one in selection.sub_corpora if not catalogue.find(sub_corpora=[one])]
        if unknown:
            raise UsageError(
                f"there is no {', no '.join(unknown)}.",
                where=str(workspace.root),
                remedy="`vestigia status` and `vestigia search` name what there is; nothing was deleted.",
            )
        found = {card.id for card in there} | set(catalogue.find(selection.files, selection.sub_corpora))
        return catalogue.documents(sorted(found))


def delete(workspace: Workspace, documents: Sequence[DocumentId], tell: Tell = quiet) -> Deleted:
    """Delete documents from catalogue, index and vectors, and rewrite their files so that none keeps a trace.

    Without a document the files are rewritten all the same: what an update replaced goes, too. A kill in between is
    made good by the next `delete` or `add`. Runs stay as they are, as their records may not be altered.
    """
    workspace = workspace.whole
    with _catalogue(workspace) as catalogue:
        with catalogue.writing():
            count = catalogue.delete(documents)
            catalogue.require_sweep()
        bring_up_to_date(workspace, catalogue, tell)
        compare(catalogue, tell)
    forget(workspace, documents)
    return Deleted(count, runs_naming(workspace, documents))


def duplicates(workspace: Workspace, tell: Tell = quiet) -> Duplicates:
    """Return what the archive holds twice, found anew where documents came in since."""
    with _catalogue(workspace) as catalogue:
        compare(catalogue, tell)
        return Duplicates(clusters(catalogue), twins(catalogue))


def runs_naming(workspace: Workspace, documents: Sequence[DocumentId]) -> tuple[str, ...]:
    """Name the runs whose records name one of the documents, by name; they keep titles and what was quoted."""
    names = [json.dumps(one, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass") for one in documents]
    found = []
    for ledger in sorted(workspace.runs.glob("*/ledger.jsonl")) if names else ():
        record = ledger.read_bytes()
        if any(b'"' + name + end in record for name in names for end in (b'"', b"#")):
            found.append(ledger.parent.name)
    return tuple(found)
