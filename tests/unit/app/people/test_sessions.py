"""Sessions: a random word for each login, kept as a digest, over after a while, ended at once."""

from vestigia.app.people.sessions import IDLE, LONGEST


def test_the_secret_of_a_session_stands_nowhere(server, odile):
    secret = server.sessions.begin(odile.id)
    person, session = server.inside(secret)
    assert person == odile
    assert secret not in repr(session)
    folder = server.accounts._store.path.parent
    assert not [path for path in folder.iterdir() if secret.encode() in path.read_bytes()]
    assert server.inside(session.key) is None, "what is kept opens nothing"


def test_every_session_has_another_secret_of_256_bits(server, odile):
    secrets = {server.sessions.begin(odile.id) for _ in range(20)}
    assert len(secrets) == 20
    assert all(len(secret) == 43 for secret in secrets)  # 32 bytes in base64 without padding


def test_a_session_that_nobody_uses_is_over(server, odile, clock):
    secret = server.sessions.begin(odile.id)
    clock.turn(IDLE - 1)
    assert server.inside(secret)
    clock.turn(IDLE - 1)
    assert server.inside(secret), "it was used in between"
    clock.turn(IDLE)
    assert server.inside(secret) is None


def test_listening_is_no_use(server, odile, clock):
    """A page that was left open and hears of a run does not keep the door open."""
    secret = server.sessions.begin(odile.id)
    clock.turn(IDLE - 1)
    assert server.inside(secret, used=False)
    clock.turn(1)
    assert server.inside(secret) is None


def test_a_session_is_over_after_a_week_however_much_it_is_used(server, odile, clock):
    secret = server.sessions.begin(odile.id)
    for _ in range(23):
        clock.turn(7 * 3600)
        assert server.inside(secret)
    clock.turn(7 * 3600)  # 24 times 7 hours are a week
    assert server.inside(secret) is None
    assert server.sessions.of(odile.id) == ()


def test_ending_one_ends_it_and_leaves_the_others(server, odile):
    one, two, three = (server.sessions.begin(odile.id) for _ in range(3))
    server.sessions.end(server.sessions.find(one).key)
    assert server.inside(one) is None
    assert server.inside(two)
    server.sessions.end_all(odile.id, but=server.sessions.find(three).key)
    assert server.inside(two) is None
    assert server.inside(three)
    assert len(server.sessions.of(odile.id)) == 1


def test_a_made_up_secret_opens_nothing(server, odile):
    server.sessions.begin(odile.id)
    for made_up in ("", "x", "x" * 10_000, "' OR 1=1 --", "\ud800"):
        assert server.inside(made_up) is None


def test_sessions_that_are_over_are_cleared_away(server, odile, clock):
    server.sessions.begin(odile.id)
    clock.turn(LONGEST)
    server.sessions.begin(odile.id)
    with server.accounts._store.reading() as database:
        assert database.execute("SELECT count(*) FROM sessions").fetchone() == (1,)


def test_roles_are_those_of_now_not_of_the_login(server, odile):
    secret = server.sessions.begin(odile.id)
    server.accounts.give("odile", "vautrin", "curator")
    assert server.inside(secret)[0].roles == (("vautrin", "curator"),)
    server.accounts.give("odile", "vautrin", None)
    assert server.inside(secret)[0].roles == ()
