"""The smallest Excel workbook, written out without the library that reads it."""

import io
import zipfile

_OOXML = "http://schemas.openxmlformats.org"
PARTS = {
    "[Content_Types].xml": f"""<Types xmlns="{_OOXML}/package/2006/content-types">
<Override PartName="/xl/workbook.xml"
 ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>""",
    "_rels/.rels": f"""<Relationships xmlns="{_OOXML}/package/2006/relationships"><Relationship Id="rId1"
 Type="{_OOXML}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>""",
    "xl/workbook.xml": f"""<workbook xmlns="{_OOXML}/spreadsheetml/2006/main"
 xmlns:r="{_OOXML}/officeDocument/2006/relationships"><sheets><sheet name="Briefe" sheetId="1" r:id="rId1"/></sheets>
</workbook>""",
    "xl/_rels/workbook.xml.rels": f"""<Relationships xmlns="{_OOXML}/package/2006/relationships">
<Relationship Id="rId1" Type="{_OOXML}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>
</Relationships>""",
    "xl/worksheets/sheet1.xml": f"""<worksheet xmlns="{_OOXML}/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>text</t></is></c></row>
<row r="2"><c r="A2"><v>1887</v></c><c r="B2" t="inlineStr"><is><t>Mon cher ami.</t></is></c></row>
<row r="3"><c r="A3"><v>1888</v></c><c r="B3" t="inlineStr"><is><t>Oui.</t></is></c></row>
</sheetData></worksheet>""",
}
"""The parts of a workbook with one sheet of two rows under a header, as text by name."""


def workbook(parts: dict[str, bytes] | None = None) -> bytes:
    """Return a workbook of `PARTS`, some of them put otherwise."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as archive:
        for name, text in PARTS.items():
            archive.writestr(zipfile.ZipInfo(name), (parts or {}).get(name, text.encode()))
    return saved.getvalue()
