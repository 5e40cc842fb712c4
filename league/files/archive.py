"""A competition's archive: one packed file that says of itself whether it is whole.

Inside are the competition's file, the standings it led to, and a manifest with the digest of each part. The packed
file ends with the digest of every byte before it, so that one changed byte is noticed wherever it is. Digests prove
that nothing was altered by accident or on the way; they are no signature.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

KIND = "jantaku-archive"
VERSION = 1
MANIFEST, COMPETITION, STANDINGS = "manifest.json", "competition.json", "standings.json"
PARTS = (COMPETITION, STANDINGS)
SEAL = b"sha256:"
SEAL_LENGTH = len(SEAL) + 64
LARGEST = 64 * 1024 * 1024
TIGHTEST = 100
"""What deflates to less than one part in so many was written to explode, unless it is small."""
SMALL = 1024 * 1024
NOT_INSIDE = (
    "accounts, roles and tokens",
    "who entered what and when, and the numbers of changes",
    "sheets that never counted",
    "logs kept hand by hand",
    "photos of slips, links to tables, announcements",
    "the books of a parlour: sittings, chips, day sheets",
)
"""What belongs to an installation and stays there."""
_SAME_DAY = (1980, 1, 1, 0, 0, 0)
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    LookupError,
    ValueError,
    TypeError,
)


class ArchiveRefusedError(Exception):
    """A file that is no whole archive; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class Archive:
    """What stands in an archive: the competition's file as text, and the standings it led to."""

    competition: str
    standings: str
    name: str = ""
    slug: str = ""

    @property
    def digest(self) -> str:
        """The digest of the standings, by which two installations compare them."""
        return digest(self.standings)


def digest(text: str) -> str:
    """The SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(data: Any) -> str:
    """Data as the one text there is for it."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def packed(archive: Archive) -> bytes:
    """The archive as a file; the same archive always makes the same one."""
    texts = {COMPETITION: archive.competition, STANDINGS: archive.standings}
    manifest = {
        "kind": KIND,
        "version": VERSION,
        "competition": {"slug": archive.slug, "name": archive.name},
        "parts": {name: {"sha256": digest(text), "bytes": len(text.encode())} for name, text in texts.items()},
        "not_inside": list(NOT_INSIDE),
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in {MANIFEST: canonical(manifest), **texts}.items():
            info = zipfile.ZipInfo(name, _SAME_DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, text.encode())
        file.comment = SEAL + b"0" * 64
    unsealed = written.getvalue()[:-SEAL_LENGTH]
    return unsealed + SEAL + hashlib.sha256(unsealed).hexdigest().encode()


def unpacked(data: bytes) -> Archive:
    """The archive of a file; raise ArchiveRefusedError unless every byte is as it was written."""
    body, seal = data[:-SEAL_LENGTH], data[-SEAL_LENGTH:]
    if not data.startswith(b"PK") or not seal.startswith(SEAL):
        raise ArchiveRefusedError(_("This is no archive of a competition, or its end is missing."))
    if seal != SEAL + hashlib.sha256(body).hexdigest().encode():
        raise ArchiveRefusedError(
            _("This archive is damaged or was altered: its digest is not that of its contents. Fetch it again.")
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return _checked({name: _part(file, name) for name in _names(file)})
    except _DAMAGED as error:
        raise ArchiveRefusedError(_("This archive cannot be unpacked. Fetch it again.")) from error


def _names(file: zipfile.ZipFile) -> list[str]:
    """The parts, each once: nothing is unpacked that need not be."""
    names = file.namelist()
    for name in names:
        if name not in {MANIFEST, *PARTS} or names.count(name) > 1:
            raise ArchiveRefusedError(_("This archive has a part that belongs in none: %(name)s.") % {"name": name})
    return names


def _part(file: zipfile.ZipFile, name: str) -> str:
    """A part as text, after a look at how large it says it is."""
    info = file.getinfo(name)
    if info.file_size > LARGEST or (info.file_size > SMALL and info.file_size > TIGHTEST * info.compress_size):
        raise ArchiveRefusedError(_("Unpacked, this archive is far too large: %(name)s.") % {"name": name})
    return file.read(info).decode()


def _checked(texts: Mapping[str, str]) -> Archive:
    """Hold the parts against the manifest."""
    manifest = json.loads(texts.get(MANIFEST, "{}"))
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise ArchiveRefusedError(_("This is no archive of a competition."))
    if manifest.get("version") != VERSION:
        raise ArchiveRefusedError(_("This archive was made by a newer version of the product. Update first."))
    for name in PARTS:
        if digest(texts[name]) != manifest["parts"][name]["sha256"]:
            raise ArchiveRefusedError(_("The part %(name)s is not what the manifest says.") % {"name": name})
    about = manifest["competition"]
    return Archive(texts[COMPETITION], texts[STANDINGS], str(about["name"]), str(about["slug"]))
