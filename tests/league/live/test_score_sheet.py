"""Tests of the live score sheet's JSON interface: state, entries, previews, submission and confirmation by players."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from league.models import Competition, Hanchan, ResultSheet, Role, RulesetRevision, TableSession
from league.services.results.entry import SheetEntry
from league.services.rulebooks.revisions import keep
from tests import factories
from tests.league.tables import (
    BUSTED,
    DRAW,
    RIICHI,
    RON,
    Device,
    Json,
    begun,
    code_of,
    entered,
    event,
    final_table,
    finish,
    first,
    phones,
    write,
)

pytestmark = pytest.mark.django_db

FOUR_SEATS = ("cinderella", "banchi4", "boo", "tenhou4")
THREE_SEATS = ("banchi3", "kansai3", "superbingo", "tenhou3")
BOO_RON = {"type": "ron", "loser": 3, "wins": [{"seat": 1, "value": {"han": 1, "fu": 30}}]}


def open_table(ruleset: str, players: int = 4, **plan: Any) -> TableSession:
    """Return a table with one hanchan in an open table of this ruleset."""
    competition = factories.league(
        f"open-{ruleset}", ruleset=ruleset, league_format="open-play", kind=Competition.Kind.OPEN, **plan
    )
    return factories.table(competition.blocks.get(), factories.entrants(competition, players), numbers=(1,))


@pytest.fixture(scope="module")
def scheduled(shared_rows: None) -> TableSession:
    return final_table(ruleset="banchi4")


@pytest.fixture
def table(scheduled: TableSession) -> TableSession:
    return TableSession.objects.get(pk=scheduled.pk)


@pytest.fixture
def device(table: TableSession) -> Device:
    begun(table)
    return Device.of_scorer(table)


def test_a_hanchan_is_started_logged_and_submitted_from_one_device(table: TableSession) -> None:
    device = Device.of_scorer(table)
    assert device.document()["phase"] == "start"
    assert device.send({"client_id": "s", "kind": "start", "payload": {}}).status_code == 200
    assert device.enter(RIICHI, RON).status_code == 200
    document = json.loads(device.enter(BUSTED).content)
    assert (document["phase"], document["submit"]["state"]) == ("over", "ready")
    assert document["end"]["text"] == "Player final4 went out. A player has reached 60,000."
    assert document["end"]["reasons"][0]["clause"]["url"].startswith("/rules/banchi4/#B4-")
    refused = device.post("submit", sequence=document["sequence"])
    assert (refused.status_code, code_of(refused)) == (422, "extreme_score")
    done = json.loads(device.post("submit", sequence=document["sequence"], accept=["extreme_score"]).content)
    assert (done["phase"], done["submit"]["state"]) == ("confirmed", "confirmed")
    sheet = first(table).sheets.get()
    assert sheet.made_from_sequence == document["sequence"]
    assert Hanchan.objects.get(pk=first(table).pk).state == Hanchan.State.FINISHED
    assert [seat.place for seat in sheet.seats.order_by("seat")] == [seat["place"] for seat in document["settlement"]]


def test_submitting_twice_creates_one_sheet(device: Device) -> None:
    document = json.loads(device.enter(BUSTED).content)
    for _time in range(2):
        answer = device.post("submit", sequence=document["sequence"], accept=["extreme_score"])
        assert answer.status_code == 200
    assert ResultSheet.objects.count() == 1


def test_an_unfinished_game_can_be_submitted_only_as_ended_by_time(device: Device) -> None:
    document = json.loads(device.enter(RON).content)
    assert document["submit"]["state"] == "too_early"
    refused = device.post("submit", sequence=document["sequence"])
    assert (refused.status_code, code_of(refused)) == (422, "game_not_over")
    done = device.post("submit", sequence=document["sequence"], ended_by_time=True)
    assert done.status_code == 200, done.content
    assert first(device.table).state == Hanchan.State.ENDED_BY_TIME


def test_submitting_an_outdated_sequence_is_refused(device: Device) -> None:
    document = json.loads(device.enter(BUSTED).content)
    device.send({"client_id": "u", "kind": "undo", "payload": {}})
    refused = device.post("submit", sequence=document["sequence"])
    assert (refused.status_code, code_of(refused)) == (409, "behind")


def test_a_log_with_flagged_entries_cannot_be_submitted(device: Device) -> None:
    device.enter(RON, RON)
    answer = device.send({"client_id": "x", "kind": "edit", "payload": {"number": 0, "entry": BUSTED}})
    document = json.loads(answer.content)
    assert document["flagged"] == 1
    assert document["log"][1]["entries"][0]["refusals"][0]["code"] == "game_over"
    refused = device.post("submit", sequence=document["sequence"])
    assert code_of(refused) == "log_flagged"
    assert "can no longer be since one was changed: 1." in refused.content.decode()


def test_an_unchanged_state_answers_204(device: Device) -> None:
    version = device.document()["version"]
    assert device.get(after=version).status_code == 204
    device.enter(RIICHI)
    assert device.get(after=version).status_code == 200


def test_a_result_entered_elsewhere_changes_the_state(device: Device) -> None:
    version = device.document()["version"]
    factories.play(first(device.table))
    assert device.get(after=version).status_code == 200


def test_a_device_that_is_behind_gets_a_conflict_with_the_current_document(device: Device) -> None:
    other = Device.of_scorer(device.table)
    seen = other.document()["sequence"]
    device.enter(RON)
    behind = other.enter(RIICHI, after=seen)
    answer = json.loads(behind.content)
    assert (behind.status_code, answer["errors"][0]["code"]) == (409, "behind")
    assert answer["document"]["sequence"] == seen + 1
    assert answer["document"]["seats"][1]["score"] == 30200
    assert other.enter(RIICHI, after=answer["document"]["sequence"]).status_code == 200


def test_a_queue_sent_again_after_a_lost_connection_is_written_once(device: Device) -> None:
    seen = device.document()["sequence"]
    queue = [
        {"client_id": f"q{number}", "kind": "entry", "payload": {"entry": entry}}
        for number, entry in enumerate((RIICHI, RON))
    ]
    device.send(queue[0], after=seen)
    for _time in range(2):
        assert device.send(*queue, after=seen).status_code == 200
    assert [len(kyoku["entries"]) for kyoku in device.document()["log"]] == [2]


def test_a_preview_returns_the_full_effect_and_writes_nothing(device: Device) -> None:
    found = json.loads(device.enter(RIICHI, RON, to="preview").content)
    assert found["refusals"] == []
    assert found["result"]["said"] == ["5,200"]
    assert found["result"]["changes"] == [0, 5200, 0, -5200]
    assert [each["cause"] for each in found["result"]["transfers"]] == ["stake", "hand", "deposits"]
    assert found["next"]["text"] == "East 2, 0 honba"
    assert device.document()["sequence"] == 1


def test_a_preview_of_an_impossible_entry_returns_code_and_pointer(device: Device) -> None:
    own = {"type": "ron", "loser": 1, "wins": [{"seat": 1, "value": {"han": 3, "fu": 40}}]}
    found = json.loads(device.enter(own, to="preview").content)
    assert found["result"] is None
    assert [(each["code"], each["pointer"]) for each in found["refusals"]] == [("winner_is_loser", "wins/0")]


def test_a_preview_refused_by_the_ruleset_links_to_its_clause(device: Device) -> None:
    offence = {"type": "offended", "seat": 1, "offence": "false_win_shown"}
    (refused,) = json.loads(device.enter(offence, to="preview").content)["refusals"]
    assert refused["code"] == "offence_voids_hand"
    assert refused["clause"] == {"id": "B4-052", "url": "/rules/banchi4/#B4-052"}


def test_a_preview_of_an_edit_flags_entries_that_become_impossible(device: Device) -> None:
    device.enter(RON, RON)
    edit = {"client_id": "x", "kind": "edit", "payload": {"number": 0, "entry": BUSTED}}
    found = json.loads(device.send(edit, to="preview").content)
    assert [flag["number"] for flag in found["flags"]] == [1]
    assert found["end"]["reasons"][0]["reason"] == "bust"
    assert len(found["settlement"]) == 4


def test_a_preview_reports_that_other_devices_have_written(device: Device) -> None:
    device.enter(RON)
    found = json.loads(device.enter(DRAW, after=1, to="preview").content)
    assert (found["behind"], found["sequence"]) == (True, 2)


def test_a_draw_that_becomes_a_chonbo_is_reported(device: Device) -> None:
    found = json.loads(device.enter(RIICHI, DRAW, to="preview").content)
    assert found["result"]["title"] == "Chonbo: Player final2, riichi without tenpai"
    assert found["result"]["turns"][0]["code"] == "chonbo_at_draw"


def test_the_winning_dealer_of_the_last_hand_may_stop(device: Device) -> None:
    device.enter(
        {"type": "ruling", "reason": "joined late", "goes_on": {"round": "E", "number": 4, "honba": 0}},
        {"type": "ron", "loser": 0, "wins": [{"seat": 3, "value": {"limit": "haneman"}}]},
    )
    log = device.document()["log"]
    win = {"type": "ron", "loser": 0, "wins": [{"seat": 3, "value": {"han": 1, "fu": 30}}]}
    assert log[1]["result"]["may_stop"] is True
    stopped = json.loads(device.enter({**win, "stop": True}, to="preview").content)
    assert stopped["end"]["reasons"][0]["reason"] == "agari_yame"


def test_the_call_of_time_names_the_last_hand_and_ends_the_game(device: Device, table: TableSession) -> None:
    assert device.document()["asks"]["time"] is None
    assert code_of(device.enter({"type": "time_called"})) == "no_time_limit"
    rules = first(table).rules
    limit = '\n[end.time]\nminutes = 60\nlast = "one_more_hand"\nvoid_hand = "ends"\nclauses = ["B4-001"]\n'
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, rules.ruleset.text + limit)
    rules.save()
    assert device.document()["asks"]["time"] == {"hands": 2}
    called = json.loads(device.enter({"type": "time_called"}).content)
    assert (called["asks"]["time"], called["round"]["hands_left"]) == (None, 2)
    assert called["round"]["time_text"] == "Time is up: one more hand after this one"
    last = json.loads(device.enter(RON).content)
    assert (last["round"]["time_text"], last["round"]["is_last"]) == ("Time is up: the last hand", True)
    document = json.loads(device.enter({"type": "draw", "tenpai": [1]}).content)
    assert (document["phase"], document["end"]["text"]) == ("over", "Time is up, and the last hand is over.")
    assert document["end"]["reasons"][0]["clause"]["id"] == "B4-001"
    done = device.post("submit", sequence=document["sequence"])
    assert json.loads(done.content)["submit"]["state"] == "confirmed"
    assert Hanchan.objects.get(pk=first(table).pk).state == Hanchan.State.ENDED_BY_TIME


def test_the_ruleset_decides_on_three_ron_calls(device: Device) -> None:
    calls = [{"seat": seat, "value": {"han": 1, "fu": 30}} for seat in (0, 1, 2)]
    found = json.loads(device.enter({"type": "ron_calls", "loser": 3, "calls": calls}, to="preview").content)
    assert found["result"]["turns"][0]["text"] == "With 3 calls of ron the hand is drawn."
    two = json.loads(device.enter({"type": "ron_calls", "loser": 3, "calls": calls[:2]}, to="preview").content)
    assert len(two["result"]["said"]) == 2


def test_scores_read_from_the_display_can_be_entered(device: Device) -> None:
    entry = {"type": "scores_only", "scores": [33000, 25000, 25000, 17000], "winners": [0]}
    document = json.loads(device.enter(entry).content)
    assert [seat["score"] for seat in document["seats"]] == [33000, 25000, 25000, 17000]
    assert (document["round"]["number"], document["round"]["honba"]) == (1, 1)


@pytest.mark.parametrize("ruleset", FOUR_SEATS + THREE_SEATS)
def test_the_document_asks_only_for_the_features_of_the_ruleset(ruleset: str) -> None:
    table = open_table(ruleset, 3 if ruleset in THREE_SEATS else 4)
    begun(table)
    document = Device.of_scorer(table).document()
    asks, players = document["asks"], document["book"]["players"]
    assert len(document["seats"]) == players
    assert (asks["legality"], asks["draw"]["tenpai"]) == (ruleset == "boo", ruleset != "boo")
    assert (asks["riichi"]["open"] is not None) == (ruleset in ("banchi3", "superbingo"))
    assert bool(asks["fine"]) == (ruleset in ("banchi4", "kansai3", "superbingo"))
    assert (asks["prizes"] is not None) == (ruleset in ("banchi4", "banchi3", "kansai3", "superbingo"))
    assert {each["enter"] for each in asks["offences"]} <= {"chonbo", "offended"}
    assert all(each["title"] for each in asks["offences"])


@pytest.mark.parametrize("ruleset", FOUR_SEATS + THREE_SEATS)
def test_every_offered_hand_value_can_be_entered(ruleset: str) -> None:
    table = open_table(ruleset, 3 if ruleset in THREE_SEATS else 4)
    begun(table)
    device = Device.of_scorer(table)
    document = device.document()
    paid = document["asks"]["value"]["paid"]
    for value in (*paid["ron"]["other"][::7], paid["ron"]["other"][-1]):
        entry = {"type": "ron", "loser": 2, "wins": [{"seat": 1, "value": written(value)}]}
        found = json.loads(device.enter(entry, after=document["sequence"], to="preview").content)
        assert found["refusals"] == [], value
        assert found["result"]["said"][0].endswith(value["text"]) or ruleset == "boo"


@pytest.mark.parametrize(
    ("ruleset", "han", "fu"),
    [
        ("cinderella", 1, 20),
        ("cinderella", 2, 25),
        ("banchi4", 1, 20),
        ("banchi3", 2, 25),
        ("kansai3", 2, 20),
        ("boo", 3, 20),
    ],
)
def test_an_impossible_tsumo_value_is_neither_offered_nor_accepted(ruleset: str, han: int, fu: int) -> None:
    table = open_table(ruleset, 3 if ruleset in THREE_SEATS else 4)
    begun(table)
    device = Device.of_scorer(table)
    offered = device.document()["asks"]["value"]["paid"]["tsumo"]["other"]
    assert (han, fu) not in {(each.get("han"), each.get("fu")) for each in offered}
    entry = {"type": "tsumo", "win": {"seat": 1, "value": {"han": han, "fu": fu}}}
    found = json.loads(device.enter(entry, to="preview").content)
    assert {each["code"] for each in found["refusals"]} & {"fu_needs_han", "fu_not_by_tsumo", "fu_impossible"}


@pytest.mark.parametrize("ruleset", FOUR_SEATS + THREE_SEATS)
def test_a_winner_in_riichi_is_offered_exactly_the_values_that_are_accepted(ruleset: str) -> None:
    table = open_table(ruleset, 3 if ruleset in THREE_SEATS else 4)
    begun(table)
    device = Device.of_scorer(table)
    device.enter({"type": "riichi", "seat": 1})
    document = device.document()
    asks, seen = document["asks"], document["sequence"]
    value = asks["value"]
    closed = [each for each in value["paid"]["tsumo"]["other"] if each["closed"] or not value["closed"]]
    for double in {False, asks["riichi"]["double"]}:
        least = value["in_riichi"]["tsumo"]["double_" * double + document["seats"][1]["riichi"]]
        for each in closed[::5]:
            entry = {"type": "tsumo", "win": {"seat": 1, "value": written(each), "double_riichi": double}}
            answer = json.loads(device.enter(entry, after=seen, to="preview").content)
            refused = {one["code"] for one in answer["refusals"]}
            is_offered = "han" not in each or each["han"] >= least.get(str(each.get("fu") or 0), 99)
            assert is_offered is (not refused & {"fu_needs_han", "fu_not_closed", "han_missing"}), (double, each)


def test_a_hand_without_limits_is_offered_exactly_the_values_that_are_accepted() -> None:
    table = open_table("boo", options={"blue_sky_south4": True})
    begun(table)
    device = Device.of_scorer(table)
    device.enter({"type": "ruling", "reason": "the last hand", "goes_on": {"round": "S", "number": 4, "honba": 0}})
    document = device.document()
    value = document["asks"]["value"]
    offered = {(each["closed"], each.get("han"), each.get("fu")) for each in value["paid"]["ron"]["other"]}
    for closed, fu in ((False, 20), (False, 60), (True, 60), (True, 140)):
        most = (
            value["hans"]["ron"]["none"][str(fu)][-1]
            if closed
            else max(h for c, h, f in offered if (c, f) == (False, fu))
        )
        for han in (1, most - 1, most, most + 1):
            is_offered = (closed, han, fu) in offered and han <= most
            worth = {"han": han, "fu": fu, "closed": closed}
            entry = {"type": "ron", "loser": 2, "wins": [{"seat": 1, "value": worth}]}
            answer = json.loads(device.enter(entry, after=document["sequence"], to="preview").content)
            refused = {each["code"] for each in answer["refusals"]}
            assert is_offered is (not refused & {"fu_needs_han", "fu_not_closed", "han_missing", "han_too_many"}), worth
    assert max(han for closed, han, fu in offered if fu == 20) == 9
    assert [each["limit"] for each in value["limits"]] == ["mangan"]


def written(value: Json) -> Json:
    """Return a value in the form of an entry."""
    return {key: each for key, each in value.items() if key not in ("text", "closed")} | (
        {"closed": True} if value["closed"] else {}
    )


def test_boo_lists_the_allowed_wins_before_a_declaration() -> None:
    table = open_table("boo")
    begun(table)
    device = Device.of_scorer(table)
    moves = [{"payer": payer, "receiver": 0, "amount": amount} for payer, amount in ((1, 1000), (3, 500))]
    device.enter({"type": "ruling", "reason": "as it stood", "moves": moves})
    found = json.loads(device.get("legality", winner=2, loser=1).content)
    verdicts = {(hand["text"], hand["verdict"]) for hand in found["hands"]}
    assert ("Mangan open", "allowed") in verdicts
    low = json.loads(device.get("legality", winner=1, loser=2).content)
    assert {hand["verdict"] for hand in low["hands"]} - {"allowed"}
    reasons = [reason for hand in low["hands"] for reason in hand["reasons"]]
    assert "sinks a player and stays sunk" in reasons
    own = json.loads(device.get("legality", winner=1).content)
    assert own["loser"] is None
    assert own["hands"][0]["points"] > 0


@pytest.mark.parametrize("query", [{}, {"winner": 4}, {"winner": 1, "loser": 1}])
def test_legality_needs_a_winner_and_a_different_loser(query: dict[str, int]) -> None:
    table = open_table("boo")
    begun(table)
    assert code_of(Device.of_scorer(table).get("legality", **query)) == "seat_unknown"


def test_legality_needs_a_running_kyoku(device: Device) -> None:
    device.enter(BUSTED)
    assert code_of(device.get("legality", winner=1)) == "not_playing"


def test_a_ruleset_without_hand_rules_has_a_score_sheet_that_cannot_start() -> None:
    table = open_table("mleague")
    device = Device.of_scorer(table)
    document = device.document()
    assert document["book"]["can_follow"] is False
    assert code_of(device.send({"client_id": "s", "kind": "start", "payload": {}})) == "hands_unknown"


def test_table_options_are_offered_with_their_values() -> None:
    device = Device.of_scorer(open_table("superbingo", 3))
    options = {option["key"]: option for option in device.document()["setup"]["options"]}
    assert (options["dx"]["kind"], options["dx"]["value"]) == ("flag", False)
    assert [each["value"] for each in options["dx"]["values"]] == [True, False]
    start = {"client_id": "s", "kind": "start", "payload": {"options": {"dx": True}}}
    assert json.loads(device.send(start).content)["asks"]["value"]["closed"] is True


def test_a_table_without_planned_seats_offers_the_players_of_its_block(table: TableSession) -> None:
    first(table).seats.all().delete()
    device = Device.of_user(table, factories.user("scorer", Role.SCORER, table.competition))
    setup = device.document()["setup"]
    assert (setup["seats_known"], len(setup["entrants"])) == (False, 4)
    start = {"client_id": "s", "kind": "start", "payload": {"seats": [each["id"] for each in setup["entrants"]]}}
    before = json.loads(device.send(start, to="preview").content)
    assert (before["refusals"], before["next"]["text"]) == ([], "East 1, 0 honba")
    assert json.loads(device.send(start).content)["phase"] == "playing"


@pytest.mark.both_databases
def test_a_preview_of_options_before_the_start_has_no_next_kyoku(table: TableSession) -> None:
    options = {"client_id": "o", "kind": "options", "payload": {"options": {}}}
    found = json.loads(Device.of_scorer(table).send(options, to="preview").content)
    assert (found["next"], found["end"], found["flags"]) == (None, None, [])


# ---------------------------------------------------------------- access to the table


def test_the_document_marks_the_current_hanchan(table: TableSession) -> None:
    device = Device.of_scorer(table)
    finish(table, but=2)
    rows = device.document()["hanchan_list"]
    assert [(row["has_result"], row["is_current"]) for row in rows] == [
        (True, False),
        (True, False),
        (False, True),
        (False, False),
    ]
    assert device.document(hanchan=rows[0]["id"])["phase"] == "typed"
    assert device.get(hanchan=999).status_code == 404


def test_staff_need_no_link(table: TableSession) -> None:
    begun(table)
    device = Device.of_user(table, factories.user("scorer", Role.SCORER, table.competition))
    assert device.document()["you"]["kind"] == "staff"
    assert device.enter(RIICHI).status_code == 200
    event_ = first(table).events.get(sequence=2)
    assert (event_.entered_by and event_.entered_by.username, event_.link) == ("scorer", None)


def test_readers_can_read_but_not_write(table: TableSession) -> None:
    begun(table)
    device = Device.of_user(table, factories.user("reader", Role.READER, table.competition))
    assert device.document()["you"]["may_enter"] is False
    assert device.enter(RIICHI).status_code == 403


def test_a_request_without_a_csrf_token_is_refused(table: TableSession) -> None:
    begun(table)
    device = Device.of_scorer(table)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = device.client.cookies
    answer = strict.post(device.address("events"), "{}", content_type="application/json")
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("", 400),
        ("[]", 400),
        ('{"after": NaN, "events": []}', 400),
        ("[" * 5000, 400),
        ('{"hanchan": %d, "after": -1, "events": [{"client_id": "a", "kind": "undo"}]}', 400),
        ('{"hanchan": %d, "after": 1, "events": {}}', 400),
        ('{"hanchan": %d, "after": 1, "events": [1]}', 400),
        ('{"hanchan": %d, "after": 1, "events": [{"client_id": 5, "kind": "undo"}]}', 400),
        ('{"hanchan": %d, "after": 1, "events": []}', 422),
        ('{"hanchan": 99, "after": 1, "events": []}', 404),
        ('{"after": 1, "events": []}', 400),
        ('{"hanchan": "x", "after": 1, "events": []}', 400),
        ('{"hanchan": %d, "after": 1, "events": [], "x": "' + "x" * 1_000_001 + '"}', 413),
    ],
)
def test_an_invalid_batch_answers_with_a_problem_document(device: Device, body: str, status: int) -> None:
    sent = body.replace("%d", str(first(device.table).pk))
    answer = device.client.post(device.address("events"), sent, content_type="application/json")
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("more", [{"accept": "all"}, {"reason": 5}, {"reason": "x" * 1001}, {"sequence": True}])
def test_an_invalid_submission_answers_400(device: Device, more: Json) -> None:
    assert device.post("submit", **{"sequence": 1, **more}).status_code == 400


def test_a_hanchan_id_that_is_not_a_valid_number_answers_400(device: Device) -> None:
    assert device.get(hanchan="x").status_code == 400
    assert device.get(hanchan="9" * 30).status_code == 400


# ---------------------------------------------------------------- after the game


def test_a_later_change_of_the_log_counts_only_after_submission_as_a_correction(device: Device) -> None:
    table = device.table
    sequence = json.loads(device.enter(BUSTED).content)["sequence"]
    device.post("submit", sequence=sequence, accept=["extreme_score"])
    hanchan = first(table)
    assert device.post("events", hanchan=hanchan.pk, after=sequence, events=[]).status_code == 422
    boss = Device.of_user(table, factories.user("boss", Role.DIRECTOR, table.competition))
    write(hanchan, event("edit", number=0, entry={**BUSTED, "loser": 2}))
    counting = ResultSheet.objects.get()
    assert (counting.state, counting.made_from_sequence) == ("confirmed", sequence)
    document = boss.document(hanchan=hanchan.pk)
    assert (document["submit"]["state"], document["submit"]["needs_reason"]) == ("changed", True)
    body = {"hanchan": hanchan.pk, "sequence": document["sequence"], "accept": ["extreme_score"]}
    assert code_of(boss.post("submit", **body)) == "reason_needed"
    done = json.loads(boss.post("submit", **body, reason="Seat 3 dealt in").content)
    assert done["submit"]["sheet"]["revision"] == 2
    assert ResultSheet.objects.counting().get().made_from_sequence == document["sequence"]


def test_a_typed_result_locks_the_score_sheet(device: Device) -> None:
    factories.play(first(device.table))
    document = device.document(hanchan=first(device.table).pk)
    assert (document["phase"], document["you"]["may_enter"]) == ("typed", False)
    assert device.post("events", **batch(first(device.table))).status_code == 403


def batch(hanchan: Hanchan) -> dict[str, Any]:
    """Return the body of a request with one entry after the start."""
    (riichi,) = entered(RIICHI)
    return {
        "hanchan": hanchan.pk,
        "after": 1,
        "events": [{"client_id": riichi.client_id, "kind": riichi.kind, "payload": dict(riichi.payload)}],
    }


def test_the_submitted_sheet_has_the_scores_of_the_document(device: Device) -> None:
    device.enter(RIICHI, {"type": "draw", "tenpai": [1]}, RON)
    document = device.document()
    device.post("submit", sequence=document["sequence"], ended_by_time=True)
    sheet = ResultSheet.objects.get()
    entry = SheetEntry.of_sheet(sheet)
    assert [seat.score for seat in entry.seats] == [seat["score"] for seat in document["seats"]]
    assert entry.kyoutaku == document["round"]["deposits"]


# ---------------------------------------------------------------- advice

LAST_KYOKU: Json = {
    "type": "ruling",
    "reason": "as it stood",
    "goes_on": {"round": "E", "number": 4, "honba": 0},
}


def reads_advice(device: Device) -> bool:
    """Return True if the device's document contains advice."""
    return device.document()["advice"] is not None


def test_in_a_league_a_device_with_a_link_gets_no_advice(table: TableSession) -> None:
    write(begun(table), *entered(LAST_KYOKU))
    staff = Device.of_user(table, factories.user("boss", Role.DIRECTOR, table.competition))
    by_link = (Device.of_scorer(table), *phones(table)[:1])
    for advice, expected in (("staff", True), ("public", True), ("nowhere", False)):
        Competition.objects.update(advice=advice)
        assert reads_advice(staff) is expected
        assert not any(reads_advice(device) for device in by_link)


def test_a_director_who_opened_a_link_gets_no_advice_on_that_device(table: TableSession) -> None:
    write(begun(table), *entered(LAST_KYOKU))
    device = Device.of_scorer(table)
    device.client.force_login(factories.user("boss", Role.DIRECTOR, table.competition))
    token_device = Device.of_scorer(table)
    token_device.client.force_login(factories.user("other", Role.DIRECTOR, table.competition))
    assert token_device.document()["advice"] is None


def test_advice_ends_with_the_result(table: TableSession) -> None:
    hanchan = begun(table)
    write(hanchan, *entered(LAST_KYOKU))
    staff = Device.of_user(table, factories.user("boss", Role.DIRECTOR, table.competition))
    factories.play(hanchan)
    assert staff.document(hanchan=hanchan.pk)["advice"] is None


def test_at_an_open_table_public_advice_includes_devices_with_links() -> None:
    table = open_table("banchi4")
    write(begun(table), *entered(LAST_KYOKU))
    device = Device.of_scorer(table)
    assert not reads_advice(device)
    Competition.objects.update(advice="public")
    assert reads_advice(device)


def test_a_referee_finds_the_penalties_of_the_book_on_the_sheet_and_a_scorer_does_not(
    device: Device, table: TableSession
) -> None:
    rules = first(table).rules
    late = 'key = "late"\ntitle = { ja = "遅刻", en = "Late" }\nleast = 1\nmost = 20\nstep = 1\nclauses = ["B4-001"]\n'
    text = f"{rules.ruleset.text}\n[[settlement.penalties]]\n{late}"
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, text)
    rules.save()
    assert device.document()["penalties"] is None
    who = factories.user(role=Role.REFEREE, competition=table.competition, is_staff=True)
    referee = Device.of_user(table, who)
    found = referee.document()["penalties"]
    assert found["listed"] == ["Late 1.0 to 20.0 in steps of 1.0"]
    page = referee.client.get(found["url"], headers={"accept-language": "en"}).content.decode()
    assert "Late (1.0 to 20.0 in steps of 1.0)" in page
