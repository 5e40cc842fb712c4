"""Tests of ruleset features at the counter: a game-ending yakuman, chonbo, no chips, changed options; and guests."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.test import Client

from league.models import Competition, Entrant, Player, ResultSheet, Role, RulesetRevision, Sitting, WaitingGuest
from league.platform.errors import ConflictError, RuleViolationError
from league.selectors.live.table_options import option_findings
from league.selectors.parlour.board import business_day, running
from league.selectors.parlour.days import day_sheet
from league.selectors.parlour.dues import due_of
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.competitions.setup import set_status
from league.services.parlour.games import correct_last_game
from league.services.parlour.people import add_waiting, merge_players
from league.services.parlour.sittings import Guest, SittingPlan, close_sitting, join, leave, open_sitting, set_stand_in
from league.services.parlour.statements import settle
from league.services.results.entry import SheetEntry
from league.services.rulebooks.revisions import RulesChoice, keep_format, keep_ruleset, put_rules_in_force
from rulesets import loader
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.forms import forms_of
from tests.league import parlours
from tests.league.parlours import house

pytestmark = pytest.mark.django_db


def clerk_of(competition: Competition) -> Client:
    """Return an English client of a scorer at the counter."""
    client = Client(headers={"accept-language": "en"})
    client.force_login(factories.user(f"clerk-{competition.slug}", Role.SCORER, competition))
    return client


def typed(table: Sitting, *scores: str, **more: Any) -> dict[str, Any]:
    """Return the form fields of the next game."""
    now = running(table)
    return {
        "round": now.next_round,
        "dealer": "" if now.next_dealer is None else now.next_dealer,
        **{f"score_{chair}": score for chair, score in enumerate(scores)},
        **more,
    }


def send(client: Client, table: Sitting, **fields: Any) -> str:
    """Submit a game and return the resulting page."""
    path = f"/p/{table.table_session.competition.slug}/sittings/{table.pk}/"
    return html.unescape(client.post(path, fields, follow=True).content.decode())


def test_a_game_ending_yakuman_is_recorded_with_its_winner() -> None:
    parlour = parlours.parlour("boo", options={"yakuman": "instant_a_top"})
    table, client = parlours.sitting(parlour, parlours.guests(parlour, 4)), clerk_of(parlour)
    page = send(client, table, **typed(table, "120", "300", "280", "100", forced_top="2"))
    assert "Game 1 is in." in page
    sheet = ResultSheet.objects.get()
    assert sheet.facts["forced_top"] == 2
    assert [row.points for row in sheet.seats.order_by("seat")] == [-1, -1, 3, -1]
    assert running(table).next_dealer == 2
    page = html.unescape(client.get(f"/p/boo/sittings/{table.pk}/?correct=1").content.decode())
    assert "A yakuman ended the game: won by" in page


def test_a_ruleset_without_chips_has_no_chips_field() -> None:
    parlour = parlours.parlour("boo")
    client = clerk_of(parlour)
    page = html.unescape(client.get("/p/boo/board/open/").content.decode())
    assert "Chips are counted" not in page
    client.post("/p/boo/board/open/", {"table": "1", "kind": "free"})
    assert Sitting.objects.get().chips == Sitting.Chips.NONE
    answer = client.post("/p/boo/board/open/", {"table": "1", "kind": "free"})
    assert "Table 1 is open already." in html.unescape(answer.content.decode())


def test_a_guest_seated_at_another_table_is_rejected_at_the_chair() -> None:
    parlour = parlours.parlour("boo")
    guest = parlours.guests(parlour, 1)[0]
    parlours.sitting(parlour, [guest])
    answer = clerk_of(parlour).post(
        "/p/boo/board/open/", {"table": "2", "kind": "free", "guest_1": "湯川", "player_1": guest.player.pk}
    )
    assert "sits at table 1 already" in html.unescape(answer.content.decode())


def test_a_guest_chosen_twice_is_reported_at_the_second_chair() -> None:
    parlour = parlours.parlour("boo")
    key = parlours.guests(parlour, 1)[0].player.pk
    chosen = {"guest_1": "湯川", "player_1": key, "guest_3": "", "player_3": key}
    answer = clerk_of(parlour).post("/p/boo/board/open/", {"table": "2", "kind": "free", **chosen})
    assert answer.status_code == 422
    assert [chair.number for chair in answer.context["form"].chairs() if chair.errors] == [3]


def test_chonbo_are_recorded_if_the_ruleset_settles_them() -> None:
    parlour = parlours.parlour("cinderella")
    table, client = parlours.sitting(parlour, parlours.guests(parlour, 4)), clerk_of(parlour)
    assert "is not a number" in send(client, table, **typed(table, "412", "301", "187", "100", chonbo_1="x"))
    assert "Game 1 is in." in send(client, table, **typed(table, "402", "301", "187", "100", chonbo_1="1", sticks="1"))
    assert ResultSheet.objects.get().seats.get(seat=1).chonbo == 1
    assert "is not a number" in send(client, table, **typed(table, "412", "301", "187", "100", sticks="-1"))


def test_a_table_with_options_unknown_to_the_new_rules_accepts_no_game() -> None:
    parlour = parlours.parlour("superbingo")
    table = parlours.sitting(parlour, parlours.guests(parlour), options={"dx": True})
    text = loader.text_of("superbingo").replace("[options.dx", "[options.deluxe")
    revision = RulesetRevision.objects.create(name="superbingo", number=9, text=text, sha256="0" * 64)
    choice = RulesChoice(ruleset=revision, league_format=keep_format("open-play"))
    put_rules_in_force(competition=parlour, choice=choice, by=SYSTEM)
    assert running(table).rules.players == 3
    with pytest.raises(RuleViolationError) as refused:
        parlours.play(table)
    assert [finding.pointer for finding in refused.value.findings] == ["/options/dx"]
    client = clerk_of(parlour)
    said = client.post(
        f"/p/superbingo/sittings/{table.pk}/preview/", typed(table, "45", "30", "15", option_chip_tiles="p=1 s=1")
    ).json()
    assert [finding["code"] for finding in said["findings"]] == ["option_unknown"]


@pytest.mark.parametrize("has_chips", [True, False])
def test_a_correction_has_the_fields_of_its_own_game_after_the_house_options_changed(has_chips: bool) -> None:
    parlour = parlours.parlour("boo", options={"ura_chips": has_chips, "yakuman": "instant_a_top"})
    table, chips = parlours.sitting(parlour, parlours.guests(parlour, 4)), (3, -1, -2, 0)
    carried = {"chips": chips} if has_chips else {}
    parlours.play(table, (3000, 2100, 1900, 1000), first_dealer=0, forced_top=1, carried=carried)
    choice = RulesChoice(
        ruleset=rules_at(parlour).ruleset,
        league_format=keep_format("open-play"),
        options={"ura_chips": not has_chips},
    )
    put_rules_in_force(competition=parlour, choice=choice, by=SYSTEM)
    client, path = clerk_of(parlour), f"/p/boo/sittings/{table.pk}/"
    page = client.get(f"{path}?correct=1").content.decode()
    form = next(each for each in forms_of(path, page) if "score_0" in each.untouched)
    assert client.post(path, {**form.untouched, "score_0": "310", "score_1": "200"}).status_code == 302
    sheet = ResultSheet.objects.counting().get()
    assert (sheet.revision, sheet.facts["forced_top"]) == (2, 1)
    assert tuple(sheet.facts["carried"].get("chips", ())) == (chips if has_chips else ())


@pytest.mark.parametrize("has_tariff", [True, False])
def test_games_from_before_another_rule_book_keep_their_ledgers_fees_and_what_was_settled(*, has_tariff: bool) -> None:
    parlour = parlours.parlour("banchi3")
    people = parlours.guests(parlour)
    table, client, home, day = (
        parlours.sitting(parlour, people),
        clerk_of(parlour),
        house(parlour),
        business_day(parlour),
    )
    if has_tariff:
        parlours.tariff(home, per_game=500)
    parlours.play(table)
    settle(parlour=home, player=people[0].player, by=SYSTEM)
    close_sitting(sitting=table, by=SYSTEM)
    before = day_sheet(parlour, day)
    other = RulesChoice(ruleset=keep_ruleset("kansai3"), league_format=keep_format("open-play"))
    put_rules_in_force(competition=parlour, choice=other, by=SYSTEM)
    assert due_of(home, people[0].player).lines == ()
    assert day_sheet(parlour, day).as_json() == before.as_json()
    slip = client.get(f"/p/banchi3/guests/{people[1].player_id}/settle/").context["slip"]
    assert [game.points for game in slip.games] == ["-800"]
    page = client.get(f"/p/banchi3/days/{day}/").content.decode()
    assert "-800" in page
    assert "<th>g</th>" not in page


def test_options_that_contradict_each_other_are_rejected() -> None:
    parlour = parlours.parlour("banchi4")
    text = loader.text_of("banchi4").replace('scope = "competition"', 'scope = "table"')
    rules = rules_at(parlour)
    rules.ruleset = RulesetRevision.objects.create(name="banchi4", number=9, text=text, sha256="0" * 64)
    assert option_findings(rules, {"start": 30000}) == ()
    findings = option_findings(rules, {"start": 30000, "return": 25000})
    assert [(finding.code, finding.pointer) for finding in findings] == [("options_impossible", "/options")]


def test_joining_leaving_and_stand_ins_are_validated_by_the_services() -> None:
    parlour, other = parlours.parlour(), parlours.parlour("kansai3")
    people, stranger = parlours.guests(parlour, 4), parlours.guests(other, 1)[0]
    table = parlours.sitting(parlour, people[:2])
    for wrong, code in ((stranger, "not_of_this_parlour"), (people[0], "sits_elsewhere")):
        with pytest.raises(RuleViolationError) as refused:
            join(sitting=table, seat=2, guest=Guest(entrant=wrong), by=SYSTEM)
        assert refused.value.findings[0].code == code
    merge_players(duplicate=people[3].player, keep=people[2].player, by=SYSTEM)
    with pytest.raises(RuleViolationError) as refused:
        join(sitting=table, seat=2, guest=Guest(entrant=Entrant.objects.get(pk=people[3].pk)), by=SYSTEM)
    assert refused.value.findings[0].code == "merged_entrant"
    seat = parlours.chair(table, 0)
    with pytest.raises(RuleViolationError):
        set_stand_in(seat=seat, player=seat.entrant.player, by=SYSTEM)
    leave(seat=seat, by=SYSTEM)
    with pytest.raises(ConflictError):
        leave(seat=seat, by=SYSTEM)


@pytest.mark.both_databases
def test_merging_two_waiting_guests_leaves_one_waiting_entry() -> None:
    parlour = parlours.parlour()
    one, kept = parlours.guests(parlour, 2)
    for each in (one, kept):
        add_waiting(competition=parlour, player=each.player, by=SYSTEM)
    merge_players(duplicate=one.player, keep=kept.player, by=SYSTEM)
    assert WaitingGuest.objects.get(gone_at=None).player == kept.player
    gone = Player.objects.get(pk=one.player_id)
    with pytest.raises(RuleViolationError):
        add_waiting(competition=parlour, player=gone, by=SYSTEM)


def test_a_correction_cannot_add_chips_counted_per_sitting() -> None:
    parlour = parlours.parlour()
    table = parlours.sitting(parlour, parlours.guests(parlour), chips=Sitting.Chips.PER_SITTING)
    entry = SheetEntry.of_sheet(parlours.play(table))
    wrong = SheetEntry(seats=entry.seats, carried={"g": (500, -500, 0)})
    with pytest.raises(RuleViolationError) as refused:
        correct_last_game(sitting=table, entry=wrong, corrects=1, by=SYSTEM, reason="x")
    assert refused.value.findings[0].pointer == "/carried/g"


def test_a_closed_competition_cannot_open_a_table() -> None:
    parlour = parlours.parlour()
    set_status(competition=parlour, status=Competition.Status.CLOSED, by=SYSTEM)
    with pytest.raises(ConflictError):
        open_sitting(competition=parlour, plan=SittingPlan(table="1"), by=SYSTEM)


def test_the_ranking_page_links_to_the_board_for_staff() -> None:
    parlour = parlours.parlour()
    page = clerk_of(parlour).get("/c/banchi3/").content.decode()
    assert "/p/banchi3/board/" in page
