"""Test the admin's lists and pages: rows are read-only, and staff see only their own competitions."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.admin.base import LeagueModelAdmin
from league.models import (
    Adjustment,
    Announcement,
    Closing,
    Competition,
    Credit,
    DayClose,
    Departure,
    Draw,
    Entrant,
    EventListed,
    Extra,
    Forecast,
    FormatDraft,
    FormatDraftState,
    FormatRevision,
    FormerSlug,
    GuestTerms,
    HanchanSeat,
    Heartbeat,
    HouseTariff,
    IdempotencyKey,
    ImportedPaifu,
    LineUp,
    Membership,
    MoveDecision,
    NextRoster,
    OnlineAccount,
    OpeningBalance,
    Override,
    Paifu,
    PaifuImport,
    Pairing,
    Parlour,
    ParlourTable,
    Payment,
    Picture,
    Prepared,
    Ranking,
    RankingRevision,
    RefereeCall,
    ResultSheet,
    Role,
    SeatingSearch,
    Series,
    SeriesRevision,
    Session,
    SheetApproval,
    Sitting,
    SittingAmount,
    SittingSeat,
    SlipPhoto,
    Statement,
    StatementLine,
    TableEvent,
    TableLink,
    Tally,
    TeamLink,
    TeamMember,
    Term,
    TillClose,
    WaitingGuest,
    WebhookDelivery,
    WebhookSubscription,
)
from league.models.ranking import EventResult
from league.selectors.access.actors import Capability
from league.selectors.parlour.till import till_of
from league.services.access.invitations import invite
from league.services.access.tokens import TokenPlan, make_token
from league.services.results.rulings import adjust_points, override_slot, rule_on_tie
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from league.services.standings.publishing import publish_standings
from tests import factories

pytestmark = pytest.mark.django_db
ADDED_BY_SERVICES = {
    "competition", "session", "tablesession", "player", "ranking", "rulesetrevision", "webhooksubscription",
}  # fmt: skip
OF_RANKINGS = {Ranking, RankingRevision, EventListed, EventResult}
"""Rows that belong to no competition, for those with the right to rankings."""
ELSEWHERE = {
    Announcement, Extra, Forecast, FormatDraft, FormatDraftState, FormerSlug, GuestTerms, HanchanSeat, Heartbeat,
    HouseTariff, IdempotencyKey, ImportedPaifu, OnlineAccount, Paifu, PaifuImport,
    Pairing, Parlour, ParlourTable, Picture, Prepared, RefereeCall,
    SeatingSearch, SheetApproval, Series, SeriesRevision, Term, MoveDecision, OpeningBalance, NextRoster,
    SittingAmount, SittingSeat, SlipPhoto, StatementLine, TableLink,
    TeamLink,
}  # fmt: skip
"""The service's internal tables, rows shown on the page of their parent, and those of the parlour's own pages."""
LEAGUE = [model for model in apps.get_app_config("league").get_models() if model not in ELSEWHERE]


@pytest.fixture(scope="module")
def with_every_row(shared_rows: None) -> Competition:
    """Create a league with at least one row of every model."""
    competition = factories.league()
    block = competition.blocks.get(key="A")
    table = factories.table(block)
    hanchan = table.hanchan.get(round=1)
    factories.play(hanchan)
    publish_standings(competition.pk)
    people = factories.in_block(block)
    rule_on_tie(competition=competition, scope="A", order=people[4:8], by=factories.SYSTEM, reason="By lot")
    adjust_points(block=block, entrant=people[0], points=-200, by=factories.SYSTEM, reason="Late")
    slot = competition.blocks.get(key="final").slots.get(number=1)
    override_slot(slot=slot, source="A#6", by=factories.SYSTEM, reason="Ill")
    Closing.objects.create(block=block, reason="The venue closed", made_n=1, ended_n=1)
    Draw.objects.create(stage=block.stage, result={}, reason="Drawn", made_n=1, ended_n=1)
    of_round = {"block": block, "entrant": people[0], "number": 2, "kind": Credit.Kind.NO_SHOW, "points": -300}
    Credit.objects.create(reason="Not there", made_n=1, ended_n=1, **of_round)
    Departure.objects.create(entrant=people[0], kind="withdrawn", reason="Ill", made_n=1, ended_n=1)
    TableEvent.objects.create(hanchan=hanchan, sequence=1, client_id="1", kind="start")
    publish_standings(competition.pk)
    sitting = Sitting.objects.create(table_session=table)
    SittingSeat.objects.create(sitting=sitting, seat=0, entrant=people[0])
    webhook = WebhookSubscription.objects.create(competition=competition, url="https://example.org/hook")
    WebhookDelivery.objects.create(subscription=webhook, message_id="m1", event="ping", body="{}")
    invite(competition=competition, by=factories.SYSTEM, email="hana@example.org", role=Role.SCORER, language="en")
    maker = factories.actor(factories.user("maker", Role.DIRECTOR, competition))
    for_overlay = TokenPlan(
        label="overlay", scopes=[Capability.READ], competition=competition, expires_in=dt.timedelta(days=1)
    )
    make_token(plan=for_overlay, by=maker)
    SittingAmount.objects.create(sitting=sitting, entrant=people[0], ledger="chips", amount=3, made_n=1)
    WaitingGuest.objects.create(competition=competition, player=people[0].player)
    DayClose.objects.create(competition=competition, day=dt.date(2026, 11, 20), sheet={}, made_n=1)
    competition.parlour = Parlour.objects.create(slug="house", name="灯火")
    competition.save(update_fields=["parlour"])
    of_guest = {"parlour": competition.parlour, "player": people[0].player, "day": dt.date(2026, 11, 20), "money": 400}
    Payment.objects.create(statement=Statement.objects.create(number=1, **of_guest), **of_guest)
    till = till_of(competition.parlour, dt.date(2026, 11, 20)).as_json()
    TillClose.objects.create(parlour=competition.parlour, day=dt.date(2026, 11, 20), till=till)
    Tally.objects.create(
        block=block, entrant=people[0], period="all", since=dt.date(1970, 1, 1), games=1, points=512, best_score=41200,
        audience="staff", computed_version=1,
    )  # fmt: skip
    factories.user("member", role=Role.READER, competition=competition)
    of_team = {"entrant": people[0], "player": people[1].player, "reason": "", "made_n": 1}
    TeamMember.objects.create(**of_team)
    LineUp.objects.create(hanchan=hanchan, **of_team)
    ranking = create_ranking(slug="p1", name="P1", source="mers", by=factories.SYSTEM)
    facts = EventFacts(day=dt.date(2026, 11, 20))
    event = list_event(ranking=ranking, competition=competition, facts=facts, by=factories.SYSTEM)
    EventResult.objects.create(event=event, player=people[0].player, place=1, players=1)
    return competition


@pytest.fixture
def season(with_every_row: Competition) -> Competition:
    return Competition.objects.get(pk=with_every_row.pk)


def address(model: type[Model], page: str, *args: Any) -> str:
    """Return the URL of a model's page in the admin."""
    return reverse(f"admin:league_{model._meta.model_name}_{page}", args=args)


def some(model: type[Model]) -> Model:
    """Return any row of the model."""
    row = model._default_manager.first()
    assert row is not None, f"the season has no {model.__name__}"
    return row


def test_every_model_of_the_league_is_registered_in_the_admin() -> None:
    assert set(LEAGUE) <= set(admin.site._registry)


@pytest.mark.both_databases
def test_every_list_and_every_change_page_can_be_opened(chief: Client, season: Competition) -> None:
    for model in LEAGUE:
        listed = chief.get(address(model, "changelist"))
        assert listed.status_code == 200
        # Formats are shown as cards with their ladders instead of a list of rows.
        shown = listed.context["ready"] if model is FormatRevision else listed.context["cl"].result_list
        assert len(shown) > 0, model
        assert chief.get(address(model, "changelist"), {"q": "P1"}).status_code == 200
        assert chief.get(address(model, "change", some(model).pk)).status_code == 200


def test_no_row_can_be_changed_deleted_or_added_directly(chief: Client, season: Competition) -> None:
    for model in LEAGUE:
        row = some(model)
        before = model._default_manager.filter(pk=row.pk).values().get()
        assert chief.post(address(model, "change", row.pk), {"reason": "x", "name": "x"}).status_code == 403
        assert chief.get(address(model, "delete", row.pk)).status_code == 403
        assert chief.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
        if model._meta.model_name not in ADDED_BY_SERVICES:
            assert chief.get(address(model, "add")).status_code == 403
            assert chief.post(address(model, "add"), {}).status_code == 403
        assert model._default_manager.filter(pk=row.pk).values().get() == before


def test_nothing_is_deleted_in_bulk(chief: Client, season: Competition) -> None:
    for model in LEAGUE:
        count = model._default_manager.count()
        chief.post(
            address(model, "changelist"),
            {"action": "delete_selected", "_selected_action": [some(model).pk], "post": "yes"},
        )
        assert model._default_manager.count() == count, model


def test_no_list_of_the_league_offers_an_action(season: Competition) -> None:
    request = RequestFactory().get("/admin/")
    request.user = User.objects.create_superuser("root")
    for model in LEAGUE:
        assert admin.site._registry[model].get_actions(request) == {}


@pytest.mark.both_databases
def test_staff_of_another_competition_see_no_row_of_the_season(client: Client, season: Competition) -> None:
    other = factories.final_table("elsewhere")
    client.force_login(factories.user(role=Role.DIRECTOR, competition=other, is_staff=True))
    for model in LEAGUE:
        desk = admin.site._registry[model]
        assert isinstance(desk, LeagueModelAdmin)
        listed = client.get(address(model, "changelist"))
        assert listed.status_code == (403 if model in OF_RANKINGS else 200)
        if not desk.competition_path:
            continue
        shown = listed.context["cl"].queryset
        assert not shown.filter(**{desk.competition_path: season.pk}).exists()
        mine = model._default_manager.filter(**{desk.competition_path: season.pk})[0]
        assert client.get(address(model, "change", mine.pk)).status_code == 302


def test_staff_without_a_role_get_403(client: Client, season: Competition) -> None:
    client.force_login(factories.user(is_staff=True))
    for model in LEAGUE:
        assert client.get(address(model, "changelist")).status_code == 403


def test_players_and_visitors_are_redirected_to_the_login(client: Client, season: Competition) -> None:
    client.force_login(factories.user(role=Role.DIRECTOR, competition=season))
    assert client.get("/admin/").status_code == 302
    client.logout()
    assert client.get(address(ResultSheet, "changelist"))["Location"].startswith("/admin/login/")


def test_a_reader_may_read_and_gets_no_links_to_actions(client: Client, season: Competition) -> None:
    client.force_login(factories.user(role=Role.READER, competition=season, is_staff=True))
    groups = client.get(address(Competition, "change", season.pk)).context["desk_links"]
    links = [link for _heading, links in groups for link in links]
    assert not any("enter" in link.url or "seed" in link.url or "close" in link.url for link in links)
    for name in ("edit", "publish", "close", "withhold", "enter", "rules", "rule"):
        assert client.get(f"{address(Competition, name, season.pk)}?scope=A&entrant=1").status_code in {403, 404}
    assert client.get(address(Competition, "add")).status_code == 403


def test_a_director_manages_the_staff_of_their_own_competition_only(client: Client, season: Competition) -> None:
    other = factories.final_table("elsewhere")
    director = factories.user(role=Role.DIRECTOR, competition=season, is_staff=True)
    helper = factories.user("helper")
    client.force_login(director)
    add = {"action": "add", "user": helper.username, "role": "scorer"}
    assert client.post(address(Membership, "staff", other.pk), add).status_code == 404
    assert client.post(address(Membership, "staff", season.pk), add).status_code == 302
    assert Membership.objects.get(user=helper).competition == season


@pytest.mark.both_databases
def test_the_history_page_lists_the_changes_of_the_competition(chief: Client, season: Competition) -> None:
    response = chief.get(address(Competition, "history", season.pk), follow=True)
    kinds = {change.kind for change in response.context["cl"].queryset}
    assert "competition.created" in kinds
    assert all(change.subject_type == "competition" for change in response.context["cl"].queryset)


@pytest.mark.both_databases
def test_decisions_show_the_players_and_the_amounts(chief: Client, season: Competition) -> None:
    assert "-20.0" in chief.get(address(Adjustment, "changelist")).content.decode()
    ruling = chief.get(address(apps.get_model("league", "Ruling"), "changelist")).context["cl"].queryset[0]
    assert "Player A5 &gt; Player A6" in chief.get(address(type(ruling), "change", ruling.pk)).content.decode()
    assert "6th of Block A" in chief.get(address(Override, "changelist")).content.decode()


def queries(client: Client, page: str) -> int:
    """Count the queries of a page."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(page).status_code == 200
    return len(captured)


def test_the_number_of_queries_of_a_list_does_not_grow_with_its_rows(chief: Client, season: Competition) -> None:
    pages = ["/admin/", "/admin/league/resultsheet/queue/", *(address(model, "changelist") for model in LEAGUE)]
    before = {page: queries(chief, page) for page in pages}
    block = season.blocks.get(key="B")
    people = factories.in_block(block)
    for company in (people[:4], people[4:]):
        table = factories.table(block, company)
        for place, hanchan in enumerate(table.hanchan.order_by("round")):
            factories.play(hanchan, (40000 + 100 * place, 30000, 20000, 10000 - 100 * place))
    for entrant in people[:3]:
        adjust_points(block=block, entrant=entrant, points=10, by=factories.SYSTEM, reason="Late")
    for number in (2, 3):
        of_guest = {"parlour": season.parlour, "player": people[0].player, "day": dt.date(2026, 11, 20), "money": 400}
        Payment.objects.create(statement=Statement.objects.create(number=number, **of_guest), **of_guest)
        Session.objects.create(competition=season, number=90 + number, day=dt.date(2026, 11, number))
    publish_standings(season.pk)
    after = {page: queries(chief, page) for page in pages}
    assert {page: count - before[page] for page, count in after.items() if count > before[page]} == {}


def test_the_lists_are_grouped_by_an_organizers_tasks(chief: Client, season: Competition) -> None:
    groups = [group["name"] for group in chief.get("/admin/").context["app_list"]]
    assert [str(name) for name in groups[:5]] == ["Season", "Across competitions", "Match days", "Results", "Decisions"]
    assert chief.get("/admin/league/").status_code == 200


@pytest.mark.both_databases
def test_the_list_of_entrants_can_be_filtered_by_player(chief: Client, season: Competition) -> None:
    entrant = Entrant.objects.all()[0]
    listed = chief.get(address(Entrant, "changelist"), {"player__id__exact": entrant.player_id})
    assert listed.context["cl"].result_count == 1


def test_the_history_of_a_sheet_shows_the_changes_of_its_hanchan(chief: Client, season: Competition) -> None:
    response = chief.get(address(ResultSheet, "history", some(ResultSheet).pk), follow=True)
    assert [change.kind for change in response.context["cl"].queryset] == ["result.confirmed"]
    assert chief.get(address(ResultSheet, "history", 99999)).status_code == 404
