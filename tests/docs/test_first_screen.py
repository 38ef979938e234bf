"""What a historian sees first: the two commands, and a ranked list with reasons and paths as the demo prints it."""

from docs.first_screen import COMMAND, README, trimmed, with_output
from docs.pages import blocks

PRINTED = """\
Who built the bridge?
extractive (no language model) · run 2026-11-30-who-built-the-bridge-403ea5

 1. Minutes of 1 May · 1888-05-01 · Council CM-2
    “The council decides that the bridge of wood shall be built again of stone this year.” CM-2#0-90
    accept by extractive (no language model): 2 of 2 words; words #1: “shall be built again of stone”
    path: → Council · warm start · words #1

 2. Minutes of 9 May · 1888-05-09 · Council CM-3
    “Nothing is built.” CM-3#0-90
    path: → Council · warm start · words #2

10. A letter · undated · letters V1
    “We saw it.” V1#0-10
    path: → letters · warm start · words #1

… and 2 more: vestigia show ARCHIVE

On hold: 9 passage(s) nobody decided about
  A title

7 model calls
"""


def test_the_first_source_and_the_first_of_another_sub_corpus_are_kept_long_quotations_cut():
    assert trimmed(PRINTED) == (
        "Who built the bridge?\n"
        "extractive (no language model) · run …\n"
        "\n"
        " 1. Minutes of 1 May · 1888-05-01 · Council CM-2\n"
        "    “The council decides that the bridge of wood shall be built again …” CM-2#0-90\n"
        "    accept by extractive (no language model): 2 of 2 words; words #1: …\n"
        "    path: → Council · warm start · words #1\n"
        "…\n"
        "10. A letter · undated · letters V1\n"
        "    “We saw it.” V1#0-10\n"
        "    path: → letters · warm start · words #1\n"
        "…\n"
        "On hold: 9 passage(s) nobody decided about\n"
    )


def test_new_output_takes_the_place_of_the_old_and_nothing_else():
    readme = f"# V\n\n```console\n{COMMAND}\nold\n```\n\nText.\n\n```console\n$ x\n```\n"
    assert with_output(readme, "new\n") == readme.replace("old", "new")


def test_the_readme_opens_with_the_demo_and_its_list_with_reasons_and_paths():
    first = blocks(README)[0]
    assert first.line <= 10
    assert first.text.startswith(f"{COMMAND}\n")
    assert first.text.count("path: → ") == 2
    assert first.text.count(" accept by ") == 2


def test_the_readme_s_last_command_runs_the_tests():
    assert [block.text for block in blocks(README)][-1] == "$ python3 -m pip install uv && uv run pytest\n"
