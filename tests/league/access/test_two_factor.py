"""A second step: a code from the phone besides the password, at every door there is."""

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
    """What the app shows: `ahead` periods from now, for a code is good once."""
    device = TOTPDevice.objects.get(user=user)
    return f"{totp(device.bin_key, t0=-30 * ahead):06}"


def by(user: User) -> Actor:
    return Actor(user=user, door=Door.PAGE)


def with_code(name: str = "chief", *, is_superuser: bool = False) -> tuple[User, list[str]]:
    """An organizer whose signing in asks for a code; the recovery codes."""
    user = factories.user(name, is_staff=True, is_superuser=is_superuser)
    two_factor.begin(user=user)
    codes = two_factor.confirm(user=user, code=code_of(user), by=by(user))
    return user, list(codes)


def say_password(client: Client, page: str = "/login/", name: str = "chief") -> str:
    return client.post(page, {"username": name, "password": PASSWORD, "next": "/account/"})["Location"]


def demand(settings: LazySettings, rule: TwoFactor) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"require_two_factor": rule})


@pytest.mark.parametrize("page", ["/login/", "/admin/login/"])
def test_the_password_alone_lets_nobody_in_whose_signing_in_asks_for_a_code(client: Client, page: str) -> None:
    user, _codes = with_code()
    assert say_password(client, page) == "/login/code/"
    assert client.get("/account/").status_code == 302
    assert client.get("/admin/").status_code == 302
    answer = client.post("/login/code/", {"code": code_of(user, ahead=1)})
    assert answer["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert client.get("/admin/").status_code == 200


def test_a_wrong_code_lets_nobody_in_and_the_next_one_has_to_wait(client: Client) -> None:
    user, _codes = with_code()
    say_password(client)
    with time_machine.travel(timezone.now(), tick=False):
        assert client.post("/login/code/", {"code": "000000"}).status_code == 422
        early = client.post("/login/code/", {"code": code_of(user, ahead=1)}, headers={"accept-language": "en"})
    assert "Wait" in early.content.decode()
    assert client.get("/account/").status_code == 302


@pytest.mark.both_databases
def test_a_code_is_good_once() -> None:
    user, _codes = with_code()
    code = code_of(user, ahead=1)
    assert two_factor.check(user=user, code=code).device is not None
    assert two_factor.check(user=user, code=code).device is None


@pytest.mark.both_databases
def test_a_recovery_code_is_good_once_and_only_its_digest_is_kept(client: Client) -> None:
    user, codes = with_code()
    kept = set(StaticToken.objects.values_list("token", flat=True))
    assert len(kept) == len(codes)
    assert not kept & set(codes)
    say_password(client)
    assert client.post("/login/code/", {"code": codes[0].upper()})["Location"] == "/account/"
    assert two_factor.check(user=user, code=codes[0]).device is None
    assert two_factor.codes_left(user) == len(codes) - 1


def test_a_session_that_never_said_a_code_is_nobodys_once_one_is_asked(client: Client) -> None:
    user = factories.user("chief", is_staff=True)
    client.force_login(user)
    assert client.get("/account/").status_code == 200
    two_factor.begin(user=user)
    two_factor.confirm(user=user, code=code_of(user), by=by(user))
    assert client.get("/account/").status_code == 302
    assert client.get("/admin/").status_code == 302


@pytest.mark.both_databases
def test_setting_it_up_shows_key_and_recovery_codes_once_and_ends_other_sessions(client: Client) -> None:
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
def test_whoever_must_have_a_code_sets_it_up_on_the_way_in(client: Client, settings: LazySettings) -> None:
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
def test_organizers_are_asked_where_the_installation_says_so_and_scorers_are_not(settings: LazySettings) -> None:
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


def test_a_token_is_not_had_without_the_code_either() -> None:
    user, codes = with_code()
    body = {"username": "chief", "password": PASSWORD}
    assert Api().post("auth/login/", body, status=401)["code"] == "not_authenticated"
    assert Api().post("auth/login/", {**body, "otp": "000000"}, status=401)["code"] == "not_authenticated"
    assert Api().post("auth/login/", {**body, "otp": codes[0]})["user"] == "chief"
    assert two_factor.codes_left(user) == len(codes) - 1


@pytest.mark.both_databases
def test_turning_it_off_takes_password_and_code() -> None:
    user, codes = with_code()
    with pytest.raises(RuleViolationError, match=r"(?i)password"):
        two_factor.turn_off(user=user, password="wrong", code=codes[0], by=by(user))
    two_factor.turn_off(user=user, password=PASSWORD, code=codes[0], by=by(user))
    assert not two_factor.has_second_step(user)
    assert not StaticToken.objects.exists()


def test_whoever_must_have_it_does_not_turn_it_off(settings: LazySettings) -> None:
    user, codes = with_code(is_superuser=True)
    demand(settings, TwoFactor.SUPERUSERS)
    with pytest.raises(RuleViolationError):
        two_factor.turn_off(user=user, password=PASSWORD, code=codes[0], by=by(user))


def test_a_superuser_resets_a_lost_phone_with_a_reason_that_stands_in_the_log() -> None:
    user, _codes = with_code()
    master = factories.user("master", is_superuser=True)
    with pytest.raises(PermissionRefusedError):
        two_factor.reset(user=user, by=by(factories.user("somebody", is_staff=True)), reason="lost")
    two_factor.reset(user=user, by=by(master), reason="lost the phone on the train")
    assert not two_factor.has_second_step(user)
    line = OrganizationChange.objects.get(kind="two_factor.reset")
    assert (line.actor, line.subject_id, line.reason) == (master, str(user.pk), "lost the phone on the train")


def test_after_a_while_the_password_must_be_said_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    user, _codes = with_code()
    say_password(client)
    later = time.time() + 3600
    monkeypatch.setattr("league.views.access.account.time.time", lambda: later)
    assert client.post("/login/code/", {"code": code_of(user, ahead=1)})["Location"] == "/login/"
