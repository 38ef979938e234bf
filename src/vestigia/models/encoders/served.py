"""Encoders that run in a server: any with an OpenAI-compatible `/embeddings`, and Ollama by its own `/api/embed`.

Servers of this kind leave much to the caller: prefixes, length, order, length of the vectors. What they answer is
checked number by number, and a text they cannot take whole is encoded in parts.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

from vestigia.domain.errors import ModelUnavailableError
from vestigia.domain.ids import Digest, digest
from vestigia.models.encoders.cleaning import CLEANING, clean
from vestigia.models.encoders.endpoint import Endpoint, TooLongError
from vestigia.models.encoders.prefixes import Kind, Prefixes

if TYPE_CHECKING:
    from numpy.typing import NDArray

Dialect = Literal["openai", "ollama"]
_SHORTEST = 20
"""Characters below which a text is not cut again: a server that finds that too long is wrongly set up."""
_SAME = 0.99995
"""Cosine from which two texts count as read alike; a tenth of other words moves it further."""
_SHORTER = (1500, 1000, 700, 500, 300)
"""Windows that are tried where a server cuts texts off, to say which would do."""
_FILLING = "Jm Jahrc 1847 vvurde die Brückc über dcn Fluſs von dcn Hochwaſſern ergriffeu nnd fortgeriſſen; "
_OTHER_END = "lettre du préfet touchant lc prix dn pain, lcs impôts & la garde nationale dc Lyon; "
"""Text with the marks of poor text recognition: more pieces a word than clean text, so that the test is strict."""


@dataclass(frozen=True, slots=True)
class Served:
    """Which model of a server, and how it wants to be asked.

    `window` is how many characters it is given at a time; `dimensions` is asked of the server where it is not 0.
    """

    dialect: Dialect
    model: str
    prefixes: Prefixes = field(default_factory=Prefixes)
    window: int = 2000
    batch: int = 8
    dimensions: int = 0


class ServedEncoder:
    """Asks for a batch of texts at a time. Can be used from several threads."""

    def __init__(self, name: str, endpoint: Endpoint, served: Served) -> None:
        self._name = name
        self._endpoint = endpoint
        self._served = served
        self._dimension = served.dimensions
        self._checked = False
        self._checking = threading.Lock()

    @property
    def name(self) -> str:
        """Its name in the channel."""
        return self._name

    @property
    def server(self) -> str:
        """The address that texts are sent to."""
        return self._endpoint.url

    @property
    def fingerprint(self) -> Digest:
        """Digest of what is asked of which server. What answers there can change all the same: see `server`."""
        s = self._served
        return digest(
            f"{s.dialect} {s.model} at {self._endpoint.url.rstrip('/')}, dimensions {s.dimensions}, window {s.window}, "
            f"prefixes {s.prefixes.query!r} and {s.prefixes.passage!r}, cleaning {CLEANING}"
        )

    def encode(self, texts: Sequence[str], kind: Kind) -> "NDArray[np.float32]":
        """Return float32 of shape (len(texts), dimension); rows have length 1, or 0 for a text with nothing to read.

        Raises ModelUnavailableError when the server does not answer, or not with vectors that can be used.
        """
        if kind == "passage":
            self._check_window()
        cleaned = [clean(text) for text in texts]
        full = [number for number, text in enumerate(cleaned) if text]
        vectors = self._whole([cleaned[number] for number in full], kind)
        if not self._dimension:
            self._asked(["dimension"], kind)
        out = np.zeros((len(texts), self._dimension), np.float32)
        for number, vector in zip(full, vectors, strict=True):
            out[number] = vector
        return out

    def _whole(self, texts: Sequence[str], kind: Kind) -> "list[NDArray[np.float32]]":
        """Encode texts of any length: longer ones in parts, whose vectors are averaged by length."""
        parts = [_parts(text, self._served.window) for text in texts]
        flat = [part for of_text in parts for part in of_text]
        vectors: list[NDArray[np.float32]] = []
        for begin in range(0, len(flat), self._served.batch):
            vectors += self._fitting(flat[begin : begin + self._served.batch], kind)
        out, place = [], 0
        for of_text in parts:
            out.append(_pooled(vectors[place : place + len(of_text)], of_text))
            place += len(of_text)
        return out

    def _fitting(self, texts: Sequence[str], kind: Kind) -> "list[NDArray[np.float32]]":
        """Encode texts; where the server finds something too long, halve the batch, then the text."""
        try:
            return list(self._asked(texts, kind))
        except TooLongError as problem:
            if len(texts) > 1:
                middle = len(texts) // 2
                return self._fitting(texts[:middle], kind) + self._fitting(texts[middle:], kind)
            parts = _parts(texts[0], max(len(texts[0]) // 2 + 1, _SHORTEST))
            if len(parts) == 1:
                self._refuse(
                    f"finds {len(texts[0])} characters too long ({problem})",
                    "Give the server a longer context, or choose another model.",
                )
            return [_pooled([vector for part in parts for vector in self._fitting([part], kind)], parts)]

    def _asked(self, texts: Sequence[str], kind: Kind) -> "NDArray[np.float32]":
        """Ask for one batch and check every number of the answer."""
        served = self._served
        body: dict[str, Any] = {"model": served.model, "input": [served.prefixes.before(kind) + one for one in texts]}
        if served.dimensions:
            body["dimensions"] = served.dimensions
        if served.dialect == "ollama":
            answer = self._endpoint.post("/api/embed", body | {"truncate": False})
            rows = answer.get("embeddings") if isinstance(answer, dict) else None
        else:
            answer = self._endpoint.post("/embeddings", body | {"encoding_format": "float"})
            rows = self._in_order(answer.get("data") if isinstance(answer, dict) else None)
        return self._checked_rows(rows, len(texts))

    def _in_order(self, entries: object) -> list[object] | None:
        """Put the entries of an answer in the order asked by their `index`; without one they stand as they came."""
        if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
            return None
        places = [one.get("index") for one in entries]
        if all(place is None for place in places):
            places = list(range(len(entries)))
        if sorted(places, key=str) != sorted(range(len(entries)), key=str):
            self._refuse("numbers its vectors so that none can be given to its text", "Ask those who run the server.")
        vectors = {place: one.get("embedding") for place, one in zip(places, entries, strict=True)}
        return [vectors[place] for place in range(len(entries))]

    def _checked_rows(self, rows: object, asked: int) -> "NDArray[np.float32]":
        if not isinstance(rows, list):
            self._refuse("answers without vectors", "Check `url` and `kind`: `openai` or `ollama`.")
        if len(rows) != asked:
            self._refuse(f"answers {asked} texts with {len(rows)} vectors", "Lower `batch`.")
        try:
            vectors = np.array(rows, np.float64)
        except (TypeError, ValueError):
            vectors = np.zeros(0)
        if vectors.ndim != 2 or not vectors.size:
            self._refuse("answers with something else than one vector a text", "llama.cpp: start it with `--pooling`.")
        wanted = self._dimension or vectors.shape[1]
        if vectors.shape[1] != wanted:
            self._refuse(
                f"answers with vectors of {vectors.shape[1]} numbers instead of {wanted}",
                "Correct `dimensions`, or `model`; another model needs another name under [encoders].",
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            self._refuse("answers with a vector that has no direction", "Lower `batch`; look at the server's log.")
        self._dimension = wanted
        unit: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
        return unit

    def _check_window(self) -> None:
        """Refuse a server that silently reads the beginning of texts only: the end must count.

        Two texts of a whole window that end differently are encoded, once; alike vectors mean that the end was cut.
        """
        with self._checking:
            if self._checked:
                return
            if self._cuts(self._served.window):
                fits = next(
                    (n for n in (1500, 1000, 700, 500, 300) if n < self._served.window and not self._cuts(n)), 0
                )
                self._refuse(
                    f"reads only the beginning of texts of {self._served.window} characters and does not say so",
                    f"Set `window = {fits}`." if fits else "Choose another model.",
                )
            self._checked = True

    def _cuts(self, window: int) -> bool:
        filling = (_FILLING * (window // len(_FILLING) + 1))[:window]
        kept = window - max(window // 5, 1)
        changed = filling[:kept] + (_OTHER_END * (window // len(_OTHER_END) + 1))[: window - kept]
        try:
            one, other = (self._asked([text], "passage")[0] for text in (filling, changed))
        except TooLongError:  # it says so: such a text is encoded in parts
            return False
        return float(one @ other) > _SAME

    def _refuse(self, what: str, remedy: str) -> NoReturn:
        raise ModelUnavailableError(f"{self._endpoint.called} {what}.", where=self._endpoint.url, remedy=remedy)


def _parts(text: str, most: int) -> list[str]:
    """Cut a text into about equal parts of at most `most` characters, between words where there are any."""
    if len(text) <= most:
        return [text]
    number = -(-len(text) // most)
    cuts = [0]
    for turn in range(1, number):
        wish = len(text) * turn // number
        space = text.rfind(" ", cuts[-1] + 1, wish + 1)
        cuts.append(space if space > wish - most // 4 else wish)
    return [part for a, b in pairwise([*cuts, len(text)]) for part in _parts(text[a:b].strip(), most) if part]


def _pooled(vectors: "Sequence[NDArray[np.float32]]", parts: Sequence[str]) -> "NDArray[np.float32]":
    """Average the vectors of a text's parts by their length."""
    if len(vectors) == 1:
        return vectors[0]
    mean = np.average(np.asarray(vectors, np.float64), axis=0, weights=[len(part) for part in parts])
    length = float(np.linalg.norm(mean))
    result: NDArray[np.float32] = (mean / length if length else mean).astype(np.float32)
    return result
