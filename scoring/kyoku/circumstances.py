"""Circumstances of an entered win: what follows from them is filled in, and contradictions are refused.

Every outcome passes through `with_implied` before it is checked or played, so that a value is read in the same way
from every source, and every win through `refused_circumstances`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from scoring.hand.contradictions import OPEN_RIICHI, Contradiction, Facts, contradictions
from scoring.hand.situation import RiichiKind
from scoring.kyoku.outcomes import LiableFor, Outcome, Points, Ron, RonCalls, Tsumo, Win
from scoring.kyoku.payments import RuledState
from scoring.kyoku.refusals import Refusal, refusal
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.play import Play
from scoring.ruleset.yaku import YakuName
from scoring.value import By

Given = TypeVar("Given", bound=Outcome)


def with_implied(outcome: Given, table: RuledState) -> Given:
    """Return the outcome with everything filled in that follows from its circumstances.

    A winner in riichi has a closed hand. A discarder in riichi cannot choose the discard, so a book may count the
    deal-in to an open riichi as forced.
    """
    if isinstance(outcome, Tsumo):
        win = _implied(outcome.win, None, table)
        return outcome if win is outcome.win else replace(outcome, win=win)
    if isinstance(outcome, Ron):
        wins = tuple(_implied(win, outcome.loser, table) for win in outcome.wins)
        return outcome if wins == outcome.wins else replace(outcome, wins=wins)
    if isinstance(outcome, RonCalls):
        calls = tuple(_implied(win, outcome.loser, table) for win in outcome.calls)
        return outcome if calls == outcome.calls else replace(outcome, calls=calls)
    return outcome


def refused_circumstances(win: Win, loser: int | None, pointer: str, table: RuledState) -> Iterator[Refusal]:
    """Yield a refusal for every circumstance of a win that another one excludes."""
    facts = Facts(
        by=By.TSUMO if loser is None else By.RON,
        riichi=riichi_of(win.seat, table),
        double=win.double_riichi,
        closed=None if isinstance(win.value, Points) else win.value.closed,
        ippatsu=win.prizes.counts.get(AwardEvent.IPPATSU, 0) > 0,
        ura=win.prizes.counts.get(AwardEvent.URA, 0) > 0,
        forced=win.forced,
        robbed=win.robbed,
        fed=win.liability is not None and win.liability.kind is LiableFor.OPEN_KAN,
    )
    for each in contradictions(facts, table.play.riichi):
        code, where, params = TOLD_AS[each]
        yield refusal(code, f"{pointer}/{where}", seat=win.seat, **params)
    if win.double_riichi and not has_double_riichi(table.play):
        yield refusal("no_double_riichi", f"{pointer}/double_riichi")
    rule = table.play.riichi.open
    is_chosen = loser is not None and facts.riichi in OPEN_RIICHI and not (win.forced or win.robbed)
    if is_chosen and rule is not None and rule.unforced_offence:
        yield refusal("open_riichi_not_forced", pointer, seat=win.seat, offence=rule.unforced_offence)


def riichi_of(seat: int, table: RuledState, *, double: bool = False) -> RiichiKind:
    """Return the riichi that a seat has declared in this hand; `double` says that it was a double one."""
    stake = next((stake for stake in table.state.hand.stakes if stake.seat == seat), None)
    if stake is None:
        return RiichiKind.NONE
    if stake.open:
        return RiichiKind.DOUBLE_OPEN if double else RiichiKind.OPEN
    return RiichiKind.DOUBLE if double else RiichiKind.RIICHI


def has_double_riichi(play: Play) -> bool:
    """Return whether the book plays double riichi."""
    yaku = play.yaku.get(YakuName.DOUBLE_RIICHI)
    return yaku is not None and yaku.played


TOLD_AS: Mapping[Contradiction, tuple[str, str, Mapping[str, str]]] = {
    Contradiction.RIICHI_WITH_OPEN_HAND: ("riichi_open_hand", "value/closed", {}),
    Contradiction.OPEN_KAN_WITH_CLOSED_HAND: ("open_kan_closed_hand", "liability", {}),
    Contradiction.IPPATSU_WITHOUT_RIICHI: ("prize_needs_riichi", "prizes/counts", {"event": AwardEvent.IPPATSU.value}),
    Contradiction.URA_WITHOUT_RIICHI: ("prize_needs_riichi", "prizes/counts", {"event": AwardEvent.URA.value}),
    Contradiction.DOUBLE_WITHOUT_RIICHI: ("double_without_riichi", "double_riichi", {}),
    Contradiction.FORCED_WITHOUT_OPEN_RIICHI: ("forced_without_open_riichi", "forced", {}),
    Contradiction.FORCED_WITH_ROBBED: ("robbed_and_forced", "forced", {}),
    Contradiction.ROBBED_WITH_TSUMO: ("robbed_by_tsumo", "robbed", {}),
}
"""The refusal, its place, and its parameters for each contradiction that an entered win can hold."""


def _implied(win: Win, loser: int | None, table: RuledState) -> Win:
    hand, rule = table.state.hand, table.play.riichi.open
    if win.seat in hand.declared() and not isinstance(win.value, Points) and win.value.closed is None:
        # Only if it was left out: `closed=False` with a riichi stays and is refused as a contradiction.
        win = replace(win, value=replace(win.value, closed=True))
    cannot_choose = rule is not None and rule.forced_by_riichi and loser in hand.declared() and not win.robbed
    if cannot_choose and not win.forced and riichi_of(win.seat, table) in OPEN_RIICHI:
        win = replace(win, forced=True)
    return win
