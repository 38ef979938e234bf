"""Secrets that are handed out once: long random words, of which only a digest is kept.

A plain digest is enough here: what has 256 random bits is not guessed from it.
"""

import hashlib
import secrets as chance


def make() -> str:
    """Return a new secret: 256 random bits in letters that a cookie or a header may hold."""
    return chance.token_urlsafe(32)


def kept(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
