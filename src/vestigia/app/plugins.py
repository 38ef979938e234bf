"""Parts that others add: entry points, one group a port, loaded here and nowhere else."""

from importlib.metadata import entry_points

from vestigia.domain.errors import SettingsError

READERS = "vestigia.readers"
ENCODERS = "vestigia.encoders"
MODELS = "vestigia.models"


def installed(group: str) -> dict[str, object]:
    """Return what is installed for a port, by name. Raises SettingsError when one cannot be loaded."""
    found: dict[str, object] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            found[point.name] = point.load()
        except (ImportError, AttributeError) as error:
            raise SettingsError(
                f"the plug-in {point.name!r} cannot be loaded ({error}).",
                where=point.value,
                remedy="Install it again, or remove the package that brings it.",
            ) from error
    return found
