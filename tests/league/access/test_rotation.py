"""Tests of a changed SECRET_KEY with the old one in SECRET_KEY_FALLBACKS: links, sessions and keys stay valid.

Data derived from or signed with the secret is tested with the old secret kept and dropped; data stored as a digest or
in plain form does not depend on the secret.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Competition, Door, Role, TableLink
from league.selectors.access.actors import Actor, Capability
from league.services.access import two_factor
from league.services.access.invitations import invite
from league.services.access.tokens import TokenPlan, make_token
from league.services.live.links import make_link
from league.services.webhooks.signing import derived_key, keys_of, signed_headers, signing_key
from league.services.webhooks.subscriptions import subscribe
from tests import factories
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"
OLD, NEW = ("".join(f"{start}{number}-" for number in range(20)) for start in ("old", "new"))


@contextmanager
def rotated(*, keeps: bool) -> Iterator[None]:
    """Change the secret; keep the old one as a fallback or drop it."""
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD] if keeps else []):
        yield


@pytest.fixture(autouse=True)
def _before() -> Iterator[None]:
    """Run the test's setup under the old secret."""
    with override_settings(SECRET_KEY=OLD, SECRET_KEY_FALLBACKS=[]):
        yield


@pytest.fixture
def season() -> Competition:
    return factories.final_table()


@pytest.fixture
def chief(season: Competition) -> User:
    return factories.user("chief", Role.DIRECTOR, season, is_staff=True)


def code_of(user: User, *, ahead: int = 0) -> str:
    return f"{totp(TOTPDevice.objects.get(user=user).bin_key, t0=-30 * ahead):06}"


def with_code(user: User) -> list[str]:
    """Turn two-factor on for the user and return the recovery codes."""
    two_factor.begin(user=user)
    return list(two_factor.confirm(user=user, code=code_of(user), by=Actor(user=user, door=Door.PAGE)))


def signed_in(user: User) -> Client:
    """Return a client logged in by password and code, like a browser."""
    client = Client()
    client.post("/login/", {"username": user.username, "password": PASSWORD})
    client.post("/login/code/", {"code": code_of(user, ahead=1)})
    assert client.get("/account/").status_code == 200
    return client


@pytest.mark.both_databases
def test_a_session_with_two_factor_survives_the_rotation(chief: User) -> None:
    with_code(chief)
    client = signed_in(chief)
    with rotated(keeps=True):
        assert client.get("/account/").status_code == 200
        assert client.get("/admin/").status_code == 200


def test_a_session_not_used_during_the_rotation_ends_when_the_old_secret_is_dropped(chief: User) -> None:
    client = Client()
    client.post("/login/", {"username": "chief", "password": PASSWORD})
    assert client.get("/account/").status_code == 200
    with rotated(keeps=False):
        assert client.get("/account/").status_code == 302


def test_a_session_used_during_the_rotation_is_signed_with_the_new_secret(chief: User) -> None:
    client = Client()
    client.post("/login/", {"username": "chief", "password": PASSWORD})
    with rotated(keeps=True):
        assert client.get("/account/").status_code == 200
    with rotated(keeps=False):
        assert client.get("/account/").status_code == 200


def test_a_form_opened_before_the_rotation_is_still_accepted(chief: User) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/login/").content.decode()
    mark = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    with rotated(keeps=True):
        typed = {"username": "chief", "password": PASSWORD, "csrfmiddlewaretoken": mark}
        assert client.post("/login/", typed).status_code == 302


def test_recovery_codes_work_until_the_old_secret_is_dropped(chief: User) -> None:
    codes = with_code(chief)
    with rotated(keeps=True):
        assert two_factor.check(user=chief, code=code_of(chief, ahead=1)).device is not None
        assert two_factor.check(user=chief, code=codes[0]).device is not None
    with rotated(keeps=False):
        assert two_factor.check(user=chief, code=codes[1]).device is None


def test_the_app_code_does_not_depend_on_the_secret(chief: User) -> None:
    with_code(chief)
    with rotated(keeps=False):
        assert two_factor.check(user=chief, code=code_of(chief, ahead=1)).device is not None


@pytest.mark.parametrize("keeps", [True, False])
def test_invitations_links_tokens_and_passwords_do_not_depend_on_the_secret(
    season: Competition, chief: User, keeps: bool
) -> None:
    invited = invite(competition=season, email="hana@example.org", role=Role.SCORER, language="en", by=SYSTEM)
    table = factories.table(season.blocks.get())
    link = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=SYSTEM)
    plan = TokenPlan(label="overlay", scopes=[Capability.READ], expires_in=dt.timedelta(days=1))
    token = make_token(plan=plan, by=Actor(user=chief, door=Door.PAGE)).token
    with rotated(keeps=keeps):
        assert Client().get("/" + invited.address.split("/", 3)[3]).status_code == 200
        assert Client().get(f"/t/{link.token}/").status_code == 302
        answer = Client().get("/api/v1/competitions/", headers={"Authorization": f"Token {token}"})
        assert answer.status_code == 200
        signing_in = Client().post("/login/", {"username": "chief", "password": PASSWORD})
        assert signing_in["Location"] == "/admin/"


def test_webhooks_are_signed_with_both_keys_until_the_old_secret_is_dropped(
    season: Competition,
) -> None:
    told = subscribe(owner=season, url="https://hooks.example.org/in", by=SYSTEM)
    hook = told.subscription
    before = derived_key(OLD, hook, hook.key_number)
    assert signing_key(hook) == told.key
    with rotated(keeps=True):
        assert keys_of(hook) == [derived_key(NEW, hook, hook.key_number), before]
        assert len(signed_headers(hook, "id", 0, b"{}")["webhook-signature"].split()) == 2
        assert signing_key(hook) != told.key
    with rotated(keeps=False):
        assert before not in keys_of(hook)
