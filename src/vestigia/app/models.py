"""Choosing the model that answers."""

from vestigia.app.plugins import MODELS, installed
from vestigia.domain.errors import SettingsError
from vestigia.domain.ports import Model
from vestigia.models.extractive.model import ExtractiveModel

EXTRACTIVE = "extractive"


def model(name: str) -> Model:
    """Return the model a settings file names. Raises SettingsError naming those there are."""
    if name == EXTRACTIVE:
        return ExtractiveModel()
    found = installed(MODELS)
    if name not in found:
        raise SettingsError(
            f"there is no model {name!r}.",
            where="vestigia.toml, ask.model",
            remedy=f"There are: {', '.join([EXTRACTIVE, *found])}.",
        )
    made = found[name]
    if not callable(made):
        raise SettingsError(f"the plug-in {name!r} is no model.", remedy="It must be a function that returns one.")
    chosen: Model = made()
    return chosen
