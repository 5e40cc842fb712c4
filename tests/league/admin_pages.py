"""Post the forms of admin pages in tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.test import Client


def at(row: Any, page: str) -> str:
    """Return the URL of a page about a row."""
    return f"/admin/league/{row._meta.model_name}/{row.pk}/{page}/"


def done(client: Client, address: str, data: Mapping[str, Any]) -> str:
    """Post the form, twice if it shows a preview first; require success and return the redirect URL."""
    response = client.post(address, data)
    if response.status_code == 200:
        response = client.post(address, {**data, "seen": response.context["seen"]})
    assert response.status_code == 302, response.context["form"].errors.as_json()
    return str(response["Location"])


def errors_of(client: Client, address: str, data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Post the form, require status 422 and return the errors by field."""
    response = client.post(address, data)
    assert response.status_code == 422
    return {
        field: [str(message) for message in messages] for field, messages in response.context["form"].errors.items()
    }
