"""A code of the app that comes a second time was perhaps read over somebody's shoulder: its owner hears of it."""

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
from league.services.access.mails import News, tell

KIND = "two_factor.code_reused"
TOLD_EVERY = dt.timedelta(hours=1)


@all_or_nothing
def note_if_reused(*, user: User, code: str, by: Actor) -> bool:
    """Whether a code that was refused is right but for having been used; told of once an hour at most."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None or not is_reused(device, code):
        return False
    lines = OrganizationChange.objects.filter(kind=KIND, subject_type="user", subject_id=str(user.pk))
    if not lines.filter(at__gt=timezone.now() - TOLD_EVERY).exists():
        record_organization_change(KIND, user, by=by)
        tell(user, News(KIND), by=by)
    return True


def is_reused(device: TOTPDevice, code: str) -> bool:
    """Whether the app shows this code, or did a moment ago, and somebody was let in by it or a later one."""
    digits = "".join(code.split())
    if not (digits.isdecimal() and len(digits) == device.digits):
        return False
    shown = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    shown.time = time.time()
    return bool(shown.verify(int(digits), device.tolerance) and shown.t() <= device.last_t)
