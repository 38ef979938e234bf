"""One tree of errors.

    VestigiaError               what is wrong, where, and what to do next
    ├── UsageError              the request cannot be carried out as it was put
    ├── SettingsError           a settings file is wrong
    ├── ArchiveError            the workspace cannot be used: absent, locked, full
    │   ├── StaleIndexError     the index is older than the catalogue
    │   └── BusyError           another program is writing it just now
    ├── SourceRefusedError      a file or one record of it was refused; its neighbours go in
    ├── ModelUnavailableError   a language model or an encoder gave no answer: the run can be resumed
    ├── StoppedError            a person stopped a run between two steps: it can be resumed
    └── LedgerError             a ledger was altered, has a gap, or belongs to another version
        └── DivergedError       a replay decided otherwise than the record says

Expected misfortune inside a run (an unreadable reply, an empty search) is an event, not an exception.
"""


class VestigiaError(Exception):
    """What is wrong, where it is, and what to do next."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f" {self.remedy}" if self.remedy else "")


class UsageError(VestigiaError):
    """The request cannot be carried out as it was put."""


class SettingsError(VestigiaError):
    """A settings file is wrong."""


class ArchiveError(VestigiaError):
    """The workspace cannot be used: absent, locked, full."""


class StaleIndexError(ArchiveError):
    """The index is older than the catalogue."""


class BusyError(ArchiveError):
    """Another program is writing it just now."""


class SourceRefusedError(VestigiaError):
    """A file, or one record of it, was refused; its neighbours go in.

    `pages_without_text` counts its pages where it was refused for having no text on them.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "", pages_without_text: int = 0) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.pages_without_text = pages_without_text


class ModelUnavailableError(VestigiaError):
    """A language model or an encoder gave no answer: the run can be resumed."""


class StoppedError(VestigiaError):
    """A person stopped a run between two steps: it can be resumed."""


class LedgerError(VestigiaError):
    """A ledger was altered, has a gap, or belongs to another version."""


class DivergedError(LedgerError):
    """A replay decided otherwise than the record says."""
