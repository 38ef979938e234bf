"""H3, H4: the historian's criteria are a file, read strictly; what is not understood is refused by line."""

from importlib.resources import files

import pytest

from vestigia.domain.errors import SettingsError
from vestigia.domain.ids import digest
from vestigia.inquiry.rubrics import parse

GOOD = """\
---
name: fear
scale: 1-10
bands: keep 7, drop 2
---

## Criteria

Is somebody afraid,
- and of what?

## Anchors

- 10: The fear is the subject
  of the passage.
- 1: Nobody is afraid.

## Examples

- She fears the engine “as the
  devil”, and says so.
- Nothing is feared.
"""


def with_line(before: str, after: str) -> str:
    assert before in GOOD
    return GOOD.replace(before, after)


def test_h3_a_rubric_is_read_whole():
    rubric = parse("fear", GOOD)

    assert (rubric.name, rubric.lowest, rubric.highest, rubric.keep, rubric.drop) == ("fear", 1, 10, 7, 2)
    assert rubric.criteria == "Is somebody afraid,\n- and of what?"
    assert rubric.anchors == ((1, "Nobody is afraid."), (10, "The fear is the subject of the passage."))
    assert rubric.examples == ("She fears the engine “as the devil”, and says so.", "Nothing is feared.")


def test_h3_its_version_is_the_digest_of_the_file():
    assert parse("fear", GOOD).digest == digest(GOOD)
    assert parse("fear", GOOD + "\n").digest != parse("fear", GOOD).digest


def test_anchors_examples_and_bands_may_be_left_out():
    rubric = parse("fear", "\ufeff---\r\nname: fear\r\nscale: 0–4\r\n---\r\n## Criteria\r\nFear?\r\n")

    assert (rubric.lowest, rubric.highest, rubric.keep, rubric.drop) == (0, 4, None, None)
    assert (rubric.anchors, rubric.examples, rubric.criteria) == ((), (), "Fear?")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "rubrics/fear.md: the header is missing. Begin with a line ---, the fields name, scale, bands"),
        ("Is somebody afraid?", "fear.md, line 1: the header is missing."),
        ("---\nname: fear\n", "fear.md, line 1: the header is missing."),
        (with_line("name: fear", "name: hope"), "line 2: the header calls it 'hope'. Write `name: fear`."),
        (with_line("name: fear\n", ""), "line 4: the header has no `name`. Add a line `name: ...`."),
        (with_line("scale: 1-10\n", ""), "line 4: the header has no `scale`."),
        (with_line("scale: 1-10", "points: 10"), "line 3: 'points: 10' is not understood. Fields, once each: name"),
        (with_line("scale: 1-10", "name: fear"), "line 3: 'name: fear' is not understood."),
        (with_line("scale: 1-10", "scale"), "line 3: 'scale' is not understood."),
        (with_line("scale: 1-10", "scale: ten"), "line 3: 'ten' is no scale. Write it like `scale: 1-10`"),
        (with_line("scale: 1-10", f"scale: 1-{'9' * 5000}"), f"line 3: '1-{'9' * 78}…' is no scale."),
        (with_line("keep 7", f"keep {'7' * 5000}"), "are no bands of the scale."),
        (with_line("- 1: ", f"- {'1' * 5000}: "), "is no anchor."),
        (with_line("scale: 1-10", "scale: 5-5"), "line 3: '5-5' is no scale."),
        (with_line("scale: 1-10", "scale: 1-101"), "line 3: '1-101' is no scale."),
        (with_line("keep 7, drop 2", "7 and 2"), "line 4: '7 and 2' are no bands of the scale. Write them like"),
        (with_line("keep 7, drop 2", "keep 2, drop 7"), "line 4: 'keep 2, drop 7' are no bands"),
        (with_line("keep 7, drop 2", "keep 11, drop 2"), "line 4: 'keep 11, drop 2' are no bands"),
        (with_line("keep 7, drop 2", "keep 7, drop 0"), "line 4: 'keep 7, drop 0' are no bands"),
        (with_line("## Anchors", "## Anchor"), "line 12: the heading '## Anchor' is not understood. Sections, once"),
        (with_line("## Anchors", "## Criteria"), "line 12: the heading '## Criteria' is not understood."),
        (with_line("## Criteria\n", ""), "line 8: text stands before the first section. Put it under `## Criteria`."),
        (with_line("Is somebody afraid,\n- and of what?\n", ""), "fear.md: it has no criteria. Write them under"),
        (with_line("- 1: Nobody is afraid.", "1: Nobody."), "line 16: '1: Nobody.' is no item of a list."),
        (with_line("- 10: The", "  The"), "line 14: '  The fear is the subject' is no item of a list."),
        (with_line("- 1: Nobody", "- Nobody"), "line 16: 'Nobody is afraid.' is no anchor. Write it like `- 1: "),
        (with_line("- 1: Nobody", "- 0: Nobody"), "line 16: '0: Nobody is afraid.' is no anchor."),
        (with_line("- 1: Nobody", "- 11: Nobody"), "line 16: '11: Nobody is afraid.' is no anchor."),
        (with_line("- 1: Nobody", "- 10: Nobody"), "line 16: '10: Nobody is afraid.' is no anchor."),
        (with_line("- Nothing is feared.", "-"), "line 22: '-' is no item of a list. Begin items with `- `"),
    ],
)
def test_what_is_not_understood_is_refused_by_line_with_what_to_write(source, said):
    with pytest.raises(SettingsError) as refused:
        parse("fear", source)
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["attitudes", "testimony", "engagement"])
def test_h3_three_rubrics_are_shipped_with_anchors_bands_and_examples(name):
    rubric = parse(name, (files("vestigia.prompts") / "rubrics" / f"{name}.md").read_text(encoding="utf-8"))

    scores = [score for score, _ in rubric.anchors]
    assert (scores[0], scores[-1]) == (rubric.lowest, rubric.highest)
    assert rubric.keep is not None
    assert len(rubric.examples) == 2


def test_h4_one_of_them_is_anchored_at_a_fixed_midpoint():
    source = (files("vestigia.prompts") / "rubrics" / "engagement.md").read_text(encoding="utf-8")
    rubric = parse("engagement", source)

    assert (rubric.lowest + rubric.highest) / 2 == 5
    assert 5 in dict(rubric.anchors)
    assert "Begin at 5, the fixed midpoint" in rubric.criteria
    assert rubric.criteria.count("- up:") == rubric.criteria.count("- down:") == 4
