"""Tests of entrants who leave: withdrawal, disqualification, and taking them back."""

from __future__ import annotations

import pytest

from league.models import Credit, Departure, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.services.competitions.departures import disqualify, withdraw
from league.services.competitions.editing import TableWords, edit_table_session
from league.services.results.results import abandon_hanchan
from league.services.results.rulings import take_back
from tests.factories import SYSTEM, actor, in_block, league, seated, user
from tests.league.paired_league import event_with_byes, pair

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_withdrawal_is_recorded_with_its_reason() -> None:
    season = league()
    entrant = in_block(season.blocks.get(key="A"))[0]
    withdraw(entrant=entrant, by=SYSTEM, reason="moved abroad")
    entrant.refresh_from_db()
    change = season.changes.get(kind="entrant.withdrawn")
    departure = Departure.objects.standing().get()
    assert entrant.withdrawn_at == departure.at
    assert (departure.kind, departure.made_n, change.reason) == ("withdrawn", change.n, "moved abroad")
    with pytest.raises(ConflictError, match="has left already: withdrawn \\(moved abroad\\)"):
        disqualify(entrant=entrant, by=SYSTEM, reason="late")


def test_a_withdrawal_needs_a_reason_and_a_director() -> None:
    season = league()
    entrant = in_block(season.blocks.get(key="A"))[0]
    with pytest.raises(RuleViolationError) as refused:
        withdraw(entrant=entrant, by=SYSTEM, reason=" ")
    assert [finding.pointer for finding in refused.value.findings] == ["/reason"]
    referee = actor(user("referee", Role.REFEREE, season))
    for leave in (withdraw, disqualify):
        with pytest.raises(PermissionRefusedError):
            leave(entrant=entrant, by=referee, reason="ill")
    entrant.refresh_from_db()
    assert entrant.withdrawn_at is None


def test_an_entrant_whose_departure_is_taken_back_plays_on_and_may_leave_again() -> None:
    entrant = in_block(league().blocks.get(key="A"))[0]
    first = disqualify(entrant=entrant, by=SYSTEM, reason="phone at the table")
    take_back(decision=first, competition=first.entrant.competition, by=SYSTEM, reason="it was another player")
    entrant.refresh_from_db()
    assert entrant.withdrawn_at is None
    withdraw(entrant=entrant, by=SYSTEM, reason="ill")
    assert list(Departure.objects.order_by("made_n").values_list("kind", "reason")) == [
        ("disqualified", "phone at the table"), ("withdrawn", "ill"),
    ]  # fmt: skip
    assert Departure.objects.standing().get().kind == "withdrawn"


@pytest.mark.parametrize("is_cancelled", [True, False])
def test_a_departure_gives_no_byes_to_those_of_a_table_that_is_not_played(*, is_cancelled: bool) -> None:
    block = event_with_byes(9)
    pair(block, 1)
    (bye,) = Credit.objects.all()
    off, other = block.hanchan.filter(number=1).order_by("pk")
    if is_cancelled:
        words = TableWords(table=off.table_session.table, is_cancelled=True)
        edit_table_session(table_session=off.table_session, words=words, by=SYSTEM)
    else:
        abandon_hanchan(hanchan=off, by=SYSTEM, reason="power cut")
    withdraw(entrant=seated(other)[0], by=SYSTEM, reason="ill")
    assert list(Credit.objects.standing()) == [bye]
