"""Password fields in a browser: the show button by mouse, touch and keyboard, and the strength of new passwords."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.models import Role
from league.services.access.invitations import invite
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "correct horse"


def sign_in(page: Page, name: str) -> None:
    page.goto("/login/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.wait_for_url(lambda url: "/login/" not in url)


@pytest.mark.parametrize("path", ["/login/?lang=en", "/admin/login/"])
def test_a_password_can_be_shown_and_is_hidden_again_on_submit(page: Page, path: str) -> None:
    factories.user("hana", is_staff=True)
    page.goto("/login/?lang=en")
    page.goto(path)
    field, button = page.locator("input[name=password]"), page.locator("button.show-password")
    expect(button).to_have_text("Show the password")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.fill("input[name=username]", "hana")
    field.fill(PASSWORD)
    button.focus()
    page.keyboard.press("Space")
    expect(field).to_have_attribute("type", "text")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('input[name=password]').form.addEventListener('submit', () => "
                  "{ window.name = document.querySelector('input[name=password]').type; })")  # fmt: skip
    field.press("Enter")
    page.wait_for_url("**/admin/")
    assert page.evaluate("window.name") == "password"


def test_every_password_field_has_a_show_button_and_the_new_one_a_strength(page: Page) -> None:
    factories.user("hana")
    page.goto("/login/?lang=en")
    sign_in(page, "hana")
    page.goto("/account/password/")
    assert page.locator("button.show-password").count() == page.locator("input[type=password]").count() == 3
    said = page.locator(".password-strength [role=status]")
    assert said.count() == 1
    for typed, judged in [
        ("short", "Easy to guess"),
        ("aaaaaaaaaaaaaaaaaaaa", "Easy to guess"),
        ("abcdefghijklmnopqrst", "Easy to guess"),
        ("teacup winter", "Fair"),
        ("glacier umbrella nineteen teacup", "Hard to guess"),
    ]:
        page.fill("input[name=new_password1]", typed)
        expect(said).to_contain_text(judged)


def test_admin_forms_and_invitations_have_show_buttons_too(page: Page) -> None:
    competition = factories.final_table()
    made = invite(
        competition=competition, email="new@example.org", role=Role.READER, language="ja", by=factories.SYSTEM
    )
    page.goto("/" + made.address.split("/", 3)[3])
    assert page.locator("button.show-password").count() == 2
    master = factories.user("master", is_superuser=True, is_staff=True)
    sign_in(page, "master")
    for path in ("/admin/auth/user/add/", f"/admin/auth/user/{master.pk}/password/"):
        page.goto(path)
        assert page.locator("button.show-password").count() == 2


def test_the_show_button_fits_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/login/")
    box = page.locator("button.show-password").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("path", ["/login/", "/account/password/"])
def test_late_show_buttons_do_not_shift_the_page(page: Page, path: str) -> None:
    factories.user("hana")
    if path != "/login/":
        sign_in(page, "hana")
    where = "document.querySelector('main form.account button[type=submit]').getBoundingClientRect().top"
    page.goto(path)
    assert page.locator("button.show-password").count() >= 1
    stands = page.evaluate(where)
    page.route("**/password*.js", lambda route: route.abort())
    page.reload()
    assert page.locator("button.show-password").count() == 0
    assert page.evaluate(where) == pytest.approx(stands, abs=0.5)
