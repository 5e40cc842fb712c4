"""Test the records of login attempts: superusers read them, and no user can change or delete them."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Role
from league.services.access.invitations import invite
from tests import factories

pytestmark = pytest.mark.django_db
PASSWORD = "a long one that nobody uses"
LISTS = {"accessattempt": AccessAttempt, "accesslog": AccessLog, "accessfailurelog": AccessFailureLog}


@pytest.fixture
def master() -> Client:
    client = Client()
    client.force_login(factories.user("master", is_superuser=True, is_staff=True))
    return client


def create_row(kind: str) -> str:
    """Create a row of the list and return its URL in the admin."""
    more = {"failures_since_start": 3} if kind == "accessattempt" else {}
    row = LISTS[kind].objects.create(username="guessed", ip_address="203.0.113.7", user_agent="x", **more)
    return f"/admin/axes/{kind}/{row.pk}"


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", LISTS)
def test_a_superuser_reads_the_lists_and_can_neither_change_nor_delete_rows(master: Client, kind: str) -> None:
    row = create_row(kind)
    assert "guessed" in master.get(f"/admin/axes/{kind}/").content.decode()
    page = master.get(f"{row}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert master.post(f"{row}/change/", {"username": "nobody"}).status_code == 403
    assert master.get(f"{row}/delete/").status_code == 403
    assert master.post(f"{row}/delete/", {"post": "yes"}).status_code == 403
    assert master.get(f"/admin/axes/{kind}/add/").status_code == 403
    for action in ("delete_selected", "cleanup_expired_attempts"):
        master.post(f"/admin/axes/{kind}/", {"action": action, "_selected_action": ["1"], "post": "yes"})
    assert list(LISTS[kind].objects.exclude(username="master").values_list("username", flat=True)) == ["guessed"]


@pytest.mark.parametrize("kind", LISTS)
def test_model_permissions_do_not_allow_staff_to_change_or_delete_rows(client: Client, kind: str) -> None:
    row = create_row(kind)
    clerk = factories.user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(content_type__app_label="axes"))
    client.force_login(clerk)
    client.post(f"{row}/delete/", {"post": "yes"})
    client.post(f"{row}/change/", {"username": "nobody"})
    assert LISTS[kind].objects.filter(username="guessed").exists()


def test_a_typed_password_is_not_recorded(client: Client) -> None:
    factories.user("hana")
    client.post("/login/", {"username": "hana", "password": "my secret of secrets"})
    attempt = AccessAttempt.objects.get(username="hana")
    assert "my secret of secrets" not in str(vars(attempt))


def test_a_secret_link_is_recorded_masked(client: Client) -> None:
    made = invite(
        competition=factories.league(), email="new@example.org", role=Role.READER, language="en", by=factories.SYSTEM
    )
    path = urlsplit(made.address).path
    key = path.rstrip("/").rsplit("/", 1)[-1]
    factories.user("hana")
    client.post(f"/login/?next={path}", {"username": "hana", "password": "wrong", "next": path})
    typed = {"username": "newcomer", "password": PASSWORD, "again": PASSWORD}
    assert client.post(path, typed).status_code == 302
    rows = [vars(row) for model in LISTS.values() for row in model.objects.all()]
    assert {row["username"] for row in rows} == {"hana", "newcomer"}
    assert key not in str(rows)
    assert "/invitation/[hidden]/" in str(rows)
