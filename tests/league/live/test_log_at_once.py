"""Tests of concurrent devices at one table: one writes, the others get a conflict, nothing is duplicated.

The tests run on both databases.
"""

from __future__ import annotations

from functools import partial

import pytest

from league.models import Change, Competition, Door, Hanchan, ResultSheet, TableEvent, TableLink
from league.selectors.access.actors import Actor
from league.services.live.links import make_link
from league.services.live.results import approve_sheet, submit_log
from tests import factories
from tests.league.results.test_concurrency import together
from tests.league.tables import DRAW, RIICHI, RON, begun, entered, event, final_table, first, write

pytestmark = pytest.mark.django_db(transaction=True)


def numbers(hanchan: Hanchan) -> list[int]:
    """Return the sequence numbers of the events in order."""
    return list(TableEvent.objects.filter(hanchan=hanchan).order_by("sequence").values_list("sequence", flat=True))


def test_one_of_two_concurrent_entries_is_accepted_and_the_other_gets_a_conflict() -> None:
    hanchan = begun(final_table())
    answers = together(*(partial(write, hanchan, *entered(entry), after=1) for entry in (RON, DRAW)))
    assert sorted(map(str, answers)) == ["2", "behind"]
    assert numbers(hanchan) == [1, 2]


def test_one_of_six_concurrent_entries_is_accepted_and_five_get_a_conflict() -> None:
    hanchan = begun(final_table())
    answers = together(*(partial(write, hanchan, *entered(RIICHI), after=1) for _device in range(6)))
    assert sorted(map(str, answers)) == ["2", *["behind"] * 5]
    assert numbers(hanchan) == [1, 2]


def test_a_queue_sent_several_times_concurrently_is_written_once() -> None:
    hanchan = begun(final_table())
    queue = entered(RIICHI, RON, DRAW)
    assert together(*(partial(write, hanchan, *queue, after=1) for _line in range(4))) == [4] * 4
    assert numbers(hanchan) == [1, 2, 3, 4]


def test_two_concurrent_starts_create_one_start() -> None:
    hanchan = first(final_table())
    answers = together(*(partial(write, hanchan, event("start"), after=0) for _device in range(2)))
    assert sorted(map(str, answers)) == ["1", "behind"]
    assert hanchan.seats.count() == 4
    assert Change.objects.filter(kind="hanchan.started").count() == 1


def test_a_concurrent_entry_does_not_change_the_submitted_sheet() -> None:
    hanchan = begun(final_table())
    write(hanchan, *entered(RON))
    submit = partial(submit_log, hanchan=hanchan, sequence=2, by=factories.SYSTEM, ended_by_time=True)
    answers = together(submit, partial(write, hanchan, *entered(DRAW), after=2))
    sheets = list(ResultSheet.objects.all())
    assert [sheet.made_from_sequence for sheet in sheets] == ([2] if "behind" not in answers else [])


def test_four_concurrent_approvals_confirm_the_result_once() -> None:
    table = final_table()
    Competition.objects.update(confirmation=Competition.Confirmation.PLAYERS)
    hanchan = begun(table)
    write(hanchan, *entered(RON))
    scorer = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=factories.SYSTEM).link
    by = Actor(user=None, door=Door.TABLE, link=scorer)
    sheet = submit_log(hanchan=hanchan, sequence=2, by=by, ended_by_time=True)
    links = [
        make_link(table_session=table, kind=TableLink.Kind.PLAYER, entrant=who, by=factories.SYSTEM).link
        for who in factories.seated(hanchan)
    ]
    together(*(partial(approve_sheet, sheet=sheet, by=Actor(user=None, door=Door.TABLE, link=link)) for link in links))
    sheet.refresh_from_db()
    assert sheet.state == ResultSheet.State.CONFIRMED
    assert sheet.approvals.count() == 4
    assert Change.objects.filter(kind="result.confirmed").count() == 1


def test_concurrent_starts_at_several_tables_number_their_changes_without_gaps() -> None:
    competition = factories.final_table()
    tables = [factories.table(competition.blocks.get()) for _table in range(3)]
    together(*(partial(write, first(table), event("start"), *entered(RIICHI), after=0) for table in tables))
    assert [numbers(first(table)) for table in tables] == [[1, 2]] * 3
    competition.refresh_from_db()
    changes = list(Change.objects.filter(competition=competition).order_by("n").values_list("n", flat=True))
    assert changes == list(range(1, competition.version + 1))
