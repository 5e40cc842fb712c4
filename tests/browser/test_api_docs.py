"""The API in a browser: interactive documentation, and cross-origin reads by pages of other hosts."""

from typing import TYPE_CHECKING

import pytest
from knox.models import AuthToken
from pytest_django.live_server_helper import LiveServer

from tests import factories

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

POLL = """async address => {
  const first = await fetch(address);
  const again = await fetch(address, {cache: "no-store", headers: {"If-None-Match": first.headers.get("ETag")}});
  return [first.status, (await first.json()).competition.slug, again.status];
}"""


@pytest.mark.django_db(transaction=True)
def test_the_interactive_docs_list_the_operations_and_send_a_typed_token_without_requests_to_other_hosts(
    page: "Page",
) -> None:
    token = AuthToken.objects.create(factories.user())[1]
    page.goto("/api/v1/docs/")
    page.locator("#operations-tag-competitions").click()
    page.get_by_text("/api/v1/competitions/{slug}/bracket/").wait_for()
    page.locator(".auth-wrapper .authorize").first.click()
    of_tokens = page.locator(".auth-container form", has_text="token (http, Bearer)")
    of_tokens.locator("input").fill(token)
    of_tokens.get_by_label("Apply credentials").click()
    page.locator(".btn-done").first.click()
    page.locator("#operations-tag-auth").click()
    page.locator("#operations-auth-logout .opblock-summary-control").click()
    page.get_by_text("Revoke the token; later requests with it are refused.").wait_for()
    page.locator("#operations-auth-logout .try-out__btn").click()
    page.locator("#operations-auth-logout .execute").click()
    page.locator("#operations-auth-logout .live-responses-table .response-col_status", has_text="204").wait_for()
    assert not AuthToken.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_page_of_another_host_can_poll_an_address_with_a_query(chromium: "Browser", live_server: LiveServer) -> None:
    factories.final_table()
    elsewhere = live_server.url.replace("localhost", "127.0.0.1")
    assert elsewhere != live_server.url
    # The service's own pages forbid requests to other hosts (CSP); pages of other sites do not.
    context = chromium.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(f"{elsewhere}/api/problems/")
    found = page.evaluate(POLL, f"{live_server.url}/api/v1/standings/?competition=final")
    context.close()
    assert found == [200, "final", 304]
