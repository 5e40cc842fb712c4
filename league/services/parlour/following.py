"""Games of a sitting followed hand by hand: started at the counter or by the code on the table, confirmed, abandoned.

Guests need no account. The signed code printed on a table gives a browser a link to the game that runs there; the
link ends with that game. A result that guests submit waits until the counter confirms it.
"""

from __future__ import annotations

from collections.abc import Collection

from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from league.models import Door, Hanchan, HanchanSeat, ParlourTable, ResultSheet, Sitting, TableLink
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability
from league.selectors.live.log import EventKind, newest_sequence
from league.selectors.parlour.board import Running, business_day, running
from league.selectors.parlour.following import followed_games, is_code_valid, sitting_at
from league.services.access.changes import lock_house, record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.live.links import code_link
from league.services.live.log import NewEvent, append_events
from league.services.parlour.checks import lock_open_table, lock_parlour, refuse_closed_day, reload_open_sitting
from league.services.parlour.games import Person, in_the_books_of, next_hanchan, refuse_empty_chairs
from league.services.results.results import abandon_hanchan, confirm_result


@all_or_nothing
def start_followed_game(*, sitting: Sitting, first_dealer: int, by: Actor) -> Hanchan:
    """Begin the sitting's next game, to be followed hand by hand; `first_dealer` is the chair that deals first.

    1. Refuse while a chair is empty, while another game is followed there, and under rules without play by hands.
    2. After the changeover the sitting continues in the new day's books; the game then keeps its day.
    3. Seat the guests, or those who stand in for them, and write the start of the log.
    """
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    refuse_empty_chairs(table)
    refuse_followed(table)
    if not 0 <= first_dealer < len(table.chairs):
        raise refuse("first_dealer_unknown", _("The first dealer is one of those who sit."), "/first_dealer")
    now = timezone.now()
    table = in_the_books_of(table, business_day(competition, now), now, by)
    refuse_closed_day(competition, table.day)
    hanchan = next_hanchan(table)
    in_turn = [Person.of(seat) for seat in (*table.seated[first_dealer:], *table.seated[:first_dealer])]
    HanchanSeat.objects.bulk_create(
        HanchanSeat(hanchan=hanchan, seat=place, entrant_id=person.entrant, player_id=person.player)
        for place, person in enumerate(in_turn)
    )
    start = NewEvent(get_random_string(20), EventKind.START, {"seats": [person.entrant for person in in_turn]})
    append_events(hanchan=hanchan, events=[start], after=0, by=by)
    hanchan.refresh_from_db()
    return hanchan


def refuse_followed(table: Running) -> None:
    """Raise ConflictError if a game is followed at the table already."""
    if table.followed is not None:
        raise conflict(
            "followed_already",
            _("Game %(round)s at table %(table)s is followed already.")
            % {"round": table.followed.round, "table": table.table},
            hanchan=table.followed.pk,
        )


@all_or_nothing
def confirm_followed_game(*, sheet: ResultSheet, by: Actor, accept: Collection[str] = ()) -> ResultSheet:
    """Confirm the result that a table has submitted: it counts, and guests in their last game stand up.

    Raise ConflictError if entries were written to the log since, so that the numbers on the screen are not its own.
    """
    competition = lock_open_table(sheet.hanchan.table_session.competition, by, Capability.CONFIRM)
    refuse_closed_day(competition, sheet.hanchan.table_session.session.day)
    if sheet.made_from_sequence is not None and newest_sequence(sheet.hanchan) != sheet.made_from_sequence:
        raise conflict(
            "log_went_on",
            _("The table has written to its score sheet since. Ask it to submit the result again."),
        )
    return confirm_result(sheet=sheet, by=by, accept=accept)


@all_or_nothing
def abandon_followed_game(*, sitting: Sitting, by: Actor, reason: str) -> None:
    """Abandon the game that is followed at a table, with a reason; guests may then leave, and the next game begins."""
    lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    if table.followed is None:
        raise conflict("nothing_followed", _("No game is followed at table %(table)s.") % {"table": table.table})
    abandon_hanchan(hanchan=table.followed, by=by, reason=reason)


@all_or_nothing
def start_by_code(*, table: ParlourTable, number: int, first_dealer: int) -> TableLink:
    """Begin the next game of the sitting at a table by its printed code; return the link that keeps its score sheet.

    `number` is the one that the code was printed with. Raise ConflictError without a sitting there.
    """
    by = _by_code(table, number)
    sitting = sitting_at(table)
    if sitting is None:
        raise conflict("no_sitting", _("No guests sit at table %(table)s.") % {"table": table.name})
    hanchan = start_followed_game(sitting=sitting, first_dealer=first_dealer, by=by)
    return code_link(hanchan.table_session, by)


@all_or_nothing
def link_by_code(*, table: ParlourTable, number: int) -> TableLink:
    """Return the link to the game that is followed at a table, for a browser that has scanned its printed code."""
    by = _by_code(table, number)
    sitting = sitting_at(table)
    if sitting is None or not followed_games([sitting.table_session_id]):
        raise conflict("nothing_followed", _("No game is followed at table %(table)s.") % {"table": table.name})
    # Locked, so that two phones that scan at once share one link.
    lock_house(sitting.table_session.competition)
    return code_link(sitting.table_session, by)


def _by_code(table: ParlourTable, number: int) -> Actor:
    """Return the actor of a printed code; raise ConflictError if the code was renewed or the table is gone."""
    if not is_code_valid(table, number):
        raise conflict("code_renewed", _("This code is no longer valid. Ask at the counter."))
    return Actor(user=None, door=Door.TABLE, credential=f"code:{table.pk}.{number}")


@all_or_nothing
def renew_table_code(*, table: ParlourTable, by: Actor) -> ParlourTable:
    """Make all printed codes of a table worthless, also on phones that have scanned one; return the table."""
    lock_parlour(table.parlour, by, Capability.MANAGE)
    table = ParlourTable.objects.select_for_update().get(pk=table.pk)
    before = table.code_number
    table.code_number = before + 1
    table.save(update_fields=["code_number"])
    scanned = TableLink.objects.filter(
        table_session__competition__parlour=table.parlour_id,
        table_session__table=table.name,
        made_by=None,
        ended_at=None,
    )
    scanned.update(ended_at=timezone.now())
    after = {"code_number": table.code_number}
    record_organization_change("table_code.renewed", table, by=by, before={"code_number": before}, after=after)
    return table
