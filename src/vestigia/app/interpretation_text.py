"""An interpretation as a Markdown text: labelled over and over, every claim with its quotations and their places.

Nothing leaves with a quotation that is not sealed unless a person signs for it (B8).
"""

from collections.abc import Sequence

from vestigia.app.interpreting import read, shown
from vestigia.app.present import Plain
from vestigia.app.works import Work
from vestigia.app.workspace import Workspace
from vestigia.domain.errors import UsageError

_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})
TOGETHER = "All questions together"


def markdown(workspace: Workspace, works: Sequence[Work], *, closed: bool = False) -> str:
    """Write interpretations side by side. Raises UsageError naming every claim that nobody has signed for."""
    for work in works:
        unsigned = read(work).unsigned
        if unsigned:
            named = "; ".join(f"claim {one.claim.id}: “{'”, “'.join(one.unsealed)}”" for one in unsigned)
            raise UsageError(
                f"quotations are not sealed ({named}).",
                where=f"run {work.run}",
                remedy=f"Sign for them, `vestigia contest ARCHIVE {work.run} CLAIM --sign --as NAME`, then write it, "
                f"`vestigia interpret ARCHIVE {work.run} --out FILE`; or have it written anew.",
            )
    return "\n\n---\n\n".join("\n".join(_text(shown(workspace, work, closed=closed))) for work in works) + "\n"


def _text(found: Plain) -> list[str]:
    lines = [f"# {_plain(' / '.join(found['questions']))}", "", f"> **{_plain(found['label'])}**", ""]
    lines += [f"The dossier, in the words of who sealed it: {_plain(found['dossier']['statement'] or '')}"]
    if found["partial"]:
        lines += ["", f"*Partial: the budget of {_plain(found['partial'])} was reached.*"]
    for chapter in found["chapters"]:
        lines += ["", f"## {_plain(chapter['question'] or TOGETHER)}", "", f"*{_plain(found['label'])}*", ""]
        lines += [line for claim in chapter["claims"] for line in _claim(claim)]
        if chapter["why"]:
            lines += [f"Not written or not read: {_plain(chapter['why'])}", ""]
        if chapter["silence"]:
            lines += [f"What the sources leave open, in the model's words: {_plain(chapter['silence'])}", ""]
    return [*lines, "", "## Quotations", "", *(_quote(q) for chapter in found["chapters"] for q in chapter["quotes"])]


def _claim(claim: Plain) -> list[str]:
    marks = [] if claim["proven"] else ["**unproven**"]
    marks += [f"not sealed: {_plain(text)}" for text in claim["unsealed"]]
    for said in claim["remarks"]:
        verb = {"contest": "contested", "sign": "signed for", "note": "noted"}[said["remark"]]
        marks.append(f"**{verb} by {_plain(said['by'])}**{': ' + _plain(said['reason']) if said['reason'] else ''}")
    cited = "".join(f" [q{number}]" for number in claim["quotes"])
    return [f"{claim['id']} {_plain(claim['text'])}{cited}{' (' + '; '.join(marks) + ')' if marks else ''}", ""]


def _quote(quote: Plain) -> str:
    if not quote["sealed"]:  # no claim rests on it; its words do not leave as if they were the source's
        return f"- [q{quote['number']}] not sealed: {quote['outcome']}; the record has it ({_plain(quote['passage'])})"
    words = f"“{_plain(quote['text'])}”" if quote["text"] is not None else f"({quote['withheld']} source)"
    where = ", ".join(f"{start}-{end}" for start, end in quote["spans"])
    place = f", characters {where}" if where else ""
    source = _plain(quote["citation"] or quote["passage"])
    return f"- [q{quote['number']}] {words} {source}{place}; {quote['outcome']}"


def _plain(text: str) -> str:
    """Text on one line, none of its signs taken for Markdown."""
    return " ".join(text.split()).translate(_SIGNS)
