"""The bracket and the schedule for programs that draw them: moments, dates, numbers, layout, hanchan not played."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from league.models import Competition, Credit, Entrant, Hanchan, MoveDecision, ResultSheet, Role, TableSession
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import hold_back
from league.services.operations.sweep import sweep
from league.services.results.results import void_hanchan
from league.services.seasons.moves import decide_move
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.event import event, main, seat_of
from tests.league.paired_league import event_with_byes, on_withdrawal, pair, play_round
from tests.league.played_season import almost_finished
from tests.league.seasons.pyramid import play, series_of_two, tiers

pytestmark = pytest.mark.django_db

START = dt.datetime(2026, 10, 2, 20, 30, tzinfo=dt.UTC)
"""In Tokyo the third of October."""
TIMES = ("started_at", "finished_at", "published_at")
REVERSED = factories.SCORES[::-1]


@pytest.fixture
def played() -> TableSession:
    """Return a table of block A with one result and one hanchan to come, published."""
    league = factories.league()
    table = factories.table(league.blocks.get(key="A"), numbers=(1, 2), starts_at=START)
    factories.play(table.hanchan.get(round=1))
    publish_standings(league.pk)
    return table


def bracket(api: Api, slug: str = "spring") -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"competitions/{slug}/bracket/")
    return found


def times_of(api: Api, hanchan: Hanchan) -> tuple[str | None, ...]:
    """Return the moments of a hanchan, the same in the bracket, its own document and its table's."""
    (one,) = (each for each in bracket(api)["hanchan"] if each["id"] == str(hanchan.pk))
    found = tuple(one[name] for name in TIMES)
    alone = api.get(f"hanchan/{hanchan.pk}/")
    table = api.get(f"table-sessions/{hanchan.table_session_id}/")
    (short,) = (each for each in table["hanchan"] if each["id"] == str(hanchan.pk))
    assert [tuple(each[name] for name in TIMES) for each in (alone, short)] == [found, found]
    return found


def in_tokyo(at: dt.datetime | None) -> str:
    assert at is not None
    return at.astimezone(dt.timezone(dt.timedelta(hours=9))).isoformat(timespec="seconds")


def age(sheet: ResultSheet, minutes: int) -> None:
    """Move the confirmation of a sheet into the past, so that moments differ by more than the seconds shown."""
    sheet.confirmed_at = timezone.now() - dt.timedelta(minutes=minutes)
    sheet.save()


def test_a_correction_moves_when_a_result_was_published_and_not_when_the_game_was_finished(
    played: TableSession,
) -> None:
    first, second = played.hanchan.order_by("round")
    age(first.sheets.get(), 10)
    factories.play(first, REVERSED, corrects=1, reason="typed wrongly")
    began, corrected = first.sheets.order_by("revision")
    publish_standings(played.competition_id)
    assert times_of(Api(), first) == (None, in_tokyo(began.confirmed_at), in_tokyo(corrected.confirmed_at))
    assert times_of(Api(), second) == (None, None, None)


def test_a_result_entered_again_after_it_was_voided_is_finished_by_the_new_one(played: TableSession) -> None:
    first = played.hanchan.get(round=1)
    age(first.sheets.get(), 10)
    void_hanchan(hanchan=first, by=factories.SYSTEM, reason="wrong table")
    publish_standings(played.competition_id)
    assert times_of(Api(), first) == (None, None, None)
    again = factories.play(first, REVERSED)
    publish_standings(played.competition_id)
    assert times_of(Api(), first) == (None, *[in_tokyo(again.confirmed_at)] * 2)


def test_a_table_is_finished_with_its_last_hanchan_and_begun_with_its_first(played: TableSession) -> None:
    first, second = played.hanchan.order_by("round")
    table = Api().get(f"table-sessions/{played.pk}/")
    assert [table[name] for name in TIMES] == [None, None, None]
    Hanchan.objects.filter(pk=first.pk).update(started_at=START)
    last = factories.play(second, REVERSED)
    publish_standings(played.competition_id)
    table = Api().get(f"table-sessions/{played.pk}/")
    assert [table[name] for name in TIMES] == [in_tokyo(START), *[in_tokyo(last.confirmed_at)] * 2]


@pytest.mark.both_databases
def test_a_result_held_back_is_finished_for_the_staff_and_published_by_its_release(played: TableSession) -> None:
    reader = Api(factories.user("reader", Role.READER, played.competition))
    hold_back(table_session=played, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    hidden = factories.play(played.hanchan.get(round=2), REVERSED)
    age(hidden, 10)
    publish_standings(played.competition_id)
    assert bracket(Api())["hanchan"] == []
    assert bracket(Api())["table_sessions"] == []
    assert times_of(reader, hidden.hanchan) == (None, in_tokyo(hidden.confirmed_at), None)
    TableSession.objects.update(public_at=timezone.now())
    sweep()
    released = played.competition.changes.get(kind="table_session.released").at
    assert times_of(Api(), hidden.hanchan) == (None, in_tokyo(hidden.confirmed_at), in_tokyo(released))
    assert times_of(reader, hidden.hanchan) == times_of(Api(), hidden.hanchan)


def test_tables_are_numbered_in_their_session_and_dated_in_the_zone_of_the_competition(played: TableSession) -> None:
    block = played.block
    other = factories.table(played.competition.blocks.get(key="B"), numbers=(1,), table="feature table")
    again = factories.in_block(block)[:4]
    moved = factories.table(block, again, numbers=(3,), starts_at=START)
    moved.hanchan.update(round=5)
    publish_standings(played.competition_id)
    found = bracket(Api())
    numbers = {row["id"]: (row["table_number"], row["date"], row["table"]) for row in found["table_sessions"]}
    assert numbers[str(played.pk)] == (1, "2026-10-03", "")
    assert numbers[str(other.pk)] == (2, None, "feature table")
    assert numbers[str(moved.pk)][0] == 1, "seated anew for a later round"
    assert [row["date"] for row in found["sessions"]] == ["2026-10-03"]
    listed = Api().get("table-sessions/", competition="spring")["results"]
    assert {row["id"]: (row["table_number"], row["date"], row["table"]) for row in listed} == numbers
    assert [row["date"] for row in Api().get("sessions/", competition="spring")["results"]] == ["2026-10-03"]


def test_the_final_rank_of_all_entrants_is_null_until_everything_is_decided() -> None:
    season = almost_finished()
    before = bracket(Api())
    assert {row["final_rank"] for row in before["entrants"]} == {None}
    season.play(TableSession.objects.latest("pk").hanchan.get(round=4))
    season.publish()
    after = bracket(Api())
    ranks = {row["id"]: row["final_rank"] for row in after["entrants"]}
    assert [1 + sum(other < rank for other in ranks.values()) for rank in ranks.values()] == [*ranks.values()]
    assert len(ranks) == 16
    assert ranks[after["champion"]["entrant"]] == 1
    final = next(block for block in after["blocks"] if block["key"] == "final")
    first = next(row for row in after["entrants"] if row["final_rank"] == 1)
    assert first["placed_by"] == {"stage": final["stage"], "block": final["id"], "rank": 1}
    last = max(after["entrants"], key=lambda row: row["final_rank"])
    assert last["placed_by"]["stage"] == after["stages"][0]["id"]


def test_each_rank_that_leads_on_names_its_slot_and_every_block_has_a_cell() -> None:
    almost_finished()
    found = bracket(Api())
    slots = {row["id"]: row for row in found["slots"]}
    blocks = {row["key"]: row for row in found["blocks"]}
    assert [stage["column"] for stage in found["stages"]] == [*range(len(found["stages"]))]
    cells = {(block["column"], block["row"]) for block in blocks.values()}
    assert len(cells) == len(blocks)
    assert (blocks["A"]["column"], blocks["A"]["row"], blocks["B"]["row"]) == (0, 0, 1)
    sources = {}
    for key, block in blocks.items():
        for place in block["places"]:
            for lead in place["advances_to"]:
                if lead["how"] == "rank":
                    assert (slots[lead["slot"]]["block"], lead["stage"]) == (lead["block"], stage_of(found, lead))
                    sources[slots[lead["slot"]]["source"]] = f"{key}#{place['rank']}"
    assert sources == {source: source for source in sources}
    assert set(sources) == {
        row["source"] for row in slots.values() if "#" in row["source"] and ":" not in row["source"]
    }
    (title,) = (lead for place in blocks["final"]["places"] for lead in place["advances_to"])
    nowhere = {"stage": None, "block": None, "slot": None, "tier": None, "destination": None}
    assert title == {"how": "title", **nowhere}
    tables = [(row["block"], row["column"], row["row"]) for row in found["table_sessions"]]
    assert len(set(tables)) == len(tables)
    assert all(column == block_of(found, pk)["column"] for pk, column, _row in tables)


def moves_in(found: dict[str, Any]) -> dict[int, tuple[str, str]]:
    """Return tier and destination of each rank that leads into the next term, in a tier of one block."""
    (block,) = found["blocks"]
    leads = [(place["rank"], lead) for place in block["places"] for lead in place["advances_to"]]
    assert {rank for rank, lead in leads if lead["how"] == "title"} <= {1}
    return {rank: (lead["tier"], lead["destination"]["key"]) for rank, lead in leads if lead["how"] == "move"}


def test_in_a_tier_each_rank_names_its_move_into_the_next_term_before_a_game_is_played() -> None:
    by_tier = tiers(series_of_two().terms.get())
    upper, lower = (bracket(Api(), by_tier[tier].slug) for tier in "AB")
    stays = ("A", "stay:A")
    assert moves_in(upper) == {1: stays, 2: stays, 3: stays, 4: ("B", "down:B")}
    assert moves_in(lower) == {1: ("A", "up:A"), **dict.fromkeys((2, 3, 4), ("B", "same:B"))}
    _title, move = lower["blocks"][0]["places"][0]["advances_to"]
    assert move["destination"]["label"]["en"] == "promotion to League A"
    assert (move["stage"], move["block"], move["slot"]) == (None, None, None)


def test_the_moves_of_ranks_are_those_of_the_standings_and_no_decision_changes_them() -> None:
    series = series_of_two()
    lower = tiers(series.terms.get())["B"]
    play(lower)
    before = moves_in(bracket(Api(), lower.slug))
    (block,) = Api().get("standings/", competition=lower.slug)["blocks"]
    assert {row["rank"]: row["destination"]["key"] for row in block["rows"]} == {
        rank: key for rank, (_tier, key) in before.items()
    }
    first = lower.entrants.get(number=1).player
    decide_move(
        term=series.terms.get(), player=first, kind=MoveDecision.Kind.DECLINED, reason="moves", by=factories.SYSTEM
    )
    publish_standings(lower.pk)
    (block,) = Api().get("standings/", competition=lower.slug)["blocks"]
    assert block["rows"][0]["destination"]["key"] == "declined:B"
    assert moves_in(bracket(Api(), lower.slug)) == before


def test_outside_a_series_no_rank_names_a_move() -> None:
    almost_finished()
    leads = [lead for block in bracket(Api())["blocks"] for place in block["places"] for lead in place["advances_to"]]
    assert leads
    assert "move" not in {lead["how"] for lead in leads}


def stage_of(found: dict[str, Any], lead: dict[str, Any]) -> str:
    return str(block_of(found, lead["block"])["stage"])


def block_of(found: dict[str, Any], pk: str) -> dict[str, Any]:
    return next(block for block in found["blocks"] if block["id"] == pk)


def test_a_bye_is_listed_before_its_round_is_played_and_then_with_its_worth() -> None:
    block = event_with_byes(9, on_withdrawal())
    pair(block, 1)
    publish_standings(block.competition_id)
    (bye,) = bracket(Api(), "open")["rounds_not_played"]
    resting = str(Credit.objects.standing().get().entrant_id)
    assert (bye["block"], bye["entrant"], bye["kind"]) == (str(block.pk), resting, "bye")
    assert (bye["counts"], bye["points"], bye["number"]) == (False, None, 1)
    play_round(block, 1)
    publish_standings(block.competition_id)
    (bye,) = bracket(Api(), "open")["rounds_not_played"]
    assert (bye["entrant"], bye["counts"], bye["points"]) == (resting, True, "0.0")


def test_an_entrant_who_left_has_the_moment_the_block_and_the_hanchan_played() -> None:
    block = event_with_byes(9, on_withdrawal())
    pair(block, 1)
    play_round(block, 1)
    gone = Entrant.objects.filter(results__sheet__state="confirmed").order_by("pk")[0]
    departure = withdraw(entrant=gone, by=factories.SYSTEM, reason="ill")
    publish_standings(block.competition_id)
    (row,) = (each for each in bracket(Api(), "open")["entrants"] if each["departure"])
    assert row["id"] == str(gone.pk)
    assert row["departure"] == {
        "kind": "withdrawn",
        "at": in_tokyo(departure.at),
        "block": str(block.pk),
        "played": 1,
    }
    assert (row["withdrawn_at"], row["status"]) == (in_tokyo(departure.at), "withdrawn")


def test_seats_say_who_was_absent_and_which_table_did_not_play() -> None:
    competition = event()
    director = Api(factories.user("director", Role.DIRECTOR, competition))
    here, there = factories.in_block(main(competition))[0], factories.in_block(main(competition))[-1]
    absent, walkover = seat_of(here, 1), seat_of(there, 1)
    assert absent.pk != walkover.pk
    body = {"entrant": str(here.pk), "reason": "Not here", "points": "-30", "is_last": True}
    director.post(f"hanchan/{absent.pk}/no-show/", body, status=200)
    director.post(f"hanchan/{walkover.pk}/walkover/", {"reason": "Power cut", "points": "5.0"}, status=200)
    publish_standings(competition.pk)
    found = bracket(Api(), "event")
    kinds = {row["id"]: {seat["not_played"] for seat in row["seats"]} for row in found["hanchan"]}
    assert kinds[str(walkover.pk)] == {"walkover"}
    assert kinds[str(absent.pk)] == {None}, "a house player plays for no entrant"
    assert {(row["table"], row["table_number"]) for row in found["table_sessions"]} == {("1", 1), ("2", 2)}


def test_a_departure_hidden_with_a_result_under_embargo_shows_no_moment(played: TableSession) -> None:
    hold_back(table_session=played, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    factories.play(played.hanchan.get(round=2), REVERSED)
    withdraw(entrant=factories.seated(played.hanchan.get(round=1))[3], by=factories.SYSTEM, reason="ill")
    league = Competition.objects.get(pk=played.competition_id)
    factories.entrants(league, 1, "late")
    publish_standings(league.pk)
    assert not [row for row in bracket(Api())["entrants"] if row["withdrawn_at"] or row["departure"]]
    reader = Api(factories.user("reader", Role.READER, league))
    assert [row["status"] for row in bracket(reader)["entrants"] if row["departure"]] == ["withdrawn"]
