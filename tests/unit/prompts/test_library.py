"""A prompt that cannot be filled is refused when it is loaded, with its file and the name that is wrong."""

import json
from dataclasses import replace

import pytest

from golden.prompts.cases import LIBRARY, shipped
from vestigia.domain.errors import SettingsError
from vestigia.prompts.library import INPUTS, Library, Prompt

RANK = """---
name: rank
version: 7
inputs: concern, confirmations, group, question, reply
reply: {"order": ["first",
  "second"]}
---
Order $group for $question ($confirmations).

$concern

$reply
"""


SHORT = ("turn", "close")
"""Those of `rules.concise`."""


def with_rank(text: str) -> Library:
    return Library.parse({**shipped(), "rank": text})


def refusal(text: str) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        with_rank(text)
    return caught.value


def test_the_shipped_prompts_are_the_seven():
    assert [prompt.name for prompt in LIBRARY.prompts] == sorted(INPUTS)


@pytest.mark.parametrize("name", INPUTS)
def test_a_shipped_prompt_declares_what_its_request_fills(name):
    assert sorted(LIBRARY.named(name).inputs) == sorted(INPUTS[name])


@pytest.mark.parametrize("name", SHORT)
def test_a_short_prompt_says_the_reply_once_before_what_changes(name):
    text = LIBRARY.named(name).text

    assert text.count("$reply") == 1
    assert text.index("$reply") < text.index("$question")
    assert text.endswith(("nothing else.", "every passage judged."))


@pytest.mark.parametrize("name", [name for name in INPUTS if name not in SHORT])
def test_a_shipped_prompt_says_the_reply_first_and_repeats_it_at_the_end(name):
    text = LIBRARY.named(name).text

    assert text.count("$reply") == 2
    assert text.endswith("$reply")
    assert text.index("$reply") < text.index("$question")


@pytest.mark.parametrize("name", INPUTS)
def test_a_shipped_prompt_puts_what_changes_after_what_stays(name):
    text = LIBRARY.named(name).text
    stays = [
        "$archive",
        "$question",
        "$plan",
        "$briefs",
        "$sub_question",
        "$accepted",
        "$observation",
        "$passages",
        "$concern",
    ]

    order = [text.index(field + "\n") for field in stays if field + "\n" in text]

    assert order == sorted(order)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("plan", ["sub_questions", "thought"]),
        ("step", ["action", "args", "memory_update", "thought"]),
        ("review", ["action", "args", "memory_update", "thought"]),
        ("reevaluate", ["promote", "thought"]),
        ("turn", ["memory_update", "next", "rejected", "thought", "verdicts"]),
        ("close", ["brief", "promote", "replan", "thought"]),
        ("brief", ["dates", "entities", "facts", "gaps", "hints"]),
        ("replan", ["sub_questions", "thought"]),
        ("rank", ["order", "thought"]),
    ],
)
def test_a_shipped_reply_is_an_example_of_the_one_object_expected(name, keys):
    assert sorted(json.loads(LIBRARY.named(name).reply)) == keys


def test_a_workspace_may_shadow_a_prompt():
    shadowed = with_rank(RANK).named("rank")

    assert shadowed.version == "7"
    assert shadowed.text.startswith("Order $group for $question")


def test_an_indented_header_line_continues_the_one_before():
    assert with_rank(RANK).named("rank").reply == '{"order": ["first", "second"]}'


def test_the_digest_tells_what_was_used():
    assert Library.parse(shipped()).digest == LIBRARY.digest
    assert with_rank(RANK).digest != LIBRARY.digest


def test_the_order_in_which_files_are_read_does_not_matter():
    backwards = dict(reversed(shipped().items()))

    assert Library.parse(backwards) == LIBRARY


def test_line_ends_and_byte_order_marks_of_other_systems_do_not_matter():
    windows = {name: "\ufeff" + text.replace("\n", "\r\n") for name, text in shipped().items()}

    assert Library.parse(windows) == LIBRARY


def test_an_unknown_prompt_is_refused():
    with pytest.raises(SettingsError, match=r"prompts/weigh\.md: no prompt has this name"):
        Library.parse({**shipped(), "weigh": RANK})


def test_a_missing_prompt_is_refused():
    with pytest.raises(SettingsError, match=r"prompts/rank\.md: this prompt is missing"):
        Library.parse({name: text for name, text in shipped().items() if name != "rank"})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("Order $group.", "the header is missing"),
        (RANK.replace("name: rank", "name: plan"), "calls this prompt 'plan'"),
        (RANK.replace("version: 7\n", ""), "no `version`"),
        (RANK.replace("version: 7", "version:"), "no `version`"),
        (RANK.replace("name: rank\n", ""), "no `name`"),
        (RANK.replace("inputs: concern, confirmations, group, question, reply\n", ""), "no `inputs`"),
        (RANK.replace("version: 7", "versoin: 7"), "'versoin: 7' is not understood"),
        (RANK.replace("version: 7", "version: 7\nversion: 8"), "'version: 8' is not understood"),
        (RANK.replace("version: 7", "version"), "'version' is not understood"),
        (RANK.replace('"second"]}', '"second"}'), "`reply` is not JSON"),
        (RANK.replace('{"order": ["first",\n  "second"]}', '["first"]'), "not a JSON object"),
        (RANK.replace("$question", "the question"), "$question is missing from the text"),
        (RANK.replace("$reply", ""), "$reply is missing from the text"),
        (RANK.replace("$concern", "$concern $passages"), "$passages is unknown to this prompt"),
        (RANK.replace("concern, confirmations", "concern, confirmations, colour"), "$colour is unknown to this prompt"),
        (RANK.replace("concern, confirmations", "confirmations"), "$concern is missing from the header's `inputs`"),
        (RANK.replace("Order", "For 5 $ order"), "a $ stands without a name"),
    ],
)
def test_a_prompt_that_cannot_be_filled_is_refused_with_its_file_and_the_fault(wrong, said):
    error = refusal(wrong)

    assert error.where == "prompts/rank.md"
    assert said in error.what
    assert error.remedy


def test_a_dollar_sign_is_written_twice():
    paid = with_rank(RANK.replace("Order", "For $$5 order")).named("rank")

    assert paid.filled(dict.fromkeys(paid.inputs[:-1], "x")).startswith("For $5 order x")


def test_a_heading_stands_only_over_something():
    prompt = Prompt("rank", "1", ("group", "question", "reply"), "{}", "## Group\n$group\nof $question\n\n$reply")

    assert prompt.filled({"group": "", "question": ""}) == "{}\n"
    assert prompt.filled({"group": "", "question": "Q"}) == "## Group\n\nof Q\n\n{}\n"


def test_a_paragraph_that_comes_out_empty_is_left_out():
    prompt = Prompt("rank", "1", ("concern", "reply"), "{}", "First.\n\n$concern\n\nLast: $reply")

    assert prompt.filled({"concern": ""}) == "First.\n\nLast: {}\n"
    assert prompt.filled({"concern": "Again."}) == "First.\n\nAgain.\n\nLast: {}\n"


def test_blank_lines_and_names_inside_a_value_stay_as_they_are():
    prompt = replace(LIBRARY.named("rank"), text="$concern\n\n$reply", reply="{}")

    assert prompt.filled({"concern": "one\n\n\n\n$reply $group ${x} $"}) == "one\n\n\n\n$reply $group ${x} $\n\n{}\n"
