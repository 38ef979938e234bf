"""The pipe to a process that may crash, hang or talk nonsense: always a message, never a dead or waiting program."""

import io
import json
import time

import numpy as np
import pytest

from vestigia.domain.errors import ModelUnavailableError
from vestigia.models.encoders.worker import Worker, Workers, serve

SERVE = """
import json, os, struct, sys, time
out = sys.stdout.buffer
def say(**fields):
    out.write(json.dumps(fields).encode() + b"\\n"); out.flush()
BEGIN
for line in sys.stdin.buffer:
    request = json.loads(line)
    for text in request["texts"]:
        if text == "die": os._exit(7)
        if text == "abort": os.abort()
        if text == "hang": time.sleep(60)
        if text == "fail": say(problem="no such language"); sys.exit()
        if text == "half": say(rows=1); out.write(b"abc"); out.flush(); os._exit(0)
    say(rows=len(request["texts"]) + ("miscount" in request["texts"]))
    out.write(b"".join(struct.pack("<2f", len(t), request["kind"] == "query") for t in request["texts"])); out.flush()
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    workers = []

    def start(begin="say(ready=True)", patience=20.0, module="made_up_encoder"):
        (tmp_path / "made_up_encoder.py").write_text(SERVE.replace("BEGIN", begin))
        workers.append(Worker(module, 2, "the encoder `made up`", patience))
        return workers[-1]

    yield start
    for worker in workers:
        worker.close()


def test_texts_go_in_and_rows_come_out(start):
    worker = start()
    rows = worker.encode(["a", "été", "line\nbreak"], "query")
    assert rows.dtype == np.float32
    assert rows.tolist() == [[1, 1], [3, 1], [10, 1]]
    assert worker.encode(["abcd"], "passage").tolist() == [[4, 0]]


def test_no_process_before_the_first_text_and_one_for_all_after(start):
    worker = start()
    assert worker._process is None
    worker.encode(["a"], "query")
    first = worker._process.pid
    worker.encode(["b"], "query")
    assert worker._process.pid == first


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("die", "ended with code"),
        ("abort", "ended with code"),
        ("half", "ended with code"),
        ("miscount", "ended with code"),
        ("fail", "failed: no such language"),
    ],
)
def test_a_worker_that_fails_is_a_message_and_the_next_text_starts_another(start, text, says):
    worker = start()
    worker.encode(["a"], "query")
    with pytest.raises(ModelUnavailableError, match=says) as raised:
        worker.encode(["b", text], "query")
    assert "the encoder `made up`" in str(raised.value)
    assert raised.value.remedy
    assert worker.encode(["abc"], "query").tolist() == [[3, 1]]


def test_a_worker_that_hangs_is_ended(start):
    worker = start(patience=1.5)
    worker.encode(["a"], "query")
    started = time.monotonic()
    with pytest.raises(ModelUnavailableError):
        worker.encode(["hang"], "query")
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("begin", "says"),
    [
        ('say(problem="the weights are gone"); sys.exit()', "the weights are gone"),
        ("os._exit(3)", "ended with code"),
        ("time.sleep(60)", "ended with code"),
    ],
)
def test_a_worker_that_does_not_start_is_a_message(start, begin, says):
    with pytest.raises(ModelUnavailableError, match=says):
        start(begin, patience=1.5 if "sleep" in begin else 20.0).encode(["a"], "query")


def test_a_module_that_is_not_there_is_a_message(start):
    with pytest.raises(ModelUnavailableError):
        start(module="no_such_module_anywhere").encode(["a"], "query")


def test_closing_ends_the_process_and_may_be_done_twice(start):
    worker = start()
    worker.encode(["a"], "query")
    process = worker._process
    worker.close()
    worker.close()
    assert process.poll() is not None
    assert worker.encode(["ab"], "query").tolist() == [[2, 1]]


def test_a_file_in_the_working_folder_cannot_stand_in_for_a_module(start, tmp_path, monkeypatch):
    elsewhere = tmp_path / "papers"
    elsewhere.mkdir()
    (elsewhere / "json.py").write_text("raise SystemExit('not the real json')")
    monkeypatch.chdir(elsewhere)
    assert start().encode(["a"], "query").tolist() == [[1, 1]]
    assert [file.name for file in elsewhere.iterdir()] == ["json.py"]


def test_several_workers_share_the_texts_and_keep_their_order(start, monkeypatch):
    start()
    pool = Workers(2, "made_up_encoder", 2, "the encoder `made up`")
    texts = ["x" * n for n in range(1, 12)]
    assert pool.encode(texts, "passage", 3).tolist() == [[n, 0] for n in range(1, 12)]
    assert all(worker._process for worker in pool.workers)
    with pytest.raises(ModelUnavailableError):
        pool.encode([*texts, "die"], "passage", 3)
    assert pool.encode([], "passage", 3).shape == (0, 2)
    assert pool.encode(["ab"], "query", 3).tolist() == [[2, 1]]
    pool.close()
    assert not any(worker._process for worker in pool.workers)


def test_the_far_side_says_it_is_ready_and_answers_a_line_with_its_rows():
    out = io.BytesIO()
    asked = [{"kind": "query", "texts": ["a", "bcd"]}, {"kind": "passage", "texts": ["c"]}]
    serve(
        lambda texts, kind: [[len(text), kind == "query"] for text in texts],
        io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in asked)),
        out,
    )
    assert out.getvalue() == (
        b'{"ready": true}\n{"rows": 2}\n'
        + np.array([1, 1, 3, 1], "<f4").tobytes()
        + b'{"rows": 1}\n'
        + np.array([1, 0], "<f4").tobytes()
    )
