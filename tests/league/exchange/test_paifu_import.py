"""Tests of the import of online games: players and hanchan found, hands and result written, each refusal named."""

from __future__ import annotations

import pytest

from league.models import Hanchan, ResultSheet
from league.selectors.live.log import log_of
from tests.league.online import applied, game, named, online_league, outcomes, scorer, table_of

pytestmark = pytest.mark.django_db


def test_a_game_becomes_the_log_and_the_result_of_the_hanchan_of_its_players() -> None:
    competition = online_league()
    table = table_of(competition)
    by, played = scorer(competition), game(1, named(competition))
    batch = applied(competition, played, by=by)
    assert outcomes(batch) == [("imported", [])]
    hanchan = table.hanchan.get(round=1)
    log = log_of(hanchan)
    assert [result.changes() for result in log.game.kyoku] == [kyoku.deltas for kyoku in played.hands]
    sheet = ResultSheet.objects.counting_of(hanchan)
    assert sheet is not None
    assert [seat.final_score for seat in sheet.seats.order_by("seat")] == list(played.final_scores)
    assert sheet.made_from_sequence == log.sequence
    assert hanchan.state == Hanchan.State.FINISHED
