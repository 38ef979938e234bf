"""`vocabulary`, `--expand` and `experiment` as typed: what they print, refuse and leave behind."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import archive as filling
from vestigia.app import asking, encoders
from vestigia.app.vocabulary import windows_of
from vestigia.cli.commands import app
from vestigia.cli.outcome import MISUSED, UNUSABLE
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import DatePeriod, Precision, day_number, in_years
from vestigia.index import wordvectors
from vestigia.models.encoders.hashing import HashingEncoder

ARTICLES = [
    {"id": "a", "date": "1952", "text": "Das Elektronenhirn rechnet schneller als der Mensch."},
    {"id": "b", "date": "1957", "text": "Die Elektronenhirne der Denkmaschine."},
    {"id": "c", "date": "1964", "text": "Automation mit der Lochkarte, kein Elektronenhirn mehr."},
    {"id": "d", "date": "1968", "text": "Der Rechenautomat in der Fabrik."},
    {"id": "e", "date": "1974", "text": "Der Computer und die Angst um die Stelle."},
    {"id": "f", "date": "1977", "text": "Ein Minicomputer, noch ein Computer."},
    {"id": "g", "text": "Ein Leserbrief ohne Datum über den Computer."},
]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Types a command in a folder with the archive `a`; returns what it printed, after checking how it ended."""
    encoder = HashingEncoder()
    for module in (filling, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    monkeypatch.chdir(tmp_path)
    terminal = CliRunner(env={"COLUMNS": "200"})

    def typed(*arguments: str, code: int = 0) -> str:
        ended = terminal.invoke(app, list(arguments))
        assert ended.exit_code == code, ended.output
        return ended.output

    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in ARTICLES)
    Path("spiegel.jsonl").write_text(lines, encoding="utf-8")
    typed("init", "a")
    typed("add", "a", "spiegel.jsonl", "--sub-corpus", "Spiegel", "--language", "de")
    return typed


class TestPassport:
    """B5: the vocabulary passport."""

    def test_a_term_has_its_years_its_windows_and_what_stood_in_its_place(self, run):
        found = json.loads(run("vocabulary", "a", "Elektronenhirn", "--windows", "10y", "--json"))
        assert found["trained"] is None
        assert found["vectors"] is False
        assert found["windows"] == [
            {"window": "1950–1959", "documents": 2},
            {"window": "1960–1969", "documents": 2},
            {"window": "1970–1979", "documents": 2},
        ]
        (term,) = found["terms"]
        assert (term["documents"], term["first"], term["last"], term["warning"]) == (2, 1952, 1964, None)
        assert [w["documents"] for w in term["windows"]] == [1, 1, 0]
        assert term["neighbours"][0] | {"similarity": 0} == {
            "word": "elektronenhirne",
            "by": "spelling",
            "similarity": 0,
            "passages": 1,
            "documents": 1,
            "first": 1957,
            "last": 1957,
        }

    def test_a_window_without_the_term_names_the_nearest_words_attested_there(self, run):
        (term,) = json.loads(run("vocabulary", "a", "Minicomputer", "--windows", "5y", "--json"))["terms"]
        by_window = {w["window"]: w for w in term["windows"]}
        assert by_window["1970–1974"]["instead"] == [{"word": "computer", "documents": 1}]
        assert by_window["1970–1974"]["early"] is True
        assert by_window["1975–1979"] == {"window": "1975–1979", "documents": 1, "early": False, "instead": []}

    def test_the_page_says_it_in_words(self, run):
        printed = run("vocabulary", "a", "Computer", "--windows", "10y")
        assert "3 documents, 1 of them undated" in printed
        assert "1974 to 1977" in printed
        assert "before its first year" in printed
        assert "written alike: minicomputer" in printed
        assert "no word vectors are trained" in printed

    @pytest.mark.parametrize(
        ("term", "between", "warning"),
        [
            ("Computer", "1950/1959", "“Computer” is first attested in 1974: it cannot be expected in 1950–1959."),
            (
                "Denkmaschine",
                "1960/1979",
                "“Denkmaschine” is last attested in 1957: it cannot be expected in 1960–1979.",
            ),
            ("Elektronenhirn", "1953/1956", "“Elektronenhirn” is not attested in 1953–1956."),
            ("Internet", "", "“Internet” stands nowhere in the texts."),
            ("Computer", "1970/1979", None),
        ],
    )
    def test_it_warns_where_a_term_cannot_be_expected_in_the_period_asked_for(self, run, term, between, warning):
        found = json.loads(run("vocabulary", "a", term, "--between", between, "--json"))
        assert found["terms"][0]["warning"] == warning

    def test_windows_keep_to_the_period_asked_for(self, run):
        found = json.loads(run("vocabulary", "a", "Computer", "--between", "1955/1964", "--windows", "10y", "--json"))
        assert [w["window"] for w in found["windows"]] == ["1955–1959", "1960–1964"]

    def test_nothing_to_look_up_and_a_length_that_is_none_are_refused(self, run):
        assert "no term is given" in run("vocabulary", "a", code=MISUSED)
        assert "no length of a window" in run("vocabulary", "a", "x", "--windows", "often", code=MISUSED)

    def test_training_leaves_vectors_that_the_next_call_uses(self, run):
        pytest.importorskip("fasttext")
        printed = run("vocabulary", "a", "Computer", "--train")
        assert "(fasttext-community 0.11.9, 20 rounds)" in " ".join(printed.split())
        found = json.loads(run("vocabulary", "a", "Computer", "--json"))
        assert found["vectors"] is True
        assert {"vectors", "spelling"} >= {one["by"] for one in found["terms"][0]["neighbours"]} != set()

    def test_without_the_extra_training_says_what_to_install(self, run, monkeypatch):
        monkeypatch.setattr(wordvectors, "can_train", lambda: False)
        assert "vestigia[vocabulary]" in run("vocabulary", "a", "--train", code=MISUSED)

    def test_a_deletion_takes_the_vectors_away(self, run):
        pytest.importorskip("fasttext")
        run("vocabulary", "a", "--train")
        run("delete", "a", "f", "--yes")
        assert [path for path in Path("a/index/vocabulary").iterdir() if path.is_dir()] == []


@pytest.mark.parametrize(
    ("window", "first", "number"),
    [("10y", "1950–1959", 3), ("5", "1950–1954", 6), ("20 years", "1940–1959", 2), ("", "1952", 26)],
)
def test_windows_are_as_long_as_written_or_go_by_the_span(window, first, number):
    extent = DatePeriod(day_number(1952), day_number(1977), Precision.RANGE)
    windows = windows_of(extent, window)
    assert (in_years(windows[0]), len(windows)) == (first, number)


def test_windows_that_nobody_could_read_are_refused_and_none_are_cut_of_nothing():
    with pytest.raises(UsageError, match="1001 windows are too many"):
        windows_of(DatePeriod(day_number(1000), day_number(2000), Precision.RANGE), "1y")
    with pytest.raises(UsageError, match="no length"):
        windows_of(None, "0y")
    assert windows_of(None, "10y") == ()


class TestExpand:
    """H7: expansion only where it is asked for, and told."""

    def test_a_search_shows_the_words_it_searched_beside_the_querys(self, run):
        found = json.loads(run("search", "a", "Minicomputer", "--channel", "words", "--expand", "2", "--json"))
        (near,) = found["expanded"]
        assert (near["word"], near["found"], near["by"]) == ("minicomputer", "computer", "spelling")
        assert [hit["document"] for hit in found["hits"]] == ["f", "g", "e"]
        assert "searched with “minicomputer”: computer" in run("search", "a", "Minicomputer", "--expand", "1")

    def test_without_it_nothing_is_added(self, run):
        found = json.loads(run("search", "a", "Minicomputer", "--channel", "words", "--json"))
        assert (found["expanded"], [hit["document"] for hit in found["hits"]]) == ([], ["f"])

    def test_a_channel_without_words_is_not_expanded(self, run):
        found = json.loads(run("search", "a", "Minicomputer", "--channel", "exact", "--expand", "2", "--json"))
        assert found["expanded"] == []

    def test_a_run_records_it_says_it_and_replays_without_the_archive(self, run):
        answer = json.loads(run("ask", "a", "Was weiß man vom Minicomputer?", "--expand", "2", "--json"))
        assert any("computer (minicomputer, by spelling" in note for note in answer["notes"])
        ledger = next(Path("a/runs").glob("*/ledger.jsonl")).read_text(encoding="utf-8")
        assert '"type":"query_expanded"' in ledger
        assert '"expansion":2' in ledger
        assert "reproduced" in run("replay", "a")

    def test_the_settings_can_ask_for_it(self, run):
        settings = Path("a/vestigia.toml")
        settings.write_text(settings.read_text(encoding="utf-8") + "expansion = 1\n", encoding="utf-8")
        assert json.loads(run("search", "a", "Minicomputer", "--json"))["expanded"]
        assert json.loads(run("search", "a", "Minicomputer", "--expand", "0", "--json"))["expanded"] == []


class TestExperiment:
    """H14: the paper's experiments on any archive."""

    ERAS = ("1950s: Elektronenhirn, Denkmaschine", "1970s: Computer, Minicomputer")

    def test_a_the_words_of_a_time_find_that_time_and_windows_find_all(self, run):
        found = json.loads(
            run(
                "experiment",
                "a",
                "era-vocabulary",
                *self.ERAS,
                "--channel",
                "words",
                "--top",
                "3",
                "--windows",
                "10y,5y",
                "--json",
                "-",
            )
        )
        decades, halves = found["timelines"]
        sets = {one["name"]: one["counts"] for one in decades["sets"]}
        assert decades["corpus"] == {"name": "archive", "counts": [2.0, 2.0, 2.0], "undated": 1}
        assert sets["1950s"] == [2.0, 1.0, 0.0]
        assert sets["1970s"] == [0.0, 0.0, 2.0]
        assert sets["1950s in windows"] == [1.0, 1.0, 0.0]
        assert [query[0] for query in found["queries"]] == ["1950s", "1970s", "all together"]
        assert len(halves["windows"]) == 6

    def test_b_windows_have_a_price_that_is_told(self, run):
        printed = run("experiment", "a", "windows", "Angst vor dem Computer", "--windows", "10y", "--quota", "1")
        assert "surfaced by windows" in printed
        assert "The first documents by meaning:hashing" in printed
        found = json.loads(
            run(
                "experiment",
                "a",
                "windows",
                "Angst vor dem Computer",
                "--windows",
                "10y",
                "--quota",
                "1",
                "--json",
                "-",
            )
        )
        brought = found["timeline"]["sets"][1]["counts"]
        assert brought == [1.0, 1.0, 1.0]
        traded = found["exchange"]
        assert len(traded["surfaced"]) == len(traded["displaced"])
        assert traded["kept"] + len(traded["surfaced"]) == 3
        assert all(s["score"] <= d["score"] for s in traded["surfaced"] for d in traded["displaced"])

    def test_b_what_a_window_lacks_is_told(self, run):
        found = json.loads(
            run(
                "experiment",
                "a",
                "windows",
                "Computer",
                "--channel",
                "words",
                "--windows",
                "10y",
                "--quota",
                "3",
                "--json",
                "-",
            )
        )
        assert found["short"] == [3, 3, 1]

    def test_fused_lists_have_windows_too(self, run):
        printed = run("experiment", "a", "windows", "Rat", "--channel", "fused", "--windows", "9y", "--quota", "1")
        assert "fusion of words, characters, meaning:hashing" in printed

    def test_c_two_scores_are_correlated_and_missing_ones_counted(self, run):
        rows = 'document,similarity,score\na,0.9,3\nb,"0,8",9\nc,0.7,\nd,0.6,1\n'
        Path("scores.csv").write_text(rows, encoding="utf-8")
        found = json.loads(run("experiment", "a", "dual-score", "scores.csv", "--json", "-"))
        assert ([p["name"] for p in found["points"]], found["unjudged"]) == (["a", "b", "d"], 1)
        assert found["spearman"] == pytest.approx(0.5)

    @pytest.mark.parametrize(
        ("written", "told"),
        [
            ("document,score\na,3\n", "no column 'similarity'"),
            ("similarity,score\nx,3\n", "line 2: 'x' is no number"),
            ("similarity,score\nnan,3\n", "line 2: 'nan' is no number"),
            ("similarity,score\n,3\n", "line 2: the similarity is missing"),
        ],
    )
    def test_c_a_table_that_cannot_be_read_is_told_with_its_line(self, run, written, told):
        Path("scores.csv").write_text(written, encoding="utf-8")
        assert told in " ".join(run("experiment", "a", "dual-score", "scores.csv", code=MISUSED).split())

    def test_e_layers_by_time_and_by_score(self, run):
        Path("judged.csv").write_text("document,score\ne,9\ng,2\ne,4\n", encoding="utf-8")
        asked = ("layers", "Angst vor dem Computer", "--keywords", "Computer, Lochkarte", "--channel", "words")
        printed = run("experiment", "a", *asked, "--scores", "judged.csv", "--windows", "10y", "--json", "-")
        found = json.loads(printed)
        assert found["total"] == {"name": "all", "both": 3, "keyword": 1, "semantic": 0}
        assert {s["name"]: (s["both"], s["keyword"]) for s in found["by_time"]} == {
            "1950–1959": (0, 0),
            "1960–1969": (0, 1),
            "1970–1979": (2, 0),
            "undated": (1, 0),
        }
        assert {s["name"]: s["both"] for s in found["by_score"]} == {
            "7 to 10": 1,
            "4 to 6": 0,
            "1 to 3": 1,
            "not judged": 1,
        }

    def test_data_and_page_can_be_written_to_files(self, run):
        run("experiment", "a", "era-vocabulary", *self.ERAS, "--json", "found.json", "--html", "found.html")
        assert json.loads(Path("found.json").read_text(encoding="utf-8"))["top"] == 50
        assert "<svg" in Path("found.html").read_text(encoding="utf-8")
        assert run("experiment", "a", "layers", "Computer", "--html", "none/x.html", code=UNUSABLE)

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("era-vocabulary", "Computer"), "is no vocabulary"),
            (("windows", "Computer", "--channel", "tarot"), "no channel 'tarot'"),
            (("windows", "Computer", "-s", "Zeit"), "no sub-corpus 'Zeit'"),
            (("layers", "Computer", "--keywords", "?"), "holds no word"),
        ],
    )
    def test_what_cannot_be_done_is_told(self, run, arguments, told):
        assert told in " ".join(run("experiment", "a", *arguments, code=MISUSED).split())

    def test_an_archive_without_dates_has_no_windows(self, run):
        Path("undated.jsonl").write_text('{"id": "x", "text": "Ein Computer."}\n', encoding="utf-8")
        run("init", "b")
        run("add", "b", "undated.jsonl")
        assert "no document is dated" in run("experiment", "b", "windows", "Computer", code=MISUSED)
