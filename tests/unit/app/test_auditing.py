"""B2: a sample drawn blind, judged in a table, recorded as acts of a person, and what it says of recall."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import asking
from vestigia.app.archive import add
from vestigia.app.auditing import COLUMNS, draw, judge, report, seed_of, strata_of
from vestigia.app.deciding import decide
from vestigia.app.search_view import period_of
from vestigia.app.workspace import Workspace
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Audited, Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.question import Question
from vestigia.domain.rules import Budget, preset
from vestigia.inquiry.audit import Stratum
from vestigia.ledger.log import FileLedger
from vestigia.ledger.projection import list_runs

QUESTION = Question("Wer hat die Brücke gesprengt?")
NARROW = replace(preset("default"), candidates=3)


@pytest.fixture
def filled(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Two letters on the bridge, and 14 others, one of which speaks of it in other words."""
    others = [{"id": f"W{n}", "text": f"Der Zoll der Stadt, Blatt {n}.", "date": f"18{80 + n}"} for n in range(13)]
    others += [{"id": "W13", "title": "=1+1", "text": "Der Übergang flog in die Luft."}]
    (tmp_path / "more.jsonl").write_text("\n".join(map(json.dumps, others)), encoding="utf-8")
    add(workspace, [tmp_path / "more.jsonl"], ImportOptions(sub_corpus="Akten", language="de"))
    return workspace


def typed(*arguments: str, code: int = 0) -> str:
    ended = CliRunner(env={"COLUMNS": "300"}).invoke(app, list(arguments))
    assert ended.exit_code == code, ended.output
    return " ".join(ended.output.split())


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as table:
        return list(csv.DictReader(table))


def fill_in(file: Path, rows: list[dict[str, str]], relevant: tuple[str, ...] = ()) -> Path:
    with file.open("w", encoding="utf-8", newline="") as table:
        writer = csv.DictWriter(table, COLUMNS)
        writer.writeheader()
        writer.writerows({**row, "relevant": "yes" if row["document"] in relevant else "No"} for row in rows)
    return file


def strata(workspace: Workspace, name: str = "last") -> dict[Stratum, set[str]]:
    run = asking.show(workspace, name).run
    catalogue = workspace.catalogue()
    found = strata_of(catalogue, FileLedger.read(workspace.runs, run).entries(), run)
    catalogue.close()
    return {stratum: {unit.document for unit in units} for stratum, units in found.items()}


class TestStrata:
    """Every document once, by the furthest it came."""

    def test_b2_every_document_the_run_could_have_listed_stands_in_one_stratum(self, filled: Workspace):
        shown = asking.ask(filled, QUESTION, NARROW).result
        found = strata(filled)
        assert found[Stratum.LISTED] == {row.card.id for row in shown.sources}
        assert found[Stratum.HELD] == {row.card.id for row in shown.held} - found[Stratum.LISTED]
        assert sum(map(len, found.values())) == len(set().union(*found.values())) == 16

    def test_the_limits_of_the_question_are_those_of_the_audit(self, filled: Workspace):
        asking.ask(filled, replace(QUESTION, sub_corpora=("Letters",)))
        assert set().union(*strata(filled).values()) == {"V1", "V2"}
        asking.ask(filled, Question("Zoll 1885?", period=period_of("1885/1886")))
        assert set().union(*strata(filled).values()) == {"W5", "W6"}
        asking.ask(filled, replace(QUESTION, languages=("de",)))
        assert set().union(*strata(filled).values()) == {f"W{n}" for n in range(14)}

    def test_what_a_person_decides_after_the_end_changes_neither_strata_nor_sample(self, filled: Workspace):
        run = asking.ask(filled, QUESTION, NARROW).run
        before = strata(filled), seed_of(FileLedger.read(filled.runs, run).entries())
        decide(filled, run, Overruled(next(iter(before[0][Stratum.LISTED])), Decision.REJECT, "", "Ada"))
        assert (strata(filled), seed_of(FileLedger.read(filled.runs, run).entries())) == before


class TestAudit:
    """`vestigia audit`."""

    def test_b2_the_table_is_blind_and_no_cell_is_a_formula(self, filled: Workspace, tmp_path: Path):
        asking.ask(filled, QUESTION, NARROW)
        said = typed("audit", str(filled.root), "--sample", "50", "--to", str(tmp_path / "s.csv"))
        assert f"16 documents written to {tmp_path / 's.csv'}. Is the document a source for: {QUESTION.text}" in said
        rows = rows_of(tmp_path / "s.csv")
        assert list(rows[0]) == list(COLUMNS)
        assert {row["document"] for row in rows} == set().union(*strata(filled).values())
        assert {row["relevant"] for row in rows} == {""}
        assert next(row["title"] for row in rows if row["document"] == "W13") == "'=1+1"
        assert next(row["text"] for row in rows if row["document"] == "W13") == "Der Übergang flog in die Luft."

    def test_b2_judgements_are_a_person_s_acts_and_recall_follows_from_them(self, filled: Workspace, tmp_path: Path):
        run = asking.ask(filled, QUESTION, NARROW).run
        file, listed = tmp_path / "s.csv", strata(filled)[Stratum.LISTED]
        ranked = asking.show(filled, run).result.sources
        draw(filled, run, 16, file)
        fill_in(file, rows_of(file), (*listed, "W13"))
        page = typed("audit", str(filled.root), "--from", str(file), "--as", "Ada")
        share = len(listed) / (len(listed) + ("W13" not in listed))
        assert f"Recall {share:.0%}, between {share:.0%} and {share:.0%} (at least 95% sure)." in page
        assert "16 documents judged by Ada." in page
        last = FileLedger.read(filled.runs, run).entries()[-1]
        assert last.actor == "person:Ada"
        assert isinstance(last.body, Recorded)
        assert isinstance(last.body.event, Audited)
        assert len(last.body.event.judgements) == 16
        assert asking.replay(filled, run).finished
        assert asking.show(filled, run).result.sources == ranked
        assert list_runs(filled.runs)[0].state == "closed"
        assert "Ada: 16 documents of a sample judged" in typed("show", str(filled.root), "--entries")

    def test_b2_too_few_judgements_say_so_and_more_are_added_to_them(self, filled: Workspace, tmp_path: Path):
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 6, tmp_path / "few.csv")
        rows = rows_of(tmp_path / "few.csv")
        fill_in(tmp_path / "few.csv", rows, ())
        found = judge(filled, run, tmp_path / "few.csv", "Ada")
        assert (found["recall"], found["lacking"]) == (None, "6 documents are judged; below 10 no number is given.")
        draw(filled, run, 16, tmp_path / "all.csv")
        fill_in(tmp_path / "all.csv", rows_of(tmp_path / "all.csv"), ("V1",))
        found = judge(filled, run, tmp_path / "all.csv", "Bea")
        assert (found["judged"], found["by"]) == (16, ["Ada", "Bea"])
        assert found["recall"] is not None
        assert report(filled, run) == found
        assert json.loads(CliRunner().invoke(app, ["audit", str(filled.root), "--json"]).output) == found

    def test_a_run_nobody_audited_says_so(self, filled: Workspace):
        asking.ask(filled, QUESTION, NARROW)
        assert typed("audit", str(filled.root)).endswith("0 documents judged. nothing is judged yet.")

    def test_what_was_judged_in_part_has_an_interval_by_stratum(self, filled: Workspace, tmp_path: Path):
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 16, tmp_path / "s.csv")
        rows = rows_of(tmp_path / "s.csv")
        keep = sorted(strata(filled)[Stratum.LISTED])
        fill_in(tmp_path / "s.csv", rows, tuple(keep))
        text = (tmp_path / "s.csv").read_text(encoding="utf-8").replace("No", "", 3)
        (tmp_path / "s.csv").write_text(text, encoding="utf-8")
        found = judge(filled, run, tmp_path / "s.csv", "Ada")
        assert found["judged"] == 13
        assert all(
            row["relevant_in_all"] is None or row["relevant_in_all"]["low"] <= row["relevant_in_all"]["estimate"]
            for row in found["strata"]
        )

    def test_of_closed_documents_the_text_is_written_only_where_it_is_asked_for(
        self, filled: Workspace, tmp_path: Path
    ):
        typed("describe", str(filled.root), "Letters", "--access", "closed")
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 50, tmp_path / "hidden.csv")
        draw(filled, run, 50, tmp_path / "shown.csv", closed=True)
        texts = [{r["document"]: r["text"] for r in rows_of(tmp_path / f)}["V1"] for f in ("hidden.csv", "shown.csv")]
        assert texts[0] == "(closed: --closed writes its text)"
        assert "gesprengt" in texts[1]

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (lambda rows: [*rows[:-1], {**rows[-1], "document": "X"}], "it is not the sample that was drawn"),
            (lambda rows: [*rows, rows[0]], "stands there twice"),
        ],
    )
    def test_another_table_than_was_drawn_records_nothing(self, filled: Workspace, tmp_path: Path, change, said: str):
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 6, tmp_path / "s.csv")
        fill_in(tmp_path / "s.csv", change(rows_of(tmp_path / "s.csv")))
        with pytest.raises(UsageError, match=said):
            judge(filled, run, tmp_path / "s.csv", "Ada")
        assert report(filled, run)["judged"] == 0

    def test_rows_left_out_are_noticed_unless_what_is_left_is_the_smaller_sample(
        self, filled: Workspace, tmp_path: Path
    ):
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 6, tmp_path / "s.csv")
        draw(filled, run, 5, tmp_path / "smaller.csv")
        rows, smaller = rows_of(tmp_path / "s.csv"), {row["document"] for row in rows_of(tmp_path / "smaller.csv")}
        for row in rows:
            fill_in(tmp_path / "s.csv", [other for other in rows if other is not row])
            if row["document"] in smaller:
                with pytest.raises(UsageError, match="it is not the sample that was drawn"):
                    judge(filled, run, tmp_path / "s.csv", "Ada")
            else:
                assert judge(filled, run, tmp_path / "s.csv", "Ada")["judged"] == 5

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("document\nV1\n", "there is no column 'relevant'"),
            ("relevant\nyes\n", "there is no column 'document'"),
            ("document,relevant\nV1,perhaps\n", r"line 2: 'perhaps' is neither yes nor no\. Leave it empty"),
        ],
    )
    def test_a_table_that_cannot_be_read_says_where(self, filled: Workspace, tmp_path: Path, content: str, said: str):
        asking.ask(filled, QUESTION, NARROW)
        (tmp_path / "s.csv").write_text(content, encoding="utf-8")
        with pytest.raises(UsageError, match=said):
            judge(filled, "last", tmp_path / "s.csv", "Ada")

    def test_an_empty_table_and_one_without_author_record_nothing(self, filled: Workspace, tmp_path: Path):
        run = asking.ask(filled, QUESTION, NARROW).run
        draw(filled, run, 4, tmp_path / "s.csv")
        with pytest.raises(UsageError, match="no row is judged"):
            judge(filled, run, tmp_path / "s.csv", "Ada")
        fill_in(tmp_path / "s.csv", rows_of(tmp_path / "s.csv"))
        with pytest.raises(UsageError, match="every decision has an author"):
            judge(filled, run, tmp_path / "s.csv", " ")
        with pytest.raises(UsageError, match="there is a file already"):
            draw(filled, run, 4, tmp_path / "s.csv")
        assert "say where the sample goes" in typed("audit", str(filled.root), "--sample", "4", code=2)

    def test_only_a_finished_run_of_the_archive_as_it_is_can_be_audited(self, filled: Workspace, tmp_path: Path):
        asking.ask(filled, QUESTION, replace(NARROW, pause=("plan",)))
        with pytest.raises(UsageError, match=r"the run is not finished\. Resume it first\."):
            draw(filled, "last", 4, tmp_path / "s.csv")
        asking.ask(filled, QUESTION, replace(NARROW, budget=Budget(calls=0)))
        (tmp_path / "n.jsonl").write_text('{"id": "N", "text": "Neu."}', encoding="utf-8")
        add(filled, [tmp_path / "n.jsonl"], ImportOptions(sub_corpus="Akten"))
        with pytest.raises(UsageError, match="a sample would not be of what the run searched"):
            draw(filled, "last", 4, tmp_path / "s.csv")
        typed("survey", str(filled.root), "Brücken", "--windows", "1y")
        with pytest.raises(UsageError, match="it answers no question"):
            report(filled, "last")
