"""Tests of games followed hand by hand in a sitting: started, submitted, confirmed, typed instead, abandoned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from league.models import Change, Hanchan, ParlourTable, ResultSheet, Role, Sitting, TableLink
from league.platform.errors import ConflictError, PermissionRefusedError, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import running
from league.selectors.parlour.following import code_of, read_code, submitted_sheet
from league.services.live.results import submit_log
from league.services.parlour.following import (
    abandon_followed_game,
    confirm_followed_game,
    link_by_code,
    renew_table_code,
    start_by_code,
    start_followed_game,
)
from league.services.parlour.people import merge_players
from league.services.parlour.sittings import close_sitting, leave, mark_last_game, set_stand_in
from league.services.parlour.statements import settle
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import at
from tests.league.shared import fresh
from tests.league.tables import Device, entered, write

pytestmark = pytest.mark.django_db
TSUMO: dict[str, Any] = {"type": "tsumo", "win": {"seat": 0, "value": {"limit": "mangan"}}}
SITTERS = 3


@pytest.fixture(scope="module")
def seated(shared_rows: None) -> Sitting:
    """Seat three guests at table 1 under the ruleset kansai3; two more guests exist."""
    competition = parlours.parlour("kansai3")
    return parlours.sitting(competition, parlours.guests(competition, 5)[:SITTERS])


@pytest.fixture
def sitting(seated: Sitting) -> Sitting:
    """Return the sitting."""
    return fresh(seated)


@pytest.fixture
def table(sitting: Sitting) -> ParlourTable:
    """Return the house's table at which they sit."""
    house = sitting.table_session.competition.parlour
    assert house is not None
    return ParlourTable.objects.create(parlour=house, name="1", order=1)


def clerk(sitting: Sitting, role: Role = Role.SCORER) -> Actor:
    """Return a member of the parlour's staff."""
    return factories.actor(factories.user(f"clerk-{role}", role, sitting.table_session.competition))


def guest(link: TableLink) -> Actor:
    """Return a guest whose phone has scanned the code."""
    return Actor(user=None, door=SYSTEM.door, link=link)


def submit(hanchan: Hanchan, by: Actor, entries: Sequence[Any] = (TSUMO,), **more: Any) -> ResultSheet:
    """Play these entries and submit the result, the time being up."""
    sequence = write(hanchan, *entered(*entries), by=by)
    return submit_log(hanchan=hanchan, sequence=sequence, by=by, ended_by_time=True, **more)


@pytest.mark.both_databases
def test_a_followed_game_is_the_next_game_and_counts_once_the_counter_confirms_it(
    sitting: Sitting, table: ParlourTable
) -> None:
    link = start_by_code(table=table, number=1, first_dealer=1)
    followed = running(sitting).followed
    assert followed is not None
    assert (followed.round, followed.state, running(sitting).next_dealer) == (1, Hanchan.State.RUNNING, 1)
    sheet = submit(followed, guest(link))
    assert sheet.state == ResultSheet.State.SUBMITTED
    assert (running(sitting).games, running(sitting).next_round) == (0, 1)
    confirm_followed_game(sheet=sheet, by=clerk(sitting))
    now = running(sitting)
    assert (now.games, now.next_round, now.followed) == (1, 2, None)
    assert Hanchan.objects.get().state == Hanchan.State.ENDED_BY_TIME
    link.refresh_from_db()
    assert link.ended_at is not None


def test_only_one_game_is_followed_at_a_table_and_only_with_every_chair_taken(sitting: Sitting) -> None:
    by = clerk(sitting)
    start_followed_game(sitting=sitting, first_dealer=0, by=by)
    with pytest.raises(ConflictError, match="followed already"):
        start_followed_game(sitting=sitting, first_dealer=0, by=by)
    abandon_followed_game(sitting=sitting, by=by, reason="A guest had to leave")
    leave(seat=parlours.chair(sitting, 2), by=by)
    with pytest.raises(ConflictError, match="empty chair"):
        start_followed_game(sitting=sitting, first_dealer=0, by=by)
    assert [row.state for row in Hanchan.objects.all()] == [Hanchan.State.ABANDONED]


def test_a_typed_result_ends_the_followed_game_and_the_submitted_sheet(sitting: Sitting, table: ParlourTable) -> None:
    link = start_by_code(table=table, number=1, first_dealer=0)
    followed = running(sitting).followed
    assert followed is not None
    submit(followed, guest(link))
    typed = parlours.play(sitting, by=clerk(sitting))
    assert typed.hanchan_id == followed.pk
    assert ResultSheet.objects.counting().get() == typed
    assert submitted_sheet(followed) is None
    assert (running(sitting).games, running(sitting).next_round, Hanchan.objects.count()) == (1, 2, 1)


def test_a_typed_result_over_a_running_log_must_be_accepted(sitting: Sitting) -> None:
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    write(hanchan, *entered(TSUMO))
    by = clerk(sitting)
    with pytest.raises(ServiceError) as refused:
        parlours.play(sitting, by=by)
    assert [finding.code for finding in refused.value.findings] == ["score_sheet_in_progress"]
    parlours.play(sitting, by=by, accept=["score_sheet_in_progress"])
    assert running(sitting).followed is None


def test_the_result_that_staff_submit_counts_at_once_and_guests_in_their_last_game_stand_up(sitting: Sitting) -> None:
    by = clerk(sitting)
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=by)
    mark_last_game(seat=parlours.chair(sitting, 1), by=by)
    sheet = submit(hanchan, by)
    assert sheet.state == ResultSheet.State.CONFIRMED
    assert running(sitting).empty_chairs == (1,)


def test_guests_in_their_last_game_stand_up_when_the_counter_confirms(sitting: Sitting, table: ParlourTable) -> None:
    link = start_by_code(table=table, number=1, first_dealer=0)
    mark_last_game(seat=parlours.chair(sitting, 2), by=SYSTEM)
    followed = running(sitting).followed
    assert followed is not None
    sheet = submit(followed, guest(link))
    assert running(sitting).is_full
    confirm_followed_game(sheet=sheet, by=clerk(sitting))
    assert running(sitting).empty_chairs == (2,)


def test_chairs_stay_as_they_are_during_a_followed_game(sitting: Sitting) -> None:
    by = clerk(sitting)
    start_followed_game(sitting=sitting, first_dealer=0, by=by)
    with pytest.raises(ConflictError, match="followed hand by hand"):
        leave(seat=parlours.chair(sitting, 0), by=by)
    with pytest.raises(ConflictError, match="followed hand by hand"):
        close_sitting(sitting=sitting, by=by)
    abandon_followed_game(sitting=sitting, by=by, reason="Broken off")
    close_sitting(sitting=sitting, by=by)
    assert Change.objects.filter(kind="hanchan.abandoned").count() == 1


def test_stand_ins_play_the_followed_game_also_if_they_sit_down_in_the_middle(sitting: Sitting) -> None:
    first, second = parlours.chair(sitting, 0), parlours.chair(sitting, 1)
    others = list(sitting.table_session.competition.entrants.order_by("number"))[SITTERS:]
    set_stand_in(seat=first, player=others[0].player, by=SYSTEM)
    hanchan = start_followed_game(sitting=sitting, first_dealer=1, by=SYSTEM)
    assert hanchan.seats.get(seat=2).player == others[0].player
    set_stand_in(seat=first, player=None, by=SYSTEM)
    set_stand_in(seat=second, player=others[1].player, by=SYSTEM)
    sheet = submit(hanchan, clerk(sitting))
    players = dict(sheet.seats.values_list("entrant", "player"))
    assert players[first.entrant_id] == first.entrant.player_id
    assert players[second.entrant_id] == others[1].player_id


@pytest.mark.both_databases
def test_merging_a_guest_in_the_middle_of_a_followed_game_counts_for_the_kept_entry(sitting: Sitting) -> None:
    kept = sitting.table_session.competition.entrants.order_by("number")[SITTERS]
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    merge_players(duplicate=parlours.chair(sitting, 0).entrant.player, keep=kept.player, by=SYSTEM)
    sheet = submit(hanchan, clerk(sitting))
    seat = sheet.seats.get(seat=0)
    assert (seat.entrant, seat.player) == (kept, kept.player)


def test_a_guest_settles_up_in_the_middle_of_a_followed_game_but_does_not_leave(sitting: Sitting) -> None:
    house, player = sitting.table_session.competition.parlour, parlours.chair(sitting, 0).entrant.player
    assert house is not None
    start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    with pytest.raises(ConflictError, match="followed hand by hand"):
        settle(parlour=house, player=player, by=SYSTEM)
    settle(parlour=house, player=player, by=SYSTEM, leaves=False)
    assert running(sitting).is_full


def test_merging_the_one_who_stands_in_moves_the_followed_game_too(sitting: Sitting) -> None:
    others = [row.player for row in sitting.table_session.competition.entrants.order_by("number")][SITTERS:]
    set_stand_in(seat=parlours.chair(sitting, 0), player=others[0], by=SYSTEM)
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    merge_players(duplicate=others[0], keep=others[1], by=SYSTEM)
    assert hanchan.seats.get(seat=0).player == others[1]


def test_a_table_that_counts_chips_once_enters_none_with_a_hand(sitting: Sitting) -> None:
    Sitting.objects.update(chips=Sitting.Chips.PER_SITTING)
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    assert Device.of_scorer(sitting.table_session).document()["asks"]["prizes"] is None
    flowers = {"type": "tsumo", "win": {**TSUMO["win"], "prizes": {"counts": {"flush": 1}}}}
    assert not submit(hanchan, clerk(sitting), [flowers]).facts["carried"]


def test_a_game_confirmed_after_its_log_went_on_is_refused(sitting: Sitting, table: ParlourTable) -> None:
    link = start_by_code(table=table, number=1, first_dealer=0)
    followed = running(sitting).followed
    assert followed is not None
    sheet = submit(followed, guest(link))
    write(followed, *entered(TSUMO), by=guest(link))
    with pytest.raises(ConflictError, match="submit the result again"):
        confirm_followed_game(sheet=sheet, by=clerk(sitting))


def test_guests_can_neither_confirm_nor_abandon(sitting: Sitting, table: ParlourTable) -> None:
    link = start_by_code(table=table, number=1, first_dealer=0)
    followed = running(sitting).followed
    assert followed is not None
    sheet = submit(followed, guest(link))
    with pytest.raises(PermissionRefusedError):
        confirm_followed_game(sheet=sheet, by=guest(link))
    with pytest.raises(PermissionRefusedError):
        abandon_followed_game(sitting=sitting, by=guest(link), reason="No")


@pytest.mark.both_databases
def test_a_followed_game_keeps_its_day_over_the_changeover(sitting: Sitting) -> None:
    Sitting.objects.update(opened_at=at(1))
    sitting.table_session.session.day = at(1, day=19).date()
    sitting.table_session.session.save()
    sitting = Sitting.objects.get()
    hanchan = start_followed_game(sitting=sitting, first_dealer=0, by=SYSTEM)
    # The start has carried the sitting over into the books of today; the game stays there whenever it is entered.
    day = hanchan.table_session.session.day
    after = Sitting.objects.get(closed_at=None)
    sheet = parlours.play(after, at=at(12, day=25).replace(year=2027))
    assert day is not None
    assert day > at(1, day=19).date()
    assert (sheet.hanchan, sheet.hanchan.table_session.session.day) == (hanchan, day)


def test_the_code_of_a_table_stays_the_same_until_it_is_renewed(sitting: Sitting, table: ParlourTable) -> None:
    code = code_of(table)
    assert code == code_of(ParlourTable.objects.get())
    assert read_code(code) == (table, 1)
    assert read_code(code[:-1] + ("A" if code[-1] != "A" else "B")) is None
    link = start_by_code(table=table, number=1, first_dealer=0)
    assert link_by_code(table=table, number=1) == link
    with pytest.raises(PermissionRefusedError):
        renew_table_code(table=table, by=clerk(sitting))
    renewed = renew_table_code(table=table, by=clerk(sitting, Role.DIRECTOR))
    assert code_of(renewed) != code
    with pytest.raises(ConflictError, match="no longer valid"):
        link_by_code(table=renewed, number=1)
    link.refresh_from_db()
    assert link.ended_at is not None
    assert link_by_code(table=renewed, number=2) != link


def test_a_code_opens_nothing_where_no_guests_sit(sitting: Sitting, table: ParlourTable) -> None:
    with pytest.raises(ConflictError, match="No game"):
        link_by_code(table=table, number=1)
    close_sitting(sitting=sitting, by=SYSTEM)
    with pytest.raises(ConflictError, match="No guests"):
        start_by_code(table=table, number=1, first_dealer=0)
