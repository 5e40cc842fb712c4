"""Tests of the mail about a login from an unknown browser; a known browser sends none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import OrganizationChange, Role
from league.services.access.browsers import KEPT_FOR, MOST_ACCOUNTS, accounts_in, cookie_with
from league.services.access.invitations import invite
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mail_server")]
PASSWORD = "correct horse"
NAME = "jantaku_known"
Committed = Callable[..., Any]


@pytest.fixture
def hana() -> User:
    made = factories.user("hana", email="hana@example.org")
    User.objects.filter(pk=made.pk).update(last_login=timezone.now() - dt.timedelta(days=1))
    return made


def mails_sent_at_login(client: Client, committed: Committed, name: str = "hana") -> int:
    """Log in and out again and return the number of mails sent."""
    mail.outbox.clear()
    with committed(execute=True):
        answer = client.post("/login/", {"username": name, "password": PASSWORD}, headers={"accept-language": "en"})
        assert answer.status_code == 302
    client.post("/logout/")
    return len(mail.outbox)


def test_a_login_from_a_new_browser_sends_a_mail_and_a_known_browser_sends_none(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    client = Client()
    assert mails_sent_at_login(client, django_capture_on_commit_callbacks) == 1
    (letter,) = mail.outbox
    assert letter.to == ["hana@example.org"]
    assert letter.subject == "Your account: Signed in with a browser not seen before"
    assert mails_sent_at_login(client, django_capture_on_commit_callbacks) == 0
    assert mails_sent_at_login(Client(), django_capture_on_commit_callbacks) == 1
    assert OrganizationChange.objects.filter(kind="account.new_browser", subject_id=str(hana.pk)).count() == 2


def test_a_browser_is_remembered_for_each_account_separately(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    other = factories.user("yuki", email="yuki@example.org")
    User.objects.filter(pk=other.pk).update(last_login=timezone.now())
    client = Client()
    assert [mails_sent_at_login(client, django_capture_on_commit_callbacks, name) for name in ("hana", "yuki")] == [
        1,
        1,
    ]
    assert [mails_sent_at_login(client, django_capture_on_commit_callbacks, name) for name in ("hana", "yuki")] == [
        0,
        0,
    ]


def test_the_cookie_is_signed_expires_is_httponly_and_holds_a_limited_number_of_accounts(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    client = Client()
    mails_sent_at_login(client, django_capture_on_commit_callbacks)
    morsel = client.cookies[NAME]
    assert (morsel["httponly"], morsel["samesite"]) == (True, "Lax")
    assert accounts_in(morsel.value) == (hana.pk,)
    forged = morsel.value[:-1] + ("a" if morsel.value[-1] != "a" else "b")
    assert accounts_in(forged) == accounts_in("") == accounts_in("nothing:of:ours") == ()
    with time_machine.travel(timezone.now() + KEPT_FOR + dt.timedelta(days=1)):
        assert accounts_in(morsel.value) == ()
    full = cookie_with(hana, range(1000, 1100))
    assert accounts_in(full)[0] == hana.pk
    assert len(accounts_in(full)) == MOST_ACCOUNTS


def test_with_two_factor_the_mail_is_sent_after_the_code_is_accepted(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    device = TOTPDevice.objects.create(user=hana, name="app", confirmed=True)
    client = Client()
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/login/", {"username": "hana", "password": PASSWORD})
    assert mail.outbox == []
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/login/code/", {"code": f"{totp(device.bin_key):06}"})
    assert len(mail.outbox) == 1
    assert accounts_in(client.cookies[NAME].value) == (hana.pk,)


def test_creating_an_account_by_invitation_sends_no_new_browser_mail(
    django_capture_on_commit_callbacks: Committed,
) -> None:
    made = invite(
        competition=factories.final_table(),
        email="new@example.org",
        role=Role.READER,
        language="en",
        by=factories.SYSTEM,
    )
    mail.outbox.clear()
    client = Client()
    typed = {"username": "newcomer", "password": "a long one nobody uses", "again": "a long one nobody uses"}
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/" + made.address.split("/", 3)[3], typed)
    assert not [letter for letter in mail.outbox if "browser" in letter.subject]
    assert accounts_in(client.cookies[NAME].value) == (User.objects.get(username="newcomer").pk,)


def test_a_setting_turns_new_browser_mails_off(
    hana: User, settings: LazySettings, django_capture_on_commit_callbacks: Committed
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"tells_new_browsers": False})
    assert mails_sent_at_login(Client(), django_capture_on_commit_callbacks) == 0
    assert not OrganizationChange.objects.filter(kind="account.new_browser").exists()


@pytest.mark.both_databases
def test_a_reused_code_is_rejected_and_logged_and_mailed_once(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    device = TOTPDevice.objects.create(user=hana, name="app", confirmed=True)
    owner, thief = Client(), Client()
    for client in (owner, thief):
        client.post("/login/", {"username": "hana", "password": PASSWORD})
    code = f"{totp(device.bin_key):06}"
    assert owner.post("/login/code/", {"code": code}).status_code == 302
    mail.outbox.clear()
    for typed in ("000000", code, code):
        TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
        with django_capture_on_commit_callbacks(execute=True):
            assert thief.post("/login/code/", {"code": typed}, headers={"accept-language": "en"}).status_code == 422
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    by_rest = {"username": "hana", "password": PASSWORD, "otp": code}
    with django_capture_on_commit_callbacks(execute=True):
        assert Client().post("/api/v1/auth/login/", by_rest, "application/json").status_code == 401
    assert [letter.subject for letter in mail.outbox] == ["Your account: Code typed a second time"]
    assert OrganizationChange.objects.filter(kind="two_factor.code_reused").count() == 1
