"""T8: one JSON object per call, read strictly and never repaired; T7: slots are overwritten."""

import pytest

from vestigia.domain.evidence import Memory
from vestigia.inquiry.replies import (
    ArgumentsReply,
    BriefReply,
    MemoryReply,
    PlanReply,
    RankReply,
    ReviewReply,
    StepReply,
    UnreadableError,
    read_reply,
    updated,
)


@pytest.mark.parametrize(
    "text",
    [
        '{"order": ["a"]}',
        'Here it is:\n```json\n{"order": ["a"]}\n```\nDone.',
        '{"order": ["draft"]} and, on reflection, {"order": ["a"]}',
        'a {curly} word {"order": ["a"]}',
        '<think>{"order": ["b"]}</think>{"order": ["a"]}',
        '{"order": ["a"]}<THINKING>no, {"order": ["b"]}\n</THINKING>',
        '{"order": ["a"], "confidence": 0.9}',
        'perhaps {"order": ["b"]}\n</think>\n{"order": ["a"]}',
        '<think>{"order": ["b"]}</think>\n```json\n{"order": ["a"]}\n```',
        '```json\n{"order": ["a"]}\n```\n<think>{"order": ["b"]}',
    ],
)
def test_t8_the_last_complete_object_outside_the_thinking_is_the_reply(text):
    assert read_reply(text, RankReply).order == ["a"]


def test_t8_what_an_object_quotes_is_no_thinking():
    quoted = '{"order": ["<think>a</think>", "b</think>{}"]}'
    assert read_reply(quoted, RankReply).order == ["<think>a</think>", "b</think>{}"]
    assert read_reply(f"```json\n{quoted}\n```", RankReply).order == ["<think>a</think>", "b</think>{}"]


@pytest.mark.parametrize(
    "text",
    ['<think>{"order": ["b"]} so I would', '{"order": ["a"', '{"order": ' + "[" * 5000, '{"order": ' + "9" * 5000],
)
def test_t8_thinking_that_never_ends_and_objects_that_are_broken_are_no_reply(text):
    with pytest.raises(UnreadableError):
        read_reply(text, RankReply)


@pytest.mark.parametrize(
    ("text", "shape", "says"),
    [
        ("", StepReply, "no complete JSON object"),
        ("I would search for blockade.", StepReply, "no complete JSON object"),
        ('{"action": "words"', StepReply, "no complete JSON object"),
        ('<think>{"action": "finish"}</think>', StepReply, "no complete JSON object"),
        ('["words"]', StepReply, "no complete JSON object"),
        ("{}", StepReply, "action: Field required"),
        ('{"action": 3}', StepReply, "action: "),
        ('{"action": "words", "args": {"query": 1887}}', StepReply, "args.query: "),
        ('{"action": "date", "args": {"days": "3"}}', StepReply, "args.days: "),
        ('{"action": "date", "args": {"days": 2.5}}', StepReply, "args.days: "),
        ('{"sub_questions": [{"text": "x"}]}', PlanReply, "sub_questions.0.sub_corpus: "),
        ('{"facts": "one"}', BriefReply, "facts: "),
        ('{"action": "words", "thought": "\\ud83d"}', StepReply, "thought: "),
        ("{" * 100_000, StepReply, "no complete JSON object"),
        ('{"a":' * 100_000, StepReply, "no complete JSON object"),
        ('{"a": ' + "9" * 5000 + "}", StepReply, "no complete JSON object"),
        ('{"thought": {"action": "finish"}, oops', StepReply, "no complete JSON object"),
    ],
)
def test_t8_what_cannot_be_read_is_unreadable_and_says_where(text, shape, says):
    with pytest.raises(UnreadableError) as unreadable:
        read_reply(text, shape)
    assert says in str(unreadable.value)


def test_t8_the_inside_of_a_review_that_was_cut_off_is_not_a_review():
    cut = '{"thought": "t", "action": "review", "args": {"verdicts": [{"passage": "a", "verdict": "accept"}]}, "memory'
    with pytest.raises(UnreadableError):
        read_reply(cut, ReviewReply)


def test_t8_the_last_object_is_found_however_much_and_however_often_broken_stands_before_it():
    broken = ("{" * 50_000, '{"a' * 30_000 + '"', '{"a": 1,' * 200 + "{")
    for before in (*broken, "x" * 50_000, '{"order": ["c"]}' * 5_000):
        assert read_reply(f'{before} {{"order": ["a"]}}', RankReply).order == ["a"]


def test_t8_after_a_broken_object_a_whole_one_is_found():
    assert read_reply('{"order": ["b"]; {"order": ["a"]}', RankReply).order == ["a"]


def test_t4_a_range_is_written_from_and_to():
    read = read_reply('{"action": "date", "args": {"from": "1887-01-02", "to": "1887-01-03"}}', StepReply)
    assert read.args == ArgumentsReply.model_validate({"from": "1887-01-02", "to": "1887-01-03"})
    assert (read.args.start, read.args.end, read.args.centre) == ("1887-01-02", "1887-01-03", None)


def test_t7_slots_written_anew_are_overwritten_and_the_others_keep_their_content():
    memory = Memory("found", "analysis", "evidence", "gaps", "next")
    assert updated(memory, MemoryReply(findings="more", gaps="")) == Memory("more", "analysis", "evidence", "", "next")
    every = MemoryReply(findings="1", analysis="2", evidence="3", gaps="4", next_steps="5")
    assert updated(memory, every) == Memory("1", "2", "3", "4", "5")
    assert updated(memory, MemoryReply()) == memory
