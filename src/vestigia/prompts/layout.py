"""How each part of a request is laid out as text: small pure functions from values to lines.

Documents are data. What comes from a document, or from a reply about one, stands on one line or between marks
`[[[` and `]]]` that carry a digest; such marks inside it are broken visibly (`[·[·[`), so that it can neither end
its frame nor pretend to be another. The same is done to the control words of chat formats (`<|im_start|>`, `[INST]`),
which local servers obey wherever they stand.
"""

import re
from collections.abc import Iterable, Mapping

from vestigia.domain.archive import Passage, SubCorpus
from vestigia.domain.evidence import Brief, Memory
from vestigia.domain.ids import PassageId, digest
from vestigia.domain.periods import label
from vestigia.domain.question import SubQuestion, Term
from vestigia.domain.quotations import Claim
from vestigia.domain.requests import Cited, Contender, Reading, Share, Shown, Taken
from vestigia.prompts.excerpts import best_sentences, excerpt

NONE = "(none)"
READING = """\
Of a long passage you see the sentences that speak most to the question; […] marks what is left out. Where you cannot
decide without the rest, give the verdict "read" instead: you will be shown the passage whole. Do so sparingly."""
AHEAD = """\
Then say in `next` what to do after this, as these passages leave it: it is carried out at once, and you review what it
finds."""
NO_AHEAD = "Leave `next` out: it is asked for later."
BRIEF = """\
Then write in `brief` what the next sub-questions receive; they see nothing else of this one. Take it from the accepted
sources, what you promote, the memory and the actions: `facts` with title or date of their source, `dates` no finer than
the source gives them, `entities` in the spelling of the sources, in `gaps` what was searched for and not found, in
`hints` words, names, days and sub-corpora to try. A list with nothing to say is []; at most six entries each. `replan`
is true where the plan must change by it: a gap that another sub-question could fill, or a trail that opens."""
NO_BRIEF = "Leave `brief` and `replan` out: nobody would read them."
_MARK = re.compile(r"\[{3,}|\]{3,}|<\||\|>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>")
_SEARCHES = {
    "words": '"words": the words of a query, with small spelling errors forgiven; best for names and rare words',
    "meaning": '"meaning": passages that say the same in other words; give a full sentence',
    "date": '"date": documents of a time; give "from" and "to", or "centre" and "days"',
    "exact": '"exact": this very string of characters',
}


def unmarked(text: str) -> str:
    """Return the text with runs of three or more square brackets, and control words of chat formats, broken visibly."""
    return _MARK.sub(lambda match: "·".join(match[0]), text)


def line(text: str) -> str:
    """Return the text on one line, its marks broken; white space becomes single spaces."""
    return unmarked(" ".join(text.split()))


def framed(kind: str, text: str) -> str:
    """Return the text between marks that carry its kind and digest: a document cannot know them."""
    seal = digest(text).removeprefix("sha256:")[:12]
    return f"[[[ {kind} {seal}\n{unmarked(text)}\n{seal} {kind} ]]]"


def bullets(lines: Iterable[str]) -> str:
    """Return one line each, or `(none)`."""
    return "\n".join(f"- {one}" for one in lines) or NONE


def archive(sub_corpora: Iterable[SubCorpus], *, names_only: bool = False, others: int = 0) -> str:
    """Describe the sub-corpora in the archive's own words: name, genre, size, languages, time; or name them only.

    `others` is how many more there are.
    """
    if names_only:
        named = [f'"{line(one.name)}" ({one.documents} documents)' for one in sub_corpora]
        return "; ".join([*named, *([f"and {others} other sub-corpora"] if others else [])]) or NONE
    return bullets(_sub_corpus(one) for one in sub_corpora)


def _sub_corpus(one: SubCorpus) -> str:
    facts = [
        line(one.genre),
        line(one.description),
        f"{one.documents} documents ({one.dated} dated), {one.passages} passages",
        f"languages: {', '.join(one.languages)}" if one.languages else "",
        f"time: {label(one.period)}" if one.period else "",
    ]
    return f'"{line(one.name)}": ' + "; ".join(fact for fact in facts if fact)


def question(reading: Reading, *, terms: bool = False) -> str:
    """The question as asked, the limits the researcher set, the dates read in it.

    With `terms` its words in this archive, which only matter where searches are chosen.
    """
    asked = reading.question
    limits = [f'only sub-corpus "{line(name)}"' for name in asked.sub_corpora]
    limits += [f"only the time {label(asked.period)}"] if asked.period else []
    limits += [f"only language {line(name)}" for name in asked.languages]
    dates = (f'{label(period)} (written "{line(period.text)}")' for period in reading.periods)
    parts = {
        "Limits set by the researcher": "; ".join(limits),
        "Dates read in it": "; ".join(dates),
        "Its words in this archive": "; ".join(_term(term) for term in reading.terms) if terms else "",
    }
    return "\n".join([line(asked.text), *(f"{head}: {said}" for head, said in parts.items() if said)])


def _term(term: Term) -> str:
    return f"{line(term.word)} ({f'in {term.documents} documents' if term.documents else 'not attested'})"


def shares(found: Iterable[Share]) -> str:
    """Where a first search of the whole archive found its candidates."""
    return bullets(
        f'"{line(one.sub_corpus)}": {one.candidates} candidates, the best at place {one.best}' for one in found
    )


def sub_question(one: SubQuestion) -> str:
    """A sub-question with its sub-corpus and names."""
    where = f'sub-corpus "{line(one.sub_corpus)}"' if one.sub_corpus else "any sub-corpus"
    names = ", ".join(line(entity.text) + (" (added)" if entity.added else "") for entity in one.entities)
    return f"{line(one.text)} [{where}{f'; names: {names}' if names else ''}]"


def plan(sub_questions: Iterable[SubQuestion]) -> str:
    """Sub-questions, one a line."""
    return bullets(sub_question(one) for one in sub_questions)


def briefs(handed: Iterable[Brief]) -> str:
    """What finished sub-questions handed over (T12)."""
    return "\n".join(framed("brief", _brief(one)) for one in handed) or NONE


def _brief(one: Brief) -> str:
    parts = {"facts": one.facts, "dates": one.dates, "names": one.entities, "gaps": one.gaps, "hints": one.hints}
    return "\n".join(f"{head}: {'; '.join(line(item) for item in items) or NONE}" for head, items in parts.items())


def accepted(taken: Iterable[Taken], earlier: int = 0) -> str:
    """The sources accepted so far, with the reason of each; `earlier` ones are only counted."""
    rows = [
        f"- {line(one.title) or 'untitled'} ({line(one.date) or 'undated'}, {line(one.sub_corpus)}): {line(one.reason)}"
        for one in taken
    ]
    rows = [f"({earlier} accepted earlier)", *rows] if earlier else rows
    return framed("accepted", "\n".join(rows)) if rows else NONE


def memory(slots: Memory, *, filled_only: bool = False) -> str:
    """The five slots (T7), or those of them that hold something."""
    parts = {
        "findings": slots.findings,
        "analysis": slots.analysis,
        "evidence": slots.evidence,
        "gaps": slots.gaps,
        "next_steps": slots.next_steps,
    }
    seen = ((head, line(said)) for head, said in parts.items())
    return "\n".join(f"{head}: {said or '(empty)'}" for head, said in seen if said or not filled_only)


def observation(said: str) -> str:
    """What the last action brought."""
    return framed("observation", said) if said.strip() else NONE


def searches(channels: Iterable[str]) -> str:
    """The searches that can be made now; a channel is named `words` or `meaning:<encoder>`."""
    there = {channel.partition(":")[0] for channel in channels}
    return bullets(said for action, said in _SEARCHES.items() if action in there)


def passages(
    shown: Iterable[Shown], texts: Mapping[PassageId, Passage], sought: Mapping[str, float] | None = None
) -> str:
    """Each passage in its frame, whole or by its best sentences. `sought` maps folded words to weights."""
    return "\n\n".join(_passage(one, _seen(one, _text(one, texts), sought or {})) for one in shown) or NONE


def numbered(
    shown: Iterable[Shown], texts: Mapping[PassageId, Passage], sought: Mapping[str, float], first: int = 1
) -> str:
    """Each passage in its frame with its number, from `first`; none is nothing."""
    frames = []
    for number, one in enumerate(shown, first):
        where = ", ".join(
            line(part) for part in (one.title or "untitled", one.date or "undated", one.sub_corpus) if part
        )
        frames.append(framed(str(number), f"{where}\n{_seen(one, _text(one, texts), sought)}"))
    return "\n".join(frames)


def _seen(one: Shown, text: str, sought: Mapping[str, float]) -> str:
    return excerpt(text, sought, one.words) if one.words else text


def reading(shown: Iterable[Shown]) -> str:
    """How to ask for a passage whole, where only sentences of one are shown."""
    return READING if any(one.words for one in shown) else ""


def held(shown: Iterable[Shown], texts: Mapping[PassageId, Passage], sought: Mapping[str, float]) -> str:
    """Each held passage in its frame, by its best sentences (T11). `sought` maps folded words to weights."""
    return "\n\n".join(_passage(one, _best(one, _text(one, texts), sought)) for one in shown) or NONE


def _best(one: Shown, text: str, sought: Mapping[str, float]) -> str:
    return excerpt(text, sought, one.words) if one.words else best_sentences(text, sought)


def second_look(shown: Iterable[Shown], texts: Mapping[PassageId, Passage], sought: Mapping[str, float]) -> str:
    """The passages that were rejected though other searches point to them, under a heading of their own, or nothing."""
    again = tuple(shown)
    return f"## Rejected before, though several searches found them\n{held(again, texts, sought)}" if again else ""


def _text(one: Shown, texts: Mapping[PassageId, Passage]) -> str:
    return texts[one.passage].text if one.passage in texts else "(the text is no longer in the archive)"


def _passage(one: Shown, text: str) -> str:
    places = ", ".join(f"{standing.channel} {standing.rank}" for standing in one.standings)
    head = {
        "id": one.passage,
        "title": one.title or "untitled",
        "date": one.date or "undated",
        "sub-corpus": one.sub_corpus,
    }
    if not one.words:
        head["found by"] = one.found_by + (f" (places: {places})" if places else "")
    said = (f"{name}: {line(said)}" for name, said in head.items() if said)
    return framed("passage", "\n".join([*said, "text:", text]))


def group(contenders: Iterable[Contender]) -> str:
    """The documents to be ordered, each in its frame, with all that was recorded of it."""
    return "\n\n".join(framed("document", _contender(one)) for one in contenders) or NONE


def _contender(one: Contender) -> str:
    places = [str(place) for place in one.places if place]
    head = [
        f"id: {line(one.document)}",
        f"title: {line(one.title) or 'untitled'}",
        f"date: {line(one.date) or 'undated'}",
        f"sub-corpus: {line(one.sub_corpus)}",
        f"passages accepted: {one.passages}",
    ]
    head += [f"found by {len(places)} of {len(one.places)} searches: places {', '.join(places)}"] if places else []
    return "\n".join([*head, *(f"reason: {line(reason)}" for reason in one.reasons)])


def quotes(cited: Iterable[Cited]) -> str:
    """Quotations that stand in their sources, each in its frame with its number."""
    return "\n\n".join(framed("quotation", _quote(one)) for one in cited) or NONE


def _quote(one: Cited) -> str:
    where = f"{line(one.title) or 'untitled'} ({line(one.date) or 'undated'}, {line(one.sub_corpus)})"
    return f"number: {one.number}\nfrom: {where}\ntext: {line(one.text)}"


def claims(proposed: Iterable[Claim]) -> str:
    """Claims with the numbers of the quotations they rest on."""
    rows = (f"- {line(one.text)} {list(one.quotes)}" for one in proposed)
    return framed("claims", "\n".join(rows)) if proposed else NONE


def concern(said: str) -> str:
    """Why the request is repeated, or nothing."""
    return f"This is asked again, because: {line(said)}" if said.strip() else ""


def warning(said: str) -> str:
    """A warning, or nothing."""
    return f"Warning: {line(said)}" if said.strip() else ""
