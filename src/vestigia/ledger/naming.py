"""Names of runs: from what was asked, when, and by what; the same three give the same name."""

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

from vestigia.domain.errors import ArchiveError, LedgerError, UsageError
from vestigia.domain.ids import Digest, RunId, digest
from vestigia.ledger.chain import LEDGER, follow, load

LAST = "last"
MARK = 6
"""Characters at the end of a name that tell runs of one question apart."""
_SLUG = 40
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})
"""Letters that Unicode does not take apart into a Latin letter and a mark."""


def run_id(question_text: str, opened_at: str, manifest_digest: Digest) -> RunId:
    """Name a run `<YYYY-MM-DD>-<the question in at most 40 plain characters>-<6 hexadecimal digits of all three>`.

    `opened_at` is UTC in ISO 8601. A question without any Latin letter or digit is called `question`.
    """
    mark = digest(json.dumps([question_text, opened_at, manifest_digest])).removeprefix("sha256:")[:MARK]
    return RunId(f"{opened_at[:10]}-{_slug(question_text)}-{mark}")


def runs(folder: Path) -> list[RunId]:
    """Return the names of all runs in the folder, in order, broken ones too; none when there is no folder yet."""
    found = folder.iterdir() if folder.is_dir() else []
    return sorted(RunId(path.name) for path in found if path.is_dir() and (path / LEDGER).exists())


def find(folder: Path, name: str, shown: Callable[[RunId], bool] = lambda _run: True) -> RunId:
    """Return the run of that name, the only one whose name begins so or ends with that mark, or for `last` the newest.

    Runs of one question differ only in the six characters at the end. A run that is not `shown` is as if it
    were not there. Raises UsageError with the runs that could be meant when there is none or more than one.
    """
    known = [run for run in runs(folder) if shown(run)]
    if name in known:
        return RunId(name)
    if name == LAST and known:
        return _last(folder, known)
    matching = [run for run in known if name and (run.startswith(name) or run.endswith(f"-{name}"))]
    if len(matching) == 1:
        return matching[0]
    if not known:
        raise UsageError("there is no run yet.", where=str(folder), remedy="`vestigia ask` makes one.")
    what = f"{len(matching)} runs begin or end with {name!r}" if matching else f"no run is called {name!r}"
    by = "Give more of the name, the characters it ends with, or `last`:"
    lines = [f"\n  {run}" for run in reversed(matching or known)]
    more = f"\n  and {len(lines) - 10} more" if len(lines) > 10 else ""
    raise UsageError(
        f"{what}.",
        where=str(folder),
        remedy=f"{by}{''.join(lines[:10])}{more}",
    )


def _last(folder: Path, known: list[RunId]) -> RunId:
    """Return the run opened last of those that say when they were; the last by name where none does."""
    for day in sorted({run[:10] for run in known}, reverse=True):
        opened, run = max((_opened(folder, run), run) for run in known if run[:10] == day)
        if opened:
            return run
    return known[-1]


def _slug(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in plain).split()
    slug = "-".join(words) or "question"
    if len(slug) > _SLUG:
        whole = slug[: _SLUG + 1].rpartition("-")[0]  # end with a whole word where there is one
        slug = whole or slug[:_SLUG]
    return slug


def _opened(folder: Path, run: RunId) -> str:
    try:
        return next((entry.time for entry in follow(folder / run, run, load(folder / run)[0][:1])), "")
    except (LedgerError, ArchiveError):
        return ""
