"""Tests of a parlour's settings, without JavaScript: house, tables, rule books, fees."""

from __future__ import annotations

import datetime as dt
import html

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from league.models import Audience, Competition, HouseTariff, Parlour, Role, RulesInForce
from league.selectors.parlour.board import business_day
from league.selectors.parlour.houses import books_of
from league.selectors.parlour.tariffs import tariff_of
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.parlour.days import close_day
from league.services.parlour.setup import BookPlan, ParlourPlan, TablePlan, edit_table, set_up_parlour, settings_of
from scoring.charges import Tariff
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.forms import forms_of
from tests.league import parlours
from tests.league.shared import fresh

pytestmark = pytest.mark.django_db
AT = "/p/lantern/settings/"


@pytest.fixture(scope="module")
def opened(shared_rows: None) -> Parlour:
    """Set up a house with two books and two tables."""
    books = (BookPlan(ruleset="banchi3"), BookPlan(ruleset="boo"))
    tables = (TablePlan(name="1", usual_book=0), TablePlan(name="2", usual_book=1))
    plan = ParlourPlan(slug="lantern", name="雀荘 灯火", name_en="Lantern", books=books, tables=tables)
    return set_up_parlour(plan=plan, by=SYSTEM)


@pytest.fixture
def house(opened: Parlour) -> Parlour:
    """Return the house."""
    return fresh(opened)


@pytest.fixture
def director(house: Parlour, client: Client) -> Client:
    """Return an English client of the house's director."""
    user = factories.user("director")
    for book in books_of(house):
        book.memberships.create(user=user, role=Role.DIRECTOR)
    client.force_login(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def read(client: Client, path: str = AT) -> str:
    """Return a page's text."""
    answer = client.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def sent(client: Client, path: str, **typed: object) -> int:
    """Post the form at this address as it is shown, with these fields changed; return the status."""
    form = next(form for form in forms_of(path, client.get(path).content.decode()) if form.method == "post")
    return client.post(path, {**form.untouched, **typed}).status_code


def test_a_director_sees_tables_books_and_fees_of_today_and_clerks_do_not(house: Parlour, director: Client) -> None:
    page = read(director)
    assert "¥400 a game" in page
    assert "top ¥200 besides" in page
    assert "no fees" in page
    assert 'value="1"' in page
    assert 'Remove<span class="vh">: 1</span>' in page, "a button names its table"
    assert "/admin/league/membership/of/" in page
    clerk = Client()
    user = factories.user("clerk")
    for book in books_of(house):
        book.memberships.create(user=user, role=Role.SCORER)
    clerk.force_login(user)
    assert clerk.get(AT).status_code == 403
    assert AT not in clerk.get("/p/lantern/board/").content.decode()


def test_the_fields_of_each_table_name_it_to_screen_readers(director: Client) -> None:
    page = read(director)
    for name in ("1", "2"):
        for label in ("Table", "Usually played"):
            assert page.count(f'{label}<span class="vh">: {name}</span></label>') == 1


def test_the_house_can_be_changed_on_the_page_of_a_refused_table(director: Client) -> None:
    refused = director.post(f"{AT}tables/", {"do": "add", "new-name": ""})
    assert refused.status_code == 422
    form = next(form for form in forms_of(f"{AT}tables/", refused.content.decode()) if "name_en" in form.untouched)
    assert director.post(form.address, {**form.untouched, "name": "雀荘 灯"}).status_code == 302
    assert Parlour.objects.get().name == "雀荘 灯"


def test_the_names_business_day_and_readers_are_changed(house: Parlour, director: Client) -> None:
    given = {"name": "麻雀 月光", "name_en": "Moonlight", "day_starts_at": "06:00", "is_public": "yes"}
    assert director.post(AT, given).status_code == 302
    house.refresh_from_db()
    assert house.name == "麻雀 月光"
    for book in books_of(house):
        assert (book.audience, book.day_starts_at) == (Audience.PUBLIC, dt.time(6, 0))
    answer = director.post(AT, {**given, "name": "", "name_en": "Sun"})
    assert answer.status_code == 422
    assert 'value="Sun"' in answer.content.decode()


def test_a_house_setting_that_two_tabs_change_is_shown_before_it_is_replaced(house: Parlour, director: Client) -> None:
    [form] = [one for one in forms_of(AT, read(director)) if "day_starts_at" in one.fields]
    shown = dict(form.untouched)
    assert director.post(AT, {**shown, "is_public": "", "name_en": "Lamp"}).status_code == 302
    assert director.post(AT, {**shown, "day_starts_at": "11:00"}).status_code == 302
    house.refresh_from_db()
    assert (house.name_en, {settings_of(book).is_public for book in books_of(house)}) == ("Lamp", {False})
    refused = director.post(AT, {**shown, "name_en": "Light"})
    assert refused.status_code == 422
    assert "Someone else has saved “Lamp” here" in html.unescape(refused.content.decode())
    [again] = [one for one in forms_of(AT, refused.content.decode()) if "day_starts_at" in one.fields]
    assert director.post(AT, dict(again.untouched)).status_code == 302
    house.refresh_from_db()
    assert house.name_en == "Light"


def test_tables_are_added_changed_and_removed_with_one_button_each(house: Parlour, director: Client) -> None:
    first, second = house.tables.order_by("order")
    boo = books_of(house)[1]
    path = f"{AT}tables/"
    assert director.post(path, {"do": "add", "new-name": "VIP", "new-usual_book": boo.pk}).status_code == 302
    row = {f"table-{first.pk}-name": "A", f"table-{first.pk}-usual_book": ""}
    assert director.post(path, {"do": f"edit:{first.pk}", **row}).status_code == 302
    assert director.post(path, {"do": f"remove:{second.pk}"}).status_code == 302
    there = house.tables.filter(removed_at=None).order_by("order")
    assert [(table.name, table.usual_book) for table in there] == [("A", None), ("VIP", boo)]
    for what, field in (("add", "new-name"), (f"edit:{first.pk}", f"table-{first.pk}-name")):
        answer = director.post(path, {"do": what, field: "VIP"})
        assert answer.status_code == 422
        assert "a table VIP already" in html.unescape(answer.content.decode())
    assert director.post(path, {"do": "remove:999"}).status_code == 404
    late = director.post(path, {"do": f"remove:{second.pk}"}, follow=True)
    assert f"Table {second.name} has been removed already; nothing was changed." in late.content.decode()
    parlours.sitting(boo, [], table="A")
    answer = director.post(path, {"do": f"remove:{first.pk}"})
    assert "Guests play at table A" in html.unescape(answer.content.decode())
    assert director.get(path).status_code == 302


def table_rows(director: Client) -> dict[str, list[str]]:
    """Return the form of the tables as the page shows it."""
    return dict(next(form.untouched for form in forms_of(AT, read(director)) if "tables" in form.address))


def test_one_button_saves_all_rows_of_tables_in_which_something_was_typed(house: Parlour, director: Client) -> None:
    first, second = house.tables.order_by("order")
    rows = table_rows(director)
    typed = {f"table-{first.pk}-name": ["A"], f"table-{second.pk}-name": ["B"], "new-name": ["VIP"]}
    assert director.post(f"{AT}tables/", {**rows, **typed, "do": f"edit:{second.pk}"}).status_code == 302
    assert list(house.tables.order_by("order").values_list("name", flat=True)) == ["A", "B", "VIP"]
    rows = table_rows(director)
    refused = director.post(f"{AT}tables/", {**rows, f"table-{first.pk}-name": "C", "new-name": "B", "do": "add"})
    assert refused.status_code == 422
    assert all(f'value="{name}"' in refused.content.decode() for name in ("C", "B"))
    assert not house.tables.filter(name="C").exists()
    director.post(f"{AT}tables/", {**rows, f"table-{first.pk}-name": "C", "do": f"remove:{second.pk}"})
    assert list(house.tables.filter(removed_at=None).order_by("order").values_list("name", flat=True)) == ["C", "VIP"]


def test_a_row_without_a_change_leaves_what_another_director_saved_meanwhile(house: Parlour, director: Client) -> None:
    first, second = house.tables.order_by("order")
    rows = table_rows(director)
    edit_table(table=first, name="A", by=SYSTEM)
    assert director.post(f"{AT}tables/", {**rows, f"table-{second.pk}-name": "B", "do": "save"}).status_code == 302
    assert list(house.tables.order_by("order").values_list("name", flat=True)) == ["A", "B"]


def test_fees_are_set_for_a_book_a_table_and_a_day(house: Parlour, director: Client) -> None:
    banchi, boo = books_of(house)
    path, today = f"{AT}fees/", business_day(boo)
    assert sent(director, path, book=str(boo.pk), per_game="500", student_per_game="300") == 302
    tomorrow = today + dt.timedelta(days=1)
    assert sent(director, path, table="1", from_day=tomorrow.isoformat(), per_game="600", top="0") == 302
    assert tariff_of(house, boo, "2", today) == Tariff(per_game=500, student_per_game=300, top=200)
    assert tariff_of(house, banchi, "1", tomorrow).per_game == 600
    page = read(director, path)
    assert page.index("¥600 a game") > page.index("¥500 a game"), "what holds today comes first"
    assert "holds today" in page
    assert "to come" in page
    shown = director.get(f"{path}?book={boo.pk}").context["form"]
    assert shown["per_game"].value() == "500"


def test_fees_of_a_closed_day_are_refused_with_everything_typed(house: Parlour, director: Client) -> None:
    today = business_day(books_of(house)[0])
    close_day(parlour=house, day=today - dt.timedelta(days=2), by=SYSTEM)
    form = {"from_day": (today - dt.timedelta(days=2)).isoformat(), "per_game": "700", "book": "", "table": ""}
    answer = director.post(f"{AT}fees/", form)
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "New fees hold from a later day on" in page
    assert 'value="700"' in page
    assert director.post(f"{AT}fees/", {**form, "from_day": "soon", "hour_unit": "5"}).status_code == 422
    assert not HouseTariff.objects.exists()


def test_house_options_change_from_a_moment_on(house: Parlour, director: Client) -> None:
    banchi = books_of(house)[0]
    path = f"{AT}books/{banchi.pk}/"
    assert "B3-002" in read(director, path)
    assert sent(director, path, **{"options-option_sink_uma": "20000"}) == 302
    assert rules_at(banchi).options == {"sink_uma": 20000}
    later = {"options-option_sink_uma": "30000", "options-since_0": "2036-01-01", "options-since_1": "10:00"}
    assert sent(director, path, **later) == 302
    assert RulesInForce.objects.filter(competition=banchi).count() == 3
    assert rules_at(banchi).options == {"sink_uma": 20000}
    assert sent(director, path, **{"options-option_sink_uma": "1"}) == 422
    assert director.get(f"{AT}books/{parlours.parlour('kansai3').pk}/").status_code == 404


def test_another_rule_book_is_offered_with_its_options_and_fees(house: Parlour, director: Client) -> None:
    path = f"{AT}books/new/"
    assert director.get(path).status_code == 403
    user = User.objects.get(username="director")
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    page = read(director, path)
    assert "?book=superbingo" in page
    assert "?book=boo" not in page
    path = f"{path}?book=superbingo"
    assert sent(director, path, **{"options-option_dx": "on", "fees-per_game": "x"}) == 422
    assert sent(director, path, **{"options-option_dx": "on", "fees-per_game": "300"}) == 302
    book = Competition.objects.get(slug="lantern-superbingo")
    assert rules_at(book).options == {"dx": True}
    assert tariff_of(house, book, "1", business_day(book)) == Tariff(per_game=300)
    assert sent(director, f"{AT}books/new/?book=kansai3") == 302
