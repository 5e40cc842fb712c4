"""Test the publishing of standings: computed once per version, in any order of events, with rulings and ETags."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from django.db import transaction

from league.models import (
    Audience,
    Block,
    Change,
    Competition,
    Entrant,
    Hanchan,
    Outcome,
    SlotState,
    Standing,
    TableSession,
)
from league.platform.errors import RuleViolationError
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.standings.tables import block_tables, result_grid
from league.services.operations.sweep import sweep
from league.services.results.results import void_hanchan
from league.services.results.rulings import adjust_points, override_slot, pass_over, rule_on_tie, take_back
from league.services.standings.publishing import derivations, publish, publish_standings, publish_version
from tests.factories import SYSTEM, final_table, in_block, league, play, seated, table

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def spring(shared_rows: None) -> Competition:
    return league()


@pytest.fixture
def season(spring: Competition) -> Competition:
    return Competition.objects.get(pk=spring.pk)


@pytest.fixture(scope="module")
def preliminary(shared_rows: None) -> Competition:
    """Play both blocks of another league to their end."""
    made = league("half")
    for block in made.blocks.filter(stage__order=1):
        play_block(block, random.Random(8))
    return made


@pytest.fixture
def half(preliminary: Competition) -> Competition:
    return Competition.objects.get(pk=preliminary.pk)


def published(competition: Competition) -> Reader:
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return Reader(competition, Audience.PUBLIC, competition.public_version)


def everything(competition: Competition) -> list[object]:
    """Return everything published, without the versions it was computed from."""
    published(competition)
    blocks = competition.blocks.all()
    return [
        list(Standing.objects.filter(block__in=blocks).order_by("block", "audience", "position").values_list(
            "block__key", "audience", "entrant__player__name", "position", "rank", "total", "played", "places",
            "destination",
        )),
        list(SlotState.objects.filter(slot__block__in=blocks).order_by("slot", "audience").values_list(
            "slot__block__key", "slot__number", "audience", "state", "entrant__player__name"
        )),
        list(competition.outcomes.order_by("audience").values_list(
            "audience", "champion__player__name", "champion_state"
        )),
    ]  # fmt: skip


def random_scores(generator: random.Random) -> tuple[int, ...]:
    cuts = [generator.randrange(-100, 600) * 100 for _ in range(3)]
    return (*cuts, 100_000 - sum(cuts))


def play_block(block: Block, generator: random.Random, order: Sequence[int] | None = None) -> None:
    """Play eight hanchan at two tables of four; `order` gives the order in which results arrive."""
    people = in_block(block)
    hanchan = list(Hanchan.objects.filter(block=block).order_by("pk"))
    if not hanchan:
        for four in (people[:4], people[4:]):
            hanchan += list(table(block, four, numbers=range(1, 9)).hanchan.order_by("round"))
    scores = [random_scores(generator) for _ in hanchan]
    for index in order or range(len(hanchan)):
        play(hanchan[index], scores[index], accept={"extreme_score", "same_result_twice"})


def play_stage(block: Block, generator: random.Random) -> None:
    """Play a playoff or the final to its end with the four players who certainly take part."""
    published(block.competition)
    slots = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    people = [slot.entrant for slot in slots.select_related("entrant__player").order_by("slot__number") if slot.entrant]
    for hanchan in table(block, people).hanchan.order_by("round"):
        play(hanchan, random_scores(generator), accept={"extreme_score", "same_result_twice"})


def test_published_standings_follow_from_the_results(season: Competition) -> None:
    block = season.blocks.get(key="A")
    play(table(block).hanchan.get(round=1))
    (lines,) = [shown.lines for shown in block_tables(published(season)) if shown.block == block]
    assert [(line.standing.entrant.player.name, line.standing.total) for line in lines][:2] == [
        ("A1", 512),
        ("A2", 101),
    ]
    assert lines[1].gap_to_above == 411


def test_publishing_an_unchanged_version_again_changes_nothing(season: Competition) -> None:
    assert publish_standings(season.pk) == publish_standings(season.pk) == published(season).version


@pytest.mark.both_databases
def test_a_message_for_an_outdated_version_changes_nothing(season: Competition) -> None:
    hanchan = table(season.blocks.get(key="A")).hanchan.get(round=1)
    old = Competition.objects.get(pk=season.pk).version
    play(hanchan)
    published(season)
    assert not publish_version(season, old)
    assert Standing.objects.filter(block__key="A", audience="public", total=512).exists()


@pytest.mark.both_databases
def test_a_slow_computation_does_not_replace_a_newer_one(season: Competition) -> None:
    hanchan = list(table(season.blocks.get(key="A")).hanchan.order_by("round"))
    play(hanchan[0])
    slow = Competition.objects.get(pk=season.pk)
    derived = derivations(slow, slow.version)
    play(hanchan[1], (10000, 18700, 30100, 41200))
    after = everything(season)
    assert not publish(slow, slow.version, derived)
    assert everything(season) == after


@pytest.mark.both_databases
def test_standings_computed_before_a_new_result_are_published_and_then_updated(season: Competition) -> None:
    hanchan = list(table(season.blocks.get(key="A")).hanchan.order_by("round"))
    play(hanchan[0])
    slow = Competition.objects.get(pk=season.pk)
    derived = derivations(slow, slow.version)
    play(hanchan[1], (10000, 18700, 30100, 41200))
    assert publish(slow, slow.version, derived)
    assert set(Standing.objects.filter(block__key="A", total=512).values_list("played", flat=True)) == {1}
    published(season)
    assert not Standing.objects.filter(block__key="A", total=512).exists()


@pytest.mark.both_databases
def test_unchanged_rows_keep_the_version_they_were_computed_from(season: Competition) -> None:
    published(season)
    before = dict(Standing.objects.filter(block__key="B").values_list("pk", "computed_version"))
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    published(season)
    assert dict(Standing.objects.filter(block__key="B").values_list("pk", "computed_version")) == before


def test_the_sweep_publishes_after_a_lost_message(season: Competition) -> None:
    play(table(season.blocks.get(key="A")).hanchan.get(round=1))
    season.refresh_from_db()
    assert season.computed_version < season.version
    sweep()
    season.refresh_from_db()
    assert season.computed_version == season.version


def test_standings_do_not_depend_on_the_order_of_results(season: Competition, half: Competition) -> None:
    for key in ("po1", "po2", "po3", "final"):
        play_stage(half.blocks.get(key=key), random.Random(100))
    in_order = everything(half)
    for seed, block in enumerate(season.blocks.filter(stage__order=1)):
        shuffled = list(range(16))
        random.Random(seed).shuffle(shuffled)
        play_block(block, random.Random(8), shuffled)
    for key in ("po1", "po2", "po3", "final"):
        play_stage(season.blocks.get(key=key), random.Random(100))
    assert everything(season) == in_order


def test_voiding_a_result_and_entering_it_again_gives_the_same_standings(season: Competition) -> None:
    play_block(season.blocks.get(key="A"), random.Random(5))
    before = everything(season)
    hanchan = season.blocks.get(key="A").hanchan.filter(sheets__state="confirmed").order_by("pk")[3]
    scores = list(hanchan.sheets.get().seats.values_list("score", flat=True))
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="entered for the wrong table")
    assert everything(season) != before
    play(hanchan, scores, accept={"extreme_score"})
    assert everything(season) == before


@pytest.mark.clause("cinderella", "CL-017")
def test_a_whole_league_ends_with_a_champion(half: Competition) -> None:
    generator = random.Random(11)
    for key in ("po1", "po2", "po3", "final"):
        play_stage(half.blocks.get(key=key), generator)
    reader = published(half)
    outcome = Outcome.objects.get(competition=half, audience=reader.audience)
    first = Standing.objects.get(block__competition=half, block__key="final", audience=reader.audience, position=1)
    assert (outcome.champion, outcome.champion_state) == (first.entrant, "certain")
    assert first.destination == "champion"


@pytest.mark.both_databases
@pytest.mark.clause("cinderella", "CL-018")
def test_every_stage_starts_from_zero(half: Competition) -> None:
    published(half)
    assert set(Standing.objects.filter(block__key="po1").values_list("total", "played")) == {(0, 0)}


@pytest.fixture(scope="module")
def level(shared_rows: None) -> Competition:
    """Play a final in which the first two players tie in every hanchan."""
    season = final_table()
    block = season.blocks.get()
    for hanchan in table(block).hanchan.order_by("round"):
        play(hanchan, (35000, 35000, 20000, 10000), accept={"same_result_twice"})
    published(season)
    return season


@pytest.fixture
def deadlock(level: Competition) -> tuple[Competition, list[Entrant]]:
    season = Competition.objects.get(pk=level.pk)
    return season, in_block(season.blocks.get())


def champion(season: Competition) -> tuple[str, str | None]:
    published(season)
    outcome = Outcome.objects.get(competition=season, audience="public")
    return outcome.champion_state, outcome.champion.player.name if outcome.champion else None


class TestRulings:
    """Test rulings and other decisions where the rules leave a case open."""

    @pytest.mark.clause("cinderella", "CL-029")
    def test_a_tie_that_no_hanchan_breaks_leaves_the_champion_open(
        self, deadlock: tuple[Competition, list[Entrant]]
    ) -> None:
        season, people = deadlock
        assert champion(season) == ("ruling", None)
        (tie,) = Outcome.objects.get(competition=season, audience="public").awaiting
        assert set(tie["entrants"]) == {people[0].pk, people[1].pk}

    @pytest.mark.clause("cinderella", "CL-029")
    def test_a_ruling_breaks_the_tie_and_its_withdrawal_restores_it(
        self, deadlock: tuple[Competition, list[Entrant]]
    ) -> None:
        season, people = deadlock
        ruling = rule_on_tie(
            competition=season,
            scope=season.blocks.get().key,
            order=[people[1], people[0]],
            by=SYSTEM,
            reason="drawn by lot",
        )
        assert champion(season) == ("certain", people[1].player.name)
        decision = Standing.objects.get(block=season.blocks.get(), audience="public", position=2).decision
        assert decision
        assert decision["criterion"] == "ruling"
        take_back(decision=ruling, competition=season, by=SYSTEM, reason="appeal upheld")
        assert champion(season) == ("ruling", None)

    def test_a_ruling_must_name_exactly_the_tied_players(self, deadlock: tuple[Competition, list[Entrant]]) -> None:
        season, people = deadlock
        with pytest.raises(Exception, match="not tied there"):
            rule_on_tie(
                competition=season, scope=season.blocks.get().key, order=people[1:3], by=SYSTEM, reason="wrong two"
            )

    def test_an_adjustment_counts_in_the_total(self, deadlock: tuple[Competition, list[Entrant]]) -> None:
        season, people = deadlock
        adjust_points(block=season.blocks.get(), entrant=people[0], points=-100, by=SYSTEM, reason="late by an hour")
        assert champion(season) == ("certain", people[1].player.name)

    @pytest.mark.clause("cinderella", "CL-020")
    def test_a_withdrawal_promotes_the_next_player(self, half: Competition) -> None:
        published(half)
        table_a = list(Standing.objects.filter(block__key="A", audience="public").order_by("position"))
        pass_over(block=half.blocks.get(key="A"), entrant=table_a[0].entrant, by=SYSTEM, reason="withdrew")
        published(half)
        slot = SlotState.objects.get(slot__block=half.blocks.get(key="final"), slot__number=1, audience="public")
        assert slot.entrant == table_a[1].entrant

    @pytest.mark.clause("cinderella", "CL-020")
    def test_a_third_player_can_advance_instead_of_two(self, half: Competition) -> None:
        generator = random.Random(8)
        play_stage(half.blocks.get(key="po1"), generator)
        published(half)
        third = Standing.objects.get(block__key="po1", audience="staff", position=3)
        slot = half.blocks.get(key="po2").slots.get(number=1)
        override_slot(slot=slot, source="po1#3", by=SYSTEM, reason="a block third withdrew")
        published(half)
        state = SlotState.objects.get(slot=slot, audience="public")
        assert (state.entrant, state.note) == (third.entrant, "a block third withdrew")

    @pytest.mark.parametrize("source", ["nonsense", "Z#1", "ruling", "po3#1", "po2#1", "A#9", "B#3"])
    def test_an_impossible_source_for_a_slot_is_refused_and_publishing_continues(
        self, season: Competition, source: str
    ) -> None:
        slot = season.blocks.get(key="po2").slots.get(number=1)
        with pytest.raises(RuleViolationError) as refused, transaction.atomic():
            override_slot(slot=slot, source=source, by=SYSTEM, reason="trying")
        assert {finding.code for finding in refused.value.findings} == {"impossible_plan"}
        assert published(season).version == season.version

    def test_passing_over_a_player_of_another_block_does_not_break_publishing(self, season: Competition) -> None:
        stranger = in_block(season.blocks.get(key="B"))[0]
        pass_over(block=season.blocks.get(key="A"), entrant=stranger, by=SYSTEM, reason="typed the wrong name")
        assert published(season).version == season.version


def test_the_grid_shows_each_hanchan_with_its_running_total(season: Competition) -> None:
    block = season.blocks.get(key="A")
    rounds: TableSession = table(block)
    for hanchan in rounds.hanchan.order_by("round"):
        play(hanchan, accept={"same_result_twice"})
    row = result_grid(published(season), block)[seated(rounds.hanchan.get(round=1))[0].pk]
    assert [(number, cell.points, cell.running_total) for number, cell in row.items()] == [
        (1, 512, 512), (2, 512, 1024), (3, 512, 1536), (4, 512, 2048),
    ]  # fmt: skip


@pytest.mark.both_databases
def test_voiding_a_result_that_changes_a_begun_stage_needs_acceptance(half: Competition) -> None:
    generator = random.Random(8)
    play_stage(half.blocks.get(key="po1"), generator)
    hanchan = Hanchan.objects.filter(block__key="A").order_by("pk")[0]
    with pytest.raises(Exception, match="results already") as refused:
        void_hanchan(hanchan=hanchan, by=SYSTEM, reason="wrong slip")
    assert [finding.code for finding in refused.value.findings] == ["later_stage_begun"]  # type: ignore[attr-defined]
    void_hanchan(hanchan=hanchan, by=SYSTEM, reason="wrong slip", accept={"later_stage_begun"})
    assert Change.objects.filter(competition=half, kind="result.voided").exists()


def shown(reader: Reader) -> list[object]:
    """Return all tables, results and changes that this reader sees."""
    return [
        [
            (table.block.key, table.played, [(line.standing.entrant_id, line.standing.total) for line in table.lines])
            for table in block_tables(reader)
        ],
        sorted(reader.seat_results().values_list("sheet", "seat", "points")),
        list(reader.changes().values_list("n", "kind")),
    ]


@pytest.mark.parametrize("seed", range(2))
def test_an_etag_never_stands_for_two_different_contents(season: Competition, seed: int) -> None:
    generator = random.Random(seed)
    rounds = list(table(season.blocks.get(key="A"), numbers=range(1, 9)).hanchan.order_by("round"))
    seen: dict[tuple[str, str], list[object]] = {}
    for _ in range(24):
        hanchan = generator.choice(rounds)
        match generator.choice(["play", "void", "publish", "publish"]):
            case "publish":
                publish_standings(season.pk)
            case "play" if not hanchan.sheets.filter(state="confirmed").exists():
                play(hanchan, random_scores(generator), accept={"extreme_score", "same_result_twice"})
            case "void" if hanchan.sheets.filter(state="confirmed").exists():
                void_hanchan(hanchan=hanchan, by=SYSTEM, reason="misread slip")
        season.refresh_from_db()
        for audience, version in (("public", season.public_version), ("staff", season.computed_version)):
            reader = Reader(season, Audience(audience), version)
            now = shown(reader)
            assert seen.setdefault((audience, etag_of(reader, "page")), now) == now
    assert len(seen) > 4
