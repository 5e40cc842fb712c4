"""Every public page: weight, layout stability, accessibility and its frame (a low header, a dock), in one visit.

The weight counts everything that a first visit fetches (page, styles, scripts and drawings) as production sends it:
static files compressed, pages where the service itself compresses them. Photos would be left out; there are none.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Response

from scripts.looks import WIDE
from scripts.site import Shot, unseen
from tests.browser.test_accessibility import findings, findings_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FRAMED = (
    "/embed/demo/standings/",
    "/embed/demo/ladder/",
    "/embed/demo/next/",
    "/players/?q=よなぎ",
    "/players/?q=nobody",
    "/records/?year=2026",
)
STAFF_ALONE = {
    f"pages:{name}"
    for name in (
        "account", "password", "boards", "board", "counter", "open_table", "merge_guests", "days", "day",
        "table-sheet", "table-confirm", "table-link", "table-photo", "table-paifu", "overlay", "tokens", "revoke_token",
        "set_up_code", "second_step", "renew_codes", "turn_off_code", "sign_out_elsewhere", "invitation",
        "set_up_parlour", "parlour_settings", "parlour_tables", "parlour_fees", "parlour_new_book", "parlour_book",
        "guest_link", "guest", "settle_guest", "guest_list", "statements", "statement", "guest_statement", "codes",
        "table_code", "reports", "report_guests", "report_waiting", "report_income", "table-call",
        "line-ups", "team-link",
    )
}  # fmt: skip
"""URL names of pages that need a login or a personal link."""
NO_PAGES = {
    f"pages:{name}"
    for name in (
        "sign_out", "waiting", "guests", "counter_preview", "seats", "take_back", "chips", "close_sitting",
        "reopen_sitting", "close_day", "reopen_day", "version", "follow-now", "hand-value", "table-worker",
        "table-hand", "table-state", "table-events", "table-preview", "table-legality", "table-submit",
        "table-approve", "table-object", "corrections-before", "nowbox", "screen", "me-card", "accent", "picture",
        "robots", "sitemap", "home-card", "block-card", "entrant-card", "hanchan-card", "champion", "former_board",
        "cancel_statement", "follow_start", "follow_confirm", "follow_abandon", "renew_code", "report_file",
        "income_file", "pairing", "pairing-today", "series-list", "series", "series-term", "series-way", "series-file",
        "rankings", "ranking-across", "ranking-file", "ranking-person", "replay", "replay-kyoku",
    )
}  # fmt: skip
"""URL names requested by forms and scripts, pictures and texts for programs, the further pages of a list whose first
page is tested, and pages that the demo season does not have, which are tested by themselves."""
WIDTHS = (390, 1280)
MOST_BYTES = 100 * 1024
MOST_STYLES = 12 * 1024
PHOTOS = ("image/jpeg", "image/png", "image/webp", "image/avif")
SHIFTED = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const each of list.getEntries()) sum += each.value; })
    .observe({type: "layout-shift", buffered: true});
  const [loading] = performance.getEntriesByType("navigation");
  setTimeout(() => done(sum), Math.max(20, loading.loadEventEnd + 250 - performance.now()));
})"""
"""Script that returns how far the page has shifted until 250 ms after it was loaded."""
MOST_SHIFTED = 0.01
OF_EACH_KIND = ("home-1", "block-1", "sessions-1", "rules-1", "entrants-1", "people-1", "start-1", "sign_in-1")
HIGHEST = 64
SMALL_PHONE = 360
TEXT = {"as it is": "16px", "twice as large": "32px"}
ENLARGED = "size => { document.documentElement.style.fontSize = size; }"
HEIGHT = "document.querySelector('header.top').getBoundingClientRect().height"
DOCK = """() => { const dock = document.querySelector('.dock').getBoundingClientRect();
  return [Math.round(innerHeight - dock.bottom), dock.height]; }"""
_weights: dict[str, int] = {}
"""The weight of each static file by its URL: most pages load the same ones."""


class Visitor:
    """A browser page of some width that keeps nothing from earlier visits, and the responses of the newest one."""

    def __init__(self, page: Page, width: int) -> None:
        self.page, self.width, self.loaded = page, width, list[Response]()
        page.on("response", self.note)
        page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})

    def note(self, response: Response) -> None:
        """Note a response; that of a new page replaces those of the old one, which may have arrived until now."""
        if response.request.is_navigation_request() and response.frame == self.page.main_frame:
            self.loaded.clear()
        self.loaded.append(response)

    def open(self, path: str) -> Iterator[str]:
        """Visit a page for the first time and yield what is too heavy."""
        self.page.context.clear_cookies()
        self.page.set_viewport_size({"width": self.width, "height": 800})
        self.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        self.page.goto(path, wait_until="load")
        return too_heavy(self.loaded)

    def shifts(self) -> Iterator[str]:
        """Yield how far the page shifted, if that is too far."""
        if (shifted := self.page.evaluate(SHIFTED)) >= MOST_SHIFTED:
            yield f"shifts by {shifted}"


def too_heavy(loaded: list[Response]) -> Iterator[str]:
    """Yield the total weights of responses and of styles that are above their limits, or zero."""
    styles = [each for each in loaded if each.request.resource_type == "stylesheet"]
    for name, responses, most in (("page", loaded, MOST_BYTES), ("styles", styles, MOST_STYLES)):
        if not 0 < (weighs := sum(map(weight, responses))) < most:
            yield f"{name} of {weighs} bytes"


def weight(response: Response) -> int:
    """Return the bytes of a response body on the wire, without headers."""
    if "/static/" not in response.url:
        return _weight(response)
    if response.url not in _weights:
        _weights[response.url] = _weight(response)
    return _weights[response.url]


def _weight(response: Response) -> int:
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind in PHOTOS or response.status != 200:
        return 0
    body = response.body()
    is_compressed = "/static/" in response.url or response.headers.get("content-encoding") == "gzip"
    return len(gzip.compress(body, 6)) if is_compressed else len(body)


def misfits(page: Page) -> Iterator[str]:
    """Yield the faults of a page's frame on a phone, last on a small one at twice the text size."""
    if (height := page.evaluate(HEIGHT)) > HIGHEST:
        yield f"header {height} px high"
    page.set_viewport_size({"width": SMALL_PHONE, "height": 740})
    for name, size in TEXT.items():
        page.evaluate(ENLARGED, size)
        yield from (f"text {name}: {over}" for over in page.evaluate(WIDE))


def test_every_public_page_is_light_and_still_and_has_no_serious_axe_findings_in_either_theme(
    page: Page, public: list[Shot]
) -> None:
    assert len(public) > 50
    assert {shot.name for shot in public} >= set(OF_EACH_KIND)
    assert unseen(public, "pages") - STAFF_ALONE - NO_PAGES == set(), "a public page is not tested"
    found = findings(page, *FRAMED)
    narrow, wide = (Visitor(each, width) for each, width in zip((page.context.new_page(), page), WIDTHS, strict=True))
    for shot in public:
        told = [*wide.open(shot.path), *narrow.open(shot.path)]
        told += [*wide.shifts(), *findings_of(page), *narrow.shifts()]  # both settle while the other one is read
        told += misfits(narrow.page) if shot.name in OF_EACH_KIND else ()
        found += [f"{shot.path}: {text}" for text in told]
    assert not found, "\n".join(found)


def test_the_dock_lies_at_the_bottom_of_a_phone_and_below_the_header_of_a_desktop(
    page: Page, public: list[Shot]
) -> None:
    [home] = [shot for shot in public if shot.name == "home-1"]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(home.path)
    below, height = page.evaluate(DOCK)
    assert below == 0
    assert 50 <= height <= 56
    page.set_viewport_size({"width": 1280, "height": 800})
    below, _ = page.evaluate(DOCK)
    assert below > 600
    assert page.get_by_role("navigation").get_by_role("link", name="順位", exact=True).is_visible()
