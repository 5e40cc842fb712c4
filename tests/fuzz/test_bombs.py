"""Decompression and parser bombs: each is refused within a second of CPU time and 128 MB more than an idle process has.

Without its limit each of them takes many times as much, so a slow machine makes no difference.
"""

from __future__ import annotations

import io
import json
import os
import resource
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha256

import pytest

SECONDS, MEMORY = 1.0, 128 * 1024 * 1024
FEW, MANY = 20_000, 20_000_000


def sealed(*parts: tuple[str, bytes], level: int = 9) -> bytes:
    """Return an archive with these parts and a correct digest."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as file:
        for name, content in parts:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, content)
        file.comment = b"sha256:" + b"0" * 64
    unsealed = written.getvalue()[: -len(file.comment)]
    return unsealed + b"sha256:" + sha256(unsealed).hexdigest().encode()


def said_again(archive: bytes, times: int) -> bytes:
    """Return the archive with the directory entry of its first part repeated."""
    at = archive.index(b"PK\x01\x02")
    lengths = struct.unpack("<HHH", archive[at + 28 : at + 34])
    entry, end = archive[at : at + 46 + sum(lengths)], archive.index(b"PK\x05\x06")
    directory = entry * times
    body = archive[:at] + directory + b"PK\x05\x06" + struct.pack(
        "<HHHHIIH", 0, 0, times, times, len(directory), at, 71
    )  # fmt: skip
    assert end > at
    return body + b"sha256:" + sha256(body).hexdigest().encode()


def picture(width: int, height: int) -> bytes:
    """Return a small PNG file that claims this size and is black."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(min(MANY, height * (1 + 3 * width))), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def sheet(**parts: bytes) -> bytes:
    """Return an XLSX file in which these parts replace its own; `sheets` is the number of sheets."""
    from tests.league.exchange.test_readers_fuzzed import with_sheet

    named = {name.replace("__", "/").replace("_xml", ".xml"): content for name, content in parts.items()}
    return with_sheet(b"<worksheet><dimension ref='A1:XFD1048576'/><sheetData/></worksheet>", **named)


def many_sheets() -> bytes:
    """Return a workbook that names twenty thousand sheets, all of them in the file."""
    book = b"<workbook>" + b'<sheet name="x" sheetId="1" id="r1"/>' * FEW + b"</workbook>"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", book)
        for number in range(FEW):
            file.writestr(f"xl/worksheets/sheet{number}.xml", b"<worksheet/>")
    return written.getvalue()


TEXTS: dict[str, Callable[[], str]] = {
    "lists in lists": lambda: '{"a": ' + "[" * MANY,
    "empty lists": lambda: '{"a": [' + "[]," * MANY + "[]]}",
    "empty tables": lambda: '{"a": [' + "{}," * MANY + "{}]}",
    "the same key": lambda: "{" + '"a": 1,' * (MANY // 4) + '"a": 1}',
    "a number without an end": lambda: '{"a": ' + "9" * MANY + "}",
    "an exponent": lambda: '{"entries": [1e999999999, -1e999999999, NaN, Infinity]}',
    "a text without an end": lambda: '{"a": "' + "x" * (2 * MANY),
    "escapes": lambda: '{"a": "' + "\\u0000" * (MANY // 4) + '"}',
    "keys of TOML": lambda: "".join(f"k{number}=1\n" for number in range(MANY // 20)),
    "tables of TOML": lambda: "[[a]]\n" * (MANY // 20),
    "a key of many parts": lambda: ".".join("a" * FEW) + " = 1",
    "lists of TOML": lambda: "a = " + "[" * MANY,
}
PICTURES: dict[str, Callable[[], bytes]] = {
    "as many pixels as may be, which is drawn": lambda: picture(5_000, 5_000),
    "a thousand million pixels": lambda: picture(40_000, 25_000),
    "more pixels than numbers": lambda: picture(2**31 - 1, 2**31 - 1),
    "a line without an end": lambda: picture(59_000_000, 1),
    "text beside it without an end": lambda: picture(10, 10)[:33]
    + struct.pack(">I", 5_000_000) + b"zTXtx\0\0" + zlib.compress(bytes(MANY)),
}  # fmt: skip
MANIFEST = b'{"kind": "jantaku-archive", "version": 1, "parts": {}}'
FILES: dict[str, dict[str, Callable[[], bytes]]] = {
    "archive": {
        "nothing but blanks": lambda: sealed(("manifest.json", b" " * (60 * 1024 * 1024))),
        "one part a thousand times": lambda: said_again(
            sealed(("manifest.json", MANIFEST + b" " * 5_000_000), level=1), 1000
        ),
        "parts that belong in none": lambda: sealed(*((f"{number}.json", b"{}") for number in range(FEW))),
        "a manifest of lists": lambda: sealed(("manifest.json", b"[" * 900_000)),
        "a manifest that is none": lambda: sealed(
            ("manifest.json", b'{"kind": "jantaku-archive", "version": 1, "parts": [], "competition": 7}'),
            ("competition.json", b"{}"),
            ("standings.json", b"{}"),
        ),
    },
    "table": {
        "a dimension of everything": sheet,
        "texts packed to be huge": lambda: sheet(xl__sharedStrings_xml=b"<sst>" + b"<si/>" * 10_000_000 + b"</sst>"),
        "a workbook packed to be huge": lambda: sheet(xl__workbook_xml=b"<workbook>" + b" " * 50_000_000),
        "twenty thousand sheets": many_sheets,
        "a directory of one thing": lambda: said_again(sealed(("xl/workbook.xml", b" " * 900_000)), 50_000),
    },
    "photo": PICTURES,
    "portrait": PICTURES,
}  # fmt: skip


def readers() -> dict[str, Callable[[bytes], object]]:
    """Return the readers of external files; each returns its refusal."""
    import django

    django.setup()
    from league.files.archive import ArchiveRefusedError, unpack_archive
    from league.files.pictures import encode_photo, encode_portrait
    from league.files.reading import ImportRefusedError, read
    from league.platform.errors import RuleViolationError
    from league.services.live.log_files import log_in
    from tests.league.exchange.test_readers_fuzzed import read_all

    def refusing(read: Callable[[bytes], object], refused: type[Exception]) -> Callable[[bytes], object]:
        def tried(data: bytes) -> object:
            try:
                return read(data)
            except refused as error:
                return str(error)

        return tried

    return {
        "archive": refusing(unpack_archive, ArchiveRefusedError),
        "table": lambda data: read_all(data).faults,
        "photo": refusing(lambda data: encode_photo(io.BytesIO(data)), RuleViolationError),
        "portrait": refusing(lambda data: encode_portrait(io.BytesIO(data)), RuleViolationError),
        "competition": refusing(lambda data: read(data.decode(), "file"), ImportRefusedError),
        "log": refusing(lambda data: log_in(data.decode()), RuleViolationError),
    }


def in_a_process_of_its_own(reader: Callable[[bytes], object], make: Callable[[], bytes]) -> str:
    """Run a reader on a file in a child process; return its faults, or "" for a refusal within the limits."""
    told, tells = os.pipe()
    if child := os.fork():
        os.close(tells)
        with os.fdopen(told) as heard:
            said = heard.read()
        return said if os.waitpid(child, 0)[1] == 0 else said or "died"
    try:
        idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        data = make()
        started = time.process_time()
        answer = reader(data)
        spent = time.process_time() - started
        taken = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - idle) * 1024
        wrong = [] if answer else ["not refused"]
        wrong += [f"{spent:.1f} s"] if spent > SECONDS else []
        wrong += [f"{taken >> 20} MB"] if taken > MEMORY else []
    except BaseException as broken:  # noqa: BLE001 - every exception is a finding
        wrong = [f"{type(broken).__name__}: {str(broken)[:200]}"]
    os.write(tells, ", ".join(wrong).encode())
    os._exit(0)


def tried() -> dict[str, str]:
    """Return the faults by reader and file."""
    known = readers()
    asked = [(name, about, make) for name, files in FILES.items() for about, make in files.items()]
    asked += [(name, about, _bytes(make)) for name in ("competition", "log") for about, make in TEXTS.items()]
    return {
        f"{name}: {about}": wrong
        for name, about, make in asked
        if (wrong := in_a_process_of_its_own(known[name], make))
    }


def _bytes(make: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: make().encode()


@pytest.mark.timeout(600)
def test_every_bomb_is_refused_within_its_limits_of_time_and_memory() -> None:
    script = (
        "import json, sys; sys.path.insert(0, '.'); from tests.fuzz.test_bombs import tried; print(json.dumps(tried()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}
