"""Fields of a parlour's fees: amounts in its currency, student rate, stamps, hours."""

from __future__ import annotations

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.forms.fields import plain
from league.forms.service import ServiceForm
from league.services.parlour.tariffs import LONGEST_UNIT
from league.wording.formatting import decimals_of_money
from scoring.charges import Tariff

_MONEY = re.compile(r"\d{1,7}(\.\d+)?")
MOST_STAMPS = 1_000
MORE = ("student_per_game", "stamps_for_a_free_game", "hour_unit_minutes", "hour_unit", "set_hour")
"""The fields that most houses leave empty."""
MONEY = ("per_game", "student_per_game", "top", "hour_unit", "set_hour")
"""The fields of a tariff that are amounts of money."""


class MoneyField(forms.CharField):
    """An amount that is not negative, typed in the currency and returned in its smallest unit; None if empty."""

    def __init__(self, *, currency: str, label: str, help_text: str) -> None:
        self.currency = currency
        keys = "decimal" if decimals_of_money(currency) else "numeric"
        widget = forms.TextInput(attrs={"inputmode": keys, "autocomplete": "off", "size": "7"})
        super().__init__(max_length=16, label=label, help_text=help_text, required=False, widget=widget)

    def prepare_value(self, value: object) -> object:
        """Return an amount as the field shows it; typed text stays as it is."""
        if not isinstance(value, int):
            return value
        digits = decimals_of_money(self.currency)
        whole, part = divmod(value, 10**digits)
        return f"{whole}.{part:0{digits}}" if digits else str(whole)

    def clean(self, value: object) -> object:
        """Return the amount in the smallest unit, or None for an empty field."""
        text = plain(super().clean(value)).replace(",", "").removesuffix("円").removeprefix("¥")
        if not text:
            return None
        if not _MONEY.fullmatch(text):
            raise ValidationError(_("“%(text)s” is no amount of money. Write it like 400.") % {"text": value})
        whole, _point, rest = text.partition(".")
        digits = decimals_of_money(self.currency)
        if len(rest) > digits:
            raise ValidationError(_("%(currency)s has no smaller unit.") % {"currency": self.currency})
        return int(whole + rest.ljust(digits, "0"))


class TariffForm(ServiceForm):
    """The fees of a parlour, in its currency; empty amounts are 0, an empty student fee is the ordinary one."""

    def __init__(self, data: object = None, *, currency: str, tariff: Tariff, prefix: str | None = None) -> None:
        initial = {
            "per_game": tariff.per_game,
            "student_per_game": tariff.student_per_game,
            "top": tariff.top,
            "stamps_for_a_free_game": tariff.stamps_for_a_free_game or None,
            "hour_unit_minutes": tariff.hour_unit_minutes or None,
            "hour_unit": tariff.hour_unit or None,
            "set_hour": tariff.set_hour or None,
        }
        super().__init__(data, prefix=prefix, initial=initial)
        labels = {
            "per_game": (_("Fee for a game"), _("From each guest. 0 or empty: none.")),
            "student_per_game": (_("Students"), _("Instead of the fee for a game. Empty: as all others.")),
            "top": (_("Besides, from the top"), _("What the first place pays in addition.")),
            "stamps_for_a_free_game": (
                _("Stamp card: games paid for a free one"),
                _("With 10, the game after ten paid ones is free. Empty: no cards."),
            ),
            "hour_unit_minutes": (
                _("Guests by the hour: minutes of a unit"),
                _("Such as 30; started units count. Empty: no guest pays by the hour."),
            ),
            "hour_unit": (_("Guests by the hour: fee for a unit"), _("Instead of the fee for each game.")),
            "set_hour": (_("Set table: fee for an hour"), _("For the whole table, instead of the fees of its games.")),
        }
        for name, (label, help_text) in labels.items():
            if name in MONEY:
                self.fields[name] = MoneyField(currency=currency, label=label, help_text=help_text)
            else:
                self.fields[name] = forms.IntegerField(
                    label=label,
                    help_text=help_text,
                    required=False,
                    min_value=0,
                    max_value=LONGEST_UNIT if name == "hour_unit_minutes" else MOST_STAMPS,
                    widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": "4"}),
                )

    def clean(self) -> dict[str, object]:
        """Require minutes and fee of guests by the hour together."""
        typed = super().clean() or {}
        if typed.get("hour_unit") and not typed.get("hour_unit_minutes"):
            self.add_error("hour_unit_minutes", _("Say how many minutes this fee is for."))
        return typed

    @property
    def has_more(self) -> bool:
        """Return True if a fee beyond the usual two is given, or has an error."""
        return any(self[name].value() or self[name].errors for name in MORE)

    def tariff(self) -> Tariff:
        """Return the fees of a valid form."""
        typed = self.cleaned_data
        names = ("per_game", "top", "stamps_for_a_free_game", "hour_unit_minutes", "hour_unit", "set_hour")
        return Tariff(**{name: typed[name] or 0 for name in names}, student_per_game=typed["student_per_game"])
