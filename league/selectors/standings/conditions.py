"""Advancement conditions before a block ends (勝ち上がり条件), as far as one audience may know them.

The facts are those from which the published standings were derived, so conditions, standings and ladder show
the same version. Tables that play their last hanchan are read from the schedule visible to the audience; for
every other entrant only the number of hanchan left is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Block, Entrant, Hanchan, HanchanSeat
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from league.selectors.competitions.schedule import PlayedHanchan, hide_states, places_held_back
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.standings.derivation import Derivation, derive, facts_at, own_number
from league.selectors.standings.facts import Facts, id_of
from league.selectors.standings.games_ahead import GamesAhead
from league.selectors.standings.odds import GoalCounts, advance_share, goal_counts
from league.selectors.standings.prepared import PreparedSeason, season_of
from league.selectors.standings.tables import blocks_of
from league.selectors.standings.targets import Target, decided_word, targets_of
from league.wording.names import table_name
from scoring.conditions import (
    BlockSituation,
    Distance,
    Elsewhere,
    LastTable,
    Needs,
    Obstacle,
    Profile,
    Sentence,
    Status,
    Word,
    distances,
    hanchan_range,
    needs_of,
    profile_of,
    proof,
    sentences_of,
    status_of,
    with_total,
)
from scoring.format import Seating
from scoring.lines import WITHDRAWN
from scoring.ruleset import Ruleset
from scoring.stages import Certainty
from scoring.standings import Ranked
from scoring.tiebreak import Entrant as Id


@dataclass(frozen=True, slots=True)
class PlayerConditions:
    """The conditions of one entrant for one target."""

    entrant: Entrant
    ranked: Ranked
    left: int
    status: Status
    distance: Distance | None
    to_total: int | None
    """Points missing to the total that the target also needs, negative for a lead; None if it needs none."""
    needs: Needs | None
    """None unless the entrant sits at a table in its last hanchan and score margins alone decide under its rules."""
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class TargetConditions:
    """The conditions of every entrant for one target, in the order of the standings."""

    target: Target
    players: tuple[PlayerConditions, ...]


@dataclass(frozen=True, slots=True)
class BlockConditions:
    """A block under way with the conditions of its entrants."""

    block: Block
    situation: BlockSituation
    ranked: tuple[Ranked, ...]
    people: Mapping[Id, Entrant]
    last: tuple[Hanchan, ...]
    """The last hanchan of each table of the situation, in the same order."""
    scale: int
    targets: tuple[TargetConditions, ...]

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Return the reasons why score margins are not sufficient; empty if they are."""
        return self.situation.obstacles

    @property
    def hanchan_left(self) -> int:
        """Return the largest number of hanchan that any entrant still has to play."""
        return max(self.situation.left.values(), default=0)

    @property
    def is_last(self) -> bool:
        """Return True if a table plays its last hanchan under rules where score margins alone decide."""
        return bool(self.last) and not self.obstacles

    def hanchan_of(self, group: Elsewhere) -> Hanchan | None:
        """Return the last hanchan of a group that is one table; None for entrants that sit at none."""
        return None if group.table is None else self.last[group.table]


def conditions_of(
    reader: Reader, *, block: Block | None = None, is_asked: Callable[[Entrant], bool] = lambda _entrant: True
) -> tuple[BlockConditions, ...]:
    """Return the conditions in every block under way, or in one block; only of the entrants that `is_asked` selects."""
    if reader.guards_guests:
        return ()
    blocks = blocks_of(reader) if block is None else [block]
    # A cheap look at prepared standings: deriving the whole season is only worth it if a block is under way.
    if (season := season_of(reader)) is not None:
        blocks = [row for row in blocks if has_begun(season, row)]
        if not blocks:
            return ()
    facts = facts_at(reader)
    derived = derive(facts)
    open_blocks = [row for row in blocks if is_under_way(facts, derived, row.key)]
    if not open_blocks:
        return ()
    shares = advance_share(reader)
    people = people_of(reader, facts)
    reckoning = _Reckoning(facts, derived, ruleset_of(rules_of(reader)), shares, goal_counts(reader), people)
    awaited = awaited_in(reader, open_blocks)
    return tuple(reckoning.block(row, awaited.get(row.pk, ()), is_asked) for row in open_blocks)


def has_begun(season: PreparedSeason, block: Block) -> bool:
    """Return True if some but not all of the block has been played.

    A weaker form of `is_under_way` for prepared rows.
    """
    played = [row.played for row in season.standings if row.block_id == block.pk]
    return block.stage.hanchan_count is not None and any(played) and block.key not in season.facts["complete"]


def is_under_way(facts: Facts, derived: Derivation, key: str) -> bool:
    """Return True if all entrants of the block are known and some but not all of its hanchan have been played."""
    planned = facts.league_format.stage_of[key].hanchan
    slots = derived.resolution.slots.get(key, ())
    ranked = derived.standings[key].ranked
    if planned is None or not slots or not targets_of(derived, key):
        return False
    is_known = all(slot.state is Certainty.CERTAIN and slot.entrant is not None for slot in slots)
    is_begun = any(line.played for line in ranked) and key not in derived.complete
    is_open = any(line.counted < planned for line in ranked if line.entrant not in facts.leaving)
    return is_known and len(ranked) == len(slots) and is_begun and is_open


def people_of(reader: Reader, facts: Facts) -> Mapping[int, Entrant]:
    """Return the entrants who hold a rank, by id; prepared standings have them already."""
    if (season := season_of(reader)) is not None:
        return {row.entrant_id: row.entrant for row in season.standings}
    return entrants_by_id(reader.competition, facts.roster)


def awaited_in(reader: Reader, blocks: Sequence[Block]) -> Mapping[int, tuple[PlayedHanchan, ...]]:
    """Return the hanchan of these blocks without a result by block id, with the seats that this audience may know.

    They are read once for a reader.
    """
    known: dict[int, tuple[PlayedHanchan, ...]] = reader.known.setdefault("awaited", {})
    missing = [block for block in blocks if block.pk not in known]
    if missing:
        known |= {block.pk: () for block in missing} | _read_awaited(reader, missing)
        reader.known["awaited"] = known
    return known


def _read_awaited(reader: Reader, blocks: Sequence[Block]) -> dict[int, tuple[PlayedHanchan, ...]]:
    rows = list(
        reader.hanchan()
        .filter(block__in=blocks, table_session__is_cancelled=False)
        .exclude(state=Hanchan.State.ABANDONED)
        # The reader's sheets, not the hanchan's state: a result may be confirmed but not visible to this audience.
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .select_related("table_session__session", "block__stage", "rules__ruleset", "rules__format")
        .prefetch_related(Prefetch("seats", HanchanSeat.objects.select_related("entrant__player", "player")))
        .order_by("number", "table_session__order", "pk")
    )
    hide_states(reader, rows)
    held_back = places_held_back(reader)
    by_block: defaultdict[int, list[PlayedHanchan]] = defaultdict(list)
    for row in rows:
        planned = tuple(seat for seat in row.seats.all() if (row.block_id, seat.entrant_id) not in held_back)
        by_block[row.block_id].append(PlayedHanchan(hanchan=row, sheet=None, results=(), planned=planned))
    return {key: tuple(found) for key, found in by_block.items()}


def _last_tables(awaited: Sequence[PlayedHanchan], left: Mapping[int, int], facts: Facts) -> Iterator[LastHanchan]:
    """Yield the hanchan that are the last, and the only one scheduled, for each entrant at the table.

    Where results were entered out of order it may be the n-th of one and another of the next: that is left out,
    because margins compare hanchan of one number.
    """
    scheduled = Counter(seat.entrant_id for each in awaited for seat in each.planned)
    for each in awaited:
        seats = [seat.entrant_id for seat in each.planned]
        if len(seats) == facts.players and all(left.get(seat) == 1 and scheduled[seat] == 1 for seat in seats):
            numbers = {own_number(facts, each.hanchan, seat) for seat in seats}
            if len(numbers) == 1:
                yield LastHanchan(each, numbers.pop())


@dataclass(frozen=True, slots=True)
class LastHanchan:
    """The last hanchan of a table, with its number among those of each entrant at it."""

    played: PlayedHanchan
    number: int


@dataclass(frozen=True, slots=True)
class _Reckoning:
    """The inputs from which the conditions of every block are computed."""

    facts: Facts
    derived: Derivation
    ruleset: Ruleset
    """The rules in force, for blocks whose last tables are not scheduled yet."""
    shares: Mapping[int, tuple[int, int]]
    """By entrant id: the number of simulated seasons in which the entrant advanced, and the number of seasons."""
    goals: GoalCounts
    people: Mapping[int, Entrant]

    def block(
        self, row: Block, awaited: Sequence[PlayedHanchan], is_asked: Callable[[Entrant], bool]
    ) -> BlockConditions:
        """Return the conditions of one block; entrants that were passed over or left hold no rank."""
        every = self.derived.standings[row.key].ranked
        destinations = self.derived.resolution.destinations[row.key]
        ahead = GamesAhead.of(self.facts, row.key, every, awaited)
        last = tuple(_last_tables(awaited, ahead.left, self.facts))
        ranked = tuple(line for line, place in zip(every, destinations, strict=False) if place != WITHDRAWN)
        # Who meets is a fact only where the organizers set it: other rounds may be seated again after an absence.
        is_set = self.facts.league_format.stage_of[row.key].seating is Seating.FIXTURES
        situation = self._situation(ranked, ahead, awaited if is_set else (), last)
        targets = targets_of(self.derived, row.key)
        return BlockConditions(
            block=row,
            situation=situation,
            ranked=ranked,
            people=dict(self.people.items()),
            last=tuple(each.played.hanchan for each in last),
            scale=self.facts.scale,
            targets=tuple(
                TargetConditions(each, tuple(self._players(row.key, situation, ranked, each, is_asked)))
                for each in targets
            ),
        )

    def _situation(
        self,
        ranked: Sequence[Ranked],
        ahead: GamesAhead,
        awaited: Sequence[PlayedHanchan],
        last: Sequence[LastHanchan],
    ) -> BlockSituation:
        """Return the block as the engine's `BlockSituation`.

        Tables under different rules cannot be compared by score margins: the profile is then the obstacle
        `RULES_DIFFER`.
        """
        rules = [ruleset_of(each.played.hanchan.rules, each.played.hanchan.options) for each in last]
        rules = rules or [self.ruleset]
        profile, ranges = profile_of(rules[0]), {hanchan_range(each) for each in rules}
        is_one = all(profile_of(each) == profile for each in rules)
        if not is_one:
            profile = (Obstacle.RULES_DIFFER,)
        elif ahead.has_open_byes and isinstance(profile, Profile):
            profile = (Obstacle.BYES,)
        return BlockSituation(
            rows={line.entrant: ahead.rows.get(id_of(line.entrant), line.row) for line in ranked},
            left=dict(ahead.left.items()),
            open_byes=dict(ahead.open_byes.items()),
            tables=tuple(
                LastTable(tuple(seat.entrant_id for seat in each.played.planned), each.number, each.played.hanchan.pk)
                for each in last
            ),
            profile=profile,
            tiebreak=self.facts.league_format.tiebreak.by_hanchan,
            players=self.facts.players,
            per_hanchan=ranges.pop() if len(ranges) == 1 else None,
            deducts=any(each.settlement.chonbo is not None for each in rules),
            fills_tables=ahead.fills_tables,
            fixtures=tuple(
                tuple(seat.entrant_id for seat in each.planned)
                for each in awaited
                if len(each.planned) == self.facts.players and not any(each is table.played for table in last)
            ),
        )

    def _players(
        self,
        key: str,
        situation: BlockSituation,
        ranked: Sequence[Ranked],
        target: Target,
        is_asked: Callable[[Entrant], bool],
    ) -> Iterator[PlayerConditions]:
        """Yield the conditions of the entrants that are asked for, in the order of the standings."""
        counted = [line for line in ranked if line.entrant not in target.exempt]
        # As with those who have left the competition: a row is a claim to a rank.
        rows = {line.entrant: situation.rows[line.entrant] for line in counted}
        situation = replace(situation, rows=rows) if target.exempt else situation
        far = {each.entrant: each for each in distances(counted, situation.left, target.places)}
        for line in ranked:
            entrant = self.people[id_of(line.entrant)]
            if not is_asked(entrant):
                continue
            is_exempt = line.entrant in target.exempt
            is_told = line.entrant in situation.table_of and not situation.obstacles and not is_exempt
            needs = needs_of(situation, line.entrant, target.places, total=target.needed) if is_told else None
            count, seasons = self._share(key, id_of(line.entrant), target)
            proved = decided_word(self.facts, line, target) if is_exempt else self._proof(situation, line, target)
            yield PlayerConditions(
                entrant=entrant,
                ranked=line,
                left=situation.left[line.entrant],
                status=status_of(proved, count, seasons),
                distance=far.get(line.entrant),
                to_total=None if target.needed is None or is_exempt else target.needed - line.total,
                needs=needs,
                sentences=sentences_of(needs) if needs else (),
            )

    def _share(self, key: str, entrant: int, target: Target) -> tuple[int, int]:
        """Return in how many of how many simulated seasons an entrant reached a target; (0, 0) where none counts it."""
        if target.is_last_to_go_on:
            return self.shares.get(entrant, (0, 0))
        return self.goals.reached(key, entrant, target.destination)

    def _proof(self, situation: BlockSituation, line: Ranked, target: Target) -> Word:
        """Return what is proved about a target; one that also needs a total is certain only with both."""
        proved = proof(situation, line.entrant, target.places)
        return proved if target.needed is None else with_total(situation, line.entrant, target.needed, proved)


def elsewhere_text(found: BlockConditions, groups: Sequence[Elsewhere], people: Mapping[Hashable, str]) -> str:
    """Name the games of other players that matter, by their tables or else by the players."""
    return pgettext("between tables", " and ").join(group_text(found, each, people) for each in groups)


def group_text(found: BlockConditions, group: Elsewhere, people: Mapping[Hashable, str]) -> str:
    """Name one group of games: its table if the table's name is unique in the last round, else its players."""
    hanchan, tables = found.hanchan_of(group), [each.table_session.table for each in found.last]
    # Two games of the last round may bear the same table name; then the players' names identify them.
    if hanchan is not None and hanchan.table_session.table and tables.count(hanchan.table_session.table) == 1:
        return table_name(hanchan.table_session.table)
    listed = _(", ").join(people[each] for each in group.entrants)
    return _("the games of %(players)s") % {"players": listed}
