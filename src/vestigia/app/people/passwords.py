"""Passwords are kept as argon2id hashes; guessing costs the guesser, and a name that is not there costs as much.

The numbers are the low-memory profile of RFC 9106, as argon2-cffi ships it: 64 MiB, three passes, four lanes.
"""

import unicodedata
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from vestigia.domain.errors import SettingsError, UsageError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 12, 1024
"""Characters of a password. Long is good; longer than this is an attack on the processor."""
_AT_ONCE = 2
"""Hashes made side by side: each takes 64 MiB, and whoever sends many logins must not take the memory of all."""


class Passwords:
    """Makes and checks hashes. Raises SettingsError where the package for it is not installed."""

    def __init__(self, hasher: "PasswordHasher | None" = None) -> None:
        try:
            import argon2  # noqa: PLC0415  an extra
        except ImportError as error:
            raise SettingsError(
                "the package `argon2-cffi` is not installed.", where="accounts", remedy="pip install 'vestigia[web]'"
            ) from error
        self._wrong = (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError)
        self._hasher = hasher or argon2.PasswordHasher()
        self._turn = BoundedSemaphore(_AT_ONCE)
        self._nobody = self._hasher.hash("nobody has this password")

    def hash(self, password: str, name: str = "") -> str:
        """Hash a new password. Raises UsageError for one that is too short, too long, or the person's name."""
        said = _composed(password)
        if not SHORTEST <= len(said) <= LONGEST:
            raise UsageError(
                f"a password has {SHORTEST} to {LONGEST} characters.",
                remedy="Take a sentence of your own, or have a password manager make one.",
            )
        if (name and said.casefold().strip() == name.casefold()) or len(set(said)) < 4:
            raise UsageError("this password is the first that is guessed.", remedy="Choose another.")
        with self._turn:
            return self._hasher.hash(said)

    def fits(self, hashed: str | None, password: str) -> bool:
        """Whether a password is the one that was hashed; for None nothing fits, which takes as long to find out."""
        said = _composed(password)
        if len(said) > LONGEST:
            return False
        with self._turn:
            try:
                self._hasher.verify(hashed or self._nobody, said)
            except self._wrong:
                return False
        return bool(hashed)

    def is_dated(self, hashed: str) -> bool:
        """Whether a hash was made with other numbers than today's and is to be made anew at the next login."""
        return self._hasher.check_needs_rehash(hashed)


def _composed(password: str) -> str:
    """One writing of what can be typed in several ways: a letter with its accent, or the two apart."""
    return unicodedata.normalize("NFC", password.encode("utf-8", "replace").decode("utf-8"))
