"""Results of several competitions at once, seat by seat, each as its competition's reader may see it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.db.models.functions import Coalesce

from league.models import Departure, RulesInForce, SeatResult
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.credits import annulled_in
from scoring.ruleset import Ledger, Title

COLUMNS = (
    "block__competition", "sheet__hanchan__table_session__session__number", "block__stage__order",
    "sheet__hanchan__number", "sheet__hanchan", "seat", "sheet", "block", Coalesce("entrant__merged_into", "entrant"),
    Coalesce("entrant__player__merged_into", "entrant__player"), "entrant__player__is_team", "player", "place",
    "final_score", "points", "sheet__rules", "sheet__made_from_sequence",
)  # fmt: skip
"""The columns with the values of a `PlayedSeat` but its day; entries of one person that were merged are one."""
STATE = (
    "sheet__confirmed_n", "sheet__ended_n", "sheet__hanchan__table_session__is_released",
    "sheet__hanchan__table_session__session__day", "sheet__hanchan__table_session__starts_at", "sheet__entered_at",
)  # fmt: skip


class PlayedSeat(NamedTuple):
    """A seat of a hanchan that counts. A tuple, since a career has thousands; its order is that of play."""

    day: dt.date
    """The business day, else the day on which the table started, else the one on which the result was first entered."""
    competition: int
    session: int
    stage: int
    """The stage's order in the competition."""
    number: int
    """The hanchan's number in the block."""
    hanchan: int
    seat: int
    sheet: int
    block: int
    entrant: int
    entered: int
    """Id of the player who is entered: a person or a team."""
    is_team: bool
    sat: int
    """Id of the player who sat: the person entered, a substitute, or a member of the team."""
    place: int
    score: int
    points: int
    """In the ranking ledger of the hanchan's rules, at its scale."""
    rules: int
    sequence: int | None
    """Number of the log's last event in the result, if that was made from a log."""

    @property
    def person(self) -> int:
        """Return the id of the player whose career the hanchan belongs to: a team's member, else the one entered."""
        return self.sat if self.is_team else self.entered


def played_seats(readers: Collection[Reader], where: Q) -> list[PlayedSeat]:
    """Return the ranked seats under a condition that count for these readers, in the order of play, in one query.

    Seats of house players are left out, as in `Reader.ranked_results`, and so are results annulled since an opponent
    left; the one who left keeps theirs, as in the standings.
    """
    by_id = {reader.competition.pk: reader for reader in readers}
    annulled = annulled_over(readers)
    zones = {key: ZoneInfo(reader.competition.time_zone) for key, reader in by_id.items()}
    rows = SeatResult.objects.filter(
        where, block__competition__in=by_id, sheet__confirmed_n__isnull=False, entrant__is_house=False
    ).order_by()
    found = []
    entered: dict[int, dt.date] = {}
    for row in rows.values_list(*COLUMNS, *STATE):
        competition, session, hanchan = row[0], row[1], row[4]
        confirmed_n, ended_n, is_released, day, starts_at, entered_at = row[len(COLUMNS) :]
        if day is None:
            moment = (starts_at or entered_at).astimezone(zones[competition]).date()
            # A correction is entered later, and must not move the hanchan to its own day.
            day = entered[hanchan] = min(moment, entered.get(hanchan, moment))
        # Filtered here: each competition has its own version, which no condition shared by all can name.
        if by_id[competition].counts(confirmed_n, ended_n, session, is_released=is_released):
            seat = PlayedSeat(day, *row[: len(COLUMNS)])
            if (seat.entrant, hanchan) not in annulled:
                found.append(seat)
    return sorted(row._replace(day=entered[row.hanchan]) if row.hanchan in entered else row for row in found)


def annulled_over(readers: Collection[Reader]) -> frozenset[tuple[int, int]]:
    """Return entrant and hanchan of each annulled result; only competitions that an entrant has left are looked at."""
    left = Departure.objects.filter(entrant__competition__in=[each.competition.pk for each in readers]).order_by()
    ids = set(left.values_list("entrant__competition", flat=True))
    return frozenset(key for reader in readers if reader.competition.pk in ids for key in annulled_in(reader))


@dataclass(frozen=True, slots=True)
class RulesOfResults:
    """A rule book as results are added up under it: points of different books are never summed."""

    name: str
    players: int
    scale: int
    """Scale of the ranking ledger."""
    title: Title = field(compare=False)
    ledger: Ledger = field(compare=False)


def books_of(seats: Iterable[PlayedSeat]) -> Mapping[int, RulesOfResults]:
    """Return the book of each of the rules under which these hanchan were played."""
    rows = RulesInForce.objects.filter(pk__in={seat.rules for seat in seats}).select_related("ruleset", "format")
    found = {}
    for row in rows.defer("ruleset__text", "ruleset__examples", "format__text"):
        rules = ruleset_of(row)
        ledger = rules.ranking_ledger
        found[row.pk] = RulesOfResults(row.ruleset.name, rules.players, ledger.scale, rules.title, ledger)
    return found
