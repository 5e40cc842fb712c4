"""Rankings across competitions and awards on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from tests.factories import SYSTEM
from tests.league.team_league import EVENING, team_league

if TYPE_CHECKING:
    from playwright.sync_api import Page, PdfMargins

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ASKING = "main :is(input:not([type=hidden]), button, a[download])"
MARGINS: PdfMargins = {"top": "10mm", "right": "10mm", "bottom": "10mm", "left": "10mm"}


def sheets(page: Page) -> int:
    """Return the number of pages that a page prints on A4."""
    return len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4", margin=MARGINS)))


def test_a_long_list_begins_on_the_first_sheet_and_nothing_to_press_is_printed(page: Page) -> None:
    season = team_league()
    row = create_ranking(slug="rate", name="レーティング", source="tenhou-r", is_public=True, by=SYSTEM)
    list_event(ranking=row, competition=season.competition, facts=EventFacts(day=EVENING.date()), by=SYSTEM)
    page.emulate_media(media="print")
    for path, printed in (("/rankings/rate/", 2), (f"/rankings/rate/players/{season.members[0][0].key}/", 1)):
        page.goto(path)
        assert page.locator(ASKING).filter(visible=True).count() == 0, path
        assert sheets(page) == printed, path
    page.goto(f"/c/{season.competition.slug}/awards/")
    assert sheets(page) == 4
