"""The places that ranks of blocks lead to: stages further on, the title, and moves into the next term of a series."""

from __future__ import annotations

import pytest

from league.selectors.access.readers import public_reader_of
from league.selectors.standings.advances import advances_of
from league.selectors.standings.bracket import bracket
from scoring.pyramid.conditions import PlaceKind, SeriesDestination
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db


def test_a_rank_moves_into_the_next_term_only_where_it_leads_to_no_further_stage() -> None:
    league = TeamLeague()
    league.publish()
    found = bracket(public_reader_of(league.competition))
    moves = {place: SeriesDestination(PlaceKind.STAY, f"T{place}") for place in range(1, 9)}
    leads = advances_of(found.league_format, found.tables, moves)
    ways = {
        key: {rank: " ".join(lead.how for lead in own) for rank, own in block.items()} for key, block in leads.items()
    }
    assert ways == {
        "regular": {**dict.fromkeys(range(1, 7), "rank"), 7: "move", 8: "move"},
        "semi": {**dict.fromkeys(range(1, 5), "rank"), 5: "move", 6: "move"},
        "final": {1: "title move", **dict.fromkeys(range(2, 5), "move")},
    }
