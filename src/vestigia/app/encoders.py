"""Choosing encoders. A channel of meaning exists for each one that can run here and has encoded something."""

from vestigia.app.plugins import ENCODERS, installed
from vestigia.domain.errors import ModelUnavailableError, SettingsError, UsageError
from vestigia.domain.ports import Encoder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.universal import UniversalEncoder

DEFAULT = "universal"
"""The fast one: ready when `add` ends."""


def available() -> tuple[Encoder, ...]:
    """Return the encoders that can run here, ours first; none loads its weights before it is used."""
    ours: tuple[Encoder, ...] = (UniversalEncoder(), MultilingualE5())
    others = tuple(_made(name, factory) for name, factory in installed(ENCODERS).items())
    return tuple(one for one in (*ours, *others) if _runs(one))


def encoder(name: str) -> Encoder:
    """Return one encoder. Raises UsageError naming those there are."""
    found = {one.name: one for one in available()}
    if name not in found:
        raise UsageError(f"there is no encoder {name!r}.", remedy=f"There are: {', '.join(found)}.")
    return found[name]


def _runs(one: Encoder) -> bool:
    """Whether an encoder is installed; its fingerprint needs its weights."""
    try:
        return bool(one.fingerprint)
    except ModelUnavailableError:
        return False


def _made(name: str, factory: object) -> Encoder:
    if not callable(factory):
        raise SettingsError(f"the plug-in {name!r} is no encoder.", remedy="It must be a function that returns one.")
    made: Encoder = factory()
    return made
