"""METS and ALTO files made of a few words, for tests."""

from fakes.sources import MemorySource, source

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def page(*blocks: str, first: int = 1, label: str = "9") -> str:
    """An ALTO page of blocks B1, B2 ... (from `first`) whose lines are those of the strings given."""
    lines = (
        "".join(
            f"<TextLine ID='B{number}L{at}' HPOS='1' VPOS='{at}' WIDTH='9' HEIGHT='9'>"
            + "<SP/>".join(
                f"<String ID='B{number}L{at}W{where}' CONTENT='{word}'/>" for where, word in enumerate(line.split())
            )
            + "</TextLine>"
            for at, line in enumerate(block.split("\n"))
        )
        for number, block in enumerate(blocks, first)
    )
    inside = "".join(f"<TextBlock ID='B{number}'>{one}</TextBlock>" for number, one in enumerate(lines, first))
    return (
        f"<alto><Description><MeasurementUnit>pixel</MeasurementUnit></Description><Layout><Page ID='P1' "
        f"PHYSICAL_IMG_NR='{label}'><PrintSpace ID='S'>{inside}</PrintSpace></Page></Layout></alto>"
    )


def files(**links: str) -> str:
    """A group of ALTO files by id."""
    return "".join(
        f'<file ID="{name}" MIMETYPE="text/xml"><FLocat xlink:href="{link}"/></file>' for name, link in links.items()
    )


def mets(group: str, physical: str = "", logical: str = "", records: str = "", more: str = "") -> str:
    """A METS file: what stands in its group of files, its structures, its MODS records, and the rest."""
    group = group if group.startswith("<fileGrp") else f'<fileGrp USE="Fulltext">{group}</fileGrp>'
    return (
        f"<mets {XLINK}>{records}<fileSec>{group}</fileSec>"
        + (f'<structMap TYPE="PHYSICAL"><div TYPE="physSequence">{physical}</div></structMap>' if physical else "")
        + (f'<structMap TYPE="LOGICAL"><div TYPE="Newspaper">{logical}</div></structMap>' if logical else "")
        + more
        + "</mets>"
    )


def area(file: str, begin: str, end: str = "") -> str:
    """A pointer to a part of a file."""
    last = f'END="{end}"' if end else ""
    return f'<fptr><area FILEID="{file}" BEGIN="{begin}" {last} BETYPE="IDREF"/></fptr>'


def issue(content: str, **pages: str) -> MemorySource:
    """A METS file in the folder `issue` with pages beside it, by their names without ending."""
    return MemorySource(
        "issue/mets.xml", content.encode(), tuple(source(f"{name}.xml", text) for name, text in pages.items())
    )
