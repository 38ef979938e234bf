"""Whatever is added, removed, encoded, cut short and switched: each encoder's vectors are its own, and all of them."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.pairs import document
from vestigia.domain.effects import Scope, Search
from vestigia.domain.errors import ArchiveError, ModelUnavailableError
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode, missing, sweep_vectors
from vestigia.index.rows import vector_key
from vestigia.index.snapshot import Snapshot
from vestigia.index.vectors import open_parts
from vestigia.models.encoders.hashing import HashingEncoder

WORDS = ("river", "bridge", "letter", "mayor", "ship", "harbour")
TEXTS = {name: " ".join(WORDS[number:] + WORDS[:number]) + f" {name}" for number, name in enumerate("abcdef")}


class InAServer(HashingEncoder):
    """Behind one address and one fingerprint a model that can be exchanged: `turned` is another one."""

    server = "http://localhost:1"
    turned = False
    fails_after = 10**9

    def encode(self, texts, kind):
        if kind == "passage":
            self.fails_after -= len(texts)
            if self.fails_after < 0:
                raise ModelUnavailableError("gone")
        rows = super().encode(texts, kind)
        return np.roll(rows, 7, axis=1) if self.turned else rows


def encoders():
    """Two of one name that differ in their fingerprint, one of another name, one in a server."""
    return {
        "small": HashingEncoder(16, "one"),
        "large": HashingEncoder(24, "one"),
        "other": HashingEncoder(16, "two"),
        "far": InAServer(16, "far"),
    }


STEPS = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(sorted(TEXTS))),
    st.tuples(st.just("remove"), st.sampled_from(sorted(TEXTS))),
    st.tuples(st.just("encode"), st.sampled_from(["small", "large", "other", "far"])),
    st.tuples(st.just("fail"), st.integers(0, 3)),
    st.tuples(st.just("turn"), st.just("far")),
    st.tuples(st.just("sweep"), st.just("")),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(STEPS, min_size=3, max_size=14))
def test_vectors_of_two_models_never_mix(steps):
    folder = Path(tempfile.mkdtemp())
    try:
        carry_out(folder, steps)
    finally:
        shutil.rmtree(folder)


def carry_out(folder, steps):
    there, known, batch = {}, encoders(), 0
    for kind, what in [("add", "a"), *steps]:
        if kind in {"add", "remove"}:
            batch += 1
            there.pop(what, None)
            if kind == "add":
                there[what] = document(what, TEXTS[what])
            with IndexWriter(folder) as writer:
                writer.remove([what])
                writer.add(there.get(what, []))
                writer.commit(batch, digest(str(batch)))
        elif kind == "sweep":
            sweep_vectors(folder)
        else:
            with_far(folder, known, kind, what, [pair for pairs in there.values() for pair in pairs])
        check(folder, known)


def with_far(folder, known, kind, what, pairs):
    """Encode; a server that fails keeps what it had, one that serves another model is refused."""
    if kind == "turn":
        known["far"].turned = True
        if open_parts(folder, known["far"]):
            with pytest.raises(ArchiveError, match="no longer the one"):
                encode(folder, known["far"], pairs)
        known["far"].turned = False
    elif kind == "fail":
        known["far"].fails_after = what
        try:
            encode(folder, known["far"], pairs)
        except ModelUnavailableError:
            assert missing(folder, known["far"])
        known["far"].fails_after = 10**9
    else:
        encode(folder, known[what], pairs)
        assert missing(folder, known[what]) == ()


def check(folder, known):
    """Every vector kept is that of its text by its encoder; what is found is what is encoded."""
    keys = {
        vector_key(passage, card).encode(): passage.text
        for name, text in TEXTS.items()
        for passage, card in document(name, text)
    }
    for encoder in known.values():
        for part in open_parts(folder, encoder):
            expected = encoder.encode([keys[bytes(text)] for text in part.texts], "query")
            assert np.array_equal(part.vectors, expected)
        snapshot = Snapshot.open(folder, [encoder])
        hits = snapshot.search(Search(f"meaning:{encoder.name}", "river bridge", Scope(), 20)).hits
        assert len(hits) == snapshot.encoded()[encoder.name]
