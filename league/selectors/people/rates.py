"""Playing statistics (和了率, 放銃率 and others) from the hanchan whose result was made from a log.

Each log is replayed once. The counts of each seat are cached in one entry per competition, keyed by sheet and
by the sequence number of the event from which the sheet was made. Neither a sheet nor the log before that event
ever changes; missing cache entries are recomputed from the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.core.cache import cache

from league.models import Competition, Entrant, Hanchan, Player, SeatResult, TableEvent
from league.selectors.access.etags import software_digest
from league.selectors.access.readers import Reader
from league.selectors.live.log import log_from
from league.selectors.standings.credits import annulled_in
from scoring.rates import Rates, rates_of

KEPT_SECONDS = 30 * 24 * 3600
NO_RATES = Rates()

Counted = dict[tuple[int, int], tuple[Rates, ...]]
"""The counts of each seat, by sheet id and sequence number."""


@dataclass(frozen=True, slots=True)
class PlayerRates:
    """The statistics of an entrant from logged hanchan that they played themselves."""

    hanchan: int = 0
    by_substitutes: int = 0
    """Number of logged hanchan played by a substitute, which are not counted."""
    rates: Rates = NO_RATES
    largest_in: int | None = None
    """Id of the hanchan with the largest hand, the first of equal ones."""

    def with_hanchan(self, key: int, rates: Rates) -> PlayerRates:
        """Return the statistics with another hanchan added."""
        both = self.rates + rates
        is_larger = both.largest != self.rates.largest
        return replace(self, hanchan=self.hanchan + 1, rates=both, largest_in=key if is_larger else self.largest_in)


def rates_of_entrant(reader: Reader, entrant: Entrant) -> PlayerRates:
    """Return the statistics of one entrant in the competition."""
    return rates_of_entrants(reader, [entrant.pk])[entrant.pk]


def rates_of_entrants(reader: Reader, entrants: Collection[int] | None = None) -> Mapping[int, PlayerRates]:
    """Return the statistics by entrant id, of all entrants or of these; empty ones without a logged hanchan.

    The games of an open table are private, so the public gets none.
    """
    found: defaultdict[int, PlayerRates] = defaultdict(PlayerRates)
    of = {} if entrants is None else {"entrant__in": entrants}
    seats = [] if reader.guards_guests else logged_seats(reader, **of)
    counted = counted_sheets(reader.competition, _logs_of(seats))
    for seat in seats:
        before, sheet = found[seat.entrant_id], seat.sheet
        if seat.is_substitute:
            found[seat.entrant_id] = replace(before, by_substitutes=before.by_substitutes + 1)
        else:
            rates = counted[_key(seat)][seat.seat]
            found[seat.entrant_id] = before.with_hanchan(sheet.hanchan_id, rates)
    return found


def rates_of_member(reader: Reader, player: Player) -> PlayerRates:
    """Return the statistics of a member of a team, from the logged hanchan in which the member sat."""
    seats = logged_seats(reader, player=player)
    counted, found = counted_sheets(reader.competition, _logs_of(seats)), PlayerRates()
    for seat in seats:
        found = found.with_hanchan(seat.sheet.hanchan_id, counted[_key(seat)][seat.seat])
    return found


def logged_seats(reader: Reader, **of: object) -> Sequence[SeatResult]:
    """Return the seats of counting sheets made from a log, in playing order, filtered by `of` (entrants, a player).

    Results annulled since an opponent left are not among them.
    """
    rows = reader.ranked_results(**of).filter(sheet__made_from_sequence__isnull=False)
    rows = rows.select_related("sheet", "entrant__player").order_by("sheet__confirmed_n", "seat")
    # `only` leaves out the settlement's JSON columns, by far the largest of each row.
    shown = ("seat", "player", "entrant__player__is_team", "sheet__hanchan", "sheet__made_from_sequence")
    annulled = annulled_in(reader)
    return [row for row in rows.only(*shown) if (row.entrant_id, row.sheet.hanchan_id) not in annulled]


def counted_sheets(competition: Competition, wanted: Mapping[tuple[int, int], int]) -> Counted:
    """Return the counts of each sheet made from a log, from the cache; logs that are not in it are replayed.

    `wanted` has the hanchan's id by the sheet's and the number of the last event that it was made from.
    """
    key = f"rates:{competition.pk}:{competition.created_at.isoformat()}:{software_digest()}"
    kept: Counted = cache.get(key) or {} if wanted else {}
    missing = {sheet: hanchan for sheet, hanchan in wanted.items() if sheet not in kept}
    if missing:
        # Two requests at once may overwrite each other's additions, which are then recomputed by a later one.
        kept |= folded_logs(missing)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def folded_logs(sheets: Mapping[tuple[int, int], int]) -> Counted:
    """Return the counts of these hanchan, each log replayed up to the event that its sheet was made from."""
    rows = Hanchan.objects.filter(pk__in=sheets.values()).select_related("rules__ruleset").in_bulk()
    events = TableEvent.objects.filter(hanchan__in=rows).order_by("hanchan", "sequence")
    by_hanchan = {key: list(each) for key, each in groupby(events, key=lambda event: event.hanchan_id)}
    found: Counted = {}
    for (sheet, sequence), key in sheets.items():
        log = log_from(rows[key], by_hanchan[key], upto=sequence)
        found[sheet, sequence] = rates_of(log.game.kyoku, log.rules)
    return found


def _logs_of(seats: Sequence[SeatResult]) -> dict[tuple[int, int], int]:
    """Return the hanchan's id of each sheet, as `counted_sheets` takes them."""
    return {_key(seat): seat.sheet.hanchan_id for seat in seats}


def _key(seat: SeatResult) -> tuple[int, int]:
    return seat.sheet_id, seat.sheet.made_from_sequence or 0
