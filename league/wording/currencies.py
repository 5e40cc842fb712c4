"""Currencies in which a parlour may count its money, with the decimals of their smallest units (ISO 4217)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

DECIMALS: Mapping[str, int] = MappingProxyType({"JPY": 0, "KRW": 0})
"""Decimals of the currencies that have none; all others have two."""
NAMES: Mapping[str, str | Promise] = MappingProxyType(
    {
        "JPY": gettext_lazy("Japanese yen"),
        "EUR": gettext_lazy("euro"),
        "USD": gettext_lazy("US dollar"),
        "GBP": gettext_lazy("pound sterling"),
        "CHF": gettext_lazy("Swiss franc"),
        "CAD": gettext_lazy("Canadian dollar"),
        "AUD": gettext_lazy("Australian dollar"),
        "SGD": gettext_lazy("Singapore dollar"),
        "HKD": gettext_lazy("Hong Kong dollar"),
        "TWD": gettext_lazy("Taiwan dollar"),
        "CNY": gettext_lazy("renminbi"),
        "KRW": gettext_lazy("South Korean won"),
    }
)
"""Names of the currencies offered, by code."""


def decimals_of(currency: str) -> int:
    """Return the number of decimals with which amounts of a currency are written."""
    return DECIMALS.get(currency, 2)


def typed_money(amount: int | None, currency: str) -> str:
    """Return an amount of the smallest unit as a field shows it: 400, or 2.50; empty for None."""
    if amount is None:
        return ""
    digits = decimals_of(currency)
    if not digits:
        return str(amount)
    whole, rest = divmod(abs(amount), 10**digits)
    return f"{'-' if amount < 0 else ''}{whole}.{rest:0{digits}}"
