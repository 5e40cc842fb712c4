"""Tests of a league set up through the services: calendar, blocks, the whole schedule, and its removal."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import translation

from league.models import Block, Change, Competition, Entrant, Hanchan, HanchanSeat, Role, Session, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.competitions.seating.plans import Calendar, Days, Wishes, calendar_of, planned_schedule
from league.services.competitions.seating import take_back_schedule, write_schedule
from league.services.competitions.setup import CompetitionPlan, set_status
from league.services.competitions.wizard import (
    Filling,
    Newcomer,
    assign_by_lots,
    enter_roster,
    fill_blocks,
    plan_calendar,
    seeded_blocks,
    set_up_league,
    snaked,
)
from scoring.format import Seating
from tests.factories import SYSTEM, actor, entrants, play, user
from tests.replayed import replayed

pytestmark = pytest.mark.django_db
TOKYO = ZoneInfo("Asia/Tokyo")
CALENDAR = Calendar(first_day=dt.date(2027, 1, 9), every=7, starts_at=dt.time(12, 0), venue="麻雀サロン灯火")


@replayed
def season(
    league_format: str = "cinderella", people: int = 16, slug: str = "autumn", ruleset: str = "cinderella"
) -> Competition:
    """Return a draft with this number of players and its blocks, if any, filled by a draw."""
    plan = CompetitionPlan(slug=slug, name="秋リーグ", ruleset=ruleset, league_format=league_format)
    made = set_up_league(plan=plan, calendar=CALENDAR, by=SYSTEM)
    entrants(made, people)
    if seeded_blocks(made):
        fill_blocks(competition=made, filling=Filling.DRAWN, seed="spring", by=SYSTEM)
    return made


def wishes(**other: Any) -> Wishes:
    return Wishes(**{"calendar": CALENDAR, "seed": "spring", **other})


def write(competition: Competition, **other: Any) -> list[Session]:
    """Preview the schedule, then write it."""
    wished = wishes(**other)
    digest = planned_schedule(competition, wished).digest
    return write_schedule(competition=competition, wishes=wished, digest=digest, by=SYSTEM)


def entrants_by_number(block: Block) -> dict[int, list[tuple[int, ...]]]:
    """Return the tables of each hanchan number, as entrant ids in seat order."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for hanchan in Hanchan.objects.filter(block=block).order_by("number", "table_session__order"):
        seats = tuple(hanchan.seats.order_by("seat").values_list("entrant", flat=True))
        found.setdefault(hanchan.number, []).append(seats)
    return found


@pytest.mark.both_databases
def test_the_calendar_is_kept_in_the_change_log_and_the_newest_entry_applies() -> None:
    made = season()
    assert calendar_of(made) == CALENDAR
    later = Calendar(first_day=dt.date(2027, 2, 1), every=14, starts_at=dt.time(18, 30))
    plan_calendar(competition=made, calendar=later, by=SYSTEM)
    assert calendar_of(made) == later
    assert not Change.objects.filter(kind="calendar.planned", is_public=True).exists()
    with pytest.raises(RuleViolationError, match="0 to 366"):
        plan_calendar(competition=made, calendar=Calendar(**{**_fields(later), "every": 400}), by=SYSTEM)


def _fields(calendar: Calendar) -> dict[str, Any]:
    return {name: getattr(calendar, name) for name in ("first_day", "every", "starts_at", "venue")}


def test_a_snake_seeding_alternates_direction_between_blocks() -> None:
    people = [Entrant(number=number) for number in range(1, 9)]
    filled = snaked(people, {1: 4, 2: 4})
    assert {pk: [one.number for one in own] for pk, own in filled.items()} == {1: [1, 4, 5, 8], 2: [2, 3, 6, 7]}


def test_a_draw_follows_from_seed_and_entrant_numbers() -> None:
    people = [Entrant(number=number) for number in range(1, 9)]
    order = sorted(range(1, 9), key=lambda number: hashlib.sha256(f"spring:{number}".encode()).hexdigest())
    filled = assign_by_lots(people, {1: 4, 2: 4}, "spring")
    assert [one.number for one in (*filled[1], *filled[2])] == order


def test_the_change_log_keeps_the_seed_and_the_draw_can_be_repeated_from_it() -> None:
    made = season()
    kept = Change.objects.get(kind="blocks.filled")
    assert (kept.after or {})["seed"] == "spring"
    sizes = {block.pk: 8 for block in seeded_blocks(made)}
    again = assign_by_lots(list(made.entrants.order_by("-number")), sizes, (kept.after or {})["seed"])
    assert {str(pk): [one.pk for one in own] for pk, own in again.items()} == (kept.after or {})["blocks"]


def test_blocks_are_filled_by_hand_and_in_a_snake() -> None:
    made = season()
    people = list(made.entrants.order_by("number"))
    first, second = seeded_blocks(made)
    fill_blocks(competition=made, filling=Filling.SNAKE, by=SYSTEM)
    assert [slot.seeded for slot in first.slots.order_by("number")][:3] == [people[0], people[3], people[4]]
    fill_blocks(
        competition=made,
        filling=Filling.BY_HAND,
        by_hand={first.pk: people[8:], second.pk: people[:8]},
        by=SYSTEM,
    )
    assert [slot.seeded for slot in second.slots.order_by("number")] == people[:8]


def test_an_invalid_filling_of_blocks_is_rejected_and_changes_nothing() -> None:
    made, other = season(), season(slug="other")
    first, second = seeded_blocks(made)
    people, before = list(made.entrants.order_by("number")), list(first.slots.values_list("seeded", flat=True))
    stranger = other.entrants.first()
    assert stranger is not None
    for by_hand, words in (
        ({first.pk: [stranger]}, "does not play"),
        ({first.pk: people[:1], second.pk: people[:1]}, "named twice"),
        ({first.pk: people[:9]}, "8 places"),
    ):
        with pytest.raises(RuleViolationError, match=words):
            fill_blocks(competition=made, filling=Filling.BY_HAND, by_hand=by_hand, by=SYSTEM)
    with pytest.raises(RuleViolationError, match="seed"):
        fill_blocks(competition=made, filling=Filling.DRAWN, seed=" ", by=SYSTEM)
    assert list(first.slots.values_list("seeded", flat=True)) == before


def test_a_director_of_another_competition_cannot_fill_the_blocks() -> None:
    made, other = season(), season(slug="other")
    with pytest.raises(PermissionRefusedError):
        fill_blocks(
            competition=made,
            filling=Filling.SNAKE,
            by=actor(user(role=Role.DIRECTOR, competition=other, is_staff=True)),
        )


def test_the_schedule_has_the_formats_hanchan_and_each_player_plays_each_number_once() -> None:
    made = season()
    write(made)
    assert [(s.number, s.name) for s in made.sessions.order_by("number")] == [
        (1, "第1節"), (2, "第2節"), (3, "プレーオフ1"), (4, "プレーオフ2"), (5, "プレーオフ3"), (6, "決勝"),
    ]  # fmt: skip
    for block in made.blocks.select_related("stage"):
        played = entrants_by_number(block)
        assert sorted(played) == list(range(1, (block.stage.hanchan_count or 0) + 1))
        if block.stage.order == 1:
            people = set(block.slots.values_list("seeded", flat=True))
            assert all({pk for table in each for pk in table} == people for each in played.values())
        else:
            assert all(table == () for each in played.values() for table in each)


def test_by_default_a_table_keeps_its_four_players_and_each_starts_twice_from_each_wind() -> None:
    made = season()
    write(made)
    for block in made.blocks.filter(stage__order=1):
        tables = TableSession.objects.filter(block=block)
        assert sorted(len(table.hanchan.all()) for table in tables) == [4, 4, 4, 4]
        for table in tables:
            seats = HanchanSeat.objects.filter(hanchan__table_session=table)
            assert len(set(seats.values_list("entrant", flat=True))) == 4
        starts = Counter(HanchanSeat.objects.filter(hanchan__block=block).values_list("entrant", "seat"))
        assert set(starts.values()) == {2}


def test_with_rounds_eight_players_meet_three_or_four_times_and_start_twice_from_each_wind() -> None:
    made = season()
    write(made, seating=Seating.ROUNDS)
    for block in made.blocks.filter(stage__order=1):
        met = Counter(
            frozenset(pair)
            for each in entrants_by_number(block).values()
            for table in each
            for pair in combinations(table, 2)
        )
        assert len(met) == 28
        assert set(met.values()) == {3, 4}
        starts = Counter(HanchanSeat.objects.filter(hanchan__block=block).values_list("entrant", "seat"))
        assert set(starts.values()) == {2}


def test_the_plan_reports_the_balance_and_its_bounds() -> None:
    plan = planned_schedule(season(), wishes(seating=Seating.ROUNDS))
    for even in plan.evenness:
        assert (even.figures.most_meetings, even.bounds.most_meetings) == (4, 4)
        assert even.bounds.reached(even.figures) >= {"excess", "squares", "most_meetings", "wind_gap", "wind_off"}


def test_equal_seeds_give_equal_schedules_and_different_seeds_different_ones() -> None:
    made = season()
    assert planned_schedule(made, wishes()).digest == planned_schedule(made, wishes()).digest
    assert planned_schedule(made, wishes()).digest != planned_schedule(made, wishes(seed="autumn")).digest


@pytest.mark.parametrize(
    ("days", "every", "moments"),
    [
        (Days.SESSION, 7, ["01-09 12:00"] * 4),
        (Days.BLOCK, 7, ["01-09 12:00"] * 2 + ["01-16 12:00"] * 2),
        (Days.TABLE, 1, ["01-09 12:00", "01-10 12:00", "01-11 12:00", "01-12 12:00"]),
        (Days.TABLE, 0, ["01-09 12:00", "01-09 16:00", "01-09 20:00", "01-10 00:00"]),
    ],
)
def test_tables_of_a_session_are_scheduled_on_the_requested_days(days: Days, every: int, moments: list[str]) -> None:
    calendar = Calendar(**{**_fields(CALENDAR), "every": every})
    plan = planned_schedule(season(), wishes(days=days, calendar=calendar))
    assert [table.starts_at.strftime("%m-%d %H:%M") for table in plan.sessions[0].tables] == moments
    assert plan.sessions[0].tables[0].starts_at == dt.datetime(2027, 1, 9, 12, tzinfo=TOKYO)


def test_tables_with_the_same_start_time_have_different_numbers() -> None:
    plan = planned_schedule(season(), wishes())
    assert [table.table for table in plan.sessions[0].tables] == [1, 2, 3, 4]
    apart = planned_schedule(season(slug="other"), wishes(days=Days.BLOCK))
    assert [table.table for table in apart.sessions[0].tables] == [1, 2, 1, 2]


def test_rounds_of_a_day_begin_one_after_the_other() -> None:
    plan = planned_schedule(season(), wishes(seating=Seating.ROUNDS, minutes=50))
    starts = sorted({table.starts_at.strftime("%H:%M") for table in plan.sessions[0].tables})
    assert starts == ["12:00", "12:50", "13:40", "14:30"]


@pytest.mark.parametrize(("people", "hanchan"), [(12, 8), (16, 5), (20, 8), (24, 6), (32, 7), (40, 13)])
def test_a_tournament_of_one_block_is_an_open_play_league_with_a_schedule(people: int, hanchan: int) -> None:
    made = season("open-play", people)
    write(made, hanchan=hanchan, sessions=2)
    (block,) = made.blocks.all()
    played = entrants_by_number(block)
    assert len(played) == hanchan
    assert all(len({pk for table in each for pk in table}) == people for each in played.values())


def test_players_of_one_affiliation_are_kept_apart_on_request() -> None:
    made = season("open-play", 0)
    people = [Newcomer(name=f"P{number}", affiliation=f"荘{number % 8}") for number in range(16)]
    enter_roster(competition=made, people=people, by=SYSTEM)
    plan = planned_schedule(made, wishes(hanchan=4, sessions=1, keeps_clubs_apart=True))
    assert plan.evenness[0].apart == 0


def test_players_of_one_country_are_kept_apart_after_those_of_one_affiliation() -> None:
    made = season("open-play", 0)
    people = [
        Newcomer(name=f"P{number}", affiliation=f"荘{number % 8}", country="日本" if number < 3 else f"C{number}")
        for number in range(16)
    ]
    enter_roster(competition=made, people=people, by=SYSTEM)
    made.entrants.filter(number=1).update(country="")
    plan = planned_schedule(made, wishes(hanchan=4, sessions=1, keeps_clubs_apart=True, keeps_countries_apart=True))
    assert plan.evenness[0].apart == 0
    assert len(plan.designs[0][1].apart) == 8 + 3, "without a country that season the player's own counts"


def test_the_cost_of_each_wish_is_told_beside_what_is_forced() -> None:
    made = season("open-play", 0)
    people = [Newcomer(name=f"P{number}", affiliation="荘" if number < 6 else "") for number in range(16)]
    enter_roster(competition=made, people=people, by=SYSTEM)
    asked = wishes(hanchan=4, sessions=1, keeps_clubs_apart=True, fewer_tables=(3, 3))
    with translation.override("en"):
        clubs, tables = planned_schedule(made, asked).costs
        assert clubs.title == "Keeping clubs apart"
        assert "are forced: 6 of 16 players are of one club)." in clubs.left
        assert clubs.price.startswith("Without this wish: ") or clubs.price == "This wish costs nothing."
        assert (tables.title, tables.left) == ("Fewer tables", "")
        assert "rounds: 4 instead of 5" in tables.price


def test_at_fewer_tables_players_rest_and_all_play_equally_often() -> None:
    made = season("open-play", 16)
    plan = planned_schedule(made, wishes(hanchan=4, sessions=1, fewer_tables=(3, 3)))
    by_round = Counter(number for table in plan.sessions[0].tables for number in table.numbers)
    assert [by_round[number] for number in sorted(by_round)] == [4, 4, 3, 3, 2]
    seats = Counter(entrant.number for table in plan.sessions[0].tables for seats in table.seats for entrant in seats)
    assert set(seats.values()) == {4}
    assert [len(rest.players) for rest in plan.sessions[0].rests] == [0, 0, 4, 4, 8]


def test_in_a_block_with_a_fixed_number_of_rounds_those_without_a_table_rest() -> None:
    made = season()
    plan = planned_schedule(made, wishes(seating=Seating.ROUNDS, fewer_tables=(2, 1)))
    tables = [table for session in plan.sessions for table in session.tables if table.block == plan.designs[0][0]]
    by_round = Counter(number for table in tables for number in table.numbers)
    assert (by_round[1], by_round[2]) == (2, 1)
    assert any(rest.players for session in plan.sessions for rest in session.rests)


def test_players_absent_from_the_first_hanchan_are_not_seated_in_it() -> None:
    made = season("open-play", 12)
    late = {number: frozenset({1}) for number in (1, 2, 3, 4)}
    plan = planned_schedule(made, wishes(hanchan=3, sessions=1, absent=late))
    first = {entrant.number for table in plan.sessions[0].tables if table.numbers == (1,) for entrant in table.seats[0]}
    assert first == set(range(5, 13))


@pytest.mark.parametrize(
    ("people", "other", "words"),
    [
        (15, {"hanchan": 3}, "15 players × 3 hanchan do not fill tables of 4: take 4 hanchan."),
        (16, {}, "enter how many hanchan"),
        (16, {"hanchan": 4, "absent": {99: frozenset({1})}}, "no player 99"),
    ],
)
def test_an_impossible_schedule_is_rejected_and_nothing_is_written(
    people: int, other: dict[str, Any], words: str
) -> None:
    made = season("open-play", people)
    with pytest.raises(RuleViolationError, match=words):
        write(made, **other)
    assert not made.sessions.exists()


def test_a_block_with_empty_slots_cannot_be_scheduled() -> None:
    made = season(people=15)
    with pytest.raises(RuleViolationError, match="7 of 8 places"):
        write(made)
    assert not made.sessions.exists()


def test_only_a_previewed_schedule_is_written() -> None:
    made = season()
    digest = planned_schedule(made, wishes()).digest
    fill_blocks(competition=made, filling=Filling.SNAKE, by=SYSTEM)
    with pytest.raises(ConflictError, match="not the one you looked at"):
        write_schedule(competition=made, wishes=wishes(), digest=digest, by=SYSTEM)
    assert not made.sessions.exists()


@pytest.mark.both_databases
def test_blocks_cannot_be_refilled_until_the_schedule_is_taken_back() -> None:
    made = season()
    write(made)
    with pytest.raises(ConflictError, match="Take the schedule back first"):
        fill_blocks(competition=made, filling=Filling.SNAKE, by=SYSTEM)
    assert take_back_schedule(competition=made, by=SYSTEM) == 12
    assert not made.sessions.exists()
    assert not Hanchan.objects.filter(block__competition=made).exists()
    fill_blocks(competition=made, filling=Filling.SNAKE, by=SYSTEM)
    assert (Change.objects.get(kind="schedule.written").after or {})["seed"] == "spring"


def test_a_published_schedule_or_one_with_results_cannot_be_taken_back() -> None:
    made = season()
    write(made)
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    with pytest.raises(ConflictError, match="Only a draft"):
        take_back_schedule(competition=made, by=SYSTEM)
    set_status(competition=made, status=Competition.Status.DRAFT, by=SYSTEM)
    made.refresh_from_db()
    hanchan = Hanchan.objects.filter(block__competition=made, number=1).first()
    assert hanchan is not None
    play(hanchan)
    with pytest.raises(ConflictError, match="Results, logs or links"):
        take_back_schedule(competition=made, by=SYSTEM)
    assert TableSession.objects.filter(competition=made).count() == 12


def test_the_public_cannot_see_a_draft_until_it_is_published(client: Client) -> None:
    made = season()
    write(made)
    assert client.get("/c/autumn/").status_code == 404
    assert client.get("/api/v1/competitions/autumn/").status_code == 404
    set_status(competition=made, status=Competition.Status.PUBLISHED, by=SYSTEM)
    assert client.get("/c/autumn/").status_code == 200


def test_a_second_schedule_is_refused_once_every_block_has_its_tables() -> None:
    made = season("cinderella-2018", 24)
    write(made)
    semis = made.blocks.filter(stage__key="semifinal")
    assert [block.table_sessions.count() for block in semis] == [1, 1]
    with pytest.raises(ConflictError, match="Every block has its tables already"):
        write(made)


def test_a_scorer_cannot_write_or_take_back_the_schedule() -> None:
    made = season()
    scorer = actor(user(role=Role.SCORER, competition=made, is_staff=True))
    with pytest.raises(PermissionRefusedError):
        write_schedule(competition=made, wishes=wishes(), digest="", by=scorer)
    with pytest.raises(PermissionRefusedError):
        take_back_schedule(competition=made, by=scorer)
