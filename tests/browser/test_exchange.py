"""Import of results in the admin, in a browser."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from league.admin.exchange.files import ImportProgress
from league.models import Competition, Membership, ResultSheet, Role
from tests import factories
from tests.browser.staff import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

TABLE = """節\t卓\t回戦\t東家の点\t南家の点\t西家の点\t北家の点
第1節\t1卓\t1\t412\t301\t187\t100
第1節\t1卓\t2\t▲35\t300\t312\t423"""
WRONG = TABLE.replace("423", "42.3").replace("第1節\t1卓\t1\t", "第1節\t9卓\t1\t")


@pytest.fixture
def final(transactional_db: None) -> Competition:
    """Return a final with its hanchan scheduled."""
    competition = factories.final_table()
    factories.table(competition.blocks.get(), table="1卓")
    return competition


@pytest.fixture
def desk(page: "Page", final: Competition) -> "Page":
    """Return a page with the final's director logged in."""
    sign_in(page, factories.user("director", Role.DIRECTOR, final, is_staff=True))
    return page


def fits(page: "Page") -> bool:
    """Tell if the page does not scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_pasted_results_are_previewed_and_then_imported(desk: "Page", final: Competition) -> None:
    desk.goto(f"/admin/league/competition/{final.pk}/data/")
    desk.click('a[href$="results-in/"]')
    desk.fill("#id_pasted", WRONG)
    desk.click("form button.default")
    desk.wait_for_selector(".errornote")
    desk.set_viewport_size({"width": 390, "height": 800})
    assert fits(desk)
    desk.goto(f"/admin/league/competition/{final.pk}/results-in/")
    assert fits(desk)
    desk.fill("#id_pasted", TABLE)
    desk.click("form button.default")
    desk.wait_for_selector("caption")
    desk.set_viewport_size({"width": 1280, "height": 800})
    assert not ResultSheet.objects.exists()
    desk.click("form button.default")
    desk.wait_for_selector(".messagelist .success")
    assert ResultSheet.objects.counting().count() == 2


def test_the_page_shows_the_progress_of_a_long_import(desk: "Page", final: Competition) -> None:
    desk.goto(f"/admin/league/competition/{final.pk}/results-in/")
    desk.fill("#id_pasted", TABLE)
    desk.evaluate("addEventListener('submit', (event) => event.preventDefault())")
    desk.click("form[data-busy] button.default")
    expect(desk.locator(".busy [role=status]")).to_be_visible()
    assert desk.locator(".busy progress").evaluate("bar => bar.position") == -1
    task = desk.locator("[name=task]").input_value()
    ImportProgress.of([final.pk, Membership.objects.get().user_id], task).tell(1_200, 5_000)
    expect(desk.locator(".busy .far")).to_contain_text("5,000")
    assert desk.locator(".busy progress").evaluate("bar => bar.position") == pytest.approx(0.24)
    desk.locator("form[data-busy]").evaluate("form => form.submit()")
    desk.wait_for_selector("caption")
