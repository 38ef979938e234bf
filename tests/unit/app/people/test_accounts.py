"""Accounts: names that cannot be confused, passwords that are hashed, roles for each archive, nothing ever deleted."""

import sqlite3
import stat
import unicodedata

import pytest
from argon2 import PasswordHasher

from unit.app.people.conftest import GOOD
from vestigia.app.people.door import People
from vestigia.app.people.passwords import Passwords
from vestigia.app.people.roles import Role
from vestigia.domain.errors import ArchiveError, SettingsError, UsageError


@pytest.mark.parametrize("typed", ["odile", "ODILE", "  Odile ", "Ｏｄｉｌｅ"])
def test_a_name_is_one_person_however_it_is_typed(server, odile, typed):
    assert server.accounts.named(typed) == odile
    with pytest.raises(UsageError, match="already"):
        server.accounts.add(typed, GOOD)


@pytest.mark.parametrize("name", ["", "   ", "a" * 65, "odile\u200b", "od\u202eile", "a\x00b", "\ud800"])
def test_a_name_that_is_none_or_hides_signs_is_refused(server, name):
    with pytest.raises(UsageError):
        server.accounts.add(name, GOOD)
    assert server.accounts.all() == ()


@pytest.mark.parametrize("password", ["", "short", "elf Zeichen", "aaaaaaaaaaaaaaaa", "x" * 1025])
def test_a_password_that_is_guessed_first_is_refused_and_makes_no_account(server, password):
    with pytest.raises(UsageError):
        server.accounts.add("odile", password)
    assert server.accounts.all() == ()


def test_the_name_is_no_password(server):
    with pytest.raises(UsageError, match="guessed"):
        server.accounts.add("Odile van der Aa", "odile van der aa")


def test_what_is_kept_of_a_password_is_an_argon2id_hash_with_the_numbers_of_rfc_9106(tmp_path):
    server = People(tmp_path)
    server.accounts.add("odile", GOOD)
    kept = sqlite3.connect(server.accounts._store.path).execute("SELECT password FROM people").fetchone()[0]
    # RFC 9106, section 4: the second recommended option has t=3, m=2^16 KiB, p=4.
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert PasswordHasher().verify(kept, GOOD)


def test_no_file_of_the_server_holds_the_password_and_others_cannot_read_it(server, odile):
    server.enter("odile", GOOD, "192.0.2.1")
    folder = server.accounts._store.path.parent
    files = [path for path in folder.iterdir() if path.is_file()]
    assert files
    assert not [path for path in files if GOOD.encode() in path.read_bytes()]
    assert stat.S_IMODE(server.accounts._store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_same_password_is_proven_in_both_writings_of_an_accent(server):
    server.accounts.add("éva", "la forêt brûlée était grande")
    assert server.accounts.proven("éva", unicodedata.normalize("NFD", "la forêt brûlée était grande"))


def test_another_password_no_such_name_and_a_locked_account_are_told_apart_by_nobody(server, odile):
    assert server.accounts.proven("odile", GOOD + "!") is None
    assert server.accounts.proven("nobody", GOOD) is None
    assert server.accounts.proven("nobody", "nobody has this password") is None
    assert server.accounts.proven("odile", "\ud800" * 20) is None
    server.accounts.disable("odile")
    assert server.accounts.proven("odile", GOOD) is None


def test_a_name_that_is_not_there_costs_a_hash_as_well(server, passwords, monkeypatch):
    asked = []
    real = passwords._hasher.verify
    monkeypatch.setattr(type(passwords._hasher), "verify", lambda self, *pair: asked.append(pair) or real(*pair))
    server.accounts.proven("nobody", GOOD)
    assert len(asked) == 1


def test_an_old_hash_is_made_anew_when_its_password_is_given(server, odile, tmp_path, clock):
    stronger = People(tmp_path / "server", clock, Passwords(PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)))
    assert stronger.accounts.proven("odile", GOOD)
    kept = sqlite3.connect(server.accounts._store.path).execute("SELECT password FROM people").fetchone()[0]
    assert ",t=2," in kept
    assert server.accounts.proven("odile", GOOD), "and the password is still the same"


def test_a_person_has_one_role_in_each_archive(server, odile):
    server.accounts.give("odile", "vautrin", Role.READER)
    server.accounts.give("odile", "esch", Role.ADMIN)
    person = server.accounts.give("odile", "vautrin", Role.CURATOR)
    assert person.roles == (("esch", Role.ADMIN), ("vautrin", Role.CURATOR))
    assert server.accounts.give("odile", "esch", None).roles == (("vautrin", Role.CURATOR),)
    with pytest.raises(UsageError):
        server.accounts.give("odile", " ", Role.READER)


def test_a_new_account_may_do_nothing(odile):
    assert odile.roles == ()
    assert odile.visitor.role_in("vautrin") is None


def test_locking_ends_sessions_and_tokens_at_once_and_unlocking_revives_none(server, odile):
    secret = server.sessions.begin(odile.id)
    token = server.tokens.make(odile.id, "notebook", frozenset({"read"}))
    server.accounts.disable("odile")
    assert server.inside(secret) is None
    assert server.tokens.visitor(token) is None
    assert server.accounts.disable("odile", disabled=False).disabled is False
    assert server.inside(secret) is None
    assert server.tokens.visitor(token) is None
    assert server.accounts.proven("odile", GOOD)


def test_a_new_password_ends_every_session_but_the_one_it_is_set_in(server, odile):
    here, elsewhere = server.sessions.begin(odile.id), server.sessions.begin(odile.id)
    key = server.sessions.find(here).key
    server.accounts.change_password("odile", "ein ganz anderer Satz", keep=key)
    assert server.inside(here)
    assert server.inside(elsewhere) is None
    assert server.accounts.proven("odile", GOOD) is None
    assert server.accounts.proven("odile", "ein ganz anderer Satz")


def test_no_such_account_is_said_with_what_to_do(server):
    with pytest.raises(UsageError, match="people list"):
        server.accounts.disable("nobody")


def test_two_processes_make_one_account_of_a_name(tmp_path, clock, passwords):
    one, other = People(tmp_path, clock, passwords), People(tmp_path, clock, passwords)
    one.accounts.add("odile", GOOD)
    with pytest.raises(UsageError, match="already"):
        other.accounts.add("odile", GOOD)
    assert len(other.accounts.all()) == 1


def test_a_file_of_another_version_or_none_at_all_is_refused_by_name(tmp_path, clock, passwords):
    (tmp_path / "people.sqlite").write_bytes(b"this is no database, but quite long" * 40)
    with pytest.raises(ArchiveError, match=r"people\.sqlite.*copy"):
        People(tmp_path, clock, passwords)
    (tmp_path / "people.sqlite").unlink()
    with sqlite3.connect(tmp_path / "people.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(ArchiveError, match="another version"):
        People(tmp_path, clock, passwords)


def test_a_folder_that_cannot_be_made_is_said(tmp_path, clock, passwords):
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveError, match="--data"):
        People(tmp_path / "file" / "server", clock, passwords)


def test_without_the_package_for_hashes_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "argon2", None)
    with pytest.raises(SettingsError, match=r"vestigia\[web\]"):
        Passwords()
