"""Logs as JSON: `to_json` writes what `from_json` reads back as an equal record.

Tiles are written in the notation of `scoring.hand.tiles`, a step as one line such as `2 chi 345m from 1` or
`0 discard 5z tsumogiri`, and a winning hand as `Hand.read` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, ValidationError

from scoring.hand import Hand, NotationError, parse_tiles, tiles_text
from scoring.paifu.checks import check_paifu
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
from scoring.ruleset.base import Strict
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind

VERSION = 1
MOST_SEATS = 4
MOST_HANDS = 200
MOST_STEPS = 400
MOST_POINTS = 10_000_000
LONGEST_TEXT = 200

Seat = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Amount = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
Counted = Annotated[int, Field(ge=0, le=1000)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
BySeat = Annotated[tuple[Amount, ...], Field(max_length=MOST_SEATS)]
Seats = Annotated[tuple[Seat, ...], Field(max_length=MOST_SEATS)]


class StoredPlayer(Strict):
    """A player; the place in the list is the seat."""

    name: Text
    account: Text = ""


class StoredWin(Strict):
    """A win, with its hand as one line."""

    seat: Seat
    loser: Seat | None = None
    hand: Text
    pao: Seat | None = None
    han: Counted = 0
    fu: Counted = 0
    yakuman: Counted = 0
    yaku: Annotated[tuple[tuple[Text, Counted, Counted, Text], ...], Field(max_length=LONGEST_TEXT)] = ()
    points: Amount = 0
    deltas: BySeat = ()


class StoredDraw(Strict):
    """A drawn hand."""

    kind: AbortiveKind | Literal["exhaustive"]
    tenpai: Seats = ()
    nagashi: Seats = ()


class StoredKyoku(Strict):
    """One hand."""

    round: RoundName
    number: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    honba: Counted = 0
    sticks: Counted = 0
    scores: BySeat
    dealt: Annotated[tuple[Text, ...], Field(max_length=MOST_SEATS)]
    steps: Annotated[tuple[Text, ...], Field(max_length=MOST_STEPS)]
    dora: Text
    ura: Text = ""
    riichi: Seats = ()
    deltas: BySeat
    wins: Annotated[tuple[StoredWin, ...], Field(max_length=MOST_SEATS)] = ()
    draw: StoredDraw | None = None


class StoredPaifu(Strict):
    """A whole game."""

    version: int
    source: PaifuSource
    game: Text = ""
    played_at: AwareDatetime | None = None
    players: Annotated[tuple[StoredPlayer, ...], Field(max_length=MOST_SEATS)]
    start: Amount
    rules: Annotated[dict[Text, Text], Field(max_length=LONGEST_TEXT)] = {}
    final_scores: BySeat
    final_points: BySeat | None = None
    hands: Annotated[tuple[StoredKyoku, ...], Field(max_length=MOST_HANDS)]


def to_json(paifu: Paifu) -> dict[str, object]:
    """Return a log as JSON-ready data, with the version of its form."""
    return {
        "version": VERSION,
        "source": paifu.source.value,
        "game": paifu.game,
        "played_at": None if paifu.played_at is None else paifu.played_at.isoformat(),
        "players": [{"name": player.name, "account": player.account} for player in paifu.players],
        "start": paifu.start,
        "rules": dict(paifu.rules),
        "final_scores": [*paifu.final_scores],
        "final_points": None if paifu.final_points is None else [*paifu.final_points],
        "hands": [_kyoku_json(kyoku) for kyoku in paifu.hands],
    }


def from_json(data: object) -> Paifu:
    """Return the log that `to_json` has written, checked as every log that is read.

    Raise PaifuError for data that it cannot have written, and for a log that cannot have been played.
    """
    paifu = parse_stored(data)
    check_paifu(paifu)
    return paifu


def parse_stored(data: object) -> Paifu:
    """Return a log that was checked before it was stored: its hands are not played again.

    Raise PaifuError for data that `to_json` cannot have written.
    """
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        found = data.get("version") if isinstance(data, Mapping) else None
        raise PaifuError("wrong_version", value=found, known=VERSION)
    try:
        # Strict mode takes a list for a tuple and text for an enum only from JSON.
        stored = StoredPaifu.model_validate_json(json.dumps(data))
    except (ValidationError, TypeError, ValueError, RecursionError) as error:
        raise PaifuError("not_stored", why=_why(error)) from error
    try:
        return _paifu(stored)
    except NotationError as error:
        raise PaifuError("not_stored", why=str(error)) from error


def _why(error: Exception) -> str:
    """Return the place and the reason of the first fault."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)


def _kyoku_json(kyoku: PaifuKyoku) -> dict[str, object]:
    return {
        "round": kyoku.round.value,
        "number": kyoku.number,
        "honba": kyoku.honba,
        "sticks": kyoku.sticks,
        "scores": [*kyoku.scores],
        "dealt": [tiles_text(tiles) for tiles in kyoku.dealt],
        "steps": [step_text(step) for step in kyoku.steps],
        "dora": tiles_text(kyoku.dora),
        "ura": tiles_text(kyoku.ura),
        "riichi": [*kyoku.riichi],
        "deltas": [*kyoku.deltas],
        "wins": [_win_json(win) for win in kyoku.wins],
        "draw": None if kyoku.draw is None else _draw_json(kyoku.draw),
    }


def _win_json(win: PaifuWin) -> dict[str, object]:
    return {
        "seat": win.seat,
        "loser": win.loser,
        "hand": str(win.hand),
        "pao": win.pao,
        "han": win.han,
        "fu": win.fu,
        "yakuman": win.yakuman,
        "yaku": [[each.name, each.han, each.yakuman, each.code] for each in win.yaku],
        "points": win.points,
        "deltas": [*win.deltas],
    }


def _draw_json(draw: PaifuDraw) -> dict[str, object]:
    return {"kind": draw.kind, "tenpai": [*draw.tenpai], "nagashi": [*draw.nagashi]}


def step_text(step: PaifuStep) -> str:
    """Return a step as one line: seat, kind, tiles, and where they belong the discarder and `tsumogiri`."""
    words = [str(step.seat), step.kind.value]
    words += [tiles_text(step.tiles)] if step.tiles else []
    words += [f"from {step.from_seat}"] if step.from_seat is not None else []
    words += ["tsumogiri"] if step.tsumogiri else []
    return " ".join(words)


# The lines repeat: a game has about a thousand steps, but few different ones.
@lru_cache(maxsize=1 << 12)
def parse_step(line: str) -> PaifuStep:
    """Return the step that `step_text` has written; raise PaifuError for any other line."""
    seat, _, rest = line.partition(" ")
    kind, _, rest = rest.partition(" ")
    rest, tsumogiri = rest.removesuffix(" tsumogiri"), rest.endswith(" tsumogiri")
    tiles, _, discarder = rest.partition(" from ")
    if seat not in _SEATS or kind not in _KINDS or discarder not in ("", *_SEATS):
        raise PaifuError("not_step", value=line)
    try:
        parsed = parse_tiles(tiles)
    except NotationError:
        raise PaifuError("not_step", value=line) from None
    return PaifuStep(StepKind(kind), int(seat), parsed, int(discarder) if discarder else None, tsumogiri)


_SEATS = tuple(map(str, range(MOST_SEATS)))
_KINDS = frozenset(StepKind)


def _paifu(stored: StoredPaifu) -> Paifu:
    return Paifu(
        source=stored.source,
        game=stored.game,
        played_at=stored.played_at,
        players=tuple(PaifuPlayer(each.name, each.account, seat) for seat, each in enumerate(stored.players)),
        start=stored.start,
        hands=tuple(map(_kyoku, stored.hands)),
        final_scores=stored.final_scores,
        final_points=stored.final_points,
        rules=stored.rules,
    )


def _kyoku(stored: StoredKyoku) -> PaifuKyoku:
    return PaifuKyoku(
        round=stored.round,
        number=stored.number,
        honba=stored.honba,
        sticks=stored.sticks,
        scores=stored.scores,
        dealt=tuple(map(parse_tiles, stored.dealt)),
        steps=tuple(map(parse_step, stored.steps)),
        dora=parse_tiles(stored.dora),
        ura=parse_tiles(stored.ura),
        riichi=stored.riichi,
        deltas=stored.deltas,
        wins=tuple(map(_win, stored.wins)),
        draw=None if stored.draw is None else _draw(stored.draw),
    )


def _win(stored: StoredWin) -> PaifuWin:
    return PaifuWin(
        seat=stored.seat,
        loser=stored.loser,
        hand=Hand.read(stored.hand),
        pao=stored.pao,
        han=stored.han,
        fu=stored.fu,
        yakuman=stored.yakuman,
        yaku=_yaku(stored.yaku),
        points=stored.points,
        deltas=stored.deltas,
    )


def _yaku(stored: Sequence[tuple[str, int, int, str]]) -> tuple[PaifuYaku, ...]:
    return tuple(PaifuYaku(*each) for each in stored)


def _draw(stored: StoredDraw) -> PaifuDraw:
    kind = EXHAUSTIVE if stored.kind == EXHAUSTIVE else AbortiveKind(stored.kind).value
    return PaifuDraw(kind, stored.tenpai, stored.nagashi)
