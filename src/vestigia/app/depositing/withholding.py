"""A ledger as it may leave: whole where it can be, else without the words of sources that stay (B11).

From the first entry at which a model was shown such a source, nothing that a model wrote leaves: not its replies, not
what was made of them. That is more than is needed, but what a model read it may repeat anywhere, in other words too.
Before that entry, and in what people wrote, a text stays only where it has words of such a source in a row, or where it
quotes something in a decision about one. Names of
documents and passages, decisions, scores, places, dates and counts all leave: the ranking can be made again of them.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from vestigia.app.depositing.rights import Copied, Rights, first_shown
from vestigia.app.depositing.texts import BY_PEOPLE, Value, changed, parts_of
from vestigia.app.present import without_quotes
from vestigia.app.works import Work
from vestigia.domain.archive import DocumentCard, SubCorpus
from vestigia.domain.commissions import InterpretOrder, Item
from vestigia.domain.effects import Replied, Stop
from vestigia.domain.entries import Answered, Entry
from vestigia.domain.events import Quoted, Scored
from vestigia.domain.evidence import Candidate, Decision, Hit
from vestigia.domain.ids import Digest, PassageId
from vestigia.domain.quotations import Quote
from vestigia.domain.requests import Shown
from vestigia.domain.text import fold
from vestigia.inquiry import actions, replies
from vestigia.inquiry.replies import Reply, last_object, spoken
from vestigia.inquiry.review import READ, UNMENTIONED
from vestigia.ledger import withheld
from vestigia.ledger.codec import encode
from vestigia.ledger.withheld import Withheld

MARK = re.compile(r"⟦withheld \d+⟧")
"""What stands in place of a text; the same text has the same number."""
_DAY = re.compile(r"-?\d{4,6}(?:-\d\d(?:-\d\d)?)?")
_KINDS = [kind for kind in vars(replies).values() if isinstance(kind, type) and issubclass(kind, Reply)]
_KEYS = frozenset(field.alias or name for kind in _KINDS for name, field in kind.model_fields.items())
_WORDS = frozenset({*(decision.value for decision in Decision), READ, UNMENTIONED, *actions.ACTIONS})
"""Words of a reply by which the core decides."""


@dataclass(frozen=True, slots=True)
class Released:
    """A ledger that may leave: its lines, which entries lack texts, and the prompts that stay, by digest."""

    lines: tuple[bytes, ...]
    incomplete: tuple[int, ...] = ()
    prompts: Collection[Digest] = ()


def released(work: Work, rights: Rights, copied: Copied, sent: Mapping[Digest, str] | None = None) -> Released:
    """Return a run's ledger as it may leave; `sent` are the words of the prompts of `sent_before`."""
    start = first_shown(work.entries, rights.kept_back)
    question = "" if work.first.question.text in copied else fold(work.first.question.text)
    known = {text for text in _known(work) if text not in copied}
    cut = _Cut(known, copied, set(rights.kept_back), question, len(work.entries) if start is None else start)
    lines, incomplete = [], []
    for entry in work.entries:
        line, body = encode(entry), cut.body(entry)
        if body is not entry.body:
            texts = len(MARK.findall(str(body))) - len(MARK.findall(str(entry.body)))
            line = withheld.write(replace(entry, body=body), Withheld(len(line), texts))
            incomplete.append(entry.number)
        lines.append(line)
    free = {key for key in sent_before(work, rights) if (sent or {}).get(key, "") not in copied}
    prompts = tuple(key for _, key in prompts_of(work.entries) if key not in free)
    return Released(tuple(lines), tuple(incomplete), prompts)


def sent_before(work: Work, rights: Rights) -> tuple[Digest, ...]:
    """The prompts that were sent before a model was shown a text that stays."""
    start = first_shown(work.entries, rights.kept_back)
    found = (key for number, key in prompts_of(work.entries) if start is None or number <= start)
    return tuple(dict.fromkeys(found))


def prompts_of(entries: Iterable[Entry]) -> Iterator[tuple[int, Digest]]:
    """Every prompt that a reply answers, with the entry of the reply."""
    for entry in entries:
        for answer in entry.body.answers if isinstance(entry.body, Answered) else ():
            if isinstance(answer, Replied) and answer.prompt:
                yield entry.number, answer.prompt


def _known(work: Work) -> set[str]:
    """Texts that leave in any case: names of the archive's parts, and the questions put to a dossier."""
    order = work.first.commission
    known = {*_WORDS, *(order.questions if isinstance(order, InterpretOrder) else ())}
    for entry in work.entries:
        for part in parts_of(entry.body):
            if isinstance(part, Candidate | Hit | Item | Shown | DocumentCard):
                known.update((getattr(part, "document", ""), getattr(part, "passage", ""), getattr(part, "id", "")))
            elif isinstance(part, SubCorpus):
                known.add(part.name)
    return known - {""}


@dataclass
class _Cut:
    """Leaves texts out of the bodies of one run; `numbers` says which text has which mark."""

    known: Collection[str]
    copied: Copied
    kept_back: Collection[str]
    question: str
    start: int
    numbers: dict[str, int] = field(default_factory=dict)

    def body(self, entry: Entry) -> Value:
        """The body as it may leave; the same object where it may leave whole."""
        person = entry.actor.startswith("person:")
        machine = entry.number > self.start and not person
        about = getattr(getattr(entry.body, "event", None), "document", None) in self.kept_back

        def change(kind: type, name: str, text: str) -> str:
            if not text.strip() or text in self.known or MARK.fullmatch(text) or self._is_asked(text):
                return text
            if kind is Replied and name == "text":
                return self._reply(text, wholly=machine) if machine or text in self.copied else text
            quoting = about and person and without_quotes(text) != text
            by_model = machine and kind is not DocumentCard and kind not in BY_PEOPLE
            if by_model or quoting or text in self.copied:
                return self._mark(text)
            return text

        body = entry.body
        if isinstance(body, Answered):
            body = replace(body, answers=tuple(self._refusal(one, machine=machine) for one in body.answers))
            body = entry.body if body == entry.body else body
        return changed(self._quoted(body, machine=machine), change)

    def _is_asked(self, text: str) -> bool:
        """Whether it is the question, or words of it."""
        return bool(self.question) and fold(text) in self.question

    def _quoted(self, body: Value, *, machine: bool) -> Value:
        """What a person quotes of a source that stays, stays too; so does a passage that only a model names."""
        event = getattr(body, "event", None)
        if machine and isinstance(event, Quoted):
            quotes = tuple(self._located(quote) for quote in event.quotes)
            return body if quotes == event.quotes else replace(body, event=replace(event, quotes=quotes))
        if isinstance(event, Scored) and event.document in self.kept_back and (event.quote or event.argument):
            argument, quote = (self._mark(text) if text else "" for text in (event.argument, event.quote))
            return replace(body, event=replace(event, argument=argument, quote=quote))
        return body

    def _located(self, quote: Quote) -> Quote:
        if quote.document is not None or quote.passage in self.known or not quote.passage:
            return quote
        return replace(quote, passage=PassageId(self._mark(quote.passage)))

    def _refusal(self, answer: Value, *, machine: bool) -> Value:
        """A reply that is no whole one says nothing that the core reads: it stays wholly."""
        if machine and isinstance(answer, Replied) and answer.stop is not Stop.ENDED and answer.text:
            return replace(answer, text=self._mark(answer.text))
        return answer

    def _mark(self, text: str) -> str:
        return f"⟦withheld {self.numbers.setdefault(text, len(self.numbers) + 1)}⟧"

    def _reply(self, text: str, *, wholly: bool) -> str:
        """The object that the core reads out of a reply, with its names, numbers and decisions alone.

        Unless it has to go `wholly`, with those of its texts too that are no words of sources that stay.
        """
        found = last_object(spoken(text))
        if found is None:
            return self._mark(text)
        return json.dumps(self._value(found, wholly=wholly), ensure_ascii=False)

    def _value(self, value: Value, *, wholly: bool) -> Value:
        if isinstance(value, dict):
            keys = {key: key if key in _KEYS else self._mark(key) for key in value}
            return {keys[key]: self._value(held, wholly=wholly) for key, held in value.items()}
        if isinstance(value, list):
            return [self._value(one, wholly=wholly) for one in value]
        if isinstance(value, str) and not wholly and value not in self.copied:
            return value
        if not isinstance(value, str) or not value.strip() or value in self.known or _DAY.fullmatch(value):
            return value
        return value if self._is_asked(value) else self._mark(value)
