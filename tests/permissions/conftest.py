"""Create the database state and the test world once per module, and roll them back after it."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests.permissions.world import World, make_world

MANY = 10**9


@pytest.fixture(scope="module")
def db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Open the database for the whole module, in one transaction that is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def world(db: None) -> Iterator[World]:
    """Create the places and users, without rate limits and without logging of refusals."""
    logging.disable(logging.CRITICAL)
    with override_settings(REQUESTS_PER_MINUTE=dict.fromkeys(settings.REQUESTS_PER_MINUTE, MANY)):
        yield make_world()
    logging.disable(logging.NOTSET)
