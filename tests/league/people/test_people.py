"""People belong to all competitions: who adds them, mends them and joins them, and what the log says of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from league.models import Competition, Door, OrganizationChange, Player, Role
from league.platform.errors import PermissionRefusedError
from league.selectors.access.actors import Actor
from league.services.competitions.editing import PlayerWords, edit_player
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from tests.factories import SYSTEM, entrants, final_table, league, user

pytestmark = pytest.mark.django_db


def staff(role: Role, competition: Competition) -> Actor:
    return Actor(user=user(role.value, role, competition), door=Door.ADMIN)


@pytest.mark.both_databases
def test_a_director_adds_people_and_the_log_keeps_their_number_but_no_name() -> None:
    director = staff(Role.DIRECTOR, final_table())
    person = new_player(name="花", by=director)
    line = OrganizationChange.objects.get(kind="player.added", subject_id=str(person.pk))
    assert (line.actor, line.door) == (director.user, Door.ADMIN)
    assert "花" not in f"{line.before}{line.after}{line.reason}{line.subject_id}"


@pytest.mark.both_databases
@pytest.mark.parametrize("role", [Role.SCORER, Role.REFEREE, Role.READER])
def test_who_only_works_for_a_league_adds_nobody_and_mends_nobody(role: Role) -> None:
    competition = final_table()
    by = staff(role, competition)
    person = competition.entrants.select_related("player")[0].player
    with pytest.raises(PermissionRefusedError):
        new_player(name="花", by=by)
    with pytest.raises(PermissionRefusedError):
        edit_player(player=person, words=PlayerWords(name="別人"), by=by)
    assert not Player.objects.filter(name__in=["花", "別人"]).exists()


def test_who_may_set_up_competitions_adds_the_people_of_the_first_one() -> None:
    founder = user("founder")
    founder.user_permissions.add(Permission.objects.get(codename="add_competition"))
    assert new_player(name="花", by=Actor(user=founder, door=Door.ADMIN)).pk


def test_at_an_open_table_the_scorer_adds_guests_too() -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    assert new_player(name="花", by=staff(Role.SCORER, parlour)).pk
    with pytest.raises(PermissionRefusedError):
        new_player(name="月", by=staff(Role.READER, parlour))


@pytest.mark.both_databases
def test_mending_and_joining_people_leaves_a_line_outside_competitions_too() -> None:
    one = entrants(final_table(), 1, prefix="X")[0].player
    other = new_player(name="X1", by=SYSTEM)
    edit_player(player=one, words=PlayerWords(name="新しい名前", number="7"), by=SYSTEM)
    merge_players(duplicate=other, keep=one, by=SYSTEM, reason="same person")
    edited = OrganizationChange.objects.get(kind="player.edited")
    assert edited.after == {"fields": ["name", "name_romaji", "number"]}
    merged = OrganizationChange.objects.get(kind="players.merged")
    assert (merged.subject_id, merged.after) == (str(one.pk), {"duplicate": other.pk})
