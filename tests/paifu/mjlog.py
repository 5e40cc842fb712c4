"""Writer of mjlog for tests: a neutral record as the XML of Tenhou."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from scoring.hand import Tile
from scoring.hand.tiles import KIND, RED
from scoring.paifu.records import EXHAUSTIVE, Paifu, PaifuKyoku, PaifuStep, PaifuWin, StepKind

RED_IDS = {RED["m"]: 16, RED["p"]: 52, RED["s"]: 88}
FIVES = (4, 13, 22)
NAMES = {
    "menzen_tsumo": 0,
    "riichi": 1,
    "ippatsu": 2,
    "chankan": 3,
    "rinshan": 4,
    "haitei": 5,
    "houtei": 6,
    "pinfu": 7,
    "tanyao": 8,
    "iipeikou": 9,
    "haku": 18,
    "hatsu": 19,
    "chun": 20,
    "double_riichi": 21,
    "chiitoitsu": 22,
    "chanta": 23,
    "ittsu": 24,
    "sanshoku": 25,
    "sanshoku_doukou": 26,
    "sankantsu": 27,
    "toitoi": 28,
    "sanankou": 29,
    "shousangen": 30,
    "honroutou": 31,
    "ryanpeikou": 32,
    "junchan": 33,
    "honitsu": 34,
    "chinitsu": 35,
    "renhou": 36,
    "tenhou": 37,
    "chiihou": 38,
    "daisangen": 39,
    "suuankou": 40,
    "suuankou_tanki": 41,
    "tsuuiisou": 42,
    "ryuuiisou": 43,
    "chinroutou": 44,
    "chuuren": 45,
    "chuuren9": 46,
    "kokushi": 47,
    "kokushi13": 48,
    "daisuushi": 49,
    "shousuushi": 50,
    "suukantsu": 51,
    "dora": 52,
    "ura": 53,
    "red": 54,
}
DRAWS = {
    "nine_terminals": "yao9",
    "four_riichi": "reach4",
    "triple_ron": "ron3",
    "four_kans": "kan4",
    "four_winds": "kaze4",
}


def write_mjlog(paifu: Paifu, *, first: int = 0) -> str:
    """Return the game as mjlog; `first` is the number of the first dealer in the log, 0 in those of Tenhou."""
    players = paifu.seats
    kind = 0x01 | (0x08 if paifu.rules["length"] == "ES" else 0) | (0x10 if players == 3 else 0)
    kind |= (0x02 if paifu.rules["red"] == "0" else 0) | (0x04 if paifu.rules["open_tanyao"] == "no" else 0)
    names = ["".join(f"%{byte:02X}" for byte in paifu.players[seat].name.encode()) for seat in _order(players, first)]
    names += [""] * (4 - players)
    tags = [
        '<mjloggm ver="2.3"><SHUFFLE seed="mt19937ar-sha512-n288-base64,x" ref=""/>',
        f'<GO type="{kind}" lobby="0"/>',
    ]
    named = " ".join(f'n{number}="{name}"' for number, name in enumerate(names))
    tags.append(f'<UN {named} dan="0,0,0,0" sx="M,F,M,C"/>')
    tags.append(f'<TAIKYOKU oya="{first}"/>')
    for kyoku in paifu.hands:
        tags += _Writer(kyoku, first, paifu if kyoku is paifu.hands[-1] else None).tags()
    return "".join((*tags, "</mjloggm>"))


def _order(players: int, first: int) -> list[int]:
    """Return the seat of each player's number in the log."""
    return [(number - first) % players for number in range(players)]


@dataclass(slots=True)
class _Writer:
    """One hand being written: every tile gets the number of one copy."""

    kyoku: PaifuKyoku
    first: int
    ends: Paifu | None
    held: list[list[tuple[Tile, int]]] = field(default_factory=list)
    used: dict[Tile, int] = field(default_factory=dict)
    melds: list[list[int]] = field(default_factory=list)
    pons: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    drawn: int = -1
    last: int = -1
    indicators: list[int] = field(default_factory=list)

    @property
    def players(self) -> int:
        return len(self.kyoku.scores)

    def number(self, seat: int) -> int:
        return (seat + self.first) % self.players

    def tags(self) -> Iterator[str]:
        kyoku = self.kyoku
        self.melds = [[] for _ in kyoku.dealt]
        self.held = [[(tile, self.new(tile)) for tile in tiles] for tiles in kyoku.dealt]
        self.indicators = [self.new(tile) for tile in kyoku.dora]
        count = {"E": 0, "S": 4, "W": 8}[kyoku.round.value] + kyoku.number - 1
        hands = {self.number(seat): ",".join(str(id_) for _, id_ in held) for seat, held in enumerate(self.held)}
        dealt = " ".join(f'hai{number}="{hands.get(number, "")}"' for number in range(4))
        yield (
            f'<INIT seed="{count},{kyoku.honba},{kyoku.sticks},1,2,{self.indicators[0]}" '
            f'ten="{self.by_number([score // 100 for score in kyoku.scores])}" '
            f'oya="{self.number(kyoku.dealer)}" {dealt}/>'
        )
        for place, step in enumerate(kyoku.steps):
            yield from self.step(step, place)
        yield from self.end()

    def by_number(self, values: Sequence[object]) -> str:
        ordered = [str(values[seat]) for seat in _order(self.players, self.first)]
        return ",".join(ordered + ["0"] * (4 - self.players))

    def new(self, tile: Tile) -> int:
        if tile in RED_IDS:
            return RED_IDS[tile]
        used = self.used[tile] = self.used.get(tile, 0) + 1
        copies = [1, 2, 3, 0] if tile in FIVES else [0, 1, 2, 3]
        return 4 * tile + copies[used - 1]

    def take(self, seat: int, tile: Tile, avoid: int = -1) -> int:
        found = next((each for each in self.held[seat] if each[0] == tile and each[1] != avoid), None)
        found = found or next(each for each in self.held[seat] if each[0] == tile)
        self.held[seat].remove(found)
        return found[1]

    def step(self, step: PaifuStep, place: int) -> Iterator[str]:
        seat, number = step.seat, self.number(step.seat)
        if step.kind is StepKind.DRAW:
            self.drawn = self.new(step.tiles[0])
            self.held[seat].append((step.tiles[0], self.drawn))
            yield f"<{'TUVW'[number]}{self.drawn}/>"
        elif step.kind is StepKind.DISCARD:
            if step.tsumogiri:
                self.held[seat].remove((step.tiles[0], self.drawn))
                self.last = self.drawn
            else:
                self.last = self.take(seat, step.tiles[0], self.drawn)
            yield f"<{'DEFG'[number]}{self.last}/>"
            before = self.kyoku.steps[place - 1]
            if before.kind is StepKind.RIICHI and seat in self.kyoku.riichi:
                yield f'<REACH who="{number}" ten="0,0,0,0" step="2"/>'
            self.drawn = -1
        elif step.kind is StepKind.RIICHI:
            yield f'<REACH who="{number}" step="1"/>'
        elif step.kind is StepKind.NEW_DORA:
            turned = sum(each.kind is StepKind.NEW_DORA for each in self.kyoku.steps[:place])
            yield f'<DORA hai="{self.indicators[turned + 1]}" />'
        else:
            yield f'<N who="{number}" m="{self.meld(step)}" />'

    def meld(self, step: PaifuStep) -> int:
        """Return the number of a meld, and take its tiles from the hand."""
        seat, tiles = step.seat, step.tiles
        calls = (StepKind.CHI, StepKind.PON, StepKind.OPEN_KAN)
        own = [self.take(seat, tile) for tile in (tiles[1:] if step.kind in calls else tiles)]
        offset = (self.number(step.from_seat) - self.number(seat)) % 4 if step.from_seat is not None else 0
        if step.kind is StepKind.CHI:
            ids = sorted([self.last, *own])
            first = ids[0] // 4
            pattern = (first // 9 * 7 + first % 9) * 3 + ids.index(self.last)
            bits = sum(id_ % 4 << 3 + 2 * place for place, id_ in enumerate(ids))
            found = offset | 4 | bits | pattern << 10
        elif step.kind is StepKind.PON:
            ids = sorted([self.last, *own])
            (other,) = {4 * (ids[0] // 4) + copy for copy in range(4)} - set(ids)
            found = offset | 8 | other % 4 << 5 | (ids[0] // 4 * 3 + ids.index(self.last)) << 9
            self.pons[seat, KIND[tiles[0]]] = (found, len(self.melds[seat]))
        elif step.kind is StepKind.ADDED_KAN:
            pon, place = self.pons[seat, KIND[tiles[0]]]
            found = self.melds[seat][place] = pon & ~8 | 16
            self.last = own[0]
            return found
        elif step.kind is StepKind.NORTH:
            found = 32 | own[0] << 8
            self.last = own[0]
        else:
            found = offset | (self.last if step.kind is StepKind.OPEN_KAN else own[0] // 4 * 4) << 8
            self.last = self.last if step.kind is StepKind.OPEN_KAN else own[0]
        self.melds[seat].append(found)
        return found

    def end(self) -> Iterator[str]:
        kyoku = self.kyoku
        scores = [score - 1000 * (seat in kyoku.riichi) for seat, score in enumerate(kyoku.scores)]
        ura = [self.new(tile) for tile in kyoku.ura]
        for win in kyoku.wins:
            yield self.agari(win, scores, ura, is_last=win is kyoku.wins[-1])
            scores = [score + change for score, change in zip(scores, win.deltas, strict=True)]
        if kyoku.draw is not None:
            deltas = [change + 1000 * (seat in kyoku.riichi) for seat, change in enumerate(kyoku.deltas)]
            kind = "nm" if kyoku.draw.nagashi else DRAWS.get(kyoku.draw.kind, "")
            shown = [
                f'hai{self.number(seat)}="{",".join(str(id_) for _, id_ in self.held[seat])}"'
                for seat in kyoku.draw.tenpai
                if kyoku.draw.kind == EXHAUSTIVE
            ]
            named = f'type="{kind}" ' if kind else ""
            yield f'<RYUUKYOKU {named}ba="0,0" {self.paid(scores, deltas, is_last=True)} {" ".join(shown)}/>'

    def paid(self, scores: Sequence[int], deltas: Sequence[int], *, is_last: bool) -> str:
        pairs = [f"{score // 100},{change // 100}" for score, change in zip(scores, deltas, strict=True)]
        ordered = [pairs[seat] for seat in _order(self.players, self.first)] + ["0,0"] * (4 - self.players)
        found = f'sc="{",".join(ordered)}"'
        if self.ends is None or not is_last or self.ends.final_points is None:
            return found
        ends = [
            f"{score // 100},{points / 10:.1f}"
            for score, points in zip(self.ends.final_scores, self.ends.final_points, strict=True)
        ]
        ends = [ends[seat] for seat in _order(self.players, self.first)] + ["0,0"] * (4 - self.players)
        return f'{found} owari="{",".join(ends)}"'

    def agari(self, win: PaifuWin, scores: Sequence[int], ura: Sequence[int], *, is_last: bool) -> str:
        last = self.drawn if win.loser is None else self.last
        ids = sorted([id_ for _, id_ in self.held[win.seat]] + ([] if win.loser is None else [last]))
        yaku = [(yaku_number(line.code, win, self.kyoku), line.han) for line in win.yaku if not line.yakuman]
        limit = [yaku_number(line.code, win, self.kyoku) for line in win.yaku for _ in range(line.yakuman)]
        parts = {
            "ba": "0,0",
            "hai": ",".join(map(str, ids)),
            "m": ",".join(map(str, reversed(self.melds[win.seat]))),
            "machi": str(last),
            "ten": f"{win.fu},{win.points},0",
            "yaku": ",".join(f"{number},{han}" for number, han in yaku),
            "yakuman": ",".join(map(str, limit)),
            "doraHai": ",".join(map(str, self.indicators)),
            "doraHaiUra": ",".join(map(str, ura)),
            "who": str(self.number(win.seat)),
            "fromWho": str(self.number(win.seat if win.loser is None else win.loser)),
            "paoWho": "" if win.pao is None else str(self.number(win.pao)),
        }
        written = " ".join(f'{key}="{quote(value, safe=",")}"' for key, value in parts.items() if value)
        return f"<AGARI {written} {self.paid(scores, win.deltas, is_last=is_last)} />"


def yaku_number(code: str, win: PaifuWin, kyoku: PaifuKyoku) -> int:
    """Return the number of a yaku; winds have one for each wind."""
    if code == "seat_wind":
        return 10 + (win.seat - kyoku.dealer) % len(kyoku.scores)
    if code == "round_wind":
        return 14 + "ESW".index(kyoku.round.value)
    return 52 if code == "north_dora" else NAMES[code]
