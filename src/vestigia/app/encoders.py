"""Choosing encoders. A channel of meaning exists for each one that can run here and has encoded something."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from vestigia.app.guards import GuardedEncoder
from vestigia.app.plugins import ENCODERS, installed, made
from vestigia.domain.errors import ModelUnavailableError, UsageError
from vestigia.domain.ports import Encoder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.universal import UniversalEncoder

DEFAULT = "universal"
"""The fast one: ready when `add` ends."""
MANY = 300
"""From so many passages on a process for each core is worth the seconds it takes to start."""
AT_ONCE = 2
"""Calls an encoder that is shared out gets at together: no process waits for the last text of another."""
_MOST = 8
"""More processes than these would want more memory (150 MB each) than they bring."""
_SHARED_OUT: dict[type, Callable[[int], UniversalEncoder | MultilingualE5]] = {
    UniversalEncoder: UniversalEncoder,
    MultilingualE5: MultilingualE5,
}
"""Encoders that several processes can be at together, and how they are made for a number of them."""


def available() -> tuple[Encoder, ...]:
    """Return the encoders that can run here, ours first; none loads its weights before it is used."""
    ours: tuple[Encoder, ...] = (UniversalEncoder(), MultilingualE5())
    others = (_guarded(name, factory) for name, factory in installed(ENCODERS).items())
    return tuple(one for one in (*ours, *others) if _runs(one))


def encoder(name: str) -> Encoder:
    """Return one encoder. Raises UsageError naming those there are."""
    found = {one.name: one for one in available()}
    if name not in found:
        raise UsageError(f"there is no encoder {name!r}.", remedy=f"There are: {', '.join(found)}.")
    return found[name]


@contextmanager
def on_all_cores(one: Encoder, passages: int) -> Iterator[Encoder]:
    """Give the encoder in a process for each core where enough passages wait, else as it is; its vectors are the same.

    The processes end when the work does, or with this program.
    """
    if not is_shared_out(one) or passages < MANY:
        yield one
        return
    several = _SHARED_OUT[type(one)](cores())
    try:
        yield several
    finally:
        several.close()


def is_shared_out(one: Encoder) -> bool:
    """Whether several processes can be at an encoder together here."""
    return type(one) in _SHARED_OUT and cores() > 1


def cores() -> int:
    """Return how many cores this program may use for encoders, 8 at most."""
    mine = getattr(os, "sched_getaffinity", None)
    return min(_MOST, len(mine(0)) if mine else os.cpu_count() or 1)


def _runs(one: Encoder) -> bool:
    """Whether an encoder is installed; its fingerprint needs its weights."""
    try:
        return bool(one.fingerprint)
    except ModelUnavailableError:
        return False


def _guarded(name: str, factory: object) -> Encoder:
    return GuardedEncoder(name, cast("Encoder", made(name, factory, "encoder")))
