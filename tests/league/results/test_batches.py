"""Test the import of results from a table: a preview per row, all rows or none, same outcome as single entry."""

from __future__ import annotations

import random
from collections.abc import Sequence
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.files.result_rows import columns_of
from league.files.tables import read_table
from league.models import Change, Competition, Hanchan, Player, ResultSheet, Role, SeatResult, Session
from league.platform.errors import PermissionRefusedError
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.operations.verification import differences_of
from league.services.results.batches import BatchOutcome, Incoming, take_results
from league.services.results.results import void_hanchan
from league.services.standings.publishing import publish_standings
from tests import factories

pytestmark = pytest.mark.django_db
HEAD = "節,ブロック,卓,回戦,東家,東家の点,南家,南家の点,西家,西家の点,北家,北家の点"


def import_table(
    competition: Competition, text: str | bytes, *, by: Actor = factories.SYSTEM, **more: object
) -> ImportReport:
    """Import a table into a competition."""
    table = read_table(text, columns_of(ruleset_of(rules_at(competition))))
    keep = bool(more.pop("keep", False))
    return import_results(competition=competition, table=table, by=by, keep=keep, choices=Choices(**more))  # type: ignore[arg-type]


def final() -> tuple[Competition, list[Hanchan]]:
    """Create a final of one table with four scheduled hanchan."""
    competition = factories.final_table()
    table = factories.table(competition.blocks.get(), table="1卓")
    return competition, list(table.hanchan.order_by("round"))


def line(number: int, scores: Sequence[object], names: Sequence[str] = ("final1", "final2", "final3", "final4")) -> str:
    """Return a row as an organizer would write it."""
    cells = ",".join(f'{name},"{score}"' for name, score in zip(names, scores, strict=True))
    return f"第1節,final,1卓,{number},{cells}"


def content(competition: Competition) -> list[object]:
    """Return the content of results and changes, without ids and times."""
    sheets = ResultSheet.objects.filter(hanchan__table_session__competition=competition).order_by("hanchan", "revision")
    return [
        [
            (s.hanchan.number, s.revision, s.state, s.kyoutaku, s.facts, s.accepted_warnings, s.reason, s.options)
            for s in sheets
        ],
        [
            (seat.seat, seat.entrant.number, seat.score, seat.final_score, seat.place, seat.points, seat.lines)
            for seat in SeatResult.objects.filter(sheet__in=sheets).order_by("sheet__hanchan", "sheet", "seat")
        ],
        sorted(Hanchan.objects.filter(block__competition=competition).values_list("number", "state")),
        [
            (change.kind, change.is_public, change.subject_type, change.reason, change.door)
            for change in Change.objects.filter(competition=competition, kind__startswith="result").order_by("n")
        ],
    ]


@pytest.mark.both_databases
def test_a_preview_states_the_outcome_of_every_row_and_writes_nothing() -> None:
    competition, hanchan = final()
    factories.play(hanchan[0], (41200, 30100, 18700, 10000))
    factories.play(hanchan[1], (30000, 30000, 20000, 20000))
    before = content(competition)
    rows = [
        line(1, (41200, 30100, 18700, 10000)),
        line(2, (30000, 31000, 19000, 20000)),
        line(3, ("４１２", "301", "187", "100")),
        line(4, ("41,200", "▲3500", "38700", "23600")),
    ]
    report = import_table(competition, "\n".join((HEAD, *rows)), reason="misread slip")
    assert [row.outcome for row in report.rows] == [
        BatchOutcome.SAME,
        BatchOutcome.CORRECTS,
        BatchOutcome.NEW,
        BatchOutcome.NEW,
    ]
    assert not report.all_faults
    assert content(competition) == before


def test_a_correct_table_is_saved_and_standings_follow() -> None:
    competition, hanchan = final()
    rows = [line(number, (41200, 30100, 18700, 10000 - 0)) for number in (1, 2)]
    text = "\n".join((HEAD, *rows)).encode("cp932")
    first = import_table(competition, text, keep=True)
    assert not first.is_kept
    assert set(first.questions) == {"same_result_twice"}
    report = import_table(competition, text, keep=True, accept=frozenset(first.questions))
    assert report.is_kept
    publish_standings(competition.pk)
    assert list(differences_of(competition)) == []
    assert ResultSheet.objects.get(hanchan=hanchan[1]).accepted_warnings == ["same_result_twice"]


def test_imported_results_equal_results_entered_one_by_one() -> None:
    played = [(41200, 30100, 18700, 10000), (25000, 26000, 24000, 25000), (-3500, 60000, 23500, 20000)]
    singly, one_by_one = final()
    for hanchan, scores in zip(one_by_one, played, strict=False):
        factories.play(hanchan, scores)
    together = factories.final_table("together")
    factories.table(together.blocks.get(), table="1卓")
    rows = [line(number, scores) for number, scores in enumerate(played, start=1)]
    assert import_table(together, "\n".join((HEAD, *rows)), keep=True).is_kept
    assert content(together) == content(singly)
    assert together.changes.count() == singly.changes.count()


@pytest.mark.both_databases
@pytest.mark.parametrize("confirmation", [Competition.Confirmation.ONE, Competition.Confirmation.SECOND])
def test_imported_corrections_equal_corrections_entered_one_by_one(confirmation: str) -> None:
    played = [(41200, 30100, 18700, 10000), (25000, 26000, 24000, 25000)]
    corrected = [(30100, 41200, 18700, 10000), (26000, 25000, 25000, 24000)]
    competitions = final()[0], factories.final_table("together")
    factories.table(competitions[1].blocks.get(), table="1卓")
    directors = [factories.actor(factories.user(role=Role.DIRECTOR, competition=one)) for one in competitions]
    for competition in competitions:
        for hanchan, scores in zip(Hanchan.objects.filter(block__competition=competition), played, strict=False):
            factories.play(hanchan, scores)
        Competition.objects.filter(pk=competition.pk).update(confirmation=confirmation)
    for hanchan, scores in zip(Hanchan.objects.filter(block__competition=competitions[0]), corrected, strict=False):
        factories.play(hanchan, scores, by=directors[0], corrects=1, reason="misread slip")
    rows = [line(number, scores) for number, scores in enumerate(corrected, start=1)]
    said: dict[str, Any] = {"keep": True, "reason": "misread slip", "by": directors[1]}
    assert import_table(competitions[1], "\n".join((HEAD, *rows)), **said).is_kept
    assert content(competitions[1]) == content(competitions[0])
    assert scores_replaced(competitions[1]) == scores_replaced(competitions[0]) == [list(scores) for scores in played]
    numbers = competitions[1].changes.order_by("n").values_list("n", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))


def scores_replaced(competition: Competition) -> list[list[int]]:
    """Return the scores that counted before each correction, as the audit log has them."""
    rows = Change.objects.filter(competition=competition, kind__startswith="result").order_by("n")
    return [[seat["score"] for seat in row.before["seats"]] for row in rows if row.before]


def test_all_faults_of_a_table_are_reported_at_once_with_their_cells() -> None:
    competition, _hanchan = final()
    rows = [
        line(1, ("41200.5", 30100, 18700, 10000)),
        line(2, (41200, 30100, 18700, 9000)),
        line(3, (41200, 30100, 18700, 10000), ("final1", "final2", "final3", "finale4")),
        line(9, (41200, 30100, 18700, 10000)),
        line(4, (41200, "", 18700, 10000)),
        line(4, (41200, 30100, 18700, 10000), ("final1", "final1", "final3", "final4")),
    ]
    report = import_table(competition, "\n".join((HEAD, *rows)), keep=True)
    assert [row.outcome for row in report.rows] == [BatchOutcome.ERROR] * 6
    assert [(fault.row, fault.column) for fault in report.all_faults if fault.row != 7] == [
        (2, "東家の点"),
        (3, ""),
        (4, "北家"),
        (5, "回戦"),
        (6, "南家の点"),
    ]
    assert "Is it final4?" in str(report.rows[2].faults[0])
    assert not ResultSheet.objects.exists()


def test_a_correction_needs_a_reason_and_the_right_to_correct() -> None:
    competition, hanchan = final()
    factories.play(hanchan[0])
    scorer = factories.actor(factories.user(role=Role.SCORER, competition=competition))
    text = "\n".join((HEAD, line(1, (30100, 41200, 18700, 10000))))
    assert import_table(competition, text).rows[0].outcome is BatchOutcome.ERROR
    assert import_table(competition, text, reason="swapped").rows[0].outcome is BatchOutcome.CORRECTS
    assert import_table(competition, text, by=scorer, reason="swapped").rows[0].outcome is BatchOutcome.ERROR
    reader = factories.actor(factories.user(role=Role.READER, competition=competition))
    with pytest.raises(PermissionRefusedError):
        import_table(competition, text, by=reader)


def test_an_import_that_differs_from_its_preview_saves_nothing() -> None:
    competition, hanchan = final()
    text = "\n".join((HEAD, line(1, (41200, 30100, 18700, 10000))))
    preview = import_table(competition, text)
    factories.play(hanchan[0], (30100, 41200, 18700, 10000))
    assert not import_table(competition, text, keep=True, previewed=preview.digest, reason="x").is_kept
    again = import_table(competition, text, reason="x")
    assert import_table(competition, text, keep=True, previewed=again.digest, reason="x").is_kept


@pytest.mark.both_databases
def test_unscheduled_games_are_scheduled_on_request() -> None:
    competition = factories.league(league_format="open-play", ruleset="mleague")
    names = [entrant.player.name for entrant in factories.entrants(competition, 4)]
    rows = ["5,,A," + str(number) + "," + ",".join(f"{name},{25000}" for name in names) for number in (1, 2)]
    text = "\n".join((HEAD, *rows))
    assert [row.outcome for row in import_table(competition, text).rows] == [BatchOutcome.ERROR] * 2
    preview = import_table(competition, text, schedules=True)
    assert [row.outcome for row in preview.rows] == [BatchOutcome.NEW] * 2
    assert not Session.objects.exists()
    said: dict[str, Any] = {"previewed": preview.digest, "accept": frozenset({"same_result_twice"})}
    report = import_table(competition, text, keep=True, schedules=True, **said)
    assert report.is_kept, report
    assert Session.objects.get(competition=competition).number == 5
    assert [one.number for one in Hanchan.objects.order_by("number")] == [1, 2]


def test_games_of_two_tables_by_turns_are_scheduled_as_their_preview_shows() -> None:
    competition = factories.league(league_format="open-play", ruleset="mleague")
    names = [entrant.player.name for entrant in factories.entrants(competition, 8)]
    scores = "25000", "30000", "24000", "21000"
    rows = [
        f"1,{table},{number}," + ",".join(f"{name},{score}" for name, score in zip(four, scores, strict=True))
        for number in (1, 2)
        for table, four in (("A", names[:4]), ("B", names[4:]))
    ]
    head = "session,table,hanchan,player1,score1,player2,score2,player3,score3,player4,score4"
    text = "\n".join((head, *rows))
    preview = import_table(competition, text, schedules=True)
    said: dict[str, Any] = {"previewed": preview.digest, "accept": frozenset(preview.questions), "schedules": True}
    assert import_table(competition, text, keep=True, **said).is_kept


@pytest.mark.both_databases
def test_a_batch_at_an_open_table_is_compared_with_the_results_of_its_sessions() -> None:
    hall = factories.league("hall", league_format="open-play", kind=Competition.Kind.OPEN)
    played, *rest = factories.table(hall.blocks.get(), factories.entrants(hall, 4), numbers=(1, 2, 3)).hanchan.all()
    factories.play(played)
    batch = [Incoming(each, factories.entry(factories.seated(each))) for each in rest]
    found = take_results(competition=hall, incoming=batch, by=factories.SYSTEM)
    assert [[finding.code for finding in each.findings] for each in found] == [["same_result_twice"]] * 2


def test_a_playoff_in_the_table_is_checked_against_the_standings_of_its_preliminary() -> None:
    from tests.league.example_leagues import import_league

    competition = import_league("L1")
    sheets = list(ResultSheet.objects.counting().order_by("confirmed_n").prefetch_related("seats__entrant__player"))
    rows = [f"{s.hanchan_id},{s.kyoutaku}," + ",".join(
        f"{seat.entrant.player.key},{seat.score}" for seat in s.seats.order_by("seat")
    ) for s in sheets]  # fmt: skip
    head = "id,kyoutaku,player1,score1,player2,score2,player3,score3,player4,score4"
    report = import_table(competition, "\n".join((head, *rows)))
    assert {row.outcome for row in report.rows} == {BatchOutcome.SAME}


@pytest.mark.both_databases
def test_a_preview_of_two_stages_matches_the_import() -> None:
    from tests.league.example_leagues import import_league

    competition = import_league("L1")
    sheets = list(ResultSheet.objects.counting().order_by("confirmed_n").prefetch_related("seats__entrant__player"))
    rows = [f"{s.hanchan_id},{s.kyoutaku}," + ",".join(
        f"{seat.entrant.player.key},{seat.score}" for seat in s.seats.order_by("seat")
    ) for s in sheets]  # fmt: skip
    for sheet in reversed(sheets):
        void_hanchan(hanchan=sheet.hanchan, by=factories.SYSTEM, reason="to be read in again")
    publish_standings(competition.pk)
    text = "\n".join(("id,kyoutaku,player1,score1,player2,score2,player3,score3,player4,score4", *rows))
    before = content(competition)
    preview = import_table(competition, text, schedules=True)
    assert {row.outcome for row in preview.rows} == {BatchOutcome.NEW}, preview.all_faults[:3]
    assert content(competition) == before
    said: dict[str, Any] = {"previewed": preview.digest, "accept": frozenset(preview.questions), "schedules": True}
    assert import_table(competition, text, keep=True, **said).is_kept
    publish_standings(competition.pk)
    assert list(differences_of(competition)) == []


@pytest.mark.both_databases
def test_an_extreme_correction_that_changes_a_begun_stage_needs_both_acceptances() -> None:
    from tests.league.example_leagues import import_league

    competition = import_league("L1")
    first = ResultSheet.objects.counting().filter(hanchan__block__stage__order=1).earliest("confirmed_n")
    people = [seat.entrant.player.key for seat in first.seats.order_by("place")]
    scores = (-90000, -5000, 5000, 190000)
    row = f"{first.hanchan_id}," + ",".join(f"{who},{score}" for who, score in zip(people, scores, strict=True))
    director = factories.actor(factories.user(role=Role.DIRECTOR, competition=competition))
    text = f"{LONG_HEAD}\n{row}"
    preview = import_table(competition, text, by=director, reason="misread")
    assert {"extreme_score", "later_stage_begun"} <= set(preview.questions), preview.all_faults
    said: dict[str, Any] = {"previewed": preview.digest, "accept": frozenset(preview.questions), "reason": "misread"}
    assert import_table(competition, text, by=director, keep=True, **said).is_kept


@pytest.mark.django_db(transaction=True)
def test_a_result_can_be_saved_during_a_preview() -> None:
    competition, hanchan = final()
    rows = [line(number, (41200, 30100, 18700, 10000)) for number in (1, 2, 3)]
    table = read_table("\n".join((HEAD, *rows)), columns_of(ruleset_of(rules_at(competition))))
    waited: list[bool] = []

    def enter() -> None:
        try:
            factories.play(hanchan[3])
        finally:
            connection.close()

    def meanwhile(done: int, _rows: int) -> None:
        if done == 1:
            writer = Thread(target=enter)
            writer.start()
            writer.join(timeout=15)
            waited.append(writer.is_alive())

    report = import_results(competition=competition, table=table, by=factories.SYSTEM, progress=meanwhile)
    assert [row.outcome for row in report.rows] == [BatchOutcome.NEW] * 3
    assert waited == [False]
    assert ResultSheet.objects.counting().get().hanchan == hanchan[3]


def season(games: int, slug: str = "long") -> tuple[Competition, list[str]]:
    """Create a season of open play with this number of scheduled games, and a row for each."""
    competition = factories.league(slug, league_format="open-play", ruleset="mleague")
    people = factories.entrants(competition, 48)
    chance, block = random.Random(1), competition.blocks.get()
    rows = []
    for table in range(games // 10):
        four = chance.sample(people, 4)
        made = factories.table(block, four, numbers=range(1, 11), table=f"{table + 1}卓")
        for hanchan in made.hanchan.order_by("round"):
            cut = sorted(chance.sample(range(900), 3))
            parts = (cut[0], cut[1] - cut[0], cut[2] - cut[1], 900 - cut[2])
            scores = [100 * (part + 25) for part in parts]
            cells = ",".join(f"{who.player.key},{score}" for who, score in zip(four, scores, strict=True))
            rows.append(f"{hanchan.pk},{cells}")
    return competition, rows


LONG_HEAD = "id,player1,score1,player2,score2,player3,score3,player4,score4"


def selects(queries: CaptureQueriesContext) -> int:
    """Return the number of SELECT statements."""
    return sum(query["sql"].startswith("SELECT") for query in queries)


def test_two_hundred_results_need_no_more_selects_than_twenty_and_are_saved_within_sixty_queries() -> None:
    asked = []
    odd = frozenset({"same_result_twice", "at_two_tables", "same_scores_elsewhere"})
    for slug, games in (("few", 20), ("many", 200)):
        competition, rows = season(games, slug)
        director = factories.actor(factories.user(role=Role.DIRECTOR, competition=competition))
        text = "\n".join((LONG_HEAD, *rows))
        with CaptureQueriesContext(connection) as previewed:
            report = import_table(competition, text, by=director, accept=odd)
        assert report.counts[BatchOutcome.NEW] == games, report.all_faults[:3]
        with CaptureQueriesContext(connection) as saved:
            report = import_table(competition, text, by=director, keep=True, accept=odd)
        assert report.is_kept, report.all_faults[:3]
        assert report.counts[BatchOutcome.NEW] == games
        asked.append((selects(previewed), selects(saved)))
        assert len(saved) <= 60
        publish_standings(competition.pk)
        assert list(differences_of(competition)) == []
    assert asked[0] == asked[1]


def test_corrections_need_a_constant_number_of_queries() -> None:
    asked = []
    for slug, games in (("few", 20), ("many", 60)):
        competition, rows = season(games, slug)
        odd = frozenset({"same_result_twice"})
        assert import_table(competition, "\n".join((LONG_HEAD, *rows)), keep=True, accept=odd).is_kept
        turned = [",".join((*cells[:2], cells[4], *cells[3:4], cells[2], *cells[5:])) for cells in (
            row.split(",") for row in rows
        )]  # fmt: skip
        text = "\n".join((LONG_HEAD, *turned))
        said: dict[str, Any] = {"reason": "scores exchanged", "accept": odd}
        director = factories.actor(factories.user(role=Role.DIRECTOR, competition=competition))
        with CaptureQueriesContext(connection) as previewed:
            report = import_table(competition, text, by=director, reason="scores exchanged")
        assert report.counts[BatchOutcome.CORRECTS] == games, report.all_faults[:3]
        with CaptureQueriesContext(connection) as saved:
            report = import_table(competition, text, keep=True, **said)
        assert report.is_kept, report.all_faults[:3]
        assert report.counts[BatchOutcome.CORRECTS] == games
        asked.append((len(previewed), selects(saved)))
    assert asked[0] == asked[1]


def test_twenty_bad_rows_of_two_hundred_are_all_reported_and_nothing_is_saved() -> None:
    competition, rows = season(200)
    bad = range(5, 200, 10)
    spoilt = [row[:-1] + "7" if number in bad else row for number, row in enumerate(rows)]
    report = import_table(competition, "\n".join((LONG_HEAD, *spoilt)), keep=True)
    assert {fault.row for fault in report.all_faults} == {number + 2 for number in bad}
    assert report.counts[BatchOutcome.NEW] == 200 - 20
    assert not ResultSheet.objects.exists()
    assert Player.objects.count() == 48
    mended = import_table(
        competition, "\n".join((LONG_HEAD, *rows)), keep=True, accept=frozenset({"same_result_twice"})
    )
    assert mended.is_kept, (mended.all_faults[:3], list(mended.questions))
    assert ResultSheet.objects.counting().count() == 200


def test_a_question_is_asked_about_the_same_scores_at_two_tables_of_one_file() -> None:
    competition = factories.league()
    block = competition.blocks.get(key="A")
    people = factories.in_block(block)
    tables = [factories.table(block, people[start : start + 4], numbers=(1,), table=f"{start}卓") for start in (0, 4)]
    rows = [
        f"{one.hanchan.get().pk},"
        + ",".join(f"{who.player.key},{score}" for who, score in zip(four, scores, strict=True))
        for one, four, scores in zip(
            tables, (people[:4], people[4:8]), [(41200, 30100, 18700, 10000), (10000, 18700, 30100, 41200)], strict=True
        )
    ]
    director = factories.actor(factories.user(role=Role.DIRECTOR, competition=competition))
    report = import_table(competition, "\n".join((LONG_HEAD, *rows)), by=director)
    assert "same_scores_elsewhere" in report.questions


def test_only_the_first_five_hundred_unknown_names_get_a_suggestion() -> None:
    competition, _hanchan = final()
    rows = [line(1, (1, 2, 3, 4), ("finall1", "finall2", "finall3", "finall4")) for _row in range(200)]
    faults = import_table(competition, "\n".join((HEAD, *rows))).all_faults
    hinted = [fault for fault in faults if "Is it final" in str(fault)]
    assert (len(faults), len(hinted), str(hinted[-1]).partition(" ·")[0]) == (800, 500, "row 126")
