"""Parts that others add: entry points, one group a port, loaded here and nowhere else."""

from importlib.metadata import entry_points

from vestigia.domain.errors import SettingsError, VestigiaError

READERS = "vestigia.readers"
ENCODERS = "vestigia.encoders"
MODELS = "vestigia.models"


def installed(group: str) -> dict[str, object]:
    """Return what is installed for a port, by name. Raises SettingsError when one cannot be loaded."""
    found: dict[str, object] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        try:
            found[point.name] = point.load()
        except (Exception, SystemExit) as error:  # others' code runs here and may raise whatever it likes
            raise SettingsError(
                f"the plug-in {point.name!r} cannot be loaded ({said(error)}).",
                where=point.value,
                remedy="Install it again, or remove the package that brings it.",
            ) from error
    return found


def made(name: str, factory: object, kind: str) -> object:
    """Call the function of a plug-in that makes a `kind` of part. Raises SettingsError when it does not."""
    if not callable(factory):
        raise SettingsError(f"the plug-in {name!r} is no {kind}.", remedy="It must be a function that returns one.")
    try:
        return factory()
    except VestigiaError:
        raise
    except (Exception, SystemExit) as error:  # others' code runs here and may raise whatever it likes
        raise SettingsError(
            f"the plug-in {name!r} makes no {kind} ({said(error)}).",
            remedy="Tell its authors, or remove the package that brings it.",
        ) from error


def said(error: BaseException) -> str:
    """Return what an error of others' code says, with its kind."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
