"""A ranking over 500 events and 5,000 people as of a day that was never asked for, and the cost of one more event.

Each event has 100 of the people, and all lie within the two years that count. The ranking is MERS. "Read and
reckoned" has nothing kept from before: results are read from the database, and every line is computed and ranked.
One more event is copied and reckoned beside what is kept, which costs its own entrants.
"""

from __future__ import annotations

import datetime as dt
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.stock import set_up

if TYPE_CHECKING:
    from league.models import EventListed, Ranking

EVENTS, PEOPLE, EACH = 500, 5_000, 100
DAY = dt.date(2026, 6, 30)
TURNS = 5
MOST_SECONDS = 1.0
"""Within which the ranking of any day is computed."""


def main() -> int:
    """Fill a database, measure and print; return 1 if a day takes too long."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        set_up(Path(folder))
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return measured(*filled())


def filled() -> tuple[Ranking, list[EventListed]]:
    """Write people, competitions, events and their results as rows; the last event is not listed yet."""
    from league.models import Competition, EventListed, Player
    from league.models.ranking import EventResult
    from league.selectors.access.actors import Actor
    from league.services.seasons.rankings import create_ranking

    row = create_ranking(slug="mers", name="MERS", source="mers", is_public=True, by=Actor.system())
    players = Player.objects.bulk_create(Player(key=f"p{n}", name=f"Player {n}") for n in range(PEOPLE))
    shown = Competition.Status.CLOSED
    made = Competition.objects.bulk_create(
        Competition(slug=f"event-{n}", name=f"Event {n}", status=shown) for n in range(EVENTS + 1)
    )
    events = EventListed.objects.bulk_create(
        EventListed(
            ranking=row,
            competition=competition,
            day=DAY - dt.timedelta(days=n % 700),
            days=1 + n % 4,
            countries=1 + n % 12,
            digest=f"{n:064}",
        )
        for n, competition in enumerate(made)
    )
    draw = random.Random(28)
    results = [
        EventResult(event=event, player=player, place=place, players=EACH)
        for event in events
        for place, player in enumerate(draw.sample(players, EACH), start=1)
    ]
    EventResult.objects.bulk_create(results, batch_size=5_000)
    return row, events


def measured(row: Ranking, events: list[EventListed]) -> int:
    """Print the times."""
    from league.models import EventListed
    from league.selectors.seasons.event_lines import forget
    from league.selectors.seasons.rankings import board_of

    last = EventListed.objects.filter(pk=events[-1].pk)
    last.update(ended_at=dt.datetime(2026, 7, 1, tzinfo=dt.UTC))
    took = {}
    times = []
    for turn in range(TURNS):
        forget()
        day = DAY - dt.timedelta(turn)
        times.append(seconds(partial(computed, row, day)))
    took["read and reckoned"] = max(times)
    again = partial(computed, row, DAY - dt.timedelta(TURNS - 1))
    took["the same day again"] = seconds(again)
    last.update(ended_at=None)
    took["with one more event"] = seconds(again)
    took["lines with names"] = seconds(lambda: board_of(row, DAY).lines())
    person = next(iter(board_of(row, DAY).reckoned.people))  # type: ignore[union-attr]
    took["a person's sum"] = seconds(lambda: board_of(row, DAY).reckoned.sum_of(person))  # type: ignore[union-attr]
    print(f"| {EVENTS} events, {PEOPLE:,} people, {EVENTS * EACH:,} results | CPU ms |")
    print("|---|--:|")
    for name, value in took.items():
        print(f"| {name} | {1000 * value:,.0f} |")
    return int(took["read and reckoned"] > MOST_SECONDS)


def computed(row: Ranking, day: dt.date) -> None:
    """Reckon a ranking as of a day, and rank all lines."""
    from league.selectors.seasons.rankings import board_of

    reckoned = board_of(row, day).reckoned
    if reckoned is None or not reckoned.ranked():
        raise LookupError(row.slug)


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that a piece of work takes; the database, SQLite, works in this process."""
    began = time.process_time()
    work()
    return time.process_time() - began
