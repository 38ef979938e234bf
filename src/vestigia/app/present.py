"""Results as plain data, with the passages' words and citations: what `--json` prints and the pages will show."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from vestigia.app.asking import Answer
from vestigia.domain.archive import DocumentCard, Passage
from vestigia.domain.evidence import Standing
from vestigia.domain.ids import PassageId
from vestigia.domain.periods import label
from vestigia.domain.ports import Corpus
from vestigia.domain.text import words
from vestigia.inquiry.view import OnHold, Result, Source, StageCost, Step

Plain = dict[str, Any]


def answer(answered: Answer, corpus: Corpus) -> Plain:
    """An answer as data; a passage that is no longer in the archive is said to be withdrawn."""
    result = answered.result
    texts = {passage.id: passage for passage in corpus.passages(passages_of(result))}
    return {
        "run": answered.run,
        "question": result.question,
        "model": result.model,
        "finished": result.finished,
        "waits_at": answered.waits_at or None,
        "partial": result.limit or None,
        "plan": [{"id": s.id, "text": s.text, "sub_corpus": s.sub_corpus} for s in result.plan],
        "ranking": [source(row, texts) for row in result.sources],
        "held": [on_hold(row, texts) for row in result.held],
        "removed": [source(row, texts) for row in result.removed],
        "budget": budget(result.stages, result.limit),
        "searched": [{"search": search, "candidates": found} for search, found in result.searched],
        "failures": list(result.failures),
        "missing": list(result.missing),
        "notes": list(result.notes),
    }


def passages_of(result: Result) -> list[PassageId]:
    """Name every passage a result shows."""
    shown = [step.passage for row in (*result.sources, *result.removed) for step in row.steps if step.passage]
    return list(dict.fromkeys([*shown, *(row.passage for row in result.held)]))


def source(row: Source, texts: Mapping[PassageId, Passage]) -> Plain:
    """A row of the ranking."""
    shown = list(dict.fromkeys(step.passage for step in row.steps if step.passage))
    quotes = {step.passage: step.quote for step in row.steps if step.quote}
    return {
        **document(row.card),
        "confirmations": row.confirmations,
        "reasons": [{"reason": s.reason, "by": s.author, "decision": s.decision} for s in row.steps],
        "passages": [passage(name, texts.get(name), quotes.get(name, "")) for name in shown],
        "path": [path(step) for step in row.steps],
    }


def document(card: DocumentCard) -> Plain:
    """A document's description, no finer dated than it is known; an unknown date is None."""
    return {
        "document": card.id,
        "title": card.title,
        "date": label(card.period) if card.period else None,
        "date_as_written": (card.period.text or None) if card.period else None,
        "sub_corpus": card.sub_corpus,
        "citation": citation(card),
        "link": card.provenance.link or None,
        "rights": card.provenance.rights or None,
    }


def citation(card: DocumentCard) -> str:
    """The *Quellenbeleg* (H10): title, date, sub-corpus, file and place in it."""
    date = label(card.period) if card.period else "undated"
    place = f"{card.provenance.file}:{card.provenance.record}" if card.provenance.record else card.provenance.file
    return f"{card.title}, {date}, {card.sub_corpus} [{card.id}; {place}]"


def passage(name: PassageId, found: Passage | None, quote: str) -> Plain:
    """A passage with its words, and whether the quote stands in it."""
    if found is None:
        return {"id": name, "text": None, "withdrawn": True, "quote": quote or None, "quote_check": "cannot be checked"}
    return {
        "id": name,
        "start": found.start,
        "end": found.end,
        "text": found.text,
        "quote": quote or None,
        "quote_check": check_quote(quote, found.text) if quote else None,
    }


def check_quote(quote: str, text: str) -> str:
    """Say whether a quote stands in a text: exact, same after folding, or not found (B8 has more)."""
    if quote in text:
        return "exact"
    return "same after folding" if " ".join(words(quote)) in " ".join(words(text)) else "not found"


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


def on_hold(row: OnHold, texts: Mapping[PassageId, Passage]) -> Plain:
    """A held passage."""
    return {
        **document(row.card),
        "passages": [passage(row.passage, texts.get(row.passage), "")],
        "search": row.search,
        "why": row.why,
    }


def budget(stages: Iterable[StageCost], limit: str) -> Plain:
    """Calls, tokens and money (T16); an unknown price is None, never 0."""
    rows = list(stages)
    return {
        "calls": sum(row.calls for row in rows),
        "unreadable": sum(row.unreadable for row in rows),
        "input_tokens": _total(row.input_tokens for row in rows),
        "output_tokens": _total(row.output_tokens for row in rows),
        "cost": _total(row.cost for row in rows),
        "limit": limit or None,
        "stages": [asdict(row) for row in rows],
    }


def places(standings: Iterable[Standing]) -> str:
    """Channels and ranks in a line: `words #3, characters #1`."""
    return ", ".join(f"{standing.channel} #{standing.rank}" for standing in standings)


def _total(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)
