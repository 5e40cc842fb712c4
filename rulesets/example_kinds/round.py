"""Worked examples of kind `round`: one hand at the table -> the table after it.

Files spell values, prizes, liability and the reasons for an end differently; each spelling is read by one small
function here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulesets.example_kinds.shape import Absent, Context, Example, Mismatch, refusal
from scoring import kyoku
from scoring.hanchan import result_of
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    Draw,
    FourKansStand,
    LiableFor,
    LiablePlayer,
    Nagashi,
    Outcome,
    Points,
    Prizes,
    RonCalls,
    Tsumo,
    Win,
)
from scoring.kyoku.state import EndCause, EndReason, Stake, State
from scoring.ruleset import Ruleset
from scoring.ruleset.base import Strict
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.settled import Settlement
from scoring.settlement import settle
from scoring.top_payment import Floating
from scoring.value import Worth

Pairs = tuple[tuple[int, int], ...]
Amounts = tuple[int, ...]


class Before(Strict):
    """The table at the start of the hand."""

    scores: Amounts
    dealer: int
    round: str
    honba: int = 0
    deposits: int = 0
    hands_left: int | None = None
    """The hands still to be played, this one included, once time was called."""


class PaoSeat(Strict):
    """The liable seat, and the number of yakuman or the other reason."""

    seat: int
    yakuman: int = 1
    kind: str = "yakuman"


class WinTable(Strict):
    """A win by its value, with its prizes."""

    winner: int | None = None
    han: int = 0
    fu: int = 0
    limit: LimitName | None = None
    yakuman: int = 0
    menzen: bool | None = None
    """If left out, a riichi makes the hand closed; without one it is open."""
    dora: int = 0
    points: int = 0
    from_dealer: int = 0
    from_each: int = 0
    pao: PaoSeat | None = None
    rinshan_from: int | None = None
    forced: bool = False
    robbed: bool = False
    g: int = 0
    chips: int = 0
    ippatsu: bool = False
    ura: int = 0
    flowers: int = 0
    all_seven: bool = False


class RoundEvent(WinTable):
    """The event that ended the hand."""

    type: str
    loser: int | None = None
    winners: tuple[WinTable, ...] = ()
    tenpai: Amounts = ()
    riichi: Amounts = ()
    open_riichi: Amounts = ()
    noten_riichi: Amounts = ()
    fines: Amounts = ()
    dead: Amounts = ()
    offender: int | None = None
    offenders: Amounts = ()
    reason: str = ""
    by: int | None = None
    stop: bool = False


class ExpectedTable(Strict):
    """The table after the hand, and the reason for the end of the game if it is over."""

    scores: Amounts
    finished: bool
    dealer: int | None = None
    round: str | None = None
    honba: int | None = None
    deposits: int | None = None
    hands_left: int | None = None
    chonbo: Amounts | None = None
    chips: Amounts | None = None
    chips_p: Amounts | None = None
    tobi: Pairs | None = None
    busts: Pairs | None = None
    may_stop: bool | None = None
    end: str | tuple[str, ...] | None = None
    top: int | None = None
    top_type: str | None = None
    gentsuu: bool | None = None


class RoundExample(Example):
    """One hand at the table -> the new state."""

    before: Before
    event: RoundEvent
    after: ExpectedTable = ExpectedTable(scores=(), finished=False)
    """Left out if the event is refused."""


def differences(example: RoundExample, context: Context) -> Iterator[Mismatch]:
    """Play the hand and yield the differences from the expected table."""
    try:
        rules = context.ruleset.with_options(example.options)
        result = kyoku.apply(state_of(example.before), outcome_of(example.event, rules), rules)
    except ValueError as error:
        yield from refusal(example, "event", "a hand that can be played", error)
        return
    if example.refused:
        yield from refusal(example, "event", "", None)
        return
    for key, expected in _expected(example.after, rules, context.absent).items():
        found = READERS[key](result, rules)
        if key == "end":
            end = example.after.end
            if end is not None and not same_end(end, result.after.ends, result.before, rules):
                yield Mismatch(key, expected, [end.reason.value for end in result.after.ends])
        elif _normal(found) != _normal(expected):
            yield Mismatch(key, expected, found)


def state_of(before: Before) -> State:
    """Return the table as the engine's record; the first kyoku of a round is the first dealer's.

    Raise ValueError if the dealer does not fit the round.
    """
    round_, number = round_of(before.round)
    if before.dealer != number - 1:
        raise ValueError(f"the dealer of {before.round} is seat {number - 1}, not {before.dealer}")
    return State(before.scores, round_, number, before.honba, before.deposits, hands_left=before.hands_left)


def round_of(name: str) -> tuple[RoundName, int]:
    """Return a kyoku by its name, such as "E1" or "RE3"."""
    return RoundName(name[:-1]), int(name[-1])


def outcome_of(event: RoundEvent, rules: Ruleset) -> Outcome:
    """Return the event as the engine's outcome."""
    outcome = OUTCOMES[event.type](event, rules)
    return replace(outcome, stakes=_stakes(event, rules), fines=event.fines, dead=event.dead, stop=event.stop)


def win_of(table: WinTable, rules: Ruleset) -> Win:
    """Return one win of an event; raise ValueError without a winner."""
    seat = table.winner
    if seat is None:
        raise ValueError("a win needs its winner")
    return Win(seat, _value(table), _liability(table), table.forced, prizes_of(table, rules), table.robbed)


def prizes_of(table: WinTable, rules: Ruleset) -> Prizes:
    """Return the prizes in the form that this file's book uses."""
    play = rules.hand_rules
    if play.chips is None:
        return Prizes()
    if table.all_seven:
        return Prizes(fixed=YakuName.ALL_SEVEN)
    if play.tulip is not None:
        return Prizes(each=table.chips, complete=True)
    flowers = int(table.flowers == play.tiles.flowers > 0)
    counted = {AwardEvent.IPPATSU: int(table.ippatsu), AwardEvent.URA: table.ura, AwardEvent.FLUSH: flowers}
    return Prizes({event: count for event, count in counted.items() if count}, table.g)


def _value(table: WinTable) -> Worth | Points:
    if table.points or table.from_each:
        return Points(table.points, table.from_dealer, table.from_each)
    return Worth(table.han, table.fu, table.yakuman, table.limit, table.menzen, table.dora)


def _liability(table: WinTable) -> LiablePlayer | None:
    if table.rinshan_from is not None:
        return LiablePlayer(table.rinshan_from, LiableFor.OPEN_KAN)
    return None if table.pao is None else LiablePlayer(table.pao.seat, LiableFor(table.pao.kind), table.pao.yakuman)


def _stakes(event: RoundEvent, rules: Ruleset) -> tuple[Stake, ...]:
    """Return the stakes of both kinds.

    If both cost the same, a file lists them together, and a forced deal-in shows that the winner's was open.
    """
    opened = rules.hand_rules.riichi.open
    forced = {event.winner} if event.forced and opened is not None else set()
    return (
        *(Stake(seat, open=seat in forced) for seat in event.riichi),
        *(Stake(seat, open=True) for seat in event.open_riichi),
    )


def _wins(event: RoundEvent, rules: Ruleset) -> tuple[Win, ...]:
    return tuple(win_of(each, rules) for each in event.winners or (event,))


def _ron(event: RoundEvent, rules: Ruleset) -> Outcome:
    # A missing loser becomes an unknown seat, which the engine refuses with its usual code.
    return RonCalls(loser=-1 if event.loser is None else event.loser, calls=_wins(event, rules))


def _nagashi(event: RoundEvent, rules: Ruleset) -> Outcome:
    seats = tuple(win.winner for win in event.winners or (event,) if win.winner is not None)
    return Nagashi(seats=seats, tenpai=event.tenpai, prizes=prizes_of(event, rules))


def _four_kans(event: RoundEvent, _: Ruleset) -> Outcome:
    if event.winner is None:
        raise ValueError("four kans need their winner")
    return FourKansStand(seat=event.winner)


def _abortive(event: RoundEvent, rules: Ruleset) -> Outcome:
    """Return the abortive draw; a file may write `four_kans` for any variant that its book plays."""
    played = [kind for kind, rule in rules.hand_rules.draws.abortive.items() if rule.played]
    kinds = [kind for kind in played if kind.value.startswith(event.reason)]
    return AbortiveDraw(kind=kinds[0] if kinds else AbortiveKind(event.reason))


def _chonbo(event: RoundEvent, _: Ruleset) -> Outcome:
    return ChonboCalled(offenders=event.offenders or ((event.offender,) if event.offender is not None else ()))


OUTCOMES: Mapping[str, Callable[[RoundEvent, Ruleset], Outcome]] = {
    "ron": _ron,
    "tsumo": lambda event, rules: Tsumo(win=_wins(event, rules)[0]),
    "draw": lambda event, _: Draw(tenpai=event.tenpai),
    "nagashi": _nagashi,
    "four_kans": _four_kans,
    "abortive": _abortive,
    "chonbo": _chonbo,
}
"""The reader of each type of event."""


def _expected(after: ExpectedTable, rules: Ruleset, absent: Absent) -> Mapping[str, object]:
    """Return the results to compare; under `zero` those left out are expected to be none."""
    expected = {key: value for key, value in after if value is not None}
    if absent is Absent.IGNORE:
        return expected
    if rules.entered_ledgers and "chips_p" not in expected:
        expected.setdefault("chips", (0,) * rules.players)
    expected.setdefault("chonbo", (0,) * rules.players if rules.settlement.chonbo else None)
    if rules.settlement.tobi is not None and "busts" not in expected:
        expected.setdefault("tobi", ())
    if after.finished and rules.settlement.top_payment is not None:
        expected.setdefault("gentsuu", False)
    return {key: value for key, value in expected.items() if value is not None}


def same_end(expected: str | Sequence[str], found: Sequence[EndCause], before: State, rules: Ruleset) -> bool:
    """Return whether the reasons for an end agree; a single name stands for the first of several."""
    names = [spellings(end, before, rules) for end in found]
    if isinstance(expected, str):
        return bool(names) and expected in names[0]
    return len(expected) == len(names) and all(name in each for name, each in zip(expected, names, strict=True))


def spellings(end: EndCause, before: State, rules: Ruleset) -> set[str]:
    """Return every name that files use for a reason for the end."""
    rounds = {RoundName.EAST: "east", RoundName.SOUTH: "south"}
    names = {end.reason.value}
    target, extension = rules.end.target, rules.end.extension
    if end.reason is EndReason.BUST:
        names.add("tobi")
    elif end.reason is EndReason.TARGET and target is not None:
        names |= {f"target_{target.score}", *({"double"} if target.score == 2 * rules.setup.start else ())}
    elif end.reason is EndReason.SUDDEN_DEATH and extension is not None:
        names.add(f"{rounds.get(before.round, '')}_{extension.stops_at}")
    elif end.reason in (EndReason.LAST_HAND, EndReason.EXTENSION_END):
        names |= {f"{rounds.get(before.round, '')}_end", *({"return_end"} if before.round not in rounds else ())}
    return names


def _normal(value: object) -> object:
    """Return pairs sorted, so that their order does not matter, and other sequences as lists."""
    if isinstance(value, Sequence) and value and isinstance(value[0], Sequence):
        return sorted(map(list, value))
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _chips(result: kyoku.KyokuResult, rules: Ruleset) -> Amounts:
    ledger = next((ledger.key for ledger in rules.entered_ledgers), "")
    return result.changes(ledger)


def _settled(result: kyoku.KyokuResult, rules: Ruleset) -> Settlement:
    return settle(result_of(result.after, rules), rules)


def _floating(result: kyoku.KyokuResult, rules: Ruleset) -> Floating:
    """Return the floating players; raise ValueError if the ruleset has no payment to the top."""
    floating = _settled(result, rules).floating
    if floating is None:
        raise ValueError("this ruleset knows no kinds of top")
    return floating


READERS: Mapping[str, Callable[[kyoku.KyokuResult, Ruleset], object]] = {
    "scores": lambda result, _: result.after.scores,
    "finished": lambda result, _: result.after.is_over,
    "dealer": lambda result, _: result.after.dealer,
    "round": lambda result, _: f"{result.after.round.value}{result.after.number}",
    "honba": lambda result, _: result.after.honba,
    "deposits": lambda result, _: result.after.kyoutaku,
    "hands_left": lambda result, _: result.after.hands_left,
    "chonbo": lambda result, _: result.after.chonbo_counts(),
    "chips": _chips,
    "chips_p": _chips,
    "tobi": lambda result, _: result.after.tobi,
    "busts": lambda result, _: result.after.tobi,
    "may_stop": lambda result, _: result.may_stop,
    "end": lambda result, _: result.after.ends,
    "top": lambda result, rules: _settled(result, rules).top,
    "top_type": lambda result, rules: _floating(result, rules).top_type.value,
    "gentsuu": lambda result, rules: _floating(result, rules).gentsuu,
}
"""The reader of each key of `after`."""
