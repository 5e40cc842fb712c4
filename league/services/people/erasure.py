"""Erase personal data: everything that identifies a player or an account is removed for good; results stay, anonymous.

The history holds ids only, so that nothing in it changes and every ranking stays as it is. Free texts, such as
reasons, are history too: `mentions_of` finds those that contain the name, for a person to judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import (
    Change,
    Entrant,
    HanchanSeat,
    IdempotencyKey,
    Invitation,
    LineUp,
    Membership,
    OrganizationChange,
    Picture,
    Player,
    SlipPhoto,
    WebhookDelivery,
    WebhookSubscription,
)
from league.platform.errors import conflict, forbid, refuse
from league.selectors.access.actors import Actor, has_right, is_master
from league.selectors.people.personal_data import competitions_with, entries_of, results_of
from league.services.access.changes import lock, lock_player, open_change, record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner
from league.services.access.sign_in_sessions import end_sessions
from league.services.access.tokens import revoke_tokens_of
from league.services.competitions.setup import made_up_key
from league.services.people.online_accounts import forget_accounts_of

RIGHT = "league.delete_player"
NAME_JA = "消去された選手"
NAME_EN = "Erased player"


@dataclass(frozen=True, slots=True)
class Erasable:
    """A count of everything that erasing a player would affect, shown before it is done."""

    entries: int
    competitions: int
    results: int
    photos: int
    mentions: int
    """Changes whose reason contains the player's name: typed by people, and left as they are."""


def erasable(player: Player) -> Erasable:
    """Count everything stored about a player."""
    people = entries_of(player)
    return Erasable(
        entries=len(people),
        competitions=competitions_with(people).count(),
        results=results_of(people).count(),
        photos=photos_of(people).count(),
        mentions=len(mentions_of(people)),
    )


@all_or_nothing
def erase_player(*, player: Player, by: Actor) -> Player:
    """Anonymise a player and all entries merged as the same person. This cannot be undone.

    1. Every name, number, affiliation and country is removed, and the URL of the player's page with them.
    2. The player's pictures are deleted; photos of slips on which the name may be written are emptied.
    3. Idempotency responses that contain the name are deleted, online accounts, and unfinished imports with them. In
       texts kept for chat services and mailboxes the name is replaced.
    4. Each competition gets a change without any name, so that pages rendered before become stale.

    Raise ConflictError if the player is already erased, RuleViolationError for an entry merged into another.
    """
    refuse_unless_may_erase(by)
    # Row lock: of two erasures at once the second finds `erased_at` set. Taken before any competition's lock.
    player = lock_player(player)
    if player.erased_at is not None:
        raise conflict("player_erased", _("This person's data has been erased already."))
    if player.merged_into_id is not None:
        raise refuse("not_kept", _("This entry counts for another. Erase the one kept: both go."))
    people = entries_of(player)
    # Before the key changes, which a result of this player that is being saved would wait for.
    competitions = list(competitions_with(people))
    for competition in competitions:
        lock(competition)
    names = names_of_people(people)
    forget_copies(names)
    forget_accounts_of(people, names)
    photos = photos_of(people).update(picture=b"", width=0, height=0, sha256="", removed_at=timezone.now())
    Entrant.objects.filter(player__in=people).update(affiliation="", country="")
    for each in people:
        anonymise(each)
    player.refresh_from_db()
    if names:
        forget_names_in_texts(names, player)
    for competition in competitions:
        open_change(competition, by).record("player.erased", player)
    after = {"players": [each.pk for each in people], "photos": photos}
    record_organization_change("player.erased", player, by=by, after=after)
    return player


def anonymise(player: Player) -> None:
    """Delete the pictures and overwrite all identifying columns.

    The number in the new name tells two erased players at one table apart.
    """
    Picture.objects.filter(player=player).delete()
    Player.objects.filter(pk=player.pk).update(
        key=made_up_key(),
        name=f"{NAME_JA}{player.pk}",
        name_kana="",
        name_romaji=f"{NAME_EN} {player.pk}",
        short_name="",
        affiliation="",
        country="",
        number="",
        external_id=None,
        handle="",
        is_public=False,
        mark_glyph="",
        mark_colour=None,
        picture="",
        user=None,
        erased_at=timezone.now(),
    )


@all_or_nothing
def erase_account(*, user: User, by: Actor) -> User:
    """Close an account and anonymise it; what it did stays in the log, as done by the account of this number."""
    if not (by.is_system or is_master(by.user)):
        raise forbid(_("Only superusers erase accounts."))
    if by.user is not None and by.user.pk == user.pk:
        raise refuse("own_account", _("You cannot erase your own account: ask another superuser."))
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    # Composed before the address is cleared below; sent after the commit.
    notify_owner(user, News("account.erased"), by=by)
    forget_signing_in(user, by)
    Player.objects.filter(user=user).update(user=None)
    Invitation.objects.filter(Q(accepted_by=user) | Q(email__iexact=user.email, email__gt="")).update(
        email=f"erased-{user.pk}@invalid.invalid"
    )
    for member in Membership.objects.filter(user=user).select_related("competition"):
        before = {"user": user.pk, "role": member.role}
        open_change(member.competition, by).record("member.removed", member, before=before, is_public=False)
        member.delete()
    user.username = f"erased-{user.pk}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()
    record_organization_change("account.erased", user, by=by)
    return user


def forget_signing_in(user: User, by: Actor) -> None:
    """Delete tokens, sessions, second factors, permissions and sign-in records, and the name in the admin log."""
    revoke_tokens_of(user=user, by=by)
    end_sessions(user=user)
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    user.user_permissions.clear()
    user.groups.clear()
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(username=user.username).delete()
    LogEntry.objects.filter(content_type__app_label="auth", object_id=str(user.pk)).update(object_repr="")


def refuse_unless_may_erase(by: Actor) -> None:
    """Raise unless the actor has the right to delete players, given in the admin; superusers have it."""
    if not (by.is_system or has_right(by.user, RIGHT)):
        raise forbid(_("You may not erase people. Ask an administrator for the permission to delete players."))


def photos_of(people: Sequence[Player]) -> QuerySet[SlipPhoto]:
    """Return the photos of slips of the hanchan in which any of these players sat, or were to sit."""
    sat = results_of(people).values("sheet__hanchan")
    seats = HanchanSeat.objects.filter(Q(entrant__player__in=people) | Q(player__in=people)).values("hanchan")
    named = LineUp.objects.filter(player__in=people).values("hanchan")
    of_them = Q(hanchan__in=sat) | Q(hanchan__in=seats) | Q(hanchan__in=named)
    return SlipPhoto.objects.filter(of_them, removed_at=None)


def names_of_people(people: Sequence[Player]) -> list[str]:
    """Return every name the player is known by, of at least two characters: a single one would match too much."""
    said = {
        text for each in people for text in (each.name, each.name_kana, each.name_romaji, each.short_name, each.handle)
    }
    return sorted(text for text in said if len(text) > 1)


def mentions_of(people: Sequence[Player]) -> list[Change | OrganizationChange]:
    """Return the changes whose reason contains a name of the player."""
    said = Q(pk__in=[])
    for name in names_of_people(people):
        said |= Q(reason__icontains=name)
    return [*Change.objects.filter(said).order_by("pk"), *OrganizationChange.objects.filter(said).order_by("pk")]


def forget_copies(names: Sequence[str]) -> None:
    """Delete stored idempotency responses that contain one of the names."""
    written = [as_json_text(name) for name in names]
    for row in IdempotencyKey.objects.exclude(response=None).iterator():
        if row.response and holds(row.response["body"], written):
            row.delete()


def forget_names_in_texts(names: Sequence[str], player: Player) -> None:
    """Replace the names in the kept messages for people: those sent can be sent again, others are still to be sent."""
    # The longest first: a short name may be a part of a longer one. Inside a word of Latin letters it is another word.
    written = "|".join(re.escape(as_json_text(name)) for name in sorted(names, key=len)[::-1])
    pattern = re.compile(f"(?<![A-Za-z])(?:{written})(?![A-Za-z])")
    rows = WebhookDelivery.objects.exclude(subscription__service=WebhookSubscription.Service.PROGRAM)
    for row in rows.select_related("subscription").iterator():
        with translation.override(row.subscription.language or settings.LANGUAGE_CODE):
            body = pattern.sub(str(player), row.body)
        if body != row.body:
            WebhookDelivery.objects.filter(pk=row.pk).update(body=body)


def as_json_text(name: str) -> str:
    """Return a name as it stands within a string of JSON: quotation marks and backslashes are escaped."""
    return json.dumps(name, ensure_ascii=False)[1:-1]


def holds(text: str, names: Iterable[str]) -> bool:
    """Return True if the text contains any of the names."""
    return any(name in text for name in names)
