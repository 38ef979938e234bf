"""What an archive's own words on rights allow (B11): a small table, and the strictest of what is found holds.

The words stay as they are beside the reading. Words the table does not know are unknown, never open.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from vestigia.domain.archive import Access
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


def access_of(said: str, details: Iterable[tuple[str, str]] = ()) -> Access:
    """Read the words on rights and the details that speak of access; the strictest reading holds."""
    spoken = [said, *(value for name, value in details if _folded(name) in FIELDS)]
    return strictest([_read(one) for one in spoken])


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
