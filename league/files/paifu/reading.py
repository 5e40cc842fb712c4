"""From bytes to text to the reader of the format, with bounds on size and depth before anything is parsed."""

from __future__ import annotations

import json
import re
import zlib
from urllib.parse import unquote

from league.files.encodings import UnreadableTextError, text_of
from league.files.paifu.mahjongsoul import is_mahjongsoul, read_mahjongsoul
from league.files.paifu.mjlog import read_mjlog
from league.files.paifu.tenhou_json import read_tenhou_json
from scoring.paifu.checks import check_paifu
from scoring.paifu.problems import PaifuError
from scoring.paifu.records import Paifu

MOST_BYTES = 6 * 1024 * 1024
"""Unpacked. A record of Mahjong Soul with everything that players could have done has about 2 MB, an mjlog 60 KB."""
MOST_VALUES = 600_000
"""Lists, objects and commas in JSON."""
GZIP = b"\x1f\x8b"
GZIP_WINDOW = 31
SHOWN = 20
IN_URL = re.compile(r"https?://[^\s#]{1,200}#json=", re.ASCII)


def read_paifu(content: bytes | str, name: str = "") -> Paifu:
    """Return the game of a log file, or of pasted text; `name` is the file's name, which may hold the game's id.

    Raise PaifuError for content in no known format, beyond the bounds, or of a game that cannot have been played.
    """
    text = content if isinstance(content, str) else _text(content)
    if len(text) > MOST_BYTES:
        raise PaifuError("too_large", most=MOST_BYTES)
    paifu = _read(text.strip().lstrip("\ufeff"), name)
    check_paifu(paifu)
    return paifu


def _read(text: str, name: str) -> Paifu:
    if not text:
        raise PaifuError("empty")
    if text[0] == "<":
        return read_mjlog(text, name)
    found = IN_URL.match(text)
    if found is not None:
        text = unquote(text[found.end() :]).partition("&ts=")[0]
    if text[:1] not in ("{", "["):
        raise PaifuError("unknown_format", found=text[:SHOWN])
    data = _json(text)
    if is_mahjongsoul(data):
        return read_mahjongsoul(data, name)
    if isinstance(data, dict) and "log" in data:
        return read_tenhou_json(data, name)
    raise PaifuError("unknown_format", found=text[:SHOWN])


def _text(content: bytes) -> str:
    if not content:
        raise PaifuError("empty")
    if len(content) > MOST_BYTES:
        raise PaifuError("too_large", most=MOST_BYTES)
    if content.startswith(GZIP):
        content = _unpacked(content)
    try:
        return text_of(content)
    except UnreadableTextError:
        raise PaifuError("broken_text") from None


def _unpacked(content: bytes) -> bytes:
    """Unpack gzip up to the bound, so that a small file cannot fill the memory."""
    packed = zlib.decompressobj(GZIP_WINDOW)
    try:
        unpacked = packed.decompress(content, MOST_BYTES + 1)
    except zlib.error:
        raise PaifuError("broken_gzip") from None
    if len(unpacked) > MOST_BYTES:
        raise PaifuError("too_large", most=MOST_BYTES)
    if not packed.eof or packed.unused_data:
        raise PaifuError("broken_gzip")
    return unpacked


def _json(text: str) -> object:
    """Parse JSON; decimals stay text, so that nothing is a float."""
    if sum(map(text.count, "[{,")) > MOST_VALUES:
        raise PaifuError("too_many", most=MOST_VALUES)
    try:
        return json.loads(text, parse_float=str, parse_constant=str)
    except RecursionError:
        raise PaifuError("too_deep") from None
    except ValueError as error:
        raise PaifuError("broken_json", why=error) from None
