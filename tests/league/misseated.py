"""Set up a final whose seats were drawn before a decision changed who plays in it."""

from __future__ import annotations

from league.models import Audience, Block, Entrant, Session, SlotState
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, in_block, play_all, table
from tests.league.resting_league import resting_league


def misseated_final(hanchan: int = 1) -> tuple[Session, list[Entrant]]:
    """Return the session of a final with drawn seats, and its players since one of those seated has lost the place."""
    competition = resting_league(8, 1)
    block, final = (competition.blocks.get(key=key) for key in ("A", "final"))
    people = in_block(block)
    for place in (0, 4):
        more = 100 * place
        scores = (40_000 + more, 30_000 - more, 20_000 + more, 10_000 - more)
        play_all(table(block, people[place : place + 4], numbers=(1,)), scores)
    publish_standings(competition.pk)
    first = players_of(final)[0]
    session = create_session(competition=competition, by=SYSTEM)
    create_table_session(session=session, fixture=Fixture(block=final, numbers=range(1, hanchan + 1)), by=SYSTEM)
    draw_seats(session=session, draw=SeatDraw(seed="seed"), by=SYSTEM)
    adjust_points(block=block, entrant=first, points=-2000, reason="Offence.", by=SYSTEM)
    publish_standings(competition.pk)
    return session, players_of(final)


def players_of(block: Block) -> list[Entrant]:
    """Return the entrants of a later block, as the organizers know them."""
    rows = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    return [row.entrant for row in rows.select_related("entrant__player").order_by("slot__number") if row.entrant]
