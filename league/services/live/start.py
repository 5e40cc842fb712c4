"""Seats at the start of a hanchan: as planned, or in the order that the table drew, first dealer first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Entrant, Hanchan, HanchanSeat
from league.platform.errors import refuse
from league.selectors.rulebooks.rules_in_force import is_of_teams, ruleset_of
from league.selectors.seasons.line_ups import standing_line_ups
from league.selectors.seasons.teams import day_of, members_on
from league.selectors.standings.blocks import entrants_who_may_sit


@dataclass(frozen=True, slots=True)
class StartingSeat:
    """One seat: the entrant who scores and the player who sits, the same person except for a substitute."""

    entrant: int
    player: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The seats with which a hanchan begins, first dealer first."""

    seats: tuple[StartingSeat, ...]


def opening_of(hanchan: Hanchan, entrants: object, pointer: str = "", members: object = None) -> Opening:
    """Return the seats: as planned, or the planned players in another order; without a plan, players of the block.

    `members` names by a team's id the member who sits where no line-up does. Raise RuleViolationError unless there are
    exactly as many different players as the rules have seats, and a member for each team.
    """
    planned = {seat.entrant_id: seat.player_id for seat in hanchan.seats.order_by("seat")}
    given = list(planned) if entrants is None else entrants
    players = ruleset_of(hanchan.rules).players
    # The types first: a list in the list could not be hashed.
    if (
        not isinstance(given, list)
        or not all(isinstance(each, int) for each in given)
        or len(given) != players
        or len(set(given)) != players
    ):
        message = _("A table seats %(players)s different players, in order from the first dealer.")
        raise refuse("wrong_number_of_players", message % {"players": players}, pointer)
    own = planned or players_of(hanchan, given)
    if set(given) != set(own):
        raise refuse("player_not_at_table", _("Only the players of this table can be seated at it."), pointer)
    if is_of_teams(hanchan.rules):
        own = members_of_start(hanchan, own, members, f"{pointer.rsplit('/', 1)[0]}/members")
    return Opening(tuple(StartingSeat(entrant, own[entrant]) for entrant in given))


def members_of_start(hanchan: Hanchan, own: Mapping[int, int], members: object, pointer: str) -> dict[int, int]:
    """Return the member of each team: the line-up, which the first deal announces, else the one of `members`."""
    teams = dict(Entrant.objects.filter(pk__in=own).values_list("pk", "player__name"))
    rows = dict(Entrant.objects.filter(pk__in=own).values_list("pk", "player"))
    of_day = members_on(hanchan.block.competition, day_of(hanchan.table_session))
    named = {entrant: row.player_id for (_hanchan, entrant), row in standing_line_ups([hanchan]).items()}
    chosen = members if isinstance(members, Mapping) else {}
    found = {}
    for entrant, planned in own.items():
        player = named.get(entrant) or (planned if planned != rows[entrant] else chosen.get(str(entrant)))
        said = {"team": teams[entrant]}
        if player is None:
            raise refuse("member_missing", _("Choose the member who sits for %(team)s.") % said, pointer)
        if player not in {one.pk for one in of_day.get(entrant, ())}:
            message = _("The person chosen does not play for %(team)s on this day. Choose one of its members.")
            raise refuse("not_a_member", message % said, pointer)
        found[entrant] = player
    return found


def players_of(hanchan: Hanchan, entrants: list[int]) -> dict[int, int]:
    """Return those of the entrants that may play in the hanchan's block, each with their own player."""
    may_play = entrants_who_may_sit(hanchan.block)
    rows = Entrant.objects.filter(pk__in=[each for each in entrants if each in may_play])
    return dict(rows.values_list("pk", "player"))


def seat_for_start(hanchan: Hanchan, opening: Opening) -> list[int]:
    """Seat the players; return the entrants planned before, first dealer first."""
    before = list(hanchan.seats.order_by("seat").values_list("entrant", flat=True))
    hanchan.seats.all().delete()
    HanchanSeat.objects.bulk_create(
        HanchanSeat(hanchan=hanchan, seat=place, entrant_id=seat.entrant, player_id=seat.player)
        for place, seat in enumerate(opening.seats)
    )
    return before
