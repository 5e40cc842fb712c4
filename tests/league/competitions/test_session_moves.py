"""Tests of moving a whole session: previewed, kept apart from played tables, undone, followed by calendars."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from league.models import Change, Competition, Hanchan, Role, Session, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.selectors.access.readers import public_reader_of
from league.selectors.competitions.calendars import calendar_of
from league.selectors.competitions.session_moves import (
    Clash,
    MoveBack,
    MovePlan,
    SessionMove,
    Staying,
    first_start,
    last_move,
    planned_move,
)
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back
from league.services.competitions.session_moves import move_session
from league.services.seasons.line_ups import set_line_up_deadline
from tests import factories
from tests.league.admin_pages import at, done, errors_of

pytestmark = pytest.mark.django_db

TOKYO = ZoneInfo("Asia/Tokyo")
SUNDAY, NEXT = dt.date(2027, 3, 7), dt.date(2027, 3, 14)


def moment(day: dt.date, hour: int, zone: ZoneInfo = TOKYO) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour), tzinfo=zone)


def scheduled(season: Competition) -> tuple[Session, TableSession, TableSession]:
    """Schedule one session with a table of each block: at 13:00 and, under embargo, at 18:00."""
    early = factories.table(season.blocks.get(key="A"), table="1", starts_at=moment(SUNDAY, 13), venue="神田")
    late = factories.table(
        season.blocks.get(key="B"),
        table="2",
        starts_at=moment(SUNDAY, 18),
        venue="新橋",
        public_at=moment(SUNDAY, 23),
    )
    return early.session, early, late


def another(season: Competition, day: dt.date, hour: int = 13, block: str = "A", table: str = "1") -> TableSession:
    """Schedule a further session with one table."""
    one = season.blocks.get(key=block)
    fixture = Fixture(
        block=one, numbers=[5], entrants=factories.in_block(one)[:4], starts_at=moment(day, hour), table=table
    )
    return create_table_session(
        session=create_session(competition=season, by=factories.SYSTEM), fixture=fixture, by=factories.SYSTEM
    )


def move(session: Session, wish: SessionMove | MoveBack, by: Actor = factories.SYSTEM) -> MovePlan:
    """Move the session as previewed."""
    return move_session(session=session, wish=wish, digest=planned_move(session, wish).digest, by=by)


def starts(*tables: TableSession) -> list[dt.datetime | None]:
    return [TableSession.objects.get(pk=table.pk).starts_at for table in tables]


def test_all_tables_move_and_keep_their_distance_with_their_embargo() -> None:
    session, early, late = scheduled(factories.league())
    assert first_start(session) == moment(SUNDAY, 13)
    plan = move(session, SessionMove(day=NEXT, time=dt.time(12)))
    assert starts(early, late) == [moment(NEXT, 12), moment(NEXT, 17)]
    late.refresh_from_db()
    assert (late.public_at, late.venue) == (moment(NEXT, 22), "新橋")
    assert len(plan.people) == 8
    move(session, SessionMove(day=NEXT, venue="両国"))
    assert set(TableSession.objects.values_list("venue", flat=True)) == {"両国"}


@time_machine.travel(moment(SUNDAY, 0), tick=False)
def test_the_time_for_line_ups_keeps_its_distance_from_the_game_until_it_has_passed() -> None:
    session, early, late = scheduled(factories.league())
    noon = moment(SUNDAY, 12)
    for table, due_at in ((early, noon), (late, moment(SUNDAY, 0))):
        set_line_up_deadline(table=table, due_at=due_at, are_secret=True, by=factories.SYSTEM)
    move(session, SessionMove(day=NEXT))
    due = [TableSession.objects.get(pk=table.pk).line_ups_due_at for table in (early, late)]
    assert due == [moment(NEXT, 12), moment(SUNDAY, 0)]
    change = last_move(session)
    assert change is not None
    move(session, MoveBack(change=change.n))
    early.refresh_from_db()
    assert early.line_ups_due_at == noon


def test_a_move_logged_without_the_time_for_line_ups_is_undone_and_keeps_the_present_one() -> None:
    session, early, _late = scheduled(factories.league())
    move(session, SessionMove(day=NEXT))
    change = last_move(session)
    assert change is not None
    sides = {name: {"moved": [row[:4] for row in getattr(change, name)["moved"]]} for name in ("before", "after")}
    Change.objects.filter(pk=change.pk).update(**sides)
    due_at = moment(SUNDAY, 12)
    set_line_up_deadline(table=early, due_at=due_at, are_secret=True, by=factories.SYSTEM)
    move(session, MoveBack(change=change.n))
    early.refresh_from_db()
    assert (early.starts_at, early.line_ups_due_at) == (moment(SUNDAY, 13), due_at)


def test_a_time_stays_the_same_on_the_clock_across_summer_time() -> None:
    season = factories.league(time_zone="Europe/Riga")
    riga = ZoneInfo("Europe/Riga")
    table = factories.table(season.blocks.get(key="A"), starts_at=moment(dt.date(2027, 3, 27), 13, riga))
    move(table.session, SessionMove(day=dt.date(2027, 3, 28)))
    assert starts(table) == [moment(dt.date(2027, 3, 28), 13, riga)]


@pytest.mark.both_databases
def test_played_running_and_cancelled_tables_stay() -> None:
    season = factories.league()
    session, early, late = scheduled(season)
    games = list(early.hanchan.order_by("round"))
    factories.play(games[0])
    Hanchan.objects.filter(table_session=late).update(state=Hanchan.State.RUNNING)
    people = factories.in_block(season.blocks.get(key="B"))[4:]
    third = factories.table(season.blocks.get(key="B"), people, table="3", starts_at=moment(SUNDAY, 13))
    untimed = factories.table(season.blocks.get(key="B"), people, table="4")
    off = factories.table(season.blocks.get(key="A"), table="5", starts_at=moment(SUNDAY, 9))
    edit_table_session(
        table_session=off, words=TableWords(starts_at=off.starts_at, is_cancelled=True), by=factories.SYSTEM
    )
    plan = move(session, SessionMove(day=NEXT))
    assert [one.table for one in plan.moved] == [third]
    assert dict(plan.staying) == {
        early: Staying.RESULTS,
        late: Staying.RUNNING,
        off: Staying.CANCELLED,
        untimed: Staying.NO_TIME,
    }
    assert starts(early, late, third) == [moment(SUNDAY, 13), moment(SUNDAY, 18), moment(NEXT, 13)]


@pytest.mark.both_databases
def test_a_move_back_restores_every_table_that_was_not_edited_since() -> None:
    session, early, late = scheduled(factories.league())
    move(session, SessionMove(day=NEXT, venue="両国"))
    change = last_move(session)
    assert change is not None
    plan = move(session, MoveBack(change=change.n))
    assert not plan.staying
    assert starts(early, late) == [moment(SUNDAY, 13), moment(SUNDAY, 18)]
    assert set(TableSession.objects.values_list("venue", flat=True)) == {"神田", "新橋"}
    move(session, SessionMove(day=NEXT))
    edit_table_session(table_session=early, words=TableWords(starts_at=moment(NEXT, 10)), by=factories.SYSTEM)
    change = last_move(session)
    assert change is not None
    assert move(session, MoveBack(change=change.n)).staying == ((early, Staying.EDITED),)
    assert starts(early, late) == [moment(NEXT, 10), moment(SUNDAY, 18)]
    with pytest.raises(ConflictError, match="no such move"):
        planned_move(session, MoveBack(change=change.n + 999))


@pytest.mark.both_databases
def test_later_sessions_move_by_the_same_number_of_days_and_keep_their_times() -> None:
    season = factories.league()
    session, early, _late = scheduled(season)
    later = another(season, NEXT, hour=15)
    move(session, SessionMove(day=dt.date(2027, 3, 9), time=dt.time(20), venue="両国", moves_later=True))
    later.refresh_from_db()
    assert (later.starts_at, later.venue) == (moment(dt.date(2027, 3, 16), 15), "")
    assert starts(early) == [moment(dt.date(2027, 3, 9), 20)]
    move(later.session, SessionMove(day=dt.date(2027, 3, 17), moves_later=True))
    assert starts(early) == [moment(dt.date(2027, 3, 9), 20)]


def test_collisions_name_the_player_the_table_and_the_session_that_are_met() -> None:
    season = factories.league()
    session, early, late = scheduled(season)
    there = another(season, NEXT, hour=16)
    TableSession.objects.filter(pk=there.pk).update(venue="神田")
    found = planned_move(session, SessionMove(day=NEXT)).collisions
    assert {(one.kind, one.table, one.other) for one in found} == {
        (Clash.SESSION, early, there),
        (Clash.TABLE, early, there),
        (Clash.PLAYER, early, there),
    }
    assert [one.people for one in found if one.kind is Clash.PLAYER] == [
        tuple(entrant.player for entrant in factories.in_block(season.blocks.get(key="A"))[:4])
    ]
    assert planned_move(session, SessionMove(day=dt.date(2027, 3, 15))).collisions == ()
    # The four hanchan from 13:00 end at 17:00, when the other table begins.
    TableSession.objects.filter(pk=there.pk).update(starts_at=moment(NEXT, 17))
    assert [one.kind for one in planned_move(session, SessionMove(day=NEXT)).collisions] == [Clash.SESSION]
    assert late.pk


def test_tables_that_overlapped_before_the_move_are_no_collision_of_it() -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    first = factories.table(block, numbers=[1], starts_at=moment(SUNDAY, 13), table="1")
    factories.table(block, numbers=[2], starts_at=moment(SUNDAY, 13) + dt.timedelta(minutes=50), table="1")
    assert planned_move(first.session, SessionMove(day=NEXT)).collisions == ()


def test_two_tables_of_one_name_that_come_to_the_same_venue_are_a_collision() -> None:
    season = factories.league()
    one = factories.table(season.blocks.get(key="A"), starts_at=moment(SUNDAY, 13), table="1", venue="神田")
    two = factories.table(season.blocks.get(key="B"), starts_at=moment(SUNDAY, 13), table="1", venue="新橋")
    assert planned_move(one.session, SessionMove(day=NEXT)).collisions == ()
    found = planned_move(one.session, SessionMove(day=SUNDAY, venue="神田")).collisions
    assert [(each.kind, each.table, each.other) for each in found] == [(Clash.TABLE, two, one)]
    found = planned_move(one.session, SessionMove(day=SUNDAY, venue="両国")).collisions
    assert [(each.kind, each.table, each.other) for each in found] == [(Clash.TABLE, one, two)]


def test_a_player_of_another_league_is_met_only_where_the_public_may_know() -> None:
    season, other = factories.league(), factories.league("other")
    session, early, _late = scheduled(season)
    seat = (
        factories.table(other.blocks.get(key="A"), starts_at=moment(NEXT, 13)).hanchan.earliest("round").seats.first()
    )
    assert seat is not None
    seat.player = factories.in_block(season.blocks.get(key="A"))[0].player
    seat.save(update_fields=["player"])
    table = seat.hanchan.table_session
    assert [(one.kind, one.other) for one in planned_move(session, SessionMove(day=NEXT)).collisions] == [
        (Clash.PLAYER, table)
    ]
    hold_back(table_session=table, until=moment(dt.date(2030, 1, 1), 0), by=factories.SYSTEM)
    assert planned_move(session, SessionMove(day=NEXT)).collisions == ()
    assert early.pk


def test_a_move_is_refused_if_something_changed_since_the_preview() -> None:
    session, early, _late = scheduled(factories.league())
    wish = SessionMove(day=NEXT)
    digest = planned_move(session, wish).digest
    factories.play(early.hanchan.earliest("round"))
    with pytest.raises(ConflictError, match="Look again"):
        move_session(session=session, wish=wish, digest=digest, by=factories.SYSTEM)


def test_a_move_out_of_reach_or_without_effect_or_by_a_scorer_is_refused() -> None:
    season = factories.league()
    session, _early, _late = scheduled(season)
    with pytest.raises(ConflictError, match="Nothing moves"):
        planned_move(session, SessionMove(day=SUNDAY))
    with pytest.raises(RuleViolationError, match="more than ten years"):
        planned_move(session, SessionMove(day=dt.date(2227, 1, 1)))
    scorer = factories.actor(factories.user(role=Role.SCORER, competition=season))
    with pytest.raises(PermissionRefusedError):
        move(session, SessionMove(day=NEXT), by=scorer)


@pytest.mark.both_databases
def test_a_session_without_times_needs_one() -> None:
    table = factories.table(factories.league().blocks.get(key="A"))
    with pytest.raises(RuleViolationError, match="Enter one"):
        planned_move(table.session, SessionMove(day=NEXT))
    for day in (dt.date.min, dt.date.max):
        with pytest.raises(RuleViolationError, match="Check the year"):
            planned_move(table.session, SessionMove(day=day, time=dt.time(19)))
    move(table.session, SessionMove(day=NEXT, time=dt.time(19)))
    assert starts(table) == [moment(NEXT, 19)]
    change = last_move(table.session)
    assert change is not None
    move(table.session, MoveBack(change=change.n))
    assert starts(table) == [None]


def test_calendars_follow_and_the_public_learns_nothing_of_a_table_under_embargo() -> None:
    season = factories.league()
    session, early, late = scheduled(season)
    reader = public_reader_of(season)
    before = {entry.table_session.pk: entry.sequence for entry in calendar_of(reader)}
    move(session, SessionMove(day=NEXT))
    season.refresh_from_db()
    season.public_version = season.version
    entries = calendar_of(public_reader_of(season))
    assert [(entry.uid, entry.starts_at) for entry in entries] == [(entries[0].uid, moment(NEXT, 13))]
    assert entries[0].sequence == before[early.pk] + 1
    public = Change.objects.filter(is_public=True, kind__in=("table_session.edited", "session.moved"))
    assert [change.subject_id for change in public] == [str(early.pk)]
    assert late.pk


def test_the_page_previews_the_move_makes_it_and_offers_the_way_back(chief: Client) -> None:
    session, early, late = scheduled(factories.league())
    page = at(session, "move")
    assert chief.get(page).context["form"].initial == {"day": SUNDAY, "time": dt.time(13)}
    wish = {"day": "2027-03-14", "time": "13:00", "venue": "両国"}
    shown = chief.post(page, wish)
    body = shown.content.decode()
    assert "2 tables move." in body
    assert "8 players are affected." in body
    assert starts(early) == [moment(SUNDAY, 13)]
    assert done(chief, page, wish) == f"/admin/league/session/{session.pk}/change/"
    assert starts(early, late) == [moment(NEXT, 13), moment(NEXT, 18)]
    assert at(session, "move-back") in chief.get(at(session, "change")).content.decode()
    back = chief.get(at(session, "move-back"))
    assert chief.post(at(session, "move-back"), {"seen": back.context["seen"]}).status_code == 302
    assert starts(early, late) == [moment(SUNDAY, 13), moment(SUNDAY, 18)]
    assert "Sun 7 Mar 2027" in chief.get("/admin/league/session/").content.decode()


def test_the_page_names_the_players_who_would_sit_at_two_tables(chief: Client) -> None:
    season = factories.league()
    session, _early, _late = scheduled(season)
    another(season, NEXT, hour=14)
    body = chief.post(at(session, "move"), {"day": "2027-03-14", "time": "13:00"}).content.decode()
    assert "Session 2 is on the same day." in body
    assert "Player A1, Player A2, Player A3, Player A4." in body


def test_the_page_keeps_what_was_typed_and_says_what_is_wrong(chief: Client) -> None:
    season = factories.league()
    session, early, _late = scheduled(season)
    page = at(session, "move")
    assert "day" in errors_of(chief, page, {"day": "soon"})
    assert "Nothing moves" in errors_of(chief, page, {"day": "2027-03-07"})["__all__"][0]
    assert "ten years" in errors_of(chief, page, {"day": "9999-12-31"})["day"][0]
    assert chief.get(at(session, "move-back"))["Location"] == at(session, "change")
    seen = chief.post(page, {"day": "2027-03-14"}).context["seen"]
    factories.play(early.hanchan.earliest("round"))
    again = chief.post(page, {"day": "2027-03-14", "seen": seen})
    assert again.context["has_changed"]
    assert "has results" in again.content.decode()
