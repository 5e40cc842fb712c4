"""A player's figures: in one competition, or over all competitions that the reader may know of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Count, Max, Min, Q, QuerySet

from league.models import (
    Adjustment,
    Block,
    Competition,
    Entrant,
    Prepared,
    SeatResult,
    SlotState,
    Standing,
)
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.standings.credits import CountedCredit, annulled_in, credits_of
from league.selectors.standings.prepared import season_of as prepared_of
from league.selectors.standings.prepared import season_with
from league.selectors.standings.published import outcome_of, standings_of

RESULTS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Record:
    """Counts over a number of hanchan, without points, which belong to one block (see `PlayerTotal`)."""

    played: int
    places: tuple[int, ...]
    """The number of firsts, seconds and so on."""
    best: int | None
    worst: int | None
    """Lowest final score; like `best` in table points, and None before the first hanchan."""

    @property
    def average_place(self) -> Fraction | None:
        """Return the mean of all places; None before the first hanchan."""
        if not self.played:
            return None
        return Fraction(sum(place * count for place, count in enumerate(self.places, start=1)), self.played)

    @property
    def tops(self) -> Fraction | None:
        """Return the share of firsts (トップ率) in percent."""
        return Fraction(100 * self.places[0], self.played) if self.played else None

    @property
    def first_or_second(self) -> Fraction | None:
        """Return the share of firsts and seconds (連対率) in percent."""
        return Fraction(100 * sum(self.places[:2]), self.played) if self.played else None

    @property
    def not_last(self) -> Fraction | None:
        """Return the share of hanchan not finished last (ラス回避率) in percent."""
        return Fraction(100 * (self.played - self.places[-1]), self.played) if self.played else None

    @property
    def shares(self) -> tuple[tuple[int, int, int], ...]:
        """Return each place with its count and its whole percent of all hanchan."""
        return tuple(
            (place, count, 100 * count // self.played if self.played else 0)
            for place, count in enumerate(self.places, start=1)
        )


def record_of(results: QuerySet[SeatResult], places: int) -> Record:
    """Compute the record of these results in one aggregate query; `places` is the number of players at a table."""
    counts = {f"place{place}": Count("pk", filter=Q(place=place)) for place in range(1, places + 1)}
    row = results.aggregate(played=Count("pk"), best=Max("final_score"), worst=Min("final_score"), **counts)
    return Record(
        played=row["played"],
        places=tuple(row[f"place{place}"] for place in range(1, places + 1)),
        best=row["best"],
        worst=row["worst"],
    )


def record_of_games(games: Sequence[tuple[int, int]], places: int) -> Record:
    """Return the record of games, each given by place and final score; `places` is the number of players at a table."""
    counts = Counter(place for place, _score in games)
    scores = [score for _place, score in games]
    return Record(
        played=len(games),
        places=tuple(counts[place] for place in range(1, places + 1)),
        best=max(scores, default=None),
        worst=min(scores, default=None),
    )


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """A player's total in a block with its summands, at the ranking ledger's scale; the total is the standing's own."""

    standing: Standing
    gains: tuple[int, ...]
    """Points of each hanchan, in playing order."""
    adjustments: tuple[Adjustment, ...]
    """Points given or taken outside the hanchan, with their reasons, oldest first."""
    credits: tuple[CountedCredit, ...] = ()
    """Rounds not played that count points all the same."""

    @property
    def hanchan(self) -> int:
        """Return the points of all hanchan."""
        return sum(self.gains)

    @property
    def outside(self) -> int:
        """Return all points that come from no hanchan; charts include them from the start."""
        return self.standing.total - self.hanchan

    @property
    def counted_apart(self) -> int:
        """Return points counted once per sitting of an open table instead of after each game."""
        row = self.standing
        return self.outside - row.carried - row.credited - sum(each.points for each in self.adjustments)

    @property
    def has_parts(self) -> bool:
        """Return True if the total has summands other than hanchan."""
        return bool(self.standing.carried or self.credits or self.adjustments or self.counted_apart)


def totals_of(reader: Reader, entrant: Entrant) -> tuple[PlayerTotal, ...]:
    """Return the entrant's total in every block they stand in, in the order of the format."""
    gains: defaultdict[int, list[int]] = defaultdict(list)
    order = ("sheet__hanchan__table_session__session__number", "block__stage__order", "sheet__hanchan__number")
    for block, points in counted_results(reader, entrant).order_by(*order).values_list("block", "points"):
        gains[block].append(points)
    return _with_gains(reader, entrant, gains)


def counted_results(reader: Reader, entrant: Entrant) -> QuerySet[SeatResult]:
    """Return the entrant's results that count, without those annulled since an opponent left."""
    own = entries_of(reader, entrant)
    annulled = [hanchan for who, hanchan in annulled_in(reader) if who in own]
    rows = reader.ranked_results(entrant__in=own)
    return rows.exclude(sheet__hanchan__in=annulled) if annulled else rows


def _with_gains(reader: Reader, entrant: Entrant, gains: Mapping[int, Sequence[int]]) -> tuple[PlayerTotal, ...]:
    """Return the entrant's totals with their parts, given the points of each hanchan by block id."""
    adjustments: defaultdict[int, list[Adjustment]] = defaultdict(list)
    for row in _adjustments_of(reader, entrant):
        adjustments[row.block_id].append(row)
    standings = standings_of(reader, entrant=entrant)
    credited = credits_of(reader)
    return tuple(
        PlayerTotal(
            row,
            tuple(gains.get(row.block_id, ())),
            tuple(adjustments[row.block_id]),
            credited.get(row.block.key, {}).get(row.entrant_id, ()),
        )
        for row in standings
    )


def _adjustments_of(reader: Reader, entrant: Entrant) -> Iterable[Adjustment]:
    if (season := prepared_of(reader)) is not None:
        return [row for row in season.adjustments if row.entrant_id == entrant.pk]
    return reader.decisions(Adjustment, entrant__in=entries_of(reader, entrant))


def entries_of(reader: Reader, entrant: Entrant) -> list[int]:
    """Return the ids under which the entrant's results are stored; at an open table those of merged entrants too."""
    if reader.competition.kind != Competition.Kind.OPEN:
        return [entrant.pk]
    return [entrant.pk, *Entrant.objects.filter(merged_into=entrant).order_by("pk").values_list("pk", flat=True)]


@dataclass(frozen=True, slots=True)
class EntrantPage:
    """An entrant in a competition: totals, record, results and next tables."""

    entrant: Entrant
    totals: tuple[PlayerTotal, ...]
    record: Record
    results: tuple[SeatResult, ...]
    """Results that count, newest first; at an open table at most `RESULTS_SHOWN`. An annulled one is a credit of 0."""


def entrant_of(reader: Reader, key: str) -> Entrant | None:
    """Return the entrant whose player has this key; None without one, or if an open table's games are private."""
    if reader.guards_guests:
        return None
    # The prepared season is read for the page anyway, here with the results of its blocks in the same query.
    season = season_with(reader, Prepared.Part.BLOCK)
    known = (row.entrant for row in (season.standings if season is not None else ()))
    found = next((row for row in known if row.player.key == key), None)
    rows = Entrant.objects.filter(competition=reader.competition, player__key=key)
    return found or rows.select_related("player", "competition").first()


def entrant_page(reader: Reader, entrant: Entrant, places: int) -> EntrantPage:
    """Return the page of an entrant; `places` is the number of players at a table."""
    results = counted_results(reader, entrant)
    if reader.competition.kind == Competition.Kind.OPEN:
        return EntrantPage(
            entrant=entrant,
            totals=totals_of(reader, entrant),
            record=record_of(results, places),
            results=tuple(_newest_first(results)[:RESULTS_SHOWN]),
        )
    # A league's format bounds the number of an entrant's results: all are read once and summed here.
    rows = tuple(_newest_first(results))
    gains: defaultdict[int, list[int]] = defaultdict(list)
    for row in reversed(rows):
        gains[row.block_id].append(row.points)
    record = record_of_games([(row.place, row.final_score) for row in rows], places)
    return EntrantPage(entrant=entrant, totals=_with_gains(reader, entrant, gains), record=record, results=rows)


@dataclass(frozen=True, slots=True)
class BlockResults:
    """The results of an entrant in one block, newest first, and the total that they add up to.

    `total` is None where the entrant has results but no standing.
    """

    block: Block
    total: PlayerTotal | None
    results: tuple[SeatResult, ...]


def results_by_block(page: EntrantPage) -> tuple[BlockResults, ...]:
    """Return the page's results by block, the newest block first; a block with points but no result comes too."""
    totals = {each.standing.block_id: each for each in page.totals}
    blocks = {row.block_id: row.block for row in page.results}
    blocks |= {key: each.standing.block for key, each in totals.items() if each.has_parts or key in blocks}
    found = (
        BlockResults(block, totals.get(key), tuple(row for row in page.results if row.block_id == key))
        for key, block in blocks.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.block.stage.order, each.block.order)))


def _newest_first(results: QuerySet[SeatResult]) -> QuerySet[SeatResult]:
    return results.select_related(
        "block__stage", "sheet__hanchan__table_session__session", "player", "entrant__player"
    ).order_by("-sheet__hanchan__table_session__session__number", "-block__stage__order", "-sheet__hanchan__number")


@dataclass(frozen=True, slots=True)
class CompetitionRecord:
    """A competition in a player's history."""

    reader: Reader
    entrant: Entrant
    record: Record
    totals: tuple[PlayerTotal, ...]
    """The total in every stage reached, the furthest stage first."""
    is_champion: bool
    scale: int
    """Scale of the ranking ledger."""


def season_of(reader: Reader, entrant: Entrant) -> CompetitionRecord:
    """Return the player's figures in one competition under its rules."""
    ruleset = ruleset_of(rules_of(reader))
    results = counted_results(reader, entrant)
    outcome = outcome_of(reader)
    return CompetitionRecord(
        reader=reader,
        entrant=entrant,
        record=record_of(results, ruleset.players),
        totals=tuple(reversed(totals_of(reader, entrant))),
        is_champion=outcome is not None
        and outcome.champion_state == SlotState.State.CERTAIN
        and outcome.champion_id == entrant.pk,
        scale=ruleset.ranking_ledger.scale,
    )


def add_records(one: Record, other: Record) -> Record:
    """Add two records of tables with the same number of players."""
    best = [each.best for each in (one, other) if each.best is not None]
    worst = [each.worst for each in (one, other) if each.worst is not None]
    return Record(
        played=one.played + other.played,
        places=tuple(map(sum, zip(one.places, other.places, strict=True))),
        best=max(best, default=None),
        worst=min(worst, default=None),
    )
