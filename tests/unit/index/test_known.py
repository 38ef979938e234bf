"""Which words do not stand in the archive: a word that does is never said not to, and most that do not are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.index.known import FILE, Known


@given(st.lists(st.text(max_size=12), max_size=40))
def test_what_is_there_is_never_said_not_to_be(words):
    known = Known.of(words)
    assert known.among(words) == words


def test_most_of_what_is_not_there_is_said_not_to_be():
    known = Known.of(f"mot{number}" for number in range(5000))
    taken = known.among(f"wort{number}" for number in range(5000))
    assert len(taken) < 5000 / 10
    assert Known.of([]).among(["port"]) == []


def test_it_is_the_same_when_it_is_read_back(tmp_path):
    Known.of(["port", "blocus", "\udcff"]).save(tmp_path)
    known = Known.load(tmp_path)
    assert known.among(["port", "douane", "blocus", "\udcff"]) == ["port", "blocus", "\udcff"]


@pytest.mark.parametrize("bits", [b"", b"123"])
def test_a_file_that_was_cut_is_damaged(tmp_path, bits):
    (tmp_path / FILE).write_bytes(bits)
    with pytest.raises(ValueError, match="whole"):
        Known.load(tmp_path)
