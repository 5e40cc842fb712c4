"""Test that seats add up to teams and to members alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoring.teams.rows import MemberPoints, MemberSeat, member_rows, person_rows, team_rows
from scoring.tiebreak import Played

TEAMS = 7
points = st.integers(-1000, 1000)
people = st.tuples(st.integers(1, TEAMS), st.integers(1, 3)).map(lambda pair: (pair[0], pair[0] * 10 + pair[1]))
seats = st.lists(
    st.builds(
        lambda who, won, place: MemberSeat(who[0], who[1], Played(1, won, place, 25000)),
        people,
        points,
        st.integers(1, 4),
    ),
    max_size=30,
)
penalties = st.lists(
    st.builds(
        lambda who, cost, is_personal: MemberPoints(who[0], cost, who[1] if is_personal else None),
        people,
        points,
        st.booleans(),
    ),
    max_size=6,
)
starts = st.dictionaries(st.integers(1, TEAMS), points)


@given(seats, penalties, starts)
def test_teams_sum_to_their_members_penalties_of_their_own_and_points_carried(
    played: list[MemberSeat], penalised: list[MemberPoints], carried: dict[int, int]
) -> None:
    teams = {row.entrant: row for row in team_rows(played, penalised, carried)}
    members = member_rows(played, penalised)
    for team, row in teams.items():
        own = sum(each.total for (of, _), each in members.items() if of == team)
        alone = sum(each.points for each in penalised if each.team == team and each.player is None)
        assert row.total == own + alone + carried.get(int(str(team)), 0)
        assert len(row.played) == sum(len(each.played) for (of, _), each in members.items() if of == team)
    assert {of for of, _ in members} <= set(teams) >= set(carried)
    assert sum(row.total for row in person_rows(played, penalised)) == sum(row.total for row in members.values())


def test_a_row_numbers_its_own_hanchan_in_order_of_play() -> None:
    order = [MemberSeat("A", "a", Played(4, 1, 1, 0, 4)), MemberSeat("A", "b", Played(7, 2, 2, 0, 7))]
    (team,) = team_rows(order)
    assert [(each.number, each.ref) for each in team.played] == [(1, 4), (2, 7)]
    assert [row.played[0].number for row in person_rows(order)] == [1, 1]


def test_a_member_who_changes_teams_has_a_row_in_each_and_one_of_their_own() -> None:
    order = [MemberSeat("A", "x", Played(1, 10, 1, 0)), MemberSeat("B", "x", Played(2, -30, 4, 0))]
    assert {key: row.total for key, row in member_rows(order).items()} == {("A", "x"): 10, ("B", "x"): -30}
    (person,) = person_rows(order)
    assert (person.total, sorted(person.numbers())) == (-20, [1, 2])


def test_a_penalty_without_a_member_is_the_teams_alone() -> None:
    penalised = [MemberPoints("A", -200), MemberPoints("A", -50, "x")]
    assert [row.total for row in team_rows((), penalised)] == [-250]
    assert [(row.entrant, row.total) for row in person_rows((), penalised)] == [("x", -50)]
