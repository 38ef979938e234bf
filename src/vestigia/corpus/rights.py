"""What an archive's own words on rights allow (B11): a small table, and the strictest of what is found holds.

The words stay as they are beside the reading. Words the table does not know are unknown, never open. Words that close a
source until a day close it to the end of that day; where the day cannot be read they close it for good.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from vestigia.domain.archive import Access
from vestigia.domain.periods import civil, day_number, days_in_month
from vestigia.domain.text import words

FIELDS = (
    "access",
    "rights",
    "restriction",
    "restrictions",
    "embargo",
    "zugang",
    "benutzung",
    "schutzfrist",
    "sperrfrist",
    "acces",
    "communicabilite",
    "accesso",
    "acceso",
)
"""Names of details, folded, that speak of access."""

_TABLE: tuple[tuple[Access, str], ...] = (
    (
        Access.CLOSED,
        """closed | access closed | access restricted | restricted access | not public | not accessible
        | no access | confidential | embargo | embargoed | gesperrt | sperrfrist | geschlossen | nicht offentlich
        | nicht zuganglich | vertraulich | ferme | acces ferme | acces restreint | non communicable | incommunicable
        | confidentiel | riservato | chiuso | non consultabile | cerrado | reservado | confidencial""",
    ),
    (
        Access.NO_THIRD_PARTY,
        """no third party model | no third party models | no ai | noai | no ai training
        | no machine learning | no tdm | tdm reserved | tdm reservation | no text and data mining
        | keine ki | kein text und data mining | kein text und datamining | pas d ia | pas de fouille de textes
        | fouille de textes interdite | no ia | niente ia""",
    ),
    (
        Access.PERSONAL,
        """personal | personal use | personal use only | private use | private study | research use only
        | all rights reserved | in copyright | not in the public domain | rightsstatements org vocab inc
        | privater gebrauch | nur fur den privaten gebrauch | zu privaten zwecken | nur fur forschungszwecke
        | alle rechte vorbehalten | nicht gemeinfrei | urheberrechtlich geschutzt | usage prive | usage personnel
        | tous droits reserves | uso personale | uso personal | uso privato | uso privado | tutti i diritti riservati
        | todos los derechos reservados""",
    ),
    (
        Access.OPEN,
        """open | open access | public | public domain | publicdomain | cc0 | cc by | cc zero
        | creativecommons org | creative commons | pd | pdm | gemeinfrei | frei | frei zuganglich | offen
        | domaine public | libre | acces libre | licence ouverte | etalab | open government licence
        | open government license | ogl | odbl | dominio publico | pubblico dominio | dominio pubblico | libero
        | abierto | no copyright | rightsstatements org vocab noc""",
    ),
)
_SHORT = 2
"""A term of one word is read only where the words on rights are few: `open` is an answer, not a part of a sentence."""


def access_of(said: str, details: Iterable[tuple[str, str]] = (), today: int | None = None) -> Access:
    """Read the words on rights and the details that speak of access; the strictest reading holds.

    `today` is a day number; where none is given, what is closed until a day is closed.
    """
    return strictest([_read_on(one, today) for one in _spoken(said, details)])


def opens_on(said: str, details: Iterable[tuple[str, str]] = ()) -> int | None:
    """The day number of the first day that is not closed by the words; None where they name no day."""
    ends = [end for one in _spoken(said, details) for end in _ends(_words(one))]
    return max(ends) + 1 if ends else None


def _spoken(said: str, details: Iterable[tuple[str, str]]) -> list[str]:
    """What speaks of access. A field of that name that holds a day and nothing else closes until that day."""
    found = [said]
    for name, value in details:
        called = _folded(name)
        if called in FIELDS:
            found.append(f"embargo {value}" if called in _CLOSING and _DAY.fullmatch(_words(value)) else value)
    return found


def _read_on(said: str, today: int | None) -> Access:
    """Read words as they stand on a day: a term that ended before it is left out, the rest is read as ever.

    A year to come that is left over may be that of the term: then it has not ended.
    """
    spoken = _words(said)
    ends = _ends(spoken)
    if not ends:
        return _read(said)
    left = _UNTIL.sub(lambda found: found[0] if _end(found["day"]) is None else " ", spoken)
    if today is None or max(ends) >= today or any(int(year) >= civil(today)[0] for year in _YEAR.findall(left)):
        return Access.CLOSED
    return _read(left)


def _ends(spoken: str) -> list[int]:
    return [end for found in _UNTIL.finditer(spoken) if (end := _end(found["day"])) is not None]


def _end(written: str) -> int | None:
    """The day number of the last day of a date in digits; of two readings the later. None for what is no date."""
    numbers = [int(one) for one in written.split()]
    if len(numbers) == 1:
        return day_number(numbers[0], 12, 31)
    readings = []
    year, rest = (numbers[0], numbers[1:]) if numbers[0] > 31 else (numbers[-1], numbers[:-1])
    for month, *day in {tuple(rest), tuple(reversed(rest))} if numbers[0] <= 31 else {tuple(rest)}:
        try:
            readings.append(day_number(year, month, day[0] if day else days_in_month(year, month)))
        except ValueError:
            continue
    return max(readings, default=None)


def _words(said: str) -> str:
    return " ".join(words(said))


def strictest(readings: Sequence[Access]) -> Access:
    """Return the strictest of several readings; unknown only where nothing else is there."""
    return next((access for access, _ in _TABLE if access in readings), Access.UNKNOWN)


@lru_cache(maxsize=4096)
def _read(said: str) -> Access:
    folded = words(re.sub(r"(?<=creativecommons\.org/)licenses/by|cc-by", " cc by ", said))
    spoken, few = f" {' '.join(folded)} ", len(folded) <= _SHORT
    for access, terms in _TERMS:
        if any(f" {term} " in spoken for term in terms if few or " " in term or len(term) > 6):
            return access
    return Access.UNKNOWN


def _folded(name: str) -> str:
    return " ".join(words(name))


_TERMS = tuple((access, tuple(" ".join(term.split()) for term in terms.split("|"))) for access, terms in _TABLE)
_CLOSING = ("embargo", "schutzfrist", "sperrfrist")
"""Fields in which a day alone says until when a source is closed."""
_YEAR = re.compile(r"\b\d{4}\b")
_DAY = re.compile(r"\d{4}(?: \d{1,2}){0,2}|\d{1,2} \d{1,2} \d{4}")
_UNTIL = re.compile(
    rf"\b(?:{'|'.join(sorted(dict(_TERMS)[Access.CLOSED], key=len, reverse=True))})"
    r"(?: (?:until|till|before|ends?|expires|on|the|bis|zum|einschliesslich|endet|am|jusqu|au|en|avant|le|fino|al|a"
    r"|hasta|el))*"
    rf" (?P<day>{_DAY.pattern})(?= [^\d]|$)"
)
"""Words that close a source until a day, folded."""
