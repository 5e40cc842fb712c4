"""The desk's page of an account: what it offers a superuser to change, and what it leaves alone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league.admin.access.accounts import RIGHTS
from league.models import OrganizationChange
from tests import factories

pytestmark = pytest.mark.django_db


def desk() -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.web.sign_in.AccountBackend")
    return client


def test_an_account_is_offered_the_rights_that_mean_something_and_no_other_of_djangos() -> None:
    page = desk().get(f"/admin/auth/user/{factories.user().pk}/change/").content.decode()
    assert len(re.findall(r'type="checkbox" name="user_permissions"', page)) == len(RIGHTS)
    assert "May set up new competitions" in page
    assert 'name="groups"' not in page


@pytest.mark.both_databases
def test_whoever_is_given_the_right_may_set_up_competitions_and_the_log_says_so() -> None:
    somebody, client = factories.user(is_staff=True), desk()
    page = client.get(f"/admin/auth/user/{somebody.pk}/change/").content.decode()
    (right,) = re.findall(r'name="user_permissions" value="(\d+)"', page)
    typed = {"username": somebody.username, "is_active": "on", "is_staff": "on", "user_permissions": right}
    assert client.post(f"/admin/auth/user/{somebody.pk}/change/", typed).status_code == 302
    assert User.objects.get(pk=somebody.pk).get_all_permissions() == {"league.add_competition"}
    assert OrganizationChange.objects.get(kind="account.edited").after == {"fields": ["user_permissions"]}


def test_when_somebody_signed_in_and_joined_is_read_and_not_typed() -> None:
    somebody = factories.user(is_staff=True)
    typed = {"username": somebody.username, "is_active": "on", "date_joined_0": "2001-01-01", "date_joined_1": "00:00"}
    assert desk().post(f"/admin/auth/user/{somebody.pk}/change/", typed).status_code == 302
    assert User.objects.get(pk=somebody.pk).date_joined == somebody.date_joined
