"""Tests of the parlour's staff pages without JavaScript."""

from __future__ import annotations

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import (
    Competition,
    DayClose,
    Entrant,
    Membership,
    Parlour,
    ResultSheet,
    Role,
    Sitting,
    SittingAmount,
    WaitingGuest,
)
from league.selectors.parlour.board import business_day, running
from league.services.parlour.days import close_day
from league.services.parlour.sittings import close_sitting
from league.services.results.results import void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import UNSETTLED, house

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(parlour: Competition) -> Sitting:
    """Return table 1 with three guests."""
    return parlours.sitting(parlour, parlours.guests(parlour))


def read(client: Client, path: str, status: int = 200) -> str:
    """Return a page's text."""
    answer = client.get(path)
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def send(client: Client, path: str, **fields: Any) -> str:
    """Post a form and return the resulting page."""
    answer = client.post(path, fields, follow=True)
    return html.unescape(answer.content.decode())


def counter(table: Sitting) -> str:
    """Return the URL of a table's counter page."""
    return f"/p/{table.table_session.competition.slug}/sittings/{table.pk}/"


def game(table: Sitting, *scores: str, **fields: Any) -> dict[str, Any]:
    """Return the form fields of the next game, with scores by chair."""
    now = running(table)
    typed = {f"score_{chair}": score for chair, score in enumerate(scores)}
    return {
        "round": now.next_round,
        "who": [seat.entrant_id for seat in now.seated],
        "dealer": "" if now.next_dealer is None else now.next_dealer,
        **typed,
        **fields,
    }


PAGES = ("board/", "board/open/", "days/", "guests/?q=x", "sittings/1/")


@pytest.mark.parametrize("page", PAGES)
def test_parlour_pages_redirect_anonymous_users_to_login_and_answer_404_to_others(
    parlour: Competition, table: Sitting, page: str
) -> None:
    path = f"/p/banchi3/{page}".replace("sittings/1/", f"sittings/{table.pk}/")
    answer = Client().get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/?next=")
    stranger = Client()
    stranger.force_login(factories.user("stranger"))
    assert stranger.get(path).status_code == 404
    assert stranger.get("/board/").status_code == 200


def test_a_league_has_no_board(clerk: Client) -> None:
    factories.final_table("cup")
    assert clerk.get("/p/cup/board/").status_code == 404


def test_the_board_shows_seated_guests_the_next_dealer_and_last_game_marks(clerk: Client, table: Sitting) -> None:
    page = read(clerk, "/p/banchi3/board/")
    for name in parlours.THREE[:3]:
        assert name in page
    assert "next dealer" in page
    assert "last game" not in page
    send(clerk, f"{counter(table)}seats/", chair=1, action="last")
    assert "last game" in read(clerk, "/p/banchi3/board/")


def test_the_board_page_shows_every_open_table_of_the_user(clerk: Client, table: Sitting) -> None:
    other = parlours.parlour("boo")
    Membership.objects.create(competition=other, user_id=clerk.session["_auth_user_id"], role=Role.SCORER)
    page = read(clerk, "/board/")
    assert "banchi3卓" in page
    assert "boo卓" in page
    assert Client().get("/board/").status_code == 302


def test_the_board_page_redirects_to_the_only_parlour_of_the_user(clerk: Client, table: Sitting) -> None:
    assert clerk.get("/board/")["Location"] == "/p/banchi3/board/"


def test_a_former_address_of_a_board_redirects_its_staff_alone(clerk: Client, table: Sitting) -> None:
    moved = clerk.get("/c/banchi3/board/")
    assert (moved.status_code, moved["Location"]) == (301, "/p/banchi3/board/")
    assert Client().get("/c/banchi3/board/").status_code == 302
    stranger = Client()
    stranger.force_login(factories.user("stranger"))
    assert stranger.get("/c/banchi3/board/").status_code == 404


def test_a_table_is_opened_with_known_guests_and_newly_added_ones(clerk: Client, parlour: Competition) -> None:
    known = parlours.guests(parlour, 1)[0]
    page = send(
        clerk,
        "/p/banchi3/board/open/",
        table="5",
        kind="free",
        chips="per_game",
        guest_0="ゆかわ",
        guest_1="新顔 なぎ/しんがお なぎ",
        guest_2="店長",
        player_2="new",
        house_2="1",
    )
    assert "Table 5" in page
    sitting = Sitting.objects.get()
    assert [seat.entrant.player.name for seat in running(sitting).seated] == [known.player.name, "新顔 なぎ", "店長"]
    assert Entrant.objects.get(number=2).player.name_kana == "しんがお なぎ"
    assert [seat.is_house for seat in running(sitting).seated] == [False, False, True]


@pytest.mark.both_databases
def test_a_table_that_cannot_be_opened_adds_no_guests_and_keeps_the_typed_values(
    clerk: Client, parlour: Competition
) -> None:
    parlours.guests(parlour, 2)
    typed = {"table": "5", "kind": "free", "chips": "per_game", "guest_0": "新顔", "player_0": "new", "guest_1": "川"}
    answer = clerk.post("/p/banchi3/board/open/", {**typed, "guest_2": "誰か"})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "No guest was found for “誰か”" in page
    assert 'value="新顔"' in page
    assert Entrant.objects.count() == 2
    assert not Sitting.objects.exists()


def test_an_invalid_option_is_reported_with_the_allowed_values() -> None:
    competition = parlours.parlour("superbingo")
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("clerk", Role.SCORER, competition))
    typed = {"table": "1", "kind": "free", "chips": "per_game"}
    for value, message in (("p=9 s=1", "a whole number from 0 to 4"), ("many", "a whole number from 0 to 4")):
        page = send(client, "/p/superbingo/board/open/", **typed, option_chip_tiles=value)
        assert f"“{value}” is no value of Chip tiles. Allowed: {message}" in page
    send(client, "/p/superbingo/board/open/", **typed, option_chip_tiles="p=2 s=2", option_dx="on")
    assert Sitting.objects.get().options == {"chip_tiles": {"p": 2, "s": 2}, "dx": True, "pocchi": False}


def test_a_game_is_entered_at_the_counter_and_the_next_form_is_ready(clerk: Client, table: Sitting) -> None:
    page = send(
        clerk, counter(table), **game(table, "62", "33", "10", carried_g_0="5", carried_g_1="-2", carried_g_2="-300")
    )
    assert "Game 1 is in." in page
    sheet = ResultSheet.objects.get()
    assert sheet.facts["carried"] == {"g": [500, -200, -300]}
    assert [row.score for row in sheet.seats.order_by("seat")] == [62000, 33000, 10000]
    form = page[page.index('class="entry"') :]
    assert form.index(parlours.THREE[1]) < form.index(parlours.THREE[0])


def test_another_first_dealer_rotates_the_seats(clerk: Client, table: Sitting) -> None:
    send(clerk, counter(table), **game(table, "62", "33", "10", dealer="2"))
    scores = [row.score for row in ResultSheet.objects.get().seats.order_by("seat")]
    assert scores == [10000, 62000, 33000]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"score_2": "9"}, "1,000 missing"),
        ({"score_2": ""}, "Enter this player's score."),
        ({"score_2": "x"}, "“x” is not a score."),
        ({"carried_g_0": "5"}, "add up to 500"),
        ({"carried_g_0": "50.5"}, "not"),
        ({"carried_g_0": "550", "carried_g_1": "-550"}, "no multiple of 100"),
        ({"dealer": "7"}, "valid choice"),
    ],
)
def test_errors_of_a_game_are_reported_and_typed_values_are_kept(
    clerk: Client, table: Sitting, fields: dict[str, str], message: str
) -> None:
    answer = clerk.post(counter(table), {**game(table, "62", "33", "10"), **fields})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert message in page
    assert 'value="62"' in page
    assert not ResultSheet.objects.exists()


def test_a_game_sent_twice_counts_once(clerk: Client, table: Sitting) -> None:
    typed = game(table, "62", "33", "10")
    send(clerk, counter(table), **typed)
    assert "Game 1 is in." in send(clerk, counter(table), **typed)
    assert ResultSheet.objects.count() == 1
    answer = clerk.post(counter(table), {**typed, "score_0": "61", "score_1": "34"})
    assert "entered meanwhile" in html.unescape(answer.content.decode())


def test_unusual_scores_are_recorded_once_the_warning_is_accepted(clerk: Client, table: Sitting) -> None:
    typed = game(table, "170", "-30", "-35")
    answer = clerk.post(counter(table), typed)
    page = answer.content.decode()
    assert 'value="extreme_score"' in page
    shown_for = page.split('name="accepted_for" value="')[1].split('"')[0]
    page = send(clerk, counter(table), **typed, accept="extreme_score", accepted_for=shown_for)
    assert "Game 1 is in." in page


def test_the_preview_returns_the_settlement_by_chair_and_the_next_dealer(clerk: Client, table: Sitting) -> None:
    said = clerk.post(f"{counter(table)}preview/", game(table, "62", "33", "10", dealer="1")).json()
    assert said["sum"]["state"] == "ok"
    assert said["chairs"]["0"]["place"] == 1
    assert [said["chairs"][str(chair)]["fee"] for chair in range(3)] == ["¥600", "¥400", "¥400"]
    assert said["fees"] == "The leader hands over ¥1,400: ¥800 from the others."
    assert said["sums"] == {"g": {"state": "open", "text": ""}}
    assert said["next"] == f"Next first dealer: {parlours.THREE[2]}"
    wrong = clerk.post(f"{counter(table)}preview/", game(table, "62", "33", "10", carried_g_1="5")).json()
    assert [(each["code"], each["field"]) for each in wrong["findings"]] == [("ledger_sum", "carried_g_0")]
    assert wrong["chairs"] == {}
    unread = clerk.post(f"{counter(table)}preview/", game(table, "62", "x", "")).json()
    assert [each["field"] for each in unread["findings"]] == ["score_1"]


def test_a_bust_is_recorded_with_the_player_who_caused_it() -> None:
    competition = parlours.parlour("kansai3")
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("clerk", Role.SCORER, competition))
    table = parlours.sitting(competition, parlours.guests(competition))
    wrong = client.post(counter(table), game(table, "62", "33", "10", tobi_1="0"))
    assert "Marked as gone out, but with 33,000 points left" in html.unescape(wrong.content.decode())
    send(client, counter(table), **game(table, "82", "33", "-10", tobi_2="0", dealer="1"))
    sheet = ResultSheet.objects.get()
    assert sheet.facts["tobi"] == [[1, 2]]
    assert running(table).next_dealer is None
    send(client, counter(table), **game(table, "82", "33", "-10", tobi_2="0", dealer="", accept="same_result_twice"))
    assert ResultSheet.objects.count() == 1


def test_the_last_game_is_corrected_from_the_counter(clerk: Client, table: Sitting) -> None:
    send(clerk, counter(table), **game(table, "62", "33", "10", carried_g_0="5", carried_g_1="-5"))
    page = read(clerk, f"{counter(table)}?correct=1")
    assert 'value="62"' in page
    assert "Mistyped at the counter" in page
    right = {
        "round": 1, "correct": 1, "dealer": "0", "score_0": "10", "score_1": "33", "score_2": "62", "reason": "slip",
    }  # fmt: skip
    assert "Game 1 is in." in send(clerk, counter(table), **right)
    assert ResultSheet.objects.counting().get().revision == 2
    said = clerk.post(f"{counter(table)}preview/", {**right, "correct": 2}).json()
    assert said["chairs"]["2"]["place"] == 1
    assert clerk.post(counter(table), {**right, "reason": ""}).status_code == 422
    assert "taken back" in send(clerk, f"{counter(table)}take-back/", reason="wrong table")
    assert not ResultSheet.objects.counting().exists()


def test_before_the_first_game_there_is_nothing_to_correct(clerk: Client, table: Sitting) -> None:
    assert clerk.get(f"{counter(table)}?correct=1").status_code == 404
    assert "No game has been entered" in send(clerk, f"{counter(table)}take-back/", reason="x")


@pytest.mark.both_databases
def test_guests_join_leave_and_get_stand_ins_at_the_counter(
    clerk: Client, parlour: Competition, table: Sitting
) -> None:
    seats = f"{counter(table)}seats/"
    send(clerk, seats, chair=2, action="leave")
    page = read(clerk, counter(table))
    assert "The next game waits" in page
    assert "A chair is empty" in send(clerk, counter(table), score_0="62")
    assert clerk.post(f"{counter(table)}preview/", {}).json() == {"stale": True}
    assert "No guest was found" in send(clerk, seats, chair=2, action="join", guest="誰か")
    send(clerk, seats, chair=2, action="join", guest="誰か", player="new", house="1")
    send(clerk, seats, chair=0, action="stand_in", guest="誰か")
    send(clerk, seats, chair=1, action="house")
    now = running(table)
    assert [seat.entrant.player.name for seat in now.seated][2] == "誰か"
    assert [seat.is_house for seat in now.seated] == [False, True, True]
    assert now.seated[0].stand_in is not None
    send(clerk, seats, chair=0, action="stand_in", guest="")
    assert running(table).seated[0].stand_in is None
    assert clerk.post(seats, {"chair": 0, "action": "dance"}).status_code == 404
    assert clerk.post(seats, {"chair": 9, "action": "leave"}).status_code == 404
    assert clerk.get(seats).status_code == 405


def test_a_reader_sees_the_counter_and_cannot_change_anything(parlour: Competition, table: Sitting) -> None:
    reader = Client(headers={"accept-language": "en"})
    reader.force_login(factories.user("reader", Role.READER, parlour))
    assert 'id="game"' not in read(reader, counter(table))
    for path in ("seats/", "close/", "take-back/"):
        assert reader.post(f"{counter(table)}{path}", {"chair": 0, "action": "leave"}).status_code == 403
    saved = reader.post(counter(table), game(table, "62", "33", "10"))
    assert saved.status_code == 403
    assert "Ask its director for the right to: hand in results." in saved.content.decode()
    assert reader.post("/p/banchi3/board/waiting/", {"action": "add", "guest": "湯"}).status_code == 403
    answer = reader.post("/p/banchi3/board/open/", {"table": "9", "kind": "free", "chips": "none"})
    assert answer.status_code == 403
    assert reader.get("/p/banchi3/guests/merge/").status_code == 403
    assert reader.post(f"/p/banchi3/days/{business_day(parlour)}/close/").status_code == 403


@pytest.mark.both_databases
def test_chips_counted_per_sitting_are_entered_before_closing(clerk: Client, parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), chips=Sitting.Chips.PER_SITTING)
    parlours.play(table)
    ids = [seat.entrant_id for seat in running(table).seated]
    wrong = clerk.post(f"{counter(table)}chips/", {f"g_{ids[0]}": "5", f"g_{ids[1]}": "-3"})
    assert wrong.status_code == 422
    assert "add up to 200" in html.unescape(wrong.content.decode())
    assert not SittingAmount.objects.exists()
    bad = clerk.post(f"{counter(table)}chips/", {f"g_{ids[0]}": "many"})
    assert "is not an amount" in html.unescape(bad.content.decode())
    assert "not counted yet" in send(clerk, f"{counter(table)}close/")
    send(clerk, f"{counter(table)}chips/", **{f"g_{ids[0]}": "5", f"g_{ids[1]}": "-500"})
    assert list(SittingAmount.objects.values_list("amount", flat=True)) == [500, -500, 0]
    assert "The table is closed." in send(clerk, f"{counter(table)}close/")
    assert "Closed at" in read(clerk, counter(table))
    other = parlours.sitting(parlour, [], table="2")
    assert clerk.post(f"{counter(other)}chips/", {}).status_code == 404


@pytest.mark.both_databases
def test_the_waiting_list_is_managed_on_the_board(clerk: Client, parlour: Competition) -> None:
    people = parlours.guests(parlour, 3)
    table = parlours.sitting(parlour, people[:2])
    path = "/p/banchi3/board/waiting/"
    send(clerk, path, action="add", guest="さわたり")
    assert parlours.THREE[2] in send(clerk, path, action="add", guest="通りすがり", player="new")
    assert "may mean" in send(clerk, path, action="add", guest="り")
    rows = list(WaitingGuest.objects.order_by("pk"))
    board = read(clerk, "/p/banchi3/board/")
    assert "Seat at table 1" in board
    assert board.count('<th scope="row"><span class="who">') == 2, "each guest at a table heads a row"
    for word in ("Seat at table 1", "Gone"):
        assert f'{word}<span class="vh">: {rows[0].player.name}' in board, "a button names its guest"
    send(clerk, path, action="seat", waiting=rows[0].pk, place=f"{table.pk}:2")
    assert "-" not in parlours.names(table)
    page = send(clerk, path, action="gone", waiting=rows[1].pk)
    assert "No guest is waiting." in page
    assert "waits no more" in send(clerk, path, action="gone", waiting=rows[1].pk)
    assert clerk.post(path, {"action": "gone", "waiting": "99"}).status_code == 404
    assert clerk.post(path, {"action": "gone", "waiting": "9" * 5000}).status_code == 404


def test_a_day_is_closed_and_reopened_on_its_day_sheet_page(clerk: Client, director: Client, table: Sitting) -> None:
    parlours.play(table)
    day = business_day(table.table_session.competition)
    path = f"/p/banchi3/days/{day}/"
    page = read(clerk, path)
    assert "¥1,400" in page
    assert "as it stands now" in page
    assert "still open: 1" in send(clerk, f"{path}close/")
    send(clerk, f"{counter(table)}close/")
    assert "Not settled up" in send(clerk, f"{path}close/")
    assert "closed" in send(clerk, f"{path}close/", accept="guests_unsettled")
    assert DayClose.objects.count() == 1
    assert "closed" in read(clerk, "/p/banchi3/days/")
    assert clerk.post(f"{path}reopen/", {"reason": "x"}).status_code == 403
    assert "Please give a reason" in send(director, f"{path}reopen/", reason="")
    assert "open again" in send(director, f"{path}reopen/", reason="one game is missing")
    assert "are not closed" in send(director, f"{path}reopen/", reason="again")
    for nowhere in ("2020-01-01", "yesterday"):
        assert clerk.get(f"/p/banchi3/days/{nowhere}/").status_code == 404


def test_a_result_voided_after_closing_is_shown_on_the_day_sheet(director: Client, table: Sitting) -> None:
    sheet = parlours.play(table)
    close_sitting(sitting=table, by=SYSTEM)
    parlour = table.table_session.competition
    close_day(parlour=house(parlour), day=business_day(parlour), by=SYSTEM, accept=UNSETTLED)
    path = f"/p/banchi3/days/{business_day(parlour)}/"
    assert "were changed after it was closed" not in read(director, path)
    void_hanchan(hanchan=sheet.hanchan, by=SYSTEM, reason="never played")
    page = read(director, path)
    assert "were changed after it was closed" in page
    assert "¥1,400" in page


def test_the_guest_search_returns_matches_as_json(clerk: Client, table: Sitting) -> None:
    found = clerk.get("/p/banchi3/guests/", {"q": "ユカ"}).json()["guests"]
    assert [(each["name"], each["number"], each["table"]) for each in found] == [("湯川 みなと", "1", "1")]
    assert clerk.get("/p/banchi3/guests/").json() == {"guests": []}


def test_a_director_merges_two_entries_of_a_guest(clerk: Client, director: Client, parlour: Competition) -> None:
    one, kept, third = parlours.guests(parlour, 3)
    assert clerk.get("/p/banchi3/guests/merge/").status_code == 403
    assert "entered twice" in read(director, "/p/banchi3/guests/merge/")
    typed = {
        "guest_duplicate": "湯川",
        "player_duplicate": one.player.pk,
        "guest_keep": "こたき",
        "reason": "same",
    }
    page = send(director, "/p/banchi3/guests/merge/", **typed)
    assert "What will be one" in page
    assert Entrant.objects.get(pk=one.pk).merged_into is None
    confirmed = f"{one.player.pk}:{kept.player.pk}"
    page = send(director, "/p/banchi3/guests/merge/", **typed, confirmed=confirmed)
    assert "湯川 みなと counts for 小滝 あおい from now on." in page
    assert Entrant.objects.get(pk=one.pk).merged_into == kept
    same = {"player_duplicate": third.player.pk, "player_keep": third.player.pk}
    for wrong, said in ((same, "Choose two different entries."), ({"player_duplicate": "9999"}, "no such player")):
        answer = director.post("/p/banchi3/guests/merge/", wrong)
        assert answer.status_code == 422
        assert said in answer.content.decode()


def test_a_game_of_last_night_can_be_recorded_for_its_own_day(clerk: Client, parlour: Competition) -> None:
    table = parlours.sitting(parlour, parlours.guests(parlour), at=timezone.now() - dt.timedelta(days=1))
    assert "This game was still of" in read(clerk, counter(table))
    send(clerk, counter(table), **game(table, "62", "33", "10", of_own_day="on"))
    assert ResultSheet.objects.get().hanchan.table_session.sitting == table
    page = send(clerk, counter(table), **game(table, "63", "32", "10"))
    assert "Game 1 is in." in page
    assert Sitting.objects.count() == 2


@pytest.mark.both_databases
def test_a_forgotten_game_is_recorded_in_its_reopened_day(
    clerk: Client, director: Client, parlour: Competition
) -> None:
    yesterday = timezone.now() - dt.timedelta(days=1)
    table = parlours.sitting(parlour, parlours.guests(parlour), at=yesterday)
    day = running(table).day
    close_sitting(sitting=table, by=SYSTEM, at=yesterday + dt.timedelta(hours=1))
    send(clerk, f"/p/banchi3/days/{day}/close/")
    assert "Open this table again" not in read(clerk, counter(table))
    assert "are closed" in send(clerk, f"{counter(table)}reopen/")
    send(director, f"/p/banchi3/days/{day}/reopen/", reason="a game is missing")
    other = parlours.sitting(parlour, [Entrant.objects.all()[0]], table="2")
    assert "Open this table again" in read(clerk, counter(table))
    send(clerk, f"{counter(table)}reopen/")
    assert parlours.names(table)[0] == "-"
    close_sitting(sitting=other, by=SYSTEM)
    send(clerk, f"{counter(table)}seats/", chair=0, action="join", guest="湯川")
    page = read(clerk, counter(table))
    assert 'name="of_own_day" data-role="of_own_day" id="id_of_own_day" checked' in page
    send(clerk, counter(table), **game(table, "62", "33", "10", of_own_day="on"))
    assert ResultSheet.objects.get().hanchan.table_session.session.day == day
    assert "is open already" in send(clerk, f"{counter(table)}reopen/")


@pytest.mark.parametrize(("currency", "fee"), [("JPY", "60 min, ¥2,050<"), ("EUR", "60 min, 20.50 EUR<")])
def test_the_counter_shows_the_fee_of_a_set_table_in_the_currency_of_the_house(
    clerk: Client, parlour: Competition, currency: str, fee: str
) -> None:
    Parlour.objects.update(currency=currency)
    opened_at = timezone.now() - dt.timedelta(minutes=60, seconds=10)
    table = parlours.sitting(parlour, [], kind=Sitting.Kind.SET, yen_per_hour=2050, at=opened_at)
    assert fee in read(clerk, counter(table))


def test_a_set_table_cannot_be_reopened(clerk: Client, parlour: Competition) -> None:
    table = parlours.sitting(parlour, [], kind=Sitting.Kind.SET, yen_per_hour=2000)
    close_sitting(sitting=table, by=SYSTEM)
    assert "Open it again." in send(clerk, f"{counter(table)}reopen/")
    reader = Client()
    reader.force_login(factories.user("reader", Role.READER, parlour))
    assert reader.post(f"{counter(table)}reopen/").status_code == 403


def test_a_verdict_is_recorded_without_scores_and_corrected_as_one() -> None:
    competition = parlours.parlour("boo")
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("clerk", Role.SCORER, competition))
    table = parlours.sitting(competition, parlours.guests(competition, 4))
    verdict = {"top": "1", "top_type": "B", "payers": ["0", "3"], "dealer": "0"}
    page = send(client, counter(table), **game(table, **verdict))
    assert "Game 1 is in." in page
    sheet = ResultSheet.objects.get()
    assert sheet.facts["is_verdict"] is True
    assert [row.totals["units"] for row in sheet.seats.order_by("seat")] == [-1, 2, 0, -1]
    assert "Game 2 is in." in send(client, counter(table), **game(table, **verdict))
    correction = read(client, f"{counter(table)}?correct=1")
    assert '<option value="B" selected>' in correction
    assert 'name="score_0" value=' not in correction
    publish_standings(competition.pk)
    assert "Only the verdict was noted" in read(client, f"/c/boo/hanchan/{sheet.hanchan_id}/")


def test_every_field_that_names_its_message_names_one_on_the_page(clerk: Client, table: Sitting) -> None:
    board = f"/p/{table.table_session.competition.slug}"
    guest = running(table).seated[0].entrant_id
    for path, fields in {
        counter(table): game(table, "x", "y", "z"),
        f"{board}/board/open/": {"table": "x", "at": "x"},
        f"{board}/guests/{guest}/settle/": {"action": "extra", "label": "", "money": "x"},
        "/account/password/": {"new_password1": "short"},
    }.items():
        page = send(clerk, path, **fields)
        named = {name for names in re.findall(r'aria-describedby="([^"]+)"', page) for name in names.split()}
        assert any(name.endswith("_error") for name in named), path
        assert named <= set(re.findall(r'\bid="([^"]+)"', page)), path
