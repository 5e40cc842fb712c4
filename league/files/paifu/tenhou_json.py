"""Reader of the JSON of tenhou.net/6, as Tenhou and the converters of other services write it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from league.files.paifu.drafts import Draft, position_of
from league.files.paifu.fields import items, members, shown, tenths, text, whole
from league.files.paifu.tenhou_game import game_of
from league.files.paifu.tenhou_order import Entry, Lists, tile_of
from league.files.paifu.tenhou_yaku import CODES
from scoring.hand import Tile
from scoring.paifu.checks import SEATS
from scoring.paifu.problems import PaifuError, Position
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
from scoring.paifu.waits import is_tenpai
from scoring.ruleset.flow import AbortiveKind

MOST_HANDS = 200
MOST_ENTRIES = 100
MOST_LINES = 60
FOUR = 4
PLACES = 3
"""Kyoku, honba and sticks of a hand; winner, discarder and liable player of a win."""
HEAD, PER_SEAT = 4, 3
"""Parts of a hand before those of the seats (kyoku, scores, dora, ura), and the parts of a seat."""
WON = "和了"
NAGASHI, ALL_TENPAI, NO_TENPAI, PLAIN = "流し満貫", "全員聴牌", "全員不聴", "流局"
DRAWS: Mapping[str, str] = {
    PLAIN: EXHAUSTIVE,
    NAGASHI: EXHAUSTIVE,
    ALL_TENPAI: EXHAUSTIVE,
    NO_TENPAI: EXHAUSTIVE,
    "九種九牌": AbortiveKind.NINE_TERMINALS,
    "四風連打": AbortiveKind.FOUR_WINDS,
    "四家立直": AbortiveKind.FOUR_RIICHI,
    "三家和": AbortiveKind.TRIPLE_RON,
    "三家和了": AbortiveKind.TRIPLE_RON,
    "四槓散了": AbortiveKind.FOUR_KANS,
    "四開槓": AbortiveKind.FOUR_KANS,
}
POINTS = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?点(∀)?$", re.ASCII)
FU = re.compile(r"^(\d{2,3})符", re.ASCII)
YAKUMAN: Mapping[str, int] = {"役満": 1, "ダブル役満": 2, "2倍役満": 2}
LINE = re.compile(r"^(.{1,60})\((\d{1,2}飜|役満|ダブル役満|2倍役満)\)$")
MAHJONGSOUL_HINTS = ("雀魂", "mahjongsoul", "majsoul", "mahjong soul")
MAHJONGSOUL_ID = re.compile(r"\d{6}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


def read_tenhou_json(data: Mapping[str, object], name: str) -> Paifu:
    """Return the game of the parsed JSON; raise PaifuError with the kyoku for what cannot be read."""
    names = [text(each, "name") for each in items(data.get("name"), "name", FOUR)]
    players = len(names) if names[3:] != [""] else 3
    if players not in SEATS:
        raise PaifuError("players", actual=players)
    hands = items(data.get("log"), "log", MOST_HANDS)
    if not hands:
        raise PaifuError("no_hands")
    rules = members(data.get("rule", {}), "rule")
    read = tuple(_hand(items(each, "log", HEAD + FOUR * PER_SEAT + 1), players) for each in hands)
    last = read[-1]
    scores, points = _final(data.get("sc"), players, last)
    source, game = _source(data, name)
    title = [text(each, "title") for each in items(data.get("title", []), "title", FOUR) if each]
    return Paifu(
        source=source,
        game=game,
        played_at=game_of(game)[1],
        players=tuple(
            PaifuPlayer(each, each if source is PaifuSource.TENHOU else "", seat)
            for seat, each in enumerate(names[:players])
        ),
        start=read[0].scores[0],
        hands=read,
        final_scores=scores,
        final_points=points,
        rules=_rules(rules, players) | ({"title": " ".join(title)[:200]} if title else {}),
    )


def _source(data: Mapping[str, object], name: str) -> tuple[PaifuSource, str]:
    """Return the service that the game was played on, and the game's id: converters name it in several places."""
    told = [data.get("ref"), data.get("ref_url"), data.get("uuid"), name]
    told += [*items(data.get("title", []), "title", FOUR), members(data.get("rule", {}), "rule").get("disp")]
    texts = [each for each in told if isinstance(each, str)]
    for each in texts:
        if game := game_of(each)[0]:
            return PaifuSource.TENHOU, game
        if found := MAHJONGSOUL_ID.search(each):
            return PaifuSource.MAHJONGSOUL, found.group()
    is_other = any(hint in each.lower() for each in texts for hint in MAHJONGSOUL_HINTS)
    return PaifuSource.MAHJONGSOUL if is_other else PaifuSource.TENHOU, ""


def _rules(rules: Mapping[str, object], players: int) -> dict[str, str]:
    shown_as = text(rules.get("disp", ""), "disp")
    given = [whole(rules.get(key, 0), key, 0, 9) for key in ("aka51", "aka52", "aka53")]
    reds = sum(given) if any(given) else (players - 1) * bool(whole(rules.get("aka", 0), "aka", 0, 9))
    found = {"red": str(reds), "open_tanyao": "yes" if "喰" in shown_as or not shown_as else "no"}
    if "南" in shown_as or "東" in shown_as:
        found["length"] = "ES" if "南" in shown_as else "E"
    return found


def _final(given: object, players: int, last: PaifuKyoku) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Return final scores and points: pairs by seat, else the scores after the last hand with what is left there."""
    if given is not None:
        pairs = items(given, "sc", 2 * FOUR)
        if len(pairs) >= 2 * players:
            scores = tuple(whole(each, "sc", -1_000_000) for each in pairs[: 2 * players : 2])
            return scores, tuple(tenths(each, "sc") for each in pairs[1 : 2 * players : 2])
    return last.after, None


def _hand(parts: list[object], players: int) -> PaifuKyoku:
    """Return one hand: its place, scores, indicators, three lists for each seat, and the result."""
    place = [whole(each, "kyoku", 0, 999) for each in items(parts[0] if parts else None, "kyoku", PLACES)]
    if len(place) != PLACES:
        raise PaifuError("missing", key="kyoku")
    position = position_of(place[0], place[1], players)
    try:
        return _played(parts, position, place[2], players)
    except PaifuError as error:
        raise error.at(position) from None


def _played(parts: list[object], position: Position, sticks: int, players: int) -> PaifuKyoku:
    # Three players have the empty lists of a fourth seat, or none at all.
    if len(parts) < HEAD + players * PER_SEAT + 1:
        raise PaifuError("unfinished")
    scores = tuple(whole(each, "scores", -1_000_000) for each in items(parts[1], "scores", FOUR))[:players]
    if len(scores) != players:
        raise PaifuError("seats", key="scores", players=players, actual=len(scores))
    dora, ura = (_tiles(parts[place], key) for place, key in ((2, "dora"), (3, "ura")))
    if not dora:
        raise PaifuError("missing", key="dora")
    seats = [parts[HEAD + seat * PER_SEAT : HEAD + (seat + 1) * PER_SEAT] for seat in range(players)]
    hand = Draft(position, sticks, scores, tuple(_tiles(each[0], "hand") for each in seats), [dora[0]])
    draws, discards = ([_entries(each[place]) for each in seats] for place in (1, 2))
    for step in Lists(draws, discards, position.number - 1, dora[1:]).steps():
        hand.add(step.kind, step.seat, *step.tiles, discarder=step.from_seat, same=step.tsumogiri)
    hand.dora, hand.ura = list(dora), ura
    _end(hand, items(parts[-1], "result", MOST_LINES))
    hand.riichi = [seat for seat in hand.table.riichi if not _is_won_on(hand, seat)]
    return hand.record()


def _tiles(value: object, key: str) -> tuple[Tile, ...]:
    return tuple(tile_of(whole(each, key, 0, 99)) for each in items(value, key, MOST_ENTRIES))


def _entries(value: object) -> list[Entry]:
    found = items(value, "log", MOST_ENTRIES)
    return [each if isinstance(each, str) else whole(each, "log", 0, 99) for each in found]


def _is_won_on(hand: Draft, seat: int) -> bool:
    """Return whether the hand ended on the discard that declared a seat's riichi, so that no stick was laid."""
    steps = [step for step in hand.steps if step.kind is not StepKind.NEW_DORA]
    is_declared = len(steps) > 1 and steps[-2].kind is StepKind.RIICHI and steps[-1].seat == seat
    is_ron = any(win.loser == seat for win in hand.wins)
    return is_declared and (is_ron or (hand.draw is not None and hand.draw.kind == AbortiveKind.TRIPLE_RON))


def _end(hand: Draft, result: list[object]) -> None:
    """Read the result: its name, then for each win the changes and its lines, or the changes of a draw."""
    kind = result[0] if result else None
    if kind == WON:
        if len(result) < PLACES:
            raise PaifuError("unfinished")
        for changes, win in zip(result[1::2], result[2::2], strict=False):
            hand.payments.append(_changes(changes, hand.players))
            hand.wins.append(_win(hand, items(win, "result", MOST_LINES)))
        return
    if not isinstance(kind, str) or kind not in DRAWS:
        raise PaifuError("result", value=shown(kind))
    hand.payments += [_changes(each, hand.players) for each in result[1:]] or [(0,) * hand.players]
    tenpai = _tenpai(hand, kind) if DRAWS[kind] == EXHAUSTIVE else ()
    hand.draw = PaifuDraw(str(DRAWS[kind]), tenpai, hand.nagashi() if kind == NAGASHI else ())


def _changes(value: object, players: int) -> tuple[int, ...]:
    changes = tuple(whole(each, "result", -1_000_000) for each in items(value, "result", FOUR))[:players]
    if len(changes) != players:
        raise PaifuError("seats", key="result", players=players, actual=len(changes))
    return changes


def _tenpai(hand: Draft, kind: str) -> tuple[int, ...]:
    """Return the seats in tenpai: those that were paid, all or none by the name, else by their tiles."""
    seats = range(hand.players)
    if kind in (ALL_TENPAI, NO_TENPAI):
        return tuple(seats) if kind == ALL_TENPAI else ()
    if kind == PLAIN and any(map(any, hand.payments)):
        return tuple(seat for seat in seats if sum(changes[seat] for changes in hand.payments) > 0)
    return tuple(seat for seat in seats if is_tenpai(hand.table.concealed[seat]))


def _win(hand: Draft, parts: list[object]) -> PaifuWin:
    if len(parts) <= PLACES:
        raise PaifuError("missing", key="result")
    seat, loser, pao = (whole(each, "result", 0, hand.players - 1) for each in parts[:PLACES])
    told = text(parts[PLACES], "result")
    lines = tuple(_line(text(each, "result")) for each in parts[PLACES + 1 :])
    yakuman = sum(line.yakuman for line in lines)
    last, fu = hand.table.last, FU.search(told)
    if last is None or not last.tiles:
        raise PaifuError("winner", seat=seat, tile="")
    return PaifuWin(
        seat=seat,
        loser=None if loser == seat else loser,
        hand=hand.hand(seat, last.tiles[0], by_draw=loser == seat),
        pao=None if pao == seat else pao,
        han=0 if yakuman else sum(line.han for line in lines),
        fu=int(fu[1]) if fu and not yakuman else 0,
        yakuman=yakuman,
        yaku=lines,
        points=_points(told, hand.players, by_draw=loser == seat),
        deltas=tuple(hand.payments[-1]),
    )


def _points(told: str, players: int, *, by_draw: bool) -> int:
    """Return the points at the end of a text such as `30符3飜1000-2000点`, all payers together; 0 without any."""
    found = POINTS.search(told)
    if found is None:
        return 0
    each, dealer = int(found[1]), int(found[2] or 0)
    if found[3] or (by_draw and not dealer):
        return each * (players - 1)
    return dealer + each * (players - 2) if dealer else each


def _line(told: str) -> PaifuYaku:
    """Return a line such as `立直(1飜)` or `国士無双(役満)`; a line in another form has a name alone."""
    found = LINE.fullmatch(told)
    if found is None:
        return PaifuYaku(told)
    name, worth = found.groups()
    yakuman = YAKUMAN.get(worth, 0)
    return PaifuYaku(name, 0 if yakuman else int(worth[:-1]), yakuman, CODES.get(name, ""))
