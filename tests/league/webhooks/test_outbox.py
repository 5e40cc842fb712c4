"""Test the webhook outbox: each event once, signed, retried after failures, and not before an embargo ends."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from league.models import (
    Audience,
    Change,
    Competition,
    Membership,
    Player,
    Role,
    TableSession,
    WebhookDelivery,
    WebhookSubscription,
)
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.webhooks.subscriptions import failing_webhooks, why_disabled, why_not_delivered
from league.services.competitions.arrivals import record_no_show
from league.services.competitions.editing import EntrantWords, edit_entrant
from league.services.competitions.roster import add_house_players
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import new_player, set_status
from league.services.operations.sweep import sweep
from league.services.results.results import abandon_hanchan, resume_hanchan, void_hanchan
from league.services.results.rulings import adjust_points, take_back
from league.services.results.substitutes import name_substitute
from league.services.results.walkovers import declare_walkover
from league.services.standings.publishing import publish_standings
from league.services.webhooks.delivery import (
    FAILING_FOR,
    KEPT_FOR,
    LEASE,
    MOST_FAILURES,
    RETRY_AFTER,
    attempt,
    claim,
    deliver_webhooks,
    send_due,
)
from league.services.webhooks.events import EVENTS, events_of_owner
from league.services.webhooks.http import Sender
from league.services.webhooks.outbox import CHANGES_AT_ONCE, queue_all_messages
from league.services.webhooks.signing import signing_key
from league.services.webhooks.subscriptions import (
    MOST_WEBHOOKS,
    change_webhook,
    enable_webhook,
    end_webhook,
    ping,
    redeliver,
    rotate_key,
    subscribe,
)
from tests.factories import SYSTEM, actor, final_table, in_block, play, table, user
from tests.league.event import event, main, seat_of
from tests.league.webhook_receiver import Receiver, receiver, saying

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_network")]

SENDER = Sender(allow_private=True)
TOMORROW = dt.timedelta(days=1)
RESULTS = ("result.confirmed", "result.corrected", "result.voided")


@pytest.fixture
def hooked() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


def hook(season: Competition, to: Receiver, **choice: Any) -> WebhookSubscription:
    return subscribe(owner=season, url=to.url, by=SYSTEM, **choice).subscription


def published(season: Competition) -> int:
    """Publish the standings and send the due messages."""
    publish_standings(season.pk)
    return deliver_webhooks(SENDER)


def test_a_result_is_sent_once_it_is_published(season: Competition, hooked: Receiver) -> None:
    row = table(season.blocks.get(key="A"))
    hook(season, hooked, events=RESULTS)
    sheet = play(row.hanchan.get(round=1))
    assert deliver_webhooks(SENDER) == 0
    assert published(season) == 1
    (request,) = hooked.requests
    assert request.path == "/hook?k=1"
    assert request.headers["content-type"] == "application/json"
    assert request.told["type"] == "result.confirmed"
    assert request.told["data"] == {
        "competition": "spring",
        "version": Change.objects.filter(is_public=True).count(),
        "url": f"http://127.0.0.1:8000/api/v1/hanchan/{sheet.hanchan_id}/",
        "subject": {"type": "hanchan", "id": str(sheet.hanchan_id)},
        "revision": 1,
    }
    assert deliver_webhooks(SENDER) == 0


def test_a_receiver_can_verify_the_signature(season: Competition, hooked: Receiver) -> None:
    told = subscribe(owner=season, url=hooked.url, by=SYSTEM)
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    other = subscribe(owner=season, url=hooked.url, by=SYSTEM)
    assert all(request.is_signed_by(told.key) for request in hooked.requests)
    assert not any(request.is_signed_by(other.key) for request in hooked.requests)
    assert told.key.startswith("whsec_")


def test_messages_contain_no_names_and_no_reasons(season: Competition, hooked: Receiver) -> None:
    hook(season, hooked, audience=Audience.STAFF)
    row = table(season.blocks.get(key="A"))
    play(row.hanchan.get(round=1))
    adjust_points(block=row.block, entrant=in_block(row.block)[0], points=-5, by=SYSTEM, reason="Late")
    published(season)
    assert len(hooked.requests) > 3
    sent = " ".join(request.body.decode() for request in hooked.requests)
    assert "Late" not in sent
    for player in Player.objects.all():
        assert f'"{player.name}"' not in sent
        assert player.name_romaji not in sent


def test_only_subscribed_events_are_sent(season: Competition, hooked: Receiver) -> None:
    hook(season, hooked, events=["result.voided"])
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="Wrong table")
    published(season)
    assert hooked.events == ["result.voided"]


def test_published_standings_and_filled_slots_are_sent(season: Competition, hooked: Receiver) -> None:
    hook(season, hooked, events=["standings.published", "slot.filled"])
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    standings = next(request.told for request in hooked.requests if request.told["type"] == "standings.published")
    assert "A" in standings["data"]["blocks"]
    slots = [request.told["data"] for request in hooked.requests if request.told["type"] == "slot.filled"]
    assert {(slot["block"], slot["number"]) for slot in slots} >= {("A", 1), ("B", 1)}
    assert all(slot["entrant"].isdigit() for slot in slots)


def test_an_abandoned_hanchan_is_told_and_may_finish_its_session(hooked: Receiver) -> None:
    season = final_table(hanchan=2)
    first, last = table(season.blocks.get(), numbers=(1, 2)).hanchan.order_by("round")
    play(first)
    published(season)
    hook(season, hooked, events=["decision.made", "decision.ended", "session.finished"])
    abandon_hanchan(hanchan=last, reason="too late", by=SYSTEM)
    published(season)
    assert hooked.events == ["decision.made", "session.finished"]
    resume_hanchan(hanchan=last, reason="the hall stays open", by=SYSTEM)
    published(season)
    assert hooked.requests[-1].told["data"]["kind"] == "hanchan.resumed"


def test_house_players_and_a_corrected_club_are_told_as_changed_entrants(season: Competition, hooked: Receiver) -> None:
    hook(season, hooked, events=["entrants.changed"])
    set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)
    add_house_players(competition=season, count=1, by=SYSTEM)
    edit_entrant(
        entrant=season.entrants.earliest("pk"), words=EntrantWords(affiliation="Lantern", country=""), by=SYSTEM
    )
    set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    published(season)
    assert [request.told["data"]["kind"] for request in hooked.requests] == ["house.entered", "entrant.edited"]


def test_a_substitute_is_told_as_another_player_in_the_seat(season: Competition, hooked: Receiver) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    hook(season, hooked, events=["hanchan.seated"])
    stand_in = new_player(name="Sub", name_romaji="Sub", key="sub", by=SYSTEM)
    name_substitute(hanchan=hanchan, entrant=in_block(hanchan.block)[0], player=stand_in, reason="ill", by=SYSTEM)
    published(season)
    assert [each.told["data"]["subject"]["id"] for each in hooked.requests] == [str(hanchan.pk)]


def test_changes_beyond_one_batch_are_all_sent(season: Competition, hooked: Receiver) -> None:
    row = hook(season, hooked, events=["competition.changed", "standings.published"])
    for _time in range(CHANGES_AT_ONCE // 2 + 5):
        set_status(competition=season, status=Competition.Status.CLOSED, by=SYSTEM)
        set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    publish_standings(season.pk)
    queue_all_messages()
    assert row.deliveries.filter(event="competition.changed").count() == CHANGES_AT_ONCE + 10
    assert WebhookSubscription.objects.get(pk=row.pk).sent_n == Competition.objects.get(pk=season.pk).version


# Embargo


@pytest.fixture
def recorded(season: Competition) -> TableSession:
    """Create a table under embargo until tomorrow."""
    return table(season.blocks.get(key="A"), public_at=timezone.now() + TOMORROW)


def test_a_table_under_embargo_is_reported_to_organizers_but_not_to_the_public(
    season: Competition, recorded: TableSession, hooked: Receiver
) -> None:
    published(season)
    unlimited = hook(season, hooked)
    organizers = hook(season, hooked, audience=Audience.STAFF)
    publish_standings(season.pk)
    queue_all_messages()
    WebhookDelivery.objects.all().delete()
    hanchan = recorded.hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (10000, 18700, 30100, 41200), corrects=1, reason="Read again")
    adjust_points(block=recorded.block, entrant=in_block(recorded.block)[0], points=-5, by=SYSTEM, reason="Late")
    publish_standings(season.pk)
    queue_all_messages()
    assert not unlimited.deliveries.exists()
    heard = set(organizers.deliveries.values_list("event", flat=True))
    assert {"result.confirmed", "result.corrected", "decision.made", "standings.published"} <= heard


@pytest.mark.both_databases
def test_a_release_sends_the_tables_results_and_the_decisions_hidden_with_them(
    season: Competition, recorded: TableSession, hooked: Receiver
) -> None:
    hook(season, hooked, events=[name for name in events_of_owner("competition") if name != "slot.filled"])
    hanchan = recorded.hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (10000, 18700, 30100, 41200), corrects=1, reason="Read again")
    adjust_points(block=recorded.block, entrant=in_block(recorded.block)[0], points=-5, by=SYSTEM, reason="Late")
    published(season)
    hooked.requests.clear()
    with time_machine.travel(timezone.now() + 2 * TOMORROW):
        sweep()
        published(season)
    assert hooked.events == ["table_session.released", "result.confirmed", "decision.made", "standings.published"]
    result = hooked.requests[1].told
    assert result["data"]["revision"] == 2
    # The next public version: the public's numbers count none of the changes held back.
    shown = Change.objects.filter(is_public=True).count()
    assert Change.objects.get(kind="table_session.released").n > shown
    assert {request.told["data"]["version"] for request in hooked.requests} == {shown}
    assert dt.datetime.fromisoformat(result["timestamp"]) > timezone.now() + TOMORROW


def test_a_release_tells_of_no_walkover_at_a_table_still_under_embargo(
    season: Competition, recorded: TableSession, hooked: Receiver
) -> None:
    hook(season, hooked, events=["entrants.changed", "decision.ended"])
    other = table(recorded.block, in_block(recorded.block)[4:], public_at=timezone.now() + TOMORROW)
    play(recorded.hanchan.get(round=1))
    credit = declare_walkover(hanchan=other.hanchan.get(round=1), by=SYSTEM, reason="Power cut", points=10)[0]
    take_back(decision=credit, competition=season, by=SYSTEM, reason="Light again")
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    published(season)
    assert hooked.events == []


@pytest.mark.parametrize("points", ["", ', points = "-15.0"'], ids=["substitutes", "credits"])
def test_a_release_tells_of_an_absence_before_the_tables_first_result_and_of_the_withdrawal_by_it(
    hooked: Receiver, points: str
) -> None:
    competition = event(f'no_show = {{ by = "substitutes", twice = "withdrawal"{points} }}')
    block, entrant = main(competition), in_block(main(competition))[0]
    held = seat_of(entrant, 2).table_session
    hold_back(table_session=held, until=timezone.now() + TOMORROW, by=SYSTEM)
    published(competition)
    hook(competition, hooked, events=["entrants.changed"])
    for number in (1, 2):
        record_no_show(block=block, number=number, entrant=entrant, by=SYSTEM, reason="not here")
    published(competition)
    assert [request.told["data"]["kind"] for request in hooked.requests] == ["entrant.no_show"]
    hooked.requests.clear()
    play(held.hanchan.get(number=2), accept=["not_as_scheduled"] if not points else ())
    hold_back(table_session=held, until=None, by=SYSTEM)
    published(competition)
    assert [request.told["data"]["kind"] for request in hooked.requests] == ["entrant.no_show", "entrant.withdrawn"]


def test_a_table_released_by_hand_is_reported_as_released(
    season: Competition, recorded: TableSession, hooked: Receiver
) -> None:
    hook(season, hooked, events=["table_session.released", "table_session.held_back", "result.confirmed"])
    play(recorded.hanchan.get(round=1))
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    published(season)
    assert hooked.events == ["table_session.released", "result.confirmed"]


def test_an_embargo_set_before_sending_suppresses_the_message(season: Competition, hooked: Receiver) -> None:
    row = table(season.blocks.get(key="A"))
    publish_standings(season.pk)
    hook(season, hooked)
    play(row.hanchan.get(round=1))
    hold_back(table_session=row, until=timezone.now() + TOMORROW, by=SYSTEM)
    published(season)
    assert not {"result.confirmed", "table_session.held_back", "table_session.released"} & set(hooked.events)


def test_an_embargo_set_between_two_attempts_suppresses_the_message_until_the_release(
    season: Competition, hooked: Receiver
) -> None:
    row = table(season.blocks.get(key="A"))
    publish_standings(season.pk)
    hook(season, hooked, events=["result.confirmed"])
    hooked.answering = saying(500)
    play(row.hanchan.get(round=1))
    published(season)
    assert hooked.events == ["result.confirmed"]
    hooked.answering = saying(204)
    hold_back(table_session=row, until=timezone.now() + TOMORROW, by=SYSTEM)
    WebhookDelivery.objects.update(next_attempt_at=timezone.now())
    published(season)
    assert hooked.events == ["result.confirmed"], "no second attempt"
    hold_back(table_session=row, until=None, by=SYSTEM)
    published(season)
    assert hooked.events == ["result.confirmed"] * 2


def test_a_draft_sends_no_public_message_but_the_test_message(season: Competition, hooked: Receiver) -> None:
    set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)
    made = hook(season, hooked)
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    assert hooked.requests == []
    ping(subscription=made, by=SYSTEM)
    published(season)
    assert hooked.events == ["ping"]


@pytest.mark.both_databases
def test_a_webhook_is_disabled_when_its_author_loses_the_right_to_read_results_under_embargo(
    season: Competition, hooked: Receiver
) -> None:
    director = user(role=Role.DIRECTOR, competition=season)
    told = subscribe(owner=season, url=hooked.url, by=actor(director), audience=Audience.STAFF)
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(season.pk)
    queue_all_messages()
    assert told.subscription.deliveries.exists()
    Membership.objects.filter(user=director).delete()
    published(season)
    assert hooked.requests == []
    row = WebhookSubscription.objects.get(pk=told.subscription.pk)
    assert why_disabled(row) == "Who made it may no longer read what is held back."


# Retries and their end


def failed(season: Competition, hooked: Receiver, status: int = 500) -> WebhookDelivery:
    """Return a message whose first delivery failed."""
    hook(season, hooked, events=["competition.changed"])
    hooked.answering = saying(status, b"no \x1b[31m thanks")
    set_status(competition=season, status=Competition.Status.CLOSED, by=SYSTEM)
    published(season)
    return WebhookDelivery.objects.get()


def test_a_failed_message_is_sent_again_later_under_the_same_id(season: Competition, hooked: Receiver) -> None:
    row = failed(season, hooked)
    assert (row.state, row.attempts, row.status) == ("waiting", 1, 500)
    assert why_not_delivered(row) == "the receiver did not accept it (no [31m thanks)"
    assert deliver_webhooks(SENDER) == 0
    hooked.answering = saying(200)
    with time_machine.travel(timezone.now() + dt.timedelta(seconds=40)):
        assert deliver_webhooks(SENDER) == 1
    assert len({request.id for request in hooked.requests}) == 1
    row.refresh_from_db()
    assert (row.state, row.attempts, row.status, row.error) == ("delivered", 2, 200, "")
    assert not failing_webhooks([season]).exists()


@pytest.mark.both_databases
def test_retries_back_off_and_the_message_fails_after_the_last_one(season: Competition, hooked: Receiver) -> None:
    row = failed(season, hooked)
    waits = []
    for _attempt in RETRY_AFTER:
        row.refresh_from_db()
        assert row.next_attempt_at is not None
        waits.append(row.next_attempt_at - timezone.now())
        with time_machine.travel(row.next_attempt_at + dt.timedelta(seconds=1)):
            deliver_webhooks(SENDER)
    row.refresh_from_db()
    assert (row.state, row.attempts, row.next_attempt_at) == ("failed", 1 + len(RETRY_AFTER), None)
    assert waits == sorted(waits)
    assert len({request.id for request in hooked.requests}) == 1
    assert len(hooked.requests) == 7
    hooked.answering = saying(204)
    redeliver(delivery=row, by=SYSTEM)
    deliver_webhooks(SENDER)
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("delivered", 1)
    assert len({request.id for request in hooked.requests}) == 1


def test_a_redirect_is_a_failure(season: Competition, hooked: Receiver) -> None:
    row = failed(season, hooked, status=307)
    assert row.state == "waiting"
    assert why_not_delivered(row).startswith("the answer leads elsewhere, which is not followed")


@pytest.mark.both_databases
def test_a_webhook_answered_with_410_is_disabled_until_it_is_enabled_again(
    season: Competition, hooked: Receiver
) -> None:
    failed(season, hooked, status=410)
    row = WebhookSubscription.objects.get()
    assert why_disabled(row) == "The receiver says that the address is gone."
    assert [each.pk for each in failing_webhooks([season])] == [row.pk]
    noted = Change.objects.get(kind="webhook.disabled")
    assert (noted.is_public, noted.after) == (False, {"because": "gone"})
    with pytest.raises(ConflictError):
        ping(subscription=row, by=SYSTEM)
    set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    hooked.answering = saying(204)
    enable_webhook(subscription=row, by=SYSTEM)
    hooked.requests.clear()
    published(season)
    assert hooked.events == []
    set_status(competition=season, status=Competition.Status.CLOSED, by=SYSTEM)
    published(season)
    assert hooked.events == ["competition.changed"]


def test_a_webhook_that_fails_for_days_is_disabled(season: Competition, hooked: Receiver) -> None:
    row = failed(season, hooked)
    WebhookSubscription.objects.update(failures=MOST_FAILURES)
    redeliver(delivery=row, by=SYSTEM)
    deliver_webhooks(SENDER)
    assert WebhookSubscription.objects.get().disabled_at is None
    WebhookSubscription.objects.update(failing_since=timezone.now() - FAILING_FOR)
    redeliver(delivery=row, by=SYSTEM)
    deliver_webhooks(SENDER)
    assert why_disabled(WebhookSubscription.objects.get()) == "Messages have failed for days."
    redelivered = WebhookDelivery.objects.get()
    assert redelivered.state == "waiting"
    with pytest.raises(ConflictError):
        redeliver(delivery=redelivered, by=SYSTEM)


def test_a_message_is_sent_again_under_its_id_if_its_worker_died_after_sending(
    season: Competition, hooked: Receiver
) -> None:
    ping(subscription=hook(season, hooked), by=SYSTEM)
    row = claim(set())
    assert row is not None
    assert attempt(row, SENDER).is_success
    assert send_due(SENDER) == 0
    with time_machine.travel(timezone.now() + LEASE + dt.timedelta(seconds=1)):
        assert send_due(SENDER) == 1
    assert [request.id for request in hooked.requests] == [row.message_id, row.message_id]
    row.refresh_from_db()
    assert row.attempts == 2


def test_a_failing_webhook_is_skipped_for_the_rest_of_the_run_and_others_are_served(
    season: Competition, hooked: Receiver
) -> None:
    with receiver(saying(503)) as broken:
        first = hook(season, broken)
        for _time in range(3):
            ping(subscription=first, by=SYSTEM)
        ping(subscription=hook(season, hooked), by=SYSTEM)
        send_due(SENDER)
        assert len(broken.requests) == 1
        assert len(hooked.requests) == 1


def test_old_messages_are_dropped_by_the_sweep(season: Competition, hooked: Receiver) -> None:
    ping(subscription=hook(season, hooked), by=SYSTEM)
    published(season)
    sweep()
    assert WebhookDelivery.objects.exists()
    with time_machine.travel(timezone.now() + KEPT_FOR + dt.timedelta(minutes=1)):
        sweep()
    assert not WebhookDelivery.objects.exists()


# Keys


def test_after_a_rotation_the_new_and_the_previous_key_sign(season: Competition, hooked: Receiver) -> None:
    first = subscribe(owner=season, url=hooked.url, by=SYSTEM)
    second = rotate_key(subscription=first.subscription, by=SYSTEM)
    ping(subscription=first.subscription, by=SYSTEM)
    send_due(SENDER)
    assert [hooked.requests[0].is_signed_by(told.key) for told in (first, second)] == [True, True]
    third = rotate_key(subscription=first.subscription, by=SYSTEM)
    ping(subscription=first.subscription, by=SYSTEM)
    send_due(SENDER)
    assert [hooked.requests[1].is_signed_by(told.key) for told in (first, second, third)] == [False, True, True]


def test_webhook_keys_stay_valid_after_a_rotation_of_the_secret_key(
    season: Competition, hooked: Receiver, settings: LazySettings
) -> None:
    told = subscribe(owner=season, url=hooked.url, by=SYSTEM)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-secret-of-the-installation-that-is-long-enough"
    ping(subscription=told.subscription, by=SYSTEM)
    send_due(SENDER)
    assert hooked.requests[0].is_signed_by(told.key)
    assert hooked.requests[0].is_signed_by(signing_key(told.subscription))
    assert signing_key(told.subscription) != told.key


# Permissions and refused input


def test_managing_webhooks_needs_the_director_role(season: Competition, hooked: Receiver) -> None:
    scorer = actor(user(role=Role.SCORER, competition=season))
    row = hook(season, hooked)
    delivery = ping(subscription=row, by=SYSTEM)
    for refused in (
        lambda: subscribe(owner=season, url=hooked.url, by=scorer),
        lambda: change_webhook(subscription=row, events=[], by=scorer),
        lambda: rotate_key(subscription=row, by=scorer),
        lambda: enable_webhook(subscription=row, by=scorer),
        lambda: ping(subscription=row, by=scorer),
        lambda: redeliver(delivery=delivery, by=scorer),
        lambda: end_webhook(subscription=row, by=scorer),
    ):
        with pytest.raises(PermissionRefusedError):
            refused()


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "hooks.example.org",
        "https://",
        "https://name:word@hooks.example.org/",
        "https://hooks.example.org/#part",
        "https://hooks.example.org:25/",
        "https://hooks.example.org:99999/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://localhost/",
        "https://printer.local/",
        "https://hooks.example.org/a b",
        "https://hooks.example.org/\r\nX: y",
        "https://卓.example.org/",
        "https://hooks.example.org/" + "x" * 500,
        "https://[::1",
    ],
)
def test_an_unusable_url_is_refused_when_subscribing(url: str, season: Competition, settings: LazySettings) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    with pytest.raises(RuleViolationError) as refusal:
        subscribe(owner=season, url=url, by=SYSTEM)
    assert (refusal.value.findings[0].code, refusal.value.findings[0].pointer) == ("bad_url", "/url")


def test_an_unknown_event_is_refused_with_the_list_of_known_ones(season: Competition, hooked: Receiver) -> None:
    with pytest.raises(RuleViolationError, match=r"result\.confirmed"):
        hook(season, hooked, events=["result.conformed"])


def test_the_number_of_webhooks_per_competition_is_limited(season: Competition, hooked: Receiver) -> None:
    for _time in range(MOST_WEBHOOKS):
        hook(season, hooked)
    with pytest.raises(ConflictError):
        hook(season, hooked)


def test_the_log_keeps_only_the_host_and_is_not_public(season: Competition, hooked: Receiver) -> None:
    told = subscribe(owner=season, url=hooked.url, by=SYSTEM)
    row = told.subscription
    change_webhook(subscription=row, url=hooked.url.replace("k=1", "k=2"), events=["ping"][:0], by=SYSTEM)
    rotated = rotate_key(subscription=row, by=SYSTEM)
    end_webhook(subscription=row, by=SYSTEM)
    noted = Change.objects.filter(kind__startswith="webhook.")
    assert set(noted.values_list("kind", flat=True)) == {
        "webhook.made",
        "webhook.changed",
        "webhook.key_rotated",
        "webhook.ended",
    }
    assert not noted.filter(is_public=True).exists()
    kept = json.dumps(list(noted.values("before", "after")))
    assert f"127.0.0.1:{hooked.port}" in kept
    assert not any(secret in kept for secret in ("k=1", "k=2", told.key, rotated.key))


def test_every_event_has_a_description_and_a_source() -> None:
    assert all(str(event.meaning).endswith(".") for event in EVENTS.values())
    derived = ["standings.published", "session.finished", "block.last_hanchan", "session.soon", "slot.filled"]
    of_seasons = ["series.moves_decided", "series.moves_undone", "ranking.changed"]
    assert [name for name, event in EVENTS.items() if not event.kinds] == [*derived, *of_seasons, "ping"]
