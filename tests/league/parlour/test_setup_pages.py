"""Tests of the pages that set up a parlour, without JavaScript: each book with each option, and one game."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.forms.rulebooks.options import written
from league.models import Audience, Parlour, ParlourTable, ResultSheet, Role, Sitting
from league.selectors.live.table_options import usual
from league.selectors.parlour.board import business_day
from league.selectors.parlour.houses import books_of
from league.selectors.parlour.tariffs import tariff_of
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from rulesets import loader
from scoring.charges import Tariff
from scoring.ruleset import Option, OptionError, Ruleset
from scoring.ruleset.options import Integers, NumberTable
from tests import factories
from tests.fuzz.forms import forms_of
from tests.league import parlours

pytestmark = pytest.mark.django_db
NEW = "/p/new/"
BOOKS = ("superbingo", "boo", "banchi3", "banchi4", "kansai3", "cinderella")
Fields = dict[str, list[str]]


@pytest.fixture
def owner(client: Client) -> Client:
    """Return a Japanese client whose user may add competitions."""
    user = factories.user("owner")
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    client.force_login(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    return client


def fields_of(answer: Any, path: str = NEW) -> Fields:
    """Return what a browser sends with the page's form if nothing is changed, without the buttons."""
    form = next(form for form in forms_of(path, answer.content.decode()) if form.method == "post")
    return form.untouched


def press(client: Client, answer: Any, typed: Mapping[str, Any] | None = None, go: str = "on") -> Any:
    """Fill in fields of a step by name and press one of its buttons."""
    fields = fields_of(answer) | {
        name: value if isinstance(value, list) else [value] for name, value in (typed or {}).items()
    }
    return client.post(NEW, {name: value for name, value in fields.items() if value} | {"go": go})


def walk(
    client: Client, *books: str, house: Mapping[str, str] | None = None, later: Mapping[str, Any] | None = None
) -> Any:
    """Go through all steps with these books and return the answer to the last one; `later` fills in its steps."""
    answer = press(client, client.get(NEW), {"house-name": "雀荘 灯火", **(house or {})})
    answer = press(client, answer, {"books-books": list(books)})
    for step in ("options", "tables", "readers"):
        answer = press(client, answer, {name: value for name, value in (later or {}).items() if name.startswith(step)})
    return answer


def other_values(option: Option) -> Iterator[object]:
    """Yield values of an option that are not its default."""
    match option:
        case Integers(default=default, length=length):
            yield [10, *[0] * (length - 2), -10] if default[0] != 10 else [0] * length
        case NumberTable(default=default, keys=keys, maximum=most):
            key = keys[0]
            yield {**default, key: default[key] + 1 if default[key] < most else default[key] - 1}
        case _:
            yield from (value for value in option.candidates() if value != usual(option))


def all_other(rules: Ruleset) -> dict[str, object]:
    """Return a value for every option that is not its default, all of which go together."""
    chosen: dict[str, object] = {}
    for key, option in rules.options.items():
        for value in other_values(option):
            try:
                rules.with_options(chosen | {key: value})
            except OptionError:
                continue
            chosen[key] = value
            break
    return chosen


def sent(option: Option, value: object) -> list[str]:
    """Return a value as the option's field sends it."""
    if isinstance(value, bool):
        return ["on"] if value else []
    shown = written(option, value)
    return list(map(str, shown)) if isinstance(shown, list) else [str(shown)]


@pytest.mark.parametrize("name", BOOKS)
def test_every_house_option_of_a_book_passes_through_the_set_up_and_one_game(owner: Client, name: str) -> None:
    rules = loader.load(name)
    values = all_other(rules)
    assert values.keys() == rules.options.keys(), "each option has a value to change to"
    options = {f"options-{name}-option_{key}": sent(rules.options[key], value) for key, value in values.items()}
    answer = walk(owner, name, later=options)
    assert answer.status_code == 302, html.unescape(answer.content.decode())
    house = Parlour.objects.get()
    book = books_of(house)[0]
    assert rules_at(book).options == values
    opened = owner.get(answer["Location"])
    assert opened.status_code == 200
    play_a_game(owner, house)


def play_a_game(client: Client, house: Parlour) -> None:
    """Open the first table with new guests and enter a game at the counter, accepting what it asks about."""
    book = books_of(house)[0]
    rules = ruleset_of(rules_at(book))
    opening = f"/p/{house.slug}/board/open/"
    page = client.get(opening)
    form = next(each for each in forms_of(opening, page.content.decode()) if each.method == "post")
    people = {f"guest_{chair}": f"{parlours.THREE[chair]}/{parlours.KANA[chair]}" for chair in range(rules.players)}
    new = {f"new_{chair}": "1" for chair in range(rules.players)}
    answer = client.post(opening, {**form.untouched, **people, **new})
    assert answer.status_code == 302, html.unescape(answer.content.decode())
    counter = answer["Location"]
    shown = client.get(counter).content.decode()
    game = next(each for each in forms_of(counter, shown) if "score_0" in each.fields)
    unit, start = rules.entry.unit, rules.setup.start
    scores = [start + step * unit for step in ((20, 0, -20) if rules.players == 3 else (30, 10, -10, -30))]
    typed = {**game.untouched, **{f"score_{chair}": str(score // unit) for chair, score in enumerate(scores)}}
    answer = client.post(counter, typed)
    if answer.status_code != 302:
        codes = [finding.code for finding in answer.context["form"].warnings]
        answer = client.post(counter, {**typed, "accept": codes})
    assert answer.status_code == 302, html.unescape(answer.content.decode())
    sheet = ResultSheet.objects.counting().get()
    assert sheet.seats.count() == rules.players
    assert sum(row.score for row in sheet.seats.all()) == start * rules.players
    assert Sitting.objects.get().closed_at is None


def test_two_books_share_tables_numbered_on_and_have_their_own_fees(owner: Client) -> None:
    answer = walk(
        owner,
        "banchi3",
        "boo",
        house={"house-slug": "lantern", "house-name_en": "Lantern", "house-day_starts_at": "06:00"},
        later={
            "tables-banchi3-tables": "2",
            "tables-boo-tables": "VIP、4-5",
            "tables-boo-per_game": "５００",
            "tables-boo-student_per_game": "300",
            "tables-boo-stamps_for_a_free_game": "10",
            "tables-boo-hour_unit_minutes": "30",
            "tables-boo-hour_unit": "1,000円",
        },
    )
    assert answer["Location"] == "/p/lantern/board/open/?first=1"
    house = Parlour.objects.get()
    banchi, boo = books_of(house)
    tables = ParlourTable.objects.order_by("order").values_list("name", "usual_book")
    assert list(tables) == [("1", banchi.pk), ("2", banchi.pk), ("VIP", boo.pk), ("4", boo.pk), ("5", boo.pk)]
    today = business_day(boo)
    assert tariff_of(house, banchi, "1", today) == Tariff(per_game=400, top=200)
    assert tariff_of(house, boo, "4", today) == Tariff(
        per_game=500, student_per_game=300, stamps_for_a_free_game=10, hour_unit_minutes=30, hour_unit=1000
    )
    assert (boo.day_starts_at.hour, boo.audience) == (6, Audience.STAFF)


def test_fees_that_a_rule_book_names_are_filled_in(owner: Client) -> None:
    answer = press(owner, owner.get(NEW), {"house-name": "灯火"})
    answer = press(owner, answer, {"books-books": ["banchi3", "kansai3"]})
    answer = press(owner, answer)
    fields = fields_of(answer)
    assert [fields[f"tables-{name}-{fee}"] for name in ("banchi3", "kansai3") for fee in ("per_game", "top")] == [
        ["400"], ["200"], ["0"], ["0"]
    ]  # fmt: skip


def test_a_house_in_another_currency_types_its_fees_with_decimals(owner: Client) -> None:
    answer = walk(owner, "banchi3", house={"house-currency": "EUR"}, later={"tables-banchi3-per_game": "2.5"})
    assert answer.status_code == 302
    house = Parlour.objects.get()
    book = books_of(house)[0]
    assert tariff_of(house, book, "1", business_day(book)) == Tariff(per_game=250)


def test_a_public_ranking_states_its_consequences_and_is_chosen_explicitly(owner: Client) -> None:
    answer = press(owner, owner.get(NEW), {"house-name": "灯火"})
    answer = press(owner, answer, {"books-books": ["boo"]})
    answer = press(owner, press(owner, answer))
    page = html.unescape(answer.content.decode())
    assert "金額" in page
    assert "ハンドルネーム" in page
    assert press(owner, answer, {"readers-is_public": "yes"}).status_code == 302
    assert books_of(Parlour.objects.get())[0].audience == Audience.PUBLIC


def test_errors_stay_on_their_step_with_everything_typed(owner: Client) -> None:
    answer = press(owner, owner.get(NEW), {"house-name": "", "house-name_en": "Lantern"})
    assert answer.status_code == 422
    assert fields_of(answer)["house-name_en"] == ["Lantern"]
    answer = press(owner, answer, {"house-name": "灯火"})
    assert answer.status_code == 200
    answer = press(owner, answer)
    assert answer.status_code == 422, "a book is needed"
    answer = press(owner, answer, {"books-books": ["boo"]})
    answer = press(owner, answer, {"options-boo-option_red_tiles": "p"})
    assert answer.status_code == 422
    assert fields_of(answer)["options-boo-option_red_tiles"] == ["p"]


def test_going_back_loses_nothing_that_was_typed(owner: Client) -> None:
    answer = press(owner, owner.get(NEW), {"house-name": "灯火"})
    answer = press(owner, answer, {"books-books": ["boo", "superbingo"]})
    answer = press(owner, answer, {"options-boo-option_ura_chips": "on", "options-superbingo-option_dx": "on"})
    answer = press(owner, answer, {"tables-boo-per_game": "700", "tables-boo-top": "wrong"}, "back")
    assert fields_of(answer)["options-boo-option_ura_chips"] == ["on"]
    answer = press(owner, answer, go="books")
    assert fields_of(answer)["books-books"] == ["superbingo", "boo"]
    answer = press(owner, answer, {"books-books": ["boo"]})
    answer = press(owner, answer, {"options-boo-option_ura_chips": []})
    assert fields_of(answer)["tables-boo-per_game"] == ["700"]
    assert fields_of(answer)["tables-boo-top"] == ["wrong"]
    answer = press(owner, press(owner, answer, {"tables-boo-top": "0"}))
    assert answer.status_code == 302
    assert rules_at(books_of(Parlour.objects.get())[0]).options == {}


def test_a_taken_address_is_reported_at_the_first_step_and_a_free_one_is_proposed(owner: Client) -> None:
    assert walk(owner, "boo", house={"house-name_en": "Lantern"}).status_code == 302
    answer = walk(owner, "boo", house={"house-slug": "lantern"})
    assert answer.status_code == 422
    assert fields_of(answer)["step"] == ["house"]
    answer = press(owner, answer, {"house-slug": "", "house-name_en": "Lantern"})
    assert "/p/lantern-2/" in answer.content.decode()


def test_a_step_skipped_by_hand_is_shown_before_anything_is_stored(owner: Client) -> None:
    sent_at_once = {"step": "readers", "seen": ["house", "books", "readers"], "house-name": "灯火", "go": "on"}
    answer = owner.post(NEW, {**sent_at_once, "books-books": "boo", "house-day_starts_at": "10:00"})
    assert answer.status_code == 422
    assert not Parlour.objects.exists()
    assert owner.post(NEW, {"step": "nowhere"}).status_code == 200


def test_users_without_the_right_read_how_to_get_it(client: Client) -> None:
    assert client.get(NEW).status_code == 302
    client.force_login(factories.user("clerk", Role.SCORER, parlours.parlour()))
    answer = client.get(NEW, headers={"accept-language": "en"})
    assert answer.status_code == 403
    assert "permission to add competitions" in answer.content.decode()


def test_the_set_up_is_reached_from_the_admin_also_when_competitions_exist(owner: Client) -> None:
    parlours.parlour()
    user = factories.user("chief", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    owner.force_login(user)
    for path in ("/admin/", "/admin/league/competition/set-up/", "/board/"):
        assert NEW in owner.get(path).content.decode(), path
    owner.post("/logout/")
    owner.force_login(factories.user("clerk", Role.SCORER, parlours.parlour("boo")))
    assert NEW not in owner.get("/board/", follow=True).content.decode()
