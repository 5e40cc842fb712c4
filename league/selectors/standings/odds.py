"""Simulated odds as last published, for one audience.

A figure is a count of simulated seasons and is shown as a share of them. Outcomes that the published standings
already settle are shown as certain or impossible, never as a share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from league.models import Audience, Block, Competition, Entrant, Forecast, Stage, Standing
from league.selectors.access.raw_rows import columns_of, read_instances
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from league.selectors.standings.tables import BlockTable
from scoring.odds.shares import Share, largest_error

METHOD = 2
"""Version of the simulation method; increase it when equal facts would give other figures."""
FORECAST = """
SELECT {columns} FROM league_forecast AS forecast
WHERE forecast.competition_id = %s AND forecast.audience = %s AND forecast.method = %s
""".format(columns=columns_of(Forecast, "forecast"))


class Chance(StrEnum):
    """The kind of a figure."""

    OPEN = "open"
    """Undecided; the figure is a share of the seasons."""
    CERTAIN = "certain"
    """Already achieved."""
    OUT = "out"
    """No longer possible."""


@dataclass(frozen=True, slots=True)
class OddsCell:
    """The chance of an entrant to reach a stage or to win the title."""

    chance: Chance
    share: Share | None = None


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """The chances of an entrant for every stage and for the title."""

    entrant: Entrant
    stages: tuple[OddsCell, ...]
    title: OddsCell

    @property
    def is_in_play(self) -> bool:
        """Return True if any stage or the title is still open for the entrant."""
        return any(cell.chance is Chance.OPEN for cell in (*self.stages, self.title))


@dataclass(frozen=True, slots=True)
class RankOdds:
    """The shares of each final rank of one entrant in a block; `advance` is None if no rank of the block advances."""

    entrant: Entrant
    rank: int | None
    """The present rank in the standings; None before the entrant has played."""
    ranks: tuple[Share, ...]
    advance: Share | None


@dataclass(frozen=True, slots=True)
class BlockOdds:
    """The odds of a block under way, or of the last block."""

    block: Block
    rows: tuple[RankOdds, ...]
    is_under_way: bool
    """True if its entrants are known; otherwise the rows are all entrants that may still reach it."""
    is_last: bool
    """True if no rank advances from it: its winner takes the title."""

    @property
    def has_advance(self) -> bool:
        """Return True if ranks of this block advance."""
        return not self.is_last and any(row.advance is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class IfPlace:
    """Shares of advancing and of the title if the next hanchan ends in this place."""

    place: int
    advance: Share
    title: Share


@dataclass(frozen=True, slots=True)
class NextHanchan:
    """The influence of an entrant's next hanchan on their chances."""

    entrant: Entrant
    block: Block
    number: int
    places: tuple[IfPlace, ...]
    is_last: bool
    """True if no rank advances from the block: its winner takes the title."""

    @property
    def swing(self) -> int:
        """Return the difference in percent of advancing between the best and the worst place."""
        shares = [each.advance.percent for each in self.places]
        return max(shares) - min(shares)


@dataclass(frozen=True, slots=True)
class CompetitionOdds:
    """All published odds of a competition."""

    forecast: Forecast
    as_of: int
    """The published version for which the figures hold."""
    stages: tuple[Stage, ...]
    """Stages that some entrant may still reach."""
    has_title: bool
    players: tuple[PlayerOdds, ...]
    blocks: tuple[BlockOdds, ...]
    next_hanchan: tuple[NextHanchan, ...]

    @property
    def is_last_alone(self) -> bool:
        """Return True if only the last block is still to be played."""
        return all(each.is_last for each in self.next_hanchan)

    @property
    def error(self) -> int:
        """Return the largest standard error of any share, in tenths of a percent."""
        return largest_error(self.forecast.seasons)


def is_switched_on(competition: Competition) -> bool:
    """Return True if odds are computed and shown: for a league whose organizers have not switched them off."""
    return competition.kind == Competition.Kind.LEAGUE and competition.shows_odds


def forecast_for(competition: Competition, audience: str) -> Forecast | None:
    """Return the forecast for an audience; None before one exists, or if odds are switched off."""
    if not is_switched_on(competition):
        return None
    return next(read_instances(Forecast, FORECAST, [competition.pk, audience, METHOD]), None)


def forecast_of(reader: Reader) -> Forecast | None:
    """Return the forecast that this reader may see; None behind the spoiler guard, since odds are always of today."""
    if reader.until is not None:
        return None
    if "forecast" not in reader.known:
        reader.known["forecast"] = forecast_for(reader.competition, reader.audience)
    found: Forecast | None = reader.known["forecast"]
    return found


def odds_state(reader: Reader) -> list[object]:
    """Return the inputs of a page with odds other than the version read, for its ETag.

    The digest identifies the figures: the version they were computed from may be a change hidden from the public.
    """
    competition = reader.competition
    digest, version = forecast_mark(reader) or (None, 0)
    # The version that the page prints (`as_of`); it never exceeds the one the reader knows.
    return [competition.shows_odds, digest, reader.number_shown(min(reader.version, version))]


def forecast_mark(reader: Reader) -> tuple[str, int] | None:
    """Return the digest of the forecast that this reader may see, and the version it was computed from.

    For a competition found by `public_lookup` the public's digest is already annotated, so no query is needed.
    """
    competition = reader.competition
    if reader.until is not None or not is_switched_on(competition):
        return None
    if (
        reader.audience == Audience.PUBLIC
        and hasattr(competition, "forecast_digest")
        and hasattr(competition, "forecast_version")
    ):
        digest = competition.forecast_digest
        return (digest, competition.forecast_version) if digest is not None else None
    rows = Forecast.objects.filter(competition=competition, audience=reader.audience, method=METHOD).order_by()
    return rows.values_list("digest", "computed_version").first()


MARK_LENGTH = 12


def odds_mark(reader: Reader) -> str:
    """Return a short digest of the figures, for pages that follow changes live; empty without odds."""
    mark = forecast_mark(reader)
    return mark[0][:MARK_LENGTH] if mark else ""


def as_of(reader: Reader, forecast: Forecast | None) -> int:
    """Return the version for which the figures hold as this audience reads it, at most the one the reader knows."""
    return reader.number_shown(min(reader.version, forecast.computed_version)) if forecast else 0


def advance_share(reader: Reader) -> Mapping[int, tuple[int, int]]:
    """Return by entrant id in how many of how many seasons they advance from their present block, or win the last one.

    Only blocks under way are included; empty without odds.
    """
    forecast = forecast_of(reader)
    blocks = forecast.payload.get("blocks", ()) if forecast else ()
    seasons = forecast.seasons if forecast else 0
    return {entrant: (count, seasons) for block in blocks for entrant, count in block["advanced"]}


@dataclass(frozen=True, slots=True)
class GoalCounts:
    """In how many simulated seasons each entrant reached each goal of a tier under way."""

    seasons: int
    counts: Mapping[tuple[str, str, int], int]
    """By block key, destination and entrant id."""

    def reached(self, block: str, entrant: int, destination: str) -> tuple[int, int]:
        """Return in how many of how many seasons an entrant reached a destination; (0, 0) if unknown."""
        found = self.counts.get((block, destination, entrant))
        return (0, 0) if found is None else (found, self.seasons)


def goal_counts(reader: Reader) -> GoalCounts:
    """Return the simulated goals of the blocks under way as this reader may see them; empty without odds."""
    forecast = forecast_of(reader)
    blocks = forecast.payload.get("blocks", ()) if forecast else ()
    counts = {
        (each["key"], destination, entrant): count
        for each in blocks
        # Figures of the release before have no goals.
        for destination, reached in each.get("goals", {}).items()
        for entrant, count in reached
    }
    return GoalCounts(forecast.seasons if forecast else 0, counts)


@dataclass(frozen=True, slots=True)
class BlockAdvance:
    """The share of each entrant that advances from a block; with `is_title` the share of winning the title."""

    shares: Mapping[int, Share]
    is_title: bool


def block_advance(reader: Reader, table: BlockTable) -> BlockAdvance | None:
    """Return the shares of one block as this reader may see them; None without odds for it.

    None too for a complete block while the odds are older: they would show as uncertain what its last result decided.
    """
    forecast = forecast_of(reader)
    if forecast is None or (table.is_complete and as_of(reader, forecast) < reader.shown_version):
        return None
    for each in forecast.payload.get("blocks", ()):
        if each["key"] == table.block.key and each["advanced"]:
            shares = {entrant: Share(count, forecast.seasons) for entrant, count in each["advanced"]}
            return BlockAdvance(shares, table.block.key == forecast.payload["last"])
    return None


def odds_of(reader: Reader) -> CompetitionOdds | None:
    """Return all odds as this reader may see them; None without odds, or if nothing can be predicted."""
    forecast = forecast_of(reader)
    if forecast is None or "unforeseen" in forecast.payload:
        return None
    people = entrants_by_id(reader.competition, _ids(forecast.payload))
    stages = {row.key: row for row in Stage.objects.filter(competition=reader.competition)}
    open_stages = [each for each in forecast.payload["stages"] if each["reached"]]
    players = [_player(entrant, open_stages, forecast) for entrant in people.values()]
    return CompetitionOdds(
        forecast=forecast,
        as_of=as_of(reader, forecast),
        stages=tuple(stages[each["key"]] for each in open_stages),
        has_title=bool(forecast.payload["titles"]),
        players=tuple(sorted((each for each in players if each.is_in_play), key=_favourites_first)),
        blocks=tuple(_blocks(reader, forecast, people)),
        next_hanchan=tuple(_next_hanchan(reader, forecast, people)),
    )


def _ids(payload: Mapping[str, Any]) -> set[int]:
    """Return the ids of all entrants in the figures."""
    lists = [payload["titles"], *(each["reached"] for each in payload["stages"])]
    lists += [each["ranks"] for each in payload["blocks"]]
    counted = {row[0] for rows in lists for row in rows} | {each["entrant"] for each in payload["swings"]}
    return counted.union(*(each["certain"] for each in payload["stages"]))


def _player(entrant: Entrant, stages: Sequence[Mapping[str, Any]], forecast: Forecast) -> PlayerOdds:
    cells = tuple(_cell(entrant, each["reached"], each["certain"], forecast.seasons) for each in stages)
    return PlayerOdds(entrant, cells, _cell(entrant, forecast.payload["titles"], (), forecast.seasons))


def _cell(entrant: Entrant, counts: Iterable[tuple[int, int]], certain: Iterable[int], seasons: int) -> OddsCell:
    if entrant.pk in certain:
        return OddsCell(Chance.CERTAIN)
    count = dict(counts).get(entrant.pk)
    return OddsCell(Chance.OUT) if count is None else OddsCell(Chance.OPEN, Share(count, seasons))


def _favourites_first(player: PlayerOdds) -> tuple[object, ...]:
    """Sort key: by title, then by the furthest stages, then by entrant id."""
    shares = [player.title, *reversed(player.stages)]
    return (*(-_weight(cell) for cell in shares), player.entrant.pk)


def _weight(cell: OddsCell) -> int:
    if cell.share is not None:
        return cell.share.count
    # Certain sorts above any count of seasons, and impossible below an open chance that no season realized.
    return -1 if cell.chance is Chance.OUT else 10**9


def _blocks(reader: Reader, forecast: Forecast, people: Mapping[int, Entrant]) -> Iterable[BlockOdds]:
    """Yield each block with its entrants in the order of its standings."""
    blocks = _blocks_by_key(reader)
    ranks = {
        (row.block_id, row.entrant_id): row
        for row in Standing.objects.filter(block__competition=reader.competition, audience=reader.audience)
    }
    for each in forecast.payload["blocks"]:
        block = blocks[each["key"]]
        advanced = dict(each["advanced"])
        rows = []
        for entrant, counts in each["ranks"]:
            standing = ranks.get((block.pk, entrant))
            shares = tuple(Share(count, forecast.seasons) for count in counts)
            advance = Share(advanced[entrant], forecast.seasons) if entrant in advanced else None
            rank = standing.rank if standing and standing.played and standing.is_ranked else None
            order = (standing.position if standing else len(each["ranks"]) + 1, [-count for count in counts])
            rows.append((order, RankOdds(people[entrant], rank, shares, advance)))
        in_order = tuple(row for _, row in sorted(rows, key=lambda row: row[0]))
        yield BlockOdds(block, in_order, each["under_way"], is_last=block.key == forecast.payload["last"])


def _blocks_by_key(reader: Reader) -> Mapping[str, Block]:
    rows = Block.objects.filter(competition=reader.competition).select_related("stage")
    return {row.key: row for row in rows}


def _next_hanchan(reader: Reader, forecast: Forecast, people: Mapping[int, Entrant]) -> Iterable[NextHanchan]:
    """Return the next hanchan of the entrants, those with the largest swing first."""
    blocks = _blocks_by_key(reader)
    found = [
        NextHanchan(
            people[each["entrant"]],
            blocks[each["block"]],
            each["number"],
            tuple(
                IfPlace(place, Share(advanced, times), Share(won, times))
                for place, (times, advanced, won) in enumerate(each["places"], start=1)
                if times
            ),
            is_last=each["block"] == forecast.payload["last"],
        )
        for each in forecast.payload["swings"]
    ]
    return sorted(found, key=lambda each: (-each.swing, each.entrant.pk))
