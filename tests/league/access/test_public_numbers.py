"""Tests of the numbers that the public reads: changes held back leave no gap in them, in no answer and no ETag."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping

import pytest
import time_machine
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from league.models import Audience, Change, Competition, TableSession, WebhookDelivery
from league.selectors.access.public_numbers import public_number
from league.selectors.access.readers import Reader, public_reader_of
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points
from league.services.standings.odds import publish_odds
from league.services.standings.publishing import publish_standings
from league.services.webhooks.outbox import queue_all_messages
from league.services.webhooks.subscriptions import subscribe
from tests.api.access.test_embargo import Walk
from tests.api.client import Api
from tests.factories import SYSTEM, in_block, league, play, table

pytestmark = pytest.mark.django_db

NIGHT = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)
TOMORROW = dt.timedelta(days=1)
LINK = re.compile(r'href="(/c/[^"?#]+/)"')
CHANGING = re.compile(
    # The token of a form, and the id of a result sheet: ids come from one sequence for all competitions, with gaps.
    r'name="csrfmiddlewaretoken" value="\w+"|"id":"\d+"(?=,"revision")'
)
BOOKS = ("/api/v1/rulesets/", "/api/v1/formats/", "/api/v1/clauses/", "/api/v1/comparisons/")
"""Addresses that no competition changes."""
Answer = tuple[int, str, bytes]


def publish(competition: Competition) -> None:
    """Publish the standings and queue the messages of webhooks."""
    publish_standings(competition.pk)
    queue_all_messages()


def history(held_back: int) -> Competition:
    """Play a season with one public and one embargoed table, at which this many changes are made between the others."""
    made = league("spring")
    Competition.objects.filter(pk=made.pk).update(shows_odds=True)
    made.refresh_from_db()
    subscribe(owner=made, url="https://example.org/", audience=Audience.PUBLIC, by=SYSTEM)
    shown = table(made.blocks.get(key="A"), numbers=(1, 2))
    recorded = table(made.blocks.get(key="A"), numbers=(3, 4), public_at=NIGHT + TOMORROW)
    play(shown.hanchan.get(round=1))
    publish(made)
    for number in range(held_back):
        change_unseen(recorded, number)
        publish(made)
    play(shown.hanchan.get(round=2), (25000, 25100, 24900, 25000))
    publish(made)
    if held_back:
        change_unseen(recorded, held_back)
    play(table(made.blocks.get(key="B")).hanchan.get(round=1))
    void_hanchan(hanchan=shown.hanchan.get(round=1), by=SYSTEM, reason="played with the wrong tiles")
    publish(made)
    publish_odds(made.pk)
    return made


def change_unseen(recorded: TableSession, number: int) -> None:
    """Make one change at the embargoed table: a result, a decision, the second result, the first voided."""
    first, second = recorded.hanchan.order_by("number")
    block = recorded.block
    if number == 1:
        adjust_points(block=block, entrant=in_block(block)[0], points=-50, by=SYSTEM, reason="a phone rang")
    elif number == 3:
        void_hanchan(hanchan=first, by=SYSTEM, reason="the wrong table")
    else:
        play(second if number else first, (40000 + 100 * number, 30000 - 100 * number, 20000, 10000))


def public_answers(pages: Mapping[str, Answer] | None = None) -> dict[str, Answer]:
    """Return what an anonymous visitor gets at every address of REST and at every page that links lead to."""
    visitor = Client(headers={"accept-language": "en"})
    walk = Walk()
    walk.addresses = [address for address in walk.addresses if not address.startswith(BOOKS)]
    found: dict[str, Answer] = dict(walk.everything(Api()))
    waiting = ["/c/spring/", "/c/spring/version/"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        response = visitor.get(path)
        body = b"".join(response)
        found[path] = response.status_code, response.headers.get("ETag", ""), body
        if response.headers["Content-Type"].startswith("text/html"):
            waiting += LINK.findall(body.decode())
    for row in WebhookDelivery.objects.order_by("pk"):
        found[f"webhook {row.pk}"] = 0, row.event, row.body.encode()
    return {
        path: (status, tag, CHANGING.sub("", body.decode("utf-8", "replace")).encode())
        for path, (status, tag, body) in found.items()
    }


def rolled_back(read: Callable[[], dict[str, Answer]]) -> dict[str, Answer]:
    """Return what is read in a transaction that leaves nothing, no used id either."""
    cache.clear()
    with transaction.atomic():
        found = read()
        transaction.set_rollback(True)
    return found


def answers_after(held_back: int) -> dict[str, Answer]:
    """Return every public answer after a history with this many changes held back."""

    def read() -> dict[str, Answer]:
        made = history(held_back)
        assert made.changes.filter(is_public=False, kind__startswith="result.").exists() is bool(held_back)
        return public_answers()

    return rolled_back(read)


def test_histories_that_differ_in_embargoed_changes_only_give_the_same_bytes_to_the_public() -> None:
    with time_machine.travel(NIGHT, tick=False):
        without = answers_after(0)
        assert sum(status == 200 for status, _tag, _body in without.values()) > 60
        assert sum(path.startswith("webhook") for path in without) > 4
        assert b'"version": ' in without["/c/spring/version/"][2]
        answers = answers_after(3)
    assert answers.keys() == without.keys()
    assert [path for path in without if answers[path] != without[path]] == []


@pytest.mark.parametrize("held_back", [0, 1, 3])
def test_the_next_public_result_is_one_version_later_whatever_is_held_back(held_back: int) -> None:
    made = league("spring")
    shown = table(made.blocks.get(key="A"), numbers=(1, 2))
    recorded = table(made.blocks.get(key="A"), numbers=(3, 4), public_at=timezone.now() + TOMORROW)
    publish_standings(made.pk)
    before = Api().get("competitions/spring/")["as_of"]
    for number in range(held_back):
        change_unseen(recorded, number)
        publish_standings(made.pk)
    assert Api().get("competitions/spring/")["as_of"] == before
    play(shown.hanchan.earliest("number"))
    publish_standings(made.pk)
    assert Api().get("competitions/spring/")["as_of"] == before + 1
    made.refresh_from_db()
    staff = Reader(made, Audience.STAFF, made.computed_version)
    assert staff.shown_version == made.version
    numbers = [public_number(made, change.n) for change in made.changes.order_by("n")]
    public = [change.is_public for change in made.changes.order_by("n")]
    assert numbers == [sum(public[: place + 1]) for place in range(len(public))]


def test_a_released_table_is_the_next_public_version() -> None:
    made = league("spring")
    recorded = table(made.blocks.get(key="A"), numbers=(1, 2), public_at=timezone.now() + TOMORROW)
    for number in range(3):
        change_unseen(recorded, number)
    publish_standings(made.pk)
    before = Api().get("competitions/spring/")["as_of"]
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    publish_standings(made.pk)
    assert Api().get("competitions/spring/")["as_of"] == before + 1


@pytest.mark.both_databases
def test_a_season_published_by_the_previous_version_is_counted_when_read_and_by_the_sweep() -> None:
    made = league("spring")
    play(table(made.blocks.get(key="A")).hanchan.earliest("number"))
    publish_standings(made.pk)
    made.refresh_from_db()
    public = Change.objects.filter(competition=made, is_public=True).count()
    assert made.shown_version == public_reader_of(made).shown_version == public
    Competition.objects.filter(pk=made.pk).update(shown_version=0, shown_n=0)
    made.refresh_from_db()
    assert public_reader_of(made).shown_version == public
    sweep()
    made.refresh_from_db()
    assert (made.shown_version, made.shown_n) == (public, made.public_version)
