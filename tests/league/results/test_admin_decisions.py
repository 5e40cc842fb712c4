"""Test decisions in the admin: previews, slots of players who have played, and reverting as a new revision."""

from __future__ import annotations

from functools import partial

import pytest

from league.models import Audience, Competition, Hanchan, Override, ResultSheet, Role, Ruling, SlotState
from league.platform.errors import ConflictError, RuleViolationError, WarningsNotAcceptedError
from league.services.results.corrections import revert_result
from league.services.results.preview import preview_change
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points, override_slot, rule_on_tie, swap_slots, take_back
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, actor, final_table, in_block, league, play, table, user
from tests.league.exchange.test_competition_export import assert_survives
from tests.league.played_season import Season, preliminary

pytestmark = pytest.mark.django_db
CORRECTED = (40200, 31100, 18700, 10000)


@pytest.fixture
def deadlock() -> Competition:
    """Play a final in which the first two players tie in every hanchan."""
    season = final_table()
    for hanchan in table(season.blocks.get()).hanchan.order_by("round"):
        play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    publish_standings(season.pk)
    return season


@pytest.fixture
def hanchan() -> Hanchan:
    """Play a game and correct its result."""
    made = table(league().blocks.get(key="A")).hanchan.get(round=1)
    play(made)
    play(made, CORRECTED, corrects=1, reason="misread")
    return made


def test_a_preview_lists_changed_ranks_and_writes_nothing(deadlock: Competition) -> None:
    block = deadlock.blocks.get()
    first, second = in_block(block)[:2]
    deadlock.refresh_from_db()
    version = deadlock.version
    act = partial(adjust_points, block=block, entrant=first, points=-100, by=SYSTEM, reason="late")
    effect = preview_change(competition=deadlock, act=act)
    moved = {one.entrant: (one.rank_before, one.rank_after) for one in effect.movements}
    assert moved == {first.pk: (1, 2)}
    assert [one.total_after - one.total_before for one in effect.movements] == [-100]
    deadlock.refresh_from_db()
    assert deadlock.version == version
    assert not block.adjustments.exists()
    assert not deadlock.changes.filter(kind="points.adjusted").exists()
    order = [second, first]
    ruled = preview_change(
        competition=deadlock,
        act=partial(rule_on_tie, competition=deadlock, scope=block.key, order=order, by=SYSTEM, reason="lots"),
    )
    assert {one.entrant: (one.rank_before, one.rank_after) for one in ruled.movements} == {first.pk: (1, 2)}
    assert not Ruling.objects.exists()


def test_a_second_ruling_is_refused_with_the_first_ones_reason_before_standings_update(deadlock: Competition) -> None:
    block = deadlock.blocks.get()
    first, second = in_block(block)[:2]
    rule = partial(rule_on_tie, competition=deadlock, scope=block.key, by=SYSTEM)
    rule(order=[second, first], reason="drawn by lot")
    with pytest.raises(ConflictError, match="drawn by lot"):
        rule(order=[first, second], reason="seeded higher")
    assert Ruling.objects.count() == 1


def test_two_slots_are_swapped_in_one_change_and_swapped_back_in_one() -> None:
    season = preliminary()
    slots = [season.block(key).slots.get(number=number) for key, number in (("po1", 1), ("po1", 2))]

    def sitting() -> list[int | None]:
        season.publish()
        states = SlotState.objects.filter(audience=Audience.PUBLIC)
        return [states.get(slot=slot).entrant_id for slot in slots]

    before = sitting()
    with pytest.raises(RuleViolationError):
        override_slot(slot=slots[0], source=slots[1].source, by=SYSTEM, reason="one at a time")
    first, second = swap_slots(first=slots[0], second=slots[1], by=SYSTEM, reason="wrong way round")
    assert sitting() == before[::-1]
    assert season.competition.changes.filter(kind="slots.swapped").count() == 1
    take_back(decision=second, competition=season.competition, by=SYSTEM, reason="right after all")
    assert sitting() == before
    assert not Override.objects.standing().exists()
    with pytest.raises(ConflictError):
        take_back(decision=first, competition=season.competition, by=SYSTEM, reason="again")


@pytest.mark.both_databases
@pytest.mark.parametrize("is_taken_back", [False, True])
def test_swapped_slots_survive_export_and_import(is_taken_back: bool) -> None:
    season = Season()
    first, second = season.block("po2").slots.order_by("number")[:2]
    _one, other = swap_slots(first=first, second=second, by=SYSTEM, reason="wrong way round")
    if is_taken_back:
        take_back(decision=other, competition=season.competition, by=SYSTEM, reason="right after all")
    again = assert_survives(season.competition)
    rows = Override.objects.filter(block__competition=again)
    assert rows.count() == 2
    assert rows.filter(ended_n=None).count() == (0 if is_taken_back else 2)


@pytest.mark.parametrize("other", ["itself", "another season's"])
def test_a_slot_can_be_swapped_only_with_another_of_its_season(other: str) -> None:
    slot = league().blocks.get(key="po1").slots.get(number=1)
    second = slot if other == "itself" else league("other").blocks.get(key="po1").slots.get(number=2)
    with pytest.raises(RuleViolationError, match="Choose another place"):
        swap_slots(first=slot, second=second, by=SYSTEM, reason="trying")


def test_replacing_a_player_who_has_played_needs_a_director_who_accepts_the_warning() -> None:
    season = preliminary()
    season.play_stage("po1", day=3)
    block = season.block("A")
    slots = SlotState.objects.filter(slot__block__key="po1", audience=Audience.STAFF, source__startswith="A#")
    seated = slots.order_by("slot__number").first()
    assert seated
    assert seated.entrant
    referee = actor(user(role=Role.REFEREE, competition=season.competition))
    director = actor(user(role=Role.DIRECTOR, competition=season.competition))
    demote = partial(adjust_points, block=block, entrant=seated.entrant, points=-9000, reason="forgot to come")
    with pytest.raises(RuleViolationError) as refused:
        demote(by=referee)
    assert [finding.code for finding in refused.value.findings] == ["later_stage_begun"]
    with pytest.raises(WarningsNotAcceptedError):
        demote(by=director)
    assert not block.adjustments.exists()
    demote(by=director, accept={"later_stage_begun"})
    season.publish()
    now = SlotState.objects.get(slot=seated.slot, audience=Audience.STAFF)
    assert now.entrant_id != block.adjustments.get().entrant_id


def test_reverting_to_a_revision_creates_a_new_one_that_can_be_reverted(hanchan: Hanchan) -> None:
    revert_result(hanchan=hanchan, revision=1, corrects=2, by=SYSTEM, reason="it was right")
    newest = ResultSheet.objects.counting().get(hanchan=hanchan)
    assert (newest.revision, newest.reason) == (3, "it was right")
    assert [seat.score for seat in newest.seats.order_by("seat")] == [41200, 30100, 18700, 10000]
    revert_result(hanchan=hanchan, revision=2, corrects=3, by=SYSTEM, reason="no, it was not")
    assert [s.score for s in ResultSheet.objects.counting().get(hanchan=hanchan).seats.all()] == list(CORRECTED)
    kinds = hanchan.block.competition.changes.filter(kind="result.corrected").values_list("reason", flat=True)
    assert set(kinds) == {"misread", "it was right", "no, it was not"}


def test_a_voided_result_can_be_restored_by_reverting(hanchan: Hanchan) -> None:
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="wrong table")
    revert_result(hanchan=hanchan, revision=2, corrects=None, by=SYSTEM, reason="it was this table")
    assert ResultSheet.objects.counting().get(hanchan=hanchan).revision == 3


def test_reverting_from_a_stale_revision_or_to_the_current_one_is_a_conflict(hanchan: Hanchan) -> None:
    revert = partial(revert_result, hanchan=hanchan, by=SYSTEM, reason="undo")
    with pytest.raises(ConflictError, match="Revision 2 counts now"):
        revert(revision=1, corrects=1)
    with pytest.raises(ConflictError, match="not an earlier one"):
        revert(revision=2, corrects=2)
    with pytest.raises(RuleViolationError, match="no revision 9"):
        revert(revision=9, corrects=2)


def test_a_scorer_cannot_revert_results(hanchan: Hanchan) -> None:
    scorer = actor(user(role=Role.SCORER, competition=hanchan.block.competition))
    with pytest.raises(Exception, match="correct confirmed results"):
        revert_result(hanchan=hanchan, revision=1, corrects=2, by=scorer, reason="undo")
