"""The house's fees of a game that is being typed, before it is recorded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from league.models import Entrant, Hanchan, Sitting
from league.selectors.parlour.board import Running
from league.selectors.parlour.charges import Charges, GameCharge, charges_of_days
from league.selectors.parlour.tariffs import tariff_of
from scoring.charges import Charge, GameOfGuest, Tariff, charge_games


def tariff_of_table(table: Running, day: dt.date) -> Tariff:
    """Return the fees of a free table on a business day; a set table has none for a game."""
    parlour = table.competition.parlour
    if parlour is None or table.sitting.kind == Sitting.Kind.SET:
        return Tariff()
    return tariff_of(parlour, table.competition, table.table, day)


def previewed_charges(
    table: Running, entrants: Sequence[int], places: Sequence[int], day: dt.date, corrected: Hanchan | None = None
) -> tuple[Charge, ...]:
    """Return the charge of each seat, by entrants and places in the order of the seats.

    A correction keeps the fees of the game on stamp cards and its players for the house, and changes only the player
    who pays the top's share.
    """
    parlour = table.competition.parlour
    if parlour is None:
        return tuple(Charge(0, 0) for _ in entrants)
    tariff = tariff_of_table(table, day)
    of_entrant = {
        row.pk: row.player.kept_id for row in Entrant.objects.filter(pk__in=entrants).select_related("player")
    }
    charges = charges_of_days(parlour, [day], set(of_entrant.values()))
    house = {seat.entrant_id for seat in table.seated if seat.is_house}
    found = []
    for seat, entrant in enumerate(entrants):
        # Of two who share the first place, the one earlier in seat order pays the top's share.
        is_top = places[seat] == 1 and 1 not in places[:seat]
        person, top = of_entrant[entrant], tariff.top if is_top else 0
        if corrected is not None:
            games = (game for game in charges.games.get(person, ()) if game.played.hanchan == corrected.pk)
            found.append(next((_corrected_charge(game, top) for game in games), Charge(0, top)))
        elif entrant in house:
            found.append(Charge(0, 0))
        else:
            game = GameOfGuest(tariff=tariff, is_top=is_top)
            rate, stamps = charges.terms.rate_at(person, day), stamps_now(charges, person, day)
            found += charge_games([game], rate, stamps).charges
    return tuple(found)


def _corrected_charge(game: GameCharge, top: int) -> Charge:
    """Return the charge of a corrected game with another share from the top; a player for the house pays none."""
    return Charge(0, 0) if game.is_house else Charge(game.charge.fee, top, game.charge.is_free)


def stamps_now(charges: Charges, person: int, day: dt.date) -> int | None:
    """Return the stamps on a person's card after the games recorded so far; None without a card."""
    row = charges.terms.at(person, day)
    return charges.stamps_after.get(person, None if row is None else row.stamps)
