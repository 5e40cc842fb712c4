"""What formats ask for, and which of them are proposed for a number of players, evenings and tables."""

from collections.abc import Mapping

import pytest

from rulesets.formats import format_names, load_format, parse_format
from scoring.format import Format
from scoring.format.fit import LONGEST_DAY, FormatWish, Proposal, Why, longest_day, proposed_formats, size_of

READY = [(name, load_format(name)) for name in format_names()]


def proposed(**wish: int) -> Mapping[str, Proposal]:
    """Return the ready formats proposed for a wish, by name, in the order of the proposals."""
    return {each.name: each for each in proposed_formats(READY, FormatWish(**wish))}


def said(proposal: Proposal) -> dict[Why, Mapping[str, int]]:
    return {reason.why: reason.params for reason in proposal.reasons}


def test_a_size_counts_hanchan_from_the_first_to_go_out_to_the_one_who_plays_longest() -> None:
    assert size_of(load_format("cinderella")).hanchan == (8, 24)
    assert size_of(load_format("cinderella-2018")).hanchan == (12, 22)
    # All of the first term goes on to one of the halves.
    assert size_of(load_format("company-16")).hanchan == (12, 14)
    assert size_of(load_format("evening-16")).hanchan == (4, 4)


def test_a_size_counts_tables_and_the_rounds_of_each_session() -> None:
    cut = size_of(load_format("cut-32"))
    assert (cut.players, cut.sessions, cut.tables, cut.rounds) == (32, 4, 8, (5, 2, 2, 2))
    # Eight of ten play at a time, so eight hanchan each take ten rounds: three a session.
    assert size_of(load_format("blocks-20")).rounds == (3, 3, 3, 3, 4)
    assert size_of(load_format("sanma-9")).tables == 3


def test_an_open_format_asks_for_nothing() -> None:
    size = size_of(load_format("open-play"))
    assert (size.players, size.hanchan, size.sessions, size.tables, size.rounds) == (None, None, None, None, None)


def test_few_tables_make_the_sessions_longer_that_use_them_all() -> None:
    assert size_of(load_format("blocks-16"), tables=2).rounds == (4, 4, 4, 4, 4)
    assert size_of(load_format("blocks-16"), tables=9).rounds == size_of(load_format("blocks-16")).rounds


def test_formats_for_as_many_players_come_first_and_open_ones_last() -> None:
    found = proposed(players=16)
    assert [each.size.players for each in found.values()] == [16] * (len(found) - 1) + [None]
    assert all(each.is_exact for each in found.values())
    assert said(found["blocks-16"]) == {Why.PLAYERS_EXACT: {"players": 16}}


def test_fourteen_players_are_two_short_of_sixteen_or_two_over_twelve() -> None:
    found = proposed(players=14)
    assert said(found["blocks-16"]) == {Why.PLAYERS_MISSING: {"players": 16, "count": 2}}
    assert said(found["league-12"]) == {Why.PLAYERS_OVER: {"players": 12, "count": 2}}
    assert not found["league-12"].is_exact
    assert {each.size.players for each in found.values()} == {12, 14, 16, None}


def test_a_format_too_far_from_the_number_of_players_is_not_proposed() -> None:
    assert list(proposed(players=50)) == ["consolation", "cut-open", "open-64", "swiss-40", "open-play"]
    assert said(proposed(players=250)["world-style"]) == {Why.PLAYERS_OVER: {"players": 240, "count": 10}}
    assert "cut-32" in proposed(players=28)
    assert "cut-32" not in proposed(players=26)


def test_evenings_are_exact_spare_or_short() -> None:
    found = proposed(players=16, evenings=5)
    assert said(found["blocks-16"])[Why.EVENINGS_EXACT] == {"sessions": 5, "count": 0}
    assert said(found["evening-16"])[Why.EVENINGS_SPARE] == {"sessions": 1, "count": 4}
    assert said(found["company-16"])[Why.EVENINGS_SHORT] == {"sessions": 7, "count": 5, "rounds": 4}
    assert said(found["open-play"])[Why.EVENINGS_ANY] == {}
    # Of the formats that fit, the one that uses the most evenings comes first.
    assert list(found)[:5] == ["blocks-16", "ladder-16", "round-robin-16", "consolation", "cut-open"]


def test_a_format_of_open_size_says_its_bounds_and_comes_after_those_for_the_number_alone() -> None:
    found = proposed(players=20)
    assert said(found["cut-open"]) == {Why.PLAYERS_BETWEEN: {"least": 16, "most": 224}}
    assert found["cut-open"].size.tables == 5
    assert list(found)[:4] == ["blocks-20", "evening-20", "consolation", "cut-open"]


def test_a_day_of_too_many_rounds_is_not_proposed() -> None:
    assert said(proposed(players=32, evenings=2)["cut-32"])[Why.EVENINGS_SHORT]["rounds"] == 6
    assert "cut-32" not in proposed(players=32, evenings=1)
    assert "round-robin-16" not in proposed(players=16, evenings=1)
    assert LONGEST_DAY == 10


def test_tables_are_enough_or_make_a_session_longer() -> None:
    assert said(proposed(players=16, tables=4)["blocks-16"])[Why.TABLES_ENOUGH] == {"count": 4}
    few = proposed(players=16, tables=3)
    assert said(few["blocks-16"])[Why.TABLES_SHORT] == {"tables": 4, "count": 3, "rounds": 3}
    assert said(few["evening-16"])[Why.TABLES_SHORT] == {"tables": 4, "count": 3, "rounds": 6}
    # Rests leave room: with three tables the sessions of the two blocks of ten still have four rounds.
    assert said(proposed(players=20, tables=3)["blocks-20"])[Why.TABLES_SHORT]["rounds"] == 4
    assert Why.TABLES_ENOUGH not in said(proposed(players=16, tables=1)["open-play"])


def test_fewer_tables_that_lengthen_no_session_are_named_with_the_longest_one() -> None:
    resting = [("resting", own("resting", 'hanchan = 4\nsessions = 4\nseating = "rounds"', 23))]
    (found,) = proposed_formats(resting, FormatWish(players=23, tables=4))
    assert said(found)[Why.TABLES_SHORT] == {"tables": 5, "count": 4, "rounds": 2}


def test_formats_for_other_numbers_of_players_at_a_table_are_not_proposed() -> None:
    assert {each.format.players for each in proposed(players=9).values()} == {4, None}
    threes = proposed(players=9, at_table=3)
    assert list(threes) == ["sanma-9", "open-play"]


def own(name: str, stage: str, entrants: int) -> Format:
    """Return a format of one stage."""
    text = f"""
        name = "{name}"
        title = "{name}"
        entrants = {entrants}
        tiebreak = {{}}
        [[stages]]
        key = "all"
        title = "all"
        assignment = "seeded"
        carry_over = {{ kind = "none" }}
        blocks = [{{ key = "all", title = "all", entrants = [{{ from = "seed:1-{entrants}" }}] }}]
        {stage}
    """
    return parse_format(text, name)


def test_a_format_that_leaves_the_table_to_the_rules_must_fill_one() -> None:
    three = [("three", own("three", 'hanchan = 3\nseating = "stay"', 3))]
    assert proposed_formats(three, FormatWish(players=3)) == ()
    (found,) = proposed_formats(three, FormatWish(players=3, at_table=3))
    assert found.is_exact


def test_a_format_without_a_number_of_hanchan_has_tables_but_no_sessions() -> None:
    free = [("free", own("free", 'seating = "rounds"', 8))]
    (found,) = proposed_formats(free, FormatWish(players=8, evenings=3, tables=1))
    assert (found.size.tables, found.size.sessions) == (2, None)
    assert said(found) == {Why.PLAYERS_EXACT: {"players": 8}, Why.EVENINGS_ANY: {}}


@pytest.mark.parametrize(
    ("rounds", "days", "longest"), [((4, 4), 2, 4), ((5, 2, 2, 2), 2, 6), ((2, 2, 2), 1, 6), ((1, 5, 1, 5), 3, 6)]
)
def test_sessions_share_days_in_their_order(rounds: tuple[int, ...], days: int, longest: int) -> None:
    assert longest_day(rounds, days) == longest


def test_formats_for_teams_are_not_proposed_to_players_and_their_fixtures_fill_as_many_days_as_wanted() -> None:
    assert not [name for name in proposed(players=8) if load_format(name).kind == "teams"]
    size = size_of(load_format("mleague-2018"))
    assert (size.players, size.hanchan, size.tables, size.sessions) == (7, (80, 104), 1, None)
