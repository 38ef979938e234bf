"""PDFs of a few bytes, written by hand."""


def pdf(*pages: tuple[str, ...], catalogue: str = "", trailer: str = "", info: str = "", count: int = -1) -> bytes:
    """Make a PDF of pages of lines in Helvetica; a page without lines has no text layer."""
    bodies = [
        "<</Type/Catalog/Pages 2 0 R" + catalogue + ">>",
        "",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        content = f"BT /F1 12 Tf 72 720 Td 14 TL {shown} ET" if lines else ""
        kids.append(f"{len(bodies) + 1} 0 R")
        bodies.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {len(bodies) + 2} 0 R>>"
        )
        bodies.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
    bodies[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {count if count >= 0 else len(kids)}>>"
    if info:
        bodies.append(f"<<{info}>>")
        trailer += f"/Info {len(bodies)} 0 R"
    written, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    return written + (
        f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(bodies) + 1}"
        f"/Root 1 0 R{trailer}>>\nstartxref\n{len(written)}\n%%EOF\n"
    ).encode("cp1252")
