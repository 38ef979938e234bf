"""A plain search: reprints take one place (B4), sub-corpora and windows have quotas, alone and together."""

import json
from itertools import count

import pytest

from vestigia.app import archive, asking
from vestigia.app.searching import Manner, search
from vestigia.app.workspace import Workspace, init
from vestigia.cli.questions import print_answer, search_page
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import label
from vestigia.domain.question import Question

FLOOD = (
    "Le pont de bois de la ville haute fut emporté par la crue dans la nuit, et le maire fit sonner les cloches de "
    "Saint-Jean jusqu'au matin, pendant que les bateliers cherchaient les disparus sous les arches du vieux moulin."
)
MEETING = (
    "Le conseil municipal délibère sur la reconstruction du pont et vote une dépense de mille francs, à la charge "
    "de la caisse des travaux publics et des propriétaires riverains, selon le rapport de l'ingénieur de la voirie."
)


def a_workspace(folder, rows):
    """An archive of (id, sub-corpus, date, text)."""
    file = folder / "records.jsonl"
    lines = [{"id": i, "title": f"Le pont {i}", "source": s, "date": d, "text": t} for i, s, d, t in rows]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    made = init(folder / "archive")
    archive.add(made, [file], ImportOptions())
    return made


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A report printed four times, the minutes once, five short notes of three sub-corpora, one without a date."""
    notes = [
        ("n1", "Moniteur", "1887-05-01", "Une note sur le pont et la crue de mai, sans autre détail."),
        ("n2", "Moniteur", "1889-05-01", "Le pont neuf."),
        ("n3", "Journal", "1889-06-01", "On parle du pont à la foire."),
        ("n4", "Lettres", "", "Chère amie, le pont est loin d'ici."),
        ("n5", "Lettres", "1888-01-01", "Le pont tient encore, dit-on."),
    ]
    prints = [("p1", "Moniteur", "1887-03-11"), ("p2", "Journal", "1887-03-14"), ("p3", "Almanach", "1889-01-01")]
    rows = [(i, s, d, FLOOD) for i, s, d in prints] + [("p4", "Almanach", "", FLOOD.replace("bois", "bvis"))]
    return a_workspace(tmp_path_factory.mktemp("pont"), [*rows, ("m1", "Conseil", "1887-04-02", MEETING), *notes])


def found(workspace, manner=None, query="emporté cloches bateliers moulin", channel="words", limit=10):
    return search(workspace, Question(query), channel, limit, manner)


def names(result):
    return [candidate.document for candidate in result.candidates]


def lanes(result):
    return [
        (lane.sub_corpus, label(lane.window) if lane.window else "", [c.document for c in lane.candidates], lane.short)
        for lane in result.lanes
    ]


def test_b4_what_says_the_same_takes_one_place_and_all_that_say_it_are_named_by_age(workspace):
    one, *rest = names(result := found(workspace, query="emporté cloches bateliers moulin pont"))
    assert one in {"p1", "p2", "p3", "p4"}
    assert not set(rest) & {"p1", "p2", "p3", "p4"}
    copies = [card.id for card in result.copies[one]]
    assert copies == [name for name in ("p1", "p2", "p3", "p4") if name != one]
    assert result.copies["m1"] == ()


def test_b4_copies_outside_the_filters_are_named_but_not_found(workspace):
    result = search(workspace, Question("cloches", ("Journal",)), "words", 10)
    assert names(result) == ["p2"]
    assert [card.id for card in result.copies["p2"]] == ["p1", "p3", "p4"]


def test_b4_on_request_every_copy_is_a_row_of_its_own(workspace):
    result = found(workspace, Manner(grouped=False))
    assert set(names(result)[:4]) == {"p1", "p2", "p3", "p4"}
    assert {card.id for card in result.copies["p1"]} == {"p2", "p3", "p4"}


def test_b4_places_that_copies_leave_are_filled_with_what_comes_next(tmp_path):
    number = count(1)
    rows = [(f"p{n:02}", "Moniteur", f"1887-03-{n % 28 + 1:02}", FLOOD) for n in range(80)]
    rows += [(f"n{next(number)}", "Journal", "1888", f"Une note numéro {n} sur le pont.") for n in range(6)]
    made = a_workspace(tmp_path, rows)
    result = search(made, Question("pont crue cloches"), "words", 4)
    assert [name[0] for name in names(result)] == ["p", "n", "n", "n"]
    windowed = search(made, Question("pont crue cloches"), "words", 4, Manner(windows="1887-01/1888-12", quota=5))
    ((window, undated),) = (windowed.lanes,)
    assert [c.document[0] for c in window.candidates] == ["p", "n", "n", "n", "n"]
    assert (window.short, undated.short) == (0, 5)


def test_b4_in_a_run_a_reprint_follows_what_it_repeats_on_the_page_and_in_the_data(workspace, capsys):
    answer = asking.ask(workspace, Question("Qui parle du pont de bois emporté par la crue et des cloches ?"))
    rows = {row.card.id: row for row in answer.result.sources}
    prints = [name for name in rows if name[0] == "p"]
    assert len(prints) > 1
    assert [rows[name].repeats for name in prints] == [None, *(prints[:1] * (len(prints) - 1))]
    assert len({rows[name].confirmations for name in prints}) == 1
    print_answer(workspace, answer, as_json=True)
    shown = {row["document"]: row["repeats"] for row in json.loads(capsys.readouterr().out)["ranking"]}
    assert shown == {name: row.repeats for name, row in rows.items()}
    print_answer(workspace, answer, as_json=False)
    page = capsys.readouterr().out
    assert page.count("the same text: ") == len(prints) - 1
    assert asking.replay(workspace, answer.run).result == answer.result


def test_b4_a_search_names_the_copies_under_the_row(workspace, capsys):
    search_page("cloches bateliers", found(workspace, query="cloches bateliers"))
    assert capsys.readouterr().out.count("the same text: ") == 3


def test_each_sub_corpus_has_its_quota_and_says_what_it_lacks(workspace):
    result = found(workspace, Manner(per_sub_corpus=2, grouped=False), query="pont")
    assert [(name, len(held), short) for name, _, held, short in lanes(result)] == [
        ("Almanach", 2, 0), ("Conseil", 1, 1), ("Journal", 2, 0), ("Lettres", 2, 0), ("Moniteur", 2, 0)]  # fmt: skip
    assert names(result) == [name for lane in lanes(result) for name in lane[2]]


def test_a_quota_keeps_to_the_sub_corpora_asked_for(workspace):
    asked = Question("pont", ("Lettres", "Journal"))
    result = search(workspace, asked, "fused", 10, Manner(per_sub_corpus=3))
    assert [(name, short) for name, _, _, short in lanes(result)] == [("Journal", 1), ("Lettres", 1)]


def test_each_window_of_each_sub_corpus_has_its_quota_and_the_undated_theirs(workspace):
    manner = Manner(windows="1887-01/1887-12, 1888-01/1889-12", per_sub_corpus=1, grouped=False)
    result = search(workspace, Question("pont", ("Lettres", "Moniteur")), "words", 10, manner)
    assert lanes(result) == [
        ("Lettres", "1887", [], 1),
        ("Lettres", "1888-01-01/1889-12-31", ["n5"], 0),
        ("Lettres", "", ["n4"], 0),
        ("Moniteur", "1887", lanes(result)[3][2], 0),
        ("Moniteur", "1888-01-01/1889-12-31", ["n2"], 0),
        ("Moniteur", "", [], 1),
    ]
    assert lanes(result)[3][2] in (["n1"], ["p1"])


def test_b4_a_text_printed_in_two_windows_stands_once_in_each(workspace):
    manner = Manner(windows="1887-01/1887-12, 1889-01/1889-12", quota=9)
    first, second, undated = (held for _, _, held, _ in lanes(found(workspace, manner)))
    assert [len(set(held) & {"p1", "p2", "p3", "p4"}) for held in (first, second, undated)] == [1, 1, 1]


def test_the_undated_are_never_in_a_window_but_in_a_lane_of_their_own(workspace):
    result = found(workspace, Manner(windows="1y", quota=4, grouped=False), query="pont")
    *dated, (_, name, held, _) = lanes(result)
    assert (name, sorted(held)) == ("", ["n4", "p4"])
    assert not any({"n4", "p4"} & set(others) for _, _, others, _ in dated)


def test_a_window_cannot_have_two_quotas(workspace):
    with pytest.raises(UsageError, match="one quota"):
        found(workspace, Manner(windows="1y", quota=3, per_sub_corpus=2))


def test_a_run_is_balanced_over_time_on_request_and_says_so(workspace):
    answer = asking.ask(workspace, Question("Wer schrieb vom pont?"), windows="1887-01/1887-12, 1888-01/1889-12")
    searched = dict(answer.result.searched)
    (orientation,) = [said for said in searched if said.startswith("orientation; by window")]
    assert orientation == "orientation; by window 1887: 4, 1888-01-01/1889-12-31: 4, undated: 2"
    assert asking.replay(workspace, answer.run).result == answer.result
    plain = asking.ask(workspace, Question("Wer schrieb vom pont?"))
    assert not any("by window" in said for said, _ in plain.result.searched)


def test_windows_of_the_settings_hold_where_none_are_named(workspace):
    settings = workspace.settings.model_copy(update={"ask": workspace.settings.ask.model_copy(update={"windows": "3"})})
    answer = asking.ask(Workspace(workspace.root, settings), Question("Wer schrieb vom pont?"))
    assert any("by window" in said for said, _ in answer.result.searched)
    none = asking.ask(Workspace(workspace.root, settings), Question("Wer schrieb vom pont?"), windows="")
    assert not any("by window" in said for said, _ in none.result.searched)


class TestNamedSources:
    """A query that names a sub-corpus is searched within it, too: by what else the query says."""

    def test_what_the_named_source_holds_stands_first(self, workspace):
        result = found(workspace, query="le pont, Lettres", channel="fused")
        assert set(names(result)[:2]) == {"n4", "n5"}
        places = {c.document: {s.channel for s in c.standings} for c in result.candidates}
        assert {one for one, channels in places.items() if "source" in channels} == {"n4", "n5"}
        assert dict(result.weights)["source"] == 0.5

    def test_alone_it_finds_that_source_and_nothing_else(self, workspace):
        assert set(names(found(workspace, query="le pont, Lettres", channel="source"))) == {"n4", "n5"}

    def test_where_no_source_is_named_the_channel_is_silent_and_alone_it_says_so(self, workspace):
        assert "source" not in dict(found(workspace, query="le pont", channel="fused").weights)
        with pytest.raises(UsageError, match="names no sub-corpus"):
            found(workspace, query="le pont", channel="source")

    def test_quotas_for_every_sub_corpus_leave_it_out(self, workspace):
        result = found(workspace, Manner(per_sub_corpus=1), query="le pont, Lettres", channel="fused")
        assert "source" not in dict(result.weights)
        assert [len(lane.candidates) for lane in result.lanes] == [1] * 5
