"""A visitor cannot choose the address that the service takes for theirs."""

from dataclasses import replace

import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from league.network import client_address


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
def test_only_what_trusted_proxies_added_is_believed(
    settings: LazySettings, rf: RequestFactory, proxies: int, forwarded: str, expected: str
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, trusted_proxies=proxies)
    request = rf.get("/", HTTP_X_FORWARDED_FOR=forwarded, REMOTE_ADDR="192.0.2.1")
    assert client_address(request) == expected
