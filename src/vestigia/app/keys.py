"""The keys of hosted models: read from the environment or the system's own store, once, and told to nobody else.

Settings name where a key is; a key itself in a settings file is refused, for such files are shared and copied.
"""

import os
import re

from vestigia.domain.errors import SettingsError

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_STORED = "keyring:"


def key_of(name: str, written: str) -> tuple[str, str]:
    """Return the key that a model's settings name, and in words where it comes from; two empty texts for none.

    Raises SettingsError when it is not there, without repeating what is written.
    """
    where = f"vestigia.toml, models.{name}.key"
    if not written:
        return "", ""
    if written.startswith(_STORED):
        return _from_store(written.removeprefix(_STORED), where)
    if not _VARIABLE.fullmatch(written):
        raise SettingsError(
            "it is no name of an environment variable; is it the key itself?",
            where=where,
            remedy='Put the key into a variable and write its name, e.g. "OPENAI_API_KEY", or "keyring:SERVICE".',
        )
    value = os.environ.get(written, "").strip()
    if not value:
        raise SettingsError(
            f"the environment variable {written} is not set.", where=where, remedy=f"Set it: export {written}=..."
        )
    return value, f"the environment variable {written}"


def _from_store(service: str, where: str) -> tuple[str, str]:
    try:
        import keyring  # noqa: PLC0415  an extra
    except ImportError as error:
        raise SettingsError(
            "the package `keyring` is not installed.", where=where, remedy="pip install 'vestigia[keyring]'"
        ) from error
    try:
        value = keyring.get_password(service, "vestigia")
    except keyring.errors.KeyringError as error:
        raise SettingsError(
            f"the system's store of keys cannot be read ({type(error).__name__}).",
            where=where,
            remedy="Unlock it, or name an environment variable instead.",
        ) from error
    if not value:
        raise SettingsError(
            f"the system's store has no key {service!r}.",
            where=where,
            remedy=f"Run: keyring set {service} vestigia",
        )
    return value, f"the system's store, service {service}"
