"""Unicode normalization in linear time, for texts that anyone may send.

`unicodedata.normalize` sorts the marks that combine with one letter in time that is quadratic in their number: 60,000
took 2.8 s. So a run of more than 30 is separated first, as the Stream-Safe Text Format does (UAX #15, section 13).
"""

from __future__ import annotations

import unicodedata
from typing import Literal

MOST_MARKS = 30
"""Marks in a run; no letter of any language has that many."""
SEPARATOR = "\u034f"
"""COMBINING GRAPHEME JOINER, which shows nothing and combines with nothing."""
SHORT = 256
"""Signs up to which a run of marks costs nothing."""


def normalize(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return the text in a normal form."""
    return unicodedata.normalize(form, text if len(text) <= SHORT or text.isascii() else _stream_safe(text))


def _stream_safe(text: str) -> str:
    """Return the text with a separator after every 30 marks in a row."""
    run, signs = 0, []
    for sign in text:
        run = run + 1 if unicodedata.combining(sign) else 0
        if run > MOST_MARKS:
            signs.append(SEPARATOR)
            run = 1
        signs.append(sign)
    return "".join(signs)
