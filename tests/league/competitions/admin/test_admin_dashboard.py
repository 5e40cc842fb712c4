"""Tests of a competition's page in the admin: the main action by state, its sections, and the session to run next."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Competition, Hanchan, HanchanSeat, Role, TableSession
from league.selectors.competitions.seating.plans import awaits_seats
from league.selectors.operations.pending_tasks import blocks_left_open
from league.services.competitions.setup import set_status
from league.services.results.rulings import close_block, override_slot
from league.services.standings.publishing import publish_standings
from tests.factories import DESK_ROLES, SCORES, SYSTEM, final_table, league, play, play_all, session_on, table, user
from tests.league.misseated import misseated_final
from tests.league.paired_league import tournament

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
RESULTS = (SCORES, (30100, 41200, 18700, 10000), (18700, 30100, 41200, 10000), (10000, 30100, 18700, 41200))


def page(client: Client, competition: Competition) -> str:
    """Return the competition's page."""
    response = client.get(f"/admin/league/competition/{competition.pk}/change/")
    assert response.status_code == 200
    return response.content.decode()


def test_a_draft_leads_on_to_its_next_step_from_its_page_and_from_the_start_page(chief: Client) -> None:
    season = league("spring")
    Competition.objects.filter(pk=season.pk).update(status=Competition.Status.DRAFT)
    step = f"/admin/league/competition/{season.pk}/set-up-schedule/"
    assert f'<a class="button main" href="{step}">Continue the set-up: Schedule</a>' in page(chief, season)
    start = chief.get("/admin/").content.decode()
    assert step in start
    assert "Nothing to do" not in start


@pytest.mark.both_databases
def test_match_night_of_todays_session_is_one_click_away(chief: Client) -> None:
    season = final_table()
    today = table(season.blocks.get(), starts_at=timezone.now()).session
    session_on(season, timezone.now() + 7 * DAY, 4)
    night = f"/admin/league/session/{today.pk}/night/"
    shown = page(chief, season)
    assert f'<a class="button main" href="{night}">Enter results: Session 1</a>' in shown
    assert f"/admin/league/session/{today.pk}/slips/" in shown
    assert "Player final1, Player final2, Player final3, Player final4" in shown
    japanese = chief.get(f"/admin/league/competition/{season.pk}/change/", headers={"accept-language": "ja"})
    assert "final1・final2・final3・final4" in japanese.content.decode()
    assert night in chief.get("/admin/").content.decode()


def test_nothing_is_called_done_while_a_session_of_today_lacks_results(chief: Client) -> None:
    season = final_table()
    today = table(season.blocks.get(), starts_at=timezone.localtime().replace(hour=23, minute=59))
    play(today.hanchan.get(round=1))
    publish_standings(season.pk)
    for address in ("/admin/", f"/admin/league/competition/{season.pk}/change/"):
        shown = chief.get(address).content.decode()
        assert "1 / 4" in shown
        assert "nothing awaits a decision" not in shown
    for hanchan, scores in zip(today.hanchan.filter(round__gt=1).order_by("round"), RESULTS[1:], strict=True):
        play(hanchan, scores)
    publish_standings(season.pk)
    assert "nothing awaits a decision" in chief.get("/admin/").content.decode()


@pytest.mark.both_databases
def test_a_block_without_a_hanchan_left_to_play_asks_for_further_tables_or_to_be_closed(chief: Client) -> None:
    season = final_table()
    block = season.blocks.get()
    play(table(block, numbers=(1,)).hanchan.get())
    assert blocks_left_open(Competition.objects.all()) == []
    publish_standings(season.pk)
    asked, adding = f"/admin/league/block/{block.pk}/close/", f"/admin/league/tablesession/add/?block={block.pk}"
    for address in ("/admin/", f"/admin/league/competition/{season.pk}/change/"):
        shown = chief.get(address).content.decode()
        assert "No more hanchan scheduled" in shown
        assert "nothing awaits a decision" not in shown
        assert asked in shown
        assert adding in shown
        assert chief.get(asked).status_code == chief.get(adding).status_code == 200
    rest = table(block, numbers=(2, 3, 4))
    assert "No more hanchan scheduled" not in page(chief, season)
    TableSession.objects.filter(pk=rest.pk).update(is_cancelled=True)
    assert blocks_left_open(Competition.objects.all()) == [block]
    close_block(block=block, reason="late", by=SYSTEM)
    publish_standings(season.pk)
    assert "No more hanchan scheduled" not in page(chief, season)


@pytest.mark.both_databases
def test_a_table_with_a_player_who_has_lost_the_place_asks_for_another_draw(chief: Client) -> None:
    session, _players = misseated_final()
    for address in ("/admin/", f"/admin/league/competition/{session.competition_id}/change/"):
        shown = chief.get(address).content.decode()
        assert "Seats to draw again" in shown
        assert f"/admin/league/session/{session.pk}/draw-seats/" in shown
        assert "nothing awaits a decision" not in shown
    draws = f"/admin/league/session/{session.pk}/draw-seats/"
    form = chief.get(draws).context["form"]
    chief.post(draws, {**form.initial, "seed": "again"})
    assert not chief.get(draws).context["form"].initial["redraws"]
    assert "Seats to draw again" not in page(chief, session.competition)


def test_the_page_of_seats_names_the_player_who_has_lost_the_place_until_another_one_is_seated(chief: Client) -> None:
    session, players = misseated_final()
    hanchan = Hanchan.objects.get(table_session__session=session)
    seated = [seat.entrant for seat in hanchan.seats.order_by("seat")]
    place, out = next((place, who) for place, who in enumerate(seated) if who not in players)
    address = f"/admin/league/hanchan/{hanchan.pk}/seats/"
    seats = {f"seat_{each}": who.pk for each, who in enumerate(seated)}
    assert f'<option value="{out.pk}" selected>' in chief.get(address).content.decode()
    new = next(who for who in players if who not in seated)
    chief.post(address, {**seats, f"seat_{place}": new.pk})
    assert {seat.entrant for seat in hanchan.seats.all()} == set(players)


@pytest.mark.both_databases
def test_a_player_who_holds_two_places_of_a_stage_asks_for_another_one(chief: Client) -> None:
    session, players = misseated_final()
    slots = list(session.competition.blocks.get(key="final").slots.order_by("number"))
    override_slot(slot=slots[1], source="ruling", entrant=players[0], reason="Typed by mistake.", by=SYSTEM)
    publish_standings(session.competition_id)
    shown = page(chief, session.competition)
    for slot in slots[:2]:
        assert f"{slot}: " in shown
        assert f"/admin/league/slot/{slot.pk}/override/" in shown
    assert f"/admin/league/slot/{slots[2].pk}/override/" not in shown
    override_slot(slot=slots[1], source=slots[1].source, reason="As it was.", by=SYSTEM)
    publish_standings(session.competition_id)
    assert "already has a place here" not in page(chief, session.competition)


def test_closing_the_last_block_shows_the_champion_whom_it_decides(chief: Client) -> None:
    season = final_table()
    play(table(season.blocks.get(), numbers=(1,)).hanchan.get())
    shown = chief.get(f"/admin/league/block/{season.blocks.get().pk}/close/").content.decode()
    assert '<th scope="row">Champion</th><td>open</td><td class="moved">Player final1</td>' in shown
    assert "No total, no rank and no place changes." not in shown


def test_a_finished_competition_offers_to_be_closed_and_names_its_champion(chief: Client) -> None:
    season = final_table()
    play_all(table(season.blocks.get(), starts_at=timezone.now() - 2 * DAY), *RESULTS)
    publish_standings(season.pk)
    shown = page(chief, season)
    assert "Champion: Player final2" in shown
    close = f"/admin/league/competition/{season.pk}/close/"
    assert f'<a class="button main" href="{close}">' in shown
    assert f"/c/{season.slug}/sessions/1/" in shown
    set_status(competition=season, status=Competition.Status.CLOSED, by=SYSTEM)
    shown = page(chief, season)
    assert "before=" in shown
    assert "Next season..." in shown
    assert "Open again..." in shown


def test_each_role_gets_the_main_action_that_it_may_do() -> None:
    season = final_table()
    table(season.blocks.get(), starts_at=timezone.now())
    seen = {}
    for role in DESK_ROLES:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user(role=role, competition=season, is_staff=True))
        seen[role] = page(client, season)
    assert {role for role in DESK_ROLES if "Enter results: " in seen[role]} == {Role.SCORER, Role.DIRECTOR}
    assert {role for role in DESK_ROLES if "/edit/" in seen[role]} == {Role.DIRECTOR}


def test_everything_of_a_competition_is_linked_from_its_page(chief: Client) -> None:
    season = final_table()
    table(season.blocks.get(), starts_at=timezone.now() + DAY)
    shown = page(chief, season)
    for name in ("data", "enter", "rules", "edit", "close", "withhold"):
        assert f"/admin/league/competition/{season.pk}/{name}/" in shown
    for model in ("tablesession", "session", "entrant", "standing", "resultsheet", "ruling", "adjustment", "stage",
                  "block", "slot", "rulesinforce", "webhooksubscription"):  # fmt: skip
        assert f"/admin/league/{model}/?" in shown
    for address in (
        f"/admin/league/membership/of/{season.pk}/",
        f"/admin/league/session/add/?competition={season.pk}",
        f"/admin/league/tablesession/add/?competition={season.pk}",
        f"/admin/league/block/{season.blocks.get().pk}/seed/",
        f"/admin/league/competition/{season.pk}/history/",
        f"/c/{season.slug}/",
    ):
        assert address in shown


def test_the_page_needs_as_many_queries_for_four_sessions_as_for_two(chief: Client) -> None:
    season = final_table()

    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(chief, season)
        return len(asked)

    session_on(season, timezone.now() - DAY, 1)
    session_on(season, timezone.now(), 2)
    cost()
    first = cost()
    session_on(season, timezone.now() + DAY, 3)
    session_on(season, None, 4)
    assert cost() == first <= 44


@pytest.mark.both_databases
def test_lists_and_choices_of_sessions_show_their_days_and_progress(chief: Client) -> None:
    season = final_table()
    made = table(season.blocks.get(), starts_at=dt.datetime(2026, 3, 4, 3, 0, tzinfo=dt.UTC))
    play(made.hanchan.get(round=1))
    session_on(season, None, 4)
    listed = chief.get("/admin/league/session/").content.decode()
    for text in ("Wed 4 Mar 2026", "1 / 4", "no date yet", f"/admin/league/session/{made.session_id}/night/"):
        assert text in listed
    chosen = "Session 1 · Wed 4 Mar 2026"
    assert chosen in chief.get(f"/admin/league/tablesession/?competition__id__exact={season.pk}").content.decode()
    assert chosen in chief.get(f"/admin/league/tablesession/add/?block={made.block_id}").content.decode()
    assert "Wed 4 Mar 2026" in chief.get("/admin/search/?q=Session").content.decode()


@pytest.mark.both_databases
def test_the_list_of_standings_shows_each_player_once(chief: Client) -> None:
    season = final_table()
    play(table(season.blocks.get()).hanchan.get(round=1))
    publish_standings(season.pk)
    seen = [chief.get(f"/admin/league/standing/{query}").context["cl"].queryset for query in ("", "?audience=public")]
    assert [rows.count() for rows in seen] == [4, 4]
    assert [set(rows.values_list("audience", flat=True)) for rows in seen] == [{"staff"}, {"public"}]


def test_the_players_of_a_later_round_are_named_where_each_round_is_seated_by_itself(chief: Client) -> None:
    season = final_table()
    begun = timezone.now() - dt.timedelta(hours=2)
    table(season.blocks.get(), numbers=(1,), starts_at=begun)
    second = table(season.blocks.get(), numbers=(2,), starts_at=begun)
    assert second.hanchan.get().round == 2
    names = "Player final1, Player final2, Player final3, Player final4"
    shown = page(chief, season)
    assert "no players seated yet" not in shown
    assert shown.count(names) == 4
    assert [people for _table, people in chief.get("/admin/").context["tables"]] == [names, names]
    assert [text in shown for text in ("Final · Hanchan 1</a>", "Final · Hanchan 2</a>")] == [True, True]


def test_rounds_that_are_paired_offer_no_draw_of_seats(chief: Client) -> None:
    by_standing = tournament(8, '{ numbers = "1", by = "plan" }, { numbers = "2-3", by = "standing" }')
    session = by_standing.competition.sessions.get(number=1)
    assert not awaits_seats(session)
    assert "Draw the seats" not in page(chief, by_standing.competition)
    HanchanSeat.objects.filter(hanchan__number=1).delete()
    assert awaits_seats(session)
    assert "Draw the seats" in page(chief, by_standing.competition)


def test_lists_link_only_to_pages_that_the_user_may_open() -> None:
    season = final_table()
    one = table(season.blocks.get())
    for role in DESK_ROLES:
        client = Client(headers={"accept-language": "en"})
        client.force_login(user(role=role, competition=season, is_staff=True))
        tables = client.get("/admin/league/tablesession/").content.decode()
        assert "0 / 4" in tables
        entry, archive = f"/admin/league/tablesession/{one.pk}/entry/", "/admin/league/competition/archive/"
        assert (entry in tables) == (client.get(entry).status_code == 200), role
        listed = client.get("/admin/league/competition/").content.decode()
        assert (archive in listed) == (client.get(archive).status_code == 200), role
