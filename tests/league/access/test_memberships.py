"""Tests of the staff of a competition: only its director adds, changes and removes members."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from league.models import Change, Competition, Door, Membership, Role
from league.platform.errors import ConflictError, PermissionRefusedError
from league.selectors.access.actors import ROLE_CAPABILITIES, Actor, Capability, capabilities, require
from league.services.access.memberships import add_member, change_role, remove_member
from tests.factories import SYSTEM, final_table, league, user

pytestmark = pytest.mark.django_db


def director_of(competition: Competition, name: str = "chief") -> Actor:
    return Actor(user=user(name, Role.DIRECTOR, competition, is_staff=True), door=Door.ADMIN)


def staff_page(competition: Competition) -> str:
    return f"/admin/league/membership/of/{competition.pk}/"


def test_each_role_has_its_capabilities_and_a_scorer_cannot_correct_rule_or_manage() -> None:
    assert {Capability.SUBMIT, Capability.CONFIRM} <= ROLE_CAPABILITIES[Role.SCORER]
    assert not ROLE_CAPABILITIES[Role.SCORER] & {Capability.CORRECT, Capability.RULE, Capability.MANAGE}
    assert ROLE_CAPABILITIES[Role.READER] == {Capability.READ}
    assert ROLE_CAPABILITIES[Role.REFEREE] == {Capability.READ, Capability.RULE}
    assert ROLE_CAPABILITIES[Role.DIRECTOR] == set(Capability)


def test_a_director_adds_a_member_and_the_log_records_the_user_id() -> None:
    competition = final_table()
    by, newcomer = director_of(competition), user("hana")
    member = add_member(competition=competition, user=newcomer, role=Role.SCORER, by=by)
    assert Capability.SUBMIT in capabilities(newcomer, competition)
    newcomer.refresh_from_db()
    assert newcomer.is_staff
    line = Change.objects.get(kind="member.added")
    assert (line.actor, line.subject_id, line.is_public) == (by.user, str(member.pk), False)
    assert line.after == {"user": newcomer.pk, "role": "scorer"}
    with pytest.raises(ConflictError):
        add_member(competition=competition, user=newcomer, role=Role.READER, by=by)


def test_a_scorer_at_an_open_table_gets_no_admin_access() -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    clerk = user("clerk")
    add_member(competition=parlour, user=clerk, role=Role.SCORER, by=SYSTEM)
    clerk.refresh_from_db()
    assert not clerk.is_staff


@pytest.mark.parametrize(("language", "name"), [("en", "Spring final"), ("ja", "春の決勝")])
def test_a_refusal_names_the_competition_in_the_language_of_the_user(language: str, name: str) -> None:
    competition = final_table(name="春の決勝", name_en="Spring final")
    with translation.override(language), pytest.raises(PermissionRefusedError, match=name):
        require(Actor(user=user("hana"), door=Door.ADMIN), competition, Capability.SUBMIT)


@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER])
def test_other_roles_cannot_manage_members(role: Role) -> None:
    competition = final_table()
    by = Actor(user=user("somebody", role, competition), door=Door.ADMIN)
    mine = Membership.objects.get(user=by.user)
    with pytest.raises(PermissionRefusedError):
        add_member(competition=competition, user=user("hana"), role=Role.READER, by=by)
    with pytest.raises(PermissionRefusedError):
        change_role(member=mine, role=Role.DIRECTOR, by=by)
    with pytest.raises(PermissionRefusedError):
        remove_member(member=mine, by=by)


@pytest.mark.both_databases
def test_the_last_director_stays_unless_a_superuser_removes_them() -> None:
    competition = final_table()
    by = director_of(competition)
    mine = Membership.objects.get(user=by.user)
    with pytest.raises(ConflictError, match="only director"):
        remove_member(member=mine, by=by)
    with pytest.raises(ConflictError, match="only director"):
        change_role(member=mine, role=Role.SCORER, by=by)
    other = add_member(competition=competition, user=user("hana"), role=Role.DIRECTOR, by=by)
    remove_member(member=mine, by=by)
    remove_member(member=other, by=Actor(user=user("master", is_superuser=True), door=Door.ADMIN))
    assert not Membership.objects.filter(competition=competition).exists()


def test_a_role_change_takes_effect_at_once() -> None:
    competition = final_table()
    by = director_of(competition)
    member = add_member(competition=competition, user=user("hana"), role=Role.READER, by=by)
    change_role(member=member, role=Role.REFEREE, by=by)
    assert capabilities(member.user, competition) == ROLE_CAPABILITIES[Role.REFEREE]
    line = Change.objects.get(kind="member.changed")
    assert line.before
    assert line.after
    assert (line.before["role"], line.after["role"]) == ("reader", "referee")


@pytest.mark.both_databases
def test_the_page_adds_changes_and_removes_members(client: Client) -> None:
    competition = final_table()
    by = director_of(competition)
    assert by.user
    client.force_login(by.user)
    hana = user("hana", email="hana@example.org")
    client.post(staff_page(competition), {"action": "add", "user": "HANA@example.org", "role": "scorer"})
    member = Membership.objects.get(user=hana)
    client.post(staff_page(competition), {"action": "role", "member": member.pk, "role": "reader"})
    member.refresh_from_db()
    assert member.role == Role.READER
    client.post(staff_page(competition), {"action": "remove", "member": member.pk})
    assert not Membership.objects.filter(user=hana).exists()


def test_an_unknown_user_name_is_rejected_without_suggesting_existing_names(client: Client) -> None:
    competition = final_table()
    by = director_of(competition)
    assert by.user
    client.force_login(by.user)
    user("hanako")
    answer = client.post(staff_page(competition), {"action": "add", "user": "hana", "role": "scorer"})
    assert answer.status_code == 422
    assert "hanako" not in answer.content.decode()


@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER])
def test_only_the_director_of_the_competition_can_open_the_page(client: Client, role: Role) -> None:
    competition, other = final_table(), final_table("other")
    client.force_login(user("somebody", role, competition, is_staff=True))
    assert client.get(staff_page(competition)).status_code == 404
    client.force_login(user("elsewhere", Role.DIRECTOR, other, is_staff=True))
    assert client.get(staff_page(competition)).status_code == 404
    assert client.get(staff_page(other)).status_code == 200
