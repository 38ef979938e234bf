"""Names of runs: readable, derived, and found by their beginning."""

from pathlib import Path

import pytest

from fakes.samples import chain
from vestigia.domain.entries import Recorded
from vestigia.domain.errors import UsageError
from vestigia.domain.events import Closed
from vestigia.domain.ids import RunId, digest
from vestigia.ledger.chain import LEDGER
from vestigia.ledger.log import FileLedger
from vestigia.ledger.naming import find, run_id, runs

OPENED = "2026-03-04T05:06:07Z"


def made(folder: Path, *names: str, opened: str = OPENED) -> None:
    for name in names:
        with FileLedger.create(folder, RunId(name), lambda: opened) as ledger:
            ledger.append(Recorded(Closed()), "code")


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("Le blocus?", "le-blocus"),
        ("  L'été à Łódź — où étaient-ils ?  ", "l-ete-a-lodz-ou-etaient-ils"),
        ("Straße, Œuvre, Æther, Ørsted", "strasse-oeuvre-aether-orsted"),
        ("Quelle est la position de d'Estournelles sur le blocus ?", "quelle-est-la-position-de-d-estournelles"),
        ("Who wrote about the armaments of 1898 and why?", "who-wrote-about-the-armaments-of-1898"),
        ("x" * 50, "x" * 40),
        ("Αθήνα?", "question"),
        ("???", "question"),
        ("", "question"),
    ],
)
def test_a_name_is_the_day_the_question_and_a_mark(question: str, slug: str) -> None:
    name = run_id(question, OPENED, digest("manifest"))
    assert name[:-7] == f"2026-03-04-{slug}"
    assert len(slug) <= 40
    assert set(name[-6:]) <= set("0123456789abcdef")


def test_the_same_three_give_the_same_name_and_each_of_them_counts() -> None:
    names = {
        run_id("a", OPENED, digest("m")),
        run_id("a!", OPENED, digest("m")),
        run_id("a", "2026-03-04T05:06:08Z", digest("m")),
        run_id("a", OPENED, digest("n")),
    }
    assert len(names) == 4
    assert run_id("a", OPENED, digest("m")) == run_id("a", OPENED, digest("m"))


def test_a_run_is_a_folder_with_a_ledger(tmp_path: Path) -> None:
    assert runs(tmp_path / "absent") == []
    made(tmp_path, "2026-03-05-b-000000", "2026-03-04-a-000000")
    (tmp_path / "2026-03-06-empty").mkdir()
    (tmp_path / "runs.sqlite").touch()
    assert runs(tmp_path) == ["2026-03-04-a-000000", "2026-03-05-b-000000"]


def test_a_run_is_found_by_its_name_or_an_unmistakable_beginning(tmp_path: Path) -> None:
    made(tmp_path, "2026-03-04-a", "2026-03-04-a-111111", "2026-03-05-b-222222")
    assert find(tmp_path, "2026-03-05") == "2026-03-05-b-222222"
    assert find(tmp_path, "2026-03-04-a") == "2026-03-04-a"


def test_runs_of_one_question_are_told_apart_by_the_end_of_their_names(tmp_path: Path) -> None:
    made(tmp_path, "2026-03-04-a-111111", "2026-03-04-a-222222", "2026-03-05-111111-333333")
    assert find(tmp_path, "222222") == "2026-03-04-a-222222"
    assert find(tmp_path, "a-222222") == "2026-03-04-a-222222"
    assert find(tmp_path, "111111") == "2026-03-04-a-111111"
    for part in ("2222", "a"):
        with pytest.raises(UsageError, match="no run is called"):
            find(tmp_path, part)
    made(tmp_path, "2026-03-05-b-222222")
    with pytest.raises(UsageError, match="2 runs begin or end with '222222'"):
        find(tmp_path, "222222")


def test_last_is_the_run_opened_last_whatever_its_name(tmp_path: Path) -> None:
    made(tmp_path, "2026-03-03-z-000000", opened="2026-03-03T23:00:00Z")
    made(tmp_path, "2026-03-04-b-000000", opened="2026-03-04T09:00:00Z")
    made(tmp_path, "2026-03-04-a-000000", opened="2026-03-04T10:00:00Z")
    assert find(tmp_path, "last") == "2026-03-04-a-000000"


@pytest.mark.parametrize(
    "harm",
    [
        lambda ledger: ledger.write_bytes(b""),
        lambda ledger: (ledger.unlink(), ledger.mkdir()),
    ],
)
def test_a_run_without_an_entry_is_known_and_never_the_last(tmp_path: Path, harm) -> None:
    made(tmp_path, "2026-03-04-a-000000", "2026-03-05-b-000000")
    harm(tmp_path / "2026-03-05-b-000000" / LEDGER)
    assert find(tmp_path, "last") == "2026-03-04-a-000000"
    assert find(tmp_path, "2026-03-05") == "2026-03-05-b-000000"
    harm(tmp_path / "2026-03-04-a-000000" / LEDGER)
    assert find(tmp_path, "last") == "2026-03-05-b-000000"


def test_a_broken_run_does_not_hide_the_last(tmp_path: Path) -> None:
    made(tmp_path, "2026-03-04-a-000000", "2026-03-04-b-000000")
    (tmp_path / "2026-03-04-b-000000" / LEDGER).write_bytes(chain([Recorded(Closed())], RunId("another"))[0])
    assert find(tmp_path, "last") == "2026-03-04-a-000000"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("2026-03", "2 runs begin or end with '2026-03'"),
        ("2025", "no run is called '2025'"),
        ("", "no run is called ''"),
        ("../2026-03-04-a-000000", "no run is called"),
    ],
)
def test_an_unknown_or_ambiguous_name_lists_the_runs_newest_first(tmp_path: Path, name: str, complaint: str) -> None:
    made(tmp_path, "2026-03-04-a-000000", "2026-03-05-b-000000")
    with pytest.raises(UsageError, match=complaint) as caught:
        find(tmp_path, name)
    assert str(caught.value).splitlines()[1:] == ["  2026-03-05-b-000000", "  2026-03-04-a-000000"]


def test_at_most_ten_runs_are_listed(tmp_path: Path) -> None:
    made(tmp_path, *(f"2026-03-{day:02d}-a-000000" for day in range(1, 15)))
    with pytest.raises(UsageError, match="14 runs begin or end") as caught:
        find(tmp_path, "2026")
    lines = str(caught.value).splitlines()
    assert (len(lines), lines[1], lines[-1]) == (12, "  2026-03-14-a-000000", "  and 4 more")


@pytest.mark.parametrize("name", ["last", "2026"])
def test_without_any_run_the_first_step_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"there is no run yet\..*vestigia ask"):
        find(tmp_path, name)
