"""Set up later stages whose seats were drawn before a decision changed who plays in them."""

from __future__ import annotations

from collections.abc import Sequence

from league.models import Audience, Block, Competition, Entrant, FormatRevision, Hanchan, Session, SlotState
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.seating import SeatDraw, draw_seats
from league.services.results.rulings import adjust_points
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, in_block, league, play, play_all, table
from tests.league.resting_league import format_text
from tests.replayed import replayed


@replayed
def misseated_final(hanchan: int = 1) -> tuple[Session, list[Entrant]]:
    """Return the session of a final with drawn seats, and its players since one of those seated has lost the place."""
    text = format_text(8, 1).replace('hanchan = 1\nseating = "stay"', f'hanchan = {hanchan}\nseating = "stay"')
    competition = league("rests", league_format=keep(FormatRevision, "resting", text))
    session = drawn_final(competition, [range(1, hanchan + 1)])
    lose_place(session, players_of(final_of(session))[0])
    return session, players_of(final_of(session))


@replayed
def partly_played_rounds(played: int, *, seating: str = "rounds") -> tuple[Session, Hanchan]:
    """Return the session of three drawn rounds at three tables for the best twelve of 16, and a hanchan with a result.

    With the seating "stay" a table has all three rounds.
    """
    text = format_text(16, 1).replace('hanchan = 1\nseating = "stay"', f'hanchan = 3\nseating = "{seating}"')
    competition = league("rounds", league_format=keep(FormatRevision, "drawn-rounds", text.replace("A#1-4", "A#1-12")))
    numbers = [(1, 2, 3)] * 3 if seating == "stay" else [(number,) for number in (1, 2, 3) for _table in range(3)]
    session = drawn_final(competition, numbers, is_for_all=True)
    hanchan = Hanchan.objects.filter(table_session__session=session, number=played).order_by("pk")[0]
    play(hanchan)
    publish_standings(competition.pk)
    return session, hanchan


def drawn_final(competition: Competition, tables: Sequence[Sequence[int]], *, is_for_all: bool = False) -> Session:
    """Play the first block, and draw the seats of the final at tables with these numbers of hanchan."""
    people = in_block(competition.blocks.get(key="A"))
    for place in range(0, len(people), 4):
        more = 100 * place
        scores = (40_000 + more, 30_000 - more, 20_000 + more, 10_000 - more)
        play_all(table(competition.blocks.get(key="A"), people[place : place + 4], numbers=(1,)), scores)
    publish_standings(competition.pk)
    session = create_session(competition=competition, by=SYSTEM)
    for numbers in tables:
        fixture = Fixture(block=final_of(session), numbers=numbers)
        create_table_session(session=session, fixture=fixture, by=SYSTEM)
    draw_seats(session=session, draw=SeatDraw(seed="seed", is_for_all=is_for_all), by=SYSTEM)
    return session


def final_of(session: Session) -> Block:
    return session.competition.blocks.get(key="final")


def lose_place(session: Session, entrant: Entrant) -> None:
    """Take points from an entrant in the first block until another one has the place in the final."""
    block = session.competition.blocks.get(key="A")
    adjust_points(
        block=block, entrant=entrant, points=-2000, reason="Offence.", by=SYSTEM, accept={"later_stage_begun"}
    )
    publish_standings(session.competition_id)


def players_of(block: Block) -> list[Entrant]:
    """Return the entrants of a later block, as the organizers know them."""
    rows = SlotState.objects.filter(slot__block=block, audience=Audience.STAFF, state=SlotState.State.CERTAIN)
    return [row.entrant for row in rows.select_related("entrant__player").order_by("slot__number") if row.entrant]
