"""The table of named periods, and what is said when a user's table is wrong."""

import pytest

from vestigia.corpus.dates import NamedPeriod, read_dates, read_named_periods
from vestigia.corpus.dates.named import built_in
from vestigia.domain.errors import SettingsError
from vestigia.domain.periods import Certainty, iso


def test_a_users_table_is_read() -> None:
    [period] = read_named_periods('[{"name": "Gründerzeit", "edtf": "1871/1873", "forms": ["Gründerzeit"]}]')
    assert isinstance(period, NamedPeriod)
    assert period.name == "Gründerzeit"
    assert (iso(period.period.first), iso(period.period.last)) == ("1871-01-01", "1873-12-31")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("{", "not JSON"),
        ("{}", "not a list"),
        ('[{"name": "x"}]', "entry 1"),
        ('[{"name": "x", "edtf": "1871", "forms": []}]', "at least one form"),
        ('[{"name": "x", "edtf": "1871", "forms": ["..."]}]', "in words"),
        ('[{"name": "x", "edtf": "1871", "forms": [3]}]', "in words"),
        ('[{"name": "x", "edtf": "yesterday", "forms": ["x"]}]', "not EDTF"),
        ('[{"name": "x", "edtf": "1871-02-30", "forms": ["x"]}]', "1871-02-30"),
    ],
)
def test_a_wrong_table_is_refused_with_the_place_and_what_to_do(table: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        read_named_periods(table, "periods.json")
    assert "periods.json" in str(caught.value)
    assert caught.value.remedy


def test_every_built_in_form_is_read_as_its_period() -> None:
    for one in built_in():
        for form in one.forms:
            read = read_dates(f"… {form} …")
            assert any(period.rule == f"named period: {one.name}" for period in read), form


def test_periods_whose_limits_are_disputed_say_so() -> None:
    [period] = read_dates("la Belle Époque")
    assert period.certainty is Certainty.APPROXIMATE


def test_a_word_that_means_other_things_is_read_only_with_its_preposition() -> None:
    assert read_dates("La Convention de Genève") == ()
    assert [one.rule for one in read_dates("sous la Convention")] == ["named period: Convention nationale"]
