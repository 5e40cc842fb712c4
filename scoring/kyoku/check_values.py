"""Whether a win's value, liability and prizes can be: the fu a hand can have, the limits and prizes a book has."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.kyoku.outcomes import LiableFor, Points, Win
from scoring.kyoku.payments import Table
from scoring.kyoku.refusals import Refusal, refusal
from scoring.ruleset.value import Fu
from scoring.ruleset.yaku import YakuName
from scoring.value import By, UnknownLimitError, Worth, limit_base

Refusals = Iterator[Refusal]


def value_refusals(win: Win, by: By, pointer: str, table: Table) -> Refusals:
    """A value is han and fu that a hand can have, a limit of the book, yakuman, or points."""
    if isinstance(win.value, Points):
        yield from _points(win.value, by, f"{pointer}/value", table, dealer=win.seat == table.state.dealer)
    else:
        yield from _worth(win.value, by, f"{pointer}/value", table)


def liability_refusals(win: Win, by: By, pointer: str, table: Table) -> Refusals:
    """Somebody else is liable, for what the book makes one liable for."""
    liability, pao = win.liability, table.play.pao
    if liability is None:
        return
    at = f"{pointer}/liability"
    if not 0 <= liability.seat < table.state.players:
        yield refusal("seat_unknown", at, seat=liability.seat, last=table.state.players - 1)
    if liability.seat == win.seat:
        yield refusal("liable_is_winner", at, seat=win.seat)
    open_kan = liability.kind is LiableFor.OPEN_KAN
    if pao is None or not (pao.open_kan if open_kan else pao.yaku):
        yield refusal("no_liability", at)
    if open_kan and by is By.RON:
        yield refusal("open_kan_by_tsumo", at)
    if not open_kan and isinstance(win.value, Worth) and not 0 < liability.yakuman <= win.value.yakuman:
        yield refusal("liable_without_yakuman", at, liable=liability.yakuman, yakuman=win.value.yakuman)


def prize_refusals(win: Win, pointer: str, table: Table) -> Refusals:
    """Prizes are those the book has."""
    prizes, chips, at = win.prizes, table.play.chips, f"{pointer}/prizes"
    if chips is None:
        if prizes.counts or prizes.each or prizes.fixed:
            yield refusal("no_prizes", at)
        return
    known = ", ".join((*chips.awards, *chips.fixed)) or "none"
    for event in prizes.counts:
        if event not in chips.awards:
            yield refusal("prize_unknown", f"{at}/counts", event=event.value, known=known)
    counts = (("counts", count, 0) for count in prizes.counts.values())
    for key, amount, least in (*counts, ("each", prizes.each, 0), ("times", prizes.times, 1)):
        if amount < least:
            yield refusal("prize_negative", f"{at}/{key}", amount=amount)
    if prizes.fixed is not None and prizes.fixed not in chips.fixed:
        yield refusal("prize_unknown", f"{at}/fixed", event=prizes.fixed.value, known=known)


def possible_fu(fu: Fu) -> range:
    """Rounded fu a counted hand can have: from the base to four concealed quads of terminals or honours."""
    most = fu.base + fu.closed_ron + 4 * fu.triplets.closed_other * fu.triplets.kan_times
    most += max(fu.pair_value, fu.pair_double_wind) + fu.wait + fu.tsumo
    return range(fu.base, most + fu.round_up_to, fu.round_up_to)


def _points(points: Points, by: By, pointer: str, table: Table, *, dealer: bool) -> Refusals:
    amounts = (
        {"ron": points.ron} if by is By.RON else {"from_dealer": points.from_dealer, "from_other": points.from_other}
    )
    unit = table.play.payments.round_up_to
    if sum(amounts.values()) <= 0:
        yield refusal("points_missing", pointer)
    for name, amount in amounts.items():
        if amount < 0 or amount % unit:
            yield refusal("points_not_multiple", f"{pointer}/{name}", points=amount, unit=unit)
    if dealer and amounts.get("from_dealer"):
        yield refusal("points_from_dealer", f"{pointer}/from_dealer", points=points.from_dealer)


def _worth(worth: Worth, by: By, pointer: str, table: Table) -> Refusals:
    if worth.yakuman < 0:
        yield refusal("yakuman_negative", f"{pointer}/yakuman", yakuman=worth.yakuman)
    if worth.yakuman:
        return
    if worth.limit is not None:
        try:
            limit_base(worth.limit, table.play.value)
        except UnknownLimitError:
            known = ", ".join((*(limit.name for limit in table.play.value.limits), "yakuman"))
            yield refusal("limit_unknown", f"{pointer}/limit", limit=worth.limit.value, known=known)
        return
    least = max(table.play.win.min_han, 0)
    if worth.han < least:
        yield refusal("han_missing", f"{pointer}/han", han=worth.han, least=least)
    yield from _fu(worth, by, f"{pointer}/fu", table)


def _fu(worth: Worth, by: By, pointer: str, table: Table) -> Refusals:
    """Fu are needed below the limits, and only some can be."""
    rules, limits = table.play.fu, table.play.value.limits
    if rules.fixed:
        if worth.fu not in (0, rules.fixed):
            yield refusal("fu_fixed", pointer, fixed=rules.fixed, fu=worth.fu)
    elif worth.fu == 0:
        if not limits or worth.han < limits[0].from_han:
            yield refusal("fu_missing", pointer, han=worth.han)
    elif worth.fu in possible_fu(rules):
        if by is By.RON and worth.fu < least_by_ron(rules):
            yield refusal("fu_not_by_ron", pointer, fu=worth.fu)
    else:
        yield from _seven_pairs(worth, pointer, table)


def least_by_ron(fu: Fu) -> int:
    """The fewest fu of a hand won on a discard: an opened one may be raised, a closed one has its own."""
    return max(fu.base, min(fu.open_least, fu.base + fu.closed_ron))


def _seven_pairs(worth: Worth, pointer: str, table: Table) -> Refusals:
    """Fu that no counted hand has belong to seven pairs, which bring their han."""
    pairs = table.play.yaku.get(YakuName.CHIITOITSU)
    if pairs is None or not pairs.played or worth.fu != table.play.fu.seven_pairs:
        yield refusal("fu_impossible", pointer, fu=worth.fu)
    elif worth.han < pairs.closed:
        yield refusal("fu_needs_han", pointer, fu=worth.fu, least=pairs.closed, han=worth.han)
