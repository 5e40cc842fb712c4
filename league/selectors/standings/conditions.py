"""What everybody needs before a block ends, as one audience may know it.

The one idea: the facts are those that the published standings were derived from, so conditions, standings and ladder
speak of the same moment. The tables that play their last hanchan are read from the schedule the audience may see; of
whoever sits at none of them only the number of hanchan left is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Block, Entrant, Hanchan, HanchanSeat
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id, is_closed_to
from league.selectors.competitions.schedule import PlayedHanchan, played_hanchan
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.standings.derivation import Derivation, Facts, derive, facts_at, id_of
from league.selectors.standings.odds import advance_share
from league.selectors.standings.prepared import PreparedSeason, season_of
from league.selectors.standings.tables import blocks_of
from league.wording.names import table_name
from scoring.conditions import (
    Distance,
    Elsewhere,
    LastTable,
    Needs,
    Obstacle,
    Sentence,
    Situation,
    Status,
    distances,
    hanchan_range,
    needs_of,
    profile_of,
    proof,
    sentences_of,
    status_of,
)
from scoring.lines import OUT, WITHDRAWN
from scoring.ruleset import Ruleset
from scoring.stages import PassOver, State
from scoring.standings import Ranked
from scoring.tiebreak import Entrant as Id


@dataclass(frozen=True, slots=True)
class Target:
    """Something to be reached in a block: the first so many get there, or somewhere better."""

    places: int
    destination: str
    """As a standing names it."""
    is_last_to_go_on: bool
    """Whoever misses it goes nowhere."""


@dataclass(frozen=True, slots=True)
class PlayerConditions:
    """What one player needs for one target."""

    entrant: Entrant
    ranked: Ranked
    left: int
    status: Status
    distance: Distance | None
    needs: Needs | None
    """None unless the player sits at a table in its last hanchan, under rules where margins say it all."""
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class TargetConditions:
    """What everybody needs for one target, in the order of the standings."""

    target: Target
    players: tuple[PlayerConditions, ...]


@dataclass(frozen=True, slots=True)
class BlockConditions:
    """A block under way, with what everybody in it needs."""

    block: Block
    situation: Situation
    ranked: tuple[Ranked, ...]
    people: Mapping[Id, Entrant]
    last: tuple[Hanchan, ...]
    """The last hanchan of each table of the situation, in its order."""
    scale: int
    targets: tuple[TargetConditions, ...]

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Why margins do not say it all; empty where they do."""
        return self.situation.obstacles

    @property
    def hanchan_left(self) -> int:
        """The most that anybody still has to play."""
        return max(self.situation.left.values(), default=0)

    @property
    def is_last(self) -> bool:
        """Whether a table plays its last hanchan, under rules where margins say it all."""
        return bool(self.last) and not self.obstacles

    def hanchan_of(self, group: Elsewhere) -> Hanchan | None:
        """The last hanchan of a group that is one table."""
        return None if group.table is None else self.last[group.table]


def conditions_of(
    reader: Reader, *, block: Block | None = None, hanchan: Hanchan | None = None
) -> tuple[BlockConditions, ...]:
    """What everybody needs in every block under way, or in one; with a hanchan, of those who sit in it alone."""
    if is_closed_to(reader):
        return ()
    blocks = blocks_of(reader) if block is None else [block]
    if (season := season_of(reader)) is not None:
        blocks = [row for row in blocks if has_begun(season, row)]
        if not blocks:
            return ()
    facts = facts_at(reader)
    derived = derive(facts)
    open_blocks = [row for row in blocks if is_under_way(facts, derived, row.key)]
    if not open_blocks:
        return ()
    shares = advance_share(reader.competition, reader.audience) if reader.until is None else {}
    people = entrants_by_id(reader.competition, facts.roster)
    reckoning = _Reckoning(facts, derived, ruleset_of(rules_of(reader)), shares, people)
    awaited = _awaited(reader, open_blocks)
    return tuple(reckoning.block(row, awaited.get(row.pk, ()), hanchan) for row in open_blocks)


def has_begun(season: PreparedSeason, block: Block) -> bool:
    """Whether something in the block has been played and something has not: `is_under_way` as far as rows tell."""
    played = [row.played for row in season.standings if row.block_id == block.pk]
    planned = block.stage.hanchan_count
    return planned is not None and any(played) and min(played) < planned


def is_under_way(facts: Facts, derived: Derivation, key: str) -> bool:
    """Whether everybody in the block is known, something in it has been played and something has not."""
    planned = facts.league_format.stage_of[key].hanchan
    slots = derived.resolution.slots.get(key, ())
    ranked = derived.standings[key].ranked
    if planned is None or not slots or not targets_of(derived, key):
        return False
    is_known = all(slot.state is State.CERTAIN and slot.entrant is not None for slot in slots)
    played = [line.played for line in ranked]
    return is_known and len(ranked) == len(slots) and any(played) and min(played) < planned


def targets_of(derived: Derivation, key: str) -> tuple[Target, ...]:
    """Where the block's ranks lead, best first, with how many get there or better; being out is no target.

    The final places behind the champion lead nowhere in particular.
    """
    places = [place for place in derived.resolution.destinations.get(key, ()) if place != WITHDRAWN]
    going = [place for place in places if place != OUT and not place[:1].isdigit()]
    last_of = {place: number for number, place in enumerate(going, start=1)}
    return tuple(
        Target(number, place, is_last_to_go_on=number == len(going))
        for place, number in last_of.items()
        if number < len(places)
    )


def _awaited(reader: Reader, blocks: Sequence[Block]) -> Mapping[int, tuple[PlayedHanchan, ...]]:
    """The hanchan of these blocks still to be played, by block, with the seats this audience may know."""
    rows = (
        reader.hanchan()
        .filter(block__in=blocks, table_session__is_cancelled=False)
        .exclude(state=Hanchan.State.ABANDONED)
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .select_related("table_session__session", "block__stage", "rules__ruleset", "rules__format")
        .prefetch_related(Prefetch("seats", HanchanSeat.objects.select_related("entrant__player", "player")))
        .order_by("number", "table_session__order", "pk")
    )
    by_block: defaultdict[int, list[PlayedHanchan]] = defaultdict(list)
    for row in played_hanchan(reader, list(rows)):
        by_block[row.hanchan.block_id].append(row)
    return {key: tuple(found) for key, found in by_block.items()}


def _last_tables(awaited: Sequence[PlayedHanchan], left: Mapping[int, int], players: int) -> Iterator[PlayedHanchan]:
    """The hanchan that are the last for all who sit there, and the only one scheduled for each of them."""
    scheduled = Counter(seat.entrant_id for each in awaited for seat in each.planned)
    for each in awaited:
        seats = [seat.entrant_id for seat in each.planned]
        if len(seats) == players and all(left.get(seat) == 1 and scheduled[seat] == 1 for seat in seats):
            yield each


@dataclass(frozen=True, slots=True)
class _Reckoning:
    """What the conditions of every block are reckoned from."""

    facts: Facts
    derived: Derivation
    ruleset: Ruleset
    """The rules in force, for blocks whose last tables are not scheduled."""
    shares: Mapping[int, tuple[int, int]]
    """By entrant: in how many of how many simulated seasons they went on."""
    people: Mapping[int, Entrant]

    def block(self, row: Block, awaited: Sequence[PlayedHanchan], only: Hanchan | None) -> BlockConditions:
        """One block's conditions; whoever was passed over plays on without a claim to a rank."""
        passed = {each.entrant for each in self.facts.overrides if isinstance(each, PassOver) and each.block == row.key}
        every = self.derived.standings[row.key].ranked
        planned = self.facts.league_format.stage_of[row.key].hanchan or 0
        left = {id_of(line.entrant): max(planned - line.played, 0) for line in every}
        last = tuple(_last_tables(awaited, left, self.facts.players))
        ranked = tuple(line for line in every if line.entrant not in passed)
        situation = self._situation(ranked, left, last)
        targets = targets_of(self.derived, row.key)
        return BlockConditions(
            block=row,
            situation=situation,
            ranked=ranked,
            people=dict(self.people.items()),
            last=tuple(each.hanchan for each in last),
            scale=self.facts.scale,
            targets=tuple(
                TargetConditions(each, tuple(self._players(situation, ranked, each, only))) for each in targets
            ),
        )

    def _situation(self, ranked: Sequence[Ranked], left: Mapping[int, int], last: Sequence[PlayedHanchan]) -> Situation:
        """The block as the engine sees it; tables under different rules cannot be measured by one another's scores."""
        rules = [ruleset_of(each.hanchan.rules, each.hanchan.options) for each in last]
        rules = rules or [self.ruleset]
        profile, ranges = profile_of(rules[0]), {hanchan_range(each) for each in rules}
        is_one = all(profile_of(each) == profile for each in rules)
        return Situation(
            rows={line.entrant: line.row for line in ranked},
            left=dict(left.items()),
            tables=tuple(
                LastTable(tuple(seat.entrant_id for seat in each.planned), each.hanchan.number, each.hanchan.pk)
                for each in last
            ),
            profile=profile if is_one else (Obstacle.RULES_DIFFER,),
            tiebreak=self.facts.league_format.tiebreak,
            players=self.facts.players,
            per_hanchan=ranges.pop() if len(ranges) == 1 else None,
            deducts=any(each.settlement.chonbo is not None for each in rules),
        )

    def _players(
        self, situation: Situation, ranked: Sequence[Ranked], target: Target, only: Hanchan | None
    ) -> Iterator[PlayerConditions]:
        """Everybody in the order of the standings, or those who sit in one hanchan."""
        far = {each.entrant: each for each in distances(ranked, situation.left, target.places)}
        for line in ranked:
            table = situation.table_of.get(line.entrant)
            if only is not None and (table is None or situation.tables[table].ref != only.pk):
                continue
            is_told = table is not None and not situation.obstacles
            needs = needs_of(situation, line.entrant, target.places) if is_told else None
            count, seasons = self.shares.get(id_of(line.entrant), (0, 0)) if target.is_last_to_go_on else (0, 0)
            yield PlayerConditions(
                entrant=self.people[id_of(line.entrant)],
                ranked=line,
                left=situation.left[line.entrant],
                status=status_of(proof(situation, line.entrant, target.places), count, seasons),
                distance=far.get(line.entrant),
                needs=needs,
                sentences=sentences_of(needs) if needs else (),
            )


def elsewhere_text(found: BlockConditions, groups: Sequence[Elsewhere], people: Mapping[Hashable, str]) -> str:
    """The games of others: their tables by name, or who plays them."""
    return pgettext("between tables", " and ").join(group_text(found, each, people) for each in groups)


def group_text(found: BlockConditions, group: Elsewhere, people: Mapping[Hashable, str]) -> str:
    """One group: its table, or its players."""
    hanchan, tables = found.hanchan_of(group), [each.table_session.table for each in found.last]
    if hanchan is not None and hanchan.table_session.table and tables.count(hanchan.table_session.table) == 1:
        return table_name(hanchan.table_session.table)
    listed = pgettext("between players", ", ").join(people[each] for each in group.entrants)
    return _("the games of %(players)s") % {"players": listed}
