"""Tests of the set-up of a season like an earlier one: its settings, house options and entrants are proposed."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Competition, Role
from league.selectors.rulebooks.rules_in_force import rules_at
from league.selectors.seasons.teams import memberships
from league.services.competitions.departures import withdraw
from league.services.competitions.setup import set_status
from tests.factories import SYSTEM, final_table, in_block, table, user
from tests.fuzz.forms import forms_of
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db


def untouched(path: str, page: Any) -> dict[str, Any]:
    """Return what the main form of a page sends as it is shown."""
    (form,) = [form for form in forms_of(path, page.content.decode()) if {"pasted", "ruleset"} & set(form.fields)]
    return dict(form.untouched)


def closed_season() -> Competition:
    """Return a closed league with a house option of its own, from which one player has withdrawn."""
    season = final_table(
        name="灯火杯",
        name_en="Lantern Cup",
        options={"rounding": "exact"},
        confirmation=Competition.Confirmation.SECOND,
    )
    starts_at = dt.datetime(2026, 10, 3, 19, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    table(season.blocks.get(), starts_at=starts_at, venue="灯火荘")
    withdraw(entrant=in_block(season.blocks.get())[1], by=SYSTEM, reason="moved")
    set_status(competition=season, status=Competition.Status.CLOSED, by=SYSTEM)
    return season


def test_the_next_season_is_proposed_with_the_settings_options_and_players_of_the_one_before(chief: Client) -> None:
    season = closed_season()
    page = chief.get(f"/admin/league/competition/{season.pk}/change/")
    link = page.context["main"]
    assert link.label == "Next season..."
    first = chief.get(link.url, follow=True)
    url = str(first.redirect_chain[-1][0])
    shown = untouched(url, first)
    assert (shown["name"], shown["name_en"]) == (["灯火杯"], ["Lantern Cup"])
    assert (shown["confirmation"], shown["starts_at"], shown["venue"]) == (["second"], ["19:30"], ["灯火荘"])
    answer = chief.post(url, {**shown, "name_en": "Second Lantern Cup"}, follow=True)
    made = Competition.objects.get(name_en="Second Lantern Cup")
    assert rules_at(made).options == rules_at(season).options != {}
    assert rules_at(made).format == rules_at(season).format
    path, _status = answer.redirect_chain[-1]
    assert "The roster begins with that of “Lantern Cup”." in answer.content.decode()
    roster = answer.context["form"]["pasted"].value()
    seen = chief.post(path, {"pasted": roster, "look": "1"})
    assert chief.post(path, {**untouched(path, seen), "enter": "1"}).status_code == 302
    stayed = season.entrants.filter(withdrawn_at=None).values_list("player", flat=True)
    assert list(made.entrants.order_by("number").values_list("player", flat=True)) == list(stayed.order_by("number"))
    assert chief.get(path).context["form"]["pasted"].value() == "", "the players are entered"


def test_the_next_season_of_a_team_league_is_proposed_with_its_teams_and_their_present_members(chief: Client) -> None:
    before = TeamLeague().competition
    link = chief.get(f"/admin/league/competition/{before.pk}/change/").context["desk_links"]
    (url,) = [each.url for _heading, links in link for each in links if each.label == "Next season..."]
    first = chief.get(url, follow=True)
    url = str(first.redirect_chain[-1][0])
    answer = chief.post(url, {**untouched(url, first), "name_en": "Second"}, follow=True)
    path, _status = answer.redirect_chain[-1]
    seen = chief.post(path, {"pasted": answer.context["form"]["pasted"].value(), "has_captains": "on", "look": "1"})
    chief.post(path, {**untouched(path, seen), "enter": "1"})
    made = Competition.objects.get(name_en="Second")

    def teams(of: Competition) -> list[tuple[int, int, bool]]:
        rows = memberships(of).filter(until=None).order_by("entrant__number", "-is_captain", "order")
        return [(row.entrant.player_id, row.player_id, row.is_captain) for row in rows]

    assert teams(made) == teams(before) != []


def test_a_season_is_the_one_before_for_those_alone_who_direct_it(client: Client) -> None:
    season, other = closed_season(), final_table("other")
    boss = user("boss", Role.DIRECTOR, other, is_staff=True)
    boss.user_permissions.add(Permission.objects.get(codename="add_competition"))
    client.force_login(boss)
    for before, name in ((season, None), (other, other.name)):
        path = f"/admin/league/competition/set-up/?format=single-table-final&before={before.pk}"
        assert client.get(path).context["form"]["name"].value() == name
    assert client.get("/admin/league/competition/set-up/?format=single-table-final&before=x").status_code == 200
