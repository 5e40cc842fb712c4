"""Line-ups: who may name them, until when, what stays secret, and what results make of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Audience, Door, Hanchan, HanchanSeat, LineUp, Membership, ResultSheet, Role, SeatResult
from league.platform.errors import (
    ConflictError,
    PermissionRefusedError,
    RuleViolationError,
    ServiceError,
    WarningsNotAcceptedError,
)
from league.selectors.access.actors import Actor
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.seasons.line_ups import appearances_of, games_of_team
from league.selectors.seasons.teams import members_of, members_on, teams_of
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.seating import swap_players
from league.services.operations.sweep import sweep
from league.services.people.erasure import erase_player
from league.services.results.results import abandon_hanchan, record_result, resume_hanchan
from league.services.results.substitutes import name_substitute
from league.services.seasons.line_ups import announce_line_ups, name_line_up, set_line_up_deadline, take_line_up_back
from league.services.seasons.team_links import end_team_links, make_team_link, team_link_of
from league.services.seasons.teams import NewTeam, add_member, end_membership, enter_teams, make_captain, transfer
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, entry, play, seated
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)


def codes(error: pytest.ExceptionInfo[ServiceError]) -> set[str]:
    return {finding.code for finding in error.value.findings}


def test_teams_enter_with_members_by_date_and_a_person_plays_for_one_of_them_on_a_day() -> None:
    competition = resting_teams()
    red, blue, *_others = teams_of(competition)
    first, second, third = members_of(red)
    assert [row.player.name for row in (first, second, third)] == ["赤1", "赤2", "赤3"]
    assert first.is_captain
    assert not competition.entrants.filter(player=first.player).exists()
    with pytest.raises(ConflictError) as error:
        add_member(entrant=blue, player=first.player, by=SYSTEM)
    assert codes(error) == {"two_teams"}
    day = dt.date(2027, 11, 1)
    transfer(member=second, to=blue, since=day, by=SYSTEM, reason="移籍")
    before, after = members_on(competition, day - dt.timedelta(days=1)), members_on(competition, day)
    assert [second.player in before[team.pk] for team in (red, blue)] == [True, False]
    assert [second.player in after[team.pk] for team in (red, blue)] == [False, True]
    captain = make_captain(member=third, by=SYSTEM)
    assert [row.player for row in members_of(red) if row.is_captain] == [captain.player]
    with pytest.raises(ConflictError):
        make_captain(member=third, by=SYSTEM)


def test_another_member_takes_over_from_an_erased_captain_whose_membership_then_ends() -> None:
    made = resting_teams()
    team, other = teams_of(made)[:2]
    captain, second, _third = members_of(team)
    erase_player(player=captain.player, by=SYSTEM)
    make_captain(member=second, by=SYSTEM)
    assert [row.is_captain for row in members_of(team)] == [False, True, False]
    former, day = members_of(team)[0], dt.date(2027, 11, 1)
    with pytest.raises(RuleViolationError) as error:
        transfer(member=former, to=other, since=day, by=SYSTEM, reason="moves")
    assert codes(error) == {"no_person"}
    end_membership(member=former, until=day, by=SYSTEM, reason="has left")
    assert members_of(team)[0].until == day


def test_a_team_is_entered_once_and_with_a_name() -> None:
    competition = resting_teams()
    with pytest.raises(RuleViolationError) as error:
        enter_teams(competition=competition, teams=[NewTeam(name="赤"), NewTeam(name=" ")], by=SYSTEM)
    assert codes(error) == {"team_named_twice", "name_needed"}
    players = factories.league("players")
    with pytest.raises(RuleViolationError) as error:
        enter_teams(competition=players, teams=[NewTeam(name="黒")], by=SYSTEM)
    assert codes(error) == {"no_team_league"}


def test_the_line_up_of_a_team_ends_when_it_is_moved_to_another_table() -> None:
    made = TeamLeague()
    session = create_session(competition=made.competition, by=SYSTEM)
    for company in (made.teams[:4], made.teams[4:]):
        fixture = Fixture(block=made.block("regular"), numbers=(1,), entrants=company)
        create_table_session(session=session, fixture=fixture, by=SYSTEM)
    one, two = Hanchan.objects.filter(number=1).select_related("block").order_by("pk")
    for team, members in zip(made.teams[:2], made.members, strict=False):
        name_line_up(hanchan=one, entrant=team, player=members[0], by=SYSTEM)
    swap_players(block=one.block, numbers=[1], one=made.teams[0], other=made.teams[4], by=SYSTEM)
    assert [row.entrant for row in LineUp.objects.standing()] == [made.teams[1]]
    assert one.seats.get(entrant=made.teams[1]).player == made.members[1][0]
    assert two.seats.get(entrant=made.teams[0]).player == made.teams[0].player


def test_a_result_needs_a_member_in_each_seat_and_writes_the_line_ups_that_are_missing() -> None:
    competition = resting_teams()
    table = evening(competition)
    one, two = hanchan_of(table)
    teams = seated(one)
    with pytest.raises(RuleViolationError) as error:
        play(one)
    assert codes(error) == {"member_missing"}
    for team in teams[:3]:
        name_line_up(hanchan=one, entrant=team, player=people_of(team)[0], by=SYSTEM)
    sheet = entry(teams)
    last = people_of(teams[3])[1]
    named = replace(sheet, seats=(*sheet.seats[:3], replace(sheet.seats[3], player=last.pk)))
    result = record_result(hanchan=one, entry=named, by=SYSTEM)
    assert result.accepted_warnings == []
    firsts = [people_of(team)[0] for team in teams[:3]]
    assert [seat.player for seat in result.seats.order_by("seat")] == [*firsts, last]
    assert LineUp.objects.standing().get(hanchan=one, entrant=teams[3]).player == last
    seats = HanchanSeat.objects.filter(hanchan=one)
    assert not any(seat.is_substitute for seat in seats)
    assert not any(seat.is_substitute for seat in SeatResult.objects.filter(sheet=result))
    assert two.seats.filter(player__is_team=False).count() == 0


def test_a_person_of_another_team_neither_sits_nor_substitutes() -> None:
    competition = resting_teams()
    [one, _two] = hanchan_of(evening(competition))
    red, blue, *_others = seated(one)
    stranger = people_of(blue)[0]
    with pytest.raises(RuleViolationError) as error:
        name_line_up(hanchan=one, entrant=red, player=stranger, by=SYSTEM)
    assert codes(error) == {"not_a_member"}
    sheet = entry(seated(one))
    seats = tuple(replace(seat, player=stranger.pk) for seat in sheet.seats)
    with pytest.raises(RuleViolationError) as error:
        record_result(hanchan=one, entry=replace(sheet, seats=seats), by=SYSTEM)
    assert "not_a_member" in codes(error)
    with pytest.raises(RuleViolationError) as error:
        name_substitute(hanchan=one, entrant=red, player=stranger, by=SYSTEM, reason="代打")
    assert codes(error) == {"team_has_members"}


def test_limits_are_warned_of_with_their_arithmetic_while_they_can_be_kept() -> None:
    competition = resting_teams(teams=4, hanchan=6, least=2, most=3, members=3)
    games = [hanchan_of(evening(competition, numbers=(number,)))[0] for number in range(1, 6)]
    red = seated(games[0])[0]
    first, second, _third = people_of(red)
    for game in games[:3]:
        name_line_up(hanchan=game, entrant=red, player=first, by=SYSTEM)
    with pytest.raises(RuleViolationError) as error:
        name_line_up(hanchan=games[3], entrant=red, player=first, by=SYSTEM)
    assert "too_many" in codes(error)
    name_line_up(hanchan=games[3], entrant=red, player=second, by=SYSTEM)
    with pytest.raises(WarningsNotAcceptedError) as warned:
        name_line_up(hanchan=games[4], entrant=red, player=second, by=SYSTEM)
    [finding] = warned.value.findings
    assert (finding.code, dict(finding.params)["reach"]) == ("cannot_reach_least", 1)
    assert "0 + 2 - 1 = 1" in finding.message
    name_line_up(hanchan=games[4], entrant=red, player=second, by=SYSTEM, accept={"cannot_reach_least"})


def test_a_secret_line_up_is_shown_to_its_team_alone_until_the_deadline() -> None:
    competition = resting_teams()
    table = evening(competition)
    one = hanchan_of(table)[0]
    red, blue, *_others = seated(one)
    set_line_up_deadline(table=table, due_at=timezone.now() + HOUR, are_secret=True, by=SYSTEM)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    seen = competition.public_version
    name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=SYSTEM)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    seat = HanchanSeat.objects.get(hanchan=one, entrant=red)
    assert (seat.player, competition.public_version) == (red.player, seen)
    assert not public_reader_of(competition).changes().filter(kind="line_up.named").exists()
    [game, _later] = games_of_team(red)
    assert game.line_up is not None
    assert game.line_up.is_secret
    [seen_by_blue, _later] = games_of_team(blue)
    assert [rival.player for rival in seen_by_blue.rivals if rival.entrant == red] == [red.player]
    assert announce_line_ups(table, SYSTEM) == 0
    type(table).objects.filter(pk=table.pk).update(line_ups_due_at=timezone.now() - HOUR)
    sweep()
    seat.refresh_from_db()
    competition.refresh_from_db()
    assert seat.player == people_of(red)[0]
    assert competition.public_version > seen
    assert announce_line_ups(table, SYSTEM) == 0


def test_public_appearances_do_not_count_a_secret_line_up() -> None:
    competition = resting_teams()
    table = evening(competition)
    one, two = hanchan_of(table)
    for team in seated(one):
        name_line_up(hanchan=one, entrant=team, player=people_of(team)[0], by=SYSTEM)
    play(one)
    set_line_up_deadline(table=table, due_at=timezone.now() + HOUR, are_secret=True, by=SYSTEM)
    name_line_up(hanchan=two, entrant=seated(two)[0], player=people_of(seated(two)[0])[1], by=SYSTEM)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    stage = competition.stages.get()
    for reader in (public_reader_of(competition), Reader(competition, Audience.STAFF, competition.computed_version)):
        lines = appearances_of(reader, stage)
        red = lines[0].appearances
        assert ([each.played for each in red.members], red.left) == ([1, 0, 0], 7)


def test_captains_and_team_links_name_members_of_their_own_team_until_the_deadline() -> None:
    competition = resting_teams()
    table = evening(competition)
    one = hanchan_of(table)[0]
    red, blue, *_others = seated(one)
    made = make_team_link(entrant=red, by=SYSTEM)
    assert team_link_of(made.token) == made.link
    captain = factories.user("captain")
    Membership.objects.create(competition=competition, user=captain, role=Role.CAPTAIN, team=red)
    for by in (Actor(None, Door.PAGE, team_link=made.link), Actor(captain, Door.PAGE)):
        row = name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=by)
        assert name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=by) == row
        with pytest.raises(PermissionRefusedError):
            name_line_up(hanchan=one, entrant=blue, player=people_of(blue)[0], by=by)
        with pytest.raises(PermissionRefusedError):
            set_line_up_deadline(table=table, due_at=None, are_secret=False, by=by)
        take_line_up_back(hanchan=one, entrant=red, by=by)
        assert HanchanSeat.objects.get(hanchan=one, entrant=red).player == red.player
    set_line_up_deadline(table=table, due_at=timezone.now() - HOUR, are_secret=False, by=SYSTEM)
    late = Actor(captain, Door.PAGE)
    with pytest.raises(RuleViolationError) as error:
        name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=late, accept={"line_up_late"})
    assert codes(error) == {"line_up_late"}
    with pytest.raises(WarningsNotAcceptedError):
        name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=SYSTEM)
    name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=SYSTEM, accept={"line_up_late"})
    end_team_links(entrant=red, by=SYSTEM)
    assert team_link_of(made.token) is None
    with pytest.raises(PermissionRefusedError):
        take_line_up_back(hanchan=one, entrant=red, by=Actor(None, Door.PAGE, team_link=made.link))


def test_a_team_that_has_left_names_no_members_but_its_organizers_may(client: Client) -> None:
    competition = resting_teams()
    one = hanchan_of(evening(competition))[0]
    red = seated(one)[0]
    captain = factories.user("captain")
    Membership.objects.create(competition=competition, user=captain, role=Role.CAPTAIN, team=red)
    client.force_login(captain)
    named = {"hanchan": one.pk, f"g{one.pk}-{red.pk}-player": people_of(red)[0].pk}
    withdraw(entrant=red, by=SYSTEM, reason="no members left")
    page, rest = f"/c/{competition.slug}/line-ups/", f"/api/v1/hanchan/{one.pk}/line-ups/{red.player.key}/"
    body = {"player": str(people_of(red)[0].pk)}
    assert b'name="hanchan"' in client.get(page).content
    assert b"Who sits" not in client.get(page, headers={"accept-language": "en"}).content
    for refused in (
        client.post(page, named, headers={"accept-language": "en"}),
        client.put(rest, body, content_type="application/json", headers={"accept-language": "en"}),
        client.delete(rest, headers={"accept-language": "en"}),
    ):
        assert refused.status_code in {409, 422}
        assert "has left the competition. Only the organizers can change who sits." in refused.content.decode()
    assert not LineUp.objects.exists()
    name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=SYSTEM)


def test_no_member_is_named_for_an_abandoned_hanchan_until_it_is_resumed() -> None:
    one = hanchan_of(evening(resting_teams()))[0]
    red = seated(one)[0]
    by = Actor(factories.user("director", is_superuser=True), Door.PAGE)
    abandon_hanchan(hanchan=one, reason="no time", by=by)
    with pytest.raises(ConflictError) as error:
        name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=by)
    assert codes(error) == {"hanchan_abandoned"}
    resume_hanchan(hanchan=one, reason="the hall stays open", by=by)
    assert name_line_up(hanchan=one, entrant=red, player=people_of(red)[0], by=by).player == people_of(red)[0]


def test_members_of_a_result_are_corrected_with_its_sheet() -> None:
    competition = resting_teams()
    one = hanchan_of(evening(competition))[0]
    teams = seated(one)
    for team in teams:
        name_line_up(hanchan=one, entrant=team, player=people_of(team)[0], by=SYSTEM)
    sheet = play(one)
    with pytest.raises(ConflictError):
        name_line_up(hanchan=one, entrant=teams[0], player=people_of(teams[0])[1], by=SYSTEM)
    written = entry(teams)
    other = people_of(teams[0])[1]
    corrected = replace(written, seats=(replace(written.seats[0], player=other.pk), *written.seats[1:]))
    record_result(hanchan=one, entry=corrected, by=SYSTEM, corrects=sheet.revision, reason="選手の誤り")
    counting = ResultSheet.objects.counting_of(one)
    assert counting is not None
    assert counting.seats.get(entrant=teams[0]).player == other
    assert LineUp.objects.standing().get(hanchan=one, entrant=teams[0]).player == other
    assert HanchanSeat.objects.get(hanchan=one, entrant=teams[0]).player == other
    row = next(member for member in members_of(teams[0]) if member.player == other)
    with pytest.raises(ConflictError) as error:
        end_membership(member=row, until=dt.date(2027, 1, 1), by=SYSTEM, reason="退団")
    assert codes(error) == {"member_has_played"}
