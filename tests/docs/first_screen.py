"""The README's first screen: the beginning of what the demo prints, as it stands there."""

import re
import textwrap

from docs.pages import ROOT

README = ROOT / "README.md"
COMMAND = "$ python3 -m pip install uv && uv run vestigia demo"
WIDTH = 100


def trimmed(printed: str) -> str:
    """Keep the question, who answered, the first source, the first from another sub-corpus, and how much is on hold.

    `printed` is the demo's output at a width where nothing is wrapped; `…` stands where something is left out.
    """
    head, *sources = re.split(r"\n\n(?= ?\d+\. )", printed.strip())
    first, other = sources[0], next(source for source in sources if sub_corpus(source) != sub_corpus(sources[0]))
    held = re.search(r"^On hold: .*$", printed, re.MULTILINE)
    rows = [shortened(source.split("\n\n")[0]) for source in (first, other)]
    parts = [re.sub(r"run \S+", "run …", head), rows[0], "…", rows[1], "…", held[0] if held else ""]
    return "\n\n".join(wrapped(part) for part in parts if part).replace("\n\n…\n\n", "\n…\n") + "\n"


def shortened(source: str) -> str:
    """Cut the quotation of a row after twelve words, and leave out the one its reason repeats."""
    cut = re.sub(r"^( +)“((?:\S+ ){12})[^”]+”", r"\1“\2…”", source, flags=re.MULTILINE)
    return re.sub(r"^( +accept by .*?: .*?): “.*”$", r"\1: …", cut, flags=re.MULTILINE)


def sub_corpus(source: str) -> str:
    """The sub-corpus in which a source was found, from its path."""
    return source.partition("path: ")[2].partition(" · ")[0]


def wrapped(part: str) -> str:
    """Break lines at the width of the page, the rest indented a little more than their beginning."""
    lines = part.splitlines()
    indents = [" " * (len(line) - len(line.lstrip()) + 3) for line in lines]
    return "\n".join(
        textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        for line, indent in zip(lines, indents, strict=True)
    )


def with_output(readme: str, output: str) -> str:
    """Return the README with this output under the demo's command."""
    before, after = readme.split(f"{COMMAND}\n", 1)
    _, rest = after.split("```\n", 1)
    return f"{before}{COMMAND}\n{output}```\n{rest}"
