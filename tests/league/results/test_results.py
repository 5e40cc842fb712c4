"""Test the recording of results: accepted and refused input, warnings, corrections, and the log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from league.models import Change, Competition, Hanchan, ResultSheet, Role
from league.platform.errors import (
    ConflictError,
    PermissionRefusedError,
    RuleViolationError,
    ServiceError,
    WarningsNotAcceptedError,
)
from league.services.results.entry import SheetEntry
from league.services.results.results import confirm_result, record_result, reject_result, void_hanchan
from tests.factories import SYSTEM, actor, entry, final_table, in_block, league, play, seated, table, user

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def seeded(shared_rows: None) -> Competition:
    return league()


@pytest.fixture
def season(seeded: Competition) -> Competition:
    return Competition.objects.get(pk=seeded.pk)


@pytest.fixture
def hanchan(season: Competition) -> Hanchan:
    return table(season.blocks.get(key="A")).hanchan.get(round=1)


def codes(error: pytest.ExceptionInfo[ServiceError]) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in error.value.findings]


@pytest.mark.clause("cinderella", "CL-030")
def test_a_result_is_settled_when_recorded_and_stores_its_lines(hanchan: Hanchan) -> None:
    sheet = play(hanchan)
    first = sheet.seats.get(seat=0)
    assert (first.place, first.points, first.totals) == (1, 512, {"points": 512})
    assert {(line["cause"], line["amount"], line["clause"]) for line in first.lines} == {
        ("return", "56/5", "CL-030"),
        ("oka", "20", "CL-036"),
        ("uma", "20", "CL-037"),
    }


def test_recording_a_result_finishes_its_hanchan_in_one_change(season: Competition, hanchan: Hanchan) -> None:
    before = Change.objects.filter(competition=season).count()
    play(hanchan)
    hanchan.refresh_from_db()
    assert hanchan.state == Hanchan.State.FINISHED
    change = Change.objects.filter(competition=season).first()
    assert change
    assert change.after
    assert (change.kind, change.n) == ("result.confirmed", before + 1)
    assert [seat["score"] for seat in change.after["seats"]] == [41200, 30100, 18700, 10000]


def test_numbers_of_changes_have_no_gaps(season: Competition, hanchan: Hanchan) -> None:
    play(hanchan)
    numbers = list(Change.objects.filter(competition=season).order_by("n").values_list("n", flat=True))
    season.refresh_from_db()
    assert numbers == list(range(1, season.version + 1))


@pytest.mark.parametrize(
    ("scores", "finding"),
    [
        ((41200, 30100, 18700, 9900), ("table_sum", "")),
        ((41250, 30050, 18700, 10000), ("score_not_multiple", "/scores/0")),
    ],
)
def test_impossible_scores_are_refused_at_their_field(
    hanchan: Hanchan, scores: tuple[int, ...], finding: tuple[str, str]
) -> None:
    with pytest.raises(RuleViolationError) as error:
        play(hanchan, scores)
    assert finding in codes(error)
    assert not ResultSheet.objects.exists()


def test_a_wrong_sum_is_refused_with_the_missing_amount(hanchan: Hanchan) -> None:
    with pytest.raises(RuleViolationError) as error:
        play(hanchan, (41200, 30100, 18700, 9800))
    assert "200" in str(error.value)


def test_a_player_entered_twice_is_refused(hanchan: Hanchan) -> None:
    people = seated(hanchan)
    with pytest.raises(RuleViolationError) as error:
        record_result(hanchan=hanchan, entry=entry([people[0], people[1], people[2], people[0]]), by=SYSTEM)
    assert codes(error) == [("player_twice", "/seats/0/entrant"), ("player_twice", "/seats/3/entrant")]


def test_a_player_of_another_block_is_refused(season: Competition, hanchan: Hanchan) -> None:
    stranger = in_block(season.blocks.get(key="B"))[0]
    with pytest.raises(RuleViolationError) as error:
        record_result(hanchan=hanchan, entry=entry([*seated(hanchan)[:3], stranger]), by=SYSTEM)
    assert codes(error) == [("player_not_of_block", "/seats/3/entrant")]


@pytest.mark.clause("cinderella", "CL-002")
def test_a_player_plays_each_hanchan_number_once(season: Competition, hanchan: Hanchan) -> None:
    play(hanchan)
    again = table(season.blocks.get(key="A"), numbers=(1,)).hanchan.get()
    with pytest.raises(RuleViolationError) as error:
        play(again)
    assert {code for code, _ in codes(error)} == {"number_already_played"}


def test_a_confirmed_hanchan_accepts_another_result_only_as_a_correction(hanchan: Hanchan) -> None:
    play(hanchan)
    with pytest.raises(ConflictError) as error:
        play(hanchan)
    assert codes(error) == [("hanchan_confirmed", "")]


def test_a_correction_needs_a_reason(hanchan: Hanchan) -> None:
    sheet = play(hanchan)
    with pytest.raises(RuleViolationError) as error:
        play(hanchan, (41100, 30200, 18700, 10000), corrects=sheet.revision)
    assert codes(error) == [("reason_needed", "/reason")]


def test_a_correction_is_a_new_revision_and_the_old_one_stays(hanchan: Hanchan) -> None:
    first = play(hanchan)
    second = play(hanchan, (41100, 30200, 18700, 10000), corrects=1, reason="misread slip")
    first.refresh_from_db()
    assert (first.state, second.state, second.revision) == ("superseded", "confirmed", 2)
    assert first.ended_n == second.confirmed_n
    assert list(first.seats.values_list("score", flat=True)) == [41200, 30100, 18700, 10000]


def test_a_change_increments_the_version_of_its_own_competition_only(hanchan: Hanchan) -> None:
    other = final_table("elsewhere")
    before = other.version
    play(hanchan)
    other.refresh_from_db()
    assert other.version == before


def test_revisions_are_numbered_per_hanchan(hanchan: Hanchan) -> None:
    play(hanchan)
    assert play(hanchan.table_session.hanchan.get(round=2), (41100, 30200, 18700, 10000)).revision == 1


def test_the_error_for_a_sheet_confirmed_by_the_service_names_no_user(season: Competition, hanchan: Hanchan) -> None:
    sheet = play(hanchan)
    with pytest.raises(ConflictError) as error:
        confirm_result(sheet=sheet, by=actor(user(role=Role.DIRECTOR, competition=season)))
    assert "it is confirmed. Reload" in error.value.findings[0].message


def test_a_correction_of_an_outdated_revision_is_a_conflict(hanchan: Hanchan) -> None:
    play(hanchan)
    play(hanchan, (41100, 30200, 18700, 10000), corrects=1, reason="misread slip")
    with pytest.raises(ConflictError) as error:
        play(hanchan, (41000, 30300, 18700, 10000), corrects=1, reason="misread again")
    assert codes(error) == [("stale_revision", "")]


def test_unusual_scores_are_saved_once_the_warning_is_accepted(hanchan: Hanchan) -> None:
    scores = (150000, 10000, -30000, -30000)
    with pytest.raises(WarningsNotAcceptedError) as error:
        play(hanchan, scores)
    assert {code for code, _ in codes(error)} == {"extreme_score"}
    sheet = play(hanchan, scores, accept={"extreme_score"})
    assert sheet.accepted_warnings == ["extreme_score"]


def test_a_repeated_result_raises_a_warning(season: Competition) -> None:
    rounds = table(season.blocks.get(key="A")).hanchan.order_by("round")
    play(rounds[0])
    with pytest.raises(WarningsNotAcceptedError) as error:
        play(rounds[1])
    assert codes(error) == [("same_result_twice", "/seats")]


def test_players_other_than_scheduled_raise_a_warning(season: Competition, hanchan: Hanchan) -> None:
    block = in_block(season.blocks.get(key="A"))
    with pytest.raises(WarningsNotAcceptedError) as error:
        record_result(hanchan=hanchan, entry=entry(block[4:8]), by=SYSTEM)
    assert codes(error) == [("not_as_scheduled", "/seats")]


@pytest.mark.clause("cinderella", "CL-057")
def test_seats_must_be_known_if_the_deposits_depend_on_them(hanchan: Hanchan) -> None:
    people, level = seated(hanchan), (34600, 34600, 18000, 11800)
    unknown = entry(people, level, kyoutaku=1000, are_seats_known=False)
    with pytest.raises(RuleViolationError) as error:
        record_result(hanchan=hanchan, entry=unknown, by=SYSTEM)
    assert codes(error) == [("seat_order_needed", "/are_seats_known")]
    sheet = record_result(hanchan=hanchan, entry=replace(unknown, are_seats_known=True), by=SYSTEM)
    assert list(sheet.seats.values_list("points", flat=True)) == [306, 296, -220, -382]


@pytest.mark.clause("cinderella", "CL-082")
def test_a_chonbo_is_deducted_even_from_first_place(hanchan: Hanchan) -> None:
    sheet = play(hanchan, (31900, 27600, 24300, 16200), chonbo=(1, 0, 0, 0))
    assert list(sheet.seats.values_list("place", "points")) == [(1, 19), (2, 76), (3, -157), (4, -338)]


def test_a_voided_hanchan_can_be_played_again(hanchan: Hanchan) -> None:
    sheet = play(hanchan)
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="a tile was missing")
    sheet.refresh_from_db()
    hanchan.refresh_from_db()
    assert (sheet.state, hanchan.state) == ("superseded", "scheduled")
    assert play(hanchan).revision == 2


def test_voiding_needs_a_reason_and_a_confirmed_result(hanchan: Hanchan) -> None:
    with pytest.raises(ConflictError, match="no confirmed result"):
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="nothing there")
    play(hanchan)
    with pytest.raises(RuleViolationError, match="reason"):
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason=" ")


def test_a_closed_competition_accepts_no_results(season: Competition, hanchan: Hanchan) -> None:
    season.status = Competition.Status.CLOSED
    season.save()
    with pytest.raises(ConflictError, match="closed"):
        play(hanchan)


class TestASecondPerson:
    """Test competitions in which a second user confirms each result."""

    @pytest.fixture
    def season(self, season: Competition) -> Competition:
        season.confirmation = Competition.Confirmation.SECOND
        season.save(update_fields=["confirmation"])
        return season

    def test_an_entered_sheet_waits_and_does_not_count(self, season: Competition, hanchan: Hanchan) -> None:
        sheet = play(hanchan, by=actor(user(role=Role.SCORER, competition=season)))
        assert (sheet.state, sheet.confirmed_n) == ("submitted", None)
        assert not ResultSheet.objects.counting().exists()
        hanchan.refresh_from_db()
        assert hanchan.state == Hanchan.State.SCHEDULED

    def test_a_user_cannot_confirm_their_own_sheet(self, season: Competition, hanchan: Hanchan) -> None:
        scorer = actor(user(role=Role.SCORER, competition=season))
        sheet = play(hanchan, by=scorer)
        with pytest.raises(RuleViolationError, match="second person"):
            confirm_result(sheet=sheet, by=scorer)

    def test_confirmation_by_another_user_makes_the_sheet_count(self, season: Competition, hanchan: Hanchan) -> None:
        sheet = play(hanchan, by=actor(user(role=Role.SCORER, competition=season)))
        confirmed = confirm_result(sheet=sheet, by=actor(user(role=Role.SCORER, competition=season)))
        assert confirmed.state == "confirmed"
        with pytest.raises(ConflictError, match="no longer awaits"):
            confirm_result(sheet=sheet, by=actor(user(role=Role.SCORER, competition=season)))

    def test_rejecting_a_sheet_needs_a_reason_and_the_sheet_never_counts(
        self, season: Competition, hanchan: Hanchan
    ) -> None:
        sheet = play(hanchan, by=actor(user(role=Role.SCORER, competition=season)))
        other = actor(user(role=Role.SCORER, competition=season))
        with pytest.raises(RuleViolationError, match="reason"):
            reject_result(sheet=sheet, by=other, reason="")
        assert reject_result(sheet=sheet, by=other, reason="wrong table").state == "rejected"
        with pytest.raises(ConflictError):
            reject_result(sheet=sheet, by=other, reason="again")
        assert not ResultSheet.objects.counting().exists()


class TestWhoMay:
    """Test the permissions of staff roles."""

    @pytest.mark.parametrize("role", [None, Role.READER, Role.REFEREE])
    def test_users_without_a_scoring_role_cannot_submit_results(
        self, season: Competition, hanchan: Hanchan, role: Role
    ) -> None:
        with pytest.raises(PermissionRefusedError):
            play(hanchan, by=actor(user(role=role, competition=season)))

    def test_a_scorer_of_another_competition_cannot_submit_results(self, hanchan: Hanchan) -> None:
        elsewhere = final_table("elsewhere")
        with pytest.raises(PermissionRefusedError):
            play(hanchan, by=actor(user(role=Role.SCORER, competition=elsewhere)))

    def test_a_scorer_can_enter_but_not_correct_or_void_results(self, season: Competition, hanchan: Hanchan) -> None:
        scorer = actor(user(role=Role.SCORER, competition=season))
        play(hanchan, by=scorer)
        with pytest.raises(PermissionRefusedError):
            play(hanchan, (41100, 30200, 18700, 10000), by=scorer, corrects=1, reason="misread slip")
        with pytest.raises(PermissionRefusedError):
            void_hanchan(hanchan=hanchan, by=scorer, reason="misread slip")

    def test_a_director_can_correct_results(self, season: Competition, hanchan: Hanchan) -> None:
        play(hanchan)
        director = actor(user(role=Role.DIRECTOR, competition=season))
        assert play(hanchan, (41100, 30200, 18700, 10000), by=director, corrects=1, reason="misread").revision == 2


def test_a_waiting_sheet_without_a_reason_is_no_correction_of_one_that_counts(season: Competition) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    director = actor(user(role=Role.DIRECTOR, competition=season))
    one, other = (play(hanchan, by=actor(user(role=Role.SCORER, competition=season))) for _time in range(2))
    confirm_result(sheet=one, by=director)
    with pytest.raises(ConflictError, match="Revision 1 counts by now, and this sheet gives no reason"):
        confirm_result(sheet=other, by=director)
    corrected = entry(seated(hanchan), (41300, 30000, 18700, 10000))
    scorer = actor(user(role=Role.DIRECTOR, competition=season))
    waiting = record_result(hanchan=hanchan, entry=corrected, by=scorer, corrects=1, reason="misread")
    assert confirm_result(sheet=waiting, by=director).state == ResultSheet.State.CONFIRMED


def test_a_correction_waits_no_more_once_its_hanchan_is_taken_back_as_abandoned(season: Competition) -> None:
    Competition.objects.update(confirmation=Competition.Confirmation.SECOND)
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    director = actor(user(role=Role.DIRECTOR, competition=season))
    corrected = entry(seated(hanchan), (41300, 30000, 18700, 10000))
    waiting = record_result(hanchan=hanchan, entry=corrected, by=director, corrects=1, reason="misread")
    void_hanchan(hanchan=hanchan, by=director, reason="never played", state=Hanchan.State.ABANDONED)
    with pytest.raises(ConflictError, match="no longer awaits confirmation: it is rejected"):
        confirm_result(sheet=waiting, by=actor(user(role=Role.DIRECTOR, competition=season)))
    hanchan.refresh_from_db()
    assert hanchan.state == Hanchan.State.ABANDONED


def test_an_entry_can_be_read_back_from_its_sheet(hanchan: Hanchan) -> None:
    sheet = play(hanchan, (36900, 22300, 25100, 13700), kyoutaku=2000)
    assert SheetEntry.of_sheet(sheet) == entry(seated(hanchan), (36900, 22300, 25100, 13700), kyoutaku=2000)


def test_engine_messages_are_formatted_with_their_values(hanchan: Hanchan) -> None:
    with pytest.raises(RuleViolationError) as error:
        play(hanchan, (41250, 30050, 18700, 10000))
    assert "41,250" in str(error.value)
    assert "41,200" in str(error.value)
