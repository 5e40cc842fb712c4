"""Set, remove and restore the picture of a player or a competition.

A removed picture stays stored as an earlier one, so that removing can be undone. Erasing a player deletes all their
pictures.
"""

from __future__ import annotations

import hashlib
from typing import BinaryIO

from django.utils.translation import gettext as _

from league.files.pictures import StoredPicture, encode_portrait
from league.models import Competition, Picture, Player
from league.platform.errors import conflict
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, lock_player, open_change, record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.people.permissions import refuse_strangers

MOST_KEPT = 6
"""The most pictures stored of one player or competition: the one shown, and five earlier ones."""

Pictured = Player | Competition


def set_picture(*, subject: Pictured, file: BinaryIO, by: Actor) -> Picture:
    """Show an uploaded picture of a player or competition instead of the tile's character.

    It is decoded before anything is locked: that takes a while, and no result should wait for it.
    """
    refuse_unless_may_picture(subject, by)
    return keep_picture(subject=subject, drawn=encode_portrait(file), by=by)


@all_or_nothing
def keep_picture(*, subject: Pictured, drawn: StoredPicture, by: Actor) -> Picture:
    """Store an encoded picture and show it; the oldest beyond `MOST_KEPT` are deleted."""
    lock_pictured(subject, by)
    digest = hashlib.sha256(drawn.data).hexdigest()
    values = {"data": drawn.data, "side": drawn.width, "added_by": by.user}
    picture, _is_new = subject.pictures.get_or_create(sha256=digest, defaults=values)
    show_picture(subject, digest, by)
    kept = [picture.pk, *subject.pictures.exclude(pk=picture.pk).values_list("pk", flat=True)[: MOST_KEPT - 1]]
    subject.pictures.exclude(pk__in=kept).delete()
    return picture


@all_or_nothing
def restore_picture(*, picture: Picture, by: Actor) -> Picture:
    """Show an earlier picture again."""
    subject = picture.player or picture.competition
    assert subject is not None  # noqa: S101 - a constraint of the table
    lock_pictured(subject, by)
    if not subject.pictures.filter(pk=picture.pk).exists():
        raise conflict("picture_deleted", _("This picture is no longer stored. Upload it again."))
    show_picture(subject, picture.sha256, by)
    return picture


@all_or_nothing
def remove_picture(*, subject: Pictured, by: Actor) -> None:
    """Show the tile's character again; the picture stays stored and can be restored."""
    lock_pictured(subject, by)
    if not subject.picture:
        raise conflict("no_picture", _("There is no picture to remove."))
    show_picture(subject, "", by)


def refuse_unless_may_picture(subject: Pictured, by: Actor) -> None:
    """Raise unless the actor may edit the competition, or may edit players."""
    if isinstance(subject, Competition):
        require(by, subject, Capability.MANAGE)
    else:
        refuse_strangers(by)


def lock_pictured(subject: Pictured, by: Actor) -> None:
    """Check the permission, lock the row and read it; raise ConflictError for an erased or merged player."""
    refuse_unless_may_picture(subject, by)
    if isinstance(subject, Competition):
        lock(subject)
        subject.refresh_from_db(fields=["picture"])
        return
    found = lock_player(subject)
    if found.erased_at is not None or found.merged_into_id is not None:
        raise conflict("player_gone", _("This entry is not in use any more. Choose another."))
    subject.picture = found.picture


def show_picture(subject: Pictured, digest: str, by: Actor) -> None:
    """Write the digest of the picture shown, and record the change; the log of a player holds no digest."""
    if subject.picture == digest:
        return
    before, subject.picture = {"picture": subject.picture}, digest
    subject.save(update_fields=["picture"])
    if isinstance(subject, Competition):
        change = open_change(subject, by)
        change.record("competition.edited", subject, before=before, after={"picture": digest})
    else:
        record_edited_player(subject, ["picture"], by)


def record_edited_player(player: Player, fields: list[str], by: Actor) -> None:
    """Record that fields of a player were edited, in the log of each of their competitions; never the values."""
    after = {"fields": fields}
    # Always in the order of ids: two transactions that lock several competitions cannot deadlock.
    for competition in Competition.objects.filter(entrants__player=player).order_by("pk"):
        open_change(competition, by).record("player.edited", player, after=after)
    record_organization_change("player.edited", player, by=by, after=after)
