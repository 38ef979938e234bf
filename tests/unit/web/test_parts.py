"""Excerpts, charts, what stays open between requests, and how a site is served."""

import socket
import sys
from types import SimpleNamespace

import anyio
import pytest
from anyio import to_thread
from markupsafe import Markup
from typer.testing import CliRunner

from vestigia.app.archive import add
from vestigia.app.workspace import init
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED, UNUSABLE
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import StaleIndexError, UsageError
from vestigia.web import charts, serving, site
from vestigia.web.excerpts import around, excerpt
from vestigia.web.faults import UnknownError
from vestigia.web.holdings import Holding, Holdings
from vestigia.web.site import Options


class TestExcerpts:
    def test_the_words_searched_are_marked_as_they_are_written(self):
        assert excerpt("Die BRÜCKE brach.", ["brücke"]) == [("Die ", False), ("BRÜCKE", True), (" brach.", False)]

    def test_a_longer_form_of_a_long_word_is_marked_and_of_a_short_one_not(self):
        marked = [
            word for word, is_marked in excerpt("Brücken, Brückenbau, Taler, Tale", ["Brücke", "Tal"]) if is_marked
        ]
        assert marked == ["Brücken", "Brückenbau"]

    def test_a_long_text_is_cut_round_the_place_with_most_of_them(self):
        text = "Brücke. " + "nichts " * 200 + "Die Brücke und der Bau der Brücke. " + "leer " * 200
        pieces = excerpt(text, ["Brücke", "Bau"], 100)
        assert pieces[0] == ("… ", False)
        assert [word for word, is_marked in pieces if is_marked] == ["Brücke", "Bau", "Brücke"]
        assert pieces[-1][0].endswith(" …")
        assert len("".join(word for word, _ in pieces)) <= 106

    def test_a_text_without_any_of_them_shows_its_beginning(self):
        assert excerpt("Le pont de bois.", ["Brücke"]) == [("Le pont de bois.", False)]
        assert excerpt("", ["Brücke"]) == []

    def test_what_stands_round_a_quotation_is_cut_at_words_and_says_that_it_is_cut(self):
        text = "Gestern wurde die neue Brücke eröffnet, und viele kamen."
        assert around(text, "Brücke", 12) == [("… die neue ", False), ("Brücke", True), (" eröffnet, …", False)]
        assert around(text, text) == [(text, True)]
        assert around(text, "Gestern") == [("Gestern", True), (text[7:], False)]
        assert around("a" * 20 + "Brücke" + "b" * 20, "Brücke", 9) == [("… ", False), ("Brücke", True), (" …", False)]


class TestCharts:
    def test_a_chart_is_drawn_with_the_colours_of_the_sheet_and_no_style_in_place(self):
        svg = str(charts.markup(charts.bars(["1887", "1888"], {"a": [1, 2], "b": [0, 3]}, "", "n")))
        assert svg.startswith("<svg")
        assert "var(--chart-1)" in svg
        assert "var(--chart-2)" in svg
        assert "style=" not in svg

    def test_a_name_in_a_chart_is_text(self):
        svg = str(charts.markup(charts.bars(["<b>"], {"<script>x</script>": [1], "b": [2]}, "<i>", "")))
        assert "<script" not in svg
        assert "<b>" not in svg
        assert "<i>" not in svg
        assert "&lt;script&gt;" in svg

    def test_a_chart_fetches_nothing(self):
        with pytest.raises(ValueError, match=r"not allowed|denied"):
            charts.markup({"data": {"url": "https://example.org/x.csv"}, "mark": "bar", "encoding": {}})

    def test_what_is_drawn_already_stays_as_it_is(self):
        assert charts.markup(Markup("<svg/>")) == "<svg/>"

    def test_the_same_chart_is_drawn_once(self):
        before = charts._drawn.cache_info().hits
        charts.markup(charts.bars(["1887"], {"": [1]}, "", ""))
        charts.markup(charts.bars(["1887"], {"": [1]}, "", ""))
        assert charts._drawn.cache_info().hits > before


class TestHoldings:
    def test_a_request_looks_once_whether_the_index_changed(self, tmp_path, monkeypatch):
        workspace = init(tmp_path / "growing")
        held = Holding("growing", workspace)
        (tmp_path / "one.txt").write_text("Der erste Brief.", encoding="utf-8")
        add(workspace, [tmp_path / "one.txt"], ImportOptions())
        looks = []
        index = held.index
        monkeypatch.setattr(held, "index", lambda *asked: looks.append(asked) or index(*asked))
        opening = held.opening()
        with held.catalogue() as catalogue:
            first = opening(workspace, catalogue)
            assert opening(workspace, catalogue) is first
        assert len(looks) == 1
        (tmp_path / "two.txt").write_text("Der zweite Brief.", encoding="utf-8")
        add(workspace, [tmp_path / "two.txt"], ImportOptions())
        with held.catalogue() as catalogue:
            with pytest.raises(StaleIndexError):  # the catalogue went on within the request
                opening(workspace, catalogue)
            assert held.opening()(workspace, catalogue).documents == 2

    def test_an_index_stays_open_until_the_archive_changes(self, tmp_path):
        workspace = init(tmp_path / "growing")
        held = Holding("growing", workspace)
        (tmp_path / "one.txt").write_text("Der erste Brief.", encoding="utf-8")
        add(workspace, [tmp_path / "one.txt"], ImportOptions())
        with held.catalogue() as catalogue:
            first = held.index(workspace, catalogue)
            assert held.index(workspace, catalogue) is first
        (tmp_path / "two.txt").write_text("Der zweite Brief.", encoding="utf-8")
        add(workspace, [tmp_path / "two.txt"], ImportOptions())
        with held.catalogue() as catalogue:
            assert held.index(workspace, catalogue).documents == 2
        assert first.documents == 1

    def test_settings_are_read_anew_when_their_file_changes(self, tmp_path):
        held = Holding("x", init(tmp_path / "x", "Old name"))
        assert held.name == "Old name"
        file = tmp_path / "x" / "vestigia.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("Old name", "A new name"), encoding="utf-8")
        assert held.name == "A new name"

    def test_a_value_is_made_once_for_a_state_and_the_oldest_is_forgotten(self, tmp_path):
        held = Holding("x", init(tmp_path / "x"))
        made: list[str] = []

        def make(state: str) -> str:
            return held.remembered("value", state, lambda: (made.append(state), state)[1])

        assert [make("a"), make("a"), make("b")] == ["a", "a", "b"]
        for number in range(20):
            make(str(number))
        make("a")
        assert made.count("a") == 2

    def test_archives_are_found_by_name_in_the_order_given(self, tmp_path):
        there = Holdings({"b": init(tmp_path / "b"), "a": init(tmp_path / "a")})
        assert [one.slug for one in there] == ["b", "a"]
        with pytest.raises(UnknownError, match="no such archive"):
            there.get("c")


class TestServing:
    def test_serve_says_the_address_and_serves_each_archive_under_its_name(self, tmp_path, monkeypatch):
        served = {}
        monkeypatch.setattr(
            serving, "serve", lambda archives, taken, opened, *_, **__: served.update(a=archives, o=opened, t=taken)
        )
        for name in ("one", "two"):
            init(tmp_path / name)
        ended = CliRunner().invoke(app, ["serve", str(tmp_path / "one"), str(tmp_path / "two"), "--port", "0"])
        served["t"].close()
        assert ended.exit_code == 0, ended.output
        assert ended.stdout.startswith("Vestigia is at http://127.0.0.1:")
        assert list(served["a"]) == ["one", "two"]
        assert served["o"] is serving.open_browser

    def test_no_browser_opens_none(self, tmp_path, monkeypatch):
        served = []
        monkeypatch.setattr(
            serving, "serve", lambda _a, taken, opened, *_, **__: (taken.close(), served.append(opened))
        )
        init(tmp_path / "one")
        CliRunner().invoke(app, ["serve", str(tmp_path / "one"), "--port", "0", "--no-browser"])
        assert served == [None]

    @pytest.mark.parametrize(("typed", "at_once"), [([], 2), (["--runs", "5"], 5)])
    def test_it_is_said_how_many_runs_go_at_once(self, tmp_path, monkeypatch, typed, at_once):
        served = []
        monkeypatch.setattr(
            serving, "serve", lambda _a, taken, _o, options, **_: (taken.close(), served.append(options.at_once))
        )
        init(tmp_path / "one")
        ended = CliRunner().invoke(app, ["serve", str(tmp_path / "one"), "--port", "0", *typed])
        assert ended.exit_code == 0, ended.output
        assert served == [at_once]

    def test_no_run_at_all_is_refused(self, tmp_path):
        init(tmp_path / "one")
        assert CliRunner().invoke(app, ["serve", str(tmp_path / "one"), "--runs", "0"]).exit_code == MISUSED

    def test_a_host_that_others_reach_is_refused_while_there_are_no_accounts(self, tmp_path):
        init(tmp_path / "one")
        ended = CliRunner().invoke(app, ["serve", str(tmp_path / "one"), "--host", "0.0.0.0"])
        assert ended.exit_code == MISUSED
        assert "no accounts" in ended.stderr

    def test_an_address_that_is_taken_is_said(self, tmp_path):
        init(tmp_path / "one")
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = str(other.getsockname()[1])
            ended = CliRunner().invoke(app, ["serve", str(tmp_path / "one"), "--port", port])
        assert ended.exit_code == UNUSABLE
        assert "--port 0" in ended.stderr

    def test_an_address_can_be_typed_into_a_browser(self):
        with serving.bound("127.0.0.1", 0) as taken:
            assert serving.address(taken) == f"http://127.0.0.1:{taken.getsockname()[1]}/"
        with pytest.raises(UsageError, match="no accounts"):
            serving.bound("192.168.1.9", 0)

    def test_a_thread_that_computes_gives_the_others_their_turn_early(self, tmp_path, monkeypatch):
        monkeypatch.setattr(serving._Server, "run", lambda _self, sockets: sockets[0].close())
        before = sys.getswitchinterval()
        try:
            serving.serve({"one": init(tmp_path / "one")}, serving.bound("127.0.0.1", 0), None, Options())
            assert sys.getswitchinterval() == pytest.approx(serving.TURN)
        finally:
            sys.setswitchinterval(before)

    def test_freed_memory_goes_back_where_the_system_can_be_told(self, monkeypatch):
        told = []
        library = SimpleNamespace(mallopt=lambda *asked: told.append(asked))
        monkeypatch.setattr(serving.ctypes, "CDLL", lambda _name: library)
        serving._give_memory_back()
        assert told == [(-3, 8 * 1024 * 1024), (-8, 2)]  # M_MMAP_THRESHOLD and M_ARENA_MAX of malloc.h

    @pytest.mark.parametrize("problem", [OSError, AttributeError, TypeError])
    def test_a_system_that_cannot_be_told_serves_all_the_same(self, monkeypatch, problem):
        def without(_name):
            raise problem

        monkeypatch.setattr(serving.ctypes, "CDLL", without)
        serving._give_memory_back()

    def test_so_many_requests_are_answered_at_once_and_no_more(self, tmp_path):
        async def threads() -> float:
            async with site._living(site.create_app({"one": init(tmp_path / "one")})):
                return to_thread.current_default_thread_limiter().total_tokens

        assert anyio.run(threads) == site.THREADS

    def test_what_the_first_visitor_would_wait_for_is_made_ready(self, tmp_path):
        workspace = init(tmp_path / "full")
        (tmp_path / "one.txt").write_text("Der erste Brief.", encoding="utf-8")
        add(workspace, [tmp_path / "one.txt"], ImportOptions())
        there = Holdings({"empty": init(tmp_path / "empty"), "full": workspace})
        site._warm(there)
        with there.get("full").catalogue() as catalogue:
            opened = there.get("full").index(workspace, catalogue)
        assert "_trigrams" in vars(opened.vocabulary)
        assert ("coverage", f"{opened.corpus} {opened.batch}") in there.get("full")._remembered
