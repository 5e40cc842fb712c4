"""Fixtures shared by the API tests."""

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Raise the rate limits so high that no test reaches them."""
    settings.REQUESTS_PER_MINUTE = dict.fromkeys(settings.REQUESTS_PER_MINUTE, 1_000_000)
