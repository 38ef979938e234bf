"""Addresses of pages that are linked to from many others."""

from urllib.parse import quote, urlencode


def source_at(slug: str, document: str, passage: str = "") -> str:
    """The address of a source, and of a passage of it. What cannot stand in a path stands in the query."""
    odd = any(part in {"", ".", ".."} for part in document.split("/")) or not {"\\", "%", "\n"}.isdisjoint(document)
    fields = {"document": document} if odd else {}
    fields |= {"passage": passage} if passage else {}
    path = "-" if odd else quote(document, safe="/")
    query = f"?{urlencode(fields)}" if fields else ""
    return f"/archives/{slug}/sources/{path}/text{query}{'#passage' if passage else ''}"
