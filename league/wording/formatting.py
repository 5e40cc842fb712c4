"""Format numbers, dates and times for people, and parse scores that people type.

Amounts are integers in units of their ledger's scale and become text by integer arithmetic alone. Japanese pages write
a negative amount with a leading ▲, English pages and everything meant for machines with a hyphen.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from rulesets.normalization import normalize
from scoring.lines import ordinal

JAPANESE_MINUS = "▲"
MINUS = "-"
_MINUS_SIGNS = str.maketrans(dict.fromkeys("▲△▼−–—―ー‐‑", MINUS))
_IGNORED = re.compile(r"[\s点]")
_SCORE = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d+|\d{1,3}(?:,\d{3})+)")
_FEWEST_DIGITS_OF_POINTS = 5
_LONGEST_SCORE = 16
_WIDE = ("W", "F", "A")


class ScoreTextError(ValueError):
    """Raised for a text that is not a score; the message says how to write one."""


def language_of(language: str | None = None) -> str:
    """Return the primary tag of a language ("ja", "en"), by default that of the active language."""
    return (language or get_language() or "en").split("-")[0]


def minus(language: str | None = None) -> str:
    """Return the sign of negative amounts in a language."""
    return JAPANESE_MINUS if language_of(language) == "ja" else MINUS


def decimals(scale: int) -> int:
    """Return the number of decimals that distinguishes all amounts of a scale: one for tenths, two for thirtieths."""
    exact = len(str(scale)) - 1
    return exact if scale == 10**exact else exact + 1


def points_text(value: int, scale: int, language: str | None = None, *, plus: bool = False) -> str:
    """Format an amount of a ledger: ▲30.0 in Japanese, -30.0 in English; with `plus` gains carry a sign too."""
    # Only negative amounts depend on the language: to ask for the active one takes longer than the rest.
    return points_in(language or (language_of() if value < 0 else ""), value, scale, plus=plus)


@lru_cache(maxsize=1 << 15)
def points_in(language: str, value: int, scale: int, *, plus: bool = False) -> str:
    """Return what `points_text` does, for a page with a thousand amounts: cached, since the language is given."""
    sign, size = _sign(value, language, plus=plus), abs(value)
    digits = decimals(scale)
    unit = 10**digits
    whole, rest = divmod((2 * size * unit + scale) // (2 * scale), unit)
    return sign + (f"{whole:,}.{rest:0{digits}d}" if digits else f"{whole:,}")


def outside_text(adjustment: int, credited: int, scale: int) -> str:
    """Return the parts of a total that come from adjustments and from rounds not played; empty without any."""
    if not adjustment and not credited:
        return ""
    parts = ((_("adjusted"), adjustment), (pgettext("part of a total", "not played"), credited))
    return pgettext("between amounts", ", ").join(
        f"{word} {points_text(amount, scale, plus=True)}" for word, amount in parts if amount
    )


def amount_text(amount: Fraction, scale: int, language: str | None = None, *, plus: bool = False) -> str:
    """Format an exact amount of a settlement line, as a mixed fraction if the ledger's decimals cannot show it."""
    scaled = abs(amount) * 10 ** decimals(scale)
    if scaled.denominator == 1:
        return points_text(_with_sign(scaled.numerator, amount), 10 ** decimals(scale), language, plus=plus)
    whole, rest = divmod(abs(amount), 1)
    return _sign(amount, language, plus=plus) + (f"{whole} {rest}" if whole else str(rest))


def score_text(value: int, language: str | None = None) -> str:
    """Format table points with a thousands separator: 41,200 or ▲3,500."""
    return _sign(value, language, plus=False) + f"{abs(value):,}"


def whole_number(params: Mapping[str, object], name: str) -> int:
    """Return a whole number among the parameters of a sentence. Raise TypeError if it is none."""
    value = params[name]
    if not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    return value


def decimal_text(value: Fraction, digits: int, language: str | None = None) -> str:
    """Format a statistic, such as an average place, to `digits` decimals."""
    return points_text(_with_sign(_rounded(abs(value) * 10**digits), value), 10**digits, language)


def parse_score(text: str, *, unit: int = 100) -> int:
    """Parse table points from text typed in the unit of the rules: with a unit of 100, "412" is 41,200.

    ▲ △ − - mark a negative score; digits may be full-width. A number with a comma in it, or of five digits and more,
    is taken as table points already. Raise `ScoreTextError` for anything else.
    """
    # Before NFKC: normalizing a text may take time quadratic in its length.
    if len(text) > _LONGEST_SCORE:
        raise ScoreTextError(_("“%(text)s…” is too long for a score.") % {"text": text[:_LONGEST_SCORE]})
    plain = _IGNORED.sub("", normalize("NFKC", text).translate(_MINUS_SIGNS))
    found = _SCORE.fullmatch(plain)
    if found is None:
        raise ScoreTextError(_("“%(text)s” is not a score. Type it like 412 or ▲35.") % {"text": text.strip()})
    digits = found["digits"]
    is_points = "," in digits or len(digits) >= _FEWEST_DIGITS_OF_POINTS
    value = int(digits.replace(",", "")) * (1 if is_points else unit)
    return -value if found["sign"] == MINUS else value


def date_text(moment: dt.datetime, language: str | None = None) -> str:
    """Format the day of a moment with its weekday, in the current time zone."""
    return day_text(timezone.localtime(moment).date(), language)


def day_text(day: dt.date, language: str | None = None) -> str:
    """Format a business day with its weekday."""
    return date_format(day, "Y年n月j日(D)" if language_of(language) == "ja" else "D j M Y")


def days_text(first: dt.date, last: dt.date) -> str:
    """Format a day, or a span of days by its first and its last one."""
    return " – ".join(map(day_text, dict.fromkeys((first, last))))


def time_text(moment: dt.datetime) -> str:
    """Format a time of day in the current time zone."""
    return date_format(timezone.localtime(moment), "H:i")


def moment_text(moment: dt.datetime) -> str:
    """Format day and time of a moment."""
    return f"{date_text(moment)} {time_text(moment)}"


def rank_text(number: int, language: str | None = None) -> str:
    """Format a rank in a table: 2位 or 2nd."""
    return f"{number}位" if language_of(language) == "ja" else ordinal(number)


def place_text(number: int, language: str | None = None) -> str:
    """Format a place in one hanchan: 2着 or 2nd."""
    return f"{number}着" if language_of(language) == "ja" else ordinal(number)


def _sign(value: int | Fraction, language: str | None, *, plus: bool) -> str:
    if value < 0:
        return minus(language)
    return "+" if plus and value > 0 else ""


def _rounded(value: Fraction) -> int:
    """Return the nearest integer, halves rounded up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _with_sign(size: int, like: int | Fraction) -> int:
    return -size if like < 0 else size


_UNITS_OF_MONEY = {"CNY": 2, "EUR": 2, "GBP": 2, "JPY": 0, "KRW": 0, "TWD": 2, "USD": 2}
"""The decimals of each currency a parlour may count in, by its ISO 4217 code."""


def currencies() -> tuple[str, ...]:
    """Return the currencies a parlour may count in."""
    return tuple(_UNITS_OF_MONEY)


def decimals_of_money(currency: str) -> int:
    """Return the number of decimals with which money of a currency is written."""
    return _UNITS_OF_MONEY[currency]


def money_decimal(money: int, currency: str) -> int | Decimal:
    """Return money as an exact number of the currency's main unit, for files: 1700 yen, 17.00 euros."""
    digits = _UNITS_OF_MONEY[currency]
    return Decimal(money).scaleb(-digits) if digits else money


def text_width(text: str) -> int:
    """Return the width of a text in narrow letters; Japanese ones are two wide.

    Ambiguous letters, such as Greek ones and "…", count as wide: Japanese fonts and social media take them so.
    """
    return sum(2 if unicodedata.east_asian_width(letter) in _WIDE else 1 for letter in text)


def money_text(money: int, currency: str) -> str:
    """Format money in the smallest unit of a currency: 1,700円 in Japanese, ¥1,700 in English, else 17.00 EUR."""
    digits = _UNITS_OF_MONEY[currency]
    whole, part = divmod(abs(money), 10**digits)
    size = f"{whole:,}" + (f".{part:0{digits}}" if digits else "")
    sign = minus() if money < 0 else ""
    if currency == "JPY":
        return f"{sign}{size}円" if language_of() == "ja" else f"{sign}¥{size}"
    return f"{sign}{size} {currency}"
