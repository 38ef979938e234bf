"""The libraries of extras, loaded when a form needs one: all others are written without them."""

from importlib import import_module
from types import ModuleType

from vestigia.domain.errors import UsageError


def library(name: str, extra: str, what: str) -> ModuleType:
    """Return a library of an extra. Raises UsageError saying how to install it where it is absent."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"{what} needs the package {name!r}, which is not installed.",
            remedy=f"Install the extra: python3 -m pip install 'vestigia[{extra}]'. The other forms need nothing.",
        ) from error
