"""Tests of the page about an event's day, and of the pages by which an entrant is absent, leaves or joins."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.models import Competition, Credit, Departure, Entrant, Hanchan, Role, TableSession
from league.services.competitions.setup import enter_players, new_player
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, in_block
from tests.league import parlours
from tests.league.admin_pages import at, done, errors_of
from tests.league.event import credited, event, main, seat_of
from tests.league.played_season import almost_finished

pytestmark = pytest.mark.django_db
FIXED = 'no_show = { by = "substitutes", points = "-15.0" }\nlate = { worth = "-5.0" }'


def page(client: Client, competition: Competition, **query: str) -> str:
    return client.get(at(competition, "day"), query).content.decode()


@pytest.mark.both_databases
def test_letters_and_enter_check_in_the_only_missing_player_they_find(chief: Client) -> None:
    competition = event()
    first, second = in_block(main(competition))[:2]
    assert "Missing (8)" in page(chief, competition)
    assert "Checked in (0)" not in page(chief, competition)
    done(chief, at(competition, "day"), {"find": "ain1"})
    first.refresh_from_db()
    assert first.checked_in_at is not None
    shown = page(chief, competition)
    assert "Missing (7)" in shown
    assert "Checked in (1)" in shown
    several = chief.post(at(competition, "day"), {"find": "main"})
    assert [row.day.entrant for row in several.context["lists"][0].rows] == in_block(main(competition))[1:]
    none = chief.post(at(competition, "day"), {"find": "zzz"})
    assert (none.status_code, "No missing player is found by “zzz”" in none.content.decode()) == (422, True)
    done(chief, at(competition, "day"), {"check_in": second.pk})
    done(chief, at(competition, "day"), {"check_in_back": first.pk})
    assert list(Entrant.objects.exclude(checked_in_at=None)) == [second]
    assert chief.post(at(competition, "day"), {"check_in": 0}).status_code == 404
    assert "Found (1)" in page(chief, competition, find=str(second.number))


@pytest.mark.both_databases
def test_players_are_checked_in_again_on_the_next_day_of_play(chief: Client) -> None:
    competition = event()
    tables = TableSession.objects.filter(competition=competition).order_by("pk")
    yesterday, today = timezone.now() - dt.timedelta(days=1), timezone.now()
    first, second = in_block(main(competition))[:2]
    Entrant.objects.filter(pk__in=(first.pk, second.pk)).update(checked_in_at=yesterday)
    assert "Checked in (2)" in page(chief, competition)
    tables.filter(order__lte=2).update(starts_at=yesterday)
    assert "Checked in (2)" in page(chief, competition)
    tables.filter(order__gt=2).update(starts_at=today)
    assert "Missing (8)" in page(chief, competition)
    done(chief, at(competition, "day"), {"check_in": first.pk})
    first.refresh_from_db()
    assert first.checked_in_at is not None
    assert first.checked_in_at >= today
    assert "Checked in (1)" in page(chief, competition)
    tables.filter(order__gt=2).update(is_cancelled=True)
    assert "Checked in (2)" in page(chief, competition)


def test_on_the_night_of_the_final_only_its_players_are_missing(chief: Client) -> None:
    season = almost_finished()
    season.publish()
    shown = chief.get(at(season.competition, "day"))
    lists = {each.key: [row.day.entrant.pk for row in each.rows] for each in shown.context["lists"]}
    assert len(lists["missing"]) == 4
    assert all(row.seat for row in shown.context["day"].missing)
    assert len(lists["eliminated"]) == 12
    assert "Players 16 · checked in 0 · missing 4 · eliminated 12" in " ".join(shown.content.decode().split())
    out = Entrant.objects.get(pk=lists["eliminated"][0])
    assert "has no round to miss" in chief.get(at(out, "no-show")).content.decode()
    done(chief, at(season.competition, "day"), {"check_in": out.pk})
    assert "Checked in (1)" in page(chief, season.competition)


def test_a_referee_records_absences_and_may_not_check_in_or_withdraw(client: Client) -> None:
    competition = event(FIXED)
    entrant = in_block(main(competition))[0]
    client.force_login(factories.user("referee", Role.REFEREE, competition, is_staff=True))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    shown = page(client, competition)
    assert at(entrant, "no-show") in shown
    assert at(entrant, "withdraw") not in shown
    assert 'name="check_in"' not in shown
    assert client.post(at(competition, "day"), {"check_in": entrant.pk}).status_code == 403
    done(client, at(entrant, "no-show"), {"round": f"{main(competition).pk}-1", "reason": "Not here"})
    assert credited(entrant) == [(1, "no_show", -150, None)]


@pytest.mark.both_databases
def test_an_absence_shows_first_what_it_does_and_is_taken_back_from_the_day(chief: Client) -> None:
    competition = event()
    publish_standings(competition.pk)
    entrant = in_block(main(competition))[0]
    values = {"round": f"{main(competition).pk}-1", "counts": "points", "points": "-30", "reason": "Not here"}
    assert errors_of(chief, at(entrant, "no-show"), {**values, "points": ""}) == {
        "points": ["Enter the points, 0 for none."]
    }
    looked = chief.post(at(entrant, "no-show"), {**values, "is_last": "on"})
    assert looked.context["seen"]
    assert "Player House11 takes the seat: Hanchan 1 · 1" in looked.content.decode()
    assert not Credit.objects.exists()
    done(chief, at(entrant, "no-show"), {**values, "is_last": "on"})
    assert credited(entrant) == [(1, "no_show", -300, 4)]
    credit = Credit.objects.get()
    assert at(credit, "take-back") in page(chief, competition)
    done(chief, at(credit, "take-back"), {"reason": "Was there"})
    assert seat_of(entrant, 1).seats.get(seat=0).entrant == entrant
    done(chief, at(entrant, "no-show"), {**values, "counts": "house", "points": ""})
    assert seat_of(entrant, 1).seats.get(seat=0).player != entrant.player


@pytest.mark.both_databases
def test_leaving_leads_to_the_plan_of_the_remaining_rounds_and_is_taken_back(chief: Client) -> None:
    competition = event()
    publish_standings(competition.pk)
    entrant = in_block(main(competition))[0]
    looked = chief.get(at(entrant, "disqualify")).content.decode()
    assert "Still seated: " in looked
    assert "plans the remaining rounds again" in looked
    there = done(chief, at(entrant, "disqualify"), {"reason": "Phone"})
    assert there == f"{at(main(competition), 'replan')}?leaving={entrant.pk}"
    form = chief.get(there).context["form"]
    assert [each.data["value"] for each in form["leaving"] if each.data["selected"]] == [entrant.pk]
    departure = Departure.objects.get()
    shown = page(chief, competition)
    assert "<b>disqualified</b>: Phone" in shown
    assert at(departure, "take-back") in shown
    done(chief, at(departure, "take-back"), {"reason": "Not his phone"})
    entrant.refresh_from_db()
    assert entrant.withdrawn_at is None
    assert done(chief, at(entrant, "withdraw"), {"reason": "Ill"}) == there


@pytest.mark.both_databases
def test_a_late_player_joins_by_name_or_from_the_entrants(chief: Client) -> None:
    competition = event(FIXED)
    publish_standings(competition.pk)
    block = main(competition)
    gone, also = in_block(block)[:2]
    for one in (gone, also):
        done(chief, at(one, "withdraw"), {"reason": "Not coming"})
    values = {"block": block.pk, "first": "2", "reason": "Train"}
    late = at(competition, "late")
    assert "one of the two" in errors_of(chief, late, values)["__all__"][0]
    there = done(chief, late, {**values, "newcomer": "遅刻 太郎"})
    joined = Entrant.objects.get(player__name="遅刻 太郎")
    assert there == f"{at(block, 'replan')}?joining={joined.pk}"
    assert credited(joined) == [(1, "late", -50, None)]
    publish_standings(competition.pk)
    (entered,) = enter_players(competition=competition, players=[new_player(name="補", by=SYSTEM)], by=SYSTEM)
    done(chief, late, {**values, "first": "3", "entrant": entered.pk})
    assert [number for number, *_rest in credited(entered)] == [1, 2]


def test_a_walkover_is_declared_from_match_night_and_undone_by_resuming(chief: Client) -> None:
    competition = event('walkover = { by = "worth", worth = "10.0" }')
    publish_standings(competition.pk)
    people = in_block(main(competition))
    hanchan = seat_of(people[0], 1)
    night = chief.get(f"{at(hanchan.table_session.session, 'night')}?open={hanchan.pk}").content.decode()
    assert at(hanchan, "walkover") in night
    done(chief, at(hanchan, "walkover"), {"reason": "Power cut"})
    assert credited(people[3]) == [(1, "walkover", 100, None)]
    done(chief, at(hanchan, "resume"), {"reason": "Light again"})
    assert credited(people[3]) == []
    assert Hanchan.objects.get(pk=hanchan.pk).state == Hanchan.State.SCHEDULED


def test_long_lists_are_folded_and_found_by_reading(client: Client) -> None:
    competition = factories.league("large", status=None)
    factories.entrants(competition, 60, prefix="Z")
    client.force_login(User.objects.create_superuser("chief"))
    lists = {each.key: each for each in client.get(at(competition, "day"), {"find": "player z59"}).context["lists"]}
    assert not lists["missing"].is_open
    assert lists["found"].is_open
    assert [row.day.entrant.player.name for row in lists["found"].rows] == ["Z59"]


@pytest.mark.both_databases
def test_pages_name_who_left_who_is_a_house_player_and_what_was_not_played(chief: Client) -> None:
    competition = event(FIXED)
    publish_standings(competition.pk)
    people = in_block(main(competition))
    done(chief, at(people[0], "no-show"), {"round": f"{main(competition).pk}-1", "reason": "Not here"})
    factories.play(Hanchan.objects.get(seats__entrant__is_house=True))
    done(chief, at(people[1], "disqualify"), {"reason": "Phone"})
    publish_standings(competition.pk)
    number = competition.sessions.get().number
    visitor = Client(headers={"accept-language": "en"})
    session = visitor.get(f"/c/event/sessions/{number}/").content.decode()
    assert "no-show · Main rounds · hanchan 1: -15.0" in session
    assert '<span class="tag">house player</span>' in session
    for path in (f"sessions/{number}/", "blocks/main/", "players/"):
        assert '<span class="tag">disqualified</span>' in visitor.get(f"/c/event/{path}").content.decode(), path
    corrections = visitor.get("/c/event/corrections/").content.decode()
    assert "main1: no-show (-15.0)" in corrections
    assert "<h2>Disqualified</h2>" in corrections
    assert "<title>disqualified</title>" in visitor.get("/c/event/ladder/").content.decode()
    assert 'tag off">disqualified' in visitor.get(f"/c/event/players/{people[1].player.key}/").content.decode()


def test_an_open_table_has_no_absences_and_no_player_to_pass_over(chief: Client) -> None:
    competition = parlours.parlour()
    guest, block = parlours.guests(competition)[0], competition.blocks.get()
    for row, offered, missing in ((guest, "withdraw", "no-show"), (block, "adjust", "pass-over")):
        shown = chief.get(f"/admin/league/{row._meta.model_name}/{row.pk}/change/").content.decode()
        assert at(row, offered) in shown
        assert at(row, missing) not in shown


def test_the_day_of_a_closed_competition_can_only_be_read(chief: Client) -> None:
    competition = event()
    offered = ('name="check_in"', "Absent...", "A player arrives late", "Add a house player")
    assert [text for text in offered if text not in page(chief, competition)] == []
    Competition.objects.filter(pk=competition.pk).update(status=Competition.Status.CLOSED)
    shown = page(chief, competition)
    assert [text for text in offered if text in shown] == []
    assert "The competition is closed and takes no results." in shown
