"""Writer of records of Mahjong Soul as JSON for tests."""

from __future__ import annotations

import datetime as dt
from typing import Any

from league.files.paifu.mahjongsoul_yaku import CODES
from scoring.hand import Tile
from scoring.hand.tiles import NAME, NORTH
from scoring.paifu.records import EXHAUSTIVE, Paifu, PaifuKyoku, PaifuStep, PaifuWin, StepKind
from scoring.paifu.table import PaifuTable

NUMBERS = {str(code): number for number, code in CODES.items()}
DRAWS = {"nine_terminals": 1, "four_winds": 2, "four_kans": 3, "four_riichi": 4, "triple_ron": 5}
CALLS = {StepKind.CHI: 0, StepKind.PON: 1, StepKind.OPEN_KAN: 2}


def write_mahjongsoul(paifu: Paifu, *, uuid: str = "", actions: bool = True) -> dict[str, Any]:
    """Return the game as a record; with `actions` each beside its moment, as newer records have them."""
    records = [
        {"name": f".lq.Record{name}", "data": values}
        for kyoku in paifu.hands
        for name, values in _Writer(kyoku).records()
    ]
    moments = [{"passed": 100 * place, "type": 1, "result": record} for place, record in enumerate(records)]
    content = {"actions": moments, "records": [], "version": 210715} if actions else {"records": records}
    return {
        "head": _head(paifu, uuid or f"260405-{int(paifu.game[-8:], 16):08x}-0000-4000-8000-000000000000"),
        "data": {"name": ".lq.GameDetailRecords", "data": content},
    }


def _head(paifu: Paifu, uuid: str) -> dict[str, Any]:
    moment = paifu.played_at or dt.datetime(2026, 4, 5, tzinfo=dt.UTC)
    mode = (10 if paifu.seats == 3 else 0) + (2 if paifu.rules.get("length") == "ES" else 1)
    return {
        "uuid": uuid,
        "start_time": int(moment.timestamp()),
        "end_time": int(moment.timestamp()) + 2400,
        "config": {"category": 1, "mode": {"mode": mode, "detail_rule": {"dora_count": 3, "shiduan": 1}}},
        "accounts": [
            {"account_id": 10_000_000 + player.seat, "seat": player.seat, "nickname": player.name}
            for player in paifu.players
        ],
        "result": {
            "players": [
                {"seat": seat, "total_point": 100 * points, "part_point_1": score, "grading_score": 0, "gold": 0}
                for seat, (score, points) in enumerate(
                    zip(paifu.final_scores, paifu.final_points or (0,) * paifu.seats, strict=True)
                )
            ]
        },
    }


def names(tiles: Any) -> list[str]:
    return [NAME[tile] for tile in tiles]


class _Writer:
    """One hand being written."""

    def __init__(self, kyoku: PaifuKyoku) -> None:
        self.kyoku = kyoku
        self.table = PaifuTable(kyoku.dealt, kyoku.dealer)
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.dora: list[Tile] = [kyoku.dora[0]]
        self.waiting: int | None = None
        """The seat whose riichi has not been reported as standing."""

    def records(self) -> list[tuple[str, dict[str, Any]]]:
        kyoku = self.kyoku
        dealt = [list(tiles) for tiles in kyoku.dealt]
        dealt[kyoku.dealer] += kyoku.steps[0].tiles
        self.table.apply(kyoku.steps[0])
        values: dict[str, Any] = {
            "chang": "ESW".index(kyoku.round.value),
            "ju": kyoku.number - 1,
            "ben": kyoku.honba,
            "liqibang": kyoku.sticks,
            "scores": list(kyoku.scores),
            "doras": names(self.dora),
            "left_tile_count": 69,
            **{f"tiles{seat}": names(tiles) for seat, tiles in enumerate(dealt)},
        }
        self.found.append(("NewRound", values))
        for place, step in enumerate(kyoku.steps[1:], start=1):
            self.step(step, kyoku.steps[place - 1])
            self.table.apply(step)
        self.end()
        return self.found

    def laid(self) -> dict[str, Any]:
        if self.waiting is None:
            return {}
        seat, self.waiting = self.waiting, None
        return {"liqi": {"seat": seat, "score": 0, "liqibang": 1}}

    def step(self, step: PaifuStep, before: PaifuStep) -> None:
        seat, tiles = step.seat, names(step.tiles)
        if step.kind is StepKind.DRAW:
            self.found.append(("DealTile", {"seat": seat, "tile": tiles[0], **self.laid()}))
        elif step.kind is StepKind.DISCARD:
            is_riichi = before.kind is StepKind.RIICHI
            self.waiting = seat if is_riichi else None
            values = {"seat": seat, "tile": tiles[0], "is_liqi": is_riichi, "moqie": step.tsumogiri}
            self.found.append(("DiscardTile", values))
        elif step.kind in CALLS:
            froms = [seat] * (len(tiles) - 1) + [step.from_seat]
            ordered = [*tiles[1:], tiles[0]]
            values = {"seat": seat, "type": CALLS[step.kind], "tiles": ordered, "froms": froms, **self.laid()}
            self.found.append(("ChiPengGang", values))
        elif step.kind is StepKind.NEW_DORA:
            self.dora += step.tiles
            self.found[-1][1]["doras"] = names(self.dora)
        elif step.kind is StepKind.NORTH:
            self.found.append(("BaBei", {"seat": seat, "moqie": False}))
        elif step.kind is not StepKind.RIICHI:
            kind = 2 if step.kind is StepKind.ADDED_KAN else 3
            self.found.append(("AnGangAddGang", {"seat": seat, "type": kind, "tiles": tiles[0]}))

    def end(self) -> None:
        kyoku = self.kyoku
        deltas = [change + 1000 * (seat in kyoku.riichi) for seat, change in enumerate(kyoku.deltas)]
        if kyoku.wins:
            # The service lists several winners by their seats.
            hules = [self.hule(win) for win in sorted(kyoku.wins, key=lambda win: win.seat)]
            self.found.append(("Hule", {"hules": hules, "delta_scores": deltas, "scores": list(kyoku.after)}))
        elif kyoku.draw is not None and kyoku.draw.kind == EXHAUSTIVE:
            players = [{"tingpai": seat in kyoku.draw.tenpai, "hand": []} for seat in range(len(kyoku.scores))]
            scores = [{"old_scores": list(kyoku.scores), "delta_scores": deltas if any(deltas) else []}]
            values = {"liujumanguan": bool(kyoku.draw.nagashi), "players": players, "scores": scores}
            self.found.append(("NoTile", values))
        elif kyoku.draw is not None:
            self.found.append(("LiuJu", {"type": DRAWS[kyoku.draw.kind], "seat": kyoku.dealer, **self.laid()}))

    def hule(self, win: PaifuWin) -> dict[str, Any]:
        others = len(self.kyoku.scores) - 1
        is_dealer = win.seat == self.kyoku.dealer
        single = win.points // others if is_dealer else 0
        return {
            "seat": win.seat,
            "hand": names(win.hand.concealed),
            "hu_tile": NAME[win.hand.win],
            "zimo": win.loser is None,
            "qinjia": is_dealer,
            "liqi": bool(self.kyoku.ura) and win.seat in self.kyoku.riichi,
            "doras": names(self.kyoku.dora),
            "li_doras": names(self.kyoku.ura),
            "yiman": bool(win.yakuman),
            "count": win.yakuman or win.han,
            "fans": [{"id": NUMBERS[line.code], "val": line.yakuman or line.han} for line in win.yaku],
            "fu": win.fu,
            "point_rong": win.points,
            "point_zimo_qin": 0 if is_dealer else win.points,
            "point_zimo_xian": single,
            "baopai": 0 if win.pao is None else win.pao + 1,
            "ming": ["bei"] if NORTH in win.hand.nuki else [],
        }
