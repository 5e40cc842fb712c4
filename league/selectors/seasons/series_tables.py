"""The tables of a term: for each tier of a series who plays there, with place and total as a reader may know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import Audience, Competition, Entrant, NextRoster, Player, Standing, TableSession, Term
from league.selectors.access.readers import Reader, Visitor, sheets_held_back, tables_held_back, visible_competitions
from league.selectors.competitions.batches import readers_of
from league.selectors.rulebooks.rules_in_force import format_of, is_of_teams, rules_of, ruleset_of
from league.selectors.seasons.series_rules import rules_of_term
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import block_tables, ranks_in
from scoring.final_places import final_places
from scoring.format.series import Outside, Tier

Guard = Callable[[Reader], Reader]
"""Limits a reader to what the spoiler guard of a visitor lets pass."""


@dataclass(frozen=True, slots=True)
class TierRow:
    """An entrant of a tier: the place in the whole competition, shared by those who are level, and the total."""

    entrant: Entrant
    place: int | None
    """None for an entrant without a rank."""
    standing: Standing | None
    """The line of the last block that the entrant has reached; None before the first publication."""
    total: Fraction
    """In points, as in that block."""

    @property
    def player(self) -> Player:
        """The person or team, which is the same from term to term."""
        return self.entrant.player


@dataclass(frozen=True, slots=True)
class TierTable:
    """A tier in a term, its rows in the order of their places."""

    tier: Tier | Outside
    reader: Reader | None = None
    """None if the tier has no competition, or none that may be read."""
    rows: tuple[TierRow, ...] = ()
    is_finished: bool = False
    """True if every hanchan has been played, or the competition is closed.

    Level players may still await a ruling: the criteria of the series may separate them, or else the moves say so.
    """
    awaits_ruling: bool = False
    is_of_teams: bool = False
    scale: int = 1

    @property
    def competition(self) -> Competition | None:
        """The competition that the tier is in this term, if it may be read."""
        return self.reader.competition if self.reader else None

    @property
    def has_begun(self) -> bool:
        """Return True if a hanchan has been played."""
        return any(row.standing is not None and row.standing.played for row in self.rows)


@dataclass(frozen=True, slots=True)
class TermTables:
    """The tiers of a term from the top, and the competitions beside them."""

    term: Term
    tiers: tuple[TierTable, ...]
    outside: tuple[TierTable, ...] = ()
    entrants: Mapping[int, TierRow] = field(default_factory=dict)
    """By the id of the player or team."""

    @property
    def is_finished(self) -> bool:
        """Return True if every tier has a final table, and so has every competition beside them that there is."""
        return bool(self.tiers) and not self.running

    @property
    def running(self) -> list[TierTable]:
        """Return the tables that are not final."""
        beside = [each for each in self.outside if each.reader is not None]
        return [each for each in (*self.tiers, *beside) if not each.is_finished]

    @property
    def readers(self) -> list[Reader]:
        """Return the readers of the tiers' competitions."""
        return [each.reader for each in (*self.tiers, *self.outside) if each.reader is not None]


def term_tables(term: Term, visitor: Visitor | None, guard: Guard | None = None) -> TermTables:
    """Return the tables of a term as a visitor may read them; a draft is invisible to those who do not work for it."""
    return _tables(term, _readers(term, visitor, guard))


def may_know_roster(term: Term, visitor: Visitor | None, guard: Guard | None = None) -> bool:
    """Return True if a visitor may know all results of a term, also those of the competitions beside the tiers.

    Tables under embargo count by themselves: a hidden result is newer than the version that the public reads.
    """
    readers = _readers(term, visitor, guard)
    return len(readers) == term.competitions.count() and all(
        reader.until is None and (reader.is_staff or not tables_held_back(reader.competition)) for reader in readers
    )


def rosters_out_of_step() -> QuerySet[NextRoster]:
    """Return the written rosters that are released although the public may not know them, and the reverse.

    The condition is `may_know_roster` of the public, for all terms in one query.
    """
    held_back = TableSession.objects.filter(competition=OuterRef("pk"), is_released=False)
    hidden = Exists(held_back) | ~Q(pk__in=visible_competitions(None).values("pk"))
    is_hidden = Exists(Competition.objects.filter(hidden, term=OuterRef("term")))
    return NextRoster.objects.filter(ended_at=None, is_released=is_hidden)


def _readers(term: Term, visitor: Visitor | None, guard: Guard | None) -> list[Reader]:
    readers = readers_of(visible_competitions(visitor).filter(term=term), visitor).values()
    return [guard(reader) if guard else reader for reader in readers]


def full_tables(term: Term) -> TermTables:
    """Return the tables of a term from all results, for those who decide on its moves."""
    return _tables(term, [Reader(row, Audience.STAFF, row.computed_version) for row in term.competitions.all()])


def _tables(term: Term, readers: Iterable[Reader]) -> TermTables:
    by_tier = {reader.competition.tier: reader for reader in readers}
    rules = rules_of_term(term)
    tiers, outside = (
        tuple(tier_table(each, by_tier[each.key]) if each.key in by_tier else TierTable(each) for each in keyed)
        for keyed in (rules.tiers, rules.outside)
    )
    return TermTables(term, tiers, outside, {row.player.pk: row for tier in tiers for row in tier.rows})


def tier_table(tier: Tier | Outside, reader: Reader) -> TierTable:
    """Return a tier as the reader may know it: the entrants by their place in the whole competition."""
    tables = block_tables(reader, with_slots=False)
    rules = rules_of(reader)
    scale = ruleset_of(rules).ranking_ledger.scale
    latest = {line.standing.entrant_id: line.standing for table in tables for line in table.lines}
    entered = Entrant.objects.filter(competition=reader.competition, is_house=False, merged_into=None)
    outcome = outcome_of(reader)
    is_closed = reader.competition.status == Competition.Status.CLOSED
    is_over = bool(tables) and all(table.is_complete for table in tables)
    awaiting = [list(map(int, tie["entrants"])) for tie in outcome.awaiting] if outcome and is_over else []
    places = _level(final_places(format_of(rules), ranks_in(tables)), awaiting)
    rows = [_row(entrant, places, latest, scale) for entrant in entered.select_related("player")]
    rows.sort(key=_in_order)
    return TierTable(
        tier=tier,
        reader=reader,
        rows=tuple(rows),
        is_finished=(is_closed or is_over) and is_whole(reader),
        awaits_ruling=bool(awaiting),
        is_of_teams=is_of_teams(rules),
        scale=scale,
    )


def _level(places: Mapping[int, int | None], ties: Iterable[Sequence[int]]) -> dict[int, int | None]:
    """Return the places with those of each tie shared: a ruling orders these entrants, not their earlier stages."""
    found = dict(places)
    for tie in ties:
        found |= dict.fromkeys(tie, min(filter(None, map(places.get, tie)), default=None))
    return found


def _row(entrant: Entrant, places: Mapping[int, int | None], latest: Mapping[int, Standing], scale: int) -> TierRow:
    standing = latest.get(entrant.pk)
    total = Fraction(standing.total, scale) if standing else Fraction(0)
    return TierRow(entrant, places.get(entrant.pk), standing, total)


def _in_order(row: TierRow) -> tuple[bool, int, int, int]:
    """Sort key: by place, those without one last; within level places as the table lists them."""
    position = row.standing.position if row.standing else 0
    return row.place is None, row.place or 0, position, row.entrant.number


def is_whole(reader: Reader) -> bool:
    """Return True if no result is kept from the reader."""
    return reader.until is None and (
        reader.is_staff or not sheets_held_back(reader.competition, reader.version).exists()
    )
