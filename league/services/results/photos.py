"""Photos of paper slips: re-encoded small and without metadata (`files.pictures`), visible to staff only."""

from __future__ import annotations

import hashlib
from typing import BinaryIO

from django.utils import timezone
from django.utils.translation import gettext as _

from league.files.pictures import StoredPicture, encode_photo
from league.models import Hanchan, SlipPhoto
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing

MOST_PHOTOS = 6


def attach_photo(*, hanchan: Hanchan, file: BinaryIO, by: Actor) -> SlipPhoto:
    """Store a photo of the hanchan's slip; the holder of the table's scorer link may submit one too.

    The picture is decoded before anything is locked: that takes a while, and no result should wait for it.
    """
    require(by, hanchan.block.competition, Capability.SUBMIT, table=hanchan.table_session)
    return _keep(hanchan=hanchan, drawn=encode_photo(file), by=by)


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
