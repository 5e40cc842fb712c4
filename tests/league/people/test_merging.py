"""Test merging two records of one player who plays in a league."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import (
    Audience,
    Change,
    Competition,
    Entrant,
    HanchanSeat,
    OrganizationChange,
    Player,
    Role,
    SeatResult,
)
from league.platform.errors import PermissionRefusedError, RuleViolationError
from league.services.competitions.schedule import seat_players
from league.services.competitions.setup import new_player
from league.services.operations.verification import differences_of
from league.services.parlour.people import merge_players
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, actor, final_table, in_block, league, play, seated, table, user

pytestmark = pytest.mark.django_db


def test_merging_gives_the_entry_and_its_results_to_the_kept_player() -> None:
    season = final_table()
    played = table(season.blocks.get(), numbers=(1, 2, 3, 4))
    first = played.hanchan.get(round=1)
    play(first)
    double = in_block(season.blocks.get())[0]
    keep = new_player(name="本人", by=SYSTEM)
    before = list(SeatResult.objects.order_by("pk").values_list("entrant", "points"))
    merge_players(duplicate=double.player, keep=keep, by=SYSTEM, reason="同一人物")
    double.refresh_from_db()
    assert double.player == keep
    assert list(SeatResult.objects.order_by("pk").values_list("entrant", "points")) == before
    assert SeatResult.objects.get(entrant=double).player == keep
    assert set(HanchanSeat.objects.filter(entrant=double).values_list("player", flat=True)) == {keep.pk}
    assert not HanchanSeat.objects.exclude(entrant__player=keep).filter(player=keep).exists()
    kept = Change.objects.get(kind="players.merged")
    assert (kept.before, kept.reason) == (
        {"player": Player.objects.get(merged_into=keep).pk, "entrants": [double.pk]},
        "同一人物",
    )
    assert OrganizationChange.objects.filter(kind="players.merged").exists()


def test_merging_does_not_change_the_standings(client: Client) -> None:
    season = final_table()
    for hanchan in table(season.blocks.get(), numbers=(1, 2, 3, 4)).hanchan.all():
        play(hanchan, accept={"same_result_twice"})
    publish_standings(season.pk)
    double = in_block(season.blocks.get())[0]
    merge_players(duplicate=double.player, keep=new_player(name="本人", by=SYSTEM), by=SYSTEM)
    publish_standings(season.pk)
    assert "本人" in client.get("/c/final/").content.decode()
    assert not list(differences_of(season))


def test_addresses_of_a_merged_entry_lead_to_the_player_kept_in_a_league_that_the_visitor_may_see(
    client: Client,
) -> None:
    season = final_table()
    double, keep = in_block(season.blocks.get())[0].player, new_player(name="本人", key="kept", by=SYSTEM)
    merge_players(duplicate=double, keep=keep, by=SYSTEM)
    publish_standings(season.pk)
    for path in ("players/{}/", "c/final/players/{}/", "c/final/players/{}/calendar.ics"):
        moved = client.get(f"/{path.format(double.key)}", {"lang": "en"})
        assert (moved.status_code, moved["Location"]) == (301, f"/{path.format('kept')}?lang=en")
        assert client.get(moved["Location"]).status_code == 200
    Competition.objects.update(audience=Audience.STAFF)
    assert client.get(f"/players/{double.key}/").status_code == 404


def test_two_players_entered_in_one_league_cannot_be_merged_and_the_error_names_it() -> None:
    one, other = in_block(league().blocks.get(key="A"))[:2]
    with pytest.raises(RuleViolationError, match="both entered “Spring League”"):
        merge_players(duplicate=one.player, keep=other.player, by=SYSTEM)
    assert not Player.objects.exclude(merged_into=None).exists()
    assert not Change.objects.filter(kind="players.merged").exists()


def test_a_substitute_who_sat_at_a_table_with_the_other_player_cannot_be_merged() -> None:
    season = final_table()
    first = table(season.blocks.get(), numbers=(1,)).hanchan.get()
    substitute = new_player(name="代打", by=SYSTEM)
    people = seated(first)
    seat_players(hanchan=first, entrants=people, by=SYSTEM)
    HanchanSeat.objects.filter(hanchan=first, entrant=people[0]).update(player=substitute)
    with pytest.raises(RuleViolationError, match="they are two people"):
        merge_players(duplicate=substitute, keep=people[1].player, by=SYSTEM)


def test_merging_needs_the_director_role_in_every_league_concerned() -> None:
    season = final_table()
    double = in_block(season.blocks.get())[0]
    scorer = actor(user(role=Role.SCORER, competition=season, is_staff=True))
    with pytest.raises(PermissionRefusedError):
        merge_players(duplicate=double.player, keep=new_player(name="本人", by=SYSTEM), by=scorer)


@pytest.mark.both_databases
def test_the_admin_suggests_similar_names_and_merges_two_players(client: Client) -> None:
    client.force_login(user(is_staff=True, is_superuser=True))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    keep = new_player(name="髙橋 花", name_kana="たかはし はな", by=SYSTEM)
    double = new_player(name="高橋花", by=SYSTEM)
    new_player(name="林 薫", by=SYSTEM)
    address = f"/admin/league/player/{double.pk}/merge/"
    assert [key for key, _label in client.get(address).context["form"].fields["like"].choices] == [keep.key]
    assert client.post(address, {}).status_code == 422
    assert client.post(address, {"key": "nobody"}).status_code == 422
    assert client.post(address, {"key": double.key}).status_code == 422
    assert client.post(address, {"like": keep.key}).status_code == 302
    double.refresh_from_db()
    assert double.merged_into == keep
    assert not Entrant.objects.exists()
