"""Test a league whose fixtures are set one by one: own numbers, hanchan left, conditions, odds and what-if."""

from __future__ import annotations

from itertools import permutations

import pytest

from league.models import Block, Hanchan
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.standings.conditions import BlockConditions, conditions_of
from league.selectors.standings.derivation import derive, facts_at
from league.selectors.standings.what_if import HypotheticalResult, tables_in_play, try_out
from league.services.standings.odds import season_of
from scoring.conditions import Word
from scoring.odds.course import lay_out
from scoring.odds.ties import common_numbers
from tests.factories import in_block, play, table
from tests.league.resting_league import publish, resting_league

pytestmark = pytest.mark.django_db

FIXTURES = ("abcd", "efgh", "abef", "abcd", "efgh", "abgh", "cdef", "cdgh")
"""Eight entrants with four hanchan each; one table plays at a time."""
EACH = 4
SPREADS = ((60_000, 25_000, 10_000, 5_000), (26_000, 25_000, 25_000, 24_000), (130_000, 5_000, -5_000, -30_000))


def fixture_league(slug: str, *, played: int, scheduled: int = len(FIXTURES)) -> tuple[Block, dict[str, int]]:
    """Return a block of eight after `played` hanchan, and the ids of its entrants by letter."""
    made = resting_league(8, EACH, slug=slug, seating="fixtures")
    block = Block.objects.select_related("stage", "competition").get(competition=made, key="A")
    people = dict(zip("abcdefgh", in_block(block), strict=True))
    for number, company in enumerate(FIXTURES[:scheduled], start=1):
        table(block, [people[who] for who in company], numbers=(number,))
    for hanchan in Hanchan.objects.filter(block=block, number__lte=played).order_by("number"):
        more = 100 * (hanchan.number * 7 % 11)
        play(hanchan, (40_000 + more, 29_000, 21_000 - more, 10_000), accept={"same_result_twice"})
    publish(block.competition)
    return block, {who: entrant.pk for who, entrant in people.items()}


def conditions(reader: Reader) -> BlockConditions:
    (found,) = [each for each in conditions_of(reader) if each.block.key == "A"]
    return found


def test_each_entrant_has_own_numbers_and_own_hanchan_left() -> None:
    block, people = fixture_league("six", played=6)
    reader = public_reader_of(block.competition)
    played = facts_at(reader).played["A"]
    assert {who: [game.number for game in played[pk]] for who, pk in people.items()} == {
        "a": [1, 2, 3, 4], "b": [1, 2, 3, 4], "c": [1, 2], "d": [1, 2],
        "e": [1, 2, 3], "f": [1, 2, 3], "g": [1, 2, 3], "h": [1, 2, 3],
    }  # fmt: skip
    found = conditions(reader)
    assert {who: found.situation.left[pk] for who, pk in people.items()} == dict(
        zip("abcdefgh", (0, 0, 2, 2, 1, 1, 1, 1), strict=True)
    )
    # Two of the next table have another hanchan after it, so there is no last table yet.
    assert found.last == ()
    assert [set(company) for company in found.situation.fixtures] == [
        {people[who] for who in "cdef"}, {people[who] for who in "cdgh"},
    ]  # fmt: skip
    assert "A" not in derive(facts_at(reader)).complete


def test_no_result_of_the_last_fixture_contradicts_what_is_called_certain() -> None:
    block, people = fixture_league("seven", played=7)
    reader = public_reader_of(block.competition)
    found = conditions(reader)
    assert [{*each.entrants} for each in found.situation.tables] == [{people[who] for who in "cdgh"}]
    assert found.situation.tables[0].number == EACH
    status = {player.entrant.pk: player.status.word for player in found.targets[0].players}
    (last,) = [each for each in tables_in_play(reader) if each.hanchan.block.key == "A"]
    best = [
        {line.entrant.pk for line in try_out(reader, [HypotheticalResult(last, scores)]).blocks[0].lines[:4]}
        for spread in SPREADS
        for scores in permutations(spread)
    ]
    for entrant, word in status.items():
        if word is Word.CERTAIN:
            assert all(entrant in four for four in best)
        if word is Word.ELIMINATED:
            assert not any(entrant in four for four in best)
    assert Word.CERTAIN in status.values()


def test_simulated_seasons_play_the_fixtures_and_fill_in_those_not_set() -> None:
    block, people = fixture_league("open", played=5, scheduled=7)
    season, _pool = season_of(public_reader_of(block.competition))
    assert [(each.entrants, each.own_numbers) for each in season.fixtures["A"]] == [
        (tuple(people[who] for who in "abgh"), (4, 4, 3, 3)),
        (tuple(people[who] for who in "cdef"), (3, 3, 4, 4)),
    ]
    course = lay_out(season).blocks["A"]
    rows = [row.entrant for row in course.rows]
    games = [[rows[group.rows[place]] for place, _ in game.seats] for group in course.groups for game in group.games]
    assert {*games[2]} == {people[who] for who in "cdgh"}
    assert common_numbers(course, ()) == set(range(1, EACH + 1))
