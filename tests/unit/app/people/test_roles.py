"""Roles: each holds what those before it may, one for each archive; no role is no right."""

import itertools

import pytest

from vestigia.app.people.roles import EVERYWHERE, NOBODY, Role, Scope, Visitor, role_named, scopes_named
from vestigia.domain.errors import UsageError

ORDER = (Role.READER, Role.RESEARCHER, Role.CURATOR, Role.ADMIN)


@pytest.mark.parametrize(("role", "needed"), list(itertools.product(ORDER, ORDER)))
def test_a_role_covers_itself_and_those_before_it(role, needed):
    assert role.covers(needed) is (ORDER.index(role) >= ORDER.index(needed))
    assert Visitor("odile", (("vautrin", role),)).may(needed, "vautrin") is role.covers(needed)


def test_a_role_in_one_archive_is_none_in_another():
    visitor = Visitor("odile", (("vautrin", Role.ADMIN),))
    assert visitor.role_in("esch") is None
    assert not visitor.may(Role.READER, "esch")
    assert not visitor.may(Role.READER, EVERYWHERE), "a role in one archive is none on the server"


@pytest.mark.parametrize("pair", list(itertools.permutations([("vautrin", Role.READER), (EVERYWHERE, Role.CURATOR)])))
def test_of_a_role_there_and_one_everywhere_the_greater_counts(pair):
    assert Visitor("odile", pair).role_in("vautrin") is Role.CURATOR


@pytest.mark.parametrize(("role", "sees"), list(zip(ORDER, (False, False, True, True), strict=True)))
def test_closed_documents_are_for_curators(role, sees):
    assert Visitor("odile", (("vautrin", role),)).sees_closed("vautrin") is sees


def test_a_visitor_without_a_role_may_nothing():
    assert not any(Visitor("nobody").may(role, "vautrin") for role in ORDER)


def test_nobody_may_nothing():
    assert not any(NOBODY.may(role, archive, scope) for role in ORDER for archive in ("a", "*") for scope in Scope)


def test_a_token_is_told_from_a_person():
    assert Visitor("program", scopes=frozenset()).by_token
    assert not Visitor("odile").by_token


def test_words_for_roles_and_scopes_are_read_or_refused():
    assert role_named("curator") is Role.CURATOR
    assert scopes_named("read, act") == {Scope.READ, Scope.ACT}
    for wrong in ("", "Curator", "king"):
        with pytest.raises(UsageError, match="reader, researcher, curator, admin"):
            role_named(wrong)
    for wrong in ("", " , ", "read,write"):
        with pytest.raises(UsageError, match="read, act, closed"):
            scopes_named(wrong)
