"""A whole event of open size: rounds by standing, entrants who do not come, come late or leave, a cut, a final."""

from __future__ import annotations

import pytest

from league.models import Audience, Credit, Entrant, Outcome, Pairing, Standing
from league.services.exchange.archives import standings_text
from tests.league.exchange.test_competition_export import assert_survives
from tests.league.tournament_day import Day, begun, by_standing

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
ROUNDS, CUT = 4, 8


def played_day(odd: str) -> Day:
    """Play the day of 24 entrants, of whom two do not come; one comes from round 2 on, one leaves after it."""
    day = begun(by_standing(ROUNDS, CUT, least=16, most=40, odd=odd), 24, no_shows=2)
    for number in range(1, ROUNDS + 1):
        if number == 2:
            day.arrive(1, first=number)
        if number == 3:
            day.leave(Entrant.objects.filter(pk=day.tables()[0][1][0]))
        day.run_round(number)
    return day


@pytest.mark.parametrize("odd", ["byes", "substitutes"])
def test_an_event_with_absences_arrivals_and_withdrawals_is_played_to_its_champion(odd: str) -> None:
    day = played_day(odd)
    pairings = list(Pairing.objects.standing().filter(block=day.main))
    assert [each.number for each in pairings] == list(range(1, ROUNDS + 1))
    assert all(each.is_optimal and not each.broken.get("met") for each in pairings)
    assert day.repeats() == 0
    standings = Standing.objects.filter(block=day.main, audience=Audience.STAFF).order_by("position")
    lines = list(standings.select_related("entrant"))
    assert len(lines) == 23
    assert not any(line.entrant.is_house for line in lines)
    gone = next(line for line in lines if line.status == "withdrawn")
    assert (gone.position, gone.played) == (23, 2)
    credits_ = Credit.objects.standing().filter(block=day.main)
    for line in lines:
        if line is not gone:
            assert line.played + credits_.filter(entrant=line.entrant).count() == ROUNDS
    late = credits_.get(kind=Credit.Kind.LATE)
    assert (late.number, late.points) == (1, 0)
    # 22 come, then 23, then one leaves: byes or house players fill the tables.
    assert credits_.filter(kind=Credit.Kind.BYE).count() == {"byes": 2 + 3 + 2 + 2, "substitutes": 0}[odd]
    day.draw("cut")
    going = {entrant for _table, entrants in day.tables("cut") for entrant in entrants}
    assert going == {line.entrant_id for line in lines[:CUT]}
    assert gone.entrant_id not in going
    for number in (1, 2):
        day.play("cut", number)
    day.draw("final")
    day.play("final", 1)
    outcome = Outcome.objects.get(competition=day.competition, audience=Audience.STAFF)
    assert outcome.champion_state == "certain"
    assert outcome.champion_id in going
    if odd == "byes":
        again = assert_survives(day.competition)
        assert standings_text(again) == standings_text(day.competition)
