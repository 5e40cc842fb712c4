"""Archive of a competition: one ZIP file that can be checked for completeness on its own.

It contains the competition's file, the standings computed from it, and a manifest with the digest of each part. The
ZIP comment at the end is the digest of every byte before it, so that a single changed byte is noticed wherever it is.
The digests prove that nothing was altered by accident or in transit; they are no signature.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

KIND = "jantaku-archive"
VERSION = 1
MANIFEST, COMPETITION, STANDINGS = "manifest.json", "competition.json", "standings.json"
PARTS = (COMPETITION, STANDINGS)
SEAL = b"sha256:"
SEAL_LENGTH = len(SEAL) + 64
LARGEST = 64 * 1024 * 1024
TIGHTEST = 100
"""The highest accepted compression ratio of a part larger than `SMALL`; beyond it, the file is taken for a ZIP bomb."""
SMALL = 1024 * 1024
EXCLUDED = (
    "accounts, roles and tokens",
    "who entered what and when, and the numbers of changes",
    "sheets that never counted",
    "logs kept hand by hand",
    "photos of slips, links to tables, announcements",
    "the books of a parlour: sittings, chips, day sheets",
)
"""Data that belongs to an installation and is not archived; the manifest lists it."""
_SAME_DAY = (1980, 1, 1, 0, 0, 0)
DAMAGED = (
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
    """A file that is not a complete, unaltered archive; the message names the fault."""


@dataclass(frozen=True, slots=True)
class Archive:
    """The content of an archive: the competition's file as text, and the standings computed from it."""

    competition: str
    standings: str
    name: str = ""
    slug: str = ""

    @property
    def digest(self) -> str:
        """Return the digest of the standings; two installations compare their standings by it."""
        return digest(self.standings)


def digest(text: str) -> str:
    """Return the SHA-256 of a text as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(data: object) -> str:
    """Serialize data as JSON in its one canonical form (sorted keys), so that equal data gives equal text."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def pack_archive(archive: Archive) -> bytes:
    """Return the archive as the bytes of a file; equal archives give equal bytes."""
    texts = {COMPETITION: archive.competition, STANDINGS: archive.standings}
    manifest = {
        "kind": KIND,
        "version": VERSION,
        "competition": {"slug": archive.slug, "name": archive.name},
        "parts": {name: {"sha256": digest(text), "bytes": len(text.encode())} for name, text in texts.items()},
        "not_inside": list(EXCLUDED),
    }
    return seal({name: text.encode() for name, text in {MANIFEST: canonical(manifest), **texts}.items()})


def seal(parts: Mapping[str, bytes]) -> bytes:
    """Return parts as one ZIP file whose last bytes are the digest of all before them."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            # A fixed timestamp: the time of writing would make every archive of the same data different.
            info = zipfile.ZipInfo(name, _SAME_DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, part)
        # Reserve the place of the digest: the ZIP format stores the length of the comment before it.
        file.comment = SEAL + b"0" * 64
    unsealed = written.getvalue()[:-SEAL_LENGTH]
    return unsealed + SEAL + hashlib.sha256(unsealed).hexdigest().encode()


def unpack_archive(data: bytes) -> Archive:
    """Return the archive stored in a file. Raise ArchiveRefusedError unless every byte is as it was written."""
    parts = unseal(data, lambda name: name in {MANIFEST, *PARTS})
    try:
        return _verified_archive({name: part.decode() for name, part in parts.items()})
    except DAMAGED as error:
        raise unreadable() from error


def unreadable() -> ArchiveRefusedError:
    """Return the refusal of an archive whose parts cannot be read."""
    return ArchiveRefusedError(_("This archive cannot be unpacked. Fetch it again."))


def unseal(data: bytes, is_known: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the parts of a sealed file by name. Raise ArchiveRefusedError for a changed byte or an unknown name."""
    body, end = data[:-SEAL_LENGTH], data[-SEAL_LENGTH:]
    if not data.startswith(b"PK") or not end.startswith(SEAL):
        raise ArchiveRefusedError(_("This is no archive of a competition, or its end is missing."))
    if end != SEAL + hashlib.sha256(body).hexdigest().encode():
        raise ArchiveRefusedError(
            _("This archive is damaged or was altered: its digest is not that of its contents. Fetch it again.")
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return {name: _part(file, name) for name in _names(file, is_known)}
    except DAMAGED as error:
        raise unreadable() from error


def _names(file: zipfile.ZipFile, is_known: Callable[[str], bool]) -> list[str]:
    """Return the names of the parts; refuse unknown and repeated ones before anything is unpacked."""
    names = file.namelist()
    for name in names:
        if not is_known(name) or names.count(name) > 1:
            raise ArchiveRefusedError(_("This archive has a part that belongs in none: %(name)s.") % {"name": name})
    return names


def _part(file: zipfile.ZipFile, name: str) -> bytes:
    """Return a part, after checking its declared size and compression ratio."""
    # The declared size can be trusted: zipfile reads no further than it says.
    info = file.getinfo(name)
    if is_oversized(info, LARGEST):
        raise ArchiveRefusedError(_("Unpacked, this archive is far too large: %(name)s.") % {"name": name})
    return file.read(info)


def is_oversized(part: zipfile.ZipInfo, most: int) -> bool:
    """Return True if a part has more bytes than `most`, or is compressed like a ZIP bomb."""
    return part.file_size > most or (part.file_size > SMALL and part.file_size > TIGHTEST * part.compress_size)


def _verified_archive(texts: Mapping[str, str]) -> Archive:
    """Check the parts against the manifest and return the archive."""
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
