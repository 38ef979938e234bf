"""Results as plain data, with the passages' words and citations: what `--json` prints and the pages will show."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import PurePath
from typing import Any

from vestigia.app import places as on_pages
from vestigia.app.asking import Answer
from vestigia.corpus.catalogue import Catalogue
from vestigia.domain.archive import Access, Anchor, DocumentCard, Passage
from vestigia.domain.evidence import Standing
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.periods import label
from vestigia.domain.question import SubQuestion
from vestigia.inquiry.contested import Contested, EditedPlan
from vestigia.inquiry.quotes.seal import seal
from vestigia.inquiry.view import OnHold, Result, Source, StageCost, Step

Plain = dict[str, Any]


WITHDRAWN, REPLACED, CLOSED = "withdrawn", "replaced", "closed"
"""Why a text is withheld: the document is gone, another version took its place, or it may not be shown unasked."""
_QUOTED = re.compile('“[^”]*”?|«[^»]*»?|„[^“”]*[“”]?|"[^"]*"?')


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the archive has today of what a run shows: cards by document, passages, and what is another version now.

    With `closed` the texts of closed documents are shown. `anchors` say where passages stand on pages.
    """

    cards: Mapping[DocumentId, DocumentCard]
    passages: Mapping[PassageId, Passage]
    replaced: Collection[DocumentId] = ()
    closed: bool = False
    anchors: Mapping[PassageId, Sequence[Anchor]] = field(default_factory=dict)

    def passage(self, name: PassageId, quote: str = "", withheld: str = "") -> Plain:
        """A passage as data, with where it stands on pages."""
        return passage(name, self.passages.get(name), quote, withheld, self.anchors.get(name, ()))

    def withheld(self, card: DocumentCard) -> str:
        """Say why the text of a document that a run recorded is not shown; empty when it is."""
        return withheld(self.cards.get(card.id), there=card.id not in self.replaced, closed=self.closed)

    def withheld_of(self, document: DocumentId, passage: PassageId) -> str:
        """Say why a passage of a set is not shown: its document is gone, has another text now, or is closed."""
        there = passage in self.passages and document not in self.replaced
        return withheld(self.cards.get(document), there=there, closed=self.closed)


def withheld(today: DocumentCard | None, *, there: bool, closed: bool) -> str:
    """Say why a text is not shown, of a document as it is `today`; `there`: it has the text still. Empty when shown."""
    if today is None:
        return WITHDRAWN
    if not there:
        return REPLACED
    return CLOSED if today.access is Access.CLOSED and not closed else ""


def answer(answered: Answer, catalogue: Catalogue, *, closed: bool = False) -> Plain:
    """An answer as data; of what the archive has no longer, or may not show, neither text nor quotation is given."""
    result = answered.result
    held = holdings(answered, catalogue, closed=closed)
    return {
        "run": answered.run,
        "question": result.question,
        "model": result.model,
        "finished": result.finished,
        "waits_at": answered.waits_at or None,
        "partial": result.limit or None,
        "plan": [sub_question(one) for one in result.plan],
        "ranking": [source(row, held) for row in result.sources],
        "held": [on_hold(row, held) for row in result.held],
        "removed": [source(row, held) for row in result.removed],
        "paused": result.paused or None,
        "estimate": asdict(answered.estimate) if answered.estimate else None,
        "budget": {**budget(result.stages, result.limit), "time": asdict(answered.times)},
        "searched": [{"search": search, "candidates": found} for search, found in result.searched],
        "failures": list(result.failures),
        "missing": list(result.missing),
        "notes": list(result.notes),
        "changes": {
            "plan": [edited_plan(one) for one in result.plans],
            "decisions": [decision(one, held) for one in result.contested],
        },
    }


def edited_plan(edited: EditedPlan) -> Plain:
    """What a person changed in the plan."""
    return {
        "by": edited.author,
        "dropped": [sub_question(one) for one in edited.dropped],
        "added": [sub_question(one) for one in edited.added],
        "replaced": [{"before": sub_question(one.before), "after": sub_question(one.after)} for one in edited.replaced],
    }


def decision(row: Contested, held: Holdings) -> Plain:
    """A person's decision beside the machine's; a reason quotes nothing of a text that is not shown."""
    why = held.withheld(row.card)
    return {
        "document": row.card.id,
        "title": row.card.title,
        "machine": row.machine,
        "machine_reason": without_quotes(row.machine_reason) if why else row.machine_reason,
        "person": row.person,
        "reason": row.reason,
        "by": row.author,
        "place_before": row.before,
        "place_now": row.after,
    }


def sub_question(asked: SubQuestion) -> Plain:
    """A sub-question of a plan."""
    return {"id": asked.id, "text": asked.text, "sub_corpus": asked.sub_corpus}


def holdings(answered: Answer, catalogue: Catalogue, *, closed: bool) -> Holdings:
    """Look up what the archive has today of what a run shows."""
    result = answered.result
    documents = [row.card.id for row in (*result.sources, *result.removed)] + [row.card.id for row in result.held]
    documents += [row.card.id for row in result.contested]
    shown = passages_of(result)
    return Holdings(
        {card.id: card for card in catalogue.documents(documents)},
        {passage.id: passage for passage in catalogue.passages(shown)},
        catalogue.changed_texts(answered.corpus, documents),
        closed,
        catalogue.anchors(shown),
    )


def passages_of(result: Result) -> list[PassageId]:
    """Name every passage a result shows."""
    shown = [step.passage for row in (*result.sources, *result.removed) for step in row.steps if step.passage]
    return list(dict.fromkeys([*shown, *(row.passage for row in result.held)]))


def source(row: Source, held: Holdings) -> Plain:
    """A row of the ranking."""
    shown = list(dict.fromkeys(step.passage for step in row.steps if step.passage))
    quotes = {step.passage: step.quote for step in row.steps if step.quote}
    why = held.withheld(row.card)
    steps = [replace(step, reason=without_quotes(step.reason)) for step in row.steps] if why else row.steps
    passages = [held.passage(name, quotes.get(name, ""), why) for name in shown]
    return {
        **document(row.card, why, cited_pages(passages)),
        "confirmations": row.confirmations,
        "repeats": row.repeats,
        "reasons": [{"reason": s.reason, "by": s.author, "decision": s.decision} for s in steps],
        "passages": passages,
        "path": [path(step) for step in steps],
    }


def document(card: DocumentCard, withheld: str = "", pages: str = "") -> Plain:
    """A document's description, no finer dated than it is known; an unknown date is None.

    `withheld` says why its text is not given, or nothing; `pages` are those to be cited.
    """
    return {
        "document": card.id,
        "title": card.title,
        "date": label(card.period) if card.period else None,
        "date_as_written": (card.period.text or None) if card.period else None,
        "sub_corpus": card.sub_corpus,
        "citation": citation(card, pages),
        "link": card.provenance.link or None,
        "rights": card.provenance.rights or None,
        "access": card.access or None,
        "withheld": withheld or None,
    }


def without_quotes(reason: str) -> str:
    """A reason without what it quotes: the words of a text that is not shown."""
    return _QUOTED.sub("“…”", reason)


def citation(card: DocumentCard, pages: str = "") -> str:
    """The *Quellenbeleg* (H10): title, date, sub-corpus, pages if it has any (`p. 3`), file and place in it."""
    date = label(card.period) if card.period else "undated"
    file = file_shown(card.provenance.file)
    place = f"{file}:{card.provenance.record}" if card.provenance.record else file
    named = ", ".join(part for part in (card.title, date, card.sub_corpus, pages) if part)
    return f"{named} [{card.id}; {place}]"


def file_shown(file: str) -> str:
    """A file as everybody may see it: of a path from the root of a machine, the folder and the name."""
    path = PurePath(file)
    absolute = path.is_absolute() or file[1:3] in {":/", ":\\"}
    return "/".join(path.parts[-2:]).lstrip("/") if absolute else file


def cited_pages(passages: Iterable[Plain]) -> str:
    """The pages that a citation names: those of the quotations where they can be found, else of the passages."""
    return on_pages.cited(
        place["page"] for one in passages for place in one["quote_lines"] or one["pages"] or () if place["page"]
    )


def passage(
    name: PassageId, found: Passage | None, quote: str, withheld: str = "", anchors: Sequence[Anchor] = ()
) -> Plain:
    """A passage with its words, and whether the quote stands in it; where the text is withheld, neither.

    `pages` says where it stands on pages, `quote_lines` on which lines the quote stands; None for a text without pages.
    """
    why = withheld or (WITHDRAWN if found is None else "")
    given = None if why else found
    quoted = on_pages.lines_of(quote, given, anchors) if given and quote else ()
    return {
        "id": name,
        "start": given.start if given else None,
        "end": given.end if given else None,
        "text": given.text if given else None,
        "quote": quote or None if given else None,
        "quote_check": seal(quote, given.text).outcome if given and quote else None,
        "pages": on_pages.pages(anchors) or None if given else None,
        "quote_lines": [on_pages.line(one) for one in quoted] or None,
        "withheld": why or None,
    }


def path(step: Step) -> Plain:
    """One way to a source."""
    return {
        "sub_question": step.sub_question or None,
        "sub_corpus": step.sub_corpus or None,
        "search": step.search or None,
        "found_by": [asdict(standing) for standing in step.standings],
        "verdict": step.decision,
        "reason": step.reason,
        "passage": step.passage,
        "by": step.author,
    }


def on_hold(row: OnHold, held: Holdings) -> Plain:
    """A held passage."""
    why = held.withheld(row.card)
    shown = [held.passage(row.passage, "", why)]
    return {
        **document(row.card, why, cited_pages(shown)),
        "passages": shown,
        "search": row.search,
        "why": without_quotes(row.why) if why else row.why,
        "repeats": row.repeats,
    }


def budget(stages: Iterable[StageCost], limit: str) -> Plain:
    """Calls, tokens and money (T16); an unknown price is None, never 0."""
    rows = list(stages)
    return {
        "calls": sum(row.calls for row in rows),
        "unreadable": sum(row.unreadable for row in rows),
        "input_tokens": _total(row.input_tokens for row in rows),
        "output_tokens": _total(row.output_tokens for row in rows),
        "cached_tokens": _total(row.cached_tokens for row in rows),
        "cost": _total(row.cost for row in rows),
        "refused": sum(row.refused for row in rows),
        "limit": limit or None,
        "stages": [asdict(row) for row in rows],
    }


def places(standings: Iterable[Standing]) -> str:
    """Channels and ranks in a line: `words #3, characters #1`."""
    return ", ".join(f"{standing.channel} #{standing.rank}" for standing in standings)


def _total(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)
