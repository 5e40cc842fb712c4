"""Replay of a hanchan played online (牌譜再生): the list of its kyoku, and each kyoku step by step.

The pages show what the page of the hanchan shows: without a result that the reader may see there is no replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Hanchan
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import hanchan_of
from league.selectors.exchange.paifu_play import HandBeside, PaifuPlayed
from league.selectors.live.kyoku import result_document
from league.selectors.live.replay import shown_replay
from league.views.base import PageData, competition_page, show
from league.views.competitions.schedule import refuse_if_closed
from league.views.live.follow import name_of
from league.views.live.kyoku_lines import sat_at
from league.wording.formatting import score_text
from league.wording.live.hands import CALLS, head_text
from league.wording.live.live import Seated, change_text, table_text
from league.wording.live.replay import position_text, worth_lines
from league.wording.live.tiles import name_of as tile_name_of
from league.wording.messages import wind_name
from scoring.hand import HandValue
from scoring.hand.tiles import NAME, Tile
from scoring.paifu.circumstances import wind_of
from scoring.paifu.positions import (
    EndingWin,
    LaidMeld,
    LaidTile,
    SeatPosition,
    TablePosition,
    by_kind,
    ending_of,
    positions_of,
)

TURNED = "'"
"""The mark after the code of a tile that lies on its side, in the data of the script."""
Data = dict[str, object]


@competition_page
def replay(request: HttpRequest, reader: Reader, key: int) -> HttpResponse:
    """List the kyoku of a hanchan with their outcomes, each with a link to its replay."""
    found = find_replay(reader, key)
    endings = [KyokuEnding.of(hand, found) for hand in found.played.hands]
    return show(request, "live/replay/list.html", PageData(reader), **found.context(), endings=endings)


@competition_page
def replay_kyoku(request: HttpRequest, reader: Reader, key: int, number: int) -> HttpResponse:
    """Show one kyoku step by step, the first one with number 1: a board for the script, and every step as a line."""
    found = find_replay(reader, key)
    if not 1 <= number <= len(found.played.hands):
        raise Http404(_("There is no such hand."))
    hand = found.played.hands[number - 1]
    positions = positions_of(hand.told, hand.before.scores, found.played.paifu.stick)
    return show(
        request,
        "live/replay/kyoku.html",
        PageData(reader),
        **found.context(),
        number=number,
        previous=number - 1,
        following=number + 1 if number < len(found.played.hands) else 0,
        ending=KyokuEnding.of(hand, found),
        lines=[ReplayLine.of(position, found.names) for position in positions],
        seats=list(board_seats(hand, positions, found)) if positions else [],
        dora=positions[-1].dora if positions else hand.told.dora,
        sticks=positions[-1].sticks if positions else hand.told.sticks,
        data=replay_data(positions) if positions else None,
    )


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replayed hanchan with the names of its players by seat."""

    hanchan: Hanchan
    played: PaifuPlayed
    names: Seated
    is_typed: bool
    """True if the result was typed after the record was imported."""

    def context(self) -> dict[str, object]:
        """Return the template context that both pages need."""
        table_session = self.hanchan.table_session
        return {
            "tab": "sessions",
            "hanchan": self.hanchan,
            "table_session": table_session,
            "session": table_session.session,
            "is_typed": self.is_typed,
            "names": self.names,
        }


def find_replay(reader: Reader, key: int) -> Replayed:
    """Return the replay of a hanchan; raise Http404 unless the reader may see its result and it has a record."""
    refuse_if_closed(reader)
    row = hanchan_of(reader, key)
    if row is None:
        raise Http404(_("There is no such hanchan."))
    found = shown_replay(reader, row)
    names = tuple(name_of(reader, seat.player) for seat in sat_at(row, found.game)) if found else ()
    if found is None or len(names) != found.played.rules.players:
        raise Http404(_("There is no record of this hanchan tile by tile."))
    return Replayed(row, found.played, names, found.is_typed)


class ShownChange(NamedTuple):
    """A player's gain or loss in a kyoku, and the score after it."""

    name: str
    change: int
    text: str
    after: str


class ShownWin(NamedTuple):
    """A winner with the hand and its worth."""

    name: str
    head: str
    """The value as called out; empty where the rules see no win."""
    worth: tuple[str, ...]
    """Yaku and dora with their worth, or the reasons why the rules see no win."""
    concealed: tuple[Tile, ...]
    win: str
    """The code of the winning tile."""
    melds: tuple[tuple[str, tuple[Tile, ...]], ...]
    norths: tuple[Tile, ...]

    @classmethod
    def of(cls, win: EndingWin, seated: Seated) -> ShownWin:
        """Return the win in words."""
        return cls(
            name=seated[win.seat],
            head=head_text(win.value) if isinstance(win.value, HandValue) else "",
            worth=tuple(worth_lines(win)),
            concealed=tuple(sorted(win.hand.concealed, key=by_kind)),
            win=NAME[win.hand.win],
            melds=tuple((str(CALLS[meld.kind]), meld.tiles) for meld in win.hand.melds),
            norths=win.hand.nuki,
        )


@dataclass(frozen=True, slots=True)
class KyokuEnding:
    """A kyoku by its name and outcome."""

    title: str
    outcome: str
    said: tuple[str, ...]
    wins: tuple[ShownWin, ...]
    moved: tuple[ShownChange, ...]
    dora: tuple[Tile, ...]
    ura: tuple[Tile, ...]

    @classmethod
    def of(cls, hand: HandBeside, found: Replayed) -> KyokuEnding:
        """Return the outcome as our engine counts it; with the changes of the log where the rules refuse the hand."""
        told, names, rules = hand.told, found.names, found.played.rules
        changes = told.deltas if hand.changes is None else hand.changes
        after = told.after if hand.ours is None else hand.ours.after.scores
        result = None if hand.ours is None else result_document(hand.ours, rules, names)
        return cls(
            title=table_text(hand.before),
            outcome=result["title"] if result else "",
            said=tuple(result["said"]) if result else (),
            wins=tuple(ShownWin.of(win, names) for win in ending_of(told, rules).wins),
            moved=tuple(
                ShownChange(name, change, change_text(change), score_text(score))
                for name, change, score in zip(names, changes, after, strict=True)
            ),
            dora=told.dora,
            ura=told.ura,
        )


class ReplayLine(NamedTuple):
    """One step as a line: in words, with its tiles."""

    text: str
    tiles: tuple[Tile, ...]

    @classmethod
    def of(cls, position: TablePosition, seated: Seated) -> ReplayLine:
        """Return the step that led to a position."""
        step = position.step
        return cls(position_text(position, seated), position.dora if step is None else step.tiles)


class RiverTile(NamedTuple):
    """A discard with the steps at which it was made and called."""

    code: str
    made: int
    called: int | None
    tsumogiri: bool
    turned: bool


class BoardSeat(NamedTuple):
    """A seat of the board as it is after the last step."""

    seat: int
    name: str
    wind: str
    score: str
    position: SeatPosition
    drawn: tuple[Tile, ...]
    melds: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """The kind of each meld, and its tiles by code and look."""
    river: tuple[RiverTile, ...]


def board_seats(hand: HandBeside, positions: Sequence[TablePosition], found: Replayed) -> Iterator[BoardSeat]:
    """Yield the seats with everything they discard in the kyoku."""
    for seat, name in enumerate(found.names):
        end = positions[-1].seats[seat]
        yield BoardSeat(
            seat=seat,
            name=name,
            wind=wind_name(wind_of(seat, hand.told, found.played.rules)),
            score=score_text(end.score),
            position=end,
            drawn=drawn_of(end),
            melds=tuple((str(CALLS[meld.kind]), tuple(map(code_and_look, meld.tiles))) for meld in end.melds),
            river=tuple(river_of(seat, positions)),
        )


def code_and_look(tile: LaidTile) -> tuple[str, str]:
    """Return the code and the look of a tile in a meld."""
    return NAME[tile.tile], "turned" if tile.turned else ""


def river_of(seat: int, positions: Sequence[TablePosition]) -> Iterator[RiverTile]:
    """Yield the discards of a seat, in order."""
    rivers = [position.seats[seat].discards for position in positions]
    for place, tile in enumerate(rivers[-1]):
        made = next(step for step, river in enumerate(rivers) if len(river) > place)
        called = next((step for step in range(made, len(rivers)) if rivers[step][place].caller is not None), None)
        yield RiverTile(NAME[tile.tile], made, called, tile.tsumogiri, tile.turned)


def replay_data(positions: Sequence[TablePosition]) -> Data:
    """Return the data of the script: for each step the seats that it changed, the indicators, sticks and turn.

    The discards are in the page itself, each with the step at which it was made.
    """
    frames: list[Data] = []
    used: set[Tile] = set()
    before: Sequence[SeatPosition | None] = [None] * len(positions[0].seats)
    for position in positions:
        changed = {str(n): seat for n, seat in enumerate(position.seats) if seat != before[n]}
        frames.append(
            {
                "turn": position.turn,
                "sticks": position.sticks,
                "dora": codes(position.dora),
                "seats": {n: seat_data(seat) for n, seat in changed.items()},
            }
        )
        used |= {tile for seat in position.seats for tile in (*seat.hand, *drawn_of(seat), *seat.norths)}
        used |= {each.tile for seat in position.seats for meld in seat.melds for each in meld.tiles} | {*position.dora}
        before = position.seats
    return {"frames": frames, "names": {NAME[tile]: tile_name_of(NAME[tile]) for tile in sorted(used)}}


def seat_data(seat: SeatPosition) -> Data:
    """Return what a seat holds, in codes of tiles."""
    return {
        "hand": codes(seat.hand),
        "drawn": codes(drawn_of(seat)),
        "melds": [[str(CALLS[meld.kind]), meld_codes(meld)] for meld in seat.melds],
        "norths": codes(seat.norths),
        "riichi": seat.is_riichi,
        "score": score_text(seat.score),
    }


def drawn_of(seat: SeatPosition) -> tuple[Tile, ...]:
    """Return the tile just drawn, if any."""
    return () if seat.drawn is None else (seat.drawn,)


def codes(tiles: Sequence[Tile]) -> str:
    """Return the codes of tiles, with spaces between."""
    return " ".join(NAME[tile] for tile in tiles)


def meld_codes(meld: LaidMeld) -> str:
    """Return the codes of a meld from left to right, tiles on their side marked."""
    return " ".join(NAME[each.tile] + TURNED * each.turned for each in meld.tiles)
