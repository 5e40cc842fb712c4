"""Inputs of the live score sheet under a ruleset: kinds of events, and forms in which the value of a hand is entered.

Everything is derived from the ruleset; the sheet offers nothing that the ruleset does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from django.utils.translation import get_language

from league.selectors.live.clauses import clause_link
from league.wording.live.call_out import Caller, amounts
from league.wording.live.live import PENALTIES, ROUNDS, abortive_name, offence_name
from league.wording.live.yaku import limit_name, yaku_name
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_settings import AWARDS
from league.wording.rulebooks.ruleset_values import VALUES
from scoring.hand.most import most_paid_dora, most_prizes, most_yakuman, paid_yakuman
from scoring.hand.possible import Circumstances, possible_values, why_impossible
from scoring.hand.possible_limits import possible_limits, why_limit_impossible
from scoring.hand.situation import RiichiKind
from scoring.hand.uncapped import Hans, possible_han, why_no_such_han
from scoring.kyoku.checks import NOTEN_RIICHI
from scoring.kyoku.circumstances import has_double_riichi
from scoring.kyoku.flow import playable_rounds
from scoring.kyoku.payments import RuledState, is_uncapped, table_of
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import Offence, OffenceTiming, Penalty, RenchanPolicy
from scoring.ruleset.play import Play
from scoring.ruleset.value import Dora, Limit, LimitName
from scoring.value import By, Worth, value

Document = dict[str, object]


def asks(state: State, rules: Ruleset) -> Document:
    """Return everything that can be entered under these rules in the present state of the table."""
    play = rules.hand_rules
    table = RuledState(state, rules, play)
    return {
        "riichi": {
            "stake": play.riichi.stake,
            "open": play.riichi.open and {"stake": play.riichi.open.stake},
            "double": has_double_riichi(play),
        },
        "value": value_forms(table),
        "prizes": prizes(rules, play),
        "pao": play.pao and {"yakuman": [yaku_name(each) for each in play.pao.yaku], "open_kan": play.pao.open_kan},
        "forced": play.riichi.open is not None,
        "four_kans_stand": play.yaku_rules.fourth_kan_wins,
        "several": {"two": play.several_winners.two, "three": play.several_winners.three},
        "draw": {"tenpai": tenpai_matters(play), "order": tenpai_order(state)},
        "nagashi": play.draws.nagashi and {"worth": play.draws.nagashi.worth, "nature": play.draws.nagashi.nature},
        "abortive": [
            {
                "kind": kind,
                "title": abortive_name(kind),
                "deal_text": str(VALUES[each.deal]),
                "clause": clause_link(each.clauses[0]),
            }
            for kind, each in play.draws.abortive.items()
            if each.played
        ],
        "offences": [offence(each) for each in play.penalties.offences],
        "fine": play.penalties.fine and {"amount": play.penalties.fine.amount},
        "dead_hand": play.penalties.dead_hand is not None,
        "chonbo": bool(play.penalties.offences),
        "stop": rules.end.dealer_stop and {"automatic": rules.end.dealer_stop.automatic},
        "legality": play.legality is not None,
        "time": None
        if rules.end.time is None or state.hands_left is not None
        else {"hands": rules.end.time.hands_left},
        "scores_only": {"unit": rules.entry.unit},
        "rounds": [{"round": each, "title": str(ROUNDS[each])} for each in playable_rounds(rules)],
        "ruling": True,
    }


def offence(rule: Offence) -> Document:
    """Return an offence, and whether it is entered as the end of the hand (`chonbo`) or during it (`offended`)."""
    ends_hand = rule.penalty is Penalty.CHONBO and rule.judged is OffenceTiming.AT_ONCE
    return {
        "key": rule.key,
        "title": offence_name(rule.key),
        "penalty": rule.penalty,
        "penalty_text": str(PENALTIES[rule.penalty]),
        "judged": rule.judged,
        "judged_text": str(VALUES[rule.judged]),
        "enter": "chonbo" if ends_hand or rule.key == NOTEN_RIICHI else "offended",
        "withdraws_riichi": rule.penalty in (Penalty.REDECLARE, Penalty.FINE_AND_REDECLARE),
        "clause": clause_link(rule.clauses[0]),
    }


def tenpai_matters(play: Play) -> bool:
    """Return True if tenpai at a draw decides a payment, the next deal, or an offence."""
    deal = RenchanPolicy.TENPAI in play.renchan.rounds.values()
    return bool(play.draws.noten.pool) or deal or play.riichi.noten_is_offence


def tenpai_order(state: State) -> list[int]:
    """Return the seats in the order of declaring tenpai: first players in riichi, each group from the dealer on."""
    declared = state.hand.declared()
    return sorted(state.from_dealer(), key=lambda seat: seat not in declared)


def prizes(rules: Ruleset, play: Play) -> Document | None:
    """Return the awards of a hand that can be entered; None if the rules have none or they are not entered."""
    chips = play.chips
    if chips is None or chips.rules.ledger not in {ledger.key for ledger in rules.entered_ledgers}:
        return None
    ledger, most = rules.ledger(chips.rules.ledger), most_prizes(play)
    return {
        "ledger": ledger.key,
        "title": title_in(ledger.title),
        "scale": ledger.scale,
        "open_hands": chips.rules.open_hands,
        "none_if_forced": chips.rules.none_if_forced,
        "counts": [
            {"event": event, "title": str(AWARDS[event]), "most": most[event]}
            for event, award in chips.awards.items()
            if most.get(event) and (award.ron or award.tsumo_each)
        ],
        "fixed": [{"yaku": name, "title": yaku_name(name)} for name in chips.fixed],
        "without": [yaku_name(name) for name in chips.rules.yakuman_without],
        "each": play.tulip is not None,
        "each_step": ledger.step,
    }


def value_forms(table: RuledState) -> Document:
    """Return the forms in which a hand's value is entered, with the choices of each; not to be changed."""
    number = table.rules.players if table.is_last_hand else 1
    return _value_forms(table.rules, table.state.round, number, get_language())


# Of the state, the value of a hand depends on the round and on the last hand alone. The whole takes some 20 ms.
@lru_cache(maxsize=64)
def _value_forms(rules: Ruleset, round_: RoundName, number: int, _language: str | None) -> Document:
    table = table_of(State((rules.setup.start,) * rules.players, round_, number), rules)
    play, limits = table.play, limits_of(table)
    hans = range(play.win.min_han, fu_until(table) + 1)
    return {
        "forms": ["han_fu", "limit", "yakuman", "points"],
        "han": {"least": play.win.min_han, "fu_until": 0 if play.fu.fixed else fu_until(table)},
        "fu": {
            "fixed": play.fu.fixed,
            **{by.value: {str(han): list(fu_of(han, by, table)) for han in hans} for by in By},
        },
        "in_riichi": {
            by.value: {name: least_in_riichi(by, kind, table) for name, kind in IN_RIICHI.items()} for by in By
        },
        "hans": {by.value: {name: hans_of_closed(by, kind, table) for name, kind in CLOSED.items()} for by in By}
        if is_uncapped(table)
        else None,
        "limits": [{"limit": each.name, "title": limit_name(each.name), "from_han": each.from_han} for each in limits],
        "yakuman": {
            "most": paid_yakuman(play),
            "title": limit_name(LimitName.YAKUMAN),
        },
        "points": {"unit": play.payments.round_up_to},
        "uncapped": is_uncapped(table),
        "closed": openness_matters(play),
        "dora": most_dora(play),
        "paid": {by.value: {who: list(payment_texts(by, table, dealer=who == "dealer")) for who in SIDES} for by in By},
    }


SIDES = ("dealer", "other")
IN_RIICHI = {
    "closed": RiichiKind.RIICHI,
    "open": RiichiKind.OPEN,
    "double_closed": RiichiKind.DOUBLE,
    "double_open": RiichiKind.DOUBLE_OPEN,
}
"""The kinds of riichi under the names that a seat of the sheet has for them, after "double_" for a double one."""
CLOSED = {"none": RiichiKind.NONE, **IN_RIICHI}


def least_in_riichi(by: By, kind: RiichiKind, table: RuledState) -> dict[str, int]:
    """Return the fewest han for each number of fu (0 where they are not counted) of a winner in riichi."""
    possible = possible_values(table.rules, Circumstances(by, closed=True, riichi=kind, round=table.state.round))
    return {str(fu): least.han for (fu, _), least in possible.items()}


def hans_of_closed(by: By, kind: RiichiKind, table: RuledState) -> dict[str, list[int]]:
    """Return the possible han by fu of a closed hand that no limit caps; also of an opened one if alike in value."""
    closed = True if openness_matters(table.play) else None
    found: dict[str, set[int]] = {}
    won = Circumstances(by, closed, kind, round=table.state.round)
    for (fu, _), hans in possible_han(table.rules, won).items():
        found.setdefault(str(fu), set()).update(hans)
    return {fu: sorted(hans) for fu, hans in found.items()}


def limits_of(table: RuledState) -> tuple[Limit, ...]:
    """Return the limits that apply to this hand; where none caps it, those that a yaku has by itself."""
    limits = table.play.value.limits
    if not is_uncapped(table):
        return limits
    every = (Circumstances(by, round=table.state.round) for by in By)
    outright = {name for won in every for name in possible_limits(table.rules, won, uncapped=True)}
    return tuple(each for each in limits if each.name in outright)


def fu_until(table: RuledState) -> int:
    """Return the largest han for which fu still matter."""
    limits = table.play.value.limits
    if limits and not is_uncapped(table):
        return limits[0].from_han - 1
    return max(hans[-1] for by in By for kind in RiichiKind for hans in hans_of(by, kind, table).values())


def hans_of(by: By, kind: RiichiKind, table: RuledState) -> Hans:
    """Return the possible han for each number of fu, closed and opened, of hands that no limit caps."""
    return possible_han(table.rules, Circumstances(by, riichi=kind, round=table.state.round))


def fu_of(han: int, by: By, table: RuledState) -> Iterator[int]:
    """Yield the fu that a hand of `han` han can have if won by `by`, ascending; in riichi or not."""
    if table.play.fu.fixed:
        return
    possible = possible_values(table.rules, Circumstances(by, round=table.state.round))
    found = {fu for (fu, _), least in possible.items() if han >= least.han}
    if is_uncapped(table):
        every = (hans_of(by, kind, table).items() for kind in RiichiKind)
        found &= {fu for hans in every for (fu, _), each in hans if han in each}
    yield from sorted(found)


def is_possible(worth: Worth, by: By, table: RuledState, *, closed: bool) -> bool:
    """Return whether a closed, or an opened, hand won like this can have this value."""
    if not openness_matters(table.play):
        return True
    if worth.yakuman:
        return worth.yakuman <= most_yakuman(table.play, closed=closed)
    won = Circumstances(by, closed, round=table.state.round)
    if worth.limit is not None:
        return why_limit_impossible(table.rules, won, worth.limit, uncapped=is_uncapped(table)) is None
    # The sheet leaves out what only a riichi makes possible; an opened hand has none.
    is_bound = is_uncapped(table) and not closed
    no_such = why_no_such_han(table.rules, won, worth.han, worth.fu) if is_bound else None
    return (why_impossible(table.rules, won, worth.han, worth.fu) or no_such) is None


def openness_matters(play: Play) -> bool:
    """Return True if a hand's value or its awards depend on whether it is closed."""
    chips = play.chips is not None and not play.chips.rules.open_hands
    return play.value.closed is not None or play.value.open_hands_step_up or chips or _dora_differ(play)


def _dora_differ(play: Play) -> bool:
    kind = play.dora.kinds.get(Dora.INDICATOR)
    return kind is not None and kind.points_closed != kind.points_open


def most_dora(play: Play) -> int:
    """Return the most dora that are paid in points in addition to their han; 0 where none are."""
    return max(most_paid_dora(play, closed=closed) for closed in (True, False))


def payment_texts(by: By, table: RuledState, *, dealer: bool) -> Iterator[Document]:
    """Yield the payment text of each value, without honba and dora; closed and open separately where it matters."""
    both = (True, False) if openness_matters(table.play) else (False,)
    for worth in enterable_values(by, table):
        for closed in both:
            if not is_possible(worth, by, table, closed=closed):
                continue
            whole = replace(worth, closed=closed, uncapped=is_uncapped(table))
            found = value(whole, dealer=dealer, play=table.play)
            text = Caller(None, {}).amounts(amounts(found, is_ron=by is By.RON))
            yield {**fields_of(worth), "closed": closed, "text": "" if found.instant_top else text}


def enterable_values(by: By, table: RuledState) -> Iterator[Worth]:
    """Yield every value that can be entered: han and fu below the limits, then the limits, then yakuman."""
    for han in range(table.play.win.min_han, fu_until(table) + 1):
        for fu in (0,) if table.play.fu.fixed else fu_of(han, by, table):
            yield Worth(han=han, fu=fu)
    for limit in limits_of(table):
        yield Worth(limit=limit.name)
    for yakuman in range(1, paid_yakuman(table.play) + 1):
        yield Worth(yakuman=yakuman)


def fields_of(worth: Worth) -> Document:
    """Return a value as the fields of a log entry."""
    if worth.yakuman:
        return {"yakuman": worth.yakuman}
    if worth.limit is not None:
        return {"limit": worth.limit}
    return {"han": worth.han, "fu": worth.fu}
