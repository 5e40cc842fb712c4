"""What the tests of the API share."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_counts() -> None:
    """Nobody has asked for anything yet this minute."""
    cache.clear()
