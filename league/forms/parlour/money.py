"""Field for money in a parlour's currency."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.forms.fields import plain
from league.wording.formatting import decimals_of_money

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_MONEY = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d{1,8})(?:\.(?P<rest>\d+))?")


class MoneyField(forms.CharField):
    """An amount typed in a currency and returned in its smallest unit; None if empty.

    Negative amounts are refused unless the field is `signed`.
    """

    def __init__(
        self,
        *,
        currency: str,
        label: StrOrPromise,
        help_text: StrOrPromise = "",
        required: bool = False,
        signed: bool = False,
    ) -> None:
        self.currency, self.signed = currency, signed
        # The numeric keyboard of some phones has no minus sign.
        keys = "text" if signed else "decimal" if decimals_of_money(currency) else "numeric"
        widget = forms.TextInput(attrs={"inputmode": keys, "autocomplete": "off", "size": "7"})
        super().__init__(max_length=16, label=label, help_text=help_text, required=required, widget=widget)

    def prepare_value(self, value: object) -> object:
        """Return an amount as the field shows it; typed text stays as it is."""
        if not isinstance(value, int):
            return value
        digits = decimals_of_money(self.currency)
        whole, part = divmod(abs(value), 10**digits)
        return ("-" if value < 0 else "") + (f"{whole}.{part:0{digits}}" if digits else str(whole))

    def clean(self, value: object) -> object:
        """Return the amount in the smallest unit, or None for an empty field."""
        text = plain(super().clean(value)).replace(",", "").removesuffix("円").replace("¥", "")
        if not text:
            return None
        typed = _MONEY.fullmatch(text)
        if typed is None or (typed["sign"] == "-" and not self.signed):
            message = _("“%(text)s” is no amount of money. Write it like %(example)s.")
            example = "300, -200" if self.signed else "400"
            raise ValidationError(message % {"text": value, "example": example}, code="money")
        digits, rest = decimals_of_money(self.currency), typed["rest"] or ""
        if len(rest) > digits:
            raise ValidationError(_("%(currency)s has no smaller unit.") % {"currency": self.currency}, code="money")
        return int(typed["sign"] + typed["whole"] + rest.ljust(digits, "0"))
