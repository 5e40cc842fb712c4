"""The API's description, clicked through in a real browser under the service's own content security policy."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.django_db(transaction=True)
def test_the_description_opens_and_lists_every_operation_without_another_host(page: "Page") -> None:
    page.goto("/api/v1/docs/")
    page.get_by_text("/api/v1/competitions/{slug}/bracket/").wait_for()
    page.locator("#operations-competitions-get_bracket .opblock-summary-control").click()
    page.get_by_text("The competition's bracket").wait_for()
