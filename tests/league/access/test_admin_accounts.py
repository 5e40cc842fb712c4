"""Tests of the admin's user page: which fields a superuser may change and which are read-only."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.admin.access.accounts import RIGHTS
from league.models import OrganizationChange
from tests import factories

pytestmark = pytest.mark.django_db


def admin_client() -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.web.sign_in.AccountBackend")
    return client


def test_the_user_page_offers_only_the_permissions_the_project_uses() -> None:
    page = admin_client().get(f"/admin/auth/user/{factories.user().pk}/change/").content.decode()
    assert len(re.findall(r'type="checkbox" name="user_permissions"', page)) == len(RIGHTS)
    assert "May set up new competitions" in page
    assert 'name="groups"' not in page


@pytest.mark.parametrize(
    ("language", "words"), [("en", "the current password is lost"), ("ja", "今のパスワードは失われます")]
)
def test_the_help_about_a_password_is_in_the_language_of_the_page(language: str, words: str) -> None:
    account = factories.user()
    account.set_password("a-password-of-some-length")
    account.save()
    page = admin_client().get(f"/admin/auth/user/{account.pk}/password/", headers={"accept-language": language})
    assert words in page.content.decode()


@pytest.mark.both_databases
def test_a_user_with_the_granted_permission_may_add_competitions_and_the_log_records_it() -> None:
    account, client = factories.user(is_staff=True), admin_client()
    page = client.get(f"/admin/auth/user/{account.pk}/change/").content.decode()
    (right,) = re.findall(r'name="user_permissions" value="(\d+)"', page)
    typed = {"username": account.username, "is_active": "on", "is_staff": "on", "user_permissions": right}
    assert client.post(f"/admin/auth/user/{account.pk}/change/", typed).status_code == 302
    assert User.objects.get(pk=account.pk).get_all_permissions() == {"league.add_competition"}
    assert OrganizationChange.objects.get(kind="account.edited").after == {"fields": ["user_permissions"]}


def test_the_date_joined_of_a_user_is_read_only() -> None:
    account = factories.user(is_staff=True)
    typed = {"username": account.username, "is_active": "on", "date_joined_0": "2001-01-01", "date_joined_1": "00:00"}
    assert admin_client().post(f"/admin/auth/user/{account.pk}/change/", typed).status_code == 302
    assert User.objects.get(pk=account.pk).date_joined == account.date_joined


def test_accounts_are_listed_and_edited_by_the_name_they_sign_in_with() -> None:
    client = admin_client()
    account = factories.user()
    for page in ("", "add/", f"{account.pk}/change/"):
        assert "Name to sign in with" in client.get(f"/admin/auth/user/{page}").content.decode(), page


def test_the_page_that_resets_two_factor_does_not_say_that_the_reason_is_published() -> None:
    address = f"/admin/auth/user/{factories.user().pk}/reset-code/"
    page = admin_client().get(address, headers={"accept-language": "en"}).content.decode()
    assert "It is not published." in page
    assert "It is published" not in page
