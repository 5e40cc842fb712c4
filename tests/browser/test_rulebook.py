"""The rule books in a browser: on a phone and in print."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}
BOOKS = ("banchi3", "banchi4", "boo", "cinderella", "kansai3", "superbingo")


def test_no_page_of_a_rule_book_scrolls_sideways_on_a_phone_and_its_summary_prints_on_one_page(page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    for language in ("ja", "en"):
        page.goto(f"/rules/?lang={language}")
        for path in ("", *(f"{book}/{inside}" for book in BOOKS for inside in ("", "summary/", "?q=ドラ"))):
            page.goto(f"/rules/{path}")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (language, path)
            if path.endswith("summary/"):
                sheets = re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))
                assert len(sheets) == 1, (language, path)


def test_a_search_on_a_phone_finds_the_clause_and_links_to_its_place(page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto("/rules/cinderella/")
    page.get_by_role("searchbox", name="ルールを調べる").fill("チョンボは何ポイント引かれる？")
    page.get_by_role("searchbox", name="ルールを調べる").press("Enter")
    first = page.locator("article.ruleclause").first
    expect(first).to_have_id("CL-082")
    first.get_by_role("link", name="CL-082").first.click()
    expect(page).to_have_url(re.compile(r"/rules/cinderella/#CL-082$"))
    expect(page.locator("#CL-082")).to_be_in_viewport()
