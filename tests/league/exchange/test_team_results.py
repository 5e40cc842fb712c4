"""Tests of results of team leagues from a table: the team of a member follows from the day, or is named."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from league.files.result_rows import columns_of
from league.files.tables import ParsedTable, read_table
from league.models import Competition, FormatRevision, Hanchan, Player, ResultSheet, SeatResult, Standing, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.seasons.members import member_table
from league.services.competitions.setup import CompetitionPlan, create_competition, seed_block, set_status
from league.services.competitions.wizard import Newcomer
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.results.batches import BatchOutcome
from league.services.rulebooks.revisions import keep
from league.services.seasons.teams import NewTeam, enter_teams
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM
from tests.league.resting_league import NOTE
from tests.league.shared import fresh_season
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
HEAD = "block,session,hanchan,date,player1,team1,score1,player2,team2,score2,player3,team3,score3,player4,team4,score4"
SCORES = (41200, 30100, 32200, -3500)


def table_of(competition: Competition, *rows: str) -> ParsedTable:
    """Return a parsed table of the competition."""
    rules = ruleset_of(rules_at(competition))
    return read_table("\n".join((HEAD, *rows)), columns_of(rules, has_teams=True))


def row(league: TeamLeague, *people: str, where: str = "1,1,2026-10-05 19:00") -> str:
    """Return a row with these people and teams; each is "member" or "member/team"."""
    cells = ["regular", where]
    for person, score in zip(people, SCORES, strict=True):
        member, _bar, team = person.partition("/")
        cells += [member, team, str(score)]
    return ",".join(cells)


def taken(league: TeamLeague, *rows: str, keep_it: bool = True, **choices: object) -> ImportReport:
    """Import the rows, scheduling what is missing."""
    asked = Choices(schedules=True, **choices)  # type: ignore[arg-type]
    table = table_of(league.competition, *rows)
    return import_results(competition=league.competition, table=table, by=SYSTEM, choices=asked, keep=keep_it)


def told(report: ImportReport) -> str:
    """Return all faults as one text."""
    return " ".join(map(str, report.all_faults))


def names(league: TeamLeague, *teams: int) -> list[str]:
    """Return the first member of each team."""
    return [league.members[team][0].name for team in teams]


@pytest.fixture(scope="module")
def made(shared_rows: None) -> TeamLeague:
    """Create a league without any fixture."""
    return TeamLeague()


@pytest.fixture
def league(made: TeamLeague) -> TeamLeague:
    """Return the league."""
    return fresh_season(made)


def test_members_are_enough_and_their_teams_get_the_points(league: TeamLeague) -> None:
    people = names(league, 3, 0, 1, 2)
    preview = taken(league, row(league, *people), keep_it=False)
    assert (told(preview), dict(preview.questions)) == ("", {})
    report = taken(league, row(league, *people), previewed=preview.digest)
    assert report.is_kept
    seats = SeatResult.objects.order_by("seat").select_related("entrant__player", "player")
    assert [seat.player.name for seat in seats] == people
    assert [seat.entrant for seat in seats] == [league.teams[team] for team in (3, 0, 1, 2)]
    hanchan = Hanchan.objects.get()
    assert f"{hanchan.table_session.starts_at:%Y-%m-%d %H:%M %Z}" == "2026-10-05 10:00 UTC"
    assert list(hanchan.line_ups.order_by("entrant").values_list("player__name", flat=True)) == names(
        league, 0, 1, 2, 3
    )
    again = taken(league, row(league, *people), keep_it=False)
    assert again.counts[BatchOutcome.SAME] == 1


def test_fixtures_of_one_evening_may_seat_the_same_teams_with_other_members(league: TeamLeague) -> None:
    others = [league.members[team][1].name for team in (0, 1, 2, 3)]
    rows = row(league, *names(league, 3, 0, 1, 2)), row(league, *others, where="1,2,2026-10-05 20:30")
    preview = taken(league, *rows, keep_it=False)
    report = taken(league, *rows, previewed=preview.digest)
    assert report.is_kept, (told(report), report.questions)
    assert [hanchan.number for hanchan in Hanchan.objects.order_by("number")] == [1, 2]


def test_the_team_of_a_member_who_moved_follows_from_the_day(league: TeamLeague) -> None:
    moved = league.members[0][3].name
    before = row(league, moved, *names(league, 1, 2, 3))
    after = row(league, moved, *names(league, 1, 2, 3), where="2,2,2026-10-26 19:00")
    assert taken(league, before, after).is_kept
    seats = SeatResult.objects.filter(player__name=moved).order_by("sheet__hanchan__number")
    assert [seat.entrant for seat in seats.select_related("entrant")] == [league.teams[0], league.teams[-1]]


FAULTS = (
    (("{0.3}/{t0}", "{1.0}", "{2.0}", "{3.0}"), "2026-10-26", "is no member of 港リベルタス on 2026-10-26"),
    (("{0.3}", "{1.0}", "{2.0}", "{3.0}"), "", "has played for several teams: 港リベルタス, 能登アンカーズ"),
    (("{0.0}/{t1}", "{4.0}", "{2.0}", "{3.0}"), "", "is no member of 浅間ファルコン"),
    (("{0.0}", "{0.1}", "{2.0}", "{3.0}"), "", "Two members of 港リベルタス sit at this table"),
    (("{0.0}", "山田", "{2.0}", "{3.0}"), "", "No player of this competition is called so"),
    (("{0.0}", "{1.0}", "{2.0}", "{3.0}"), "5. 10. 2026", "Write a date such as 2026-10-05"),
    (("{0.0}", "", "{2.0}", "{3.0}"), "", "Name all players of the game"),
)


def test_rows_that_name_no_certain_member_are_refused(league: TeamLeague) -> None:
    texts = {f"{team}.{place}": each.name for team, own in enumerate(league.members) for place, each in enumerate(own)}
    texts |= {f"t{number}": team.player.name for number, team in enumerate(league.teams)}
    rows = []
    for number, (people, date, _message) in enumerate(FAULTS, start=1):
        named = ["/".join(texts.get(part.strip("{}"), part) for part in each.split("/")) for each in people]
        rows.append(row(league, *named, where=f"1,{number},{date}"))
    report = taken(league, *rows)
    for one, (people, _date, message) in zip(report.rows, FAULTS, strict=True):
        assert message in str(one.faults), people
    assert not Hanchan.objects.exists()


def test_a_team_without_a_member_is_refused(league: TeamLeague) -> None:
    people = names(league, 0, 2, 3)
    report = taken(league, row(league, people[0], league.teams[1].player.name, *people[1:]))
    assert "member" in told(report)
    assert not SeatResult.objects.exists()


def test_a_row_that_names_teams_takes_the_members_of_the_line_up(league: TeamLeague) -> None:
    first, *_others = league.schedule()
    league.name_members(first)
    teams = [seat.entrant.player.name for seat in first.seats.order_by("seat").select_related("entrant__player")]
    report = taken(league, row(league, *(f"/{team}" for team in teams), where="1,1,"))
    assert report.is_kept, told(report)
    planned = list(first.seats.order_by("seat").values_list("player", flat=True))
    assert list(SeatResult.objects.order_by("seat").values_list("player", flat=True)) == planned


TEAM_OF = {
    "T1": (3, 5, 10), "T2": (9, 12, 16), "T3": (8, 15, 18), "T4": (11, 13, 17), "T5": (2, 6, 21), "T6": (4, 19, 20),
    "T7": (1, 7, 14),
}  # fmt: skip
"""The numbers of the 21 players of the season of `league.jsonl`, by team."""
PLAYED_MOST = 106
FORMAT = f"""
name = "season-of-seven"
title = {{ ja = "7チームのシーズン", en = "Season of seven teams" }}
kind = "teams"
players = 4
entrants = 7
{NOTE}
[tiebreak]
[champion]
block = "regular"
{NOTE}
[team]
members = {{ least = 3, most = 3 }}
{NOTE}
[[stages]]
key = "regular"
title = {{ ja = "レギュラーシーズン", en = "Regular season" }}
hanchan = 80
seating = "fixtures"
assignment = "seeded"
carry_over = {{ kind = "none", {NOTE} }}
{NOTE}
[[stages.blocks]]
key = "regular"
title = {{ ja = "レギュラー", en = "Regular" }}
entrants = [{{ from = "seed:1-7", {NOTE} }}]
"""


def season_of_seven() -> Competition:
    """Create a published league of the seven teams with their three members each."""
    plan = CompetitionPlan(
        slug="seven", name="7チーム", ruleset="mleague", league_format=keep(FormatRevision, "season-of-seven", FORMAT)
    )
    competition = create_competition(plan=plan, by=SYSTEM)
    teams = [
        NewTeam(name=name, members=tuple(Newcomer(name=f"P{number:02}") for number in members))
        for name, members in TEAM_OF.items()
    ]
    entrants = enter_teams(competition=competition, teams=teams, by=SYSTEM)
    seed_block(block=competition.blocks.get(), entrants=entrants, by=SYSTEM)
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    competition.refresh_from_db()
    return competition


@pytest.mark.real
def test_a_published_season_becomes_a_team_league_with_line_ups(real_data: Path) -> None:
    competition = season_of_seven()
    games = [json.loads(line) for line in (real_data / "league.jsonl").read_text().splitlines()]
    assert len(games) == PLAYED_MOST
    head = ["session", "hanchan", "seats"]
    head += [f"{key}{seat}" for seat in range(1, 5) for key in ("player", "score")]
    rows = [
        [game["day"], game["hanchan"], int(game["seated"])]
        + [cell for pair in zip(game["players"], game["scores"], strict=True) for cell in pair]
        for game in games
    ]
    text = "\n".join(",".join(map(str, cells)) for cells in (head, *rows))
    table = read_table(text, columns_of(ruleset_of(rules_at(competition)), has_teams=True))
    report = import_results(competition=competition, table=table, by=SYSTEM, choices=Choices(schedules=True), keep=True)
    assert report.is_kept, (told(report)[:500], list(report.questions))
    assert report.counts[BatchOutcome.NEW] == PLAYED_MOST
    assert not report.questions
    publish_standings(competition.pk)
    competition.refresh_from_db()
    points = {f"P{number:02}": Fraction(0) for number in range(1, 22)}
    for game in games:
        for player, won in zip(game["players"], game["points"], strict=True):
            points[player] += Fraction(won)
    totals = {team: sum(points[f"P{number:02}"] for number in members) for team, members in TEAM_OF.items()}
    found = Standing.objects.filter(block__competition=competition, audience="public").select_related("entrant__player")
    assert {row.entrant.player.name: Fraction(row.total, 10) for row in found} == totals
    members = member_table(Reader(competition, "public", competition.public_version))  # type: ignore[arg-type]
    assert {row.player.name: Fraction(row.total, 10) for row in members} == points
    assert not Player.objects.filter(is_team=False, memberships=None).exists()
    assert TeamMember.objects.filter(entrant__competition=competition).count() == len(points)
    assert all(hanchan.line_ups.count() == len(SCORES) for hanchan in Hanchan.objects.all())
    accepted = ResultSheet.objects.values_list("accepted_warnings", flat=True)
    assert not any(accepted)
