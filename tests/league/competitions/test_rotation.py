"""Another SECRET_KEY, with the one before among SECRET_KEY_FALLBACKS: whatever was given out goes on working.

What is derived from the secret or signed by it is tried with the old one kept and given up; what is kept as a digest or
as it is knows nothing of the secret.
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
    """The installation after its secret was changed; the one before is kept among the fallbacks or given up."""
    with override_settings(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=[OLD] if keeps else []):
        yield


@pytest.fixture(autouse=True)
def _before() -> Iterator[None]:
    """Everything is made under the old secret."""
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
    """Signing in asks for a code from now on; the recovery codes."""
    two_factor.begin(user=user)
    return list(two_factor.confirm(user=user, code=code_of(user), by=Actor(user=user, door=Door.PAGE)))


def signed_in(user: User) -> Client:
    """By password and code, as in a browser."""
    client = Client()
    client.post("/login/", {"username": user.username, "password": PASSWORD})
    client.post("/login/code/", {"code": code_of(user, ahead=1)})
    assert client.get("/account/").status_code == 200
    return client


@pytest.mark.both_databases
def test_a_session_goes_on_with_its_second_step(chief: User) -> None:
    with_code(chief)
    client = signed_in(chief)
    with rotated(keeps=True):
        assert client.get("/account/").status_code == 200
        assert client.get("/admin/").status_code == 200


def test_a_session_never_used_since_the_secret_was_given_up_is_nobodys(chief: User) -> None:
    client = Client()
    client.post("/login/", {"username": "chief", "password": PASSWORD})
    assert client.get("/account/").status_code == 200
    with rotated(keeps=False):
        assert client.get("/account/").status_code == 302


def test_a_session_used_meanwhile_is_signed_anew_and_needs_the_old_secret_no_more(chief: User) -> None:
    client = Client()
    client.post("/login/", {"username": "chief", "password": PASSWORD})
    with rotated(keeps=True):
        assert client.get("/account/").status_code == 200
    with rotated(keeps=False):
        assert client.get("/account/").status_code == 200


def test_the_form_that_was_open_is_still_taken(chief: User) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/login/").content.decode()
    mark = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    with rotated(keeps=True):
        typed = {"username": "chief", "password": PASSWORD, "csrfmiddlewaretoken": mark}
        assert client.post("/login/", typed).status_code == 302


def test_codes_of_the_app_and_recovery_codes_go_on_and_recovery_codes_end_with_the_old_secret(chief: User) -> None:
    codes = with_code(chief)
    with rotated(keeps=True):
        assert two_factor.check(user=chief, code=code_of(chief, ahead=1)).device is not None
        assert two_factor.check(user=chief, code=codes[0]).device is not None
    with rotated(keeps=False):
        assert two_factor.check(user=chief, code=codes[1]).device is None


def test_the_apps_code_knows_nothing_of_the_secret(chief: User) -> None:
    with_code(chief)
    with rotated(keeps=False):
        assert two_factor.check(user=chief, code=code_of(chief, ahead=1)).device is not None


@pytest.mark.parametrize("keeps", [True, False])
def test_invitations_links_tokens_and_passwords_know_nothing_of_the_secret(
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


def test_webhooks_are_signed_by_the_new_secrets_key_and_the_old_ones_until_it_is_given_up(
    season: Competition,
) -> None:
    told = subscribe(competition=season, url="https://hooks.example.org/in", by=SYSTEM)
    hook = told.subscription
    before = derived_key(OLD, hook, hook.key_number)
    assert signing_key(hook) == told.key
    with rotated(keeps=True):
        assert keys_of(hook) == [derived_key(NEW, hook, hook.key_number), before]
        assert len(signed_headers(hook, "id", 0, b"{}")["webhook-signature"].split()) == 2
        assert signing_key(hook) != told.key
    with rotated(keeps=False):
        assert before not in keys_of(hook)
