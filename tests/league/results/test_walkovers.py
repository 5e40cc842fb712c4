"""Tests of walkovers: points for those who were there, and resuming the hanchan."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, Credit, Hanchan, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.access.readers import public_reader_of
from league.selectors.results.corrections import correction_page
from league.selectors.standings.decisions import given_by_block, leaving_kinds
from league.services.competitions.arrivals import record_no_show
from league.services.competitions.departures import withdraw
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import set_status
from league.services.results.results import resume_hanchan
from league.services.results.rulings import take_back
from league.services.results.walkovers import declare_walkover
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, actor, in_block, user
from tests.league.event import credited, event, main, seat_of

pytestmark = pytest.mark.django_db
WORTH = 'walkover = { by = "worth", worth = "10.0" }\nno_show = { by = "substitutes", points = "-15.0" }'


def test_all_who_were_there_get_the_worth_of_the_format_until_the_hanchan_is_taken_up_again() -> None:
    competition = event(WORTH)
    block, people = main(competition), in_block(main(competition))
    hanchan = seat_of(people[0], 1)
    record_no_show(block=block, number=1, entrant=people[0], by=SYSTEM, reason="not here")
    with pytest.raises(RuleViolationError, match="The format says"):
        declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut", points=0)
    declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")
    hanchan.refresh_from_db()
    assert hanchan.state == Hanchan.State.ABANDONED
    assert [credited(one) for one in people[:4]] == [
        [(1, "no_show", -150, None)], *([[(1, "walkover", 100, None)]] * 3),
    ]  # fmt: skip
    resume_hanchan(hanchan=hanchan, by=SYSTEM, reason="light again")
    hanchan.refresh_from_db()
    assert hanchan.state == Hanchan.State.SCHEDULED
    assert [kind for one in people for _number, kind, _points, _place in credited(one)] == ["no_show"]


def test_by_ruling_the_organizers_give_the_points() -> None:
    competition = event()
    hanchan = seat_of(in_block(main(competition))[0], 1)
    with pytest.raises(RuleViolationError, match="Enter the points"):
        declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")
    by = actor(user("scorer", Role.SCORER, competition))
    with pytest.raises(PermissionRefusedError):
        declare_walkover(hanchan=hanchan, by=by, reason="power cut", points=50)
    assert [each.points for each in declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut", points=50)] == [
        50
    ] * 4


def test_a_hanchan_with_a_result_is_no_walkover() -> None:
    competition = event(WORTH)
    hanchan = seat_of(in_block(main(competition))[0], 1)
    factories.play(hanchan)
    with pytest.raises(ConflictError, match="has a result"):
        declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")
    assert not Credit.objects.exists()


def test_the_public_learns_of_a_walkover_at_a_table_under_embargo_when_the_table_is_shown() -> None:
    competition = event(WORTH)
    hanchan = seat_of(in_block(main(competition))[0], 1)
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")
    factories.play(main(competition).hanchan.filter(number=1).exclude(pk=hanchan.pk)[0])

    def told() -> tuple[bool, set[int]]:
        publish_standings(competition.pk)
        competition.refresh_from_db()
        reader = public_reader_of(competition)
        credited = {entrant for by_entrant in given_by_block(reader).values() for entrant in by_entrant}
        return reader.changes().filter(kind="hanchan.walkover").exists(), credited

    assert told() == (False, set())
    hold_back(table_session=hanchan.table_session, until=None, by=SYSTEM)
    assert told()[1] == set(hanchan.seats.values_list("entrant", flat=True))


def test_a_walkover_at_a_table_under_embargo_that_is_taken_back_stays_off_the_public_corrections() -> None:
    competition = event(WORTH)
    hanchan = seat_of(in_block(main(competition))[0], 1)
    hold_back(table_session=hanchan.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    credit = declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")[0]
    take_back(decision=credit, competition=competition, by=SYSTEM, reason="was late")
    publish_standings(competition.pk)
    competition.refresh_from_db()
    assert correction_page(public_reader_of(competition)).rows == ()
    assert not competition.changes.get(kind="credit.taken_back").is_public
    hold_back(table_session=hanchan.table_session, until=None, by=SYSTEM)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    kinds = [row.change.kind for row in correction_page(public_reader_of(competition)).rows]
    assert kinds == ["credit.taken_back", "hanchan.walkover"]


def test_points_of_a_walkover_taken_back_while_a_result_is_held_back_stay_public_until_its_release() -> None:
    competition = event(WORTH)
    people = in_block(main(competition))
    hanchan = seat_of(people[0], 1)
    declare_walkover(hanchan=hanchan, by=SYSTEM, reason="power cut")
    held = main(competition).hanchan.filter(number=1).exclude(pk=hanchan.pk)[0]
    hold_back(table_session=held.table_session, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    factories.play(held)
    resume_hanchan(hanchan=hanchan, by=SYSTEM, reason="light again")

    def with_points() -> set[int]:
        publish_standings(competition.pk)
        competition.refresh_from_db()
        given = given_by_block(public_reader_of(competition)).values()
        return {entrant for by_entrant in given for entrant in by_entrant}

    assert with_points() == {seat.entrant_id for seat in hanchan.seats.all()}
    hold_back(table_session=held.table_session, until=None, by=SYSTEM)
    assert with_points() == set()


def test_an_absence_at_a_table_under_embargo_is_no_public_change() -> None:
    competition = event('no_show = { by = "substitutes" }')
    block, people = main(competition), in_block(main(competition))
    held = seat_of(people[0], 1).table_session
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    record_no_show(block=block, number=1, entrant=people[0], by=SYSTEM, reason="not here")
    assert not competition.changes.get(kind="entrant.no_show").is_public


def test_an_absence_that_counts_points_at_a_table_under_embargo_becomes_public_with_the_table() -> None:
    competition = event('no_show = { by = "substitutes", points = "-15.0" }')
    block, people = main(competition), in_block(main(competition))
    held = seat_of(people[0], 1).table_session
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)

    def told() -> tuple[list[str], set[int]]:
        publish_standings(competition.pk)
        competition.refresh_from_db()
        reader = public_reader_of(competition)
        credited = {entrant for by_entrant in given_by_block(reader).values() for entrant in by_entrant}
        return [row.change.kind for row in correction_page(reader).rows], credited

    mistaken = record_no_show(block=block, number=1, entrant=people[0], by=SYSTEM, reason="not here")
    assert mistaken
    factories.play(block.hanchan.filter(number=1).exclude(table_session=held)[0])
    assert told() == ([], set())
    take_back(decision=mistaken, competition=competition, by=SYSTEM, reason="late")
    factories.play(block.hanchan.filter(number=2)[0])
    assert told() == ([], set())
    record_no_show(block=block, number=1, entrant=people[0], by=SYSTEM, reason="not here")
    factories.play(block.hanchan.filter(number=2)[1])
    assert told() == ([], set())
    assert not competition.changes.filter(kind__in=("entrant.no_show", "credit.taken_back"), is_public=True).exists()
    hold_back(table_session=held, until=None, by=SYSTEM)
    assert told() == (["entrant.no_show", "credit.taken_back", "entrant.no_show"], {people[0].pk})


@pytest.mark.parametrize("points", ["", 'points = "-15.0", '], ids=["substitutes", "credits"])
def test_a_withdrawal_by_an_absence_at_a_table_under_embargo_becomes_public_with_the_table(points: str) -> None:
    competition = event(f'no_show = {{ by = "substitutes", {points}twice = "withdrawal" }}')
    block, entrant = main(competition), in_block(main(competition))[0]
    held = seat_of(entrant, 2).table_session
    hold_back(table_session=held, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)

    def told() -> tuple[list[str], bool, bool]:
        publish_standings(competition.pk)
        competition.refresh_from_db()
        reader = public_reader_of(competition)
        page = Client(headers={"accept-language": "en"}).get(f"/c/event/players/{entrant.player.key}/").content
        kinds = [row.change.kind for row in correction_page(reader).rows if row.change.kind != "entrant.no_show"]
        return kinds, entrant.pk in leaving_kinds(reader), b"withdrawn" in page

    for number in (1, 2):
        record_no_show(block=block, number=number, entrant=entrant, by=SYSTEM, reason="not here")
    departure = entrant.departures.get()
    factories.play(seat_of(in_block(block)[7], 1))
    assert told() == ([], False, False)
    assert not competition.changes.get(kind="entrant.withdrawn").is_public
    take_back(decision=departure, competition=competition, by=SYSTEM, reason="called")
    assert told() == ([], False, False)
    assert not competition.changes.get(kind="departure.taken_back").is_public
    withdraw(entrant=entrant, by=SYSTEM, reason="has left")
    assert told() == ([], False, False)
    hold_back(table_session=held, until=None, by=SYSTEM)
    assert told() == (["entrant.withdrawn", "departure.taken_back", "entrant.withdrawn"], True, True)


def test_pages_whose_actions_a_closed_competition_refuses_say_so_before_anything_is_typed(admin_client: Client) -> None:
    competition = event('no_show = { by = "substitutes", points = "-15.0" }')
    entrant = in_block(main(competition))[0]
    hanchan = seat_of(entrant, 1)
    paths = [f"hanchan/{hanchan.pk}/{name}/" for name in ("walkover", "abandon", "substitute")]
    paths += [f"entrant/{entrant.pk}/{name}/" for name in ("no-show", "withdraw", "disqualify")]
    paths += [f"competition/{competition.pk}/late/", f"block/{main(competition).pk}/adjust/"]
    for path in paths:
        assert b'name="reason"' in admin_client.get(f"/admin/league/{path}").content
    set_status(competition=competition, status=Competition.Status.CLOSED, by=SYSTEM)
    for path in paths:
        page = admin_client.get(f"/admin/league/{path}").content.decode()
        assert 'name="reason"' not in page
        assert f"/admin/league/competition/{competition.pk}/publish/" in page
    # Closed while the form was open: what was typed stays.
    typed = admin_client.post(f"/admin/league/hanchan/{hanchan.pk}/abandon/", {"reason": "停電"})
    assert (typed.status_code, "停電" in typed.content.decode()) == (422, True)
