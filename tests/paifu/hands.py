"""One simulated hand, tile by tile: some seats collect a hand laid out for them, the others discard at random."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from scoring.hand import HandValue, Tile
from scoring.hand.tiles import DRAGONS, KIND, NORTH, OUTSIDE, RED, Kind
from scoring.kyoku.state import State
from scoring.paifu.circumstances import DRAWN_FROM_WALL, value_of
from scoring.paifu.records import EXHAUSTIVE, PaifuDraw, PaifuKyoku, PaifuStep, PaifuWin, StepKind, in_order
from scoring.paifu.table import PaifuTable
from scoring.paifu.waits import waits_of
from scoring.ruleset import Ruleset
from scoring.ruleset.flow import AbortiveKind

MOST_KANS = 3
NINE = 9
STICK = 1000
End = tuple[tuple[PaifuWin, ...], PaifuDraw | None]


@dataclass(slots=True)
class Goal:
    """A hand that a seat collects: its sets and its pair, by kind."""

    sets: list[tuple[Kind, ...]]
    pair: Kind

    @property
    def stays_open(self) -> bool:
        """True if the hand has a yaku that an opened hand keeps."""
        dragons = any(each[0] in DRAGONS for each in self.sets)
        return dragons or not {self.pair, *(kind for each in self.sets for kind in each)} & set(OUTSIDE)

    def needs(self) -> Counter[Kind]:
        return Counter((self.pair, self.pair, *(kind for each in self.sets for kind in each)))


@dataclass(slots=True)
class SimulatedHand:
    """A hand being played; `play` returns it as a record without its payments."""

    rng: random.Random
    state: State
    rules: Ruleset
    steps: list[PaifuStep] = field(default_factory=list)
    goals: dict[int, Goal] = field(default_factory=dict)
    stakes: list[int] = field(default_factory=list)
    waits: dict[int, tuple[Kind, ...]] = field(default_factory=dict)
    wall: list[Tile] = field(default_factory=list)
    indicators: list[Tile] = field(default_factory=list)
    table: PaifuTable = field(init=False)
    turned: int = 1
    kans: int = 0
    dora_waits: int = 0

    @property
    def players(self) -> int:
        return self.state.players

    @property
    def left(self) -> int:
        """The tiles that can still be drawn."""
        return DRAWN_FROM_WALL[self.players] - self.table.draws

    def play(self) -> PaifuKyoku:
        dealt = self._deal()
        self.table = PaifuTable(dealt, self.state.dealer)
        wins, draw = self._run()
        return self._record(dealt, wins, draw)

    def _record(
        self, dealt: tuple[tuple[Tile, ...], ...], wins: tuple[PaifuWin, ...], draw: PaifuDraw | None
    ) -> PaifuKyoku:
        is_riichi = any(win.seat in self.table.riichi for win in wins)
        return PaifuKyoku(
            round=self.state.round,
            number=self.state.number,
            honba=self.state.honba,
            sticks=self.state.kyoutaku // STICK,
            scores=self.state.scores,
            dealt=dealt,
            steps=tuple(self.steps),
            dora=tuple(self.indicators[: 2 * self.turned : 2]),
            ura=tuple(self.indicators[1 : 2 * self.turned : 2]) if is_riichi else (),
            riichi=tuple(self.stakes),
            deltas=(0,) * self.players,
            wins=wins,
            draw=draw,
        )

    def _tiles(self) -> list[Tile]:
        kinds = [kind for kind in range(34) if self.players == 4 or not 0 < kind < 8]
        tiles: list[Tile] = [kind for kind in kinds for _ in range(4)]
        for suit, five in {"m": 4, "p": 13, "s": 22}.items():
            if five in tiles:
                tiles[tiles.index(five)] = RED[suit]
        self.rng.shuffle(tiles)
        return tiles

    def _deal(self) -> tuple[tuple[Tile, ...], ...]:
        """Deal the hands; one to three seats get most of a hand that they then collect."""
        tiles, rng = self._tiles(), self.rng
        lucky = rng.sample(range(self.players), rng.choice((0, 1, 2, 2, 3)))
        dealt: list[list[Tile]] = [[] for _ in range(self.players)]
        missing: list[Tile] = []
        for seat in lucky:
            self.goals[seat] = goal = self._goal(Counter(KIND[tile] for tile in tiles))
            wanted = [tiles.pop(self._place(tiles, kind)) for kind in goal.needs().elements()]
            rng.shuffle(wanted)
            short = rng.choice((2, 3, 3, 4, 5))
            dealt[seat] += wanted[short:][:13]
            missing += wanted[:short]
        for hand in dealt:
            while len(hand) < 13:
                hand.append(tiles.pop())
        self.indicators, tiles = tiles[:10], tiles[10:]
        # Early in the wall, so that the tiles are drawn by some seat before it runs out.
        for tile in missing:
            tiles.insert(rng.randrange(min(50, len(tiles))), tile)
        self.wall = tiles[::-1]
        return tuple(map(tuple, dealt))

    @staticmethod
    def _place(tiles: list[Tile], kind: Kind) -> int:
        return next(place for place, tile in enumerate(tiles) if KIND[tile] == kind)

    def _goal(self, there: Counter[Kind]) -> Goal:
        """Return a hand whose tiles are all still there."""
        sets: list[tuple[Kind, ...]] = []
        while len(sets) < 4:
            kind = self.rng.choice([each for each in there if there[each] and (each != NORTH or self.players == 4)])
            is_run = kind < 27 and kind % 9 < 7 and self.rng.random() < 0.75
            one = (kind, kind + 1, kind + 2) if is_run else (kind,) * 3
            if all(there[each] >= count for each, count in Counter(one).items()):
                sets.append(one)
                there -= Counter(one)
        pairs = [kind for kind, count in there.items() if count > 1 and (kind != NORTH or self.players == 4)]
        return Goal(sets, self.rng.choice(pairs))

    def _do(self, kind: StepKind, seat: int, *tiles: Tile, discarder: int | None = None, same: bool = False) -> None:
        step = PaifuStep(kind, seat, in_order(kind, tiles), discarder, same)
        self.table.apply(step)
        self.steps.append(step)

    def _run(self) -> End:
        seat: int = self.state.dealer
        while self.left:
            end = self._turn(seat)
            while end is None:
                called = self._called()
                if called is None:
                    break
                seat = called
                end = self._turn(seat, called=True)
            if end is not None:
                return end
            seat = (self.table.last.seat + 1) % self.players if self.table.last else seat
        tenpai = tuple(seat for seat in range(self.players) if waits_of(self.table.concealed[seat]))
        nagashi = tuple(seat for seat in range(self.players) if self.table.is_nagashi(seat))
        return (), PaifuDraw(EXHAUSTIVE, tenpai, nagashi)

    def _turn(self, seat: int, *, called: bool = False) -> End | None:
        """Draw unless a tile was called, make kans, and discard; return the end of the hand if this was it."""
        needs_tile = not called or (self.table.last is not None and self.table.last.kind is StepKind.OPEN_KAN)
        while needs_tile:
            self._do(StepKind.DRAW, seat, self.wall.pop())
            if end := self._tsumo(seat) or self._nine(seat):
                return end
            needs_tile = bool(self.left) and self._set_aside(seat)
            if needs_tile and (robbed := self._ron(seat)):
                return robbed
        self._discard(seat)
        if end := self._ron(seat):
            return end
        if self.table.last is not None and seat in self.table.riichi and seat not in self.stakes:
            self.stakes.append(seat)
        while self.dora_waits:
            self.dora_waits -= 1
            self._turn_dora(seat)
        return None

    def _turn_dora(self, seat: int) -> None:
        self._do(StepKind.NEW_DORA, seat, self.indicators[2 * self.turned])
        self.turned += 1

    def _nine(self, seat: int) -> End | None:
        held = self.table.concealed[seat]
        is_first = not self.table.river[seat] and not any(self.table.melds) and not any(self.table.nuki)
        if is_first and len({KIND[tile] for tile in held} & set(OUTSIDE)) >= NINE:
            return (), PaifuDraw(AbortiveKind.NINE_TERMINALS.value)
        return None

    def _won(self, seat: int, tile: Tile, loser: int | None) -> PaifuWin | None:
        """Return the win of a seat on a tile; None if its hand has no yaku."""
        win = PaifuWin(seat, loser, self.table.hand(seat, tile, by_draw=loser is None))
        kyoku = self._record((), (win,), None)
        return win if isinstance(value_of(kyoku, win, self.rules), HandValue) else None

    def _tsumo(self, seat: int) -> End | None:
        tile = self.steps[-1].tiles[0]
        win = self._won(seat, tile, None) if KIND[tile] in self.waits.get(seat, ()) else None
        return ((win,), None) if win else None

    def _ron(self, loser: int) -> End | None:
        """Return the wins on the last tile, in turn order."""
        tile, wins = self.steps[-1].tiles[0], []
        for seat in ((loser + step) % self.players for step in range(1, self.players)):
            waits = self.waits.get(seat, ())
            is_furiten = any(KIND[each] in waits for each in self.table.river[seat])
            if KIND[tile] in waits and not is_furiten and (win := self._won(seat, tile, loser)):
                wins.append(win)
        return (tuple(wins), None) if wins else None

    def _set_aside(self, seat: int) -> bool:
        """Set a north aside or make a kan of a seat's own tiles; return whether it did."""
        held, table = self.table.concealed[seat], self.table
        if self.players == 3 and NORTH in held:
            self._do(StepKind.NORTH, seat, NORTH)
            return True
        if seat in table.riichi or self.kans >= MOST_KANS or self.rng.random() < 0.3:
            return False
        counts = Counter(KIND[tile] for tile in held)
        ponned = {KIND[meld.tiles[0]] for meld in table.melds[seat] if meld.kind == "pon"}
        for kind, count in counts.items():
            tiles = [tile for tile in held if KIND[tile] == kind]
            if count == 4 and seat not in self.goals:
                self._do(StepKind.CLOSED_KAN, seat, *tiles)
                self.kans += 1
                self._turn_dora(seat)
                return True
            if kind in ponned:
                self._do(StepKind.ADDED_KAN, seat, tiles[0])
                self.kans += 1
                self.dora_waits += 1
                return True
        return False

    def _discard(self, seat: int) -> None:
        drawn = self.table.drawn[seat]
        if seat in self.table.riichi and drawn is not None:
            self._do(StepKind.DISCARD, seat, drawn, same=True)
            return
        tile = self._choice(seat, drawn)
        rest = list(self.table.concealed[seat])
        rest.remove(tile)
        waits = waits_of(rest) if seat in self.goals else ()
        is_closed = all(meld.kind == "ankan" for meld in self.table.melds[seat])
        if waits and is_closed and self.state.scores[seat] >= STICK and self.left >= self.players:
            self._do(StepKind.RIICHI, seat)
        self._do(StepKind.DISCARD, seat, tile, same=tile == drawn and (tile not in rest or self.rng.random() < 0.9))
        self.waits[seat] = waits

    def _choice(self, seat: int, drawn: Tile | None) -> Tile:
        """Return the tile to discard: one that the seat's goal does not need, else the drawn one or any."""
        held = self.table.concealed[seat]
        if seat in self.goals:
            needs, extra = self.goals[seat].needs(), []
            for tile in held:
                if needs[KIND[tile]]:
                    needs[KIND[tile]] -= 1
                else:
                    extra.append(tile)
            if extra:
                return self.rng.choice(extra)
        return drawn if drawn is not None and self.rng.random() < 0.6 else self.rng.choice(held)

    def _called(self) -> int | None:
        """Let a seat call the last discard for its goal, or for an open kan; return the seat that did."""
        discard = self.table.discarded
        if discard is None or not self.left:
            return None
        tile, kind = discard.tiles[0], KIND[discard.tiles[0]]
        for seat in (seat for seat in range(self.players) if seat != discard.seat and seat not in self.table.riichi):
            same = [each for each in self.table.concealed[seat] if KIND[each] == kind]
            if len(same) == 3 and seat not in self.goals and self.kans < MOST_KANS and self.rng.random() < 0.5:
                self._do(StepKind.OPEN_KAN, seat, tile, *same, discarder=discard.seat)
                self.kans += 1
                self.dora_waits += 1
                return seat
            if self._calls_for_goal(seat, tile, same, discard.seat):
                return seat
        return None

    def _calls_for_goal(self, seat: int, tile: Tile, same: list[Tile], discarder: int) -> bool:
        goal, kind = self.goals.get(seat), KIND[tile]
        if goal is None or not goal.stays_open or self.waits.get(seat):
            return False
        if len(same) == 2 and (kind,) * 3 in goal.sets:
            self._do(StepKind.PON, seat, tile, *same, discarder=discarder)
            goal.sets.remove((kind,) * 3)
            return True
        is_next = self.players == 4 and seat == (discarder + 1) % 4
        for run in (run for run in goal.sets if is_next and kind in run and len(set(run)) == 3 and not same):
            held = self.table.concealed[seat]
            own = [next((each for each in held if KIND[each] == part), None) for part in run if part != kind]
            if None not in own:
                self._do(StepKind.CHI, seat, tile, *(each for each in own if each is not None), discarder=discarder)
                goal.sets.remove(run)
                return True
        return False
