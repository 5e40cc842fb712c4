"""The components of a hand's value in the reader's language: fu, dora, payments, or the reason why it is no win."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from league.wording.live.tiles import tile_of
from league.wording.live.yaku import limit_name, yaku_name
from league.wording.messages import engine_sentence, wind_name
from scoring.hand import (
    Extra,
    Form,
    FuReason,
    HandProblem,
    HandValue,
    MeldKind,
    NotationError,
    Notice,
    NoWin,
    Payer,
    Payment,
    PaymentCause,
    RiichiKind,
    Robbed,
)
from scoring.hand.problems import SENTENCES as PROBLEMS
from scoring.hand.records import SENTENCES as REASONS
from scoring.hand.shapes import Wait
from scoring.hand.tiles import SENTENCES as UNREADABLE
from scoring.ruleset.end import RoundName
from scoring.ruleset.value import Dora
from scoring.ruleset.yaku import Counts, YakuName

Words = Mapping[str, str | Promise]

FU: Words = MappingProxyType(
    {
        FuReason.FIXED: pgettext_lazy("fu", "the same for every hand"),
        FuReason.BASE: pgettext_lazy("fu", "base"),
        FuReason.SEVEN_PAIRS: pgettext_lazy("fu", "seven pairs"),
        FuReason.CLOSED_RON: pgettext_lazy("fu", "ron with a closed hand"),
        FuReason.TSUMO: pgettext_lazy("fu", "self-draw"),
        FuReason.OPEN_TRIPLET: pgettext_lazy("fu", "open triplet"),
        FuReason.CLOSED_TRIPLET: pgettext_lazy("fu", "concealed triplet"),
        FuReason.OPEN_KAN: pgettext_lazy("fu", "open kan"),
        FuReason.CLOSED_KAN: pgettext_lazy("fu", "concealed kan"),
        FuReason.PAIR: pgettext_lazy("fu", "pair of value tiles"),
        FuReason.WAIT: pgettext_lazy("fu", "wait on one kind of tile"),
        FuReason.OPEN_LEAST: pgettext_lazy("fu", "least for an opened hand"),
        FuReason.ROUNDING: pgettext_lazy("fu", "rounded up"),
    }
)
DORA: Words = MappingProxyType(
    {
        Dora.INDICATOR: pgettext_lazy("dora", "Dora"),
        Dora.URA: pgettext_lazy("dora", "Ura dora"),
        Dora.KAN: pgettext_lazy("dora", "Kan dora"),
        Dora.KAN_URA: pgettext_lazy("dora", "Kan ura dora"),
        Dora.FIVE: pgettext_lazy("dora", "Fives"),
        Dora.RED: pgettext_lazy("dora", "Red fives"),
        Dora.GOLD: pgettext_lazy("dora", "Gold fives"),
        Dora.NORTH: pgettext_lazy("dora", "Norths"),
        Dora.NORTH_ASIDE: pgettext_lazy("dora", "Norths set aside"),
        Dora.FLOWER: pgettext_lazy("dora", "Flowers"),
        Dora.BINGO: pgettext_lazy("dora", "Bingo tiles"),
    }
)
CAUSES: Words = MappingProxyType(
    {
        PaymentCause.HAND: pgettext_lazy("payment", "hand"),
        PaymentCause.CLOSED: pgettext_lazy("payment", "closed hand"),
        PaymentCause.DORA: pgettext_lazy("payment", "dora"),
        PaymentCause.HONBA: pgettext_lazy("payment", "honba"),
        PaymentCause.DEPOSITS: pgettext_lazy("payment", "deposits"),
        PaymentCause.IPPATSU: pgettext_lazy("payment", "ippatsu"),
        PaymentCause.URA: pgettext_lazy("payment", "ura dora"),
        PaymentCause.RED: pgettext_lazy("payment", "red or marked fives"),
        PaymentCause.GOLD: pgettext_lazy("payment", "gold fives"),
        PaymentCause.YAKUMAN: pgettext_lazy("payment", "yakuman"),
        PaymentCause.KAZOE: pgettext_lazy("payment", "counted yakuman"),
        PaymentCause.FLUSH: pgettext_lazy("payment", "all flowers"),
        PaymentCause.FORCED: pgettext_lazy("payment", "forced deal-in"),
        PaymentCause.FIXED: pgettext_lazy("payment", "the yaku’s own prize"),
    }
)
PAYERS: Words = MappingProxyType(
    {
        Payer.DISCARDER: pgettext_lazy("payer", "the discarder"),
        Payer.DEALER: pgettext_lazy("payer", "the dealer"),
        Payer.OTHER: pgettext_lazy("payer", "another player"),
        Payer.LIABLE: pgettext_lazy("payer", "the liable player"),
        Payer.TABLE: pgettext_lazy("payer", "sticks on the table"),
    }
)
WAITS: Words = MappingProxyType(
    {
        Wait.TWO_SIDED: pgettext_lazy("wait", "two-sided wait"),
        Wait.CLOSED: pgettext_lazy("wait", "closed wait"),
        Wait.EDGE: pgettext_lazy("wait", "edge wait"),
        Wait.PAIR: pgettext_lazy("wait", "wait for the pair"),
        Wait.TRIPLET: pgettext_lazy("wait", "wait on two pairs"),
        Wait.OTHER: "",
    }
)
FORMS: Words = MappingProxyType(
    {
        Form.SETS: pgettext_lazy("form of a hand", "four sets and a pair"),
        Form.PAIRS: pgettext_lazy("form of a hand", "seven pairs"),
        Form.ORPHANS: pgettext_lazy("form of a hand", "thirteen orphans"),
        Form.ALL_SEVEN: pgettext_lazy("form of a hand", "sevens only"),
    }
)
CALLS: Words = MappingProxyType(
    {
        MeldKind.CHI: pgettext_lazy("meld", "chi"),
        MeldKind.PON: pgettext_lazy("meld", "pon"),
        MeldKind.MINKAN: pgettext_lazy("meld", "open kan"),
        MeldKind.KAKAN: pgettext_lazy("meld", "added kan"),
        MeldKind.ANKAN: pgettext_lazy("meld", "concealed kan"),
    }
)
RIICHI: Words = MappingProxyType(
    {
        RiichiKind.NONE: pgettext_lazy("riichi", "none"),
        RiichiKind.RIICHI: pgettext_lazy("riichi", "riichi"),
        RiichiKind.DOUBLE: pgettext_lazy("riichi", "double riichi"),
        RiichiKind.OPEN: pgettext_lazy("riichi", "open riichi"),
        RiichiKind.DOUBLE_OPEN: pgettext_lazy("riichi", "open double riichi"),
    }
)
ROBBED: Words = MappingProxyType(
    {
        Robbed.NOTHING: pgettext_lazy("robbed tile", "no"),
        Robbed.ADDED_KAN: pgettext_lazy("robbed tile", "of an added kan"),
        Robbed.CLOSED_KAN: pgettext_lazy("robbed tile", "of a concealed kan"),
        Robbed.NUKI: pgettext_lazy("robbed tile", "set aside"),
    }
)
NOTICES: Words = MappingProxyType(
    {
        Notice.KANSAKI_CONCEALED: pgettext_lazy(
            "notice",
            "The settled yaku lies concealed. Whether it did before the first call, tiles cannot prove: the table "
            "judges.",
        ),
        Notice.POCCHI_CHOICE: pgettext_lazy(
            "notice", "What the pocchi stands for is proposed, for the dearest hand; the winner may choose otherwise."
        ),
    }
)
_ROUNDS: Words = MappingProxyType(
    {
        RoundName.RETURN_EAST: pgettext_lazy("round", "East again"),
        RoundName.RETURN_SOUTH: pgettext_lazy("round", "South again"),
    }
)


def round_name(name: RoundName) -> str:
    """Return a round's name: its wind, or that the wind comes a second time."""
    return str(_ROUNDS[name]) if name in _ROUNDS else wind_name(name.value)


def line_name(name: YakuName | Extra) -> str:
    """Return the name of a yaku, or of an extra that is listed among the yaku."""
    return _("Bazoro") if name is Extra.BAZORO else yaku_name(YakuName(name))


def worth_text(worth: int, counts: Counts) -> str:
    """Return the worth of a yaku: 2 han, a yakuman, a mangan outright."""
    if counts is Counts.YAKUMAN:
        return _("yakuman") if worth == 1 else _("%(count)s yakuman") % {"count": worth}
    return _("mangan") if counts is Counts.MANGAN else han_text(worth)


def han_text(han: int) -> str:
    """Return a number of han as text."""
    return ngettext("%(count)s han", "%(count)s han", han) % {"count": han}


def head_text(value: HandValue) -> str:
    """Return the value of a hand in one line: "3 han 40 fu", "Mangan", "2 yakuman"."""
    if value.yakuman > 1:
        return _("%(count)s yakuman") % {"count": value.yakuman}
    parts = [_("%(han)s %(fu)s fu") % {"han": han_text(value.han), "fu": value.fu}] if value.fu else []
    if value.limit is not None:
        parts.append(limit_name(value.limit))
    return " · ".join(parts)


def payer_text(payment: Payment) -> str:
    """Name the payer: the seat's wind if it is known, with the role in which the seat pays."""
    role = str(PAYERS[payment.role])
    if payment.payer is None:
        return role
    return _("%(wind)s (%(role)s)") % {"wind": wind_name(payment.payer), "role": role}


def unreadable_text(error: NotationError) -> str:
    """Explain why a text cannot be read as a hand."""
    return engine_sentence(UNREADABLE[error.code], error.params)


def problem_text(problem: HandProblem) -> str:
    """Explain why the hand as entered is impossible."""
    return engine_sentence(PROBLEMS[problem.code], problem.params, _READERS)


def no_win_text(no_win: NoWin) -> str:
    """Explain why the hand may not be won."""
    return engine_sentence(REASONS[no_win.reason], no_win.params, _READERS)


def _tiles(names: str) -> str:
    return _(", ").join(map(tile_of, names.split()))


def _seats(names: str) -> str:
    """Return the names of winds or rounds given by their letters."""
    known = {each.value: round_name(each) for each in RoundName} | {"N": wind_name("N")}
    return _(", ").join(known.get(name, name) for name in names.split(", "))


def _yaku(names: str) -> str:
    known = set(YakuName)
    if names == "an open kan":
        return _("an open kan")
    return _(", ").join(yaku_name(YakuName(each)) if each in known else each for each in names.split(", "))


def _needs(text: str) -> str:
    return {
        "three consecutive numbers of one suit": _("three consecutive numbers of one suit"),
        "three equal tiles": _("three equal tiles"),
        "four equal tiles": _("four equal tiles"),
    }.get(text, text)


_READERS: Mapping[str, Callable[[str], str]] = {
    "tile": tile_of,
    "waits": _tiles,
    "call": tile_of,
    "kind": lambda kind: str(CALLS[MeldKind(kind)]),
    "needs": _needs,
    "wind": _seats,
    "round": _seats,
    "known": _seats,
    "yaku": _yaku,
}
"""Translators of parameters: tiles, calls, winds and yaku become their names."""
