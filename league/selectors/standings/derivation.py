"""Derivation of standings, slots and outcome from the facts of a competition.

`facts_at` reads the facts as of one version for one audience; `derive` is a pure function of them. Pages and
the publishing task use both, so that pages and stored rows agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from fractions import Fraction

from django.db.models import QuerySet

from league.models import (
    Adjustment,
    Block,
    Closing,
    Competition,
    Credit,
    Departure,
    Draw,
    Entrant,
    Hanchan,
    Override,
    Ruling,
    Slot,
)
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.seasons.series_places import series_tier
from league.selectors.standings.decisions import (
    adjusted_points,
    draws_of,
    given_by_block,
    kinds_decided,
    leaving_kinds,
    overrides_of,
    ruled_orders,
)
from league.selectors.standings.facts import Facts, id_of
from league.selectors.standings.leaving import counted_in, credits_by_block, passed_over, ways_out
from league.selectors.standings.prepared import PreparedSeason, SeatCell, cells_of, season_of
from league.selectors.standings.rounds import closed_in, prepared_rounds, rounds_in
from scoring import stages
from scoring.format import Format
from scoring.pyramid.places import BlockPlaces, block_places
from scoring.ruleset import Ruleset
from scoring.stages import BlockStandings, PassOver, Replace, Resolution, is_complete, resolve
from scoring.standings import Played, Row, Standings, rank


@dataclass(frozen=True, slots=True)
class Derivation:
    """The result of `derive`: each block's standings, and the slots and outcome of the ladder."""

    facts: Facts
    standings: Mapping[str, Standings]
    resolution: Resolution
    complete: frozenset[str]
    """Keys of the blocks in which nothing is to come: everything has been played, or the organizer closed them."""
    places: Mapping[str, BlockPlaces]
    """In a tier of a series, the places of the blocks whose ranks decide the final place."""


def tallied_blocks(competition: Competition) -> QuerySet[Block]:
    """Return the blocks of an open table, whose endless games are tallied (`standings.tallies`) instead of ranked here.

    A league without stages is still ranked: its table explains what decided each rank.
    """
    if competition.kind != Competition.Kind.OPEN:
        return Block.objects.none()
    return Block.objects.filter(competition=competition, stage__hanchan_count=None, slots=None).select_related(
        "competition"
    )


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
    # An open table may have thousands of entrants, and tallied blocks need none of them but the house players.
    listed = (entrants.filter(is_house=True) if tallied else entrants).values_list("pk", "is_house")
    house = frozenset(pk for pk, is_house in listed if is_house)
    slots = Slot.objects.filter(block__competition=competition).exclude(seeded=None).order_by()
    decided = kinds_decided(competition)
    played = played_by_block(reader, tallied)
    rounds = rounds_in(reader)
    return Facts(
        league_format=format_of(rules),
        players=ruleset.players,
        scale=ruleset.ranking_ledger.scale,
        seeds={int(slot.source.removeprefix("seed:")): slot.seeded_id for slot in slots if slot.seeded_id},
        played={key: rounds[key].numbered(games) if key in rounds else games for key, games in played.items()},
        adjustments=adjusted_points(reader) if Adjustment in decided else {},
        rulings=ruled_orders(reader) if Ruling in decided else {},
        draws=draws_of(reader) if Draw in decided else {},
        overrides=tuple(overrides_of(reader)) if Override in decided else (),
        roster=tuple(pk for pk, is_house in listed if not is_house),
        credits=given_by_block(reader) if Credit in decided else {},
        leaving=leaving_kinds(reader) if Departure in decided else {},
        house=house,
        tallied=tallied,
        lot=competition.slug,
        closed=closed_in(reader) if Closing in decided else frozenset(),
        rounds=rounds,
        series=series_tier(competition, with_decisions=reader.until is None),
    )


def stored_facts(derivation: Derivation) -> dict[str, object]:
    """Return the facts other than results in the JSON form that prepared rows store, and which blocks are complete."""
    facts = derivation.facts
    return {
        "seeds": sorted(facts.seeds.items()),
        "adjustments": [[block, entrant, points] for (block, entrant), points in sorted(facts.adjustments.items())],
        "rulings": facts.rulings,
        "draws": facts.draws,
        "overrides": [[type(each).__name__, *astuple(each)] for each in facts.overrides],
        "roster": facts.roster,
        "credits": [
            [key, entrant, each.number, each.kind, each.points, each.place]
            for key, block in sorted(facts.credits.items())
            for entrant, given in sorted(block.items())
            for each in given
        ],
        "leaving": sorted(facts.leaving.items()),
        "house": sorted(facts.house),
        "complete": sorted(derivation.complete),
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
        credits=credits_by_block(said["credits"]),
        leaving=dict(said["leaving"]),
        house=frozenset(said["house"]),
        tallied=frozenset(),
        lot=season.competition.slug,
        closed=frozenset(said["closed"]),
        rounds=rounds,
        series=series_tier(season.competition),
    )


def played_by_block(reader: Reader, tallied: frozenset[str]) -> Mapping[str, Mapping[int, tuple[Played, ...]]]:
    """Return every entrant's hanchan in every block, numbered as the block counts them.

    In a stage without a fixed number of hanchan an entrant's games are numbered in the order they were scheduled.
    """
    own_blocks = Block.objects.filter(competition=reader.competition).exclude(key__in=tallied).order_by()
    blocks = {pk: (key, planned) for pk, key, planned in own_blocks.values_list("pk", "key", "stage__hanchan_count")}
    rows = (
        reader.ranked_results(block__in=blocks)
        .order_by("sheet__hanchan__number", "sheet__hanchan")
        .values_list("block", "entrant", "sheet__hanchan__number", "points", "place", "final_score", "sheet__hanchan")
    )
    found: defaultdict[str, defaultdict[int, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for block, entrant, number, points, place, score, hanchan in rows:
        key, planned = blocks[block]
        own = found[key][entrant]
        own.append(Played(number if planned is not None else len(own) + 1, points, place, score, hanchan))
    return {key: {entrant: tuple(own) for entrant, own in block.items()} for key, block in found.items()}


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
    standings = {key: block.standings for key, block in known.items()}
    places = _places(facts, resolution, standings, is_over=complete == facts.league_format.blocks.keys())
    leads = {key: each.destinations for key, each in places.items()}
    resolution = replace(resolution, destinations={**resolution.destinations, **leads})
    return Derivation(facts, standings, resolution, complete, places)


def _places(
    facts: Facts, resolution: Resolution, standings: Mapping[str, Standings], *, is_over: bool
) -> Mapping[str, BlockPlaces]:
    """Return the places of a tier's blocks; none outside a series."""
    if facts.series is None:
        return {}
    # A later block overwrites: the total in the last block that an entrant has reached is the one that rules look at.
    totals = {
        row.entrant: Fraction(row.total, facts.scale)
        for stage in facts.league_format.stages
        for block in stage.blocks
        for row in standings[block.key].ranked
    }
    return block_places(
        facts.series.rules,
        facts.series.tier,
        facts.league_format,
        resolution,
        standings,
        facts.series.state,
        final=totals if is_over else None,
    )


def resolved(facts: Facts, known: Mapping[str, BlockStandings]) -> Resolution:
    """Return the ladder as resolved from the blocks ranked up to now."""
    return resolve(
        facts.league_format,
        known,
        seeds=facts.seeds,
        draws=facts.draws,
        overrides=(*facts.overrides, *passed_over(facts, {key: each.standings for key, each in known.items()})),
        rulings=facts.rulings,
        scale=facts.scale,
        given=facts.given,
    )


def ranked_block(facts: Facts, key: str, resolution: Resolution) -> BlockStandings:
    """Return a block's standings: of the entrants that certainly play in it, and of those with a result in it."""
    if key in facts.tallied:
        return BlockStandings(Standings(()), complete=False)
    played, not_played = counted_in(facts, key)
    certain = {
        id_of(slot.entrant): slot.carried or 0
        for slot in resolution.slots.get(key, ())
        if slot.state is stages.Certainty.CERTAIN and slot.entrant is not None
    }
    if facts.league_format.blocks[key].is_open:
        certain = dict.fromkeys(facts.roster, 0)
    rows = [
        Row(
            entrant,
            played.get(entrant, ()),
            certain.get(entrant, 0),
            facts.adjustments.get((key, entrant), 0),
            not_played.get(entrant, ()),
        )
        # An entrant replaced after playing keeps a row: no result may vanish from the table.
        for entrant in {**certain, **dict.fromkeys(facts.played.get(key, {}), 0)}
    ]
    standings = rank(
        rows,
        facts.league_format.tiebreak,
        facts.rulings.get(key, ()),
        facts.players,
        given=facts.given,
        leaving=dict(ways_out(facts, key).items()),
    )
    is_known = len(certain) == len(resolution.slots.get(key, ())) > 0 or key in facts.closed
    is_over = is_complete(facts.league_format, key, standings, facts.closed, facts.leaving)
    return BlockStandings(standings, is_known and is_over)


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
            if entrant in facts.house:
                continue
            own = played.setdefault(key, {}).setdefault(entrant, [])
            number = one.number if hanchan.block.stage.hanchan_count is not None else len(own) + 1
            own.append(replace(one, number=number))
    ordered = {key: _in_order(rounds[key].numbered(block) if key in rounds else block) for key, block in played.items()}
    return replace(facts, played={**facts.played, **ordered}, rounds=rounds)


def _in_order(block: Mapping[int, Sequence[Played]]) -> dict[int, tuple[Played, ...]]:
    """Return the entrants who have played in a block, each with their hanchan in order of number."""
    return {entrant: tuple(sorted(own, key=lambda each: each.number)) for entrant, own in block.items() if own}
