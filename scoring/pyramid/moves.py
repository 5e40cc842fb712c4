"""Moves between the tiers of a series after a term, each with its reason, its rule and its numbers.

The one idea: steps in a fixed order decide players, and a player who is decided takes no part in later steps. First
those who leave, return or are placed by hand, then the moves of the file in its order, then the ledger of points, then
the filling of tiers that are too small. Nothing breaks a tie silently: level players at the border of a rule stay open
and are named, until the organizer orders them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from scoring.format.series import Move, PointsLedger, Series
from scoring.further import NOTHING_GIVEN, GivenOrders
from scoring.pyramid.fill import fillings
from scoring.pyramid.ledger import NO_POINTS, counting, gains_of, is_in, spend
from scoring.pyramid.lines import Line, LinePlayer, from_below, line_of, players_of, positioned, size_of, without
from scoring.pyramid.movement import (
    OUT,
    DecisionKind,
    Finals,
    Gain,
    MoveDecision,
    Movement,
    Movements,
    MoveReason,
    PassedOver,
    Points,
    Quota,
    RosterFault,
    RosterFaultCode,
)
from scoring.tiebreak import Entrant


def moves(
    series: Series,
    finals: Finals,
    decisions: Sequence[MoveDecision] = (),
    points: Points = NO_POINTS,
    *,
    term: int = 1,
    given: GivenOrders = NOTHING_GIVEN,
    fills: bool = True,
) -> Movements:
    """Return the movement of every player after a term, the points taken along, and all faults.

    `finals` are the final tables of the tiers, and of competitions beside them once those are played; `points` those
    before this term; `given` the orders that the series' criteria compare, such as the roster of this term as `prior`.
    Without `fills` tiers that are too small are left so, as `finals` without the tables of all tiers require.
    """
    return _Term(series, finals, decisions, points, term, given).movements(fills=fills)


class _Term:
    """One term while its moves are made."""

    def __init__(
        self,
        series: Series,
        finals: Finals,
        decisions: Sequence[MoveDecision],
        points: Points,
        term: int,
        given: GivenOrders,
    ) -> None:
        self.series, self.points, self.term = series, points, term
        self.faults: list[RosterFault] = []
        self.home: dict[Entrant, str] = {}
        self.known: dict[Entrant, LinePlayer] = {}
        self.place: dict[Entrant, tuple[int, int]] = {}
        """By player the number of the tier, and of the group in its final table; level players share both."""
        whole: dict[str, Line] = {}
        for tier in series.tiers:
            line = line_of(finals.get(tier.key, ()), series.tiebreak, given)
            twice = [each.player for each in players_of(line) if each.player in self.home]
            self.faults += [RosterFault(RosterFaultCode.TWICE, tier.key, (player,)) for player in twice]
            whole[tier.key] = without(line, twice)
            for number, group in enumerate(whole[tier.key]):
                for each in group:
                    self.home[each.player], self.known[each.player] = tier.key, each
                    self.place[each.player] = (self.series.order[tier.key], number)
        for outside in series.outside:
            whole[outside.key] = line_of(finals.get(outside.key, ()), series.tiebreak, given)
        valid = list(self._valid(decisions))
        self.whole = whole
        self.by_kind = {kind: {each.player for each in valid if each.kind is kind} for kind in DecisionKind}
        leaving = self.by_kind[DecisionKind.LEAVES]
        self.lines = {key: without(line, leaving) for key, line in whole.items()}
        self.decided: dict[Entrant, Movement] = {}
        self.refused: dict[Entrant, Movement] = {}
        self.gained: dict[tuple[Entrant, bool], tuple[Gain, ...]] = {}
        self.quotas: list[Quota] = []
        for decision in valid:
            if decision.kind is DecisionKind.LEAVES:
                self.decided[decision.player] = self._movement(decision.player, OUT, "", MoveReason.LEAVES)
            elif decision.kind in {DecisionKind.RETURNS, DecisionKind.PLACED}:
                reason, tier_key = MoveReason(decision.kind.value), decision.tier
                self.decided[decision.player] = self._movement(decision.player, tier_key, tier_key, reason)

    def movements(self, *, fills: bool) -> Movements:
        """Make the moves in the order of the rules."""
        for index, move in enumerate(self.series.moves):
            self._move(f"moves.{index}", move)
        for where, ledger in self.series.ledgers.items():
            self._ledger(where, ledger)
        for player in self.home:
            if player not in self.decided:
                self.decided[player] = self.refused.get(player) or self._staying(player)
        # Sizes are not known before the organizer has ordered level players.
        if fills and self.series.fill and not any(each.code is RosterFaultCode.AWAITING for each in self.faults):
            for tier in self.series.tiers:
                filled, ties = fillings(self.series, tier, self.decided, self.place)
                self.decided |= {each.player: each for each in filled}
                self.faults += ties
                self._await(ties)
        last = (len(self.series.tiers), 0)
        ordered = sorted(self.decided.values(), key=lambda each: self.place.get(each.player, last))
        found = tuple(map(self._with_points, ordered))
        return Movements(found, dict(self._points_after(found)), tuple(self.faults), tuple(self.quotas))

    def _valid(self, decisions: Sequence[MoveDecision]) -> Iterator[MoveDecision]:
        """Yield the decisions that can be followed, and note faults for the others."""
        seen: set[Entrant] = set()
        for each in decisions:
            code = None
            if each.player in seen:
                code = RosterFaultCode.DECIDED_TWICE
            elif each.kind in {DecisionKind.RETURNS, DecisionKind.PLACED} and each.tier not in self.series.order:
                code = RosterFaultCode.UNKNOWN_TIER
            elif each.kind is DecisionKind.RETURNS and each.player in self.home:
                code = RosterFaultCode.ALREADY_HERE
            elif each.kind in _OF_MEMBERS and each.player not in self.home:
                code = RosterFaultCode.UNKNOWN_PLAYER
            seen.add(each.player)
            if code is None:
                yield each
            else:
                self.faults.append(RosterFault(code, each.tier, (each.player,)))

    def _movement(self, player: Entrant, to: str, seat: str, reason: MoveReason) -> Movement:
        """Return a movement with what the final table of the player's own tier says."""
        own = self.known.get(player)
        tier = self.home.get(player, "")
        return Movement(
            player,
            tier,
            to,
            seat,
            reason,
            rank=own.rank if own else None,
            is_level=own.is_level if own else False,
            total=own.total if own else None,
            size=size_of(self.lines[tier]) if tier else None,
        )

    def _staying(self, player: Entrant) -> Movement:
        tier = self.home[player]
        for kind in (DecisionKind.DECLINED, DecisionKind.SEAT_KEPT):
            if player in self.by_kind[kind]:
                return self._movement(player, tier, tier, MoveReason(kind.value))
        return self._movement(player, tier, tier, MoveReason.STAYS)

    def _is_free(self, player: Entrant, source: str) -> bool:
        """Return whether a rule may still move a player; one who played beside the tiers may move by that result."""
        earlier = self.decided.get(player)
        is_from_outside = source not in self.series.order
        return earlier is None or (is_from_outside and earlier.reason is MoveReason.QUALIFIED)

    def _is_up(self, player: Entrant, to: str) -> bool | None:
        """Return whether a goal is a gain for a player, such as a higher tier; None for the player's own tier."""
        if to not in self.series.order or player not in self.home:
            return True
        own, goal = self.series.order[self.home[player]], self.series.order[to]
        return None if own == goal else goal < own

    def _exempt(self, line: Line, to: str) -> dict[Entrant, MoveReason]:
        """Return the players of a line whom a rule to this goal passes over by a decision."""
        found = {}
        for each in players_of(line):
            is_up = self._is_up(each.player, to)
            kind = DecisionKind.DECLINED if is_up else DecisionKind.SEAT_KEPT
            if is_up is not None and each.player in self.by_kind[kind]:
                found[each.player] = MoveReason(kind.value)
        return found

    def _move(self, where: str, move: Move) -> None:
        """Carry out one move of the file."""
        source = move.source
        line = self.lines[source.tier]
        passed = self._exempt(line, move.to)
        needed = move.condition.total_at_least if move.condition else None
        if move.refused == "next":
            lacking = [each.player for each in players_of(line) if not self._reaches(each.player, needed)]
            passed |= {player: MoveReason.REFUSED for player in lacking if player not in passed}
        positions = source.positions(size_of(line), self.series.rounding)
        candidates = without(line, passed)
        ordered = from_below(candidates) if source.is_last else candidates
        rule = _Rule(where, move, len(positions), self._passed(source.tier, passed, is_last=source.is_last))
        taken: list[LinePlayer] = []
        for places, group in positioned(ordered):
            inside = len([position for position in places if position in positions])
            taken += group[:inside]
            free = tuple(each for each in group if inside and self._is_free(each.player, source.tier))
            if inside < len(group) and any(self._reaches(each.player, needed) for each in free):
                self._leave_open(rule, free, inside)
                continue
            for each in free:
                if self._reaches(each.player, needed):
                    self.decided[each.player] = self._moved(rule, each)
                else:
                    self.refused.setdefault(each.player, self._refused(rule, each))
        last = taken[-1].rank if taken else None
        self.quotas.append(Quota(where, positions, size_of(candidates), rule.passed, last))
        # With all places taken only those before the last of them were considered.
        limit = taken[-1].rank if taken and len(taken) == len(positions) else None
        for each in players_of(line):
            is_before = limit is None or (each.rank >= limit if source.is_last else each.rank <= limit)
            if passed.get(each.player) is MoveReason.REFUSED and is_before:
                self.refused.setdefault(each.player, self._refused(rule, each))

    def _reaches(self, player: Entrant, needed: Fraction | None) -> bool:
        """Return whether a player's total in the own tier is enough."""
        own = self.known.get(player)
        return needed is None or (own is not None and own.total >= needed)

    def _passed(self, source: str, passed: Mapping[Entrant, MoveReason], *, is_last: bool) -> tuple[PassedOver, ...]:
        """Return those whom a rule passes over, leavers included, in the order of the rule."""
        gone = dict.fromkeys(self.by_kind[DecisionKind.LEAVES], MoveReason.LEAVES) | dict(passed)
        found = [
            PassedOver(each.player, each.rank, gone[each.player])
            for each in players_of(self.whole[source])
            if each.player in gone
        ]
        return tuple(reversed(found) if is_last else found)

    def _moved(self, rule: _Rule, at: LinePlayer) -> Movement:
        """Return the movement of a player whom a rule moves."""
        own, to = self.home.get(at.player, ""), rule.move.to
        is_up = self._is_up(at.player, to)
        if to not in self.series.order:
            found = self._movement(at.player, to, own, MoveReason.QUALIFIED)
        elif is_up is None:
            found = self._movement(at.player, to, to, MoveReason.STAYS)
        else:
            found = self._movement(at.player, to, to, MoveReason.PROMOTED if is_up else MoveReason.RELEGATED)
        return rule.explain(found, at)

    def _refused(self, rule: _Rule, at: LinePlayer) -> Movement:
        own = self.home.get(at.player, "")
        return rule.explain(self._movement(at.player, own, own, MoveReason.REFUSED), at)

    def _leave_open(self, rule: _Rule, group: Sequence[LinePlayer], places: int) -> None:
        """Name level players of whom a rule moves only some."""
        for each in group:
            self.decided[each.player] = rule.explain(self._movement(each.player, "", "", MoveReason.AWAITING), each)
        players = tuple(each.player for each in group)
        tier = rule.move.source.tier
        self.faults.append(RosterFault(RosterFaultCode.AWAITING, tier, players, rule.where, places))

    def _await(self, ties: Iterable[RosterFault]) -> None:
        """Leave the players of these ties open."""
        for tie in ties:
            for player in tie.players:
                found = self._movement(player, "", "", MoveReason.AWAITING)
                self.decided[player] = replace(found, rule=tie.rule, places=tie.places)

    def _ledger(self, where: str, ledger: PointsLedger) -> None:
        """Give the points of this term, and move those who have enough."""
        line = self.lines[ledger.tier]
        own = [each.player for each in players_of(line)]
        if any(self.decided[each].reason is MoveReason.AWAITING for each in own if each in self.decided):
            return
        kept = self.by_kind[DecisionKind.DECLINED if ledger.is_upward else DecisionKind.SEAT_KEPT]
        rest = without(line, {*kept, *self.decided, *self.refused})
        new, ties = gains_of(ledger, rest if ledger.is_upward else from_below(rest))
        for player in own:
            gains = counting(ledger, self.points.get(player, ()), self.term)
            if points := new.get(player, 0):
                gains = (*gains, Gain(ledger.tier, self.term, points, ledger.is_upward))
            self.gained[player, ledger.is_upward] = gains
            if sum(each.points for each in gains) >= ledger.needed and player not in {*kept, *self.decided}:
                goal = self.series.neighbour(ledger.tier, is_upward=ledger.is_upward)
                reason = MoveReason.POINTS_UP if ledger.is_upward else MoveReason.POINTS_DOWN
                found = self._movement(player, goal or OUT, goal or "", reason)
                self.decided[player] = replace(found, rule=where, clauses=ledger.clauses, needed=ledger.needed)
        for tie in ties:
            players = tuple(each.player for each in tie.group if each.player not in self.decided)
            fault = RosterFault(RosterFaultCode.AWAITING, ledger.tier, players, where, tie.places)
            self.faults.append(fault)
            self._await([fault])

    def _with_points(self, movement: Movement) -> Movement:
        """Return a movement with the points that count after this term."""
        ledgers = [each for each in self.series.ledgers.values() if each.tier == movement.source]
        for ledger in sorted(ledgers, key=lambda each: each.is_upward is (movement.reason is MoveReason.POINTS_DOWN)):
            gains = self.gained.get((movement.player, ledger.is_upward), ())
            if gains:
                gained = sum(each.points for each in gains if each.term == self.term)
                return replace(movement, gained=gained, points=sum(each.points for each in gains), terms=gains)
        return movement

    def _points_after(self, found: Sequence[Movement]) -> Iterator[tuple[Entrant, tuple[Gain, ...]]]:
        """Yield the points that may still count in the next term, by player."""
        movements = {each.player: each for each in found}
        for player in {**self.points, **movements}:
            movement = movements.get(player)
            left = [
                gain
                for ledger in self.series.ledgers.values()
                for gain in self._left(ledger, player, movement)
                if gain.term > self.term + 1 - ledger.within_terms
            ]
            if left:
                yield player, tuple(sorted(left, key=lambda each: (each.term, each.tier, each.is_upward)))

    def _left(self, ledger: PointsLedger, player: Entrant, movement: Movement | None) -> tuple[Gain, ...]:
        """Return a player's points of one ledger after a movement."""
        before = tuple(each for each in self.points.get(player, ()) if is_in(ledger, each))
        if movement is None or movement.source != ledger.tier:
            return before
        gains = self.gained.get((player, ledger.is_upward), before)
        own = MoveReason.POINTS_UP if ledger.is_upward else MoveReason.POINTS_DOWN
        if movement.reason is own:
            return spend(ledger, gains)
        has_moved = movement.seat not in {"", ledger.tier} or movement.reason is MoveReason.POINTS_DOWN
        return () if has_moved and ledger.spent == "all" else gains


_OF_MEMBERS = frozenset({DecisionKind.LEAVES, DecisionKind.SEAT_KEPT, DecisionKind.DECLINED})


class _Rule:
    """A move of the file while it is carried out: its path, and whom it passes over."""

    def __init__(self, where: str, move: Move, places: int, passed: tuple[PassedOver, ...]) -> None:
        self.where, self.move, self.places, self.passed = where, move, places, passed

    def explain(self, movement: Movement, at: LinePlayer) -> Movement:
        """Return a movement with this rule as its reason; `at` is the player in the table that the rule counts."""
        is_last = self.move.source.is_last
        before = (each for each in self.passed if (each.rank >= at.rank if is_last else each.rank <= at.rank))
        condition = self.move.condition
        return replace(
            movement,
            rank=at.rank,
            is_level=at.is_level,
            rule=self.where,
            clauses=self.move.clauses,
            places=self.places,
            needed=condition.total_at_least if condition else None,
            passed=tuple(each for each in before if each.player != movement.player),
        )
