"""Derivation of standings, slots and outcome from the facts of a competition.

`facts_at` reads the facts as of one version for one audience; `derive` is a pure function of them. Pages and
the publishing task use both, so that pages and stored rows agree.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from django.db.models import QuerySet

from league.models import (
    Adjustment,
    Block,
    Competition,
    Draw,
    Entrant,
    Hanchan,
    Outcome,
    Override,
    Ruling,
    Slot,
    SlotState,
    Standing,
)
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.prepared import PreparedSeason, SeatCell, cells_of, season_of
from league.selectors.standings.rounds import closed_in, prepared_rounds, rounds_in
from scoring import stages
from scoring.format import Format
from scoring.further import GivenOrders
from scoring.rests import Rounds
from scoring.ruleset import Ruleset
from scoring.stages import Awaiting, BlockStandings, PassOver, Replace, Resolution, is_complete, resolve
from scoring.standings import Decision, Played, Ranked, Row, Standings, Withdrawal, rank

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Facts:
    """The input of the engine; blocks by key, entrants by id, points as integers at the ranking ledger's scale."""

    league_format: Format
    players: int
    scale: int
    seeds: Mapping[int, int]
    played: Mapping[str, Mapping[int, tuple[Played, ...]]]
    adjustments: Mapping[tuple[str, int], int]
    rulings: Mapping[str, tuple[tuple[int, ...], ...]]
    draws: Mapping[str, Any]
    overrides: tuple[Replace | PassOver, ...]
    roster: tuple[int, ...]
    """The ids of all entrants, who all play in an open block."""
    withdrawn: frozenset[int]
    """The ids of the entrants who withdrew, where the format ranks them otherwise than their results do."""
    tallied: frozenset[str]
    """Keys of the blocks whose games are summed up in tallies instead of ranked one by one."""
    closed: frozenset[str]
    """Keys of the blocks that the organizer has closed before all their hanchan were played."""
    rounds: Mapping[str, Rounds]
    """The order of play in each block with rests, where `played` has each entrant's own numbers."""
    lot: str
    """The published seed of lots that break ties: the competition's address."""

    @property
    def given(self) -> GivenOrders:
        """Return what criteria after going back need besides results."""
        return GivenOrders(seeds={entrant: number for number, entrant in self.seeds.items()}, lot=self.lot)


@dataclass(frozen=True, slots=True)
class Derivation:
    """The result of `derive`: each block's standings, and the slots and outcome of the ladder."""

    facts: Facts
    standings: Mapping[str, Standings]
    resolution: Resolution
    complete: frozenset[str]
    """Keys of the blocks in which nothing is to come: everything has been played, or the organizer closed them."""


def tallied_blocks(competition: Competition) -> QuerySet[Block]:
    """Return the blocks of an open table, whose endless games are tallied (`standings.tallies`) instead of ranked here.

    A league without stages is still ranked: its table explains what decided each rank.
    """
    if competition.kind != Competition.Kind.OPEN:
        return Block.objects.none()
    return Block.objects.filter(competition=competition, stage__hanchan_count=None, slots=None).select_related(
        "competition"
    )


def withdrawal_policy(league_format: Format) -> Withdrawal:
    """Return how a format ranks entrants who withdrew; one that says nothing leaves them the rank of their results."""
    del league_format  # no format says anything yet
    return Withdrawal.KEPT


def withdrawn_entrants(reader: Reader, league_format: Format) -> frozenset[int]:
    """Return the ids of the entrants who had withdrawn at the reader's version, as far as the format ranks by it."""
    if withdrawal_policy(league_format) is Withdrawal.KEPT:
        return frozenset()
    changes = reader.deciding_changes().filter(kind="entrant.withdrawn", subject_type="entrant")
    return frozenset(int(pk) for pk in changes.values_list("subject_id", flat=True))


def facts_at(reader: Reader) -> Facts:
    """Return the competition's facts as of the reader's version, as far as its audience may know them."""
    competition = reader.competition
    rules = rules_of(reader)
    ruleset = ruleset_of(rules)
    # Prepared rows need far fewer queries; `manage.py verify` compares them with the facts read below.
    if (season := season_of(reader)) is not None and (cells := cells_of(reader)) is not None:
        return facts_from(season, cells, format_of(rules), ruleset)
    tallied = frozenset(tallied_blocks(competition).values_list("key", flat=True))
    entrants = Entrant.objects.filter(competition=competition).order_by("number")
    slots = Slot.objects.filter(block__competition=competition).exclude(seeded=None).order_by()
    adjustments: defaultdict[tuple[str, int], int] = defaultdict(int)
    for row in reader.decisions(Adjustment, block__competition=competition).select_related("block"):
        adjustments[row.block.key, row.entrant_id] += row.points
    rulings: defaultdict[str, list[tuple[int, ...]]] = defaultdict(list)
    for ruling in reader.decisions(Ruling, competition=competition):
        rulings[ruling.scope].append(tuple(ruling.order))
    played = played_by_block(reader, tallied)
    rounds = rounds_in(reader)
    return Facts(
        league_format=format_of(rules),
        players=ruleset.players,
        scale=ruleset.ranking_ledger.scale,
        seeds={seed_number(slot.source): slot.seeded_id for slot in slots if slot.seeded_id},
        played={key: rounds[key].numbered(games) if key in rounds else games for key, games in played.items()},
        adjustments=dict(adjustments),
        rulings={scope: tuple(orders) for scope, orders in rulings.items()},
        draws=draws_of(reader),
        overrides=tuple(overrides_of(reader)),
        # An open table may have thousands of entrants, and tallied blocks need none of them.
        roster=() if tallied else tuple(entrants.values_list("pk", flat=True)),
        withdrawn=withdrawn_entrants(reader, format_of(rules)),
        tallied=tallied,
        lot=competition.slug,
        closed=closed_in(reader),
        rounds=rounds,
    )


def stored_facts(facts: Facts) -> dict[str, object]:
    """Return the facts other than results in the JSON form that prepared rows store."""
    return {
        "seeds": sorted(facts.seeds.items()),
        "adjustments": [[block, entrant, points] for (block, entrant), points in sorted(facts.adjustments.items())],
        "rulings": facts.rulings,
        "draws": facts.draws,
        "overrides": [[type(each).__name__, *astuple(each)] for each in facts.overrides],
        "roster": facts.roster,
        "withdrawn": sorted(facts.withdrawn),
        "closed": sorted(facts.closed),
        "awaited": {
            key: [[*rounds.place[game], sorted(entrants)] for game, entrants in sorted(rounds.awaited.items())]
            for key, rounds in facts.rounds.items()
        },
    }


def facts_from(
    season: PreparedSeason, cells: Mapping[int, Sequence[SeatCell]], league_format: Format, ruleset: Ruleset
) -> Facts:
    """Build the same `Facts` as `facts_at` from prepared rows."""
    said = season.facts
    overrides: Mapping[str, Callable[..., Replace | PassOver]] = {"Replace": Replace, "PassOver": PassOver}
    played: dict[str, Mapping[int, tuple[Played, ...]]] = {}
    for block in season.blocks:
        counts, own = block.stage.hanchan_count is not None, defaultdict[int, list[Played]](list)
        for cell in cells.get(block.pk, ()):
            games = own[cell.entrant]
            number = cell.number if counts else len(games) + 1
            games.append(Played(number, cell.points, cell.place, cell.final_score, cell.hanchan))
        if own:
            played[block.key] = {entrant: tuple(games) for entrant, games in own.items()}
    rounds = prepared_rounds(season, cells)
    played |= {key: rounds[key].numbered(games) for key, games in played.items() if key in rounds}
    return Facts(
        league_format=league_format,
        players=ruleset.players,
        scale=ruleset.ranking_ledger.scale,
        seeds=dict(said["seeds"]),
        played=played,
        adjustments={(block, entrant): points for block, entrant, points in said["adjustments"]},
        rulings={scope: tuple(map(tuple, orders)) for scope, orders in said["rulings"].items()},
        draws=said["draws"],
        overrides=tuple(overrides[kind](*values) for kind, *values in said["overrides"]),
        roster=tuple(said["roster"]),
        withdrawn=frozenset(said["withdrawn"]),
        tallied=frozenset(),
        lot=season.competition.slug,
        closed=frozenset(said["closed"]),
        rounds=rounds,
    )


def seed_number(source: str) -> int:
    """Return the number in a source such as `seed:3`."""
    return int(source.removeprefix("seed:"))


def played_by_block(reader: Reader, tallied: frozenset[str]) -> Mapping[str, Mapping[int, tuple[Played, ...]]]:
    """Return every entrant's hanchan in every block, numbered as the block counts them.

    In a stage without a fixed number of hanchan an entrant's games are numbered in the order they were scheduled.
    """
    blocks = Block.objects.filter(competition=reader.competition).exclude(key__in=tallied).order_by()
    rows = (
        reader.seat_results(block__in=list(blocks))
        .order_by("sheet__hanchan__number", "sheet__hanchan")
        .values_list(
            "block__key",
            "entrant",
            "sheet__hanchan__number",
            "points",
            "place",
            "final_score",
            "sheet__hanchan",
            "block__stage__hanchan_count",
        )
    )
    found: defaultdict[str, defaultdict[int, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for key, entrant, number, points, place, score, hanchan, planned in rows:
        own = found[key][entrant]
        own.append(Played(number if planned is not None else len(own) + 1, points, place, score, hanchan))
    return {key: {entrant: tuple(own) for entrant, own in block.items()} for key, block in found.items()}


def draws_of(reader: Reader) -> Mapping[str, Any]:
    """Return the result of the draw in force for each stage, by stage key."""
    rows = reader.decisions(Draw, stage__competition=reader.competition).select_related("stage")
    # Decisions come oldest first, so the newest draw of a stage wins.
    return {row.stage.key: row.result for row in rows}


def overrides_of(reader: Reader) -> Iterator[Replace | PassOver]:
    """Yield the organizers' slot overrides and passed-over entrants, oldest first."""
    rows = reader.decisions(Override, block__competition=reader.competition)
    for row in rows.select_related("block", "slot"):
        if row.kind == Override.Kind.REPLACE and row.slot is not None:
            yield Replace(row.block.key, row.slot.number, row.source, row.reason, row.entrant_id)
        elif row.entrant_id is not None:
            yield PassOver(row.block.key, row.entrant_id, row.reason)


def id_of(entrant: Hashable) -> int:
    """Return the engine's entrant as an id; raise TypeError if it is not one.

    The engine accepts any hashable value for an entrant; the service always passes ids.
    """
    if not isinstance(entrant, int):
        raise TypeError(f"{entrant!r} is not an entrant id")
    return entrant


def id_or_none(entrant: Hashable) -> int | None:
    """Return the entrant's id, or None for None."""
    return None if entrant is None else id_of(entrant)


def derive(facts: Facts) -> Derivation:
    """Rank the blocks stage by stage and resolve the ladder.

    The order matters: entrants and carried points of a later stage come from the earlier ones.
    """
    known: dict[str, BlockStandings] = {}
    resolution = resolved(facts, known)
    for stage in facts.league_format.stages:
        for block in stage.blocks:
            known[block.key] = ranked_block(facts, block.key, resolution)
        resolution = resolved(facts, known)
    complete = frozenset(key for key, block in known.items() if block.complete)
    return Derivation(facts, {key: block.standings for key, block in known.items()}, resolution, complete)


def resolved(facts: Facts, known: Mapping[str, BlockStandings]) -> Resolution:
    """Return the ladder as resolved from the blocks ranked up to now."""
    return resolve(
        facts.league_format,
        known,
        seeds=facts.seeds,
        draws=facts.draws,
        overrides=facts.overrides,
        rulings=facts.rulings,
        scale=facts.scale,
        given=facts.given,
    )


def ranked_block(facts: Facts, key: str, resolution: Resolution) -> BlockStandings:
    """Return a block's standings: of the entrants that certainly play in it, and of those with a result in it."""
    if key in facts.tallied:
        return BlockStandings(Standings(()), complete=False)
    played = facts.played.get(key, {})
    certain = {
        id_of(slot.entrant): slot.carried or 0
        for slot in resolution.slots.get(key, ())
        if slot.state is stages.Certainty.CERTAIN and slot.entrant is not None
    }
    if facts.league_format.blocks[key].is_open:
        certain = dict.fromkeys(facts.roster, 0)
    rows = [
        Row(entrant, played.get(entrant, ()), certain.get(entrant, 0), facts.adjustments.get((key, entrant), 0))
        # An entrant replaced after playing keeps a row: no result may vanish from the table.
        for entrant in {**certain, **dict.fromkeys(played, 0)}
    ]
    standings = rank(
        rows,
        facts.league_format.tiebreak,
        facts.rulings.get(key, ()),
        facts.players,
        given=facts.given,
        withdrawn=facts.withdrawn,
        withdrawal=withdrawal_policy(facts.league_format),
    )
    is_known = len(certain) == len(resolution.slots.get(key, ())) > 0 or key in facts.closed
    return BlockStandings(standings, is_known and is_complete(facts.league_format, key, standings, facts.closed))


@dataclass(frozen=True, slots=True)
class RowTargets:
    """Blocks by key and slots by block key and number, to which derived rows of a competition belong."""

    competition: Competition
    blocks: Mapping[str, Block]
    slots: Mapping[tuple[str, int], Slot]

    @classmethod
    def of(cls, competition: Competition) -> RowTargets:
        """Read the blocks and slots of a competition once, for the rows of all audiences."""
        blocks = {block.pk: block for block in Block.objects.filter(competition=competition).order_by()}
        slots = Slot.objects.filter(block__in=blocks.values()).order_by()
        return cls(
            competition,
            {block.key: block for block in blocks.values()},
            {(blocks[slot.block_id].key, slot.number): slot for slot in slots},
        )


def derivation_rows(
    places: RowTargets, derivation: Derivation
) -> tuple[list[Standing], list[SlotState], list[Outcome]]:
    """Return a derivation as unsaved rows, without audience and version."""
    standings = [
        row
        for key, standings in derivation.standings.items()
        for row in standing_rows(places.blocks[key], standings, derivation.resolution)
    ]
    states = [
        slot_row(places.slots[state.block, state.number], state)
        for of_block in derivation.resolution.slots.values()
        for state in of_block
    ]
    return standings, states, [outcome_row(places.competition, derivation.resolution)]


def standing_rows(block: Block, standings: Standings, resolution: Resolution) -> Iterator[Standing]:
    """Yield a block's standings as rows, each with the decision that separates it from the neighbour above."""
    decided = {decision.below: decision for decision in standings.decisions}
    leads_to = resolution.destinations.get(block.key, ())
    for line in standings.ranked:
        yield Standing(
            block=block,
            entrant_id=id_of(line.entrant),
            position=line.position,
            rank=line.rank,
            is_ranked=line.is_ranked,
            is_tied=line.tied,
            total=line.total,
            carried=line.row.carried,
            adjustment=line.row.adjustment,
            played=line.played,
            places=list(line.places),
            destination=leads_to[line.position - 1] if line.position <= len(leads_to) else "",
            decision=decision_json(decided.get(line.entrant), line),
        )


def decision_json(decision: Decision | None, line: Ranked) -> dict[str, object] | None:
    """Return the decision between an entrant and the neighbour above as JSON, with the hanchan that decided."""
    if decision is None:
        return None
    return {
        "above": decision.above,
        "below": line.entrant,
        "criterion": decision.criterion,
        "number": decision.number,
        "above_value": decision.above_value,
        "below_value": decision.below_value,
        "above_hanchan": decision.above_ref,
        "below_hanchan": decision.below_ref,
        "clause": decision.clause,
    }


def slot_row(slot: Slot, state: stages.SlotState) -> SlotState:
    """Return a slot's state as an unsaved row."""
    return SlotState(
        slot=slot,
        state=state.state.value,
        entrant_id=id_or_none(state.entrant),
        source=state.source,
        candidates=list(state.candidates),
        reason=state.reason.value,
        carried=state.carried,
        note=state.note,
    )


def outcome_row(competition: Competition, resolution: Resolution) -> Outcome:
    """Return the competition's outcome as an unsaved row."""
    champion = resolution.champion
    return Outcome(
        competition=competition,
        champion_id=id_or_none(champion.entrant) if champion else None,
        champion_state=champion.state.value if champion else "",
        awaiting=[awaiting_json(tie) for tie in resolution.awaiting],
        pools={
            stage: [
                {"number": slot.number, "state": slot.state.value, "entrant": slot.entrant, "source": slot.source}
                for slot in pool
            ]
            for stage, pool in resolution.pools.items()
        },
    )


def awaiting_json(tie: Awaiting) -> dict[str, object]:
    """Return a tie that awaits a ruling as JSON."""
    return {
        "scope": tie.scope,
        "entrants": list(tie.entrants),
        "ranks": list(tie.ranks),
        "places": list(tie.places),
        "slots": [list(slot) for slot in tie.slots],
    }


def own_number(facts: Facts, hanchan: Hanchan, entrant: int) -> int:
    """Return which of the entrant's own hanchan in the block this one is, if it counts for the entrant."""
    rounds = facts.rounds.get(hanchan.block.key)
    if rounds is None:
        return hanchan.number
    played = (game.ref for game in facts.played.get(hanchan.block.key, {}).get(entrant, ()))
    return rounds.own_number(entrant, played, hanchan.pk, (hanchan.number, hanchan.pk))


def with_hanchan(facts: Facts, hanchan: Hanchan, played: Mapping[int, Played]) -> Facts:
    """Return the facts with one hanchan's result replaced."""
    return with_results(facts, {hanchan: played})


def with_results(facts: Facts, results: Mapping[Hanchan, Mapping[int, Played]]) -> Facts:
    """Return the facts with the results of these hanchan replaced, in the order given."""
    replaced = {hanchan.pk for hanchan in results}
    blocks = {hanchan.block.key for hanchan in results}
    played = {
        key: {entrant: [one for one in own if one.ref not in replaced] for entrant, own in facts.played[key].items()}
        for key in blocks & facts.played.keys()
    }
    rounds = dict(facts.rounds)
    for hanchan, result in results.items():
        key = hanchan.block.key
        if key in rounds:
            rounds[key] = rounds[key].with_result(hanchan.pk, (hanchan.number, hanchan.pk))
        for entrant, one in result.items():
            own = played.setdefault(key, {}).setdefault(entrant, [])
            number = one.number if hanchan.block.stage.hanchan_count is not None else len(own) + 1
            own.append(replace(one, number=number))
    ordered = {key: _in_order(rounds[key].numbered(block) if key in rounds else block) for key, block in played.items()}
    return replace(facts, played={**facts.played, **ordered}, rounds=rounds)


def _in_order(block: Mapping[int, Sequence[Played]]) -> dict[int, tuple[Played, ...]]:
    """Return the entrants who have played in a block, each with their hanchan in order of number."""
    return {entrant: tuple(sorted(own, key=lambda each: each.number)) for entrant, own in block.items() if own}
