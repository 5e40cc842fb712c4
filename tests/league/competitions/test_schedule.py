"""Tests of the admin pages on sessions and tables: added, edited, cancelled, embargoed, seated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from league.files.archive import pack_archive
from league.forms.fields import NumbersField
from league.models import (
    ResultSheet,
    Role,
    Session,
    TableSession,
)
from league.platform.errors import RuleViolationError
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.exchange.archives import archive_of, import_archive
from league.services.results.results import abandon_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league.admin_pages import at, done, errors_of
from tests.league.resting_league import resting_league
from tests.processor import processor_seconds

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_sessions_are_added_and_renamed(chief: Client) -> None:
    season = factories.league()
    add = f"/admin/league/session/add/?competition={season.pk}"
    assert done(chief, add, {"number": "", "name": "", "name_en": ""}).endswith(f"?competition={season.pk}")
    session = Session.objects.get()
    assert session.name == "第1節"
    assert "already a session 1" in errors_of(chief, add, {"number": "1"})["number"][0]
    done(chief, at(session, "edit"), {"name": "開幕", "name_en": "Opening"})
    session.refresh_from_db()
    assert (session.name, session.name_en) == ("開幕", "Opening")
    assert season.changes.first().kind == "session.edited"  # type: ignore[union-attr]


def test_add_pages_ask_for_the_missing_competition_session_or_block(chief: Client) -> None:
    one = factories.league()
    assert chief.get("/admin/league/session/add/")["Location"] == f"?competition={one.pk}"
    two = factories.final_table()
    assert f"?competition={two.pk}" in chief.get("/admin/league/session/add/").content.decode()
    assert f"?competition={one.pk}" in chief.get("/admin/league/tablesession/add/").content.decode()
    wanting = chief.get(f"/admin/league/tablesession/add/?competition={one.pk}")
    assert wanting["Location"] == f"/admin/league/session/add/?competition={one.pk}"
    factories.table(one.blocks.get(key="A"))
    body = chief.get(f"/admin/league/tablesession/add/?competition={one.pk}").content.decode()
    assert all(f"?block={block.pk}" in body for block in one.blocks.all())
    assert chief.get("/admin/league/tablesession/add/?block=99999").status_code == 404
    assert chief.get("/admin/league/session/add/?competition=99999").status_code == 404


def test_a_scorer_cannot_add_sessions_tables_or_players(client: Client) -> None:
    season = factories.league()
    client.force_login(factories.user(role=Role.SCORER, competition=season, is_staff=True))
    assert client.get("/admin/league/session/add/").status_code == 403
    assert client.get("/admin/league/tablesession/add/").status_code == 403
    assert client.get("/admin/league/player/add/").status_code == 403


def test_errors_in_a_new_table_are_reported_at_their_fields(chief: Client) -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    session = factories.table(block).session
    add = f"/admin/league/tablesession/add/?block={block.pk}"
    form = chief.get(add).context["form"]
    assert form["numbers"].value() == "1-4"
    people = factories.in_block(block)
    errors = errors_of(chief, add, {"session": session.pk, "numbers": "one", "seat_0": people[0].pk})
    assert "names no hanchan" in errors["numbers"][0]
    for text in ("0", "3, 3", "1-99"):
        assert "Name each hanchan once" in errors_of(chief, add, {"session": session.pk, "numbers": text})["numbers"][0]
    errors = errors_of(chief, add, {"session": session.pk, "numbers": "５～８", "seat_0": people[0].pk})
    assert "A table seats 4 different players" in errors["seat_0"][0]
    done(chief, add, {"session": session.pk, "numbers": "5, 7-8", "table": "2卓"})
    table = TableSession.objects.latest("pk")
    assert list(table.hanchan.values_list("number", flat=True)) == [5, 7, 8]


def test_a_table_has_no_hanchan_beyond_those_of_its_stage(chief: Client) -> None:
    season = factories.final_table()
    table = factories.table(season.blocks.get(), numbers=(1, 2))
    add = f"/admin/league/tablesession/add/?block={table.block_id}"
    typed = {"session": table.session_id, "numbers": "3-5", "table": "9卓"}
    (told,) = errors_of(chief, add, typed)["numbers"]
    assert "has hanchan 1 to 4, not 5." in told
    done(chief, add, {**typed, "numbers": "3-4"})


def test_a_hanchan_to_play_again_after_an_abandoned_one_keeps_its_number_in_an_archive_too() -> None:
    season = factories.final_table()
    abandon_hanchan(hanchan=factories.table(season.blocks.get()).hanchan.get(number=4), by=SYSTEM, reason="Power cut.")
    factories.play_all(factories.table(season.blocks.get(), numbers=(4,)))
    publish_standings(season.pk)
    data = pack_archive(archive_of(competition=season, by=SYSTEM))
    again = import_archive(data=data, by=SYSTEM, slug="elsewhere", name="写し")
    assert again.blocks.get().hanchan.filter(number=4).count() == 2


def test_rounds_with_rests_are_numbered_through_beyond_the_hanchan_of_each_player() -> None:
    block = resting_league(6, 2).blocks.get(key="A")
    factories.table(block, numbers=(3,))


def test_a_huge_range_of_hanchan_is_rejected_without_enumerating_it() -> None:
    with processor_seconds(0.5), pytest.raises(ValidationError, match="Name each hanchan once"):
        NumbersField().clean("1-20000000")


@pytest.mark.both_databases
def test_a_table_without_results_can_be_edited_and_cancelled(chief: Client) -> None:
    table = factories.table(factories.league().blocks.get(key="A"))
    assert chief.get(at(table, "edit")).status_code == 200
    done(chief, at(table, "edit"), {"venue": "灯火荘", "starts_at_0": "2026-12-01", "starts_at_1": "19:30"})
    table.refresh_from_db()
    assert table.venue == "灯火荘"
    assert table.starts_at == dt.datetime(2026, 12, 1, 19, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    done(chief, at(table, "edit"), {"is_cancelled": "on"})
    table.refresh_from_db()
    assert table.is_cancelled
    done(chief, at(table, "edit"), {})
    factories.play(table.hanchan.get(round=1))
    assert "cannot be cancelled" in errors_of(chief, at(table, "edit"), {"is_cancelled": "on"})["is_cancelled"][0]


@pytest.mark.both_databases
@pytest.mark.parametrize("odd", ["ftp://example.org/live", "ftps://example.org/live", "javascript:alert(1)"])
def test_a_stream_url_must_be_http_and_any_other_url_is_not_rendered_as_a_link(chief: Client, odd: str) -> None:
    table = factories.table(factories.league().blocks.get(key="A"))
    add = f"/admin/league/tablesession/add/?block={table.block_id}"
    new = {"session": table.session_id, "numbers": "5"}
    assert errors_of(chief, add, {**new, "stream_url": odd})["stream_url"]
    assert errors_of(chief, at(table, "edit"), {"stream_url": odd})["stream_url"]
    services: tuple[Callable[[], object], ...] = (
        lambda: edit_table_session(
            table_session=table, words=TableWords(table="", stream_url=odd), by=factories.SYSTEM
        ),
        lambda: factories.table(table.block, numbers=(5,), table="", stream_url=odd),
    )
    for service in services:
        with pytest.raises(RuleViolationError) as error:
            service()
        assert [(one.code, one.pointer) for one in error.value.findings] == [("stream_no_web_address", "/stream_url")]
    done(chief, add, {**new, "stream_url": "example.org/live"})
    assert TableSession.objects.latest("pk").stream_url == "https://example.org/live"
    done(chief, at(table, "edit"), {"stream_url": "HTTP://example.org/live"})
    shown = chief.get(at(table, "change")).content.decode()
    assert 'href="HTTP://example.org/live"' in shown
    TableSession.objects.update(stream_url=odd)
    shown = chief.get(at(table, "change")).content.decode()
    assert odd in shown
    assert f'href="{odd}' not in shown


def test_a_table_is_embargoed_and_released(chief: Client) -> None:
    table = factories.table(factories.league().blocks.get(key="A"))
    assert "Enter the day" in errors_of(chief, at(table, "hold-back"), {})["until"][0]
    tomorrow = timezone.localtime() + dt.timedelta(days=1)
    done(chief, at(table, "hold-back"), {"until_0": tomorrow.strftime("%Y-%m-%d"), "until_1": "22:00"})
    table.refresh_from_db()
    assert not table.is_released
    assert "Release now..." in chief.get(at(table, "change")).content.decode()
    done(chief, at(table, "release"), {})
    table.refresh_from_db()
    assert table.is_released


def test_seats_can_be_set_until_the_result_is_entered(chief: Client) -> None:
    table = factories.table(factories.league().blocks.get(key="A"))
    hanchan = table.hanchan.get(round=1)
    people = factories.seated(hanchan)
    seats = {f"seat_{seat}": entrant.pk for seat, entrant in enumerate(reversed(people))}
    assert chief.get(at(hanchan, "seats")).context["form"]["seat_0"].value() == people[0].pk
    done(chief, at(hanchan, "seats"), seats)
    assert factories.seated(hanchan) == people[::-1]
    factories.play(hanchan)
    assert "corrected together with it" in errors_of(chief, at(hanchan, "seats"), seats)["__all__"][0]


def test_a_result_is_voided_with_a_reason(chief: Client) -> None:
    hanchan = factories.table(factories.league().blocks.get(key="A")).hanchan.get(round=1)
    void = at(hanchan, "void")
    assert "no confirmed result to take back" in errors_of(chief, void, {"reason": "Wrong table"})["__all__"][0]
    factories.play(hanchan)
    assert "reason" in errors_of(chief, void, {"reason": " "})
    assert done(chief, void, {"reason": "Wrong table"}) == at(hanchan.table_session, "entry")
    assert not ResultSheet.objects.counting().exists()
