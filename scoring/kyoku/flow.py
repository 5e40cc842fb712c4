"""The course of a game after a kyoku: the next dealer, the counters, the next kyoku, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.kyoku.outcomes import Position, Win
from scoring.kyoku.payments import RuledState, collects_honba
from scoring.kyoku.state import EndCause, EndReason, State
from scoring.placement import groups, places
from scoring.ruleset import Ruleset
from scoring.ruleset.end import AfterLastRound, ExtensionRepeat, RoundName, VoidLastHand
from scoring.ruleset.flow import AbortiveKind, DealAfter, GameAfterChonbo, HonbaChange, RenchanPolicy
from scoring.ruleset.value import DealAfterRon, HonbaOfSeveral


@dataclass(frozen=True, slots=True)
class Flow:
    """The way play goes on after a hand."""

    deal: DealAfter
    honba: HonbaChange
    dealer_won: bool = False
    dealer_tenpai: bool = False
    """The dealer was tenpai at a draw."""
    void: bool = False
    """The hand does not count as played."""
    ends: bool = False
    """A great offence ends the game."""


def after_win(wins: Sequence[Win], table: RuledState) -> Flow:
    """Return the flow after a win: the dealer stays by winning. The head winner is first in `wins`."""
    dealer = table.state.dealer
    # On a double ron some books let the dealer stay only as head winner, others as any winner.
    head_only = table.play.several_winners.deal is DealAfterRon.HEAD_WINNER
    stays = dealer in [win.seat for win in (wins[:1] if head_only else wins)]
    honba = table.play.honba.dealer_win if stays else table.play.honba.other_win
    collecting = wins if table.play.several_winners.honba is HonbaOfSeveral.EACH else wins[:1]
    if not any(collects_honba(win, table) for win in collecting):
        # BOO-107: a win that does not collect the counters leaves them and adds one.
        honba = HonbaChange.ADD
    return Flow(_deal(stays=stays), honba, dealer_won=stays)


def after_draw(tenpai: Sequence[int], table: RuledState) -> Flow:
    """Return the flow after a draw: by the book the dealer stays always, if tenpai, or never."""
    policy = table.play.renchan.rounds[table.state.round]
    ready = table.state.dealer in tenpai
    stays = policy is RenchanPolicy.ANY_DRAW or (policy is RenchanPolicy.TENPAI and ready)
    return Flow(_deal(stays=stays), table.play.honba.draw, dealer_tenpai=ready)


def after_abortive(kind: AbortiveKind, table: RuledState) -> Flow:
    """Return the flow after an abortive draw; the book says who deals."""
    return Flow(table.play.draws.abortive[kind].deal, table.play.honba.draw)


def after_chonbo(offenders: Sequence[int], table: RuledState) -> Flow:
    """Return the flow after a void hand, which is played again unless the dealer's own offence moves the deal."""
    after, state = table.play.penalties.chonbo.after, table.state
    ends = after.game is GameAfterChonbo.ENDS
    if state.dealer not in offenders:
        return Flow(after.other_offends, after.honba, void=True, ends=ends)
    deal = after.dealer_offends[state.round]
    if state.number == state.players:
        deal = after.dealer_offends_in_last_hand.get(state.round, deal)
    return Flow(deal, after.honba, void=True, ends=ends)


def end_reasons(flow: Flow, after: State, table: RuledState, *, stop: bool) -> tuple[tuple[EndCause, ...], bool]:
    """Return every reason why the game is over with these scores, and whether the dealer may choose to stop it."""
    found = [*_at_once(flow, after, table), *_time_over(flow, table)]
    rule = table.rules.end.dealer_stop
    # A game that is over for another reason offers no choice to stop.
    allowed = not found and may_stop(flow, after, table)
    is_asked = allowed and rule is not None and not rule.is_automatic(_place_of_dealer(after, table))
    if rule is not None and allowed and (stop or not is_asked):
        reason = EndReason.AGARI_YAME if flow.dealer_won else EndReason.TENPAI_YAME
        found.append(EndCause(reason, rule.clauses[0]))
    found += _rounds_over(flow, after, table)
    return tuple(found), is_asked


def may_stop(flow: Flow, after: State, table: RuledState) -> bool:
    """Return whether the dealer of the last hand may end the game after a win or tenpai.

    The dealer must hold the place that the book demands, and some player the points.
    """
    rule, state = table.rules.end.dealer_stop, table.state
    if rule is None or state.round not in rule.leader_has or state.number != state.players:
        return False
    earned = (flow.dealer_won and rule.after_win) or (flow.dealer_tenpai and rule.after_tenpai_draw)
    # A tenpai dealer who loses the deal anyway (no tenpai renchan) has nothing to stop.
    if not earned or flow.deal is DealAfter.MOVES:
        return False
    is_placed = _place_of_dealer(after, table) <= rule.worst_place
    return is_placed and max(after.scores) >= rule.leader_has[state.round]


def next_state(flow: Flow, after: State, rules: Ruleset) -> State:
    """Return the table at the start of the next kyoku."""
    counters = {HonbaChange.ADD: after.honba + 1, HonbaChange.RESET: 0, HonbaChange.KEEP: after.honba}
    # A void hand is none of those that are still played once time was called (EA-066).
    left = after.hands_left if after.hands_left is None or flow.void else after.hands_left - 1
    following = replace(after, honba=counters[flow.honba], hands_left=left)
    if flow.deal is DealAfter.STAYS:
        return following
    if after.number < after.players:
        return replace(following, number=after.number + 1)
    return replace(following, number=1, round=_next_round(after.round, rules))


def state_at(position: Position, after: State) -> State:
    """Return the table at the kyoku that a ruling names."""
    return replace(after, round=position.round, number=position.number, honba=position.honba)


def playable_rounds(rules: Ruleset) -> tuple[RoundName, ...]:
    """Return every round that a game can have, in order."""
    return (*rules.setup.rounds, *(rules.end.extension.rounds if rules.end.extension else ()))


def _at_once(flow: Flow, after: State, table: RuledState) -> Iterator[EndCause]:
    """Yield the reasons that end a game after any hand."""
    end = table.rules.end
    if flow.ends:
        yield EndCause(EndReason.OFFENCE, table.play.penalties.chonbo.after.clauses[0])
    if after.forced_top is not None:
        yield EndCause(EndReason.YAKUMAN, table.play.value.yakuman.clauses[0], {"seat": after.forced_top})
    out = [seat for seat, score in enumerate(after.scores) if end.bust.is_bust(score)]
    if out:
        yield EndCause(EndReason.BUST, end.bust.clauses[0], {"seats": tuple(out)})
    best = max(after.scores)
    if end.target and best >= end.target.score and (end.target.void_hands_count or not flow.void):
        yield EndCause(EndReason.TARGET, end.target.clauses[0], {"score": end.target.score})
    extension = end.extension
    if extension is None or table.state.round not in extension.rounds or best < extension.stops_at:
        return
    # A chonbo moves points: some books do not let a void hand end the game.
    if (extension.void_hands_count or not flow.void) and not _dealer_plays_on(flow, after, table):
        yield EndCause(EndReason.SUDDEN_DEATH, extension.clauses[0], {"score": extension.stops_at})


def _time_over(flow: Flow, table: RuledState) -> Iterator[EndCause]:
    """Yield the end of the last hand after time was called; a void one may have to be played again."""
    limit = table.rules.end.time
    if limit is None or not table.state.is_last_by_time:
        return
    if not flow.void or limit.void_hand is VoidLastHand.ENDS:
        yield EndCause(EndReason.TIME, limit.clauses[0])


def _dealer_plays_on(flow: Flow, after: State, table: RuledState) -> bool:
    """Return whether a dealer who repeats without being first keeps an extension going."""
    extension = table.rules.end.extension
    if extension is None or extension.repeat is ExtensionRepeat.ENDS or flow.deal is DealAfter.MOVES:
        return False
    return _place_of_dealer(after, table) > 1


def _place_of_dealer(after: State, table: RuledState) -> int:
    return places(groups(after.scores, table.rules.settlement.placing.ties))[table.state.dealer]


def _rounds_over(flow: Flow, after: State, table: RuledState) -> Iterator[EndCause]:
    """Yield the end of the last hand, reached when its dealer loses the deal and no further round is due."""
    state, extension = table.state, table.rules.end.extension
    if flow.deal is DealAfter.STAYS or state.number < state.players:
        return
    # Deposits on the table do not count: the leader needs the points in front of them (`Extension.below`).
    if state.round is table.rules.setup.rounds[-1]:
        if extension is None or max(after.scores) >= extension.below:
            yield EndCause(EndReason.LAST_HAND, table.rules.setup.clauses[0])
    elif extension and state.round is extension.rounds[-1] and extension.last is AfterLastRound.ENDS:
        yield EndCause(EndReason.EXTENSION_END, extension.clauses[0])


def _next_round(current: RoundName, rules: Ruleset) -> RoundName:
    """Return the round that follows; after the last one of an extension its first again."""
    order = playable_rounds(rules)
    index = order.index(current) + 1
    # An extension that repeats starts again with its own first round, not with East.
    return order[index] if index < len(order) else order[len(rules.setup.rounds)]


def _deal(*, stays: bool) -> DealAfter:
    return DealAfter.STAYS if stays else DealAfter.MOVES
