"""A parlour as its staff see it: running tables, seated guests, the waiting list, and the next first dealer.

These are the parlour's internal records, read by its staff alone: present facts, not published versions.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import Min, Prefetch, QuerySet
from django.utils import timezone

from league.models import (
    Block,
    Competition,
    DayClose,
    Hanchan,
    ResultSheet,
    RulesInForce,
    SeatResult,
    Sitting,
    SittingSeat,
    WaitingGuest,
)
from league.selectors.parlour.following import followed_games
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from scoring.ruleset import OptionError, Ruleset
from scoring.settlement import HanchanResult, settle


def business_day(competition: Competition, at: dt.datetime | None = None) -> dt.date:
    """Return the business day of a moment, by default now.

    Before the changeover hour (`day_starts_at`, competition's time zone) it is still the day before.
    """
    local = (at or timezone.now()).astimezone(ZoneInfo(competition.time_zone))
    return local.date() if local.time() >= competition.day_starts_at else local.date() - dt.timedelta(days=1)


def open_block(competition: Competition) -> Block:
    """Return the block in which an open table's games count."""
    return Block.objects.select_related("stage").filter(competition=competition).earliest("stage__order", "order")


@dataclass(frozen=True, slots=True)
class LastGame:
    """The newest game of a sitting that counts; `dealer` is the chair of its first dealer, None if not recorded."""

    hanchan: Hanchan
    sheet: ResultSheet
    results: tuple[SeatResult, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class Running:
    """The present state of a sitting; a chair is None while it is empty."""

    sitting: Sitting
    competition: Competition
    in_force: RulesInForce
    rules: Ruleset
    """The rules in force with this table's options."""
    chairs: tuple[SittingSeat | None, ...]
    games: int
    next_round: int
    last: LastGame | None
    next_dealer: int | None
    """The chair of the next game's first dealer by the rule book; None if it is drawn."""
    followed: Hanchan | None = None
    """The game that is followed hand by hand and has no counting result yet; it is the next game then."""

    @property
    def table(self) -> str:
        """Return the name of the table."""
        return self.sitting.table_session.table

    @property
    def day(self) -> dt.date | None:
        """Return the business day to which its games belong."""
        return self.sitting.table_session.session.day

    @property
    def is_full(self) -> bool:
        """Return True if every chair is taken."""
        return None not in self.chairs

    @property
    def seated(self) -> tuple[SittingSeat, ...]:
        """Return the occupied seats in turn order."""
        return tuple(seat for seat in self.chairs if seat is not None)

    @property
    def empty_chairs(self) -> tuple[int, ...]:
        """Return the numbers of the empty chairs."""
        return tuple(number for number, seat in enumerate(self.chairs) if seat is None)


def running(sitting: Sitting) -> Running:
    """Return the present state of one sitting."""
    return running_sittings(sittings().filter(pk=sitting.pk))[0]


def sittings() -> QuerySet[Sitting]:
    """Return sittings with their tables and all seats, past ones included."""
    seats = SittingSeat.objects.select_related("entrant__player", "stand_in").order_by("seat", "joined_at", "pk")
    return Sitting.objects.select_related("table_session__competition", "table_session__session").prefetch_related(
        Prefetch("seats", seats)
    )


def open_sittings(competitions: Iterable[Competition]) -> list[Running]:
    """Return the running tables by competition and name, in a fixed number of queries."""
    rows = sittings().filter(table_session__competition__in=list(competitions), closed_at=None)
    return running_sittings(rows.order_by("table_session__competition_id", "table_session__table", "pk"))


def running_sittings(rows: Iterable[Sitting]) -> list[Running]:
    """Return the present state of these sittings."""
    found = list(rows)
    games = _games([row.table_session_id for row in found])
    followed = followed_games([row.table_session_id for row in found])
    competitions = {row.table_session.competition_id: row.table_session.competition for row in found}
    in_force = {pk: rules_at(competition) for pk, competition in competitions.items()}
    return [
        _running(
            row,
            in_force[row.table_session.competition_id],
            games.get(row.table_session_id, _NO_GAMES),
            followed.get(row.table_session_id),
        )
        for row in found
    ]


@dataclass(slots=True)
class _Games:
    """The games of a table session: number that count, the last one, and the number of the next one."""

    count: int = 0
    next_round: int = 1
    last: ResultSheet | None = None


_NO_GAMES = _Games()


def _games(table_sessions: Sequence[int]) -> Mapping[int, _Games]:
    found: defaultdict[int, _Games] = defaultdict(_Games)
    newest: dict[int, tuple[int, int]] = {}
    rounds = Hanchan.objects.filter(table_session__in=table_sessions).values_list("table_session", "round")
    for table, number in rounds:
        # Rounds of voided games are not reused, so the next number follows all hanchan, not only those that count.
        found[table].next_round = max(found[table].next_round, number + 1)
    counting = ResultSheet.objects.counting().filter(hanchan__table_session__in=table_sessions)
    for pk, table, number in counting.values_list("pk", "hanchan__table_session", "hanchan__round"):
        found[table].count += 1
        newest[table] = max(newest.get(table, (0, 0)), (number, pk))
    seats = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
    sheets = (
        ResultSheet.objects.filter(pk__in=[pk for _, pk in newest.values()])
        .select_related("hanchan__rules__ruleset", "rules__ruleset")
        .annotate(first_entered_at=Min("hanchan__sheets__entered_at"))
        .prefetch_related(Prefetch("seats", seats))
    )
    for sheet in sheets:
        found[sheet.hanchan.table_session_id].last = sheet
    return found


def _running(sitting: Sitting, in_force: RulesInForce, games: _Games, followed: Hanchan | None) -> Running:
    # A game in progress keeps the rules under which it was begun.
    in_force = in_force if followed is None else followed.rules
    rules = table_rules(in_force, sitting.options)
    there = {seat.seat: seat for seat in sitting.seats.all() if seat.left_at is None}
    last = last_game(sitting, games.last, rules.players) if games.last else None
    if followed is None:
        dealer = next_dealer(sitting, last, rules)
    else:
        dealing = {seat.entrant_id for seat in followed.seats.all() if seat.seat == 0}
        dealer = next((number for number, seat in there.items() if seat.entrant_id in dealing), None)
    return Running(
        sitting=sitting,
        competition=sitting.table_session.competition,
        in_force=in_force,
        rules=rules,
        chairs=tuple(there.get(number) for number in range(rules.players)),
        games=games.count,
        next_round=games.next_round if followed is None else followed.round,
        last=last,
        next_dealer=dealer,
        followed=followed,
    )


def table_rules(in_force: RulesInForce, options: Mapping[str, object]) -> Ruleset:
    """Return the rules with a table's options, or without them if the current rules no longer know an option."""
    try:
        return ruleset_of(in_force, options)
    except OptionError:
        return ruleset_of(in_force)


def last_game(sitting: Sitting, sheet: ResultSheet, players: int) -> LastGame:
    """Return the game with the chair of its first dealer.

    The chair is derived from any player who sat at the table when the game was first entered.
    """
    results = tuple(sheet.seats.all())
    # A later correction of the result must not look up the chairs of that later moment.
    at = getattr(sheet, "first_entered_at", sheet.entered_at)
    there = [seat for seat in sitting.seats.all() if seat.joined_at <= at and (seat.left_at or at) >= at]
    # Guests who changed chairs have several rows from one moment on; the one that ended first was theirs at the game.
    there.sort(key=lambda seat: (seat.left_at is None, seat.left_at or at), reverse=True)
    chairs = {seat.entrant_id: seat.seat for seat in there}
    known = [(chairs[row.entrant_id] - row.seat) % players for row in results if row.entrant_id in chairs]
    is_known = known and sheet.facts.get("are_seats_known", True)
    return LastGame(sheet.hanchan, sheet, results, known[0] if is_known else None)


def next_dealer(sitting: Sitting, last: LastGame | None, rules: Ruleset) -> int | None:
    """Return the chair that deals first in the next game, or None if the table decides.

    The first game starts with chair 0; later ones follow the rule book: a first dealer who has changed chairs since
    deals from the new one. None also if the sitting was continued from
    the day before and its only game was taken back.
    """
    if last is None:
        # Only the first of a sitting carried over sat down before it opened; others may have moved here since.
        first = min(sitting.seats.all(), key=lambda seat: seat.pk, default=None)
        return None if first is not None and first.joined_at < sitting.opened_at else 0
    if last.dealer is None:
        return None
    book = table_rules(last.sheet.rules, last.sheet.options)
    seat = settle(result_of(last.sheet, last.results), book).next_first_dealer
    if seat is None:
        return None
    dealer = last.results[seat].entrant_id
    now = {each.entrant_id: each.seat for each in sitting.seats.all() if each.left_at is None}
    return now.get(dealer, (last.dealer + seat) % rules.players)


def result_of(sheet: ResultSheet, results: Sequence[SeatResult]) -> HanchanResult:
    """Return a stored game as input of the engine."""
    return HanchanResult(
        scores=tuple(row.score for row in results),
        kyoutaku=sheet.kyoutaku,
        chonbo=tuple(row.chonbo for row in results),
        carried={ledger: tuple(amounts) for ledger, amounts in sheet.facts.get("carried", {}).items()},
        tobi=tuple((busted, receiver) for busted, receiver in sheet.facts.get("tobi", [])),
        forced_top=sheet.facts.get("forced_top"),
    )


def is_newest_of_sitting(hanchan: Hanchan) -> bool:
    """Return True if the hanchan is the newest game of a sitting that is still open."""
    table = hanchan.table_session_id
    if not Sitting.objects.filter(table_session=table, closed_at=None).exists():
        return False
    later = ResultSheet.objects.counting().filter(hanchan__table_session=table, hanchan__round__gt=hanchan.round)
    return not later.exists()


def waiting_list(competitions: Iterable[Competition]) -> list[WaitingGuest]:
    """Return the guests waiting for a seat, the longest waiting first."""
    rows = WaitingGuest.objects.filter(competition__in=list(competitions), seated_at=None, gone_at=None)
    return list(rows.select_related("player", "competition").order_by("since", "pk"))


def closed_day(competition: Competition, day: dt.date | None) -> DayClose | None:
    """Return the close of a business day that is in force, if any."""
    return DayClose.objects.filter(competition=competition, day=day, ended_n=None).first() if day else None


def was_closed_before(competition: Competition, day: dt.date | None) -> bool:
    """Return True if the business day was closed and then reopened at least once."""
    if day is None:
        return False
    return DayClose.objects.filter(competition=competition, day=day).exclude(ended_n=None).exists()
