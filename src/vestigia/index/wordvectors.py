"""Word vectors trained on the archive itself (H7), with sub-words: rare compounds and misread words have one, too.

FastText is an option, behind one small class, and is loaded when it is used. The vectors are versioned with the
catalogue's fingerprint and made by one thread, so that the same archive has the same neighbours; those of an older
state of the archive are not used, and a deletion takes them away, for they keep its words.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import Digest, digest
from vestigia.index.analysis import searchable_words
from vestigia.index.durable import only_writer, write_file, write_text
from vestigia.index.state import usable_state

_PACKAGE, _MODULE = "fasttext-community", "fasttext"
_FOLDER, _MODEL, _ABOUT = "vocabulary", "model.bin", "vocabulary.json"
_DIMENSION, _BUCKETS, _LEAST = 100, 100_000, 2
"""Numbers of a vector; places for sub-words; times a word must occur to have one."""
_SUBWORDS = (3, 6)
_WORDS_TO_SEE, _MOST_ROUNDS = 5_000_000, 20
"""A small archive is gone through several times, until so many words were seen."""
_END = "</s>"
"""FastText's own mark of a line's end."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What was trained: for which catalogue, by what, over how many words in how many rounds."""

    corpus: Digest
    trainer: str
    words: int
    occurrences: int
    rounds: int
    dimension: int = _DIMENSION
    subwords: tuple[int, int] = _SUBWORDS


class Model(Protocol):
    """What of FastText's model is used; the package has no types."""

    def get_nearest_neighbors(self, word: str, k: int) -> list[tuple[float, str]]:
        """Cosines and words, the nearest first."""
        ...

    def get_words(self) -> list[str]:
        """The words that have a vector of their own."""
        ...

    def save_model(self, path: str) -> None:
        """Write all of it to a file."""
        ...


class WordVectors:
    """Trained vectors, read when first asked."""

    def __init__(self, model: Path, about: Trained) -> None:
        self._path = model
        self.about = about

    @property
    def fingerprint(self) -> Digest:
        """Digest of all that fixes them."""
        return digest(json.dumps(asdict(self.about), sort_keys=True))

    def neighbours(self, word: str, number: int) -> list[tuple[str, float]]:
        """Return the words used most like a folded word and the cosine, the nearest first; it need not be known itself.

        Raises ArchiveError where the file is damaged.
        """
        near = self._model.get_nearest_neighbors(word, number + 2)
        return [(found, float(cosine)) for cosine, found in near if found not in {word, _END}][:number]

    @cached_property
    def _model(self) -> Model:
        try:
            model: Model = import_module(_MODULE).load_model(str(self._path))
        except (OSError, ValueError) as problem:
            raise ArchiveError(
                f"the word vectors cannot be read ({problem}).",
                where=str(self._path),
                remedy="Train them anew: `vestigia vocabulary ARCHIVE --train`.",
            ) from problem
        return model


def can_train() -> bool:
    """Whether the extra is installed."""
    return find_spec(_MODULE) is not None


def open_vectors(index: Path, corpus: Digest) -> WordVectors | None:
    """Open the vectors of this state of the catalogue; none where they are not trained or the extra is absent."""
    home = _home(index, corpus)
    if not (home / _ABOUT).is_file() or not can_train():
        return None
    about = json.loads((home / _ABOUT).read_text(encoding="utf-8"))
    return WordVectors(home / _MODEL, Trained(**{**about, "subwords": tuple(about["subwords"])}))


def train(index: Path, texts: Iterable[str]) -> Trained:
    """Train vectors on the texts of the passages, in their order, and make them the archive's.

    Takes about two minutes for five million words. Raises UsageError where the extra is absent or too little is
    there, ArchiveError while another program trains.
    """
    if not can_train():
        raise UsageError(
            f"training needs the package {_PACKAGE!r}, which is not installed.",
            remedy="Install the extra: python3 -m pip install 'vestigia[vocabulary]'. Without it "
            "neighbours are found by their spelling.",
        )
    corpus = usable_state(index).corpus
    with only_writer(index / _FOLDER, "training word vectors"):
        home = _home(index, corpus)
        home.mkdir(exist_ok=True)
        written = index / _FOLDER / "texts.unfinished"
        try:
            occurrences = _write(written, texts)
            model, rounds = _trained(written, occurrences)
        finally:
            written.unlink(missing_ok=True)
        write_file(home / _MODEL, lambda path: model.save_model(str(path)))
        words = len([word for word in model.get_words() if word != _END])
        about = Trained(corpus, f"{_PACKAGE} {version(_PACKAGE)}", words, occurrences, rounds)
        write_text(home / _ABOUT, json.dumps(asdict(about), indent=1, sort_keys=True) + "\n")
        _keep_only(index, corpus)
    return about


def sweep_vocabulary(index: Path, corpus: Digest) -> None:
    """Remove vectors of any other state of the catalogue: they keep words of what was deleted."""
    if (index / _FOLDER).is_dir():
        with only_writer(index / _FOLDER, "training word vectors"):
            _keep_only(index, corpus)


def _keep_only(index: Path, corpus: Digest) -> None:
    for folder in sorted((index / _FOLDER).iterdir()):
        if folder.is_dir() and folder != _home(index, corpus):
            shutil.rmtree(folder)


def _home(index: Path, corpus: Digest) -> Path:
    return index / _FOLDER / corpus.removeprefix("sha256:")[:16]


def _write(path: Path, texts: Iterable[str]) -> int:
    """Write the folded words of each text on a line; returns their number."""
    occurrences = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for text in texts:
            words = searchable_words(text)
            occurrences += len(words)
            file.write(f"{' '.join(words)}\n")
    return occurrences


def _trained(path: Path, occurrences: int) -> tuple[Model, int]:
    rounds = max(1, min(_MOST_ROUNDS, _WORDS_TO_SEE // max(1, occurrences)))
    try:
        model: Model = import_module(_MODULE).train_unsupervised(
            str(path),
            model="skipgram",
            dim=_DIMENSION,
            bucket=_BUCKETS,
            minCount=_LEAST,
            minn=_SUBWORDS[0],
            maxn=_SUBWORDS[1],
            epoch=rounds,
            thread=1,
            verbose=0,
        )
    except ValueError as problem:
        raise UsageError(
            f"there is too little to train on ({occurrences} words: {problem}).",
            remedy="Add more documents; neighbours are found by their spelling meanwhile.",
        ) from problem
    return model, rounds
