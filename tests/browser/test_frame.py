"""Test the policy that frames every page: the admin works under it, requests to other hosts are refused."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_admin_login_works_under_the_content_security_policy(page: Page) -> None:
    page.goto("/admin/")
    expect(page.locator("#id_username")).to_be_visible()


def test_a_request_to_another_host_is_recorded_as_a_fault(page: Page, faults: list[str]) -> None:
    for address in ("http://elsewhere.invalid/", "http://127.0.0.2/"):
        with page.expect_event("requestfailed") as failed:
            page.set_content(f"<img src='{address}'>")
        assert failed.value.failure == "net::ERR_NAME_NOT_RESOLVED"
        assert faults.pop() == f"asked another host for {address}"
    page.goto("/admin/")
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => null)")
    assert faults
    assert all("Content Security Policy" in fault for fault in faults)
    faults.clear()
