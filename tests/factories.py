"""Set up players and competitions for tests with plain functions that call the product's services."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import count
from typing import Any

from django.contrib.auth.models import User

from league.models import (
    Audience,
    Block,
    Competition,
    Door,
    Entrant,
    FormatRevision,
    Hanchan,
    Membership,
    ResultSheet,
    Role,
    Session,
    TableSession,
)
from league.selectors.access.actors import Actor
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    enter_players,
    new_player,
    seed_block,
    set_status,
)
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from league.services.rulebooks.revisions import keep
from rulesets.formats import format_text
from tests.replayed import replayed

SYSTEM = Actor.system(Door.COMMAND)
DESK_ROLES = tuple(role for role in Role if role != Role.CAPTAIN)
"""The roles of those who work in the admin; a captain has a page of the team alone."""
SCORES = (41200, 30100, 18700, 10000)
_numbers = count(1)


def user(name: str = "", role: Role | None = None, competition: Competition | None = None, **fields: Any) -> User:
    """Create a user; with a role, also a membership in the competition's staff."""
    made = User.objects.create_user(username=name or f"user{next(_numbers)}", password="correct horse", **fields)
    if role and competition:
        Membership.objects.create(competition=competition, user=made, role=role)
    return made


def actor(who: User | None = None, door: Door = Door.ADMIN) -> Actor:
    """Return the actor for a user and an entry point; without a user, the service itself."""
    return Actor(user=who, door=door) if who else SYSTEM


@replayed
def league(
    slug: str = "spring", *, status: Competition.Status | None = Competition.Status.PUBLISHED, **plan: Any
) -> Competition:
    """Create a published Cinderella season with sixteen players seeded into its two blocks."""
    values = {
        "name": "春リーグ",
        "name_en": "Spring League",
        "ruleset": "cinderella",
        "league_format": "cinderella",
        "audience": Audience.PUBLIC,
    }
    competition = create_competition(plan=CompetitionPlan(slug=slug, **{**values, **plan}), by=SYSTEM)
    for block in competition.blocks.filter(stage__order=1):
        seed_block(block=block, entrants=entrants(competition, block.slots.count(), prefix=block.key), by=SYSTEM)
    if status:
        set_status(competition=competition, status=status, by=SYSTEM)
    competition.refresh_from_db()
    return competition


@replayed
def final_table(slug: str = "final", *, hanchan: int = 4, **plan: Any) -> Competition:
    """Create the shortest possible competition: four players, one table, by default of four hanchan."""
    name = "single-table-final"
    text = format_text(name).replace("hanchan = 4\n", f"hanchan = {hanchan}\n")
    return league(slug, league_format=keep(FormatRevision, name, text), **plan)


def entrants(competition: Competition, number: int, prefix: str = "P") -> list[Entrant]:
    """Create and enter a number of new players, named P1, P2, ..."""
    players = [
        new_player(
            name=f"{prefix}{place}",
            name_romaji=f"Player {prefix}{place}",
            key=f"{competition.slug}-{prefix}{place}".lower(),
            by=SYSTEM,
        )
        for place in range(1, number + 1)
    ]
    return enter_players(competition=competition, players=players, by=SYSTEM)


def in_block(block: Block) -> list[Entrant]:
    """Return the entrants seeded into a block, ordered by slot."""
    slots = block.slots.exclude(seeded=None).select_related("seeded__player").order_by("number")
    return [slot.seeded for slot in slots if slot.seeded]


def table(
    block: Block, people: Sequence[Entrant] = (), numbers: Sequence[int] = (1, 2, 3, 4), **fixture: Any
) -> TableSession:
    """Create a table session of the block, by default for its first four players and hanchan 1 to 4."""
    session = Session.objects.filter(competition=block.competition).first() or create_session(
        competition=block.competition, by=SYSTEM
    )
    seated = tuple(people) or tuple(in_block(block)[:4])
    return create_table_session(
        session=session, fixture=Fixture(block=block, numbers=numbers, entrants=seated, **fixture), by=SYSTEM
    )


def session_on(competition: Competition, start: dt.datetime | None, number: int) -> Session:
    """Create a session with one table of the only block, for one hanchan."""
    session = create_session(competition=competition, by=SYSTEM)
    block = competition.blocks.get()
    fixture = Fixture(block=block, numbers=(number,), entrants=tuple(in_block(block)[:4]), starts_at=start)
    create_table_session(session=session, fixture=fixture, by=SYSTEM)
    return session


def entry(people: Sequence[Entrant], scores: Sequence[int] = SCORES, **more: Any) -> SheetEntry:
    """Build a sheet: these players in seat order with these scores; `chonbo` by seat."""
    chonbo = more.pop("chonbo", (0,) * len(people))
    seats = tuple(
        SeatEntry(who.pk, who.player_id, score, offences)
        for who, score, offences in zip(people, scores, chonbo, strict=True)
    )
    return SheetEntry(seats=seats, **more)


def seated(hanchan: Hanchan) -> list[Entrant]:
    """Return the entrants scheduled to sit in the hanchan, first dealer first."""
    return [seat.entrant for seat in hanchan.seats.select_related("entrant__player").order_by("seat")]


def play(hanchan: Hanchan, scores: Sequence[int] = SCORES, by: Actor = SYSTEM, **more: Any) -> ResultSheet:
    """Record a result for the seated players; `accept`, `corrects`, `reason` and `state` go to the service."""
    service = {key: more.pop(key) for key in ("accept", "corrects", "reason", "state") if key in more}
    return record_result(hanchan=hanchan, entry=entry(seated(hanchan), scores, **more), by=by, **service)


def play_all(table_session: TableSession, *results: Sequence[int]) -> None:
    """Play the table's hanchan in order, by default all with the same scores."""
    for place, hanchan in enumerate(table_session.hanchan.order_by("round")):
        play(hanchan, results[place % len(results)] if results else SCORES)
