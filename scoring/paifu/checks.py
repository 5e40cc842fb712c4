"""Checks of a whole log: every step is possible, and the points follow from hand to hand.

`check_paifu` is the last act of every reader, so a log that was read can be trusted in what counts: players, seats,
scores, hands, winners and payments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from scoring.hand import Tile, tiles_text
from scoring.hand.tiles import KIND, Kind
from scoring.paifu.problems import PaifuError, Position
from scoring.paifu.records import Paifu, PaifuKyoku, PaifuStep, PaifuWin, StepKind
from scoring.paifu.table import COPIES, HELD, REPLACED, PaifuTable
from scoring.ruleset.end import RoundName

SEATS = (3, 4)
ROBBED = REPLACED - {StepKind.OPEN_KAN}
"""The steps whose tile another player may win on."""


def check_paifu(paifu: Paifu) -> None:
    """Raise PaifuError, with its kyoku, for the first thing in a log that cannot have been played."""
    _check_players(paifu)
    for kyoku in paifu.hands:
        try:
            _check_kyoku(kyoku, paifu)
        except PaifuError as error:
            raise error.at(kyoku.position) from None
    for before, after in pairwise(paifu.hands):
        _check_follows(before, after)
    _check_final(paifu)


def play_steps(dealt: tuple[tuple[Tile, ...], ...], dealer: int, steps: Iterable[PaifuStep]) -> PaifuTable:
    """Return the table after these steps; raise PaifuError for a hand of the wrong size or an impossible step."""
    for seat, tiles in enumerate(dealt):
        if len(tiles) != HELD:
            raise PaifuError("hand_size", seat=seat, actual=len(tiles), expected=HELD)
    table = PaifuTable(dealt, dealer)
    for step in steps:
        table.apply(step)
    return table


def sticks_after(kyoku: PaifuKyoku) -> int:
    """Return the riichi sticks on the table after a hand: none after a win."""
    return 0 if kyoku.wins else kyoku.sticks + len(kyoku.riichi)


def _check_players(paifu: Paifu) -> None:
    if paifu.seats not in SEATS:
        raise PaifuError("players", actual=paifu.seats)
    for player in paifu.players:
        if not player.name:
            raise PaifuError("nameless", seat=player.seat)
    if not paifu.hands:
        raise PaifuError("no_hands")
    first = paifu.hands[0]
    if first.position != Position(RoundName.EAST, 1, 0) or first.sticks:
        raise PaifuError("not_from_start", first.position)
    if set(first.scores) != {paifu.start}:
        raise PaifuError("unequal_start", first.position, scores=_told(first.scores))


def _check_kyoku(kyoku: PaifuKyoku, paifu: Paifu) -> None:
    for key, values in (("scores", kyoku.scores), ("deltas", kyoku.deltas), ("dealt", kyoku.dealt)):
        if len(values) != paifu.seats:
            raise PaifuError("seats", key=key, players=paifu.seats, actual=len(values))
    for seat in _seats_named(kyoku):
        if not 0 <= seat < paifu.seats:
            raise PaifuError("no_seat", number=seat, players=paifu.seats)
    if bool(kyoku.wins) == (kyoku.draw is not None):
        raise PaifuError("unfinished")
    _check_points(kyoku, paifu)
    table = play_steps(kyoku.dealt, kyoku.dealer, kyoku.steps)
    _check_copies(kyoku)
    _check_sticks(kyoku, table)
    for win in kyoku.wins:
        _check_win(win, table)


def _check_points(kyoku: PaifuKyoku, paifu: Paifu) -> None:
    """Refuse points that vanish from the table, or appear on it."""
    total = paifu.start * paifu.seats
    before = sum(kyoku.scores) + kyoku.sticks * paifu.stick
    after = sum(kyoku.after) + sticks_after(kyoku) * paifu.stick
    for found in (before, after):
        if found != total:
            raise PaifuError("points_lost", found=found, expected=total)


def _seats_named(kyoku: PaifuKyoku) -> Iterator[int]:
    """Yield every seat that the records of a hand name beside its steps, the dealer's included."""
    yield kyoku.dealer
    yield from kyoku.riichi
    for win in kyoku.wins:
        yield win.seat
        yield from (seat for seat in (win.loser, win.pao) if seat is not None)
    if kyoku.draw is not None:
        yield from (*kyoku.draw.tenpai, *kyoku.draw.nagashi)


def _check_copies(kyoku: PaifuKyoku) -> None:
    """Refuse more than four of a kind among everything that the log shows."""
    drawn = [step.tiles[0] for step in kyoku.steps if step.kind is StepKind.DRAW]
    shown: Counter[Kind] = Counter(
        KIND[tile] for tiles in (*kyoku.dealt, drawn, kyoku.dora, kyoku.ura) for tile in tiles
    )
    kind, count = shown.most_common(1)[0]
    if count > COPIES:
        raise PaifuError("too_many_alike", actual=count, tile=tiles_text((kind,)))


def _check_sticks(kyoku: PaifuKyoku, table: PaifuTable) -> None:
    for place, seat in enumerate(kyoku.riichi):
        if seat not in table.riichi or seat in kyoku.riichi[:place]:
            raise PaifuError("stick_without_riichi", seat=seat)


def _check_win(win: PaifuWin, table: PaifuTable) -> None:
    last, tile = table.last, win.hand.win
    by_draw = win.loser is None
    kinds = {StepKind.DRAW} if by_draw else {StepKind.DISCARD, *ROBBED}
    actor = win.seat if by_draw else win.loser
    if last is None or last.kind not in kinds or last.seat != actor or tile not in last.tiles or win.loser == win.seat:
        raise PaifuError("winner", seat=win.seat, tile=tiles_text((tile,)))
    held = table.hand(win.seat, tile, by_draw=by_draw)
    if held != win.hand:
        raise PaifuError("winners_hand", seat=win.seat, found=str(win.hand), expected=str(held))


def _check_follows(before: PaifuKyoku, after: PaifuKyoku) -> None:
    if after.position not in _successors(before):
        raise PaifuError("hands_out_of_order", after.position, before=before.position)
    if after.scores != before.after:
        found, expected = _told(after.scores), _told(before.after)
        raise PaifuError("scores_do_not_follow", after.position, found=found, expected=expected)
    # The sticks follow from the scores, since no points are lost in either hand.


def _successors(kyoku: PaifuKyoku) -> tuple[Position, ...]:
    """Return the hands that can follow: the same with one more honba, or the next one."""
    rounds = list(RoundName)
    name, number = kyoku.round, kyoku.number + 1
    if number > len(kyoku.scores):
        name, number = rounds[rounds.index(name) + 1] if name is not rounds[-1] else name, 1
    again = Position(kyoku.round, kyoku.number, kyoku.honba + 1)
    return again, Position(name, number, 0), Position(name, number, kyoku.honba + 1)


def _check_final(paifu: Paifu) -> None:
    last = paifu.hands[-1]
    sticks = sticks_after(last)
    if len(paifu.final_scores) != paifu.seats:
        raise PaifuError("seats", key="final_scores", players=paifu.seats, actual=len(paifu.final_scores))
    gains = [final - score for final, score in zip(paifu.final_scores, last.after, strict=True)]
    if min(gains) < 0 or sum(gains) not in {0, sticks * paifu.stick}:
        found, expected = _told(paifu.final_scores), _told(last.after)
        raise PaifuError("final_scores", last.position, found=found, expected=expected, sticks=sticks)
    if paifu.final_points is not None and len(paifu.final_points) != paifu.seats:
        raise PaifuError("seats", key="final_points", players=paifu.seats, actual=len(paifu.final_points))


def _told(scores: Sequence[int]) -> str:
    return ", ".join(map(str, scores))
