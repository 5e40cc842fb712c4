"""Staff who are logged in; test_passwords.py types into the login form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.test import Client

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page


def sign_in(page: Page, user: User, address: str = "") -> None:
    """Log a user in, in the page's browser, and open an address there, if one is given."""
    client = Client()
    client.force_login(user)
    [session] = client.cookies.values()
    page.context.add_cookies([{"name": session.key, "value": session.value, "domain": "localhost", "path": "/"}])
    if address:
        page.goto(address)
