"""Tests that rebuilding from the facts detects and names every tampered value."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from league.models import Change, Competition, Hanchan, Outcome, ResultSheet, SeatResult, Standing
from league.services.operations.verification import differences_of
from league.services.results.results import record_result
from tests.factories import SYSTEM, entrants, entry, in_block
from tests.league.files import LEVEL, final, imported

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored(shared_rows: None) -> Competition:
    """Return an imported final, stored once."""
    return imported(final(LEVEL))


@pytest.fixture
def competition(db: None, stored: Competition) -> Competition:
    return Competition.objects.get(pk=stored.pk)


def found(competition: Competition) -> list[str]:
    return [str(difference) for difference in differences_of(competition)]


def test_untampered_rows_have_no_differences(competition: Competition, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(competition) == []
    call_command("verify", "cup")
    assert "everything stored follows from the facts" in capsys.readouterr().out


def test_a_tampered_total_is_reported_with_both_values(competition: Competition) -> None:
    Standing.objects.filter(audience="public", rank=1).update(total=F("total") + 1)
    first, second = found(competition)
    assert "cup, public, standing" in first
    assert first.endswith("total is 1001, but the facts give 1000")
    assert second.endswith("total is 1001, but the facts give 1000")
    with pytest.raises(CommandError, match="cup differs in 2 places"):
        call_command("verify", "cup")


def tampered_seat(_competition: Competition) -> None:
    SeatResult.objects.filter(sheet__hanchan__number=1, seat=2).update(points=-199, place=4)


def lost_row(_competition: Competition) -> None:
    Standing.objects.filter(audience="staff", position=4).delete()


def row_too_many(competition: Competition) -> None:
    (newcomer,) = entrants(competition, 1)
    block = competition.blocks.get()
    Standing.objects.create(
        block=block, entrant=newcomer, audience="staff", computed_version=1, position=5, rank=5, total=0
    )
    Competition.objects.filter(pk=competition.pk).update(computed_version=F("version"))
    Competition.objects.filter(pk=competition.pk).update(public_version=F("version"))


def other_champion(competition: Competition) -> None:
    Outcome.objects.filter(competition=competition, audience="staff").update(
        champion=in_block(competition.blocks.get())[0]
    )


def change_lost(competition: Competition) -> None:
    Change.objects.filter(competition=competition, n=3).delete()


def version_ahead(competition: Competition) -> None:
    Competition.objects.filter(pk=competition.pk).update(public_version=1)


def impossible_result(_competition: Competition) -> None:
    SeatResult.objects.filter(sheet__hanchan__number=1, seat=2).update(score=100)


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (tampered_seat, "seat 2: points is -199, but the facts give -250"),
        (tampered_seat, "seat 2: place is 4, but the facts give 3"),
        (lost_row, "row is 'missing', but the facts give 'one'"),
        (row_too_many, "row is 'there', but the facts give 'none'"),
        (other_champion, "champion is"),
        (change_lost, "numbers of changes missing or beyond the version is [3], but the facts give []"),
        (version_ahead, "public version is 1, but the facts give"),
        (impossible_result, "result is 'settled', but the facts give"),
    ],
)
def test_every_kind_of_tampering_is_detected(
    competition: Competition, tamper: Callable[[Competition], None], told: str
) -> None:
    tamper(competition)
    assert any(told in difference for difference in found(competition))


def test_recompute_repairs_standings_that_lag_behind(
    competition: Competition, capsys: pytest.CaptureFixture[str]
) -> None:
    hanchan = Hanchan.objects.get(number=4)
    correction = entry(in_block(competition.blocks.get()), (31000, 29000, 20000, 20000))
    record_result(hanchan=hanchan, entry=correction, by=SYSTEM, corrects=1, reason="misread")
    (behind,) = found(competition)
    assert "computed version is" in behind
    call_command("recompute", "cup")
    assert "published as of change" in capsys.readouterr().out
    assert found(competition) == []
    assert ResultSheet.objects.filter(hanchan=hanchan).count() == 2
