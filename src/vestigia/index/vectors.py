"""Vectors of passages, kept by the digest of the text: a text is encoded once, whatever batch or document it is in.

A file is a plain array of rows (digest of the text, vector); the rows of one long text, encoded in pieces, stand
together. Files lie in a folder named after the encoder's fingerprint, so vectors of two encoders cannot mix.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vestigia.domain.errors import ArchiveError
from vestigia.domain.ports import Encoder
from vestigia.index.durable import only_writer, write_file, write_text
from vestigia.index.rows import RowTable

PIECES = "pieces of 200 words, 1"
"""The rule of `pieces`; it belongs to the vectors like the encoder itself."""
TOGETHER = 32
"""So many files become one."""
_ROWS = 4096
"""Rows copied at a time."""
_PIECE_WORDS = 200
_WHOLE_WORDS = 250

Vectors = NDArray[np.float32]


def pieces(text: str) -> list[str]:
    """Cut a text that is too long for one vector into equal pieces of about 200 words; up to 250 it stays whole."""
    words = text.split(" ")
    if len(words) <= _WHOLE_WORDS:
        return [text]
    number = -(-len(words) // _PIECE_WORDS)
    cuts = [len(words) * i // number for i in range(number + 1)]
    return [" ".join(words[a:b]) for a, b in pairwise(cuts)]


@dataclass(frozen=True, slots=True)
class Part:
    """One file of vectors, mapped: `texts` are the digests, `vectors` has shape (rows, dimension)."""

    path: Path
    texts: "NDArray[Any]"
    vectors: Vectors


def vectors_folder(index: Path, encoder: Encoder) -> Path:
    """Name the folder of an encoder's vectors."""
    return index / "vectors" / f"{encoder.name}-{encoder.fingerprint.removeprefix('sha256:')[:16]}"


def open_parts(index: Path, encoder: Encoder) -> list[Part]:
    """Map every finished file of an encoder's vectors; none when nothing is encoded.

    Raises ArchiveError when the folder belongs to another encoder or a file is damaged.
    """
    folder = vectors_folder(index, encoder)
    return [] if header_of(folder, encoder) is None else map_parts(folder)


def map_parts(folder: Path) -> list[Part]:
    """Map every finished file in an encoder's folder. Raises ArchiveError when one is damaged."""
    return _mapped(sorted(folder.glob("part-*.npy")))


def _mapped(paths: Sequence[Path]) -> list[Part]:
    parts: list[Part] = []
    for path in paths:
        try:
            array: Any = np.load(path, mmap_mode="r", allow_pickle=False)
            _check_shape(array)
            parts.append(Part(path, array["text"], array["vector"]))
        except FileNotFoundError:  # merged into a later file meanwhile
            continue
        except (OSError, ValueError) as problem:
            raise ArchiveError(
                f"the file of vectors is damaged ({problem}).", where=str(path), remedy="Delete it and encode again."
            ) from problem
    if len({part.vectors.shape[1] for part in parts}) > 1:
        raise ArchiveError(
            "the files have vectors of different lengths.",
            where=str(parts[0].path.parent),
            remedy="Delete the folder and encode again.",
        )
    return parts


def _check_shape(array: "NDArray[Any]") -> None:
    """Raise ValueError for what are no rows of vectors."""
    shape = array.dtype["vector"].shape if "vector" in (array.dtype.names or ()) else ()
    if array.ndim != 1 or len(shape) != 1 or array.dtype != row_type(shape[0]):
        raise ValueError("it holds something else")


def write_header(folder: Path, encoder: Encoder, further: Mapping[str, str] = MappingProxyType({})) -> None:
    """Say in the folder whose vectors these are."""
    folder.mkdir(parents=True, exist_ok=True)
    header = {"encoder": encoder.name, "fingerprint": encoder.fingerprint, "pieces": PIECES, **further}
    write_text(folder / "encoder.json", json.dumps(header, indent=1) + "\n")


def header_of(folder: Path, encoder: Encoder) -> dict[str, Any] | None:
    """Return what the folder says of its vectors; none where nothing is encoded.

    Raises ArchiveError for vectors of another encoder, or of texts cut by another rule.
    """
    path = folder / "encoder.json"
    if not path.exists():
        return None
    try:
        header = json.loads(path.read_text(encoding="utf-8"))
        belongs = (header["fingerprint"], header["pieces"]) == (encoder.fingerprint, PIECES)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise ArchiveError(
            f"it cannot be read whose vectors these are ({problem}).",
            where=str(path),
            remedy="Delete the folder and encode again.",
        ) from problem
    if not belongs:
        raise ArchiveError(
            f"these vectors are not those of {encoder.name} as it is now.",
            where=str(folder),
            remedy="Delete the folder and encode again.",
        )
    return dict(header)


def write_part(path: Path, texts: Sequence[bytes], vectors: Vectors) -> None:
    """Write vectors of shape (len(texts), dimension) as one file."""
    array = np.empty(len(texts), row_type(vectors.shape[1]))
    array["text"] = texts
    array["vector"] = vectors
    write_file(path, lambda unfinished: _save(unfinished, array))


def row_type(dimension: int) -> "np.dtype[Any]":
    """Return the type of a row of a file of vectors."""
    return np.dtype([("text", "S32"), ("vector", "<f4", (dimension,))])


def next_part(folder: Path) -> Path:
    """Name the file after the last one."""
    last = max((int(path.stem.removeprefix("part-")) for path in folder.glob("part-*.npy")), default=0)
    return folder / f"part-{last + 1:06d}.npy"


class Files:
    """Writes the vectors of one encoder, file after file, and puts small files together to larger ones meanwhile.

    Each file that is mapped is an open one, of which a system allows some hundreds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tiers: list[list[Path]] = [[]]
        """The files written, then those put together of them, then those of these, and so on."""

    def write(self, texts: Sequence[bytes], vectors: Vectors) -> None:
        """Write vectors of shape (len(texts), dimension) as one file."""
        path = next_part(self._folder)
        write_part(path, texts, vectors)
        for tier in count():
            self._tiers[tier].append(path)
            if len(self._tiers[tier]) < TOGETHER:
                return
            path = self._put_together(tier)
            if len(self._tiers) == tier + 1:
                self._tiers.append([])

    def _put_together(self, tier: int) -> Path:
        """Write the files of a tier as one, which is there before they go."""
        parts = _mapped(self._tiers[tier])
        path = next_part(self._folder)
        _write_rows(path, parts, np.arange(sum(len(part.texts) for part in parts)))
        _remove(parts)
        self._tiers[tier] = []
        return path


@dataclass(frozen=True, slots=True)
class Groups:
    """The vectors of one text each: rows `starts[g]` to `starts[g] + sizes[g]` of all parts put together.

    They stand in the order of the files; a text that is in two files, as after an interrupted merge, counts once.
    """

    texts: "NDArray[Any]"
    starts: "NDArray[np.int64]"
    sizes: "NDArray[np.int64]"

    def of(self, texts: "NDArray[Any]") -> "NDArray[np.int64]":
        """Return the group of each text, -1 where it has no vector."""
        if not len(self.texts):
            return np.full(len(texts), -1, np.int64)
        order = np.argsort(self.texts)
        places = order[np.minimum(np.searchsorted(self.texts, texts, sorter=order), len(order) - 1)]
        return np.where(self.texts[places] == texts, places, -1)


def grouped(parts: Sequence[Part]) -> Groups:
    """Find which rows belong to which text."""
    texts, starts, sizes, offset = [], [], [], 0
    for part in parts:
        names = np.array(part.texts)
        begins = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])) if len(names) else np.zeros(0, int)
        texts.append(names[begins])
        starts.append(begins + offset)
        sizes.append(np.diff(np.append(begins, len(names))))
        offset += len(names)
    if not texts:
        return Groups(np.zeros(0, "S32"), np.zeros(0, np.int64), np.zeros(0, np.int64))
    first = np.sort(np.unique(np.concatenate(texts), return_index=True)[1])
    return Groups(np.concatenate(texts)[first], np.concatenate(starts)[first], np.concatenate(sizes)[first])


def merge_parts(index: Path, encoder: Encoder, table: RowTable) -> None:
    """Put all vectors into one file in the order of the table, so that a filter on sub-corpus and date is a slice.

    Texts the table does not know stay, at the end. The old files go last: a kill leaves a file too many, never too few.
    """
    parts = open_parts(index, encoder)
    if not parts:
        return
    groups = grouped(parts)
    wanted = groups.of(table.data["text"])
    known = wanted[wanted >= 0]
    ordered = known[np.sort(np.unique(known, return_index=True)[1])]
    order = np.concatenate([ordered, np.setdiff1d(np.arange(len(groups.texts)), ordered)])
    rows = spread(groups.starts[order], groups.sizes[order])
    if len(parts) == 1 and np.array_equal(rows, np.arange(len(parts[0].texts))):
        return
    _write_rows(next_part(vectors_folder(index, encoder)), parts, rows)
    _remove(parts)


def sweep_parts(index: Path, table: RowTable) -> None:
    """Write the vectors of every encoder anew without those of texts that are not in the table.

    Raises ArchiveError when an encoder is at work there.
    """
    for folder in sorted((index / "vectors").glob("*/")):
        with only_writer(folder, "encoding"):
            for unfinished in sorted(folder.glob("*.unfinished")):
                unfinished.unlink()
            parts = map_parts(folder)
            texts = np.concatenate([part.texts for part in parts]) if parts else np.zeros(0, "S32")
            rows = np.flatnonzero(np.isin(texts, table.data["text"]))
            if len(rows) == len(texts):
                continue
            if len(rows):
                _write_rows(next_part(folder), parts, rows)
            for part in parts:
                part.path.unlink()


def spread(starts: "NDArray[np.int64]", sizes: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return the numbers from each start on, as many as its size, one run after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - sizes, sizes) + np.repeat(starts, sizes)


def _remove(parts: Sequence[Part]) -> None:
    for part in parts:
        try:
            part.path.unlink()
        except PermissionError:  # a reader has it mapped, on systems that mind: the next merge tries again
            continue


def _write_rows(path: Path, parts: Sequence[Part], rows: "NDArray[np.int64]") -> None:
    offsets = np.cumsum([0, *(len(part.texts) for part in parts)])
    write_file(path, lambda unfinished: _copy_rows(unfinished, parts, rows, offsets))


def _copy_rows(path: Path, parts: Sequence[Part], rows: "NDArray[np.int64]", offsets: "NDArray[np.int64]") -> None:
    """Write the rows in their order. What was mapped stays in the memory, so each piece is mapped anew."""
    kind = row_type(parts[0].vectors.shape[1])
    with path.open("wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (len(rows),)}
        np.lib.format.write_array_header_1_0(file, header)
        for begin in range(0, len(rows), _ROWS):
            chunk = rows[begin : begin + _ROWS]
            out = np.empty(len(chunk), kind)
            for number, part in enumerate(parts):
                places = np.flatnonzero((chunk >= offsets[number]) & (chunk < offsets[number + 1]))
                if len(places):
                    there: Any = np.load(part.path, mmap_mode="r", allow_pickle=False)
                    out[places] = there[chunk[places] - offsets[number]]
            file.write(out.tobytes())


def _save(path: Path, array: "NDArray[Any]") -> None:
    with path.open("wb") as file:
        np.save(file, array, allow_pickle=False)
