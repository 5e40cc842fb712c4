"""Order of play in blocks with rests, from which each entrant's own n-th hanchan follows, and blocks closed early."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from league.models import Block, Closing, Hanchan, HanchanSeat
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.prepared import PreparedSeason, SeatCell, cells_of, season_of
from scoring.format import Format
from scoring.rests import Rounds, has_rests


def blocks_with_rests(league_format: Format, players: int) -> frozenset[str]:
    """Return the keys of the blocks in which entrants rest and each plays a fixed number of hanchan."""
    return frozenset(
        key
        for key, stage in league_format.stage_of.items()
        if stage.hanchan is not None and has_rests(league_format, key, players)
    )


def rounds_in(reader: Reader) -> Mapping[str, Rounds]:
    """Return the order of play in each block with rests, as far as the reader's audience may know it.

    It is made of the results that count, and of the seats of the other hanchan that are not called off.
    """
    if "rounds" not in reader.known:
        season, cells = season_of(reader), cells_of(reader)
        prepared = None if season is None or cells is None else prepared_rounds(season, cells)
        reader.known["rounds"] = _read_rounds(reader) if prepared is None else prepared
    found: Mapping[str, Rounds] = reader.known["rounds"]
    return found


def prepared_rounds(season: PreparedSeason, cells: Mapping[int, Sequence[SeatCell]]) -> Mapping[str, Rounds]:
    """Return the same from prepared rows."""
    keys = {block.key: block.pk for block in season.blocks}
    return {
        key: _rounds({cell.hanchan: cell.number for cell in cells.get(keys[key], ())}, awaited)
        for key, awaited in season.facts["awaited"].items()
    }


def _read_rounds(reader: Reader) -> Mapping[str, Rounds]:
    rules = rules_of(reader)
    keys = blocks_with_rests(format_of(rules), ruleset_of(rules).players)
    if not keys:
        return {}
    blocks = dict(Block.objects.filter(competition=reader.competition, key__in=keys).values_list("pk", "key"))
    done: defaultdict[str, dict[int, int]] = defaultdict(dict)
    counted = reader.sheets().filter(hanchan__block__in=blocks).order_by()
    for block, hanchan, number in counted.values_list("hanchan__block", "hanchan", "hanchan__number"):
        done[blocks[block]][hanchan] = number
    awaited: defaultdict[str, dict[int, tuple[int, list[int]]]] = defaultdict(dict)
    for block, hanchan, number, entrant in _seats(reader, blocks):
        if hanchan not in done[blocks[block]]:
            awaited[blocks[block]].setdefault(hanchan, (number, []))[1].append(entrant)
    return {
        key: _rounds(done[key], [(number, hanchan, who) for hanchan, (number, who) in sorted(awaited[key].items())])
        for key in blocks.values()
    }


def _seats(reader: Reader, blocks: Collection[int]) -> Iterable[tuple[int, int, int, int]]:
    """Return block, id and number of the hanchan, and entrant of each planned seat that is not called off."""
    rows = reader.hanchan().filter(block__in=blocks, table_session__is_cancelled=False)
    seats = HanchanSeat.objects.filter(hanchan__in=rows.exclude(state=Hanchan.State.ABANDONED)).order_by()
    return seats.values_list("hanchan__block", "hanchan", "hanchan__number", "entrant")


def _rounds(played: Mapping[int, int], awaited: Iterable[tuple[int, int, Collection[int]]]) -> Rounds:
    """Return the order of play from the numbers of the hanchan with a result, and number, id and entrants of others."""
    place = {hanchan: (number, hanchan) for hanchan, number in played.items()}
    waiting: dict[int, frozenset[int]] = {}
    for number, hanchan, entrants in awaited:
        place[hanchan] = (number, hanchan)
        waiting[hanchan] = frozenset(entrants)
    return Rounds(place, waiting)


def closed_in(reader: Reader) -> frozenset[str]:
    """Return the keys of the blocks that the organizer has closed, as far as the reader's audience may know it."""
    if "closed" not in reader.known:
        season = season_of(reader)
        reader.known["closed"] = frozenset(season.facts["closed"] if season else _read_closed(reader))
    found: frozenset[str] = reader.known["closed"]
    return found


def _read_closed(reader: Reader) -> Iterable[str]:
    rows = reader.decisions(Closing, block__competition=reader.competition)
    return rows.values_list("block__key", flat=True)
