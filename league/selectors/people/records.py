"""Records (記録) of a competition, and of all competitions that a visitor may read, with their holders and hanchan.

Records are computed in the order of play from the results visible to the readers, so that a correction moves them. A
substitute's results count for the person entered, a member's for the member.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, islice

from django.db.models import Q

from league.models import Hanchan, Player, Standing
from league.selectors.access.readers import Reader
from league.selectors.competitions.batches import published_rows
from league.selectors.people.played_seats import PlayedSeat, RulesOfResults, annulled_over, books_of, played_seats
from league.selectors.people.rates import counted_sheets
from league.selectors.people.record_scopes import leagues_of
from league.selectors.standings.published import standings_of
from scoring.rates import Rates

MOST_HOLDERS = 3
"""At most this many holders of a shared record are named."""


class RecordKind(StrEnum):
    """The kinds of records, in the order in which they are shown."""

    HIGHEST_SCORE = "highest_score"
    """Most table points at the end of a hanchan."""
    MOST_POINTS = "most_points"
    """Most points of the ranking ledger from one hanchan."""
    MOST_LOST = "most_lost"
    """Most points lost in one hanchan."""
    LARGEST_MARGIN = "largest_margin"
    """Largest distance in table points between first and second place of a hanchan."""
    MOST_FIRSTS = "most_firsts"
    """Most hanchan won."""
    FIRSTS_IN_A_ROW = "firsts_in_a_row"
    """Longest run of wins."""
    NOT_LAST_IN_A_ROW = "not_last_in_a_row"
    """Longest run without a last place."""
    COMEBACK = "comeback"
    """Largest gap to the block's leader of an entrant that later led the block alone."""
    MOST_HANCHAN = "most_hanchan"
    """Most hanchan played."""
    LARGEST_HAND = "largest_hand"
    """Most table points from one hand, counters and deposits left out."""
    FIRST_YAKUMAN = "first_yakuman"
    """The first yakuman, with its day."""
    MOST_YAKUMAN = "most_yakuman"
    """Most hands won with a yakuman."""


@dataclass(frozen=True, slots=True)
class Feat:
    """A candidate for a record: the value, the hanchan that reached it, and for a run its first hanchan."""

    who: int
    """Id of the player, a person or a team."""
    value: int
    hanchan: int
    since: int | None = None
    hand: int | None = None
    """Index of the hand in the hanchan's log, for records of a hand."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A player who holds a record, with the team that the hanchan was played for."""

    player: Player
    team: Player | None
    hanchan: Hanchan
    since: Hanchan | None
    hand: int | None
    """Number of the hand in the hanchan's log, from 1."""
    day: dt.date


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record with its first holders, and the number of further ones."""

    kind: RecordKind
    value: int
    holders: tuple[Holder, ...]
    more: int


@dataclass(frozen=True, slots=True)
class History:
    """The results in which records are looked for, in the order of play, all of one book."""

    seats: Sequence[PlayedSeat]
    players: int
    """Number of players at a table."""
    outside: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """Points from outside the hanchan by block and entrant."""
    hands: Mapping[tuple[int, int], Rates] = field(default_factory=dict)
    """Counts from a log, by sheet and seat."""
    of_teams: bool = False
    """True if records are those of teams, false if those of people."""
    entrants: frozenset[int] | None = None
    """The entrants who may hold a record; None for all. The results of others are read to compare with."""

    def may_hold(self, seat: PlayedSeat) -> bool:
        """Return True if a record may be set with this seat."""
        return self.entrants is None or seat.entrant in self.entrants

    @property
    def own(self) -> Sequence[PlayedSeat]:
        """Return the seats with which a record may be set."""
        return self.seats if self.entrants is None else [seat for seat in self.seats if self.may_hold(seat)]

    def who(self, seat: PlayedSeat) -> int:
        """Return the id of the player for whom a hanchan counts."""
        return seat.entered if self.of_teams else seat.person

    def logged(self) -> Iterator[tuple[PlayedSeat, Rates]]:
        """Yield the hanchan that a player sat through and of which the log is known."""
        for seat in self.own:
            # A substitute wins no hand for the person entered.
            if seat.sequence is not None and (seat.is_team or seat.sat == seat.entered):
                yield seat, self.hands[seat.sheet, seat.seat]


def best_of(feats: Iterable[Feat]) -> list[Feat]:
    """Return the best feats, one per player, the earliest first; values below 1 are no record."""
    most = 0
    level: dict[int, Feat] = {}
    for feat in feats:
        if feat.value > most:
            most, level = feat.value, {}
        if feat.value == most > 0:
            level.setdefault(feat.who, feat)
    return list(level.values())


def greatest(history: History, value: Callable[[PlayedSeat], int]) -> Iterator[Feat]:
    """Yield the hanchan with the greatest value of a seat."""
    own = history.own
    most = max(map(value, own), default=0)
    return (Feat(history.who(seat), most, seat.hanchan) for seat in own if value(seat) == most)


def margins(history: History) -> Iterator[Feat]:
    """Yield the lead of each hanchan's first place over the second."""
    for hanchan, group in groupby(history.seats, key=lambda seat: seat.hanchan):
        first, *others = sorted(group, key=lambda seat: -seat.score)
        # Without a house player's score the second place is not known.
        if len(others) + 1 == history.players and history.may_hold(first):
            yield Feat(history.who(first), first.score - others[0].score, hanchan)


def count_hanchan(history: History, holds: Callable[[PlayedSeat], bool]) -> Iterator[Feat]:
    """Yield each player's number of hanchan of which `holds` is true, with the last one."""
    counts: defaultdict[int, int] = defaultdict(int)
    last: dict[int, int] = {}
    for seat in history.own:
        if holds(seat):
            who = history.who(seat)
            counts[who] += 1
            last[who] = seat.hanchan
    return (Feat(who, count, last[who]) for who, count in counts.items())


def runs(history: History, holds: Callable[[PlayedSeat], bool]) -> Iterator[Feat]:
    """Yield every run of two or more hanchan of one player in which `holds` was true each time."""
    by_player: defaultdict[int, list[PlayedSeat]] = defaultdict(list)
    for seat in history.own:
        by_player[history.who(seat)].append(seat)
    for who, own in by_player.items():
        for is_held, stretch in groupby(own, key=holds):
            seats = list(stretch)
            if is_held and len(seats) > 1:
                yield Feat(who, len(seats), seats[-1].hanchan, seats[0].hanchan)


def comebacks(history: History) -> Iterator[Feat]:
    """Yield for each sole lead of a block how far behind its first place the entrant had been before.

    Totals are compared after each number of the block's hanchan; points carried over and adjustments (`outside`)
    count from the start, as in the charts. The comeback is the entrant's, a team's for instance.
    """
    by_block: defaultdict[int, list[PlayedSeat]] = defaultdict(list)
    for seat in history.seats:
        by_block[seat.block].append(seat)
    for block, seats in by_block.items():
        totals = {seat.entrant: history.outside.get((block, seat.entrant), 0) for seat in seats}
        behind: dict[int, tuple[int, int]] = {}
        for _number, games in groupby(sorted(seats, key=lambda seat: seat.number), key=lambda seat: seat.number):
            played = {seat.entrant: seat for seat in games}
            for seat in played.values():
                totals[seat.entrant] += seat.points
            first = max(totals.values())
            leaders = [entrant for entrant, total in totals.items() if total == first]
            counts = len(leaders) == 1 and leaders[0] in behind and leaders[0] in played
            if counts and history.may_hold(played[leaders[0]]):
                most, since = behind[leaders[0]]
                yield Feat(played[leaders[0]].entered, most, played[leaders[0]].hanchan, since)
            for entrant, seat in played.items():
                gap = first - totals[entrant]
                if gap > behind.get(entrant, (0, 0))[0]:
                    behind[entrant] = (gap, seat.hanchan)


def largest_hands(history: History) -> Iterator[Feat]:
    """Yield the largest hand that each player won in each logged hanchan."""
    for seat, rates in history.logged():
        if rates.largest is not None:
            yield Feat(history.who(seat), rates.largest, seat.hanchan, hand=rates.largest_at)


def yakuman(history: History) -> Iterator[Feat]:
    """Yield each player's number of yakuman after each one's hanchan, with the first one in it."""
    counts: defaultdict[int, int] = defaultdict(int)
    for seat, rates in history.logged():
        if rates.yakuman:
            counts[history.who(seat)] += rates.yakuman
            yield Feat(history.who(seat), counts[history.who(seat)], seat.hanchan, hand=rates.yakuman_at)


def first_yakuman(history: History) -> Iterator[Feat]:
    """Yield the first yakuman of all."""
    return (replace(feat, value=1) for feat in islice(yakuman(history), 1))


FINDERS: Mapping[RecordKind, Callable[[History], Iterable[Feat]]] = {
    RecordKind.HIGHEST_SCORE: lambda of: greatest(of, lambda seat: seat.score),
    RecordKind.MOST_POINTS: lambda of: greatest(of, lambda seat: seat.points),
    RecordKind.MOST_LOST: lambda of: greatest(of, lambda seat: -seat.points),
    RecordKind.LARGEST_MARGIN: margins,
    RecordKind.MOST_FIRSTS: lambda of: count_hanchan(of, lambda seat: seat.place == 1),
    RecordKind.FIRSTS_IN_A_ROW: lambda of: runs(of, lambda seat: seat.place == 1),
    RecordKind.NOT_LAST_IN_A_ROW: lambda of: runs(of, lambda seat: seat.place < of.players),
    RecordKind.COMEBACK: comebacks,
    RecordKind.MOST_HANCHAN: lambda of: count_hanchan(of, lambda _seat: True),
    RecordKind.LARGEST_HAND: largest_hands,
    RecordKind.FIRST_YAKUMAN: first_yakuman,
    RecordKind.MOST_YAKUMAN: yakuman,
}
"""The candidates for each record; the first of equal ones is the earliest."""
OF_TEAMS_ALONE = frozenset({RecordKind.COMEBACK})
"""Records of the standings; a team's members have none of their own."""
OF_A_CAREER = frozenset({RecordKind.MOST_HANCHAN})
"""Records that say nothing within one competition, where the format fixes the number of hanchan."""


@dataclass(frozen=True, slots=True)
class RecordTable:
    """The records of teams, or of people, within one competition or under one book."""

    book: RulesOfResults
    of_teams: bool
    lines: tuple[RecordLine, ...]


@dataclass(frozen=True, slots=True)
class AllTime:
    """The records over all competitions, and the years in which hanchan were played, the latest first."""

    tables: tuple[RecordTable, ...]
    years: tuple[int, ...]


def records_of(reader: Reader) -> tuple[RecordTable, ...]:
    """Return the records of a competition in a fixed number of queries: those of its teams come first, if it has any.

    Hanchan under another book than the last one have records of their own.
    """
    # Sessions go before days: in one competition their numbers are the order of play.
    seats = sorted(_counted([reader], Q(block__in=reader.block_ids())), key=lambda seat: seat[1:])
    return tuple(_tables([reader], seats, left_out=OF_A_CAREER))


def all_time_records(
    readers: Sequence[Reader], year: int | None = None, entrants: frozenset[int] | None = None
) -> AllTime:
    """Return the records over all these competitions, book by book; of one year, or of some entrants, only if given.

    Open tables have none: their games are private.
    """
    leagues = leagues_of(readers)
    seats = _counted(leagues, Q())
    is_wanted = History(seats, 0, entrants=entrants).may_hold
    years = tuple(sorted({seat.day.year for seat in seats if is_wanted(seat)}, reverse=True))
    if year is not None:
        seats = [seat for seat in seats if seat.day.year == year]
    return AllTime(tuple(_tables(leagues, seats, entrants=entrants)), years)


def _counted(readers: Sequence[Reader], where: Q) -> list[PlayedSeat]:
    """Return the seats of hanchan that may set a record; one annulled for three sets none for the one who left."""
    gone = {hanchan for _entrant, hanchan in annulled_over(readers)}
    return [seat for seat in played_seats(readers, where) if seat.hanchan not in gone]


def _tables(
    readers: Sequence[Reader],
    seats: Sequence[PlayedSeat],
    left_out: frozenset[RecordKind] = frozenset(),
    entrants: frozenset[int] | None = None,
) -> Iterator[RecordTable]:
    """Yield the tables of records by book, the one with most hanchan first; those of teams come before people's."""
    books = books_of(seats)
    by_book: defaultdict[RulesOfResults, list[PlayedSeat]] = defaultdict(list)
    for seat in seats:
        by_book[books[seat.rules]].append(seat)
    outside = points_outside(readers)
    hands = hands_of(readers, seats)
    for book, own in sorted(by_book.items(), key=lambda each: -len(each[1])):
        teams = [seat for seat in own if seat.is_team]
        for found, of_teams in ((teams, True), (own, False)):
            kinds = RecordKind if of_teams else [kind for kind in RecordKind if kind not in OF_TEAMS_ALONE or not teams]
            history = History(found, book.players, outside, hands, of_teams, entrants)
            feats = {kind: best_of(FINDERS[kind](history)) for kind in kinds if kind not in left_out}
            lines = tuple(record_lines(history, {kind: each for kind, each in feats.items() if each}))
            if lines:
                yield RecordTable(book, of_teams, lines)


def points_outside(readers: Sequence[Reader]) -> Mapping[tuple[int, int], int]:
    """Return the points that come from no hanchan, by block and entrant."""
    guarded = [reader for reader in readers if reader.until is not None]
    parts = ("block", "entrant", "carried", "adjustment", "credited")
    rows = (
        Standing.objects.filter(published_rows(readers, "block__competition"))
        .exclude(carried=0, adjustment=0, credited=0)
        .order_by()
    )
    found = {(block, entrant): sum(points) for block, entrant, *points in rows.values_list(*parts)}
    for reader in guarded:
        for row in standings_of(reader):
            found[row.block_id, row.entrant_id] = row.carried + row.adjustment + row.credited
    return found


def hands_of(readers: Iterable[Reader], seats: Iterable[PlayedSeat]) -> Mapping[tuple[int, int], Rates]:
    """Return what was counted from the logs of these hanchan, by sheet and seat."""
    logged: defaultdict[int, dict[tuple[int, int], int]] = defaultdict(dict)
    for seat in seats:
        if seat.sequence is not None:
            logged[seat.competition][seat.sheet, seat.sequence] = seat.hanchan
    return {
        (sheet, place): rates
        for reader in readers
        for (sheet, _sequence), counts in counted_sheets(
            reader.competition, logged.get(reader.competition.pk, {})
        ).items()
        for place, rates in enumerate(counts)
    }


def record_lines(history: History, found: Mapping[RecordKind, Sequence[Feat]]) -> Iterator[RecordLine]:
    """Yield the records with their players and hanchan."""
    named = [feat for feats in found.values() for feat in feats[:MOST_HOLDERS]]
    wanted = {key for feat in named for key in (feat.hanchan, feat.since) if key}
    seats = {(history.who(seat), seat.hanchan): seat for seat in history.seats if seat.hanchan in wanted}
    entered = {(seat.entered, seat.hanchan): seat for seat in history.seats if seat.hanchan in wanted}
    people = Player.objects.in_bulk(
        {feat.who for feat in named} | {seat.entered for seat in seats.values() if seat.is_team}
    )
    games = Hanchan.objects.select_related("table_session__session", "block__competition").in_bulk(wanted)
    for kind, feats in found.items():
        holders = []
        for feat in feats[:MOST_HOLDERS]:
            seat = seats.get((feat.who, feat.hanchan)) or entered[feat.who, feat.hanchan]
            holders.append(
                Holder(
                    player=people[feat.who],
                    team=people[seat.entered] if seat.entered != feat.who and seat.is_team else None,
                    hanchan=games[feat.hanchan],
                    since=games[feat.since] if feat.since else None,
                    hand=None if feat.hand is None else feat.hand + 1,
                    day=seat.day,
                )
            )
        yield RecordLine(kind, feats[0].value, tuple(holders), max(0, len(feats) - MOST_HOLDERS))
