"""Who a visitor is and what they may do: one role for each archive, each holding all that those before it may."""

from dataclasses import dataclass, field
from enum import StrEnum

from vestigia.domain.errors import UsageError

EVERYWHERE = "*"
"""In the place of an archive's name: every archive of the server, and the server itself."""


class Role(StrEnum):
    """What a person may do in an archive."""

    READER = "reader"
    """Reads: searches, opens sources, looks at the runs of others."""
    RESEARCHER = "researcher"
    """Asks, surveys, has sets judged, decides about runs, exports."""
    CURATOR = "curator"
    """Also sees closed documents, curates, seals, describes and adds sources."""
    ADMIN = "admin"
    """Also deletes sources, changes settings, and says who may do what."""

    def covers(self, needed: "Role") -> bool:
        """Whether one with this role may do what asks for `needed`."""
        order = tuple(Role)
        return order.index(self) >= order.index(needed)


class Scope(StrEnum):
    """What a token of a person may be used for; it never reaches further than the person's role."""

    READ = "read"
    ACT = "act"
    """Begin runs, decide, curate: whatever is written down."""
    CLOSED = "closed"
    """See closed documents, where the person may."""
    METRICS = "metrics"
    """Read what the server counts of itself, where the person administers it; nothing of any archive."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks. `scopes` are those of a token, None for a person at a browser or at this machine."""

    name: str
    roles: tuple[tuple[str, Role], ...] = ()
    scopes: frozenset[Scope] | None = None
    person: int = field(default=0, compare=False)
    """The number of the account; 0 where there are no accounts."""

    @property
    def by_token(self) -> bool:
        """Whether a token and not a cookie proved who asks, so that no other site can have sent the request."""
        return self.scopes is not None

    def role_in(self, archive: str) -> Role | None:
        """The role in an archive: the one given there, or everywhere, whichever is more; None for no role."""
        found = [role for where, role in self.roles if where in {archive, EVERYWHERE}]
        return max(found, key=tuple(Role).index, default=None)

    def may(self, needed: Role, archive: str, scope: Scope = Scope.READ) -> bool:
        """Whether the visitor may do in an archive what asks for a role, by a token that has the scope."""
        role = self.role_in(archive)
        return role is not None and role.covers(needed) and self.has(scope)

    def has(self, scope: Scope) -> bool:
        """Whether who asks may do something of this kind: a person any, a token those of its scopes."""
        return self.scopes is None or scope in self.scopes

    def sees_closed(self, archive: str) -> bool:
        """Whether the visitor may ask for the texts of closed documents (B11)."""
        return self.may(Role.CURATOR, archive, Scope.CLOSED)


NOBODY = Visitor("")
"""Who has not said who they are."""


def role_named(name: str) -> Role:
    """Return the role called so. Raises UsageError for another word."""
    try:
        return Role(name)
    except ValueError:
        raise UsageError(f"there is no role {name!r}.", remedy=f"There are: {', '.join(Role)}.") from None


def scopes_named(names: str) -> frozenset[Scope]:
    """Read scopes separated by commas. Raises UsageError for none and for another word."""
    written = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in written if name not in set(Scope)]
    if unknown or not written:
        what = f"there is no scope {unknown[0]!r}." if unknown else "a token without a scope is of no use."
        raise UsageError(what, remedy=f"There are: {', '.join(Scope)}.")
    return frozenset(Scope(name) for name in written)
