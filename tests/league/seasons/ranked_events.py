"""Leagues of one table that are played to their end, for rankings across them."""

import datetime as dt
from collections.abc import Sequence

from league.models import Competition, Player
from league.services.seasons.rankings import refresh_rankings
from league.services.standings.publishing import publish_standings
from tests.factories import final_table, play_all, table
from tests.replayed import replayed

FIRST_WINS = tuple((40000 + 100 * n, 30000, 20000, 10000 - 100 * n) for n in range(4))
"""Scores of four hanchan with the same places; equal sheets would be taken for one entered twice."""
DAY = dt.date(2026, 6, 1)


def publish(competition: Competition) -> None:
    """Publish standings, and copy them into rankings, as the worker does."""
    publish_standings(competition.pk)
    refresh_rankings(competition.pk)
    competition.refresh_from_db()


@replayed
def played(slug: str, hanchan: int = 4) -> Competition:
    """Play a final table, each hanchan with the same places."""
    competition = final_table(slug)
    session = table(competition.blocks.get(), numbers=range(1, hanchan + 1))
    play_all(session, *FIRST_WINS)
    publish(competition)
    return competition


def again(slug: str, people: Sequence[Player]) -> Competition:
    """Play a final table of people who have played before, in the order of their seats."""
    competition = final_table(slug)
    for entrant, player in zip(competition.entrants.order_by("number"), people, strict=True):
        entrant.player = player
        entrant.save(update_fields=["player"])
    play_all(table(competition.blocks.get()), *FIRST_WINS)
    publish(competition)
    return competition


@replayed
def spring_and_summer() -> Competition:
    """Play "spring", and "summer" with the same people in the reverse order; return "spring"."""
    spring = played("spring")
    again("summer", players(spring)[::-1])
    return spring


def players(competition: Competition) -> list[Player]:
    """The players of a final table in the order of their seats."""
    return [entrant.player for entrant in competition.entrants.order_by("number")]
