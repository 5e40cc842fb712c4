"""Test blind double entry: equal sheets count, differing cells are asked again, and no sheet leaks."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve

from league.models import Change, Competition, Hanchan, ResultSheet, Role
from league.platform.errors import ConflictError, PermissionRefusedError
from league.services.live.results import submit_log
from league.services.results.blind_entry import cells_to_ask, differing_cells
from league.services.results.results import confirm_result, record_result, reject_result
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import actor, entry, play, seated
from tests.league.tables import RON, begun, entered, event, write

pytestmark = pytest.mark.django_db
RIGHT = (41200, 30100, 18700, 10000)
OTHER = (41300, 30000, 18700, 10000)
TELLING = ("41200", "41,200", "30100", "30,100", "51.2")


@pytest.fixture(scope="module")
def seeded(shared_rows: None) -> Competition:
    return factories.league(confirmation=Competition.Confirmation.BLIND)


@pytest.fixture
def season(seeded: Competition) -> Competition:
    return Competition.objects.get(pk=seeded.pk)


@pytest.fixture
def hanchan(season: Competition) -> Hanchan:
    return factories.table(season.blocks.get(key="A")).hanchan.get(round=1)


@pytest.fixture
def ann(season: Competition) -> User:
    return factories.user("ann", Role.SCORER, season, is_staff=True)


@pytest.fixture
def ben(season: Competition) -> User:
    return factories.user("ben", Role.SCORER, season, is_staff=True)


@pytest.fixture
def chief(season: Competition) -> User:
    return factories.user("chief", Role.DIRECTOR, season, is_staff=True)


def states(hanchan: Hanchan) -> list[str]:
    return list(hanchan.sheets.order_by("revision").values_list("state", flat=True))


def test_the_first_sheet_waits_and_an_equal_second_one_makes_it_count(hanchan: Hanchan, ann: User, ben: User) -> None:
    play(hanchan, RIGHT, by=actor(ann))
    assert states(hanchan) == ["submitted"]
    counts = play(hanchan, RIGHT, by=actor(ben))
    assert states(hanchan) == ["confirmed", "superseded"]
    assert (counts.revision, counts.entered_by, counts.confirmed_by) == (1, ann, ben)


def test_two_sheets_from_the_same_user_confirm_nothing(hanchan: Hanchan, ann: User) -> None:
    play(hanchan, RIGHT, by=actor(ann))
    play(hanchan, RIGHT, by=actor(ann))
    assert states(hanchan) == ["superseded", "submitted"]


@pytest.mark.both_databases
def test_an_equal_log_submitted_by_a_second_user_makes_the_result_count(
    season: Competition, ann: User, ben: User
) -> None:
    hanchan = begun(factories.table(season.blocks.get(key="A")))
    submit_log(hanchan=hanchan, sequence=write(hanchan, *entered(RON)), by=actor(ann), ended_by_time=True)
    assert states(hanchan) == ["submitted"]
    # The log is the same again, but has a newer last event, so it is submitted as another sheet.
    sequence = write(hanchan, event("undo"), event("redo"), by=actor(ben))
    submit_log(hanchan=hanchan, sequence=sequence, by=actor(ben), ended_by_time=True)
    assert states(hanchan) == ["confirmed", "superseded"]


def test_both_users_are_asked_again_for_exactly_the_cells_that_differ(hanchan: Hanchan, ann: User, ben: User) -> None:
    first = play(hanchan, RIGHT, by=actor(ann))
    second = play(hanchan, OTHER, by=actor(ben), chonbo=(0, 0, 0, 1))
    assert cells_to_ask(second) == ("score_0", "score_1", "chonbo_3")
    assert cells_to_ask(first) == ("score_0", "score_1", "chonbo_3")
    play(hanchan, RIGHT, by=actor(ben))
    assert states(hanchan) == ["confirmed", "superseded", "superseded"]


def with_facts(sheet: ResultSheet, facts: dict[str, Any]) -> ResultSheet:
    """Return the sheet with these facts added."""
    again = ResultSheet.objects.get(pk=sheet.pk)
    again.facts = {**again.facts, **facts}
    return again


@pytest.mark.parametrize(
    ("mine", "other", "cells"),
    [
        ({"carried": {"g": [3, -1, -1, -1]}}, {"carried": {"g": [2, -1, -1, 0]}}, ("carried_g_0", "carried_g_3")),
        ({"carried": {"g": [3, -1, -1, -1]}}, {"carried": {"g": [3, -1]}}, ("carried_g_2", "carried_g_3")),
        ({"tobi": [[3, 0]]}, {"tobi": [[3, 1]]}, ("tobi_3",)),
        ({"tobi": [[3, 0]]}, {"tobi": [[2, 0]]}, ("tobi_2", "tobi_3")),
        ({"tobi": [[3, 0], [2, 0]]}, {"tobi": [[2, 0], [3, 0]]}, ()),
        ({"forced_top": 0}, {"forced_top": 1}, ("forced_top",)),
        ({"forced_top": 0}, {}, ("forced_top",)),
        ({}, {"are_seats_known": False}, ("are_seats_known",)),
    ],
)
def test_all_other_facts_of_a_sheet_are_compared_cell_by_cell(
    hanchan: Hanchan, ann: User, mine: dict[str, Any], other: dict[str, Any], cells: tuple[str, ...]
) -> None:
    sheet = play(hanchan, RIGHT, by=actor(ann))
    assert differing_cells(with_facts(sheet, mine), with_facts(sheet, other)) == cells


def test_differing_deposits_and_substitutes_are_asked_again(hanchan: Hanchan, ann: User, ben: User) -> None:
    first = play(hanchan, RIGHT, by=actor(ann))
    second = play(hanchan, OTHER, by=actor(ben))
    second.kyoutaku = 1000
    second.seats.filter(seat=2).update(player=factories.entrants(first.hanchan.block.competition, 1, "Q")[0].player)
    assert differing_cells(first, second) == ("score_0", "score_1", "substitute_2", "sticks")


def test_facts_of_a_player_are_compared_by_player_if_seats_are_unknown(hanchan: Hanchan, ann: User, ben: User) -> None:
    play(hanchan, RIGHT, by=actor(ann), are_seats_known=False)
    turned = entry(list(reversed(seated(hanchan))), tuple(reversed(RIGHT)), are_seats_known=False)
    record_result(hanchan=hanchan, entry=turned, by=actor(ben))
    mine, theirs = hanchan.sheets.order_by("revision")
    written = with_facts(mine, {"carried": {"g": [3, -1, -2, 0]}, "tobi": [[3, 0]], "forced_top": 0})
    same = with_facts(theirs, {"carried": {"g": [0, -2, -1, 3]}, "tobi": [[0, 3]], "forced_top": 3})
    assert differing_cells(written, same) == ()
    as_it_stood = with_facts(theirs, {"carried": {"g": [3, -1, -2, 0]}, "tobi": [[3, 0]], "forced_top": 0})
    assert differing_cells(written, as_it_stood) == (
        "carried_g_0", "tobi_0", "carried_g_1", "carried_g_2", "carried_g_3", "tobi_3", "forced_top",
    )  # fmt: skip


def test_another_order_of_players_is_the_same_result_if_seats_are_unknown(
    hanchan: Hanchan, ann: User, ben: User
) -> None:
    play(hanchan, RIGHT, by=actor(ann), are_seats_known=False)
    people = list(reversed(seated(hanchan)))
    turned = entry(people, tuple(reversed(RIGHT)), are_seats_known=False)
    assert record_result(hanchan=hanchan, entry=turned, by=actor(ben)).state == "confirmed"


def test_both_sheets_must_state_that_the_game_ended_by_time(hanchan: Hanchan, ann: User, ben: User) -> None:
    play(hanchan, RIGHT, by=actor(ann), state=Hanchan.State.ENDED_BY_TIME)
    second = play(hanchan, RIGHT, by=actor(ben))
    assert cells_to_ask(second) == ("ended_by_time",)
    play(hanchan, RIGHT, by=actor(ben), state=Hanchan.State.ENDED_BY_TIME)
    hanchan.refresh_from_db()
    assert hanchan.state == Hanchan.State.ENDED_BY_TIME


def test_a_correction_is_entered_twice_as_well(hanchan: Hanchan, season: Competition, chief: User) -> None:
    play(hanchan, RIGHT)
    other = factories.user("other", Role.DIRECTOR, season)
    play(hanchan, OTHER, by=actor(chief), corrects=1, reason="misread")
    assert states(hanchan) == ["confirmed", "submitted"]
    play(hanchan, OTHER, by=actor(other), corrects=1, reason="misread")
    assert states(hanchan) == ["superseded", "confirmed", "superseded"]


def test_only_a_director_who_entered_neither_sheet_decides_and_only_after_both_are_in(
    hanchan: Hanchan, season: Competition, ann: User, ben: User, chief: User
) -> None:
    first = play(hanchan, RIGHT, by=actor(ann))
    with pytest.raises(ConflictError) as early:
        confirm_result(sheet=first, by=actor(chief))
    assert early.value.findings[0].code == "second_sheet_awaited"
    play(hanchan, OTHER, by=actor(ben))
    with pytest.raises(PermissionRefusedError):
        confirm_result(sheet=first, by=actor(factories.user("cat", Role.SCORER, season)))
    confirm_result(sheet=first, by=actor(chief))
    assert states(hanchan) == ["confirmed", "superseded"]


def test_a_director_who_entered_one_of_the_sheets_cannot_decide(hanchan: Hanchan, ann: User, chief: User) -> None:
    first = play(hanchan, RIGHT, by=actor(ann))
    play(hanchan, OTHER, by=actor(chief))
    with pytest.raises(ConflictError) as refused:
        confirm_result(sheet=first, by=actor(chief))
    assert refused.value.findings[0].code == "entered_yourself"


def test_a_waiting_sheet_does_not_change_the_public_version(hanchan: Hanchan, season: Competition, ann: User) -> None:
    publish_standings(season.pk)
    season.refresh_from_db()
    before = season.public_version
    play(hanchan, RIGHT, by=actor(ann))
    publish_standings(season.pk)
    season.refresh_from_db()
    assert (season.computed_version, season.public_version) == (season.version, before)


def test_the_log_records_a_submitted_sheet_without_its_content(hanchan: Hanchan, ann: User, chief: User) -> None:
    sheet = play(hanchan, RIGHT, by=actor(ann))
    submitted = Change.objects.get(kind="result.submitted")
    assert submitted.after == {"sheet": sheet.pk, "revision": 1, "state": "submitted"}
    reject_result(sheet=sheet, by=actor(chief), reason="the wrong slip")
    assert "seats" not in (Change.objects.get(kind="result.rejected").before or {})


def sheet_urls(hanchan: Hanchan, sheet: ResultSheet) -> list[str]:
    """Return every URL of admin, API and pages at which a sheet could be read."""
    table, season = hanchan.table_session, hanchan.block.competition
    seat = sheet.seats.order_by("seat")[0]
    change = Change.objects.filter(kind="result.submitted").latest("n")
    return [
        "/admin/",
        "/admin/league/resultsheet/",
        f"/admin/league/resultsheet/?hanchan__id__exact={hanchan.pk}",
        f"/admin/league/resultsheet/{sheet.pk}/change/",
        f"/admin/league/resultsheet/{sheet.pk}/confirm/",
        f"/admin/league/resultsheet/{sheet.pk}/history/",
        "/admin/league/resultsheet/queue/",
        "/admin/league/seatresult/",
        f"/admin/league/seatresult/{seat.pk}/change/",
        f"/admin/league/hanchan/{hanchan.pk}/change/",
        f"/admin/league/tablesession/{table.pk}/entry/",
        f"/admin/league/session/{table.session_id}/night/",
        f"/admin/league/session/{table.session_id}/night/?open={hanchan.pk}",
        f"/admin/league/session/{table.session_id}/night/?again={hanchan.pk}",
        f"/admin/league/session/{table.session_id}/night-parts/",
        f"/admin/league/change/?subject_id={hanchan.pk}",
        f"/admin/league/change/{change.pk}/change/",
        f"/api/v1/hanchan/{hanchan.pk}/",
        f"/api/v1/hanchan/{hanchan.pk}/results/",
        f"/api/v1/hanchan/{hanchan.pk}/results/{sheet.revision}/",
        f"/tables/{table.pk}/sheet/state/",
        f"/c/{season.slug}/tables/{table.pk}/",
        f"/c/{season.slug}/hanchan/{hanchan.pk}/",
    ]


def page_text(who: User, address: str) -> str:
    assert resolve(urlsplit(address).path).url_name != "missing", address
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(who)
    answer: Any = client.get(address, follow=True)
    assert answer.status_code < 500, address
    return str(answer.content.decode())


@pytest.mark.both_databases
@pytest.mark.parametrize("reader", ["ben", "chief"])
def test_no_page_shows_the_first_sheet_before_the_second_is_in(
    hanchan: Hanchan, ann: User, ben: User, chief: User, reader: str
) -> None:
    sheet = play(hanchan, RIGHT, by=actor(ann))
    who = User.objects.get(username=reader)
    for address in sheet_urls(hanchan, sheet):
        page = page_text(who, address)
        assert not [each for each in TELLING if each in page], address


@pytest.mark.both_databases
def test_a_user_can_read_their_own_sheet(hanchan: Hanchan, ann: User) -> None:
    play(hanchan, RIGHT, by=actor(ann))
    assert "41200" in page_text(ann, f"/api/v1/hanchan/{hanchan.pk}/results/")
    assert "41,200" in page_text(
        ann, f"/admin/league/session/{hanchan.table_session.session_id}/night/?open={hanchan.pk}"
    )


def test_differing_sheets_are_hidden_from_the_other_user_and_visible_to_a_director(
    hanchan: Hanchan, ann: User, ben: User, chief: User
) -> None:
    first = play(hanchan, RIGHT, by=actor(ann))
    second = play(hanchan, OTHER, by=actor(ben))
    for address in sheet_urls(hanchan, first):
        assert not re.search("41,?200", page_text(ben, address)), address
    for address in sheet_urls(hanchan, second):
        assert not re.search("41,?300", page_text(ann, address)), address
    assert "41200" in page_text(chief, f"/api/v1/hanchan/{hanchan.pk}/results/")
    assert "41300" in page_text(chief, f"/api/v1/hanchan/{hanchan.pk}/results/")


def test_every_sheet_is_readable_once_the_result_counts(hanchan: Hanchan, ann: User, ben: User) -> None:
    play(hanchan, OTHER, by=actor(ann))
    play(hanchan, RIGHT, by=actor(ben))
    play(hanchan, RIGHT, by=actor(ann))
    assert "41300" in page_text(ben, f"/api/v1/hanchan/{hanchan.pk}/results/")


@pytest.mark.parametrize(
    ("confirmation", "is_told"), [(Competition.Confirmation.SECOND, True), (Competition.Confirmation.BLIND, False)]
)
def test_the_reason_for_a_rejection_stands_where_the_result_is_entered_again_in_blind_entry_for_its_author_alone(
    hanchan: Hanchan,
    season: Competition,
    ann: User,
    ben: User,
    chief: User,
    client: Client,
    confirmation: str,
    is_told: bool,
) -> None:
    Competition.objects.filter(pk=season.pk).update(confirmation=confirmation)
    hanchan.block.competition.refresh_from_db()
    sheet = play(hanchan, RIGHT, by=actor(ann))
    reject_result(sheet=sheet, by=actor(chief), reason="the wrong slip")
    table = hanchan.table_session
    for address in (f"tablesession/{table.pk}/entry/", f"session/{table.session_id}/night/"):
        for reader, reads in ((ann, True), (ben, is_told)):
            client.force_login(reader)
            page = client.get(f"/admin/league/{address}", headers={"accept-language": "en"}).content.decode()
            assert ("The sheet entered before was rejected: the wrong slip" in page) is reads, address
