"""Worked examples of kind `standings`: the hanchan of one block -> totals, order, tie-breaks, destinations.

Examples with the same `league` are one season, in the order of the file: each is also checked against the ladder
that the examples before it produced.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Self

from pydantic import model_validator

from rulesets.example_kinds.shape import Absent, Context, Example, LeagueSoFar, Mismatch
from scoring.format import Format
from scoring.hanchan_result import HanchanResult
from scoring.resolution import BlockStandings, Resolution
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.base import Amount, Strict
from scoring.settlement import InvalidResultError, settle
from scoring.sources import Seed
from scoring.stages import is_complete, resolve
from scoring.standings import Decision, Played, Row, Standings, rank

SPELLED: Mapping[str, str] = {"placement": "place"}
"""Criteria whose names in files differ from the engine's."""


class ExampleGame(Strict):
    """One hanchan at one table."""

    no: int
    """The number of the hanchan in the block, counted for its players."""
    players: tuple[str, ...]
    """By seat from the first dealer."""
    scores: tuple[int, ...]
    """With leftover deposits already distributed, unless they are given."""
    deposits: int = 0
    chonbo: tuple[int, ...] = ()
    points: tuple[Amount, ...] | None = None
    """The points of the hanchan, to be checked too."""

    @model_validator(mode="after")
    def _as_many_scores_as_players(self) -> Self:
        if len(self.scores) != len(self.players):
            raise ValueError(f"{len(self.players)} players have {len(self.scores)} scores; give each player one")
        return self


class DecidingHanchan(Strict):
    """The hanchan that separated two neighbours, and the criterion."""

    above: str
    below: str
    hanchan: int | None = None
    by: str


class PendingPlaces(Strict):
    """Places that stay open until a ruling."""

    players: tuple[str, ...]
    places: tuple[str, ...]


class ExpectedStandings(Strict):
    """The results of a block's standing to compare."""

    totals: dict[str, Amount] | None = None
    order: tuple[tuple[str, ...], ...] | None = None
    decided_by: tuple[DecidingHanchan, ...] | None = None
    ruling: tuple[tuple[str, ...], ...] | None = None
    advance: dict[str, tuple[str, ...]] | None = None
    pending: tuple[PendingPlaces, ...] | None = None


class StandingsExample(Example):
    """The hanchan of one block -> its ranking and the destinations of its players."""

    stage: str
    league: str = ""
    players: tuple[str, ...]
    sources: tuple[str, ...] = ()
    games: tuple[ExampleGame, ...]
    expect: ExpectedStandings


def differences(example: StandingsExample, context: Context) -> Iterator[Mismatch]:
    """Settle every hanchan, rank the block, place it on the ladder, and yield all differences."""
    block = key_of(example.stage)
    if context.format is None or block not in context.format.blocks:
        known = ", ".join(context.format.blocks) if context.format else "a format's blocks; name it in conventions"
        yield Mismatch("stage", known, example.stage)
        return
    try:
        rules = context.ruleset.with_options(example.options)
        results = [settle_game(game, rules) for game in example.games]
    except (OptionError, InvalidResultError) as error:
        yield Mismatch("games", "results that can be settled", str(error), is_error=True)
        return
    scale = rules.ranking_ledger.scale
    standings = rank(_rows(example, results), context.format.tiebreak, places=rules.players)
    season = context.seasons.setdefault(example.league, LeagueSoFar()) if example.league else LeagueSoFar()
    _continue(season, example, context.format, standings)
    resolution = resolve(context.format, season.standings, season.seeds, scale=scale)
    yield from _points(example, results, scale)
    yield from _compare(example.expect, results_by_key(block, standings, resolution, scale), context.absent)
    yield from _sources(example, resolution)


def key_of(text: str) -> str:
    """Return the engine's name of a block or a source: `block:A#2` is A#2."""
    return text.removeprefix("block:")


def settle_game(game: ExampleGame, rules: Ruleset) -> Mapping[str, Played]:
    """Return the points and place of each player of a hanchan."""
    settlement = settle(HanchanResult(scores=game.scores, kyoutaku=game.deposits, chonbo=game.chonbo), rules)
    points = settlement.totals[rules.ranking_ledger.key]
    seats = zip(game.players, points, settlement.places, settlement.final_scores, strict=True)
    return {player: Played(game.no, won, place, score, game.no) for player, won, place, score in seats}


def _rows(example: StandingsExample, results: Sequence[Mapping[str, Played]]) -> Iterator[Row]:
    """Yield each player's own hanchan, in the order of the file."""
    for player in example.players:
        yield Row(player, tuple(result[player] for result in results if player in result))


def _continue(season: LeagueSoFar, example: StandingsExample, format_: Format, standings: Standings) -> None:
    """Add a block to its season; players of seeded slots become the seeds."""
    block = key_of(example.stage)
    is_done = is_complete(format_, block, standings)
    season.standings[block] = BlockStandings(standings, is_done)
    for source, player in zip(format_.sources(block), example.players, strict=False):
        if isinstance(source, Seed):
            season.seeds[source.number] = player


def results_by_key(block: str, standings: Standings, resolution: Resolution, scale: int) -> Mapping[str, object]:
    """Return the engine's results, by the keys of `expect`, with lists sorted wherever order means nothing."""
    order = [
        sorted(str(each.entrant) for each in level)
        for _, level in groupby(standings.ranked, key=lambda each: each.rank)
    ]
    return {
        "totals": {str(each.entrant): Fraction(each.total, scale) for each in standings.ranked},
        "order": order,
        "decided_by": sorted(_decided(decision) for decision in standings.decisions),
        "ruling": sorted(sorted(map(str, group)) for group in standings.unbroken),
        "advance": {place: sorted(map(str, going)) for place, going in resolution.advance[block].items()},
        "pending": sorted(
            [sorted(map(str, each.entrants)), list(each.places)] for each in resolution.awaiting if each.scope == block
        ),
    }


def _decided(decision: Decision) -> list[str]:
    """Return a decision in the form in which an example lists it."""
    return [str(decision.above), str(decision.below), str(decision.number), str(decision.criterion)]


def _wanted(expect: ExpectedStandings) -> Mapping[str, object]:
    """Return the expected results in the form of `results_by_key`."""
    return {
        "totals": expect.totals,
        "order": None if expect.order is None else [sorted(level) for level in expect.order],
        "decided_by": None
        if expect.decided_by is None
        else sorted(
            [each.above, each.below, str(each.hanchan), SPELLED.get(each.by, each.by)] for each in expect.decided_by
        ),
        "ruling": None if expect.ruling is None else sorted(sorted(group) for group in expect.ruling),
        "advance": None
        if expect.advance is None
        else {place: sorted(going) for place, going in expect.advance.items()},
        "pending": None
        if expect.pending is None
        else sorted([sorted(each.players), list(each.places)] for each in expect.pending),
    }


ZERO: Mapping[str, object] = {"decided_by": [], "ruling": [], "pending": []}
"""The value expected for a key left out, in files in which that means zero."""


def _compare(expect: ExpectedStandings, engine: Mapping[str, object], absent: Absent) -> Iterator[Mismatch]:
    left_out = ZERO if absent is Absent.ZERO else {}
    for key, given in _wanted(expect).items():
        wanted = left_out.get(key) if given is None else given
        if wanted is not None and wanted != engine[key]:
            yield Mismatch(key, wanted, engine[key])


def _points(example: StandingsExample, results: Sequence[Mapping[str, Played]], scale: int) -> Iterator[Mismatch]:
    """Yield differences in the points of each hanchan, if the example states them."""
    for index, (game, result) in enumerate(zip(example.games, results, strict=True)):
        points = tuple(Fraction(result[player].points, scale) for player in game.players)
        if game.points is not None and game.points != points:
            yield Mismatch(f"games.{index}.points", game.points, points)


def _sources(example: StandingsExample, resolution: Resolution) -> Iterator[Mismatch]:
    """Yield a difference if the ladder seats other players in the block than the example's sources say."""
    if not example.sources:
        return
    slots = resolution.slots[key_of(example.stage)]
    wanted = sorted(zip(map(key_of, example.sources), example.players, strict=False))
    seated = sorted((slot.source, str(slot.entrant)) for slot in slots)
    if wanted != seated:
        yield Mismatch("sources", wanted, seated)
