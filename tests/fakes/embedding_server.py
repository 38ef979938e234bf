"""A server of vectors on this machine that can behave badly in every way that real ones do."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from vestigia.models.encoders.hashing import HashingEncoder

Reply = tuple[int, dict[str, str], Any]
"""Status, headers, and a body: text as it is, anything else as JSON; None breaks the connection off."""
Behave = Callable[[str, dict[str, Any], int], Reply | None]
"""Given path, body and how many requests came before, answer otherwise than a good server; None: like a good one."""


@dataclass
class EmbeddingServer:
    """Answers `/v1/embeddings` and `/api/embed` with vectors of hashed words."""

    behave: Behave = lambda _path, _body, _before: None
    dimension: int = 48
    requests: list[tuple[str, dict[str, Any], dict[str, str]]] = field(default_factory=list)
    address: str = ""

    def answer(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        before = len(self.requests)
        self.requests.append((path, body, headers))
        said = self.behave(path, body, before)
        return said or self.good(path, body)

    def good(self, path: str, body: dict[str, Any]) -> Reply:
        rows = self.rows(body["input"], int(body.get("dimensions", self.dimension)))
        if path == "/api/embed":
            return 200, {}, {"model": body["model"], "embeddings": rows}
        if path == "/v1/embeddings":
            return 200, {}, openai(rows)
        return 404, {}, "404 page not found"

    def rows(self, texts: list[str], dimension: int = 0) -> list[list[float]]:
        """Vectors of length 3, so that whoever asks must bring them to length 1."""
        vectors = HashingEncoder(dimension or self.dimension).encode(texts, "passage")
        return [[float(x) * 3 for x in row] if row.any() else [1.0] * len(row) for row in vectors]

    @property
    def texts(self) -> list[str]:
        """Every text that was sent."""
        return [text for _, body, _ in self.requests for text in body["input"]]


def openai(rows: list[Any]) -> dict[str, Any]:
    """The answer of an OpenAI-compatible server."""
    return {"object": "list", "data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}


@contextmanager
def serving(behave: Behave | None = None, dimension: int = 48) -> Iterator[EmbeddingServer]:
    """Run a server for the length of a `with`."""
    fake = EmbeddingServer(dimension=dimension)
    if behave:
        fake.behave = behave

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, headers, answer = fake.answer(self.path, body, {k.lower(): v for k, v in self.headers.items()})
            if answer is None:
                self.close_connection = True
                return
            content = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
