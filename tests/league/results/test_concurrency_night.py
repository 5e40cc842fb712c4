"""Test two users who confirm, correct, rule or enter concurrently: one wins, the other's error names the change."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from league.models import Change, Competition, Hanchan, ResultSheet, Role, Ruling, SlipPhoto
from league.platform.errors import ConflictError, ServiceError
from league.services.results.photos import attach_photo
from league.services.results.results import abandon_hanchan, confirm_result, reject_result, void_hanchan
from league.services.results.rulings import rule_on_tie
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM, actor, in_block, league, play, table
from tests.league.results.test_concurrency import at_once, same_as_rebuilt
from tests.league.results.test_night import picture

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(answers: Sequence[object]) -> list[ServiceError]:
    return [answer for answer in answers if isinstance(answer, ServiceError)]


def directors(season: Competition) -> tuple[User, User, User]:
    one, two, three = (factories.user(name, Role.DIRECTOR, season) for name in ("ann", "ben", "cat"))
    return one, two, three


def numbers_are_whole(season: Competition) -> bool:
    season.refresh_from_db()
    rows = Change.objects.filter(competition=season).order_by("n").values_list("n", flat=True)
    return list(rows) == list(range(1, season.version + 1))


@pytest.fixture
def season() -> Competition:
    return league(confirmation=Competition.Confirmation.SECOND)


@pytest.fixture
def hanchan(season: Competition) -> Hanchan:
    return table(season.blocks.get(key="A")).hanchan.get(round=1)


def test_one_of_two_concurrent_confirmations_wins_and_the_other_error_names_the_user(
    season: Competition, hanchan: Hanchan
) -> None:
    ann, ben, cat = directors(season)
    sheet = play(hanchan, by=actor(ann))
    answers = at_once(
        lambda: confirm_result(sheet=sheet, by=actor(ben)), lambda: confirm_result(sheet=sheet, by=actor(cat))
    )
    (refused,) = refusals(answers)
    sheet.refresh_from_db()
    assert isinstance(refused, ConflictError)
    assert refused.findings[0].code == "sheet_not_waiting"
    assert sheet.confirmed_by
    assert sheet.confirmed_by.username in str(refused)
    assert numbers_are_whole(season)


def test_either_a_concurrent_confirmation_or_a_concurrent_rejection_wins(season: Competition, hanchan: Hanchan) -> None:
    ann, ben, cat = directors(season)
    sheet = play(hanchan, by=actor(ann))
    answers = at_once(
        lambda: confirm_result(sheet=sheet, by=actor(ben)),
        lambda: reject_result(sheet=sheet, by=actor(cat), reason="the wrong slip"),
    )
    (refused,) = refusals(answers)
    sheet.refresh_from_db()
    assert sheet.state in ("confirmed", "rejected")
    assert refused.findings[0].params["state"] == sheet.state
    assert numbers_are_whole(season)


def test_the_error_of_a_losing_correction_contains_the_winners_reason(season: Competition, hanchan: Hanchan) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.ONE)
    ann, ben, _cat = directors(season)
    play(hanchan)
    answers = at_once(
        lambda: play(hanchan, (41100, 30200, 18700, 10000), by=actor(ann), corrects=1, reason="read by ann"),
        lambda: play(hanchan, (41000, 30300, 18700, 10000), by=actor(ben), corrects=1, reason="read by ben"),
    )
    (refused,) = refusals(answers)
    counts = ResultSheet.objects.counting().get()
    assert refused.findings[0].code == "stale_revision"
    assert counts.reason in str(refused)
    assert ResultSheet.objects.filter(hanchan=hanchan).count() == 2
    assert same_as_rebuilt(season)


def test_a_concurrent_correction_and_voiding_lose_no_change(season: Competition, hanchan: Hanchan) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.ONE)
    ann, ben, _cat = directors(season)
    play(hanchan)
    answers = at_once(
        lambda: play(hanchan, (41100, 30200, 18700, 10000), by=actor(ann), corrects=1, reason="misread"),
        lambda: void_hanchan(hanchan=hanchan, by=actor(ben), reason="a tile was missing"),
    )
    assert len(refusals(answers)) <= 1
    assert numbers_are_whole(season)
    assert same_as_rebuilt(season)


def test_one_of_two_concurrent_rulings_on_a_tie_wins_and_the_other_error_names_it(season: Competition) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.ONE)
    ann, ben, _cat = directors(season)
    block = season.blocks.get(key="A")
    people = in_block(block)
    for four in (people[:4], people[4:]):
        play(table(block, four, numbers=(1,)).hanchan.get())
    publish_standings(season.pk)
    one, two = people[0], people[4]
    answers = at_once(
        lambda: rule_on_tie(competition=season, scope="A", order=[one, two], by=actor(ann), reason="a coin"),
        lambda: rule_on_tie(competition=season, scope="A", order=[two, one], by=actor(ben), reason="a die"),
    )
    (refused,) = refusals(answers)
    assert Ruling.objects.get().reason in str(refused)
    assert numbers_are_whole(season)


def test_two_concurrent_blind_entries_match(season: Competition, hanchan: Hanchan) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.BLIND)
    ann, ben, _cat = directors(season)
    answers = at_once(lambda: play(hanchan, by=actor(ann)), lambda: play(hanchan, by=actor(ben)))
    assert refusals(answers) == []
    assert ResultSheet.objects.counting().count() == 1
    assert ResultSheet.objects.count() == 2
    assert numbers_are_whole(season)


def test_either_a_concurrent_result_or_a_concurrent_abandonment_wins(season: Competition, hanchan: Hanchan) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.ONE)
    ann, ben, _cat = directors(season)
    answers = at_once(
        lambda: play(hanchan, by=actor(ann)),
        lambda: abandon_hanchan(hanchan=hanchan, by=actor(ben), reason="fire alarm"),
    )
    (refused,) = refusals(answers)
    assert refused.findings[0].code in ("hanchan_abandoned", "hanchan_has_result")
    hanchan.refresh_from_db()
    assert (hanchan.state == Hanchan.State.ABANDONED) == (not ResultSheet.objects.exists())
    connection.close()


def test_a_photo_is_decoded_before_the_transaction_begins(hanchan: Hanchan) -> None:
    class Watched(BytesIO):
        def read(self, *size: Any) -> bytes:
            locked.append(connection.in_atomic_block)
            return super().read(*size)

    locked: list[bool] = []
    attach_photo(hanchan=hanchan, file=Watched(picture().getvalue()), by=SYSTEM)
    assert locked == [False]
    assert SlipPhoto.objects.get().hanchan == hanchan
