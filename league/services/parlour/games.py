"""Games at the counter: record the next game of a sitting, correct or take back the last one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Hanchan, ResultSheet, Sitting, SittingSeat
from league.platform.errors import Finding, Level, RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor
from league.selectors.live.table_options import option_findings
from league.selectors.parlour.board import Running, business_day, running
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.access.changes import after_last, open_change
from league.services.access.guard import all_or_nothing
from league.services.live.results import waiting_sheets
from league.services.parlour.checks import lock_open_table, refuse_closed_day, reload_open_sitting
from league.services.parlour.sittings import carried_over
from league.services.results.entry import SeatEntry, SheetEntry, rule_findings
from league.services.results.results import record_result, void_hanchan
from league.services.results.sheets import supersede
from scoring.settlement import Settlement, settle


@dataclass(frozen=True, slots=True)
class Person:
    """One chair's entrant, who gets the result, and the player who sat there."""

    entrant: int
    player: int

    @classmethod
    def of(cls, seat: SittingSeat) -> Person:
        """Return the person on a chair; where a stand-in (代走) plays, the result stays the guest's."""
        return cls(seat.entrant_id, seat.stand_in_id or seat.entrant.player_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class GameEntry:
    """A finished game: every tuple is by seat, from the first dealer on.

    `first_dealer` is that player's chair, or None if it was not noted: then seats count from the first chair, and a
    result that would depend on it is refused. `entrants` has the people that the clerk saw on the chairs.
    """

    scores: tuple[int, ...]
    first_dealer: int | None
    kyoutaku: int = 0
    chonbo: tuple[int, ...] = ()
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tobi: tuple[tuple[int, int], ...] = ()
    forced_top: int | None = None
    is_verdict: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    """Options of this game alone, in addition to those of the table."""
    entrants: tuple[int, ...] = ()

    def sheet(self, chairs: Sequence[Person]) -> SheetEntry:
        """Return the result as a sheet entry; `chairs` are in turn order."""
        first, players = self.first_dealer or 0, len(chairs)
        seats = [
            SeatEntry(
                chairs[(first + seat) % players].entrant,
                chairs[(first + seat) % players].player,
                score,
                self.chonbo[seat] if seat < len(self.chonbo) else 0,
            )
            for seat, score in enumerate(self.scores)
        ]
        return SheetEntry(
            seats=tuple(seats),
            kyoutaku=self.kyoutaku,
            are_seats_known=self.first_dealer is not None,
            options=dict(self.options),
            carried=dict(self.carried),
            tobi=self.tobi,
            forced_top=self.forced_top,
            is_verdict=self.is_verdict,
        )


@all_or_nothing
def record_game(
    *,
    sitting: Sitting,
    game: GameEntry,
    by: Actor,
    accept: Collection[str] = (),
    expected_round: int | None = None,
    day: dt.date | None = None,
    at: dt.datetime | None = None,
) -> ResultSheet:
    """Record the next game of a sitting.

    1. Refuse if the sitting is over, a chair is empty, or other people sit there now than the clerk saw.
    2. Refuse a game that was entered meanwhile, by the round number it was expected to have.
    3. The game belongs to the business day on which it is entered; after the changeover the sitting continues in
       the new day's books, unless `day` names the sitting's own day.
    4. Record the result under the rules in force and the options of the table.
    5. Stand-ins for one game end; players who leave after this game (ラス半) stand up.

    A game followed hand by hand is the next game: the typed result replaces its log, on the day it was begun.
    """
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    moment = at or timezone.now()
    refuse_empty_chairs(table)
    # Idempotent for the clerk: a repeated or parallel entry finds that the round has moved on.
    refuse_wrong_round(table, expected_round)
    refuse_wrong_counts(table, game)
    refuse_strangers_seated(table, game)
    if table.followed is None:
        table = in_the_books_of(table, day or business_day(competition, moment), moment, by)
    refuse_closed_day(competition, table.day)
    refuse_chips_per_game(table, game)
    hanchan = next_hanchan(table)
    sheet = record_result(
        hanchan=hanchan,
        entry=replace(game.sheet([Person.of(seat) for seat in table.seated]), entered_at=moment),
        by=by,
        accept=accept,
    )
    for waiting in waiting_sheets(hanchan):
        supersede(waiting, sheet.entered_n)
    return sheet


def in_the_books_of(table: Running, day: dt.date, at: dt.datetime, by: Actor) -> Running:
    """Return the table in the books of the day; a later day than its own carries the sitting over."""
    if table.day is None or day <= table.day:
        return table
    return running(carried_over(table, day, at, open_change(table.competition, by)))


def refuse_empty_chairs(table: Running) -> None:
    """Raise ConflictError if a chair is empty: a game needs all seats."""
    if table.empty_chairs:
        raise conflict(
            "chair_empty",
            _("Table %(table)s has an empty chair. Seat a player there before the game is entered.")
            % {"table": table.table},
            "/people",
            chairs=list(table.empty_chairs),
        )


def refuse_wrong_round(table: Running, expected: int | None) -> None:
    """Raise ConflictError if the game was entered meanwhile, by another clerk or by a repeated request."""
    if expected is not None and expected != table.next_round:
        raise conflict(
            "game_entered_meanwhile",
            _("Another game of table %(table)s was entered meanwhile. Look at it before you enter this one.")
            % {"table": table.table},
            round=table.next_round,
        )


def refuse_wrong_counts(table: Running, game: GameEntry) -> None:
    """Raise unless there is one score for each chair and the first dealer sits at the table."""
    players = len(table.chairs)
    refuse_wrong_scores(len(game.scores), players)
    if game.first_dealer is not None and not 0 <= game.first_dealer < players:
        raise refuse("first_dealer_unknown", _("The first dealer is one of those who sit."), "/first_dealer")


def refuse_wrong_scores(actual: int, players: int) -> None:
    """Raise unless there is one score for each player."""
    if actual != players:
        message = _("There are %(actual)s scores; these rules have %(expected)s players.")
        raise refuse("score_count", message % {"actual": actual, "expected": players}, "/scores", expected=players)


def refuse_strangers_seated(table: Running, game: GameEntry) -> None:
    """Raise ConflictError unless the people on the chairs are those that the clerk saw."""
    there = [seat.entrant_id for seat in table.seated]
    first = game.first_dealer or 0
    if game.entrants and list(game.entrants) != [*there[first:], *there[:first]]:
        raise conflict(
            "seats_changed",
            _("Others sit at table %(table)s by now. Check whose scores these are.") % {"table": table.table},
            "/people",
        )


def refuse_chips_per_game(table: Running, game: GameEntry) -> None:
    """Raise if a game brings chips although they are counted once per sitting or not at all."""
    per_game = table.sitting.chips == Sitting.Chips.PER_GAME
    brought = [ledger for ledger, amounts in game.carried.items() if any(amounts)]
    if brought and not per_game:
        message = _("At this table chips are counted: %(when)s. Leave them out of the game.")
        when = table.sitting.get_chips_display()
        raise RuleViolationError(
            *(Finding("chips_not_per_game", message % {"when": when}, f"/carried/{ledger}") for ledger in brought)
        )


def next_hanchan(table: Running) -> Hanchan:
    """Return the game that is followed, else create the sitting's next one; it pins the rules in force now."""
    if table.followed is not None:
        return table.followed
    session = table.sitting.table_session
    return Hanchan.objects.create(
        table_session=session,
        block_id=session.block_id,
        round=table.next_round,
        # Safe only because `lock_open_table` has locked the competition.
        number=after_last(Hanchan.objects.filter(block=session.block_id), "number"),
        rules=table.in_force,
        options=table.sitting.options,
    )


@all_or_nothing
def correct_last_game(
    *,
    sitting: Sitting,
    entry: SheetEntry,
    corrects: int,
    by: Actor,
    reason: str,
    accept: Collection[str] = (),
    expected_round: int | None = None,
) -> ResultSheet:
    """Correct the newest game of a sitting; older games can be corrected by a director only."""
    table = _with_last_game(sitting, by)
    last = table.last
    if last is None or (expected_round is not None and last.hanchan.round != expected_round):
        raise conflict(
            "not_the_last_game",
            _("This is not the last game of table %(table)s any more. Reload the page.") % {"table": table.table},
        )
    refuse_wrong_scores(len(entry.seats), len(table.chairs))
    if table.sitting.chips != Sitting.Chips.PER_GAME and any(any(amounts) for amounts in entry.carried.values()):
        refuse_chips_per_game(table, GameEntry(scores=(), first_dealer=None, carried=entry.carried))
    return record_result(hanchan=last.hanchan, entry=entry, by=by, accept=accept, corrects=corrects, reason=reason)


@all_or_nothing
def take_back_last_game(*, sitting: Sitting, by: Actor, reason: str) -> None:
    """Void the newest game of a sitting, as if it had not been played; its sheet stays on record."""
    table = _with_last_game(sitting, by)
    if table.last is None:
        raise conflict("nothing_to_void", _("No game has been entered at this table."))
    void_hanchan(hanchan=table.last.hanchan, by=by, reason=reason, state=Hanchan.State.ABANDONED)


def _with_last_game(sitting: Sitting, by: Actor) -> Running:
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(reload_open_sitting(sitting))
    refuse_closed_day(competition, table.day)
    return table


@dataclass(frozen=True, slots=True)
class GamePreview:
    """Findings about a game as typed, and its settlement if there are no errors."""

    findings: tuple[Finding, ...]
    settlement: Settlement | None


def preview_game(*, table: Running, entry: SheetEntry) -> GamePreview:
    """Check and settle a game with the engine that will record it; nothing is written."""
    options = {**table.sitting.options, **entry.options}
    findings = option_findings(table.in_force, options)
    if findings:
        return GamePreview(findings, None)
    rules = ruleset_of(table.in_force, options)
    findings = tuple(rule_findings(entry, rules))
    if any(finding.level is Level.ERROR for finding in findings):
        return GamePreview(findings, None)
    return GamePreview(findings, settle(entry.hanchan_result(), rules))
