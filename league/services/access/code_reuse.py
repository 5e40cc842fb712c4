"""Detect the reuse of a one-time code (TOTP): a code that comes again may have been spied, so the owner is notified."""

from __future__ import annotations

import datetime as dt
import time

from django.contrib.auth.models import User
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import OrganizationChange
from league.selectors.access.actors import Actor
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.mails import News, notify_owner

KIND = "two_factor.code_reused"
TOLD_EVERY = dt.timedelta(hours=1)


@all_or_nothing
def note_if_reused(*, user: User, code: str, by: Actor) -> bool:
    """Return True if a refused code was correct but already used; write to the owner at most once an hour."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None or not is_reused(device, code):
        return False
    lines = OrganizationChange.objects.filter(kind=KIND, subject_type="user", subject_id=str(user.pk))
    if not lines.filter(at__gt=timezone.now() - TOLD_EVERY).exists():
        record_organization_change(KIND, user, by=by)
        notify_owner(user, News(KIND), by=by)
    return True


def is_reused(device: TOTPDevice, code: str) -> bool:
    """Return True if the code is valid within the tolerance now, but this code or a later one was already accepted."""
    digits = "".join(code.split())
    if not (digits.isdecimal() and len(digits) == device.digits):
        return False
    shown = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    shown.time = time.time()
    return bool(shown.verify(int(digits), device.tolerance) and shown.t() <= device.last_t)
