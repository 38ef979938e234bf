"""Cells of tables that a spreadsheet opens: none is taken for a formula, and each comes back as it was (rule 9)."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def guarded(cell: str) -> str:
    """A cell that no spreadsheet carries out."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """A cell as it was before it was guarded, without white space around it."""
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
