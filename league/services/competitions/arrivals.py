"""The entrants of an event as they come: checked in, absent from a round, or joining after the first one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Block,
    Competition,
    Credit,
    Departure,
    Entrant,
    HanchanSeat,
    Override,
    Player,
    SeatResult,
    Slot,
)
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.event_day import day_before, has_come
from league.selectors.rulebooks.policies import in_ledger, policies_of
from league.selectors.rulebooks.rules_in_force import format_of, format_of_revision, is_of_teams, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing, refuse_strangers
from league.services.competitions.byes import settle_byes
from league.services.competitions.departures import record_departure
from league.services.competitions.roster import admit
from league.services.competitions.setup import enter_players, lock_unmerged
from league.services.results.absences import NO_SHOW, free_house_player, no_shows_of, open_seat
from league.services.results.preview import refuse_unseating
from league.services.results.rulings import decide, nothing_held_back, override_slot
from league.services.results.sheets import lock_open
from league.services.results.substitutes import refuse_played
from scoring.format.policies import NoShowBy
from scoring.rests import has_rests

ABSENT_TOO_OFTEN = 2
"""The number of absences for which a format may say that the entrant withdraws."""


@dataclass(frozen=True, slots=True)
class NoShowDecision:
    """Decision of the organizers about an absence that the format leaves to them.

    `points` is at the ranking ledger's scale; None gives the entrant what the house player wins.
    """

    points: int | None = None
    is_last: bool = False
    """True if the entrant counts as last at the table."""


@all_or_nothing
def check_in(*, entrant: Entrant, by: Actor) -> Entrant:
    """Record that an entrant has come; checking in twice on a day of play changes nothing."""
    competition = entrant.competition
    require(by, competition, Capability.SUBMIT)
    lock_open(competition)
    entrant.refresh_from_db(fields=["checked_in_at", "withdrawn_at"])
    if entrant.withdrawn_at is not None:
        raise conflict(
            "left_already",
            _("%(name)s has left the competition. Take that back first if the player is here.") % {"name": entrant},
            "/entrant",
        )
    if not has_come(entrant, day_before(competition)):
        _mark(entrant, by, is_here=True)
    return entrant


@all_or_nothing
def take_check_in_back(*, entrant: Entrant, by: Actor) -> Entrant:
    """Record that an entrant was checked in by mistake."""
    competition = entrant.competition
    require(by, competition, Capability.SUBMIT)
    lock_open(competition)
    entrant.refresh_from_db(fields=["checked_in_at"])
    if entrant.checked_in_at is not None:
        _mark(entrant, by, is_here=False)
    return entrant


def _mark(entrant: Entrant, by: Actor, *, is_here: bool) -> None:
    change = open_change(entrant.competition, by)
    entrant.checked_in_at = timezone.now() if is_here else None
    entrant.save(update_fields=["checked_in_at"])
    # No public page shows it, so their responses stay in the cache.
    kind = "entrant.checked_in" if is_here else "entrant.check_in_taken_back"
    change.record(kind, entrant, is_public=False)


@all_or_nothing
def record_no_show(
    *,
    block: Block,
    number: int,
    entrant: Entrant,
    by: Actor,
    reason: str,
    decision: NoShowDecision | None = None,
    accept: Collection[str] = (),
) -> Credit | None:
    """Record that an entrant is absent from hanchan `number` of a block; a house player takes the seat, if any.

    1. Points and place follow from the format's policy, or from `decision` where it leaves them to the organizers.
    2. With points the house player sits for no entrant, and the absence is a credit. Without, the house player sits
       for the entrant as a substitute; None is returned.
    3. The seat of an entrant who has left goes to a house player, without a credit.
    4. The second absence is a withdrawal where the format says so.
    """
    competition = block.competition
    require(by, competition, Capability.RULE)
    refuse_without_reason(reason)
    refuse_strangers(competition, entrant)
    lock_open(competition)
    _refuse_odd_absence(block, number, entrant)
    seat = open_seat(block, number, entrant)
    if seat is not None:
        refuse_played(seat.hanchan)
    has_left = Departure.objects.standing().filter(entrant=entrant).exists()
    ruled = NoShowDecision() if has_left else _ruled(competition, decision)
    if seat is None and (has_left or ruled.points is None):
        message = _("%(name)s has no seat in this round, so that no house player can take it. Enter the points.")
        raise refuse("not_seated", message % {"name": entrant}, "/points")
    is_credited = not has_left and ruled.points is not None
    change = open_change(competition, by)
    taken = _seat_house_player(seat, for_entrant=not is_credited and not has_left) if seat else None
    after = {"entrant": entrant.pk, "number": number, "seat": taken, "points": ruled.points}
    credit = None
    if is_credited:
        credit = _credit_absence(block, number, entrant, ruled, reason=reason, made_n=change.n)
        refuse_unseating(change, accept)
        decide(change, NO_SHOW, credit, after=after)
    elif seat is not None:
        is_public = seat.hanchan.table_session.is_released and nothing_held_back(competition)
        change.record(NO_SHOW, seat.hanchan, after=after, reason=reason, is_public=is_public)
    if not has_left:
        _withdraw_if_absent_again(entrant, by=by, reason=reason, accept=accept)
    return credit


def _credit_absence(
    block: Block, number: int, entrant: Entrant, ruled: NoShowDecision, *, reason: str, made_n: int
) -> Credit:
    """Write what the round counts for an absent entrant."""
    last = ruleset_of(rules_at(block.competition)).players
    return Credit.objects.create(
        block=block,
        entrant=entrant,
        number=number,
        kind=Credit.Kind.NO_SHOW,
        points=ruled.points,
        place=last if ruled.is_last else None,
        reason=reason,
        made_n=made_n,
    )


def _withdraw_if_absent_again(entrant: Entrant, *, by: Actor, reason: str, accept: Collection[str]) -> None:
    """Withdraw an entrant at the second absence, if the format says so."""
    if policies_of(entrant.competition).no_show.twice != "withdrawal":
        return
    if no_shows_of([entrant]).get(entrant.pk, 0) >= ABSENT_TOO_OFTEN:
        why = _("Absent for the second time: %(reason)s") % {"reason": reason}
        record_departure(entrant, Departure.Kind.WITHDRAWN, by=by, reason=why, accept=accept)


def refuse_absent_team(entrant: Entrant) -> None:
    """Raise RuleViolationError for a team, for which another member sits."""
    if entrant.player.is_team:
        message = _(
            "No house player sits for a team. If another member of %(name)s is here, name that member as the line-up; "
            "if none is, move the table to another day or record a walkover."
        )
        raise refuse("team_has_members", message % {"name": entrant}, "/entrant")


def refuse_late_team(competition: Competition) -> None:
    """Raise RuleViolationError in a league of teams, whose members come and go without a place of their own."""
    if is_of_teams(rules_at(competition)):
        message = _(
            "Teams play in %(competition)s, and no team joins after the first round. If a member is late, name another "
            "one as the line-up; a person who joins a team becomes its member on the team's page."
        )
        raise refuse("teams_join_by_fixtures", message % {"competition": competition})


def _refuse_odd_absence(block: Block, number: int, entrant: Entrant) -> None:
    """Raise unless the round exists, the entrant is a person, and nothing is recorded yet for them in it."""
    refuse_absent_team(entrant)
    if entrant.is_house:
        raise refuse("house_player", _("A house player cannot be absent. Name a substitute at the table."), "/entrant")
    if not block.hanchan.filter(number=number).exists():
        message = _("%(block)s has no hanchan %(number)s. Choose one that is scheduled.")
        raise refuse("no_such_round", message % {"block": block, "number": number}, "/number")
    if _rests(entrant, block, number):
        message = _("%(name)s rests in round %(number)s of %(block)s. Choose a round in which %(name)s has a seat.")
        raise refuse("rests_in_round", message % {"name": entrant, "number": number, "block": block}, "/number")
    told = Credit.objects.standing().filter(block=block, number=number, entrant=entrant).first()
    if told is not None:
        raise conflict(
            "credited_already",
            _("For %(name)s this round is recorded already: %(kind)s (%(reason)s). Take that back first.")
            % {"name": entrant, "kind": told.get_kind_display(), "reason": told.reason},
            credit=told.pk,
        )


def _rests(entrant: Entrant, block: Block, number: int) -> bool:
    """Return True if an entrant has no seat in a seated round of a block in which entrants rest."""
    rules = rules_at(block.competition)
    if not has_rests(format_of(rules), block.key, ruleset_of(rules).players):
        return False
    seats = HanchanSeat.objects.filter(hanchan__block=block, hanchan__number=number)
    return seats.exists() and not seats.filter(entrant=entrant).exists()


def _ruled(competition: Competition, decision: NoShowDecision | None) -> NoShowDecision:
    """Return points and place of an absence: those of the format, or the organizers' where it leaves them to them."""
    policy = policies_of(competition).no_show
    of_format = NoShowDecision(in_ledger(competition, policy.points), policy.place == "last")
    if policy.by is NoShowBy.ASK:
        return decision or of_format
    if decision not in (None, of_format):
        message = _("The format says what an absence is worth. Leave points and place as they are.")
        raise refuse("points_of_format", message, "/points")
    return of_format


def _seat_house_player(seat: HanchanSeat, *, for_entrant: bool) -> dict[str, int]:
    """Let a free house player sit, for the entrant or for no entrant; return what the log keeps of the seat."""
    house = free_house_player(seat)
    taken = {"hanchan": seat.hanchan_id, "seat": seat.seat, "house": house.pk, "player": seat.player_id}
    seat.player = house.player
    if not for_entrant:
        seat.entrant = house
    seat.save(update_fields=["player", "entrant"])
    return taken


@all_or_nothing
def admit_late(
    *, block: Block, player: Player, first: int, by: Actor, reason: str, accept: Collection[str] = ()
) -> Entrant:
    """Let a player join a block from hanchan `first` on; each one missed counts what the format says.

    The player gets one more place where the format is of open size. Otherwise the player takes a place of the block
    without an entrant, or that of an entrant who left without a result.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    lock_unmerged([player])
    lock_open(competition)
    refuse_late_team(competition)
    if not 1 < first <= (block.stage.hanchan_count or first):
        message = _("Join from hanchan 2 on, and not after the last one. For the first, enter the player.")
        raise refuse("not_late", message, "/first")
    worth = in_ledger(competition, policies_of(competition).late.worth)
    (entrant,) = enter_players(competition=competition, players=[player], by=by)
    _give_place(block, entrant, by=by, reason=reason, accept=accept)
    change = open_change(competition, by)
    known = set(Credit.objects.standing().filter(block=block, entrant=entrant).values_list("number", flat=True))
    Credit.objects.bulk_create(
        Credit(
            block=block,
            entrant=entrant,
            number=number,
            kind=Credit.Kind.LATE,
            points=worth,
            reason=reason,
            made_n=change.n,
        )
        for number in range(1, first)
        if number not in known
    )
    entrant.checked_in_at = timezone.now()
    entrant.save(update_fields=["checked_in_at"])
    settle_byes(block, change)
    refuse_unseating(change, accept)
    change.record(
        "entrant.admitted_late",
        entrant,
        after={"block": block.key, "first": first, "points": worth},
        reason=reason,
        is_public=nothing_held_back(competition),
    )
    return entrant


def _give_place(block: Block, entrant: Entrant, *, by: Actor, reason: str, accept: Collection[str]) -> None:
    """Put an entrant into a place of the block, unless one is taken already; a format of open size has one more."""
    if entrant.pk in entrants_who_may_play(block):
        return
    if format_of_revision(rules_at(block.competition).format).bounds is not None:
        admit(competition=block.competition, people=[entrant.player], by=by)
        return
    slot = free_place(block)
    if slot is None:
        message = _(
            "%(block)s has no free place: no place is empty, and no player left without a result. Choose another "
            "block, withdraw a player who does not come, or name the newcomer as a substitute for one who is absent."
        )
        raise refuse("no_free_place", message % {"block": block}, "/block")
    override_slot(slot=slot, source="ruling", entrant=entrant, by=by, reason=reason, accept=accept)


def free_place(block: Block) -> Slot | None:
    """Return the first place of the block without an entrant, else that of one who has left without a result."""
    slots = block.slots.select_related("block__competition", "block__stage").order_by("number")
    given = Override.objects.standing().filter(slot__block=block).order_by().values("slot")
    open_ = slots.exclude(pk__in=given)
    played = SeatResult.objects.filter(block=block).order_by().values("entrant")
    left = open_.exclude(seeded__withdrawn_at=None).exclude(seeded__in=played)
    return open_.filter(seeded=None, source__startswith="seed:").first() or left.first()
