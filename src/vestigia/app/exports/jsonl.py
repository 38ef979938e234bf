"""JSON Lines: a source a line with all that is known of it, for programs."""

import json
from dataclasses import asdict

from vestigia.app.citations import Style, citation
from vestigia.app.references import Listing


def render(listing: Listing, style: Style) -> bytes:
    """Return the list as JSON Lines; what is not known is empty, a text that is withheld is null."""
    found = [
        {**asdict(one), "citation": citation(one, style), "place": place, "list": listing.account, "run": listing.run}
        for place, one in enumerate(listing.sources, 1)
    ]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found).encode()
