"""A model that interprets by a simple script: it quotes the first sentence of each passage, and writes of each."""

import json
from collections.abc import Mapping

from vestigia.domain.archive import Passage
from vestigia.domain.effects import Usage
from vestigia.domain.ids import PassageId
from vestigia.domain.requests import InterpretRequest, QuoteRequest, Request, SynthesisRequest
from vestigia.domain.text import sentence_spans
from vestigia.models.scripted import ScriptedModel


def first_sentence(text: str) -> str:
    start, end = sentence_spans(text)[0]
    return text[start:end]


def _script(request: Request, passages: Mapping[PassageId, Passage]) -> str:
    match request:
        case QuoteRequest():
            quotes = [
                {"passage": shown.passage, "quote": first_sentence(passages[shown.passage].text)}
                for shown in request.passages
            ]
            return json.dumps({"quotes": [*quotes, {**quotes[0], "quote": f"never {quotes[0]['quote']} at all"}]})
        case InterpretRequest():
            claims = [
                {"text": f"A source of {one.date or 'no date'} speaks of it.", "quotes": [one.number]}
                for one in request.quotes
            ]
            loose = {"text": "It is said that “nobody ever wrote this down”.", "quotes": [request.quotes[0].number]}
            bare = {"text": "Everybody agreed.", "quotes": []}
            return json.dumps({"claims": [*claims, loose, bare], "silence": "what became of it"})
        case SynthesisRequest():
            return json.dumps({"claims": [{"text": "Both say so.", "quotes": [request.quotes[0].number]}]})
        case _:
            raise AssertionError(f"it only interprets: {request}")


def interpreter(name: str = "interpreter") -> ScriptedModel:
    """The model of that name."""
    return ScriptedModel(_script, name, Usage(100, 10, 0, 0.001))
