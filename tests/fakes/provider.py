"""An OpenID provider on this machine: it lets everybody in as whoever the test says, and can lie in every way."""

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

KEY, FOREIGN = (RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}) for _ in range(2))
CLIENT, SECRET = "vestigia", "the-secret-of-the-client-long-enough"
SYMMETRIC = OctKey.import_key(SECRET)


class Provider:
    """What it says. Change `claims`, sign with another `key`, leave out what should be there."""

    def __init__(self, now: float) -> None:
        self.now, self.issuer = now, ""
        self.claims: dict[str, Any] = {"sub": "1234", "preferred_username": "Odile"}
        self.key: Any = KEY
        self.algorithm = "RS256"
        self.about: dict[str, Any] = {}
        self.denies = False
        self._codes: dict[str, dict[str, str]] = {}

    def authorize(self, query: dict[str, str]) -> str:
        """Let somebody in: where to go then."""
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        given = {"error": "access_denied"} if self.denies else {"code": code}
        return f"{query['redirect_uri']}?{urlencode({**given, 'state': query['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Give the token of a code once, to the client that proves itself and has the verifier."""
        asked = self._codes.pop(form.get("code", ""), None)
        proof = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if asked is None or authorization != f"Basic {proof}":
            return 400, {"error": "invalid_client"}
        if challenge.rstrip(b"=").decode() != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": int(self.now), "exp": int(self.now) + 300,
                  "nonce": asked["nonce"], **self.claims}  # fmt: skip
        said = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": self.algorithm, "kid": "one"}
        signed = jwt.encode(header, said, self.key, algorithms=[self.algorithm])
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": signed}

    def described(self) -> dict[str, Any]:
        """What it says of itself."""
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "HS256"],
            **self.about,
        }


@contextmanager
def running(now: float) -> Iterator[Provider]:
    """A provider at an address of this machine, until the test is over."""
    provider = Provider(now)

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/authorize":
                self.send_response(302)
                self.send_header("location", provider.authorize(dict(_fields(parts.query))))
                self.send_header("content-length", "0")
                self.end_headers()
            else:
                keys = {"keys": [KEY.as_dict(private=False)]}
                self._say(200, keys if parts.path == "/keys" else provider.described())

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"])).decode()
            self._say(*provider.token(dict(_fields(sent)), self.headers.get("authorization", "")))

        def _say(self, status: int, value: dict[str, Any]) -> None:
            written = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _fields(written: str) -> Iterator[tuple[str, str]]:
    return ((name, values[0]) for name, values in parse_qs(written).items())
