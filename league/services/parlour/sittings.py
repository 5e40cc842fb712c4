"""Sittings from opening to close: chairs taken and left, the last game (ラス半), stand-ins (代走), closing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Entrant,
    HanchanSeat,
    Parlour,
    Player,
    Session,
    Sitting,
    SittingAmount,
    SittingSeat,
    TableSession,
    WaitingGuest,
)
from league.platform.errors import Finding, Level, RuleViolationError, conflict, raise_for, refuse
from league.selectors.access.actors import Actor
from league.selectors.live.table_options import option_findings
from league.selectors.parlour.board import Running, business_day, open_block, running
from league.selectors.parlour.following import followed_games
from league.selectors.parlour.tariffs import tariff_of
from league.selectors.parlour.waits import is_company
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.access.changes import OpenChange, after_last, open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import (
    lock_open_table,
    note,
    refuse_closed_day,
    refuse_during_followed_game,
    reload_open_sitting,
)
from league.services.parlour.leaving import refuse_left_before, stand_up

LONGEST_NAME = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Guest:
    """A person who takes a chair: a guest, or a member of staff (本走); `stand_in` plays in their place (代走)."""

    entrant: Entrant
    is_house: bool = False
    stand_in: Player | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SittingPlan:
    """Parameters of a new sitting; `people` in turn order; the one at index `first_dealer` deals first."""

    table: str
    people: Sequence[Guest] = ()
    first_dealer: int = 0
    kind: Sitting.Kind = Sitting.Kind.FREE
    chips: Sitting.Chips = Sitting.Chips.PER_GAME
    options: Mapping[str, object] = field(default_factory=dict)
    yen_per_hour: int | None = None
    """The fee of a set table for an hour; None is the house's tariff."""
    at: dt.datetime | None = None
    """The time of opening: now, unless a paper record is entered later."""


@all_or_nothing
def open_sitting(*, competition: Competition, plan: SittingPlan, by: Actor) -> Sitting:
    """Open a table.

    1. Refuse a table that is open already, options the rules do not offer at a table, and people who sit elsewhere.
    2. Create the business day's session if this is its first table.
    3. Seat the people, the first dealer on the first chair; they leave the waiting list.
    """
    competition = lock_open_table(competition, by)
    at = plan.at or timezone.now()
    day = business_day(competition, at)
    refuse_closed_day(competition, day)
    raise_for(_plan_findings(competition, plan, at), ())
    change = open_change(competition, by)
    sitting = Sitting.objects.create(
        table_session=_table_session(competition, day, plan.table.strip(), at),
        kind=plan.kind,
        chips=plan.chips,
        options=dict(plan.options),
        yen_per_hour=fee_for_an_hour(competition, plan, day),
        opened_at=at,
    )
    in_turn = (*plan.people[plan.first_dealer :], *plan.people[: plan.first_dealer])
    for seat, guest in enumerate(in_turn):
        _sit_down(sitting, seat, guest, at)
    after = {"day": day.isoformat(), "kind": sitting.kind, "entrants": [guest.entrant.pk for guest in in_turn]}
    note(change, "sitting.opened", sitting, after=after)
    return sitting


def fee_for_an_hour(competition: Competition, plan: SittingPlan, day: dt.date) -> int:
    """Return a set table's fee for an hour, in the smallest unit: as planned, or the tariff's; 0 for a free table."""
    if plan.kind != Sitting.Kind.SET:
        return 0
    if plan.yen_per_hour is not None:
        return plan.yen_per_hour
    parlour = Parlour.objects.get(books=competition)
    return tariff_of(parlour, competition, plan.table.strip(), day).set_hour


def _plan_findings(competition: Competition, plan: SittingPlan, at: dt.datetime) -> list[Finding]:
    """Return everything wrong with a plan, each finding at its field."""
    rules = rules_at(competition, at)
    players = ruleset_of(rules).players
    found = list(option_findings(rules, plan.options))
    if not plan.table.strip():
        found.append(Finding("table_needed", _("Name the table, such as 1."), "/table"))
    elif len(plan.table.strip()) > LONGEST_NAME:
        found.append(Finding("table_too_long", _("A table's name has at most 32 characters."), "/table"))
    elif _is_open(competition, plan.table.strip()):
        message = _("Table %(table)s is open already.") % {"table": plan.table}
        found.append(Finding("table_open", message, "/table"))
    if len(plan.people) > players:
        message = _("These rules seat %(players)s, not %(given)s.")
        found.append(Finding("too_many_people", message % {"players": players, "given": len(plan.people)}, "/people"))
    if not 0 <= plan.first_dealer < max(1, len(plan.people)):
        found.append(Finding("first_dealer_unknown", _("The first dealer is one of those who sit."), "/first_dealer"))
    ids = [guest.entrant.pk for guest in plan.people]
    for place, guest in enumerate(plan.people):
        if ids.index(guest.entrant.pk) != place:
            message = _("%(name)s is named twice.") % {"name": guest.entrant}
            found.append(Finding("seated_twice", message, f"/people/{place}"))
        else:
            found += [Finding(one.code, one.message, f"/people/{place}") for one in _seat_findings(competition, guest)]
    return found


def _is_open(competition: Competition, table: str) -> bool:
    return Sitting.objects.filter(
        table_session__competition__parlour=competition.parlour_id, table_session__table=table, closed_at=None
    ).exists()


def _seat_findings(competition: Competition, guest: Guest) -> list[Finding]:
    """Return the reason that keeps a person from taking a chair here, or an empty list."""
    name = {"name": guest.entrant}
    if guest.entrant.competition_id != competition.pk:
        return [Finding("not_of_this_parlour", _("%(name)s is no guest of this open table.") % name, "/entrant")]
    if guest.entrant.merged_into_id is not None:
        return [Finding("merged_entrant", _("%(name)s was entered twice. Choose the entry kept.") % name, "/entrant")]
    seat = (
        SittingSeat.objects.filter(
            sitting__table_session__competition__parlour=competition.parlour_id,
            entrant__player=guest.entrant.player_id,
            left_at=None,
        )
        .select_related("sitting__table_session")
        .first()
    )
    if seat is not None:
        message = _("%(name)s sits at table %(table)s already.")
        shown = {**name, "table": seat.sitting.table_session.table}
        return [Finding("sits_elsewhere", message % shown, "/entrant")]
    return []


def session_of_day(competition: Competition, day: dt.date) -> Session:
    """Return the session of a business day, created when its first table opens; the competition must be locked."""
    found = Session.objects.filter(competition=competition, day=day).first()
    if found is not None:
        return found
    return Session.objects.create(
        competition=competition,
        number=after_last(Session.objects.filter(competition=competition), "number"),
        day=day,
        name=f"{day.year}年{day.month}月{day.day}日",
        name_en=f"{day:%-d %B %Y}",
    )


def _table_session(competition: Competition, day: dt.date, table: str, at: dt.datetime) -> TableSession:
    session = session_of_day(competition, day)
    return TableSession.objects.create(
        competition=competition,
        session=session,
        block=open_block(competition),
        order=after_last(TableSession.objects.filter(session=session), "order"),
        table=table,
        starts_at=at,
    )


def _sit_down(sitting: Sitting, seat: int, guest: Guest, at: dt.datetime) -> SittingSeat:
    """Put a person on a chair and take them off the waiting list; their company waits on."""
    competition = sitting.table_session.competition
    waiting = WaitingGuest.objects.filter(player=guest.entrant.player, seated_at=None, gone_at=None)
    for row in waiting.filter(competition__parlour=competition.parlour_id).select_related("competition"):
        if not is_company(row):
            seat_of_party(row, at)
    return SittingSeat.objects.create(
        sitting=sitting,
        seat=seat,
        entrant=guest.entrant,
        stand_in=guest.stand_in,
        is_house=guest.is_house,
        joined_at=at,
    )


def seat_moved(seat: SittingSeat, sitting: Sitting, chair: int, entrant: Entrant) -> SittingSeat:
    """Return an unsaved row by which the stay of a seat's guest goes on at another chair, with all its marks."""
    return SittingSeat(
        sitting=sitting,
        seat=chair,
        entrant=entrant,
        stand_in=seat.stand_in,
        stand_in_stays=seat.stand_in_stays,
        is_house=seat.is_house,
        is_last_game=seat.is_last_game,
        joined_at=seat.joined_at,
    )


def seat_of_party(row: WaitingGuest, at: dt.datetime) -> None:
    """Take one guest of a party off the waiting list: the row ends, and the rest has a new one of the same time."""
    row.seated_at = at
    row.save(update_fields=["seated_at"])
    if row.party > 1:
        WaitingGuest.objects.create(
            competition=row.competition, player=row.player, party=row.party - 1, wish=row.wish, since=row.since
        )


@all_or_nothing
def join(*, sitting: Sitting, seat: int, guest: Guest, by: Actor, at: dt.datetime | None = None) -> SittingSeat:
    """Seat a person on an empty chair."""
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    refuse_closed_day(competition, table.day)
    if not 0 <= seat < len(table.chairs):
        raise refuse("no_such_chair", _("This table has chairs 1 to %(last)s.") % {"last": len(table.chairs)}, "/seat")
    taken = table.chairs[seat]
    if taken is not None:
        raise conflict("chair_taken", _("%(name)s sits there already.") % {"name": taken.entrant}, "/seat")
    if findings := _seat_findings(competition, guest):
        raise RuleViolationError(*findings)
    change = open_change(competition, by)
    row = _sit_down(table.sitting, seat, guest, at or timezone.now())
    after = {"seat": seat, "entrant": guest.entrant.pk, "is_house": guest.is_house}
    note(change, "sitting.joined", table.sitting, after=after)
    return row


@all_or_nothing
def leave(*, seat: SittingSeat, by: Actor, at: dt.datetime | None = None) -> None:
    """Free a chair at once; the next game cannot be entered until the chair is taken.

    Raise ConflictError while a game is followed hand by hand there; refuse a moment before the guest sat down.
    """
    change, seat = at_the_chair(seat, by)
    refuse_during_followed_game(seat.sitting)
    moment = at or timezone.now()
    refuse_left_before(seat, moment)
    stand_up(seat, moment)
    note(change, "sitting.left", seat.sitting, before={"seat": seat.seat, "entrant": seat.entrant_id})


@all_or_nothing
def mark_last_game(*, seat: SittingSeat, by: Actor, is_last: bool = True) -> None:
    """Mark that a player leaves after the current game (ラス半), or remove the mark."""
    change, seat = at_the_chair(seat, by)
    seat.is_last_game = is_last
    seat.save(update_fields=["is_last_game"])
    note(change, "sitting.last_game", seat.sitting, after={"seat": seat.seat, "is_last_game": is_last})


@all_or_nothing
def set_stand_in(*, seat: SittingSeat, player: Player | None, by: Actor, stays: bool = False) -> None:
    """Set the player who stands in for a guest (代走), or None when the guest is back; results stay the guest's.

    The guest is back after the next game, unless the stand-in `stays`.
    """
    change, seat = at_the_chair(seat, by)
    if player is not None and player.pk == seat.entrant.player_id:
        raise refuse("stands_in_for_self", _("Players do not stand in for themselves."), "/player")
    seat.stand_in, seat.stand_in_stays = player, stays and player is not None
    seat.save(update_fields=["stand_in", "stand_in_stays"])
    followed = followed_games([seat.sitting.table_session_id]).values()
    # The game under way and the chair must name the same player, whichever of the two its result is made from.
    HanchanSeat.objects.filter(hanchan__in=followed, entrant=seat.entrant).update(
        player=player or seat.entrant.player_id
    )
    after = {"seat": seat.seat, "player": player.pk if player else None, "stays": seat.stand_in_stays}
    note(change, "sitting.stand_in", seat.sitting, after=after)


@all_or_nothing
def set_house(*, seat: SittingSeat, by: Actor, is_house: bool) -> None:
    """Mark that a person plays for the house (本走) during this stay at the table, or for themselves."""
    change, seat = at_the_chair(seat, by)
    # A guest who has changed chairs has a row for each, and the mark is that of the whole stay.
    SittingSeat.objects.filter(sitting=seat.sitting, entrant=seat.entrant, joined_at=seat.joined_at).update(
        is_house=is_house
    )
    note(change, "sitting.house", seat.sitting, after={"seat": seat.seat, "is_house": is_house})


def at_the_chair(seat: SittingSeat, by: Actor) -> tuple[OpenChange, SittingSeat]:
    """Return an open change and the chair as stored now; raise ConflictError if the chair has been left."""
    competition = lock_open_table(seat.sitting.table_session.competition, by)
    found = taken_chair(seat)
    return open_change(competition, by), found


def taken_chair(seat: SittingSeat) -> SittingSeat:
    """Return the chair as stored now, once its table is locked; raise ConflictError if it has been left."""
    reload_open_sitting(seat.sitting)
    found = SittingSeat.objects.select_related("sitting__table_session__competition", "entrant__player").get(pk=seat.pk)
    if found.left_at is not None:
        raise conflict("left_already", _("%(name)s has left the table already.") % {"name": found.entrant}, "/seat")
    return found


@all_or_nothing
def close_sitting(
    *, sitting: Sitting, by: Actor, at: dt.datetime | None = None, accept: Collection[str] = ()
) -> Sitting:
    """End a sitting: all chairs are freed.

    Raise ConflictError while a game is followed there; warn if chips are counted per sitting and are missing.
    """
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    refuse_closed_day(competition, table.day)
    refuse_during_followed_game(table.sitting)
    moment = at or timezone.now()
    if moment < table.sitting.opened_at:
        raise refuse("closed_before_opened", _("A table closes after it was opened."), "/at")
    for seat in table.seated:
        refuse_left_before(seat, moment)
    if is_missing_chips(table):
        message = _("The chips of this sitting are not counted yet. Enter them, or close without.")
        raise_for([Finding("chips_not_counted", message, "/chips", Level.WARNING)], accept)
    change = open_change(competition, by)
    end(table, moment)
    note(change, "sitting.closed", table.sitting, after={"games": table.games})
    return table.sitting


@all_or_nothing
def reopen_sitting(*, sitting: Sitting, by: Actor) -> Sitting:
    """Reopen a table that was closed too early, or whose last game was forgotten.

    Players who sat until the close sit there again, unless they sit elsewhere now. A set table, rented by the hour,
    cannot be reopened, because its hours are charged at the close.
    """
    competition = lock_open_table(sitting.table_session.competition, by)
    found = Sitting.objects.select_related("table_session__session").get(pk=sitting.pk)
    refuse_closed_day(competition, found.table_session.session.day)
    name = {"table": found.table_session.table}
    if found.closed_at is None or _is_open(competition, found.table_session.table):
        raise conflict("table_open", _("Table %(table)s is open already.") % name)
    if found.kind == Sitting.Kind.SET:
        raise conflict("set_table_charged", _("The hours of table %(table)s are charged. Open it again.") % name)
    change = open_change(competition, by)
    there = SittingSeat.objects.filter(
        sitting__table_session__competition__parlour=competition.parlour_id, left_at=None
    )
    people, chairs = set(there.values_list("entrant__player", flat=True)), set[int]()
    to_the_end = SittingSeat.objects.filter(sitting=found, left_at=found.closed_at)
    # Newest first: a chair that changed hands at the moment of the close has several rows, and the last one counts.
    for seat in to_the_end.select_related("entrant__merged_into").order_by("-pk"):
        entrant = seat.entrant.merged_into or seat.entrant
        if entrant.player_id not in people and seat.seat not in chairs:
            seat.entrant, seat.left_at = entrant, None
            seat.save(update_fields=["entrant", "left_at"])
            people.add(entrant.player_id)
            chairs.add(seat.seat)
    found.closed_at = None
    found.save(update_fields=["closed_at"])
    note(change, "sitting.reopened", found)
    return found


def end(table: Running, at: dt.datetime) -> None:
    """Free all chairs and close the sitting."""
    for seat in table.seated:
        stand_up(seat, at)
    table.sitting.closed_at = at
    table.sitting.save(update_fields=["closed_at"])


def is_missing_chips(table: Running) -> bool:
    """Return True if chips are counted once per sitting, games were played, and no chips are entered yet."""
    if table.sitting.chips != Sitting.Chips.PER_SITTING or not table.games or not table.rules.entered_ledgers:
        return False
    return not SittingAmount.objects.filter(sitting=table.sitting, ended_n=None).exists()


def carried_over(table: Running, day: dt.date, at: dt.datetime, change: OpenChange) -> Sitting:
    """Continue the sitting in the books of the next business day with the same people; the sitting before ends.

    All guests keep their chairs and the time at which they sat down.
    """
    before = table.sitting
    end(table, at)
    sitting = Sitting.objects.create(
        table_session=_table_session(table.competition, day, table.table, at),
        kind=before.kind,
        chips=before.chips,
        options=before.options,
        yen_per_hour=before.yen_per_hour,
        opened_at=at,
    )
    SittingSeat.objects.bulk_create(seat_moved(seat, sitting, seat.seat, seat.entrant) for seat in table.seated)
    note(change, "sitting.carried_over", sitting, before={"sitting": before.pk}, after={"day": day.isoformat()})
    return sitting
