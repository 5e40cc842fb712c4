"""A result as it was submitted, and the checks that find everything wrong or odd about it."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Competition, Hanchan, ResultSheet
from league.platform.errors import Finding, Level
from league.selectors.live.table_options import option_findings
from league.selectors.rulebooks.rules_in_force import is_of_teams, ruleset_of
from league.wording.live.live import open_sheet_text
from league.wording.messages import problem_message
from league.wording.names import title_in
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, ResultProblem, Severity, problems

if TYPE_CHECKING:
    from league.services.results.context import Surroundings


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """One seat of a sheet: ids of the entrant and of the player who sat (the same person, except for a substitute)."""

    entrant: int
    player: int
    score: int
    chonbo: int = 0


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A hanchan's result: seats in order from the first dealer, scores in table points.

    `are_seats_known` is false if it was not noted who sat where; the order of `seats` then means nothing, and a
    result whose settlement would depend on it is refused.
    """

    seats: tuple[SeatEntry, ...]
    kyoutaku: int = 0
    are_seats_known: bool = True
    options: Mapping[str, object] = field(default_factory=dict)
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tobi: tuple[tuple[int, int], ...] = ()
    substitutes: tuple[int, ...] = ()
    """Seats of house players, where the rules give substitutes a flat account; filled in when the result is checked."""
    forced_top: int | None = None
    is_verdict: bool = False
    """True if only the top and the payers were noted: the scores stand for them and were not counted."""
    entered_at: dt.datetime | None = field(default=None, compare=False)
    """The moment of entry; None for now. Two entries at different moments may be the same result."""

    def hanchan_result(self) -> HanchanResult:
        """Return the entry as the scoring engine's `HanchanResult`."""
        return HanchanResult(
            scores=tuple(seat.score for seat in self.seats),
            kyoutaku=self.kyoutaku,
            chonbo=tuple(seat.chonbo for seat in self.seats),
            carried=self.carried,
            tobi=self.tobi,
            substitutes=self.substitutes,
            forced_top=self.forced_top,
        )

    def facts(self) -> dict[str, object]:
        """Return the facts that a sheet stores besides scores, chonbo and deposits, as JSON."""
        return {
            "are_seats_known": self.are_seats_known,
            "carried": {ledger: list(amounts) for ledger, amounts in self.carried.items()},
            "tobi": [list(pair) for pair in self.tobi],
            **({"substitutes": list(self.substitutes)} if self.substitutes else {}),
            **({} if self.forced_top is None else {"forced_top": self.forced_top}),
            **({"is_verdict": True} if self.is_verdict else {}),
        }

    @classmethod
    def of_sheet(cls, sheet: ResultSheet) -> SheetEntry:
        """Return the entry from which a sheet was made."""
        return cls(
            seats=tuple(SeatEntry(s.entrant_id, s.player_id, s.score, s.chonbo) for s in sheet.seats.order_by("seat")),
            kyoutaku=sheet.kyoutaku,
            are_seats_known=sheet.facts.get("are_seats_known", True),
            options=sheet.options,
            carried={ledger: tuple(amounts) for ledger, amounts in sheet.facts.get("carried", {}).items()},
            tobi=tuple((busted, receiver) for busted, receiver in sheet.facts.get("tobi", [])),
            substitutes=tuple(sheet.facts.get("substitutes", [])),
            forced_top=sheet.facts.get("forced_top"),
            is_verdict=sheet.facts.get("is_verdict", False),
        )


def findings_of(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> list[Finding]:
    """Return everything wrong or odd about the entry under the hanchan's pinned rules, in the order of the form.

    `around` holds the facts of the competition that the entry is checked against.
    """
    options = {**hanchan.options, **entry.options}
    if refused := option_findings(hanchan.rules, options):
        return [*_people(hanchan, entry, around), *refused]
    rules = ruleset_of(hanchan.rules, options)
    found = [*_people(hanchan, entry, around), *_members(hanchan, entry, around), *rule_findings(entry, rules)]
    if not any(finding.level is Level.ERROR for finding in found):
        found += [*_twins(hanchan, entry, around), *_other_seats(hanchan, entry, around)]
    return found


def _people(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Check that each player is entered once, belongs to the block, and still has this hanchan to play."""
    counted = Counter(seat.entrant for seat in entry.seats)
    may_play, already = around.may_play(hanchan.block), around.already_played(hanchan, counted)
    enough = around.played_enough(hanchan, counted)
    for index, seat in enumerate(entry.seats):
        pointer, name = f"/seats/{index}/entrant", partial(around.name, seat.entrant)
        if counted[seat.entrant] > 1:
            yield Finding(
                "player_twice",
                _("%(name)s is entered twice. Each player sits once.") % {"name": name()},
                pointer,
            )
        elif seat.entrant not in may_play and seat.entrant not in around.house:
            yield Finding(
                "player_not_of_block",
                _("%(name)s does not play in %(block)s. Choose one of its players.")
                % {"name": name(), "block": hanchan.block},
                pointer,
            )
        elif seat.entrant in already:
            yield Finding(
                "number_already_played",
                _(
                    "%(name)s already has a result for hanchan %(number)s of %(block)s. "
                    "Check the number of this hanchan."
                )
                % {"name": name(), "number": hanchan.number, "block": hanchan.block},
                pointer,
            )
        elif seat.entrant in enough:
            yield Finding(
                "all_hanchan_played",
                _(
                    "%(name)s already has results for all %(count)s hanchan of %(block)s. "
                    "Enter another player, or void a result that should not count."
                )
                % {"name": name(), "count": hanchan.block.stage.hanchan_count, "block": hanchan.block},
                pointer,
            )


def _members(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Require in each team's seat a person who is a member on that day."""
    if not is_of_teams(hanchan.rules):
        return
    members = around.members(hanchan)
    for index, seat in enumerate(entry.seats):
        pointer, said = f"/seats/{index}/player", {"team": around.name(seat.entrant)}
        if around.is_team(seat.entrant, seat.player):
            yield Finding("member_missing", _("Choose the member who sat for %(team)s.") % said, pointer)
        elif seat.player not in members.get(seat.entrant, ()):
            message = _("%(name)s does not play for %(team)s on this day. Choose one of its members.")
            yield Finding("not_a_member", message % {**said, "name": around.player_name(seat.player)}, pointer)


def typing_findings(
    hanchan: Hanchan, entry: SheetEntry, around: Surroundings, *, is_from_log: bool = False
) -> list[Finding]:
    """Return warnings about a typed sheet: an open score sheet, results of other tables, the order of seats."""
    found = [*(() if is_from_log else open_sheet_findings(hanchan, around)), *_same_scores(hanchan, entry, around)]
    if hanchan.block.competition.kind == Competition.Kind.LEAGUE:
        found += [*_two_tables(hanchan, entry, around), *_seats_in_order(hanchan, entry, around)]
    return found


def open_sheet_findings(hanchan: Hanchan, around: Surroundings) -> Iterator[Finding]:
    """Warn if the hanchan is being recorded hand by hand, which a typed result would end."""
    log = around.open_sheet(hanchan)
    if log is not None:
        state = log.state
        params = {"round": state.round.value, "number": state.number, "honba": state.honba, "is_over": state.is_over}
        yield Finding("score_sheet_in_progress", open_sheet_text(state), "", Level.WARNING, params)


def _same_scores(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Warn if another table of the session has the same scores, as if a slip had been entered twice."""
    scores = sorted(seat.score for seat in entry.seats)
    if len(set(scores)) == len(scores) and around.are_scores_elsewhere(hanchan, scores):
        message = _("Another table of this session has exactly the same scores. Was its slip entered here?")
        yield Finding("same_scores_elsewhere", message, "/scores", Level.WARNING)


def _two_tables(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Warn if a player has a result at another table in the same round, unless the tables start at different times."""
    places = {seat.player: index for index, seat in enumerate(entry.seats)}
    for player, (name, table) in sorted(around.at_other_tables(hanchan, places).items()):
        yield Finding(
            "at_two_tables",
            _("%(name)s also has a result of this round at %(table)s. No player sits at two tables at once.")
            % {"name": name, "table": table},
            f"/seats/{places[player]}/entrant",
            Level.WARNING,
        )


def _seats_in_order(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Warn if the scheduled players sit in another order than scheduled although the seats are marked as known."""
    planned = [entrant for entrant, _player in around.planned(hanchan)]
    entered = [seat.entrant for seat in entry.seats]
    if entry.are_seats_known and planned != entered and sorted(planned) == sorted(entered):
        yield Finding(
            "seats_not_as_scheduled",
            _("The players sit in another order than scheduled. If the first row was the first dealer, accept it."),
            "/seats",
            Level.WARNING,
        )


def rule_findings(entry: SheetEntry, rules: Ruleset) -> list[Finding]:
    """Return the findings of the rules: scores and amounts first, then whether the order of seats must be known."""
    found = list(_points(entry, rules))
    if not any(finding.level is Level.ERROR for finding in found):
        found += _seat_order(entry, rules)
    return found


def _points(entry: SheetEntry, rules: Ruleset) -> Iterator[Finding]:
    """Yield the engine's problems with the scores as findings."""
    for problem in problems(entry.hanchan_result(), rules):
        # A note explains the settlement; the settlement's line says the same.
        if problem.level is Severity.NOTE:
            continue
        yield Finding(
            problem.code,
            problem_message(_with_title(problem, rules)),
            f"/{problem.pointer}" if problem.pointer else "",
            Level(problem.level),
            dict(problem.params),
            problem.clause,
        )


def _with_title(problem: ResultProblem, rules: Ruleset) -> ResultProblem:
    """Return the problem with the ledger's key replaced by its title."""
    titles = {ledger.key: title_in(ledger.title) for ledger in rules.ledgers}
    key = problem.params.get("ledger")
    return replace(problem, params={**problem.params, "ledger": titles[str(key)]}) if key in titles else problem


def _seat_order(entry: SheetEntry, rules: Ruleset) -> Iterator[Finding]:
    """Require a known order of seats where the settlement depends on it."""
    if entry.are_seats_known:
        return
    if rules.seat_order_matters(tuple(seat.score for seat in entry.seats), entry.kyoutaku):
        yield Finding(
            "seat_order_needed",
            _(
                "With these scores the rules go by the seats. Enter the players in order from the first dealer "
                "and tick that the seats are right."
            ),
            "/are_seats_known",
        )


def _twins(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Warn if another hanchan has the same scores for the same players, as if one result were entered twice."""
    # The scores that stand for a verdict repeat whenever the same player wins.
    if not entry.is_verdict and around.has_twin(hanchan, {(seat.entrant, seat.score) for seat in entry.seats}):
        yield Finding(
            "same_result_twice",
            _("Another hanchan of these players has exactly the same scores. Was this one entered already?"),
            "/seats",
            Level.WARNING,
        )


def _other_seats(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Warn if the entry names other players than the schedule."""
    planned = set(around.planned(hanchan))
    entered = {(seat.entrant, seat.player) for seat in entry.seats}
    if is_of_teams(hanchan.rules):
        # Who sits for a team may change until the result: only other teams are odd.
        planned, entered = {(team, 0) for team, _player in planned}, {(team, 0) for team, _player in entered}
    if planned and planned != entered:
        yield Finding(
            "not_as_scheduled",
            _("Other players than scheduled are entered for this hanchan. If they really sat there, accept it."),
            "/seats",
            Level.WARNING,
        )
