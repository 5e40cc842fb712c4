"""Tests of the pages on which clerks settle up with guests: the board's figures, slip, statement, and the till."""

from __future__ import annotations

import datetime as dt
import html
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone, translation

from league.forms.parlour.clock import ClockField
from league.models import Competition, Extra, GuestTerms, ParlourTable, Payment, Role, Sitting, SittingSeat, Statement
from league.selectors.parlour.board import business_day
from league.services.parlour.people import add_guest
from league.services.parlour.sittings import close_sitting
from league.services.parlour.statements import pay_account, settle
from league.services.parlour.terms import set_terms
from league.services.people.erasure import erase_player
from scoring.charges import Rate
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.forms import forms_of
from tests.league import parlours
from tests.league.parlours import house

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def seated(opened: Competition) -> Sitting:
    """Let three guests play two games; Banchi's book names a fee of 400 and 200 from the top."""
    table = parlours.sitting(opened, parlours.guests(opened))
    parlours.play(table)
    parlours.play(table)
    return table


@pytest.fixture(name="book")
def _book(parlour: Competition) -> Competition:
    return parlour


def read(client: Client, path: str) -> str:
    """Return a page's text; it must be there."""
    answer = client.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def person(table: Sitting, chair: int = 0) -> int:
    """Return the player's id on a chair."""
    return parlours.chair(table, chair).entrant.player_id


def path_of(table: Sitting, chair: int = 0) -> str:
    """Return the address on which to settle up with the guest on a chair."""
    return f"/p/banchi3/guests/{person(table, chair)}/settle/"


def test_the_board_shows_games_points_and_money_of_each_guest(clerk: Client, table: Sitting, book: Competition) -> None:
    ParlourTable.objects.create(parlour=house(book), name="7", order=1, usual_book=book)
    page = read(clerk, "/p/banchi3/board/")
    assert "¥2,800" in page
    assert page.count("Settle<span") == 3
    assert "board/open/?table=7&book=banchi3" in page
    assert "<dd>1<small>/2 tables" in page


def test_a_reader_sees_the_board_without_buttons(table: Sitting, book: Competition) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user("reader", Role.READER, book))
    assert "Settle<span" not in read(client, "/p/banchi3/board/")
    assert client.get(path_of(table)).status_code == 403


def test_a_guest_pays_and_leaves_with_one_button(clerk: Client, table: Sitting) -> None:
    page = read(clerk, path_of(table))
    assert "Game fee ¥400 × 2" in page
    assert "Top's share ¥200 × 1" in page
    assert 'value="paid" autofocus' in page
    answer = clerk.post(path_of(table), {"action": "paid", "expected": "1000"}, follow=True)
    page = html.unescape(answer.content.decode())
    assert "Received" in page
    statement = Statement.objects.get()
    assert (statement.money, Payment.objects.get().money) == (1000, 1000)
    assert SittingSeat.objects.filter(left_at=None).count() == 2
    assert "¥1,000" in read(clerk, "/p/banchi3/statements/")


def test_a_total_that_has_changed_is_refused_and_nothing_typed_is_lost(clerk: Client, table: Sitting) -> None:
    answer = clerk.post(path_of(table), {"action": "paid", "expected": "1"})
    assert answer.status_code == 422
    assert "The total is" in html.unescape(answer.content.decode())
    answer = clerk.post(path_of(table), {"action": "paid", "at": "late"})
    page = html.unescape(answer.content.decode())
    assert (answer.status_code, 'value="late"' in page, "Write the time like 23:50." in page) == (422, True, True)


def test_a_guest_whose_data_was_erased_still_settles_up(clerk: Client, table: Sitting) -> None:
    erase_player(player=parlours.chair(table, 0).entrant.player, by=SYSTEM)
    path = path_of(table)
    assert clerk.get(f"/api/v1/parlours/banchi3/guests/{person(table)}/").json()["total"] == 1000
    assert path in read(clerk, "/p/banchi3/board/")
    assert "Erased player" in read(clerk, path)
    answer = clerk.post(path, {"action": "account", "expected": "1000"}, follow=True)
    assert "For the guest's phone" not in html.unescape(answer.content.decode())
    assert path in read(clerk, "/p/banchi3/statements/")
    clerk.post(path, {"action": "pay", "paid": "1000"})
    assert Payment.objects.get().money == 1000
    assert path not in read(clerk, "/p/banchi3/statements/")


def test_a_guest_may_settle_up_and_stay(clerk: Client, table: Sitting) -> None:
    clerk.post(path_of(table), {"action": "paid", "expected": "1000", "stays": "1"})
    assert SittingSeat.objects.filter(left_at=None).count() == 3
    assert "Nothing is open." in read(clerk, path_of(table))


@pytest.mark.both_databases
def test_money_on_account_is_received_later(clerk: Client, table: Sitting) -> None:
    path = path_of(table)
    clerk.post(path, {"action": "account", "expected": "1000"})
    assert not Payment.objects.exists()
    page = read(clerk, "/p/banchi3/statements/")
    assert "on account" in page
    assert "On account from before" in read(clerk, path)
    answer = clerk.post(path, {"action": "pay", "paid": "5000"})
    assert (answer.status_code, 'value="5000"' in answer.content.decode()) == (422, True)
    clerk.post(path, {"action": "pay", "paid": "400"})
    assert "¥600" in read(clerk, path)


def test_items_are_put_on_the_bill_and_taken_off(clerk: Client, table: Sitting) -> None:
    path = path_of(table)
    clerk.post(path, {"action": "extra", "label": "ウーロン茶", "money": "３００"})
    clerk.post(path, {"action": "extra", "label": "Discount", "money": "▲50"})
    page = read(clerk, path)
    assert ("ウーロン茶" in page, "-¥50" in page, "¥1,250" in page) == (True, True, True)
    answer = clerk.post(path, {"action": "extra", "label": "Tea", "money": "a lot"})
    page = html.unescape(answer.content.decode())
    assert (answer.status_code, 'value="Tea"' in page, 'value="a lot"' in page) == (422, True, True)
    clerk.post(path, {"action": "drop", "extra": Extra.objects.order_by("pk")[0].pk})
    assert "¥950" in read(clerk, path)
    assert clerk.post(path, {"action": "drop", "extra": "9999"}).status_code == 404
    assert clerk.post(path, {"action": "other"}).status_code == 404


def test_the_rate_and_the_card_are_set_on_the_page(clerk: Client, table: Sitting) -> None:
    clerk.post(path_of(table), {"action": "terms", "rate": "student", "stamps": "4"})
    row = GuestTerms.objects.get()
    assert (row.rate, row.stamps) == ("student", 4)
    answer = clerk.post(path_of(table), {"action": "terms", "rate": "rich", "stamps": "x"})
    assert (answer.status_code, GuestTerms.objects.count()) == (422, 1)


def test_terms_that_two_tabs_change_are_shown_to_the_second_before_they_are_replaced(
    clerk: Client, table: Sitting
) -> None:
    path = path_of(table)
    [form] = [one for one in forms_of(path, read(clerk, path)) if "rate" in one.fields]
    shown = dict(form.untouched)
    assert clerk.post(path, {**shown, "stamps": "4"}).status_code == 302
    assert clerk.post(path, {**shown, "rate": "student"}).status_code == 302
    assert GuestTerms.objects.latest("pk").stamps == 4
    refused = clerk.post(path, {**shown, "stamps": "7"})
    assert refused.status_code == 422
    assert "Someone else has saved “4” here" in html.unescape(refused.content.decode())
    [again] = [one for one in forms_of(path, refused.content.decode()) if "rate" in one.fields]
    assert clerk.post(path, dict(again.untouched)).status_code == 302
    row = GuestTerms.objects.latest("pk")
    assert (row.rate, row.stamps) == ("student", 7)


def test_a_statement_is_read_by_its_code_alone(clerk: Client, table: Sitting) -> None:
    settle(parlour=house(table.table_session.competition), player=parlours.chair(table, 0).entrant.player, by=SYSTEM)
    page = read(clerk, "/p/banchi3/statements/1/")
    link = page[page.index("/s/") : page.index('"', page.index("/s/"))]
    answer = Client(headers={"accept-language": "en"}).get(link)
    shown = html.unescape(answer.content.decode())
    assert ("¥1,000" in shown, "Cancel this statement" in shown, "noindex" in shown) == (True, False, True)
    assert answer["Cache-Control"] == "private, no-store"
    assert Client().get(link[:-3] + "xx/").status_code == 404
    assert Client().get("/p/banchi3/statements/1/").status_code == 302
    assert clerk.get("/p/banchi3/statements/99/").status_code == 404


@pytest.mark.both_databases
def test_a_statement_made_by_mistake_is_cancelled_with_a_reason(clerk: Client, table: Sitting) -> None:
    clerk.post(path_of(table), {"action": "paid", "expected": "1000"})
    path = "/p/banchi3/statements/1/"
    assert "Please give a reason" in html.unescape(
        clerk.post(f"{path}cancel/", {"reason": ""}, follow=True).content.decode()
    )
    shown = html.unescape(clerk.post(f"{path}cancel/", {"reason": "wrong guest"}, follow=True).content.decode())
    assert "wrong guest" in shown
    assert Payment.objects.count() == 2


def test_guests_who_left_without_settling_are_named_on_the_board(clerk: Client, table: Sitting) -> None:
    close_sitting(sitting=table, by=SYSTEM)
    page = read(clerk, "/p/banchi3/board/")
    assert "Left without settling" in page
    assert page.count("Settle<span") == 3


def test_the_day_shows_its_till_and_who_has_not_settled(clerk: Client, table: Sitting, book: Competition) -> None:
    settle(parlour=house(book), player=parlours.chair(table, 0).entrant.player, by=SYSTEM)
    page = read(clerk, f"/p/banchi3/days/{business_day(book)}/")
    for name, money in (("closing", "¥2,800"), ("settled", "¥1,000"), ("unsettled", "¥1,800"), ("cash", "¥1,000")):
        assert page.split(f'data-till="{name}">')[1].startswith(money)
    assert "Put on account what is not settled" not in page.split("Still open")[0]


def test_the_list_of_guests_finds_those_of_the_house(clerk: Client, table: Sitting, book: Competition) -> None:
    set_terms(parlour=house(book), player=parlours.chair(table, 1).entrant.player, rate=Rate.HOUR, by=SYSTEM)
    assert "by the hour" in read(clerk, "/p/banchi3/people/")
    page = read(clerk, "/p/banchi3/people/?q=ゆかわ")
    assert parlours.THREE[0] in page
    assert parlours.THREE[1] not in page
    factories.final_table("cup")
    assert clerk.get("/p/banchi3/guests/999999/settle/").status_code == 404


def test_every_page_is_there_in_japanese(table: Sitting, book: Competition) -> None:
    client = Client(headers={"accept-language": "ja"})
    client.force_login(factories.user("director", Role.DIRECTOR, book))
    said: dict[str, Any] = {
        "board/": "本日の売上",
        "statements/": "未精算",
        "people/": "お客様",
        f"guests/{person(table)}/settle/": "受け取って退席",
        f"days/{business_day(book)}/": "レジの現金",
    }
    for page, word in said.items():
        assert word in read(client, f"/p/banchi3/{page}")


def test_times_of_sitting_down_may_be_entered_later(clerk: Client, book: Competition) -> None:
    first, second, third = (add_guest(competition=book, name=name, by=SYSTEM).number for name in ("四", "五", "六"))
    typed = {"table": "2", "kind": "free", "chips": "per_game", "guest_0": first, "at": "soon"}
    answer = clerk.post("/p/banchi3/board/open/", typed)
    assert (answer.status_code, 'value="soon"' in answer.content.decode()) == (422, True)
    zone = parlours.TOKYO
    with time_machine.travel(timezone.now().astimezone(zone).replace(hour=20)):
        clerk.post("/p/banchi3/board/open/", {**typed, "at": "6:05"})
        table = Sitting.objects.get(table_session__table="2")
        seats = f"/p/banchi3/sittings/{table.pk}/seats/"
        clerk.post(seats, {"action": "join", "chair": "1", "guest": second, "at": "３０:10"})
        clerk.post(seats, {"action": "join", "chair": "2", "guest": third, "at": "99:99"})
    clocks = [seat.joined_at.astimezone(zone).strftime("%H:%M") for seat in table.seats.order_by("seat")]
    assert clocks == ["06:05", "06:10"]


@pytest.mark.parametrize(
    ("now", "typed", "meant"),
    [
        ("20T22:10", "22:05", "20T22:05"),
        ("21T01:10", "0:48", "21T00:48"),
        ("21T01:10", "24:48", "21T00:48"),
        ("21T06:30", "05:30", "21T05:30"),
        ("21T06:30", "29:30", "21T05:30"),
        ("21T06:30", "23:50", "20T23:50"),
        ("20T22:10", "23:05", None),
    ],
)
def test_a_time_entered_later_is_past_also_just_after_the_changeover(
    book: Competition, now: str, typed: str, meant: str | None
) -> None:
    with time_machine.travel(f"2026-11-{now}:00+09:00", tick=False), translation.override("en"):
        field = ClockField(book=book, label="")
        if meant is None:
            with pytest.raises(ValidationError, match="23:05 is still to come"):
                field.clean(typed)
        else:
            assert field.clean(typed) == dt.datetime.fromisoformat(f"2026-11-{meant}:00+09:00")


def test_a_day_without_a_table_on_which_a_guest_paid_has_a_day_sheet(
    director: Client, table: Sitting, book: Competition
) -> None:
    guest, parlour, day = parlours.chair(table, 0).entrant.player, house(book), business_day(book)
    owed = settle(parlour=parlour, player=guest, by=SYSTEM, is_paid=False)
    assert owed
    later = timezone.now() + dt.timedelta(days=1)
    pay_account(parlour=parlour, player=guest, money=owed.money, by=SYSTEM, at=later)
    path = f"/p/banchi3/days/{day + dt.timedelta(days=1)}/"
    with time_machine.travel(later + dt.timedelta(days=1)):
        assert path in read(director, "/p/banchi3/days/")
        assert f'data-till="cash">¥{owed.money:,}' in read(director, path)
        director.post(f"{path}close/")
        assert "closed" in read(director, path).partition("</h1>")[0]
        assert director.get(f"/p/banchi3/days/{day + dt.timedelta(days=9)}/").status_code == 404
