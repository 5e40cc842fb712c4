"""Reader of mjlog, the XML of Tenhou: one flat row of tags, a letter for each seat, points in hundreds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar
from urllib.parse import unquote_to_bytes

from league.files.paifu.drafts import Draft, position_of
from league.files.paifu.fields import tenths, text, whole, wholes
from league.files.paifu.mjlog_melds import TILE_IDS, meld_of, tile_of
from league.files.paifu.tenhou_game import NO_RED, game_of, rules_of
from league.files.paifu.tenhou_yaku import DORA, RED, URA, YAKU
from league.files.paifu.xml_tags import Tag, tags_of
from scoring.hand import Tile
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import (
    EXHAUSTIVE,
    Paifu,
    PaifuDraw,
    PaifuKyoku,
    PaifuPlayer,
    PaifuSource,
    PaifuWin,
    PaifuYaku,
    StepKind,
)
from scoring.ruleset.flow import AbortiveKind

MOST_HANDS = 200
HUNDRED = 100
INDICATOR = 5
"""The place in the seed of the first dora indicator, after kyoku, honba, sticks and two dice."""
DRAWN, DISCARDED = "TUVW", "DEFG"
"""Letters of the players in the order of the log; a tag is such a letter with the number of the tile."""
TILE_TAG = re.compile(f"([{DRAWN}{DISCARDED}])(\\d{{1,3}})", re.ASCII)
NAMELESS = "NoName"
"""The name of all guests; it is no account."""
DRAWS: Mapping[str, str] = {
    "yao9": AbortiveKind.NINE_TERMINALS,
    "reach4": AbortiveKind.FOUR_RIICHI,
    "ron3": AbortiveKind.TRIPLE_RON,
    "kan4": AbortiveKind.FOUR_KANS,
    "kaze4": AbortiveKind.FOUR_WINDS,
    "nm": EXHAUSTIVE,
    "": EXHAUSTIVE,
}


def read_mjlog(content: str, name: str) -> Paifu:
    """Return the game of an mjlog; raise PaifuError with the kyoku for what cannot be read."""
    reader = _Reader()
    for tag in tags_of(content):
        try:
            reader.take(tag)
        except PaifuError as error:
            raise error if reader.draft is None else error.at(reader.draft.position) from None
    return reader.paifu(name)


@dataclass(slots=True)
class _Reader:
    """The state of reading: the game's players and rules, and the hand that is read."""

    kind: int = 0
    names: list[str] = field(default_factory=list)
    first: int | None = None
    """The number in the log of the first dealer, who has seat 0."""
    draft: Draft | None = None
    hands: list[PaifuKyoku] = field(default_factory=list)
    final: list[str] = field(default_factory=list)
    drawn: int | None = None
    """The number of the tile just drawn."""

    @property
    def players(self) -> int:
        return len(self.names)

    @property
    def hand(self) -> Draft:
        if self.draft is None:
            raise PaifuError("no_hands")
        return self.draft

    def take(self, tag: Tag) -> None:
        """Read one tag; tags of other names are skipped."""
        take = self._TAKES.get(tag.name)
        if take is not None:
            take(self, tag.values)
        elif found := TILE_TAG.fullmatch(tag.name):
            letter, number = found[1], whole(found[2], tag.name, 0, TILE_IDS - 1)
            if letter in DRAWN:
                self.hand.add(StepKind.DRAW, self.seat(DRAWN.index(letter)), self.tile(number))
                self.drawn = number
            else:
                seat = self.seat(DISCARDED.index(letter))
                self.hand.add(StepKind.DISCARD, seat, self.tile(number), same=number == self.drawn)
                self.drawn = None

    def seat(self, number: int) -> int:
        """Return the seat, counted from the first dealer, of a player's number in the log."""
        if not 0 <= number < self.players:
            raise PaifuError("no_seat", number=number, players=self.players)
        return (number - (self.first or 0)) % self.players

    def by_seat(self, values: list[int]) -> tuple[int, ...]:
        """Return values in the order of the log by seat; a fourth one of three players is dropped."""
        if len(values) < self.players:
            raise PaifuError("seats", key="sc", players=self.players, actual=len(values))
        return tuple(values[(seat + (self.first or 0)) % self.players] for seat in range(self.players))

    def tile(self, number: int) -> Tile:
        return tile_of(number, red=not self.kind & NO_RED)

    def tiles(self, value: str, key: str) -> tuple[Tile, ...]:
        return tuple(map(self.tile, wholes(value, key, 0, TILE_IDS - 1)))

    def _rules(self, values: Mapping[str, str]) -> None:
        self.kind = whole(values.get("type", "0"), "type", 0, 0xFFFF)

    def _players(self, values: Mapping[str, str]) -> None:
        # A player who comes back is named once more, alone.
        if not self.names:
            given = [_name(values.get(f"n{number}", "")) for number in range(4)]
            self.names = given if given[3] else given[:3]

    def _begins(self, values: Mapping[str, str]) -> None:
        self.first = whole(_needed(values, "oya"), "oya", 0, max(self.players - 1, 0))

    def _deals(self, values: Mapping[str, str]) -> None:
        if self.draft is not None:
            self._close()
        if len(self.hands) >= MOST_HANDS or not self.names:
            raise (PaifuError("too_many", most=MOST_HANDS) if self.names else PaifuError("players", actual=0))
        seed = wholes(_needed(values, "seed"), "seed")
        if len(seed) <= INDICATOR:
            raise PaifuError("missing", key="seed")
        position = position_of(seed[0], seed[1], self.players)
        dealer = whole(_needed(values, "oya"), "oya", 0, self.players - 1)
        if self.first is None:
            self.first = dealer
        if self.seat(dealer) != position.number - 1:
            raise PaifuError("dealer", position, seat=self.seat(dealer), other=position.number - 1)
        scores = self.by_seat([HUNDRED * each for each in wholes(_needed(values, "ten"), "ten", -HUNDRED * HUNDRED)])
        hands = [self.tiles(values.get(f"hai{number}", ""), "hai") for number in range(self.players)]
        dealt = tuple(hands[(seat + self.first) % self.players] for seat in range(self.players))
        indicator = self.tile(whole(seed[INDICATOR], "seed", 0, TILE_IDS - 1))
        try:
            self.draft = Draft(position, seed[2], scores, dealt, [indicator])
        except PaifuError as error:
            raise error.at(position) from None
        self.drawn = None

    def _calls(self, values: Mapping[str, str]) -> None:
        meld, seat = meld_of(_needed(values, "m")), self.seat(whole(_needed(values, "who"), "who", 0, 3))
        discarder = None
        if meld.kind in (StepKind.CHI, StepKind.PON, StepKind.OPEN_KAN):
            discarder = self.hand.last_discard(seat).seat
        self.hand.add(meld.kind, seat, *map(self.tile, meld.ids), discarder=discarder)
        self.drawn = None

    def _riichi(self, values: Mapping[str, str]) -> None:
        seat = self.seat(whole(_needed(values, "who"), "who", 0, 3))
        # The first step declares; the second lays the stick, once the discard was not won on.
        if _needed(values, "step") == "1":
            self.hand.add(StepKind.RIICHI, seat)
        elif seat in self.hand.riichi or seat not in self.hand.table.riichi:
            raise PaifuError("riichi_twice", seat=seat, step=len(self.hand.steps))
        else:
            self.hand.riichi.append(seat)

    def _dora(self, values: Mapping[str, str]) -> None:
        last = self.hand.table.last
        indicator = self.tile(whole(_needed(values, "hai"), "hai", 0, TILE_IDS - 1))
        self.hand.add(StepKind.NEW_DORA, last.seat if last else self.hand.position.number - 1, indicator)

    def _wins(self, values: Mapping[str, str]) -> None:
        hand = self.hand
        seat, loser = (self.seat(whole(_needed(values, key), key, 0, 3)) for key in ("who", "fromWho"))
        if hand.draw is not None or any(win.seat == seat for win in hand.wins):
            raise PaifuError("after_end", value="AGARI")
        tile = self.tile(whole(_needed(values, "machi"), "machi", 0, TILE_IDS - 1))
        told = list(self.tiles(_needed(values, "hai"), "hai"))
        if tile in told:
            told.remove(tile)
        deltas = self._paid(values)
        worth = wholes(_needed(values, "ten"), "ten")
        yaku = _yaku(values)
        hand.ura = self.tiles(values.get("doraHaiUra", ""), "doraHaiUra") or hand.ura
        # The list of the win is the whole one, also where a tag for an indicator is missing.
        hand.dora = list(self.tiles(values.get("doraHai", ""), "doraHai")) or hand.dora
        pao = values.get("paoWho")
        hand.wins.append(
            PaifuWin(
                seat=seat,
                loser=None if loser == seat else loser,
                hand=hand.hand(seat, tile, by_draw=loser == seat, told=told),
                pao=None if pao is None else self.seat(whole(pao, "paoWho", 0, 3)),
                han=sum(line.han for line in yaku) if not any(line.yakuman for line in yaku) else 0,
                fu=worth[0] if worth and not any(line.yakuman for line in yaku) else 0,
                yakuman=sum(line.yakuman for line in yaku),
                yaku=yaku,
                points=worth[1] if len(worth) > 1 else 0,
                deltas=deltas,
            )
        )

    def _draws(self, values: Mapping[str, str]) -> None:
        hand, kind = self.hand, DRAWS.get(values.get("type", ""))
        if kind is None or hand.is_over:
            raise PaifuError("result", value=text(values.get("type", ""), "type"))
        self._paid(values)
        is_exhaustive = kind == EXHAUSTIVE
        shown = [self.seat(number) for number in range(self.players) if values.get(f"hai{number}")]
        tenpai = tuple(sorted(shown)) if is_exhaustive else ()
        hand.draw = PaifuDraw(str(kind), tenpai, hand.nagashi() if values.get("type") == "nm" else ())

    def _paid(self, values: Mapping[str, str]) -> tuple[int, ...]:
        """Take the payments of a win or draw: pairs of score and change by player; and the final scores, if there."""
        pairs = wholes(_needed(values, "sc"), "sc", -HUNDRED * HUNDRED)
        deltas = self.by_seat([HUNDRED * change for change in pairs[1::2]])
        self.hand.payments.append(deltas)
        if "owari" in values:
            self.final = values["owari"].split(",")
        return deltas

    def _close(self) -> None:
        self.hands.append(self.hand.record())
        self.draft = None

    _TAKES: ClassVar[Mapping[str, Callable[[_Reader, Mapping[str, str]], None]]] = {
        "GO": _rules,
        "UN": _players,
        "TAIKYOKU": _begins,
        "INIT": _deals,
        "N": _calls,
        "REACH": _riichi,
        "DORA": _dora,
        "AGARI": _wins,
        "RYUUKYOKU": _draws,
    }

    def paifu(self, name: str) -> Paifu:
        """Return the game after the last tag."""
        if self.draft is None:
            raise PaifuError("no_hands")
        position = self.draft.position
        self._close()
        if len(self.final) < 2 * self.players:
            raise PaifuError("missing", position, key="owari")
        scores = self.by_seat([HUNDRED * whole(each, "owari", -HUNDRED * HUNDRED) for each in self.final[::2]])
        points = self.by_seat([tenths(each, "owari") for each in self.final[1::2]])
        names = [self.names[(seat + (self.first or 0)) % self.players] for seat in range(self.players)]
        game, played_at = game_of(name)
        return Paifu(
            source=PaifuSource.TENHOU,
            game=game,
            played_at=played_at,
            players=tuple(PaifuPlayer(each, "" if each == NAMELESS else each, seat) for seat, each in enumerate(names)),
            start=self.hands[0].scores[0],
            hands=tuple(self.hands),
            final_scores=scores,
            final_points=points,
            rules=rules_of(self.kind),
        )


def _needed(values: Mapping[str, str], key: str) -> str:
    if key not in values:
        raise PaifuError("missing", key=key)
    return values[key]


def _name(value: str) -> str:
    try:
        return text(unquote_to_bytes(value).decode(), "n")
    except UnicodeDecodeError:
        raise PaifuError("not_text", key="n", most=0, value=value[:40]) from None


def _yaku(values: Mapping[str, str]) -> tuple[PaifuYaku, ...]:
    """Return the lines of a win: pairs of number and han, or numbers of yakuman."""
    pairs = wholes(values.get("yaku", ""), "yaku")
    lines = [_line(number, han, 0) for number, han in zip(pairs[::2], pairs[1::2], strict=False)]
    lines += [_line(number, 0, 1) for number in wholes(values.get("yakuman", ""), "yakuman")]
    # Dora are listed with 0 han where there are none.
    return tuple(line for line in lines if line.han or line.yakuman or line.code not in (DORA, URA, RED))


def _line(number: int, han: int, yakuman: int) -> PaifuYaku:
    name, code = YAKU[number] if number < len(YAKU) else (str(number), "")
    return PaifuYaku(name, han, yakuman, str(code))
