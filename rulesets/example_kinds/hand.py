"""Worked examples of kind `hand`: tiles and their value.

Files spell the same thing differently (`chips`, `chips_p`; a yakuman as 1 or as "yakuman"). Each spelling is one
small function here that reads it from the engine's answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rulesets.example_kinds.shape import Absent, Context, Example, Mismatch, refusal
from scoring.hand import (
    By,
    Hand,
    HandValue,
    Liability,
    Notice,
    NoWin,
    Payer,
    PaymentCause,
    RiichiKind,
    Robbed,
    Situation,
    parse_tiles,
    score,
)
from scoring.ruleset import TABLE_POINTS, Ruleset, Unit, Wind
from scoring.ruleset.base import Strict
from scoring.ruleset.end import RoundName
from scoring.ruleset.options import Integer
from scoring.ruleset.yaku import Counts, YakuName


class ExpectedHand(Strict):
    """The results to compare; every file's spelling is a key of its own."""

    valid: bool
    reason: str | None = None
    yaku: dict[str, int | str] | None = None
    dora: int | None = None
    ura: int | None = None
    fu: int | None = None
    han: int | None = None
    limit: str | None = None
    yakuman: int | None = None
    ron: int | None = None
    tsumo_from_dealer: int | None = None
    tsumo_from_each: int | None = None
    total: int | None = None
    chips: int | None = None
    chips_p: int | None = None
    notice: bool | None = None
    as_ron: bool | None = None
    instant_a_top: bool | None = None
    yaku_points: int | None = None
    menzen_points: int | None = None
    dora_points: int | None = None
    honba_points: int | None = None


class LiableSeat(Strict):
    """The liable seat, and the yaku; None for the open kan that led to the win."""

    seat_wind: str
    yaku: YakuName | None = None


class HandExample(Example):
    """Tiles and how they were won -> yaku, fu, value, payments."""

    concealed: str
    melds: tuple[str, ...] = ()
    win: str
    by: str
    seat_wind: str
    round_wind: str
    round: str = ""
    """The exact hand, such as "S4", if it matters."""
    dealer: bool = False
    riichi: str = "none"
    ippatsu: bool = False
    haitei: bool = False
    houtei: bool = False
    rinshan: bool = False
    chankan: bool = False
    chankan_of: str = "kakan"
    from_nuki: bool = False
    first_turn: bool = False
    forced: bool = False
    unshown: bool = False
    pocchi_as: str = ""
    dora_indicators: str = ""
    ura_indicators: str = ""
    honba: int = 0
    deposits: int = 0
    liable: tuple[LiableSeat, ...] = ()
    expect: ExpectedHand = ExpectedHand(valid=False)
    """Left out if the hand is refused."""


def differences(example: HandExample, context: Context) -> Iterator[Mismatch]:
    """Score the hand and yield the differences from all that the example expects."""
    try:
        rules = context.ruleset.with_options(_options(example, context.ruleset))
        hand = Hand.parse(example.concealed, example.win, example.melds)
        answer = score(hand, situation_of(example, rules), rules)
    except ValueError as error:
        yield from refusal(example, "hand", "a hand that can be scored", error)
        return
    if example.refused:
        yield from refusal(example, "hand", "", None)
        return
    if example.dealer != (example.seat_wind == Wind.EAST):
        yield Mismatch("dealer", example.seat_wind == Wind.EAST, example.dealer)
    if isinstance(answer, NoWin):
        yield from _compare_no_win(example.expect, answer)
    elif not example.expect.valid:
        yield Mismatch("valid", expected=False, found=True)
    else:
        yield from _compare(example.expect, answer, rules, context.absent)


def _options(example: HandExample, rules: Ruleset) -> Mapping[str, object]:
    """Return the example's options; a file may write true for a count of one."""
    return {
        key: int(value) if isinstance(value, bool) and isinstance(rules.options.get(key), Integer) else value
        for key, value in example.options.items()
    }


def situation_of(example: HandExample, rules: Ruleset) -> Situation:
    """Return the circumstances as the engine's record; raise ValueError for an unknown name."""
    return Situation(
        by=By(example.by),
        seat_wind=Wind(example.seat_wind),
        round=RoundName(example.round.rstrip("0123456789") or example.round_wind),
        riichi=RiichiKind(example.riichi),
        ippatsu=example.ippatsu,
        haitei=example.haitei,
        houtei=example.houtei,
        rinshan=example.rinshan,
        unshown=example.unshown,
        first_turn=example.first_turn,
        robbed=_robbed(example),
        dora_indicators=parse_tiles(example.dora_indicators),
        ura_indicators=parse_tiles(example.ura_indicators),
        honba=example.honba,
        deposits=example.deposits,
        last_hand=example.round == f"{rules.setup.rounds[-1]}{rules.players}",
        pocchi_as=parse_tiles(example.pocchi_as)[0] if example.pocchi_as else None,
        forced=example.forced,
        liable=tuple(Liability(Wind(each.seat_wind), each.yaku) for each in example.liable),
    )


def _robbed(example: HandExample) -> Robbed:
    if example.from_nuki:
        return Robbed.NUKI
    if not example.chankan:
        return Robbed.NOTHING
    return Robbed.CLOSED_KAN if example.chankan_of == "ankan" else Robbed.ADDED_KAN


def _compare_no_win(expect: ExpectedHand, answer: NoWin) -> Iterator[Mismatch]:
    if expect.valid:
        yield Mismatch("valid", expected=True, found=f"{answer.reason.value}: {answer}")
    elif expect.reason is not None and expect.reason != answer.reason.value:
        yield Mismatch("reason", expect.reason, answer.reason.value)


def _compare(expect: ExpectedHand, value: HandValue, rules: Ruleset, absent: Absent) -> Iterator[Mismatch]:
    engine = {key: read(value, rules) for key, read in READERS.items()}
    spelled = expect.yaku or {}
    engine["yaku"] = {name: _as_spelled(worth, spelled.get(name)) for name, worth in _yaku(value).items()}
    for key, found in engine.items():
        given = getattr(expect, key)
        wanted = _absent(key, expect, absent) if given is None else given
        if wanted is not None and wanted != found:
            yield Mismatch(key, wanted, found)


def _absent(key: str, expect: ExpectedHand, absent: Absent) -> object:
    """Return the value expected for a key that is left out, if that means zero.

    A yakuman written by name in `yaku` needs no number under `yakuman`.
    """
    if absent is Absent.IGNORE or key not in ZERO:
        return None
    is_named = key == "yakuman" and any(isinstance(worth, str) for worth in (expect.yaku or {}).values())
    return None if is_named else ZERO[key]


def _yaku(value: HandValue) -> Mapping[str, tuple[int, str]]:
    """Return every yaku with its worth and unit, and the dora that count as yaku."""
    yaku = {line.name.value: (line.worth, line.counts.value) for line in value.yaku}
    return yaku | {line.kind.value: (line.han, Counts.HAN.value) for line in value.dora if line.as_yaku}


def _as_spelled(worth: tuple[int, str], given: int | str | None) -> int | str:
    """Return the worth of a yaku, or the name of its unit for a mangan and if the file writes a name."""
    number, counts = worth
    return counts if isinstance(given, str) or counts == Counts.MANGAN else number


def _dora(value: HandValue, rules: Ruleset) -> int:  # noqa: ARG001 - readers are alike
    """Return the han of dora, or their number if they are paid in points."""
    return sum(line.count if line.points else line.han for line in value.dora if not line.as_yaku)


def _paid(role: Payer) -> Callable[[HandValue, Ruleset], int]:
    return lambda value, _: value.paid_by(role)


def _received(cause: PaymentCause) -> Callable[[HandValue, Ruleset], int]:
    return lambda value, _: sum(
        each.amount for each in value.payments if each.ledger == TABLE_POINTS and each.cause is cause
    )


def _prizes(value: HandValue, rules: Ruleset) -> int:
    """Return the prizes that one payer pays, or all of them if they are counted in chips."""
    chips = rules.play.chips if rules.play else None
    if chips is None:
        return 0
    prizes = [each for each in value.payments if each.ledger == chips.rules.ledger]
    in_all = rules.ledger(chips.rules.ledger).unit is Unit.CHIPS
    return sum(each.amount for each in prizes if in_all or each.payer is prizes[0].payer)


READERS: Mapping[str, Callable[[HandValue, Ruleset], object]] = {
    "dora": _dora,
    "ura": lambda value, _: value.ura,
    "fu": lambda value, _: value.fu,
    "han": lambda value, _: value.han,
    "limit": lambda value, _: value.limit.value if value.limit else "",
    "yakuman": lambda value, _: value.yakuman,
    "ron": _paid(Payer.DISCARDER),
    "tsumo_from_dealer": _paid(Payer.DEALER),
    "tsumo_from_each": _paid(Payer.OTHER),
    "total": lambda value, _: value.total,
    "chips": _prizes,
    "chips_p": _prizes,
    "notice": lambda value, _: Notice.KANSAKI_CONCEALED in value.notices,
    "as_ron": lambda value, _: value.as_ron,
    "instant_a_top": lambda value, _: value.instant_top,
    "yaku_points": _received(PaymentCause.HAND),
    "menzen_points": _received(PaymentCause.CLOSED),
    "dora_points": _received(PaymentCause.DORA),
    "honba_points": _received(PaymentCause.HONBA),
}
"""The engine's answers, by the keys of `expect`."""

ZERO: Mapping[str, object] = {
    **dict.fromkeys(("dora", "fu", "han", "yakuman", "ron", "tsumo_from_dealer", "tsumo_from_each", "chips"), 0),
    **dict.fromkeys(("menzen_points", "dora_points", "honba_points"), 0),
    **dict.fromkeys(("notice", "as_ron", "instant_a_top"), False),
    "yaku": {},
    "limit": "",
}
"""The meaning of a key left out, in files in which that means zero."""
