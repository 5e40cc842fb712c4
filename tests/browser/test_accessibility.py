"""Accessibility: no serious axe-core finding in either theme, and full keyboard access.

The public pages of the demo data are checked in test_public_pages.py, where they are opened.

axe-core 4.14.1 (tests/browser/vendor, MPL-2.0) is used by these tests alone and is no part of the service.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Hanchan, Parlour, ParlourTable, Sitting, SittingSeat, Statement
from league.selectors.parlour.following import code_of
from league.services.operations.demo_parlour import load_demo_parlour
from league.services.results.rulings import adjust_points
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from league.services.standings.publishing import publish_standings
from league.views.parlour.statements import SIGNER
from league.web.access.guest_links import guest_token
from tests import factories
from tests.browser.staff import sign_in
from tests.factories import SYSTEM, in_block
from tests.league.paired_league import pair, play_round, tournament
from tests.league.played_season import Season, almost_finished
from tests.league.seasons import ranked_events
from tests.league.seasons.pyramid import play as play_tier
from tests.league.seasons.pyramid import series_of_two, tiers
from tests.league.team_league import team_league
from tests.replayed import replayed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")
MOST_STOPS = 400
BY_KEYBOARD = (
    "/",
    "/c/spring/",
    "/c/spring/blocks/A/",
    "/c/spring/blocks/A/charts/",
    "/c/spring/sessions/1/",
    "/c/spring/conditions/",
    "/c/spring/what-if/",
    "/c/spring/spoilers/",
    "/c/spring/ruleset/",
    "/rules/cinderella/hand/",
    "/rules/compare/",
    "/login/",
)
RUN = """only => {
  const ids = {}, looks = new Map(), sampled = {};
  for (const each of document.querySelectorAll("body, body *")) {
    const css = getComputedStyle(each), look = [
      looks.get(each.parentElement), css.color, css.backgroundColor, css.backgroundImage, css.fontSize, css.fontWeight,
      css.opacity, css.filter, css.textShadow, css.position, each.matches("[aria-hidden=true], [inert], :disabled"),
    ].join();
    const id = ids[look] ??= looks.size;
    looks.set(each, id);
    const isText = [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1)
      && each.checkVisibility({visibilityProperty: true});
    const isFirst = isText && (sampled[id] ??= each) === each;
    each.toggleAttribute("data-sampled", isFirst || each.matches("button, input, label, select, textarea"));
  }
  axe.configure({rules: [{id: "color-contrast", selector: "[data-sampled]"}]});
  return axe.run(document, {
    resultTypes: ["violations"], preload: false,
    ...(only ? {runOnly: {type: "rule", values: only}} : {rules: {region: {enabled: false}}}),
  }).then(found => found.violations.map(each => ({
    rule: each.id, impact: each.impact, nodes: each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)),
  })));
}"""
"""Script that runs these rules, or all but the slow `region`, whose findings are moderate.

Contrast, more than half of the work, is measured at forms and at the first text of each look: its colors, size and
weight, and those of all that it stands in. Preloading would insert style sheets, which the CSP of the admin forbids.
"""
FOCUSED = """() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {
    name: (at.getAttribute("aria-label") || at.textContent || at.getAttribute("name") || "").trim().slice(0, 60),
    isMarked: (style.outlineStyle !== "none" && style.outlineWidth !== "0px") || style.boxShadow !== "none"
      || [...at.querySelectorAll(".hit, .head")].some(each => getComputedStyle(each).strokeWidth === "3px"),
    isShown: box.width > 0 && box.height > 0 && box.right > 0,
    isBody: at === document.body,
  };
}"""

TARGETS = """() => {
  const rings = new Set();
  const stops = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  return [...document.querySelectorAll(stops)]
    .filter(each => each.checkVisibility({visibilityProperty: true}) && !each.disabled && each.tabIndex >= 0)
    .filter(each => {
      if (each.type !== "radio") return true;
      const ring = `${each.form && each.form.id} ${each.name}`;
      return !rings.has(ring) && rings.add(ring);
    }).length;
}"""
"""Script that counts the expected Tab stops; radio buttons of one name count once."""
WIDEST = "document.scrollingElement.scrollWidth"
MOVING = """() => [...document.querySelectorAll("body *")].filter(each => {
  const style = getComputedStyle(each), isLong = times => Math.max(...times.split(",").map(parseFloat)) > 0.01;
  return isLong(style.transitionDuration) || (style.animationName !== "none" && isLong(style.animationDuration));
}).slice(0, 3).map(each => each.outerHTML.slice(0, 80))"""


@pytest.fixture
def season(transactional_db: None) -> Season:
    """Return a season with all but the last hanchan of the final played, and one points adjustment."""
    return adjusted_season()


@replayed
def adjusted_season() -> Season:
    """Play all but the last hanchan of the final, and adjust the points of a player."""
    made = almost_finished()
    block = made.block("A")
    adjust_points(block=block, entrant=in_block(block)[0], points=-200, by=SYSTEM, reason="遅刻")
    made.publish()
    return made


def serious(page: Page, *rules: str) -> list[str]:
    """Return the serious axe-core findings of the current page, for all rules or only for these."""
    found: list[dict[str, Any]] = page.evaluate(RUN, list(rules) or None)
    return [f"{each['rule']}: {each['nodes']}" for each in found if each["impact"] in SERIOUS]


def findings(page: Page, *paths: str) -> list[str]:
    """Open these pages with axe-core and return the findings of each."""
    page.add_init_script(AXE)  # sent once; the browser keeps it compiled
    found: list[str] = []
    for path in paths:
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(path)
        found += findings_of(page)
    return found


def findings_of(page: Page) -> Iterator[str]:
    """Yield running animations and serious findings: all rules in the light theme, contrast rules in the dark one."""
    path = urlsplit(page.url).path
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield from (f"{path} moves {text}" for text in page.evaluate(MOVING))
    yield from (f"{path} light {text}" for text in serious(page))
    page.emulate_media(color_scheme="dark")
    yield from (f"{path} dark {text}" for text in serious(page, "color-contrast", "link-in-text-block"))


def test_the_pages_of_rankings_have_no_serious_axe_findings(page: Page, transactional_db: None) -> None:
    spring = ranked_events.played("spring")
    one, two, *_others = ranked_events.players(spring)
    for source in ("mers", "house-dan"):
        row = create_ranking(slug=source, name=source, source=source, is_public=True, by=SYSTEM)
        list_event(ranking=row, competition=spring, facts=EventFacts(day=ranked_events.DAY), by=SYSTEM)
    pages = (
        "/rankings/",
        "/rankings/mers/?day=2026-08-01",
        f"/rankings/mers/players/{one.key}/?day=2026-08-01&rival={two.key}&players=16",
        "/rankings/house-dan/",
        f"/rankings/house-dan/players/{two.key}/",
    )
    assert findings(page, *pages) == []


def test_the_pages_of_a_champion_have_no_serious_axe_findings(page: Page, transactional_db: None) -> None:
    season = almost_finished()
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    paths = ("/c/spring/", "/c/spring/champion/", "/c/spring/ladder/?path=spring-sakuragi")
    assert findings(page, *paths) == []


def test_the_pages_of_a_team_and_its_games_have_no_serious_axe_findings(page: Page, transactional_db: None) -> None:
    made = team_league(2)
    hanchan = made.block("regular").hanchan.order_by("number")[0]
    paths = (f"players/{made.teams[1].player.key}/", f"hanchan/{hanchan.pk}/", f"members/{made.members[1][0].key}/")
    assert findings(page, *(f"/c/teams/{path}" for path in paths)) == []


def test_the_pages_of_a_series_have_no_serious_axe_findings(page: Page, transactional_db: None) -> None:
    for competition in tiers(series_of_two().terms.get()).values():
        play_tier(competition)
    paths = ("", "spring/", "spring/terms/1/", "spring/players/spring-b1/")
    assert findings(page, *(f"/series/{path}" for path in paths)) == []


def test_the_pages_of_a_paired_round_have_no_serious_axe_findings(page: Page, transactional_db: None) -> None:
    block = tournament(16, '{ numbers = "1-3", by = "draw", avoid = ["met"] }')
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    publish_standings(block.competition_id)
    pairing = f"/c/{block.competition.slug}/blocks/{block.key}/pairings/2/"
    paths = (pairing, f"{pairing}today/", f"/c/{block.competition.slug}/sessions/1/seats/")
    assert findings(page, *paths) == []


def test_the_pages_of_a_parlour_have_no_serious_axe_findings(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    load_demo_parlour(by=SYSTEM)
    house, settled = Parlour.objects.get(), Statement.objects.order_by("pk")[0]
    sitting = Sitting.objects.filter(closed_at=None).order_by("pk")[0]
    guest = sitting.seats.order_by("seat")[0].entrant.player
    sign_in(page, factories.user("chief", is_staff=True, is_superuser=True))
    at = f"/p/{house.slug}/"
    paths = [
        "/p/new/",
        at,
        f"/g/{guest_token(house, guest)}/",
        f"/s/{SIGNER.sign(str(settled.pk))}/",
        f"/t/{code_of(ParlourTable.objects.order_by('pk')[0])}/",
        *(
            f"{at}{page}"
            for page in (
                "board/", "board/open/", "people/", "guests/merge/", "statements/", "days/", "codes/", "reports/",
                "reports/guests/", "reports/waiting/", "reports/income/", "settings/", "settings/fees/",
                f"sittings/{sitting.pk}/", f"guests/{guest.pk}/settle/", f"guests/{guest.key}/link/",
                f"statements/{settled.number}/", f"days/{settled.day}/",
            )
        ),
    ]  # fmt: skip
    assert findings(page, *paths) == []


def test_refused_forms_have_the_focus_where_they_are_wrong_and_no_serious_axe_findings(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    load_demo_parlour(by=SYSTEM)
    sign_in(page, factories.user("chief", is_staff=True, is_superuser=True))
    page.add_init_script(AXE)
    at = f"/p/{Parlour.objects.get().slug}"
    [seat, *_others] = SittingSeat.objects.filter(sitting__closed_at=None, left_at=None).order_by("pk")
    first, second, *_rest = ParlourTable.objects.order_by("pk")
    for path, field, wrong in (
        (f"{at}/guests/{seat.entrant.player_id}/settle/", "at", "25:99"),
        (f"{at}/guests/{seat.entrant.player_id}/settle/", "label", ""),
        (f"{at}/settings/", f"table-{first.pk}-name", second.name),
        ("/account/code/", "code", "1"),
    ):
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        typed = page.locator(f"main [name={field}]")
        typed.fill(wrong)
        with page.expect_navigation():
            typed.press("Enter")
        expect(page.locator(f"main [name={field}]")).to_be_focused()
        assert [*findings_of(page)] == [], (path, field)


def test_nothing_leaves_the_window_when_text_is_twice_as_large(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    load_demo_parlour(by=SYSTEM)
    sign_in(page, factories.user("chief", is_staff=True, is_superuser=True))
    at = f"/p/{Parlour.objects.get().slug}"
    [seat, *_others] = SittingSeat.objects.filter(sitting__closed_at=None, left_at=None).order_by("pk")
    fonts = page.context.new_cdp_session(page)
    faults = {}
    for path, width in (
        ("/admin/league/change/", 1280),
        ("/admin/league/change/", 1024),
        ("/admin/league/change/", 390),
        ("/admin/", 390),
        (f"{at}/settings/fees/", 1024),
        (f"{at}/board/", 390),
        (f"{at}/reports/", 390),
        (f"{at}/sittings/{seat.sitting_id}/", 390),
        (f"{at}/guests/{seat.entrant.player_id}/settle/", 390),
    ):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(path)
        fonts.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        widths = [page.evaluate(WIDEST)]
        for summary in page.locator("#changelist-filter summary, .standin summary, .played summary").all():
            summary.evaluate("each => each.click()")
            widths.append(page.evaluate(WIDEST))
        if max(widths) > width:
            faults[path, width] = max(widths)
    assert faults == {}


def test_a_wide_window_has_the_layout_of_a_narrow_one_when_text_is_twice_as_large(page: Page, season: Season) -> None:
    page.goto("/c/spring/")
    drawing = page.locator(".drawing").first
    expect(drawing).to_be_visible()
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    expect(drawing).to_be_hidden()


def test_the_current_page_is_marked_in_forced_colors(page: Page, season: Season) -> None:
    page.emulate_media(forced_colors="active")
    page.goto("/c/spring/")
    current, others = page.locator(".dock a[aria-current]"), page.locator(".dock a:not([aria-current])")
    expect(current).to_have_css("outline-style", "solid")
    expect(others.first).to_have_css("outline-style", "none")


def test_escape_closes_an_opened_filter_of_an_admin_list(page: Page, live_server: LiveServer) -> None:
    sign_in(page, factories.user("chief", is_staff=True, is_superuser=True), "/admin/league/change/")
    filters = page.locator("#changelist-filter")
    filters.locator("summary").first.press("Enter")
    page.keyboard.press("Tab")
    expect(filters.locator("details[open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(filters.locator("details[open]")).to_have_count(0)
    expect(filters.locator("summary").first).to_be_focused()


def test_axe_detects_a_button_without_a_name_and_pale_text(page: Page) -> None:
    page.goto("/")
    page.evaluate(AXE)
    page.evaluate(
        """() => { for (const text of ["", "1", "薄い字"]) {
          const added = document.createElement(text ? "p" : "button");
          added.append(text);
          added.style.color = "#aaa";
          document.querySelector("main").append(added);
        } }"""
    )
    assert {text.split(":")[0] for text in serious(page)} == {"button-name", "color-contrast"}


def test_tab_reaches_every_element_of_a_page_and_the_focus_is_always_visible(page: Page, season: Season) -> None:
    faults = {}
    for path in BY_KEYBOARD:
        page.goto(path, wait_until="networkidle")
        targets = page.evaluate(TARGETS)
        stops = stops_of(page)
        unclear = [stop for stop in stops if not (stop["isMarked"] and stop["isShown"])]
        if unclear or len(stops) != targets:
            faults[path] = (len(stops), targets, unclear)
    assert faults == {}


def stops_of(page: Page) -> list[dict[str, Any]]:
    """Press Tab from the top of the page to its end, and return each element that gets the focus."""
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    stops = []
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["isBody"]:
            break
        stops.append(focused)
    return stops


def test_a_player_is_searched_and_opened_by_keyboard(page: Page, season: Season) -> None:
    page.goto("/")
    page.locator("header").get_by_role("link", name="選手を探す").focus()
    page.keyboard.press("Enter")
    page.locator("#q").focus()
    page.keyboard.type("さくらぎ")
    page.keyboard.press("Enter")
    expect(page.locator(".roster li")).to_have_count(1)
    page.locator("#q").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/spring-sakuragi/")
