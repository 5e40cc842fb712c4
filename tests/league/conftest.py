"""Who the desk's tests are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def chief(client: Client, db: None) -> Client:
    """Somebody who may do everything, reading English."""
    client.force_login(User.objects.create_superuser("chief"))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client
