"""B11: what a ledger says without the words of sources that stay, for every kind of entry there is."""

import json
from dataclasses import replace
from typing import get_args

import pytest

from fakes.samples import bare, bodies, chain, full
from vestigia.app.depositing.rights import Copied, Rights, first_shown
from vestigia.app.depositing.texts import changed, document_of, documents_of, parts_of, texts_of
from vestigia.app.depositing.withholding import released
from vestigia.app.works import Work
from vestigia.domain.archive import DocumentCard
from vestigia.domain.effects import AskModel, Replied, Search
from vestigia.domain.entries import Answered, Asked, Begun, Recorded
from vestigia.domain.events import Acted, Event, Judged, Overruled, Quoted, Scored
from vestigia.domain.evidence import Candidate, Decision, Memory
from vestigia.domain.ids import DocumentId, PassageId, RunId
from vestigia.domain.question import Question
from vestigia.domain.quotations import Outcome, Quote, Seal
from vestigia.domain.requests import JudgeRequest, ReviewRequest
from vestigia.ledger.codec import decode, encode

RUN = RunId("2026-01-02-one-abcdef")
KEPT = DocumentId("stays")
PASSAGE = PassageId("stays#0-9")
SIGN = "« é »"
"""Stands in every text of a full sample."""
NAMES = {
    "author", "claim", "details", "channel", "channels", "checkpoint", "cluster", "date", "document", "documents",
    "each", "gone", "time",
    "id", "judge", "language", "languages", "limit", "missing", "model", "name", "passage", "person", "repeats",
    "sealed_at", "served", "sources", "stratum", "sub_corpora", "sub_corpus", "sub_question", "task", "title", "unread",
    "weights", "withheld", "without", "strata", "by_window", "after", "at", "edtf", "rule", "run", "sub_questions",
}  # fmt: skip
"""Names of parts of the archive, of people and of programs."""
OTHERS = {
    "period",
    "periods",
    "provenance",
    "window",
    "question",
    "rubric",
    "rules",
    "commission",
    "origin",
    "manifest",
}
"""What people, the code or who described the archive wrote."""


class Nothing:
    """No words in a row that stand in a source."""

    def __contains__(self, text: str) -> bool:
        return False


class Words(Nothing):
    """These words stand in one."""

    def __contains__(self, text: str) -> bool:
        return "the very words" in text


def a_work(*later, question="What?") -> Work:
    """A run in which a model is shown a text that stays, at entry 1, and what comes later."""
    first = replace(bare(Begun), question=Question(question), commission=None)
    shown = replace(bare(JudgeRequest), passage=replace(full(JudgeRequest).passage, passage=PASSAGE, document=KEPT))
    lines = chain([first, Asked((AskModel(shown),)), *later], RUN)
    entries = tuple(replace(decode(line, "here"), actor="model:m") for line in lines)
    return Work(RUN, first, entries)


def left(work: Work, copied=None, kept=(KEPT,)):
    return released(work, Rights(dict.fromkeys(kept, "closed")), copied or Nothing())


def where(value: object, path: tuple[str, ...] = ()):
    """Where in JSON a text of a sample still stands."""
    if isinstance(value, str) and SIGN in value:
        yield path
    for name, held in value.items() if isinstance(value, dict) else ():
        yield from where(held, (*path, name))
    for held in value if isinstance(value, list) else ():
        yield from where(held, path)


FULL = [one for one in list(bodies())[len(list(bodies())) // 2 :] if not isinstance(one, Begun)]


@pytest.mark.parametrize("body", FULL, ids=lambda one: type(getattr(one, "event", one)).__name__)
def test_b11_nothing_that_a_model_wrote_leaves_after_it_was_shown_such_a_text_whatever_kind_of_entry(body):
    (*_, line) = left(a_work(body)).lines
    said = json.loads(line)["body"]
    for path in where(said):
        assert path[-1] in NAMES or OTHERS.intersection(path) or "sub_corpora" in path, (path, said)


def test_every_kind_of_event_was_tried():
    tried = {type(one.event) for one in FULL if isinstance(one, Recorded)}
    assert tried == set(get_args(Event))


def test_before_such_a_text_is_shown_and_without_any_the_ledger_leaves_whole():
    work = a_work(*bodies())
    assert left(work, kept=()).lines == tuple(map(encode, work.entries))
    assert left(work).lines[:2] == tuple(map(encode, work.entries[:2]))
    assert first_shown(work.entries, {KEPT}) == 1
    assert first_shown(work.entries, {"other"}) is None


def test_the_same_text_has_the_same_mark_and_names_decisions_days_and_questions_stay():
    verdicts = [{"passage": PASSAGE, "verdict": "accept", "reason": "secret", "quote": "secret", "more": 1.5},
                {"passage": "made up", "verdict": "perhaps", "secret key": "1887-05-02", "quote": " "}]  # fmt: skip
    text = json.dumps({"action": "review", "args": {"verdicts": verdicts, "query": "what?"}})
    work = a_work(Answered((Replied(f"<think>secret</think>{text}", "m"),)))
    (*_, line) = left(work).lines
    reply = json.loads(json.loads(line)["body"]["answers"][0]["text"])
    one, two = reply["args"]["verdicts"]
    assert (one["passage"], one["verdict"]) == (PASSAGE, "accept")
    assert one["reason"] == one["quote"] == "⟦withheld 2⟧"
    assert sorted(one) == ["passage", "quote", "reason", "verdict", "⟦withheld 1⟧"]
    assert (two["passage"], two["verdict"], two["quote"]) == ("⟦withheld 4⟧", "⟦withheld 5⟧", " ")
    assert two["⟦withheld 3⟧"] == "1887-05-02"
    assert reply["args"]["query"] == "what?"
    assert json.loads(line)["withheld"]["texts"] == 6


def test_an_entry_says_how_many_texts_it_lacks_though_they_were_left_out_before():
    again = Recorded(replace(bare(Acted), thought="secret", observation="other"))
    lines = left(a_work(again, again)).lines[2:]
    assert [json.loads(line)["withheld"]["texts"] for line in lines] == [3, 3]


def test_a_reply_that_holds_no_object_or_is_no_whole_one_stays_wholly():
    nonsense, cut = Replied("secret words", "m"), replace(bare(Replied), text='{"a": "secret"}', stop="refused")
    (*_, one, two) = left(a_work(Answered((nonsense,)), Answered((cut,)))).lines
    assert json.loads(one)["body"]["answers"][0]["text"] == "⟦withheld 1⟧"
    assert json.loads(two)["body"]["answers"][0]["text"] == "⟦withheld 2⟧"


def test_what_people_wrote_stays_only_with_words_of_a_source():
    acts = [Recorded(Overruled(KEPT, Decision.REJECT, why, "Ada")) for why in ("too late", "it has the very words")]
    work = a_work(*acts)
    people = tuple(replace(e, actor="person:Ada") if e.number > 1 else e for e in work.entries)
    (*_, one, two) = left(replace(work, entries=people), Words()).lines
    assert json.loads(one)["body"]["event"]["reason"] == "too late"
    assert json.loads(two)["body"]["event"]["reason"] == "⟦withheld 1⟧"


def test_a_reason_that_quotes_stays_with_a_source_that_does_and_leaves_with_another():
    """Of a source that is gone no words can be compared, and a short quotation is no run of words."""
    acts = [Recorded(Overruled(name, Decision.REJECT, "it has “dear”", "Ada")) for name in (KEPT, DocumentId("free"))]
    work = a_work(*acts)
    people = tuple(replace(e, actor="person:Ada") if e.number > 1 else e for e in work.entries)
    (*_, one, two) = left(replace(work, entries=people)).lines
    assert json.loads(one)["body"]["event"]["reason"] == "⟦withheld 1⟧"
    assert json.loads(two)["body"]["event"]["reason"] == "it has “dear”"


def test_what_a_person_quotes_of_a_source_that_stays_stays():
    scored = Scored(PASSAGE, KEPT, 7, "it says so", "words", "Ada")
    work = a_work(Recorded(scored), Recorded(replace(scored, document=DocumentId("free"))))
    people = tuple(replace(e, actor="person:Ada") if e.number > 1 else e for e in work.entries)
    (*_, one, two) = left(replace(work, entries=people)).lines
    assert (json.loads(one)["body"]["event"]["score"], json.loads(one)["body"]["event"]["quote"]) == (7, "⟦withheld 2⟧")
    assert json.loads(two)["body"]["event"]["quote"] == "words"


def test_a_passage_that_only_a_model_names_is_its_text_too():
    made_up = Quote(1, PassageId("secret words"), None, "t", Seal(Outcome.UNCHECKABLE))
    known = Quote(2, PASSAGE, None, "t", Seal(Outcome.UNCHECKABLE))
    searched = Recorded(replace(bare(Judged), memory=Memory()))
    work = a_work(searched, Recorded(Quoted(1, (made_up, known))), Asked((full(Search),)))
    line = left(work).lines[3]
    assert "secret" not in line.decode()
    assert json.loads(line)["body"]["event"]["quotes"][0]["passage"].startswith("⟦withheld ")


def test_descriptions_of_a_document_leave_unless_they_have_its_words():
    card = replace(
        bare(DocumentCard), id=KEPT, title="A letter", details=(("sender", "Ada"), ("copy", "the very words"))
    )
    held = Recorded(replace(full(Acted), thought=""))
    work = a_work(Answered((replace(bare_described(), cards=(card,)),)), held)
    line = json.loads(left(work, Words()).lines[2])
    (said,) = line["body"]["answers"][0]["cards"]
    assert (said["title"], said["details"]) == ("A letter", [["sender", "Ada"], ["copy", "⟦withheld 1⟧"]])


def bare_described():
    from vestigia.domain.effects import Described

    return Described()


def test_only_the_prompts_sent_after_such_a_text_was_shown_stay():
    before = Answered((replace(bare(Replied), text="{}", prompt=full(Replied).prompt),))
    work = a_work(before)
    assert set(left(work).prompts) == {full(Replied).prompt}
    assert list(left(work, kept=()).prompts) == []


def test_texts_are_found_and_changed_at_any_depth_and_what_is_not_changed_is_the_same_object():
    for body in bodies():
        assert changed(body, lambda _kind, _name, text: text) is body
    event = Recorded(replace(full(Judged), unread=()))
    upper = changed(event, lambda _kind, name, text: text.upper() if name == "reason" else text)
    assert upper.event.verdicts[0].reason == event.event.verdicts[0].reason.upper()
    assert event.event.verdicts[0].quote in list(texts_of(event))
    assert all(isinstance(part, object) for part in parts_of(event))


def test_documents_are_named_by_themselves_and_by_their_passages():
    request = replace(bare(ReviewRequest), passages=(replace(full(ReviewRequest).passages[0], passage=PASSAGE),))
    assert document_of(PASSAGE) == KEPT
    assert KEPT in list(documents_of(request))
    assert list(documents_of((Candidate(DocumentId("a"), PassageId("b#1-2"), 0, ()),))) == ["a", "b"]


class Shelf:
    """A catalogue of texts."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def document(self, name):
        return type("Whole", (), {"text": self.texts[name]}) if name in self.texts else None


def test_five_words_in_a_row_of_a_source_that_stays_are_its_words_unless_another_has_them_that_may_leave():
    shelf = Shelf(stays="The Bridge, over the river; was built of stone.", free="It was built of stone, they say.")
    whys = ("the bridge OVER the river", "bridge over the", "river was built of stone", "it was built of stone")
    said = [Recorded(Overruled(KEPT, Decision.REJECT, why, "Ada")) for why in whys]
    rights = Rights({KEPT: "closed", DocumentId("gone"): "withdrawn"}, (DocumentId("free"),))
    copied = Copied([a_work(*said)], rights, shelf)
    assert "he wrote of the bridge over the river" in copied
    assert "bridge over the" not in copied
    assert "river was built of stone" in copied
    assert "it was built of stone" not in copied
    assert "anything" not in Copied([a_work(*said)], Rights({}), shelf)
