"""The browser reaches the service."""

from playwright.sync_api import Page, expect


def test_the_admin_asks_a_visitor_to_log_in_under_the_content_security_policy(page: Page) -> None:
    page.goto("/admin/")
    expect(page.locator("#id_username")).to_be_visible()


def test_a_page_of_another_host_is_noticed(page: Page, faults: list[str]) -> None:
    page.goto("/admin/")
    page.evaluate("fetch('http://elsewhere.invalid/').catch(() => null)")
    assert any("elsewhere.invalid" in fault for fault in faults)
    faults.clear()
