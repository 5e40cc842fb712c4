"""Text of a file whose encoding nobody says: UTF-8 and UTF-16 with and without a mark, else the Shift_JIS of Excel."""

from __future__ import annotations

import codecs

from django.utils.translation import gettext as _

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class UnreadableTextError(ValueError):
    """Bytes that are no text; the message says what to do."""


def text_of(data: bytes) -> str:
    """The text of a file; raise UnreadableTextError if it is none in any of the encodings known here."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    for name in (marked,) if marked else (*_unmarked(data), "utf-8", "cp932"):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise UnreadableTextError(
        _(
            "This is no text in UTF-8, UTF-16 or Shift_JIS. Save the table as CSV (UTF-8) or as XLSX and choose that "
            "file."
        )
    )


def _unmarked(data: bytes) -> tuple[str, ...]:
    """UTF-16 without a mark: ASCII signs such as commas and line ends have a zero byte on the same side."""
    sample = data[:4096]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(data) % 2 or not (even or odd):
        return ()
    return ("utf-16-be",) if even > odd else ("utf-16-le",)
