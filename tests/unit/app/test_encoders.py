"""Which encoders there are, and when they work in several processes."""

import pytest

from vestigia.app import encoders
from vestigia.app.archive import telling
from vestigia.app.encoders import MANY, cores, on_all_cores
from vestigia.corpus.importing import Progress
from vestigia.domain.errors import UsageError
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.encoders.multilingual_e5 import MultilingualE5
from vestigia.models.encoders.universal import UniversalEncoder


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.setattr(encoders, "cores", lambda: 4)


@pytest.mark.parametrize("kind", [UniversalEncoder, MultilingualE5])
def test_much_work_is_shared_out_over_the_cores_by_the_same_encoder(four_cores, kind):
    one = kind()
    with on_all_cores(one, MANY) as several:
        assert isinstance(several, kind)
        assert len(several._workers.workers) == 4
        assert several.fingerprint == one.fingerprint


def test_the_processes_end_with_the_work(four_cores, monkeypatch):
    closed = []

    def close(self):
        closed.append(self)

    monkeypatch.setattr(UniversalEncoder, "close", close)
    with pytest.raises(KeyboardInterrupt), on_all_cores(UniversalEncoder(), MANY) as several:
        raise KeyboardInterrupt
    assert closed == [several]


def test_little_work_is_done_where_it_stands(four_cores):
    one = UniversalEncoder()
    with on_all_cores(one, MANY - 1) as same:
        assert same is one


def test_on_one_core_and_for_encoders_of_plug_ins_nothing_changes(four_cores, monkeypatch):
    plugged = HashingEncoder()
    with on_all_cores(plugged, 10 * MANY) as same:
        assert same is plugged
    monkeypatch.setattr(encoders, "cores", lambda: 1)
    one = UniversalEncoder()
    with on_all_cores(one, 10 * MANY) as same:
        assert same is one


def test_cores_are_those_this_program_may_use(monkeypatch):
    monkeypatch.setattr(encoders.os, "sched_getaffinity", lambda _: {2, 5, 6}, raising=False)
    assert cores() == 3
    monkeypatch.setattr(encoders.os, "sched_getaffinity", lambda _: set(range(64)))
    assert cores() == 8
    monkeypatch.delattr(encoders.os, "sched_getaffinity")
    monkeypatch.setattr(encoders.os, "cpu_count", lambda: None)
    assert cores() == 1


def test_an_encoder_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(UsageError, match="universal"):
        encoders.encoder("elmo")


@pytest.mark.parametrize(
    ("progress", "told"),
    [
        (Progress("a.xml", 3, 10, 7), ("reading a.xml", 3, 10)),
        (Progress("a.jsonl", 0, 1, 7), ("reading a.jsonl", 7, 0)),
    ],
)
def test_an_import_is_told_in_files_and_a_single_file_in_records(progress, told):
    said = []
    telling(lambda *words: said.append(words))(progress)
    assert said == [told]
