"""Tests that an entrant who withdrew is named so wherever standings are shown, and ranks as the format says."""

from __future__ import annotations

import csv
import datetime as dt
import io

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, Entrant, Standing, TableSession
from league.selectors.access.readers import Reader
from league.selectors.standings.explanations import explanations
from league.selectors.standings.tables import block_tables
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back
from league.services.results.rulings import take_back
from league.services.standings.publishing import publish_standings
from scoring.tiebreak import TOTAL_ONLY
from tests.factories import SYSTEM, final_table, in_block, play, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def final() -> Competition:
    """Play one hanchan of a final, after which the winner withdraws."""
    competition = final_table()
    play(table(competition.blocks.get()).hanchan.get(round=1))
    withdraw(entrant=winner_of(competition), by=SYSTEM, reason="moved abroad")
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def winner_of(competition: Competition) -> Entrant:
    return in_block(competition.blocks.get())[0]


def text(path: str) -> str:
    return Client(headers={"accept-language": "en"}).get(path).content.decode()


@pytest.mark.both_databases
def test_standings_name_the_entrant_who_withdrew_and_leave_the_rank_to_the_results(final: Competition) -> None:
    for path in ("/c/final/", "/c/final/blocks/final/", "/c/final/projector/", "/embed/final/standings/"):
        assert text(path).count("withdrawn") == 1, path
    rows = Client().get("/api/v1/standings/?competition=final").json()["blocks"][0]["rows"]
    assert [(row["rank"], row["status"]) for row in rows] == [
        (1, "withdrawn"),
        (2, "playing"),
        (3, "playing"),
        (4, "playing"),
    ]
    exported = Client(headers={"accept-language": "en"}).get("/c/final/standings.csv").getvalue().decode("utf-8-sig")
    read = list(csv.reader(io.StringIO(exported)))
    assert read[0][-1] == "status"
    assert [line[-1] for line in read[1:]] == ["withdrawn", "", "", ""]


def test_a_departure_while_a_result_is_held_back_is_told_together_with_it() -> None:
    competition = final_table()
    block, winner = competition.blocks.get(), winner_of(competition)
    play(table(block, numbers=(1,)).hanchan.get())
    held = table(block, numbers=(2,), public_at=timezone.now() + dt.timedelta(days=1))
    play(held.hanchan.get(), (40000, 30000, 20000, 10000))
    withdraw(entrant=winner, by=SYSTEM, reason="moved abroad")
    play(table(block, numbers=(3,)).hanchan.get(), (38000, 32000, 20000, 10000))
    publish_standings(competition.pk)
    own = f"/c/final/players/{winner.player.key}/"
    paths = ("/c/final/", "/c/final/blocks/final/", "/c/final/players/", own)
    for path in paths:
        assert "withdrawn" not in text(path), path
    hold_back(table_session=held, until=None, by=SYSTEM)
    publish_standings(competition.pk)
    for path in paths:
        assert "withdrawn" in text(path), path


def taken_back_beside_a_held_result() -> TableSession:
    """Return the table held back in a final whose winner withdrew before its result and stays after it."""
    competition = final_table()
    block = competition.blocks.get()
    play(table(block, numbers=(1,)).hanchan.get())
    departure = withdraw(entrant=winner_of(competition), by=SYSTEM, reason="moved abroad")
    held = table(block, numbers=(2,), public_at=timezone.now() + dt.timedelta(days=1))
    play(held.hanchan.get(), (40000, 30000, 20000, 10000))
    take_back(decision=departure, competition=competition, by=SYSTEM, reason="stays after all")
    publish_standings(competition.pk)
    return held


def test_a_departure_taken_back_while_a_result_is_held_back_is_told_until_the_release() -> None:
    held = taken_back_beside_a_held_result()
    competition = held.competition
    winner = winner_of(competition)
    paths = ("/c/final/", "/c/final/blocks/final/", f"/c/final/players/{winner.player.key}/")
    for path in paths:
        assert "withdrawn" in text(path), path
    hold_back(table_session=held, until=None, by=SYSTEM)
    publish_standings(competition.pk)
    for path in paths:
        assert "withdrawn" not in text(path), path


def test_a_departure_taken_back_while_a_result_is_held_back_is_told_behind_the_guard_too() -> None:
    winner = winner_of(taken_back_beside_a_held_result().competition)
    guarded = Client(headers={"accept-language": "en"})
    guarded.get("/c/final/", {"until": 1})
    for path in ("/c/final/", "/c/final/blocks/final/", f"/c/final/players/{winner.player.key}/"):
        assert "withdrawn" in guarded.get(path).content.decode(), path


def test_behind_the_guard_a_departure_counts_until_the_first_hidden_result() -> None:
    competition = final_table()
    block, winner = competition.blocks.get(), winner_of(competition)
    play(table(block, numbers=(1,)).hanchan.get())
    departure = withdraw(entrant=winner, by=SYSTEM, reason="moved abroad")
    hidden = create_session(competition=competition, by=SYSTEM)
    fixture = Fixture(block=block, numbers=(2,), entrants=tuple(in_block(block)))
    later = create_table_session(session=hidden, fixture=fixture, by=SYSTEM)
    guarded = Client(headers={"accept-language": "en"})
    guarded.get("/c/final/", {"until": 1})
    play(later.hanchan.get(), (40000, 30000, 20000, 10000))
    take_back(decision=departure, competition=competition, by=SYSTEM, reason="stays after all")
    publish_standings(competition.pk)
    for path in ("/c/final/", "/c/final/blocks/final/", f"/c/final/players/{winner.player.key}/"):
        assert "withdrawn" in guarded.get(path).content.decode(), path
        assert "withdrawn" not in text(path), path


def test_the_slip_marks_a_seat_planned_for_an_entrant_who_withdrew(final: Competition, client: Client) -> None:
    client.force_login(User.objects.create_superuser("chief"))
    slips = client.get(f"/admin/league/session/{final.sessions.get().pk}/slips/", headers={"accept-language": "en"})
    assert [paper.people[0].name for paper in slips.context["papers"]] == ["Player final1 (withdrawn)"]


def test_an_entrant_without_a_rank_has_a_dash_no_gap_and_no_explanation(final: Competition) -> None:
    Standing.objects.filter(entrant=winner_of(final)).update(is_ranked=False, position=5)
    (found,) = block_tables(Reader(final, Audience.PUBLIC, final.public_version))
    last = found.lines[-1]
    assert (last.standing.shown_rank, last.gap_to_above) == ("–", None)
    assert len(explanations(found, {}, TOTAL_ONLY)) == 2
