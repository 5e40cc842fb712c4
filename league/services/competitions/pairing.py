"""Publish a round paired by the standing or by lot, and take a pairing back before it is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from league.models import Block, Change, Hanchan, Pairing
from league.platform.errors import conflict, raise_for, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.block_rounds import SeatedHanchan, games_of
from league.selectors.competitions.seating.pairing import PlannedPairing, planned_pairing
from league.selectors.competitions.seating.pairing_reasons import table_reasons
from league.services.access.changes import OpenChange, open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.byes import settle_byes
from league.services.competitions.replanning import call_off, seat_rounds
from league.services.competitions.schedule import Fixture, create_table_session
from league.services.competitions.seats import is_any_known, write_seats
from league.services.results.sheets import lock_open

PAIRED = "round.paired"
TAKEN_BACK = "pairing.taken_back"


@all_or_nothing
def pair_round(*, block: Block, number: int, digest: str, by: Actor, accept: Collection[str] = ()) -> Pairing:
    """Publish the pairing of a round as the user has previewed it.

    1. Pair again under the lock; refuse if the digest differs from the previewed one.
    2. Refuse warnings that are not accepted by their code: missing results, seats that are replaced.
    3. Seat the players, make tables that are missing, call off those not needed, settle who sits out.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    planned = planned_pairing(block, number)
    if planned.digest != digest:
        message = _("The pairing is not the one you looked at: results, players or tables have changed. Look again.")
        raise conflict("other_pairing", message)
    raise_for(planned.findings, accept)
    games = [*(game.hanchan for game in planned.games if game), *_made(planned, by)]
    change = open_change(competition, by)
    seats = list(zip(games, planned.tables, strict=True))
    seat_rounds(block, [*seats, *((game.hanchan, ()) for game in planned.spare)], change, by)
    pairing = _write_pairing(planned, games, made_n=change.n)
    change.record(
        PAIRED,
        block,
        is_public=is_any_known([*games, *(game.hanchan for game in planned.spare)]),
        before={"seats": {str(game.hanchan.pk): list(game.seats) for game in planned.games if game and game.seats}},
        after={
            "number": number,
            "seed": planned.seed,
            "digest": planned.digest,
            "seats": {str(game.pk): [one.pk for one in table] for game, table in seats},
            "called_off": [game.hanchan.pk for game in planned.spare],
        },
    )
    return pairing


def _write_pairing(planned: PlannedPairing, games: Sequence[Hanchan], *, made_n: int) -> Pairing:
    """Write the pairing with its reasons for each table and its cost."""
    found = planned.found
    return Pairing.objects.create(
        block=planned.block,
        number=planned.number,
        seed=planned.seed,
        standing_version=planned.standing_version,
        order=[[planned.entrants[one].pk for one in level] for level in planned.standing],
        tables=[
            table_reasons(planned, place) | {"hanchan": game.pk, "table": game.table_session.table}
            for place, game in enumerate(games)
        ],
        cost=found.cost,
        bound=found.bound,
        bound_by=found.bound_by.value,
        broken={kind.value: count for kind, count in found.broken.items()},
        is_optimal=found.is_optimal,
        digest=planned.digest,
        made_n=made_n,
    )


def _made(planned: PlannedPairing, by: Actor) -> list[Hanchan]:
    """Make the tables that the round needs besides those scheduled, and return their hanchan."""
    missing = sum(game is None for game in planned.games)
    if not missing:
        return []
    places = games_of(planned.block)[planned.number]
    like = next(iter(places.values())).hanchan.table_session
    first = max(place.number for place in places) + 1
    made = [
        create_table_session(
            session=like.session,
            fixture=Fixture(
                block=planned.block,
                numbers=(planned.number,),
                table=_("Table %(number)s") % {"number": number},
                starts_at=like.starts_at,
                venue=like.venue,
                public_at=like.public_at,
            ),
            by=by,
        )
        for number in range(first, first + missing)
    ]
    return list(Hanchan.objects.filter(table_session__in=made).select_related("table_session").order_by("pk"))


@all_or_nothing
def take_pairing_back(*, pairing: Pairing, by: Actor, reason: str) -> None:
    """End a pairing of which no hanchan has begun: its seats are empty again, and its tables stay.

    Refuse while a later round is paired, since it counts the meetings of this one.
    """
    block = pairing.block
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    lock_open(competition)
    games = list(games_of(block).get(pairing.number, {}).values())
    told = {"number": pairing.number, "block": block}
    if any(game.has_begun for game in games):
        message = _("Round %(number)s of %(block)s has begun; its pairing stays.")
        raise conflict("round_has_begun", message % told)
    if later := Pairing.objects.standing().filter(block=block, number__gt=pairing.number).order_by("-number").first():
        message = _("Round %(later)s is paired after this one. Take that pairing back first.")
        raise conflict("later_round_paired", message % {"later": later.number})
    change = open_change(competition, by)
    # A conditional UPDATE under the lock: the second of two requests finds no open row.
    if not Pairing.objects.standing().filter(pk=pairing.pk).update(ended_n=change.n):
        raise conflict("already_taken_back", _("This has been taken back already."))
    _empty(pairing, games, change, by)
    settle_byes(block, change)
    change.record(
        TAKEN_BACK,
        block,
        is_public=is_any_known([game.hanchan for game in games]),
        before={"seats": {str(game.hanchan.pk): list(game.seats) for game in games if game.seats}},
        after={"number": pairing.number, "pairing": pairing.pk},
        reason=reason,
    )


def _empty(pairing: Pairing, games: Sequence[SeatedHanchan], change: OpenChange, by: Actor) -> None:
    """Empty the seats of the round, and schedule the tables again that the pairing had called off."""
    write_seats([(game.hanchan, ()) for game in games], change, by)
    made = Change.objects.filter(competition=pairing.block.competition, n=pairing.made_n)
    there = {game.hanchan.pk for game in games}
    for after in made.values_list("after", flat=True):
        call_off(dict.fromkeys(there & set((after or {}).get("called_off", ())), True))
