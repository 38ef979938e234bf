"""A model server on loopback that speaks the wire formats of OpenAI, Anthropic and Google, and misbehaves as told.

A `Behaviour` makes of each call what the server does: say something, answer an error, cut the connection, hang.
What it says is read off the words it was sent, as a model would: `diligent` answers every prompt of ours as asked.
"""

import json
import re
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vestigia.domain.text import sentence_spans

KEY = "sk-very-secret-0123456789abcdef"


@dataclass(frozen=True)
class Call:
    """One request: which wire, from 1 which of all, its words, the schema it asks for, what it came with."""

    wire: str
    number: int
    words: str
    schema: Mapping[str, Any] | None
    body: Mapping[str, Any]
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Said:
    """A reply. `ended` is stop, length, filtered or refused; `thinking` comes in a field of its own."""

    text: str
    ended: str = "stop"
    read: int | None = None
    wrote: int = 20
    cached: int = 0
    thinking: str = ""
    model: str = ""


@dataclass(frozen=True)
class Failed:
    """An error of HTTP."""

    status: int
    message: str = "it failed"
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    page: str = ""
    """A page of HTML instead of an error in JSON."""


@dataclass(frozen=True)
class Cut:
    """The connection ends; after some bytes of a reply where `begun`."""

    begun: bool = False


@dataclass(frozen=True)
class Hung:
    """Nothing comes, until the server is closed."""


Act = Said | Failed | Cut | Hung
Behaviour = Callable[[Call], Act]
WORDS = {
    "openai": {"stop": "stop", "length": "length", "filtered": "content_filter", "refused": "stop"},
    "anthropic": {"stop": "end_turn", "length": "max_tokens", "filtered": "refusal", "refused": "refusal"},
    "google": {"stop": "STOP", "length": "MAX_TOKENS", "filtered": "SAFETY", "refused": "SAFETY"},
}


@dataclass
class Server:
    """A running server: its address by wire, and every call it was sent. `pages` are answers to GET and other POST."""

    port: int
    behaviour: Behaviour
    pages: Mapping[str, Any]
    calls: list[Call] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    at_once: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def address(self, wire: str = "openai") -> str:
        return f"http://127.0.0.1:{self.port}" + ("/v1" if wire == "openai" else "")


@contextmanager
def serving(
    behaviour: Behaviour, pages: Mapping[str, Any] | None = None, port: int = 0, secure: ssl.SSLContext | None = None
) -> Iterator[Server]:
    """Serve until the block ends; with `secure` by TLS."""
    http = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    if secure:
        http.socket = secure.wrap_socket(http.socket, server_side=True)
    http.daemon_threads = True
    server = Server(http.server_address[1], behaviour, pages or {})
    http.fake = server  # type: ignore[attr-defined]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


def self_signed() -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that only signs itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, today = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC).replace(tzinfo=None)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), today - timedelta(days=1))
    made = made.not_valid_after(today + timedelta(days=2))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    with TemporaryDirectory() as folder:
        file = Path(folder, "both.pem")
        file.write_bytes(key.private_bytes(pem, *plain) + made.sign(key, hashes.SHA256()).public_bytes(pem))
        context.load_cert_chain(file)
    return context


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._page(None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw or b"{}")
        server: Server = self.server.fake  # type: ignore[attr-defined]
        wire = _wire(self.path)
        if wire is None or self.path in server.pages:
            self._page(body)
            return
        with server.lock:
            call = Call(wire, len(server.calls) + 1, *_asked(wire, body), body, dict(self.headers))
            server.calls.append(call)
            server.at_once += 1
            server.most = max(server.most, server.at_once)
        try:
            self._act(call, server.behaviour(call), server)
        finally:
            with server.lock:
                server.at_once -= 1

    def _page(self, body: object) -> None:
        pages = self.server.fake.pages  # type: ignore[attr-defined]
        found = pages.get(self.path)
        if callable(found):
            found = found(body)
        self._send(404 if found is None else 200, {"error": "not found"} if found is None else found)

    def _act(self, call: Call, act: Act, server: Server) -> None:
        match act:
            case Said():
                self._send(200, _reply(call, act))
            case Failed():
                error = {"error": {"message": act.message, "code": act.code or None, "type": act.code or "error"}}
                if call.wire == "anthropic":
                    error = {"type": "error", "error": {"type": act.code or "api_error", "message": act.message}}
                if call.wire == "google":
                    error = {"error": {"code": act.status, "message": act.message, "status": act.code or "UNKNOWN"}}
                self._send(act.status, act.page or error, act.headers)
            case Cut(begun=True):
                with suppress(OSError):
                    self.wfile.write(b'HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{"id": "x"')
                self.close_connection = True
            case Cut():
                self.close_connection = True
            case Hung():
                server.closing.wait()
                self.close_connection = True

    def _send(self, status: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        page = isinstance(body, str)
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        with suppress(OSError):  # whoever asked has gone
            self.send_response(status)
            for name, value in {"content-type": "text/html" if page else "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)


def _wire(path: str) -> str | None:
    if path.endswith("/chat/completions"):
        return "openai"
    if path.partition("?")[0].endswith("/v1/messages"):
        return "anthropic"
    return "google" if ":generateContent" in path else None


def _asked(wire: str, body: Mapping[str, Any]) -> tuple[str, Mapping[str, Any] | None]:
    """The words of a request and the schema it asks for."""
    if wire == "google":
        config = body.get("generationConfig", {})
        words = "".join(part.get("text", "") for content in body["contents"] for part in content["parts"])
        return words, config.get("responseJsonSchema") or config.get("responseSchema")
    content = "\n".join(_text(message["content"]) for message in body["messages"])
    if wire == "anthropic":
        return content, body.get("output_config", body.get("output_format", {})).get("format", {}).get("schema")
    return content, body.get("response_format", {}).get("json_schema", {}).get("schema")


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _reply(call: Call, said: Said) -> object:
    read = len(call.words) // 4 if said.read is None else said.read
    ended = WORDS[call.wire][said.ended]
    model = said.model or str(call.body.get("model", "a-model"))
    if call.wire == "anthropic":
        content = [{"type": "text", "text": said.text}] if said.text else []
        usage = {
            "input_tokens": read - said.cached,
            "output_tokens": said.wrote,
            "cache_read_input_tokens": said.cached,
        }
        return {"id": "m", "type": "message", "role": "assistant", "model": model, "content": content,
                "stop_reason": ended, "stop_sequence": None, "usage": usage}  # fmt: skip
    if call.wire == "google":
        counted = {"promptTokenCount": read, "candidatesTokenCount": said.wrote, "totalTokenCount": read + said.wrote,
                   "cachedContentTokenCount": said.cached}  # fmt: skip
        content = {"role": "model", "parts": [{"text": said.text}] if said.text else []}
        return {"candidates": [{"content": content, "finishReason": ended, "index": 0}], "usageMetadata": counted,
                "modelVersion": model, "responseId": "r"}  # fmt: skip
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.thinking:
        message["reasoning_content"] = said.thinking
    if said.ended == "refused":
        message |= {"content": None, "refusal": said.text}
    usage = {"prompt_tokens": read, "completion_tokens": said.wrote, "total_tokens": read + said.wrote,
             "prompt_tokens_details": {"cached_tokens": said.cached}}  # fmt: skip
    return {"id": "c", "object": "chat.completion", "created": 1, "model": model, "usage": usage,
            "choices": [{"index": 0, "finish_reason": ended, "message": message}]}  # fmt: skip


def task_of(words: str) -> str:
    """Which of our prompts it is, by the reply it asks for."""
    if '"sub_questions"' in words:
        return "plan"
    signs = {
        "review": '"verdicts"',
        "reevaluate": '"promote"',
        "brief": '"facts"',
        "rank": '"order"',
        "judge": '"argument"',
        "quote": '"quotes": [{"passage"',
        "interpret": '"silence"',
    }
    return next((task for task, sign in signs.items() if sign in words), "step")


def diligent(call: Call) -> Said:
    """Answer as asked: plan by sub-corpus, take every passage, finish, hand over, rank as shown, quote and claim."""
    return Said(json.dumps(answer(call.words), ensure_ascii=False))


def answer(words: str) -> dict[str, Any]:  # noqa: PLR0911
    """The reply to one of our prompts."""
    shown = re.findall(r"^\[{3} (?:passage|document) \w+\nid: (.+)$", words, re.MULTILINE)
    shown = shown or re.findall(r"^\[{3} (\d+) \w{12}$", words, re.MULTILINE)
    match task_of(words):
        case "plan":
            names = re.findall(r'^- "([^"]+)": .*documents', words, re.MULTILINE)[:2]
            return {"sub_questions": [{"text": f"Was steht in {name}?", "sub_corpus": name} for name in names]}
        case "review":
            verdicts = [{"passage": name, "verdict": "accept", "reason": "it fits"} for name in shown]
            if '"rejected"' in words:
                return {"verdicts": verdicts, "memory_update": {"findings": "some"}, "next": {"action": "finish"}}
            return {"action": "review", "args": {"verdicts": verdicts}, "memory_update": {"findings": "some"}}
        case "reevaluate":
            handed = {"brief": {"facts": ["a fact"], "hints": ["a hint"]}} if "Then write in `brief`" in words else {}
            return {"promote": [{"passage": name, "reason": "it fits now"} for name in shown], **handed}
        case "brief":
            return {"facts": ["a fact"], "hints": ["a hint"]}
        case "rank":
            return {"order": list(reversed(shown))}
        case "judge":
            return {"argument": f"it is told in {shown[0]}", "quote": "", "score": 1 + len(words) % 10}
        case "quote":
            texts = re.findall(r"^text:\n(.*?)\n\w{12} passage \]{3}$", words, re.MULTILINE | re.DOTALL)
            firsts = [text[slice(*sentence_spans(text)[0])] for text in texts]
            return {"quotes": [{"passage": name, "quote": said} for name, said in zip(shown, firsts, strict=True)]}
        case "interpret":
            numbers = [int(number) for number in re.findall(r"^number: (\d+)$", words, re.MULTILINE)]
            return {"claims": [{"text": f"This is said {how}.", "quotes": numbers[:1]} for how in ("once", "again")]}
        case _:
            return {"thought": "enough", "action": "finish"}
