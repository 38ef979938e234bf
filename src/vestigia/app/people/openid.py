"""Signing in at an institution's own door (OpenID Connect): the code flow with PKCE, by authlib.

Of what the provider says only who it is counts: its issuer and the subject. An account is made at the first visit,
without a role; an account that is there already under that name is never taken over.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vestigia.app.keys import key_of
from vestigia.app.people import secrets
from vestigia.app.people.store import Clock, Store
from vestigia.domain.errors import BusyError, SettingsError, UsageError

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import OAuth2Client

FILE = "server.toml"
LASTS = 600
"""Seconds one may take at the provider."""
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
"""Signatures with a key of the provider's own; never one that our secret makes, and never none."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_WAIT, _KEPT = 15.0, 300.0
"""Seconds the provider has for an answer; for so many what it says of itself is kept."""


class Provider(BaseModel):
    """Whose door it is: `[oidc]` of `server.toml`. `key` names where the client's secret is, as for a model."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    issuer: str
    client: str
    key: str = ""
    name: str = "OpenID Connect"
    claim: str = Field(default="preferred_username", min_length=1)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    oidc: Provider | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the provider says it is. `name` is what a new account is called, `next` where one was going."""

    issuer: str
    subject: str
    name: str
    next: str


def provider_of(folder: Path) -> Provider | None:
    """Read whose door there is, if any. Raises SettingsError for a file that is wrong."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        found = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).oidc
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"it cannot be read ({error}).", where=str(path), remedy="Mend it.") from error
    except ValidationError as error:
        mistakes = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise SettingsError(f"{mistakes}.", where=str(path), remedy="Correct these settings.") from error
    if found is not None:
        _require_secure(found.issuer, str(path))
    return found


class OpenId:
    """The door of one provider. Raises SettingsError where authlib is not installed or the secret is not there."""

    def __init__(self, provider: Provider, store: Store, clock: Clock) -> None:
        try:
            import authlib  # noqa: F401, PLC0415  an extra
        except ImportError as error:
            raise SettingsError(
                "the package `authlib` is not installed.", where=FILE, remedy="pip install 'vestigia[oidc]'"
            ) from error
        self.provider = provider
        self._secret, _ = key_of("oidc", provider.key)
        self._store, self._clock = store, clock
        self._known: tuple[float, Mapping[str, Any]] | None = None

    def begin(self, session: str, back: str, going: str) -> str:
        """Begin to sign in: returns the address at the provider. `back` is ours, to which it leads back."""
        state, nonce, verifier = secrets.make(), secrets.make(), secrets.make()
        about, now = self._about(), int(self._clock())
        with self._store.writing() as database:
            database.execute("DELETE FROM flows WHERE at <= ?", [now - LASTS])
            database.execute(
                "INSERT INTO flows VALUES (?, ?, ?, ?, ?, ?)",
                [secrets.kept(state), secrets.kept(session), nonce, verifier, going, now],
            )
        with self._client(back) as client:
            url, _ = client.create_authorization_url(
                about["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
            )
        return str(url)

    def finish(self, session: str, state: str, code: str, back: str) -> Identity:
        """End signing in with what the provider gave: once, in the browser it was begun in, in time.

        Raises UsageError where it is not to be believed, BusyError where the provider gives no answer.
        """
        key = secrets.kept(state)
        with self._store.writing() as database:
            found = database.execute(
                "SELECT nonce, verifier, going FROM flows WHERE state = ? AND session = ? AND at > ?",
                [key, secrets.kept(session), int(self._clock()) - LASTS],
            ).fetchone()
            database.execute("DELETE FROM flows WHERE state = ?", [key])
        if found is None:
            raise UsageError("this way in was not begun here, or too long ago.", remedy="Begin again.")
        nonce, verifier, going = found
        about = self._about()
        token = self._token(about, back, code, verifier)
        claims = self._believed(about, token, nonce)
        name = next((str(claims[one]) for one in (self.provider.claim, "email", "sub") if claims.get(one)), "")
        return Identity(self.provider.issuer, str(claims["sub"]), name, going)

    def _token(self, about: Mapping[str, Any], back: str, code: str, verifier: str) -> Mapping[str, Any]:
        from authlib.integrations.base_client import OAuthError  # noqa: PLC0415  an extra
        from httpx2 import HTTPError  # noqa: PLC0415  likewise

        try:
            with self._client(back) as client:
                return dict(client.fetch_token(about["token_endpoint"], code=code, code_verifier=verifier))
        except OAuthError as error:
            raise UsageError(f"the provider refused ({error.error}).", remedy="Begin again.") from error
        except (HTTPError, ValueError) as error:
            raise _silent(error) from error

    def _believed(self, about: Mapping[str, Any], token: Mapping[str, Any], nonce: str) -> Mapping[str, Any]:
        """The claims of an identity token: signed by the provider, for us, for this visit, and not over."""
        from authlib.oidc.core import CodeIDToken  # noqa: PLC0415  an extra
        from joserfc import jwt  # noqa: PLC0415  likewise
        from joserfc.errors import JoseError  # noqa: PLC0415
        from joserfc.jwk import KeySet  # noqa: PLC0415
        from joserfc.jws import JWSRegistry  # noqa: PLC0415

        offered = about.get("id_token_signing_alg_values_supported") or ["RS256"]
        allowed = [one for one in offered if one in _ALGORITHMS]
        try:
            published: Any = self._fetched(about["jwks_uri"])
            keys = KeySet.import_key_set(published)
            registry = JWSRegistry(algorithms=allowed, strict_check_header=False)
            read = jwt.decode(str(token.get("id_token", "")), keys, registry=registry)
            options: Any = {
                "iss": {"essential": True, "value": self.provider.issuer},
                "aud": {"essential": True, "value": self.provider.client},
                "sub": {"essential": True},
                "exp": {"essential": True},
            }
            params = {"nonce": nonce, "client_id": self.provider.client, "access_token": token.get("access_token")}
            claims = CodeIDToken(read.claims, read.header, options, params)
            claims.validate(now=int(self._clock()), leeway=60)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"what the provider says of you cannot be believed ({type(error).__name__}).", remedy="Begin again."
            ) from error
        return dict(claims)

    def _about(self) -> Mapping[str, Any]:
        """What the provider says of itself. Raises SettingsError where that is not the provider of the settings."""
        if self._known is not None and self._clock() < self._known[0] + _KEPT:
            return self._known[1]
        about = self._fetched(f"{self.provider.issuer.rstrip('/')}/.well-known/openid-configuration")
        if about.get("issuer") != self.provider.issuer:
            raise SettingsError(
                "the provider calls itself otherwise.", where=FILE, remedy=f"Is it {about.get('issuer')!r}? Write that."
            )
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            _require_secure(str(about.get(name, "")), FILE)
        self._known = (self._clock(), about)
        return about

    def _fetched(self, address: str) -> dict[str, Any]:
        import httpx2  # noqa: PLC0415  takes a moment to import

        try:
            answer = httpx2.get(address, timeout=_WAIT, follow_redirects=False)
            answer.raise_for_status()
            return dict(answer.json())
        except (httpx2.HTTPError, ValueError, TypeError) as error:
            raise _silent(error) from error

    def _client(self, back: str) -> "OAuth2Client":
        from authlib.integrations.httpx_client import OAuth2Client  # noqa: PLC0415  an extra

        return OAuth2Client(
            self.provider.client,
            self._secret or None,
            token_endpoint_auth_method="client_secret_basic" if self._secret else "none",
            scope="openid profile",
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=_WAIT,
            follow_redirects=False,
        )


def _silent(error: Exception) -> BusyError:
    return BusyError(
        f"the provider gives no answer that can be read ({type(error).__name__}).", remedy="Try again a little later."
    )


def _require_secure(address: str, where: str) -> None:
    """Who somebody is goes over https, but to this machine. Raises SettingsError."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise SettingsError(
            f"{address!r} is no https address.", where=where, remedy="Use the provider's https address."
        )
