"""Tests of setting up a parlour and of its tables, through the services."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Permission

from league.models import Audience, Change, Competition, HouseTariff, OrganizationChange, Parlour, ParlourTable, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import business_day
from league.selectors.parlour.houses import books_of
from league.selectors.parlour.tariffs import tariff_of
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.parlour.days import close_day
from league.services.parlour.setup import (
    BookPlan,
    HouseWords,
    ParlourPlan,
    TablePlan,
    add_book,
    add_table,
    edit_parlour,
    edit_table,
    remove_table,
    set_up_parlour,
)
from league.services.parlour.sittings import SittingPlan, close_sitting, open_sitting
from league.services.parlour.tariffs import TariffPlan, set_tariff
from scoring.charges import Tariff
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours

pytestmark = pytest.mark.django_db
OWN = Tariff(per_game=500, student_per_game=300, stamps_for_a_free_game=10)


def plan(**values: object) -> ParlourPlan:
    """Return the plan of a house with two books and three tables."""
    given: dict[str, object] = {
        "slug": "lantern",
        "name": "雀荘 灯火",
        "name_en": "Lantern",
        "books": (BookPlan(ruleset="banchi3", options={"sink_uma": 20000}), BookPlan(ruleset="boo", tariff=OWN)),
        "tables": (TablePlan(name="1", usual_book=0), TablePlan(name="2", usual_book=1), TablePlan(name="VIP")),
    }
    return ParlourPlan(**{**given, **values})  # type: ignore[arg-type]


@pytest.fixture
def house() -> Parlour:
    """Return a house set up by the plan."""
    return set_up_parlour(plan=plan(), by=SYSTEM)


@pytest.mark.both_databases
def test_a_house_is_set_up_with_its_books_tables_and_fees_in_one_step() -> None:
    user = factories.user(is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    house = set_up_parlour(plan=plan(), by=Actor(user=user, door=SYSTEM.door))
    banchi, boo = books_of(house)
    assert [(book.slug, book.name, book.name_en) for book in (banchi, boo)] == [
        ("lantern-banchi3", "雀荘 灯火 番地グループ 3人打ち", "Lantern Banchi Group, three players"),
        ("lantern-boo", "雀荘 灯火 ブー麻雀", "Lantern Boo mahjong"),
    ]
    for book in (banchi, boo):
        assert (book.kind, book.status) == (Competition.Kind.OPEN, Competition.Status.PUBLISHED)
        assert (book.audience, book.day_starts_at) == (Audience.STAFF, dt.time(10, 0))
        assert book.memberships.get().user == user
        assert book.memberships.get().role == Role.DIRECTOR
    assert rules_at(banchi).options == {"sink_uma": 20000}
    assert [(table.name, table.usual_book) for table in house.tables.all()] == [
        ("1", banchi), ("2", boo), ("VIP", None)
    ]  # fmt: skip
    today = business_day(boo)
    assert tariff_of(house, banchi, "1", today) == Tariff(per_game=400, top=200)
    assert tariff_of(house, boo, "1", today) == OWN
    assert HouseTariff.objects.get().book == boo, "the fees that a book names need no row"


def test_a_public_house_is_an_explicit_choice() -> None:
    house = set_up_parlour(plan=plan(is_public=True), by=SYSTEM)
    assert {book.audience for book in books_of(house)} == {Audience.PUBLIC}


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": " "}, "name_needed"),
        ({"books": ()}, "book_needed"),
        ({"currency": "GOLD"}, "unknown_currency"),
        ({"slug": "new"}, "parlour_slug_taken"),
        ({"slug": "Lantern"}, "bad_slug"),
        ({"tables": (TablePlan(name="1"), TablePlan(name="1"))}, "table_named_twice"),
        ({"tables": (TablePlan(name="1", usual_book=2),)}, "unknown_book"),
        ({"books": (BookPlan(ruleset="banchi3", options={"sink_uma": 1}),)}, "bad_option"),
        ({"books": (BookPlan(ruleset="boo", tariff=Tariff(hour_unit=300)),)}, "unit_needed"),
    ],
)
def test_a_house_that_cannot_be_is_refused_and_nothing_of_it_stays(values: dict[str, object], code: str) -> None:
    with pytest.raises((RuleViolationError, ConflictError)) as refused:
        set_up_parlour(plan=plan(**values), by=SYSTEM)
    assert [finding.code for finding in refused.value.findings] == [code]
    assert not Parlour.objects.exists()
    assert not Competition.objects.exists()


def test_only_users_with_the_right_to_add_competitions_set_up_a_house() -> None:
    director = factories.user(role=Role.DIRECTOR, competition=parlours.parlour())
    with pytest.raises(PermissionRefusedError):
        set_up_parlour(plan=plan(), by=Actor(user=director, door=SYSTEM.door))


def test_a_book_offered_later_shares_staff_business_day_and_readers(house: Parlour) -> None:
    words = HouseWords(name="雀荘 灯火", name_en="Lantern", day_starts_at=dt.time(6, 0), is_public=True)
    edit_parlour(parlour=house, words=words, by=SYSTEM)
    added = add_book(parlour=house, plan=BookPlan(ruleset="kansai3"), by=SYSTEM)
    assert (added.audience, added.day_starts_at, added.slug) == (Audience.PUBLIC, dt.time(6, 0), "lantern-kansai3")
    assert books_of(house)[-1] == added


def test_a_renamed_house_renames_the_books_named_after_it(house: Parlour) -> None:
    book = books_of(house)[0]
    Competition.objects.filter(pk=book.pk).update(name="土曜の卓")
    words = HouseWords(name="麻雀 月光", name_en="Moonlight", day_starts_at=dt.time(10, 0), is_public=False)
    edit_parlour(parlour=house, words=words, by=SYSTEM)
    assert [(each.name, each.name_en) for each in books_of(house)] == [
        ("土曜の卓", "Moonlight Banchi Group, three players"),
        ("麻雀 月光 ブー麻雀", "Moonlight Boo mahjong"),
    ]
    house.refresh_from_db()
    assert house.name == "麻雀 月光"


def test_the_books_of_a_house_without_an_english_name_have_the_english_titles_of_their_rules() -> None:
    house = set_up_parlour(plan=plan(name="Lantern", name_en=""), by=SYSTEM)
    english = ["Lantern Banchi Group, three players", "Lantern Boo mahjong"]
    assert [each.name_en for each in books_of(house)] == english
    words = HouseWords(name="灯火", name_en="Tomoshibi", day_starts_at=dt.time(10, 0), is_public=False)
    edit_parlour(parlour=house, words=words, by=SYSTEM)
    renamed = [title.replace("Lantern", "Tomoshibi") for title in english]
    assert [each.name_en for each in books_of(house)] == renamed


def test_the_business_day_does_not_move_while_guests_play(house: Parlour) -> None:
    parlours.sitting(books_of(house)[0], [], table="1")
    words = HouseWords(name=house.name, name_en="", day_starts_at=dt.time(6, 0), is_public=False)
    with pytest.raises(ConflictError, match="Guests play now"):
        edit_parlour(parlour=house, words=words, by=SYSTEM)


def test_a_business_day_edited_with_one_book_is_that_of_the_whole_house(house: Parlour) -> None:
    boo = books_of(house)[1]
    words = CompetitionWords(name=boo.name, audience=Audience.STAFF, time_zone="Asia/Seoul", day_starts_at=dt.time(6))
    table = parlours.sitting(books_of(house)[0], [], table="1")
    with pytest.raises(ConflictError, match="Guests play now"):
        edit_competition(competition=boo, words=words, by=SYSTEM)
    close_sitting(sitting=table, by=SYSTEM)
    edit_competition(competition=books_of(house)[1], words=words, by=SYSTEM)
    assert {(book.time_zone, book.day_starts_at) for book in books_of(house)} == {("Asia/Seoul", dt.time(6))}
    edits = Change.objects.filter(competition__parlour=house, kind="competition.edited")
    assert edits.values_list("competition").distinct().count() == edits.count() == 2


def test_tables_are_added_renamed_and_removed(house: Parlour) -> None:
    boo = books_of(house)[1]
    table = add_table(parlour=house, name=" 3 ", usual_book=boo, by=SYSTEM)
    assert (table.name, table.order > 0) == ("3", True)
    edit_table(table=table, name="4", by=SYSTEM)
    table.refresh_from_db()
    assert (table.name, table.usual_book) == ("4", None)
    with pytest.raises(ConflictError, match="a table 1 already"):
        edit_table(table=table, name="1", by=SYSTEM)
    remove_table(table=table, by=SYSTEM)
    assert not house.tables.filter(name="4", removed_at=None).exists()
    with pytest.raises(ConflictError, match="was removed"):
        remove_table(table=table, by=SYSTEM)
    kinds = OrganizationChange.objects.filter(subject_id=str(table.pk)).values_list("kind", flat=True)
    assert set(kinds) == {"parlour.table_added", "parlour.table_edited", "parlour.table_removed"}


def test_a_table_in_play_is_neither_renamed_nor_removed(house: Parlour) -> None:
    table = ParlourTable.objects.get(name="1")
    parlours.sitting(books_of(house)[0], [], table="1")
    with pytest.raises(ConflictError, match="Guests play at table 1"):
        remove_table(table=table, by=SYSTEM)
    with pytest.raises(ConflictError, match="Guests play at table 1"):
        edit_table(table=table, name="9", by=SYSTEM)
    edit_table(table=table, name="1", usual_book=books_of(house)[1], by=SYSTEM)


def test_a_renamed_table_keeps_its_fees_of_today_and_those_to_come(house: Parlour) -> None:
    banchi = books_of(house)[0]
    today = business_day(banchi)
    for days, fee in ((-3, 100), (-1, 200), (5, 300)):
        tariff = Tariff(per_game=fee)
        set_tariff(
            parlour=house,
            plan=TariffPlan(from_day=today + dt.timedelta(days), tariff=tariff, table="VIP"),
            by=SYSTEM,
        )
    edit_table(table=ParlourTable.objects.get(name="VIP"), name="奥", by=SYSTEM)
    later = today + dt.timedelta(days=5)
    assert [tariff_of(house, banchi, "奥", day).per_game for day in (today, later)] == [200, 300]
    assert HouseTariff.objects.filter(table="奥").count() == 2


def test_a_book_offered_after_the_close_of_the_day_has_its_fees_from_the_next_day_on(house: Parlour) -> None:
    today = business_day(books_of(house)[0])
    close_day(parlour=house, day=today, by=SYSTEM)
    book = add_book(parlour=house, plan=BookPlan(ruleset="kansai3", tariff=OWN), by=SYSTEM)
    row = HouseTariff.objects.get(book=book)
    assert (row.from_day, row.per_game) == (today + dt.timedelta(days=1), 500)


def test_no_table_opens_on_a_closed_day_under_a_book_offered_after_the_close(house: Parlour) -> None:
    close_day(parlour=house, day=business_day(books_of(house)[0]), by=SYSTEM)
    book = add_book(parlour=house, plan=BookPlan(ruleset="kansai3"), by=SYSTEM)
    with pytest.raises(ConflictError) as refused:
        open_sitting(competition=book, plan=SittingPlan(table="1"), by=SYSTEM)
    assert refused.value.findings[0].code == "day_closed"


def test_a_table_renamed_after_the_close_of_the_day_keeps_its_fees(house: Parlour) -> None:
    today, vip = business_day(books_of(house)[0]), ParlourTable.objects.get(parlour=house, name="VIP")
    set_tariff(parlour=house, plan=TariffPlan(from_day=today, tariff=OWN, table="VIP"), by=SYSTEM)
    close_day(parlour=house, day=today, by=SYSTEM)
    edit_table(table=vip, name="特別室", by=SYSTEM)
    assert tariff_of(house, books_of(house)[0], "特別室", today + dt.timedelta(days=1)) == OWN
