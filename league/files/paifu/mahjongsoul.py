"""Reader of records of Mahjong Soul as JSON: a head with players and result, and a row of named actions.

Converters write keys with underscores or in camel case, and may leave out every value that is zero, false or empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from league.files.paifu.drafts import SEATS_OF_ROUND, Draft, position_of
from league.files.paifu.fields import items, members, text, whole
from league.files.paifu.mahjongsoul_head import Head, actions_of, head_of, pick
from league.files.paifu.mahjongsoul_yaku import CODES
from scoring.hand import Tile
from scoring.hand.tiles import KIND, NAMED, NORTH
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import (
    EXHAUSTIVE,
    Paifu,
    PaifuDraw,
    PaifuKyoku,
    PaifuPlayer,
    PaifuSource,
    PaifuStep,
    PaifuWin,
    PaifuYaku,
    StepKind,
)
from scoring.ruleset.flow import AbortiveKind

MOST_HANDS = 200
MOST_TILES = 20
MOST_FANS = 60
HELD = 13
Data = Mapping[str, object]
CALLS = (StepKind.CHI, StepKind.PON, StepKind.OPEN_KAN)
"""By their number in a record."""
ADDED, CLOSED = 2, 3
DRAWS: Mapping[int, AbortiveKind] = {
    1: AbortiveKind.NINE_TERMINALS,
    2: AbortiveKind.FOUR_WINDS,
    3: AbortiveKind.FOUR_KANS,
    4: AbortiveKind.FOUR_RIICHI,
    5: AbortiveKind.TRIPLE_RON,
}


def is_mahjongsoul(data: object) -> bool:
    """Return whether parsed JSON is a record of Mahjong Soul."""
    return isinstance(data, dict) and isinstance(data.get("head"), dict)


def read_mahjongsoul(data: object, _name: str) -> Paifu:
    """Return the game of a record; raise PaifuError with the kyoku for what cannot be read."""
    whole_log = members(data, "record")
    head = head_of(members(whole_log.get("head"), "head"))
    reader = _Reader(head)
    for name, values in actions_of(whole_log):
        try:
            reader.take(name, values)
        except PaifuError as error:
            raise error if reader.draft is None else error.at(reader.draft.position) from None
    return reader.paifu()


def tile_of(value: object) -> Tile:
    """Return the tile of a name such as `0p` or `7z`."""
    tile = NAMED.get(value) if isinstance(value, str) else None
    if tile is None:
        raise PaifuError("not_tile", value=str(value)[:20])
    return tile


def tiles_of(value: object, key: str) -> tuple[Tile, ...]:
    """Return the tiles of a list of names."""
    return tuple(map(tile_of, items(value, key, MOST_TILES)))


@dataclass(slots=True)
class _Reader:
    """The state of reading: the head, the hands so far, and the hand that is read."""

    head: Head
    players: int = 0
    draft: Draft | None = None
    hands: list[PaifuKyoku] = field(default_factory=list)

    @property
    def hand(self) -> Draft:
        if self.draft is None:
            raise PaifuError("no_hands")
        return self.draft

    def take(self, name: str, values: Data) -> None:
        """Read one action; those of other names are skipped."""
        take = self._TAKES.get(name)
        if take is not None:
            take(self, values)

    def seat(self, values: Data) -> int:
        return whole(pick(values, "seat", 0), "seat", 0, self.players - 1)

    def _deals(self, values: Data) -> None:
        if self.draft is not None:
            self._close()
        if len(self.hands) >= MOST_HANDS:
            raise PaifuError("too_many", most=MOST_HANDS)
        scores = tuple(whole(each, "scores", -1_000_000) for each in items(pick(values, "scores", []), "scores", 4))
        self.players = self.players or len(scores)
        if len(scores) != self.players or self.players not in (3, 4):
            raise PaifuError("players", actual=len(scores))
        round_, number, honba, sticks = (
            whole(pick(values, key, 0), key, 0, most)
            for key, most in (("chang", 2), ("ju", self.players - 1), ("ben", 999), ("liqibang", 999))
        )
        position = position_of(round_ * SEATS_OF_ROUND + number, honba, self.players)
        hands = [tiles_of(pick(values, f"tiles{seat}", []), f"tiles{seat}") for seat in range(self.players)]
        dora = tiles_of(pick(values, "doras", []), "doras") or (tile_of(pick(values, "dora", "")),)
        first, hands[number] = hands[number][HELD:], hands[number][:HELD]
        try:
            self.draft = Draft(position, sticks, scores, tuple(hands), list(dora), self.head.stick)
        except PaifuError as error:
            raise error.at(position) from None
        for tile in first:
            self.draft.add(StepKind.DRAW, number, tile)

    def _indicators(self, values: Data) -> None:
        """Turn the indicators that an action lists and the hand has not."""
        last = self.hand.table.last
        for tile in tiles_of(pick(values, "doras", []), "doras")[len(self.hand.dora) :]:
            self.hand.add(StepKind.NEW_DORA, last.seat if last else self.hand.position.number - 1, tile)

    def _stick(self, values: Data) -> None:
        """Lay the stick of the riichi that an action reports as standing."""
        laid = pick(values, "liqi", None)
        if laid is None:
            return
        report = members(laid, "liqi")
        if not pick(report, "failed", False):  # noqa: FBT003 - the value of a key that is missing
            seat = self.seat(report)
            if seat in self.hand.riichi or seat not in self.hand.table.riichi:
                raise PaifuError("riichi_twice", seat=seat, step=len(self.hand.steps))
            self.hand.riichi.append(seat)

    def _draws_tile(self, values: Data) -> None:
        self._stick(values)
        self._indicators(values)
        self.hand.add(StepKind.DRAW, self.seat(values), tile_of(pick(values, "tile", "")))

    def _discards(self, values: Data) -> None:
        seat = self.seat(values)
        if pick(values, "is_liqi", None) or pick(values, "is_wliqi", None):
            self.hand.add(StepKind.RIICHI, seat)
        self.hand.add(StepKind.DISCARD, seat, tile_of(pick(values, "tile", "")), same=bool(pick(values, "moqie", None)))
        self._indicators(values)

    def _calls(self, values: Data) -> None:
        self._stick(values)
        seat, tiles = self.seat(values), list(tiles_of(pick(values, "tiles", []), "tiles"))
        givers = [whole(each, "froms", 0, 3) for each in items(pick(values, "froms", []), "froms", 4)]
        kind = CALLS[whole(pick(values, "type", 0), "type", 0, len(CALLS) - 1)]
        place = next((index for index, giver in enumerate(givers) if giver != seat), len(tiles) - 1)
        if not 0 <= place < len(tiles):
            raise PaifuError("not_list", key="tiles", value=len(tiles))
        called = tiles.pop(place)
        self.hand.add(kind, seat, called, *tiles, discarder=self.hand.last_discard(seat).seat)
        self._indicators(values)

    def _own_kan(self, values: Data) -> None:
        seat, tile = self.seat(values), tile_of(pick(values, "tiles", ""))
        kind = whole(pick(values, "type", 0), "type", ADDED, CLOSED)
        if kind == ADDED:
            self.hand.add(StepKind.ADDED_KAN, seat, tile)
        else:
            same = [each for each in self.hand.table.concealed[seat] if KIND[each] == KIND[tile]]
            self.hand.add(StepKind.CLOSED_KAN, seat, *same)
        self._indicators(values)

    def _north(self, values: Data) -> None:
        self.hand.add(StepKind.NORTH, self.seat(values), NORTH)
        self._indicators(values)

    def _wins(self, values: Data) -> None:
        hand, last = self.hand, self.hand.table.last
        if hand.is_over or last is None:
            raise PaifuError("after_end", value="Hule")
        found = [self._win(members(each, "hules"), last) for each in items(pick(values, "hules", []), "hules", 4)]
        # The next in turn after the discarder is the one who takes honba and sticks.
        found.sort(key=lambda win: (win.seat - last.seat) % self.players)
        deltas = self._changes(values)
        if len(found) == 1:
            (win,) = found
            found = [
                PaifuWin(
                    win.seat, win.loser, win.hand, win.pao, win.han, win.fu, win.yakuman, win.yaku, win.points, deltas
                )
            ]
        hand.wins += found
        hand.payments.append(deltas)

    def _changes(self, values: Data) -> tuple[int, ...]:
        changes = items(pick(values, "delta_scores", []), "delta_scores", 4)
        found = tuple(whole(each, "delta_scores", -1_000_000) for each in changes)
        if found and len(found) != self.players:
            raise PaifuError("seats", key="delta_scores", players=self.players, actual=len(found))
        return found or (0,) * self.players

    def _win(self, values: Data, last: PaifuStep) -> PaifuWin:
        seat, by_draw = self.seat(values), bool(pick(values, "zimo", None))
        tile = tile_of(pick(values, "hu_tile", ""))
        told = tiles_of(pick(values, "hand", []), "hand")
        fans = [members(each, "fans") for each in items(pick(values, "fans", []), "fans", MOST_FANS)]
        is_yakuman = bool(pick(values, "yiman", None))
        lines = tuple(
            line for line in (_line(each, is_yakuman=is_yakuman) for each in fans) if line.han or line.yakuman
        )
        self.hand.ura = tiles_of(pick(values, "li_doras", []), "li_doras") or self.hand.ura
        self.hand.dora = list(tiles_of(pick(values, "doras", []), "doras")) or self.hand.dora
        liable = whole(pick(values, "baopai", 0), "baopai", 0, self.players)
        return PaifuWin(
            seat=seat,
            loser=None if by_draw else last.seat,
            hand=self.hand.hand(seat, tile, by_draw=by_draw, told=told),
            pao=liable - 1 if liable else None,
            han=sum(line.han for line in lines),
            fu=0 if is_yakuman else whole(pick(values, "fu", 0), "fu", 0, 999),
            yakuman=sum(line.yakuman for line in lines),
            yaku=lines,
            points=self._points(values, seat, by_draw=by_draw),
        )

    def _points(self, values: Data, seat: int, *, by_draw: bool) -> int:
        ron, dealer, other = (
            whole(pick(values, key, 0), key) for key in ("point_rong", "point_zimo_qin", "point_zimo_xian")
        )
        if not by_draw:
            return ron
        is_dealer = seat == self.hand.position.number - 1
        return other * (self.players - 1) if is_dealer else dealer + other * (self.players - 2)

    def _wall_ends(self, values: Data) -> None:
        hand = self.hand
        if hand.is_over:
            raise PaifuError("after_end", value="NoTile")
        shown = [members(each, "players") for each in items(pick(values, "players", []), "players", 4)]
        tenpai = tuple(seat for seat, each in enumerate(shown) if pick(each, "tingpai", None))
        paid = [members(each, "scores") for each in items(pick(values, "scores", []), "scores", 4)]
        hand.payments += [self._changes(each) for each in paid] or [(0,) * self.players]
        nagashi = hand.nagashi() if pick(values, "liujumanguan", None) else ()
        hand.draw = PaifuDraw(EXHAUSTIVE, tenpai, nagashi)

    def _broken_off(self, values: Data) -> None:
        kind = DRAWS.get(whole(pick(values, "type", 0), "type", 0, 99))
        if kind is None or self.hand.is_over:
            raise PaifuError("result", value=f"LiuJu {pick(values, 'type', 0)}")
        self._stick(values)
        self.hand.payments.append((0,) * self.players)
        self.hand.draw = PaifuDraw(kind.value)

    def _close(self) -> None:
        self.hands.append(self.hand.record())
        self.draft = None

    _TAKES: ClassVar[Mapping[str, Callable[[_Reader, Data], None]]] = {
        "NewRound": _deals,
        "DealTile": _draws_tile,
        "DiscardTile": _discards,
        "ChiPengGang": _calls,
        "AnGangAddGang": _own_kan,
        "BaBei": _north,
        "Hule": _wins,
        "NoTile": _wall_ends,
        "LiuJu": _broken_off,
    }

    def paifu(self) -> Paifu:
        """Return the game after the last action."""
        if self.draft is None:
            raise PaifuError("no_hands")
        self._close()
        head, last = self.head, self.hands[-1]
        scores, points = head.final(self.players)
        return Paifu(
            source=PaifuSource.MAHJONGSOUL,
            game=head.game,
            played_at=head.played_at,
            players=tuple(PaifuPlayer(*head.player(seat), seat) for seat in range(self.players)),
            start=self.hands[0].scores[0],
            hands=tuple(self.hands),
            final_scores=scores or last.after,
            final_points=points,
            rules=head.rules,
        )


def _line(values: Data, *, is_yakuman: bool) -> PaifuYaku:
    number, worth = whole(pick(values, "id", 0), "id", 0, 9999), whole(pick(values, "val", 0), "val", 0, 999)
    name = text(pick(values, "name", ""), "name") or str(number)
    return PaifuYaku(name, 0 if is_yakuman else worth, worth if is_yakuman else 0, str(CODES.get(number, "")))
