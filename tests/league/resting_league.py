"""Set up leagues in which some entrants rest: one block, of which the best four go on to a final."""

from __future__ import annotations

import datetime as dt
from typing import Any

from league.models import Block, Competition, FormatRevision, Hanchan
from league.selectors.competitions.seating.plans import Calendar, SchedulePlan, Wishes, planned_schedule
from league.services.competitions.seating import write_schedule
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, league, play
from tests.replayed import replayed

NOTE = 'note = { ja = "試験", en = "For tests" }'
CALENDAR = Calendar(first_day=dt.date(2027, 1, 9), every=7, starts_at=dt.time(12, 0))


def format_text(people: int, hanchan: int | None, sessions: int = 1, seating: str = "rounds") -> str:
    """Return a format: so many entrants play so many hanchan each, and the best four a final of one hanchan."""
    counted = f"hanchan = {hanchan}\nsessions = {sessions}" if hanchan else ""
    return f"""
name = "resting"
title = {{ ja = "休みのあるリーグ", en = "League with rests" }}
players = 4
entrants = {people}
{NOTE}
[tiebreak]
back_tracking = [{{ by = "points" }}, {{ by = "place" }}, {{ by = "score" }}]
[champion]
block = "final"
{NOTE}
[[stages]]
key = "league"
title = {{ ja = "リーグ", en = "League" }}
{counted}
seating = "{seating}"
assignment = "seeded"
carry_over = {{ kind = "none", {NOTE} }}
{NOTE}
[[stages.blocks]]
key = "A"
title = {{ ja = "A", en = "A" }}
entrants = [{{ from = "seed:1-{people}", {NOTE} }}]
[[stages]]
key = "final"
title = {{ ja = "決勝", en = "Final" }}
hanchan = 1
seating = "stay"
assignment = "seeded"
carry_over = {{ kind = "none", {NOTE} }}
{NOTE}
[[stages.blocks]]
key = "final"
title = {{ ja = "決勝", en = "Final" }}
entrants = [{{ from = "A#1-4", {NOTE} }}]
"""


def later_rests() -> FormatRevision:
    """Return a format of eight entrants without rests, of whom six go on to a final of two hanchan each."""
    text = format_text(8, 2).replace("hanchan = 1\n", "hanchan = 2\n").replace("A#1-4", "A#1-6")
    return keep(FormatRevision, "later-rests", text.replace('"stay"', '"rounds"'))


@replayed
def resting_league(people: int, hanchan: int | None, *, slug: str = "rests", **of_format: Any) -> Competition:
    """Create a published league of so many entrants and hanchan for each."""
    text = format_text(people, hanchan, **of_format)
    return league(slug, league_format=keep(FormatRevision, "resting", text))


def plan(competition: Competition, **wishes: Any) -> SchedulePlan:
    """Plan the schedule."""
    return planned_schedule(competition, wishes_of(**wishes))


def wishes_of(**wishes: Any) -> Wishes:
    return Wishes(**{"calendar": CALENDAR, "seed": "spring", **wishes})


def schedule(competition: Competition, **wishes: Any) -> Block:
    """Write the schedule; return the block in which entrants rest."""
    wished = wishes_of(**wishes)
    digest = planned_schedule(competition, wished).digest
    write_schedule(competition=competition, wishes=wished, digest=digest, by=SYSTEM)
    return Block.objects.select_related("stage", "competition").get(competition=competition, key="A")


def play_rounds(block: Block, *, most: int = 10_000) -> list[Hanchan]:
    """Play the block's hanchan without a result up to a running number; scores follow from the number."""
    rows = Hanchan.objects.filter(block=block, number__lte=most, state=Hanchan.State.SCHEDULED)
    found = list(rows.order_by("number", "pk"))
    for place, hanchan in enumerate(found):
        first, second = 100 * (hanchan.number * 7 % 23 + place % 5), 100 * (hanchan.number * 3 % 13 + place % 7)
        scores = (40_000 + first, 30_000 + second, 20_000 - first, 10_000 - second)
        play(hanchan, scores, accept={"same_result_twice"})
    return found


def publish(competition: Competition) -> None:
    """Compute the standings of all results so far."""
    publish_standings(competition.pk)
    competition.refresh_from_db()
