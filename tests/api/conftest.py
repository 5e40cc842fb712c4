"""What the tests of the API share."""

import pytest
from django.conf import LazySettings
from django.core.cache import cache


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Nobody has asked for anything yet this minute, and may ask for anything."""
    settings.REQUESTS_PER_MINUTE = dict.fromkeys(settings.REQUESTS_PER_MINUTE, 1_000_000)
    cache.clear()
