"""Tests of two-factor authentication: setup, login by page, admin and REST, recovery codes, reset."""

from __future__ import annotations

import re
import time

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.models import Door, OrganizationChange, Role
from league.platform.environment import TwoFactor
from league.platform.errors import PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.services.access import two_factor
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse"


def code_of(user: User, *, ahead: int = 0) -> str:
    """Return the code the app shows `ahead` periods from now; each code works only once."""
    device = TOTPDevice.objects.get(user=user)
    return f"{totp(device.bin_key, t0=-30 * ahead):06}"


def by(user: User) -> Actor:
    return Actor(user=user, door=Door.PAGE)


def with_code(name: str = "chief", *, is_superuser: bool = False) -> tuple[User, list[str]]:
    """Return an organizer with two-factor turned on, and the recovery codes."""
    user = factories.user(name, is_staff=True, is_superuser=is_superuser)
    two_factor.begin(user=user)
    codes = two_factor.confirm(user=user, code=code_of(user), by=by(user))
    return user, list(codes)


def say_password(client: Client, page: str = "/login/", name: str = "chief") -> str:
    return client.post(page, {"username": name, "password": PASSWORD, "next": "/account/"})["Location"]


def demand(settings: LazySettings, rule: TwoFactor) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"require_two_factor": rule})


@pytest.mark.parametrize("page", ["/login/", "/admin/login/"])
def test_the_password_alone_does_not_log_in_a_user_with_two_factor(client: Client, page: str) -> None:
    user, _codes = with_code()
    assert say_password(client, page) == "/login/code/"
    assert client.get("/account/").status_code == 302
    assert client.get("/admin/").status_code == 302
    answer = client.post("/login/code/", {"code": code_of(user, ahead=1)})
    assert answer["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert client.get("/admin/").status_code == 200


def test_a_wrong_code_is_rejected_and_the_next_attempt_is_throttled(client: Client) -> None:
    user, _codes = with_code()
    say_password(client)
    with time_machine.travel(timezone.now(), tick=False):
        assert client.post("/login/code/", {"code": "000000"}).status_code == 422
        early = client.post("/login/code/", {"code": code_of(user, ahead=1)}, headers={"accept-language": "en"})
    assert "Wait" in early.content.decode()
    assert client.get("/account/").status_code == 302


def test_a_code_works_once() -> None:
    user, _codes = with_code()
    code = code_of(user, ahead=1)
    assert two_factor.check(user=user, code=code).device is not None
    assert two_factor.check(user=user, code=code).device is None


@pytest.mark.both_databases
def test_a_recovery_code_works_once_and_only_its_digest_is_stored(client: Client) -> None:
    user, codes = with_code()
    kept = set(StaticToken.objects.values_list("token", flat=True))
    assert len(kept) == len(codes)
    assert not kept & set(codes)
    say_password(client)
    assert client.post("/login/code/", {"code": codes[0].upper()})["Location"] == "/account/"
    assert two_factor.check(user=user, code=codes[0]).device is None
    assert two_factor.codes_left(user) == len(codes) - 1


def test_turning_two_factor_on_ends_sessions_that_logged_in_without_a_code(client: Client) -> None:
    user = factories.user("chief", is_staff=True)
    client.force_login(user)
    assert client.get("/account/").status_code == 200
    two_factor.begin(user=user)
    two_factor.confirm(user=user, code=code_of(user), by=by(user))
    assert client.get("/account/").status_code == 302
    assert client.get("/admin/").status_code == 302


@pytest.mark.both_databases
def test_the_setup_shows_key_and_recovery_codes_once_and_ends_other_sessions(client: Client) -> None:
    user = factories.user("chief")
    client.force_login(user)
    elsewhere = Client()
    elsewhere.force_login(user)
    page = client.get("/account/code/").content.decode()
    key = re.search(r"<code>([A-Z2-7 =]+)</code>", page)
    assert key
    assert "<svg" in page
    wrong = client.post("/account/code/", {"code": "123"})
    assert wrong.status_code == 422
    TOTPDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)
    done = client.post("/account/code/", {"code": code_of(user)}).content.decode()
    assert len(re.findall(r"<li><code>", done)) == two_factor.RECOVERY_CODES
    assert client.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    assert client.get("/account/code/").status_code == 302


@pytest.mark.both_databases
def test_a_user_who_needs_two_factor_sets_it_up_during_login(client: Client, settings: LazySettings) -> None:
    demand(settings, TwoFactor.SUPERUSERS)
    user = factories.user("chief", is_staff=True, is_superuser=True)
    assert say_password(client) == "/login/code/"
    page = client.get("/login/code/").content.decode()
    assert "<svg" in page
    assert client.get("/admin/").status_code == 302
    done = client.post("/login/code/", {"code": code_of(user)}).content.decode()
    assert 'href="/account/"' in done
    assert client.get("/admin/").status_code == 200


@pytest.mark.both_databases
def test_a_setting_requires_two_factor_of_organizers_but_not_of_scorers(settings: LazySettings) -> None:
    demand(settings, TwoFactor.ORGANIZERS)
    competition = factories.final_table()
    director = factories.user("director", Role.DIRECTOR, competition)
    scorer = factories.user("scorer", Role.SCORER, competition)
    assert two_factor.must_have_second_step(director)
    assert not two_factor.must_have_second_step(scorer)
    for user, status in ((director, 302), (scorer, 200)):
        client = Client()
        client.force_login(user)
        assert client.get("/account/").status_code == status


def test_rest_login_requires_the_code_too() -> None:
    user, codes = with_code()
    body = {"username": "chief", "password": PASSWORD}
    assert Api().post("auth/login/", body, status=401)["code"] == "not_authenticated"
    wrong = Api().post("auth/login/", {**body, "otp": "000000"}, status=401)
    assert (wrong["code"], "code is not right" in wrong["detail"]) == ("not_authenticated", True)
    assert Api().post("auth/login/", {**body, "otp": codes[0]})["user"] == "chief"
    assert two_factor.codes_left(user) == len(codes) - 1


@pytest.mark.both_databases
def test_turning_two_factor_off_requires_password_and_code() -> None:
    user, codes = with_code()
    with pytest.raises(RuleViolationError, match=r"(?i)password"):
        two_factor.turn_off(user=user, password="wrong", code=codes[0], by=by(user))
    two_factor.turn_off(user=user, password=PASSWORD, code=codes[0], by=by(user))
    assert not two_factor.has_second_step(user)
    assert not StaticToken.objects.exists()


def test_a_user_who_needs_two_factor_cannot_turn_it_off(settings: LazySettings) -> None:
    user, codes = with_code(is_superuser=True)
    demand(settings, TwoFactor.SUPERUSERS)
    with pytest.raises(RuleViolationError):
        two_factor.turn_off(user=user, password=PASSWORD, code=codes[0], by=by(user))


def test_a_superuser_resets_two_factor_and_the_log_records_the_reason() -> None:
    user, _codes = with_code()
    master = factories.user("master", is_superuser=True)
    with pytest.raises(PermissionRefusedError):
        two_factor.reset(user=user, by=by(factories.user("somebody", is_staff=True)), reason="lost")
    two_factor.reset(user=user, by=by(master), reason="lost the phone on the train")
    assert not two_factor.has_second_step(user)
    line = OrganizationChange.objects.get(kind="two_factor.reset")
    assert (line.actor, line.subject_id, line.reason) == (master, str(user.pk), "lost the phone on the train")


def test_the_login_restarts_when_the_code_comes_an_hour_after_the_password(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, _codes = with_code()
    say_password(client)
    later = time.time() + 3600
    monkeypatch.setattr("league.views.access.account.time.time", lambda: later)
    assert client.post("/login/code/", {"code": code_of(user, ahead=1)})["Location"] == "/login/"
