"""How numbers and moments are written for people, and how people's numbers are read.

Amounts are integers at a ledger's scale and become text by integer arithmetic alone. Japanese pages write a negative
amount with ▲ in front, English ones and everything made for machines with a hyphen.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.lines import ordinal

JAPANESE_MINUS = "▲"
MINUS = "-"
_MINUS_SIGNS = str.maketrans(dict.fromkeys("▲△▼−–—―ー‐‑", MINUS))
_IGNORED = re.compile(r"[\s点]")
_SCORE = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d+|\d{1,3}(?:,\d{3})+)")
_FEWEST_DIGITS_OF_POINTS = 5
_LONGEST_SCORE = 16


class ScoreTextError(ValueError):
    """A text that is no score; the message says how to write one."""


def language_of(language: str | None = None) -> str:
    """The language asked for, or the reader's."""
    return (language or get_language() or "en").split("-")[0]


def minus(language: str | None = None) -> str:
    """What stands before a negative amount."""
    return JAPANESE_MINUS if language_of(language) == "ja" else MINUS


def decimals(scale: int) -> int:
    """How many decimals show every amount of this scale apart: one for tenths, two for thirtieths."""
    exact = len(str(scale)) - 1
    return exact if scale == 10**exact else exact + 1


def points_text(value: int, scale: int, language: str | None = None, *, plus: bool = False) -> str:
    """An amount of a ledger: ▲30.0 in Japanese, -30.0 in English; `plus` marks gains with their sign too."""
    return _sign(value, language, plus=plus) + _size_text(abs(value), scale)


@lru_cache(maxsize=1 << 14)
def _size_text(size: int, scale: int) -> str:
    """An amount of a ledger without its sign, halves up where no decimal shows it."""
    digits = decimals(scale)
    unit = 10**digits
    whole, rest = divmod((2 * size * unit + scale) // (2 * scale), unit)
    return f"{whole:,}.{rest:0{digits}d}" if digits else f"{whole:,}"


def amount_text(amount: Fraction, scale: int, language: str | None = None, *, plus: bool = False) -> str:
    """An exact amount of a settlement's line; what no decimal of the ledger shows stands as a fraction beside it."""
    scaled = abs(amount) * 10 ** decimals(scale)
    if scaled.denominator == 1:
        return points_text(_with_sign(scaled.numerator, amount), 10 ** decimals(scale), language, plus=plus)
    whole, rest = divmod(abs(amount), 1)
    return _sign(amount, language, plus=plus) + (f"{whole} {rest}" if whole else str(rest))


def score_text(value: int, language: str | None = None) -> str:
    """Table points with thousands separated: 41,200 or ▲3,500."""
    return _sign(value, language, plus=False) + f"{abs(value):,}"


def decimal_text(value: Fraction, digits: int, language: str | None = None) -> str:
    """A figure of statistics, such as an average place, to so many decimals."""
    return points_text(_with_sign(_rounded(abs(value) * 10**digits), value), 10**digits, language)


def parse_score(text: str, *, unit: int = 100) -> int:
    """Table points from what a person typed in the unit of the rules: with 100, "412" is 41,200.

    ▲ △ − - mark a negative score, digits may be full-width. A number with a comma in it or of five digits and more
    is taken as table points already. Raise `ScoreTextError` for anything else.
    """
    if len(text) > _LONGEST_SCORE:
        raise ScoreTextError(_("“%(text)s…” is too long for a score.") % {"text": text[:_LONGEST_SCORE]})
    plain = _IGNORED.sub("", unicodedata.normalize("NFKC", text).translate(_MINUS_SIGNS))
    found = _SCORE.fullmatch(plain)
    if found is None:
        raise ScoreTextError(_("“%(text)s” is not a score. Type it like 412 or ▲35.") % {"text": text.strip()})
    digits = found["digits"]
    is_points = "," in digits or len(digits) >= _FEWEST_DIGITS_OF_POINTS
    value = int(digits.replace(",", "")) * (1 if is_points else unit)
    return -value if found["sign"] == MINUS else value


def date_text(moment: dt.datetime, language: str | None = None) -> str:
    """A day with its weekday, in the time zone of the page."""
    return day_text(timezone.localtime(moment).date(), language)


def day_text(day: dt.date, language: str | None = None) -> str:
    """A business day with its weekday."""
    return date_format(day, "Y年n月j日(D)" if language_of(language) == "ja" else "D j M Y")


def time_text(moment: dt.datetime) -> str:
    """A time of day, in the time zone of the page."""
    return date_format(timezone.localtime(moment), "H:i")


def moment_text(moment: dt.datetime, language: str | None = None) -> str:
    """A day and a time."""
    return f"{date_text(moment, language)} {time_text(moment)}"


def rank_text(number: int, language: str | None = None) -> str:
    """A rank in a table: 2位 or 2nd."""
    return f"{number}位" if language_of(language) == "ja" else ordinal(number)


def place_text(number: int, language: str | None = None) -> str:
    """A place in one hanchan: 2着 or 2nd."""
    return f"{number}着" if language_of(language) == "ja" else ordinal(number)


def _sign(value: int | Fraction, language: str | None, *, plus: bool) -> str:
    if value < 0:
        return minus(language)
    return "+" if plus and value > 0 else ""


def _rounded(value: Fraction) -> int:
    """The nearest integer, halves up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _with_sign(size: int, like: int | Fraction) -> int:
    return -size if like < 0 else size
