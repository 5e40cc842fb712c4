"""Create the test world once per module."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from tests.permissions.world import World, make_world

MANY = 10**9


@pytest.fixture(scope="module")
def world(shared_rows: None) -> Iterator[World]:
    """Create the places and users, without rate limits and without logging of refusals."""
    logging.disable(logging.CRITICAL)
    with override_settings(REQUESTS_PER_MINUTE=dict.fromkeys(settings.REQUESTS_PER_MINUTE, MANY)):
        yield make_world()
    logging.disable(logging.NOTSET)
