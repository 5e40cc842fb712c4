"""Document of a hanchan played online, tile by tile: its hands step by step, with the outcomes as our rules count them.

Tiles are codes as in hands: `1m` to `9s`, `1z` to `7z` for winds and dragons, `0m`, `0p`, `0s` for red fives.
"""

from __future__ import annotations

from pydantic import Field

from league.api.live.documents import Honba, KyokuNumber, Round
from league.models import OnlineService
from league.selectors.exchange.paifu_play import HandBeside
from league.selectors.live.replay import ShownReplay
from league.web.documents import Document, Moment, Ref
from scoring.hand import HandValue, Tile
from scoring.hand.tiles import NAME
from scoring.paifu.positions import EndingWin, ending_of
from scoring.paifu.records import PaifuStep, StepKind
from scoring.ruleset import Ruleset
from scoring.ruleset.yaku import Counts


class ReplayStep(Document):
    """One step of a hand."""

    kind: StepKind = Field(description="The kind of step.")
    seat: int = Field(description="The seat that acts; the dealer's for a new dora indicator.")
    tiles: list[str] = Field(
        description="The tile drawn, discarded, added, set aside or turned; of a call first the tile called."
    )
    from_seat: int | None = Field(description="The seat whose discard is called; null for other steps.")
    tsumogiri: bool = Field(description="The tile just drawn is discarded.")


class ReplayYaku(Document):
    """A yaku of a win."""

    name: str = Field(description="The yaku's name in rulesets.")
    han: int = Field(description="Its han; 0 for a yakuman.")
    yakuman: int = Field(description="The number of yakuman it counts as; most often 0.")


class ReplayWin(Document):
    """A win as the rules of the result count it."""

    seat: int = Field(description="The winner's seat.")
    loser: int | None = Field(description="The seat that dealt in; null for a self-draw.")
    hand: str = Field(description="The whole hand in one line, as `POST /score/` reads it.")
    is_win: bool = Field(description="False if the rules of the result see no win here.")
    han: int = Field(description="The han with dora; 0 for a yakuman.")
    fu: int = Field(description="The fu; 0 where they do not count.")
    yakuman: int = Field(description="The number of yakuman.")
    yaku: list[ReplayYaku] = Field(description="The yaku, without dora.")


class ReplayDraw(Document):
    """A drawn hand."""

    kind: str = Field(description="`exhaustive`, or the reason of an abortive draw.")
    tenpai: list[int] = Field(description="The seats in tenpai.")
    nagashi: list[int] = Field(description="The seats with a nagashi mangan.")


class ReplayHand(Document):
    """One hand: the deal, every step, and its end."""

    round: Round
    number: KyokuNumber
    honba: Honba
    sticks: int = Field(description="Riichi sticks on the table at the deal.")
    scores: list[int] = Field(description="The scores by seat at the deal.")
    dealt: list[list[str]] = Field(description="The 13 tiles of each seat; the dealer's 14th is the first step.")
    steps: list[ReplayStep] = Field(description="The steps in order.")
    dora: list[str] = Field(description="Every dora indicator turned.")
    ura: list[str] = Field(description="The indicators below them; none without a riichi that won.")
    wins: list[ReplayWin] = Field(description="The wins; none for a draw.")
    draw: ReplayDraw | None = Field(description="The draw; null after a win.")
    changes: list[int] = Field(description="The change of each seat by the rules of the result.")


class ReplayDocument(Document):
    """A hanchan tile by tile. Seats are those of the hanchan's own document, 0 for the first dealer."""

    hanchan: Ref = Field(description="The hanchan's id.")
    source: OnlineService = Field(description="The online service.")
    played_at: Moment | None = Field(description="When it was played; null if the log does not say.")
    is_typed: bool = Field(description="The result that counts was typed and not taken from the log.")
    hands: list[ReplayHand] = Field(description="The hands in order.")


def replay_document(hanchan: int, found: ShownReplay) -> ReplayDocument:
    """Return a hanchan tile by tile."""
    record, rules = found.played.paifu, found.played.rules
    return ReplayDocument(
        hanchan=str(hanchan),
        source=OnlineService(record.source.value),
        played_at=record.played_at.isoformat() if record.played_at else None,
        is_typed=found.is_typed,
        hands=[hand_document(hand, rules) for hand in found.played.hands],
    )


def hand_document(hand: HandBeside, rules: Ruleset) -> ReplayHand:
    """Return one hand; the changes are those of the log where the rules refuse it."""
    told, ending = hand.told, ending_of(hand.told, rules)
    return ReplayHand(
        round=told.round,
        number=told.number,
        honba=told.honba,
        sticks=told.sticks,
        scores=list(hand.before.scores),
        dealt=[codes(tiles) for tiles in told.dealt],
        steps=[step_document(step) for step in told.steps],
        dora=codes(told.dora),
        ura=codes(told.ura),
        wins=[win_document(win) for win in ending.wins],
        draw=None
        if ending.draw is None
        else ReplayDraw(kind=ending.draw.kind, tenpai=list(ending.draw.tenpai), nagashi=list(ending.draw.nagashi)),
        changes=list(told.deltas if hand.changes is None else hand.changes),
    )


def codes(tiles: tuple[Tile, ...]) -> list[str]:
    """Return the codes of tiles."""
    return [NAME[tile] for tile in tiles]


def step_document(step: PaifuStep) -> ReplayStep:
    """Return one step."""
    return ReplayStep(
        kind=step.kind, seat=step.seat, tiles=codes(step.tiles), from_seat=step.from_seat, tsumogiri=step.tsumogiri
    )


def win_document(win: EndingWin) -> ReplayWin:
    """Return a win."""
    value = win.value if isinstance(win.value, HandValue) else None
    return ReplayWin(
        seat=win.seat,
        loser=win.loser,
        hand=str(win.hand),
        is_win=value is not None,
        han=value.han if value else 0,
        fu=value.fu if value else 0,
        yakuman=value.yakuman if value else 0,
        yaku=[
            ReplayYaku(
                name=str(line.name),
                han=0 if line.counts is Counts.YAKUMAN else line.worth,
                yakuman=line.worth if line.counts is Counts.YAKUMAN else 0,
            )
            for line in (value.yaku if value else ())
        ],
    )
