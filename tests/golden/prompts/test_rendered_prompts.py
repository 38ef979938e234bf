"""Each prompt on fixed inputs, compared whole: a changed word is seen by whoever reviews the change."""

import pytest

from golden.prompts.cases import CASES, FOLDER, LIBRARY, rendered


@pytest.mark.parametrize("name", CASES)
def test_a_prompt_renders_as_approved(name):
    approved = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")

    assert rendered(name) == approved, "after a wanted change: python scripts/approve_prompts.py"


def test_every_approved_file_has_its_case():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(CASES)


def test_every_prompt_has_a_case():
    assert {prompt.name for prompt in LIBRARY.prompts} == {name.partition("-")[0] for name in CASES}
