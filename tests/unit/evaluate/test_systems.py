"""Systems as values: what each may use, by which rules (T15, T18)."""

from dataclasses import fields, replace

import pytest

from fakes.corpus import MemoryCorpus
from fakes.index import MemoryIndex
from fakes.runs import DOCUMENTS
from vestigia.domain.effects import WORDS, Found, Scope, Search, Weigh
from vestigia.domain.errors import UsageError
from vestigia.domain.rules import Switches, preset
from vestigia.evaluate.systems import DEFAULT, PRESETS, Flow, System, ablations, narrowed, systems_of

OURS = preset("default")
INDEX = MemoryIndex(MemoryCorpus(DOCUMENTS).pairs())


class Encoded(MemoryIndex):
    """An index that also has two encoders."""

    def channels(self):
        return (*super().channels(), "meaning:one", "meaning:two")


@pytest.mark.parametrize(
    ("name", "channels"),
    [
        ("bm25", ("words",)),
        ("dense", ("meaning:one", "meaning:two")),
        ("hybrid", ("words", "characters", "source", "meaning:one", "meaning:two")),
        ("hybrid+date", ("words", "characters", "date", "source", "meaning:one", "meaning:two")),
        ("hybrid+windows", ("words", "characters", "meaning:one", "meaning:two")),
        ("equal", ("words", "characters", "date", "meaning:one", "meaning:two")),
        ("extractive", ("words", "characters", "date", "source", "exact", "meaning:one", "meaning:two")),
        ("trace-2026", ("words", "date", "exact", "meaning:one", "meaning:two")),
        ("historag-2026", ("meaning:one", "meaning:two")),
        ("characters", ("characters",)),
        ("meaning:two", ("meaning:two",)),
    ],
)
def test_the_channels_of_a_system(name, channels):
    (system,) = systems_of([name])
    assert narrowed(Encoded(), system).channels() == channels


def test_the_published_systems_have_the_published_constants():
    trace, historag = PRESETS["trace-2026"], PRESETS["historag-2026"]
    assert trace.flow is Flow.ASK
    assert trace.rules == preset("trace-2026")
    assert (trace.rules.fusion, trace.rules.constrain, trace.rules.switches.orientation) == ("equal", "after", False)
    assert historag.flow is Flow.WINDOWS
    assert historag.rules.candidates == 6 * 20


def test_the_default_systems_are_the_rows_of_the_evaluation():
    names = [system.name for system in systems_of(DEFAULT)]
    assert names == ["bm25", "dense", "hybrid", "hybrid+date", "extractive", "trace-2026", "historag-2026"]
    assert len({(s.flow, s.rules, s.channels) for s in systems_of(DEFAULT)}) == len(DEFAULT)


@pytest.mark.parametrize("switch", sorted({f.name for f in fields(Switches)} - {"every_copy"}))
def test_each_mechanism_of_a_run_can_be_turned_off(switch):
    (system,) = systems_of([f"extractive-{switch}"])
    assert system.rules.switches == replace(OURS.switches, **{switch: False})
    assert f"without {switch.replace('_', ' ')}" in system.what


def test_several_mechanisms_can_be_turned_off_and_of_a_model_s_run_too():
    (system,) = systems_of(["ask:local-holds-memory"])
    assert (system.model, system.rules.switches) == ("local", replace(OURS.switches, holds=False, memory=False))


def test_any_model_can_answer_by_our_rules_or_by_trace_s():
    ours, theirs = systems_of(["ask:local", "trace-2026:local"])
    assert (ours.model, ours.rules, ours.channels) == ("local", OURS, ())
    assert (theirs.model, theirs.rules) == ("local", preset("trace-2026"))


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["nothing"], "there is no system 'nothing'"),
        (["ask:"], "there is no system 'ask:'"),
        (["other:model"], "there is no system"),
        (["bm25-holds"], "bm25 is no run: it has no holds to turn off"),
        (["bm25", "dense", "bm25"], "'bm25' is named twice"),
        ([], "no system is named"),
    ],
)
def test_a_name_that_is_no_system_is_refused(names, words):
    with pytest.raises(UsageError, match=words):
        systems_of(names)


def test_a_system_of_one_s_own():
    own = System("ask", "as the archive says", Flow.ASK)
    assert systems_of(["ask"], {"ask": own}) == (own,)


def test_a_system_without_any_of_its_channels_is_refused():
    with pytest.raises(UsageError, match=r"no channel for the system 'dense'; it has words, .*encode"):
        narrowed(INDEX, PRESETS["dense"])


def test_a_narrowed_index_searches_like_the_whole_one_under_another_name():
    part = narrowed(INDEX, PRESETS["bm25"])
    search = Search(WORDS, "Brücke", Scope(), 5, strict=True)
    assert part.search(search) == INDEX.search(search) != Found()
    assert part.weigh(Weigh("Brücke")) == INDEX.weigh(Weigh("Brücke"))
    assert part.fingerprint not in {INDEX.fingerprint, narrowed(INDEX, PRESETS["hybrid"]).fingerprint}


class Recording(MemoryIndex):
    """Remembers how strictly it was searched."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def search(self, search):
        self.asked.append(search.strict)
        return Found()


@pytest.mark.parametrize(
    ("name", "strict"),
    [("bm25", True), ("trace-2026", True), ("words", False), ("hybrid", False), ("extractive", False)],
)
def test_only_the_published_systems_take_words_strictly_as_they_are_written(name, strict):
    index = Recording()
    (system,) = systems_of([name])
    narrowed(index, system).search(Search(WORDS, "Brücke", Scope(), 5))
    narrowed(index, system).search(Search(WORDS, "Brücke", Scope(), 5, strict=True))
    assert index.asked == [strict, True]


def test_an_ablation_adds_what_the_paper_adds_one_mechanism_after_another():
    names = ablations(["simulated", "bm25"])
    assert names == (
        "simulated-holds-warm_start-memory-decomposition",
        "simulated-holds-warm_start-memory",
        "simulated-holds-warm_start",
        "simulated-holds",
        "simulated-second_look",
        "simulated-orientation",
        "simulated-witnesses",
        "simulated",
        "bm25",
    )
    bare, *_, seen_once, blind, each_print, whole, search = systems_of(names)
    assert seen_once.rules == replace(OURS, switches=replace(OURS.switches, second_look=False))
    assert blind.rules == replace(OURS, switches=replace(OURS.switches, orientation=False))
    assert each_print.rules == replace(OURS, switches=replace(OURS.switches, every_copy=True))
    switches = bare.rules.switches
    assert not any((switches.holds, switches.warm_start, switches.memory, switches.decomposition))
    assert switches.orientation
    assert whole.rules == OURS
    assert search.flow is Flow.SEARCH


def test_a_run_of_a_model_is_ablated_and_a_search_is_not():
    assert len(ablations(["ask:local"])) == 8
    assert len(ablations(["trace-2026:local"])) == 5, "by the published rules there is no lever of ours to turn off"
    assert ablations(["hybrid", "words"]) == ("hybrid", "words")
