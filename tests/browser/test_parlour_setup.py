"""The set-up of a parlour on a Japanese phone, from the name of the house to the first game's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Parlour, Sitting
from league.selectors.parlour.houses import books_of
from league.selectors.rulebooks.rules_in_force import rules_at
from tests import factories
from tests.browser.staff import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"width": 390, "height": 844}


def go_on(page: Page, title: str) -> None:
    """Press the main button of a step and wait for the next one; nothing may scroll sideways."""
    page.locator(".go .btn").first.click()
    expect(page.locator("h1")).to_have_text(title)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_house_is_set_up_on_a_japanese_phone_and_opens_its_first_table(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.context.add_cookies([{"name": "jantaku_language", "value": "ja", "url": live_server.url}])
    sign_in(page, factories.user("owner", is_staff=True, is_superuser=True), "/p/new/")
    page.get_by_label("店名").fill("雀荘 灯火")
    page.get_by_label("英語名").fill("Lantern")
    go_on(page, "ルールブック")
    page.get_by_label("番地グループ 3人打ち").check()
    go_on(page, "選択ルール")
    page.get_by_label("沈みウマ").fill("20000")
    go_on(page, "卓と料金")
    expect(page.get_by_label("1ゲームの料金")).to_have_value("400")
    page.get_by_label("1ゲームの料金").fill("500")
    go_on(page, "ランキングの公開")
    page.get_by_role("button", name="戻る").click()
    expect(page.get_by_label("1ゲームの料金")).to_have_value("500")
    go_on(page, "ランキングの公開")
    go_on(page, "卓を立てる")
    for chair, guest in enumerate(
        ("湯川 みなと/ゆかわ みなと", "小滝 あおい/こたき あおい", "沢渡 りく/さわたり りく")
    ):
        page.locator(f"[name=guest_{chair}]").fill(guest)
        page.locator(f"[name=guest_{chair}]").press("Enter")
    page.locator("button.main").click()
    page.wait_for_selector("#game")
    book = books_of(Parlour.objects.get())[0]
    assert rules_at(book).options == {"sink_uma": 20000}
    assert book.time_zone == page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert Sitting.objects.get().seats.count() == len("三人打")
