"""Test that a client cannot choose its own address, and rate limits by network."""

from base64 import b64encode

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client, RequestFactory

from league.platform.network import client_address, visitor_network
from tests import factories


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.66, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.66, 203.0.113.9, 192.0.2.7", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
    ],
)
def test_only_addresses_added_by_trusted_proxies_are_believed(
    settings: LazySettings, rf: RequestFactory, proxies: int, forwarded: str, expected: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"trusted_proxies": proxies})
    request = rf.get("/", HTTP_X_FORWARDED_FOR=forwarded, REMOTE_ADDR="192.0.2.1")
    assert client_address(request) == expected


@pytest.mark.parametrize(
    ("forwarded", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("unknown", "0.0.0.0"),
        ("203.0.113.9:4711", "0.0.0.0"),
    ],
)
def test_addresses_of_one_network_share_a_rate_limit_key(
    settings: LazySettings, rf: RequestFactory, forwarded: str, counted: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"trusted_proxies": 1})
    assert visitor_network(rf.get("/", HTTP_X_FORWARDED_FOR=forwarded)) == counted


@pytest.mark.both_databases
@pytest.mark.django_db
def test_another_address_of_the_same_network_allows_no_more_password_attempts(
    settings: LazySettings, client: Client
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"trusted_proxies": 1})
    factories.user("hana")

    def tried(address: str, password: str) -> int:
        typed = {"username": "hana", "password": password}
        return client.post("/login/", typed, headers={"x-forwarded-for": address}).status_code

    answers = [tried(f"2001:db8:1:2::{number}", "guessed") for number in range(1, 6)]
    assert answers == [200, 200, 200, 200, 429]
    assert tried("2001:db8:1:2::99", "correct horse") == 429
    assert tried("2001:db8:1:3::99", "correct horse") == 302


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/v1/auth/login/", "/login/"])
def test_another_address_of_the_same_network_allows_no_more_requests_per_minute(
    settings: LazySettings, client: Client, address: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"trusted_proxies": 1})
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "login": 3, "sign_in": 3}

    def asked(number: int) -> int:
        name = f"name{number}"
        headers = {"x-forwarded-for": f"2001:db8:1:2::{number}", "authorization": basic(name)}
        return client.post(address, {"username": name, "password": "guessed"}, headers=headers).status_code

    with time_machine.travel("2026-05-01 12:00:10", tick=False):
        assert [asked(number) == 429 for number in range(1, 6)] == [False, False, False, True, True]


def basic(name: str) -> str:
    """Return a basic authorization header with a wrong password."""
    return "Basic " + b64encode(f"{name}:guessed".encode()).decode()
