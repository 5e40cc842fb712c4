"""Comparison of a logged hand with what our engine makes of it: every difference by name, ours beside the log's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.hand import HandValue, InvalidHandError, NoWin, YakuLine
from scoring.kyoku import KyokuResult, Refusal
from scoring.kyoku.state import Cause
from scoring.paifu.circumstances import value_of
from scoring.paifu.entries import play_alone
from scoring.paifu.problems import Position
from scoring.paifu.records import STICK, PaifuKyoku, PaifuWin
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts

SENTENCES: Mapping[str, str] = {
    "refused": "These rules refuse the hand as it was played: {ours}.",
    "no_round": "These rules have no round {theirs}.",
    "no_win": "Under these rules this is no win: {ours}. The log counts {theirs}.",
    "impossible_hand": "Under these rules there cannot be such a hand: {ours}.",
    "value": "The hand counts {ours} under these rules, {theirs} in the log.",
    "yaku": "The hand has other yaku under these rules, with the same value.",
    "points_by_value": "The other value gives other points: {ours} instead of {theirs}.",
    "points_by_winners": "These rules treat several calls of ron in another way: {ours} instead of {theirs}.",
    "points_by_liability": "These rules share the payment under liability in another way: {ours} instead of {theirs}.",
    "points_by_limit": "These rules pay another amount for this han and fu: {ours} instead of {theirs}.",
    "points_by_honba": "These rules pay the honba in another way: {ours} instead of {theirs}.",
    "points_by_sticks": "These rules give the riichi sticks to another player: {ours} instead of {theirs}.",
    "points_by_noten": "These rules pay the draw in another way: {ours} instead of {theirs}.",
    "points_by_nagashi": "These rules pay a nagashi mangan in another way: {ours} instead of {theirs}.",
    "points": "These rules pay the hand in another way: {ours} instead of {theirs}.",
    "next_hand": "Under these rules {ours} follows; in the log it was {theirs}.",
    "ends_here": "Under these rules the game is over after this hand; the log went on with {theirs}.",
    "goes_on": "The log ends after this hand; under these rules {ours} follows.",
}
"""The English sentence of each difference; translations use the same codes and parameters."""

LINES: Mapping[Dora, str] = {
    Dora.URA: "ura",
    Dora.KAN_URA: "ura",
    Dora.RED: "red",
    Dora.NORTH: "north_dora",
    Dora.NORTH_ASIDE: "north_dora",
}
"""The name in a log of each kind of dora; those not named are `dora`."""


class Line(NamedTuple):
    """A yaku or the dora of one kind: our name, or the log's where we have none, and its han or yakuman."""

    name: str
    worth: int


class Counted(NamedTuple):
    """The value of a hand, as one side counts it."""

    han: int
    fu: int
    yakuman: int

    def __str__(self) -> str:
        if self.yakuman:
            return f"{self.yakuman} yakuman"
        return f"{self.han} han {self.fu} fu" if self.fu else f"{self.han} han"


class Changes(NamedTuple):
    """The change of each seat's points."""

    amounts: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(f"{amount:+,}" for amount in self.amounts)


Reason = NoWin | InvalidHandError | tuple[Refusal, ...]
"""The reason why our rules do not take a hand as it was played."""
Side = Counted | Changes | Position | RoundName | None
"""One side of a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference in a hand; `code` names it, a key of `SENTENCES`."""

    code: str
    ours: Side = None
    theirs: Side = None
    why: Reason | None = None
    """The reason where our rules refuse the hand, see no win or no possible hand; it stands for `ours`."""
    seat: int | None = None
    """The winner, for differences in one win."""
    our_yaku: tuple[Line, ...] = ()
    """The lines of the hand that only we count, or count otherwise."""
    their_yaku: tuple[Line, ...] = ()

    def __str__(self) -> str:
        ours = self.ours if self.why is None else told_reason(self.why)
        return SENTENCES[self.code].format_map({"ours": ours, "theirs": self.theirs})


def compare(
    kyoku: PaifuKyoku,
    ours: KyokuResult | None,
    rules: Ruleset,
    *,
    refusals: Sequence[Refusal] = (),
    following: PaifuKyoku | None = None,
) -> tuple[Difference, ...]:
    """Return every difference between a logged hand and our result of its entries; none if they agree.

    `ours` is None if our engine refused the hand, with its `refusals`; `following` is the next hand of the log.
    """
    values = {win.seat: value_of(kyoku, win, rules) for win in kyoku.wins}
    found = [each for win in kyoku.wins for each in _of_win(win, values[win.seat])]
    if ours is None:
        return (*found, Difference("refused", why=tuple(refusals)))
    if ours.changes() != kyoku.deltas:
        code = "points_by_value" if any(each.code != "yaku" for each in found) else _reason(kyoku, ours)
        found.append(Difference(code, Changes(ours.changes()), Changes(kyoku.deltas)))
    return (*found, *_flow(ours, following))


def compare_alone(
    kyoku: PaifuKyoku, rules: Ruleset, *, following: PaifuKyoku | None = None, stick: int = STICK
) -> tuple[Difference, ...]:
    """Return every difference between a logged hand and our result, with the hand played from the log's own table."""
    if kyoku.round not in rules.setup.round_winds:
        return (Difference("no_round", theirs=kyoku.round),)
    result, refusals = play_alone(kyoku, rules, stick)
    return compare(kyoku, result, rules, refusals=refusals, following=following)


def _of_win(win: PaifuWin, value: HandValue | NoWin | InvalidHandError) -> Iterator[Difference]:
    """Yield the differences in the value of one win."""
    theirs = Counted(win.han, win.fu, win.yakuman)
    if isinstance(value, NoWin | InvalidHandError):
        code = "no_win" if isinstance(value, NoWin) else "impossible_hand"
        yield Difference(code, None, theirs, value, win.seat, (), _their_lines(win))
    elif win.han or win.yakuman:
        mine, logged = our_lines(value), _their_lines(win)
        only = tuple(line for line in mine if line not in logged), tuple(line for line in logged if line not in mine)
        # A log that gives a limit alone has no fu.
        counted = Counted(value.han, value.fu if win.fu else 0, value.yakuman)
        if counted != theirs or any(only):
            yield Difference("yaku" if counted == theirs else "value", counted, theirs, None, win.seat, *only)


def our_lines(value: HandValue) -> tuple[Line, ...]:
    """Return the yaku and dora of a hand under the names that a log uses for dora."""
    dora: dict[str, int] = {}
    for line in value.dora if not value.yakuman else ():
        name = LINES.get(line.kind, "dora")
        dora[name] = dora.get(name, 0) + line.han
    yaku = (Line(line.name.value, _count(line)) for line in value.yaku)
    return tuple(sorted((*yaku, *(Line(name, han) for name, han in dora.items() if han))))


def _count(line: YakuLine) -> int:
    return line.worth if line.counts is Counts.YAKUMAN else line.han


def _their_lines(win: PaifuWin) -> tuple[Line, ...]:
    """Return the lines of a log, under our names where there are any."""
    return tuple(sorted(Line(line.code or line.name, line.han or line.yakuman) for line in win.yaku))


def told_reason(why: Reason) -> str:
    """Return the reasons of a refusal in one line, without the full stops of their sentences."""
    if isinstance(why, NoWin):
        return str(why).rstrip(".")
    return "; ".join(str(each).rstrip(".") for each in (why if isinstance(why, tuple) else why.problems))


def _reason(kyoku: PaifuKyoku, ours: KyokuResult) -> str:
    """Return the code of the rule that most likely makes the points differ."""
    if kyoku.draw is not None:
        return "points_by_nagashi" if kyoku.draw.nagashi else "points_by_noten"
    if ours.turns:
        return "points_by_winners"
    if any(win.pao is not None for win in kyoku.wins) or any(each.liable for each in ours.transfers):
        return "points_by_liability"
    if any(_paid(ours, win.seat, Cause.HAND) != win.points for win in kyoku.wins if win.points):
        return "points_by_limit"
    return _reason_on_table(kyoku, ours)


def _reason_on_table(kyoku: PaifuKyoku, ours: KyokuResult) -> str:
    """Return the code for honba or sticks, where the hands themselves are paid alike."""
    differing = [mine - logged for mine, logged in zip(ours.changes(), kyoku.deltas, strict=True)]
    sticks = kyoku.sticks + len(kyoku.riichi)
    if kyoku.honba and all(each % kyoku.honba == 0 for each in differing):
        return "points_by_honba"
    return "points_by_sticks" if sticks else "points"


def _paid(ours: KyokuResult, seat: int, cause: Cause) -> int:
    return sum(
        each.amount
        for each in ours.transfers
        if each.ledger == TABLE_POINTS and each.receiver == seat and each.cause is cause
    )


def _flow(ours: KyokuResult, following: PaifuKyoku | None) -> Iterator[Difference]:
    """Yield a difference in the hand that follows, or in the end of the game."""
    after = ours.after
    position = Position(after.round, after.number, after.honba)
    if following is None:
        if not after.is_over and not ours.may_stop:
            yield Difference("goes_on", position)
    elif after.is_over:
        yield Difference("ends_here", None, following.position)
    elif position != following.position:
        yield Difference("next_hand", position, following.position)
