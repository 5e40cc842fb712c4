"""Tests of the document with the needs of each seat in the running kyoku, for score sheet, overlay and REST."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Audience, Competition, Hanchan, Role
from league.selectors.access.readers import Reader
from league.selectors.live.last_kyoku import last_kyoku_document
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.results.rulings import pass_over
from league.services.standings.publishing import publish_standings
from league.wording.names import Names
from league.wording.standings.last_kyoku import Teller
from scoring.kyoku.state import State
from scoring.last_kyoku import Outcomes, Place, answers
from scoring.ruleset.end import RoundName
from tests.factories import SYSTEM, final_table, in_block, league, play, seated, table, user
from tests.league.tables import Device, entered, event, write

pytestmark = pytest.mark.django_db


def scores_of(number: int) -> tuple[int, ...]:
    """Return scores with the same places but different values for each hanchan."""
    return 40000 + 100 * number, 30000, 20000, 10000 - 100 * number


def last_hanchan(competition: Competition) -> Hanchan:
    """Return the fourth and last hanchan of a single table; the first three are played."""
    session = table(competition.blocks.get(), tuple(in_block(competition.blocks.get())))
    games = list(session.hanchan.order_by("round"))
    for hanchan in games[:-1]:
        play(hanchan, scores_of(hanchan.number))
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return games[-1]


def reader_of(competition: Competition, audience: Audience = Audience.STAFF) -> Reader:
    competition.refresh_from_db()
    version = competition.computed_version if audience == Audience.STAFF else competition.public_version
    return Reader(competition, audience, version)


def document(hanchan: Hanchan, state: State, audience: Audience = Audience.STAFF) -> dict[str, Any]:
    rules = ruleset_of(hanchan.rules, hanchan.options)
    return last_kyoku_document(hanchan, state, rules, reader_of(hanchan.table_session.competition, audience))


def orasu(*scores: int) -> State:
    return State(scores, RoundName.SOUTH, 4)


def goal(found: dict[str, Any], seat: int, code: str, **params: object) -> dict[str, Any]:
    goals: list[dict[str, Any]] = found["seats"][seat]["goals"]
    return next(each for each in goals if each["code"] == code and params.items() <= each["params"].items())


def test_the_document_of_a_kyoku_that_cannot_end_the_game_is_empty() -> None:
    hanchan = last_hanchan(final_table())
    found = document(hanchan, State((25000,) * 4, RoundName.EAST, 1))
    assert found == {"may_end": False, "is_near_end": False, "reasons": [], "seats": []}


def test_the_document_lists_the_needs_of_every_seat_in_words_and_in_parts() -> None:
    hanchan = last_hanchan(final_table())
    found = document(hanchan, orasu(34900, 25000, 20100, 20000))
    assert (found["may_end"], found["is_near_end"], found["reasons"]) == (True, True, ["last_hand"])
    assert [each["name"] for each in found["seats"]] == [f"Player final{number}" for number in (1, 2, 3, 4)]
    win = goal(found, 1, "place", place=1)
    assert win["needed"] == "tsumo mangan, direct hit 5,200, from the others 12,000 (haneman)"
    assert (win["status"], win["text"]) == ("some_wins", "to win the game")
    by_hit = next(way for way in win["ways"] if way["losers"] == [0])
    reached = next(run for run in by_hit["runs"] if run["verdict"] == "reached")
    assert (reached["first"]["points"], reached["first"]["fu"], reached["first"]["han"]) == (5200, 40, 3)
    assert reached["last"] is None
    missed = next(run for run in by_hit["runs"] if run["verdict"] == "missed")
    assert (missed["last"]["points"], missed["last"]["text"]) == (4500, "4,500")
    assert win["draw"] == ["no draw will do"]
    assert {"tenpai": [1], "verdict": "missed", "is_choice": False} in win["draws"]
    assert [each["seat"] for each in win["others"]] == [0, 2, 3]


def test_in_the_last_hanchan_of_the_block_advancing_is_a_goal_with_its_destination() -> None:
    hanchan = last_hanchan(final_table())
    found = document(hanchan, orasu(34900, 25000, 20100, 20000))
    title = goal(found, 3, "advance")
    assert (title["params"], title["text"]) == ({"places": 1}, "champion")
    # About 50.1 against 10.0 in each of three hanchan: the second is 120.0 behind and needs more than one yakuman.
    assert goal(found, 0, "advance")["needed"] == "any win will do"
    assert "double yakuman" in goal(found, 0, "advance")["others"][0]["text"]
    assert title["status"] == "goes_on"
    assert title["waiting"] == []


def test_before_the_last_hanchan_advancing_is_no_goal() -> None:
    competition = final_table()
    session = table(competition.blocks.get(), tuple(in_block(competition.blocks.get())))
    found = document(session.hanchan.get(round=1), orasu(34900, 25000, 20100, 20000))
    assert "advance" not in {each["code"] for each in found["seats"][0]["goals"]}


def test_a_postponed_hanchan_to_come_makes_the_last_numbered_one_no_last_hanchan() -> None:
    block = league().blocks.get(key="A")
    last = block.stage.hanchan_count
    assert last is not None
    games = list(table(block, numbers=tuple(range(1, last + 1))).hanchan.order_by("number"))
    for hanchan in (*games[:2], *games[3:-1]):
        play(hanchan, scores_of(hanchan.number))
    publish_standings(block.competition_id)
    found = document(games[-1], orasu(34900, 25000, 20100, 20000))
    assert "advance" not in {each["code"] for each in found["seats"][0]["goals"]}
    play(games[2], scores_of(3))
    publish_standings(block.competition_id)
    found = document(games[-1], orasu(34900, 25000, 20100, 20000))
    assert "advance" in {each["code"] for each in found["seats"][0]["goals"]}


def test_players_at_other_tables_that_can_still_change_the_outcome_are_named() -> None:
    competition = league()
    block = competition.blocks.get(key="A")
    people = in_block(block)
    last = block.stage.hanchan_count
    assert last is not None
    numbers = tuple(range(1, last + 1))
    one, other = table(block, people[:4], numbers), table(block, people[4:], numbers)
    for session in (one, other):
        for hanchan in session.hanchan.exclude(number=last):
            play(hanchan, scores_of(hanchan.number))
    publish_standings(competition.pk)
    found = document(one.hanchan.get(number=last), orasu(34900, 25000, 20100, 20000))
    advance = goal(found, 1, "advance")
    assert sorted(advance["waiting"]) == sorted(each.pk for each in people[4:])
    assert advance["waiting_text"].startswith("depends on results still to come: ")


def test_a_passed_over_player_removes_the_goal_of_advancing() -> None:
    competition = final_table()
    hanchan = last_hanchan(competition)
    pass_over(block=hanchan.block, entrant=seated(hanchan)[3], reason="Withdrew.", by=SYSTEM)
    publish_standings(competition.pk)
    found = document(hanchan, orasu(34900, 25000, 20100, 20000))
    assert "advance" not in {each["code"] for each in found["seats"][0]["goals"]}


def test_with_scores_that_cannot_be_settled_only_place_goals_remain() -> None:
    hanchan = last_hanchan(final_table())
    found = document(hanchan, orasu(34950, 24950, 20100, 20000))
    assert {each["code"] for each in found["seats"][0]["goals"]} == {"place"}


def test_the_document_needs_at_most_eight_queries() -> None:
    hanchan = last_hanchan(final_table())
    hanchan = Hanchan.objects.select_related("block__stage", "table_session__competition").get(pk=hanchan.pk)
    rules, reader = ruleset_of(hanchan.rules), reader_of(hanchan.table_session.competition)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        last_kyoku_document(hanchan, orasu(34900, 25000, 20100, 20000), rules, reader)
    assert len(queries) <= 8


def test_a_seat_that_cannot_declare_riichi_gets_no_text_about_draws_in_riichi() -> None:
    rules = ruleset_of(last_hanchan(final_table()).rules, {"riichi_min_score": True})
    outcomes = Outcomes(orasu(79900, 25000, -5100, 200), rules)
    teller = Teller(["A", "B", "C", "D"], str, Names({}, {}))
    found = answers(outcomes, (Place(1),), (3,))[0]
    assert teller.draws(found, found.draws_in_riichi) == []
    assert teller.waiting(found) == ""


def test_a_result_of_another_table_renews_the_needs_on_an_open_sheet() -> None:
    block = league().blocks.get(key="A")
    people = in_block(block)
    own, other = (table(block, four, numbers=range(1, 9)) for four in (people[:4], people[4:]))
    *before, last = own.hanchan.order_by("number")
    for hanchan in (*before, *other.hanchan.filter(number__lt=7)):
        play(hanchan, scores_of(hanchan.number))
    publish_standings(block.competition_id)
    there = {"type": "ruling", "reason": "as it stood", "goes_on": {"round": "S", "number": 4, "honba": 0}}
    write(last, event("start"), *entered(there))
    staff = Device.of_user(own, user("boss", Role.DIRECTOR, block.competition))
    scorer = Device.of_scorer(own)
    seen = [(device, device.document(hanchan=last.pk)) for device in (staff, scorer)]
    for hanchan in other.hanchan.filter(number__gte=7):
        play(hanchan, scores_of(hanchan.number))
    publish_standings(block.competition_id)
    polled = [device.get(hanchan=last.pk, after=found["version"]) for device, found in seen]
    assert [answer.status_code for answer in polled] == [200, 204]
    assert json.loads(polled[0].content)["advice"] != seen[0][1]["advice"]
