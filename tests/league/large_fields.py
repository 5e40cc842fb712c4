"""Set up large fields: many entrants in one block or in many blocks, of whom the best go on."""

from __future__ import annotations

import datetime as dt
from typing import Any

from league.models import Block, Competition, FormatRevision, Hanchan
from league.selectors.competitions.seating.plans import Calendar, Wishes, planned_schedule
from league.services.competitions.seating import write_schedule
from league.services.results.batches import Incoming, take_results
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM

NOTE = 'note = { ja = "試験", en = "For tests" }'
CARRIED = f'carry_over = {{ kind = "none", {NOTE} }}\n{NOTE}'
HEAD = f"""
players = 4
{NOTE}
[tiebreak]
back_tracking = [{{ by = "points" }}, {{ by = "place" }}, {{ by = "score" }}]
[champion]
block = "final"
{NOTE}
"""
WISHES = Wishes(calendar=Calendar(first_day=dt.date(2027, 1, 9), every=7, starts_at=dt.time(10, 0)), seed="field")


def open_field(people: int, hanchan: int, sessions: int, best: int) -> str:
    """Return the format of an open tournament: all in one block, the best in a semifinal, and a final of four."""
    return (
        f'name = "field"\ntitle = {{ ja = "大きな大会", en = "Large field" }}\nentrants = {people}{HEAD}'
        + _stage("main", "予選", "Main rounds", hanchan, sessions)
        + _block("main", "予選", "Main rounds", f"seed:1-{people}")
        + _stage("semi", "準決勝", "Semifinal", 2)
        + _block("semi", "準決勝", "Semifinal", f"main#1-{best}")
        + _stage("final", "決勝", "Final", 1, seating="stay")
        + _block("final", "決勝", "Final", "semi#1-4")
    )


def many_blocks(blocks: int, size: int, hanchan: int) -> str:
    """Return the format of a league of many blocks; the winners meet in a semifinal, the best four in the final."""
    return (
        f'name = "blocks"\ntitle = {{ ja = "多いブロック", en = "Many blocks" }}\nentrants = {blocks * size}{HEAD}'
        + _stage("first", "予選", "First stage", hanchan, 2)
        + "".join(
            _block(f"B{n}", f"第{n}組", f"Group {n}", f"seed:{(n - 1) * size + 1}-{n * size}")
            for n in range(1, blocks + 1)
        )
        + _stage("semi", "準決勝", "Semifinal", 2)
        + _block("semi", "準決勝", "Semifinal", *(f"B{n}#1" for n in range(1, blocks + 1)))
        + _stage("final", "決勝", "Final", 1, seating="stay")
        + _block("final", "決勝", "Final", "semi#1-4")
    )


def _stage(key: str, ja: str, en: str, hanchan: int, sessions: int = 1, seating: str = "rounds") -> str:
    return (
        f'[[stages]]\nkey = "{key}"\ntitle = {{ ja = "{ja}", en = "{en}" }}\nhanchan = {hanchan}\n'
        f'sessions = {sessions}\nseating = "{seating}"\nassignment = "seeded"\n{CARRIED}\n'
    )


def _block(key: str, ja: str, en: str, *sources: str) -> str:
    entrants = ", ".join(f'{{ from = "{source}", {NOTE} }}' for source in sources)
    return f'[[stages.blocks]]\nkey = "{key}"\ntitle = {{ ja = "{ja}", en = "{en}" }}\nentrants = [{entrants}]\n'


def large_league(text: str, rounds: int, slug: str = "large", **plan: Any) -> Competition:
    """Create a published league of this format, schedule it and play its first rounds; scores follow from the table."""
    league = factories.league(slug, league_format=keep(FormatRevision, slug, text), **{"shows_odds": False, **plan})
    digest = planned_schedule(league, WISHES).digest
    write_schedule(competition=league, wishes=WISHES, digest=digest, by=SYSTEM)
    play_rounds(league, rounds)
    return league


def play_rounds(league: Competition, rounds: int) -> None:
    """Play the hanchan of the first stage up to this number, and publish the standings."""
    blocks = Block.objects.filter(competition=league, stage__order=1)
    games = Hanchan.objects.filter(block__in=blocks, number__lte=rounds).order_by("number", "pk")
    incoming = []
    for place, hanchan in enumerate(games.prefetch_related("seats__entrant__player")):
        first, second = 100 * (hanchan.number * 7 % 23 + place * 11 % 97), 100 * (place * 3 % 41)
        scores = (40_000 + first, 30_000 + second, 20_000 - first, 10_000 - second)
        people = [seat.entrant for seat in hanchan.seats.all()]
        incoming.append(Incoming(hanchan, factories.entry(people, scores)))
    take_results(competition=league, incoming=incoming, by=SYSTEM)
    publish_standings(league.pk)
    league.refresh_from_db()
