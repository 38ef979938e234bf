"""Picking sources of a curation to be looked at: by what became of them, tag, band, sub-corpus, words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from vestigia.app.present import Plain


@dataclass(frozen=True, slots=True)
class Pick:
    """Which sources are shown; an empty field asks nothing. `words` stand in title, text, notes or tags."""

    standing: str = ""
    tag: str = ""
    band: str = ""
    sub_corpus: str = ""
    words: str = ""

    def of(self, sources: Sequence[Plain]) -> list[Plain]:
        """The sources of a curation (`curating.shown`) that are picked, in their order."""
        return [source for source in sources if self._picks(source)]

    def fields(self) -> dict[str, str]:
        """What is asked, as fields of an address."""
        return {name: said for name, said in asdict(self).items() if said}

    def _picks(self, source: Plain) -> bool:
        sought = [
            self.standing in {"", source["standing"]},
            self.sub_corpus in {"", source.get("sub_corpus") or ""},
            not self.tag or self.tag in tags_of(source),
            not self.band or self.band in {one["band"] for one in source["presorted"]},
        ]
        return all(sought) and all(word in _said(source) for word in self.words.casefold().split())


def tags_of(source: Plain) -> list[str]:
    """The tags of a source, once each."""
    return list(dict.fromkeys(deed["tag"] for deed in source["remarks"] if deed["tag"]))


def choices(sources: Sequence[Plain]) -> dict[str, dict[str, int]]:
    """What can be picked, and how many sources it would be."""
    return {
        "standing": dict(Counter(source["standing"] for source in sources)),
        "tag": dict(sorted(Counter(tag for source in sources for tag in tags_of(source)).items())),
        "band": dict(Counter(band for source in sources for band in {b["band"] for b in source["presorted"]} if band)),
        "sub_corpus": dict(sorted(Counter(source.get("sub_corpus") or "" for source in sources).items())),
    }


def _said(source: Plain) -> str:
    """All that is said of a source and may be shown, in small letters."""
    deeds = [deed[part] or "" for deed in (*source["decisions"], *source["remarks"]) for part in ("note", "tag")]
    return " ".join((source["document"], source.get("title") or "", source["passage"]["text"] or "", *deeds)).casefold()
