"""Named periods (*Second Empire*, *Kaiserreich*): a table that a user extends, `tables/periods.json`.

An entry is `{"name": ..., "edtf": "1852-12-02/1870-09-04", "forms": [...]}`; `forms` are the words as they occur, with
the preposition where the word alone means other things (`sous la Convention`).
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from vestigia.corpus.dates.encoded import read_edtf
from vestigia.corpus.dates.lexicon import Lexicon, build
from vestigia.domain.errors import SettingsError
from vestigia.domain.periods import DatePeriod

_SHAPE = "Write a list of entries with name, edtf and forms."


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """A period that has a name: what it is called in texts, and when it was."""

    name: str
    forms: tuple[str, ...]
    period: DatePeriod


def read_named_periods(table: str, where: str = "named periods") -> tuple[NamedPeriod, ...]:
    """Read a JSON table of named periods. Raises SettingsError naming the entry that cannot be read."""
    try:
        entries = json.loads(table)
    except json.JSONDecodeError as error:
        raise SettingsError(f"this is not JSON: {error}", where=where, remedy=_SHAPE) from None
    if not isinstance(entries, list):
        raise SettingsError("the table is not a list", where=where, remedy=_SHAPE)
    return tuple(_named(entry, f"{where}, entry {number}") for number, entry in enumerate(entries, 1))


def _named(entry: object, where: str) -> NamedPeriod:
    match entry:
        case {"name": str(name), "edtf": str(edtf), "forms": [*forms]} if forms and all(
            isinstance(form, str) and any(letter.isalpha() for letter in form) for form in forms
        ):
            try:
                period = read_edtf(edtf)
            except ValueError as error:
                raise SettingsError(f"{name}: {error}", where=where, remedy="Correct its edtf.") from None
            if period is None:
                raise SettingsError(
                    f"{name}: {edtf!r} is not EDTF", where=where, remedy="Write it like 1852-12-02/1870-09-04."
                )
            return NamedPeriod(name, tuple(str(form) for form in forms), period)
    raise SettingsError(
        "an entry needs name, edtf and at least one form in words",
        where=where,
        remedy='Write {"name": "Second Empire", "edtf": "1852-12-02/1870-09-04", "forms": [...]}.',
    )


@cache
def built_in() -> tuple[NamedPeriod, ...]:
    """Return the periods that come with the program."""
    place = resources.files("vestigia.corpus.dates").joinpath("tables").joinpath("periods.json")
    return read_named_periods(place.read_text("utf-8"), "tables/periods.json")


@cache
def names_lexicon(periods: tuple[NamedPeriod, ...]) -> Lexicon:
    """Return a lexicon whose category `named` gives the number of the period in `periods`; earlier ones win."""
    table: dict[str, int | str] = {}
    for number, one in enumerate(periods):
        for form in one.forms:
            table.setdefault(form, number)
    return build((), [{"named": table}])
