"""Tests of the services that set up a competition: stages, permissions, rejected input."""

from __future__ import annotations

from typing import Any

import pytest

from league.models import Competition, Membership, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.services.competitions.schedule import create_session
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    enter_players,
    new_player,
    seed_block,
    set_status,
)
from league.services.results.results import void_hanchan
from league.services.rulebooks.revisions import RulesChoice, keep_format, keep_ruleset, put_rules_in_force
from tests.factories import SYSTEM, actor, entrants, in_block, league, play, table, user

pytestmark = pytest.mark.django_db

PLAN = CompetitionPlan(slug="autumn", name="秋リーグ", ruleset="cinderella", league_format="cinderella")


@pytest.mark.both_databases
@pytest.mark.clause("cinderella", "CL-002")
def test_a_new_competition_has_the_blocks_and_slots_of_its_format() -> None:
    season = create_competition(plan=PLAN, by=SYSTEM)
    laid = {
        block.key: list(block.slots.order_by("number").values_list("source", flat=True))
        for block in season.blocks.all()
    }
    assert {key: len(sources) for key, sources in laid.items()} == {
        "A": 8,
        "B": 8,
        "po1": 4,
        "po2": 4,
        "po3": 4,
        "final": 4,
    }
    assert laid["po1"] == ["A#4", "A#5", "B#4", "B#5"]
    assert laid["final"] == ["A#1", "B#1", "po3#1", "po3#2"]


def test_the_creator_of_a_competition_becomes_its_director() -> None:
    organizer = user(is_superuser=True)
    season = create_competition(plan=PLAN, by=actor(organizer))
    assert Membership.objects.get(competition=season, user=organizer).role == Role.DIRECTOR


def test_creating_a_competition_requires_a_permission() -> None:
    with pytest.raises(PermissionRefusedError):
        create_competition(plan=PLAN, by=actor(user()))


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"slug": "Autumn League"}, "/slug"),
        ({"time_zone": "Edo"}, "/time_zone"),
        ({"ruleset": "nobody"}, "/ruleset"),
        ({"league_format": "nobody"}, "/format"),
        ({"options": {"nonsense": 1}}, "/options"),
        ({"kind": Competition.Kind.OPEN, "confirmation": Competition.Confirmation.SECOND}, "/confirmation"),
        ({"kind": Competition.Kind.OPEN}, "/format"),
    ],
)
def test_an_invalid_plan_is_rejected_with_a_pointer_to_its_field(change: dict[str, Any], pointer: str) -> None:
    values: dict[str, Any] = {
        "slug": "autumn",
        "name": "秋リーグ",
        "ruleset": "cinderella",
        "league_format": "cinderella",
    }
    with pytest.raises(RuleViolationError) as refused:
        create_competition(plan=CompetitionPlan(**{**values, **change}), by=SYSTEM)
    assert [finding.pointer for finding in refused.value.findings] == [pointer]


def test_a_slug_can_be_used_only_once() -> None:
    create_competition(plan=PLAN, by=SYSTEM)
    with pytest.raises(ConflictError, match="autumn"):
        create_competition(plan=PLAN, by=SYSTEM)


def test_a_player_needs_a_name_and_is_entered_once() -> None:
    season = create_competition(plan=PLAN, by=SYSTEM)
    with pytest.raises(RuleViolationError):
        new_player(name=" ", by=SYSTEM)
    hana = new_player(name="花", by=SYSTEM)
    enter_players(competition=season, players=[hana, hana], by=SYSTEM)
    enter_players(competition=season, players=[hana], by=SYSTEM)
    assert season.entrants.count() == 1


class TestSeeding:
    """Tests of seeding entrants into blocks."""

    @pytest.fixture
    def season(self) -> Competition:
        return create_competition(plan=PLAN, by=SYSTEM)

    def test_an_entrant_cannot_be_seeded_twice(self, season: Competition) -> None:
        people = entrants(season, 8)
        seed_block(block=season.blocks.get(key="A"), entrants=people[:4], by=SYSTEM)
        for block, chosen, pointer in (
            ("B", [people[5], people[0]], "/entrants/1"),
            ("A", [people[0], people[1], people[0]], "/entrants/2"),
        ):
            with pytest.raises(RuleViolationError) as refused:
                seed_block(block=season.blocks.get(key=block), entrants=chosen, by=SYSTEM)
            assert [(each.code, each.pointer) for each in refused.value.findings] == [("seeded_twice", pointer)]

    def test_more_entrants_than_slots_cannot_be_seeded(self, season: Competition) -> None:
        with pytest.raises(RuleViolationError, match="8"):
            seed_block(block=season.blocks.get(key="A"), entrants=entrants(season, 9), by=SYSTEM)

    def test_a_playoff_block_cannot_be_seeded(self, season: Competition) -> None:
        with pytest.raises(RuleViolationError) as refused:
            seed_block(block=season.blocks.get(key="po1"), entrants=entrants(season, 4), by=SYSTEM)
        assert refused.value.findings[0].code == "block_not_seeded"

    def test_a_block_with_results_cannot_be_seeded_again(self) -> None:
        season = league()
        block = season.blocks.get(key="A")
        play(table(block).hanchan.get(round=1))
        with pytest.raises(ConflictError):
            seed_block(block=block, entrants=in_block(block)[::-1], by=SYSTEM)


def test_publishing_twice_records_one_change() -> None:
    season = create_competition(plan=PLAN, by=SYSTEM)
    set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    season.refresh_from_db()
    version = season.version
    set_status(competition=season, status=Competition.Status.PUBLISHED, by=SYSTEM)
    season.refresh_from_db()
    assert season.version == version


def test_a_competition_with_results_cannot_return_to_draft_until_they_are_voided() -> None:
    season = league()
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    with pytest.raises(ConflictError, match="has results and cannot be a draft again") as refused:
        set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)
    assert refused.value.findings[0].code == "has_results"
    season.refresh_from_db()
    assert season.status == Competition.Status.PUBLISHED
    void_hanchan(hanchan=hanchan, reason="played by mistake", by=SYSTEM)
    set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)
    assert season.status == Competition.Status.DRAFT


def test_a_competition_with_a_pending_result_cannot_return_to_draft() -> None:
    season = league(confirmation=Competition.Confirmation.SECOND)
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    with pytest.raises(ConflictError, match="has results"):
        set_status(competition=season, status=Competition.Status.DRAFT, by=SYSTEM)


class TestRulesInForce:
    """Tests of the rules in force over time."""

    def test_tables_scheduled_before_a_rule_change_keep_their_rules(self) -> None:
        season = league()
        before = table(season.blocks.get(key="A")).hanchan.get(round=1)
        choice = RulesChoice(
            ruleset=keep_ruleset("cinderella"), league_format=keep_format("cinderella"), options={"rounding": "exact"}
        )
        newer = put_rules_in_force(competition=season, choice=choice, by=SYSTEM)
        after = table(season.blocks.get(key="B")).hanchan.get(round=1)
        assert before.rules != newer
        assert after.rules == newer

    def test_storing_the_same_ruleset_twice_returns_the_same_row(self) -> None:
        assert keep_ruleset("cinderella") == keep_ruleset("cinderella")


def test_each_session_has_a_unique_number() -> None:
    season = league()
    first = create_session(competition=season, by=SYSTEM)
    assert create_session(competition=season, by=SYSTEM).number == first.number + 1
    with pytest.raises(ConflictError):
        create_session(competition=season, by=SYSTEM, number=first.number)
