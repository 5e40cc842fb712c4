"""Tests of the mails about account changes: recipient, language, mail server failures, and no secrets in them."""

from __future__ import annotations

import datetime as dt
import logging
import re
import socket
from collections.abc import Callable
from smtplib import SMTPResponseException
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from knox.models import AuthToken

from league.models import Competition, Door, Invitation, Membership, OrganizationChange, Role
from league.selectors.access.actors import Actor, Capability
from league.services.access import two_factor
from league.services.access.invitations import accept, invite
from league.services.access.mails import News, notify_owner, send_letter
from league.services.access.memberships import add_member, change_role, remove_member
from league.services.access.tokens import TokenPlan, make_token, revoke_token, revoke_tokens_of, sign_in_by_token
from league.services.people.erasure import erase_account
from tests import factories
from tests.factories import SYSTEM

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mail_server")]
PASSWORD = "correct horse"
NEW = "another long one 0815"
ADDRESS = "hana@example.org"
Committed = Callable[..., Any]


@pytest.fixture
def hana() -> User:
    return factories.user("hana", email=ADDRESS)


def by(user: User) -> Actor:
    return Actor(user=user, door=Door.PAGE)


def code_of(user: User, *, ahead: int = 0) -> str:
    device = TOTPDevice.objects.get(user=user)
    return f"{totp(device.bin_key, t0=-30 * ahead):06}"


def plan(label: str = "overlay", competition: Competition | None = None) -> TokenPlan:
    return TokenPlan(label=label, scopes=[Capability.READ], expires_in=dt.timedelta(days=1), competition=competition)


def pop_only_mail() -> EmailMessage:
    """Return the only mail sent and empty the outbox."""
    (letter,) = mail.outbox
    mail.outbox.clear()
    return letter


def test_changing_the_own_password_sends_a_mail(
    client: Client, hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    client.force_login(hana)
    typed = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/password/", typed, headers={"accept-language": "en"})
    letter = pop_only_mail()
    assert letter.to == [ADDRESS]
    assert letter.subject == "Your account: Own password changed"
    assert "By: a user signed in with this account" in letter.body
    assert NEW not in letter.body
    assert PASSWORD not in letter.body


def test_a_superuser_setting_a_password_or_a_new_address_sends_a_mail_to_the_old_address_too(
    client: Client, hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    given = {"usable_password": "true", "password1": NEW, "password2": NEW}
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"/admin/auth/user/{hana.pk}/password/", given).status_code == 302
    letter = pop_only_mail()
    assert "New password given by a superuser" in letter.body
    assert "By: an administrator or organizer" in letter.body
    assert NEW not in letter.body
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    typed = {"username": "hana", "email": "new@example.org", "is_active": "on", **joined}
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"/admin/auth/user/{hana.pk}/change/", typed).status_code == 302
    assert [letter.to for letter in mail.outbox] == [[ADDRESS], ["new@example.org"]]
    assert all("Changed: email address" in letter.body for letter in mail.outbox)
    assert all("new@example.org" not in letter.body for letter in mail.outbox)


@pytest.mark.both_databases
def test_changing_the_first_name_sends_no_mail(
    client: Client, hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    User.objects.filter(pk=hana.pk).update(date_joined="2026-01-01T00:00:00+09:00")
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    typed = {"username": "hana", "email": ADDRESS, "first_name": "Hana", "is_active": "on", **joined}
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(f"/admin/auth/user/{hana.pk}/change/", typed).status_code == 302
    assert mail.outbox == []


def test_every_change_of_two_factor_settings_sends_a_mail_without_secrets(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    two_factor.begin(user=hana)
    key = TOTPDevice.objects.get(user=hana).key
    codes: list[str] = []
    with django_capture_on_commit_callbacks(execute=True):
        codes += two_factor.confirm(user=hana, code=code_of(hana), by=by(hana))
    with django_capture_on_commit_callbacks(execute=True):
        codes += two_factor.renew_codes(user=hana, code=code_of(hana, ahead=1), by=by(hana))
    with django_capture_on_commit_callbacks(execute=True):
        two_factor.turn_off(user=hana, password=PASSWORD, code=codes[-1], by=by(hana))
    with django_capture_on_commit_callbacks(execute=True):
        two_factor.reset(user=hana, by=SYSTEM, reason="phone lost")
    said = [str(letter.subject).removeprefix("Your account: ").split(" / ")[-1] for letter in mail.outbox]
    assert said[:3] == [
        "Signing in with a code turned on",
        "New recovery codes made",
        "Signing in with a code turned off",
    ]
    assert "Code reset by a superuser" in said[3]
    texts = "".join(str(letter.body) for letter in mail.outbox)
    assert not [secret for secret in (key, *codes) if secret in texts]


def test_mails_about_tokens_name_the_label_and_never_the_token(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    competition = factories.final_table()
    Membership.objects.create(competition=competition, user=hana, role=Role.SCORER)
    with django_capture_on_commit_callbacks(execute=True):
        made = make_token(plan=plan(competition=competition), by=by(hana))
    letter = pop_only_mail()
    assert "What: Token made" in letter.body
    assert "Competition: Spring League" in letter.body
    assert "Used for: overlay" in letter.body
    assert made.token not in letter.body
    assert made.row.digest[:12] not in letter.body
    with django_capture_on_commit_callbacks(execute=True):
        revoke_token(row=made.row, by=SYSTEM)
    letter = pop_only_mail()
    assert "What: Token revoked" in letter.body
    assert "By: the service itself" in letter.body


def test_repeated_logins_by_a_program_send_one_mail_a_day_and_logouts_send_none(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        made = [sign_in_by_token(user=hana, by=by(hana)) for _time in range(3)]
    assert made[0].token not in pop_only_mail().body
    with django_capture_on_commit_callbacks(execute=True):
        for each in made:
            revoke_token(row=each.row, by=Actor(user=hana, door=Door.API, credential=f"token:{each.row.digest[:12]}"))
    assert mail.outbox == []
    OrganizationChange.objects.update(at=timezone.now() - dt.timedelta(days=2))
    with django_capture_on_commit_callbacks(execute=True):
        sign_in_by_token(user=hana, by=by(hana))
    assert "Signed in by a program" in pop_only_mail().subject


def test_revoking_all_tokens_logs_one_change_for_each_and_sends_no_mail(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    AuthToken.objects.create(hana)
    AuthToken.objects.create(hana)
    with django_capture_on_commit_callbacks(execute=True):
        assert revoke_tokens_of(user=hana, by=by(hana)) == 2
    assert mail.outbox == []
    assert OrganizationChange.objects.filter(kind="token.revoked").count() == 2


def test_adding_changing_or_removing_a_member_sends_them_a_mail(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    competition = factories.final_table()
    with django_capture_on_commit_callbacks(execute=True):
        member = add_member(competition=competition, user=hana, role=Role.SCORER, by=SYSTEM)
    with django_capture_on_commit_callbacks(execute=True):
        change_role(member=member, role=Role.REFEREE, by=SYSTEM)
    with django_capture_on_commit_callbacks(execute=True):
        remove_member(member=member, by=SYSTEM)
    added, changed, removed = (letter.body for letter in mail.outbox)
    assert "Member of staff added" in added
    assert "Role: scorer" in added
    assert "Role: referee" in changed
    assert "Member of staff removed" in removed
    assert all("Competition: Spring League" in body for body in (added, changed, removed))


def test_erasing_an_account_sends_one_mail_to_its_former_address(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    factories.final_table().memberships.create(user=hana, role=Role.SCORER)
    AuthToken.objects.create(hana)
    with django_capture_on_commit_callbacks(execute=True):
        erase_account(user=hana, by=SYSTEM)
    letter = pop_only_mail()
    assert letter.to == [ADDRESS]
    assert "Account erased" in letter.body


def test_a_mail_about_an_own_action_uses_the_active_language(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    with translation.override("ja"), django_capture_on_commit_callbacks(execute=True):
        notify_owner(hana, News("account.password_changed"), by=by(hana))
    assert "自分のパスワード" in pop_only_mail().body


def test_a_mail_about_an_action_of_others_uses_the_language_of_the_invitation(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    invited = invite(competition=factories.final_table(), email=ADDRESS, role=Role.SCORER, language="en", by=SYSTEM)
    accept(token=invited.address.strip("/").split("/")[-1], by=by(hana))
    assert Invitation.objects.get().accepted_by == hana
    mail.outbox.clear()
    with translation.override("ja"), django_capture_on_commit_callbacks(execute=True):
        notify_owner(hana, News("account.password_given"), by=SYSTEM)
    letter = pop_only_mail()
    assert "New password given by a superuser" in letter.body
    assert not re.search(r"[ぁ-ん]", str(letter.body))


def test_a_mail_to_an_account_of_unknown_language_contains_every_language(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        notify_owner(hana, News("account.password_given"), by=SYSTEM)
    letter = pop_only_mail()
    assert "New password given by a superuser" in letter.body
    assert re.search(r"[ぁ-ん]", str(letter.body))


def test_no_mail_is_sent_before_the_commit_or_after_a_rollback(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    with django_capture_on_commit_callbacks(execute=False) as waiting:
        notify_owner(hana, News("account.password_given"), by=SYSTEM)
        assert mail.outbox == []
        with transaction.atomic():
            notify_owner(hana, News("account.edited"), by=SYSTEM)
            transaction.set_rollback(True)
    assert len(waiting) == 1


def test_without_a_mail_server_or_an_address_no_mail_is_sent(
    hana: User, settings: LazySettings, django_capture_on_commit_callbacks: Committed
) -> None:
    with django_capture_on_commit_callbacks(execute=True) as called:
        notify_owner(factories.user("nameless"), News("account.edited"), by=SYSTEM)
        settings.SENDS_LETTERS = False
        notify_owner(hana, News("account.edited"), by=SYSTEM)
    assert (called, mail.outbox) == ([], [])


def test_an_unreachable_mail_server_does_not_break_the_change(
    client: Client,
    hana: User,
    settings: LazySettings,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Committed,
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = closed.getsockname()
        client.force_login(hana)
        typed = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
        with caplog.at_level(logging.ERROR), django_capture_on_commit_callbacks(execute=True):
            assert client.post("/account/password/", typed)["Location"] == "/account/"
    assert User.objects.get(pk=hana.pk).check_password(NEW)
    assert f"the letter about account {hana.pk} could not be sent: ConnectionRefusedError" in caplog.text
    assert ADDRESS not in caplog.text


class Refused(EmailMessage):
    """A mail whose recipient is unknown to the mail server."""

    def send(self, *args: Any, **more: Any) -> int:
        raise SMTPResponseException(550, f"no such user: {ADDRESS}".encode())


def test_only_the_status_number_of_a_mail_server_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert not send_letter(Refused(to=[ADDRESS]), "account 1")
    assert "the letter about account 1 could not be sent: SMTPResponseException 550" in caplog.text
    assert ADDRESS not in caplog.text


def test_line_breaks_in_user_input_add_no_mail_header(
    hana: User, django_capture_on_commit_callbacks: Committed
) -> None:
    competition = factories.final_table(name="春\r\nBcc: everybody@example.org", name_en="Spring\nBcc: all@example.org")
    Membership.objects.create(competition=competition, user=hana, role=Role.SCORER)
    assert invite(competition=competition, email=ADDRESS, role=Role.SCORER, language="en", by=SYSTEM).is_sent
    letter = pop_only_mail()
    assert letter.subject == "Invitation: Spring Bcc: all@example.org"
    assert "bcc" not in letter.message()
    with django_capture_on_commit_callbacks(execute=True):
        make_token(plan=plan("overlay\r\nBy: nobody you know", competition), by=by(hana))
    assert "Used for: overlay By: nobody you know\n" in pop_only_mail().body


def test_an_address_with_a_line_break_is_rejected_and_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    letter = EmailMessage("About", "text", to=["hana@example.org\nBcc: all@example.org"])
    with caplog.at_level(logging.ERROR):
        assert not send_letter(letter, "account 1")
    assert mail.outbox == []
    assert "could not be sent: BadHeaderError" in caplog.text
    assert "example.org" not in caplog.text
