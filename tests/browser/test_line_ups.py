"""Line-ups in a browser on a phone: a team names its member through its link, the scorer the members still missing."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from league.models import HanchanSeat, LineUp
from league.services.seasons.team_links import make_team_link
from tests.browser.phones import Opens
from tests.browser.test_accessibility import findings
from tests.factories import SYSTEM, seated
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_team_names_its_member_and_the_scorer_those_who_are_missing(phone: Opens) -> None:
    competition = resting_teams(ruleset="cinderella")
    table = evening(competition, numbers=(1,))
    [one] = hanchan_of(table)
    red, *others = seated(one)
    link = make_team_link(entrant=red, by=SYSTEM)
    device = phone(table)
    page, address = device.page, reverse("pages:team-link", args=[competition.slug, link.token])
    assert findings(page, address) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")
    page.locator(f"#g{one.pk} select").select_option(label="赤2")
    page.locator(f"#g{one.pk} .btn").click()
    expect(page.locator(f"#g{one.pk} [role=status]")).to_be_visible()
    assert LineUp.objects.standing().get(hanchan=one).player == people_of(red)[1]
    page.goto(reverse("pages:table-sheet", args=[table.pk]))
    begin = page.locator('[data-key="start"]')
    expect(begin).to_be_disabled()
    for team in others:
        page.get_by_role("group", name=team.player.name).get_by_text(f"{team.player.name}1").click()
    begin.click()
    expect(page.locator(".kyoku").first).to_be_visible()
    assert {seat.player.name for seat in HanchanSeat.objects.filter(hanchan=one).select_related("player")} == {
        "赤2", "青1", "緑1", "黄1"
    }  # fmt: skip
