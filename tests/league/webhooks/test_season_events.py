"""Webhooks of series and rankings: rosters written and taken back, events that count; and nothing under embargo."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, Hanchan, Ranking, Series, TableSession, WebhookSubscription
from league.models.webhooks import RIGHTS_REASON
from league.platform.errors import PermissionRefusedError, RuleViolationError
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.results.results import void_hanchan
from league.services.seasons.next_rosters import preview_next_roster, undo_next_roster, write_next_roster
from league.services.seasons.rankings import (
    EventFacts,
    change_event,
    change_rules,
    create_ranking,
    list_event,
    unlist_event,
)
from league.services.webhooks.delivery import deliver_webhooks
from league.services.webhooks.http import Sender
from league.services.webhooks.subscriptions import subscribe
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import finished_series
from tests.league.seasons.ranked_events import DAY, again, played, players, publish
from tests.league.webhook_receiver import Receiver, receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_network")]
SENDER = Sender(allow_private=True)
LATER = dt.timedelta(days=2)


@pytest.fixture
def series() -> Series:
    """Return a public series whose first term is played."""
    return finished_series()


def write(series: Series) -> None:
    term = series.terms.get(number=1)
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)


def told(hooked: Receiver) -> list[dict[str, Any]]:
    """Send what is due, and return the new messages, each with its event."""
    before = len(hooked.requests)
    deliver_webhooks(SENDER)
    return [request.told["data"] | {"event": request.told["type"]} for request in hooked.requests[before:]]


def kinds(messages: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["kind"], each.get("competition", "")) for each in messages]


@pytest.mark.both_databases
def test_a_roster_is_told_when_it_is_written_and_when_it_is_taken_back(series: Series) -> None:
    chief = Api(User.objects.create_superuser("chief"))
    with receiver() as hooked:
        made = chief.post("webhooks/", {"series": "spring", "url": hooked.url}, status=201)
        assert (made["competition"], made["series"]["slug"], made["ranking"]) == (None, "spring", None)
        assert chief.get("webhooks/", series="spring")["results"] == [{**made, "key": None}]
        write(series)
        [message] = told(hooked)
        assert (message["event"], message["series"], message["term"]) == ("series.moves_decided", "spring", 1)
        assert message["url"].endswith("/api/v1/series/spring/terms/1/moves/")
        assert hooked.requests[0].is_signed_by(made["key"])
        undo_next_roster(term=series.terms.get(number=1), reason="too early", by=SYSTEM)
        [undone] = told(hooked)
        assert (undone["event"], undone["subject"]) == ("series.moves_undone", message["subject"])
        assert undone["version"] == message["version"] + 1
        assert told(hooked) == []
        ping = chief.post(f"webhooks/{made['id']}/ping/", status=202)
        assert [each["event"] for each in told(hooked)] == ["ping"]
        listed = chief.get(f"webhooks/{made['id']}/deliveries/", state="delivered")["results"]
        assert [row["event"] for row in listed] == ["ping", "series.moves_undone", "series.moves_decided"]
        assert listed[0]["id"] == ping["id"]


def held_back(series: Series) -> TableSession:
    """Hold back a table of the first term until later."""
    table = TableSession.objects.filter(competition__term__series=series).earliest("pk")
    hold_back(table_session=table, until=timezone.now() + LATER, by=SYSTEM)
    return table


def test_the_public_hears_of_a_roster_once_the_embargo_has_ended(series: Series) -> None:
    held_back(series)
    with receiver() as public, receiver() as staff:
        subscribe(owner=series, url=public.url, by=SYSTEM)
        subscribe(owner=series, url=staff.url, audience=Audience.STAFF, by=SYSTEM)
        write(series)
        deliver_webhooks(SENDER)
        assert (public.events, staff.events) == ([], ["series.moves_decided"])
        with time_machine.travel(timezone.now() + LATER + dt.timedelta(hours=1)):
            sweep()
            deliver_webhooks(SENDER)
        assert public.events == staff.events


def test_a_roster_taken_back_under_embargo_is_never_told_to_the_public(series: Series) -> None:
    held_back(series)
    with receiver() as public:
        subscribe(owner=series, url=public.url, by=SYSTEM)
        write(series)
        assert told(public) == []
        undo_next_roster(term=series.terms.get(number=1), reason="too early", by=SYSTEM)
        assert told(public) == []
        with time_machine.travel(timezone.now() + LATER + dt.timedelta(hours=1)):
            sweep()
            assert told(public) == []
            write(series)
            assert [each["event"] for each in told(public)] == ["series.moves_decided"]


def listed(ranking: Ranking, competition: Competition, day: dt.date = DAY) -> Any:
    return list_event(ranking=ranking, competition=competition, facts=EventFacts(day=day), by=SYSTEM)


@pytest.mark.both_databases
def test_a_ranking_tells_what_begins_to_count_changes_and_counts_no_more() -> None:
    spring = played("spring")
    ranking = create_ranking(slug="year", name="年間", source="mers", is_public=True, by=SYSTEM)
    with receiver() as hooked:
        subscribe(owner=ranking, url=hooked.url, by=SYSTEM)
        event = listed(ranking, spring)
        [message] = told(hooked)
        assert (message["event"], message["ranking"], message["kind"]) == ("ranking.changed", "year", "event_counted")
        assert message["url"].endswith("/api/v1/rankings/year/")
        event = change_event(event=event, facts=EventFacts(day=DAY, days=2), by=SYSTEM)
        assert kinds(told(hooked)) == [("event_corrected", "spring")]
        publish(spring)
        assert told(hooked) == []
        unlist_event(event=event, by=SYSTEM)
        assert kinds(told(hooked)) == [("event_removed", "spring")]
        change_rules(ranking=ranking, source="season-points", by=SYSTEM)
        assert kinds(told(hooked)) == [("rules_changed", "")]
        summer = again("summer", players(spring))
        listed(ranking, summer)
        Competition.objects.filter(pk=summer.pk).update(audience="staff")
        assert kinds(told(hooked)) == [("event_counted", "")]


def test_a_ranking_that_is_not_public_and_a_competition_for_staff_are_not_told_of() -> None:
    spring = played("spring")
    ranking = create_ranking(slug="year", name="年間", source="mers", by=SYSTEM)
    with receiver() as public, receiver() as staff:
        subscribe(owner=ranking, url=public.url, by=SYSTEM)
        subscribe(owner=ranking, url=staff.url, audience=Audience.STAFF, by=SYSTEM)
        Competition.objects.filter(pk=spring.pk).update(audience="staff")
        spring.refresh_from_db()
        listed(ranking, spring)
        assert (told(public), told(staff)) == ([], [])
        Competition.objects.filter(pk=spring.pk).update(audience="public")
        ranking.events.update(seen_version=None)
        sweep()
        assert told(public) == []
        assert staff.events == ["ranking.changed"]


def test_each_game_counts_for_a_rating_and_one_taken_back_corrects_it() -> None:
    spring = played("spring")
    ranking = create_ranking(slug="r", name="R", source="tenhou-r", is_public=True, by=SYSTEM)
    with receiver() as hooked:
        subscribe(owner=ranking, url=hooked.url, by=SYSTEM)
        listed(ranking, spring)
        assert kinds(told(hooked)) == [("event_counted", "spring")]
        last = Hanchan.objects.filter(block__competition=spring).latest("number")
        void_hanchan(hanchan=last, reason="entered twice", by=SYSTEM)
        publish(spring)
        assert kinds(told(hooked)) == [("event_corrected", "spring")]


def test_only_events_of_the_owner_are_chosen_and_only_by_those_who_may_change_it(series: Series) -> None:
    url = "https://hooks.example.org/in"
    with pytest.raises(RuleViolationError, match=r"series\.moves_decided, series\.moves_undone"):
        subscribe(owner=series, url=url, events=["result.confirmed"], by=SYSTEM)
    with pytest.raises(PermissionRefusedError):
        subscribe(owner=series, url=url, by=factories.actor(User.objects.create_user("someone")))
    assert Api(User.objects.create_user("player")).get("webhooks/", series="spring", expect=404)
    both = {"series": "spring", "competition": "spring-1-a", "url": url}
    assert Api(User.objects.create_superuser("chief")).send("post", "webhooks/", both).status_code == 400


def test_the_admin_makes_and_ends_a_webhook_of_a_series_and_a_right_lost_ends_it(series: Series) -> None:
    organizer = User.objects.create_user("organizer", is_staff=True)
    organizer.user_permissions.add(Permission.objects.get(codename="change_series"))
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(organizer)
    add = f"/admin/league/webhooksubscription/add/?series={series.pk}"
    assert b"series.moves_decided" in desk.get(add).content
    assert b"result.confirmed" not in desk.get(add).content
    made = desk.post(add, {"url": "https://hooks.example.org/in", "audience": "staff"})
    assert b"whsec_" in made.content
    row = WebhookSubscription.objects.get()
    page = f"/admin/league/webhooksubscription/{row.pk}/"
    assert "Spring series" in desk.get(f"{page}change/").content.decode()
    assert desk.get("/admin/league/webhooksubscription/").status_code == 200
    assert desk.post(f"{page}ping/").status_code == 302
    assert "1 delivery" in desk.get("/admin/league/webhookdelivery/").content.decode()
    assert desk.get(f"/admin/league/webhookdelivery/{row.deliveries.get().pk}/change/").status_code == 200
    assert desk.get("/admin/league/webhooksubscription/add/?ranking=1").status_code == 404
    organizer.user_permissions.clear()
    WebhookSubscription.objects.update(disabled_at=None)
    row.deliveries.all().delete()
    deliver_webhooks(SENDER)
    row.refresh_from_db()
    assert row.disabled_because == RIGHTS_REASON
    again = Client()
    again.force_login(User.objects.get(pk=organizer.pk))
    assert again.get(f"{page}change/").status_code in (302, 403)
