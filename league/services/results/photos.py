"""Photos of paper slips: re-encoded small and without metadata, visible to staff only.

Nothing of the uploaded file is kept. Its type is detected from its content, not from its name, and its pixels are
encoded again as a plain JPEG; location, time and other metadata are lost on purpose.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from django.utils import timezone
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from league.models import Hanchan, SlipPhoto
from league.platform.errors import RuleViolationError, conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 60_000_000
MOST_AT_ONCE = 25_000_000
"""The most pixels of images that are decoded whole into memory: everything except a camera's baseline JPEG."""
DIRECT = ("RGB", "RGBA", "L", "LA", "CMYK")
"""Image modes that can be resized directly; palette images must be converted to RGB first."""
LONGEST_SIDE = 2000
QUALITY = 82
MOST_PHOTOS = 6
FORMATS = ("JPEG", "PNG", "WEBP")


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture as it is stored: JPEG data, width and height in pixels."""

    data: bytes
    width: int
    height: int


def attach_photo(*, hanchan: Hanchan, file: BinaryIO, by: Actor) -> SlipPhoto:
    """Store a photo of the hanchan's slip; the holder of the table's scorer link may submit one too.

    The picture is decoded before anything is locked: that takes a while, and no result should wait for it.
    """
    require(by, hanchan.block.competition, Capability.SUBMIT, table=hanchan.table_session)
    return _keep(hanchan=hanchan, drawn=reencode_picture(file), by=by)


@all_or_nothing
def _keep(*, hanchan: Hanchan, drawn: StoredPicture, by: Actor) -> SlipPhoto:
    """Write a picture, once: an identical one of the same hanchan is returned instead."""
    competition = hanchan.block.competition
    # Checked again in this transaction: the link may have ended while the picture was decoded.
    require(by, competition, Capability.SUBMIT, table=hanchan.table_session)
    lock(competition)
    digest = hashlib.sha256(drawn.data).hexdigest()
    there = SlipPhoto.objects.filter(hanchan=hanchan, removed_at=None)
    same = there.filter(sha256=digest).first()
    if same is not None:
        return same
    if there.count() >= MOST_PHOTOS:
        raise refuse("too_many_photos", _("There are %(most)s photos already.") % {"most": MOST_PHOTOS}, "/file")
    change = open_change(competition, by)
    photo = SlipPhoto.objects.create(
        hanchan=hanchan,
        picture=drawn.data,
        width=drawn.width,
        height=drawn.height,
        sha256=digest,
        link=by.link,
        added_by=by.user,
    )
    change.record("photo.added", hanchan, after={"photo": photo.pk, "sha256": digest}, is_public=False)
    return photo


@all_or_nothing
def remove_photo(*, photo: SlipPhoto, by: Actor, reason: str) -> SlipPhoto:
    """Remove a photo: its data is emptied, and the row stays as a record that there was one."""
    competition = photo.hanchan.block.competition
    require(by, competition, Capability.CONFIRM)
    refuse_without_reason(reason)
    change = open_change(competition, by)
    now = timezone.now()
    gone = SlipPhoto.objects.filter(pk=photo.pk, removed_at=None)
    if not gone.update(picture=b"", width=0, height=0, removed_at=now):
        raise conflict("photo_removed", _("This photo has been taken away already."))
    change.record(
        "photo.removed",
        photo.hanchan,
        before={"photo": photo.pk, "sha256": photo.sha256},
        reason=reason,
        is_public=False,
    )
    photo.refresh_from_db()
    return photo


def reencode_picture(file: BinaryIO) -> StoredPicture:
    """Return the picture re-encoded, upright and small.

    Raise RuleViolationError for anything that is no readable picture.
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        most = MOST_BYTES // (1024 * 1024)
        raise refuse("photo_too_large", _("The file is larger than %(most)s MB.") % {"most": most}, "/file")
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            refuse_huge(image)
            image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            small: Image.Image = image if image.mode in DIRECT else image.convert("RGB")
            small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            upright = ImageOps.exif_transpose(small).convert("RGB")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise too_many_pixels() from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        message = _(
            "This is no picture we can read. Send a JPEG, PNG or WebP; an iPhone sends JPEG with the setting "
            "“Most Compatible”."
        )
        raise refuse("not_a_photo", message, "/file") from error
    out = BytesIO()
    # A new image from the bare pixels: no EXIF, GPS position or embedded thumbnail is carried over.
    Image.frombytes("RGB", upright.size, upright.tobytes()).save(out, "JPEG", quality=QUALITY, optimize=True)
    return StoredPicture(out.getvalue(), *upright.size)


def refuse_huge(image: Image.Image) -> None:
    """Raise if the picture has too many pixels, by the size in its header, before anything is decoded.

    A file of a few bytes can claim a size that exhausts the memory (decompression bomb).
    """
    width, height = image.size
    # Only a baseline JPEG is scaled down while it is decoded (`draft`); all others need memory for every pixel.
    is_shrunk = image.format == "JPEG" and not image.info.get("progressive")
    most = MOST_PIXELS if is_shrunk else MOST_AT_ONCE
    if width * height > most:
        raise too_many_pixels(most)


def too_many_pixels(pixels: int = MOST_PIXELS) -> RuleViolationError:
    """Return the error for a picture with more pixels than any camera at a table produces."""
    most = pixels // 1_000_000
    message = _("The picture is too large: at most %(most)s million pixels are taken.") % {"most": most}
    return refuse("photo_too_large", message, "/file")
