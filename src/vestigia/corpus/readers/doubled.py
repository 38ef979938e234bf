"""JSON objects that give one name twice: the last value counts, as everywhere, and that it does is said."""

from collections.abc import Iterator, Mapping, Sequence

from vestigia.corpus.readers.mapping import Place
from vestigia.domain.ports import Refused


class Doubled(dict[str, object]):
    """An object with the names that stand in it more than once."""

    twice: tuple[str, ...] = ()


def paired(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """Make an object of its pairs, for a JSON decoder; a `Doubled` one where a name comes again."""
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    names = [name for name, _ in pairs]
    doubled = Doubled(made)
    doubled.twice = tuple(name for name in made if names.count(name) > 1)
    return doubled


def notes(record: Mapping[str, object], place: Place) -> Iterator[Refused]:
    """Say of a record which names it gives twice."""
    if isinstance(record, Doubled):
        named = ", ".join(map(repr, record.twice))
        yield Refused(place.record, f"the record gives {named} more than once; the last one counts", kept=True)
