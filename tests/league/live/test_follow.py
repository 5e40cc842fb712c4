"""Tests of the version endpoint that open pages poll."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Hanchan, Role
from league.services.competitions.schedule import hold_back
from league.services.standings.odds import publish_odds
from tests import factories
from tests.league.played_season import BY, Season, almost_finished

pytestmark = pytest.mark.django_db
ADDRESS = "/c/spring/version/"


def version(client: Client) -> int:
    """Return the version the endpoint reports."""
    found: int = client.get(ADDRESS).json()["version"]
    return found


def test_the_version_advances_on_publishing_and_needs_one_query() -> None:
    season, visitor = almost_finished(), Client()
    first = visitor.get(ADDRESS)
    assert first.json()["version"] == season.competition.public_version
    assert first["Cache-Control"] == "public, max-age=1"
    with CaptureQueriesContext(
        connection,
    ) as queries:
        known = visitor.get(ADDRESS, headers={"if-none-match": first["ETag"]})
    assert (known.status_code, len(queries)) == (304, 1)
    season.play(Hanchan.objects.get(block=season.block("final"), number=4))
    season.publish()
    news = visitor.get(ADDRESS, headers={"if-none-match": first["ETag"]})
    assert news.status_code == 200
    assert news.json()["version"] == season.competition.public_version > first.json()["version"]


@pytest.mark.both_databases
def test_an_embargoed_result_advances_the_version_for_organizers_only() -> None:
    season, visitor = almost_finished(), Client()
    organizer = Client()
    organizer.force_login(factories.user("organizer", Role.DIRECTOR, season.competition))
    last = Hanchan.objects.get(block=season.block("final"), number=4)
    hold_back(table_session=last.table_session, until=timezone.now() + dt.timedelta(days=1), by=BY)
    season.publish()
    before = version(visitor), version(organizer)
    season.play(last)
    season.publish()
    assert version(visitor) == before[0]
    assert version(organizer) > before[1]
    assert organizer.get(ADDRESS)["Cache-Control"] == "private, no-cache"


def test_new_odds_change_only_pages_that_show_odds() -> None:
    season, visitor = Season(), Client(headers={"accept-language": "en"})
    season.play_preliminary(hanchan_each=5)
    assert visitor.get(ADDRESS).json()["odds"] == ""
    publish_odds(season.competition.pk)
    mark = visitor.get(ADDRESS).json()["odds"]
    assert mark
    assert f'data-odds="{mark}"' in visitor.get("/c/spring/odds/").content.decode()
    assert f'data-odds="{mark}"' in visitor.get("/c/spring/blocks/A/").content.decode()
    home = visitor.get("/c/spring/").content.decode()
    assert f'data-version="{season.competition.public_version}"' in home
    assert "data-odds" not in home


def test_a_draft_has_no_public_version_and_the_what_if_page_is_not_refreshed() -> None:
    Season("later", status="draft")
    assert Client().get("/c/later/version/").status_code == 404
    almost_finished()
    page = Client().get("/c/spring/what-if/").content.decode()
    assert "data-live" not in page
