"""Two-factor authentication: a code from an authenticator app (TOTP), or one of a list of recovery codes.

Recovery codes are stored as keyed digests. The app's secret must be stored as it is, because the codes are computed
from it; it is shown once, during set-up, and appears in no log.
"""

from __future__ import annotations

import math
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Membership, Role
from league.platform.environment import TwoFactor
from league.platform.errors import forbid, refuse
from league.selectors.access.actors import Actor, is_master
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner
from league.services.access.tokens import in_person

RECOVERY_CODES = 10
RECOVERY_LENGTH = 10
RECOVERY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
KEPT_OF_DIGEST = 16
DEVICE_NAME = "app"
RECOVERY_NAME = "recovery"


@dataclass(frozen=True, slots=True)
class CodeCheck:
    """The result of trying a code: the device that accepted it, or the seconds to wait before the next attempt."""

    device: Device | None = None
    wait: int = 0


def has_second_step(user: User) -> bool:
    """Return True if signing in to this account requires a code."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def must_have_second_step(user: User) -> bool:
    """Return True if the installation requires a second factor of this user."""
    rule = settings.ENVIRONMENT.require_two_factor
    if rule == TwoFactor.NOBODY:
        return False
    # Superusers need one under both remaining rules.
    directs = rule == TwoFactor.ORGANIZERS and Membership.objects.filter(user=user, role=Role.DIRECTOR).exists()
    return user.is_superuser or directs


@all_or_nothing
def begin(*, user: User) -> TOTPDevice:
    """Return the unconfirmed device with the app's secret; beginning again returns the same one.

    It is not in force before a code has been entered (`confirm`).
    """
    refuse_second(user)
    device, _made = TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": DEVICE_NAME})
    return device


def confirm(*, user: User, code: str, by: Actor) -> Sequence[str]:
    """Turn on two-factor authentication with a first code; return the recovery codes, which are shown this once."""
    refuse_second(user)
    refuse_unless(
        CodeCheck() if not _is_code(code) else _try(TOTPDevice.objects.filter(user=user, confirmed=False), code)
    )
    # Begun only now: the attempt above must stay counted even if it was wrong, so no rollback may undo it.
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user).update(confirmed=True)
        codes = _new_codes(user)
        record_organization_change("two_factor.on", user, by=by)
        notify_owner(user, News("two_factor.on"), by=by)
    return codes


def check(*, user: User, code: str) -> CodeCheck:
    """Try a code of the app, or a recovery code, which is valid once. Each wrong attempt lengthens the wait."""
    if _is_code(code):
        return _try(TOTPDevice.objects.filter(user=user, confirmed=True), code)
    return _try(StaticDevice.objects.filter(user=user, confirmed=True), kept_digest(user, code))


def renew_codes(*, user: User, code: str, by: Actor) -> Sequence[str]:
    """Replace the recovery codes by new ones."""
    refuse_unless(check(user=user, code=code))
    with transaction.atomic():
        codes = _new_codes(user)
        record_organization_change("two_factor.codes_renewed", user, by=by)
        notify_owner(user, News("two_factor.codes_renewed"), by=by)
    return codes


def turn_off(*, user: User, password: str, code: str, by: Actor) -> None:
    """Turn off two-factor authentication; it takes password and code, and is refused where it is mandatory."""
    if in_person(by).pk != user.pk:
        raise forbid(_("Only its owner turns it off."))
    if must_have_second_step(user):
        raise refuse("two_factor_required", _("Here all users with your rights sign in with a code."), "/code")
    if not user.check_password(password):
        raise refuse("wrong_password", _("The password is wrong."), "/password")
    refuse_unless(check(user=user, code=code))
    _forget(user, "two_factor.off", by)


@all_or_nothing
def reset(*, user: User, by: Actor, reason: str) -> None:
    """Remove the second factor of a user without phone and recovery codes; for superusers, with a reason."""
    if not (by.is_system or is_master(by.user)):
        raise forbid(_("Only superusers reset another user's second step."))
    if not reason.strip():
        raise refuse("reason_needed", _("Please give a reason: it stands in the log."), "/reason")
    _forget(user, "two_factor.reset", by, reason)


def digest_of(user: User, code: str, secret: str | None = None) -> str:
    """Return the digest stored of a recovery code: an HMAC, useless without the service's secret key."""
    tidied = "".join(code.lower().split()).replace("-", "")
    digest = salted_hmac("league.recovery", f"{user.pk}:{tidied}", secret, algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode()[:KEPT_OF_DIGEST]


def kept_digest(user: User, code: str) -> str:
    """Return the stored digest that matches this code, made with the present or a former secret key.

    Without a match it is the digest by the present key, which no device accepts.
    """
    made = [digest_of(user, code, secret) for secret in (None, *settings.SECRET_KEY_FALLBACKS)]
    there = StaticToken.objects.filter(device__user=user, token__in=made).values_list("token", flat=True).first()
    return there or made[0]


def codes_left(user: User) -> int:
    """Return the number of unused recovery codes."""
    return int(StaticToken.objects.filter(device__user=user).count())


def refuse_unless(answer: CodeCheck) -> None:
    """Raise if the code was wrong, or if it is too early to try again."""
    if answer.wait:
        message = _("Too many wrong codes. Wait %(seconds)s seconds and try again.") % {"seconds": answer.wait}
        raise refuse("wait", message, "/code", seconds=answer.wait)
    if answer.device is None:
        message = _("This code is not right. Type the one the app shows now; check the clock of your phone.")
        raise refuse("wrong_code", message, "/code")


def refuse_second(user: User) -> None:
    """Raise if two-factor authentication is on already: it must be turned off before another app is set up."""
    if has_second_step(user):
        raise refuse("two_factor_on", _("Signing in asks for a code already."))


def _is_code(code: str) -> bool:
    """Return True if the input has digits only, as codes of the app do; recovery codes have letters."""
    return "".join(code.split()).isdecimal()


def _try(devices: QuerySet[TOTPDevice] | QuerySet[StaticDevice], code: str) -> CodeCheck:
    """Try the code at the device under a row lock, one attempt at a time, so that no code is accepted twice."""
    with transaction.atomic():
        device = devices.select_for_update().first()
        if device is None:
            return CodeCheck()
        allowed, said = device.verify_is_allowed()
        if not allowed:
            return CodeCheck(wait=max(1, math.ceil((said["locked_until"] - timezone.now()).total_seconds())))
        return CodeCheck(device if device.verify_token("".join(code.split())) else None)


def _new_codes(user: User) -> Sequence[str]:
    device, _made = StaticDevice.objects.get_or_create(user=user, defaults={"name": RECOVERY_NAME})
    device.token_set.all().delete()
    codes = [
        "".join(secrets.choice(RECOVERY_LETTERS) for _letter in range(RECOVERY_LENGTH))
        for _code in range(RECOVERY_CODES)
    ]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=digest_of(user, code)) for code in codes)
    return codes


@transaction.atomic
def _forget(user: User, kind: str, by: Actor, reason: str = "") -> None:
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    record_organization_change(kind, user, by=by, reason=reason)
    notify_owner(user, News(kind), by=by)
