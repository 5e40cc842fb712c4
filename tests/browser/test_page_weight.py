"""Weight and layout stability of every public page.

The weight counts everything that a first visit fetches (page, styles, scripts and drawings) as production sends it:
static files compressed, pages where the service itself compresses them. Photos would be left out; there are none.
"""

import gzip
from itertools import product

import pytest
from playwright.sync_api import Page, Response

from scripts.site import Shot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (390, 1280)
MOST_BYTES = 100 * 1024
MOST_STYLES = 12 * 1024
PHOTOS = ("image/jpeg", "image/png", "image/webp", "image/avif")
SHIFTED = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => { for (const each of list.getEntries()) sum += each.value; })
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 250);
})"""
MOST_SHIFTED = 0.01
_weights: dict[str, int] = {}
"""The weight of each static file by its URL: most pages load the same ones."""


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


def test_every_public_page_is_light_and_does_not_shift_while_it_loads(page: Page, public: list[Shot]) -> None:
    loaded: list[Response] = []
    page.on("response", lambda response: loaded.append(response))  # noqa: PLW0108 - it cannot mark a built-in method
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    heavy, styled, moving = {}, {}, {}
    for shot, width in product(public, WIDTHS):
        page.set_viewport_size({"width": width, "height": 800})
        loaded.clear()
        page.context.clear_cookies()
        page.goto(shot.path, wait_until="load")
        shifted = page.evaluate(SHIFTED)
        if shifted >= MOST_SHIFTED:
            moving[shot.path, width] = shifted
        weighs = sum(map(weight, loaded))
        if not 0 < weighs < MOST_BYTES:
            heavy[shot.path, width] = weighs
        styles = sum(weight(each) for each in loaded if each.request.resource_type == "stylesheet")
        if not 0 < styles <= MOST_STYLES:
            styled[shot.path, width] = styles
    assert (heavy, styled, moving) == ({}, {}, {})
