"""Set up an event of two tables and three rounds, with the policies of its format, for tests of its day."""

from __future__ import annotations

from typing import Any

from league.models import Block, Competition, Credit, Entrant, FormatRevision, Hanchan
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import seed_block, set_status
from league.services.rulebooks.revisions import keep
from tests import factories
from tests.factories import SYSTEM
from tests.league.large_fields import open_field
from tests.replayed import replayed

NOTE = 'note = { ja = "試験", en = "For tests" }'
PLAYERS = 8


@replayed
def event(policies: str = "", *, rounds: int = 3, house: int = 1, **plan: Any) -> Competition:
    """Return an event of eight players with a table list of three rounds, and house players.

    `policies` is the text of the policies in TOML, such as ``no_show = { by = "substitutes", points = "-15.0" }``.
    """
    text = open_field(PLAYERS, rounds, 1, 4).replace("[tiebreak]", f"{_policies(policies)}[tiebreak]", 1)
    format_ = keep(FormatRevision, "field", text)
    competition = factories.league("event", league_format=format_, status=None, **plan)
    block = main(competition)
    seed_block(block=block, entrants=factories.in_block(block), by=SYSTEM)
    for number in range(1, house + 1):
        (one,) = factories.entrants(competition, 1, prefix=f"House{number}")
        Entrant.objects.filter(pk=one.pk).update(is_house=True)
    people = factories.in_block(block)
    session = create_session(competition=competition, by=SYSTEM)
    for number in range(1, rounds + 1):
        order = [*people[number - 1 :], *people[: number - 1]]
        for table in range(2):
            fixture = Fixture(
                block=block, numbers=(number,), entrants=tuple(order[4 * table : 4 * table + 4]), table=str(table + 1)
            )
            create_table_session(session=session, fixture=fixture, by=SYSTEM)
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    competition.refresh_from_db()
    return competition


def _policies(text: str) -> str:
    if not text:
        return ""
    return "[policies]\n" + "\n".join(line.replace(" }", f", {NOTE} }}", 1) for line in text.splitlines()) + "\n"


def main(competition: Competition) -> Block:
    """Return the block of the event's rounds."""
    return competition.blocks.get(key="main")


def seat_of(entrant: Entrant, number: int) -> Hanchan:
    """Return the hanchan in which an entrant sits in a round."""
    return Hanchan.objects.get(block__key="main", number=number, seats__entrant=entrant)


def credited(entrant: Entrant) -> list[tuple[int, str, int | None, int | None]]:
    """Return what holds for an entrant: number, kind, points and place."""
    rows = Credit.objects.standing().filter(entrant=entrant).order_by("number")
    return list(rows.values_list("number", "kind", "points", "place"))
