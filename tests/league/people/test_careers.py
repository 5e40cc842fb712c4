"""Test careers: one person over competitions, books and teams, opponents, and what the visitor may read."""

from __future__ import annotations

import datetime as dt
from time import perf_counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Adjustment, Competition, Player, Role, SeatResult
from league.selectors.people.careers import (
    Career,
    career_of,
    entries_of_career,
    figures_of,
    members_by_season,
    opponents_of,
    season_lines,
    years_of,
)
from league.services.competitions.setup import enter_players, new_player, seed_block, set_status
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import close_sitting
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, in_block, league, play, play_all, session_on, table, user
from tests.league import parlours
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
FIRST = (41200, 30100, 18700, 10000)
LAST = (10000, 41200, 30100, 18700)


def career(player: Player, visitor: object = None) -> Career:
    return career_of(player, entries_of_career(player, visitor))  # type: ignore[arg-type]


def page(key: str, query: str = "", language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(f"/players/{key}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def another_league(slug: str, player: Player, ruleset: str = "cinderella", **plan: object) -> Competition:
    """Create a final table in which a known player has the first seat, with the last three of its own players."""
    made = league(slug, league_format="single-table-final", status=None, ruleset=ruleset, **plan)
    block = made.blocks.get()
    people = enter_players(competition=made, players=[player], by=SYSTEM)
    seed_block(block=block, entrants=[*people, *in_block(block)[:3]], by=SYSTEM)
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    return made


@pytest.fixture(scope="module")
def final(shared_rows: None) -> Competition:
    """Play three hanchan: the first player wins twice and is last once."""
    season = final_table("final")
    play_all(table(season.blocks.get(), numbers=(1, 2, 3)), FIRST, (41300, 30000, 18700, 10000), LAST)
    publish_standings(season.pk)
    return season


@pytest.fixture
def person(final: Competition) -> Player:
    """Return the first player."""
    return in_block(final.blocks.get())[0].player


def test_hanchan_of_several_competitions_under_one_book_are_added_up(final: Competition, person: Player) -> None:
    other = another_league("second", person)
    play_all(table(other.blocks.get(), numbers=(1, 2)), FIRST, (41300, 30000, 18700, 10000))
    publish_standings(other.pk)
    (only,) = figures_of(career(person))
    assert (only.record.played, only.record.places) == (5, (4, 0, 0, 1))
    seats = career(person).seats
    assert only.points == sum(seat.points for seat in seats)
    assert (only.best.score, only.worst.score) == (41300, 10000)
    assert only.firsts is not None
    assert only.firsts.length == 2


def test_points_of_different_books_are_never_added(final: Competition, person: Player) -> None:
    other = another_league("second", person, ruleset="mleague")
    play_all(table(other.blocks.get(), numbers=(1, 2)), (41200, 30100, 18700, 10000), (41300, 30000, 18700, 10000))
    publish_standings(other.pk)
    assert [(each.book.name, each.record.played) for each in figures_of(career(person))] == [
        ("cinderella", 3),
        ("mleague", 2),
    ]
    text = page(person.key)
    assert "Points of different rule books are not added." in text
    assert "All competitions, tables of 4" in text
    assert "All competitions under" in text
    only = page(person.key, "?book=mleague")
    assert "Points of different rule books are not added." not in only
    assert 'href="/c/second/players/' in only
    assert 'href="/c/final/players/' not in only


def test_a_career_is_shown_year_by_year_and_a_year_can_be_chosen(person: Player, final: Competition) -> None:
    earlier = another_league("earlier", person)
    session = session_on(earlier, dt.datetime(2024, 5, 5, 10, tzinfo=dt.UTC), 1)
    play(session.table_sessions.get().hanchan.get())
    publish_standings(earlier.pk)
    now = timezone.localdate().year
    assert [(line.year, line.record.played) for line in years_of(career(person))] == [(now, 3), (2024, 1)]
    text = page(person.key, "?year=2024")
    assert 'href="/c/earlier/players/' in text
    assert 'href="/c/final/players/' not in text


@pytest.mark.parametrize("query", ["?year=1999", "?year=abcd", "?year=２０２４", "?book=nothing", "?year=99999"])
def test_a_year_or_book_without_hanchan_is_not_found(person: Player, query: str) -> None:
    assert Client().get(f"/players/{person.key}/{query}").status_code == 404


def test_a_correction_of_a_later_day_moves_the_figures_and_not_the_year(final: Competition, person: Player) -> None:
    sheet = final.blocks.get().hanchan.get(number=3).sheets.get()
    type(sheet).objects.filter(hanchan__block__competition=final).update(
        entered_at=dt.datetime(2023, 6, 1, 12, tzinfo=dt.UTC)
    )
    play(sheet.hanchan, (45000, 30000, 15000, 10000), corrects=1, reason="misread")
    publish_standings(final.pk)
    (only,) = figures_of(career(person))
    assert (only.record.places, only.best.score) == ((3, 0, 0, 0), 45000)
    assert only.firsts is not None
    assert only.firsts.length == 3
    assert [line.year for line in years_of(career(person))] == [2023]


def test_opponents_are_compared_hanchan_by_hanchan_and_found_by_name(final: Competition, person: Player) -> None:
    second = in_block(final.blocks.get())[1].player
    found = {each.player: each for each in opponents_of(career(person))}
    assert len(found) == 3
    met = found[second]
    assert (met.together, met.ahead, met.behind) == (3, 2, 1)
    own, others = career(person).seats, career(second).seats
    ((_book, gap),) = met.gaps
    assert gap == sum(seat.points for seat in own) - sum(seat.points for seat in others)
    assert [each.player for each in opponents_of(career(person), "final2")] == [second]
    text = page(person.key, "?q=Final2")
    assert second.key in text
    assert "No opponent is called “nobody”." in page(person.key, "?q=nobody")


@pytest.mark.both_databases
def test_a_member_has_a_career_of_the_hanchan_sat_for_teams() -> None:
    made = TeamLeague()
    made.play_evenings(4)
    moved, first, last = made.members[0][3], made.teams[0].player, made.teams[-1].player
    penalty = made.penalize(len(made.teams) - 1)
    Adjustment.objects.filter(pk=penalty.pk).update(player=moved)
    made.publish()
    lines = {line.team: line for line in season_lines(career(moved))}
    assert set(lines) == {first, last}, "a transfer makes two seasons of one competition"
    sat = SeatResult.objects.filter(player=moved)
    (only,) = figures_of(career(moved))
    assert (only.record.played, only.points) == (sat.count(), sum(row.points for row in sat))
    assert lines[last].points == only.points - 200, "a penalty that names the member is the member's too"
    text = page(moved.key)
    assert f'href="/players/{first.key}/"' in text
    assert f'href="/players/{last.key}/"' in text
    met = {each.player for each in opponents_of(career(moved))}
    assert not any(player.is_team for player in met)
    seats = SeatResult.objects.filter(sheet__seats__player=moved).exclude(player=moved)
    assert met == {row.player for row in seats}


def test_a_member_who_has_not_played_yet_has_a_page_with_the_team() -> None:
    made = TeamLeague()
    made.publish()
    assert f'href="/players/{made.teams[2].player.key}/"' in page(made.members[2][0].key)


def test_a_team_has_a_page_with_its_seasons_and_members() -> None:
    made = TeamLeague()
    made.play_evenings(1)
    made.publish()
    team = made.teams[0]
    (listed,) = members_by_season(career(team.player))
    assert [player for player, _dates, _count in listed.members] == made.members[0]
    assert sum(count for _player, _dates, count in listed.members) == SeatResult.objects.filter(entrant=team).count()
    text = page(team.player.key)
    assert "Members by season" in text
    assert made.members[0][0].name_romaji in text
    assert all(each.player.is_team for each in opponents_of(career(team.player)))


def test_a_title_of_a_team_is_also_its_members(final: Competition) -> None:
    champion = in_block(final.blocks.get())[0]
    person = new_player(name="主将", by=SYSTEM)
    play(table(final.blocks.get(), numbers=(4,)).hanchan.get(), (41400, 29900, 18700, 10000))
    Player.objects.filter(pk=champion.player_id).update(is_team=True)
    SeatResult.objects.filter(entrant=champion).update(player=person)
    publish_standings(final.pk)
    assert [line.is_champion for line in season_lines(career(person))] == [True]
    assert "Champion" in page(person.key)
    assert "Champion" in page(champion.player.key)


def test_results_under_embargo_drafts_and_guarded_sessions_are_in_no_career(final: Competition, person: Player) -> None:
    other = another_league("second", person)
    play(table(other.blocks.get(), numbers=(1,), public_at=timezone.now() + dt.timedelta(days=1)).hanchan.get())
    publish_standings(other.pk)
    assert figures_of(career(person))[0].record.played == 3
    director = user(role=Role.DIRECTOR, competition=other)
    assert figures_of(career(person, director))[0].record.played == 4
    Competition.objects.filter(pk=other.pk).update(status=Competition.Status.DRAFT)
    assert [entry.reader.competition for entry in career(person).entries] == [final]
    visitor = Client(headers={"accept-language": "en"})
    visitor.get("/c/final/?until=0")
    guarded = visitor.get(f"/players/{person.key}/").content.decode()
    assert "41,300" not in guarded
    assert "41,300" in page(person.key)


def test_a_substitute_has_no_career_from_a_place_that_is_not_their_own(final: Competition, person: Player) -> None:
    other = in_block(final.blocks.get())[1]
    third = in_block(final_table("elsewhere").blocks.get())[0].player
    SeatResult.objects.filter(entrant=other).update(player=third)
    assert not career(third).seats
    assert figures_of(career(other.player))[0].record.played == 3


@pytest.mark.both_databases
def test_the_queries_of_a_career_do_not_grow_with_its_competitions(final: Competition, person: Player) -> None:
    def count() -> int:
        page(person.key)
        with CaptureQueriesContext(connection) as queries:
            found = career(person)
            figures_of(found), season_lines(found), opponents_of(found), years_of(found), list(members_by_season(found))
        return len(queries)

    counts = []
    for number in range(2):
        other = another_league(f"more{number}", person)
        play(table(other.blocks.get(), numbers=(1,)).hanchan.get())
        publish_standings(other.pk)
        counts.append(count())
    assert counts[0] == counts[1]


def test_a_long_career_is_summed_in_reasonable_time(person: Player) -> None:
    found = career(person)
    long = Career(found.player, found.entries, found.seats * 1000, found.books)
    start = perf_counter()
    (only,) = figures_of(long)
    assert only.record.played == 3000
    assert len(years_of(long)) == 1
    assert perf_counter() - start < 1


def test_games_of_an_entry_merged_at_an_open_table_are_in_every_figure_of_the_entry_kept() -> None:
    parlour = parlours.parlour("banchi4")
    one, *others = [*parlours.guests(parlour, 3), add_guest(competition=parlour, name="四郎", by=SYSTEM)]
    again = add_guest(competition=parlour, name="また", by=SYSTEM)
    for game, who in enumerate((one, again)):
        sitting = parlours.sitting(parlour, [who, *others])
        parlours.play(sitting, (41200 + 100 * game, 30100, 18700, 10000 - 100 * game))
        close_sitting(sitting=sitting, by=SYSTEM)
    merge_players(duplicate=again.player, keep=one.player, by=SYSTEM)
    publish_standings(parlour.pk)
    boss = user("boss", is_superuser=True)
    kept, other = career(one.player, boss), career(others[0].player, boss)
    [line], [figures] = season_lines(kept), figures_of(kept)
    assert line.record == figures.record
    assert (line.points, figures.record.played) == (figures.points, 2)
    assert {(each.player, each.together) for each in opponents_of(other)} == {
        (each.player, 2) for each in (one, *others[1:])
    }
