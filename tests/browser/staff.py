"""The staff's login form, filled in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def sign_in(page: Page, username: str) -> None:
    """Log in on the login page that is open, and wait until the page after it has loaded with its scripts."""
    page.locator("#id_username").fill(username)
    page.locator("#id_password").fill("correct horse")
    with page.expect_navigation():
        page.locator("#id_password").press("Enter")
