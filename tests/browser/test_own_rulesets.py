"""Editing a ruleset in the admin, and comparing rulesets, in a browser."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from league.models import RulesetRevision
from league.services.rulebooks.own_rulesets import cloned
from rulesets import loader
from tests.browser.staff import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def chief(page: Page) -> Page:
    """Return a page with a superuser logged in."""
    sign_in(page, User.objects.create_superuser("chief"))
    return page


def test_the_ruleset_editor_numbers_lines_links_errors_to_them_and_saves_a_valid_text(chief: Page) -> None:
    text = cloned(loader.text_of("mleague"), "tomoshibi", "灯火荘")
    chief.goto("/admin/league/rulesetrevision/write/?source=mleague&name=tomoshibi&title_ja=灯火荘")
    numbers = chief.locator(".numbers").first
    expect(numbers.locator("div:not(.end)")).to_have_count(len(text.splitlines()) + 1)
    chief.fill("#id_text", text.replace('ties = "shared"', 'ties = "luck"'))
    chief.click("button[name=check]")
    line = text.splitlines().index('ties = "shared"') + 1
    expect(chief.locator(".numbers .wrong")).to_have_text(str(line))
    chief.locator(".faults button.line").click()
    chosen = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert chief.locator("#id_text").evaluate(chosen) == 'ties = "luck"'
    assert numbers.evaluate("node => node.scrollTop") == chief.locator("#id_text").evaluate("area => area.scrollTop")
    chief.fill("#id_text", text)
    chief.click("button[name=keep]")
    chief.wait_for_url("**/change/")
    assert RulesetRevision.objects.get().text == text


def test_the_comparison_and_the_ruleset_editor_fit_a_phone(chief: Page) -> None:
    chief.set_viewport_size(PHONE)  # type: ignore[arg-type]
    for path in (
        "/rules/compare/",
        "/rules/compare/?scores=40200,30100,18700,10000&deposits=1000&chonbo=0,1,0,0",
        "/rules/compare/?scores=801,299,-50",
        "/rules/compare/?scores=250,250,250,249",
        "/admin/league/rulesetrevision/write/?source=banchi4&name=tomoshibi&title_ja=灯火荘",
    ):
        chief.goto(path)
        assert chief.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path


def test_the_url_of_a_comparison_restores_it(page: Page) -> None:
    page.goto("/rules/compare/?lang=ja")
    for seat, score in enumerate(("412", "301", "187", "100")):
        page.locator("input[name=scores]").nth(seat).fill(score)
    page.locator("main button[type=submit]").click()
    books = [loader.load(name) for name in loader.names()]
    fitting = [book for book in books if (book.players, book.table_total) == (4, 100_000)]
    expect(page.locator(".sidebyside tbody tr")).to_have_count(len(fitting))
    address = page.url
    page.goto("/")
    page.goto(address)
    expect(page.locator(".sidebyside")).to_contain_text("▲40.0")
