"""Ids come from content, rules are named numbers, errors say what, where and what to do."""

import hashlib
import inspect
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain import errors
from vestigia.domain.errors import (
    ArchiveError,
    DivergedError,
    LedgerError,
    ModelUnavailableError,
    SettingsError,
    SourceRefusedError,
    StaleIndexError,
    UsageError,
    VestigiaError,
)
from vestigia.domain.ids import DocumentId, digest, passage_id
from vestigia.domain.rules import Budget, Rules, Switches, preset


class TestIds:
    def test_a_digest_names_its_algorithm(self):
        assert digest("") == "sha256:" + hashlib.sha256(b"").hexdigest()

    def test_a_text_and_its_bytes_have_one_digest(self):
        assert digest("blocus à Sète") == digest("blocus à Sète".encode())

    def test_another_text_has_another_digest(self):
        assert digest("e\u0301") != digest("é")

    def test_a_broken_character_has_a_digest_too(self):
        assert digest("\ud800") != digest("\ud801")

    @given(st.text())
    def test_a_digest_is_71_characters_and_always_the_same(self, text):
        assert digest(text) == digest(text)
        assert len(digest(text)) == 71

    def test_a_passage_is_named_by_its_document_and_its_place(self):
        assert passage_id(DocumentId("letters/7"), 0, 812) == "letters/7#0-812"


class TestRules:
    def test_the_defaults_are_those_of_the_paper_and_its_published_code(self):
        rules = Rules()

        assert (rules.max_sub_questions, rules.channel_hits, rules.candidates, rules.rrf_k) == (4, 50, 20, 60)
        assert (rules.steps, rules.step_ceiling, rules.review_size, rules.new_per_search) == (13, 15, 8, 10)
        assert (rules.decay, rules.date_days_max, rules.date_widening) == (0.15, 60, 1)
        assert (rules.reason_length, rules.actions_shown, rules.parse_retries) == (120, 8, 5)
        assert (rules.repeats_to_stop, rules.empty_to_warn) == (2, 3)

    def test_every_mechanism_is_on_unless_it_is_turned_off(self):
        mechanisms = {field.name for field in fields(Switches)} - {"every_copy"}
        assert all(getattr(preset("default").switches, name) for name in mechanisms)
        assert not preset("default").switches.every_copy, "copies are one witness"

    def test_a_run_has_a_bound_whatever_happens(self):
        assert Budget().calls is not None
        assert Rules().patience > Rules().step_ceiling

    @pytest.mark.parametrize("steps", [0, -1, 16])
    def test_steps_beyond_the_ceiling_or_below_one_are_refused(self, steps):
        with pytest.raises(ValueError, match=f"between 1 and the ceiling of 15, not {steps}"):
            Rules(steps=steps)

    def test_a_changed_rule_is_checked_again(self):
        with pytest.raises(ValueError, match="ceiling of 5"):
            replace(Rules(), step_ceiling=5)

    @pytest.mark.parametrize("steps", [1, 15])
    def test_the_ends_of_the_range_are_allowed(self, steps):
        assert Rules(steps=steps).steps == steps

    def test_rules_cannot_be_changed_in_a_run(self):
        with pytest.raises(FrozenInstanceError):
            Rules().steps = 2  # type: ignore[misc]

    def test_what_came_after_the_first_ledgers_is_off_unless_said(self):
        ours, first = preset("default"), Rules()
        later = {field.name for field in fields(Rules) if getattr(ours, field.name) != getattr(first, field.name)}
        tightened, later = (
            {"parse_retries", "review_size", "switches"},
            later - {"parse_retries", "review_size", "switches"},
        )
        assert later == {"parallel", "excerpt", "sparing", "concise", "taken_shown"}
        assert not any(getattr(first, name) for name in later)
        assert [getattr(ours, name) for name in sorted(tightened)[:2]] == [1, 20]
        assert first.switches.second_look is False

    def test_the_papers_preset_differs_only_where_ours_goes_beyond_it(self):
        paper, ours = preset("trace-2026"), Rules()

        differing = {field.name for field in fields(Rules) if getattr(paper, field.name) != getattr(ours, field.name)}

        assert differing == {"fusion", "constrain", "parallel", "switches"}
        assert (paper.switches.every_copy, ours.switches.every_copy) == (True, False)
        assert paper.parallel == 1
        assert (paper.fusion, paper.constrain, paper.switches.orientation) == ("equal", "after", False)

    def test_an_unknown_preset_is_refused_with_those_there_are(self):
        with pytest.raises(ValueError, match="'trace-2025'; there are: default, trace-2026"):
            preset("trace-2025")


class TestErrors:
    def test_a_message_says_what_where_and_what_to_do(self):
        error = UsageError("there is no sub-corpus 'lettres'.", where="ask", remedy="Try: letters.")

        assert str(error) == "ask: there is no sub-corpus 'lettres'. Try: letters."
        assert (error.what, error.where, error.remedy) == ("there is no sub-corpus 'lettres'.", "ask", "Try: letters.")

    def test_what_is_not_known_is_left_out(self):
        assert str(VestigiaError("the question is empty.")) == "the question is empty."

    @pytest.mark.parametrize(
        ("special", "general"),
        [
            (UsageError, VestigiaError),
            (SettingsError, VestigiaError),
            (ArchiveError, VestigiaError),
            (SourceRefusedError, VestigiaError),
            (ModelUnavailableError, VestigiaError),
            (LedgerError, VestigiaError),
            (StaleIndexError, ArchiveError),
            (DivergedError, LedgerError),
        ],
    )
    def test_the_tree_is_the_one_drawn(self, special, general):
        assert special.__base__ is general

    def test_every_error_stands_in_the_drawing(self):
        drawn = errors.__doc__ or ""

        defined = [name for name, value in vars(errors).items() if inspect.isclass(value)]

        assert len(defined) == 11
        assert all(name in drawn for name in defined)


def test_a_refused_source_says_how_many_of_its_pages_have_no_text():
    refused = errors.SourceRefusedError(
        "no page has text.", where="a.pdf", remedy="Have it read.", pages_without_text=3
    )
    assert refused.pages_without_text == 3
    assert str(refused) == "a.pdf: no page has text. Have it read."
    assert errors.SourceRefusedError("the file is empty.").pages_without_text == 0
