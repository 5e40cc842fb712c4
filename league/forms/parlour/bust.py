"""A bust over several payments at the counter: the rule book derives the receiver of the prize from their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.fields import ScoreField
from scoring.hanchan_result import BustPayment
from scoring.ruleset import Ruleset
from scoring.ruleset.settling import PrizeReceiver, PrizeTime
from scoring.tobi import receivers


def bust_fields(rules: Ruleset, names: Sequence[str], attrs: Mapping[str, str]) -> dict[str, forms.Field]:
    """Return the fields of the payments by name; none if every player who was paid receives a prize, or none does."""
    prize = rules.settlement.tobi
    if prize is None or prize.paid is not PrizeTime.AT_SETTLEMENT or prize.receiver is PrizeReceiver.EACH_PAID:
        return {}
    amounts = {"bust_had": _("Points before paying")}
    amounts |= {f"due_{chair}": _("Paid to %(name)s") % {"name": name} for chair, name in enumerate(names)}
    return {
        "bust_payer": forms.TypedChoiceField(
            label=gettext_lazy("Bust over several payments"),
            required=False,
            coerce=int,
            empty_value=None,
            choices=[("", "–"), *enumerate(names)],
        ),
        **{
            name: ScoreField(rules=rules, required=False, label=label, widget=forms.TextInput(attrs=dict(attrs)))
            for name, label in amounts.items()
        },
    }


def read_bust(typed: Mapping[str, object], rules: Ruleset, seat_of: Mapping[int, int]) -> tuple[int, int] | None:
    """Return the chairs of the busted player and of the receiver of the prize; None if no payments are typed.

    Raise ValidationError for its field if the payments are incomplete or leave the player in the game.
    """
    payer, had, prize = typed.get("bust_payer"), typed.get("bust_had"), rules.settlement.tobi
    due = {chair: typed.get(f"due_{chair}") for chair in range(rules.players)}
    paid = {chair: amount for chair, amount in due.items() if isinstance(amount, int)}
    if payer is None and had is None and not paid:
        return None
    if not isinstance(payer, int):
        raise ValidationError({"bust_payer": _("Choose the player who went bust.")}, code="bust_payer_missing")
    if not isinstance(had, int):
        raise ValidationError({"bust_had": _("Type the points before the first payment.")}, code="bust_had_missing")
    if payer in paid or not paid:
        name = f"due_{payer}" if payer in paid else next(f"due_{chair}" for chair in due if chair != payer)
        raise ValidationError({name: _("Type the payments to the other players.")}, code="bust_due_missing")
    payment = BustPayment(seat_of[payer], had, tuple((seat_of[chair], amount) for chair, amount in paid.items()))
    chair_at = {seat: chair for chair, seat in seat_of.items()}
    found = [] if prize is None else list(receivers(payment, prize.receiver, rules.end.bust, rules.players))
    if not found:
        message = _("After these payments the player is not bust. Check the amounts.")
        raise ValidationError({"bust_had": message}, code="not_bust")
    return payer, chair_at[found[0]]
