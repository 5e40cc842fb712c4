"""Moves after a term: who plays in which tier next, why, and the roster that follows.

While no roster is written they are derived from the tables and the decisions; a written roster is read as it was
decided. Players are named by the ids of their rows, and a merged player by the one kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from league.models import MoveDecision, NextRoster, OpeningBalance, Player, Series, SeriesRevision, Term
from league.selectors.access.readers import Visitor
from league.selectors.seasons.series_rules import (
    revision_of_term,
    rules_of_revision,
    rules_of_term,
    written_roster,
)
from league.selectors.seasons.series_tables import Guard, TermTables, TierRow, full_tables, may_know_roster, term_tables
from league.selectors.seasons.stored_rosters import digest_of_roster, movement_document, movements_of, tiers_of_roster
from scoring.format import Series as SeriesRules
from scoring.format.series import Tier
from scoring.further import GivenOrders
from scoring.pyramid.ledger import NO_POINTS, opening_points
from scoring.pyramid.movement import (
    OUT,
    DecisionKind,
    FinalLine,
    Movement,
    MoveReason,
    Points,
    RosterFault,
)
from scoring.pyramid.movement import MoveDecision as Decision
from scoring.pyramid.moves import moves
from scoring.pyramid.roster import roster
from scoring.tiebreak import Entrant

Direction = Literal["up", "down", "stays", "in", "out", "open"]
"""The direction of a move; `open` while a tie awaits the organizers."""


@dataclass(frozen=True, slots=True)
class PlayerMove:
    """A player's way from one term to the next, with the decision behind it if there is one."""

    player: Player
    movement: Movement
    row: TierRow | None = None
    """The line of the tier's table; None for those who played in none, or if it may not be read."""
    decision: MoveDecision | None = None
    direction: Direction = "stays"

    @property
    def is_open(self) -> bool:
        """Return True while a tie awaits the organizers."""
        return self.direction == "open"


@dataclass(frozen=True, slots=True)
class TierRoster:
    """A tier of the next term, its players in the order of their seeds."""

    tier: Tier
    moves: tuple[PlayerMove, ...]

    @property
    def size(self) -> int:
        """Return the number of players."""
        return len(self.moves)

    @property
    def is_fitting(self) -> bool:
        """Return True if the tier may have this number of players."""
        return self.tier.size.least <= self.size <= self.tier.size.most


@dataclass(frozen=True, slots=True)
class TermMoves:
    """The moves after a term."""

    tables: TermTables
    moves: tuple[PlayerMove, ...]
    tiers: tuple[TierRoster, ...]
    points: Points = field(default_factory=dict)
    """Promotion points that each player takes into the next term, by the player's id."""
    faults: tuple[RosterFault, ...] = ()
    written: NextRoster | None = None
    """The roster as it was decided; None while it is derived."""
    players: Mapping[int, Player] = field(default_factory=dict)
    """All players of the moves by id."""
    revision: SeriesRevision = field(kw_only=True)
    """The rules of the moves; those of a written roster are the ones by which it was decided."""

    @property
    def term(self) -> Term:
        """The term after which they are made."""
        return self.tables.term

    @property
    def rules(self) -> SeriesRules:
        """The rules of the moves as a value of the engine."""
        return rules_of_revision(self.revision)

    @property
    def is_open(self) -> bool:
        """Return True while decisions may change the moves: no roster is written."""
        return self.written is None

    @property
    def is_provisional(self) -> bool:
        """Return True while results are missing, so that the moves may change."""
        return self.written is None and not self.tables.is_finished

    @property
    def digest(self) -> str:
        """Return the digest of the roster and its reasons: equal digests are equal rosters.

        A written roster keeps the digest by which it was decided, also after two of its players were merged.
        """
        return digest_of_roster(self.tier_ids, self.documents) if self.written is None else self.written.digest

    @property
    def tier_ids(self) -> dict[str, list[int]]:
        """Return the ids of the players by tier, in the order of their seeds."""
        return {each.tier.key: [move.player.pk for move in each.moves] for each in self.tiers}

    @property
    def documents(self) -> list[dict[str, object]]:
        """Return the moves as they are stored with a roster."""
        return [movement_document(each.movement, self.points) for each in self.moves]

    def is_shown(self, movement: Movement) -> bool:
        """Return False while the tier played in has no result: the move follows from the roster's order alone."""
        table = next((table for table in self.tables.tiers if table.tier.key == movement.source), None)
        return table is None or table.has_begun or self.written is not None

    def scale_of(self, movement: Movement) -> int:
        """Return the scale of the ledger in which the total of a movement stands, by the tier played in."""
        return next((table.scale for table in self.tables.tiers if table.tier.key == movement.source), 1)

    def player_of(self, pk: object) -> Player | None:
        """Return a player of the moves by id."""
        return self.players.get(int(str(pk)))

    @property
    def newcomers(self) -> list[PlayerMove]:
        """Return the moves of those who played in no tier of the term."""
        return [each for each in self.moves if not each.movement.source]


def full_moves(term: Term) -> TermMoves:
    """Return the moves after a term from all results, for those who decide on them."""
    return _moves(full_tables(term), written_roster(term))


def shown_moves(term: Term, visitor: Visitor | None, guard: Guard | None = None) -> TermMoves:
    """Return the moves after a term as a visitor may know them.

    A written roster is shown once all tables that it follows from may be read; until then the moves are derived from
    what the visitor may know.
    """
    written = written_roster(term)
    if written is not None and not may_know_roster(term, visitor, guard):
        written = None
    return _moves(term_tables(term, visitor, guard), written)


def derived_moves(term: Term) -> TermMoves:
    """Return the moves after a term from all results and the decisions that hold, also where a roster is written."""
    return _moves(full_tables(term), None)


def _moves(tables: TermTables, written: NextRoster | None) -> TermMoves:
    revision = revision_of_term(tables.term, written)
    rules = rules_of_revision(revision)
    decisions = {
        row.player.kept_id: row
        for row in tables.term.decisions.filter(ended_at=None).select_related("player__merged_into", "made_by")
    }
    if written is not None:
        found = movements_of(written)
        by_tier = tiers_of_roster(written)
    else:
        found = moves(
            rules,
            finals_of(tables),
            [Decision(pk, DecisionKind(row.kind), row.tier) for pk, row in decisions.items()],
            points_before(tables.term),
            term=tables.term.number,
            given=_given(tables),
        )
        own = roster(rules, found)
        found = replace(found, faults=own.faults)
        by_tier = {key: [int(str(pk)) for pk in ids] for key, ids in own.tiers.items()}
    players = _players(each.player for each in found.movements)
    order = [tier.key for tier in rules.tiers]
    lines = tuple(
        PlayerMove(
            players[int(str(each.player))],
            each,
            tables.entrants.get(int(str(each.player))),
            decisions.get(int(str(each.player))),
            direction(each, order),
        )
        for each in found.movements
        if int(str(each.player)) in players
    )
    by_player = {int(str(each.movement.player)): each for each in lines}
    tiers = tuple(
        TierRoster(tier, tuple(by_player[pk] for pk in ids if pk in by_player))
        for key, ids in by_tier.items()
        for tier in rules.tiers
        if tier.key == key
    )
    return TermMoves(tables, lines, tiers, found.points, found.faults, written, players, revision=revision)


def _given(tables: TermTables) -> GivenOrders:
    """Return the orders that the series' criteria may compare; the lot is published with the address of the series."""
    term = tables.term
    seeds: dict[Entrant, int] = {pk: row.entrant.number for pk, row in tables.entrants.items()}
    return GivenOrders(prior=prior_order(term), seeds=seeds, lot=f"{term.series.slug}-{term.number}")


def rank_in_tier(rules: SeriesRules, movement: Movement, row: TierRow | None) -> int | None:
    """Return a player's rank in the own tier: that of the movement, unless the rule counts another table."""
    if rules.table_of(movement.rule, movement.source) == movement.source:
        return movement.rank
    return row.place if row is not None else None


def direction(movement: Movement, order: Sequence[str]) -> Direction:
    """Return the direction of a movement in the order of the tiers from the top."""
    if movement.reason is MoveReason.AWAITING:
        return "open"
    if movement.to == OUT:
        return "out"
    if not movement.source:
        return "in"
    if movement.seat == movement.source or movement.seat not in order or movement.source not in order:
        return "stays"
    return "up" if order.index(movement.seat) < order.index(movement.source) else "down"


def finals_of(tables: TermTables) -> dict[str, list[FinalLine]]:
    """Return the tables as the engine takes them; players without a rank stand level behind all others."""
    found: dict[str, list[FinalLine]] = {}
    # A competition beside the tiers counts once it is over: until then its players are as their own tiers have them.
    for each in (*tables.tiers, *(each for each in tables.outside if each.is_finished)):
        behind = max((row.place for row in each.rows if row.place is not None), default=0)
        behind = max(behind, sum(row.place is not None for row in each.rows)) + 1
        found[each.tier.key] = [
            FinalLine(row.player.pk, behind if row.place is None else row.place, row.total) for row in each.rows
        ]
    return found


def points_before(term: Term) -> Points:
    """Return the promotion points with which players came into a term: those left, or the opening balances."""
    rules = rules_of_term(term)
    if not rules.ledger:
        return NO_POINTS
    before = term_before(term)
    if before is None:
        return _opening_points(term, rules)
    written = written_roster(before)
    return movements_of(written).points if written is not None else derived_moves(before).points


def _opening_points(term: Term, rules: SeriesRules) -> Points:
    tiers: dict[Entrant, str] = dict(
        term.competitions.filter(entrants__merged_into=None).values_list("entrants__player", "tier")
    )
    held = OpeningBalance.objects.filter(series=term.series, ended_at=None).select_related("player__merged_into")
    balances: dict[Entrant, int] = {row.player.kept_id: row.points for row in held}
    return opening_points(rules, tiers, balances, term.number)


def term_before(term: Term) -> Term | None:
    """Return the term before this one, if it is kept."""
    return _with_series(term.series, term.series.terms.filter(number__lt=term.number).order_by("-number").first())


def term_after(term: Term) -> Term | None:
    """Return the term after this one, if there is one already."""
    return _with_series(term.series, term.series.terms.filter(number__gt=term.number).order_by("number").first())


def _with_series(series: Series, term: Term | None) -> Term | None:
    if term is not None:
        term.series = series
    return term


def prior_order(term: Term) -> list[int]:
    """Return the players in the order in which the term before left them: tiers from the top, by their seeds."""
    before = term_before(term)
    if before is None or (written := written_roster(before)) is None:
        return []
    tiers = tiers_of_roster(written)
    return [pk for tier in rules_of_term(before).tiers for pk in tiers.get(tier.key, ())]


def _players(ids: Iterable[object]) -> dict[int, Player]:
    """Return players by id; one that was merged stands for the player kept."""
    rows = Player.objects.filter(pk__in={int(str(pk)) for pk in ids}).select_related("merged_into")
    return {row.pk: row.kept for row in rows}
