"""The libraries of the extra `eval`: loaded when something is measured, since search itself needs none of them."""

from importlib import import_module
from types import ModuleType

from vestigia.domain.errors import UsageError

NEEDED = ("ir_measures", "scipy.stats")


def extra(name: str) -> ModuleType:
    """Return a library of the extra. Raises UsageError saying how to install it where it is absent."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(
            f"measuring needs the package {name.partition('.')[0].replace('_', '-')!r}, which is not installed.",
            remedy="Install the extra: python3 -m pip install 'vestigia[eval]'.",
        ) from error
