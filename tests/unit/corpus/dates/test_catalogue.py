"""Catalogue dates, against tables worked out by hand, and against editors' encodings beside the checkout."""

import csv
import runpy
from pathlib import Path

import pytest

from vestigia.corpus.dates import from_parts, read_date, read_whole
from vestigia.domain.periods import Certainty, DatePeriod, Precision, day_number, iso, label

HERE = Path(__file__).parent
with (HERE / "catalogue.tsv").open(encoding="utf-8", newline="") as _file:
    DATED = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))
UNDATED = (HERE / "undated.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", DATED, ids=lambda row: row["raw"])
def test_a_catalogue_date_has_the_bounds_the_edtf_and_the_doubt_of_its_words(row: dict[str, str]) -> None:
    period = read_date(row["raw"], row["lang"])
    assert period is not None
    assert (iso(period.first), iso(period.last)) == (row["first"], row["last"])
    assert period.edtf == row["edtf"]
    assert period.certainty.value == row["certainty"]
    assert period.text == row["raw"]
    assert period.rule


@pytest.mark.parametrize("raw", UNDATED)
def test_a_value_that_is_no_date_stays_undated(raw: str) -> None:
    assert read_date(raw) is None


@pytest.mark.parametrize(
    ("raw", "precision"),
    [
        ("1887-01-12", Precision.DAY),
        ("1887-01", Precision.MONTH),
        ("1887", Precision.YEAR),
        ("188u", Precision.DECADE),
        ("18XX", Precision.CENTURY),
        ("XIXe siècle", Precision.CENTURY),
        ("1921-21", Precision.SEASON),
        ("été 1887", Precision.SEASON),
        ("1887/1889", Precision.RANGE),
        ("Anfang 1887", Precision.RANGE),
        ("1890er Jahre", Precision.DECADE),
        ("an VIII", Precision.YEAR),
        ("brumaire an VIII", Precision.MONTH),
    ],
)
def test_precision_is_as_written(raw: str, precision: Precision) -> None:
    period = read_date(raw)
    assert period is not None
    assert period.precision is precision


def test_nothing_and_blank_are_no_dates() -> None:
    assert read_date("") is None
    assert read_date(" \t\n") is None


def test_a_long_value_is_not_one_date() -> None:
    assert read_date("1887 " + "x" * 200) is None


def test_a_year_or_a_guess_is_not_the_first_of_january() -> None:
    for raw in ("1887", "c. 1890", "[1912?]", "1887-00-00"):
        period = read_date(raw)
        assert period is not None
        assert not period.is_one_day


def test_what_is_shown_says_no_more_than_is_known() -> None:
    shown = [label(one) for one in map(read_date, ("c. 1890", "[1912?]", "[1912]", "1887-03")) if one]
    assert shown == ["c. 1890", "1912?", "[1912]", "1887-03"]


def test_repair_of_misread_signs_is_told_and_doubted() -> None:
    period = read_date("5 Février I9I6", "fr")
    assert period is not None
    assert "repaired" in period.rule
    assert period.certainty is Certainty.UNCERTAIN


def test_a_wrong_day_of_the_week_is_told() -> None:
    period = read_date("Thursday, 16th May, 1934.", "en")
    assert period is not None
    assert "day of the week disagrees" in period.rule


class TestFromParts:
    """Year, month and day as numbers."""

    def test_a_year(self) -> None:
        assert from_parts(1887) == DatePeriod(
            day_number(1887), day_number(1887, 12, 31), Precision.YEAR, text="1887", edtf="1887", rule="parts"
        )

    def test_a_month(self) -> None:
        assert label(from_parts(1888, 2)) == "1888-02"
        assert iso(from_parts(1888, 2).last) == "1888-02-29"

    def test_a_day(self) -> None:
        period = from_parts(1887, 1, 12)
        assert period.is_one_day
        assert period.edtf == "1887-01-12"

    def test_years_before_the_common_era_are_astronomical(self) -> None:
        assert from_parts(-43).edtf == "-0043"
        assert from_parts(0).edtf == "0000"

    @pytest.mark.parametrize(
        ("parts", "named"),
        [
            ((1887, 2, 29), "1887-02-29"),
            ((1900, 2, 29), "1900-02-29"),
            ((1887, 13), "1887-13"),
            ((1887, 0), "1887-00"),
            ((1887, 4, 31), "1887-04-31"),
            ((1887, 1, 0), "1887-01-00"),
            ((1887, None, 3), "day 3 of year 1887"),
            ((99_999,), "99999"),
        ],
    )
    def test_a_date_that_does_not_exist_is_named(self, parts: tuple[int, ...], named: str) -> None:
        with pytest.raises(ValueError, match=named):
            from_parts(*parts)


class TestAPeriodTypedAlone:
    @pytest.mark.parametrize(
        ("written", "edtf"),
        [
            ("1887", "1887"),
            (" 1887-03 ", "1887-03"),
            ("1887-01/1887-06", "1887-01/1887-06"),
            ("1887/..", "1887/.."),
            ("mars 1887", "1887-03"),
            ("in the year 1887", "1887"),
            ("between 1887 and 1889", "1887/1889"),
            ("3. bis 7. Mai 1887", "1887-05-03/1887-05-07"),
            ("1880s", "188X"),
            ("summer 1887", "1887-22"),
            ("c. 1890", "1890~"),
            ("1887?", "1887?"),
        ],
    )
    def test_it_is_read(self, written: str, edtf: str) -> None:
        period = read_whole(written)
        assert period is not None
        assert (period.edtf, period.text) == (edtf, written)

    @pytest.mark.parametrize(
        "written",
        [
            "",
            "nonsense",
            "1887/nonsense",
            "1887-13",
            "1887-1",
            "1914 nonsense",
            "foo 1887",
            "1887-05-01 foo",
            "1887-06-01/1887-01-01",
            "1888/1887",
            "1887/1888/1889",
            "Wien, 3. 5. 1891",
            "1887-02-30",
            "I887",
            "1" * 300,
        ],
    )
    def test_what_would_be_passed_over_in_part_is_not(self, written: str) -> None:
        assert read_whole(written) is None


Counts = dict[str, int]


@pytest.fixture(scope="module")
def scored(shared_data: Path) -> tuple[Counts, Counts]:
    """Right rows and all rows per group, by the script that prints the table."""
    script = runpy.run_path(str(HERE.parents[3] / "scripts" / "score_dates.py"))
    with (shared_data / "date-strings" / "dates.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    right, total, _ = script["score"](rows)
    return right, total


@pytest.mark.shared
@pytest.mark.parametrize(("name", "rows", "share"), [("exact", 235, 95), ("range", 45, 90), ("uncertain", 330, 85)])
def test_the_editors_bounds_are_met(scored: tuple[Counts, Counts], name: str, rows: int, share: int) -> None:
    right, total = scored
    assert total[name] == rows
    assert 100 * right[name] >= share * total[name]


@pytest.mark.shared
def test_all_contradictions_of_the_editions_are_flagged(scored: tuple[Counts, Counts]) -> None:
    right, total = scored
    assert right["contradiction"] == total["contradiction"] == 6
