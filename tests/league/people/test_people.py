"""Test adding, editing and merging players, who belong to all competitions, and the log entries for it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Change, Competition, Door, OrganizationChange, Player, Role
from league.platform.errors import PermissionRefusedError
from league.selectors.access.actors import Actor
from league.services.competitions.editing import EntrantWords, PlayerWords, edit_entrant, edit_player
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from tests.factories import SYSTEM, entrants, final_table, league, user

pytestmark = pytest.mark.django_db


def staff(role: Role, competition: Competition) -> Actor:
    return Actor(user=user(role.value, role, competition), door=Door.ADMIN)


def test_a_director_adds_a_player_and_the_log_keeps_the_id_but_no_name() -> None:
    director = staff(Role.DIRECTOR, final_table())
    person = new_player(name="花", by=director)
    line = OrganizationChange.objects.get(kind="player.added", subject_id=str(person.pk))
    assert (line.actor, line.door) == (director.user, Door.ADMIN)
    assert "花" not in f"{line.before}{line.after}{line.reason}{line.subject_id}"


@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER])
def test_scorers_referees_and_readers_neither_add_nor_edit_players(role: Role) -> None:
    competition = final_table()
    by = staff(role, competition)
    person = competition.entrants.select_related("player")[0].player
    with pytest.raises(PermissionRefusedError):
        new_player(name="花", by=by)
    with pytest.raises(PermissionRefusedError):
        edit_player(player=person, words=PlayerWords(name="別人"), by=by)
    assert not Player.objects.filter(name__in=["花", "別人"]).exists()


def test_a_user_who_may_create_competitions_may_add_players() -> None:
    founder = user("founder")
    founder.user_permissions.add(Permission.objects.get(codename="add_competition"))
    assert new_player(name="花", by=Actor(user=founder, door=Door.ADMIN)).pk


def test_a_scorer_of_an_open_table_may_add_guests_and_a_reader_may_not() -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    assert new_player(name="花", by=staff(Role.SCORER, parlour)).pk
    with pytest.raises(PermissionRefusedError):
        new_player(name="月", by=staff(Role.READER, parlour))


@pytest.mark.both_databases
def test_editing_and_merging_players_is_logged_outside_competitions_too() -> None:
    one = entrants(final_table(), 1, prefix="X")[0].player
    other = new_player(name="X1", by=SYSTEM)
    edit_player(player=one, words=PlayerWords(name="新しい名前", number="7"), by=SYSTEM)
    merge_players(duplicate=other, keep=one, by=SYSTEM, reason="same person")
    edited = OrganizationChange.objects.get(kind="player.edited")
    assert edited.after == {"fields": ["name", "name_romaji", "number"]}
    merged = OrganizationChange.objects.get(kind="players.merged")
    assert (merged.subject_id, merged.after) == (str(one.pk), {"duplicate": other.pk})


@pytest.mark.both_databases
def test_a_director_edits_club_and_country_of_an_entrant_and_the_player_keeps_theirs(client: Client) -> None:
    competition = final_table()
    entrant = competition.entrants.select_related("player")[0]
    director = user("chief", Role.DIRECTOR, competition, is_staff=True)
    client.force_login(director)
    path = f"/admin/league/entrant/{entrant.pk}/edit/"
    assert client.get(path).status_code == 200
    assert client.post(path, {"affiliation": "灯火", "country": "日本"}).status_code == 302
    entrant.refresh_from_db()
    assert (entrant.affiliation, entrant.country) == ("灯火", "日本")
    assert (entrant.player.affiliation, entrant.player.country) == ("", "")
    line = Change.objects.get(competition=competition, kind="entrant.edited")
    assert (line.after, line.actor) == ({"fields": ["affiliation", "country"]}, director)
    by = staff(Role.SCORER, competition)
    with pytest.raises(PermissionRefusedError):
        edit_entrant(entrant=entrant, words=EntrantWords(), by=by)
