"""Steps and endings of a replayed hand in the reader's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from django.utils.translation import gettext as _

from league.wording.live.hands import CALLS, DORA, line_name, no_win_text, problem_text, worth_text
from league.wording.live.live import Seated, join_names
from league.wording.live.tiles import tile_name
from scoring.hand import HandValue, InvalidHandError, MeldKind, NoWin
from scoring.paifu.positions import EndingWin, TablePosition
from scoring.paifu.records import PaifuStep, StepKind
from scoring.paifu.table import CALLED_AS


def position_text(position: TablePosition, seated: Seated) -> str:
    """Return the step that led to a position, as a sentence without a full stop."""
    step = position.step
    if step is None:
        return _("The tiles are dealt; dora indicator: %(tiles)s") % {"tiles": join_names(tile_names(position.dora))}
    return STEPS[step.kind](step, seated)


def tile_names(tiles: tuple[int, ...]) -> list[str]:
    """Return the names of tiles."""
    return [tile_name(tile) for tile in tiles]


def _with_tile(text: str, step: PaifuStep, seated: Seated) -> str:
    tile = tile_name(step.tiles[0]) if step.tiles else ""
    return text % {"name": seated[step.seat], "tile": tile}


def _discard(step: PaifuStep, seated: Seated) -> str:
    if step.tsumogiri:
        return _with_tile(_("%(name)s discards %(tile)s, as drawn"), step, seated)
    return _with_tile(_("%(name)s discards %(tile)s"), step, seated)


def _call(step: PaifuStep, seated: Seated) -> str:
    call = CALLS[CALLED_AS[step.kind]]
    own = join_names(tile_names(step.tiles[1:]))
    said = {"name": seated[step.seat], "call": call, "tile": tile_name(step.tiles[0]), "own": own}
    return _("%(name)s calls %(call)s on %(tile)s with %(own)s") % said


def _kan(step: PaifuStep, seated: Seated) -> str:
    kind = MeldKind.ANKAN if step.kind is StepKind.CLOSED_KAN else MeldKind.KAKAN
    said = {"name": seated[step.seat], "call": CALLS[kind], "tile": tile_name(step.tiles[0])}
    return _("%(name)s declares %(call)s: %(tile)s") % said


STEPS: Mapping[StepKind, Callable[[PaifuStep, Seated], str]] = {
    StepKind.DRAW: lambda step, seated: _with_tile(_("%(name)s draws %(tile)s"), step, seated),
    StepKind.DISCARD: _discard,
    StepKind.CHI: _call,
    StepKind.PON: _call,
    StepKind.OPEN_KAN: _call,
    StepKind.CLOSED_KAN: _kan,
    StepKind.ADDED_KAN: _kan,
    StepKind.NORTH: lambda step, seated: _with_tile(_("%(name)s sets %(tile)s aside"), step, seated),
    StepKind.RIICHI: lambda step, seated: _with_tile(_("%(name)s declares riichi"), step, seated),
    StepKind.NEW_DORA: lambda step, seated: _with_tile(_("New dora indicator: %(tile)s"), step, seated),
}


def worth_lines(win: EndingWin) -> Iterator[str]:
    """Yield the yaku and dora of a win with their worth, or the reasons why the rules see no win."""
    value = win.value
    if isinstance(value, HandValue):
        yield from (f"{line_name(line.name)} {worth_text(line.worth, line.counts)}" for line in value.yaku)
        for line in value.dora:
            yield _("%(dora)s × %(count)s") % {"dora": DORA[line.kind], "count": line.count}
    elif isinstance(value, NoWin):
        yield no_win_text(value)
    elif isinstance(value, InvalidHandError):
        yield from map(problem_text, value.problems)
