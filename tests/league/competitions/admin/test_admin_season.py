"""Tests of a season run in the admin only: from an empty database to a champion, with every decision on the way."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from league.models import (
    Audience,
    Block,
    Change,
    Competition,
    Entrant,
    Hanchan,
    Outcome,
    Player,
    ResultSheet,
    Role,
    RulesInForce,
    Session,
    SlotState,
    Standing,
    TableSession,
)
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.competitions.setup import new_player
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.fuzz.forms import forms_of
from tests.league import parlours
from tests.league.admin_pages import at, done, errors_of

pytestmark = pytest.mark.django_db
BEGIN = "/admin/league/competition/set-up/?format=cinderella"
SEASON = {
    "name": "春季シンデレラ杯", "name_en": "Spring Cup", "slug": "spring-cup", "ruleset": "cinderella",
    "options_of": "cinderella", "option_rounding": "nearest_alike", "first_day": "2026-10-03", "every": "7",
    "starts_at": "12:00", "confirmation": "one",
}  # fmt: skip


def test_the_business_day_of_an_open_table_is_edited_with_its_name(chief: Client) -> None:
    made = parlours.parlour()
    words = {"name": "夜", "confirmation": "one", "audience": "staff", "time_zone": "Asia/Tokyo", "advice": "staff"}
    done(chief, at(made, "edit"), words | {"live_delay": "0", "day_starts_at": "10:00"})
    made.refresh_from_db()
    assert (made.name, made.audience, made.day_starts_at) == ("夜", Audience.STAFF, dt.time(10, 0))


def test_only_a_parlour_is_asked_when_its_business_day_starts(chief: Client) -> None:
    assert "day_starts_at" not in chief.get(at(factories.league(), "edit")).context["form"].fields


def schedule(
    client: Client, block: Block, session: Session, people: list[Entrant], numbers: str, hour: int = 10
) -> TableSession:
    """Add a table with these players through the form."""
    seats = {f"seat_{seat}": entrant.pk for seat, entrant in enumerate(people)}
    done(
        client,
        f"/admin/league/tablesession/add/?block={block.pk}",
        {"session": session.pk, "numbers": numbers, "starts_at_0": "2026-10-03", "starts_at_1": f"{hour}:00", **seats},
    )
    return TableSession.objects.latest("pk")


def enter(client: Client, table: TableSession, turn: int) -> None:
    """Enter all hanchan of a table; the player in the first seat wins, with slightly less in each hanchan."""
    for hanchan in table.hanchan.order_by("round"):
        prefix = f"h{hanchan.pk}-"
        top = 500 - turn - 3 * hanchan.round
        scores = [top, 300 - hanchan.round, 700 - top + hanchan.round - 100, 100]
        people = {f"{prefix}entrant_{seat.seat}": seat.entrant_id for seat in hanchan.seats.all()}
        typed = {f"{prefix}score_{seat}": str(score) for seat, score in enumerate(scores)}
        response = client.post(at(table, "entry"), {"hanchan": hanchan.pk, **people, **typed})
        assert response.status_code == 302, response.context["panels"][hanchan.round - 1].form.errors
    publish_standings(table.competition_id)


def test_a_season_runs_from_an_empty_database_to_its_champion(chief: Client) -> None:
    done(chief, BEGIN, SEASON)
    season = Competition.objects.get()
    entering = at(season, "enter")
    roster = "\n".join(f"選手{number}\tせんしゅ\tPlayer {number}\t荘{number % 4}" for number in range(1, 17))
    done(chief, entering, {"pasted": roster})
    assert season.entrants.count() == 16
    for key in ("A", "B"):
        seeding = at(season.blocks.get(key=key), "seed")
        proposed = chief.get(seeding).context["form"]
        done(chief, seeding, {name: field.initial for name, field in proposed.fields.items()})
    done(chief, at(season, "publish"), {})
    done(chief, f"/admin/league/session/add/?competition={season.pk}", {"number": "", "name": ""})
    session = Session.objects.get()
    for turn, key in enumerate(("A", "B")):
        block = season.blocks.get(key=key)
        people = factories.in_block(block)
        for place, (company, numbers) in enumerate(
            [
                (people[:4], "1-4"),
                (people[4:], "1-4"),
                (people[:2] + people[4:6], "5-8"),
                (people[2:4] + people[6:], "5-8"),
            ]
        ):
            enter(chief, schedule(chief, block, session, company, numbers, hour=10 + place // 2), turn * 7 + place)
    for turn, key in enumerate(("po1", "po2", "po3", "final"), start=20):
        block = season.blocks.get(key=key)
        states = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF).order_by("slot__number")
        company = [state.entrant for state in states.select_related("entrant__player") if state.entrant]
        enter(chief, schedule(chief, block, session, company, "1-4", hour=turn), turn)
    outcome = Outcome.objects.get(competition=season, audience=Audience.PUBLIC)
    assert outcome.champion_state == "certain"
    done(chief, at(season, "close"), {})
    season.refresh_from_db()
    assert season.status == Competition.Status.CLOSED
    assert set(Change.objects.filter(competition=season).values_list("door", flat=True)) == {"admin"}


def test_errors_in_a_new_competition_are_reported_at_their_fields(chief: Client) -> None:
    factories.league("taken")
    assert "already a competition" in errors_of(chief, BEGIN, {**SEASON, "slug": "taken"})["slug"][0]
    assert "cannot be an address" in errors_of(chief, BEGIN, {**SEASON, "slug": "Spring Cup"})["slug"][0]
    assert "is no value" in errors_of(chief, BEGIN, {**SEASON, "option_rounding": "green"})["option_rounding"][0]
    assert not Competition.objects.filter(slug="spring-cup").exists()


def test_the_creator_of_a_competition_becomes_its_director(client: Client) -> None:
    director = factories.user(is_staff=True)
    director.user_permissions.add(Permission.objects.get(codename="add_competition"))
    client.force_login(director)
    assert "/admin/league/competition/add/" in client.get("/admin/").content.decode()
    done(client, BEGIN, {**SEASON, "option_rounding": "exact"})
    made = Competition.objects.get(slug="spring-cup")
    assert made.memberships.get().user == director
    assert made.rules_in_force.get().options == {"rounding": "exact"}


@pytest.mark.parametrize("role", [Role.SCORER, Role.DIRECTOR])
def test_a_role_in_one_competition_does_not_allow_creating_another(client: Client, role: Role) -> None:
    client.force_login(factories.user(role=role, competition=factories.final_table(), is_staff=True))
    assert "/admin/league/competition/add/" not in client.get("/admin/").content.decode()
    assert client.get("/admin/league/competition/add/").status_code == 403
    assert client.post(BEGIN, SEASON).status_code == 403


@pytest.mark.both_databases
def test_a_competition_is_published_withheld_closed_and_edited(chief: Client) -> None:
    season = factories.league(status=None)
    for page, status in (("publish", "published"), ("withhold", "draft"), ("close", "closed")):
        assert chief.get(at(season, page)).status_code == 200
        done(chief, at(season, page), {})
        season.refresh_from_db()
        assert season.status == status
    words = {
        "name": "秋",
        "confirmation": "second",
        "audience": "public",
        "time_zone": "Asia/Tokyo",
        "live_delay": "0",
        "advice": "staff",
    }
    assert chief.get(at(season, "edit")).context["form"].initial["name"] == "春リーグ"
    done(chief, at(season, "edit"), words)
    season.refresh_from_db()
    assert (season.name, season.name_en, season.confirmation) == ("秋", "", "second")
    change = season.changes.get(kind="competition.edited")
    assert (change.before or {})["name"] == "春リーグ"
    assert (change.after or {})["confirmation"] == "second"
    count = season.changes.count()
    done(chief, at(season, "edit"), words)
    assert season.changes.count() == count


def test_the_withhold_page_of_a_competition_with_results_offers_closing_and_editing_instead(chief: Client) -> None:
    season = factories.league()
    factories.play(factories.table(season.blocks.get(key="A")).hanchan.get(round=1))
    for answer in (chief.get(at(season, "withhold")), chief.post(at(season, "withhold"))):
        page = answer.content.decode()
        assert "has results and cannot be a draft again" in page
        assert f'href="{at(season, "close")}"' in page
        assert f'href="{at(season, "edit")}"' in page
        assert 'type="submit" class="default' not in page
    season.refresh_from_db()
    assert season.status == Competition.Status.PUBLISHED


@pytest.mark.both_databases
def test_the_roster_form_finds_known_players_by_name_and_reports_unreadable_lines(chief: Client) -> None:
    season = factories.league()
    known = new_player(name="既知", key="known", by=factories.SYSTEM)
    for key in ("one", "two"):
        new_player(name="同名", key=key, by=factories.SYSTEM)
    entering = at(season, "enter")
    assert "16 players are entered." in chief.get(entering).content.decode()
    errors = errors_of(chief, entering, {"pasted": "同名\n\n,かな\n新人\n新人"})["pasted"]
    assert "several known players are called 同名" in errors[0]
    assert "one, two" in errors[0]
    assert "has no name" in errors[1]
    assert "新人 is named twice" in errors[2]
    assert "Paste or choose" in errors_of(chief, entering, {"pasted": ""})["__all__"][0]
    assert "At most 500" in errors_of(chief, entering, {"pasted": "x\n" * 501})["pasted"][0]
    done(chief, entering, {"pasted": "既知\n新人、しんじん、Shinjin、灯火荘、日本\ntwo", "known": [known.pk]})
    newest = list(season.entrants.order_by("number").values_list("player__name", flat=True))[16:]
    assert newest == ["既知", "新人", "同名"]
    newcomer = Player.objects.get(name="新人")
    assert (newcomer.affiliation, newcomer.country) == ("灯火荘", "日本")


@pytest.mark.both_databases
def test_seeds_fill_the_slots_without_gaps_from_the_first_on(chief: Client) -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    people = factories.in_block(block)
    seeding = at(block, "seed")
    assert "There is a gap" in errors_of(chief, seeding, {"slot_2": people[0].pk})["__all__"][0]
    assert "named twice" in errors_of(chief, seeding, {"slot_1": people[0].pk, "slot_2": people[0].pk})["__all__"][0]
    done(chief, seeding, {"slot_1": people[3].pk, "slot_2": people[0].pk})
    assert factories.in_block(block) == [people[3], people[0]]
    factories.play(factories.table(season.blocks.get(key="B")).hanchan.get(round=1))
    begun = at(season.blocks.get(key="B"), "seed")
    assert "already has results" in errors_of(chief, begun, {})["__all__"][0]
    assert "already has results" in chief.get(begun).content.decode()
    page = chief.get(f"/admin/league/competition/{season.pk}/change/")
    assert [link.label for link in page.context["seeded"]] == ["Block A"]


def test_other_rules_can_be_put_into_force(chief: Client) -> None:
    season = factories.league()
    values = {"ruleset": "cinderella", "league_format": "cinderella", "options_of": "cinderella"}
    values["option_rounding"] = "exact"
    assert chief.get(at(season, "rules")).context["form"].initial["ruleset"] == "cinderella"
    assert "Allowed:" in errors_of(chief, at(season, "rules"), {**values, "option_rounding": "x"})["option_rounding"][0]
    done(chief, at(season, "rules"), values)
    assert RulesInForce.objects.filter(competition=season).count() == 2
    asked = chief.post(at(season, "rules"), {**values, "league_format": "single-table-final"})
    assert [finding.code for finding in asked.context["form"].warnings] == ["stages_change"]
    factories.play(factories.table(season.blocks.get(key="A")).hanchan.get(round=1))
    errors = errors_of(chief, at(season, "rules"), {**values, "league_format": "single-table-final"})
    assert "Block A" in errors["league_format"][0]
    assert RulesInForce.objects.filter(competition=season).count() == 2


def test_house_options_in_force_stay_when_other_rules_are_changed(chief: Client) -> None:
    season = factories.league(options={"rounding": "exact", "riichi_min_score": True})
    page = at(season, "rules")

    def shown(address: str) -> dict[str, list[str]]:
        """Return the values of the page's form as a browser would send them."""
        found = forms_of(page, chief.get(address).content.decode())
        (form,) = [form for form in found if "league_format" in form.fields]
        return {name: field.values for name, field in form.fields.items() if field.values}

    assert "2 other than in the book" in chief.get(page).content.decode()
    done(chief, page, shown(page))
    assert rules_at(season).options == {"rounding": "exact", "riichi_min_score": True}
    other = shown(f"{page}?ruleset=mleague")
    assert other["options_of"] == ["mleague"]
    assert not [name for name in other if name.startswith("option_")]
    looked = chief.post(page, {**shown(page), "ruleset": "mleague", "since_0": "2030-01-10", "look": "1"})
    form = looked.context["form"]
    assert (form["options_of"].value(), form["since"].value()[0], form.errors) == ("mleague", "2030-01-10", {})
    fields = shown(page)
    del fields["option_riichi_min_score"]
    asked = errors_of(chief, page, {**fields, "ruleset": "mleague"})
    assert "You changed options of" in asked["__all__"][0]
    done(chief, page, fields)
    assert rules_at(season).options == {"rounding": "exact"}


def test_players_are_added_and_edited_and_the_change_is_logged_in_their_competitions(chief: Client) -> None:
    season = factories.league()
    player = factories.in_block(season.blocks.get(key="A"))[0].player
    assert chief.get(at(player, "edit")).context["form"].initial["name"] == "A1"
    done(chief, at(player, "edit"), {"name": "新しい名前", "name_romaji": "New Name"})
    change = season.changes.first()
    assert change is not None
    assert (change.kind, change.after) == ("player.edited", {"fields": ["name", "name_romaji"]})
    done(chief, "/admin/league/player/add/", {"name": "新人"})
    assert Player.objects.filter(name="新人").exists()
    assert "name" in errors_of(chief, "/admin/league/player/add/", {"name": " "})
    assert chief.get("/admin/league/player/999/edit/").status_code == 404


def test_directors_can_edit_players_and_scorers_cannot(client: Client) -> None:
    season = factories.league()
    player = factories.in_block(season.blocks.get(key="A"))[0].player
    client.force_login(factories.user(role=Role.DIRECTOR, competition=season, is_staff=True))
    done(client, at(player, "edit"), {"name": "甲"})
    client.force_login(factories.user(role=Role.SCORER, competition=season, is_staff=True))
    assert client.get(at(player, "edit")).status_code == 403
    assert client.post(at(player, "edit"), {"name": "乙"}).status_code == 403


def waiting_sheet(season: Competition) -> tuple[ResultSheet, Hanchan]:
    """Return a sheet that a scorer submitted in a competition where a second person confirms, and its hanchan."""
    season.confirmation = Competition.Confirmation.SECOND
    season.save()
    hanchan = factories.table(season.blocks.get(key="A")).hanchan.get(round=1)
    scorer = factories.user(role=Role.SCORER, competition=season)
    return factories.play(hanchan, by=factories.actor(scorer)), hanchan


def test_a_second_person_confirms_sheets_from_the_queue(chief: Client) -> None:
    season = factories.league()
    sheet, hanchan = waiting_sheet(season)
    queue = "/admin/league/resultsheet/queue/"
    assert [panel.waiting for panel in chief.get(queue).context["panels"]] == [sheet]
    assert list(chief.get("/admin/").context["sheets_waiting"]) == [sheet]
    entry = chief.get(at(hanchan.table_session, "entry")).content.decode()
    assert "awaiting confirmation" in entry
    assert f'action="{at(sheet, "confirm")}"' in entry
    assert "Confirm..." in chief.get(at(sheet, "change")).content.decode()
    assert "1st Player A1 41,200" in chief.get(at(sheet, "confirm")).content.decode()
    assert done(chief, at(sheet, "confirm"), {"back": "table"}) == at(hanchan.table_session, "entry")
    assert ResultSheet.objects.counting().get() == sheet
    assert "no longer awaits confirmation" in errors_of(chief, at(sheet, "confirm"), {})["__all__"][0]
    assert "Nothing awaits confirmation." in chief.get(queue).content.decode()


@pytest.mark.both_databases
def test_an_author_cannot_confirm_their_own_sheet(client: Client) -> None:
    season = factories.league()
    sheet, hanchan = waiting_sheet(season)
    author = sheet.entered_by
    assert author is not None
    author.is_staff = True
    author.save()
    client.force_login(author)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    assert "You entered it yourself" in client.get("/admin/league/resultsheet/queue/").content.decode()
    assert "A second person confirms it." in client.get(at(hanchan.table_session, "entry")).content.decode()
    assert "You entered this sheet yourself" in errors_of(client, at(sheet, "confirm"), {})["__all__"][0]


@pytest.mark.both_databases
def test_a_sheet_is_rejected_with_a_reason_and_its_form_opens_again(chief: Client) -> None:
    season = factories.league()
    sheet, hanchan = waiting_sheet(season)
    second = factories.play(hanchan.table_session.hanchan.get(round=2), (30100, 41200, 18700, 10000),
                            by=factories.actor(sheet.entered_by))  # fmt: skip
    assert "reason" in errors_of(chief, at(sheet, "reject"), {"reason": ""})
    assert done(chief, at(sheet, "reject"), {"reason": "Unreadable"}).endswith("/queue/")
    sheet.refresh_from_db()
    assert sheet.state == ResultSheet.State.REJECTED
    reopened = chief.get(f"{at(hanchan.table_session, 'entry')}?again={second.hanchan_id}")
    assert all(panel.form is not None for panel in reopened.context["panels"])


def test_submitting_a_sheet_shows_that_a_second_person_confirms_it(client: Client) -> None:
    season = factories.league()
    _sheet, hanchan = waiting_sheet(season)
    client.force_login(factories.user(role=Role.SCORER, competition=season, is_staff=True))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    prefix = f"h{hanchan.pk}-"
    people = {f"{prefix}entrant_{seat.seat}": seat.entrant_id for seat in hanchan.seats.all()}
    scores = {f"{prefix}score_{seat}": score for seat, score in enumerate(("400", "300", "200", "100"))}
    response = client.post(at(hanchan.table_session, "entry"), {"hanchan": hanchan.pk, **people, **scores}, follow=True)
    assert "A second person confirms it now." in response.content.decode()


def test_the_start_page_lists_pending_tasks(chief: Client) -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    late = factories.table(block, starts_at=timezone.now() - dt.timedelta(days=2))
    today = factories.table(block, factories.in_block(block)[4:], starts_at=timezone.now())
    factories.play_all(today, (41200, 30100, 18700, 10000), (1000, 99000, 0, 0), (25100, 25000, 24900, 25000),
                       (30100, 41200, 18700, 10000))  # fmt: skip
    hidden = factories.table(
        season.blocks.get(key="B"), starts_at=timezone.now() + dt.timedelta(days=3),
        public_at=timezone.now() + dt.timedelta(days=4),
    )  # fmt: skip
    page = chief.get("/admin/").context
    assert [(table, people) for table, people in page["tables"]] == [
        (late, "Player A1, Player A2, Player A3, Player A4"),
    ]
    assert [(day.session, day.progress.done, day.progress.planned) for day in page["today"]] == [
        (today.session, 4, 12),
    ]
    assert list(page["held_back"]) == [hidden]
    assert [link.competition for link in page["seasons"]] == [season]


def test_the_start_page_reports_standings_that_lag_behind(chief: Client) -> None:
    season = factories.league()
    publish_standings(season.pk)
    assert chief.get("/admin/").context["behind"] == []
    Competition.objects.filter(pk=season.pk).update(public_version=0, computed_version=0)
    Change.objects.filter(competition=season).update(at=timezone.now())
    assert chief.get("/admin/").context["behind"] == []
    Change.objects.filter(competition=season).update(at=timezone.now() - dt.timedelta(minutes=5))
    season.refresh_from_db()
    assert chief.get("/admin/").context["behind"] == [(season, season.version)]
    assert "Is the worker running?" in chief.get("/admin/").content.decode()


def test_the_start_page_of_an_empty_database_offers_a_new_competition(chief: Client) -> None:
    body = chief.get("/admin/").content.decode()
    assert "There is no competition yet." in body
    assert "New competition" in body


def test_the_admin_is_in_japanese_by_default(client: Client) -> None:
    client.force_login(User.objects.create_superuser("chief"))
    assert 'lang="ja"' in client.get("/admin/").content.decode()


def test_standings_are_listed_with_their_points(chief: Client) -> None:
    season = factories.league()
    factories.play(factories.table(season.blocks.get(key="A")).hanchan.get(round=1))
    publish_standings(season.pk)
    assert Standing.objects.filter(block__key="A", audience="staff").count() == 8
    assert "+51.2" in chief.get("/admin/league/standing/").content.decode()
