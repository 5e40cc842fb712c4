"""Write the remaining rounds of a block planned again, and restore the earlier plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from league.models import Block, Entrant, Hanchan, Override, Player, Slot, TableSession
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.block_rounds import REPLANNED, RESTORED
from league.selectors.competitions.seating.replanning import (
    ReplanPlan,
    ReplanWish,
    Restoring,
    is_newcomer,
    planned_again,
    restoring,
)
from league.services.access.changes import OpenChange, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.byes import settle_byes
from league.services.competitions.seats import Games, is_any_known, write_seats
from league.services.competitions.setup import enter_players, new_player
from league.services.results.rulings import override_slot, take_back
from league.services.results.sheets import lock_open

BEGUN = frozenset({"later_stage_begun"})
"""The finding about places in a stage with results: only places without a result change here."""


@all_or_nothing
def replan_rounds(*, block: Block, wish: ReplanWish, digest: str, by: Actor) -> ReplanPlan:
    """Write the rounds planned again as the user has previewed them; return the plan.

    1. Compute the plan again under the lock; refuse if its digest differs from the previewed one.
    2. Enter newcomers, and give places in the block to those who join without one.
    3. Write the seats of the hanchan that change; tables that are not used any more are called off.
    4. The log keeps the seats before and after, from which the earlier plan can be restored.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    for name in wish.newcomers:
        refuse_too_long(Player, {"name": name})
    lock_open(competition)
    plan = planned_again(block, wish)
    if plan.digest != digest:
        message = _("The rounds are not as you looked at them: a hanchan has begun, or seats have changed. Look again.")
        raise conflict("other_plan", message)
    if not plan.changed:
        raise conflict("nothing_changes", _("Nothing changes: all tables stay as they are."))
    entered = _enter(plan, by)
    overrides = _give_places(plan, entered, by)
    change = open_change(competition, by)
    after = [(game.hanchan, [entered.get(id(one), one) for one in game.after]) for game in plan.changed]
    seat_rounds(block, after, change, by)
    joining = sorted({*wish.joining, *(one.pk for one in entered.values())})
    change.record(
        REPLANNED,
        block,
        is_public=is_any_known([hanchan for hanchan, _seats in after]),
        before={"seats": {str(game.hanchan.pk): list(game.before) for game in plan.changed}},
        after={
            "first": wish.first,
            "aim": wish.aim.value,
            "leaving": sorted(wish.leaving),
            "joining": joining,
            "lost": sorted(wish.lost),
            "overrides": overrides,
            "seats": {str(hanchan.pk): [one.pk for one in seats] for hanchan, seats in after},
        },
    )
    return plan


def _enter(plan: ReplanPlan, by: Actor) -> Mapping[int, Entrant]:
    """Enter the plan's newcomers; return their stored rows by the identity of the plan's own."""
    newcomers = [one for one in plan.players if is_newcomer(one)]
    players = [new_player(name=one.player.name, by=by) for one in newcomers]
    rows = enter_players(competition=plan.rounds.block.competition, players=players, by=by) if players else []
    by_player = {row.player_id: row for row in rows}
    return {id(one): by_player[player.pk] for one, player in zip(newcomers, players, strict=True)}


def _give_places(plan: ReplanPlan, entered: Mapping[int, Entrant], by: Actor) -> list[int]:
    """Let those who join without a place take the free slots; return the ids of the overrides."""
    reason = _("Joins in place of a player who has left without a result")
    slots = Slot.objects.select_related("block__competition", "block__stage").in_bulk(plan.free_slots)
    return [
        override_slot(
            slot=slots[pk], source="ruling", entrant=entered.get(id(one), one), reason=reason, by=by, accept=BEGUN
        ).pk
        for one, pk in zip(plan.without_place, plan.free_slots, strict=False)
    ]


def seat_rounds(block: Block, games: Games, change: OpenChange, by: Actor) -> None:
    """Seat exactly these entrants in hanchan of a block, and settle its byes; a hanchan without any is not played."""
    call_off({hanchan.pk: bool(entrants) for hanchan, entrants in games})
    write_seats(games, change, by)
    settle_byes(block, change)


def call_off(is_played: Mapping[int, bool]) -> None:
    """Cancel tables of which no hanchan is played; at the others abandon those not played, and resume the others."""
    tables = TableSession.objects.filter(hanchan__in=is_played)
    by_table: defaultdict[TableSession, list[Hanchan]] = defaultdict(list)
    for hanchan in Hanchan.objects.filter(table_session__in=tables).select_related("table_session"):
        by_table[hanchan.table_session].append(hanchan)
    cancelled: list[int] = []
    by_state: defaultdict[Hanchan.State, list[int]] = defaultdict(list)
    for table, games in by_table.items():
        plays = {game.pk: is_played.get(game.pk, _is_on(table, game)) for game in games}
        if not any(plays.values()):
            cancelled.append(table.pk)
            continue
        for pk, is_on in plays.items():
            # A hanchan that the plan does not change keeps its state, unless its table was cancelled as a whole.
            if pk in is_played or table.is_cancelled:
                by_state[Hanchan.State.SCHEDULED if is_on else Hanchan.State.ABANDONED].append(pk)
    rows = TableSession.objects.filter(pk__in=[table.pk for table in by_table])
    rows.exclude(pk__in=cancelled).update(is_cancelled=False)
    rows.filter(pk__in=cancelled).update(is_cancelled=True)
    for state, ids in by_state.items():
        Hanchan.objects.filter(pk__in=ids).update(state=state)


def _is_on(table: TableSession, game: Hanchan) -> bool:
    """Return whether a hanchan is to be played or was."""
    return not table.is_cancelled and game.state != Hanchan.State.ABANDONED


@all_or_nothing
def restore_plan(*, block: Block, digest: str, by: Actor) -> Restoring:
    """Undo the last replanning of a block: its hanchan return to the seats that the log keeps.

    Refuse if a hanchan of it has begun, or was changed since; and if the user has looked at another state.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    found = restoring(block)
    if found.digest != digest:
        message = _("The rounds are not as you looked at them: a hanchan has begun, or seats have changed. Look again.")
        raise conflict("other_plan", message)
    _take_places_back((found.change.after or {})["overrides"], by)
    people = Entrant.objects.in_bulk({one for _hanchan, _now, then in found.games for one in then})
    change = open_change(competition, by)
    games = [(hanchan, [people[one] for one in then]) for hanchan, _now, then in found.games]
    seat_rounds(block, games, change, by)
    change.record(
        RESTORED,
        block,
        is_public=is_any_known([hanchan for hanchan, _now, _then in found.games]),
        before={"seats": {str(hanchan.pk): list(now) for hanchan, now, _then in found.games}},
        after={
            "change": found.change.n,
            "seats": {str(hanchan.pk): list(then) for hanchan, _now, then in found.games},
        },
    )
    return found


def _take_places_back(overrides: Iterable[int], by: Actor) -> None:
    """End the overrides by which players had joined, as far as they are still in force."""
    reason = _("The earlier plan is restored")
    rows = Override.objects.standing().filter(pk__in=list(overrides)).select_related("block__competition")
    for override in rows:
        take_back(decision=override, competition=override.block.competition, reason=reason, by=by, accept=BEGUN)
