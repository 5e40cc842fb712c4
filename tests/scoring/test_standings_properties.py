"""Properties of every ranking: independence of order and names, and agreement with the literal rule."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.standings import Played, Row, Standings, rank
from tests.scoring.tables import BACK_TRACKING

RESULTS = st.tuples(st.integers(-2, 2), st.integers(1, 2), st.sampled_from([20000, 30000]))


@st.composite
def blocks(draw: st.DrawFn, *, even: bool = False) -> list[Row]:
    """Draw rows with few different results, so that ties are common."""
    size = draw(st.integers(1, 8))
    hanchan = draw(st.integers(0, 4))
    rows = []
    for entrant in range(size):
        count = hanchan if even else draw(st.integers(0, hanchan))
        results = draw(st.lists(RESULTS, min_size=count, max_size=count))
        played = tuple(Played(number, *result) for number, result in enumerate(results, start=1))
        rows.append(Row(entrant, played))
    return rows


def shape(standings: Standings) -> list[tuple[int, int, bool]]:
    return [(each.rank, each.total, each.tied) for each in standings.ranked]


@given(blocks(), st.randoms(use_true_random=False))
def test_a_ranking_does_not_depend_on_the_order_of_the_rows(rows: list[Row], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert rank(shuffled, BACK_TRACKING) == rank(rows, BACK_TRACKING)


@given(blocks(), st.randoms(use_true_random=False))
def test_a_ranking_does_not_depend_on_the_order_of_a_players_hanchan(rows: list[Row], random: Random) -> None:
    shuffled = []
    for each in rows:
        played = list(each.played)
        random.shuffle(played)
        shuffled.append(Row(each.entrant, tuple(played)))
    assert [each.entrant for each in rank(shuffled, BACK_TRACKING).ranked] == [
        each.entrant for each in rank(rows, BACK_TRACKING).ranked
    ]


@given(blocks(), st.permutations(range(8)))
def test_renaming_entrants_changes_no_rank(rows: list[Row], names: list[int]) -> None:
    renamed = [Row(names[int(str(each.entrant))], each.played) for each in rows]
    before, after = rank(rows, BACK_TRACKING), rank(renamed, BACK_TRACKING)
    assert shape(before) == shape(after)
    ranks = {each.entrant: each.rank for each in after.ranked}
    assert all(each.rank == ranks[names[int(str(each.entrant))]] for each in before.ranked)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=30, unique=True))
def test_untied_players_rank_by_their_totals(totals: list[int]) -> None:
    standings = rank([Row(number, adjustment=total) for number, total in enumerate(totals)], BACK_TRACKING)
    assert [each.total for each in standings.ranked] == sorted(totals, reverse=True)
    assert [each.rank for each in standings.ranked] == list(range(1, len(totals) + 1))
    assert not standings.decisions


@given(blocks(even=True))
def test_with_equal_numbers_of_hanchan_the_ranking_follows_the_literal_rule(rows: list[Row]) -> None:
    """Compare with one sort key: total, then points, place and score of the last hanchan, then of the one before."""

    def key(each: Row) -> tuple[int, ...]:
        backwards = sorted(each.played, key=lambda played: -played.number)
        return (each.total, *(value for p in backwards for value in (p.points, -p.place, p.score)))

    ranked = rank(rows, BACK_TRACKING).ranked
    keys = [key(each.row) for each in ranked]
    assert keys == sorted(keys, reverse=True)
    assert all((a == b) == (x.rank == y.rank) for (a, b), (x, y) in zip(pairwise(keys), pairwise(ranked), strict=True))


@given(blocks())
def test_each_pair_of_neighbours_with_equal_totals_has_a_decision_or_shares_the_rank(rows: list[Row]) -> None:
    standings = rank(rows, BACK_TRACKING)
    decided = {(each.above, each.below) for each in standings.decisions}
    for above, below in pairwise(standings.ranked):
        is_level = above.total == below.total
        assert ((above.entrant, below.entrant) in decided) == (is_level and above.rank != below.rank)
    assert {entrant for group in standings.unbroken for entrant in group} == {
        each.entrant for each in standings.ranked if each.tied
    }


@given(blocks())
def test_a_ruling_on_every_tie_leaves_none(rows: list[Row]) -> None:
    tied = rank(rows, BACK_TRACKING).unbroken
    settled = rank(rows, BACK_TRACKING, rulings=[tuple(reversed(group)) for group in tied])
    assert settled.unbroken == ()
    assert [each.rank for each in settled.ranked] == list(range(1, len(rows) + 1))
