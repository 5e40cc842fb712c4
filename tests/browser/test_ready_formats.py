"""Ready formats become published leagues through the guided set-up, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from league.models import Competition
from rulesets.formats import format_names, load_format
from tests import factories
from tests.browser.staff import sign_in
from tests.fuzz.examples import ASKED
from tests.league.roster_texts import ANY_NUMBER, roster

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)


def players_of(name: str) -> int:
    """Return the players to enter: of a format of open size the fewest."""
    format_ = load_format(name)
    return format_.bounds.least if format_.bounds else format_.seeds or ANY_NUMBER


EACH_KIND = ["blocks-20", "swiss-40", "sanma-9", "open-play"]
"""One in which players rest, one of open size, one at tables of three, one for any number; other tests take all."""
# The largest first: later leagues have players known already, and no name is taken for a misspelt one.
FORMATS = sorted(format_names(), key=lambda name: -players_of(name)) if ASKED else EACH_KIND
"""Those of each kind in the suite, all in `make fuzz`."""


def test_ready_formats_of_every_kind_are_published_with_invented_players(
    page: Page, live_server: LiveServer, settings: LazySettings
) -> None:
    sign_in(page, factories.user("director", is_staff=True, is_superuser=True))
    for place, name in enumerate(FORMATS):
        language = ("ja", "en")[place % 2]
        page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
        league = published(page, name)
        format_ = load_format(name)
        assert (league.status, league.entrants.count()) == (
            Competition.Status.PUBLISHED,
            players_of(name),
        ), name
        first = {block.key for block in format_.stages[0].blocks}
        assert set(league.table_sessions.values_list("block__key", flat=True)) >= first, name
        page.goto(f"/c/{league.slug}/")
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_be_visible()
        if len(format_.stages) > 1:
            expect(page.locator("svg.ladder, .ladder").first).to_be_attached()


def published(page: Page, name: str) -> Competition:
    """Go through the set-up with as little as possible: a name, players, a draw, the schedule proposed."""
    format_ = load_format(name)
    has_size = format_.entrants is not None
    page.goto(f"/admin/league/competition/set-up/?format={name}")
    page.locator("#id_name").fill(f"大会 {name}")
    if format_.players == 3:
        page.locator("#id_ruleset").select_option("tenhou3")
    page.locator(".submit-row button.default").click()
    page.locator("#id_pasted").fill(roster(players_of(name)))
    page.locator("button[name=look]").click()
    page.locator("button[name=enter]").click()
    if has_size:
        page.locator("button[name=close]" if format_.bounds else "button[value=draw]").first.click()
        page.locator(".go a.button.default").click()
    else:
        page.locator("#id_hanchan").fill("4")
        page.locator("button[name=look]").click()
    page.locator("button[name=write]").click()
    page.locator(".submit-row button.default").click()
    return Competition.objects.get(name=f"大会 {name}")
