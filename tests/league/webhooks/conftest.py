"""Provide a season and a network in which webhooks may be sent to this machine."""

from __future__ import annotations

import pytest
from django.conf import LazySettings

from league.models import Competition
from tests.factories import league


@pytest.fixture
def own_network(settings: LazySettings) -> None:
    """Allow webhooks to private addresses."""
    settings.WEBHOOK_ALLOW_PRIVATE = True


@pytest.fixture(scope="module")
def shared_season(shared_rows: None) -> Competition:
    """Store a league for the tests of a module."""
    return league()


@pytest.fixture
def season(shared_season: Competition) -> Competition:
    """Return the league as it is stored."""
    return Competition.objects.get(pk=shared_season.pk)
