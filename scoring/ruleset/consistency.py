"""Contradictions between the tables of a ruleset, each of which is valid by itself."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoring.ruleset.base import TABLE_POINTS, Fault, Wind
from scoring.ruleset.end import BustLine
from scoring.ruleset.flow import AbortiveKind
from scoring.ruleset.ledgers import Ledger
from scoring.ruleset.settling import Conversion, DepositReceiver, RoundingPolicy, Ties
from scoring.ruleset.tiles import SetAside
from scoring.ruleset.value import LimitName, MultiRon, TsumoSplit, YakumanEffect
from scoring.ruleset.yaku import Counts

if TYPE_CHECKING:
    from scoring.ruleset.book import Ruleset

Found = tuple[str, object, str]
"""A key, its value, and the allowed values."""


def faults(rules: Ruleset) -> Iterator[Fault]:
    """Yield every contradiction between tables."""
    for check in CHECKS:
        yield from (Fault("", key, value, message) for key, value, message in check(rules))


def _ledgers(rules: Ruleset) -> Iterator[Found]:
    keys = [ledger.key for ledger in rules.ledgers]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield "ledgers", key, "a ledger may be declared only once"
    if TABLE_POINTS in keys:
        yield "ledgers", TABLE_POINTS, "this name is kept for points on the table"
    ranking = [ledger.key for ledger in rules.ledgers if ledger.ranks]
    if len(ranking) != 1:
        yield "ledgers", ranking, "exactly one ledger must rank (ranks = true)"
    for ledger in rules.ledgers:
        if ledger.entered != (ledger.step > 0):
            message = "must be more than 0 where amounts are entered, and 0 where none are"
            yield f"ledgers.{ledger.key}.step", ledger.step, message


def _seats(rules: Ruleset) -> Iterator[Found]:
    winds = tuple(Wind)[: rules.players]
    if rules.setup.seat_winds != winds:
        found = [wind.value for wind in rules.setup.seat_winds]
        allowed = ", ".join(wind.value for wind in winds)
        yield "setup.seat_winds", found, f"{rules.players} players have the winds {allowed}"
    if rules.setup.start % rules.entry.unit:
        message = f"must be a multiple of entry.unit ({rules.entry.unit})"
        yield "setup.start", rules.setup.start, message


def _uma(rules: Ruleset) -> Iterator[Found]:
    uma, conversion = rules.settlement.uma, rules.settlement.conversion
    if uma is None or conversion is None:
        return
    ledger = _ledger(rules, conversion.ledger)
    for name, row in uma.rows():
        key, shown = f"settlement.uma.{name}", [str(amount) for amount in row]
        if len(row) != rules.players:
            yield key, shown, f"{rules.players} players need as many amounts"
        if ledger is not None and ledger.zero_sum and sum(row) != 0:
            yield key, shown, f"must add up to 0: {ledger.key} is zero-sum"
    for count in uma.floating.rows if uma.floating is not None else ():
        if int(count) > rules.players:
            yield f"settlement.uma.floating.rows.{count}", count, f"at most {rules.players} players can float"


def _place_payments(rules: Ruleset) -> Iterator[Found]:
    payments = rules.settlement.place_payments
    if payments is None:
        return
    key, last = "settlement.place_payments", rules.players
    if payments.place > last:
        yield f"{key}.place", payments.place, f"must be a place from 1 to {last}"
    for name, listed in (("reached", payments.reached), ("missed", payments.missed)):
        for number, each in enumerate(listed):
            pair = [each.payer, each.receiver]
            if max(pair) > last or each.payer == each.receiver:
                message = f"payer and receiver must be two different places from 1 to {last}"
                yield f"{key}.{name}.{number}", pair, message
    if rules.settlement.placing.ties is Ties.SHARED:
        yield "settlement.placing.ties", "shared", "must be by_seat where places pay one another"


def _scales(rules: Ruleset) -> Iterator[Found]:
    """Check that every amount is a whole number at its ledger's scale."""
    for key, name, amount in (*_fixed_amounts(rules), *_penalty_amounts(rules), *_score_amounts(rules)):
        ledger = _ledger(rules, name)
        if ledger is not None and (amount * ledger.scale).denominator != 1:
            yield key, str(amount), f"the ledger {name} keeps multiples of 1/{ledger.scale}"


def _fixed_amounts(rules: Ruleset) -> Iterator[tuple[str, str, Fraction]]:
    """Yield (key, ledger, amount) of the amounts written in the file."""
    steps = rules.settlement
    for name, step in (("chonbo", steps.chonbo), ("substitute", steps.substitute), ("tobi", steps.tobi)):
        if step is not None:
            yield f"settlement.{name}.amount", step.ledger, step.amount
    if steps.fees is not None:
        yield "settlement.fees.each", steps.fees.ledger, steps.fees.each
        yield "settlement.fees.top", steps.fees.ledger, steps.fees.top
    if steps.place_payments is not None:
        for payment in (*steps.place_payments.reached, *steps.place_payments.missed):
            yield "settlement.place_payments", steps.place_payments.ledger, payment.amount
    if steps.top_payment is not None:
        stake, fee, ledger = steps.top_payment.stake, steps.top_payment.fee, steps.top_payment.ledger
        for amount in (stake.A, stake.B, stake.C, fee.A, fee.B, fee.C, fee.gentsuu or Fraction(0)):
            yield "settlement.top_payment", ledger, amount


def _penalty_amounts(rules: Ruleset) -> Iterator[tuple[str, str, Fraction]]:
    """Yield (key, ledger, amount) of the bounds of penalties outside the hanchan."""
    for penalty in rules.settlement.penalties:
        for amount in (penalty.least, penalty.step):
            for ledger in (each.key for each in rules.ledgers if each.ranks):
                yield f"settlement.penalties.{penalty.key}", ledger, amount


def _score_amounts(rules: Ruleset) -> Iterator[tuple[str, str, Fraction]]:
    """Yield (key, ledger, amount) of the amounts that accounts consist of after rounding."""
    steps, conversion = rules.settlement, rules.settlement.conversion
    # Without a conversion scores make no accounts, so only the fixed amounts count.
    if conversion is None:
        return
    ledger, rounding = conversion.ledger, steps.rounding
    if rounding is not None and rounding.policy is not RoundingPolicy.EXACT:
        yield "settlement.rounding.step", ledger, rounding.step
    else:
        unit = conversion.amount(rules.entry.unit)
        yield "settlement.conversion.worth", ledger, unit
        for share in _shares(rules, conversion):
            yield "settlement.rounding.policy", ledger, share
    if rounding is not None and rounding.policy is RoundingPolicy.SCORES_NEAREST:
        yield "setup.return", ledger, conversion.amount(rules.setup.return_)
        for name, row in steps.uma.rows() if steps.uma else ():
            yield from ((f"settlement.uma.{name}", ledger, bonus) for bonus in row)
    if steps.sinking_uma is not None:
        amount = conversion.amount(steps.sinking_uma.amount)
        yield "settlement.sinking_uma.amount", ledger, amount


def _shares(rules: Ruleset, conversion: Conversion) -> Iterator[Fraction]:
    """Yield the share of the places' bonuses that every possible group of level players can get."""
    oka = Fraction(0)
    if rules.settlement.oka is not None:
        held_back = rules.players * (rules.setup.return_ - rules.setup.start)
        oka = conversion.amount(held_back)
    for row in [row for _, row in rules.settlement.uma.rows()] if rules.settlement.uma else [()]:
        uma = (*row, *(Fraction(0),) * rules.players)[: rules.players]
        yield from _averages((uma[0] + oka, *uma[1:]), rules)


def _averages(bonuses: Sequence[Fraction], rules: Ruleset) -> Iterator[Fraction]:
    """Yield the average of every run of places that level players can fill."""
    # Shared places average their bonuses: the scale must hold every average that level scores can make.
    largest = rules.players if rules.settlement.placing.ties is Ties.SHARED else 1
    for level in range(1, largest + 1):
        for better in range(len(bonuses) - level + 1):
            yield sum(bonuses[better : better + level], Fraction(0)) / level


def _balance(rules: Ruleset) -> Iterator[Found]:
    steps = rules.settlement
    rest = {RoundingPolicy.SCORES_NEAREST, RoundingPolicy.TOWARDS_ZERO}
    if steps.rounding is not None and steps.rounding.policy in rest and not steps.balance_to_top:
        message = f"must be true: rounding {steps.rounding.policy} leaves the top the rest"
        yield "settlement.balance_to_top", False, message
    if steps.balance_to_top and steps.placing.ties is Ties.SHARED:
        message = "must be by_seat where the balance goes to one top"
        yield "settlement.placing.ties", "shared", message


def _names(rules: Ruleset) -> Iterator[Found]:
    """Check that every ledger named is declared, and every clause named is one of the book's."""
    ledgers, clauses = {ledger.key for ledger in rules.ledgers}, rules.book.known()
    for path, value in _named(("ledger", "clause", "clauses"), rules.data()):
        if path.endswith("ledger"):
            if value not in ledgers:
                yield path, value, f"no such ledger; declared are: {', '.join(sorted(ledgers))}"
        elif path != "book.clause":
            for each in value if isinstance(value, list) else [value]:
                if each not in clauses:
                    allowed = ", ".join((*rules.book.ids, *(own.id for own in rules.book.clause)))
                    yield path, each, f"no such clause; the book has {allowed}"


def _ends(rules: Ruleset) -> Iterator[Found]:
    end, players = rules.end, rules.players
    if end.target is not None and end.target.score <= rules.setup.start:
        yield "end.target.score", end.target.score, f"must be above the start ({rules.setup.start})"
    if end.dealer_stop is not None and end.dealer_stop.worst_place > players:
        yield "end.dealer_stop.worst_place", end.dealer_stop.worst_place, f"at most {players}"
    again = set(rules.setup.rounds) & set(end.extension.rounds if end.extension else ())
    if again:
        yield "end.extension.rounds", sorted(again), "these rounds are played anyway"
    if end.bust.line is BustLine.NEVER and rules.settlement.tobi is not None:
        yield "end.bust.line", "never", "there is a prize for going out (settlement.tobi)"


def _rounds(rules: Ruleset) -> Iterator[Found]:
    """Check that every playable round has an entry in the tables by round."""
    playable = (*rules.setup.rounds, *(rules.end.extension.rounds if rules.end.extension else ()))
    tables: dict[str, Container[object]] = {"setup.round_winds": rules.setup.round_winds}
    if rules.play is not None:
        tables["play.renchan.rounds"] = rules.play.renchan.rounds
        offends = rules.play.penalties.chonbo.after.dealer_offends
        tables["play.penalties.chonbo.after.dealer_offends"] = offends
    for key, table in tables.items():
        missing = [name.value for name in playable if name not in table]
        if missing:
            yield key, None, f"must have an entry for: {', '.join(missing)}"


def _deposits(rules: Ruleset) -> Iterator[Found]:
    left = rules.settlement.kyoutaku
    if left is not None and left.receiver is DepositReceiver.SHARED and rules.settlement.placing.ties is Ties.BY_SEAT:
        yield "settlement.kyoutaku.receiver", "shared", "needs settlement.placing.ties = shared: places are never level"
    if rules.play is None:
        return
    stake = rules.play.riichi.stake
    if left is None and stake:
        yield "settlement.kyoutaku", None, "who gets the riichi stakes left at the end?"
    if left is not None and left.unit != stake:
        yield "settlement.kyoutaku.unit", left.unit, f"must be the riichi stake ({stake})"


def _draws(rules: Ruleset) -> Iterator[Found]:
    """Check that calls that draw a hand say who deals, and that noten payments divide into whole sticks."""
    if rules.play is None:
        return
    several, draws = rules.play.several_winners, rules.play.draws
    if MultiRon.DRAW in (several.two, several.three) and AbortiveKind.TRIPLE_RON not in draws.abortive:
        yield "play.several_winners", "draw", "needs play.draws.abortive.triple_ron, which says who deals"
    odd = [count for count in range(1, rules.players) if draws.noten.pool % (count * rules.entry.unit)]
    if odd:
        message = f"must be shared among {', '.join(map(str, odd))} players in multiples of {rules.entry.unit}"
        yield "play.draws.noten.pool", draws.noten.pool, message


def _offences(rules: Ruleset) -> Iterator[Found]:
    """Check that offences named by other rules are listed."""
    if rules.play is None:
        return
    listed = {each.key: each for each in rules.play.penalties.offences}
    known = ", ".join(listed) or "none"
    for each in listed.values():
        other = listed.get(each.in_riichi)
        if each.in_riichi and (other is None or not other.by_riichi):
            key = f"play.penalties.offences.{each.key}.in_riichi"
            yield key, each.in_riichi, f"must be a listed offence with by_riichi = true; listed are: {known}"
    opened = rules.play.riichi.open
    if opened is not None and opened.unforced_offence and opened.unforced_offence not in listed:
        key = "play.riichi.open.unforced_offence"
        yield key, opened.unforced_offence, f"there is no such offence; listed are: {known}"


def _penalties(rules: Ruleset) -> Iterator[Found]:
    """Check that each cause of a penalty is listed once."""
    keys = [each.key for each in rules.settlement.penalties]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield "settlement.penalties", key, "a cause may be listed only once"


def _mangan(rules: Ruleset) -> Iterator[Found]:
    """Check that there is a mangan among the limits if a yaku counts as a mangan."""
    if rules.play is None or any(limit.name is LimitName.MANGAN for limit in rules.play.value.limits):
        return
    for name, yaku in rules.play.yaku.items():
        if yaku.counts is Counts.MANGAN:
            yield f"play.yaku.{name.value}.counts", "mangan", "needs a limit named mangan in play.value.limits"


def _bonus_tiles(rules: Ruleset) -> Iterator[Found]:
    """Check that tiles to be set aside are in the wall, and that special tiles have their rules."""
    if rules.play is None:
        return
    tiles, nuki = rules.play.tiles, rules.play.nuki
    there = {
        SetAside.NORTH: "4z" in tiles.listed(),
        SetAside.FLOWER: tiles.flowers > 0,
        SetAside.BINGO: sum(tiles.bingo.values()) > 0,
    }
    for kind, exists in there.items():
        if kind in nuki and not exists:
            yield f"play.nuki.{kind}", None, "there are no such tiles"
        if exists and kind not in nuki and kind is not SetAside.NORTH:
            yield "play.nuki", None, f"must say what may be done with {kind} tiles"
    if tiles.pocchi and rules.play.pocchi is None:
        yield "play.pocchi", None, "must say what the pocchi stands for"


def _tulip(rules: Ruleset) -> Iterator[Found]:
    """Check that a flip pays chips, and only for tiles in the wall."""
    if rules.play is None or rules.play.tulip is None:
        return
    tulip, tiles = rules.play.tulip, rules.play.tiles
    if rules.play.chips is None:
        yield "play.tulip", None, "needs play.chips, which says in which ledger it is paid"
    stands_for = tulip.joining.stands_for
    named = {"play.tulip.kakuhen.of": tulip.kakuhen.of, "play.tulip.joining.stands_for": tuple(stands_for.values())}
    for key, kinds in named.items():
        missing = [kind for kind in kinds if kind not in tiles.listed()]
        if missing:
            yield key, missing, "there are no such tiles"
    unknown = [bingo.value for bingo in stands_for if not tiles.bingo.get(bingo)]
    if unknown:
        yield "play.tulip.joining.stands_for", unknown, "there are no such bonus tiles"


def _three_players(rules: Ruleset) -> Iterator[Found]:
    """Check that printed tables are used with three players only: they have a winner, a dealer and one other."""
    table = rules.play is not None and rules.play.payments.tsumo is TsumoSplit.TABLE
    if table and rules.players != len(_TABLE_SEATS):
        yield "play.payments.tsumo", "table", "printed tables are for three players"


def _tops(rules: Ruleset) -> Iterator[Found]:
    """Check that rules about floating players have an origin."""
    payment = rules.settlement.top_payment
    if rules.play is None:
        return
    if rules.play.legality is not None and payment is None:
        yield "play.legality", None, "needs settlement.top_payment, which says who floats"
    instant = rules.play.value.yakuman.effect is YakumanEffect.INSTANT_TOP
    # A yakuman that ends the game needs a settlement that makes its winner the top, and vice versa.
    if instant != (payment is not None and payment.forced_top):
        effect = rules.play.value.yakuman.effect.value
        message = "instant_top and settlement.top_payment.forced_top go together"
        yield "play.value.yakuman.effect", effect, message


def _ledger(rules: Ruleset, key: str) -> Ledger | None:
    return next((ledger for ledger in rules.ledgers if ledger.key == key), None)


def _named(names: Container[str], node: Mapping[str, Any] | Sequence[Any], path: str = "") -> list[tuple[str, Any]]:
    """Return every entry with one of these names and its path, in nested tables and lists too."""
    found = []
    is_table = isinstance(node, dict)
    for name, value in node.items() if isinstance(node, dict) else enumerate(node):
        if name in names:
            found.append((f"{path}{name}", value))
        if isinstance(value, dict):
            key = name if is_table else value.get("key", name)
            found += _named(names, value, f"{path}{key}.")
        elif isinstance(value, list):
            found += _named(names, value, f"{path}{name}.")
    return found


_TABLE_SEATS = ("winner", "dealer", "other")

CHECKS: tuple[Callable[[Ruleset], Iterator[Found]], ...] = (
    _ledgers,
    _seats,
    _uma,
    _place_payments,
    _scales,
    _balance,
    _ends,
    _rounds,
    _deposits,
    _draws,
    _offences,
    _penalties,
    _mangan,
    _bonus_tiles,
    _tulip,
    _three_players,
    _tops,
    _names,
)
"""Every check, in the order in which faults are reported."""
