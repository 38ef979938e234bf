"""Encoders in servers: what is asked, what of the answers is believed, and every bad answer in words."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest

from fakes.embedding_server import openai, serving
from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders import endpoint as transport
from vestigia.models.encoders.endpoint import TRIES, Endpoint, is_here
from vestigia.models.encoders.hashing import HashingEncoder
from vestigia.models.encoders.prefixes import Prefixes
from vestigia.models.encoders.served import Served, ServedEncoder, _parts

KEY = "sk-very-secret"


class Clock:
    """Pauses that take no time, and are remembered."""

    def __init__(self):
        self.pauses = []

    def __call__(self, seconds):
        self.pauses.append(seconds)


def made(server, dialect="openai", clock=None, key="", **options):
    url = server.address + ("/v1" if dialect == "openai" else "")
    endpoint = Endpoint(url, "the encoder `far`", key, 5.0, clock or Clock(), lambda: 0.0)
    return ServedEncoder("far", endpoint, Served(dialect, "some-model", **options))


def refused(behave, match, dialect="openai", kind="query", texts=("a river", "a bridge"), **options):
    """Ask a server that behaves badly once; returns the server and the pauses."""
    clock = Clock()
    with serving(behave) as server, pytest.raises(ModelUnavailableError, match=match) as told:
        made(server, dialect, clock, **options).encode(list(texts), kind)
    assert told.value.remedy
    assert "the encoder `far`" in told.value.what
    assert KEY not in str(told.value)
    return server, clock.pauses


@pytest.mark.parametrize(("dialect", "path"), [("openai", "/v1/embeddings"), ("ollama", "/api/embed")])
def test_texts_go_out_with_their_prefix_and_come_back_as_unit_vectors(dialect, path):
    with serving() as server:
        encoder = made(server, dialect, prefixes=Prefixes("query: ", "passage: "), key=KEY)
        rows = encoder.encode(["A river", "", "A bridge"], "query")
    asked, body, headers = server.requests[0]
    assert asked == path
    assert body["input"] == ["query: A river", "query: A bridge"]
    assert body["model"] == "some-model"
    assert headers["authorization"] == f"Bearer {KEY}"
    expected = HashingEncoder(48).encode(["query: A river", "query: A bridge"], "query")
    assert rows[[0, 2]] == pytest.approx(expected, abs=1e-6)
    assert not rows[1].any()
    assert rows.dtype == np.float32


def test_each_kind_of_server_is_asked_in_its_own_words():
    with serving() as server:
        made(server, "ollama").encode(["a"], "query")
        made(server, "openai", dimensions=16).encode(["a"], "query")
    ours, theirs = (body for _, body, _ in server.requests)
    assert ours["truncate"] is False
    assert "dimensions" not in ours
    assert (theirs["encoding_format"], theirs["dimensions"]) == ("float", 16)
    assert "authorization" not in server.requests[0][2]


def test_texts_are_sent_in_batches():
    with serving() as server:
        made(server, batch=2).encode(["a", "b", "c", "d", "e"], "query")
    assert [len(body["input"]) for _, body, _ in server.requests] == [2, 2, 1]


def test_vectors_are_put_in_order_by_their_number():
    def backwards(path, body, before):
        answer = openai(server.rows(body["input"]))
        return 200, {}, {"data": answer["data"][::-1]}

    with serving(backwards) as server:
        rows = made(server).encode(["a river", "a bridge"], "query")
    assert rows == pytest.approx(HashingEncoder(48).encode(["a river", "a bridge"], "query"), abs=1e-6)


def test_vectors_without_numbers_stand_as_they_came():
    def bare(path, body, before):
        return 200, {}, {"data": [{"embedding": row} for row in server.rows(body["input"])]}

    with serving(bare) as server:
        rows = made(server).encode(["a river", "a bridge"], "query")
    assert rows == pytest.approx(HashingEncoder(48).encode(["a river", "a bridge"], "query"), abs=1e-6)


GOOD = [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('{"data": [{"index": 0, "embedding": [NaN, 1]}, {"index": 1, "embedding": [0, 1]}]}', "no direction"),
        (openai([[0.0, 0.0], [0.0, 1.0]]), "no direction"),
        ('{"data": [{"index": 0, "embedding": [1e999, 1]}, {"index": 1, "embedding": [0, 1]}]}', "no direction"),
        (openai(GOOD[:1]), "answers 2 texts with 1 vectors"),
        (openai([*GOOD, [1.0, 1.0]]), "answers 2 texts with 3 vectors"),
        (openai([[1.0, 0.0], [1.0]]), "something else than one vector a text"),
        (openai([[1.0, "x"], [1.0, 0.0]]), "something else than one vector a text"),
        (openai([[GOOD[0]], [GOOD[1]]]), "something else than one vector a text"),
        (openai([[], []]), "something else than one vector a text"),
        (openai([None, None]), "something else than one vector a text"),
        (openai(["AACAPwAAAAA=", "AAAAAAAAgD8="]), "something else than one vector a text"),
        ({"data": [{"index": 0, "embedding": GOOD[0]}, {"index": 0, "embedding": GOOD[1]}]}, "none can be given"),
        ({"data": [{"index": 1, "embedding": GOOD[0]}, {"index": 2, "embedding": GOOD[1]}]}, "none can be given"),
        ({"data": [{"index": 0, "embedding": GOOD[0]}, {"embedding": GOOD[1]}]}, "none can be given"),
        ({"data": [GOOD[0], GOOD[1]]}, "answers without vectors"),
        ({"data": "no"}, "answers without vectors"),
        ({"object": "list"}, "answers without vectors"),
        ([], "answers without vectors"),
        ("<html>Welcome</html>", "not JSON"),
        ("", "not JSON"),
    ],
)
def test_vectors_that_are_none_are_refused(answer, said):
    refused(lambda *_: (200, {}, answer), said)


@pytest.mark.parametrize("answer", [{"embeddings": GOOD[:1]}, {"embedding": GOOD[0]}, {"embeddings": [[0.0], [0.0]]}])
def test_the_same_holds_for_ollama(answer):
    refused(lambda *_: (200, {}, answer), "answers|no direction", "ollama")


def test_the_length_of_vectors_must_be_the_one_asked_for_and_stay():
    refused(lambda *_: (200, {}, openai(GOOD)), "vectors of 2 numbers instead of 16", dimensions=16)

    def changes(path, body, before):
        return (200, {}, openai(GOOD[: len(body["input"])])) if before else None

    with serving(changes) as server:
        encoder = made(server)
        encoder.encode(["a"], "query")
        with pytest.raises(ModelUnavailableError, match=r"2 numbers instead of 48.*another name"):
            encoder.encode(["a"], "query")


@pytest.mark.parametrize(
    ("status", "body", "remedy"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, "key_variable"),
        (403, "forbidden", "key_variable"),
        (404, {"error": 'model "some-model" not found, try pulling it first'}, "load that model"),
        (404, "404 page not found", "Correct `url`"),
        (405, "", "Correct `url`"),
        (307, "moved", "Correct `url`"),
        (400, {"error": {"message": "dimensions is not supported"}}, "dimensions"),
        (422, {"detail": [{"msg": "field required"}]}, "dimensions"),
        (501, {"error": {"message": "This server does not support embeddings"}}, "--embeddings"),
        (500, {"error": "llama runner process has terminated: signal: aborted"}, "server's log"),
    ],
)
def test_a_refusal_is_told_with_its_remedy_and_not_asked_again(status, body, remedy):
    reply = (status, {"location": "http://192.0.2.1/"}, body)
    server, pauses = refused(lambda *_: reply, f"HTTP {status}.*{remedy}", key=KEY)
    assert len(server.requests) == 1
    assert not pauses


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_server_that_is_busy_is_asked_again_with_growing_pauses(status):
    clock = Clock()
    with serving(lambda _path, _body, before: (status, {}, "busy") if before < TRIES - 1 else None) as server:
        assert made(server, clock=clock).encode(["a river"], "query").any()
    assert clock.pauses == [1.0, 2.0, 4.0]


def test_one_that_stays_busy_is_given_up():
    server, pauses = refused(lambda *_: (503, {}, "busy"), "HTTP 503: busy.*the same command goes on")
    assert len(server.requests) == TRIES == len(pauses) + 1


@pytest.mark.parametrize(
    ("asked", "pause"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("soon", 1.0),
        (format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True), 0.0),
    ],
)
def test_the_pause_is_the_one_the_server_asks_for(asked, pause):
    clock = Clock()
    with serving(lambda _path, _body, before: None if before else (429, {"retry-after": asked}, "slow down")) as server:
        made(server, clock=clock).encode(["a"], "query")
    assert clock.pauses == [pause]


def test_a_date_to_come_is_waited_for():
    clock = Clock()
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    with serving(lambda _path, _body, before: None if before else (429, {"retry-after": until}, "slow")) as server:
        made(server, clock=clock).encode(["a"], "query")
    assert 0 < clock.pauses[0] <= 30


def test_a_pause_that_is_too_long_is_left_to_the_person():
    server, pauses = refused(lambda *_: (429, {"retry-after": "3600"}, "quota"), "asks for a pause of 3600 s")
    assert not pauses
    assert len(server.requests) == 1


def test_chance_makes_the_pauses_of_several_programs_differ():
    assert transport._pause(1, "", 0.0) == 1.0
    assert transport._pause(1, "", 1.0) == 1.5
    assert transport._pause(3, "", 0.5) == 5.0


def test_where_nobody_listens_it_says_so():
    with serving() as server:
        gone = made(server)
    with pytest.raises(ModelUnavailableError, match=r"cannot be reached.*Start it, or correct `url`"):
        gone.encode(["a"], "query")


def test_a_connection_that_breaks_off_is_tried_again_and_then_told():
    server, pauses = refused(lambda *_: (200, {}, None), "broke off")
    assert len(server.requests) == TRIES
    assert pauses == [1.0, 2.0, 4.0]
    with serving(lambda _path, _body, before: None if before else (200, {}, None)) as server:
        assert made(server).encode(["a"], "query").any()


def test_a_server_that_takes_too_long_is_told():
    import threading

    held = threading.Event()

    def slow(path, body, before):
        held.wait(5)

    with serving(slow) as server:
        endpoint = Endpoint(f"{server.address}/v1", "the encoder `far`", timeout=0.1)
        with pytest.raises(ModelUnavailableError, match=r"did not answer within 0\.1 s.*`timeout`"):
            ServedEncoder("far", endpoint, Served("openai", "m")).encode(["a"], "query")
        held.set()


def too_long(limit, status=400, words="the input length exceeds the context length"):
    def behave(path, body, before):
        if any(len(text) > limit for text in body["input"]):
            return status, {}, {"error": words}
        return None

    return behave


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "the input length exceeds the context length"),
        (500, "input is too large to process. increase the physical batch size"),
        (400, "This model's maximum context length is 512 tokens"),
        (413, "`inputs` must have less than 512 tokens. Given: 700"),
    ],
)
def test_a_text_too_long_for_the_server_is_encoded_in_parts_and_averaged(status, words):
    text = " ".join(["river"] * 40 + ["bridge"] * 40)
    with serving(too_long(300, status, words)) as server:
        rows = made(server).encode([text, "a ship"], "query")
        expected = HashingEncoder(48).encode(["river", "bridge", "a ship"], "query")
    mean = (expected[0] * 239 + expected[1] * 280) / np.linalg.norm(expected[0] * 239 + expected[1] * 280)
    assert float(rows[0] @ mean) > 0.99
    assert rows[1] == pytest.approx(expected[2], abs=1e-6)


def test_too_many_texts_at_once_are_sent_in_smaller_batches():
    def few(path, body, before):
        if len(body["input"]) > 2:
            return 422, {}, {"error": "batch size 8 > maximum allowed batch size 2"}
        return None

    with serving(few) as server:
        rows = made(server).encode(list("abcdefgh"), "query")
    assert rows.shape == (8, 48)
    assert rows == pytest.approx(HashingEncoder(48).encode(list("abcdefgh"), "query"), abs=1e-6)


def test_a_server_that_finds_everything_too_long_is_refused():
    refused(too_long(0), "finds .* characters too long", texts=["a river in the night of the great flood of 1887"])


def test_a_text_longer_than_the_window_is_never_sent_whole():
    with serving() as server:
        made(server, window=120).encode(["word " * 200], "query")
    assert len(server.texts) > 8
    assert max(map(len, server.texts)) <= 120


@pytest.mark.parametrize("text", ["word " * 100, "x" * 999, "ab " * 3 + "y" * 500, "a"])
@pytest.mark.parametrize("most", [20, 64, 500])
def test_parts_hold_the_whole_text_and_fit(text, most):
    parts = _parts(text.strip(), most)
    assert max(map(len, parts)) <= most
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(parts)


def cutting(at):
    """A server that reads only so many characters and does not say so."""

    def behave(path, body, before):
        return 200, {}, openai(server.rows([text[:at] for text in body["input"]]))

    with serving(behave) as server:
        with pytest.raises(ModelUnavailableError) as told:
            made(server).encode(["a river"], "passage")
        return str(told.value)


def test_a_server_that_silently_cuts_texts_off_is_found_out():
    assert "reads only the beginning of texts of 2000 characters" in cutting(1200)
    assert "Set `window = 1000`" in cutting(1200)
    assert "Set `window = 300`" in cutting(400)
    assert "Choose another model" in cutting(100)


def test_one_that_reads_all_or_says_that_it_does_not_is_asked_once_a_program():
    with serving() as server:
        encoder = made(server)
        encoder.encode(["a river"], "passage")
        encoder.encode(["a bridge"], "passage")
    assert server.texts[2:] == ["a river", "a bridge"]
    with serving(too_long(500)) as server:
        assert made(server).encode(["a river"], "passage").any()


def test_queries_cost_one_request():
    with serving() as server:
        made(server).encode(["a river"], "query")
    assert len(server.requests) == 1


def test_what_is_asked_of_whom_is_the_fingerprint_and_the_key_is_not():
    def one(**options):
        return made(type("S", (), {"address": "http://localhost:1"})(), **options).fingerprint

    plain = one()
    assert plain == one(key=KEY) == one(batch=3)
    others = [one(window=500), one(dimensions=8), one(prefixes=Prefixes("query: ")), one(dialect="ollama")]
    assert len({plain, *others}) == 5
    encoder = made(type("S", (), {"address": "http://localhost:1"})(), key=KEY)
    assert KEY not in repr(encoder._endpoint)
    assert encoder.server == "http://localhost:1/v1"


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:11434", True),
        ("http://LOCALHOST", True),
        ("http://a.localhost/", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.8.9.10", True),
        ("http://[::1]:80", True),
        ("http://192.168.1.10", False),
        ("http://[fe80::1]", False),
        ("https://api.example.org/v1", False),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://127.0.0.1@example.org", False),
        ("", False),
    ],
)
def test_an_address_is_of_this_machine_or_not(url, here):
    assert is_here(url) is here


def test_a_proxy_of_the_environment_never_sees_what_stays_here(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
    with serving() as server:
        assert made(server).encode(["a"], "query").any()


def test_what_a_server_says_is_shortened():
    reply = (400, {}, json.dumps({"error": "no " * 1000}))
    with serving(lambda *_: reply) as server, pytest.raises(ModelUnavailableError) as told:
        made(server).encode(["a"], "query")
    assert len(str(told.value)) < 600


@pytest.mark.parametrize("before", [0, 290, 295, 400])
def test_a_key_that_a_server_repeats_is_not_shown_even_in_part(before):
    for status in (401, 200):
        answer = "x" * before + KEY
        with serving(lambda *_, s=status, a=answer: (s, {}, a)) as server, pytest.raises(ModelUnavailableError) as told:
            made(server, key=KEY).encode(["a"], "query")
        assert KEY[:6] not in str(told.value)
