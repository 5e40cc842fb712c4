"""The admin of rankings: making one, listing competitions, and who may."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import EventListed, Ranking
from tests.factories import user
from tests.league.seasons.ranked_events import played

pytestmark = pytest.mark.django_db


def signed_in(*rights: str) -> Client:
    who = user(is_staff=True)
    who.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(who)
    return client


def test_a_ranking_is_made_and_its_events_listed_changed_and_taken_out() -> None:
    spring = played("spring")
    client = signed_in("change_ranking")
    bad = client.post("/admin/league/ranking/new/", {"name": "年間", "slug": "Not good", "source": "mers"})
    assert bad.status_code == 422
    assert 'value="Not good"' in bad.content.decode()
    client.post("/admin/league/ranking/new/", {"name": "年間", "slug": "circuit", "source": "mers", "is_public": "on"})
    row = Ranking.objects.get()
    page = f"/admin/league/ranking/{row.pk}"
    assert client.get(f"{page}/change/").status_code == 200
    client.post(f"{page}/list/", {"competition": spring.pk, "day": "2026-06-01", "days": 1, "countries": 1})
    event = EventListed.objects.get()
    assert event.results.count() == 4
    shown = f"/admin/league/eventlisted/{event.pk}"
    assert client.get(f"{shown}/change/").status_code == 200
    client.post(f"{shown}/facts/", {"day": "2026-06-02", "days": 2, "countries": 6})
    changed = EventListed.objects.get(ended_at=None)
    assert (changed.days, changed.countries) == (2, 6)
    assert client.get(f"{shown}/facts/").status_code == 404
    assert client.post(f"/admin/league/eventlisted/{changed.pk}/unlist/", {"reason": ""}).status_code == 422
    client.post(f"/admin/league/eventlisted/{changed.pk}/unlist/", {"reason": "not ours"})
    assert not EventListed.objects.filter(ended_at=None).exists()
    client.post(f"{page}/edit/", {"name": "年間王者", "is_public": ""})
    client.post(f"{page}/rules/", {"source": "season-points", "text": "", "reason": "simpler"})
    row.refresh_from_db()
    assert (row.name, row.is_public, row.rules.name) == ("年間王者", False, "season-points")
    for name in ("ranking", "eventlisted", "eventresult", "rankingrevision"):
        assert client.get(f"/admin/league/{name}/").status_code == 200


def test_the_page_of_a_ranking_reads_no_more_often_for_more_events() -> None:
    client = signed_in("change_ranking")
    client.post("/admin/league/ranking/new/", {"name": "年間", "slug": "circuit", "source": "mers"})
    page = f"/admin/league/ranking/{Ranking.objects.get().pk}"
    counts = []
    for slug in ("spring", "summer"):
        event = {"competition": played(slug).pk, "day": "2026-06-01", "days": 1, "countries": 1}
        assert client.post(f"{page}/list/", event).status_code == 302
        client.get(f"{page}/change/")
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"{page}/change/").status_code == 200
        counts.append(len(queries))
    assert EventListed.objects.count() == 2
    assert counts[0] == counts[1], counts


def test_staff_without_the_right_find_no_rankings() -> None:
    client = signed_in("add_competition")
    assert client.get("/admin/league/ranking/").status_code == 403
    assert client.get("/admin/league/ranking/new/").status_code == 403
