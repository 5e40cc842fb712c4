"""Detection of text encodings: UTF-8 and UTF-16 with or without a byte order mark, else Excel's Shift_JIS."""

from __future__ import annotations

import codecs

from django.utils.translation import gettext as _

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class UnreadableTextError(ValueError):
    """Bytes that are not text in a known encoding; the message tells the user how to save the file."""


def text_of(data: bytes) -> str:
    """Decode the text of a file. Raise UnreadableTextError if it is text in none of the known encodings."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    # cp932 comes last: it also decodes many texts that are valid UTF-8, into garbage.
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
    """Guess UTF-16 without a byte order mark, and its byte order.

    ASCII characters such as commas and line ends have their zero byte always on the same side.
    """
    sample = data[:4096]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(data) % 2 or not (even or odd):
        return ()
    return ("utf-16-be",) if even > odd else ("utf-16-le",)
