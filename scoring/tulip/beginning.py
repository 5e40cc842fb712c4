"""The state before the first flip: chips of the win, the reason to flip, the mode, guarantees, joining tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from scoring.hand import By, RiichiKind, Situation, Tile
from scoring.hand.notation import pack
from scoring.hand.tiles import FLOWERS, KIND, NAME, NAMED, POCCHI
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Wind
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.tulip import TulipRules, TulipStart
from scoring.ruleset.value import LimitName, SeveralYakuman
from scoring.ruleset.yaku import YakuName
from scoring.tulip.problems import check_won, is_from
from scoring.tulip.records import BaseLine, FlipEnd, FlipMode, PayoutLine, Remark, Start, TulipState, Won
from scoring.tulip.view import BINGO_TILES, WinView, table_of


def open_tulip(won: Won, rules: Ruleset) -> TulipState:
    """Return the state before the first flip after a win.

    Raise NoTulipError if the ruleset has no tulip, InvalidTulipError if the win is impossible.
    """
    table = table_of(rules)
    check_won(won, table.book, table.tulip)
    start = _start_without_flips(won, table) or _start(won, table)
    if start.mode is None:
        return TulipState(start, None, 0, (), end=FlipEnd.NO_TULIP)
    end = FlipEnd.COMPLETED if won.stacks == 0 else None
    return TulipState(start, start.mode, start.guarantees, (*as_declared(won), *start.joined), end=end)


def _start_without_flips(won: Won, table: WinView) -> Start | None:
    """Return the start for a yaku without flips; None for other wins.

    Such a yaku has a fixed prize, or counts as a completed tulip and brings nothing else.
    """
    for name in won.yakuman:
        if name in table.chips.fixed:
            award = table.chips.fixed[name]
            line = PayoutLine(name.value, 1, award.each, award.clauses)
            return Start(won, None, fixed=line, remarks=(Remark("fixed_prize", award.clauses),))
        if name in table.tulip.completed_by:
            base = tuple(_awarded({AwardEvent.YAKUMAN: 1}, won, table))
            remark = Remark("counts_as_completed", table.tulip.completed_by[name].clauses)
            return Start(won, None, base=base, counts_as_completed=True, remarks=(remark,))
    return None


def _start(won: Won, table: WinView) -> Start:
    """Return the base chips of a win, and the rest of the start if the wall is flipped."""
    base = tuple(_awarded(_events(won, table), won, table))
    begins = tuple(_begins(won, table.tulip))
    if not begins:
        return Start(won, None, base=base, remarks=(Remark("no_start", table.tulip.clauses),))
    mode, why = _mode(won, table)
    given = tuple(_guarantees(won, table.tulip))
    joined, joins = _joined(won, table)
    start = Start(won, mode, sum(count for count, _ in given), joined, base)
    remarks = (*begins, why, *(remark for _, remark in given), *joins, *_nothing_left(won, table.tulip))
    return replace(start, remarks=remarks)


def _awarded(events: Mapping[AwardEvent, int], won: Won, table: WinView) -> Iterator[BaseLine]:
    """Yield a line for every event of the win that the book has a prize for."""
    rules = table.chips.rules
    if (won.forced and rules.none_if_forced) or (won.opened and not rules.open_hands):
        return
    for event, count in events.items():
        award = table.chips.awards.get(event)
        if award is None or not count:
            continue
        each = award.ron if won.by is By.RON else award.tsumo_each
        if each:
            yield BaseLine(event, count, each * count, award.clauses)


def _events(won: Won, table: WinView) -> Mapping[AwardEvent, int]:
    """Return the events that may bring prizes; dora and marked tiles are counted as for the hand's value."""
    book = table.book
    # Only what dora depend on is filled in; the seat does not matter here.
    situation = Situation(
        by=won.by,
        seat_wind=Wind.EAST,
        riichi=won.riichi,
        dora_indicators=won.dora_indicators,
        ura_indicators=won.ura_indicators,
    )
    dora = book.dora.summarize(book.dora.counts(pack(as_declared(won)), won.nuki, situation), closed=not won.opened)
    flowers = sum(tile in FLOWERS for tile in won.nuki)
    return {
        AwardEvent.IPPATSU: int(won.ippatsu),
        AwardEvent.URA: dora.ura,
        AwardEvent.RED: dora.red,
        AwardEvent.GOLD: dora.gold,
        AwardEvent.YAKUMAN: _yakuman(won, table),
        AwardEvent.KAZOE: int(won.limit is LimitName.KAZOE),
        AwardEvent.FLUSH: int(0 < book.play.tiles.flowers == flowers),
        AwardEvent.FORCED: int(won.forced),
    }


def _yakuman(won: Won, table: WinView) -> int:
    """Return the number of yakuman that bring a prize.

    An unnamed yakuman counts as one; several count at most once in books that say so.
    """
    if won.limit is not LimitName.YAKUMAN:
        return 0
    named: tuple[YakuName | None, ...] = won.yakuman or (None,)
    count = sum(name not in table.chips.rules.yakuman_without for name in named)
    return min(count, 1) if table.book.play.value.yakuman.several is SeveralYakuman.ONCE else count


def as_declared(won: Won) -> tuple[Tile, ...]:
    """Return the tiles of the hand, with a drawn pocchi as the tile it was declared to be."""
    if won.pocchi_as is None:
        return won.hand
    place = won.hand.index(POCCHI)
    return (*won.hand[:place], won.pocchi_as, *won.hand[place + 1 :])


def _begins(won: Won, tulip: TulipRules) -> Iterator[Remark]:
    """Yield the reasons why the wall is flipped."""
    there = {
        TulipStart.RIICHI: won.riichi is not RiichiKind.NONE,
        TulipStart.YAKUMAN: won.limit is LimitName.YAKUMAN,
    }
    for start, ruled in tulip.starts.items():
        if there[start]:
            yield Remark(f"start_{start.value}", ruled.clauses)


def _mode(won: Won, table: WinView) -> tuple[FlipMode, Remark]:
    """Return the mode by the number of the two key tiles in the hand, however used; bonus tiles do not count."""
    rules, top = table.tulip.kakuhen, table.tulip.top
    kinds = [KIND[tile] for tile in as_declared(won)]
    counts = {name: kinds.count(NAMED[name]) for name in rules.of}
    enough = [name for name, count in counts.items() if count >= rules.alike]
    if not enough:
        return FlipMode.NORMAL, Remark("mode_normal", table.tulip.match.clauses)
    params: dict[str, object] = {"tile": enough[0], "count": counts[enough[0]]}
    if len(enough) == 1:
        return FlipMode.KAKUHEN, Remark("mode_kakuhen", rules.clauses, params)
    params |= {"other_tile": enough[1], "other_count": counts[enough[1]], "times": top.times}
    return FlipMode.TOP, Remark("mode_top", (*top.clauses, *rules.clauses), params)


def _guarantees(won: Won, tulip: TulipRules) -> Iterator[tuple[int, Remark]]:
    """Yield the fall guarantees, which add up.

    A hand paid as a yakuman only because of a forced deal-in counts with its own value.
    """
    given = tulip.guarantees
    if given.ippatsu is not None and won.ippatsu:
        count = given.ippatsu.count
        yield count, Remark("guarantee_ippatsu", given.ippatsu.clauses, {"count": count})
    if given.limit is not None and is_from(won.limit, given.limit.from_limit):
        params = {"count": given.limit.count, "limit": given.limit.from_limit.value}
        yield given.limit.count, Remark("guarantee_limit", given.limit.clauses, params)
    if given.pocchi is not None and won.pocchi_as is not None:
        count = given.pocchi.count
        yield count, Remark("guarantee_pocchi", given.pocchi.clauses, {"count": count})


def _joined(won: Won, table: WinView) -> tuple[tuple[Tile, ...], tuple[Remark, ...]]:
    """Return the bonus tiles set aside, then those among the indicators, with a remark for each."""
    joining, kinds = table.tulip.joining, table.tulip.joining.stands_for
    found = [(tile, "aside_joins", joining.aside.clauses) for tile in won.nuki]
    indicators = (*won.dora_indicators, *won.ura_indicators)
    found += [(tile, "indicator_joins", joining.indicators.clauses) for tile in indicators]
    known = [each for each in found if BINGO_TILES.get(each[0]) in kinds]
    remarks = (
        Remark(code, clauses, {"tile": NAME[tile], "stands_for": NAME[table.stands_for(tile)]})
        for tile, code, clauses in known
    )
    return tuple(tile for tile, _, _ in known), tuple(remarks)


def _nothing_left(won: Won, tulip: TulipRules) -> Iterator[Remark]:
    if won.stacks == 0:
        yield Remark("nothing_to_flip", tulip.completion.clauses, {"chips": tulip.completion.chips})
