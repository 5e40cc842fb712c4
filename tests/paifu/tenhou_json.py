"""Writer of the JSON of tenhou.net/6 for tests: a neutral record as lists of draws and discards."""

from __future__ import annotations

from typing import Any

from league.files.paifu.tenhou_yaku import YAKU
from scoring.hand import Tile
from scoring.hand.tiles import KIND, RED
from scoring.paifu.records import EXHAUSTIVE, Paifu, PaifuKyoku, PaifuStep, PaifuWin, StepKind
from tests.paifu.mjlog import yaku_number

REDS = {RED["m"]: 51, RED["p"]: 52, RED["s"]: 53}
DRAWS = {
    "nine_terminals": "九種九牌",
    "four_winds": "四風連打",
    "four_riichi": "四家立直",
    "triple_ron": "三家和",
    "four_kans": "四槓散了",
}


def tile_number(tile: Tile) -> int:
    return REDS.get(tile, 10 * (tile // 9 + 1) + tile % 9 + 1)


def write_tenhou_json(paifu: Paifu) -> dict[str, Any]:
    """Return the game as the JSON that tenhou.net/6 shows, with the result and the game's id."""
    players = paifu.seats
    data: dict[str, Any] = {
        "title": ["", ""],
        "name": [player.name for player in paifu.players] + [""] * (4 - players),
        "rule": {"disp": "般南喰赤" if players == 4 else "三般南喰赤", "aka": 1},
        "log": [_kyoku(kyoku) for kyoku in paifu.hands],
        "ref": paifu.game,
        "ver": 2.3,
    }
    if paifu.final_points is not None:
        pairs = zip(paifu.final_scores, paifu.final_points, strict=True)
        data["sc"] = [value for score, points in pairs for value in (score, points / 10)] + [0, 0] * (4 - players)
    return data


def _kyoku(kyoku: PaifuKyoku) -> list[Any]:
    count = {"E": 0, "S": 4, "W": 8}[kyoku.round.value] + kyoku.number - 1
    lists = _lists(kyoku)
    filling = [0] * (4 - len(kyoku.scores))
    parts: list[Any] = [[count, kyoku.honba, kyoku.sticks], [*kyoku.scores, *filling]]
    parts += [[tile_number(tile) for tile in tiles] for tiles in (kyoku.dora, kyoku.ura)]
    for seat, dealt in enumerate(kyoku.dealt):
        parts += [[tile_number(tile) for tile in dealt], *lists[seat]]
    parts += [[] for _ in range(3 * len(filling))]
    return [*parts, _result(kyoku)]


def _lists(kyoku: PaifuKyoku) -> list[list[list[Any]]]:
    lists: list[list[list[Any]]] = [[[], []] for _ in kyoku.dealt]
    pons: dict[tuple[int, int], str] = {}
    is_riichi = False
    for step in kyoku.steps:
        draws, discards = lists[step.seat]
        numbers = [str(tile_number(tile)) for tile in step.tiles]
        if step.kind is StepKind.DRAW:
            draws.append(tile_number(step.tiles[0]))
        elif step.kind is StepKind.DISCARD:
            number = 60 if step.tsumogiri else tile_number(step.tiles[0])
            discards.append(f"r{number}" if is_riichi else number)
        elif step.kind in (StepKind.CHI, StepKind.PON, StepKind.OPEN_KAN):
            draws.append(entry := _call(step, numbers, len(kyoku.dealt)))
            pons[step.seat, KIND[step.tiles[0]]] = entry
            discards += [0] if step.kind is StepKind.OPEN_KAN else []
        elif step.kind is StepKind.CLOSED_KAN:
            discards.append("".join(numbers[1:]) + "a" + numbers[0])
        elif step.kind is StepKind.ADDED_KAN:
            discards.append(pons[step.seat, KIND[step.tiles[0]]].replace("p", f"k{numbers[0]}"))
        elif step.kind is StepKind.NORTH:
            discards.append("f44")
        is_riichi = step.kind is StepKind.RIICHI
    return lists


def _call(step: PaifuStep, numbers: list[str], players: int) -> str:
    """Return a call with its letter before the tile called, at the place that tells the giver."""
    assert step.from_seat is not None
    called, *own = numbers
    offset = (step.from_seat - step.seat) % players
    place = {3: 0, 2: 1, 1: len(own)}[3 if players == 3 and offset == 2 else offset]
    letter = {StepKind.CHI: "c", StepKind.PON: "p", StepKind.OPEN_KAN: "m"}[step.kind]
    return "".join([*own[:place], letter + called, *own[place:]])


def _result(kyoku: PaifuKyoku) -> list[Any]:
    if kyoku.draw is None:
        result: list[Any] = ["和了"]
        for win in kyoku.wins:
            result += [list(win.deltas), _win(win, kyoku)]
        return result
    if kyoku.draw.kind != EXHAUSTIVE:
        return [DRAWS[kyoku.draw.kind]]
    deltas = [change + 1000 * (seat in kyoku.riichi) for seat, change in enumerate(kyoku.deltas)]
    if kyoku.draw.nagashi:
        return ["流し満貫", deltas]
    names = {0: "全員不聴", len(kyoku.dealt): "全員聴牌"}
    return [names.get(len(kyoku.draw.tenpai), "流局"), *([deltas] if any(deltas) else [])]


def _win(win: PaifuWin, kyoku: PaifuKyoku) -> list[Any]:
    others = [seat for seat in range(len(kyoku.scores)) if seat != win.seat]
    if win.loser is not None:
        points = f"{win.points}点"
    elif win.seat == kyoku.dealer:
        points = f"{win.points // len(others)}点∀"
    else:
        honba = {seat: -win.deltas[seat] - 100 * kyoku.honba for seat in others}
        other = next(honba[seat] for seat in others if seat != kyoku.dealer)
        points = f"{other}-{honba[kyoku.dealer]}点"
    worth = "役満" if win.yakuman else f"{win.fu}符{win.han}飜"
    lines = [f"{_name(line.code, win, kyoku)}({'役満' if line.yakuman else f'{line.han}飜'})" for line in win.yaku]
    giver = win.seat if win.loser is None else win.loser
    return [win.seat, giver, win.seat if win.pao is None else win.pao, worth + points, *lines]


def _name(code: str, win: PaifuWin, kyoku: PaifuKyoku) -> str:
    return "抜きドラ" if code == "north_dora" else YAKU[yaku_number(code, win, kyoku)][0]
