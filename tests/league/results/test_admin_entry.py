"""Test the admin's entry screen: errors at their fields, kept input, and permissions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.forms.results.entry import SheetForm, typed_score
from league.models import Competition, Hanchan, Player, ResultSheet, Role, RulesetRevision, TableSession
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.competitions.setup import new_player, set_status
from league.services.results.rulings import pass_over
from league.services.rulebooks.revisions import keep
from rulesets import loader
from tests import factories
from tests.league.played_season import Season
from tests.processor import processor_seconds

pytestmark = pytest.mark.django_db
FOUR = ((41200, 30100, 18700, 10000), (30100, 41200, 18700, 10000), (1000, 99000, 0, 0), (25100, 25000, 24900, 25000))
TYPED = ("412", "301", "187", "100")
CINDERELLA = loader.load("cinderella")


@pytest.fixture(scope="module")
def seeded(shared_rows: None) -> Competition:
    """Create a league with its blocks seeded."""
    return factories.league()


@pytest.fixture
def season(seeded: Competition) -> Competition:
    return Competition.objects.get(pk=seeded.pk)


@pytest.fixture
def table(season: Competition) -> TableSession:
    """Create a table of four players of block A with four hanchan."""
    return factories.table(season.blocks.get(key="A"))


@pytest.fixture
def first(table: TableSession) -> Hanchan:
    """Return the table's first hanchan."""
    return table.hanchan.get(round=1)


def staff(client: Client, role: Role, competition: Competition) -> Client:
    """Log the client in as a staff member with a role, in English."""
    client.force_login(factories.user(role=role, competition=competition, is_staff=True))
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def scorer(client: Client, season: Competition) -> Client:
    """Return a scorer's client for the admin."""
    return staff(client, Role.SCORER, season)


@pytest.fixture
def director(client: Client, season: Competition) -> Client:
    """Return a director's client for the admin."""
    return staff(client, Role.DIRECTOR, season)


def screen(table: TableSession) -> str:
    """Return the URL of the entry screen."""
    return f"/admin/league/tablesession/{table.pk}/entry/"


def sheet(hanchan: Hanchan, scores: Sequence[str] = TYPED, **more: Any) -> dict[str, Any]:
    """Return a sheet's form data for the scheduled players, as the browser sends them."""
    prefix = f"h{hanchan.pk}-"
    people = {f"{prefix}entrant_{seat.seat}": seat.entrant_id for seat in hanchan.seats.all()}
    typed = {f"{prefix}score_{seat}": score for seat, score in enumerate(scores)}
    return {"hanchan": hanchan.pk, **people, **typed, **{prefix + name: value for name, value in more.items()}}


def form_of(response: Any, hanchan: Hanchan) -> SheetForm:
    """Return the hanchan's form from the response."""
    found = next(panel.form for panel in response.context["panels"] if panel.hanchan.pk == hanchan.pk)
    assert isinstance(found, SheetForm)
    return found


def test_a_sheet_typed_in_hundreds_counts_at_once(scorer: Client, table: TableSession, first: Hanchan) -> None:
    response = scorer.post(screen(table), sheet(first, ("412", "▲35", "４２３", "190"), sticks="1", chonbo_2="2"))
    assert response.status_code == 302
    assert response["Location"] == f"{screen(table)}?saved={first.pk}"
    counting = ResultSheet.objects.counting().get()
    assert list(counting.seats.values_list("score", "chonbo")) == [(41200, 0), (-3500, 0), (42300, 2), (19000, 0)]
    assert (counting.kyoutaku, counting.facts["are_seats_known"]) == (1000, False)
    change = table.competition.changes.first()
    assert change is not None
    assert (change.kind, change.door, bool(change.request_id)) == ("result.confirmed", "admin", True)


REFUSED: Mapping[str, tuple[dict[str, Any], str, str]] = {
    "a wrong sum": ({"score_3": "97"}, "__all__", "300 missing"),
    "a score that is no multiple of 100": ({"score_3": "10,050"}, "score_3", "10,050"),
    "a text that is no score": ({"score_3": "abc"}, "score_3", "“abc” is not a score"),
    "a score typed in points": ({"score_3": "9700"}, "score_3", "Did you mean 9,700? Then type 97"),
    "a loss typed in points": ({"score_3": "-2500"}, "score_3", "Did you mean -2,500? Then type -25"),
    "a score left out": ({"score_3": ""}, "score_3", "Enter this player's score."),
    "a player left out": ({"entrant_1": ""}, "entrant_1", "Choose the player of this seat."),
    "a chonbo that is no number": ({"chonbo_0": "x"}, "chonbo_0", "Enter how many"),
    "deposits that are no number": ({"sticks": "-1"}, "sticks", "Enter how many"),
    "an unknown substitute": ({"substitute_0": "Nobody"}, "substitute_0", "There is no player “Nobody”"),
}


ENDLESS = "\u0301\u0323" * 50_000
"""Combining marks in an order that makes normalization take quadratic time."""


def test_each_field_of_a_seat_is_labelled_with_its_seat(scorer: Client, table: TableSession, first: Hanchan) -> None:
    page = scorer.get(screen(table)).content.decode()
    for field, label in (("entrant_0", "East: player"), ("score_3", "North: score")):
        tag = page[page.index(f'name="h{first.pk}-{field}"') :].split(">")[0]
        assert f'aria-label="{label}"' in tag


def test_an_overlong_text_is_refused_fast_at_its_field(scorer: Client, table: TableSession, first: Hanchan) -> None:
    for change, says in (
        ({"substitute_0": "(" * 100_000}, "at most 200 characters (it has 100000)"),
        ({"score_0": ENDLESS}, "at most 16 characters (it has 100000)"),
        ({"score_0": "9" * 5_000}, "at most 16 characters (it has 5000)"),
        ({"sticks": ENDLESS}, "at most 4 characters (it has 100000)"),
        ({"sticks": "9" * 5_000}, "at most 4 characters (it has 5000)"),
        ({"entrant_0": ENDLESS}, "There is no player"),
    ):
        with processor_seconds(5):
            form = form_of(scorer.post(screen(table), sheet(first, **change)), first)
        (field,) = change
        assert says in " ".join(map(str, form.errors[field]))


@pytest.mark.parametrize(("change", "field", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_an_error_is_shown_at_its_field_and_the_input_is_kept(
    scorer: Client, table: TableSession, first: Hanchan, change: dict[str, str], field: str, says: str
) -> None:
    response = scorer.post(screen(table), sheet(first, **{"score_3": "100", **change}))
    form = form_of(response, first)
    assert response.status_code == 422
    assert says in " ".join(map(str, form.errors[field]))
    assert not ResultSheet.objects.exists()
    body = response.content.decode()
    assert 'value="412"' in body
    assert 'value="301"' in body


def test_a_player_entered_twice_is_refused_at_both_seats(scorer: Client, table: TableSession, first: Hanchan) -> None:
    twice = first.seats.get(seat=0).entrant_id
    response = scorer.post(screen(table), sheet(first, entrant_1=twice))
    errors = form_of(response, first).errors
    assert "entered twice" in str(errors["entrant_0"])
    assert "entered twice" in str(errors["entrant_1"])


def test_a_player_of_another_block_is_refused_at_the_seat(
    scorer: Client, season: Competition, table: TableSession, first: Hanchan
) -> None:
    stranger = factories.in_block(season.blocks.get(key="B"))[0]
    response = scorer.post(screen(table), sheet(first, entrant_2=stranger.pk))
    assert "does not play in" in str(form_of(response, first).errors["entrant_2"])


def test_an_unknown_entrant_is_refused_at_the_seat(scorer: Client, table: TableSession, first: Hanchan) -> None:
    response = scorer.post(screen(table), sheet(first, entrant_2="999999"))
    assert "entrant_2" in form_of(response, first).errors


def test_the_seat_order_is_required_if_a_tie_depends_on_it(scorer: Client, table: TableSession, first: Hanchan) -> None:
    tied = ("350", "350", "200", "90")
    response = scorer.post(screen(table), sheet(first, tied, sticks="1"))
    assert "from the first dealer" in str(form_of(response, first).errors["are_seats_known"])
    assert scorer.post(screen(table), sheet(first, tied, sticks="1", are_seats_known="on")).status_code == 302


def test_a_warning_is_accepted_by_its_code_for_these_scores_only(
    scorer: Client, table: TableSession, first: Hanchan
) -> None:
    extreme = ("1200", "-50", "-50", "-100")
    asked = form_of(scorer.post(screen(table), sheet(first, extreme)), first)
    assert [warning.code for warning in asked.warnings] == ["extreme_score"]
    ticked = {"accept": "extreme_score", "accepted_for": asked.entry_digest}
    changed = form_of(scorer.post(screen(table), sheet(first, ("1200", "-60", "-40", "-100"), **ticked)), first)
    assert [warning.code for warning in changed.warnings] == ["extreme_score"]
    assert scorer.post(screen(table), sheet(first, extreme, **ticked)).status_code == 302
    assert ResultSheet.objects.get().accepted_warnings == ["extreme_score"]


@pytest.mark.both_databases
def test_a_substitute_is_identified_by_name_or_key(scorer: Client, table: TableSession, first: Hanchan) -> None:
    helper = new_player(name="Helper", key="helper", by=factories.SYSTEM)
    entered = sheet(first, substitute_0="Helper (helper)")
    asked = form_of(scorer.post(screen(table), entered), first)
    assert [warning.code for warning in asked.warnings] == ["not_as_scheduled"]
    ticked = {f"h{first.pk}-accept": "not_as_scheduled", f"h{first.pk}-accepted_for": asked.entry_digest}
    assert scorer.post(screen(table), {**entered, **ticked}).status_code == 302
    assert ResultSheet.objects.get().seats.get(seat=0).player == helper
    new_player(name="Helper", by=factories.SYSTEM)
    second = table.hanchan.get(round=2)
    several = form_of(scorer.post(screen(table), sheet(second, substitute_0="Helper")), second)
    assert "Several players are called" in str(several.errors["substitute_0"])


def test_a_player_merged_into_another_cannot_be_a_substitute(
    scorer: Client, table: TableSession, first: Hanchan
) -> None:
    helper = new_player(name="Helper", key="helper", by=factories.SYSTEM)
    Player.objects.filter(pk=new_player(name="Helpr", by=factories.SYSTEM).pk).update(merged_into=helper)
    asked = form_of(scorer.post(screen(table), sheet(first, substitute_0="Helpr")), first)
    assert "There is no player" in str(asked.errors["substitute_0"])


def test_a_game_can_be_entered_as_ended_by_time(scorer: Client, table: TableSession, first: Hanchan) -> None:
    scorer.post(screen(table), sheet(first, ended_by_time="on"))
    first.refresh_from_db()
    assert first.state == Hanchan.State.ENDED_BY_TIME


def test_a_sheet_sent_twice_is_saved_once_without_an_error(scorer: Client, table: TableSession, first: Hanchan) -> None:
    scorer.post(screen(table), sheet(first))
    response = scorer.post(screen(table), sheet(first), follow=True)
    assert "was in already, exactly as you typed it" in response.content.decode()
    assert ResultSheet.objects.count() == 1


def test_a_result_confirmed_meanwhile_is_shown_beside_the_input(
    director: Client, table: TableSession, first: Hanchan
) -> None:
    factories.play(first, (10000, 20000, 30000, 40000))
    response = director.post(screen(table), sheet(first))
    form = form_of(response, first)
    assert "already has a confirmed result (revision 1)" in str(form.non_field_errors())
    assert form.corrects == 1
    body = response.content.decode()
    assert "What counts now" in body
    assert "30,000" in body
    assert 'value="412"' in body
    again = director.post(screen(table), sheet(first, corrects="1", reason="The slip says otherwise"))
    assert again.status_code == 302
    assert ResultSheet.objects.counting().get().revision == 2


def test_a_correction_of_an_outdated_revision_is_a_conflict(
    director: Client, table: TableSession, first: Hanchan
) -> None:
    factories.play(first)
    factories.play(first, (30100, 41200, 18700, 10000), corrects=1, reason="Swapped")
    response = director.post(screen(table), sheet(first, ("400", "313", "187", "100"), corrects="1", reason="Mine"))
    form = form_of(response, first)
    assert "Revision 2 counts now, not revision 1" in str(form.non_field_errors())
    assert form.corrects == 2


def test_a_correction_of_a_missing_result_becomes_a_first_entry(
    director: Client, table: TableSession, first: Hanchan
) -> None:
    response = director.post(screen(table), sheet(first, corrects="1", reason="Late"))
    form = form_of(response, first)
    assert "no confirmed result to correct any more" in str(form.non_field_errors())
    assert form.corrects is None


def test_a_correction_starts_from_the_current_result_and_needs_a_reason(
    director: Client, table: TableSession, first: Hanchan
) -> None:
    factories.play(first, (40200, 30100, 18700, 10000), kyoutaku=1000, chonbo=(0, 1, 0, 0))
    form = form_of(director.get(f"{screen(table)}?correct={first.pk}"), first)
    assert [form[f"score_{seat}"].value() for seat in range(4)] == ["402", "301", "187", "100"]
    assert (form["sticks"].value(), form["chonbo_1"].value()) == (1, 1)
    refused = form_of(director.post(screen(table), sheet(first, corrects="1")), first)
    assert "Please give a reason" in str(refused.errors["reason"])


@pytest.mark.parametrize(("score", "text"), [(41200, "412"), (-3500, "-35"), (0, "0"), (1_234_500, "1,234,500")])
def test_a_score_to_correct_is_shown_as_it_would_be_typed(score: int, text: str) -> None:
    assert typed_score(score, CINDERELLA) == text


def test_scores_kept_from_zero_have_the_start_added(scorer: Client, table: TableSession, first: Hanchan) -> None:
    rules = first.rules
    text = rules.ruleset.text.replace("[entry]\n", '[entry]\nkept_from = "zero"\n')
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, text)
    rules.save()
    shown = scorer.get(screen(table)).content.decode()
    assert "0 is 25,000" in shown
    assert scorer.post(screen(table), sheet(first, ("162", "0", "▲60", "▲102"))).status_code == 302
    counting = ResultSheet.objects.counting().get()
    assert list(counting.seats.values_list("score", flat=True)) == [41200, 25000, 19000, 14800]
    assert typed_score(14800, loader.parse(text, "own.toml")) == "-102"


def test_a_scorer_cannot_correct_a_result(scorer: Client, table: TableSession, first: Hanchan) -> None:
    factories.play(first)
    assert "Correct..." not in scorer.get(screen(table)).content.decode()
    response = scorer.post(screen(table), sheet(first, ("400", "313", "187", "100"), corrects="1", reason="Mine"))
    assert "Ask its director" in str(form_of(response, first).non_field_errors())
    assert scorer.get(f"/admin/league/hanchan/{first.pk}/void/").status_code == 403


@pytest.mark.parametrize("role", [Role.READER, Role.REFEREE])
def test_readers_and_referees_cannot_open_the_entry_screen(
    client: Client, season: Competition, table: TableSession, first: Hanchan, role: Role
) -> None:
    person = staff(client, role, season)
    assert person.get(screen(table)).status_code == 403
    assert person.post(screen(table), sheet(first)).status_code == 403
    assert person.post(f"/admin/league/hanchan/{first.pk}/preview/", sheet(first)).status_code == 403


def test_staff_of_another_competition_get_404(client: Client, table: TableSession, first: Hanchan) -> None:
    stranger = staff(client, Role.DIRECTOR, factories.final_table("other"))
    assert stranger.get(screen(table)).status_code == 404
    assert stranger.post(f"/admin/league/hanchan/{first.pk}/preview/", sheet(first)).status_code == 404


def test_a_hanchan_of_another_table_cannot_be_entered_here(
    scorer: Client, season: Competition, table: TableSession
) -> None:
    other = factories.table(season.blocks.get(key="B")).hanchan.get(round=1)
    assert scorer.post(screen(table), sheet(other)).status_code == 404


def test_a_closed_competition_accepts_no_results_and_says_so(
    director: Client, season: Competition, table: TableSession, first: Hanchan
) -> None:
    set_status(competition=season, status=Competition.Status.CLOSED, by=factories.SYSTEM)
    response = director.post(screen(table), sheet(first))
    assert "its results and decisions stand" in str(form_of(response, first).non_field_errors())
    assert "The competition is closed" in response.content.decode()


def test_the_screen_shows_a_tables_embargo(scorer: Client, season: Competition) -> None:
    held = factories.table(season.blocks.get(key="A"), public_at=timezone.now() + dt.timedelta(days=1))
    assert "Held back from the public until" in scorer.get(screen(held)).content.decode()


def preview(client: Client, hanchan: Hanchan, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the server's preview of an unsaved sheet."""
    response = client.post(f"/admin/league/hanchan/{hanchan.pk}/preview/", data)
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def test_the_preview_shows_places_points_and_rank_changes(scorer: Client, first: Hanchan) -> None:
    said = preview(scorer, first, sheet(first))
    assert said["sum"] == {"state": "ok", "text": "100,000 OK"}
    assert [(seat["place"], seat["points"]) for seat in said["seats"]] == [
        (1, "+51.2"), (2, "+10.1"), (3, "-21.3"), (4, "-40.0"),
    ]  # fmt: skip
    assert said["moves"][0].startswith("Player A1: ")
    assert said["findings"] == []
    assert not ResultSheet.objects.exists()


def test_an_error_links_to_the_clause_behind_it(scorer: Client, table: TableSession, first: Hanchan) -> None:
    typed = sheet(first, ("412", "301", "187", "98"))
    (finding,) = preview(scorer, first, typed)["findings"]
    assert finding["clause"] == {"id": "CL-035", "url": "/rules/cinderella/#CL-035"}
    form = form_of(scorer.post(screen(table), typed), first)
    assert 'href="/rules/cinderella/#CL-035" target="_blank"' in str(form.non_field_errors())


@pytest.mark.both_databases
def test_the_preview_reports_no_errors_for_empty_fields(scorer: Client, first: Hanchan) -> None:
    said = preview(scorer, first, sheet(first, ("412", "30x", "", "")))
    assert [(finding["field"], finding["code"]) for finding in said["findings"]] == [
        (f"h{first.pk}-score_1", "unreadable")
    ]
    assert said["sum"] == {"state": "open", "text": "41,200 so far"}
    assert preview(scorer, first, sheet(first, ("", "", "", "")))["sum"]["text"] == ""


@pytest.mark.parametrize(("last", "text"), [("103", "+300 over"), ("97", "300 missing")])
def test_the_running_sum_states_the_missing_or_excess_amount(
    scorer: Client, first: Hanchan, last: str, text: str
) -> None:
    assert preview(scorer, first, sheet(first, (*TYPED[:3], last)))["sum"] == {"state": "wrong", "text": text}


def test_the_preview_of_a_correction_needs_no_reason_yet(director: Client, first: Hanchan) -> None:
    factories.play(first)
    said = preview(director, first, sheet(first, ("301", "412", "187", "100"), corrects="1"))
    assert [seat["place"] for seat in said["seats"]] == [2, 1, 3, 4]
    assert any("Player A2: 2nd → 1st" in move for move in said["moves"])


def playoffs_begun() -> TableSession:
    """Play a season until its playoffs have begun."""
    played = Season("whole")
    played.play_preliminary()
    played.play_stage("po1", 3, hanchan_each=1)
    return TableSession.objects.filter(competition=played.competition, block__key="A").order_by("pk")[0]


def test_a_correction_that_changes_the_field_of_a_begun_stage_needs_the_directors_acceptance(
    client: Client,
) -> None:
    table = playoffs_begun()
    director = staff(client, Role.DIRECTOR, table.competition)
    hanchan = table.hanchan.get(round=1)
    scores = [seat.score for seat in ResultSheet.objects.counting().get(hanchan=hanchan).seats.order_by("seat")]
    low, high = scores.index(min(scores)), scores.index(max(scores))
    changed = list(scores)
    changed[low], changed[high] = 120_000, scores[high] + scores[low] - 120_000
    typed = sheet(hanchan, [typed_score(score, CINDERELLA) for score in changed], corrects="1", reason="Swapped")
    said = preview(director, hanchan, typed)
    assert [finding["code"] for finding in said["findings"]] == ["extreme_score", "extreme_score", "later_stage_begun"]
    ticks: list[str] = []
    for expected in ("extreme_score", "later_stage_begun"):
        asked = form_of(director.post(screen(table), {**typed, **ticked(hanchan, ticks, said["digest"])}), hanchan)
        assert {warning.code for warning in asked.warnings} == {expected}
        assert asked.accepted_before == ticks
        ticks = [*asked.accepted_before, expected]
    assert director.post(screen(table), {**typed, **ticked(hanchan, ticks, said["digest"])}).status_code == 302


def ticked(hanchan: Hanchan, codes: Sequence[str], shown_for: str) -> dict[str, Any]:
    """Return the form data of accepted warnings, as the browser sends them."""
    return {f"h{hanchan.pk}-accept": list(codes), f"h{hanchan.pk}-accepted_for": shown_for}


@pytest.mark.both_databases
def test_after_the_last_hanchan_the_screen_links_to_the_next_table(
    scorer: Client, season: Competition, table: TableSession
) -> None:
    other = factories.table(season.blocks.get(key="B"))
    factories.play_all(table, *FOUR)
    body = scorer.get(screen(table)).content.decode()
    assert f'href="{screen(other)}"' in body
    factories.play_all(other, *FOUR)
    assert "All results are in." in scorer.get(screen(table)).content.decode()


def test_a_passed_over_player_who_is_scheduled_may_still_be_entered(
    scorer: Client, season: Competition, table: TableSession, first: Hanchan
) -> None:
    entrant = first.seats.get(seat=0).entrant
    pass_over(block=season.blocks.get(key="A"), entrant=entrant, by=factories.SYSTEM, reason="Withdrew")
    assert f'<option value="{entrant.pk}" selected>' in scorer.get(screen(table)).content.decode()


def test_the_screen_needs_no_more_queries_for_eight_hanchan_than_for_one(scorer: Client, season: Competition) -> None:
    people = factories.in_block(season.blocks.get(key="B"))[:4]
    small = factories.table(season.blocks.get(key="B"), people, numbers=(1,))
    large = factories.table(season.blocks.get(key="A"), numbers=range(1, 9))
    for table in (small, large):
        factories.play(table.hanchan.get(round=1))
    few, many = (
        queries(partial(scorer.get, f"{screen(table)}?correct={table.hanchan.get(round=1).pk}"))
        for table in (small, large)
    )
    assert many <= few


def test_the_preview_needs_no_more_queries_late_in_the_season(scorer: Client, table: TableSession) -> None:
    first, *others = table.hanchan.order_by("round")
    early = queries(lambda: preview(scorer, first, sheet(first)))
    factories.play(first)
    for place, hanchan in enumerate(others[:-1]):
        factories.play(hanchan, FOUR[place + 1])
    late = queries(lambda: preview(scorer, others[-1], sheet(others[-1])))
    assert late <= early


def queries(ask: Callable[[], object]) -> int:
    """Count the queries of a call."""
    with CaptureQueriesContext(connection) as captured:
        ask()
    return len(captured)


def parlour_table(ruleset: str, players: int, **options: str) -> Hanchan:
    """Create a hanchan of an open table under a parlour's rules."""
    open_table = factories.league(
        "parlour", ruleset=ruleset, league_format="open-play", kind=Competition.Kind.OPEN, options=options
    )
    people = factories.entrants(open_table, players)
    return factories.table(open_table.blocks.get(), people, numbers=(1,)).hanchan.get()


def test_chips_and_the_tobi_prize_can_be_entered_if_the_rules_have_them(client: Client) -> None:
    hanchan = parlour_table("superbingo", 3)
    director = staff(client, Role.DIRECTOR, hanchan.block.competition)
    table = hanchan.table_session
    assert "Taken out by" in director.get(screen(table)).content.decode()
    scores = ("70", "25", "-5")
    missing = form_of(director.post(screen(table), sheet(hanchan, scores)), hanchan)
    assert [warning.code for warning in missing.warnings] == ["tobi_missing"]
    chips = {"carried_chips_0": "10", "carried_chips_1": "▲4", "carried_chips_2": "-6"}
    wrong = sheet(hanchan, scores, tobi_1="0", **chips)
    assert "tobi_1" in form_of(director.post(screen(table), wrong), hanchan).errors
    unbalanced = sheet(hanchan, scores, tobi_2="0", **{**chips, "carried_chips_0": "11"})
    assert "carried_chips_0" in form_of(director.post(screen(table), unbalanced), hanchan).errors
    assert director.post(screen(table), sheet(hanchan, scores, tobi_2="0", **chips)).status_code == 302
    counting = ResultSheet.objects.counting().get()
    assert counting.facts["tobi"] == [[2, 0]]
    assert counting.facts["carried"] == {"chips": [10, -4, -6]}
    again = form_of(director.get(f"{screen(table)}?correct={hanchan.pk}"), hanchan)
    assert (again["tobi_2"].value(), again["carried_chips_1"].value()) == ("0", "-4")


def test_a_table_of_three_has_three_rows(client: Client) -> None:
    hanchan = parlour_table("kansai3", 3)
    director = staff(client, Role.DIRECTOR, hanchan.block.competition)
    form = form_of(director.get(screen(hanchan.table_session)), hanchan)
    assert len(list(form.rows())) == 3
    assert "scores in units of 1,000: 40 is 40,000" in director.get(screen(hanchan.table_session)).content.decode()
    assert "chonbo_0" not in form.fields


def test_a_yakuman_that_ended_the_game_can_be_entered_if_the_rules_have_it(client: Client) -> None:
    hanchan = parlour_table("boo", 4, yakuman="instant_a_top")
    director = staff(client, Role.DIRECTOR, hanchan.block.competition)
    table = hanchan.table_session
    typed = sheet(hanchan, ("4,000", "1,600", "1,400", "1,000"), forced_top="0")
    assert director.post(screen(table), typed).status_code == 302
    assert ResultSheet.objects.counting().get().facts["forced_top"] == 0
    assert form_of(director.get(f"{screen(table)}?correct={hanchan.pk}"), hanchan)["forced_top"].value() == "0"


@pytest.mark.both_databases
def test_a_substitute_is_kept_when_the_sheet_is_corrected(
    director: Client, table: TableSession, first: Hanchan
) -> None:
    helper = new_player(name="Helper", key="helper", by=factories.SYSTEM)
    seat = first.seats.get(seat=0)
    seat.player = helper
    seat.save()
    assert form_of(director.get(screen(table)), first)["substitute_0"].value() == "Helper (helper)"
    typed = sheet(first, substitute_0="Helper (helper)")
    assert director.post(screen(table), typed).status_code == 302
    form = form_of(director.get(f"{screen(table)}?correct={first.pk}"), first)
    assert form["substitute_0"].value() == "Helper (helper)"
    assert form.has_substitutes


def test_the_seats_are_proposed_as_right_if_they_were_drawn(
    scorer: Client, table: TableSession, first: Hanchan, season: Competition
) -> None:
    assert form_of(scorer.get(screen(table)), first)["are_seats_known"].value() is False
    draw_seats(session=table.session, draw=SeatDraw(seed="lottery", redraws=True), by=factories.SYSTEM)
    assert form_of(scorer.get(screen(table)), first)["are_seats_known"].value() is True
    factories.play(first, are_seats_known=False)
    others = [panel.form for panel in scorer.get(screen(table)).context["panels"] if panel.form]
    assert not any(form["are_seats_known"].value() for form in others)


def test_a_correction_is_announced_as_one(director: Client, table: TableSession, first: Hanchan) -> None:
    factories.play(first)
    sent = sheet(first, ("402", "315", "201", "82"), corrects="1", reason="誤記")
    page = director.post(screen(table), sent, follow=True).content.decode()
    assert "Hanchan 1 is corrected and counts." in page
    assert "is in and counts" not in page
