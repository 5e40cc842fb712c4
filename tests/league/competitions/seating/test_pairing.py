"""Rounds paired by the standing or by lot: what is written, who sits out, and what a later correction changes."""

from __future__ import annotations

from itertools import combinations

import pytest

from league.models import Block, Change, Credit, Entrant, Hanchan, HanchanSeat, Pairing, TableSession
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError, WarningsNotAcceptedError
from league.selectors.competitions.seating.pairing import planned_pairing, published_seed
from league.services.competitions.pairing import pair_round, take_pairing_back
from league.services.competitions.schedule import seat_players
from scoring.seating.pairing import History
from scoring.seating.pairing import pair as paired_by_engine
from tests.factories import SYSTEM, actor, entrants, in_block, play, seated, user
from tests.league.paired_league import met_in, pair, play_round, tournament

pytestmark = pytest.mark.django_db

SWISS = '{ numbers = "1", by = "draw" }, { numbers = "2-3", by = "standing", avoid = ["met"] }'
DRAWS = '{ numbers = "1-3", by = "draw", avoid = ["met"] }'


@pytest.fixture
def block() -> Block:
    """Return a block of 16 players and three rounds, the first by lot, the others by the standing."""
    return tournament(16, SWISS)


def seats_in(block: Block, number: int) -> list[list[int]]:
    """Return the entrants at each table of a round, in the order of tables and seats."""
    rows = HanchanSeat.objects.filter(hanchan__block=block, hanchan__number=number).order_by("hanchan", "seat")
    tables: dict[int, list[int]] = {}
    for hanchan, entrant in rows.values_list("hanchan", "entrant"):
        tables.setdefault(hanchan, []).append(entrant)
    return list(tables.values())


def test_a_round_is_seated_as_previewed_and_the_reasons_are_kept(block: Block) -> None:
    planned = planned_pairing(block, 1)
    pairing = pair(block, 1)
    assert seats_in(block, 1) == [[one.pk for one in table] for table in planned.tables]
    assert [table["entrants"] for table in pairing.tables] == seats_in(block, 1)
    assert pairing.digest == planned.digest
    assert (pairing.cost, pairing.is_optimal, pairing.bound_by) == (4 * 20, True, "optimum")
    assert [len(table["terms"]) for table in pairing.tables] == [6] * 4
    change = Change.objects.get(kind="round.paired")
    assert change.is_public
    assert pairing.made_n == change.n == pairing.standing_version + 1


def test_neighbours_in_the_standing_meet_and_nobody_twice_where_that_can_be(block: Block) -> None:
    met: set[frozenset[int]] = set()
    for number in (1, 2, 3):
        pairing = pair(block, number)
        assert not met & met_in(pairing), "16 players have three rounds without a repeat"
        assert not any(pairing.broken.values())
        assert sorted(one for table in seats_in(block, number) for one in table) == sorted(
            one.pk for one in in_block(block)
        )
        met |= met_in(pairing)
        play_round(block, number)


def test_anyone_can_repeat_a_draw_from_the_published_seed(block: Block) -> None:
    pairing = pair(block, 1)
    assert pairing.seed == f"{published_seed(block.competition)}:A:1"
    numbers = [one.number for one in in_block(block)]
    again = paired_by_engine([numbers], History.of([], max(numbers) + 1), seed=pairing.seed)
    by_number = {one.number: one.pk for one in in_block(block)}
    assert [[by_number[one] for one in table] for table in again.round] == seats_in(block, 1)


def test_a_correction_after_the_pairing_does_not_change_it(block: Block) -> None:
    pair(block, 1)
    games = play_round(block, 1)
    pairing = pair(block, 2)
    before = seats_in(block, 2)
    play(games[0], (10_000, 20_000, 30_000, 40_000), corrects=1, reason="seats mixed up")
    assert seats_in(block, 2) == before
    pairing.refresh_from_db()
    assert pairing.ended_n is None


def test_a_missing_result_is_a_warning_that_names_the_table(block: Block) -> None:
    pair(block, 1)
    for hanchan in list(Hanchan.objects.filter(block=block, number=1).order_by("pk"))[:3]:
        play(hanchan)
    with pytest.raises(WarningsNotAcceptedError, match="Table 4") as refused:
        pair(block, 2)
    assert [finding.code for finding in refused.value.findings] == ["results_missing"]
    pair(block, 2, accept={"results_missing"})


def test_a_pairing_that_is_not_the_previewed_one_is_refused(block: Block) -> None:
    pair(block, 1)
    play_round(block, 1)
    digest = planned_pairing(block, 2).digest
    game = Hanchan.objects.filter(block=block, number=1).order_by("pk")[0]
    play(game, (10_000, 20_000, 30_000, 40_000), corrects=1, reason="seats mixed up")
    with pytest.raises(ConflictError, match="not the one you looked at"):
        pair_round(block=block, number=2, digest=digest, by=SYSTEM)


def test_a_pairing_is_taken_back_until_its_first_hanchan_begins(block: Block) -> None:
    pairing = pair(block, 1)
    with pytest.raises(ConflictError, match="paired already"):
        planned_pairing(block, 1)
    take_pairing_back(pairing=pairing, by=SYSTEM, reason="a player came late")
    assert seats_in(block, 1) == []
    assert not Pairing.objects.standing().exists()
    with pytest.raises(ConflictError, match="taken back already"):
        take_pairing_back(pairing=pairing, by=SYSTEM, reason="again")
    again = pair(block, 1)
    assert again.digest == pairing.digest
    play(Hanchan.objects.filter(block=block, number=1)[0])
    with pytest.raises(ConflictError, match="has begun"):
        take_pairing_back(pairing=again, by=SYSTEM, reason="too late")


def test_a_round_before_a_paired_one_keeps_its_pairing(block: Block) -> None:
    first = pair(block, 1)
    pair(block, 2, accept={"results_missing"})
    with pytest.raises(ConflictError, match="Round 2 is paired after this one"):
        take_pairing_back(pairing=first, by=SYSTEM, reason="in the wrong order")


def test_a_round_by_plan_is_not_paired_and_one_without_tables_neither() -> None:
    block = tournament(16, '{ numbers = "1", by = "plan" }, { numbers = "2-3", by = "standing" }')
    with pytest.raises(ConflictError, match="seated by the plan"):
        planned_pairing(block, 1)
    TableSession.objects.filter(hanchan__number=3).update(is_cancelled=True)
    Hanchan.objects.filter(block=block, number=3).delete()
    with pytest.raises(ConflictError, match="has no tables yet"):
        planned_pairing(block, 3)


def test_seats_that_are_set_by_hand_are_replaced_only_if_that_is_accepted(block: Block) -> None:
    hanchan = Hanchan.objects.filter(block=block, number=1)[0]
    seat_players(hanchan=hanchan, entrants=in_block(block)[:4], by=SYSTEM)
    with pytest.raises(WarningsNotAcceptedError, match="would be replaced"):
        pair(block, 1)
    pair(block, 1, accept={"seats_replaced"})


def test_only_those_who_manage_the_competition_pair_its_rounds(block: Block) -> None:
    with pytest.raises(PermissionRefusedError):
        pair(block, 1, by=actor(user()))


def test_tables_that_are_missing_are_made_and_those_not_needed_called_off() -> None:
    few = tournament(16, DRAWS, slug="few", tables=3)
    pair(few, 1)
    labels = TableSession.objects.filter(hanchan__number=1, block=few).order_by("pk").values_list("table", flat=True)
    assert list(labels) == ["Table 1", "Table 2", "Table 3", "Table 4"]
    many = tournament(16, DRAWS, slug="many", tables=5)
    pairing = pair(many, 1)
    assert TableSession.objects.filter(block=many, is_cancelled=True).count() == 1
    take_pairing_back(pairing=pairing, by=SYSTEM, reason="one more table is free")
    assert not TableSession.objects.filter(block=many, is_cancelled=True).exists()


@pytest.mark.both_databases
def test_as_few_as_possible_sit_out_each_round_and_it_goes_round() -> None:
    block = tournament(18, DRAWS, odd='by = "byes", points = "average"')
    sat_out: list[int] = []
    for number in (1, 2, 3):
        pair(block, number)
        byes = list(Credit.objects.standing().filter(block=block, number=number).values_list("entrant", flat=True))
        assert len(byes) == 2
        assert {*byes, *(one for table in seats_in(block, number) for one in table)} == {
            one.pk for one in in_block(block)
        }
        sat_out += byes
        if number < 3:
            play_round(block, number)
    assert len(set(sat_out)) == 6
    take_pairing_back(pairing=Pairing.objects.get(number=3), by=SYSTEM, reason="a player came late")
    assert Credit.objects.standing().filter(block=block).count() == 4


def test_one_who_sits_down_has_no_bye_any_more_and_the_other_has_one() -> None:
    block = tournament(17, DRAWS, odd='by = "byes", points = "average"')
    pair(block, 1)
    bye, hanchan = Credit.objects.get(), Hanchan.objects.filter(block=block, number=1)[0]
    first, *others = seated(hanchan)
    seat_players(hanchan=hanchan, entrants=[bye.entrant, *others], by=SYSTEM)
    assert Credit.objects.standing().get().entrant == first


def test_a_bye_counts_the_points_that_the_format_names() -> None:
    block = tournament(17, DRAWS, odd='by = "byes", points = "-15.0"')
    pair(block, 1)
    assert Credit.objects.get().points == -150


def test_house_players_sit_behind_the_last_and_are_asked_for() -> None:
    block = tournament(18, DRAWS, odd='by = "substitutes"', tables=5)
    with pytest.raises(RuleViolationError, match="2 more house players are needed"):
        planned_pairing(block, 1)
    house = entrants(block.competition, 2, prefix="H")
    Entrant.objects.filter(pk__in=[one.pk for one in house]).update(is_house=True)
    pairing = pair(block, 1)
    assert pairing.order[-1] == sorted(one.pk for one in house)
    assert not Credit.objects.exists()


def test_an_odd_number_is_refused_with_what_to_do(block: Block) -> None:
    Entrant.objects.filter(pk=in_block(block)[0].pk).update(withdrawn_at="2026-11-26T09:00:00Z")
    with pytest.raises(RuleViolationError, match="Enter 1 more, or withdraw 3"):
        planned_pairing(block, 1)


def test_the_second_hanchan_starts_from_another_seat_where_it_can(block: Block) -> None:
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    first = {one.pk: seat for game in Hanchan.objects.filter(number=1) for seat, one in enumerate(seated(game))}
    second = {one.pk: seat for game in Hanchan.objects.filter(number=2) for seat, one in enumerate(seated(game))}
    assert sum(first[one] == second[one] for one in first) <= 4


def exists_without_repeat(players: list[int], met: set[frozenset[int]]) -> bool:
    """Try every partition into tables of four, the first free player first."""
    if not players:
        return True
    first, *others = players
    free = [one for one in others if frozenset({first, one}) not in met]
    return any(
        not any(frozenset(two) in met for two in combinations(three, 2))
        and exists_without_repeat([one for one in others if one not in three], met)
        for three in combinations(free, 3)
    )


@pytest.mark.parametrize(("people", "rounds"), [(12, 4), (24, 3)])
def test_pairs_repeat_only_where_no_pairing_without_a_repeat_exists(people: int, rounds: int) -> None:
    block = tournament(
        people,
        f'{{ numbers = "1", by = "draw" }}, {{ numbers = "2-{rounds}", by = "standing", avoid = ["met"] }}',
        rounds,
    )
    players, met = [one.pk for one in in_block(block)], set[frozenset[int]]()
    for number in range(1, rounds + 1):
        pairing = pair(block, number)
        assert not met & met_in(pairing) or not exists_without_repeat(players, met)
        assert pairing.broken.get("met", 0) == len(met & met_in(pairing))
        met |= met_in(pairing)
        if number < rounds:
            play_round(block, number)
