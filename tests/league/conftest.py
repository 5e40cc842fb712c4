"""Provide a superuser's client for tests of the admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def chief(client: Client, db: None) -> Client:
    """Return a superuser's client with English as its language."""
    client.force_login(User.objects.create_superuser("chief"))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client
