"""Tests of the reminder mail one week before a token expires."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.utils import timezone

from league.models import Door, OrganizationChange, Role
from league.selectors.access.actors import Actor, Capability
from league.services.access.tokens import TokenPlan, make_token, revoke_token
from league.services.operations.sweep import sweep
from tests import factories

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
Committed = Callable[..., Any]


@pytest.fixture
def hana(mail_server: None) -> User:
    return factories.user("hana", Role.DIRECTOR, factories.final_table(), email="hana@example.org")


def make(user: User, days: int, label: str = "overlay") -> Any:
    plan = TokenPlan(label=label, scopes=[Capability.READ], expires_in=days * DAY)
    return make_token(plan=plan, by=Actor(user, Door.PAGE)).row


def reminders(committed: Committed, after: dt.timedelta) -> list[str]:
    """Run the sweep after the given time and return the mails it sends."""
    mail.outbox.clear()
    with time_machine.travel(timezone.now() + after), committed(execute=True):
        sweep()
    return [str(letter.body) for letter in mail.outbox]


@pytest.mark.both_databases
def test_the_owner_gets_one_mail_a_week_before_the_token_expires(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    make(hana, 90)
    assert reminders(django_capture_on_commit_callbacks, 82 * DAY) == []
    (letter,) = reminders(django_capture_on_commit_callbacks, 83 * DAY + dt.timedelta(hours=1))
    assert "Token about to end" in letter
    assert "overlay" in letter
    assert reminders(django_capture_on_commit_callbacks, 84 * DAY) == []
    assert reminders(django_capture_on_commit_callbacks, 91 * DAY) == []
    assert OrganizationChange.objects.filter(kind="token.ends_soon").count() == 1


def test_short_lived_and_revoked_tokens_and_inactive_accounts_get_no_reminder(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    make(hana, 7, "a week")
    revoke_token(row=make(hana, 30, "revoked"), by=factories.SYSTEM)
    gone = factories.user("gone", Role.DIRECTOR, factories.final_table("other"), email="gone@example.org")
    make(gone, 30)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert reminders(django_capture_on_commit_callbacks, 3 * DAY) == []
    assert reminders(django_capture_on_commit_callbacks, 25 * DAY) == []
