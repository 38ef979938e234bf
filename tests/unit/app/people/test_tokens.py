"""Tokens: shown once, kept as a digest, narrowed by scopes and an archive, over on a day, revoked at once."""

import pytest

from vestigia.app.people.roles import Role, Scope
from vestigia.app.people.tokens import PREFIX
from vestigia.domain.errors import UsageError

READ = frozenset({Scope.READ})


@pytest.fixture
def curator(server, odile):
    server.accounts.give("odile", "vautrin", Role.CURATOR)
    return server.accounts.give("odile", "esch", Role.READER)


def test_a_token_is_shown_once_and_kept_as_a_digest(server, curator):
    secret = server.tokens.make(curator.id, "my notebook", READ)
    assert secret.startswith(PREFIX)
    assert secret not in repr(server.tokens.of(curator.id))
    folder = server.accounts._store.path.parent
    assert not [path for path in folder.iterdir() if secret.removeprefix(PREFIX).encode() in path.read_bytes()]


def test_a_token_does_what_its_scopes_say_and_no_more(server, curator):
    reads = server.tokens.visitor(server.tokens.make(curator.id, "reads", READ))
    assert reads.may(Role.READER, "vautrin", Scope.READ)
    assert not reads.may(Role.RESEARCHER, "vautrin", Scope.ACT)
    assert not reads.sees_closed("vautrin")
    acts = server.tokens.visitor(server.tokens.make(curator.id, "acts", frozenset({Scope.READ, Scope.ACT})))
    assert acts.may(Role.CURATOR, "vautrin", Scope.ACT)
    assert not acts.sees_closed("vautrin")
    sees = server.tokens.visitor(server.tokens.make(curator.id, "sees", frozenset({Scope.READ, Scope.CLOSED})))
    assert sees.sees_closed("vautrin")


def test_a_token_reaches_no_further_than_its_person(server, curator):
    every = server.tokens.visitor(server.tokens.make(curator.id, "all", frozenset(Scope)))
    assert not every.may(Role.RESEARCHER, "esch", Scope.ACT)
    assert not every.sees_closed("esch")
    assert not every.may(Role.READER, "elsewhere", Scope.READ)


def test_a_token_of_one_archive_opens_no_other(server, curator):
    bound = server.tokens.visitor(server.tokens.make(curator.id, "esch only", READ, "esch"))
    assert bound.may(Role.READER, "esch")
    assert not bound.may(Role.READER, "vautrin")
    nowhere = server.tokens.visitor(server.tokens.make(curator.id, "no role there", READ, "elsewhere"))
    assert nowhere.roles == ()


def test_a_token_of_one_archive_of_a_person_with_a_role_everywhere(server, odile):
    server.accounts.give("odile", "*", Role.ADMIN)
    bound = server.tokens.visitor(server.tokens.make(odile.id, "esch only", READ, "esch"))
    assert bound.roles == (("esch", Role.ADMIN),)


def test_a_role_taken_away_is_taken_from_the_token(server, curator):
    secret = server.tokens.make(curator.id, "notebook", READ)
    server.accounts.give("odile", "vautrin", None)
    assert not server.tokens.visitor(secret).may(Role.READER, "vautrin")


def test_a_token_is_over_on_its_day(server, curator, clock):
    secret = server.tokens.make(curator.id, "notebook", READ, days=1)
    clock.turn(86399)
    assert server.tokens.visitor(secret)
    clock.turn(1)
    assert server.tokens.visitor(secret) is None


def test_a_revoked_token_opens_nothing_from_then_on(server, curator):
    secret = server.tokens.make(curator.id, "notebook", READ)
    assert server.tokens.visitor(secret)
    server.tokens.revoke(curator.id, server.tokens.of(curator.id)[0].id)
    assert server.tokens.visitor(secret) is None
    assert server.tokens.of(curator.id)[0].revoked


def test_nobody_revokes_the_token_of_another(server, curator):
    other = server.accounts.add("tom", "ein zweiter langer Satz")
    secret = server.tokens.make(curator.id, "notebook", READ)
    with pytest.raises(UsageError):
        server.tokens.revoke(other.id, server.tokens.of(curator.id)[0].id)
    assert server.tokens.visitor(secret)


def test_the_use_of_a_token_is_noted(server, curator, clock):
    secret = server.tokens.make(curator.id, "notebook", READ)
    assert server.tokens.of(curator.id)[0].used is None
    clock.turn(100)
    server.tokens.visitor(secret)
    assert server.tokens.of(curator.id)[0].used == int(clock.now)


@pytest.mark.parametrize(
    ("label", "scopes", "days"),
    [("", READ, 1), ("a" * 101, READ, 1), ("x", frozenset(), 1), ("x", READ, 0), ("x", READ, 367)],
)
def test_a_token_without_name_scope_or_end_is_refused(server, curator, label, scopes, days):
    with pytest.raises(UsageError):
        server.tokens.make(curator.id, label, scopes, days=days)
    assert server.tokens.of(curator.id) == ()


def test_a_made_up_token_opens_nothing(server, curator):
    for made_up in ("", PREFIX, PREFIX + "x" * 43, "\ud800"):
        assert server.tokens.visitor(made_up) is None
