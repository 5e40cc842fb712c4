"""Regression tests for faults that fuzzing found, each with the request or the call that found it."""

from __future__ import annotations

import base64
import datetime as dt
import json

import pytest
from django.test import Client

from league.files.archive import Archive, ArchiveRefusedError, pack_archive
from league.models import Role
from league.platform.errors import RuleViolationError
from league.services.access.guard import refuse_unkept
from league.services.access.invitations import write_invitation
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back
from league.services.competitions.setup import new_player
from league.services.exchange.archives import import_archive
from league.services.live.log_import import ImportedLog
from league.services.parlour.people import merge_players
from league.services.results.rulings import adjust_points, override_slot
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.exchange.test_readers_fuzzed import DOCUMENT

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", ["change", "organizationchange"])
def test_a_csv_export_of_changes_with_invalid_filters_is_no_server_error(model: str) -> None:
    client = Client()
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.web.sign_in.AccountBackend")
    for query in ("page=x", "p=x", "all=1&p=-1", "nowhere=1", "id__exact=x", "competition__id__exact=x"):
        assert client.get(f"/admin/league/{model}/csv/?{query}").status_code in (200, 302, 400), query


def test_an_empty_to_field_in_the_admin_finds_a_row_by_its_id() -> None:
    competition, user = factories.final_table(), factories.user(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(user, backend="league.web.sign_in.AccountBackend")
    for row in (f"league/competition/{competition.pk}", f"auth/user/{user.pk}"):
        for page in ("change", "delete"):
            plain = client.get(f"/admin/{row}/{page}/")
            same = client.get(f"/admin/{row}/{page}/?_to_field=")
            assert same.status_code == plain.status_code < 404, (row, page)


def test_an_account_id_of_thousands_of_digits_is_not_found() -> None:
    client = Client()
    client.force_login(factories.user(is_staff=True, is_superuser=True), backend="league.web.sign_in.AccountBackend")
    assert client.get(f"/admin/auth/user/{'9' * 5000}/change/").status_code == 302


def test_a_choice_at_the_address_of_an_unknown_competition_sets_no_cookie() -> None:
    answer = Client().get("/c/٣/odds/?until=")
    assert (answer.status_code, list(answer.cookies)) == (404, [])


def test_the_overlay_of_table_zero_gives_404() -> None:
    assert Client().get("/overlay/0/").status_code == 404


def test_a_name_longer_than_its_column_is_refused_on_every_database() -> None:
    with pytest.raises(RuleViolationError, match="At most 100 characters"):
        new_player(name="x" * 101, by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        new_player(name="甲", name_kana="x" * 101, number="7" * 33, by=SYSTEM)
    assert {each.pointer for each in refused.value.findings} == {"/name_kana", "/number"}


def test_a_valid_email_address_longer_than_its_column_is_refused() -> None:
    email = f"a@{'b.' * 130}example.org"
    with pytest.raises(RuleViolationError, match="At most 254 characters"):
        write_invitation(competition=factories.final_table(), email=email, role=Role.READER, language="ja", by=SYSTEM)


def test_points_too_large_for_a_total_are_refused() -> None:
    block = factories.final_table().blocks.get()
    entrant = factories.in_block(block)[0]
    for points in (10_000_001, -(2**31), 10**30):
        with pytest.raises(RuleViolationError) as refused:
            adjust_points(block=block, entrant=entrant, points=points, by=SYSTEM, reason="late")
        assert refused.value.findings[0].pointer == "/points"


def test_an_invalid_time_zone_is_refused() -> None:
    competition = factories.final_table()
    for zone in ("x" * 300, "\0", "../etc/passwd"):
        with pytest.raises(RuleViolationError):
            edit_competition(competition=competition, words=CompetitionWords(name="杯", time_zone=zone), by=SYSTEM)


def test_sessions_and_games_are_numbered_from_one() -> None:
    competition = factories.final_table()
    with pytest.raises(RuleViolationError, match="numbered from 1"):
        create_session(competition=competition, number=-1, by=SYSTEM)
    fixture = Fixture(block=competition.blocks.get(), numbers=(1, 0))
    with pytest.raises(RuleViolationError, match="numbered from 1"):
        create_table_session(session=create_session(competition=competition, by=SYSTEM), fixture=fixture, by=SYSTEM)


def test_a_moment_that_overflows_in_another_time_zone_is_refused() -> None:
    table = factories.table(factories.final_table().blocks.get())
    for moment in (dt.datetime(1, 1, 1, tzinfo=dt.UTC), dt.datetime(9999, 12, 31, 23, tzinfo=dt.UTC)):
        with pytest.raises(RuleViolationError, match="Check the year"):
            hold_back(table_session=table, until=moment, by=SYSTEM)


def test_an_override_with_a_source_longer_than_its_column_is_refused() -> None:
    slot = factories.final_table().blocks.get().slots.order_by("number")[0]
    with pytest.raises(RuleViolationError, match="At most 64 characters"):
        override_slot(slot=slot, source="x" * 65, by=SYSTEM, reason="late")


def test_an_invalid_ranking_cursor_is_refused() -> None:
    competition = parlours.parlour(audience="public")
    parlours.play(parlours.sitting(competition, parlours.guests(competition)))
    publish_standings(competition.pk)
    competition.refresh_from_db()
    for cursor in ("[1, 1e999, 1]", f"[1, {10**30}, 1]", "[1, true]", "[" * 140, "7", "{}"):
        text = cursor.replace("[1,", f"[{competition.public_version},")
        after = base64.urlsafe_b64encode(text.encode()).decode()
        answer = Client().get("/api/v1/ranking/", {"competition": competition.slug, "after": after})
        assert [each["code"] for each in json.loads(answer.content)["errors"]] == ["stale_cursor"], cursor


@pytest.mark.parametrize("standings", ["[]", "7", '{"standings": [7]}', '{"standings": {}}', "x", "[" * 5000])
def test_an_archive_with_invalid_standings_is_refused_with_a_message(standings: str) -> None:
    with pytest.raises(ArchiveRefusedError, match="do not lead to its standings"):
        import_archive(data=pack_archive(Archive(json.dumps(DOCUMENT), standings)), by=SYSTEM)


def test_infinity_and_nan_in_a_log_are_refused() -> None:
    for number in (float("inf"), float("nan")):
        with pytest.raises(RuleViolationError) as refused:
            refuse_unkept({"log": ImportedLog(entries=[{"type": "draw", "tenpai": [number]}])})
        assert refused.value.findings[0].pointer == "/entries/0/tenpai/0"


def test_an_unstorable_reason_for_merging_players_is_refused() -> None:
    duplicate, keep = (new_player(name=name, by=SYSTEM) for name in ("甲", "乙"))
    with pytest.raises(RuleViolationError):
        merge_players(duplicate=duplicate, keep=keep, by=SYSTEM, reason="\ud800")
