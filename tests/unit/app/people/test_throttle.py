"""Guessing is slowed down, by name and by address, and nobody is locked out for good."""

import pytest

from unit.app.people.conftest import GOOD
from vestigia.app.people.door import Entered, Refused
from vestigia.app.people.throttle import FREE_OF_ADDRESS, FREE_OF_NAME, STEP, WINDOW, network

HOME = "192.0.2.1"


def guess(server, times, name="odile", address=HOME):
    return [server.enter(name, f"guess number {number}", address) for number in range(times)]


def test_five_wrong_tries_cost_nothing_the_next_waits_and_the_wait_doubles(server, odile, clock):
    assert guess(server, FREE_OF_NAME) == [Refused(0)] * FREE_OF_NAME
    waits = []
    for _ in range(4):
        refused = server.enter("odile", "wrong again", HOME)
        waits.append(refused.wait)
        clock.turn(refused.wait)
        assert server.enter("odile", "wrong again", HOME) == Refused(0)
    assert waits == [STEP, 2 * STEP, 4 * STEP, 8 * STEP]


def test_while_one_waits_the_right_password_is_not_looked_at(server, odile, clock):
    guess(server, FREE_OF_NAME)
    assert server.enter("odile", GOOD, HOME) == Refused(STEP)
    clock.turn(STEP)
    assert isinstance(server.enter("odile", GOOD, HOME), Entered)


def test_a_guesser_from_many_addresses_is_one_guesser(server, odile):
    for number in range(FREE_OF_NAME):
        assert guess(server, 1, address=f"192.0.2.{number}") == [Refused(0)]
    assert guess(server, 1, address="192.0.2.200")[0].wait == STEP


def test_a_guesser_of_many_names_is_one_guesser(server, odile):
    for number in range(FREE_OF_ADDRESS):
        assert guess(server, 1, name=f"name {number}") == [Refused(0)]
    assert server.enter("odile", GOOD, HOME).wait == STEP
    assert isinstance(server.enter("odile", GOOD, "198.51.100.7"), Entered), "elsewhere nobody waits"


def test_a_household_of_ipv6_is_one_address(server):
    for number in range(FREE_OF_ADDRESS):
        guess(server, 1, name=f"name {number}", address=f"2001:db8:1:2::{number:x}")
    assert guess(server, 1, name="another", address="2001:db8:1:2:ffff::1")[0].wait == STEP
    assert guess(server, 1, name="another", address="2001:db8:1:3::1")[0].wait == 0


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_what_counts_as_one_address(address, counted):
    assert network(address) == counted


def test_no_name_waits_longer_than_a_quarter_of_an_hour_and_then_all_is_forgotten(server, odile, clock):
    for _ in range(40):
        refused = server.enter("odile", "wrong", HOME)
        assert refused.wait <= WINDOW
        clock.turn(min(refused.wait, 200))
    clock.turn(WINDOW)
    assert guess(server, 1) == [Refused(0)]


def test_coming_in_forgives_the_tries_of_the_name_not_those_of_others_at_the_address(server, odile):
    guess(server, FREE_OF_NAME - 1)
    assert isinstance(server.enter("odile", GOOD, HOME), Entered)
    assert guess(server, FREE_OF_NAME) == [Refused(0)] * FREE_OF_NAME


def test_right_passwords_of_many_people_at_one_address_make_nobody_wait(server, odile):
    for _ in range(FREE_OF_ADDRESS + 5):
        assert isinstance(server.enter("odile", GOOD, HOME), Entered)


def test_a_try_counts_before_its_password_is_looked_at(server, odile, monkeypatch):
    """Many guesses sent at the same moment are no more than many in a row."""
    seen = []
    monkeypatch.setattr(
        type(server.accounts), "proven", lambda *_: seen.append(server.throttle.attempt("odile", HOME).wait)
    )
    guess(server, FREE_OF_NAME)
    assert seen[-1] > 0


def test_what_was_typed_as_a_name_stands_nowhere(server):
    """A password typed into the field of the name."""
    server.enter("mein geheimes Kennwort", "x", HOME)
    folder = server.accounts._store.path.parent
    assert not [path for path in folder.iterdir() if b"geheimes" in path.read_bytes()]


@pytest.mark.parametrize("name", ["", "\ud800", "a" * 100_000, "o\x00d"])
def test_a_name_that_nobody_can_have_is_refused_like_a_wrong_one(server, name):
    assert server.enter(name, GOOD, HOME) == Refused(0)
