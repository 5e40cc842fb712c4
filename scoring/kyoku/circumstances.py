"""Implications and contradictions between the circumstances of a win, in one place.

Every outcome passes through `with_implied` before it is checked or played, so that a value is read in the same way
from every source, and every win through `contradictions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from scoring.kyoku.outcomes import LiableFor, Outcome, Points, Prizes, Ron, RonCalls, Tsumo, Win
from scoring.kyoku.payments import RuledState
from scoring.kyoku.refusals import Refusal, refusal
from scoring.ruleset.chips import AwardEvent

Given = TypeVar("Given", bound=Outcome)

AFTER_RIICHI = (AwardEvent.IPPATSU, AwardEvent.URA)
"""Prizes that only a winner in riichi can have."""


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


def contradictions(win: Win, loser: int | None, pointer: str, table: RuledState) -> Iterator[Refusal]:
    """Yield a refusal for every circumstance of a win that another one excludes."""
    is_declared = win.seat in table.state.hand.declared()
    if is_declared and not isinstance(win.value, Points) and win.value.closed is False:
        yield refusal("riichi_open_hand", f"{pointer}/value/closed", seat=win.seat)
    is_kan_fed = win.liability is not None and win.liability.kind is LiableFor.OPEN_KAN
    if is_kan_fed and (is_declared or (not isinstance(win.value, Points) and win.value.closed)):
        yield refusal("open_kan_closed_hand", f"{pointer}/liability", seat=win.seat)
    yield from prize_contradictions(win.seat, win.prizes, pointer, table)
    is_open = win.seat in _opened(table)
    if win.forced and (loser is None or not is_open):
        yield refusal("forced_without_open_riichi", f"{pointer}/forced", seat=win.seat)
    if win.robbed and loser is None:
        yield refusal("robbed_by_tsumo", f"{pointer}/robbed", seat=win.seat)
    if win.robbed and win.forced:
        yield refusal("robbed_and_forced", f"{pointer}/forced", seat=win.seat)
    rule = table.play.riichi.open
    is_chosen = loser is not None and is_open and not (win.forced or win.robbed)
    if is_chosen and rule is not None and rule.unforced_offence:
        yield refusal("open_riichi_not_forced", pointer, seat=win.seat, offence=rule.unforced_offence)


def prize_contradictions(seat: int, prizes: Prizes, pointer: str, table: RuledState) -> Iterator[Refusal]:
    """Yield a refusal for every prize that needs a riichi the seat has not declared."""
    if seat in table.state.hand.declared():
        return
    for event in AFTER_RIICHI:
        if prizes.counts.get(event, 0) > 0:
            yield refusal("prize_needs_riichi", f"{pointer}/prizes/counts", seat=seat, event=event.value)


def _implied(win: Win, loser: int | None, table: RuledState) -> Win:
    hand, rule = table.state.hand, table.play.riichi.open
    if win.seat in hand.declared() and not isinstance(win.value, Points) and win.value.closed is None:
        # Only if it was left out: `closed=False` with a riichi stays and is refused as a contradiction.
        win = replace(win, value=replace(win.value, closed=True))
    cannot_choose = rule is not None and rule.forced_by_riichi and loser in hand.declared() and not win.robbed
    if cannot_choose and not win.forced and win.seat in _opened(table):
        win = replace(win, forced=True)
    return win


def _opened(table: RuledState) -> tuple[int, ...]:
    """Return the seats in open riichi."""
    return tuple(stake.seat for stake in table.state.hand.stakes if stake.open)
