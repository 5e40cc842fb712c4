"""No public page keeps anybody out: axe-core finds nothing serious in either theme, and the keyboard alone is enough.

axe-core 4.14.1 (tests/browser/vendor, MPL-2.0) is used by these tests alone and is no part of the service.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.services.rulings import adjust_points
from scripts.screenshots import pages_of
from tests.factories import SYSTEM, in_block
from tests.league.played_season import Season, almost_finished

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")
FRAMED = ("/embed/spring/standings/", "/embed/spring/ladder/", "/players/?q=さくらぎ", "/players/?q=nobody")
MOST_STOPS = 400
RUN = """only => axe.run(document, only ? {runOnly: {type: "rule", values: only}} : {})
  .then(found => found.violations.map(each => ({
    rule: each.id, impact: each.impact, nodes: each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)),
  })))"""
FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {
    name: (at.getAttribute("aria-label") || at.textContent || at.getAttribute("name") || "").trim().slice(0, 60),
    isMarked: style.outlineStyle !== "none" || style.boxShadow !== "none" || Boolean(at.closest("svg")),
    isShown: box.width > 0 && box.height > 0 && box.right > 0,
    isBody: at === document.body,
  };
}"""


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Everything but the last hanchan of the final, with points adjusted once."""
    made = almost_finished()
    block = made.block("A")
    adjust_points(block=block, entrant=in_block(block)[0], points=-200, by=SYSTEM, reason="遅刻")
    made.publish()
    return made


def serious(page: Page, *rules: str) -> list[str]:
    """What axe-core finds serious in the page as it is, by all its rules or by these."""
    found: list[dict[str, Any]] = page.evaluate(RUN, list(rules) or None)
    return [f"{each['rule']}: {each['nodes']}" for each in found if each["impact"] in SERIOUS]


def findings(page: Page, path: str) -> Iterator[str]:
    """The page's serious findings: everything in the light theme, contrast in the dark one too."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(path)
    page.evaluate(AXE)
    yield from (f"{path} light {text}" for text in serious(page))
    page.emulate_media(color_scheme="dark")
    yield from (f"{path} dark {text}" for text in serious(page, "color-contrast", "link-in-text-block"))


def test_axe_finds_nothing_serious_on_any_public_page_in_either_theme(
    chromium: "Browser", page: Page, live_server: LiveServer, season: Season
) -> None:
    paths = [shot.path for shot in pages_of(chromium, live_server.url)]
    assert len(paths) > 30
    found = [text for path in (*paths, *FRAMED) for text in findings(page, path)]
    assert not found, "\n".join(found)


def test_axe_would_find_something(page: Page, season: Season) -> None:
    page.goto("/")
    page.evaluate(AXE)
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')")
    assert any(text.startswith("button-name") for text in serious(page))


def test_the_keyboard_alone_reaches_everything_on_a_page_and_always_shows_where_it_is(
    page: Page, season: Season
) -> None:
    page.goto("/c/spring/blocks/A/")
    targets = page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, input, textarea, summary, [tabindex='0']")]
          .filter(each => each.checkVisibility() && !each.disabled).length"""
    )
    stops = []
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["isBody"]:
            break
        stops.append(focused)
    assert [stop["name"] for stop in stops if not (stop["isMarked"] and stop["isShown"])] == []
    assert len(stops) == targets


def test_a_player_is_found_and_opened_without_a_mouse(page: Page, season: Season) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#content")
    page.goto("/")
    page.locator("header input[name=q]").focus()
    page.keyboard.type("さくらぎ")
    page.keyboard.press("Enter")
    expect(page.locator(".roster li")).to_have_count(1)
    page.locator("#q").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/spring-sakuragi/")
