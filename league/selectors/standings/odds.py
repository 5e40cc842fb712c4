"""The odds as they were last published, for one audience.

The one idea: a figure is a count of simulated seasons and is shown as a share of them. What the published standings
already settle is said as it is, and never as a share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet

from league.models import Audience, Block, Competition, Entrant, Forecast, Stage, Standing
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from scoring.odds.shares import Share, largest_error

METHOD = 1
"""How odds are simulated; it goes up when equal facts would give other figures."""


class Chance(StrEnum):
    """What a figure would say."""

    OPEN = "open"
    """It is a share of the seasons."""
    CERTAIN = "certain"
    """It has come about already."""
    OUT = "out"
    """It cannot come about any more."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The chance of an entrant to play in a stage, or to win."""

    chance: Chance
    share: Share | None = None


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """The chances of an entrant for every stage and for the title."""

    entrant: Entrant
    stages: tuple[Cell, ...]
    title: Cell

    @property
    def is_in_play(self) -> bool:
        """Whether anything is open for them."""
        return any(cell.chance is Chance.OPEN for cell in (*self.stages, self.title))


@dataclass(frozen=True, slots=True)
class RankOdds:
    """Each final rank of one entrant in a block; `advance` is None where nobody goes anywhere from it."""

    entrant: Entrant
    rank: int | None
    """As the standings have it now."""
    ranks: tuple[Share, ...]
    advance: Share | None


@dataclass(frozen=True, slots=True)
class BlockOdds:
    """A block under way, or the last one."""

    block: Block
    rows: tuple[RankOdds, ...]
    is_under_way: bool
    """Its players are known; otherwise the rows are everybody who may still come into it."""
    is_last: bool
    """Nobody goes on from it: whoever is first wins the title."""

    @property
    def has_advance(self) -> bool:
        """Whether anybody goes on from it."""
        return not self.is_last and any(row.advance is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class IfPlace:
    """The next hanchan ends in this place: how often the entrant then goes on, and how often wins."""

    place: int
    advance: Share
    title: Share


@dataclass(frozen=True, slots=True)
class NextHanchan:
    """What hangs on an entrant's next hanchan."""

    entrant: Entrant
    block: Block
    number: int
    places: tuple[IfPlace, ...]
    is_last: bool
    """Nobody goes on from the block: whoever is first wins the title."""

    @property
    def swing(self) -> int:
        """How many percent of going on lie between the best place and the worst."""
        shares = [each.advance.percent for each in self.places]
        return max(shares) - min(shares)


@dataclass(frozen=True, slots=True)
class CompetitionOdds:
    """Everything the odds say of a competition."""

    forecast: Forecast
    as_of: int
    """The published version the figures hold for."""
    stages: tuple[Stage, ...]
    """Those which somebody may still come into."""
    has_title: bool
    players: tuple[PlayerOdds, ...]
    blocks: tuple[BlockOdds, ...]
    next_hanchan: tuple[NextHanchan, ...]

    @property
    def is_last_alone(self) -> bool:
        """Whether only the last block is still to be played."""
        return all(each.is_last for each in self.next_hanchan)

    @property
    def error(self) -> int:
        """The largest standard error of a share of all seasons, in tenths of a percent."""
        return largest_error(self.forecast.seasons)


def is_switched_on(competition: Competition) -> bool:
    """Whether odds are computed and shown: of a league, unless its organizers switched them off."""
    return competition.kind == Competition.Kind.LEAGUE and competition.shows_odds


def forecast_for(competition: Competition, audience: str) -> Forecast | None:
    """The figures for an audience; None while there are none, and where the organizers switched them off."""
    if not is_switched_on(competition):
        return None
    return _forecasts(audience, competition).first()


def forecast_of(reader: Reader) -> Forecast | None:
    """The figures this reader may see: they are of today, so nobody sees them who does not want to know it all yet."""
    if reader.until is not None:
        return None
    if "forecast" not in reader.known:
        reader.known["forecast"] = forecast_for(reader.competition, reader.audience)
    found: Forecast | None = reader.known["forecast"]
    return found


def odds_state(reader: Reader) -> list[Any]:
    """What pages with odds depend on besides the version read.

    The digest alone: the version they were computed from may be of a change the public must not know of.
    """
    competition = reader.competition
    digest, version = forecast_mark(reader) or (None, 0)
    return [competition.shows_odds, digest, min(reader.version, version)]


def forecast_mark(reader: Reader) -> tuple[str, int] | None:
    """The digest of the figures this reader may see, and the version they were computed from.

    Where the competition was read by `selectors.public`, the public's mark came with it.
    """
    competition = reader.competition
    if reader.until is not None or not is_switched_on(competition):
        return None
    if reader.audience == Audience.PUBLIC and hasattr(competition, "forecast_digest"):
        digest = competition.forecast_digest
        return (digest, competition.forecast_version) if digest is not None else None  # type: ignore[attr-defined]
    return _forecasts(reader.audience, competition).values_list("digest", "computed_version").first()


def _forecasts(audience: str, competition: Any) -> QuerySet[Forecast]:
    return Forecast.objects.filter(competition=competition, audience=audience, method=METHOD).order_by()


MARK_LENGTH = 12


def odds_mark(reader: Reader) -> str:
    """A short sign of the figures an audience is shown, for pages that stay open; empty while there are none."""
    mark = forecast_mark(reader)
    return mark[0][:MARK_LENGTH] if mark else ""


def as_of(reader: Reader, forecast: Forecast | None) -> int:
    """The version the figures hold for, as far as the reader may know of versions."""
    return min(reader.version, forecast.computed_version) if forecast else 0


def advance_share(competition: Competition, audience: str) -> Mapping[int, tuple[int, int]]:
    """By entrant id: in how many of how many seasons they went on from the block they are playing in, or won the last.

    Only of blocks under way; empty while there are no odds.
    """
    forecast = forecast_for(competition, audience)
    blocks = forecast.payload.get("blocks", ()) if forecast else ()
    seasons = forecast.seasons if forecast else 0
    return {entrant: (count, seasons) for block in blocks for entrant, count in block["advanced"]}


@dataclass(frozen=True, slots=True)
class BlockAdvance:
    """How often each entrant of a block goes on from it; `is_title`: nobody does, the first wins the title."""

    shares: Mapping[int, Share]
    is_title: bool


def block_advance(reader: Reader, block: Block) -> BlockAdvance | None:
    """The same of one block, as this reader may see it; None while there is nothing to say."""
    forecast = forecast_of(reader)
    blocks = forecast.payload.get("blocks", ()) if forecast else ()
    for each in blocks:
        if forecast is not None and each["key"] == block.key and each["advanced"]:
            shares = {entrant: Share(count, forecast.seasons) for entrant, count in each["advanced"]}
            return BlockAdvance(shares, block.key == forecast.payload["last"])
    return None


def odds_of(reader: Reader) -> CompetitionOdds | None:
    """The odds as this reader may see them; None where there are none, or nothing can be said."""
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
    """Everybody the figures name."""
    lists = [payload["titles"], *(each["reached"] for each in payload["stages"])]
    lists += [each["ranks"] for each in payload["blocks"]]
    counted = {row[0] for rows in lists for row in rows} | {each["entrant"] for each in payload["swings"]}
    return counted.union(*(each["certain"] for each in payload["stages"]))


def _player(entrant: Entrant, stages: Sequence[Mapping[str, Any]], forecast: Forecast) -> PlayerOdds:
    cells = tuple(_cell(entrant, each["reached"], each["certain"], forecast.seasons) for each in stages)
    return PlayerOdds(entrant, cells, _cell(entrant, forecast.payload["titles"], (), forecast.seasons))


def _cell(entrant: Entrant, counts: Iterable[tuple[int, int]], certain: Iterable[int], seasons: int) -> Cell:
    if entrant.pk in certain:
        return Cell(Chance.CERTAIN)
    count = dict(counts).get(entrant.pk)
    return Cell(Chance.OUT) if count is None else Cell(Chance.OPEN, Share(count, seasons))


def _favourites_first(player: PlayerOdds) -> tuple[Any, ...]:
    """By title, then by how far they come, then by number."""
    shares = [player.title, *reversed(player.stages)]
    return (*(-_weight(cell) for cell in shares), player.entrant.pk)


def _weight(cell: Cell) -> int:
    if cell.share is not None:
        return cell.share.count
    return -1 if cell.chance is Chance.OUT else 10**9


def _blocks(reader: Reader, forecast: Forecast, people: Mapping[int, Entrant]) -> Iterable[BlockOdds]:
    """Each block with its entrants in the order of its table."""
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
            rank = standing.rank if standing and standing.played else None
            order = (standing.position if standing else len(each["ranks"]) + 1, [-count for count in counts])
            rows.append((order, RankOdds(people[entrant], rank, shares, advance)))
        in_order = tuple(row for _, row in sorted(rows, key=lambda row: row[0]))
        yield BlockOdds(block, in_order, each["under_way"], is_last=block.key == forecast.payload["last"])


def _blocks_by_key(reader: Reader) -> Mapping[str, Block]:
    rows = Block.objects.filter(competition=reader.competition).select_related("stage")
    return {row.key: row for row in rows}


def _next_hanchan(reader: Reader, forecast: Forecast, people: Mapping[int, Entrant]) -> Iterable[NextHanchan]:
    """Those for whom most hangs on it first."""
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
