"""Tests of calls for a referee: from a table's link, taken back, answered by the staff, shown on the desk's screens."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from league.models import Change, RefereeCall, Role, TableLink, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError
from league.selectors.access.actors import Actor
from league.selectors.live.log import log_of
from league.services.live.links import NewLink, end_link, make_link
from league.services.live.referee_calls import answer_call, call_referee, take_call_back
from league.wording.live.live import table_text
from tests import factories
from tests.league.tables import begun, entered, final_table, write

pytestmark = pytest.mark.django_db
DRAW = {"type": "draw", "tenpai": [0]}


def player_link(table: TableSession) -> NewLink:
    entrant = factories.seated(table.hanchan.get(round=1))[0]
    return make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=entrant, by=factories.SYSTEM)


def phone(new: NewLink, language: str = "en") -> Client:
    """Return a phone that has opened the link."""
    client = Client(headers={"accept-language": language})
    assert client.get(f"/t/{new.token}/").status_code == 302
    return client


def desk(table: TableSession, role: Role = Role.REFEREE) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user(f"the-{role}", role, table.competition, is_staff=True))
    return client


@pytest.mark.both_databases
def test_a_player_calls_a_referee_and_takes_the_call_back(table: TableSession) -> None:
    client, page = phone(player_link(table)), reverse("pages:table-call", args=[table.pk])
    assert "Call a referee" in client.get(reverse("pages:table-confirm", args=[table.pk])).content.decode()
    assert client.post(page, {"about": "Exposed tile"}).status_code == 302
    assert client.post(page, {"about": "again"}).status_code == 302
    call = RefereeCall.objects.get()
    assert (call.about, call.answered_at, call.link and call.link.kind) == ("Exposed tile", None, "player")
    assert "Exposed tile" in client.get(page).content.decode()
    client.post(page, {"take_back": "1"})
    call.refresh_from_db()
    assert call.answered_at is not None
    assert call.answered_by is None
    kinds = Change.objects.filter(kind__startswith="referee").order_by("n").values_list("kind", "is_public")
    assert list(kinds) == [("referee.called", False), ("referee.call_taken_back", False)]


def test_too_many_words_are_kept_in_the_form_and_refused(table: TableSession) -> None:
    client = phone(player_link(table))
    answer = client.post(reverse("pages:table-call", args=[table.pk]), {"about": "x" * 201})
    assert answer.status_code == 422
    assert "x" * 201 in answer.content.decode()
    assert not RefereeCall.objects.exists()


def test_the_holder_of_another_tables_link_or_an_ended_one_calls_no_referee(table: TableSession) -> None:
    new = player_link(table)
    other = final_table(slug="other")
    holder = Actor(user=None, door=factories.SYSTEM.door, link=new.link)
    with pytest.raises(PermissionRefusedError):
        call_referee(table_session=other, by=holder)
    end_link(link=new.link, by=factories.SYSTEM)
    with pytest.raises(PermissionRefusedError):
        call_referee(table_session=table, by=holder)
    assert Client().get(reverse("pages:table-call", args=[table.pk])).status_code == 302


@pytest.mark.both_databases
def test_a_referee_answers_once_and_a_reader_does_not(table: TableSession) -> None:
    call = call_referee(table_session=table, by=factories.SYSTEM, about="score")
    reader = factories.actor(factories.user("reader", Role.READER, table.competition))
    with pytest.raises(PermissionRefusedError):
        answer_call(call=call, by=reader)
    referee = factories.user("referee", Role.REFEREE, table.competition)
    assert answer_call(call=call, by=factories.actor(referee)).answered_by == referee
    with pytest.raises(ConflictError):
        take_call_back(call=call, by=factories.SYSTEM)
    assert call_referee(table_session=table, by=factories.SYSTEM).pk != call.pk


def test_match_night_and_the_floor_show_a_call_until_it_is_answered(table: TableSession) -> None:
    call = call_referee(table_session=table, by=factories.SYSTEM, about="Exposed tile")
    client = desk(table)
    night, floor = (reverse(f"admin:league_session_{name}", args=[table.session_id]) for name in ("night", "floor"))
    assert "Exposed tile" in client.get(night).content.decode()
    page = client.get(floor)
    assert "Exposed tile" in page.content.decode()
    assert client.get(floor, headers={"if-none-match": page["ETag"]}).status_code == 304
    assert client.post(floor, {"answer": call.pk, "next": night})["Location"] == night
    assert client.post(floor, {"answer": call.pk, "next": "//example.org/"})["Location"] == floor
    assert "answered or taken back already" in client.get(floor).content.decode()
    assert "Exposed tile" not in client.get(floor).content.decode()
    assert desk(table, Role.READER).post(floor, {"answer": call.pk}).status_code == 403


def test_the_floor_shows_each_tables_stage_and_the_hand_of_a_followed_game(table: TableSession) -> None:
    client, floor = desk(table), reverse("admin:league_session_floor", args=[table.session_id])
    assert "not begun" in client.get(floor).content.decode()
    hanchan = begun(table)
    before = client.get(floor)
    assert "East 1" in before.content.decode()
    write(hanchan, *entered(DRAW))
    after = client.get(floor, headers={"if-none-match": before["ETag"]})
    assert after.status_code == 200
    with override("en"):
        assert table_text(log_of(hanchan).state) in after.content.decode()
    factories.play(table.hanchan.get(round=2), (41_200, 30_100, 18_700, 10_000))
    page = client.get(f"{floor}?round=2").content.decode()
    assert "result in" in page
    assert 'class="done' in page
    assert 'class="done' not in client.get(f"{floor}?round=2&show=playing").content.decode()
