"""Smoke tests of the browser setup: the live server is reachable, and requests to other hosts are detected."""

from playwright.sync_api import Page, expect


def test_the_admin_login_works_under_the_content_security_policy(page: Page) -> None:
    page.goto("/admin/")
    expect(page.locator("#id_username")).to_be_visible()


def test_a_request_to_another_host_is_recorded_as_a_fault(page: Page, faults: list[str]) -> None:
    page.goto("/admin/")
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => null)")
    assert any("elsewhere.invalid" in fault for fault in faults)
    faults.clear()
