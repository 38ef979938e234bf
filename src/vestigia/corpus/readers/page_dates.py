"""The date of a page scan by its file's name and folders: a full date or nothing, for most numbers there are no dates.

`1871_65_0045` is year, issue and image: the year is known and the day is not, however much it looks like one.
"""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from vestigia.corpus.dates import from_parts
from vestigia.domain.periods import DatePeriod

_YEAR = r"(1[4-9]\d\d|20\d\d)"
_FULL = re.compile(rf"(?<![^\W_]){_YEAR}([-_./]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?![^\W_])")
_YEAR_ISSUE_IMAGE = re.compile(rf"{_YEAR}_\d{{1,3}}_\d+")


def date_in_path(name: str) -> DatePeriod | None:
    """Return the date of a page file by its path: a full date in its name or its three nearest folders, else none.

    A name of the form YEAR_ISSUE_IMAGE gives the year. The rule of the period says where it was read.
    """
    path = PurePosixPath(name)
    numbered = _YEAR_ISSUE_IMAGE.fullmatch(path.stem)
    if numbered:
        return replace(from_parts(int(numbered[1])), text=numbered[1], rule="file name: year, issue and image")
    for where, part in (("file name", path.stem), ("folder", "/".join(path.parts[:-1][-3:]))):
        for found in _FULL.finditer(part):
            try:
                period = from_parts(*(int(found[group]) for group in (1, 3, 4)))
            except ValueError:
                continue  # 30 February: a number that is no date
            return replace(period, text=found.group(), rule=f"{where}: {period.rule}")
    return None
