"""A workbook of Excel: the table of `tables`, every cell a text, and a second sheet that says what the list is."""

import io

from vestigia.app.citations import Style
from vestigia.app.exports.extras import library
from vestigia.app.exports.tables import COLUMNS, rows
from vestigia.app.references import Listing

LONGEST = 32_767
"""Characters a cell of Excel may hold."""
_CUT = "… [cut: {} characters in all; CSV has them]"


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as a workbook. Raises UsageError where the extra `office` is not installed."""
    xlsxwriter = library("xlsxwriter", "office", "A workbook of Excel")
    written = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(written, options)
    head = book.add_format({"bold": True})
    body = book.add_format({"text_wrap": True, "valign": "top", "num_format": "@"})
    sheet = book.add_worksheet("Sources")
    for place, name in enumerate(COLUMNS):
        sheet.write_string(0, place, name, head)
    for number, row in enumerate(rows(listing, style), 1):
        for place, cell in enumerate(row):
            sheet.write_string(number, place, fitting(cell), body)
    sheet.set_column(0, len(COLUMNS) - 1, 18)
    sheet.freeze_panes(1, 3)
    sheet.autofilter(0, 0, len(listing.sources), len(COLUMNS) - 1)
    about = book.add_worksheet("About")
    for number, text in enumerate((listing.question, listing.account, *listing.notes)):
        about.write_string(number, 0, fitting(text))
    book.close()
    return written.getvalue()


def fitting(cell: str) -> str:
    """A cell that Excel can hold; one that is cut says so."""
    if len(cell.encode("utf-16-le")) // 2 <= LONGEST:
        return cell
    mark = _CUT.format(len(cell))
    return cell.encode("utf-16-le")[: 2 * (LONGEST - len(mark))].decode("utf-16-le", "ignore") + mark
