"""Choosing the model that answers."""

from typing import cast

from vestigia.app.guards import GuardedModel
from vestigia.app.plugins import MODELS, installed, made
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
    return GuardedModel(name, cast("Model", made(name, found[name], "model")))
