"""Decompression and parser bombs: each is refused in the time of reading 30,000 rows, and with 128 MB.

Without its limit each of them takes many times as much.
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
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from league.files.archive import ArchiveRefusedError, unpack_archive
from league.files.pictures import encode_photo, encode_portrait
from league.files.reading import ImportRefusedError, read
from league.files.tables import LARGEST_FILE
from league.platform.errors import RuleViolationError
from league.services.live.log_files import log_in
from tests.league.exchange.test_readers_fuzzed import HEAD, LINE, read_all, with_sheet

ROWS, TABLES, MEMORY, LONGEST = 10_000, 3, 128 * 1024 * 1024, 50_000
"""Limits: processor time as a multiple of that of a valid table, memory including the file, signs of the refusal."""
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


def sheet(body: bytes = b"<worksheet><sheetData/></worksheet>", **parts: bytes) -> bytes:
    """Return an XLSX file with this sheet, in which these parts replace its own."""
    named = {name.replace("__", "/").replace("_xml", ".xml"): content for name, content in parts.items()}
    return with_sheet(body, **named)


def many_sheets() -> bytes:
    """Return a workbook that names twenty thousand sheets, all of them in the file."""
    book = b"<workbook>" + b'<sheet name="x" sheetId="1" id="r1"/>' * FEW + b"</workbook>"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", book)
        for number in range(FEW):
            file.writestr(f"xl/worksheets/sheet{number}.xml", b"<worksheet/>")
    return written.getvalue()


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(8))
    + b"]><worksheet><sheetData><row><c><v>&i;</v></c></row></sheetData></worksheet>"
)
MARKS = "\u0301\u0323" * 40_000
"""Combining marks in an order that makes Unicode normalization take quadratic time."""
SHEETS: dict[str, Callable[[], bytes]] = {
    "a dimension of everything": lambda: sheet(b"<worksheet><dimension ref='A1:XFD1048576'/><sheetData/></worksheet>"),
    "texts packed to be huge": lambda: sheet(xl__sharedStrings_xml=b"<sst>" + b"<si/>" * 10_000_000 + b"</sst>"),
    "a workbook packed to be huge": lambda: sheet(xl__workbook_xml=b"<workbook>" + b" " * 50_000_000),
    "twenty thousand sheets": many_sheets,
    "a directory of one thing": lambda: said_again(sealed(("xl/workbook.xml", b" " * 900_000)), 50_000),
    "a sheet of nothing but blanks": lambda: sheet(b"<worksheet>" + b" " * 60_000_000),
    "a sheet of empty rows": lambda: sheet(
        b"<worksheet><sheetData>" + b"<row/>" * 5_000_000 + b"</sheetData></worksheet>"
    ),
    "a thousand million laughs": lambda: sheet(LAUGHS),
    "a row far below": lambda: sheet(b'<worksheet><sheetData><row r="1048576"/></sheetData></worksheet>'),
    "a column far to the right": lambda: sheet(
        b'<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>'
    ),
    "deep nesting": lambda: sheet(b"<a>" * 1_000_000),
    "one endless row": lambda: bytes(HEAD + "\n" + "x," * 4_000_000, "utf-8"),
    "one endless cell": lambda: bytes(HEAD + '\n"' + "x\n" * 4_000_000, "utf-8"),
    "a header of ten million signs": lambda: b"x" * LARGEST_FILE,
    "more than may be": lambda: b"x" * (LARGEST_FILE + 1),
    "numbers without an end": lambda: bytes(HEAD + "\n" + ",".join("9" * 20_000 for _cell in range(4)), "utf-8"),
    "a header of brackets that never close": lambda: bytes(f"節,{'(' * 90_000}\n1,2", "utf-8"),
    "a name of marks that combine": lambda: bytes(f"{HEAD}\n1,1卓,1,{MARKS}", "utf-8"),
    "a text of very many runs": lambda: sheet(
        b'<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>',
        xl__sharedStrings_xml=b"<sst><si>" + b"".join(b"<t>%09d</t>" % n**2 for n in range(150_000)) + b"</si></sst>",
    ),
    "a number beyond all numbers": lambda: sheet(
        b'<worksheet><sheetData><row r="1"><c r="A1"><v>1E999999999</v></c></row></sheetData></worksheet>'
    ),
}
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
ARCHIVES: dict[str, Callable[[], bytes]] = {
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
}
FILES: dict[tuple[str, ...], Mapping[str, Callable[[], Any]]] = {
    ("archive",): ARCHIVES,
    ("table",): SHEETS,
    ("photo", "portrait"): PICTURES,
    ("competition", "log"): TEXTS,
}


def readers() -> dict[str, Callable[[Any], object]]:
    """Return the readers of external files; each returns its refusal."""

    def refusing(read: Callable[[Any], object], refused: type[Exception]) -> Callable[[Any], object]:
        def tried(data: Any) -> object:
            try:
                return read(data)
            except refused as error:
                return str(error)

        return tried

    return {
        "archive": refusing(unpack_archive, ArchiveRefusedError),
        "table": lambda data: max(map(str, read_all(data)), key=len, default=""),
        "photo": refusing(lambda data: encode_photo(io.BytesIO(data)), RuleViolationError),
        "portrait": refusing(lambda data: encode_portrait(io.BytesIO(data)), RuleViolationError),
        "competition": refusing(lambda data: read(data, "file"), ImportRefusedError),
        "log": refusing(log_in, RuleViolationError),
    }


def in_a_process_of_its_own(act: Callable[..., str], *arguments: Any) -> str:
    """Return the text that a function returns in a child process, or its exception."""
    told, tells = os.pipe()
    if child := os.fork():
        os.close(tells)
        with os.fdopen(told) as heard:
            said = heard.read()
        return said if os.waitpid(child, 0)[1] == 0 else said or "died"
    try:
        said = act(*arguments)
    except BaseException as broken:  # noqa: BLE001 - every exception is a finding
        said = f"{type(broken).__name__}: {str(broken)[:200]}"
    os.write(tells, said.encode())
    os._exit(0)


def seconds(read: Callable[[Any], object], data: Any) -> str:
    """Return the processor seconds that reading takes."""
    started = time.process_time()
    read(data)
    return str(time.process_time() - started)


def most_memory() -> int:
    """Return the most bytes of memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def faults_in(read: Callable[[Any], object], data: Any, idle: int, most: float) -> str:
    """Return the limits that reading exceeds; "" for a refusal within them."""
    started = time.process_time()
    answer = read(data)
    spent, taken = time.process_time() - started, most_memory() - idle
    wrong = [] if answer else ["not refused"]
    wrong += ["a long refusal"] if isinstance(answer, str) and len(answer) > LONGEST else []
    wrong += [f"{spent:.1f} of {most:.1f} s"] if spent > most else []
    wrong += [f"{taken >> 20} MB"] if taken > MEMORY else []
    return ", ".join(wrong)


def faults_of(known: Mapping[str, Callable[[Any], object]], make: Callable[[], Any], most: float) -> str:
    """Make a file once for all its readers and return the limits that each exceeds."""
    idle, data = most_memory(), make()
    wrong = {name: in_a_process_of_its_own(faults_in, read, data, idle, most) for name, read in known.items()}
    return ", ".join(f"{name}: {each}" for name, each in wrong.items() if each)


def tried() -> dict[str, str]:
    """Return the faults by file."""
    known = readers()
    most = TABLES * float(in_a_process_of_its_own(seconds, read_all, f"{HEAD}\n" + f"{LINE}\n" * ROWS))
    return {
        about: wrong
        for names, files in FILES.items()
        for about, make in files.items()
        if (wrong := in_a_process_of_its_own(faults_of, {name: known[name] for name in names}, make, most))
    }


def test_every_bomb_is_refused_within_its_limits_of_time_and_memory() -> None:
    script = (
        "import json, sys, django; sys.path.insert(0, '.'); django.setup(); "
        "from tests.fuzz.test_bombs import tried; print(json.dumps(tried()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}
