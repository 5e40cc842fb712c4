"""Uploaded pictures, encoded again: photos of slips as JPEG, pictures of people and leagues as a square WebP.

Nothing of the uploaded file is kept but its pixels. Its type is detected from its content, not from its name; location,
time and other metadata, and anything behind the picture, are lost on purpose.
"""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from django.utils.translation import gettext as _
from PIL import ExifTags, Image, ImageOps

from league.platform.errors import RuleViolationError, refuse

MEGABYTE = 1024 * 1024
MOST_BYTES_OF_PHOTO = 10 * MEGABYTE
MOST_BYTES_OF_PORTRAIT = 5 * MEGABYTE
MOST_PIXELS = 60_000_000
MOST_AT_ONCE = 25_000_000
"""The most pixels of images that are decoded whole into memory: everything except a camera's baseline JPEG."""
DIRECT = ("RGB", "RGBA", "L", "LA", "CMYK")
"""Image modes that can be resized directly; palette images must be converted to RGB first."""
LONGEST_SIDE = 2000
PORTRAIT_SIDE = 256
SHORTEST_SIDE = 64
"""The shortest side of a picture of a person or league, in pixels: smaller ones are blurred in the largest tile."""
LONGEST_PORTRAIT = 500_000
"""The most characters of such a picture in base64: more than 256 x 256 pixels of noise without any loss."""
QUALITY = 82
BARE_CHUNKS = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}
"""The chunks of a WebP file with a still picture and nothing else."""
FORMATS = ("JPEG", "PNG", "WEBP")
DAMAGED = (OSError, ValueError, SyntaxError, TypeError, LookupError, ArithmeticError, RuntimeError, struct.error)
"""Errors that Pillow raises for damaged files; its documentation names only some of them."""
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transposition to upright by EXIF orientation; 1 and unknown values need none."""


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture as it is stored: JPEG or WebP data, width and height in pixels."""

    data: bytes
    width: int
    height: int


def encode_photo(file: BinaryIO) -> StoredPicture:
    """Return the photo of a slip as JPEG, upright, its longer side at most 2000 pixels.

    Raise RuleViolationError for anything that is no readable picture.
    """
    with opened(file, MOST_BYTES_OF_PHOTO) as image:
        image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
        small: Image.Image = image if image.mode in DIRECT else image.convert("RGB")
        small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
        drawn = turned(small, orientation_of(image)).convert("RGB")
    return encoded(drawn, "JPEG", optimize=True)


def encode_portrait(file: BinaryIO) -> StoredPicture:
    """Return the picture of a person or league as WebP, upright, cut to its central square of at most 256 pixels.

    Raise RuleViolationError for anything that is no readable picture, or a smaller one than 64 x 64 pixels.
    """
    with opened(file, MOST_BYTES_OF_PORTRAIT) as image:
        if min(image.size) < SHORTEST_SIDE:
            raise too_few_pixels(image)
        image.draft("RGB", (PORTRAIT_SIDE, PORTRAIT_SIDE))
        mode = "RGBA" if image.has_transparency_data else "RGB"
        whole: Image.Image = image if image.mode in DIRECT else image.convert(mode)
        side = min(PORTRAIT_SIDE, *whole.size)
        drawn = turned(ImageOps.fit(whole, (side, side)), orientation_of(image)).convert(mode)
    return encoded(drawn, "WEBP", method=6)


def read_portrait(text: str) -> StoredPicture:
    """Return a picture that `encode_portrait` made, from base64, byte for byte. Raise ValueError for any other."""
    try:
        data = b64decode(text, validate=True)
        with Image.open(BytesIO(data), formats=["WEBP"]) as image:
            side = image.width
            is_bare = set(chunks_of(data)) <= BARE_CHUNKS
            # The size first: nothing larger is decoded.
            if is_bare and image.size == (side, side) and SHORTEST_SIDE <= side <= PORTRAIT_SIDE:
                image.load()
                return StoredPicture(data, side, side)
    except DAMAGED as error:
        raise ValueError("must be a WebP picture as base64, as an export writes it") from error
    raise ValueError(f"must be a square WebP of {SHORTEST_SIDE} to {PORTRAIT_SIDE} pixels without metadata, as base64")


def chunks_of(webp: bytes) -> Iterator[bytes]:
    """Yield the names of the chunks of a WebP file. Raise ValueError if they do not fill it exactly."""
    # Behind "RIFF", the length of the file and "WEBP".
    at = 12
    while at < len(webp):
        name, length = struct.unpack_from("<4sI", webp, at)
        yield name
        at += 8 + length + length % 2
    if at != len(webp):
        raise ValueError("the chunks do not fill the file")


def orientation_of(image: Image.Image) -> int:
    """Return the orientation in a picture's EXIF data, 1 without any."""
    found = image.getexif().get(ExifTags.Base.Orientation, 1)
    return found if isinstance(found, int) else 1


def turned(image: Image.Image, orientation: int) -> Image.Image:
    """Return the picture upright. Unlike Pillow's own function, this writes no EXIF data, which fails on odd ones."""
    return image.transpose(TURNS[orientation]) if orientation in TURNS else image


@contextmanager
def opened(file: BinaryIO, most_bytes: int) -> Iterator[Image.Image]:
    """Open a picture of known type and bearable size; turn every fault met while it is decoded into a refusal."""
    data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        message = _("The file is larger than %(most)s MB. Send a smaller picture.") % {"most": most_bytes // MEGABYTE}
        raise refuse("photo_too_large", message, "/file")
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            refuse_huge(image)
            yield image
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise too_many_pixels() from error
    except DAMAGED as error:
        message = _(
            "This is no picture we can read. Send a JPEG, PNG or WebP; an iPhone sends JPEG with the setting "
            "“Most Compatible”."
        )
        raise refuse("not_a_photo", message, "/file") from error


def encoded(image: Image.Image, kind: str, **options: object) -> StoredPicture:
    """Encode the bare pixels as a new picture: no EXIF, GPS position, profile or thumbnail is carried over."""
    out = BytesIO()
    bare = Image.frombytes(image.mode, image.size, image.tobytes())
    bare.save(out, kind, quality=QUALITY, **options)
    return StoredPicture(out.getvalue(), *bare.size)


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
    message = _("The picture is too large: at most %(most)s million pixels are taken. Send a smaller one.")
    return refuse("photo_too_large", message % {"most": most}, "/file")


def too_few_pixels(image: Image.Image) -> RuleViolationError:
    """Return the error for a picture that would be blurred in the largest tile."""
    message = _("The picture has %(width)s × %(height)s pixels; both sides need %(least)s and more. Send a larger one.")
    width, height = image.size
    return refuse("picture_too_small", message % {"width": width, "height": height, "least": SHORTEST_SIDE}, "/file")
